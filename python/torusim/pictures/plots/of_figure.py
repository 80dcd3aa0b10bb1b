"""Draws the figure of a study, which is described as plain data (`torusim.pictures.figures`)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from torusim.pictures.figures import Axis, Bars, Curves, Dots, Figure, Grid, Level, Panel
from torusim.pictures.plots import style
from torusim.pictures.plots.picture import METADATA

HATCHES = ("", "//////", "......", "xxxxxx")
"""Hatches of bars, which distinguish them in gray."""

SUFFIXES = ("png", "svg")


@style.in_style
def draw(figure: Figure, title: str, stem: Path) -> list[Path]:
    """Draws a figure as PNG and as SVG, and returns the files; a figure without panels gives none.

    Args:
        figure: The panels to draw.
        title: The subject: not drawn, but stored in the files' own descriptions.
        stem: Path of the files without its suffix.

    Raises:
        OSError: If a file cannot be written.
    """
    canvas = _draw_grid(figure) if isinstance(figure, Grid) else _draw_list(figure)
    if canvas is None:
        return []
    canvas.align_labels()
    style.legend(canvas)
    paths = [stem.with_name(f"{stem.name}.{suffix}") for suffix in SUFFIXES]
    for path, suffix in zip(paths, SUFFIXES, strict=True):
        canvas.savefig(path, metadata={"Title": title, **METADATA.get(suffix, {})})
    return paths


def _draw_list(drawn: Sequence[Panel]) -> Canvas | None:
    """Draws up to three panels below each other, more in two columns."""
    if not drawn:
        return None
    columns = 1 if len(drawn) <= 3 else 2
    canvas, places = style.panels(-(-len(drawn) // columns), columns)
    styles = _styles_of_levels(drawn)
    for panel, axes in zip(drawn, places, strict=False):
        _draw_panel(panel, styles, axes)
    for axes in places[len(drawn) :]:
        axes.set_axis_off()
    return canvas


def _draw_grid(grid: Grid) -> Canvas:
    """Draws a grid of panels. Labels stand at the left and the lower edge only, titles above the first row."""
    height = 0.8 * style.PANEL_INCHES
    canvas, places = style.panels(len(grid.rows), len(grid.rows[0]), height=height, sharex="col", sharey="row")
    drawn = [panel for row in grid.rows for panel in row]
    styles = _styles_of_levels(drawn)
    for panel, axes in zip(drawn, places, strict=True):
        _draw_panel(panel, styles, axes)
        axes.label_outer()
    for first, row in enumerate(grid.rows):
        own = places[first * len(row) : (first + 1) * len(row)]
        if all(panel.y.highest is None for panel in row):
            own[0].set_ylim(top=ROOM_ABOVE * max(axes.dataLim.y1 for axes in own))
    return canvas


ROOM_ABOVE = 1.05
"""The end of an axis that panels share, as a multiple of their largest value."""


def _draw_panel(panel: Panel, styles_of_levels: Mapping[str, Any], axes: Axes) -> None:
    if isinstance(panel, Curves):
        _draw_curves(panel, axes)
    elif isinstance(panel, Dots):
        _draw_dots(panel, axes)
    else:
        _draw_bars(panel, axes)
    _draw_levels(panel.levels, styles_of_levels, axes)
    _set_axis(axes, "y", panel.y)
    axes.set_title(panel.title, parse_math=False)


def _draw_curves(panel: Curves, axes: Axes) -> None:
    of_pairs = style.looks()
    has_pairs = any(curve.is_beside for curve in panel.curves)
    for curve in panel.curves:
        if not (curve.is_beside or curve.is_repeat):
            look = next(of_pairs)
        axes.plot(
            np.asarray(curve.x, dtype=float),
            np.asarray(curve.y, dtype=float),
            label=None if curve.is_repeat else curve.label,
            color=look.color,
            linestyle=style.LINE_STYLES[curve.is_beside] if has_pairs else look.line,
            marker=look.mark if curve.has_marks else None,
            markerfacecolor="white" if curve.is_beside else look.color,
        )
    _set_axis(axes, "x", panel.x)


def _draw_dots(panel: Dots, axes: Axes) -> None:
    count = len(panel.series)
    for index, (series, look) in enumerate(zip(panel.series, style.looks(), strict=False)):
        at = np.arange(len(panel.labels)) + 0.7 * ((index + 0.5) / count - 0.5)
        values = np.asarray(series.values, dtype=float)
        drawn = np.where(values > 0, values, np.nan) if panel.y.is_logarithmic else values
        axes.plot(at, drawn, linestyle="", marker=look.mark, color=look.color, label=series.label)
        if series.half_widths is not None:
            half = np.asarray(series.half_widths, dtype=float)
            axes.vlines(at, values - half, values + half, color=look.color, linewidth=0.8)
        if panel.y.is_logarithmic:
            _mark_zeros(at[values == 0], look, axes)
    if axes.dataLim.y0 < 0 < axes.dataLim.y1:
        axes.axhline(0, color="black", linewidth=0.6)
    _name_groups(panel.labels, axes)
    style.label_axis(axes.xaxis, panel.x)


def _mark_zeros(places: style.Floats, look: style.Look, axes: Axes) -> None:
    """Marks a zero, which has no place on a logarithmic axis, as the number at the lower edge."""
    for place in places:
        edge = axes.get_xaxis_transform()
        axes.text(place, 0.02, "0", transform=edge, color=look.color, fontsize=style.SMALL_POINTS, ha="center")


def _draw_bars(panel: Bars, axes: Axes) -> None:
    count = len(panel.heights)
    width = 0.8 / count
    middle = np.arange(len(panel.labels))
    for index, (label, heights) in enumerate(panel.heights):
        bars = axes.bar(
            middle + (index - (count - 1) / 2) * width,
            heights,
            width,
            label=label if count > 1 else None,
            color=style.COLORS[index % len(style.COLORS)],
            hatch=HATCHES[index % len(HATCHES)],
            edgecolor="white",
            linewidth=0.4,
        )
        if count * len(panel.labels) <= MOST_LABELED_BARS:
            box: Any = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}  # legible on lines of levels
            axes.bar_label(bars, fmt="%.3g", fontsize=style.SMALL_POINTS, padding=1.5, bbox=box, zorder=3)
    _name_groups(panel.labels, axes)


MOST_LABELED_BARS = 6
"""More bars leave no room for their numbers."""


def _name_groups(labels: Sequence[str], axes: Axes) -> None:
    """Writes the name below each group: wrapped after commas and at spaces, or upright where neighbors would touch."""
    room = max(style.characters_across(axes) // len(labels) - 1, 1)
    wrapped = [[line for part in re.split(r"(?<=,) |\n", label) for line in _wrapped(part, room)] for label in labels]
    axes.set_xticks(np.arange(len(labels)), ["\n".join(lines) for lines in wrapped])
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.grid(visible=False, axis="x")
    widths = [text.get_window_extent().width for text in axes.get_xticklabels()]
    between = axes.get_window_extent().width / len(labels)
    if any((one + other) / 2 > between for one, other in pairwise(widths)):
        axes.set_xticks(np.arange(len(labels)), labels, rotation="vertical")


def _wrapped(text: str, characters: int) -> list[str]:
    return wrap(text, characters, break_long_words=False, break_on_hyphens=False)


def _styles_of_levels(drawn: Iterable[Panel]) -> dict[str, Any]:
    """A line style for each reference level of a figure, by name; they repeat after six."""
    names = dict.fromkeys(level.label for panel in drawn for level in panel.levels)
    return dict(zip(names, cycle(style.LINE_STYLES[1:]), strict=False))


def _draw_levels(levels: Sequence[Level], styles: Mapping[str, Any], axes: Axes) -> None:
    for level in levels:
        dashes = styles[level.label]
        axes.axhline(level.y, label=level.label, color=style.GRAY, linestyle=dashes, linewidth=0.9, zorder=1.5)


def _set_axis(axes: Axes, name: str, axis: Axis) -> None:
    drawn = axes.xaxis if name == "x" else axes.yaxis
    (style.log_axis if axis.is_logarithmic else style.number_axis)(drawn, axis.label)
    axes.set(**{f"{name}lim": (axis.lowest, axis.highest)})
