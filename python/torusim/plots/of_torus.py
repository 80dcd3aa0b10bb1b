"""Heat maps of a torus: the utilization of every link, by direction and by slices of the machine."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from torusim.hot import coordinates_of
from torusim.plots.style import Floats, label_axis, numbers, panels
from torusim.plots.window import EVERYTHING, Window
from torusim.result import DIMENSIONS

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.result import Result

MOST_SLICES = 16
"""Slices side by side; of more, several share one, which shows their mean."""

DRAWN_INCHES = 2.35
"""Width of the slices of a row, beside their scale and label."""

ROW_INCHES = (0.3, 1.0)
"""Least height of a row, which leaves room for its label, and most."""

MOST_LABELS = 8
"""Labels of slices that have room side by side."""

AROUND_INCHES = 0.6
"""Height of the labels below the last row."""


def utilization_map(runs: Mapping[str, "Result"], _window: Window = EVERYTHING) -> Axes | None:
    """The links of a single run: a row for each direction, with a slice of x and y for each z."""
    if len(runs) != 1:
        return None
    result = next(iter(runs.values()))
    lengths, links = result.shape, result.links()
    directions = sorted(links.column("direction").unique().to_pylist(), key=_order)
    if len(lengths) < 2 or not directions:
        return None
    rows = [_slices(_of_direction(links, direction, lengths)) for direction in directions]
    height, width = rows[0].shape
    row_inches = float(np.clip(DRAWN_INCHES * height / width, *ROW_INCHES))
    figure, axes = panels(len(rows), height=row_inches + AROUND_INCHES / len(rows), sharex="all", sharey="all")
    most = max(float(np.nanmax(row, initial=0.0)) for row in rows)
    for row, direction, panel in zip(rows, directions, axes, strict=True):
        image = panel.imshow(row, cmap="cividis", vmin=0, vmax=most or 1, origin="lower", interpolation="nearest")
        panel.grid(visible=False)
        panel.spines[:].set_visible(False)
        panel.set_yticks([])
        panel.tick_params(axis="x", length=0)
        label_axis(panel.yaxis, direction)
    _label_slices(axes[-1], lengths)
    scale = figure.colorbar(image, ax=axes)
    label_axis(scale.ax.yaxis, "link utilization (%)")
    return axes[0]


def _order(direction: str) -> tuple[int, str]:
    return DIMENSIONS.index(direction[0]), direction[1:]


def _of_direction(links: "pa.Table", direction: str, lengths: Sequence[int]) -> Floats:
    """Utilization in percent by y, x and slice; NaN where there is no such link."""
    is_of_direction = np.array([name == direction for name in links.column("direction").to_pylist()])
    nodes = numbers(links, "node")[is_of_direction].astype(np.int64)
    values = np.full(int(np.prod(lengths)), np.nan)
    values[nodes] = 100 * numbers(links, "utilization")[is_of_direction]
    return values.reshape(-1, lengths[1], lengths[0]).transpose(1, 2, 0)


def _slices(values: Floats) -> Floats:
    """The slices side by side, a column of NaN between them; groups of them as their mean if they are many."""
    groups = np.array_split(values, min(values.shape[2], MOST_SLICES), axis=2)
    parts = []
    for group in groups:
        is_there = ~np.isnan(group)
        number = is_there.sum(axis=2)
        total = np.where(is_there, group, 0.0).sum(axis=2)
        parts += [np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)]
        parts += [np.full((values.shape[0], 1), np.nan)]
    return np.concatenate(parts[:-1], axis=1)


def _label_slices(axes: Axes, lengths: Sequence[int]) -> None:
    """Ticks below the slices: the coordinates beyond x and y, of a group those of its first."""
    beyond = lengths[2:]
    slices = int(np.prod(beyond, dtype=np.int64))
    firsts = [group[0] for group in np.array_split(np.arange(slices), min(slices, MOST_SLICES))]
    names = [",".join(map(str, coordinates_of(int(first), beyond))) for first in firsts]
    middles = [place * (lengths[0] + 1) + (lengths[0] - 1) / 2 for place in range(len(firsts))]
    step = -(-len(firsts) // MOST_LABELS)
    axes.set_xticks(middles[::step] if beyond else [], names[::step] if beyond else [])
    of_slice = f"slices of x and y, by {', '.join(DIMENSIONS[2 : len(lengths)])}" if beyond else "x, and y upward"
    label_axis(axes.xaxis, of_slice)
