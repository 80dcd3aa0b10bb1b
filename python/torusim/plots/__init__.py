"""Pictures: of a result (`plot`), and of a machine room (`draw_room`).

Made to be read in print: named axes with units, colours that survive colour blindness, line styles that survive a
grey printer. Only this package knows matplotlib.
"""

from torusim.plots.result import FORMATS, plot
from torusim.plots.room import draw_room

__all__ = ["FORMATS", "draw_room", "plot"]
