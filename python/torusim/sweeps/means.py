"""Statistics over seeds: the mean of each value, and its interval, over runs that differ only in their seed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from torusim.common.formatting import number
from torusim.common.intervals import interval
from torusim.runs.storage import column

if TYPE_CHECKING:
    import pyarrow as pa

SEED_KEYS = ("run.seed", "seed")
"""Names of the seed: `run.seed` as a swept key, `seed` in summaries and in the points of studies."""

SEEDS = "seeds"
"""The column with the number of seeds."""

LISTED = ("outcome", "steadiness")
"""Columns of text in which all values that occur are listed."""

HALF_WIDTH = "_half_width"
"""The ending of the columns that contain half the width of an interval."""


def means_over_seeds(table: "pa.Table", keys: Sequence[str]) -> "pa.Table":
    """A row for each combination of the keys except the seed: these keys, `seeds`, and the statistics of each value.

    A numeric column VALUE contains the mean over the seeds. `VALUE_half_width`, which follows it, contains half the
    width of the mean's 95 % confidence interval, by Student's t. It is null for a single seed, and where all seeds give
    the same value. Both columns are null where a run lacks the value. Other values are kept where all seeds agree, and
    are null elsewhere; `outcome` and `steadiness` list all values that occur.

    Args:
        table: A row for each run.
        keys: The columns that distinguish runs.
    """
    import pyarrow as pa

    others = [key for key in keys if key not in SEED_KEYS]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        groups.setdefault(repr([row[key] for key in others]), []).append(row)
    kinds = {field.name: field.type for field in table.schema}
    numeric = {name for name, kind in kinds.items() if pa.types.is_integer(kind) or pa.types.is_floating(kind)}
    values = [name for name in table.column_names if name not in (*keys, *SEED_KEYS)]
    rows = [_row(runs, others, values, numeric) for runs in groups.values()]
    columns = {name: column([row[name] for row in rows]) for name in (rows[0] if rows else {})}
    return pa.table({name: array for name, array in columns.items() if array.null_count < len(rows)})


def has_several_seeds(table: "pa.Table", keys: Sequence[str]) -> bool:
    """Whether the rows have several seeds, and the seed is one of the `keys`."""
    return any(len(set(map(str, table.column(key).to_pylist()))) > 1 for key in SEED_KEYS if key in keys)


def with_interval(row: dict[str, Any], name: str) -> str:
    """The mean `name` of `row` with its interval, as text: "598.2 ± 7.7"."""
    value, half_width = row.get(name), row.get(f"{name}{HALF_WIDTH}")
    if not isinstance(value, int | float) or isinstance(value, bool):
        return "-" if value is None else str(value)
    return number(value) if half_width is None else f"{number(value)} ± {number(float(f'{half_width:.2g}'))}"


def _row(
    runs: Sequence[dict[str, Any]], keys: Sequence[str], values: Sequence[str], numeric: set[str]
) -> dict[str, Any]:
    row: dict[str, Any] = {**{key: runs[0][key] for key in keys}, SEEDS: len(runs)}
    for name in values:
        found = [run[name] for run in runs]
        if name in numeric:
            row |= _mean(name, found)
        elif name in LISTED:
            row[name] = ", ".join(dict.fromkeys(value for value in found if value is not None)) or None
        else:
            row[name] = found[0] if all(value == found[0] for value in found) else None
    return row


def _mean(name: str, values: Sequence[float | None]) -> dict[str, float | None]:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return {name: None, f"{name}{HALF_WIDTH}": None}
    found = interval(known).of_draws
    return {name: found.mean, f"{name}{HALF_WIDTH}": found.half_width}
