"""What plots show: one color for each dimension and each size, whole legends, times, and parts of midplanes."""

from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import torusim
from torusim.machine_room import MachineRoom
from torusim.plots import of_result, of_room, of_schedule
from torusim.plots.style import COLORS, STYLE, color_of_text, distinct_colors


def test_both_directions_of_a_dimension_have_its_color_on_a_mesh() -> None:
    """The first node of a mesh is a corner: its links are x+, y+ and z+ only."""
    result = torusim.run(
        {"machine": {"shape": [3, 3, 3], "wrap": [False] * 3}, "workload": {"kind": "all-to-all", "payload_bytes": 240}}
    )
    assert result.table("links").column("direction").unique().to_pylist()[:2] == ["x+", "y+"]
    axes = Figure().add_subplot()
    assert of_result.utilization_by_direction(result, axes)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x+", "x-", "y+", "y-", "z+", "z-"]
    bars = [to_hex(patch.get_facecolor()) for patch in axes.patches]
    assert bars == [to_hex(COLORS[index // 2]) for index in range(6)]


@pytest.mark.parametrize("count", [0, 1, 7, 8, 12, 40, 96])
def test_colors_do_not_repeat(count: int) -> None:
    colors = distinct_colors(count)
    assert len(set(colors)) == len(colors) == count
    assert all(color_of_text(color) in ("black", "white") for color in colors)


def drawn_gantt(room: str, jobs: int) -> tuple[torusim.Schedule, Figure, Axes]:
    schedule = torusim.schedule("lublin", room=room, jobs=jobs, load=1.1)
    with rc_context(STYLE):
        figure = Figure(layout="constrained")
        axes = figure.add_subplot()
        assert of_schedule.gantt(schedule, axes)
    figure.draw_without_rendering()
    return schedule, figure, axes


@pytest.mark.parametrize(("room", "sizes"), [("mira", 10), ("intrepid", 13)])
def test_legend_of_a_gantt_chart_is_whole_and_names_each_color_once(room: str, sizes: int) -> None:
    schedule, figure, axes = drawn_gantt(room, 600)
    (legend,) = figure.legends
    granted = {job["granted_nodes"] for job in schedule.table("jobs").to_pylist() if job["start"] is not None}
    assert len(granted) == sizes
    assert [text.get_text() for text in legend.get_texts()] == [f"{size:,}" for size in sorted(granted)]
    assert len({to_hex(patch.get_facecolor()) for patch in legend.get_patches()}) == sizes
    box, page = legend.get_window_extent(), figure.bbox
    assert (box.x0, box.y0) > (0, 0)
    assert (box.x1, box.y1) < (page.x1, page.y1)
    assert axes.get_window_extent().y0 > box.y1, "the axes are above the legend"


def test_jobs_below_a_midplane_do_not_cover_one_another() -> None:
    """Boxes of a Gantt chart never overlap: a node has one job at a time."""
    _, _, axes = drawn_gantt("intrepid", 300)
    boxes = [tuple(path.get_extents().extents) for path in axes.collections[0].get_paths()]
    heights = {round(top - bottom, 4) for _, bottom, _, top in boxes}
    assert {0.125, 0.25, 0.5} <= heights, "64, 128 and 256 of 512 nodes"
    for one, other in combinations(boxes, 2):
        width = min(one[2], other[2]) - max(one[0], other[0])
        height = min(one[3], other[3]) - max(one[1], other[1])
        assert width < 1e-9 or height < 1e-9, (one, other)


def test_parts_of_a_midplane_are_drawn_side_by_side() -> None:
    room = MachineRoom.load("intrepid")
    parts = [room.small_partition("R00-M0", 64, 0), room.small_partition("R00-M0", 256, 8)]
    assert [of_room.part_of_midplane(room, part) for part in parts] == [(0.0, 0.125), (0.5, 1.0)]
    assert of_room.part_of_midplane(room, room.partition(["R00-M0"])) == (0.0, 1.0)
    axes = Figure().add_subplot()
    places = {name: (float(index), 0.0) for index, name in enumerate(room.midplanes)}
    of_room._draw_midplanes(room, list(zip(parts, ("#ff0000", "#00ff00"), strict=True)), places, axes)
    widths = {
        to_hex(patch.get_facecolor()): patch.get_width() for patch in axes.patches if isinstance(patch, Rectangle)
    }
    assert widths["#ff0000"] == pytest.approx(of_room.CELL_WIDTH / 8)
    assert widths["#00ff00"] == pytest.approx(of_room.CELL_WIDTH / 2)


def test_partitions_of_another_room(tmp_path: Path) -> None:
    torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=20, out=tmp_path / "made")
    path = tmp_path / "made" / "partitions.parquet"
    table = pq.ParquetFile(path).read()
    places = pa.array(["99"] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index("midplanes"), "midplanes", places), path)
    with pytest.raises(torusim.InputError, match="made: table 'partitions': is not of the room bluegene-p-2-racks"):
        of_schedule._small_partitions(torusim.load_schedule(tmp_path / "made"))


@pytest.mark.parametrize(
    ("after", "says"),
    [(0, "the first start"), (7200, "2 h 0 min after the first start"), (-60, "1 min 0 s before the first start")],
)
def test_map_of_a_moment_names_it(after: int, says: str, tmp_path: Path) -> None:
    schedule = torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=20)
    first = min(start for start in schedule.table("jobs").column("start").to_pylist() if start is not None)
    path = tmp_path / "map.svg"
    with rc_context({"svg.fonttype": "none"}):
        of_schedule._draw_map(schedule, first + after, path)
    assert f"at second {first + after:,} of the log, {says}" in path.read_text()
