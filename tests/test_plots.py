"""The content of pictures: axes with units, lines from the data, colors, legends and names; and bad requests."""

import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.text import Text

import torusim
from tests.support import ROOT, Command, refused, succeeded
from torusim.pictures.figures import Axis, Bars, Curve, Curves, Dots, Grid, Level, Series
from torusim.pictures.plots import (
    Choice,
    Line,
    Picture,
    Window,
    draw,
    draw_curve,
    draw_runs,
    draw_schedules,
    draw_sweep,
    of_gantt,
    of_room,
    of_run,
    of_schedule,
    style,
)
from torusim.pictures.plots.quantities import quantity
from torusim.pictures.plots.style import Floats, legend, panels
from torusim.queue.room import MachineRoom

OPEN_LOOP: dict[str, Any] = {
    "machine": {"shape": [4, 4]},
    "workload": {"kind": "uniform-random", "load": 0.6},
    "run": {"warmup_cycles": 2_000, "measure_cycles": 20_000, "series_interval_cycles": 100},
}


@pytest.fixture(scope="module")
def torus() -> torusim.Result:
    return torusim.run(OPEN_LOOP)


@pytest.fixture(scope="module")
def mesh() -> torusim.Result:
    return torusim.run(OPEN_LOOP, machine={"wrap": False})


@pytest.fixture(scope="module")
def plain() -> torusim.Schedule:
    return torusim.schedule("lublin", nodes=64, jobs=200, load=0.9, walltime_factor=3)


@pytest.fixture(scope="module")
def swept() -> torusim.Sweep:
    over: dict[str, Any] = {"workload.load": [0.2, 0.5, 0.8], "machine.wrap": [True, False], "run.seed": [1, 2]}
    return torusim.sweep(OPEN_LOOP, over, jobs=2)


def axes_of(picture: Picture) -> Axes:
    return picture.figure.axes[-1]


def points_of(line: Line2D) -> tuple[Floats, Floats]:
    """Abscissas and ordinates."""
    return np.asarray(line.get_xdata(), dtype=np.float64), np.asarray(line.get_ydata(), dtype=np.float64)


def labels(picture: Picture) -> list[str]:
    """The entries of the picture's legend."""
    return [text.get_text() for legend in picture.figure.legends for text in legend.get_texts()]


def ticks(axes: Axes, axis: str) -> list[str]:
    return [text.get_text() for text in getattr(axes, f"get_{axis}ticklabels")()]


# ---- style


@pytest.mark.parametrize("count", [0, 1, 7, 8, 12, 40, 96])
def test_colors_do_not_repeat(count: int) -> None:
    colors = style.distinct_colors(count)
    assert len(set(colors)) == len(colors) == count
    assert all(style.color_of_text(color) in ("black", "white") for color in colors)


DEUTERANOPIA = np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]])
PROTANOPIA = np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]])
"""Matrices of color blindness for linear RGB: Machado, Oliveira and Fernandes, IEEE TVCG 15 (2009), severity 1."""


def linear(color: str) -> Floats:
    """Linear RGB of a color, with the transfer function of sRGB."""
    encoded = np.array(to_rgb(color))
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def lightness(color: str) -> float:
    """L* of CIE 1976: 0 for black, 100 for white."""
    luminance = float(np.dot((0.2126, 0.7152, 0.0722), linear(color)))
    return 116 * np.cbrt(luminance) - 16 if luminance > 0.008856 else 903.3 * luminance


@pytest.mark.parametrize("blindness", [DEUTERANOPIA, PROTANOPIA], ids=["deuteranopia", "protanopia"])
def test_colors_differ_for_color_blind_readers(blindness: Floats) -> None:
    seen = [np.clip(blindness @ linear(color), 0, 1) ** (1 / 2.2) for color in style.COLORS]
    assert min(np.abs(one - other).max() for one, other in combinations(seen, 2)) > 0.08


def test_neighboring_colors_differ_in_gray() -> None:
    assert min(abs(lightness(one) - lightness(other)) for one, other in pairwise(style.COLORS)) > 6


@pytest.mark.parametrize("blindness", [np.eye(3), DEUTERANOPIA, PROTANOPIA], ids=["all", "deuteranopia", "protanopia"])
def test_heat_maps_are_in_order_of_lightness(blindness: Floats) -> None:
    """The map of utilization, and the ramp of sizes, which ends before white."""
    for colors in (style.ramp(64), [to_hex(color) for color in colormaps["cividis"](np.linspace(0, 1, 64))]):
        seen = [np.dot((0.2126, 0.7152, 0.0722), np.clip(blindness @ linear(color), 0, 1)) for color in colors]
        assert all(np.diff(seen) > 0)
    assert lightness(style.ramp(8)[-1]) < 90


def test_every_look_has_a_mark_and_a_line_of_its_own() -> None:
    first = [look for look, _ in zip(style.looks(), style.COLORS, strict=False)]
    assert len({look.mark for look in first}) == len({str(look.line) for look in first}) == len(first)


