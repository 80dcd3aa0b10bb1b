"""Picture of a load-latency curve: latency above, accepted below, both against offered load.

A load that is saturated, or has not settled, has no latency. The upper panel marks the lowest saturated load by a cross
at its upper edge, and the lower panel marks every saturated load by a cross.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from torusim.pictures.plots import style
from torusim.pictures.plots.picture import Picture
from torusim.pictures.plots.quantities import label_of

BEYOND = 1.25
"""Right end of the axis of loads, as a multiple of the highest saturation: loads far beyond it are left out."""

QUANTILES = (("p50", "median", (0, (4, 1.5))), ("p99", "99th percentile", (0, (1, 1.2))))
"""Key, name and line style of each quantile; the mean is a solid line."""

Range = tuple[float, float, float]
"""A mean over seeds, and the ends of its band."""


@dataclass(frozen=True)
class Line:
    """The loads of a configuration, in ascending order.

    Attributes:
        labels: The values of the swept keys, which distinguish the configuration from others.
        offered: The offered loads.
        accepted: The accepted loads, in the same unit.
        saturated: Whether each load is saturated.
        latency: The latencies of the loads, by "mean", "p50" and "p99"; None where a load has none.
    """

    labels: Mapping[str, Any]
    offered: Sequence[float]
    accepted: Sequence[Range]
    saturated: Sequence[bool]
    latency: Mapping[str, Sequence[Range | None]]

    @property
    def name(self) -> str:
        """The configuration in the legend; empty if no key was swept."""
        return label_of(self.labels)

    @property
    def saturation(self) -> float | None:
        """The lowest saturated load."""
        loads = zip(self.offered, self.saturated, strict=True)
        return min((load for load, is_saturated in loads if is_saturated), default=None)


@style.in_style
def draw_curve(
    lines: Sequence[Line],
    units: tuple[str, str] = ("bytes/node/cycle", "cycles"),
    *,
    has_quantiles: bool = True,
    band: str = "",
) -> Picture:
    """The picture of one or several configurations.

    Args:
        lines: The configurations.
        units: The units of loads and of latencies.
        has_quantiles: Whether the 99th percentile is drawn, and the median too if there is one configuration.
        band: The legend's words for the bands.
    """
    figure, (above, below) = style.panels(2, sharex="col")
    quantiles = (QUANTILES if len(lines) == 1 else QUANTILES[1:]) if has_quantiles else ()
    for line, look in zip(lines, style.looks(), strict=False):
        _draw_latency(line, above, look, quantiles)
        _draw_accepted(line, below, look)
    _set_axes(lines, units, above, below)
    figure.align_labels()
    style.legend(figure, [*above.get_legend_handles_labels()[0], *_entries_in_gray(lines, quantiles, band)])
    return Picture("curve", figure)


def _draw_latency(line: Line, axes: Axes, look: style.Look, quantiles: Sequence[tuple[str, str, Any]]) -> None:
    _draw_band(line.offered, line.latency["mean"], axes, look.color)
    for key, _, dashes in quantiles:
        _draw_band(line.offered, line.latency[key], axes, look.color)
        middles = _middles(line.latency[key])
        axes.plot(line.offered, middles, color=look.color, linestyle=dashes, linewidth=0.9, **_hollow(look))
    means = _middles(line.latency["mean"])
    axes.plot(line.offered, means, color=look.color, marker=look.mark, label=line.name)
    if line.saturation is not None:
        edge: Any = {"transform": axes.get_xaxis_transform(), "clip_on": False, "zorder": 5}
        axes.plot([line.saturation], [1.0], color=look.color, marker="x", markersize=5, **edge)


def _hollow(look: style.Look) -> dict[str, Any]:
    """The style of the marks of quantiles. Marks distinguish configurations in a print without colors."""
    return {"marker": look.mark, "markersize": 2.5, "markerfacecolor": "white", "markeredgewidth": 0.6}


def _draw_accepted(line: Line, axes: Axes, look: style.Look) -> None:
    _draw_band(line.offered, line.accepted, axes, look.color)
    middles = _middles(line.accepted)
    axes.plot(line.offered, middles, color=look.color)
    for is_saturated, shape in ((False, look.mark), (True, "x")):
        chosen = [index for index, state in enumerate(line.saturated) if state is is_saturated]
        axes.plot(np.asarray(line.offered)[chosen], middles[chosen], color=look.color, linestyle="", marker=shape)


def _draw_band(offered: Sequence[float], ranges: Sequence[Range | None], axes: Axes, color: str) -> None:
    lows, highs = (np.array([np.nan if item is None else item[side] for item in ranges]) for side in (1, 2))
    axes.fill_between(offered, lows, highs, color=color, alpha=0.25, linewidth=0)


def _middles(ranges: Sequence[Range | None]) -> style.Floats:
    return np.array([np.nan if item is None else item[0] for item in ranges])


def _set_axes(lines: Sequence[Line], units: tuple[str, str], above: Axes, below: Axes) -> None:
    saturations = [line.saturation for line in lines if line.saturation is not None]
    greatest = max(load for line in lines for load in line.offered)
    end = min(greatest, BEYOND * max(saturations)) if saturations else greatest
    of_loads, of_latency = units
    style.label_axis(above.yaxis, f"latency ({of_latency})")
    if any(latency is not None for line in lines for latency in line.latency["mean"]):
        style.log_axis(above.yaxis, f"latency ({of_latency})")
    below.plot([0, end], [0, end], color=style.GRAY, linestyle=style.LINE_STYLES[0], linewidth=0.6, zorder=0.5)
    style.number_axis(below.xaxis, f"offered load ({of_loads})")
    style.number_axis(below.yaxis, f"accepted ({of_loads})")
    accepted = max(item[2] for line in lines for item in line.accepted)
    below.set(xlim=(0, 1.03 * end), ylim=(0, 1.08 * min(end, accepted)))


def _entries_in_gray(lines: Sequence[Line], quantiles: Sequence[tuple[str, str, Any]], band: str) -> list[Artist]:
    """Entries of the legend for the elements that all configurations share."""
    entries: list[Artist] = [Line2D([], [], color=style.GRAY, label="mean")]
    entries += [
        Line2D([], [], color=style.GRAY, linestyle=dashes, linewidth=0.9, label=name) for _, name, dashes in quantiles
    ]
    if any(line.saturation is not None for line in lines):
        entries.append(Line2D([], [], color=style.GRAY, marker="x", linestyle="", label="saturated"))
    if band:
        entries.append(Patch(color=style.GRAY, alpha=0.25, linewidth=0, label=band))
    return entries
