"""The map of a machine room: midplanes in a grid, the cables between them, and the partitions that use them.

rows: the first half of the dimensions      an arc: a cable
columns: the other half, in groups          a color: a partition, its midplanes and cables; hatched: passed through
"""

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Rectangle
from matplotlib.patheffects import withStroke

from torusim.common.formatting import shape
from torusim.pictures.plots import style
from torusim.pictures.plots.picture import Picture
from torusim.runs.scenario import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torusim.queue.room import MachineRoom, Partition

Place: TypeAlias = tuple[float, float]
Interval: TypeAlias = tuple[float, float]
Colored: TypeAlias = "Sequence[tuple[Partition, str]]"

CELL_WIDTH, CELL_HEIGHT = 0.92, 0.42
COLUMN_GAP, ROW_GAP = 0.35, 0.55
COLUMNS_WITHOUT_PLACES = 8
ARC_HEIGHT, ARC_RISE = 0.42, 0.05
"""Height of an arc within a row, in column widths: a constant, plus an increment per column of its length."""
BEND_BETWEEN_ROWS = 0.3
INCHES_PER_COLUMN = 0.4
ROW_TO_COLUMN = 1.375
"""Height of a row in column widths."""
LEGEND_INCHES = 0.25
MARGIN = 0.1
"""The margin around the map, in column widths."""
CHARACTER_EMS = 0.75
"""The width in ems of a character of a midplane's name, with its share of the space around the name."""
CABLE_STYLES: tuple[Literal["-", "--", ":", "-."], ...] = ("-", "--", ":", "-.", "-", "--")
"""Line styles of the cables of each dimension."""
MANY_COLORS = tuple(map(to_hex, colormaps["tab20"].colors))  # type: ignore[attr-defined]
"""The colors of partitions if there are more than `style.COLORS`."""
HEIGHT_OF_PARTS = 0.3
"""Share of a midplane's height that shows the partitions within it, below the midplane's name."""
LIGHT_GRAY = "#e4e4e4"
FREE_CABLE = "#bbbbbb"
CONFLICT = "#c00000"


@style.in_style
def draw_room(room: "MachineRoom", partitions: "Sequence[Partition]" = ()) -> Picture:
    """The map of a room.

    Args:
        room: The room to draw.
        partitions: Partitions of this room, shown in color: each in its own color if they are few, else by size.
            Without partitions, cables are colored by dimension.
    """
    places = _places(room)
    (left, right), (bottom, top) = _limits(room, places)
    width = min(style.PAGE_INCHES, max(style.COLUMN_INCHES, INCHES_PER_COLUMN * (right - left)))
    column = width / (right - left)
    height = column * ROW_TO_COLUMN * (top - bottom) + LEGEND_INCHES
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot(xlim=(left, right), ylim=(bottom, top), aspect=ROW_TO_COLUMN)
    partitions = list(dict.fromkeys(partitions))
    colored = list(zip(partitions, _colors(partitions), strict=True))
    _draw_cables(room, colored, places, axes)
    _draw_midplanes(room, colored, places, axes, _points_of_names(places, column * CELL_WIDTH))
    _finish(room, colored, axes)
    return Picture("room-map", figure)


def _colors(partitions: "Sequence[Partition]") -> list[str]:
    """A color for each partition if readers can distinguish that many colors, otherwise a color for each size."""
    if len(partitions) <= len(style.COLORS):
        return list(style.COLORS[: len(partitions)])
    if len(partitions) <= len(MANY_COLORS):
        return list(MANY_COLORS[: len(partitions)])
    sizes = sorted({partition.nodes for partition in partitions})
    of_size = dict(zip(sizes, reversed(style.ramp(len(sizes))), strict=True))
    return [of_size[partition.nodes] for partition in partitions]


