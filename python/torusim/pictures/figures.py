"""Figures as plain data: their content, names and units, not their appearance. `torusim.pictures.plots` draws them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Numbers: TypeAlias = "Sequence[float] | npt.NDArray[np.float64]"


@dataclass(frozen=True)
class Axis:
    """An axis of a panel.

    Attributes:
        label: The quantity, with its unit in parentheses.
        is_logarithmic: Whether the scale is logarithmic.
        lowest: Lower limit, None to fit the data.
        highest: Upper limit, None to fit the data.
    """

    label: str
    is_logarithmic: bool = False
    lowest: float | None = None
    highest: float | None = None


@dataclass(frozen=True)
class Curve:
    """Points joined by a line.

    Attributes:
        label: The name in the legend.
        x: Abscissas of the points.
        y: Ordinates of the points, as many as in `x`.
        has_marks: Whether each point has a marker; False for curves of hundreds of points.
        is_beside: Whether this curve is to be compared with the previous one: drawn in the same color, dashed.
        is_repeat: Whether this curve is another run of the previous one: drawn like it, without an entry in the legend.
    """

    label: str
    x: Numbers
    y: Numbers
    has_marks: bool = True
    is_beside: bool = False
    is_repeat: bool = False


@dataclass(frozen=True)
class Level:
    """A reference value, such as a paper's, drawn as a line across the panel."""

    label: str
    y: float


@dataclass(frozen=True)
class Curves:
    """A panel of curves."""

    x: Axis
    y: Axis
    curves: Sequence[Curve]
    levels: Sequence[Level] = ()
    title: str = ""


@dataclass(frozen=True)
class Bars:
    """A panel of bars, one for each label, grouped if there are several series.

    Attributes:
        labels: Text below each group.
        heights: (name in the legend, a height for each label) of each series.
        y: The vertical axis.
        levels: Reference values.
        title: Title of the panel.
    """

    labels: Sequence[str]
    heights: Sequence[tuple[str, Numbers]]
    y: Axis
    levels: Sequence[Level] = ()
    title: str = ""


@dataclass(frozen=True)
class Series:
    """Values of a series of dots, one for each label.

    Attributes:
        label: The name in the legend.
        values: The values; NaN and None are left out.
        half_widths: Half the width of each value's confidence interval; None if there are no intervals.
    """

    label: str
    values: Numbers
    half_widths: "Numbers | None" = None


@dataclass(frozen=True)
class Dots:
    """A panel of dots, one for each label and series, with their intervals. Unlike bars they need no zero.

    Attributes:
        labels: Text below each group.
        series: The values.
        y: The vertical axis.
        x: The meaning of the labels.
        levels: Reference values.
        title: Title of the panel.
    """

    labels: Sequence[str]
    series: Sequence[Series]
    y: Axis
    x: str = ""
    levels: Sequence[Level] = ()
    title: str = ""


Panel: TypeAlias = Curves | Bars | Dots


@dataclass(frozen=True)
class Grid:
    """Rows of panels. The panels of a row share their vertical axis, those of a column the horizontal one."""

    rows: Sequence[Sequence[Panel]]


Figure: TypeAlias = Sequence[Panel] | Grid
"""The panels of a figure, or a grid. Up to three stand below each other, more in two columns. It is empty where a table
says it better."""
