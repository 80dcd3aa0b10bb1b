"""Sweeps: a scenario run at every combination of the given values, with the results in one table.

--over machine.shape=[4,4,4],[8,8,8]  --over run.seed=1..3     6 points

DIR/points/KEY.json     each finished point (`torusim.sweeps.points`)
DIR/sweep.parquet       a row for each point: the swept keys, then every value of the summary
DIR/means.parquet       if the seed is swept: a row for each combination of the others (`torusim.sweeps.means`)
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim._core import InputError
from torusim.common.files import as_path
from torusim.common.folder import write_atomically
from torusim.common.formatting import flat, number, rows_as_html
from torusim.common.tables import Tabular
from torusim.common.units import KEY, TIME, Clock, Units, units_of, with_twins
from torusim.runs.scenario import Override, ScenarioSource, resolve
from torusim.runs.storage import column, file_of, read_parquet, with_columns
from torusim.sweeps.axes import Axes, combinations
from torusim.sweeps.executors import Workers
from torusim.sweeps.means import SEEDS, has_several_seeds, means_over_seeds, with_interval
from torusim.sweeps.points import POINTS_FOLDER, FinishedPoint, Point, Report, network_point, run_all
from torusim.sweeps.shards import Shard, collect, write_list

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.pictures.plots import Picture

TABLE_FILE = "sweep.parquet"
MEANS_FILE = "means.parquet"


ROWS_SHOWN = 40
"""The number of rows of a printed table, unless all are requested."""


@dataclass(frozen=True, repr=False)
class Sweep(Tabular):
    """The results of a sweep.

    Polars and pandas take it as it is: `polars.DataFrame(sweep)`, `pandas.DataFrame.from_arrow(sweep)`.

    Attributes:
        table: A row for each point: the swept keys, then every value of its summary.
        keys: The swept keys.
    """

    table: "pa.Table"
    keys: Sequence[str]

    @property
    def units(self) -> Units:
        """The units in which times and rates are shown: cycles only if all points have them, or those of `in_units`."""
        named = self.table.column(KEY).to_pylist() if KEY in self.table.column_names else []
        return Units.of(*({KEY: units} for units in named))

    def in_units(self, units: str) -> "Sweep":
        """The sweep with times and rates shown in "cycles", or in "physical" units: ns and GB/s.

        In physical units each column of the table that counts cycles of the network has its twin.

        Raises:
            InputError: If there are no such units.
        """
        chosen, table = units_of(units), self.table
        if KEY in table.column_names:
            table = table.drop_columns([KEY])
        if chosen is Units.PHYSICAL:
            rows = [{**with_twins(row, Clock.of_summary(row), self.keys), KEY: chosen} for row in table.to_pylist()]
            table = with_columns(table, rows)
        return Sweep(table, self.keys)

    def plot(self, y: str | None = None, *, x: str | None = None, by: str | Sequence[str] = ()) -> "Picture":
        """A value of the summary over a swept key, which notebooks show.

        Args:
            y: The value; by default the mean latency, or another value if there is none.
            x: The key of the horizontal axis; by default the one with the most values.
            by: The key or keys that distinguish lines; by default the others. Seeds are shown as mean and range.

        Raises:
            InputError: If a column is missing, or there is nothing to draw.
        """
        from torusim.pictures import plotting

        return plotting.plot_sweep(self, y, x=x, by=by)

    @property
    def means(self) -> "pa.Table":
        """Statistics over seeds: a row for each combination of the other keys, in the order of the table.

        The columns are these keys, `seeds` (the number of seeds), and two for each number of the summary: its mean
        under its own name, and `NAME_half_width`, half the width of the mean's 95 % interval by Student's t (null for a
        single seed). Where a run lacks a value there is no mean. `outcome` and `steadiness` list the values of all
        seeds; other texts are kept where all seeds agree.
        """
        return means_over_seeds(self.table, self.keys)

    @property
    def has_several_seeds(self) -> bool:
        """Whether points differ by their seed, so that means have intervals."""
        return has_several_seeds(self.table, self.keys)

    def __len__(self) -> int:
        """The number of points."""
        return int(self.table.num_rows)

    def write(self, folder: Path) -> None:
        """Writes the table into a folder, and the table of means if there are several seeds.

        Raises:
            InputError: If they cannot be written.
        """
        write_table(self.table, folder / TABLE_FILE)
        if self.has_several_seeds:
            write_table(self.means, folder / MEANS_FILE)

    def __repr__(self) -> str:
        """The number of points, and of values of each key."""
        counts = (f"{key} ({len(set(map(str, self.table.column(key).to_pylist())))})" for key in self.keys)
        return f"<Sweep of {len(self):,} points over {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        headings, rows, more = self.cells()
        return rows_as_html(headings, rows) + (f"<p>{more}</p>" if more else "")

    def cells(self, most: int | None = ROWS_SHOWN) -> tuple[list[str], list[list[str]], str]:
        """Headings, rows and a last text line of the printed table: of means, if there are several seeds.

        There are at most `most` rows, or all if it is None.
        """
        table = self.means if self.has_several_seeds else self.table
        own = [SEEDS] if self.has_several_seeds else []
        keys = [key for key in self.keys if key in table.column_names]
        headings = [*keys, *own, *_shown(table, self.units)]
        rows = [
            [cell(row[name]) if name in keys else with_interval(row, name) for name in headings]
            for row in table.slice(0, most).to_pylist()
        ]
        return headings, rows, hidden_rows(table.num_rows - len(rows))


def hidden_rows(count: int) -> str:
    """The last text line of a table without some of its rows."""
    return f"and {count:,} more rows" if count > 0 else ""


SHOWN = (
    "outcome",
    "steadiness",
    "percent_of_peak",
    "algorithm_megabytes_per_second",
    "link_utilization_mean",
    "latency_cycles_mean",
    "cycles",
)
"""Values of the summary that are printed, if some point has them; the table contains all."""


def _shown(table: "pa.Table", units: Units) -> Iterator[str]:
    """The values that are printed, in these units.

    For runs with a measured window the cycles are left out, because the scenario sets them.
    """
    for name in map(units.key, SHOWN):
        replaced = (
            name in ("cycles", TIME)
            and "steadiness" in table.column_names
            and not table.column("steadiness").null_count
        )
        if not replaced and name in table.column_names and table.column(name).null_count < table.num_rows:
            yield name


def cell(value: Any) -> str:  # noqa: ANN401
    """A value of the table as text."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return number(value)
    return value if isinstance(value, str) else json.dumps(value)


