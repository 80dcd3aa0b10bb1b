"""`torusim view`: a page that shows a run, or a schedule, at work."""

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from torusim._core import InputError
from torusim.cli.progress import Waiting
from torusim.cli.screen import console
from torusim.common.formatting import size
from torusim.queue.schedule import is_schedule, load_schedule
from torusim.runs import result as results
from torusim.viewer.data import PageData
from torusim.viewer.groups import grouped, read_groups
from torusim.viewer.page import RUNS, require_one_kind, save
from torusim.viewer.serving import address_of, serving
from torusim.viewer.view import data_of

EXAMPLES = """[bold]Examples[/bold]

  torusim run scenario.toml --set run.link_series=true --out runs/halo
  torusim view runs/halo                          the page, in your browser
  torusim view runs/halo --save halo.html         one file, to mail or to put next to a paper
  torusim view runs/torus runs/mesh               two runs side by side, or their difference
  torusim view runs/step --groups stages.csv      nodes by pipeline stage; the file: rank,group and a line for each rank
  torusim view runs/fcfs runs/wfp                 two schedules: the room, its queue, a Gantt chart, one cursor
  torusim view runs/large --serve                 for results over 50 MB: served to this computer alone, until Ctrl-C

Without run.link_series the page shows the whole run, and the curves of the network over time."""


def view(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR", help="The folder of a run or a schedule, or of two to compare.", show_default=False
        ),
    ],
    target: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Write the page to this file, and do not open it."),
    ] = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            "--groups",
            metavar="CSV",
            help="Groups of ranks, such as stages of a pipeline, to color nodes by: rank,group.",
        ),
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the page on the loopback interface: no file holds all tables.")
    ] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port of --serve.", show_default="any that is free")
    ] = 0,
) -> None:
    """Show a run at work (the torus in 3D, its links over time, and what crosses them), or a schedule."""
    if len(folders) > RUNS:
        raise InputError(f"{folders[RUNS]}: a page shows at most {RUNS} runs")
    if serve and target is not None:
        raise InputError("--serve: needs no --save, which writes a file")
    if port and not serve:
        raise InputError("--port: is that of --serve")
    with Waiting("finding the flows over each link"):
        runs = [_data_of(folder) for folder in folders]
        require_one_kind(runs)
        if groups is not None:
            runs = grouped(runs, read_groups(groups))
    if serve:
        _serve(runs, port)
        return
    path = target or Path(tempfile.mkdtemp(prefix="torusim-view-")) / f"{folders[0].name or 'run'}.html"
    with Waiting("writing the page"):
        save(runs, path)
    console().print(f"The page is {path} ({size(path.stat().st_size)}).", soft_wrap=True)
    if target is None and not webbrowser.open(path.absolute().as_uri()):
        console().print("No browser could be opened; open the file in one.", soft_wrap=True)


def _data_of(folder: Path) -> PageData:
    thing = load_schedule(folder) if is_schedule(folder) else results.load(folder)
    return data_of(thing, folder.name or None)


def _serve(runs: list[PageData], port: int) -> None:
    try:
        with serving(runs, port) as server:
            console().print(f"The page is at {address_of(server)}; Ctrl-C ends it.", soft_wrap=True)
            webbrowser.open(address_of(server))
            server.serve_forever()
    except OSError as error:
        raise InputError(f"--port {port}: {error.strerror}") from None
    except KeyboardInterrupt:
        console().print("Ended.")
