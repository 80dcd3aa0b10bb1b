"""`torusim advise`: which partition and which mapping a scenario should get, before it runs."""

from typing import Annotated

import typer

from torusim.cli import options
from torusim.cli.progress import SharesDisplay
from torusim.cli.screen import console, print_json, print_table
from torusim.ranks import advice
from torusim.ranks.advice import HEADINGS, Advice, Question
from torusim.ranks.recorded import recorded
from torusim.runs.scenario import lengths_of_option

EXAMPLES = f"""[bold]Examples[/bold]

  torusim advise halo.toml                                    which mapping, on the machine of the scenario
  torusim advise halo.toml --shape 8x8x16 --shape 4x16x16     which shape of partition, too
  torusim advise halo.toml --wrap torus --wrap mesh --wrap xy     what open dimensions cost
  torusim advise halo.toml --search 10 --runs 3               with a search of ten seconds, and up to three whole runs
  torusim advise halo.toml --json

  torusim advise ring.py:main --set 'machine.shape=[4,4]' --set mapping.ranks=16     a program in Python

Times are predicted by the fluid engine from what ranks send; those near the best are tried in packets, iteration by
iteration, until the others are behind. {options.PROGRAM_HELP}"""


def advise(
    scenario: options.ScenarioOrProgramArgument,
    shape: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SHAPE", help="A shape of partition, such as 8x8x16; repeatable. Default: the scenario's."
        ),
    ] = None,
    wrap: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WRAP",
            help='"torus", "mesh", or the closed dimensions, such as xz; repeatable. Default: the scenario\'s.',
        ),
    ] = None,
    search: Annotated[
        float | None,
        typer.Option(metavar="S", help="Search a mapping in addition to the usual ones, for about S seconds each."),
    ] = None,
    trials: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=advice.RUNS_LIMIT, help="The most that are tried in packets."),
    ] = advice.TRIALS,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=advice.RUNS_LIMIT,
            help="The most that are run as a whole. Default: none after trials; for a workload of one iteration as "
            "many as take a tenth of the time of a run with each choice, and at least one.",
        ),
    ] = None,
    settings: options.SetOption = None,
    seed: options.SeedOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Predict which partition and mapping is the fastest for a scenario, and what limits it."""
    changes = options.overrides(settings, seed)
    shapes = None if shape is None else [lengths_of_option(text) for text in shape]
    with SharesDisplay("reading what ranks send", quiet=quiet) as display:
        source = recorded(scenario, changes, display)
        question = Question(shapes, wrap, search, trials, runs)
        given = advice.advise_scenario(source, changes, question, display)
    if as_json:
        print_json({"choices": given.table.to_pylist()})
    elif not quiet:
        _print(given)


def _print(given: Advice) -> None:
    print_table("", HEADINGS, given.cells(), right=HEADINGS[2:5])
    console().print(given.conclusion, soft_wrap=True)
