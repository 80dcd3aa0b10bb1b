"""Pictures, one module for each kind: of runs, sweeps, curves, schedules, machine rooms, and the figures of studies.

    of_run, of_communication, of_sweep, of_curve    the pictures
    of_schedule, of_gantt, of_room, of_figure
    quantities                                      the field's names of keys
    style, times, window                            how it looks, and which part of time is shown
    picture                                         a figure with a name; it becomes a file

They are designed for a column of a two-column paper: no titles, axes with units, a palette for color-blind readers, and
line styles and markers that remain distinct in gray. Only this package imports matplotlib.
"""

from torusim.pictures.plots.of_curve import Line, draw_curve
from torusim.pictures.plots.of_figure import draw
from torusim.pictures.plots.of_room import draw_room
from torusim.pictures.plots.of_run import draw_runs
from torusim.pictures.plots.of_schedule import draw_schedules
from torusim.pictures.plots.of_sweep import Choice, draw_sweep
from torusim.pictures.plots.picture import FORMATS, Picture, save_all
from torusim.pictures.plots.window import EVERYTHING, Window

__all__ = [
    "EVERYTHING",
    "FORMATS",
    "Choice",
    "Line",
    "Picture",
    "Window",
    "draw",
    "draw_curve",
    "draw_room",
    "draw_runs",
    "draw_schedules",
    "draw_sweep",
    "save_all",
]
