"""The functions that notebooks and scripts call."""

import os
import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from torusim import _core, curves
from torusim._core import InputError
from torusim.common.checks import require_integer
from torusim.common.files import as_path
from torusim.common.formatting import shown
from torusim.curves import Curve
from torusim.processes import (
    RANK_TIMEOUT,
    STARTS,
    Plain,
    ProcessOptions,
    command_of,
    computing_of,
    resolve_command,
    run_command,
)
from torusim.ranks import advice, mapping
from torusim.ranks.advice import Advice, Question
from torusim.ranks.mapping import Mappings
from torusim.ranks.recorded import Source, estimate, recorded, require_coroutine, run_main, scenario_of
from torusim.runs import result, runner
from torusim.runs.checkpoints import AUTOMATIC, DEFAULT_EVERY, Times, parse_every, parse_times
from torusim.runs.peers import PROCESSES_LIMIT, started_here
from torusim.runs.recording import recording_of
from torusim.runs.result import Result
from torusim.runs.scenario import (
    ENGINES,
    Override,
    ScenarioSource,
    engine_overrides,
    overrides_of_sections,
    packet_engine,
    printable,
    seed_override,
    to_json,
)
from torusim.runs.scenario import resolve as resolve_scenario
from torusim.runs.timeline import Timeline
from torusim.sweeps.axes import axes_of_values
from torusim.sweeps.executors import JOBS_LIMIT, Executor, Futures, Processes, Workers, default_jobs
from torusim.sweeps.shards import shard_of
from torusim.sweeps.sweep import Sweep, collect_shards, points_of, run_sweep

if TYPE_CHECKING:
    from torusim.processes import Output
    from torusim.programs import Comm


def run(
    scenario: ScenarioSource,
    *,
    engine: str = "windowed",
    threads: int = 1,
    processes: int = 1,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    checkpoint_every: str | float | None = AUTOMATIC,
    timeline: str | os.PathLike[str] | Timeline | None = None,
    **sections: Mapping[str, Any],
) -> Result:
    """Runs a scenario and returns its result.

    The function returns for every outcome (see `Result.outcome`): deadlock, a time limit and Ctrl-C are outcomes, not
    errors. The first Ctrl-C ends the run and returns the result so far; a second one raises KeyboardInterrupt. Other
    Python threads keep running during the run.

    Args:
        scenario: A path to a TOML file or an earlier result.json, the text of a scenario (a string of several
            lines), or its content as a dict.
        engine: "windowed", or another engine of packets, such as "reference", which is slow and defines the results.
            Both give the same result. "fluid" computes it from the flows of the workload, without packets: much
            faster, with an error that the summary states (docs/models/fluid.md).
        threads: Number of threads of the engine in each process, at least 1. The result does not depend on it.
        processes: Number of processes of this computer, at least 1, each with its part of the nodes. The result does
            not depend on it either.
        seed: Replaces the scenario's seed; an integer from 0.
        out: The folder to write the result to; it must not exist. None keeps the result in memory only.
        checkpoint_every: Interval between checkpoints in wall time: seconds, or a text such as "10min". `resume`
            continues from these checkpoints, which are in `out`. By default ("auto") one is written every 10 minutes,
            from the second minute on, and one at Ctrl-C; None or "never" writes none.
        timeline: A file for the time lines of ranks, drawn by Perfetto and speedscope, or a `Timeline`, which also
            selects ranks and times. None writes none.
        **sections: Changes to sections of the scenario, such as `machine={"shape": [8, 8, 4]}`. Nested sections are
            merged; other values are replaced.

    Raises:
        InputError: If the scenario, an option or the folder cannot be used; raised before the run starts.
    """
    times = parse_times(checkpoint_every)
    options = _options(engine, threads, times, timeline)
    count = require_integer("processes", processes, 1, PROCESSES_LIMIT)
    folder = None if out is None else as_path(out, "out")
    if times is not None and folder is None and checkpoint_every != AUTOMATIC:
        raise InputError("checkpoint_every: checkpoints are kept in the folder of the result; name it with out=")
    changes = [*_overrides(seed, sections), *engine_overrides(engine, f'run(engine="{engine}")')]
    resolved = resolve_scenario(scenario, changes)
    with _together(count, resolved, options) as options:
        return runner.execute(resolved, options, _ignore, folder)


