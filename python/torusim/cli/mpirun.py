"""`torusim mpirun`: runs an MPI program, as it is, on a simulated machine."""

import signal
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from torusim._core import InputError, Scenario
from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.joining import joined
from torusim.cli.options import (
    JsonOption,
    MeetOption,
    ProcessesOption,
    QuietOption,
    SeedOption,
    SetOption,
    UnitsOption,
    overrides,
)
from torusim.cli.progress import ProgressDisplay
from torusim.cli.run import default_folder, print_result, timeline_of_options
from torusim.cli.screen import warn
from torusim.common.folder import numbered
from torusim.processes import (
    RANK_TIMEOUT,
    STARTS,
    Command,
    Computing,
    Labels,
    Output,
    OutputFolder,
    Plain,
    ProcessOptions,
    command_of,
    computing_of,
    resolve_command,
    run_command,
)
from torusim.runs import runner
from torusim.runs.peers import processes_of
from torusim.runs.recording import recording_of
from torusim.runs.result import Result
from torusim.runs.scenario import PACKET_ENGINE, lengths_of_option

EXAMPLES = """[bold]Examples[/bold]

  torusim mpicc -O2 ring.c -o ring
  torusim mpirun -n 8 ./ring                                   on 8 nodes of the default machine
  torusim mpirun -n 512 --machine bluegene-l --shape 8x8x8 ./a.out 100
  torusim mpirun -n 64 --timeline ring.json.gz ./a.out         for ui.perfetto.dev
  torusim mpirun -n 64 --record ring.trace ./ring              then: torusim advise ring.trace
  torusim mpirun -n 8 python script.py                         with mpi4py from PyPI
  torusim mpirun -n 64 --compute measured ./a.out              computing takes the time it takes here
  torusim mpirun -n 64 --compute-file times.parquet --compute record ./a.out
  torusim mpirun -n 64 --compute-file times.parquet --compute replay ./a.out     the same times again

The program is any that has been linked with a shared MPI library: torusim's own, MPICH's, Intel's, or Open MPI's. Its
calls take simulated time; what it computes between them takes none, unless --compute says so. The exit status is that
of MPI_Abort, or of the first rank that ends with another status than 0."""

# The words of the program begin with its name: options behind it are its own.
CONTEXT = {"ignore_unknown_options": True, "allow_interspersed_args": False}


class Start(StrEnum):
    """How ranks become processes."""

    vars().update({name.upper(): name for name in STARTS})


class Compute(StrEnum):
    """How the time is simulated that ranks compute between calls."""

    vars().update({name.upper(): name for name in Computing.KINDS})


