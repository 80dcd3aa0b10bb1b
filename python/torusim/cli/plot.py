"""`torusim plot`: draws pictures of runs, sweeps, curves and schedules."""

from pathlib import Path
from typing import Annotated

import typer

from torusim.cli.options import Format, FormatOption, UnitsOption
from torusim.cli.progress import Waiting
from torusim.cli.screen import console
from torusim.pictures import plotting
from torusim.sweeps.points import make_folder

EXAMPLES = """[bold]Examples[/bold]

  torusim plot runs/scenario-1
  torusim plot runs/torus runs/mesh --out figures              both in each picture
  torusim plot runs/torus runs/mesh --only latency --format pdf
  torusim plot runs/sweep-scenario                             the swept keys become axis and lines
  torusim plot runs/sweep-scenario --x workload.load --y latency_cycles_p99 --by machine.shape
  torusim plot runs/fcfs runs/wfp --out figures                two schedules: waits, slowdowns, utilization, Gantt
  torusim plot runs/jobs-wfp --from 86400 --until 172800       the second day of the log
  torusim plot runs/jobs-wfp --only room-map --at 86400        the room after a day"""


def plot(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR", help="The folders of runs, or of schedules, or of one sweep or curve.", show_default=False
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for the pictures.", show_default="DIR; of several, the current folder"
        ),
    ] = None,
    file_format: FormatOption = Format.PNG,
    only: Annotated[
        str | None, typer.Option(metavar="NAME", help="Draw only this picture.", show_default="all")
    ] = None,
    x: Annotated[str | None, typer.Option("--x", metavar="KEY", help="Sweeps: the key of the horizontal axis.")] = None,
    y: Annotated[
        list[str] | None,
        typer.Option("--y", metavar="KEY", help="Sweeps: a value of the summary to draw; repeatable."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="KEY", help="Sweeps: a key that distinguishes lines; repeatable."),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="TIME",
            help="Show from this cycle of runs, or second of schedules, on; or from a time such as 50ns.",
        ),
    ] = None,
    last: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="Show until this cycle, second or time.")
    ] = None,
    at_second: Annotated[
        int | None,
        typer.Option("--at", metavar="SECOND", help="Schedules of a room: time of its map, in seconds of the log."),
    ] = None,
    units: UnitsOption = None,
) -> None:
    """Draw runs (utilization, latencies), a sweep or curve, or schedules (utilization, waits, Gantt, room map).

    Several runs, or several schedules, share their pictures. Sizes and fonts are those of a column of a paper.
    """
    things = [plotting.load_any(folder) for folder in folders]
    if units is not None:
        things = [plotting.in_units(thing, units) for thing in things]
    named = dict(zip(plotting.short_names(folders), things, strict=True))
    target = out or (_folder_of(folders[0]) if len(folders) == 1 else Path())
    with Waiting("drawing"):
        from torusim.pictures import plots  # matplotlib takes longer to import than everything else here

        pictures = plotting.draw(
            named,
            only=only,
            window=plots.window_of(first, last),
            choice=plots.Choice(x, tuple(y or ()), tuple(by or ())),
            at_second=at_second,
        )
        paths = plots.save_all(pictures, make_folder(target), file_format.value)
    for path in paths:
        console().print(str(path), soft_wrap=True)


def _folder_of(place: Path) -> Path:
    return place if place.is_dir() else place.parent
