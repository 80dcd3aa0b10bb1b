"""Pictures of one run or several: utilization and stalls, also over time, and latencies.

Pictures that exist of a single run only are in other modules.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import pyarrow.compute as pc
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from torusim.common.formatting import number, time_unit
from torusim.common.units import Units
from torusim.pictures.plots import style
from torusim.pictures.plots.of_communication import communication
from torusim.pictures.plots.of_torus import order_of_direction, stall_map, utilization_map
from torusim.pictures.plots.picture import Picture, chosen, require_known
from torusim.pictures.plots.style import Floats, Look, numbers
from torusim.pictures.plots.window import EVERYTHING, Window
from torusim.runs.hot import live_links
from torusim.runs.result import DIMENSIONS

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.runs.result import Result

Runs: TypeAlias = "Mapping[str, Result]"
"""The runs of a picture, by the names that distinguish them."""

UTILIZATION = "link utilization (%)"

FAR_BELOW_PEAK = 0.25
"""Utilization below which an axis up to 100 % would make the values unreadable."""

MOST_BINS = 60
"""Points of a line over time, each the mean of as many rows. A transfer is counted in the cycle in which it begins,
which shows as a ripple in intervals that last only a few packets."""

MARKED = (("mean", "mean", "o"), ("p99", "99th percentile", "s"))
"""Key, name and marker of the values that are marked on a distribution of latencies."""

LOG_FROM_RATIO = 10
"""Ratio of the largest to the smallest latency from which the axis is logarithmic."""


@style.in_style
def draw_runs(runs: Runs, *, only: str | None = None, window: Window = EVERYTHING) -> list[Picture]:
    """Every picture that the runs have data for.

    Args:
        runs: One run or several, by name.
        only: The one picture to draw; None draws all.
        window: The part of time that is shown, in cycles.

    Raises:
        InputError: If `only` is no picture of a run, or a table cannot be read.
    """
    require_known(only, PICTURES, "a run")
    return chosen(PICTURES, runs, window, only)


def utilization_by_direction(runs: Runs, _window: Window = EVERYTHING) -> Axes | None:
    """Utilization of the links of each direction: their mean, middle half and range."""
    tables = {name: live_links(run.table("links")) for name, run in runs.items()}
    found = {direction for links in tables.values() for direction in links.column("direction").unique().to_pylist()}
    directions = sorted(found, key=order_of_direction)
    if not directions:
        return None
    figure, (axes,) = style.panels()
    step = 0.8 / len(tables)
    for index, ((name, links), look) in enumerate(zip(tables.items(), style.looks(), strict=False)):
        middle = np.arange(len(directions), dtype=np.float64) + (index - (len(tables) - 1) / 2) * step
        _draw_spread(axes, middle, [_of_direction(links, direction) for direction in directions], look, name)
    axes.set_xticks(range(len(directions)), directions)
    axes.set_xlim(-0.5, len(directions) - 0.5)
    axes.grid(visible=False, axis="x")
    style.label_axis(axes.xaxis, "direction of the link")
    _utilization_axis(axes)
    style.legend(figure, _spread_handles() if len(tables) == 1 else None)
    return axes


def stalls_by_dimension(runs: Runs, _window: Window = EVERYTHING) -> Axes | None:
    """Stall events of all links of each dimension."""
    counts = {name: run.summary.get("token_stalls_by_dimension") or {} for name, run in runs.items()}
    dimensions = [name for name in DIMENSIONS if any(name in stalls for stalls in counts.values())]
    if not any(any(stalls.values()) for stalls in counts.values()):
        return None
    figure, (axes,) = style.panels()
    step = 0.8 / len(counts)
    for index, ((name, stalls), look) in enumerate(zip(counts.items(), style.looks(), strict=False)):
        middle = np.arange(len(dimensions), dtype=np.float64) + (index - (len(counts) - 1) / 2) * step
        heights = [stalls.get(dimension, 0) for dimension in dimensions]
        axes.bar(middle, heights, width=0.9 * step, color=look.color, label=name)
    axes.set_xticks(range(len(dimensions)), dimensions)
    axes.grid(visible=False, axis="x")
    style.label_axis(axes.xaxis, "dimension of the link")
    style.number_axis(axes.yaxis, "stalls for tokens")
    if len(counts) > 1:
        style.legend(figure)
    return axes


def utilization_over_time(runs: Runs, window: Window = EVERYTHING) -> Axes | None:
    """Utilization over time: of one run by dimension, of several runs over all links."""
    tables = {name: run.table("series") for name, run in runs.items() if "series" in run.tables}
    tables = {name: series for name, series in tables.items() if series.num_rows}
    if not tables:
        return None
    seconds, ratios = _lengths_of_cycles({name: runs[name] for name in tables})
    last = max(ratios[name] * float(numbers(series, "end_cycle").max()) for name, series in tables.items())
    first, last = window.in_cycles(seconds).within(0, last)
    scale, unit = _time_axis(seconds, last)
    figure, (axes,) = style.panels()
    if len(tables) == 1:
        lines = list(_by_dimension(next(iter(tables.values()))))
    else:
        lines = [_OverTime(name, series, ["utilization"], ratios[name]) for name, series in tables.items()]
    styles = style.looks()
    for line in lines:
        cycles, values = _binned(line.series, line.columns, first / line.ratio, last / line.ratio)
        cycles *= line.ratio
        if line.label == ALL_LINKS:
            axes.plot(cycles * scale, values, label=line.label, color="black", linewidth=ALL_LINKS_POINTS)
        else:
            look = next(styles)
            axes.plot(cycles * scale, values, label=line.label, color=look.color, linestyle=look.line)
    axes.set_xlim(first * scale, last * scale)
    style.number_axis(axes.xaxis, f"time ({unit})")
    _utilization_axis(axes)
    style.legend(figure)
    return axes


def latency(runs: Runs, _window: Window = EVERYTHING) -> Axes | None:
    """Share of packets whose latency is longer than x (complementary distribution), on logarithmic axes."""
    tables = {name: run.table("latency") for name, run in runs.items() if "latency" in run.tables}
    tables = {name: buckets for name, buckets in tables.items() if buckets.num_rows and _packets(buckets) > 0}
    if not tables:
        return None
    scales, unit = _scales_of_latencies({name: runs[name] for name in tables}, tables)
    figure, (axes,) = style.panels()
    for (name, buckets), look in zip(tables.items(), style.looks(), strict=False):
        cycles, longer = _complementary(buckets)
        times = scales[name] * cycles
        axes.plot(times, longer, label=name, color=look.color, linestyle=look.line)
        for label, mark, value in _marked(runs[name], cycles):
            height = np.interp(value, cycles, longer)
            text = f"{label}: {_in_words(scales[name] * value, unit)}" if len(tables) == 1 else "_"
            axes.plot(scales[name] * value, height, linestyle="", marker=mark, color=look.color, label=text)
    style.log_axis(axes.yaxis, "")
    style.percent_axis(axes.yaxis, "slower packets (%)")
    low, high = axes.get_xlim()
    text = f"packet latency ({unit})"
    shortest, longest = _range_of_latencies(tables, scales)
    if low <= 0 or longest > LOG_FROM_RATIO * shortest:
        axes.set_xlim(shortest * 0.9, high)
        style.log_axis(axes.xaxis, text)
    else:
        style.number_axis(axes.xaxis, text)
    handles, labels = axes.get_legend_handles_labels()
    entries = [handle for handle, label in zip(handles, labels, strict=True) if len(tables) > 1 or label != name]
    style.legend(figure, [*entries, *(_marks_in_gray() if len(tables) > 1 else [])])
    return axes


PICTURES: Mapping[str, Callable[[Runs, Window], Axes | None]] = {
    "utilization-by-direction": utilization_by_direction,
    "utilization-over-time": utilization_over_time,
    "utilization-map": utilization_map,
    "stalls-by-dimension": stalls_by_dimension,
    "stall-map": stall_map,
    "latency": latency,
    "communication": communication,
}
"""The function that draws each picture, by name; it returns None if there is nothing to draw."""


ALL_LINKS = "all links"

ALL_LINKS_POINTS = 2.0
"""Width of the line of all links, which distinguishes it from the lines of the dimensions in gray."""


class _OverTime(NamedTuple):
    """A line over time: the mean of some columns of a series, whose cycles are a ratio of those of the axis."""

    label: str
    series: "pa.Table"
    columns: Sequence[str]
    ratio: float = 1.0


def _draw_spread(axes: Axes, places: Floats, groups: Sequence[Floats], look: Look, name: str) -> None:
    """The mean of each group as a mark, its middle half as a thick line, its range as a thin one."""
    present = [(place, group) for place, group in zip(places, groups, strict=True) if len(group)]
    for place, group in present:
        low, high = np.percentile(group, [25, 75])
        axes.vlines(place, group.min(), group.max(), color=look.color, linewidth=0.8)
        axes.vlines(place, low, high, color=look.color, linewidth=3, alpha=0.45)
    axes.plot(
        [place for place, _ in present],
        [group.mean() for _, group in present],
        linestyle="",
        marker=look.mark,
        color=look.color,
        label=name,
    )


def _spread_handles() -> list[Line2D]:
    color = next(style.looks()).color
    return [
        Line2D([], [], color=color, linestyle="", marker="o", label="mean"),
        Line2D([], [], color=color, linewidth=3, alpha=0.45, label="middle half"),
        Line2D([], [], color=color, linewidth=0.8, label="all links"),
    ]


def _utilization_axis(axes: Axes) -> None:
    """An axis of utilization from 0, up to 100 % unless the values are far below."""
    top = axes.dataLim.y1
    axes.set_ylim(0, 1.0 if top > FAR_BELOW_PEAK else 1.1 * top if top > 0 else None)
    style.percent_axis(axes.yaxis, UTILIZATION)


def _of_direction(links: "pa.Table", direction: str) -> Floats:
    return numbers(links.filter(pc.equal(links.column("direction"), direction)), "utilization")


def _by_dimension(series: "pa.Table") -> Iterable[_OverTime]:
    """The mean of each dimension's directions, and the mean of all links."""
    columns = [name for name in series.column_names if name.startswith("utilization_")]
    names = list(dict.fromkeys(name.removeprefix("utilization_")[:-1] for name in columns))
    for dimension in names:
        own = [name for name in columns if name.removeprefix("utilization_")[:-1] == dimension]
        yield _OverTime(dimension, series, own)
    if len(names) != 1:
        yield _OverTime(ALL_LINKS, series, ["utilization"])


