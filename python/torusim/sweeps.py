"""Sweeps: a scenario run at every combination of the given values, with the results in one table.

--over machine.shape=[4,4,4],[8,8,8]  --over run.seed=1..3     6 points

DIR/points/KEY.json     each finished point (`torusim.points`)
DIR/sweep.parquet       a row for each point: the swept keys, then every value of the summary
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from torusim._core import InputError
from torusim.files import as_path
from torusim.folder import write_atomically
from torusim.formatting import flat, in_one_line, number, rows_as_html, shown
from torusim.points import FinishedPoint, Point, Report, network_point, run_all
from torusim.scenario import Override, ScenarioSource, override_of_option, printable, resolve, to_json
from torusim.storage import read_parquet

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.plots import Picture

POINTS_FOLDER = "points"
TABLE_FILE = "sweep.parquet"

POINTS_LIMIT = 1_000_000
"""Upper limit of the number of points; only a typing error exceeds it."""

Axes: TypeAlias = Mapping[str, Sequence[Override]]
"""The values of each swept key, as overrides."""


@dataclass(frozen=True, repr=False)
class Sweep:
    """The results of a sweep. Polars and pandas take it as it is: `polars.DataFrame(sweep)`.

    Attributes:
        table: A row for each point: the swept keys, then every value of its summary.
        keys: The swept keys.
    """

    table: "pa.Table"
    keys: Sequence[str]

    def plot(self, y: str | None = None, *, x: str | None = None, by: str | Sequence[str] = ()) -> "Picture":
        """A value of the summary over a swept key, which notebooks show.

        Args:
            y: The value; by default the mean latency, or what else there is.
            x: The key of the horizontal axis; by default the one with the most values.
            by: The key or keys that tell lines apart; by default the others. Seeds are shown as mean and range.

        Raises:
            InputError: If a column is not there, or there is nothing to draw.
        """
        from torusim import plotting

        return plotting.plot_sweep(self, y, x=x, by=by)

    def __len__(self) -> int:
        """The number of points."""
        return int(self.table.num_rows)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Its table by the protocol of Arrow, by which other libraries of tables read it."""
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        """The number of points, and of values of each key."""
        counts = (f"{key} ({len(set(map(str, self.table.column(key).to_pylist())))})" for key in self.keys)
        return f"<Sweep of {len(self):,} points over {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        columns = [*self.keys, *(name for name in SHOWN if name in self.table.column_names)]
        rows = self.table.select(columns).slice(0, ROWS_SHOWN).to_pylist()
        more = f"<p>and {len(self) - ROWS_SHOWN:,} more</p>" if len(self) > ROWS_SHOWN else ""
        return rows_as_html(columns, ([cell(row[name]) for name in columns] for row in rows)) + more


ROWS_SHOWN = 40

SHOWN = ("outcome", "percent_of_peak", "link_utilization_mean", "latency_cycles_mean", "cycles")
"""Values of the summary that are printed; the table contains all."""


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
    place = as_path(folder, "folder")
    path = place / TABLE_FILE if os.path.isdir(place) else place
    if not os.path.exists(path):
        raise InputError(f"{place}: holds no {TABLE_FILE}, so it is not the folder of a finished sweep")
    table = read_parquet(path, "sweep")
    return Sweep(table, keys_of(table.column_names))


def keys_of(columns: Sequence[str]) -> list[str]:
    """The swept keys among the columns of a table: those before the first value of the summary."""
    first = columns.index(FIRST_OF_SUMMARY) if FIRST_OF_SUMMARY in columns else 0
    return list(columns[:first])


FIRST_OF_SUMMARY = "name"
"""The first value of every summary of a run."""


def axes_of_options(options: Sequence[str]) -> Axes:
    """The axes of command-line options such as `--over machine.shape=[4,4,4],[8,8,8]`, `--over run.seed=1..10`.

    Raises:
        InputError: If an option is not KEY=VALUES, or a key is repeated.
    """
    axes: dict[str, list[Override]] = {}
    for option in options:
        key, values = _parse_over(printable(option))
        if key in axes:
            raise InputError(f"--over {in_one_line(key)}: is given twice; give all of its values in one --over")
        axes[key] = values
    return axes


def axes_of_values(over: Mapping[str, Iterable[Any]], caller: str = "sweep") -> Axes:
    """The axes of a dict such as {"machine.shape": [[4, 4, 4], [8, 8, 8]], "run.seed": range(1, 11)}.

    Args:
        over: The values of each key.
        caller: The function named in messages.

    Raises:
        InputError: If it is not such a dict.
    """
    if not isinstance(over, Mapping):
        raise InputError(f"over: is a dict of keys and their values, not {shown(over)}")
    return {key: list(_axis_of_values(key, values, caller)) for key, values in over.items()}


def points_of(source: ScenarioSource, overrides: list[Override], axes: Axes) -> list[Point]:
    """A checked point for every combination of the axes' values; the last axis varies fastest.

    Raises:
        InputError: If a combination does not describe a run.
    """
    return [network_point(labels, resolve(source, [*overrides, *changes])) for labels, changes in combinations(axes)]


