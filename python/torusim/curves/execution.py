"""Runs a curve in rounds: the runs that all configurations need next, then the runs that follow from their results.

round: runs wanted by each load of each configuration --> run_all --> longer runs, more seeds, more loads
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from torusim._core import InputError
from torusim.common.units import Units
from torusim.curves.configurations import Configuration, run_of
from torusim.curves.curve import Curve
from torusim.curves.search import LONGEST, first_length, next_loads
from torusim.curves.steady_state import FEWEST_SEEDS, SATURATION_DEFICIT, Replications, Run
from torusim.curves.table import TABLE_FILE, rows_of, table_of
from torusim.sweeps.executors import Workers
from torusim.sweeps.points import POINTS_FOLDER, Advance, Point, run_all
from torusim.sweeps.sweep import require_sweep_folder, write_table

SEEDS = 10
"""The default maximum number of replications of a load."""

SEEDS_LIMIT = 1000
"""The most replications that may be requested: the interval narrows only with the square root of their number."""

GREATEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Progress:
    """The progress of a curve. The total number of runs is not known.

    Attributes:
        runs: Finished runs.
        known: Runs of all rounds so far, including the current one.
        loads: Finished loads of all configurations.
        round: The number of the round, from 1.
        left_seconds: The time that the rest of this round will take; None if there is no good estimate.
    """

    runs: int
    known: int
    loads: int
    round: int
    left_seconds: float | None = None


Report: TypeAlias = Callable[[Progress], None]


def run_curve(
    configurations: Sequence[Configuration], seeds: int, out: Path | None, workers: Workers, report: Report
) -> Curve:
    """Measures the curve of each configuration, and writes the table. Runs that `out` contains are not repeated.

    Args:
        configurations: At least one.
        seeds: The maximum number of replications of a load.
        out: The folder of finished runs and the table; None writes nothing.
        workers: The workers that make the runs.
        report: Called with the progress.

    Raises:
        InputError: If `out` is not the folder of a curve, or cannot be written; if a run is refused; or if a seed would
            be greater than `GREATEST_SEED`.
    """
    first = max(configuration.first_seed for configuration in configurations)
    if first > GREATEST_SEED - (seeds - 1):
        raise InputError(f"run.seed = {first}: the last of {seeds} seeds (--seeds) is greater than {GREATEST_SEED}")
    if out is not None:
        require_sweep_folder(out, "curve")
    folder = None if out is None else out / POINTS_FOLDER
    searches = [_Search(configuration, seeds) for configuration in configurations]
    runs, rounds = 0, 0
    while wanted := [(load, seed) for search in searches for load, seed in search.wanted()]:
        rounds += 1
        done = sum(search.finished for search in searches)

        def report_round(advance: Advance, runs: int = runs, done: int = done, rounds: int = rounds) -> None:
            known = runs + advance.points
            report(Progress(runs + advance.finished, known, done, rounds, advance.left_seconds))

        finished = run_all([load.point(seed) for load, seed in wanted], folder, workers, report_round)
        for (load, seed), point in zip(wanted, finished, strict=True):
            load.runs[seed] = run_of(point)
        runs += len(wanted)
        for search in searches:
            search.judge()
    curve = _curve(searches)
    if out is not None:
        write_table(curve.table, out / TABLE_FILE)
    return curve


@dataclass
class _Load:
    """A load in progress. It is repeated with longer runs until it has settled, then with more seeds."""

    configuration: Configuration
    load: float
    length: int
    seeds: int
    runs: dict[int, Run] = field(default_factory=dict)
    is_finished: bool = False

    def wanted(self) -> Iterator[int]:
        """The seeds that are still to be run."""
        first = self.configuration.first_seed
        return (seed for seed in range(first, first + self.seeds) if seed not in self.runs)

    def point(self, seed: int) -> Point:
        return self.configuration.point(self.load, seed, self.length)

    @property
    def replications(self) -> Replications:
        return Replications(self.load * self.configuration.peak, list(self.runs.values()))

    def judge(self, most_seeds: int) -> None:
        """Decides on the next runs, when all wanted seeds have been run."""
        replications = self.replications
        if replications.needs_longer_runs and self.length < LONGEST:
            self.length *= 2
            self.runs.clear()
            return
        self.seeds = max(self.seeds, replications.seeds_needed(most_seeds))
        self.is_finished = self.seeds == len(self.runs)


class _Search:
    """The search for the loads of one configuration."""

    def __init__(self, configuration: Configuration, seeds: int) -> None:
        self.configuration = configuration
        self._most_seeds = seeds
        self._loads: dict[float, _Load] = {}
        self._add()

    @property
    def finished(self) -> int:
        """The number of finished loads."""
        return sum(load.is_finished for load in self._loads.values())

    @property
    def replications(self) -> list[tuple[float, Replications]]:
        """Each load with its runs, in ascending order."""
        return [(load, self._loads[load].replications) for load in sorted(self._loads)]

    def wanted(self) -> Iterator[tuple[_Load, int]]:
        """The runs of this round."""
        return ((load, seed) for load in self._loads.values() if not load.is_finished for seed in load.wanted())

    def judge(self) -> None:
        """Judges the loads of the round, and adds new ones when all are finished."""
        for load in self._loads.values():
            if not load.is_finished:
                load.judge(self._most_seeds)
        if all(load.is_finished for load in self._loads.values()):
            self._add()

    def _add(self) -> None:
        replications = {load: under_way.replications for load, under_way in self._loads.items()}
        saturated = {load: runs.is_saturated for load, runs in replications.items()}
        accepted = {load: runs.accepted / self.configuration.peak for load, runs in replications.items()}
        expected = min((accepted[load] for load in saturated if saturated[load]), default=None)
        for load in next_loads(saturated, accepted, SATURATION_DEFICIT):
            length = first_length(load, expected)
            self._loads[load] = _Load(self.configuration, load, length, min(FEWEST_SEEDS, self._most_seeds))


def _curve(searches: Sequence[_Search]) -> Curve:
    rows = [
        row
        for search in searches
        for load, replications in search.replications
        for row in rows_of(search.configuration, load, replications)
    ]
    keys = tuple(searches[0].configuration.labels)
    is_physical = any(search.configuration.units is Units.PHYSICAL for search in searches)
    curve = Curve(table_of(rows, keys), keys)
    return curve.in_units(Units.PHYSICAL) if is_physical else curve
