"""What all pictures share: sizes, colours, line styles, and how a file is written."""

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

FORMATS = ("png", "svg")
"""The file formats that pictures can have."""

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, told apart by colour-blind readers too."""

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


def save(figure: Figure, path: Path) -> None:
    """Writes a picture; the same picture is the same file, whenever it is drawn."""
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
