"""Draws a load-latency curve: latency above, accepted below, both against offered load.

A load that is saturated, or has not settled, has no latency. The lowest saturated load is a cross at the upper edge of
the latencies; all of them are crosses among the accepted ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from torusim._core import InputError
from torusim.plots.style import COLORS, LINE_STYLES, MARKS, STYLE

FORMATS = ("png", "svg", "pdf")
"""The file formats of a curve's picture."""

INCHES = (3.33, 3.9)
"""A column of a two-column paper wide, with up to two rows of a legend."""

LEGEND_ROW_INCHES = 0.15

OWN_STYLE: Any = {
    **STYLE,
    "font.size": 8,
    "legend.fontsize": 7,
    "axes.labelsize": 8,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.5,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,
}

WITHOUT_TIMES: Mapping[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Metadata by which equal pictures are bit-identical files."""

BEYOND = 1.25
"""Right end of the axis of loads, as a multiple of the highest saturation: an overload far beyond it is left out."""

QUANTILES = (("p50", "median", (0, (4, 1.5))), ("p99", "99th percentile", (0, (1, 1.2))))
"""Key, name and line style of each quantile; the mean is a solid line."""

GRAY = "#666666"

ONE_ROW_CHARACTERS, HALF_ROW_CHARACTERS = 30, 28
"""Characters of a legend that fit into one row, and into half of one."""

Range = tuple[float, float, float]
"""The mean over seeds, the least and the greatest value."""


@dataclass(frozen=True)
class Line:
    """The loads of a configuration, in ascending order.

    Attributes:
        name: The configuration in the legend; empty if there is only one.
        offered: Offered load of each, in bytes per node per cycle.
        accepted: Accepted of each, in the same unit.
        saturated: Whether each is saturated.
        latency: Latencies of each in cycles, by "mean", "p50" and "p99"; None where there is none.
    """

    name: str
    offered: Sequence[float]
    accepted: Sequence[Range]
    saturated: Sequence[bool]
    latency: Mapping[str, Sequence[Range | None]]

    @property
    def saturation(self) -> float | None:
        """The lowest saturated load."""
        loads = zip(self.offered, self.saturated, strict=True)
        return min((load for load, is_saturated in loads if is_saturated), default=None)


def draw_curve(lines: Sequence[Line]) -> Figure:
    """The picture of one or several configurations."""
    with rc_context(OWN_STYLE):
        figure = Figure(figsize=INCHES, layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.4, 1))
        quantiles = QUANTILES if len(lines) == 1 else QUANTILES[1:]
        for index, line in enumerate(lines):
            color, mark = COLORS[index % len(COLORS)], MARKS[(index + index // len(COLORS)) % len(MARKS)]
            _draw_latency(line, above, color, mark, quantiles)
            _draw_accepted(line, below, color, mark)
        _set_axes(lines, above, below)
        _draw_legend(figure, [*above.get_legend_handles_labels()[0], *_entries_in_gray(lines, quantiles)])
    return figure


def save_curve(figure: Figure, path: Path) -> None:
    """Writes a picture in the format of its suffix.

    Raises:
        InputError: If the suffix is not one of `FORMATS`, or the file cannot be written.
    """
    if path.suffix.removeprefix(".") not in FORMATS:
        raise InputError(f"{path}: must end in {', '.join(f'.{name}' for name in FORMATS)}")
    try:
        with rc_context(OWN_STYLE):
            figure.savefig(path, metadata=WITHOUT_TIMES.get(path.suffix))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def _draw_latency(line: Line, axes: Axes, color: str, mark: str, quantiles: Sequence[tuple[str, str, Any]]) -> None:
    _draw_band(line.offered, line.latency["mean"], axes, color)
    for key, _, style in quantiles:
        _draw_band(line.offered, line.latency[key], axes, color)
        axes.plot(line.offered, _middles(line.latency[key]), color=color, linestyle=style, linewidth=0.9)
    axes.plot(line.offered, _middles(line.latency["mean"]), color=color, marker=mark, label=line.name or "mean")
    if line.saturation is not None:
        edge: Any = {"transform": axes.get_xaxis_transform(), "clip_on": False, "zorder": 5}
        axes.plot([line.saturation], [1.0], color=color, marker="x", markersize=5, **edge)


def _draw_accepted(line: Line, axes: Axes, color: str, mark: str) -> None:
    _draw_band(line.offered, line.accepted, axes, color)
    middles = _middles(line.accepted)
    axes.plot(line.offered, middles, color=color)
    for is_saturated, shape in ((False, mark), (True, "x")):
        chosen = [index for index, state in enumerate(line.saturated) if state is is_saturated]
        axes.plot(np.asarray(line.offered)[chosen], middles[chosen], color=color, linestyle="", marker=shape)


def _draw_band(offered: Sequence[float], ranges: Sequence[Range | None], axes: Axes, color: str) -> None:
    lows, highs = (np.array([np.nan if item is None else item[side] for item in ranges]) for side in (1, 2))
    axes.fill_between(offered, lows, highs, color=color, alpha=0.25, linewidth=0)


def _middles(ranges: Sequence[Range | None]) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.array([np.nan if item is None else item[0] for item in ranges])


def _set_axes(lines: Sequence[Line], above: Axes, below: Axes) -> None:
    saturations = [line.saturation for line in lines if line.saturation is not None]
    greatest = max(load for line in lines for load in line.offered)
    end = min(greatest, BEYOND * max(saturations)) if saturations else greatest
    above.set(ylabel="latency (cycles)" if len(lines) == 1 else "mean latency (cycles)")
    if any(latency is not None for line in lines for latency in line.latency["mean"]):
        above.set(yscale="log")
        above.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        above.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
        above.yaxis.set_minor_formatter(NullFormatter())
    below.plot([0, end], [0, end], color=GRAY, linestyle=LINE_STYLES[0], linewidth=0.6, zorder=0.5)
    below.set(xlabel="offered load (bytes/node/cycle)", ylabel="accepted\n(bytes/node/cycle)")
    accepted = max(item[2] for line in lines for item in line.accepted)
    below.set(xlim=(0, 1.03 * end), ylim=(0, 1.08 * min(end, accepted)))


def _entries_in_gray(lines: Sequence[Line], quantiles: Sequence[tuple[str, str, Any]]) -> list[Line2D]:
    """Entries of the legend for what all configurations have."""
    entries = [Line2D([], [], color=GRAY, linestyle=style, linewidth=0.9, label=label) for _, label, style in quantiles]
    if any(line.saturation is not None for line in lines):
        entries.append(Line2D([], [], color=GRAY, marker="x", linestyle="", label="saturated"))
    return entries


def _draw_legend(figure: Figure, entries: Sequence[Any]) -> None:
    longest = max(len(entry.get_label()) for entry in entries)
    columns = len(entries) if longest * len(entries) < ONE_ROW_CHARACTERS else 2 if longest < HALF_ROW_CHARACTERS else 1
    figure.set_figheight(INCHES[1] + LEGEND_ROW_INCHES * max(0, ceil(len(entries) / columns) - 2))
    legend = figure.legend(handles=entries, loc="outside upper center", ncols=columns, handlelength=2.4)
    for text in legend.get_texts():
        text.set_parse_math(False)
