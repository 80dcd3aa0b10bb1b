"""`torusim init`: writes a commented scenario as a starting point."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from torusim import _core
from torusim._core import InputError
from torusim.cli.screen import console

EXAMPLES = """[bold]Examples[/bold]

  torusim init                                        writes scenario.toml
  torusim init hot.toml --kind hot-spot               for another workload
  torusim init -                                      prints it"""


def init(
    path: Annotated[
        Path,
        typer.Argument(metavar="[FILE]", help="The file to write, or - for stdout.", show_default="scenario.toml"),
    ] = Path("scenario.toml"),
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="A kind of workload; torusim list workloads names them."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a commented scenario that can be run as it is and edited."""
    _refuse_unknown(kind)
    text = _core.template(kind)
    if str(path) == "-":
        sys.stdout.write(text)
        return
    _write(path, text, force=force)
    console().print(f"{path} is written; torusim run {path} runs it.", soft_wrap=True)


def _refuse_unknown(kind: str | None) -> None:
    known = [workload["kind"] for workload in json.loads(_core.catalog())["workloads"]]
    if kind is not None and kind not in known:
        raise InputError(f"--kind: {kind!r} is not known; it can be {', '.join(known)}")


def _write(path: Path, text: str, *, force: bool) -> None:
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path}: exists already; --force replaces it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
