"""`torusim hot`: the busiest and most stalled links of a run, and the flows that use them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from torusim import result as results
from torusim.cli.options import FolderArgument, JsonOption
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_table
from torusim.hot import FLOWS, LINKS, MOST, HotLink, HotLinks, hot_links

EXAMPLES = """[bold]Examples[/bold]

  torusim hot runs/halo-1                     the ten busiest links, and the three largest flows over each
  torusim hot runs/halo-1 --links 3 --flows 10
  torusim hot runs/halo-1 --json
  torusim plot runs/halo-1 --only utilization-map     all links, as heat maps"""


def hot(
    folder: FolderArgument,
    links: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="Number of links of each kind.")] = LINKS,
    flows: Annotated[int, typer.Option(metavar="N", min=0, max=MOST, help="Number of flows of each link.")] = FLOWS,
    as_json: JsonOption = False,
) -> None:
    """Show the busiest and most stalled links of a run with coordinates, and the flows that use them."""
    with Waiting("reading the result"):
        found = hot_links(results.load(folder), links, flows)
    if as_json:
        print_json(asdict(found))
        return
    _print("Busiest links", found, found.busiest)
    if found.stalled:
        _print("Most stalled links", found, found.stalled)
    console().print(found.note, soft_wrap=True)


def _print(title: str, found: HotLinks, links: Sequence[HotLink]) -> None:
    print_table(title, found.headings, found.cells(links), right=found.headings[1:5])