@pytest.fixture(scope="module")
def all_pictures(
    torus: torusim.Result, mesh: torusim.Result, plain: torusim.Schedule, swept: torusim.Sweep
) -> list[Picture]:
    """One picture of each kind, of one thing and of several."""
    room = torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=60, load=0.9)
    cube = torusim.run(OPEN_LOOP, machine={"shape": [4, 4, 2, 2]}, workload={"load": 0.3})
    sort = {"kind": "kernel", "name": "nas-is", "class": "S", "iterations": 1}
    stalled = torusim.run({"machine": {"shape": [4, 4]}, "workload": sort, "run": {"communication": True}})
    steady, late = ([(value, 0.9 * value, 1.1 * value) for value in (100.0, ends, 4 * ends)] for ends in (110.0, 150.0))
    curves = [
        Line({"machine.wrap": wrap}, [0.2, 0.5, 0.9], [(x, x, x) for x in (0.2, 0.5, 0.8)], [False, False, True], of)
        for wrap, points in ((True, steady), (False, late))
        for of in [{"mean": [*points[:2], None], "p99": [*points[1:], None]}]
    ]
    return [
        *draw_runs({"": torus}),
        *draw_runs({"": cube}),
        *draw_runs({"": stalled}),
        *draw_runs({"torus": torus, "mesh": mesh, "cube": cube}),
        *draw_sweep(swept.table, swept.keys),
        *draw_sweep(swept.table, swept.keys, Choice(x="machine.wrap", by=("workload.load",))),
        draw_curve(curves),
        *draw_schedules({"": plain}),
        *draw_schedules({"plain": plain, "room": room}),
        *draw_schedules({"": room}),
        MachineRoom.load("bluegene-p-2-racks").plot(),
    ]


def test_lines_differ_without_their_colors(all_pictures: list[Picture]) -> None:
    """Lines differ by style, width or mark, in print without colors and for every reader."""
    for picture in all_pictures:
        for axes in picture.figure.axes:
            lines = [line for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
            drawn = {str((line._dash_pattern, line.get_linewidth(), line.get_marker())) for line in lines}  # type: ignore[attr-defined]
            assert len(drawn) == len(lines), picture.name


def test_text_can_be_read_in_a_column(all_pictures: list[Picture]) -> None:
    """At the width of the picture no text is smaller than 7 points, and none covers another."""
    for picture in all_pictures:
        picture.figure.draw_without_rendering()
        texts = [text for text in picture.figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
        assert min(float(text.get_fontsize()) for text in texts) >= style.SMALL_POINTS, picture.name
        for axes in picture.figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                shown = [text for text in axis.get_ticklabels() if text.get_visible() and text.get_text()]
                extents = [text.get_window_extent() for text in shown if text.get_rotation() == 0]
                assert not any(one.overlaps(other) for one, other in pairwise(extents)), (picture.name, axis)


@pytest.mark.parametrize("ends", [(2_400, 260_000), (0.016, 35), (1, 10_000), (300, 1_500), (1e-8, 1e-4), (16, 3_000)])
@pytest.mark.parametrize("name", ["xaxis", "yaxis"])
@style.in_style
def test_labels_of_logarithmic_axes_have_room(ends: tuple[float, float], name: str) -> None:
    figure, (axes,) = panels()
    axes.plot(ends, ends)
    axis = getattr(axes, name)
    style.log_axis(axis, "time (s)")
    figure.draw_without_rendering()
    low, high = sorted(axis.get_view_interval())
    shown = zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=True)
    boxes = [label.get_window_extent() for place, label in shown if low <= place <= high]
    assert len(boxes) >= 2
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))


def test_cables_of_a_room_are_within_its_map() -> None:
    for name in ("bluegene-p-2-racks", "mira"):
        picture = MachineRoom.load(name).plot()
        picture.figure.draw_without_rendering()
        axes = axes_of(picture)
        whole = axes.get_window_extent()
        for arc in (patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)):
            box = arc.get_window_extent()
            assert whole.x0 <= box.x0 + 1, name
            assert whole.x1 >= box.x1 - 1, name
            assert whole.y0 <= box.y0 + 1, name
            assert whole.y1 >= box.y1 - 1, name


def test_pictures_have_no_title_and_the_width_of_a_column(torus: torusim.Result) -> None:
    for picture in draw_runs({"": torus}):
        assert picture.figure.get_suptitle() == ""
        assert axes_of(picture).get_title(loc="left") == ""
        assert picture.figure.get_figwidth() == style.COLUMN_INCHES


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_equal_pictures_are_equal_files(torus: torusim.Result, tmp_path: Path, suffix: str) -> None:
    one, other = (torus.plot("latency").save(tmp_path / f"{name}.{suffix}").read_bytes() for name in "ab")
    assert one == other
    assert one.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix])


def test_notebooks_show_pictures(torus: torusim.Result) -> None:
    picture = torus.plot()
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert repr(picture) == "<Picture utilization-over-time, 8.0 x 5.3 cm>"


# ---- runs


