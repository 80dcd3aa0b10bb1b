"""The command itself: its commands, and how it ends.

Exit status: 0 completed, 1 a run that ended with another outcome, 2 bad input (one message on stderr), 130 stopped
by Ctrl-C before there was a result.
"""

import io
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from torusim._core import InputError, __version__
from torusim.cli import (
    bench,
    check,
    compare,
    init,
    listing,
    plot,
    resume,
    room,
    run,
    schedule,
    schema,
    study,
    sweep,
    verify,
)
from torusim.cli.screen import EXIT_BAD_INPUT

app = typer.Typer(
    name="torusim",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS: dict[str, Callable[..., None]] = {
    "run": run.run,
    "resume": resume.resume,
    "sweep": sweep.sweep,
    "study": study.study,
    "verify": verify.verify,
    "init": init.init,
    "check": check.check,
    "list": listing.list_,
    "schema": schema.schema,
    "plot": plot.plot,
    "compare": compare.compare,
    "room": room.room,
    "schedule": schedule.schedule,
    "bench": bench.bench,
}

for command, function in COMMANDS.items():
    app.command(command, epilog=sys.modules[function.__module__].EXAMPLES)(function)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"torusim {__version__}")  # noqa: T201
        raise typer.Exit


@app.callback(
    epilog="""[bold]To begin[/bold]

  torusim init first.toml        writes a commented scenario
  torusim check first.toml       says what it would need
  torusim run first.toml         runs it, and keeps the result in runs/first-1
  torusim plot runs/first-1      draws its pictures

Exit status: 0 completed; 1 ended otherwise (deadlocked, interrupted, …);
2 bad input; 130 stopped by Ctrl-C before there was a result."""
)
def torusim(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """How will this work run on a machine whose processors are joined in a torus?

    A scenario says which machine and which work; torusim runs it packet by packet.
    """


def main() -> None:
    """Runs the command of the process's arguments."""
    run_command(app)


def run_command(command: typer.Typer) -> None:
    """Runs a command; bad input ends it with one message and exit status 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        command()
    except InputError as error:
        print(f"torusim: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(EXIT_BAD_INPUT)