def run_program(
    main: Callable[["Comm"], Coroutine[Any, Any, Any]],
    *,
    ranks: int,
    machine: str | Mapping[str, Any] | None = None,
    mapping: str | Mapping[str, Any] | None = None,
    engine: str = "windowed",
    threads: int = 1,
    processes: int = 1,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    timeline: str | os.PathLike[str] | Timeline | None = None,
    record: str | os.PathLike[str] | None = None,
    checkpoint_every: None = None,
    **sections: Mapping[str, Any],
) -> Result:
    """Runs `async def main(comm)` on each of the ranks of a simulated machine, and returns the result.

    `comm` (`torusim.Comm`) has mpi4py's names, and its operations are awaited. The simulator computes when each
    completes, and which message each receive gets. Data arrives as equal objects; its values have no effect on times.
    `Result.returns[rank]` is the value that `main` has returned on that rank.

    The function returns for every outcome, as `run` does; ranks that wait forever are the outcome "stuck".

    Args:
        main: The program of each rank. It awaits operations of its communicator, and nothing else.
        ranks: Number of ranks, at most one for each core of the machine.
        machine: The name of a preset, or the section `machine` of a scenario as a dict; None for the default preset.
        mapping: The order in which ranks are placed, of the dimensions of the machine and the cores (T): on three
            dimensions "XYZT" (one on each node, x first, then on the second cores), "TXYZ" and so on; "fold" or
            "random"; or the section `mapping` of a scenario as a dict, such as {"file": "map.txt"}. None for the
            dimensions in their order, then the cores.
        engine: "windowed" or "reference", as for `run`.
        threads: As for `run`. The program itself runs on the caller's thread.
        processes: As for `run`. The program itself runs in this one.
        seed: As for `run`.
        out: As for `run`. The return values of `main` are not written.
        timeline: As for `run`.
        record: A file to which the calls of the ranks are written: a trace, and a scenario that `run`, `advise` and
            `map_ranks` take without the program.
        checkpoint_every: Refused: the state of a program in Python cannot be written down.
        **sections: Other sections of a scenario, such as `messaging={"call_time": "100 ns"}`.

    Raises:
        InputError: If an option or the folder cannot be used; raised before the program starts.
        Exception: An exception of a rank, with a note that names the rank. It ends the run.
    """
    require_coroutine(main)
    if checkpoint_every is not None:
        raise InputError(
            "checkpoint_every: the state of a program in Python cannot be written down; kernels and traces can have "
            "checkpoints"
        )
    if "workload" in sections:
        raise InputError("workload: is the program; its data can be arguments, as in functools.partial(main, …)")
    scenario = {
        **scenario_of(main),
        "machine": {"preset": machine} if isinstance(machine, str) else machine or {},
        "mapping": {**_mapping(mapping), "ranks": ranks},
    }
    options = _options(engine, threads, None, timeline)
    count = require_integer("processes", processes, 1, PROCESSES_LIMIT)
    folder = None if out is None else as_path(out, "out")
    recording = recording_of(record)
    resolved = _core.resolve_program(to_json(scenario, "program"), _overrides(seed, sections))
    with _together(count, resolved, options) as options:
        result, calls = run_main(main, resolved, options, folder, records=recording is not None)
    if recording is not None:
        recording.keep(result.outcome, calls, resolved, warnings.warn)
    return result


