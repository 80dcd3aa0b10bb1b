"""Plots of a schedule: utilization and queue over time, waits, Gantt chart of the midplanes, map of the room."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter

from torusim._core import InputError
from torusim.formatting import duration
from torusim.machine_room import MachineRoom
from torusim.plots.of_room import draw_room, part_of_midplane
from torusim.plots.style import COLORS, distinct_colors, draw_alone, numbers
from torusim.scheduling import Schedule

LEGEND_COLUMNS = 6
SECONDS_PER_DAY = 86_400
SECONDS_PER_HOUR = 3_600
HOURS_UP_TO_SECONDS = 3 * SECONDS_PER_DAY
"""Spans longer than this are drawn in days."""


def plot_schedule(
    schedule: Schedule, folder: Path, *, name: str, file_format: str = "png", at_second: int | None = None
) -> list[Path]:
    """Draws every plot that the schedule has data for, and returns the files.

    Args:
        schedule: The schedule to draw.
        folder: An existing folder for the files.
        name: Name of the schedule in titles.
        file_format: "png" or "svg".
        at_second: Time of the map, in seconds of the log; None for the first time at which the most nodes are in use.
    """
    paths = []
    for stem, draw in PICTURES.items():
        path = folder / f"{stem}.{file_format}"
        if draw_alone(partial(draw, schedule), name, path):
            paths.append(path)
    if _is_of_a_room(schedule):
        path = folder / f"room-map.{file_format}"
        _draw_map(schedule, busiest_second(schedule) if at_second is None else at_second, path)
        paths.append(path)
    return paths


def utilization_over_time(schedule: Schedule, axes: Axes) -> bool:
    """Nodes in use and waiting jobs over time."""
    series = schedule.table("series")
    if series.num_rows == 0:
        return False
    starts, ends = numbers(series, "start"), numbers(series, "end")
    scale, unit = _time_axis(starts[0], ends[-1])
    edges = (np.append(starts, ends[-1]) - starts[0]) * scale
    axes.stairs(numbers(series, "allocated"), edges, fill=True, color=COLORS[5], label="nodes given to jobs")
    axes.stairs(numbers(series, "utilization"), edges, color=COLORS[0], label="nodes that they asked for")
    axes.set_ylim(0, 1)
    axes.set_xlim(0, edges[-1])
    axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, symbol=""))
    axes.set_ylabel("nodes in use (%)")
    axes.set_xlabel(f"time since the first submission ({unit})")
    waiting = axes.twinx()
    waiting.stairs(numbers(series, "waiting_jobs"), edges, color=COLORS[1], linestyle="--", label="waiting jobs")
    waiting.set_ylabel("waiting jobs")
    waiting.set_ylim(bottom=0)
    waiting.grid(visible=False)
    waiting.spines["right"].set_visible(True)
    handles = [*axes.get_legend_handles_labels()[0], *waiting.get_legend_handles_labels()[0]]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=3, fontsize=9)
    axes.set_title("Use of the machine and length of the queue")
    return True


def waits_by_size(schedule: Schedule, axes: Axes) -> bool:
    """Waiting times of the jobs of each size: mean, median, and 90th percentile."""
    sizes = schedule.table("sizes")
    if sizes.num_rows == 0:
        return False
    positions = np.arange(sizes.num_rows)
    columns = [
        ("mean", "wait_seconds_mean"),
        ("median", "wait_seconds_median"),
        ("90th percentile", "wait_seconds_p90"),
    ]
    for index, (label, column) in enumerate(columns):
        hours = numbers(sizes, column) / SECONDS_PER_HOUR
        axes.bar(positions + (index - 1) * 0.27, hours, width=0.25, color=COLORS[index], label=label)
    labels = [f"{nodes:,}" for nodes in sizes.column("up_to_nodes").to_pylist()]
    axes.set_xticks(positions, labels, rotation=45 if len(labels) > 8 else 0)
    axes.set_xlabel("nodes")
    axes.set_ylabel("wait (hours)")
    axes.grid(visible=False, axis="x")
    axes.legend(fontsize=9)
    axes.set_title("Waits by size")
    return True


def gantt(schedule: Schedule, axes: Axes) -> bool:
    """The jobs on each midplane over time; the color is the job's size."""
    if not _is_of_a_room(schedule):
        return False
    spans = _spans_of_partitions(schedule)
    small = _small_partitions(schedule)
    jobs = [job for job in _jobs(schedule) if job["partition"] in spans]
    if not jobs:
        return False
    first = min(job["start"] for job in jobs)
    scale, unit = _time_axis(first, max(job["end"] for job in jobs))
    sizes = sorted({job["granted_nodes"] for job in jobs})
    colors = dict(zip(sizes, distinct_colors(len(sizes)), strict=True))
    boxes, fills = [], []
    for job in jobs:
        start, end = ((job[key] - first) * scale for key in ("start", "end"))
        begin, stop = small.get(job["partition"], (0.0, 1.0))
        for first_midplane, last_midplane in spans[job["partition"]]:
            low, high = first_midplane + begin, last_midplane + stop
            boxes.append([(start, low), (end, low), (end, high), (start, high)])
            fills.append(colors[job["granted_nodes"]])
    axes.add_collection(PolyCollection(boxes, facecolors=fills, edgecolors="white", linewidths=0.15))
    axes.autoscale_view()
    axes.set_ylim(0, max(high for runs in spans.values() for _, high in runs) + 1)
    axes.set_xlabel(f"time since the first start ({unit})")
    axes.set_ylabel("midplane")
    axes.set_title("Who held which midplane")
    axes.figure.legend(
        handles=[Patch(color=colors[size], label=f"{size:,}") for size in sizes],
        title="nodes of the job",
        title_fontsize=8,
        loc="outside lower center",
        ncols=LEGEND_COLUMNS,
        fontsize=8,
    )
    return True