def test_spread_of_utilization_is_that_of_the_links(mesh: torusim.Result) -> None:
    axes = axes_of(mesh.plot("utilization-by-direction"))
    assert ticks(axes, "x") == ["x+", "x-", "y+", "y-"]
    assert axes.get_ylabel() == "link utilization (%)"
    links = mesh.table("links").to_pylist()
    of_direction = {
        name: [link["utilization"] for link in links if link["direction"] == name] for name in ticks(axes, "x")
    }
    (means,) = axes.get_lines()
    assert means.get_ydata() == pytest.approx([np.mean(values) for values in of_direction.values()])
    drawn = {tuple(segment[:, 1].round(6)) for part in axes.collections for segment in part.get_segments()}  # type: ignore[attr-defined]
    assert drawn >= {(round(min(values), 6), round(max(values), 6)) for values in of_direction.values()}


def test_series_are_binned(torus: torusim.Result) -> None:
    """Rows of 100 cycles, less than the time of a packet, would show only the begins of packets."""
    assert torus.table("series").num_rows == 220
    picture = torus.plot("utilization-over-time")
    assert labels(picture) == ["x", "y", "all links"]
    for line in axes_of(picture).get_lines():
        assert len(points_of(line)[0]) == 55, "of 4 rows each"
    _, total = points_of(axes_of(picture).get_lines()[-1])
    series = torus.table("series").column("utilization").to_numpy()
    assert np.mean(total) == pytest.approx(series.mean(), rel=0.01)


def test_latencies_are_a_complementary_distribution(torus: torusim.Result, mesh: torusim.Result) -> None:
    picture = torusim.plot({"torus": torus, "mesh": mesh}, "latency")
    axes = axes_of(picture)
    assert labels(picture) == ["torus", "mesh", "mean", "99th percentile"]
    assert axes.get_ylabel() == "slower packets (%)"
    assert axes.get_xlabel() == "packet latency (cycles)"
    assert axes.get_yscale() == "log"
    cycles, slower = points_of(next(line for line in axes.get_lines() if line.get_label() == "torus"))
    assert slower[0] == 1
    assert all(np.diff(slower) <= 0)
    at_p99 = np.interp(torus.summary["latency_cycles_p99"], cycles, slower)
    assert at_p99 == pytest.approx(0.01, rel=0.2)


def test_maps_name_the_coordinates_of_a_slice() -> None:
    result = torusim.run(OPEN_LOOP, machine={"shape": [4, 3, 2]}, run={"measure_cycles": 2_000})
    (picture,) = draw_runs({"": result}, only="utilization-map")
    above, below = picture.figure.axes[0], picture.figure.axes[5]
    assert above.get_ylabel() == "x+\ny"
    assert ticks(above, "y") == ["0", "2"]
    assert list(below.get_xticks(minor=True)) == [0, 3]
    assert "x" in [text.get_text() for text in below.texts]


def test_window_limits_the_time_that_is_shown(torus: torusim.Result) -> None:
    (whole,) = draw_runs({"": torus}, only="utilization-over-time")
    (part,) = draw_runs({"": torus}, only="utilization-over-time", window=Window(5_000, 10_000))
    low, high = axes_of(part).get_xlim()
    assert (high - low) / np.diff(axes_of(whole).get_xlim()) == pytest.approx(5_000 / 22_000)
    with pytest.raises(torusim.InputError, match="something from 0 to 22,000"):
        draw_runs({"": torus}, window=Window(30_000, None))
    with pytest.raises(torusim.InputError, match="has to be after"):
        Window(5, 5)


# ---- sweeps


def test_axes_of_a_sweep_are_guessed(swept: torusim.Sweep) -> None:
    latencies, throughput = draw_sweep(swept.table, swept.keys)
    assert (latencies.name, throughput.name) == ("sweep-latency-cycles-mean", "sweep-percent-of-peak")
    axes = axes_of(latencies)
    assert axes.get_xlabel() == "offered load (share of peak)"
    assert axes.get_ylabel() == "mean packet latency (cycles)"
    assert axes_of(throughput).get_ylabel() == "throughput (% of peak)"
    assert labels(throughput)[:2] == ["torus", "mesh"]
    rows = swept.table.to_pylist()
    for line, wrap in zip(axes.get_lines()[:2], (True, False), strict=False):
        means = [
            np.mean([row["latency_cycles_mean"] for row in rows if (row["workload.load"], row["machine.wrap"]) == at])
            for at in ((load, wrap) for load in (0.2, 0.5, 0.8))
        ]
        assert line.get_ydata() == pytest.approx(means)


def test_axes_of_a_sweep_can_be_chosen(swept: torusim.Sweep) -> None:
    picture = swept.plot("link_utilization_mean", x="run.seed", by="workload.load")
    axes = axes_of(picture)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("seed", "link utilization (%)")
    assert labels(picture)[:3] == ["load 0.2", "load 0.5", "load 0.8"]
    over_shapes = torusim.sweep(OPEN_LOOP, {"machine.shape": [[4], [2, 2]], "run.seed": [1, 2]}, jobs=2)
    assert ticks(axes_of(over_shapes.plot()), "x") == ["4", "2x2"]
    only_seeds = torusim.sweep(OPEN_LOOP, {"run.seed": [1, 2]}, jobs=2)
    assert axes_of(only_seeds.plot()).get_xlabel() == "seed"