def run_processes(
    command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    ranks: int,
    machine: str | Mapping[str, Any] | None = None,
    mapping: str | Mapping[str, Any] | None = None,
    engine: str = "windowed",
    threads: int = 1,
    processes: int = 1,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    timeline: str | os.PathLike[str] | Timeline | None = None,
    record: str | os.PathLike[str] | None = None,
    start: str = "fork",
    rank_timeout: float = RANK_TIMEOUT,
    compute: str = "none",
    compute_scale: float = 1.0,
    compute_file: str | os.PathLike[str] | None = None,
    output: "Output | None" = None,
    **sections: Mapping[str, Any],
) -> Result:
    """Runs an MPI program, unmodified, on a simulated machine, one process for each rank, and returns the result.

    The program is any that has been linked with a shared MPI library: torusim's own (`torusim mpicc`), MPICH's,
    Intel's or Open MPI's; or `["python", "script.py"]` with mpi4py. Its calls take simulated time. The function returns
    for every outcome, as `run` does: a rank that has died is the outcome "rank-died", `MPI_Abort` is "aborted".
    `Result.exit_status` is the status of the first rank that has ended with another status than 0.

    Args:
        command: The program, or a list of the program and its arguments.
        ranks: Number of ranks, at most one for each core of the machine.
        machine: As for `run_program`.
        mapping: As for `run_program`.
        engine: "windowed" or "reference", as for `run`.
        threads: As for `run`. The processes of ranks run at the same time.
        processes: As for `run`; this one starts those of all ranks.
        seed: As for `run`.
        out: As for `run`.
        timeline: As for `run`.
        record: As for `run_program`.
        start: "fork": the program is started once, and MPI_Init forks all ranks. "exec": it is started once for each
            rank; for programs with threads, or with state of their own before MPI_Init.
        rank_timeout: Seconds of this computer's time without a call after which a rank is given up.
        compute: The time that ranks compute between calls: "none"; "measured": the processor time of this computer, so
            that no two runs are the same; "record": that, written to `compute_file`; "replay": that of `compute_file`.
        compute_scale: The factor of measured times.
        compute_file: The file of "record" and "replay", a Parquet file.
        output: Where the output of ranks goes; by default to `sys.stdout` and `sys.stderr`.
        **sections: Other sections of a scenario, such as `messaging={"call_time": "100 ns"}`.

    Raises:
        InputError: If the program, an option or the folder cannot be used; raised before the program starts.
    """
    of_program = command_of(command)
    if start not in STARTS:
        raise InputError(f"start={shown(start)}: it is one of {', '.join(STARTS)}")
    computing = computing_of(compute, compute_scale, None if compute_file is None else as_path(compute_file, "file"))
    changes = _overrides(seed, sections)
    resolved = resolve_command(of_program, ranks, machine, None, mapping, changes, compute)
    of_ranks = ProcessOptions(start, rank_timeout, output or Plain(), computing)
    folder = None if out is None else as_path(out, "out")
    options = _options(engine, threads, None, timeline)
    count = require_integer("processes", processes, 1, PROCESSES_LIMIT)
    recording = recording_of(record)
    with _together(count, resolved, options) as options:
        return run_command(of_program, resolved, options, of_ranks, _ignore, folder, record=recording)[0]


@contextmanager
def _together(processes: int, scenario: _core.Scenario, options: runner.Options) -> Iterator[runner.Options]:
    """The options of a run by some processes of this computer, which are started for the time of a block."""
    scenario.check_processes(options.engine, processes)
    with started_here(processes) as peers:
        yield replace(options, peers=peers)


def _mapping(mapping: str | Mapping[str, Any] | None) -> Mapping[str, Any]:
    if isinstance(mapping, Mapping):
        return mapping
    return {} if mapping is None else {"order": mapping}


def sweep(
    scenario: ScenarioSource,
    over: Mapping[str, Iterable[Any]],
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    shard: str | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    **sections: Mapping[str, Any],
) -> Sweep:
    """Runs a scenario at every combination of the given values, in parallel processes.

    Each row of the sweep's table is a point: the swept keys, then every value of its summary, including `digest` and
    `outcome` (nested keys are joined by a dot). Ctrl-C raises KeyboardInterrupt. Points finished by then are kept in
    `out`; the same call continues from there.

    Args:
        scenario: As for `run`.
        over: The values of each key, such as {"machine.shape": [[4, 4, 4], [8, 8, 8]], "run.seed": range(1, 11)}. The
            last key varies fastest.
        jobs: Number of points to run in parallel, each on one thread; None for the number of cores.
        executor: Runs the points instead of processes of this host: any object with the interface of
            `concurrent.futures`, such as Dask's `client.get_executor()`. Its workers need the same torusim.
        shard: Run only a part of the points: "2/8" runs every 8th, beginning with the second, and the sweep has only
            these; `collect` joins them. None for all.
        seed: Replaces the scenario's seed; an integer from 0.
        out: The folder for the finished points and the table (sweep.parquet). It may be the folder of an earlier
            sweep, whose points are not run again. None keeps nothing.
        **sections: Changes to sections of the scenario, as for `run`.

    Raises:
        InputError: If a point does not describe a run (raised before any point runs), if a point cannot be run, or if
            the folder cannot be used.
    """
    swept = axes_of_values(over)
    workers = _workers(jobs, executor)
    chosen = None if shard is None else shard_of(shard)
    folder = None if out is None else as_path(out, "out")
    points = points_of(scenario, _overrides(seed, sections), swept)
    return run_sweep(points, folder, workers, _ignore, chosen)


