"""`torusim sweep`: runs a scenario at every combination of the given values, with the results in one table."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from torusim import sweeps
from torusim.cli.options import JobsOption, JsonOption, ScenarioArgument, SeedOption, SetOption, overrides
from torusim.cli.points import PointsDisplay, continuation_hint
from torusim.cli.progress import Waiting
from torusim.cli.screen import EXIT_COMPLETED, EXIT_OTHER_OUTCOME, console, print_json, print_table
from torusim.points import default_jobs
from torusim.sweeps import ROWS_SHOWN, SHOWN, TABLE_FILE, cell

if TYPE_CHECKING:
    import pyarrow as pa

EXAMPLES = """[bold]Examples[/bold]

  torusim sweep scenario.toml --over run.seed=1..10
  torusim sweep scenario.toml --over 'machine.shape=[4,4,4],[8,8,8]' --over workload.load=0.2,0.5,0.8
  torusim sweep scenario.toml --over machine.preset=bluegene-l,bluegene-p --jobs 2 --out both

Finished points are kept: after Ctrl-C, or with values added, the same command runs only what is missing."""


def sweep(
    scenario: ScenarioArgument,
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="KEY=VALUES",
            help="Values of a key, separated by commas, each as in TOML, or a range such as 1..10; repeatable.",
        ),
    ],
    jobs: JobsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for points and table.  [dim]\\[default: runs/sweep-SCENARIO][/dim]"),
    ] = None,
    settings: SetOption = None,
    seed: SeedOption = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Suppress progress and table.")] = False,
) -> None:
    """Run a scenario at every combination of the given values, in parallel, and write one table of the results."""
    folder = out or Path("runs") / f"sweep-{scenario.stem}"
    with Waiting("checking the points", quiet=quiet):
        points = sweeps.points_of(scenario, overrides(settings, seed), sweeps.axes_of_options(over))
        sweeps.require_sweep_folder(folder)
    with continuation_hint(folder / sweeps.POINTS_FOLDER, points), PointsDisplay(quiet=quiet) as display:
        table = sweeps.run_sweep(points, folder, jobs or default_jobs(), display)
    keys = list(points[0].labels)
    if as_json:
        print_json(table.to_pylist())
    elif not quiet:
        _print(table, keys)
        console().print(f"The table is {folder / TABLE_FILE}; torusim plot {folder} draws it.", soft_wrap=True)
    outcomes = set(table.column("outcome").to_pylist())
    raise typer.Exit(EXIT_COMPLETED if outcomes == {"completed"} else EXIT_OTHER_OUTCOME)


def _print(table: "pa.Table", keys: Sequence[str]) -> None:
    columns = [*keys, *(name for name in SHOWN if name in table.column_names)]
    rows = [[cell(row[column]) for column in columns] for row in table.slice(0, ROWS_SHOWN).to_pylist()]
    print_table("", columns, rows, right=columns)
    if table.num_rows > ROWS_SHOWN:
        console().print(f"and {table.num_rows - ROWS_SHOWN:,} more rows")