@pytest.mark.parametrize(
    ("values", "shown"), [([1, 2], ["1", "2"]), ([1, 2, 4, 8, 16, 32], ["1", "2", "4", "8", "16", "32"])]
)
def test_few_integers_have_a_tick_each(values: list[int], shown: list[str]) -> None:
    key = "machine.router.dynamic_channels"
    table = pa.table({key: values, "name": ["a"] * len(values), "latency_cycles_mean": [100.0] * len(values)})
    (picture,) = draw_sweep(table, [key])
    assert ticks(axes_of(picture), "x") == shown


def test_many_integers_have_fewer_ticks_than_values() -> None:
    table = pa.table({"run.seed": [*range(100)], "cycles": [*range(100)], "latency_cycles_mean": [1.0] * 100})
    (picture, *_) = draw_sweep(table, ["run.seed"])
    assert len(ticks(axes_of(picture), "x")) < 20


def test_saturated_points_are_hollow() -> None:
    table = pa.table(
        {
            "workload.load": [0.5, 0.9],
            "name": ["a", "a"],
            "steadiness": ["steady", "saturated"],
            "latency_cycles_mean": [100.0, 900.0],
        }
    )
    (picture,) = draw_sweep(table, ["workload.load"])
    assert labels(picture) == ["saturated"]
    hollow = [line for line in axes_of(picture).get_lines() if line.get_markerfacecolor() == "white"]
    assert [list(points_of(line)[0]) for line in hollow] == [[0.9]]


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Choice(x="workload.lod"), ["x = 'workload.lod'", "did you mean workload.load"]),
        (Choice(x="load"), ["x = 'load'", "did you mean workload.load?"]),
        (Choice(y=("latency_cycles",)), ["y = 'latency_cycles'", "latency_cycles_mean"]),
        (Choice(y=("outcome",)), ["y = 'outcome'", "no numbers"]),
        (Choice(by=("zzz",)), ["by = 'zzz'", "swept keys are workload.load"]),
    ],
)
def test_unknown_columns(swept: torusim.Sweep, choice: Choice, words: list[str]) -> None:
    with refused(*words):
        draw_sweep(swept.table, swept.keys, choice)


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("machine.router.token_latency_cycles", "token latency (cycles)"),
        ("machine.node.cores", "cores"),
        ("link_utilization_by_direction.x+", "link utilization, x+ (%)"),
        ("escape_share", "hops on the escape VC (%)"),
    ],
)
def test_labels_are_those_of_the_field(key: str, label: str) -> None:
    assert quantity(key).label == label


def test_other_libraries_of_tables_read_a_sweep(swept: torusim.Sweep) -> None:
    """Polars and pandas read any object with this protocol, which Arrow's tables have too."""
    assert pa.table(swept).equals(swept.table)
    assert hasattr(torusim.run(OPEN_LOOP).table("links"), "__arrow_c_stream__")


# ---- schedules


def drawn_gantt(room: str, jobs: int) -> tuple[torusim.Schedule, Picture]:
    schedule = torusim.schedule("lublin", room=room, jobs=jobs, load=1.1)
    picture = schedule.plot("gantt")
    picture.figure.draw_without_rendering()
    return schedule, picture


@pytest.mark.parametrize(("room", "sizes"), [("mira", 10), ("intrepid", 13)])
def test_legend_of_a_gantt_chart_is_whole_and_names_five_classes_of_sizes(room: str, sizes: int) -> None:
    schedule, picture = drawn_gantt(room, 600)
    (legend,) = picture.figure.legends
    granted = sorted({job["granted_nodes"] for job in schedule.jobs_that_ran()})
    assert len(granted) == sizes
    named = [int(label.replace(",", "")) for label in labels(picture)]
    assert set(named) <= set(granted)
    assert (len(named), named[-1]) == (5, granted[-1])
    assert legend.get_title().get_text() == "nodes of the job, up to"
    assert len({to_hex(patch.get_facecolor()) for patch in legend.get_patches()}) == 5
    box, page = legend.get_window_extent(), picture.figure.bbox
    assert (box.x0, box.y0) > (0, 0)
    assert box.x1 < page.x1
    assert axes_of(picture).get_window_extent().y1 < box.y0, "the axes are below the legend"


def marks_of(picture: Picture) -> list[tuple[float, ...]]:
    """From, to, lowest and highest row of each part that is not in service for all jobs; times in the axis's unit."""
    patches = [patch for patch in axes_of(picture).patches if isinstance(patch, Rectangle)]
    corners = [
        (patch.get_x(), patch.get_x() + patch.get_width(), patch.get_y(), patch.get_height()) for patch in patches
    ]
    return [(left, right, low, low + height) for left, right, low, height in corners]