PICTURES: dict[str, Callable[[Schedule, Axes], bool]] = {
    "utilization-over-time": utilization_over_time,
    "waits-by-size": waits_by_size,
    "gantt": gantt,
}
"""The function that draws each file, by file name; it returns False if there is nothing to draw."""


def busiest_second(schedule: Schedule) -> int:
    """The first second at which the number of allocated nodes is highest."""
    changes: dict[int, int] = {}
    for job in _jobs(schedule):
        changes[job["start"]] = changes.get(job["start"], 0) + job["granted_nodes"]
        changes[job["end"]] = changes.get(job["end"], 0) - job["granted_nodes"]
    times = sorted(changes)
    used = np.cumsum([changes[time] for time in times])
    return times[int(np.argmax(used))] if times else 0


def _draw_map(schedule: Schedule, at_second: int, path: Path) -> None:
    """The room at a given time: partitions in use, their cables, and midplanes that the cables pass through."""
    machine = schedule.description["machine"]
    room = MachineRoom.load(machine["room"])
    profile = machine["profile"]
    catalogue = {partition.name: partition for partition in room.catalogue(profile)}
    held = [job["partition"] for job in _jobs(schedule) if job["start"] <= at_second < job["end"]]
    if unknown := [name for name in held if name not in catalogue]:
        raise InputError(f"{machine['room']}: profile {profile!r} has no partition {unknown[0]!r} any more")
    draw_room(room, [catalogue[name] for name in held], path, title=_title_of_map(schedule, room, at_second))


def _title_of_map(schedule: Schedule, room: MachineRoom, at_second: int) -> str:
    """The room and the moment: in seconds of the log, as `--at` takes them, and since the first start."""
    first = min((job["start"] for job in _jobs(schedule)), default=at_second)
    side = "before" if at_second < first else "after"
    since = f"{duration(abs(at_second - first))} {side} the first start" if at_second != first else "the first start"
    return f"{room.description}\nat second {at_second:,} of the log, {since}"


def _small_partitions(schedule: Schedule) -> dict[str, tuple[float, float]]:
    """Where each partition below a midplane begins and ends in it, as shares of the midplane.

    Its first node card is in its name: forming the whole catalogue would take a second.
    """
    room = MachineRoom.load(schedule.description["machine"]["room"])
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


def _is_of_a_room(schedule: Schedule) -> bool:
    return "partitions" in schedule.tables


def _jobs(schedule: Schedule) -> Iterator[dict[str, Any]]:
    """Jobs that ran, in the order of submission."""
    table = schedule.table("jobs").select(["start", "end", "partition", "granted_nodes"])
    return (row for row in table.to_pylist() if row["start"] is not None)


def _spans_of_partitions(schedule: Schedule) -> dict[str, list[tuple[int, int]]]:
    """(first, last) of each run of consecutive midplane numbers, for each partition."""
    rows = schedule.table("partitions").select(["partition", "midplanes"]).to_pylist()
    return {row["partition"]: list(_runs(map(int, row["midplanes"].split()))) for row in rows}


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """(first, last) of each run of consecutive numbers."""
    first = last = None
    for number in sorted(numbers):
        if last is not None and first is not None and number != last + 1:
            yield first, last
            first = number
        first = number if first is None else first
        last = number
    if first is not None and last is not None:
        yield first, last


def _time_axis(first: float, last: float) -> tuple[float, str]:
    """(units per second, name of the unit)."""
    if last - first > HOURS_UP_TO_SECONDS:
        return 1 / SECONDS_PER_DAY, "days"
    return 1 / SECONDS_PER_HOUR, "hours"
