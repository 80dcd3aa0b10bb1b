"""Heat maps of a torus: utilization and stalls of every link, by direction and by slices of the machine."""

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

LABEL_CHARACTERS = 28
"""Characters of the labels of slices that have room side by side, with a space after each label."""

AROUND_INCHES = 0.6
"""Height of the labels below the last row."""


def utilization_map(runs: Mapping[str, "Result"], _window: Window = EVERYTHING) -> Axes | None:
    """The utilization of the links of a single run."""
    return _map(runs, "utilization", 100, "link utilization (%)")


def stall_map(runs: Mapping[str, "Result"], _window: Window = EVERYTHING) -> Axes | None:
    """The stall events of the links of a single run, if there are any."""
    if not any(run.summary.get("token_stalls") for run in runs.values()):
        return None
    return _map(runs, "token_stalls", 1, "stalls for tokens")


def _map(runs: Mapping[str, "Result"], column: str, scale: float, label: str) -> Axes | None:
    """A column of the table of links, times `scale`: a row for each direction, with a slice of x and y for each z.

    Of a machine without z there is a row for each dimension, with both of its directions.
    """
    if len(runs) != 1:
        return None
    result = next(iter(runs.values()))
    lengths, links = result.shape, result.links()
    if column not in links.column_names:
        return None
    directions = sorted(links.column("direction").unique().to_pylist(), key=_order)
    if len(lengths) < 2 or not directions:
        return None
    is_flat = len(lengths) == 2
    names = list(dict.fromkeys(direction[0] for direction in directions)) if is_flat else directions
    rows = [scale * _row(links, column, [f"{name}+", f"{name}-"] if is_flat else [name], lengths) for name in names]
    height, width = rows[0].shape
    row_inches = float(np.clip(DRAWN_INCHES * height / width, *ROW_INCHES))
    figure, axes = panels(len(rows), height=row_inches + AROUND_INCHES / len(rows), sharex="all", sharey="all")
    most = max(float(np.nanmax(row, initial=0.0)) for row in rows)
    for row, name, panel in zip(rows, names, axes, strict=True):
        image = panel.imshow(row, cmap="cividis", vmin=0, vmax=most or 1, origin="lower", interpolation="nearest")
        panel.grid(visible=False)
        panel.spines[:].set_visible(False)
        panel.set_yticks([])
        panel.tick_params(axis="x", length=0)
        label_axis(panel.yaxis, name)
    _label_columns(axes[-1], lengths)
    bar = figure.colorbar(image, ax=axes)
    label_axis(bar.ax.yaxis, label)
    return axes[0]


def _order(direction: str) -> tuple[int, str]:
    return DIMENSIONS.index(direction[0]), direction[1:]


def _row(links: "pa.Table", column: str, directions: Sequence[str], lengths: Sequence[int]) -> Floats:
    """A column of some directions, their slices side by side."""
    values = [_of_direction(links, column, direction, lengths) for direction in directions]
    return _slices(np.concatenate(values, axis=2))


def _of_direction(links: "pa.Table", column: str, direction: str, lengths: Sequence[int]) -> Floats:
    """A column by y, x and slice; NaN where there is no such link."""
    is_of_direction = np.array([name == direction for name in links.column("direction").to_pylist()])
    nodes = numbers(links, "node")[is_of_direction].astype(np.int64)
    values = np.full(int(np.prod(lengths)), np.nan)
    values[nodes] = numbers(links, column)[is_of_direction]
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


def _label_columns(axes: Axes, lengths: Sequence[int]) -> None:
    """Ticks below the slices: the coordinates beyond x and y, of a group those of its first; or both directions."""
    beyond = lengths[2:]
    if beyond:
        slices = int(np.prod(beyond, dtype=np.int64))
        firsts = [group[0] for group in np.array_split(np.arange(slices), min(slices, MOST_SLICES))]
        names = [",".join(map(str, coordinates_of(int(first), beyond))) for first in firsts]
        label = f"slices of x and y, by {', '.join(DIMENSIONS[2 : len(lengths)])}"
    else:
        names, label = ["+", "-"], "direction (in each, x and y upward)"
    middles = [place * (lengths[0] + 1) + (lengths[0] - 1) / 2 for place in range(len(names))]
    step = -(-sum(len(name) + 1 for name in names) // LABEL_CHARACTERS)
    axes.set_xticks(middles[::step], names[::step])
    label_axis(axes.xaxis, label)