def combinations(axes: Axes) -> list[tuple[dict[str, Any], list[Override]]]:
    """(labels, overrides) of every combination of the axes' values; the last axis varies fastest.

    Raises:
        InputError: If there are too many.
    """
    count = prod(len(values) for values in axes.values())
    if count > POINTS_LIMIT:
        raise InputError(f"this sweep has {count:,} points; {POINTS_LIMIT:,} are the most")
    return [
        ({path: json.loads(value) for path, value, _ in combination}, list(combination))
        for combination in product(*axes.values())
    ]


def run_sweep(points: Sequence[Point], out: Path | None, jobs: int, report: Report) -> "pa.Table":
    """Runs the points that `out` does not contain yet, and writes the table of all points.

    Raises:
        InputError: If `out` is not a sweep folder, or cannot be written; or if a point cannot be run.
    """
    if out is None:
        return table_of(run_all(points, None, jobs, report))
    require_sweep_folder(out)
    table = table_of(run_all(points, out / POINTS_FOLDER, jobs, report))
    write_table(table, out / TABLE_FILE)
    return table


def require_sweep_folder(out: Path, kind: str = "sweep") -> None:
    """Raises an InputError if `out` exists and is neither an empty folder nor the folder of a sweep (or study)."""
    try:
        if os.path.lexists(out) and not (out / POINTS_FOLDER).is_dir() and (not out.is_dir() or any(out.iterdir())):
            raise InputError(f"{out}: exists already and is not the folder of a {kind}; name another one")
    except OSError as error:
        raise InputError(f"{out}: cannot be read: {error.strerror or error}") from None


def table_of(points: Sequence[FinishedPoint]) -> "pa.Table":
    """A row for each point: its labels, then its summary with nested keys joined by dots. Labels take precedence."""
    import pyarrow as pa

    rows = [dict(_cells(point.summary)) for point in points]
    rows = [{**point.labels, **row, **point.labels} for point, row in zip(points, rows, strict=True)]
    names = dict.fromkeys(name for row in rows for name in row)
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


def _parse_over(option: str) -> tuple[str, list[Override]]:
    key, equals, text = option.partition("=")
    values = list(_split(text))
    if not (key and equals and values):
        raise InputError(
            f"--over {in_one_line(option)}: must be KEY=VALUE,VALUE,…, "
            "as in run.seed=1..10 or machine.shape=[4,4],[8,8]"
        )
    return key.strip(), [override for value in values for override in _overrides(key.strip(), value)]


def _split(text: str) -> Iterator[str]:
    """The values of a list, split at the commas outside brackets and quotes."""
    depth, quote, start = 0, "", 0
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:index].strip()
            start = index + 1
    if last := text[start:].strip():
        yield last


def _overrides(key: str, value: str) -> Iterator[Override]:
    """The override of a single value, or one for each integer of a range such as 1..10."""
    origin = f"--over {in_one_line(key)}"
    ends = re.fullmatch(r"(-?[\d_]+)\s*\.\.\s*(-?[\d_]+)", value)
    if ends is None:
        path, parsed, _ = _parsed(key, value)
        yield path, parsed, origin
        return
    numbers = _range(*ends.groups())
    if not numbers or numbers[-1] - numbers[0] >= POINTS_LIMIT:
        raise InputError(
            f"{origin}={in_one_line(value)}: a range goes upwards, as in 1..10, "
            f"over fewer than {POINTS_LIMIT:,} numbers"
        )
    for integer in numbers:
        yield key, str(integer), origin


def _range(first: str, last: str) -> range:
    """The integers of a range; none if an end is no integer (`3_`) or has thousands of digits."""
    try:
        return range(int(first), int(last) + 1)
    except ValueError:
        return range(0)


def _parsed(key: str, value: str) -> Override:
    try:
        return override_of_option(f"{key}={value}")
    except InputError as error:
        raise InputError(str(error).replace("--set", "--over", 1)) from None


def _axis_of_values(key: object, values: object, caller: str) -> Iterator[Override]:
    if not isinstance(key, str) or not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
        raise InputError(f"over: {shown(key)}: {shown(values)} has to be a list of values for a key such as 'run.seed'")
    count = 0
    for count, value in enumerate(values, 1):
        if count > POINTS_LIMIT:
            raise InputError(f"over: {key}: has more than {POINTS_LIMIT:,} values")
        yield printable(key), to_json(value, key), f"{caller}(over={printable(key)})"
    if count == 0:
        raise InputError(f"over: {key}: has no values")


def _cells(summary: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in summary.items():
        if key == "outcome_detail":
            yield key, None if value is None else value.get("words")
        elif isinstance(value, Mapping):
            yield from flat(value, f"{key}.")
        else:
            yield key, value


def column(values: list[Any]) -> "pa.Array":
    """An Arrow column; values of mixed types are converted to JSON text."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError):
        return pa.array([value if isinstance(value, str) else json.dumps(value) for value in values])
