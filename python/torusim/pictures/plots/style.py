"""Style shared by all pictures, for a column of a two-column paper: sizes, colors, lines, axes, legends.

A picture has no title, since its caption names the subject. Colors are those of Okabe and Ito, in an order in which
neighbors differ in lightness too, by 6 or more of L*; the series also differ in line style or marker, for print in
gray.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import cycle
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from matplotlib import colormaps, rc_context
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis, YAxis
from matplotlib.colors import to_hex, to_rgb
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

if TYPE_CHECKING:
    import pyarrow as pa

P = ParamSpec("P")
T = TypeVar("T")

Floats: TypeAlias = npt.NDArray[np.float64]

COLUMN_INCHES = 8 / 2.54
"""Width of a picture: 8 cm, a column of a two-column paper."""

PAGE_INCHES = 7.0
"""Width of a picture with panels side by side: both columns."""

PANEL_INCHES = 2.1
"""Height of a panel, labels included."""

COLORS = ("#0072B2", "#E69F00", "#009E73", "#56B4E9", "#D55E00", "#CC79A7", "#000000")
"""Okabe and Ito's palette, without its yellow, which is too light for lines."""

LINE_STYLES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1.2)), (0, (6, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (4, 3)))

MARKS = ("o", "s", "^", "D", "v", "P", "X")

LIGHTEST = 0.92
"""End of the ramp on its color map, which stands out from white paper in gray too."""

GRAY = "#666666"

FILL = "#56B4E9"
"""The color of areas behind lines."""

SMALL_POINTS = 7
"""The smallest text: legends, and the numbers and names at axes."""

MOST_ROWS_ABOVE = 4
"""The most rows of a legend above the panels; one with more stands to the right of them."""

LEGEND_ROW_INCHES = 0.15
"""Height of a row of a legend."""

BESIDE_PANEL_INCHES = 0.55
"""Width of the ticks' numbers and the label at the left of a panel."""

LONGEST_LABEL = 30
"""The number of characters that fit next to a panel in one text line."""

CHARACTER_INCHES = 0.055
"""Approximate width of a character in a legend."""

HANDLE_INCHES = 0.39
"""Width of a legend's handle, with the spaces around it."""

STYLE: Any = {
    "figure.dpi": 200,
    "savefig.dpi": 300,
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": SMALL_POINTS,
    "ytick.labelsize": SMALL_POINTS,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": SMALL_POINTS,
    "legend.title_fontsize": SMALL_POINTS,
    "legend.handlelength": 2.4,
    "pdf.fonttype": 42,  # outlines of glyphs that publishers accept
    "svg.hashsalt": "torusim",
}


Sharing: TypeAlias = Literal["none", "all", "row", "col"]


class Look(NamedTuple):
    """The look that distinguishes a series from the others of its picture."""

    color: str
    line: Any
    mark: str


def looks() -> Iterator[Look]:
    """A look for each series, in order; they repeat after 49 series."""
    for shift in cycle(range(len(MARKS))):
        for index, color in enumerate(COLORS):
            other = (index + shift) % len(MARKS)
            yield Look(color, LINE_STYLES[other], MARKS[other])


