"""`torusim plot`: the pictures of a result."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from torusim._core import InputError
from torusim.cli.options import FolderArgument
from torusim.cli.progress import Waiting
from torusim.cli.screen import console
from torusim.result import Result, load

EXAMPLES = """[bold]Examples[/bold]

  torusim plot runs/scenario-1
  torusim plot runs/scenario-1 --format svg --out figures"""


class Format(StrEnum):
    """File formats of pictures."""

    PNG = "png"
    SVG = "svg"


def plot(
    folder: FolderArgument,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Put the pictures here.", show_default="the folder of the result"),
    ] = None,
    file_format: Annotated[Format, typer.Option("--format", help="Pixels, or lines that scale.")] = Format.PNG,
) -> None:
    """Draw utilization by direction and over time, and the latencies of packets."""
    from torusim import plots  # matplotlib takes longer to start than everything else here

    result = load(folder)
    target = out or result.folder or folder
    try:
        target.mkdir(parents=True, exist_ok=True)
        with Waiting("drawing"):
            paths = plots.plot(result, target, name=_name(result, folder), file_format=file_format.value)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from None
    for path in paths:
        console().print(str(path), soft_wrap=True)


def _name(result: Result, folder: Path) -> str:
    """What titles call the result: its folder's name."""
    return (result.folder or folder).resolve().name
