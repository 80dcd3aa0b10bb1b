"""The matrix of communication: how many bytes each rank sent to each other."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm

from torusim.plots.style import numbers
from torusim.result import Result

MOST_CELLS = 512
"""Rows and columns of the picture; of more ranks, several share one."""


def communication(result: Result, axes: Axes) -> bool:
    """Bytes by source and target, if the run counted them (`run.communication`)."""
    if "communication" not in result.tables:
        return False
    pairs = result.table("communication")
    sources, targets, sent = (numbers(pairs, column) for column in ("source", "target", "bytes"))
    if not sent.any():
        return False
    ranks = int(max(sources.max(), targets.max())) + 1
    cells = min(ranks, MOST_CELLS)
    edges = np.linspace(0, ranks, cells + 1)
    matrix, _, _ = np.histogram2d(sources, targets, bins=[edges, edges], weights=sent)
    first_decade, last_decade = np.floor(np.log10([matrix[matrix > 0].min(), matrix.max()]))
    image = axes.imshow(
        np.ma.masked_equal(matrix, 0),
        norm=LogNorm(10**first_decade, 10 ** (last_decade + 1)),
        cmap="viridis",
        extent=(-0.5, ranks - 0.5, ranks - 0.5, -0.5),
        interpolation="nearest",
    )
    axes.set_xlabel("to rank")
    axes.set_ylabel("from rank")
    axes.grid(visible=False)
    axes.figure.colorbar(image, ax=axes, label="bytes" if cells == ranks else f"bytes of {ranks / cells:.3g} ranks")
    axes.set_title("Bytes sent from rank to rank")
    return True
