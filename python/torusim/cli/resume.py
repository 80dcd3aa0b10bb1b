"""`torusim resume`: goes on with a run from its last checkpoint."""

from typing import Annotated

import typer

from torusim import runner
from torusim.checkpoints import DEFAULT_EVERY, parse_every
from torusim.cli.options import FolderArgument, JsonOption
from torusim.cli.progress import ProgressDisplay
from torusim.cli.run import leave
from torusim.cli.screen import console

EXAMPLES = """[bold]Examples[/bold]

  torusim run scenario.toml --checkpoint-every 10min --out big
  torusim resume big                        after Ctrl-C, kill, or a loss of power
  torusim resume big --threads 2            the result does not depend on it

The result is that of the unbroken run, to the digest. A damaged checkpoint is named, and the one before it used."""


def resume(
    folder: FolderArgument,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=runner.THREADS_LIMIT, help="Threads.  [dim]\\[default: as before][/dim]"),
    ] = None,
    checkpoint_every: Annotated[
        str, typer.Option(metavar="TIME", help="Write a checkpoint so often from now on.")
    ] = DEFAULT_EVERY,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show neither progress nor table.")] = False,
) -> None:
    """Go on with a run that was started with --checkpoint-every, from its last checkpoint."""
    every_seconds = parse_every(checkpoint_every)
    with ProgressDisplay(quiet=quiet) as display:
        result = runner.resume(folder, every_seconds, threads, display, _warn)
    leave(result, as_json=as_json, quiet=quiet)


def _warn(problem: str) -> None:
    console(stderr=True).print(f"torusim: {problem}", soft_wrap=True)
