"""`torusim plot`: draws the plots of a result."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from torusim._core import InputError
from torusim.cli.options import FolderArgument
from torusim.cli.progress import Waiting
from torusim.cli.screen import console
from torusim.result import load
from torusim.scheduling import is_schedule, load_schedule

EXAMPLES = """[bold]Examples[/bold]

  torusim plot runs/scenario-1
  torusim plot runs/scenario-1 --format svg --out figures
  torusim plot runs/jobs-wfp-drain --at 86400        a schedule; the map of the room after a day"""


Drawer: TypeAlias = Callable[[Path, str], list[Path]]
"""Draws plots into a folder in a file format, and returns their paths."""


class Format(StrEnum):
    """File formats of plots."""

    PNG = "png"
    SVG = "svg"


def plot(
    folder: FolderArgument,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the plots.", show_default="the folder of the result"),
    ] = None,
    file_format: Annotated[
        Format, typer.Option("--format", help="Raster (png) or vector (svg) graphics.")
    ] = Format.PNG,
    at_second: Annotated[
        int | None,
        typer.Option("--at", metavar="SECOND", help="Schedules only: time of the room map, in seconds of the log."),
    ] = None,
) -> None:
    """Draw the plots of a run (utilization, latencies) or of a schedule (utilization, waits, Gantt chart, room map)."""
    draw = _schedule_drawer(folder, at_second) if is_schedule(folder) else _run_drawer(folder)
    target = out or (folder if folder.is_dir() else folder.parent)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with Waiting("drawing"):
            paths = draw(target, file_format.value)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from None
    for path in paths:
        console().print(str(path), soft_wrap=True)


def _run_drawer(folder: Path) -> Drawer:
    from torusim import plots  # imported late, because matplotlib loads more slowly than everything else here

    result = load(folder)
    return lambda target, file_format: plots.plot(result, target, name=_name(folder), file_format=file_format)


def _schedule_drawer(folder: Path, at_second: int | None) -> Drawer:
    from torusim import plots

    schedule = load_schedule(folder)
    return lambda target, file_format: plots.plot_schedule(
        schedule, target, name=_name(folder), file_format=file_format, at_second=at_second
    )


def _name(folder: Path) -> str:
    """The name of the result in titles: the name of its folder."""
    return (folder if folder.is_dir() else folder.parent).resolve().name
