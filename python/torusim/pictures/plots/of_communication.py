"""The matrix of communication: how many bytes each rank sent to each other."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm

from torusim.pictures.plots.style import label_axis, number_axis, numbers, panels
from torusim.pictures.plots.window import EVERYTHING, Window

if TYPE_CHECKING:
    from torusim.runs.result import Result

MOST_CELLS = 512
"""The most rows and columns of the picture; with more ranks, several share one."""

HEIGHT_INCHES = 2.7
"""The height of the picture, whose matrix is a square next to its scale."""


def communication(runs: Mapping[str, "Result"], _window: Window = EVERYTHING) -> Axes | None:
    """Bytes by source and target, of a single run that counted them (`run.communication`)."""
    tables = [run.table("communication") for run in runs.values() if "communication" in run.tables]
    if len(runs) != 1 or not tables:
        return None
    sources, targets, sent = (numbers(tables[0], column) for column in ("source", "target", "bytes"))
    if not sent.any():
        return None
    ranks = int(max(sources.max(), targets.max())) + 1
    cells = min(ranks, MOST_CELLS)
    edges = np.linspace(0, ranks, cells + 1)
    matrix, _, _ = np.histogram2d(sources, targets, bins=[edges, edges], weights=sent)
    first_decade, last_decade = np.floor(np.log10([matrix[matrix > 0].min(), matrix.max()]))
    figure, (axes,) = panels(height=HEIGHT_INCHES)
    image = axes.imshow(
        np.ma.masked_equal(matrix, 0),
        norm=LogNorm(10**first_decade, 10 ** (last_decade + 1)),
        cmap="cividis",
        extent=(-0.5, ranks - 0.5, ranks - 0.5, -0.5),
        interpolation="nearest",
    )
    axes.grid(visible=False)
    number_axis(axes.xaxis, "to rank")
    number_axis(axes.yaxis, "from rank")
    scale = figure.colorbar(image, ax=axes)
    label_axis(scale.ax.yaxis, "bytes" if cells == ranks else f"bytes of {ranks / cells:.3g} ranks")
    return axes
