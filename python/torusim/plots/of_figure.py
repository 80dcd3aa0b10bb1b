"""Draws a figure that is described as plain data (`torusim.figures`)."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from torusim.figures import Axis, Bars, Curves, Figure, Level, Panel
from torusim.plots.style import COLORS, LINE_STYLES, MARKS, STYLE, save

PANEL_INCHES = (6.0, 4.2)
LEVEL_COLOR = "#666666"

CROWDED_RATIO = 500
"""Ratio of the limits of a logarithmic x axis above which only powers of ten have room for labels."""


def draw(figure: Figure, title: str, note: str, stem: Path) -> list[Path]:
    """Draws a figure as PNG and as SVG, and returns the files.

    Args:
        figure: Its panels, drawn side by side.
        title: Title above all panels.
        note: Small text below them.
        stem: Path of the files without its suffix.
    """
    with rc_context(STYLE):
        canvas = Canvas(figsize=(PANEL_INCHES[0] * len(figure), PANEL_INCHES[1]), layout="constrained")
        for panel, axes in zip(figure, np.ravel(canvas.subplots(1, len(figure), squeeze=False)), strict=True):
            _draw_panel(panel, axes)
        canvas.suptitle(title, fontsize=11, parse_math=False)
        canvas.supxlabel(note, fontsize=7, color="#555555", parse_math=False)
        paths = [stem.with_name(f"{stem.name}.{suffix}") for suffix in ("png", "svg")]
        for path in paths:
            save(canvas, path)
    return paths


def _draw_panel(panel: Panel, axes: Axes) -> None:
    if isinstance(panel, Curves):
        _draw_curves(panel, axes)
    else:
        _draw_bars(panel, axes)
    _draw_levels(panel.levels, axes)
    _set_axis(axes, "y", panel.y)
    axes.set_title(panel.title, fontsize=10, parse_math=False)
    if axes.get_legend_handles_labels()[0]:
        # Bars fill their panel, so the legend is placed below it.
        below: Any = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12), "ncols": 2}
        axes.legend(fontsize=8, **(below if isinstance(panel, Bars) else {}))


def _draw_curves(panel: Curves, axes: Axes) -> None:
    looks = zip(cycle(COLORS), cycle(LINE_STYLES), cycle(MARKS), strict=False)
    has_pairs = any(curve.is_beside for curve in panel.curves)
    for curve in panel.curves:
        if not curve.is_beside:
            color, style, mark = next(looks)
        axes.plot(
            np.asarray(curve.x, dtype=float),
            np.asarray(curve.y, dtype=float),
            label=curve.label,
            color=color,
            linestyle=LINE_STYLES[curve.is_beside] if has_pairs else style,
            linewidth=1.4,
            marker=mark if curve.has_marks else None,
            markersize=4,
        )
    _set_axis(axes, "x", panel.x)


def _draw_bars(panel: Bars, axes: Axes) -> None:
    width = 0.8 / len(panel.heights)
    middle = np.arange(len(panel.labels))
    for index, (label, heights) in enumerate(panel.heights):
        offset = (index - (len(panel.heights) - 1) / 2) * width
        name = label if len(panel.heights) > 1 else None
        bars = axes.bar(middle + offset, heights, width, label=name, color=COLORS[index % len(COLORS)])
        axes.bar_label(bars, fmt="%.3g", fontsize=7)
    axes.set_xticks(middle, [label.replace(", ", ",\n") for label in panel.labels], fontsize=8)
    axes.grid(visible=False, axis="x")


def _draw_levels(levels: Sequence[Level], axes: Axes) -> None:
    for level, style in zip(levels, cycle(LINE_STYLES[1:4])):
        axes.axhline(level.y, label=level.label, color=LEVEL_COLOR, linestyle=style, linewidth=1, zorder=0.5)


def _set_axis(axes: Axes, name: str, axis: Axis) -> None:
    drawn = axes.xaxis if name == "x" else axes.yaxis
    drawn.set_label_text(axis.label, parse_math=False)
    if axis.is_logarithmic:
        axes.set(**{f"{name}scale": "log"})
        low, high = drawn.get_view_interval()
        is_crowded = name == "x" and high > CROWDED_RATIO * low
        drawn.set_major_locator(LogLocator(subs=(1,) if is_crowded else (1, 2, 5)))
        drawn.set_minor_formatter(NullFormatter())
    drawn.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axes.set(**{f"{name}lim": (axis.lowest, axis.highest)})
