"""Pictures of one schedule or several: utilization and queue over time, waits, slowdowns, Gantt charts, room maps."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from matplotlib.axes import Axes

from torusim._core import InputError
from torusim.pictures.plots import style
from torusim.pictures.plots.of_gantt import draw_gantt
from torusim.pictures.plots.of_room import draw_room
from torusim.pictures.plots.picture import Picture, chosen, require_known
from torusim.pictures.plots.style import Floats, numbers
from torusim.pictures.plots.times import time_axis
from torusim.pictures.plots.window import EVERYTHING, Window

if TYPE_CHECKING:
    from torusim.queue.room import Partition
    from torusim.queue.schedule import Schedule

Schedules: TypeAlias = "Mapping[str, Schedule]"
"""The schedules of a picture, by the names that distinguish them."""

SECONDS_PER_HOUR = 3_600

BOUND_SECONDS = 10
"""Run times below this count as this long in bounded slowdowns."""

MAP = "room-map"


@style.in_style
def draw_schedules(
    schedules: Schedules, *, only: str | None = None, window: Window = EVERYTHING, at_second: int | None = None
) -> list[Picture]:
    """Every picture that the schedules have data for; the map of the room only of a single one.

    Args:
        schedules: One schedule or several, by name.
        only: The one picture to draw; None draws all.
        window: The part of time that is shown, in seconds of the log.
        at_second: Time of the map, in seconds of the log; None for the first time at which the most nodes are in use.

    Raises:
        InputError: If `only` is no picture of these schedules, or a table cannot be read.
    """
    is_one = len(schedules) == 1
    require_known(only, [*PICTURES, MAP] if is_one else PICTURES, "a schedule" if is_one else "several schedules")
    pictures = chosen(PICTURES, schedules, window, only)
    if only in (None, MAP) and is_one:
        (schedule,) = schedules.values()
        if schedule.is_of_a_room:
            second = busiest_second(schedule) if at_second is None else at_second
            pictures.append(draw_room(schedule.room(), _partitions_at(schedule, second)))
    return pictures


def utilization_over_time(schedules: Schedules, window: Window = EVERYTHING) -> Axes | None:
    """Nodes in use over time, a panel for each schedule, above the number of waiting jobs."""
    tables = {name: schedule.table("series") for name, schedule in schedules.items()}
    tables = {name: series for name, series in tables.items() if series.num_rows}
    if not tables:
        return None
    edges = {name: np.append(numbers(table, "start"), numbers(table, "end")[-1]) for name, table in tables.items()}
    origin = min(float(edge[0]) for edge in edges.values())
    first, last = window.within(origin, max(float(edge[-1]) for edge in edges.values()))
    scale, unit = time_axis(first, last)
    figure, all_axes = style.panels(len(tables) + 1, height=0.62 * style.PANEL_INCHES, sharex="all")
    *upper, queue = all_axes
    for axes, (name, table) in zip(upper, tables.items(), strict=True):
        at = (edges[name] - origin) * scale
        axes.stairs(numbers(table, "allocated"), at, fill=True, color=style.FILL, alpha=0.6, label="given to jobs")
        axes.stairs(numbers(table, "utilization"), at, color="black", linewidth=0.8, label="requested by jobs")
        axes.set_ylim(0, 1)
        style.percent_axis(axes.yaxis, "nodes in use (%)")
        if len(tables) > 1:
            axes.set_title(name, parse_math=False)
    for (name, table), look in zip(tables.items(), style.looks(), strict=False):
        waiting = numbers(table, "waiting_jobs")
        at = (edges[name] - origin) * scale
        queue.stairs(waiting, at, color=look.color, linestyle=look.line, label=name if len(tables) > 1 else None)
    queue.set_ylim(bottom=0)
    style.number_axis(queue.yaxis, "waiting jobs")
    style.whole_numbers(queue.yaxis)
    queue.set_xlim((first - origin) * scale, (last - origin) * scale)
    style.number_axis(queue.xaxis, f"time since the first submission ({unit})")
    style.legend(figure)
    figure.align_ylabels()
    return queue


def waits(schedules: Schedules, _window: Window = EVERYTHING) -> Axes | None:
    """Share of jobs that wait at most x (distribution function)."""
    found = {name: (starts - submits) / SECONDS_PER_HOUR for name, submits, starts, _ in _times(schedules)}
    return _distribution(found, "wait (hours)", least=1 / 60)


def slowdowns(schedules: Schedules, _window: Window = EVERYTHING) -> Axes | None:
    """Share of jobs whose bounded slowdown is at most x (distribution function)."""
    found = {
        name: np.maximum((ends - submits) / np.maximum(ends - starts, BOUND_SECONDS), 1)
        for name, submits, starts, ends in _times(schedules)
    }
    return _distribution(found, "bounded slowdown", least=1)


def waits_by_size(schedules: Schedules, _window: Window = EVERYTHING) -> Axes | None:
    """Waits of the jobs of each size: of a schedule mean, median and 90th percentile, of several their means."""
    tables = {name: schedule.table("sizes") for name, schedule in schedules.items()}
    sizes = sorted({size for table in tables.values() for size in table.column("up_to_nodes").to_pylist()})
    if not sizes:
        return None
    if len(tables) == 1:
        (table,) = tables.values()
        statistics = {
            "mean": "wait_seconds_mean",
            "median": "wait_seconds_median",
            "90th percentile": "wait_seconds_p90",
        }
        shown = {label: (table, column) for label, column in statistics.items()}
    else:
        shown = {name: (table, "wait_seconds_mean") for name, table in tables.items()}
    figure, (axes,) = style.panels()
    for index, ((label, (table, column)), look) in enumerate(zip(shown.items(), style.looks(), strict=False)):
        shift = 0.5 * ((index + 0.5) / len(shown) - 0.5)
        places = [sizes.index(size) + shift for size in table.column("up_to_nodes").to_pylist()]
        hours = numbers(table, column) / SECONDS_PER_HOUR
        axes.plot(places, hours, linestyle="", marker=look.mark, color=look.color, label=label, clip_on=False)
    axes.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes], rotation=45 if len(sizes) > 6 else 0)
    axes.set_xlim(-0.5, len(sizes) - 0.5)
    axes.set_ylim(bottom=0)
    axes.grid(visible=False, axis="x")
    style.label_axis(axes.xaxis, "size of the job (nodes)")
    style.number_axis(axes.yaxis, "mean wait (hours)" if len(tables) > 1 else "wait (hours)")
    style.legend(figure)
    return axes


def gantt(schedules: Schedules, window: Window = EVERYTHING) -> Axes | None:
    """Which job ran where and when: a chart for each schedule."""
    return draw_gantt(schedules, window)


PICTURES: Mapping[str, Callable[[Schedules, Window], Axes | None]] = {
    "utilization-over-time": utilization_over_time,
    "waits": waits,
    "slowdowns": slowdowns,
    "waits-by-size": waits_by_size,
    "gantt": gantt,
}
"""The function that draws each picture, by name; it returns None if there is nothing to draw."""


def _times(schedules: Schedules) -> Iterator[tuple[str, Floats, Floats, Floats]]:
    """(name, submissions, starts, ends) in seconds of the jobs that ran, of each schedule that has any."""
    for name, schedule in schedules.items():
        jobs = schedule.table("jobs")
        submits, starts, ends = (numbers(jobs, column) for column in ("submit", "start", "end"))
        ran = ~np.isnan(starts)
        if ran.any():
            yield name, submits[ran], starts[ran], ends[ran]


def _distribution(found: Mapping[str, Floats], text: str, least: float) -> Axes | None:
    """Distribution functions on a logarithmic axis that begins at `least`, where smaller values are counted too."""
    if not found:
        return None
    figure, (axes,) = style.panels()
    highest = max(float(values.max()) for values in found.values())
    for (name, values), look in zip(found.items(), style.looks(), strict=False):
        ordered = np.sort(values)
        shares = np.arange(1, len(ordered) + 1) / len(ordered)
        at = np.concatenate([[least], np.maximum(ordered, least), [max(highest, 2 * least)]])
        line = np.concatenate([[(ordered <= least).mean()], np.maximum(shares, (ordered <= least).mean()), [1.0]])
        label = name if len(found) > 1 else None
        axes.plot(at, line, drawstyle="steps-post", color=look.color, linestyle=look.line, label=label)
    axes.set_xlim(least, max(highest, 2 * least))
    axes.set_ylim(0, 1.02)
    style.log_axis(axes.xaxis, text)
    style.percent_axis(axes.yaxis, "jobs (%)")
    style.legend(figure)
    return axes


def _partitions_at(schedule: "Schedule", second: int) -> "list[Partition]":
    """The partitions in use at a second of the log."""
    room = schedule.room()
    catalogue = {partition.name: partition for partition in room.catalogue(schedule.profile)}
    held = [job["partition"] for job in schedule.jobs_that_ran() if job["start"] <= second < job["end"]]
    if unknown := [name for name in held if name not in catalogue]:
        raise InputError(f"{room.name}: profile {schedule.profile!r} has no partition {unknown[0]!r} any more")
    return [catalogue[name] for name in held]


def busiest_second(schedule: "Schedule") -> int:
    """The first second at which the number of allocated nodes is highest."""
    changes: dict[int, int] = {}
    for job in schedule.jobs_that_ran():
        changes[job["start"]] = changes.get(job["start"], 0) + job["granted_nodes"]
        changes[job["end"]] = changes.get(job["end"], 0) - job["granted_nodes"]
    times = sorted(changes)
    used = np.cumsum([changes[time] for time in times])
    return times[int(np.argmax(used))] if times else 0
