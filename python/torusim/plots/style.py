"""Style shared by all plots: sizes, colors, line styles, and the writing of files."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from torusim.scenario import printable

if TYPE_CHECKING:
    import pyarrow as pa

Floats: TypeAlias = npt.NDArray[np.float64]

FORMATS = ("png", "svg")
"""The file formats of plots."""

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, which color-blind readers can distinguish."""

LINE_STYLES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))

MARKS = ("o", "s", "^", "D", "v", "P", "X")

STYLE: Any = {
    "figure.figsize": (6.0, 4.0),
    "figure.dpi": 200,
    "font.size": 10,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "torusim",
}


def distinct_colors(count: int) -> list[str]:
    """As many different colors: the palette, or where it has too few, hues in the order of the spectrum."""
    if count <= len(COLORS):
        return list(COLORS[:count])
    spectrum = colormaps["turbo"]
    return [to_hex(spectrum(0.05 + 0.9 * index / (count - 1))) for index in range(count)]


def color_of_text(background: str) -> str:
    """Black or white, whichever can be read on a background (luma of ITU-R BT.601)."""
    red, green, blue = to_rgb(background)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


def draw_alone(draw: Callable[[Axes], bool], name: str, path: Path) -> bool:
    """Draws one plot with a title into a file; returns False and writes no file if there is nothing to draw."""
    with rc_context(STYLE):
        figure = Figure(layout="constrained")
        axes = figure.add_subplot()
        if not draw(axes):
            return False
        figure.suptitle(printable(name), fontsize=9, color="#555555", parse_math=False)
        save(figure, path)
    return True


def numbers(table: "pa.Table", column: str) -> Floats:
    """A column of a table as floats."""
    return np.asarray(table.column(column).to_numpy(), dtype=np.float64)


def save(figure: Figure, path: Path) -> None:
    """Writes a plot to a file; equal plots give bit-identical files."""
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