def load_sweep(folder: str | os.PathLike[str]) -> Sweep:
    """Loads the sweep of a folder, or of the file of its table.

    Raises:
        InputError: If there is no sweep, or its table cannot be read.
    """
    path = file_of(as_path(folder, "folder"), TABLE_FILE, "finished sweep")
    table = read_parquet(path, "sweep")
    return Sweep(table, keys_of(table.column_names))


def keys_of(columns: Sequence[str]) -> list[str]:
    """The swept keys among the columns of a table: those before the first value of the summary."""
    first = columns.index(FIRST_OF_SUMMARY) if FIRST_OF_SUMMARY in columns else 0
    return list(columns[:first])


FIRST_OF_SUMMARY = "name"
"""The first value of every summary of a run."""


def points_of(source: ScenarioSource, overrides: list[Override], axes: Axes) -> list[Point]:
    """A checked point for every combination of the axes' values; the last axis varies fastest.

    Raises:
        InputError: If a combination does not describe a run.
    """
    return [network_point(labels, resolve(source, [*overrides, *changes])) for labels, changes in combinations(axes)]


def run_sweep(
    points: Sequence[Point], out: Path | None, workers: Workers, report: Report, shard: Shard | None = None
) -> Sweep:
    """Runs the points that `out` does not contain yet, and writes the table of all points.

    For a shard, only its own points are run and returned, and no table is written: `collect_shards` writes it.

    Raises:
        InputError: If `out` is not a sweep folder, or cannot be written; or if a point cannot be run.
    """
    keys = list(points[0].labels)
    if out is not None:
        require_sweep_folder(out)
        if shard is not None:
            write_list(points, out)
    chosen = points if shard is None else shard.select(points)
    table = table_of(run_all(chosen, out and out / POINTS_FOLDER, workers, report), keys)
    sweep = Sweep(table, keys)
    if out is not None and shard is None:
        sweep.write(out)
    return sweep


def collect_shards(folders: Sequence[Path], out: Path | None) -> Sweep:
    """The sweep whose shards were run in these folders; it is written to `out`, with its points.

    Raises:
        InputError: If a folder has no shard or one of another sweep, if a point is not finished, or if `out` is not a
            sweep folder or cannot be written.
    """
    collected = collect(folders)
    keys = list(collected.listed[0]["labels"])
    sweep = Sweep(table_of(collected.points, keys), keys)
    if out is not None:
        require_sweep_folder(out)
        collected.store(out)
        sweep.write(out)
    return sweep


def require_sweep_folder(out: Path, kind: str = "sweep") -> None:
    """Raises an InputError if `out` exists and is neither an empty folder nor the folder of a sweep (or study)."""
    try:
        if os.path.lexists(out) and not (out / POINTS_FOLDER).is_dir() and (not out.is_dir() or any(out.iterdir())):
            raise InputError(f"{out}: exists already and is not the folder of a {kind}; name another one")
    except OSError as error:
        raise InputError(f"{out}: cannot be read: {error.strerror or error}") from None


def table_of(points: Sequence[FinishedPoint], keys: Sequence[str] = ()) -> "pa.Table":
    """A row for each point: its labels, then its summary with nested keys joined by dots. Labels take precedence.

    Without points, the table has the columns `keys`.
    """
    import pyarrow as pa

    summaries = [point.summary for point in points]
    if Units.of(*summaries) is Units.PHYSICAL:
        summaries = [with_twins(summary, Clock.of_summary(summary)) for summary in summaries]
    rows = [dict(_cells(summary)) for summary in summaries]
    rows = [{**point.labels, **row, **point.labels} for point, row in zip(points, rows, strict=True)]
    names = dict.fromkeys([*keys, *(name for row in rows for name in row)])
    return pa.table({name: column([row.get(name) for row in rows]) for name in names})


def write_table(table: "pa.Table", path: Path) -> None:
    """Writes a Parquet file atomically.

    Raises:
        InputError: If it cannot be written.
    """
    import pyarrow.parquet as pq

    def write(file: Path) -> None:
        with file.open("wb") as stream:
            pq.write_table(table, stream, compression="zstd")

    write_atomically(path, write)


def _cells(summary: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in summary.items():
        if key == "outcome_detail":
            yield key, None if value is None else value.get("words")
        elif isinstance(value, Mapping):
            yield from flat(value, f"{key}.")
        else:
            yield key, value
