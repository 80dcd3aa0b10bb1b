"""Pictures: of a result (`plot`), of a schedule (`plot_schedule`), and of a machine room (`draw_room`).

Made to be read in print: named axes with units, colours that survive colour blindness, line styles that survive a
grey printer. Only this package knows matplotlib.
"""

from torusim.plots.result import FORMATS, plot
from torusim.plots.room import draw_room
from torusim.plots.schedule import plot_schedule

__all__ = ["FORMATS", "draw_room", "plot", "plot_schedule"]
