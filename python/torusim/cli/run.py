"""`torusim run`: runs a scenario and writes a result folder."""

import re
import shlex
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from torusim._core import InputError, Scenario
from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.joining import joined
from torusim.cli.options import (
    JsonOption,
    MeetOption,
    ProcessesOption,
    QuietOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    UnitsOption,
    overrides,
)
from torusim.cli.progress import ProgressDisplay
from torusim.cli.screen import console, print_json, print_pairs, print_table, warn
from torusim.common.folder import numbered, refuse_existing
from torusim.common.formatting import load_in_words
from torusim.runs import jobs, runner
from torusim.runs.checkpoints import AUTOMATIC, has_checkpoints, parse_times
from torusim.runs.peers import processes_of
from torusim.runs.result import Result
from torusim.runs.scenario import ENGINES, PACKET_ENGINE, engine_overrides, packet_engine, resolve
from torusim.runs.summary import summary_as_rows
from torusim.runs.timeline import DEFAULT_RANKS, LEVELS, Timeline, parse_ranks

EXAMPLES = """[bold]Examples[/bold]

  torusim run scenario.toml
  torusim run scenario.toml --set 'machine.shape=[8,8,4]' --set run.seed=2
  torusim run scenario.toml --seed 7 --threads 4 --out results/seventh
  torusim run runs/scenario-1/result.json --force     repeats it exactly
  torusim run scenario.toml --engine fluid             by flows, without packets: seconds instead of hours
  torusim run scenario.toml --json --quiet | jq .percent_of_peak
  torusim run scenario.toml --timeline ranks.json.gz --timeline-ranks 0..7     for ui.perfetto.dev
  torusim run scenario.toml --checkpoint-every 1min    torusim resume continues from there
  torusim run scenario.toml --processes 4              on four processes of this computer
  mpiexec -n 16 torusim run scenario.toml              on those of several computers

Without --out, a second run of a scenario goes to runs/SCENARIO-SEED-2, and so on. Ctrl-C ends the run and keeps the
result so far, with the outcome "interrupted"; torusim resume continues it."""


class Engine(StrEnum):
    """The simulation engines; those of packets give the same result."""

    vars().update({name.upper(): name for name in ENGINES})  # as Rust declares them


USUAL_ENGINE = Engine(PACKET_ENGINE)
"""The engine of packets, unless another is named."""


def run(
    scenario: ScenarioArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="New folder for the result.  [dim]\\[default: runs/SCENARIO-SEED, or -2, -3, …][/dim]",
        ),
    ] = None,
    threads: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=runner.THREADS_LIMIT, help="Number of threads; the result does not depend on it."
        ),
    ] = 1,
    processes: ProcessesOption = None,
    meet_at: MeetOption = None,
    seed: SeedOption = None,
    engine: Annotated[
        Engine,
        typer.Option(
            help="The fast engine of packets, the slow reference engine with the same result, or flows without "
            "packets: much faster, with an error that the summary states."
        ),
    ] = USUAL_ENGINE,
    settings: SetOption = None,
    units: UnitsOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
    checkpoint_every: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="Interval between checkpoints for torusim resume (90s, 10min, 1h), or never.",
            show_default="10min, from the second minute on",
        ),
    ] = AUTOMATIC,
    timeline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the time lines of ranks for ui.perfetto.dev (.json or .json.gz)."),
    ] = None,
    timeline_ranks: Annotated[
        str | None,
        typer.Option(metavar="RANKS", help="Ranks of the time lines.  [dim]\\[default: 0..63][/dim]"),
    ] = None,
    timeline_from: Annotated[
        float | None, typer.Option(metavar="µs", help="Start of the time lines, in simulated microseconds.")
    ] = None,
    timeline_until: Annotated[
        float | None, typer.Option(metavar="µs", help="End of the time lines, in simulated microseconds.")
    ] = None,
    timeline_level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="Of the time lines: calls (and computation), or packets.  [dim]\\[default: calls][/dim]",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace an earlier result.")] = False,
) -> None:
    """Run a scenario, print a summary, and write the result to a folder."""

    def prepare(numbers: tuple[int, int]) -> tuple[Scenario, runner.Options]:
        changes = [*overrides(settings, seed, units), *engine_overrides(engine.value, f"--engine {engine.value}")]
        resolved = resolve(scenario, changes, numbers)
        times = parse_times(checkpoint_every)
        recorded = timeline_of_options(timeline, timeline_ranks, timeline_from, timeline_until, timeline_level)
        options = runner.Options(packet_engine(engine.value), threads, times, recorded)
        resolved.check_processes(options.engine, numbers[0])
        if out is not None and not force:  # a link that --force follows may name no folder yet
            refuse_existing(out, replace=False)
        return resolved, options

    with joined(processes, meet_at, prepare, quiet=quiet) as peers:
        resolved, options = prepare(processes_of(peers))
        with ProgressDisplay(quiet=quiet) as display:
            folder = out or (default_folder(resolved) if force else _free_folder(default_folder(resolved)))
            options = replace(options, peers=peers)
            result = runner.execute(resolved, options, display, folder, warn=warn, replace_out=force)
    leave(result, as_json=as_json, quiet=quiet)


