"""The map of a machine room: midplanes in a grid, the cables between them, and the partitions that use them.

rows: the first half of the dimensions      an arc: a cable
columns: the other half, in groups          a color: a partition, its midplanes and cables; hatched: passed through
"""

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Rectangle

from torusim.formatting import shape
from torusim.plots.picture import Picture
from torusim.plots.style import (
    COLORS,
    COLUMN_INCHES,
    GRAY,
    PAGE_INCHES,
    SMALL_POINTS,
    color_of_text,
    in_style,
    legend,
    ramp,
)
from torusim.scenario import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torusim.machine_room import MachineRoom, Partition

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
"""Around the map, in column widths."""
CHARACTER_EMS = 0.75
"""Width of a character of a midplane's name, with its share of the space around the name."""
CABLE_STYLES: tuple[Literal["-", "--", ":", "-."], ...] = ("-", "--", ":", "-.", "-", "--")
"""Line styles of the cables of each dimension."""
HEIGHT_OF_PARTS = 0.3
"""Share of a midplane's height that shows the partitions within it, below the midplane's name."""
LIGHT_GRAY = "#e4e4e4"
FREE_CABLE = "#bbbbbb"


@in_style
def draw_room(room: "MachineRoom", partitions: "Sequence[Partition]" = ()) -> Picture:
    """The map of a room.

    Args:
        room: The room to draw.
        partitions: Partitions of this room, shown in color: each in its own if they are few, else by size. Without any,
            cables are colored by dimension.
    """
    places = _places(room)
    (left, right), (bottom, top) = _limits(room, places)
    width = min(PAGE_INCHES, max(COLUMN_INCHES, INCHES_PER_COLUMN * (right - left)))
    column = width / (right - left)
    height = column * ROW_TO_COLUMN * (top - bottom) + LEGEND_INCHES
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot(xlim=(left, right), ylim=(bottom, top), aspect=ROW_TO_COLUMN)
    colored = list(zip(partitions, _colors(partitions), strict=True))
    _draw_cables(room, colored, places, axes)
    _draw_midplanes(room, colored, places, axes, _points_of_names(places, column * CELL_WIDTH))
    _finish(room, colored, axes)
    return Picture("room-map", figure)


def _colors(partitions: "Sequence[Partition]") -> list[str]:
    """A color for each partition; of many, a color for each size."""
    if len(partitions) <= len(COLORS):
        return list(COLORS[: len(partitions)])
    sizes = sorted({partition.nodes for partition in partitions})
    of_size = dict(zip(sizes, reversed(ramp(len(sizes))), strict=True))
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
    """Row and column of a midplane, with a gap after each line of the innermost dimension."""

    def index(among: list[int]) -> int:
        return sum(
            coordinates[dimension] * prod(lengths[inner] for inner in among[position + 1 :])
            for position, dimension in enumerate(among)
        )

    def gaps(among: list[int]) -> int:
        return index(among) // lengths[among[-1]] if among else 0

    return index(columns) + COLUMN_GAP * gaps(columns), -(1 + ROW_GAP) * index(rows) - ROW_GAP * gaps(rows)


def _draw_cables(room: "MachineRoom", colored: Colored, places: dict[str, Place], axes: Axes) -> None:
    taken = {cable: color for partition, color in colored for cable in partition.cables}
    of_dimension = {dimension.name: COLORS[index] for index, dimension in enumerate(room.dimensions)}
    styles = dict(zip(of_dimension, CABLE_STYLES, strict=False))
    for cable in room.cables:
        dimension, source, target = cable.split(" ")
        default = FREE_CABLE if colored else of_dimension[dimension]
        axes.add_patch(
            FancyArrowPatch(
                places[source],
                places[target],
                connectionstyle=f"arc3,rad={_bend(places[source], places[target])}",
                arrowstyle="-|>",
                mutation_scale=4,
                shrinkA=4,
                shrinkB=4,
                linewidth=1.1 if cable in taken else 0.6,
                linestyle=styles[dimension],
                color=taken.get(cable, default),
                zorder=3 if cable in taken else 1,
            )
        )


def _limits(room: "MachineRoom", places: Mapping[str, Place]) -> tuple[Interval, Interval]:
    """The parts of both axes that the midplanes and the arcs of the cables need."""
    peaks = [_peak(places[source], places[target]) for _, source, target in map(str.split, room.cables)]
    across = [*(x + side * CELL_WIDTH / 2 for x, _ in places.values() for side in (-1, 1)), *(x for x, _ in peaks)]
    along = [*(y + side * CELL_HEIGHT / 2 for _, y in places.values() for side in (-1, 1)), *(y for _, y in peaks)]
    beside, above = MARGIN, MARGIN / ROW_TO_COLUMN
    return (min(across) - beside, max(across) + beside), (min(along) - above, max(along) + above)


