"""Pictures of a sweep: a value of the summary over one swept key, with a line for each combination of the others."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from torusim._core import InputError
from torusim.common.formatting import shown
from torusim.common.quantities import axis_of
from torusim.common.units import Units
from torusim.pictures.plots import style
from torusim.pictures.plots.picture import Picture
from torusim.pictures.plots.quantities import (
    Quantity,
    in_words,
    label_of,
    name_of,
    quantity_in,
    quantity_up_to,
)

if TYPE_CHECKING:
    import pyarrow as pa

SEED = "run.seed"
"""The key whose values are repetitions. They are shown by their mean and range, unless no other key was swept."""

SHOWN = ("latency_cycles_mean", "percent_of_peak", "cycles")
"""The values that are drawn if none is chosen. `cycles` is drawn only if runs end by themselves, not at a set time."""

LOG_FROM_RATIO = 20
"""An axis is logarithmic if the ratio of its largest to its smallest value is above this."""

MOST_TICKS = 12
"""The maximum number of integer values that each get a tick."""

SATURATED = "saturated"


@dataclass(frozen=True)
class Choice:
    """The columns of a sweep to draw. For fields that are None or empty, `draw_sweep` chooses.

    Attributes:
        x: The key of the horizontal axis.
        y: The values of the summary to draw, each in a picture of its own.
        by: The keys for whose combinations of values there are separate lines.
    """

    x: str | None = None
    y: tuple[str, ...] = ()
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Line:
    """The points of a line: the values of `x` in order, and for each of them all values of `y`."""

    label: str
    x: list[Any]
    y: list[style.Floats]
    is_saturated: list[bool]


@style.in_style
def draw_sweep(
    table: "pa.Table", keys: Sequence[str], choice: Choice = Choice(), units: Units = Units.CYCLES
) -> list[Picture]:
    """Draws a picture for each chosen value of the summary.

    Args:
        table: The sweep, a row for each point.
        keys: The swept keys, which are columns of the table.
        choice: The columns to draw.
        units: The units of times and rates.

    Raises:
        InputError: If a chosen column is missing or holds no numbers, or if nothing can be drawn.
    """
    x, by, values = _resolved(table, keys, choice, units)
    table, axis = _with_numbers(table, x)
    drawn = []
    for y in values:
        figure: Any = _draw(table, x, axis, y, by).figure
        drawn.append(Picture(f"sweep-{re.sub(r'[^A-Za-z0-9+-]+', '-', y)}", figure))
    if not drawn:
        raise InputError("the sweep has no value to draw: all of its points lack latency, throughput and cycles")
    return drawn


def _with_numbers(table: "pa.Table", x: str) -> tuple["pa.Table", Quantity]:
    """The table and the axis of a key. Where its values were written with units, they are numbers in one unit."""
    column = table.column(x).to_pylist()
    if (written := axis_of(column)) is not None:
        return table.set_column(table.column_names.index(x), x, [written[0]]), quantity_in(x, written[1])
    numbers = [value for value in column if value is not None] if _is_numeric(table, x) else [0.0]
    return table, quantity_up_to(x, max(numbers))


def _resolved(table: "pa.Table", keys: Sequence[str], choice: Choice, units: Units) -> tuple[str, list[str], list[str]]:
    for option, names in (("x", [] if choice.x is None else [choice.x]), ("y", choice.y), ("by", choice.by)):
        for name in names:
            _require_column(table, keys, option, name)
    varying = [key for key in keys if len(_distinct(table, key)) > 1] or list(keys)
    free = [key for key in varying if key != SEED and key not in choice.by]
    x = choice.x or _best_axis(table, free or [key for key in varying if key not in choice.by])
    by = list(choice.by) or [key for key in free if key != x]
    return x, by, _values(table, choice.y, units)


def _require_column(table: "pa.Table", keys: Sequence[str], option: str, name: object) -> None:
    columns = table.column_names
    if not isinstance(name, str) or name not in columns:
        close = _close_matches(name, columns) if isinstance(name, str) else []
        hint = f"did you mean {' or '.join(close)}?" if close else f"the swept keys are {', '.join(keys) or 'none'}"
        raise InputError(f"{option} = {shown(name)}: the sweep has no such column; {hint}")
    if option == "y" and not _is_numeric(table, name):
        raise InputError(f"{option} = {name!r}: this column holds no numbers")


def _close_matches(name: str, columns: Sequence[str]) -> list[str]:
    """Columns whose last part is `name`; else columns with similar names; else columns that contain `name`."""
    if ends := [column for column in columns if column.endswith(f".{name}")]:
        return ends[:3]
    similar = difflib.get_close_matches(name, columns, n=3, cutoff=0.6)
    return similar or [column for column in columns if name and name in column][:3]


def _best_axis(table: "pa.Table", keys: Sequence[str]) -> str:
    """The key for the horizontal axis: the one with the most values, preferably numeric."""
    if not keys:
        raise InputError("the sweep has no swept key: choose the horizontal axis")

    def has_order(key: str) -> bool:
        return _is_numeric(table, key) or axis_of(table.column(key).to_pylist()) is not None

    return max(keys, key=lambda key: (has_order(key), len(_distinct(table, key))))


def _values(table: "pa.Table", chosen: Sequence[str], units: Units) -> list[str]:
    names = chosen or [name for name in SHOWN if name != "cycles" or _ends_by_itself(table)]
    known = [other if (other := units.key(name)) in table.column_names else name for name in names]
    return list(dict.fromkeys(name for name in known if chosen or _has_numbers(table, name)))


def _has_numbers(table: "pa.Table", name: str) -> bool:
    return name in table.column_names and _is_numeric(table, name)


def _ends_by_itself(table: "pa.Table") -> bool:
    if "measured_cycles" not in table.column_names:
        return False
    return bool(table.column("cycles").equals(table.column("measured_cycles")))


def _is_numeric(table: "pa.Table", name: str) -> bool:
    values = [value for value in table.column(name).to_pylist() if value is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _distinct(table: "pa.Table", key: str) -> list[Any]:
    """The distinct values of a key, in order of first appearance."""
    return list({in_words(value): value for value in table.column(key).to_pylist()}.values())


def _draw(table: "pa.Table", x: str, axis: Quantity, y: str, by: Sequence[str]) -> Axes:
    """Draws one picture. Over a numeric axis the marks are joined by lines; over names they stand alone.

    A band or bar spans the smallest to the largest value at each mark.
    """
    ordinate = quantity_up_to(y, max(value for value in table.column(y).to_pylist() if value is not None))
    lines = list(_lines(table, x, (y, ordinate.factor), by))
    is_numeric = _is_numeric(table, x)
    places = None if is_numeric else {in_words(value): float(i) for i, value in enumerate(_distinct(table, x))}
    figure, (axes,) = style.panels()
    for index, (line, look) in enumerate(zip(lines, style.looks(), strict=False)):
        if places is None:
            at = np.array(line.x, dtype=np.float64) * axis.factor
        else:
            shift = 0.5 * ((index + 0.5) / len(lines) - 0.5)
            at = np.array([places[in_words(value)] + shift for value in line.x])
        _draw_line(axes, at, line, look, is_joined=is_numeric)
    if places is not None:
        axes.set_xticks(list(places.values()), [name_of(x, value) for value in places], parse_math=False)
        axes.set_xlim(-0.5, len(places) - 0.5)
        axes.grid(visible=False, axis="x")
        style.label_axis(axes.xaxis, axis.label)
    _scale(axes, axis.label, ordinate.label, is_numeric=is_numeric)
    if is_numeric:
        _tick_few_integers(axes, _distinct(table, x))
    _legend_of(axes, lines)
    figure.align_labels()
    return axes


def _lines(table: "pa.Table", x: str, scaled: tuple[str, float], by: Sequence[str]) -> Iterator[_Line]:
    y, factor = scaled
    rows = table.select(list(dict.fromkeys([x, y, *by]))).to_pylist()
    states = table.column("steadiness").to_pylist() if "steadiness" in table.column_names else [None] * len(rows)
    groups: dict[tuple[str, ...], dict[str, list[tuple[Any, Any, bool]]]] = {}
    for row, state in zip(rows, states, strict=True):
        if row[x] is not None and row[y] is not None:
            line = groups.setdefault(tuple(in_words(row[key]) for key in by), {})
            line.setdefault(in_words(row[x]), []).append((row[x], row[y], state == SATURATED))
    for values, points in groups.items():
        ordered = list(points.values())
        if all(isinstance(point[0][0], int | float) for point in ordered):
            ordered.sort(key=lambda point: point[0][0])
        yield _Line(
            label=label_of(dict(zip(by, values, strict=True))),
            x=[point[0][0] for point in ordered],
            y=[factor * np.array([value for _, value, _ in point], dtype=np.float64) for point in ordered],
            is_saturated=[any(saturated for *_, saturated in point) for point in ordered],
        )


def _draw_line(axes: Axes, at: style.Floats, line: _Line, look: style.Look, *, is_joined: bool) -> None:
    means = np.array([values.mean() for values in line.y])
    low, high = (np.array([end(values) for values in line.y]) for end in (np.min, np.max))
    axes.plot(at, means, color=look.color, linestyle=look.line if is_joined else "", marker=look.mark, label=line.label)
    if is_joined and len(at) > 1:
        axes.fill_between(at, low, high, color=look.color, alpha=0.2, linewidth=0)
    else:
        axes.vlines(at, low, high, color=look.color, linewidth=0.8)
    hollow = np.array(line.is_saturated)
    if hollow.any():
        axes.plot(at[hollow], means[hollow], linestyle="", marker=look.mark, color=look.color, markerfacecolor="white")


def _scale(axes: Axes, across: str, label: str, *, is_numeric: bool) -> None:
    """Makes axes logarithmic where values span decades. Percentages go from 0, up to 100 unless all are small."""
    low, high = axes.dataLim.y0, axes.dataLim.y1
    if "(%" in label:
        style.number_axis(axes.yaxis, label)
        axes.set_ylim(0, 105 if high > 25 else None)
    elif low > 0 and high > LOG_FROM_RATIO * low:
        style.log_axis(axes.yaxis, label)
    else:
        style.number_axis(axes.yaxis, label)
        axes.set_ylim(bottom=0 if low >= 0 else None)
    if is_numeric:
        left, right = axes.dataLim.x0, axes.dataLim.x1
        draw_axis = style.log_axis if left > 0 and right > LOG_FROM_RATIO * left else style.number_axis
        draw_axis(axes.xaxis, across)


def _tick_few_integers(axes: Axes, values: Sequence[Any]) -> None:
    """Puts ticks only at the values of an integer key, if there is room for all of them."""
    present = sorted(value for value in values if value is not None)
    if len(present) > MOST_TICKS or not all(isinstance(value, int) for value in present):
        return
    places = axes.transData.transform([(value, 1.0) for value in present])[:, 0] / axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    needed = style.GAP_INCHES + style.CHARACTER_INCHES * len(f"{present[-1]:,}")
    if np.diff(places).min(initial=np.inf) >= needed:
        axes.set_xticks(present)
        axes.set_xticks([], minor=True)


def _legend_of(axes: Axes, lines: Sequence[_Line]) -> None:
    handles: list[Any] = [handle for handle in axes.get_lines() if not str(handle.get_label()).startswith("_")]
    handles = [handle for handle in handles if handle.get_label()]
    if any(any(line.is_saturated) for line in lines):
        mark = Line2D([], [], linestyle="", marker="o", color=style.GRAY, markerfacecolor="white", label=SATURATED)
        handles.append(mark)
    style.legend(axes.figure, handles)  # type: ignore[arg-type]
