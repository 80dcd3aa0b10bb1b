"""`torusim map`: the costs of mappings of ranks, and the search for a better one."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from torusim._core import InputError
from torusim.cli import options
from torusim.cli.progress import SharesDisplay
from torusim.cli.screen import console, print_json, print_table
from torusim.common.formatting import count
from torusim.ranks import mapping
from torusim.ranks.mapping import HEADINGS, Mappings
from torusim.ranks.recorded import recorded
from torusim.runs.scenario import resolve

EXAMPLES = f"""[bold]Examples[/bold]

  torusim map halo.toml                                   evaluates the present mapping and the usual orders
  torusim map halo.toml --search anneal --out map.txt     searches a better one, and writes the best
  torusim run halo.toml --set mapping.file=map.txt        runs with it
  torusim map halo.toml --search greedy --from random --steps 1000000 --seed 3

  torusim map ring.py:main --set 'machine.shape=[4,4]' --set mapping.ranks=16     a program in Python

Ctrl-C ends a search and keeps its best mapping. The same seed and number of steps find the same mapping.
{options.PROGRAM_HELP}"""


class Method(StrEnum):
    """The methods of a search."""

    ANNEAL = "anneal"
    GREEDY = "greedy"


def map_(
    scenario: options.ScenarioOrProgramArgument,
    search: Annotated[
        Method | None,
        typer.Option(
            help="Search a better mapping: by simulated annealing, or by moves alone that cost no more.",
        ),
    ] = None,
    start: Annotated[
        str,
        typer.Option("--from", metavar="MAPPING", help="Where a search starts: present, an order, fold or random."),
    ] = mapping.PRESENT,
    seconds: Annotated[
        float, typer.Option(metavar="S", help="About how long a search takes.", show_default=True)
    ] = mapping.SECONDS,
    steps: Annotated[
        int | None, typer.Option(metavar="N", help="Number of steps of a search, instead of --seconds.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the mapping with the fewest hop-bytes to this file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace the file if it exists.")] = False,
    settings: options.SetOption = None,
    seed: options.SeedOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Evaluate where the ranks of a scenario run, and search a better mapping."""
    if out is not None and out.exists() and not force:
        raise InputError(f"{out}: exists already; --force replaces it")
    changes = options.overrides(settings, seed)
    with SharesDisplay("reading what ranks send", quiet=quiet) as display:
        resolved = resolve(recorded(scenario, changes, display), changes)
        wanted = None if search is None else mapping.Search(search.value, start, steps, seconds, resolved.seed)
        mappings = mapping.map_scenario(resolved, wanted, display)
    if out is not None:
        mapping.write(mappings.best, out)
    if as_json:
        print_json({"best": mappings.best.name, "steps": mappings.steps, "mappings": mappings.table.to_pylist()})
    elif not quiet:
        _print(mappings, resolved.seed, out)


def _print(mappings: Mappings, seed: int, out: Path | None) -> None:
    print_table("", HEADINGS, mappings.cells(), right=HEADINGS[1:])
    screen = console()
    screen.print(
        "Hop-bytes: bytes of messages, each times its hops. Links: bytes on the busiest under minimal routing."
    )
    screen.print(mappings.note, soft_wrap=True)
    if mappings.steps is not None:
        screen.print(f"The search made {count(mappings.steps)} steps with seed {seed}.")
    if out is not None:
        screen.print(f"{out} is written with {mappings.best.name}; --set mapping.file={out} runs it.", soft_wrap=True)
