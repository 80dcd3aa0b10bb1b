"""Figures as plain data: their content, names and units, without their appearance. `torusim.plots` draws them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = Sequence[float] | npt.NDArray[np.float64]


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
        label: Its name in the legend.
        x: Abscissas of the points.
        y: Ordinates of the points, as many as in `x`.
        has_marks: Whether each point has a marker; False for curves of hundreds of points.
        is_beside: Whether it is to be compared with the curve before it: drawn in the same color, dashed.
    """

    label: str
    x: Numbers
    y: Numbers
    has_marks: bool = True
    is_beside: bool = False


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


Panel: TypeAlias = Curves | Bars

Figure: TypeAlias = Sequence[Panel]
"""Panels side by side."""