def _peak(source: Place, target: Place) -> Place:
    """Where the arc of a cable is farthest from the straight line: half of its bend beside the middle."""
    half = _bend(source, target) / 2
    across, along = target[0] - source[0], target[1] - source[1]
    middle = (source[0] + target[0]) / 2, (source[1] + target[1]) / 2
    return middle[0] + half * along * ROW_TO_COLUMN, middle[1] - half * across / ROW_TO_COLUMN


def _points_of_names(places: Mapping[str, Place], cell_inches: float) -> float:
    """The size of the midplanes' names: as all small text, or what fits into a midplane."""
    return min(SMALL_POINTS, 72 * cell_inches / (CHARACTER_EMS * max(map(len, places))))


def _bend(source: Place, target: Place) -> float:
    """Curvature of an arc as a share of its length: just enough to clear the midplanes."""
    if source[1] != target[1]:
        return BEND_BETWEEN_ROWS
    length = abs(source[0] - target[0])
    return 2 * (ARC_HEIGHT + ARC_RISE * length) / length


def part_of_midplane(room: "MachineRoom", partition: "Partition") -> tuple[float, float]:
    """Where a partition begins and ends in each of its midplanes, as shares of the midplane's nodes."""
    cards = partition.node_cards
    if cards is None:
        return 0.0, 1.0
    cards_of_midplane = prod(room.midplane_shape) * len(cards) / partition.nodes
    return cards.start / cards_of_midplane, cards.stop / cards_of_midplane


def _draw_midplanes(
    room: "MachineRoom", colored: Colored, places: dict[str, Place], axes: Axes, name_points: float
) -> None:
    owners = {
        midplane: color
        for partition, color in colored
        for midplane in partition.midplanes
        if partition.node_cards is None
    }
    passing = {midplane: color for partition, color in colored for midplane, _ in partition.passed_through}
    for name, (x, y) in places.items():
        corner = (x - CELL_WIDTH / 2, y - CELL_HEIGHT / 2)
        color = owners.get(name, LIGHT_GRAY)
        axes.add_patch(Rectangle(corner, CELL_WIDTH, CELL_HEIGHT, facecolor=color, edgecolor=GRAY, zorder=4))
        if name in passing:
            axes.add_patch(
                Rectangle(
                    corner,
                    CELL_WIDTH,
                    CELL_HEIGHT,
                    fill=False,
                    hatch="//////",
                    edgecolor=passing[name],
                    linewidth=0,
                    zorder=5,
                )
            )
        axes.text(
            x,
            y,
            printable(name),
            ha="center",
            va="center",
            fontsize=name_points,
            color=color_of_text(color),
            parse_math=False,
            zorder=6,
        )
    _draw_parts(room, colored, places, axes)


def _draw_parts(room: "MachineRoom", colored: Colored, places: dict[str, Place], axes: Axes) -> None:
    """Partitions that are smaller than a midplane, at the bottom of its box, each as wide as its share of nodes."""
    for partition, color in colored:
        if partition.node_cards is None:
            continue
        begin, end = part_of_midplane(room, partition)
        for x, y in (places[midplane] for midplane in partition.midplanes):
            corner = (x + (begin - 0.5) * CELL_WIDTH, y - CELL_HEIGHT / 2)
            size = ((end - begin) * CELL_WIDTH, CELL_HEIGHT * HEIGHT_OF_PARTS)
            axes.add_patch(Rectangle(corner, *size, facecolor=color, edgecolor=GRAY, linewidth=0.5, zorder=5))


def _finish(room: "MachineRoom", colored: Colored, axes: Axes) -> None:
    handles: list[Patch | Line2D] = []
    if len(colored) <= len(COLORS):
        handles += [
            Patch(facecolor=color, label=f"{partition.name}: {shape(partition.shape, partition.wrap)}")
            for partition, color in colored
        ]
    else:
        of_size = dict(sorted((partition.nodes, color) for partition, color in colored))
        handles += [Patch(facecolor=color, label=f"{nodes:,} nodes") for nodes, color in of_size.items()]
    if any(partition.passed_through for partition, _ in colored):
        handles.append(Patch(facecolor=LIGHT_GRAY, edgecolor=GRAY, hatch="//////", label="passed through"))
    named = {cable.split(" ")[0] for cable in room.cables}
    for index, dimension in enumerate(room.dimensions):
        if dimension.name in named:
            color = GRAY if colored else COLORS[index]
            label = f"cables of {dimension.name}"
            handles.append(Line2D([], [], color=color, linestyle=CABLE_STYLES[index], label=label))
    legend(axes.figure, handles)  # type: ignore[arg-type]
    axes.set_axis_off()
