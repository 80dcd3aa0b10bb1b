"""Figures as plain data: what is drawn, with names and units, but not how. `torusim.plots` draws them."""

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
        label: What it shows, with its unit in brackets.
        is_logarithmic: Whether equal steps are equal factors.
        lowest: Where it begins, None for what suits the data.
        highest: Where it ends, None for what suits the data.
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
        x: Where the points are.
        y: Their values, as many as in `x`.
        has_marks: Whether each point is marked: not where there are hundreds.
    """

    label: str
    x: Numbers
    y: Numbers
    has_marks: bool = True


@dataclass(frozen=True)
class Level:
    """A value to compare with, drawn across the panel, such as what a paper says."""

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
    """A panel of bars, one for each label, in groups if there are several heights each.

    Attributes:
        labels: What is below each group.
        heights: (name in the legend, a height for each label) of each bar of a group.
        y: The vertical axis.
        levels: Values to compare with.
        title: Above the panel.
    """

    labels: Sequence[str]
    heights: Sequence[tuple[str, Numbers]]
    y: Axis
    levels: Sequence[Level] = ()
    title: str = ""


Panel: TypeAlias = Curves | Bars

Figure: TypeAlias = Sequence[Panel]
"""Panels side by side."""