def _places(room: "MachineRoom") -> dict[str, Place]:
    """The position of the center of each midplane."""
    if room.is_switched:
        return {
            name: (float(number % COLUMNS_WITHOUT_PLACES), -float(number // COLUMNS_WITHOUT_PLACES))
            for number, name in enumerate(room.midplanes)
        }
    lengths = [dimension.length for dimension in room.dimensions]
    first_column = len([length for length in lengths if length > 1]) // 2
    varying = [index for index, length in enumerate(lengths) if length > 1]
    rows, columns = varying[:first_column], varying[first_column:]
    return {name: _place(room.coordinates(name), lengths, rows, columns) for name in room.midplanes}


def _place(coordinates: list[int], lengths: list[int], rows: list[int], columns: list[int]) -> Place:
    """The center of a midplane in the picture, with a gap after each line of the innermost dimension."""

    def index(among: list[int]) -> int:
        return sum(
            coordinates[dimension] * prod(lengths[inner] for inner in among[position + 1 :])
            for position, dimension in enumerate(among)
        )

    def gaps(among: list[int]) -> int:
        return index(among) // lengths[among[-1]] if among else 0

    return index(columns) + COLUMN_GAP * gaps(columns), -(1 + ROW_GAP) * index(rows) - ROW_GAP * gaps(rows)


def _draw_cables(room: "MachineRoom", colored: Colored, places: dict[str, Place], axes: Axes) -> None:
    taken = _owners((cable, color) for partition, color in colored for cable in partition.cables)
    of_dimension = {dimension.name: style.COLORS[index] for index, dimension in enumerate(room.dimensions)}
    styles = dict(zip(of_dimension, CABLE_STYLES, strict=False))
    for cable in room.cables:
        dimension, source, target = cable.split(" ")
        default = FREE_CABLE if colored else of_dimension[dimension]
        colors = taken.get(cable, [default])
        # Where several partitions need a cable, the first one's color is visible on both sides of the next one's.
        for place, color in enumerate(colors):
            axes.add_patch(
                FancyArrowPatch(
                    places[source],
                    places[target],
                    connectionstyle=f"arc3,rad={_bend(places[source], places[target])}",
                    arrowstyle="-|>",
                    mutation_scale=4,
                    shrinkA=4,
                    shrinkB=4,
                    linewidth=(1.1 if cable in taken else 0.6) + 1.6 * (len(colors) - 1 - place),
                    linestyle=styles[dimension],
                    color=color,
                    zorder=(3 if cable in taken else 1) + 0.01 * place,
                )
            )


def _owners(pairs: "Iterable[tuple[str, str]]") -> dict[str, list[str]]:
    """The colors of the partitions that use each midplane or cable; several partitions on one are in conflict."""
    owners: dict[str, list[str]] = {}
    for name, color in pairs:
        owners.setdefault(name, []).append(color)
    return owners


def _limits(room: "MachineRoom", places: Mapping[str, Place]) -> tuple[Interval, Interval]:
    """The parts of both axes that the midplanes and the arcs of the cables need."""
    peaks = [_peak(places[source], places[target]) for _, source, target in map(str.split, room.cables)]
    across = [*(x + side * CELL_WIDTH / 2 for x, _ in places.values() for side in (-1, 1)), *(x for x, _ in peaks)]
    along = [*(y + side * CELL_HEIGHT / 2 for _, y in places.values() for side in (-1, 1)), *(y for _, y in peaks)]
    at_sides, above = MARGIN, MARGIN / ROW_TO_COLUMN
    return (min(across) - at_sides, max(across) + at_sides), (min(along) - above, max(along) + above)


def _peak(source: Place, target: Place) -> Place:
    """The point of a cable's arc that is farthest from the straight line: half of its bend away from the middle."""
    half = _bend(source, target) / 2
    across, along = target[0] - source[0], target[1] - source[1]
    middle = (source[0] + target[0]) / 2, (source[1] + target[1]) / 2
    return middle[0] + half * along * ROW_TO_COLUMN, middle[1] - half * across / ROW_TO_COLUMN


def _points_of_names(places: Mapping[str, Place], cell_inches: float) -> float:
    """The size of the midplanes' names: that of all small text, or smaller so that they fit into a midplane."""
    return min(style.SMALL_POINTS, 72 * cell_inches / (CHARACTER_EMS * max(map(len, places))))


def _bend(source: Place, target: Place) -> float:
    """Curvature of an arc as a share of its length: just enough to clear the midplanes."""
    if source[1] != target[1]:
        return BEND_BETWEEN_ROWS
    length = abs(source[0] - target[0])
    return 2 * (ARC_HEIGHT + ARC_RISE * length) / length


def part_of_midplane(room: "MachineRoom", partition: "Partition") -> tuple[float, float]:
    """The beginning and the end of a partition in each of its midplanes, as shares of the midplane's nodes."""
    cards = partition.node_cards
    if cards is None:
        return 0.0, 1.0
    cards_of_midplane = prod(room.midplane_shape) * len(cards) / partition.nodes
    return cards.start / cards_of_midplane, cards.stop / cards_of_midplane


def _draw_midplanes(
    room: "MachineRoom", colored: Colored, places: dict[str, Place], axes: Axes, name_points: float
) -> None:
    owners = _owners(
        (midplane, color)
        for partition, color in colored
        for midplane in partition.midplanes
        if partition.node_cards is None
    )
    passing = _owners((name, color) for partition, color in colored for name, _ in partition.passed_through)
    for name, (x, y) in places.items():
        colors = owners.get(name, [LIGHT_GRAY])
        for corner, width, color in _stripes((x, y), colors):
            axes.add_patch(Rectangle(corner, width, CELL_HEIGHT, facecolor=color, linewidth=0, zorder=4))
        for corner, width, color in _stripes((x, y), list(dict.fromkeys(passing.get(name, [])))):
            axes.add_patch(
                Rectangle(
                    *(corner, width, CELL_HEIGHT), fill=False, hatch="//////", edgecolor=color, linewidth=0, zorder=5
                )
            )
        is_in_conflict = len(colors) > 1
        (frame,) = _stripes((x, y), [CONFLICT if is_in_conflict else style.GRAY])
        axes.add_patch(
            Rectangle(
                *(frame[0], frame[1], CELL_HEIGHT),
                fill=False,
                edgecolor=frame[2],
                linewidth=1.8 if is_in_conflict else 1,
                zorder=5.5,
            )
        )
        background = colors[0]
        label = axes.text(
            x,
            y,
            printable(name),
            ha="center",
            va="center",
            fontsize=name_points,
            color=style.color_of_text(background),
            parse_math=False,
            zorder=6,
        )
        if is_in_conflict or name in passing:
            # A border in the color of the background, without which hatching and stripes run through the letters.
            label.set_path_effects([withStroke(linewidth=2.5, foreground=background)])
    _draw_parts(room, colored, places, axes)


def _stripes(place: Place, colors: list[str]) -> list[tuple[Place, float, str]]:
    """(corner, width, color) of the equal parts of a midplane's box, side by side."""
    width = CELL_WIDTH / max(len(colors), 1)
    left, bottom = place[0] - CELL_WIDTH / 2, place[1] - CELL_HEIGHT / 2
    return [((left + index * width, bottom), width, color) for index, color in enumerate(colors)]


def _draw_parts(room: "MachineRoom", colored: Colored, places: dict[str, Place], axes: Axes) -> None:
    """Draws partitions smaller than a midplane at the bottom of its box, each as wide as its share of nodes."""
    for partition, color in colored:
        if partition.node_cards is None:
            continue
        begin, end = part_of_midplane(room, partition)
        for x, y in (places[midplane] for midplane in partition.midplanes):
            corner = (x + (begin - 0.5) * CELL_WIDTH, y - CELL_HEIGHT / 2)
            size = ((end - begin) * CELL_WIDTH, CELL_HEIGHT * HEIGHT_OF_PARTS)
            axes.add_patch(Rectangle(corner, *size, facecolor=color, edgecolor=style.GRAY, linewidth=0.5, zorder=5))


def _has_conflict(colored: Colored) -> bool:
    """Whether partitions share a midplane."""
    names = [name for partition, _ in colored if partition.node_cards is None for name in partition.midplanes]
    return len(names) > len(set(names))


def _finish(room: "MachineRoom", colored: Colored, axes: Axes) -> None:
    handles: list[Patch | Line2D] = []
    if len({color for _, color in colored}) == len(colored):
        handles += [
            Patch(facecolor=color, label=f"{partition.name}: {shape(partition.shape, partition.wrap)}")
            for partition, color in colored
        ]
    else:
        of_size = dict(sorted((partition.nodes, color) for partition, color in colored))
        handles += [Patch(facecolor=color, label=f"{nodes:,} nodes") for nodes, color in of_size.items()]
    if _has_conflict(colored):
        handles.append(Patch(facecolor="none", edgecolor=CONFLICT, linewidth=1.8, label="in several of them"))
    if any(partition.passed_through for partition, _ in colored):
        handles.append(Patch(facecolor=LIGHT_GRAY, edgecolor=style.GRAY, hatch="//////", label="passed through"))
    named = {cable.split(" ")[0] for cable in room.cables}
    for index, dimension in enumerate(room.dimensions):
        if dimension.name in named:
            color = style.GRAY if colored else style.COLORS[index]
            label = f"cables of {dimension.name}"
            handles.append(Line2D([], [], color=color, linestyle=CABLE_STYLES[index], label=label))
    style.legend(axes.figure, handles)  # type: ignore[arg-type]
    axes.set_axis_off()
