"""Pictures, one module for each kind: of runs, sweeps, curves, schedules, machine rooms, and the figures of studies.

    of_run, of_communication, of_sweep, of_curve    the pictures
    of_schedule, of_gantt, of_room, of_figure
    quantities                                      the field's names of keys
    style, times, window                            how it looks, and which part of time is shown
    picture                                         a figure with a name; it becomes a file

To add one of runs or of schedules:

1. A function in the module that draws such a thing, which takes runs or schedules by name and a window of time, and
   returns axes, or None if there is nothing to draw. Its palette, legends and axes are those of `style`; what the field
   calls a key of summaries is in `crates/simulation/src/result/quantities.rs`.
2. A line in `PICTURES` of `of_run` or `of_schedule`, by the name of its file. `torusim plot`, `--only` with its errors,
   and the notebook's `plot(picture=...)` follow from it.
3. A test in `tests/test_plots.py` of what it shows. If no thing of `all_pictures` has data for it, one that has:
   `test_every_picture_is_drawn_and_has_a_row_in_the_guide` asks for it.
4. A row in the table of pictures in `docs/guide.md`: the same test asks for it.

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
from torusim.pictures.plots.window import EVERYTHING, Window, window_of

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
    "window_of",
]
