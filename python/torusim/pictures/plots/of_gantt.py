"""Gantt charts: which job ran where and when. Rows are the midplanes of a room, or the nodes of a plain machine.

A plain machine's nodes are interchangeable, so that a schedule does not say which of them a job got. The chart gives
each job, in the order of starts, the lowest free nodes: in one piece if one is large enough.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch, Rectangle

from torusim._core import InputError
from torusim.pictures.plots.of_room import part_of_midplane
from torusim.pictures.plots.style import GRAY, PANEL_INCHES, label_axis, legend, number_axis, panels, ramp
from torusim.pictures.plots.times import time_axis
from torusim.pictures.plots.window import Window
from torusim.queue.schedule import second_of

if TYPE_CHECKING:
    from torusim.queue.schedule import Schedule

Span: TypeAlias = tuple[float, float]
"""A part of the vertical axis: from, to."""

Interval: TypeAlias = tuple[int, int]
"""Nodes: the first, and the one after the last."""

ROW_POINTS = 7.5
"""Least height of a row with a name."""

STEPS = (1, 2, 4, 5, 8, 10, 16, 20, 32, 40, 64)
"""The candidate intervals, in rows, between two rows with a name."""

MOST_COLORS = 5
"""The number of shades that readers distinguish: with more sizes of jobs, neighboring sizes share a shade."""


@dataclass(frozen=True)
class _Box:
    """A job on a part of the vertical axis, in seconds of the log."""

    start: int
    end: int
    span: Span
    nodes: int


@dataclass(frozen=True)
class _Closed:
    """A part of the machine that is reserved for some jobs or for none, or out of service; without an end, forever."""

    start: float
    end: float
    span: Span
    kind: str


RESERVED, BROKEN = "reserved", "out of service"

HATCHES = {RESERVED: "////", BROKEN: "xxxx"}
"""The marks of parts that are not in service for all jobs, by kind."""


@dataclass(frozen=True)
class _Chart:
    """The boxes of a schedule, and the rows of its machine."""

    boxes: list[_Box]
    rows: int
    names: list[str]
    closed: list[_Closed]


def draw_gantt(schedules: "Mapping[str, Schedule]", window: Window) -> Axes | None:
    """A chart for each schedule with jobs that ran, one below the other; the color is the job's size."""
    charts = {name: _chart(schedule) for name, schedule in schedules.items()}
    charts = {name: chart for name, chart in charts.items() if chart.boxes}
    if not charts:
        return None
    boxes = [box for chart in charts.values() for box in chart.boxes]
    origin = min(submit for name in charts for submit in schedules[name].table("jobs").column("submit").to_pylist())
    first, last = window.within(origin, max(box.end for box in boxes))
    scale, unit = time_axis(first, last)
    classes = _classes({box.nodes for box in boxes})
    sizes = sorted(set(classes.values()))
    colors = dict(zip(sizes, reversed(ramp(len(sizes))), strict=True))
    figure, all_axes = panels(len(charts), height=1.4 * PANEL_INCHES, sharex="all")
    for axes, (name, chart) in zip(all_axes, charts.items(), strict=True):
        _draw_boxes(axes, chart, {nodes: colors[size] for nodes, size in classes.items()}, origin, scale)
        _draw_closed(axes, chart, origin, last, scale)
        if len(charts) > 1:
            axes.set_title(name, parse_math=False)
    axes.set_xlim((first - origin) * scale, (last - origin) * scale)
    number_axis(axes.xaxis, f"time since the first submission ({unit})")
    title = "nodes of the job" if len(classes) == len(sizes) else "nodes of the job, up to"
    kinds = {part.kind for chart in charts.values() for part in chart.closed if part.end > first and part.start < last}
    marks = [Patch(label=kind, **_mark(kind)) for kind in HATCHES if kind in kinds]
    legend(figure, [*(Patch(color=colors[size], label=f"{size:,}") for size in sizes), *marks], title)
    figure.draw_without_rendering()  # from now on the heights of the panels are known
    for axes, chart in zip(all_axes, charts.values(), strict=True):
        _name_rows(axes, chart)
    return axes