def collect(
    folders: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, out: str | os.PathLike[str] | None = None
) -> Sweep:
    """The whole sweep, from the folders in which its shards were run (`sweep` with `shard`).

    Args:
        folders: One folder, or several; several shards may share one.
        out: The folder for the table, to which the finished points are copied; it may be one of those. None writes
            nothing.

    Raises:
        InputError: If a folder has no shard or one of another sweep, if a point is not finished, or if `out` cannot be
            used.
    """
    listed = [folders] if isinstance(folders, str | os.PathLike) else folders
    if not isinstance(listed, Iterable):
        raise InputError(f"folders: {shown(folders)} has to be a folder, or a list of folders")
    paths = [as_path(folder, "folders") for folder in listed]
    return collect_shards(paths, None if out is None else as_path(out, "out"))


def curve(
    scenario: ScenarioSource,
    over: Mapping[str, Iterable[Any]] | None = None,
    *,
    seeds: int = curves.SEEDS,
    jobs: int | None = None,
    executor: Executor | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    **sections: Mapping[str, Any],
) -> Curve:
    """Measures latency and accepted load against offered load, up to saturation, in parallel processes.

    Saturation is found, and so are loads, warm-up, length and number of replications. The scenario's own `load` and the
    lengths of its section `run` have no effect. Ctrl-C raises KeyboardInterrupt; finished runs are kept in `out`, and
    the same call continues from there.

    Args:
        scenario: As for `run`; its workload is one with a load.
        over: The values of each key, such as {"machine.wrap": [True, False]}. There is a curve for each combination;
            None for a single one.
        seeds: The most replications of each load, from 1. There are three, and more until the 95 % interval of the mean
            latency is at most 5 % to each side.
        jobs: Number of runs in parallel, each on one thread; None for the number of cores.
        executor: Runs them instead of processes of this host, as for `sweep`.
        seed: The first seed; the others follow it. None for the scenario's.
        out: The folder for the finished runs and the table (curve.parquet). It may be the folder of an earlier curve,
            whose runs are not repeated. None keeps nothing.
        **sections: Changes to sections of the scenario, as for `run`.

    Raises:
        InputError: If the scenario has no offered load that could be varied or does not describe a run (raised before
            any runs), if a run is refused, or if the folder cannot be used.
    """
    swept = axes_of_values({} if over is None else over, "curve")
    most = require_integer("seeds", seeds, 1, curves.SEEDS_LIMIT)
    folder = None if out is None else as_path(out, "out")
    workers = _workers(jobs, executor)
    configurations = curves.configurations_of(scenario, _overrides(seed, sections), swept)
    return curves.run_curve(configurations, most, folder, workers, _ignore)


