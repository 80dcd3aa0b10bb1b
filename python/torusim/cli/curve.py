"""`torusim curve`: latency and accepted against offered load, up to saturation."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from torusim import curves
from torusim.cli import completion, options
from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.points import continuation_hint_of_runs
from torusim.cli.progress import SharesDisplay, Waiting
from torusim.cli.screen import console, print_json, print_table
from torusim.cli.workers import ClusterOption, ClusterSetOption, ExecutorName, ExecutorOption, JobsOption, workers_of
from torusim.common.formatting import about
from torusim.common.units import Units
from torusim.curves import TABLE_FILE, Curve, Progress
from torusim.sweeps.axes import axes_of_options
from torusim.sweeps.points import POINTS_FOLDER
from torusim.sweeps.sweep import hidden_rows

EXAMPLES = """[bold]Examples[/bold]

  torusim curve scenario.toml
  torusim curve scenario.toml --over machine.wrap=true,false        a torus and a mesh
  torusim curve scenario.toml --set 'machine.shape=[8,8,8]' --seeds 20 --format pdf

Saturation is found; the scenario's own load and the lengths of its runs have no effect. Finished runs are kept: after
Ctrl-C, or with values added, the same command runs only what is missing."""

ROWS_SHOWN = 100

LOADS = curves.LOADS | {Units.CYCLES: "bytes per node per cycle"}
"""The unit of loads, in a sentence."""


class Bands(StrEnum):
    """The quantities that bands around the lines can show."""

    RANGE = "range"
    INTERVAL = "interval"


def curve(
    scenario: options.ScenarioArgument,
    over: Annotated[
        list[str] | None,
        typer.Option(
            "--over",
            metavar="KEY=VALUES",
            autocompletion=completion.settings,
            help="Values of a key, separated by commas, each as in TOML; a curve for each. Repeatable.",
        ),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=curves.SEEDS_LIMIT,
            help="Most seeds of a load; three, and more until the interval of the mean latency is narrow enough.",
        ),
    ] = curves.SEEDS,
    jobs: JobsOption = None,
    executor: ExecutorOption = ExecutorName.PROCESSES,
    cluster: ClusterOption = None,
    cluster_settings: ClusterSetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for runs, table and picture.  [dim]\\[default: runs/curve-SCENARIO][/dim]"
        ),
    ] = None,
    file_format: options.FormatOption = options.Format.PNG,
    bands: Annotated[
        Bands, typer.Option(help="Bands in the picture: the range of the seeds, or the 95 % interval of their mean.")
    ] = Bands.RANGE,
    quantiles: Annotated[bool, typer.Option(help="Draw the 99th percentile too, and of one curve the median.")] = True,
    settings: options.SetOption = None,
    units: options.UnitsOption = None,
    seed: options.SeedOption = None,
    as_json: options.JsonOption = False,
    show_all: options.AllOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Measure latency and accepted against offered load up to saturation, and write a table and a picture."""
    folder = out or Path("runs") / f"curve-{scenario.stem}"
    with Waiting("checking the configurations", quiet=quiet):
        axes = axes_of_options(over or [])
        configurations = curves.configurations_of(scenario, options.overrides(settings, seed, units), axes)
    with (
        continuation_hint_of_runs(folder / POINTS_FOLDER),
        RunsDisplay(expected_seconds(configurations), quiet=quiet) as display,
        workers_of(executor, cluster, cluster_settings, jobs) as workers,
    ):
        measured = curves.run_curve(configurations, seeds, folder, workers, display)
    with Waiting("drawing", quiet=quiet):
        picture = measured.plot(quantiles=quantiles, bands=bands)
        path = picture.save(folder / f"{picture.name}.{file_format.value}")
    if as_json:
        print_json({"saturations": measured.saturations, "rows": measured.table.to_pylist()})
    elif not quiet:
        _print(measured, None if show_all else ROWS_SHOWN)
        console().print(f"The table is {folder / TABLE_FILE}, the picture {path}.", soft_wrap=True)
    outcomes = set(measured.table.column("outcome").to_pylist())
    raise typer.Exit(EXIT_COMPLETED if outcomes == {"completed"} else EXIT_OTHER_OUTCOME)


def expected_seconds(configurations: Sequence[curves.Configuration]) -> float | None:
    """The expected time of all curves on one core; None if that of one is not known."""
    seconds = [configuration.expected_seconds for configuration in configurations]
    return None if None in seconds else sum(filter(None, seconds))


class RunsDisplay(SharesDisplay):
    """Shows the number of finished runs and loads; how many there will be is not known."""

    def __init__(self, expected_seconds: float | None, *, quiet: bool) -> None:
        """Creates a display that has shown nothing yet."""
        self._expected = "" if expected_seconds is None else f", {about(expected_seconds)} expected on one core in all"
        super().__init__(f"starting{self._expected}", quiet=quiet)

    def __call__(self, progress: Progress) -> None:  # type: ignore[override]
        """Shows the progress."""
        runs = f"{progress.runs} of {progress.known} runs known so far"
        words = f"round {progress.round}, {runs}, {progress.loads} loads measured"
        if progress.left_seconds is not None and progress.left_seconds >= 1:
            words += f", {about(progress.left_seconds)} left of this round"
        super().__call__(words + self._expected, None)


def _print(measured: Curve, most: int | None) -> None:
    cells = measured.cells()
    headings = [*measured.keys, *curves.MEAN_COLUMNS]
    print_table("", headings, cells[:most], right=headings)
    if more := hidden_rows(len(cells) - len(cells[:most])):
        console().print(more + options.ALL_HINT)
    console().print(f"Loads in {LOADS[measured.units]}, times in {curves.TIMES[measured.units]}.")
    for words in measured.saturations_in_words:
        console().print(f"{words}.", soft_wrap=True)