def _classes(sizes: set[int]) -> dict[int, int]:
    """For each size of job, the largest size with the same color: its own, or with many sizes that of its group."""
    groups = np.array_split(sorted(sizes), min(len(sizes), MOST_COLORS))
    return {int(size): int(group[-1]) for group in groups for size in group}


def _draw_boxes(axes: Axes, chart: _Chart, colors: Mapping[int, str], origin: int, scale: float) -> None:
    corners = [
        [(start, low), (end, low), (end, high), (start, high)]
        for box in chart.boxes
        for low, high in [box.span]
        for start, end in [((box.start - origin) * scale, (box.end - origin) * scale)]
    ]
    fills = [colors[box.nodes] for box in chart.boxes]
    axes.add_collection(PolyCollection(corners, facecolors=fills, edgecolors="white", linewidths=0.15))
    axes.set_ylim(chart.rows, 0)
    axes.grid(visible=False, axis="y")


def _mark(kind: str) -> dict[str, Any]:
    """The mark of a part that is not in service for all jobs; jobs below it stay visible."""
    return {"facecolor": "none", "edgecolor": GRAY, "hatch": HATCHES[kind], "linewidth": 0.5}


def _draw_closed(axes: Axes, chart: _Chart, origin: int, last: float, scale: float) -> None:
    for part in chart.closed:
        start, end = ((time - origin) * scale for time in (part.start, min(part.end, last)))
        low, high = part.span
        if end > start:
            axes.add_patch(Rectangle((start, low), end - start, high - low, zorder=3, **_mark(part.kind)))


def _name_rows(axes: Axes, chart: _Chart) -> None:
    """Names the rows, or every n-th one if there is no room for all."""
    if not chart.names:
        label_axis(axes.yaxis, "node")
        return
    height_points = axes.get_window_extent().height / axes.figure.dpi * 72
    step = next(step for step in STEPS if step * height_points >= ROW_POINTS * chart.rows or step == STEPS[-1])
    shown = range(0, chart.rows, step)
    axes.set_yticks([row + 0.5 for row in shown], [chart.names[row] for row in shown], parse_math=False)
    axes.tick_params(axis="y", length=0)
    label_axis(axes.yaxis, "midplane")


def _chart(schedule: "Schedule") -> _Chart:
    return _chart_of_room(schedule) if schedule.is_of_a_room else _chart_of_nodes(schedule)


def _chart_of_room(schedule: "Schedule") -> _Chart:
    """Rows are midplanes, in the order of their numbers; a job below a midplane takes its part of the row."""
    names = _midplanes(schedule)
    spans = _spans_of_partitions(schedule, len(names))
    parts = _small_partitions(schedule)
    boxes = [
        _Box(job["start"], job["end"], (first + begin, last + end), job["granted_nodes"])
        for job in schedule.jobs_that_ran()
        if job["partition"] in spans
        for begin, end in [parts.get(job["partition"], (0.0, 1.0))]
        for first, last in spans[job["partition"]]
    ]
    rows = {name: row for row, name in enumerate(names)}
    closed = [
        _Closed(*times, (first, last + 1), kind)
        for times, kind, where in _closed_parts(schedule)
        for first, last in _runs(
            rows[name] for name in [*where.get("midplanes", []), where.get("midplane")] if name in rows
        )
    ] + [
        _Closed(*times, (first, last + 1), kind)
        for times, kind, where in _closed_parts(schedule)
        for first, last in spans.get(where.get("partition", ""), [])
    ]
    return _Chart(boxes, len(names), names, closed)


Times: TypeAlias = tuple[float, float]


def _closed_parts(schedule: "Schedule") -> Iterator[tuple[Times, str, Mapping[str, Any]]]:
    """(times, kind, description) of advance reservations and outages."""
    machine = schedule.description.get("machine", {})
    for kind, key in ((RESERVED, "reservations"), (BROKEN, "outages")):
        for part in machine.get(key, []):
            until = part.get("until")
            yield (
                (second_of(schedule, part["from"]), math.inf if until is None else second_of(schedule, until)),
                kind,
                part,
            )


