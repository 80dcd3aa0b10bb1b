"""`torusim sweep`: runs a scenario at every combination of the given values, with the results in one table."""

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from torusim.cli import completion, options
from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.points import PointsDisplay, continuation_hint
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_table
from torusim.cli.workers import ClusterOption, ClusterSetOption, ExecutorName, ExecutorOption, JobsOption, workers_of
from torusim.sweeps.axes import axes_of_options
from torusim.sweeps.points import POINTS_FOLDER
from torusim.sweeps.shards import parse_shard
from torusim.sweeps.sweep import ROWS_SHOWN, TABLE_FILE, Sweep, points_of, require_sweep_folder, run_sweep

ASSUMED_ROUTER = "assumed_router"
"""The key of the summary with the words on an assumed router."""

EXAMPLES = """[bold]Examples[/bold]

  torusim sweep scenario.toml --over run.seed=1..10
  torusim sweep scenario.toml --over workload.load=0.1..0.9:0.1 --over run.seed=1..5     means with intervals
  torusim sweep scenario.toml --over 'machine.shape=[4,4,4],[8,8,8]'
  torusim sweep scenario.toml --over machine.preset=bluegene-l,bluegene-p --jobs 2 --out both
  torusim sweep scenario.toml --over run.seed=1..80 --shard 3/8 --out big     then torusim collect big
  torusim sweep scenario.toml --over run.seed=1..80 --executor dask --cluster slurm --jobs 40

Finished points are kept: after Ctrl-C, or with values added, the same command runs only what is missing."""


def sweep(
    scenario: options.ScenarioArgument,
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="KEY=VALUES",
            autocompletion=completion.settings,
            help="Values of a key, separated by commas, each as in TOML, or a range such as 1..10 or 0.1..0.9:0.1; "
            "repeatable.",
        ),
    ],
    jobs: JobsOption = None,
    executor: ExecutorOption = ExecutorName.PROCESSES,
    cluster: ClusterOption = None,
    cluster_settings: ClusterSetOption = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Run only every N-th point, from the I-th on; torusim collect writes the table of all shards.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for points and table.  [dim]\\[default: runs/sweep-SCENARIO][/dim]"),
    ] = None,
    settings: options.SetOption = None,
    units: options.UnitsOption = None,
    seed: options.SeedOption = None,
    as_json: options.JsonOption = False,
    show_all: options.AllOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Run a scenario at every combination of the given values, in parallel, and write one table of the results."""
    folder = out or Path("runs") / f"sweep-{scenario.stem}"
    chosen = None if shard is None else parse_shard(shard)
    with Waiting("checking the points", quiet=quiet):
        points = points_of(scenario, options.overrides(settings, seed, units), axes_of_options(over))
        require_sweep_folder(folder)
    kept = folder / POINTS_FOLDER
    with (
        continuation_hint(kept, {kept: points if chosen is None else chosen.select(points)}),
        PointsDisplay(quiet=quiet) as display,
        workers_of(executor, cluster, cluster_settings, jobs) as workers,
    ):
        swept = run_sweep(points, folder, workers, display, chosen)
    hint = (
        f"The table is {folder / TABLE_FILE}; torusim plot {folder} draws it."
        if chosen is None
        else f"Shard {chosen} of {len(points)} points is in {folder}; torusim collect {folder} writes the table of all."
    )
    leave(swept, hint, as_json=as_json, show_all=show_all, quiet=quiet)


def leave(swept: Sweep, hint: str, *, as_json: bool, show_all: bool, quiet: bool) -> NoReturn:
    """Prints the table of a sweep, and exits with the status of its outcomes."""
    if as_json:
        print_json(swept.table.to_pylist())
    elif not quiet:
        headings, rows, more = swept.cells(None if show_all else ROWS_SHOWN)
        print_table("", headings, rows, right=headings)
        assumed = [f"Assumed router: {router}." for router in _assumed_routers(swept)]
        for line in filter(None, (more and more + options.ALL_HINT, *assumed, hint)):
            console().print(line, soft_wrap=True)
    outcomes = set(swept.table.column("outcome").to_pylist()) if len(swept) else {"completed"}
    raise typer.Exit(EXIT_COMPLETED if outcomes == {"completed"} else EXIT_OTHER_OUTCOME)


def _assumed_routers(swept: Sweep) -> list[str]:
    """The routers on which results depend and that nobody has published, in words."""
    if ASSUMED_ROUTER not in swept.table.column_names:
        return []
    return [router for router in swept.table.column(ASSUMED_ROUTER).unique().to_pylist() if router]
