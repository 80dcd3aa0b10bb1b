"""Runs a scenario in slices of wall time, so that progress can be reported and Ctrl-C handled between them."""

import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Protocol

from torusim import _core
from torusim._core import LostProcessError
from torusim.common.folder import new_folder, writing
from torusim.runs import checkpoints, jobs
from torusim.runs.checkpoints import Keeper, Times, Warn
from torusim.runs.peers import processes_of
from torusim.runs.result import Result, of_run, with_jobs
from torusim.runs.timeline import Timeline

SLICE_SECONDS = 0.1
"""Wall time between two checks for Ctrl-C."""

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a run, whose result so far is kept."""

THREADS_LIMIT = 1024
"""Upper limit of the number of threads, above the core count of any expected host."""


@dataclass(frozen=True)
class Options:
    """Options that affect the time of a run but never its result.

    Attributes:
        engine: "windowed", or another engine of packets, such as "reference", which is slow and defines the results.
        threads: Number of threads of the engine, at least 1.
        checkpoints: The times at which to write checkpoints into the result folder; None for never.
        timeline: The time lines of ranks to write, or None.
        peers: The processes that run it together; None for this one alone.
    """

    engine: str = "windowed"
    threads: int = 1
    checkpoints: Times | None = None
    timeline: Timeline | None = None
    peers: _core.Peers | None = None


class Program(Protocol):
    """A program outside the simulator, whose ranks make the calls of a run."""

    def start(
        self,
        scenario: _core.Scenario,
        engine: str,
        threads: int,
        interrupted: threading.Event,
        peers: _core.Peers | None,
    ) -> _core.Run:
        """Begins the run; the event is set when the user stops it."""

    def finish(self, run: _core.Run) -> None:
        """Takes what the run, which has ended, has recorded."""


def execute(
    scenario: _core.Scenario,
    options: Options,
    report: Callable[[_core.Progress], None],
    out: Path | None = None,
    *,
    warn: Warn = warnings.warn,
    replace_out: bool = False,
    program: "Program | None" = None,
) -> Result:
    """Runs the scenario to its end or to Ctrl-C, and writes the result to `out` if given.

    The first Ctrl-C ends the run; the result so far is kept, with the outcome "interrupted", and with it a checkpoint,
    if `options` has any, from which `resume` continues. A second one raises KeyboardInterrupt and keeps only earlier
    checkpoints. In the command, SIGTERM does the same and ends it with status 143.

    A checkpoint that cannot be written is reported to `warn`, and the run goes on. If the scenario is that of a program
    outside the simulator, `program` makes the calls of its ranks; such a run has no checkpoints.

    Raises:
        InputError: If the scenario cannot run here, or `out` cannot be written.
        BaseException: An exception of a program.
    """
    if options.peers is not None:
        scenario.check_processes(options.engine, options.peers.count)
    if options.timeline is not None:
        scenario = options.timeline.observe(scenario)
    with _first_interrupt() as interrupted:
        if out is None:
            return _run(scenario, options, report, interrupted, warn, program)
        if options.checkpoints is not None and program is None and not scenario.is_fluid:
            with checkpoints.keeper_of(out, options.checkpoints, warn, replace=replace_out) as keeper:
                run = _core.Run(scenario, options.engine, options.threads, options.peers)
                if keeper.is_due:  # explicitly requested: if this one cannot be written, nothing is run
                    keeper.begin(run)
                return _run_and_keep(run, keeper, report, interrupted, options.peers, options.timeline)
        with new_folder(out, replace=replace_out) as folder:
            result = _run(scenario, options, report, interrupted, warn, program)
            with writing(out):
                result.write(folder)
        return replace(result, folder=out)


def resume(
    out: Path,
    every_seconds: float,
    threads: int | None,
    report: Callable[[_core.Progress], None],
    warn: Warn,
    peers: _core.Peers | None = None,
) -> Result:
    """Continues the run whose checkpoints are in `out`; see `checkpoints.resume`.

    Raises:
        InputError: If there is no checkpoint that can be used, or `out` cannot be written.
    """
    with (
        _first_interrupt() as interrupted,
        checkpoints.resume(out, every_seconds, threads, warn, peers) as (run, keeper),
    ):
        return _run_and_keep(run, keeper, report, interrupted, peers)


def _run(
    scenario: _core.Scenario,
    options: Options,
    report: Callable[[_core.Progress], None],
    interrupted: threading.Event,
    warn: Warn,
    program: "Program | None",
) -> Result:
    if program is None:
        run = _core.Run(scenario, options.engine, options.threads, options.peers)
    else:
        run = program.start(scenario, options.engine, options.threads, interrupted, options.peers)
    result = _finish(run, _advance(run, report, interrupted), options.timeline, warn)
    if program is not None:
        program.finish(run)
    return _with_jobs(result, options, report, interrupted)


def _run_and_keep(
    run: _core.Run,
    keeper: Keeper,
    report: Callable[[_core.Progress], None],
    interrupted: threading.Event,
    peers: _core.Peers | None,
    timeline: Timeline | None = None,
) -> Result:
    try:
        progress = _advance(run, report, interrupted, keeper)
    except LostProcessError as error:
        raise LostProcessError(f"{error}; {keeper.how_to_go_on}") from None
    if not progress.done:
        keeper.save(run, is_last=True)
    result = _finish(run, progress, timeline, keeper.warn)
    options = Options(result.summary["engine"], result.summary["threads"], peers=peers)
    result = _with_jobs(result, options, report, interrupted)
    keeper.keep(result)
    return replace(result, folder=keeper.target)


def _advance(
    run: _core.Run,
    report: Callable[[_core.Progress], None],
    interrupted: threading.Event,
    keeper: Keeper | None = None,
) -> _core.Progress:
    """Runs to the end or to Ctrl-C."""
    while True:
        progress = run.advance(SLICE_SECONDS)
        report(progress)
        if progress.done or interrupted.is_set():
            return progress
        if keeper is not None and keeper.is_due:
            keeper.save(run)


def _finish(run: _core.Run, progress: _core.Progress, timeline: Timeline | None, warn: Warn) -> Result:
    seed = run.seed
    finished = run.finish(interrupted=not progress.done)
    if timeline is not None:
        timeline.write(finished, warn)
    return of_run(finished, seed)


def _with_jobs(
    result: Result,
    options: Options,
    report: Callable[[_core.Progress], None],
    interrupted: threading.Event,
) -> Result:
    """The result with the values of each job alone, for which the jobs are run one after the other.

    These runs have no checkpoints: one that is killed repeats them. Ctrl-C leaves out those that have not ended.
    """
    if jobs.TABLE not in result.tables:
        return result
    together = jobs.plain(result.table(jobs.TABLE).to_pydict())
    each_alone: list[jobs.Columns | None] = []
    processes = processes_of(options.peers)
    for scenario in [] if result.outcome == "interrupted" else jobs.alone(result.scenario, processes):
        run = _core.Run(scenario, options.engine, options.threads, options.peers)
        done = not interrupted.is_set() and _advance(run, report, interrupted).done
        each_alone.append(jobs.plain(run.finish(interrupted=False).tables()[jobs.TABLE]) if done else None)
    return with_jobs(result, jobs.compared(together, each_alone))


@contextmanager
def _first_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C or SIGTERM sets; a second one goes to the previous handler.

    A SIGTERM goes there at the end, too: the command then exits with its status, after the result has been written.
    Where SIGTERM has no handler it ends the process at once, which is left to the program that calls `run`. Only the
    main thread receives signals. If Ctrl-C is ignored (a background job), it stays ignored.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    received: list[int] = []
    previous: dict[int, Callable[[int, FrameType | None], object]] = {
        number: handler for number in STOPPING if callable(handler := signal.getsignal(number))
    }

    def on_signal(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, previous[number])
        received.append(number)
        event.set()

    for number in previous:
        signal.signal(number, on_signal)
    try:
        yield event
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    if signal.SIGTERM in received:
        previous[signal.SIGTERM](signal.SIGTERM, None)