def in_style(draw: Callable[P, T]) -> Callable[P, T]:
    """Runs a function that draws with this style, regardless of the caller's settings of matplotlib."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> T:
        with rc_context(STYLE):
            return draw(*args, **kwargs)

    return styled


def panels(
    rows: int = 1,
    columns: int = 1,
    *,
    height: float = PANEL_INCHES,
    sharex: Sharing = "none",
    sharey: Sharing = "none",
) -> tuple[Figure, list[Axes]]:
    """A figure and its panels, row by row: one column of a paper wide, or both if panels are side by side.

    Args:
        rows: Number of rows.
        columns: Number of columns.
        height: Height of each row in inches.
        sharex: The panels that share their horizontal axis.
        sharey: The panels that share their vertical axis.
    """
    width = COLUMN_INCHES if columns == 1 else PAGE_INCHES
    figure = Figure(figsize=(width, rows * height), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=sharex, sharey=sharey)
    return figure, list(np.ravel(grid))


def ramp(count: int) -> list[str]:
    """Colors for an ordered quantity, dark to light, which color-blind readers and gray prints keep in order."""
    cividis = colormaps["cividis"]
    return [to_hex(cividis(LIGHTEST * index / max(count - 1, 1))) for index in range(count)]


def distinct_colors(count: int) -> list[str]:
    """`count` different colors: the palette, or a ramp if the palette has too few."""
    return list(COLORS[:count]) if count <= len(COLORS) else ramp(count)


def color_of_text(background: str) -> str:
    """Black or white, whichever can be read on a background (luma of ITU-R BT.601)."""
    red, green, blue = to_rgb(background)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


def legend(figure: Figure, handles: Sequence[Artist] | None = None, title: str | None = None) -> None:
    """A legend above the panels, or at their right if it has many rows; equal entries of several panels appear once.

    Where panels use a style for different names, or a name has different styles, each panel has its own legend.
    The figure grows with the legend, so that the panels keep their size.
    """
    if handles is None:
        entries = [{label: handle for handle, label in _entries(axes)} for axes in figure.axes]
        if not _is_one_to_one((label, _style_of(handle)) for panel in entries for label, handle in panel.items()):
            _legends_of_panels(figure, entries)
            return
        found = {label: handle for panel in entries for label, handle in panel.items()}
    else:
        found = {str(handle.get_label()): handle for handle in handles}
    if not found:
        return
    columns = _columns_of_legend(list(found), figure.get_figwidth())
    if len(found) > MOST_ROWS_ABOVE * columns:
        _legend_beside(figure, found, title)
        return
    made = figure.legend(
        list(found.values()), list(found), loc="outside upper center", ncols=columns, title=title, columnspacing=0.8
    )
    _show_as_typed(made)
    rows = -(-len(found) // columns) + (title is not None)
    figure.set_figheight(figure.get_figheight() + (rows - 1) * LEGEND_ROW_INCHES)


def _legend_beside(figure: Figure, found: Mapping[str, Artist], title: str | None) -> None:
    """A legend at the right of the panels, in as many columns as their height needs."""
    rows = int(figure.get_figheight() / LEGEND_ROW_INCHES) - 1 - (title is not None)
    columns = -(-len(found) // rows)
    made = figure.legend(
        list(found.values()), list(found), loc="outside right upper", ncols=columns, title=title, columnspacing=0.8
    )
    _show_as_typed(made)
    width = CHARACTER_INCHES * max(map(len, found)) + HANDLE_INCHES
    figure.set_figwidth(figure.get_figwidth() + columns * width + GAP_INCHES)


def _legends_of_panels(figure: Figure, entries: Sequence[Mapping[str, Artist]]) -> None:
    """A legend for each panel, between its title and its upper edge."""
    rows_of_line: dict[int, int] = {}
    for axes, found in zip(figure.axes, entries, strict=True):
        place = axes.get_subplotspec()
        if not found or place is None:
            continue
        width = figure.get_figwidth() / place.get_gridspec().ncols - BESIDE_PANEL_INCHES
        columns = _columns_of_legend(list(found), width)
        made = axes.legend(
            list(found.values()),
            list(found),
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=columns,
            columnspacing=0.8,
            borderaxespad=0.2,
            borderpad=0,
        )
        _show_as_typed(made)
        rows = -(-len(found) // columns)
        axes.set_title(axes.get_title(loc="left"), pad=72 * LEGEND_ROW_INCHES * (rows + 0.5), parse_math=False)
        line = place.rowspan.start
        rows_of_line[line] = max(rows, rows_of_line.get(line, 0))
    figure.set_figheight(figure.get_figheight() + sum(rows_of_line.values()) * LEGEND_ROW_INCHES)


def _show_as_typed(made: Legend) -> None:
    for text in made.get_texts():
        text.set_parse_math(False)


def _is_one_to_one(pairs: Iterable[tuple[str, Hashable]]) -> bool:
    """Whether each name has one style and each style one name."""
    different = set(pairs)
    return len({name for name, _ in different}) == len(different) == len({style for _, style in different})


def _style_of(handle: Artist) -> Hashable:
    """The visible style of a legend's entry: colors, line and mark, or hatch."""
    if isinstance(handle, Line2D):
        dashes = handle._dash_pattern  # type: ignore[attr-defined]
        mark = handle.get_marker(), handle.get_markerfacecolor()
        return str((handle.get_color(), dashes, handle.get_linewidth(), *mark))
    patch = handle.patches[0] if isinstance(handle, BarContainer) and handle.patches else handle
    return str((patch.get_facecolor(), patch.get_hatch())) if isinstance(patch, Patch) else id(handle)