def test_maintenance_is_marked_in_a_gantt_chart(tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    log.write_text(
        "; UnixStartTime: 1709280000\n"
        + "".join(f"{job} {job * 60} -1 3600 4 -1 -1 4 3600 -1 1 1 1 1 1 -1 -1 -1\n" for job in range(8))
    )
    plain = torusim.schedule(
        log,
        nodes=8,
        reservations=[
            {"from": "2024-03-01T09:00:00", "until": "2024-03-01T11:00:00+0100", "nodes": 2},
            {"from": 5400, "nodes": 1},
        ],
        outages=[{"from": 3600, "until": 7200, "nodes": 3}],
    )
    picture = plain.plot("gantt")
    last = axes_of(picture).get_xlim()[1]
    hours = [pytest.approx(mark) for mark in [(1, 2, 6, 8), (1.5, last, 5, 6), (1, 2, 2, 5)]]
    assert marks_of(picture) == hours
    assert {"reserved", "out of service"} <= set(labels(picture))
    room = torusim.schedule(
        "lublin",
        room="intrepid",
        jobs=30,
        reservations=[{"from": 0, "until": 36000, "midplanes": ["R00-M0", "R03-M1"]}],
        outages=[{"from": 0, "until": 3600, "midplane": "R01-M0"}],
    )
    midplanes = room.table("midplanes").column("midplane").to_pylist()
    rows = [mark[2:] for mark in marks_of(room.plot("gantt"))]
    assert rows == [(row, row + 1) for row in map(midplanes.index, ["R00-M0", "R03-M1", "R01-M0"])]
    assert not marks_of(drawn_gantt("intrepid", 20)[1])


def test_rows_of_a_gantt_chart_are_named_after_midplanes() -> None:
    schedule, picture = drawn_gantt("intrepid", 100)
    names = schedule.table("midplanes").column("midplane").to_pylist()
    shown = ticks(axes_of(picture), "y")
    assert shown[0] == names[0] == "R00-M0"
    step = names.index(shown[1])
    assert shown == names[::step]
    assert axes_of(picture).get_ylabel() == "midplane"


def boxes_of(picture: Picture) -> list[tuple[float, ...]]:
    (boxes,) = axes_of(picture).collections
    return [tuple(path.get_extents().extents) for path in boxes.get_paths()]


def assert_disjoint(boxes: list[tuple[float, ...]]) -> None:
    for one, other in combinations(boxes, 2):
        width = min(one[2], other[2]) - max(one[0], other[0])
        height = min(one[3], other[3]) - max(one[1], other[1])
        assert width < 1e-9 or height < 1e-9, (one, other)


def test_jobs_below_a_midplane_do_not_cover_one_another() -> None:
    """Boxes of a Gantt chart never overlap: a node has one job at a time."""
    _, picture = drawn_gantt("intrepid", 300)
    boxes = boxes_of(picture)
    assert {0.125, 0.25, 0.5} <= {round(top - bottom, 4) for _, bottom, _, top in boxes}, "64, 128, 256 of 512 nodes"
    assert_disjoint(boxes)


def test_gantt_chart_of_a_plain_machine(plain: torusim.Schedule) -> None:
    """Each job has as many nodes as it was granted, within the machine, and no node two jobs at a time."""
    picture = plain.plot("gantt")
    boxes = boxes_of(picture)
    assert axes_of(picture).get_ylabel() == "node"
    assert_disjoint(boxes)
    assert all(0 <= bottom < top <= 64 for _, bottom, _, top in boxes)
    jobs = list(plain.jobs_that_ran())
    work = sum((job["end"] - job["start"]) * job["granted_nodes"] for job in jobs)
    drawn = sum((right - left) * (top - bottom) for left, bottom, right, top in boxes)
    days = max(job["end"] for job in jobs) - min(job["start"] for job in jobs)
    seconds_per_unit = days / (max(box[2] for box in boxes) - min(box[0] for box in boxes))
    assert drawn * seconds_per_unit == pytest.approx(work)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 10)), max_size=8), st.integers(1, 60))
def test_nodes_taken_are_free_ones(gaps: list[tuple[int, int]], count: int) -> None:
    free: list[tuple[int, int]] = []
    for gap, length in gaps:
        first = (free[-1][1] if free else 0) + gap + 1
        free.append((first, first + length))
    taken, left = of_gantt._taken(free, count)
    nodes = {node for interval in free for node in range(*interval)}
    used = [node for interval in taken for node in range(*interval)]
    assert len(used) == len(set(used)) == min(count, len(nodes))
    assert nodes - set(used) == {node for interval in left for node in range(*interval)}
    if any(last - first >= count for first, last in free):
        assert len(taken) == 1, "in one piece where there is one that is large enough"
    assert of_gantt._joined([*taken, *left]) == of_gantt._joined(free)


