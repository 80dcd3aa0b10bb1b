"""Plots, one module for each kind: of a result, of a curve, of a study's figure, of a machine room, of a schedule.

They are designed for print: labeled axes with units, a palette for color-blind readers, and line styles that remain
distinct in grayscale. Only this package imports matplotlib.
"""

from matplotlib.figure import Figure

from torusim.plots.of_curve import Line, draw_curve, save_curve
from torusim.plots.of_figure import draw
from torusim.plots.of_result import PICTURES, plot
from torusim.plots.of_room import draw_room
from torusim.plots.of_schedule import plot_schedule
from torusim.plots.style import FORMATS

__all__ = [
    "FORMATS",
    "PICTURES",
    "Figure",
    "Line",
    "draw",
    "draw_curve",
    "draw_room",
    "plot",
    "plot_schedule",
    "save_curve",
]