def mpirun(
    program: Annotated[
        list[str],
        typer.Argument(metavar="PROGRAM [ARGS]...", help="The program and its arguments.", show_default=False),
    ],
    ranks: Annotated[
        int, typer.Option("-n", "--ranks", "-np", metavar="N", min=1, help="Number of ranks.", show_default=False)
    ],
    machine: Annotated[
        str | None,
        typer.Option(metavar="PRESET", help="The machine: a preset of torusim list, or the file of one (.toml)."),
    ] = None,
    shape: Annotated[
        str | None,
        typer.Option(
            metavar="SHAPE", help="The shape of the machine, such as 8x8x8.", show_default="the preset's, if it fits"
        ),
    ] = None,
    mapping: Annotated[
        str | None, typer.Option(metavar="ORDER", help="The order in which ranks are placed, such as XYZT.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="New folder for the result.  [dim]\\[default: runs/PROGRAM-SEED, or -2, -3, …][/dim]"
        ),
    ] = None,
    threads: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=runner.THREADS_LIMIT, help="Threads of the simulator; they change no result."
        ),
    ] = 1,
    processes: ProcessesOption = None,
    meet_at: MeetOption = None,
    seed: SeedOption = None,
    settings: SetOption = None,
    units: UnitsOption = None,
    start: Annotated[
        Start,
        typer.Option(
            help="Start the program once and fork it in MPI_Init, or start it once for each rank: for programs with "
            "threads, or with state of their own before MPI_Init."
        ),
    ] = Start.FORK,  # type: ignore[attr-defined]
    rank_timeout: Annotated[
        float,
        typer.Option(metavar="S", min=0.1, help="Give a rank up that makes no call for so long on this computer."),
    ] = RANK_TIMEOUT,
    compute: Annotated[
        Compute, typer.Option(help="The time that ranks compute between calls: none, measured here, or of a file.")
    ] = Compute.NONE,  # type: ignore[attr-defined]
    compute_scale: Annotated[float, typer.Option(metavar="X", min=0.0, help="Multiply measured times by this.")] = 1.0,
    compute_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file of --compute record and --compute replay (Parquet).")
    ] = None,
    label: Annotated[bool, typer.Option("--label", help="Print the number of the rank before each line.")] = False,
    output: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the output of each rank to a file of this new folder.")
    ] = None,
    timeline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the time lines of ranks for ui.perfetto.dev (.json or .json.gz)."),
    ] = None,
    timeline_ranks: Annotated[
        str | None,
        typer.Option(metavar="RANKS", help="Ranks of the time lines.  [dim]\\[default: 0..63][/dim]"),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the calls of the ranks: a trace and a scenario, which run, map and advise take without the "
            "program.",
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace an earlier result.")] = False,
) -> None:
    """Run an MPI program, unmodified, on a simulated machine."""
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:  # as the process that has started this one has it
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)

    def prepare(numbers: tuple[int, int]) -> tuple[Command, Scenario]:
        command = command_of(program)
        lengths = None if shape is None else lengths_of_option(shape)
        changes = overrides(settings, seed, units)
        resolved = resolve_command(command, ranks, machine, lengths, mapping, changes, compute.value)
        resolved.check_processes(PACKET_ENGINE, numbers[0])
        return command, resolved

    with joined(processes, meet_at, prepare, quiet=quiet) as peers:
        command, resolved = prepare(processes_of(peers))
        lines, recording = timeline_of_options(timeline, timeline_ranks), recording_of(record)
        computing = computing_of(compute.value, compute_scale, compute_file)
        of_ranks = ProcessOptions(start.value, rank_timeout, _output(output, ranks, label=label), computing)
        options = runner.Options(PACKET_ENGINE, threads, None, lines, peers)
        with ProgressDisplay(quiet=quiet) as display:
            folder = out or (default_folder(resolved) if force else numbered(default_folder(resolved)))
            result, _ = run_command(
                command, resolved, options, of_ranks, display, folder, record=recording, warn=warn, replace_out=force
            )
    print_result(result, as_json=as_json, quiet=quiet)
    if quiet and not as_json and result.outcome != "completed":
        warn(in_words(result))  # programs say nothing themselves if they wait for ever
    raise typer.Exit(exit_status_of(result))


def exit_status_of(result: Result) -> int:
    """The exit status for the result of a command."""
    if result.outcome == "completed":
        return result.exit_status or EXIT_COMPLETED
    code = (result.summary["outcome_detail"] or {}).get("code") or 0
    return code & 0xFF or EXIT_OTHER_OUTCOME if result.outcome == "aborted" else EXIT_OTHER_OUTCOME


def in_words(result: Result) -> str:
    """How a run that has not completed has ended, and where its result is."""
    words = (result.summary["outcome_detail"] or {}).get("words")
    folder = "" if result.folder is None else f"; the result is in {result.folder}"
    return f"{result.outcome}{f': {words}' if words else ''}{folder}"


def _output(folder: Path | None, ranks: int, *, label: bool) -> Output:
    if folder is None:
        return Labels(ranks) if label else Plain()
    if label:
        raise InputError("--label: has no meaning with --output, which writes a file for each rank")
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise InputError(f"--output {folder}: cannot be made ({error.strerror})") from None
    return OutputFolder(folder, ranks)
