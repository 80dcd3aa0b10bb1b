"""The command `torusim`: its subcommands and exit status.

Exit status: 0 completed, 1 a run that ended with another outcome, 2 bad input or an output that cannot be written (one
message on stderr), 130 stopped by Ctrl-C before there was a result, 141 stopped because the reader of stdout is gone,
143 stopped by SIGTERM.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from torusim._core import InputError, LostProcessError, __version__
from torusim.cli import completion, streams
from torusim.cli.commands import COMMANDS
from torusim.cli.exits import EXIT_BAD_INPUT, EXIT_OTHER_OUTCOME
from torusim.common.formatting import visible


class _Commands(Mapping[str, Any]):
    """The commands by name. Each is imported on demand, as all of them together take half a second."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - of the library
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def _command(name: str) -> Any:  # noqa: ANN401 - of the library
    module = import_module(f"torusim.cli.{COMMANDS[name].module}")
    alone = typer.Typer(**_APPEARANCE, add_completion=False)
    context = getattr(module, "CONTEXT", None)
    alone.command(name, epilog=module.EXAMPLES, context_settings=context)(
        vars(module).get(name) or vars(module)[f"{name}_"]
    )
    return typer.main.get_command(alone)


class _Group(TyperGroup):
    """The group of commands. Messages about wrong arguments, which quote them, are escaped."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - of the library
        """Creates the group with all commands, without importing them."""
        super().__init__(**attributes)
        self.commands: Mapping[str, Any] = _Commands()  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - of the library
        """The names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:  # noqa: ANN401, ARG002 - of the library
        """A command as the list of commands shows it: its name and summary, without its import."""
        entry = COMMANDS.get(cmd_name)
        return None if entry is None else TyperCommand(cmd_name, help=entry.summary)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - of the library
        """The command that is called or completed, imported; its name, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else self.commands[name], rest

    def make_context(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - of the library
        """Reads the arguments before the command's name."""
        with _visible_message():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - of the library
        """Reads the arguments of a command, and runs it."""
        with _visible_message():
            return super().invoke(ctx)


@contextmanager
def _visible_message() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):
            message = visible(error.format_message())
            error.format_message = lambda: message
        raise


_APPEARANCE: dict[str, Any] = {
    "rich_markup_mode": "rich",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

app = typer.Typer(name="torusim", cls=_Group, no_args_is_help=True, **_APPEARANCE)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"torusim {__version__}")  # noqa: T201
        raise typer.Exit


@app.callback(
    epilog="""[bold]To begin[/bold]

  torusim init first.toml        writes a commented scenario
  torusim check first.toml       estimates what a run needs
  torusim run first.toml         runs it, and writes the result to runs/first-1
  torusim plot runs/first-1      draws its pictures

Exit status: 0 completed; 1 ended otherwise (deadlocked, interrupted, …);
2 bad input; 130 stopped by Ctrl-C before there was a result; 143 by SIGTERM."""
)
def torusim(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Simulate the network of machines whose processors are joined in a torus.

    A scenario describes a machine and its workload; torusim simulates every packet, cycle by cycle.
    """


def main() -> None:
    """Runs the command of the process's arguments."""
    run_command(app)


def run_command(command: typer.Typer) -> None:
    """Runs a command; on bad input it exits with one message and status 2."""
    streams.prepare()
    try:
        try:
            _require_folder()
            answer = completion.answer_bash()
            if answer is None:
                command()
            else:
                print(*answer, sep="\n")  # noqa: T201
        finally:
            streams.flush()
    except InputError as error:
        in_one_line = visible(str(error)).replace("\n", "\\n")  # of a file's name
        print(f"torusim: {in_one_line}", file=sys.stderr)  # noqa: T201
        sys.exit(EXIT_BAD_INPUT)
    except LostProcessError as error:
        print(f"torusim: {visible(str(error))}", file=sys.stderr)  # noqa: T201
        sys.exit(EXIT_OTHER_OUTCOME)


def _require_folder() -> None:
    """Refuses to start where no relative path can be used.

    Raises:
        InputError: If the current folder was deleted, or cannot be read.
    """
    try:
        Path.cwd()
    except OSError as error:
        raise InputError(
            f"the current folder was deleted or cannot be read ({error.strerror}): change to another one"
        ) from None