def map_ranks(
    scenario: Source,
    *,
    search: str | None = None,
    start: str = mapping.PRESENT,
    steps: int | None = None,
    seconds: float = mapping.SECONDS,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    **sections: Mapping[str, Any],
) -> Mappings:
    """The costs of mappings of a scenario's ranks, in hop-bytes and bytes on links, and the search for a better one.

    The first mapping is the best: `run(scenario, mapping={"places": mappings.best.places})` runs with it. Ctrl-C ends a
    search, whose best mapping so far is kept.

    Args:
        scenario: As for `run`, with a kernel with a grid or a trace as its workload; or a program, as for
            `run_program`, with `machine={…}` and `mapping={"ranks": …}`. It is run once, on the mapping that is stated;
            communication that depends on time is as in this run.
        search: "anneal" (simulated annealing in rounds) or "greedy" (only moves that cost no more) to search a mapping
            with fewer hop-bytes; None evaluates the present mapping and the usual ones only.
        start: Where a search starts: "present", an order such as "XYZT", "fold" or "random".
        steps: Number of steps of a search; the same seed and number of steps find the same mapping. None for as many
            as fit into `seconds`.
        seconds: About how long a search takes, if `steps` is None.
        seed: Replaces the scenario's seed; an integer from 0.
        out: A file to write the best mapping to, which `[mapping] file` reads. None writes none.
        **sections: Changes to sections of the scenario, as for `run`.

    Raises:
        InputError: If the scenario or an option cannot be used, or the file cannot be written.
    """
    path = None if out is None else as_path(out, "out")
    changes = _overrides(seed, sections)
    resolved = resolve_scenario(recorded(scenario, changes), changes)
    wanted = None if search is None else mapping.Search(search, start, steps, seconds, resolved.seed)
    mappings = mapping.map_scenario(resolved, wanted, lambda _words, _share: None)
    if path is not None:
        mapping.write(mappings.best, path)
    return mappings


def advise(
    scenario: Source,
    *,
    shapes: Iterable[Sequence[int]] | None = None,
    wraps: Iterable[str] | None = None,
    search_seconds: float | None = None,
    trials: int = advice.TRIALS,
    runs: int | None = None,
    seed: int | None = None,
    **sections: Mapping[str, Any],
) -> Advice:
    """Which partition and which mapping is the fastest for a scenario, predicted by the fluid engine.

    Choices near the best by prediction are tried in packets, iteration by iteration, until all but one are behind.
    `run(scenario, **advice.best.sections)` runs with the best of all. Ctrl-C raises KeyboardInterrupt.

    Args:
        scenario: As for `run`; or a program, as for `map_ranks`.
        shapes: Lengths of partitions to compare, such as `[[8, 8, 16], [4, 16, 16]]`; None for that of the scenario.
        wraps: "torus", "mesh", or the letters of the closed dimensions such as "xz"; None for those of the scenario.
        search_seconds: About how long to search each partition for a mapping in addition to the usual ones; None for no
            search.
        trials: The most choices that are tried in packets, if the workload has several iterations.
        runs: The most choices that are run as a whole, among those that are not behind after the trials; 0 for none.
            None means: none after trials; without trials, as many as take a tenth of the time of a run with each
            choice, and at least one.
        seed: Replaces the scenario's seed; an integer from 0.
        **sections: Changes to sections of the scenario, as for `run`.

    Raises:
        InputError: If the scenario or an option cannot be used, or a partition does not hold the ranks.
    """
    changes = _overrides(seed, sections)
    source = recorded(scenario, changes)
    question = Question(_shapes(shapes), _wraps(wraps), search_seconds, trials, runs)
    return advice.advise_scenario(source, changes, question, lambda _words, _share: None)


def _shapes(shapes: Iterable[Sequence[int]] | None) -> list[list[int]] | None:
    if shapes is None:
        return None
    if isinstance(shapes, str) or not isinstance(shapes, Iterable):
        raise InputError(f"shapes: {shown(shapes)} has to be a list of shapes, such as [[8, 8, 16], [4, 16, 16]]")
    found = list(shapes)
    for shape in found:
        if isinstance(shape, str) or not isinstance(shape, Sequence):
            raise InputError(f"shapes: {shown(shape)} has to be the lengths of a partition, such as [8, 8, 16]")
    return [list(shape) for shape in found]


def _wraps(wraps: Iterable[str] | None) -> list[str] | None:
    if wraps is None:
        return None
    if isinstance(wraps, str) or not isinstance(wraps, Iterable):
        raise InputError(f'wraps: {shown(wraps)} has to be a list such as ["torus", "mesh"]')
    return list(wraps)


