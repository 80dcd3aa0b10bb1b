"""Reference implementation of EASY backfilling on a machine without partitions, to which the Rust is compared.

It is simple and slow, and written from the definition alone.

Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2: jobs wait in the order of arrival. Those at the head of the
queue start while they fit. The first that does not fit gets a reservation: the earliest time at which enough nodes are
free if all running jobs end by their estimates; nodes beyond its need at that time are extra. Any other job that fits
now may start if it ends, by its estimate, before that time, or if it needs only extra nodes. Further assumptions: a job
that has run longer than its estimate is expected to end within the next second; at equal times, jobs end before others
arrive.
"""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Job:
    """A job of a log: times in seconds."""

    submit: int
    number: int
    run: int
    nodes: int
    estimate: int


@dataclass(frozen=True)
class Running:
    """A running job, its end, and its expected end by its estimate."""

    job: Job
    end: int
    expected: int


def easy_starts(jobs: list[Job], nodes: int, *, kill: bool = False) -> dict[int, int]:
    """The start time of each job, by job number."""
    arrivals = sorted(job for job in jobs if job.nodes <= nodes)
    starts: dict[int, int] = {}
    waiting: list[Job] = []
    running: list[Running] = []
    while arrivals or running:
        now = min([job.submit for job in arrivals[:1]] + [one.end for one in running])
        running = [one for one in running if one.end > now]
        while arrivals and arrivals[0].submit == now:
            waiting.append(arrivals.pop(0))
        for job in startable(waiting, running, nodes, now):
            run = min(job.run, job.estimate) if kill else job.run
            starts[job.number] = now
            waiting.remove(job)
            running.append(Running(job, now + run, now + job.estimate))
    return starts


def startable(waiting: list[Job], running: list[Running], nodes: int, now: int) -> list[Job]:
    """The waiting jobs that start now."""
    started: list[Job] = []
    free = nodes - sum(one.job.nodes for one in running)
    rest = list(waiting)
    while rest and rest[0].nodes <= free:
        free -= rest[0].nodes
        started.append(rest.pop(0))
    if not rest:
        return started
    ends = [(max(one.expected, now + 1), one.job.nodes) for one in running]
    ends += [(now + job.estimate, job.nodes) for job in started]
    shadow, extra = reservation(rest[0].nodes, free, ends)
    for job in rest[1:]:
        if job.nodes > free:
            continue
        if now + job.estimate <= shadow:
            started.append(job)
        elif job.nodes <= extra:
            started.append(job)
            extra -= job.nodes
        else:
            continue
        free -= job.nodes
    return started


def reservation(needed: int, free: int, ends: list[tuple[int, int]]) -> tuple[int, int]:
    """(earliest time at which the needed nodes are free, extra nodes that are free then)."""
    for time in sorted({time for time, _ in ends}):
        then = free + sum(nodes for end, nodes in ends if end <= time)
        if then >= needed:
            return time, then - needed
    raise AssertionError("a job is larger than the machine")
