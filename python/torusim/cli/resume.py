"""`torusim resume`: continues a run from its newest intact checkpoint."""

from typing import Annotated

import typer

from torusim.cli.joining import joined
from torusim.cli.options import FolderArgument, JsonOption, MeetOption, ProcessesOption, QuietOption, UnitsOption
from torusim.cli.progress import ProgressDisplay
from torusim.cli.run import leave
from torusim.cli.screen import warn
from torusim.runs import runner
from torusim.runs.checkpoints import DEFAULT_EVERY, parse_every

EXAMPLES = """[bold]Examples[/bold]

  torusim run scenario.toml --out big        keeps checkpoints from its second minute on
  torusim resume big                        after Ctrl-C, kill, or a loss of power
  torusim resume big --threads 2            the result does not depend on it
  torusim resume big --processes 3          nor on the number of processes, before or now

The result is bit-identical to that of the uninterrupted run. A damaged checkpoint is reported, and the one
before it is used."""

TIMES = "Engine time is that of the whole run, wall time that of this process."


def resume(
    folder: FolderArgument,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=runner.THREADS_LIMIT, help="Threads.  [dim]\\[default: as before][/dim]"),
    ] = None,
    processes: ProcessesOption = None,
    meet_at: MeetOption = None,
    checkpoint_every: Annotated[
        str, typer.Option(metavar="TIME", help="Interval between checkpoints from now on.")
    ] = DEFAULT_EVERY,
    units: UnitsOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Continue a run from its newest intact checkpoint."""
    with joined(processes, meet_at, lambda _: parse_every(checkpoint_every), quiet=quiet) as peers:
        every_seconds = parse_every(checkpoint_every)
        with ProgressDisplay(quiet=quiet) as display:
            result = runner.resume(folder, every_seconds, threads, display, warn, peers)
    leave(result if units is None else result.in_units(units), as_json=as_json, quiet=quiet, note=TIMES)