def _binned(series: "pa.Table", columns: Sequence[str], first: float, last: float) -> tuple[Floats, Floats]:
    """Middle cycles of at most `MOST_BINS` groups of as many rows each, and the means of the columns, by time."""
    starts, ends = numbers(series, "start_cycle"), numbers(series, "end_cycle")
    rows = np.flatnonzero((ends > first) & (starts < last))
    values = np.mean([numbers(series, column) for column in columns], axis=0)
    size = max(-(-len(rows) // MOST_BINS), 1)
    groups = [rows[first : first + size] for first in range(0, len(rows), size)]
    cycles = np.maximum(ends - starts, 1)
    middle = np.array([(starts[group[0]] + ends[group[-1]]) / 2 for group in groups])
    return middle, np.array([np.average(values[group], weights=cycles[group]) for group in groups])


def _packets(buckets: "pa.Table") -> float:
    return float(numbers(buckets, "packets").sum())


def _complementary(buckets: "pa.Table") -> tuple[Floats, Floats]:
    """(cycles, share of packets whose latency is longer), in ascending order, without the last share, which is 0."""
    order = np.argsort(numbers(buckets, "low_cycles"), kind="stable")
    packets = numbers(buckets, "packets")[order]
    longer = 1 - np.cumsum(packets) / packets.sum()
    cycles = np.concatenate([numbers(buckets, "low_cycles")[order][:1], numbers(buckets, "high_cycles")[order]])
    is_shown = np.concatenate([[True], longer > 0.5 / packets.sum()])
    return cycles[is_shown], np.concatenate([[1.0], longer])[is_shown]


def _marked(run: "Result", cycles: Floats) -> Iterator[tuple[str, str, float]]:
    """(label, marker, cycles) of the mean and the 99th percentile, which are marked on a line."""
    for key, label, mark in MARKED:
        value = run.summary.get(f"latency_cycles_{key}")
        if value is not None and cycles[0] <= value <= cycles[-1]:
            yield label, mark, value


def _in_words(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if unit == Units.CYCLES else f"{number(value)} {unit}"


def _scales_of_latencies(runs: Runs, tables: Mapping[str, "pa.Table"]) -> tuple[dict[str, float], str]:
    """(unit of the axis in a cycle of each run, name of the unit)."""
    units = _units_of(runs)
    if units is Units.CYCLES:
        return dict.fromkeys(runs, 1.0), units
    nanoseconds = {name: 1e9 * _seconds_per_cycle(run) for name, run in runs.items()}
    factor, unit = units.time_axis(_range_of_latencies(tables, nanoseconds)[1])
    return {name: factor * each for name, each in nanoseconds.items()}, unit


def _range_of_latencies(tables: Mapping[str, "pa.Table"], scales: Mapping[str, float]) -> tuple[float, float]:
    """The shortest latency, of a cycle or more, and the longest, times the scale of each run."""
    lows = [scales[name] * max(float(numbers(each, "low_cycles").min()), 1.0) for name, each in tables.items()]
    highs = [scales[name] * float(numbers(each, "high_cycles").max()) for name, each in tables.items()]
    return min(lows), max(highs)


def _marks_in_gray() -> list[Line2D]:
    """Entries of the legend for the marks on all lines."""
    return [Line2D([], [], color=style.GRAY, linestyle="", marker=mark, label=label) for _, label, mark in MARKED]


def _lengths_of_cycles(runs: Runs) -> tuple[float, dict[str, float]]:
    """(seconds of a cycle of the first run, length of a cycle of each run in cycles of the first).

    The seconds are 0 if the axis counts cycles: if they are unknown, or differ between runs in cycles.
    """
    each = {name: _seconds_per_cycle(run) for name, run in runs.items()}
    seconds = next(iter(each.values()))
    if seconds and all(abs(other / seconds - 1) <= 1e-6 for other in each.values()):
        return seconds, dict.fromkeys(runs, 1.0)
    if all(each.values()) and _units_of(runs) is Units.PHYSICAL:
        return seconds, {name: other / seconds for name, other in each.items()}
    return 0.0, dict.fromkeys(runs, 1.0)


def _units_of(runs: Runs) -> Units:
    return Units.of(*(run.summary for run in runs.values()))


def _time_axis(seconds: float, last_cycle: float) -> tuple[float, str]:
    """(units per cycle, name of the unit); the unit is the cycle if its length is 0."""
    if seconds == 0:
        return 1.0, "cycles"
    factor, unit = time_unit(seconds * last_cycle)
    return seconds * factor, unit


def _seconds_per_cycle(run: "Result") -> float:
    cycles = run.summary.get("cycles") or 0
    return float(run.summary["seconds_simulated"]) / cycles if cycles else 0.0