def test_waits_are_distribution_functions(plain: torusim.Schedule) -> None:
    other = torusim.schedule("lublin", nodes=64, jobs=200, load=0.9, walltime_factor=3, policy="sjf")
    pictures = {picture.name: picture for picture in draw_schedules({"fcfs": plain, "sjf": other})}
    assert set(pictures) == {"utilization-over-time", "waits", "slowdowns", "waits-by-size", "gantt"}
    for name, label in (("waits", "wait (hours)"), ("slowdowns", "bounded slowdown")):
        axes = axes_of(pictures[name])
        assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale()) == (label, "jobs (%)", "log")
        assert labels(pictures[name]) == ["fcfs", "sjf"]
        for line in axes.get_lines():
            _, shares = points_of(line)
            assert all(np.diff(shares) >= 0)
            assert shares[-1] == 1
    waits, shares = points_of(axes_of(pictures["waits"]).get_lines()[0])
    median = plain.summary["wait_seconds_median"] / 3600
    assert np.interp(max(median, 1 / 60), waits, shares) >= 0.49
    slowdowns, shares = points_of(axes_of(pictures["slowdowns"]).get_lines()[0])
    assert slowdowns[np.argmax(shares == 1)] == pytest.approx(plain.summary["bounded_slowdown_max"])
    panels = pictures["utilization-over-time"].figure.axes
    assert [axes.get_title(loc="left") for axes in panels] == ["fcfs", "sjf", ""]
    assert [axes.get_ylabel() for axes in panels] == ["nodes in use (%)", "nodes in use (%)", "waiting jobs"]


def test_map_is_of_one_schedule_in_a_room(plain: torusim.Schedule) -> None:
    with pytest.raises(torusim.InputError, match="nothing to draw"):
        plain.plot("room-map")
    with pytest.raises(torusim.InputError, match="no picture of several schedules"):
        torusim.plot([plain, plain], "room-map")
    with pytest.raises(torusim.InputError, match="no room"):
        plain.room()


def test_map_of_a_moment_shows_its_partitions() -> None:
    schedule = torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=20)
    first = next(schedule.jobs_that_ran())
    (before,) = draw_schedules({"": schedule}, only="room-map", at_second=first["start"] - 1)
    (after,) = draw_schedules({"": schedule}, only="room-map", at_second=first["start"])
    assert not any(first["partition"] in label for label in labels(before))
    assert any(label.startswith(f"{first['partition']}: ") for label in labels(after))


def test_partitions_of_another_room(tmp_path: Path) -> None:
    torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=20, out=tmp_path / "made")
    path = tmp_path / "made" / "partitions.parquet"
    table = pq.ParquetFile(path).read()
    places = pa.array(["99"] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index("midplanes"), "midplanes", places), path)
    with pytest.raises(torusim.InputError, match="made: table 'partitions' names midplanes that are not in"):
        torusim.load_schedule(tmp_path / "made").plot("gantt")


# ---- rooms


def test_parts_of_a_midplane_are_drawn_side_by_side() -> None:
    room = MachineRoom.load("intrepid")
    parts = [room.small_partition("R00-M0", 64, 0), room.small_partition("R00-M0", 256, 8)]
    assert [of_room.part_of_midplane(room, part) for part in parts] == [(0.0, 0.125), (0.5, 1.0)]
    assert of_room.part_of_midplane(room, room.partition(["R00-M0"])) == (0.0, 1.0)
    boxes = [patch for patch in axes_of(room.plot(parts)).patches if isinstance(patch, Rectangle)]
    widths = {to_hex(patch.get_facecolor()): patch.get_width() for patch in boxes}
    assert widths[style.COLORS[0].lower()] == pytest.approx(of_room.CELL_WIDTH / 8)
    assert widths[style.COLORS[1].lower()] == pytest.approx(of_room.CELL_WIDTH / 2)


def test_many_partitions_are_colored_by_size() -> None:
    room = MachineRoom.load("intrepid")
    many = [room.partition([name]) for name in room.midplanes[:20]] + [room.small_partition(room.midplanes[21], 64)]
    assert labels(room.plot(many))[:2] == ["64 nodes", "512 nodes"]


def test_partitions_of_one_size_have_their_own_entries() -> None:
    room = MachineRoom.load("intrepid")
    same = [room.partition([name]) for name in room.midplanes[:20]]
    picture = room.plot(same)
    assert labels(picture)[:20] == [f"{part.name}: 8x8x8" for part in same]
    (legend,) = picture.figure.legends
    assert len({to_hex(patch.get_facecolor()) for patch in legend.get_patches()[:20]}) == 20


def test_a_conflict_shows_both_partitions() -> None:
    """A midplane of two partitions has the colors of both, side by side, and a legend says so."""
    room = MachineRoom.load("intrepid")
    pair = [room.partition(["R00-M0", "R00-M1"]), room.partition(["R00-M1", "R01-M1"])]
    picture = room.plot(pair)
    boxes = [patch for patch in axes_of(picture).patches if isinstance(patch, Rectangle)]
    for color in style.COLORS[:2]:
        widths = [box.get_width() for box in boxes if to_hex(box.get_facecolor()) == color.lower()]
        assert sorted(widths) == [pytest.approx(of_room.CELL_WIDTH / 2), pytest.approx(of_room.CELL_WIDTH)]
    assert "in several of them" in labels(picture)
    assert "in several of them" not in labels(room.plot(pair[:1]))


def test_names_of_midplanes_stand_out_from_hatching() -> None:
    room = MachineRoom.load("intrepid")
    part = next(part for part in room.catalogue("site") if part.passed_through)
    passed = {name for name, _ in part.passed_through}
    names = {text.get_text(): text for text in axes_of(room.plot([part])).texts}
    assert {name for name, text in names.items() if text.get_path_effects()} == passed