def timeline_of_options(
    path: Path | None,
    ranks: str | None,
    from_microseconds: float | None = None,
    until_microseconds: float | None = None,
    level: str | None = None,
) -> Timeline | None:
    """The time lines of the options, or None without a file for them."""
    if path is not None:
        first_and_last = DEFAULT_RANKS if ranks is None else parse_ranks(ranks)
        return Timeline(path, first_and_last, from_microseconds or 0.0, until_microseconds, level or LEVELS[0])
    given = {"ranks": ranks, "from": from_microseconds, "until": until_microseconds, "level": level}
    if names := [name for name, value in given.items() if value is not None]:
        raise InputError(f"--timeline-{names[0]}: needs --timeline FILE, which it says more of")
    return None


def default_folder(scenario: Scenario) -> Path:
    """The result folder of a run without --out."""
    name = re.sub(r"[^\w.-]+", "-", scenario.name).strip(".-") or "scenario"
    return Path("runs") / f"{name}-{scenario.seed}"


def _free_folder(folder: Path) -> Path:
    """The folder of this run: the default one, or with a number if that is taken."""
    if has_checkpoints(folder):
        warn(f"{folder} holds a run that is not complete; torusim resume {shlex.quote(str(folder))} continues it")
    return numbered(folder)


def leave(result: Result, *, as_json: bool, quiet: bool, note: str = "") -> NoReturn:
    """Prints the summary of a run and a note on it, and exits with the status of its outcome."""
    print_result(result, as_json=as_json, quiet=quiet)
    if note and not (as_json or quiet):
        console().print(note, soft_wrap=True)
    raise typer.Exit(EXIT_COMPLETED if result.outcome == "completed" else EXIT_OTHER_OUTCOME)


def print_result(result: Result, *, as_json: bool, quiet: bool) -> None:
    """Prints the summary of a run."""
    if as_json:
        print_json(result.summary)
    elif not quiet:
        print_pairs(summary_as_rows(result.summary))
        if of_jobs := result.summary.get(jobs.TABLE):
            headings, cells = jobs.as_text(of_jobs, result.units)
            print_table("Jobs", headings, cells, right=headings[2:])
        load = result.scenario.get("workload", {}).get("load")
        if load is not None and load > 1:
            console().print("\n" + load_in_words(load, result.summary.get("percent_of_peak_kind")), soft_wrap=True)
        if result.folder is not None:
            words = f"The result is in {result.folder}; torusim plot {result.folder} draws it."
            console().print("\n" + words, soft_wrap=True)
        if result.folder is not None and has_checkpoints(result.folder):
            console().print(f"torusim resume {shlex.quote(str(result.folder))} continues the run.", soft_wrap=True)
