"""Heat maps of a torus: utilization and stalls of every link, by direction and by slices of the machine."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from torusim.pictures.plots.style import SMALL_POINTS, Floats, label_axis, legend, numbers, panels, whole_numbers
from torusim.pictures.plots.window import EVERYTHING, Window
from torusim.runs.hot import coordinates_of
from torusim.runs.result import DIMENSIONS

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.runs.result import Result

MOST_SLICES = 16
"""The most slices side by side; of more, several share one, which shows their mean."""

DRAWN_INCHES = 2.05
"""Width of the slices of a row, without their scale and labels."""

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

    A machine without z has a row for each dimension, with both of its directions.
    """
    if len(runs) != 1:
        return None
    result = next(iter(runs.values()))
    lengths, links = result.shape, result.links()
    if column not in links.column_names:
        return None
    directions = sorted(links.column("direction").unique().to_pylist(), key=order_of_direction)
    if len(lengths) < 2 or not directions:
        return None
    is_flat = len(lengths) == 2
    names = list(dict.fromkeys(direction[0] for direction in directions)) if is_flat else directions
    parts = [[f"{name}+", f"{name}-"] if is_flat else [name] for name in names]
    rows = [scale * _row(links, column, part, lengths) for part in parts]
    dead = [_row(links, "dead", part, lengths) == 1 if "dead" in links.column_names else None for part in parts]
    height, width = rows[0].shape
    row_inches = float(np.clip(DRAWN_INCHES * height / width, *ROW_INCHES))
    figure, axes = panels(len(rows), height=row_inches + AROUND_INCHES / len(rows), sharex="all", sharey="all")
    most = max(float(np.nanmax(row, initial=0.0)) for row in rows)
    for row, is_dead, name, panel in zip(rows, dead, names, axes, strict=True):
        image = panel.imshow(row, cmap="cividis", vmin=0, vmax=most or 1, origin="lower", interpolation="nearest")
        if is_dead is not None and is_dead.any():
            _mark_dead(panel, is_dead)
        panel.grid(visible=False)
        panel.spines[:].set_visible(False)
        panel.set_yticks(_ends(lengths[1], row_inches))
        panel.tick_params(which="both", length=0)
        label_axis(panel.yaxis, f"{name}\ny")
    _label_columns(axes[-1], lengths, DRAWN_INCHES * lengths[0] / width)
    bar = figure.colorbar(image, ax=axes)
    if np.issubdtype(links.column(column).type.to_pandas_dtype(), np.integer):
        whole_numbers(bar.ax.yaxis)
    label_axis(bar.ax.yaxis, label)
    if any(is_dead is not None and is_dead.any() for is_dead in dead):
        legend(figure, [_dead_handle()])
    return axes[0]


DEAD: dict[str, Any] = {"marker": "x", "color": "tab:red", "linestyle": "none"}
"""The mark of a dead link, or of a group of slices in which all are dead."""


def _mark_dead(panel: Axes, is_dead: "np.typing.NDArray[np.bool_]") -> None:
    """Marks dead links; places without a link, as at the edge of a mesh, stay empty."""
    y, x = np.nonzero(is_dead)
    panel.plot(x, y, markersize=SMALL_POINTS / 2, **DEAD)


def _dead_handle() -> Line2D:
    return Line2D([], [], markersize=SMALL_POINTS / 2, label="dead link", **DEAD)


def order_of_direction(direction: str) -> tuple[int, str]:
    """x+, x-, y+ …: the table of a mesh begins with a corner, which has only some of them."""
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
    if column != "dead" and "dead" in links.column_names:
        values[nodes[numbers(links, "dead")[is_of_direction] == 1]] = np.nan
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


def _ends(length: int, inches: float) -> list[int]:
    """The first and the last coordinate of an edge of a slice with `length` nodes; the first alone if it is short."""
    return sorted({0, length - 1}) if inches >= 2.2 * SMALL_POINTS / 72 else [0]


def _label_columns(axes: Axes, lengths: Sequence[int], slice_inches: float) -> None:
    """Labels the first slice with its x, and all slices with their subject, below them.

    Slices are named by the coordinates beyond x and y, or by their direction. A group is named by its first slice.
    """
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
    axes.set_xticks(_ends(lengths[0], slice_inches), minor=True)
    axes.xaxis.set_minor_formatter("{x:.0f}")
    axes.annotate(
        "x",
        (-0.5, 0),
        (-4, -1.5),
        ("data", "axes fraction"),
        "offset points",
        ha="right",
        va="top",
        fontsize=SMALL_POINTS,
    )
    axes.set_xticks(middles[::step], names[::step])
    axes.tick_params(axis="x", which="minor", labelsize=SMALL_POINTS)
    axes.tick_params(axis="x", which="major", pad=3.5 + SMALL_POINTS)
    axes.xaxis.remove_overlapping_locs = False
    label_axis(axes.xaxis, label)