# ---- figures of studies


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures of matplotlib that are drawn, with their legends."""
    figures: list[Any] = []

    def kept(figure: Any) -> None:  # noqa: ANN401
        legend(figure)
        figures.append(figure)

    monkeypatch.setattr(style, "legend", kept)
    return figures


def test_grid_shares_axes_and_repeats_no_labels(tmp_path: Path) -> None:
    panel = Curves(Axis("time"), Axis("busy", lowest=0), [Curve("one", [1, 2], [1, 5]), Curve("two", [1, 2], [2, 3])])
    paths = draw(Grid([[panel, panel], [panel, panel]]), "about", tmp_path / "grid")
    text = paths[1].read_text()
    assert [path.suffix for path in paths] == [".png", ".svg"]
    assert {word: text.count(f"<!-- {word} -->") for word in ("time", "busy", "one", "two")} == {
        "time": 2,
        "busy": 2,
        "one": 1,
        "two": 1,
    }
    assert "about" in text, "described in the file, not drawn"
    assert "<!-- about -->" not in text


def test_dots_have_intervals_and_a_line_at_zero(tmp_path: Path) -> None:
    series = [Series("first", [-1.0, 2.0], [0.5, 0.5]), Series("second", [1.0, float("nan")])]
    panel = Dots(["a", "b"], series, Axis("change (%)"), x="size", levels=[Level("paper", 1.5)])
    text = draw([panel], "", tmp_path / "dots")[1].read_text()
    assert all(f"<!-- {word} -->" in text for word in ("first", "second", "paper", "size", "change (%)", "a", "b"))


@pytest.mark.parametrize(
    ("names", "legends", "entries"),
    [((["a", "b"], ["a", "b"]), 0, 2), ((["a", "b"], ["c"]), 2, 3), ((["a", "b"], ["b", "a"]), 2, 4)],
    ids=["alike", "one-style-for-two-names", "two-styles-for-one-name"],
)
def test_no_legend_has_a_style_twice(
    names: tuple[list[str], ...], legends: int, entries: int, tmp_path: Path, drawn: list[Any]
) -> None:
    """Panels that show other names in the same styles have a legend each."""
    panels = [Curves(Axis("x"), Axis("y"), [Curve(name, [1, 2], [1, 2]) for name in of], title="of") for of in names]
    draw(panels, "", tmp_path / "panels")
    own = [axes.get_legend() for axes in drawn[0].axes if axes.get_legend() is not None]
    assert (len(own), len(drawn[0].legends)) == (legends, 0 if legends else 1)
    assert sum(len(found.get_texts()) for found in [*own, *drawn[0].legends] if found) == entries


def test_each_level_of_a_figure_has_its_own_dashes(tmp_path: Path, drawn: list[Any]) -> None:
    panels = [
        Curves(Axis("x"), Axis("y"), [Curve("a", [1], [1])], [Level(name, 1) for name in names])
        for names in (["99 %", "96 %"], ["585 MB/s"])
    ]
    draw(panels, "", tmp_path / "levels")
    lines = [line for axes in drawn[0].axes for line in axes.get_lines()[1:]]
    assert len({str(line._dash_pattern) for line in lines}) == len(lines) == 3


def test_zero_on_a_logarithmic_axis_is_a_number_at_its_edge(tmp_path: Path) -> None:
    panel = Dots(["a", "b"], [Series("pairs", [0.0, 20.0])], Axis("pairs (%)", is_logarithmic=True))
    assert "<!-- 0 -->" in draw([panel], "", tmp_path / "zero")[1].read_text()


def test_long_names_of_groups_do_not_touch(tmp_path: Path, drawn: list[Any]) -> None:
    for names in (["8x8x16, mesh", "8x8x16, mesh of the room", "8x8x32, mesh"], [f"XYZT{n}" for n in range(12)]):
        draw([Bars(names, [("", [1.0] * len(names))], Axis("y"))], "", tmp_path / "groups")
        boxes = [text.get_window_extent() for text in drawn[-1].axes[0].get_xticklabels()]
        assert not any(one.overlaps(other) for one, other in pairwise(boxes))


def test_figure_without_panels_is_no_file(tmp_path: Path) -> None:
    assert draw([], "", tmp_path / "none") == []
    assert list(tmp_path.iterdir()) == []


# ---- the command, and any mixture


@pytest.fixture
def kept(tmp_path: Path, torus: torusim.Result, plain: torusim.Schedule, swept: torusim.Sweep) -> Path:
    """A folder with the runs `one/run` and `two/run`, the schedule `queue` and the sweep `swept`."""
    for name, write in (("one/run", torus.write), ("two/run", torus.write), ("queue", plain.write)):
        (tmp_path / name).mkdir(parents=True)
        write(tmp_path / name)
    (tmp_path / "swept").mkdir()
    pq.write_table(swept.table, tmp_path / "swept" / "sweep.parquet")
    return tmp_path


def test_command_draws_several_runs_in_one_picture(command: Command, kept: Path) -> None:
    succeeded(command("plot", "one/run", "two/run", "--out", "both", "--format", "svg"))
    names = {"utilization-by-direction.svg", "utilization-over-time.svg", "latency.svg"}
    assert {path.name for path in (kept / "both").iterdir()} == names
    text = (kept / "both" / "latency.svg").read_text()
    assert "<!-- one/run -->" in text
    assert "<!-- two/run -->" in text


def test_command_draws_a_sweep(command: Command, kept: Path) -> None:
    finished = command("plot", "swept", "--y", "cycles", "--by", "run.seed", "--format", "pdf")
    assert finished.stdout == "swept/sweep-cycles.pdf\n", finished.stderr
    assert command("plot", "swept/sweep.parquet").returncode == 0
    assert torusim.load_sweep(kept / "swept").keys == ["workload.load", "machine.wrap", "run.seed"]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["one/run", "queue"], ["no picture in common", "run is a result", "queue is a schedule"]),
        (["one/run", "swept"], ["no picture in common", "swept is a sweep"]),
        (["swept", "."], ["result.json"]),
        (["one/run", "--x", "workload.load"], ["x, y and by", "sweeps"]),
        (["one/run", "--at", "3"], ["at", "schedules of a room"]),
        (["swept", "--from", "3"], ["from and until", "a sweep"]),
        (["one/run", "--only", "gantt"], ["'gantt'", "latency"]),
        (["queue", "--only", "latency"], ["'latency'", "gantt"]),
        (["queue", "--only", "room-map"], ["room-map", "nothing to draw"]),
        (["one/run", "--from", "9", "--until", "3"], ["from 9 until 3"]),
        (["swept", "--y", "latency_cycle_mean"], ["did you mean latency_cycles_mean"]),
    ],
)
def test_bad_requests_end_in_one_message(command: Command, arguments: list[str], words: list[str]) -> None:
    finished = command("plot", *arguments)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.removeprefix("drawing\n").count("\n") == 1  # which a slow host says
    assert all(word in finished.stderr for word in words), finished.stderr


def test_folder_of_a_study_says_so(command: Command, tmp_path: Path) -> None:
    (tmp_path / "study" / "points").mkdir(parents=True)
    assert "holds the points of a study" in command("plot", "study").stderr


# ---- representations


REPRESENTATIONS = {
    "torus": r"<Result uniform-random on 4x4: completed, [\d.]+ % of peak, seed 1>",
    "plain": r"<Schedule of 200 jobs on 64 nodes, fcfs, easy: utilization [\d.]+ %, mean wait .+>",
    "swept": r"<Sweep of 12 points over workload.load \(3\), machine.wrap \(2\), run.seed \(2\)>",
}


@pytest.mark.parametrize("name", REPRESENTATIONS)
def test_representations_are_short(name: str, request: pytest.FixtureRequest) -> None:
    assert re.fullmatch(REPRESENTATIONS[name], repr(request.getfixturevalue(name)))


@pytest.mark.parametrize(
    ("name", "words"),
    [("torus", ["Percent of peak"]), ("plain", ["Utilization", "Wait, mean"]), ("swept", ["workload.load", "outcome"])],
)
def test_notebooks_show_tables(name: str, words: list[str], request: pytest.FixtureRequest) -> None:
    text = request.getfixturevalue(name)._repr_html_()
    assert text.startswith("<table>")
    assert all(word in text for word in words)


def test_notebooks_show_rooms() -> None:
    text = MachineRoom.load("intrepid")._repr_html_()
    assert "40,960" in text
    assert "80, 5x4x4" in text
    assert "switches" in MachineRoom.load("tpu-v4-pod")._repr_html_()


def test_legend_of_many_lines_stands_beside_the_panel_which_keeps_its_size() -> None:
    """A sweep over 24 shapes; one over two has its legend above."""
    rows = [
        {"load": load, "shape": f"[{x},{y},4]", "name": "", "latency_cycles_mean": 100.0 * x * y * load}
        for load in (1, 2, 3)
        for x in (4, 6, 8, 10)
        for y in (4, 6, 8, 10, 12, 16)
    ]
    sizes = []
    for count in (2, 24):
        shapes = list(dict.fromkeys(str(row["shape"]) for row in rows))[:count]
        table = pa.Table.from_pylist([row for row in rows if row["shape"] in shapes])
        picture = torusim.Sweep(table, ["load", "shape"]).plot("latency_cycles_mean", x="load")
        picture.figure.draw_without_rendering()
        (made,) = picture.figure.legends
        (axes,) = picture.figure.axes
        panel, legend_box = axes.get_window_extent(), made.get_window_extent()
        sizes.append(panel.width)
        assert legend_box.x0 > panel.x1 if count == 24 else legend_box.y0 > panel.y1
        assert legend_box.x1 <= picture.figure.bbox.x1 + 1
        assert legend_box.y0 >= 0
    assert sizes[1] == pytest.approx(sizes[0], rel=0.1)


def test_every_picture_is_drawn_and_has_a_row_in_the_guide(all_pictures: list[Picture]) -> None:
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    names = [*of_run.PICTURES, *of_schedule.PICTURES]
    assert [name for name in names if f"`{name}`" not in guide] == []
    assert set(names) <= {picture.name for picture in all_pictures}
