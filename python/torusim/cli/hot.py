"""`torusim hot`: the busiest and most stalled links of a run, and the flows that use them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from torusim._core import InputError
from torusim.cli.options import PROGRAM_HELP, JsonOption, SeedOption, SetOption, UnitsOption, overrides
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_table
from torusim.ranks.recorded import counted, is_program
from torusim.runs import result as results
from torusim.runs.hot import FLOWS, LINKS, MOST, HotLink, HotLinks, hot_links
from torusim.runs.recording import is_recording

EXAMPLES = f"""[bold]Examples[/bold]

  torusim hot runs/halo-1                     the ten busiest links, and the three largest flows over each
  torusim hot runs/halo-1 --links 3 --flows 10
  torusim hot runs/halo-1 --json
  torusim plot runs/halo-1 --only utilization-map     all links, as heat maps
  torusim hot ring.py:main --set 'machine.shape=[4,4]' --set mapping.ranks=16     a program in Python
  torusim hot ring.trace                      a recording of torusim mpirun --record

{PROGRAM_HELP}"""


def hot(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="The folder of a result; or a program in Python (FILE.py:FUNCTION, with --set mapping.ranks=N), or a "
            "recording of mpirun, which is run once.",
            show_default=False,
        ),
    ],
    links: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="Number of links of each kind.")] = LINKS,
    flows: Annotated[int, typer.Option(metavar="N", min=0, max=MOST, help="Number of flows of each link.")] = FLOWS,
    settings: SetOption = None,
    seed: SeedOption = None,
    units: UnitsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the busiest and most stalled links of a run with coordinates, and the flows that use them."""
    changes = overrides(settings, seed)
    is_to_run = is_program(folder) or is_recording(folder)
    if changes and not is_to_run:
        raise InputError("--set and --seed: are for programs and recordings; a result has been run")
    with Waiting("running the program once" if is_to_run else "reading the result"):
        result = counted(folder, changes) if is_to_run else results.load(folder)
        found = hot_links(result if units is None else result.in_units(units), links, flows)
    if as_json:
        print_json(found.plain())
        return
    _print("Busiest links", found, found.busiest)
    if found.stalled:
        _print("Most stalled links", found, found.stalled)
    console().print(found.note, soft_wrap=True)


def _print(title: str, found: HotLinks, links: Sequence[HotLink]) -> None:
    print_table(title, found.headings, found.cells(links), right=found.headings[1:5])