def _columns_of_legend(labels: Sequence[str], width_inches: float) -> int:
    """The number of columns that fit, with rows of about equal length; entries fill one column after the other."""
    widths = [len(label) * CHARACTER_INCHES + HANDLE_INCHES for label in labels]
    for rows in range(1, len(widths)):
        columns = -(-len(widths) // rows)
        if sum(max(column) for column in np.array_split(widths, columns)) <= width_inches:
            return columns
    return 1


def _entries(axes: Axes) -> list[tuple[Artist, str]]:
    return list(zip(*axes.get_legend_handles_labels(), strict=True))


def characters_across(axes: Axes) -> int:
    """The number of characters of small text that fit below a panel in one text line."""
    return int(axes.get_window_extent().width / axes.figure.dpi / CHARACTER_INCHES)


def label_axis(axis: Axis, text: str) -> None:
    """Names an axis: the quantity, with its unit in parentheses, on a second text line where a panel lacks room."""
    longest = LONGEST_LABEL if isinstance(axis, YAxis) else characters_across(axis.axes)
    if len(text) > longest and "\n" not in text:
        text = text.replace(" (", "\n(")
    axis.set_label_text(text, parse_math=False)


def percent_axis(axis: Axis, text: str) -> None:
    """An axis of shares, 0 to 1, labeled in percent."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: _tick(float(f"{100 * value:.10g}"), None)))
    label_axis(axis, text)


def number_axis(axis: Axis, text: str) -> None:
    """An axis of numbers with thousands separators."""
    axis.set_major_formatter(FuncFormatter(_tick))
    label_axis(axis, text)


LABELED = ((1, 2, 5), (1, 3), (1,))
"""The numbers of a decade with labels on a logarithmic axis: the first of these sets whose labels have room."""

GAP_INCHES = 0.08
"""Space between the labels of ticks."""


def log_axis(axis: Axis, text: str) -> None:
    """A logarithmic axis; call it after drawing, as the range of the data decides which ticks are labeled."""
    axis._set_axes_scale("log")  # type: ignore[attr-defined]  # of this axis, whichever it is
    low, high = sorted(axis.get_view_interval())
    axis.set_major_locator(LogLocator(subs=_labeled(axis, low, high), numticks=8))
    axis.set_minor_formatter(NullFormatter())
    number_axis(axis, text)


def _labeled(axis: Axis, low: float, high: float) -> tuple[int, ...]:
    box = axis.axes.get_window_extent()
    inches = (box.height if isinstance(axis, YAxis) else box.width) / axis.get_figure(root=True).dpi  # type: ignore[union-attr]
    decade = inches / max(np.log10(high / low), 1e-9)
    characters = max(len(f"{low:.1g}"), len(f"{high:,.0f}"))
    needed = GAP_INCHES + (SMALL_POINTS / 72 if isinstance(axis, YAxis) else CHARACTER_INCHES * characters)
    gaps = {subs: np.diff(np.log10([*subs, 10])).min() * decade for subs in LABELED}
    return next((subs for subs, gap in gaps.items() if gap >= needed), LABELED[-1])


def whole_numbers(axis: Axis) -> None:
    """Ticks at whole numbers only."""
    axis.set_major_locator(MaxNLocator(nbins=5, integer=True, steps=[1, 2, 5, 10]))


def _tick(value: float, _position: int | None) -> str:
    """A tick's number: plain between 0.001 and a million, else a power of ten."""
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return f"{value:,.10g}"
    mantissa, _, exponent = f"{value:.6g}".partition("e")
    if not exponent:
        mantissa, _, exponent = f"{value:e}".partition("e")
    shown = f"{float(mantissa):g}"
    power = f"10$^{{{int(exponent)}}}$"
    return power if shown == "1" else f"{shown}·{power}"


def numbers(table: "pa.Table", column: str) -> Floats:
    """A column of a table as floats; rows without a value are not numbers."""
    values = table.column(column).cast("float64", safe=False)
    return np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.float64)
