"""Comparison of schedules: differences of their descriptions, of their measures, and job by job.

Differences are paired: the same job in both schedules. Jobs of one queue are not independent. Intervals therefore come
from means of batches of jobs, or from several logs or seeds, and never from single jobs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from torusim._core import InputError
from torusim.common.formatting import flat
from torusim.common.intervals import Interval, interval
from torusim.queue.schedule import Schedule

Floats: TypeAlias = npt.NDArray[np.float64]

BATCHES = 20
"""Number of batches of jobs, in order of submission, that give an interval (method of batch means)."""


@dataclass(frozen=True)
class JobByJob:
    """The jobs of two schedules, the second compared with the first.

    Attributes:
        jobs: Jobs that ran in both.
        same_start: Jobs that waited equally long in both, to the second.
        earlier: Jobs that waited less in the second.
        later: Jobs that waited longer in the second.
        wait_seconds: Mean change of the wait, in seconds.
        response_seconds: Mean change of the response time, in seconds.
    """

    jobs: int
    same_start: int
    earlier: int
    later: int
    wait_seconds: Interval
    response_seconds: Interval


@dataclass(frozen=True)
class SizeClass:
    """The jobs of a size in two schedules, the second compared with the first, as in Figure 8 of paper 004.

    Attributes:
        up_to_nodes: The nodes that the first schedule allocated to them; a power of two where there are many sizes.
        jobs: Jobs that ran in both.
        wait_seconds: Mean wait in each.
        response_seconds: Mean response time in each.
        response_percent: Change of the mean response time, in percent of the first; below 0 is better.
    """

    up_to_nodes: int
    jobs: int
    wait_seconds: tuple[float, float]
    response_seconds: tuple[float, float]
    response_percent: Interval


@dataclass(frozen=True)
class ScheduleComparison:
    """A comparison of schedules.

    Attributes:
        descriptions: (key, a value for each schedule) of settings that differ.
        summaries: (key, a value for each schedule) of all measures that any schedule has.
        job_by_job: For each schedule but the first, compared with the first; None if the jobs are not the same.
        by_size: The comparison for the jobs of each size, the smallest first; empty if the jobs are not the same.
    """

    descriptions: list[tuple[str, list[Any]]]
    summaries: list[tuple[str, list[Any]]]
    job_by_job: list[JobByJob | None]
    by_size: list[list[SizeClass]]


def compare_schedules(schedules: Sequence[Schedule]) -> ScheduleComparison:
    """Compares two or more schedules.

    Raises:
        InputError: If fewer than two schedules are given.
    """
    if len(schedules) < 2:
        raise InputError("compare: needs two schedules or more")
    descriptions = _rows([schedule.description for schedule in schedules])
    return ScheduleComparison(
        descriptions=[(key, values) for key, values in descriptions if any(value != values[0] for value in values)],
        summaries=_rows([schedule.summary for schedule in schedules]),
        job_by_job=[_job_by_job(schedules[0], other) for other in schedules[1:]],
        by_size=[_by_size(schedules[0], other) for other in schedules[1:]],
    )


def _rows(tables: Sequence[Any]) -> list[tuple[str, list[Any]]]:
    flattened = [dict(flat(table)) for table in tables]
    keys = dict.fromkeys(key for table in flattened for key in table)
    rows = ((key, [table.get(key) for table in flattened]) for key in keys)
    return [(key, values) for key, values in rows if any(value is not None for value in values)]


@dataclass(frozen=True)
class _Pairs:
    """The jobs that ran in both of two schedules, in order of submission."""

    nodes: npt.NDArray[np.int64]
    waits: tuple[Floats, Floats]
    responses: tuple[Floats, Floats]


def _pairs(first: Schedule, second: Schedule) -> _Pairs | None:
    """The jobs of both; None if they are not the same, or none ran in both."""
    one, other = first.table("jobs"), second.table("jobs")
    numbers = one.column("job").to_numpy()
    if not np.array_equal(numbers, other.column("job").to_numpy()):
        return None
    starts, ends, submits = ([_floats(table, key) for table in (one, other)] for key in ("start", "end", "submit"))
    ran = ~np.isnan(starts[0]) & ~np.isnan(starts[1])
    if not ran.any():
        return None
    return _Pairs(
        nodes=one.column("granted_nodes").to_numpy()[ran].astype(np.int64),
        waits=((starts[0] - submits[0])[ran], (starts[1] - submits[1])[ran]),
        responses=((ends[0] - submits[0])[ran], (ends[1] - submits[1])[ran]),
    )


def _job_by_job(first: Schedule, second: Schedule) -> JobByJob | None:
    pairs = _pairs(first, second)
    if pairs is None:
        return None
    wait = pairs.waits[1] - pairs.waits[0]
    return JobByJob(
        jobs=len(wait),
        same_start=int((wait == 0).sum()),
        earlier=int((wait < 0).sum()),
        later=int((wait > 0).sum()),
        wait_seconds=batch_means(wait),
        response_seconds=batch_means(pairs.responses[1] - pairs.responses[0]),
    )


EXACT_SIZES = 16
"""With more sizes of partitions than this, a class is a power of two, as in the schedule's own table of sizes."""


def _by_size(first: Schedule, second: Schedule) -> list[SizeClass]:
    pairs = _pairs(first, second)
    if pairs is None:
        return []
    classes = pairs.nodes
    if len(np.unique(classes)) > EXACT_SIZES:
        classes = np.array([1 << (int(nodes) - 1).bit_length() for nodes in classes])
    return [_size_class(pairs, int(nodes), classes == nodes) for nodes in np.unique(classes)]


def _size_class(pairs: _Pairs, nodes: int, members: npt.NDArray[np.bool_]) -> SizeClass:
    before, after = (responses[members] for responses in pairs.responses)
    change = batch_means(after - before)
    percent = 100 / float(before.mean()) if before.mean() else 0.0
    half_width = None if change.half_width is None else change.half_width * percent
    return SizeClass(
        up_to_nodes=nodes,
        jobs=len(before),
        wait_seconds=(float(pairs.waits[0][members].mean()), float(pairs.waits[1][members].mean())),
        response_seconds=(float(before.mean()), float(after.mean())),
        response_percent=Interval(change.mean * percent, half_width, change.count),
    )


def batch_means(values: Floats) -> Interval:
    """The mean of a correlated sequence of values, with an interval from the means of up to 20 batches."""
    batches = min(BATCHES, len(values))
    found = interval([float(batch.mean()) for batch in np.array_split(values, batches)])
    return Interval(float(values.mean()), found.half_width, batches)


def _floats(table: Any, column: str) -> Floats:  # noqa: ANN401
    return np.asarray(table.column(column).cast("float64").to_numpy(zero_copy_only=False))