def resume(
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    processes: int = 1,
    checkpoint_every: str | float = DEFAULT_EVERY,
) -> Result:
    """Continues a run from the newest intact checkpoint in its result folder.

    The result is bit-identical to that of the uninterrupted run: the digest and every row of the tables are equal.

    Args:
        folder: The `out` of a run with `checkpoint_every` that was ended by Ctrl-C, a kill, or a power failure.
        threads: Number of threads of the engine; None for the same number as before.
        processes: Number of processes of this computer, whatever it was before.
        checkpoint_every: Interval between checkpoints from now on, in wall time: seconds, or a text such as "10min".

    Raises:
        InputError: If the folder has no checkpoint that can be used.
    """
    count = None if threads is None else require_integer("threads", threads, 1, runner.THREADS_LIMIT)
    every_seconds, target = parse_every(checkpoint_every), as_path(folder, "folder")
    with started_here(require_integer("processes", processes, 1, PROCESSES_LIMIT)) as peers:
        return runner.resume(target, every_seconds, count, _ignore, warnings.warn, peers)


def check(
    scenario: Source, *, processes: int = 1, seed: int | None = None, **sections: Mapping[str, Any]
) -> dict[str, Any]:
    """Estimates what a run would need: nodes, links, packets, memory in bytes, and its approximate time.

    Only programs are run: once, and then their calls again, with sends that wait for their receives. If these calls do
    not end, a warning names the rank and the call that depend on eager sends. Units are in the keys: cycles, seconds,
    bytes. `bound` is the most that the network can carry of this traffic, in packets per cycle of all nodes and in
    bytes per node per cycle; the offered load of the workload's `load` is `offered_bytes_per_node_per_cycle`. For
    scenarios in physical units, each key that counts cycles is followed by one in ns, GB/s or packets per second.

    `memory_bytes` counts the state at its peak and the result's tables. The operations that ranks have in progress are
    read from the calls of kernels, collectives, traces and programs. Two parts are not known beforehand and left out:
    messages that arrive at a rank long before it receives them, and the trace itself.

    Of a run by several processes, each on a computer like this one, `processes` has the part of each: `nodes`, `part`
    in words, `memory_bytes`, and `load_share`, its share of the expected load, or None if nothing is known of that.
    `window` is the time between two swaps of packets, in which all nodes together have `packet_hops`.

    Args:
        scenario: As for `run`; or a program, as for `map_ranks`.
        processes: The number of processes, at least 1.
        seed: Replaces the scenario's seed.
        **sections: Changes to sections of the scenario, as for `run`.

    Raises:
        InputError: If the scenario cannot be used.
    """
    count = require_integer("processes", processes, 1, PROCESSES_LIMIT)
    return estimate(scenario, _overrides(seed, sections), count)[1]


def load(folder: str | os.PathLike[str]) -> Result:
    """The result that a run wrote to `folder`. Each table is read on its first use.

    Raises:
        InputError: If there is no result in the folder, or one that this version cannot read.
    """
    return result.load(as_path(folder, "folder"))


def _options(
    engine: str,
    threads: int,
    times: Times | None,
    timeline: str | os.PathLike[str] | Timeline | None,
) -> runner.Options:
    if not isinstance(engine, str):
        *others, last = (f'"{name}"' for name in ENGINES)
        raise InputError(f"engine: {shown(engine)} has to be {', '.join(others)} or {last}")
    return runner.Options(
        packet_engine(printable(engine)),
        require_integer("threads", threads, 1, runner.THREADS_LIMIT),
        times,
        _timeline(timeline),
    )


def _overrides(seed: int | None, sections: Mapping[str, object]) -> list[Override]:
    overrides = overrides_of_sections(sections)
    if seed is not None:
        overrides.append(seed_override(seed, "run(seed=…)"))
    return overrides


def _workers(jobs: int | None, executor: Executor | None) -> Workers:
    if executor is None:
        return Processes(default_jobs() if jobs is None else require_integer("jobs", jobs, 1, JOBS_LIMIT))
    if not callable(getattr(executor, "submit", None)):
        raise InputError(f"executor: {shown(executor)} has no method submit, as executors of concurrent.futures have")
    if jobs is not None:
        raise InputError("jobs: is for processes of this host; an executor has its own number of workers")
    return Futures(executor)


def _timeline(timeline: str | os.PathLike[str] | Timeline | None) -> Timeline | None:
    return timeline if timeline is None or isinstance(timeline, Timeline) else Timeline(timeline)


def _ignore(_progress: object) -> None:
    """Discards progress reports."""
