"""Pictures, a module for each kind: of a result, of a study's figure, of a machine room, of a schedule.

Made to be read in print: named axes with units, colours that survive colour blindness, line styles that survive a
grey printer. Only this package knows matplotlib.
"""

from torusim.plots.of_figure import draw
from torusim.plots.of_result import PICTURES, plot
from torusim.plots.of_room import draw_room
from torusim.plots.of_schedule import plot_schedule
from torusim.plots.style import FORMATS

__all__ = ["FORMATS", "PICTURES", "draw", "draw_room", "plot", "plot_schedule"]