def _small_partitions(schedule: "Schedule") -> dict[str, tuple[float, float]]:
    """The begin and end of each partition smaller than a midplane, as shares of the midplane.

    Its first node card is in its name: forming the whole catalogue would take a second.
    """
    room = schedule.room()
    rows = schedule.table("partitions").select(["partition", "nodes", "midplanes"]).to_pylist()
    try:
        return {
            row["partition"]: part_of_midplane(
                room, room.small_partition(room.midplanes[int(row["midplanes"])], row["nodes"], int(card[1]))
            )
            for row in rows
            if (card := re.search(r"-N(\d+)$", row["partition"]))
        }
    except (InputError, IndexError, ValueError) as error:
        raise InputError(f"{schedule.folder}: table 'partitions': is not of the room {room.name}: {error}") from None


def _midplanes(schedule: "Schedule") -> list[str]:
    names: list[str] = schedule.table("midplanes").column("midplane").to_pylist()
    return names


def _spans_of_partitions(schedule: "Schedule", midplanes: int) -> dict[str, list[tuple[int, int]]]:
    """(first, last) of each run of consecutive midplane numbers, for each partition."""
    rows = schedule.table("partitions").select(["partition", "midplanes"]).to_pylist()
    spans = {row["partition"]: list(_runs(map(int, row["midplanes"].split()))) for row in rows}
    if any(last >= midplanes for runs in spans.values() for _, last in runs):
        raise InputError(f"{schedule.folder}: table 'partitions' names midplanes that are not in table 'midplanes'")
    return spans


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """(first, last) of each run of consecutive numbers."""
    known = set(numbers)
    firsts = sorted(number for number in known if number - 1 not in known)
    lasts = sorted(number for number in known if number + 1 not in known)
    return zip(firsts, lasts, strict=True)


def _chart_of_nodes(schedule: "Schedule") -> _Chart:
    """Rows are nodes."""
    jobs = sorted(schedule.jobs_that_ran(), key=lambda job: (job["start"], job["end"]))
    boxes: list[_Box] = []
    free: list[Interval] = [(0, _nodes(schedule, jobs))]
    running: list[tuple[int, list[Interval]]] = []
    for job in jobs:
        while running and running[0][0] <= job["start"]:
            free = _joined([*free, *heappop(running)[1]])
        taken, free = _taken(free, job["granted_nodes"])
        heappush(running, (job["end"], taken))
        boxes += [_Box(job["start"], job["end"], span, job["granted_nodes"]) for span in taken]
    nodes = _nodes(schedule, jobs)
    return _Chart(boxes, nodes, [], _closed_nodes(schedule, nodes))


def _closed_nodes(schedule: "Schedule", nodes: int) -> list[_Closed]:
    """The closed parts, as the highest nodes, which jobs get last; parts that overlap in time lie below each other."""
    closed: list[_Closed] = []
    for (start, end), kind, where in _closed_parts(schedule):
        overlapping = [part for part in closed if part.start < end and part.end > start]
        high = min((part.span[0] for part in overlapping), default=float(nodes))
        closed.append(_Closed(start, end, (max(high - where.get("nodes", 0), 0), high), kind))
    return closed


def _nodes(schedule: "Schedule", jobs: Sequence[Mapping[str, Any]]) -> int:
    """The nodes of the machine, or of its largest job, in case of a damaged summary."""
    nodes = schedule.summary.get("machine_nodes")
    largest = max((job["granted_nodes"] for job in jobs), default=1)
    return max(nodes, largest, 1) if isinstance(nodes, int) else max(largest, 1)


def _taken(free: list[Interval], count: int) -> tuple[list[Interval], list[Interval]]:
    """(nodes taken, nodes still free): the first free interval that is large enough, or the lowest free nodes."""
    fitting = next((interval for interval in free if interval[1] - interval[0] >= count), None)
    taken: list[Interval] = []
    left: list[Interval] = []
    for first, last in free:
        wanted = count - sum(end - begin for begin, end in taken)
        may_take = (first, last) == fitting if fitting is not None else True
        end = min(first + wanted, last) if may_take else first
        if end > first:
            taken.append((first, end))
        if end < last:
            left.append((end, last))
    return taken, left


def _joined(intervals: Iterable[Interval]) -> list[Interval]:
    """The nodes of intervals as intervals that do not touch, in order."""
    joined: list[Interval] = []
    for first, last in sorted(intervals):
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined
