"""Plots of a result: utilization by direction and over time, and packet latencies."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter, StrMethodFormatter

from torusim.formatting import time_unit
from torusim.plots.of_communication import communication
from torusim.plots.style import COLORS, LINE_STYLES, Floats, draw_alone, numbers
from torusim.result import Result

if TYPE_CHECKING:
    import pyarrow as pa


FAR_BELOW_PEAK = 0.25
"""Utilization below which an axis up to 100 % would make the values unreadable."""

DIMENSIONS = "xyzuvw"
"""The names of dimensions, in order."""

LATENCY_BINS = 60

LATENCY_SHARE_SHOWN = 0.999
"""The few packets above this quantile wait very long; showing them would squeeze all others into one bin."""


def plot(result: Result, folder: Path, *, name: str, file_format: str = "png") -> list[Path]:
    """Draws every plot that the result has data for, and returns the files.

    Args:
        result: The result to draw.
        folder: An existing folder for the files.
        name: Name of the result in titles.
        file_format: One of `FORMATS`.
    """
    paths = {stem: folder / f"{stem}.{file_format}" for stem in PICTURES}
    return [paths[stem] for stem, draw in PICTURES.items() if draw_alone(partial(draw, result), name, paths[stem])]


def utilization_by_direction(result: Result, axes: Axes) -> bool:
    """Utilization of the links of each direction: the mean, and the range from least to most busy link."""
    links = result.table("links")
    directions = sorted(links.column("direction").unique().to_pylist(), key=_order_of_direction)
    groups = [_of_direction(links, direction) for direction in directions]
    if not groups:
        return False
    means = np.array([group.mean() for group in groups])
    ranges = [means - [group.min() for group in groups], [group.max() for group in groups] - means]
    colors = [COLORS[DIMENSIONS.index(direction[0]) % len(COLORS)] for direction in directions]
    axes.bar(directions, means, yerr=ranges, color=colors, capsize=4, error_kw={"linewidth": 1})
    axes.set_xlabel("direction of link")
    _percent_axis(axes, "time on the wire (% of peak)", whole=True)
    axes.set_title("Link utilization: mean, least and most busy link")
    return True


def utilization_over_time(result: Result, axes: Axes) -> bool:
    """Utilization of the links of each dimension over time."""
    series = result.table("series")
    if series.num_rows == 0:
        return False
    seconds_per_cycle = _seconds_per_cycle(result)
    middle = (numbers(series, "start_cycle") + numbers(series, "end_cycle")) / 2
    scale, unit = _time_axis(seconds_per_cycle, float(middle.max()))
    styles = zip(cycle(COLORS), cycle(LINE_STYLES), strict=False)
    for label, values in _by_dimension(series):
        color, style = next(styles)
        axes.plot(middle * scale, values, label=label, color=color, linestyle=style)
    axes.set_xlim(0, float(numbers(series, "end_cycle").max()) * scale)
    axes.set_xlabel(f"simulated time ({unit})")
    _percent_axis(axes, "time on the wire (% of peak)", whole=True)
    axes.set_title("Link utilization over time")
    axes.legend(ncols=4, fontsize=9)
    return True


def latency(result: Result, axes: Axes) -> bool:
    """Distribution of packet latency from injection to reception, with mean and 99th percentile."""
    buckets = result.table("latency")
    if buckets.num_rows == 0 or numbers(buckets, "packets").sum() == 0:
        return False
    heights, edges = _equal_bins(buckets)
    axes.stairs(heights, edges, fill=True, color=COLORS[5])
    for key, label, style in (("mean", "mean", "-"), ("p99", "99th percentile", "--")):
        if (value := result.summary.get(f"latency_cycles_{key}")) is not None:
            axes.axvline(value, color=COLORS[0], linestyle=style, label=f"{label}: {value:,.0f} cycles")
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlabel("latency of a packet (cycles; the slowest 0.1 % are not shown)")
    _percent_axis(axes, "share of packets (%)", whole=False)
    axes.set_title("Latency of packets")
    axes.legend(fontsize=9)
    return True


PICTURES: dict[str, Callable[[Result, Axes], bool]] = {
    "utilization-by-direction": utilization_by_direction,
    "utilization-over-time": utilization_over_time,
    "latency": latency,
    "communication": communication,
}
"""The function that draws each file, by file name; it returns False if there is nothing to draw."""


def _percent_axis(axes: Axes, label: str, *, whole: bool) -> None:
    """A vertical axis in percent, from 0; `whole` draws it up to 100 % unless the values are far below."""
    drawn_top = axes.get_ylim()[1]
    axes.set_ylim(0, 1.0 if whole and drawn_top > FAR_BELOW_PEAK else drawn_top)
    axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, symbol=""))
    axes.set_ylabel(label)


def _order_of_direction(direction: str) -> tuple[int, str]:
    """x+, x-, y+ …: the table of a mesh begins with a corner, which has only some of them."""
    return DIMENSIONS.index(direction[0]), direction[1:]


def _of_direction(links: "pa.Table", direction: str) -> Floats:
    return numbers(links.filter(pc.equal(links.column("direction"), direction)), "utilization")


def _by_dimension(series: "pa.Table") -> Iterable[tuple[str, Floats]]:
    """(label, utilization) of each dimension (the mean of its directions), and of all links."""
    directions = [name.removeprefix("utilization_") for name in series.column_names if name.startswith("utilization_")]
    for dimension in dict.fromkeys(direction[:-1] for direction in directions):
        own = [numbers(series, f"utilization_{name}") for name in directions if name[:-1] == dimension]
        yield dimension, np.mean(own, axis=0)
    yield "all links", numbers(series, "utilization")


def _equal_bins(buckets: "pa.Table") -> tuple[Floats, Floats]:
    """Shares and edges of bins of equal width, from buckets that grow with latency; each bucket is spread evenly."""
    low, packets = numbers(buckets, "low_cycles"), numbers(buckets, "packets")
    high = np.maximum(numbers(buckets, "high_cycles"), low + 1)
    share_below = np.concatenate([[0.0], np.cumsum(packets) / packets.sum()])
    cycles = np.column_stack([low, high]).ravel()
    shares = np.column_stack([share_below[:-1], share_below[1:]]).ravel()
    edges = np.linspace(low[0], np.interp(LATENCY_SHARE_SHOWN, shares, cycles), LATENCY_BINS + 1)
    return np.diff(np.interp(edges, cycles, shares)), edges


def _seconds_per_cycle(result: Result) -> float:
    cycles = result.summary.get("cycles") or 0
    return result.summary["seconds_simulated"] / cycles if cycles else 0.0


def _time_axis(seconds_per_cycle: float, last_cycle: float) -> tuple[float, str]:
    """(units per cycle, name of the unit); the unit is the cycle if its duration is not known."""
    if seconds_per_cycle == 0:
        return 1.0, "cycles"
    factor, unit = time_unit(seconds_per_cycle * last_cycle)
    return seconds_per_cycle * factor, unit
