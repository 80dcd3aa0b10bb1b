"""Pictures, a module for each kind: of a result, and of a study's figure. Only this package knows matplotlib.

Made to be read in print: named axes with units, colours that survive colour blindness, line styles that survive a
grey printer.
"""

from torusim.plots.of_figure import draw
from torusim.plots.of_result import PICTURES, plot
from torusim.plots.style import FORMATS

__all__ = ["FORMATS", "PICTURES", "draw", "plot"]
