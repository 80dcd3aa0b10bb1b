"""Mesh or torus: the effect of meshes of 1K and 4K nodes on a queue, as in paper 004 (section 4.3, Figure 8).

For each policy the reference is a schedule with tori alone. It is compared with schedules with meshes at 1K and 4K,
whose jobs are slowed down uniformly. Each log, or each seed of a synthetic log, gives one value of each change, paired
with its own reference; intervals are over logs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torusim.schedule_comparison import Interval, interval
from torusim.scheduling import Schedule, schedule

TORUS_PROFILE = "paper-2009"
MESH_PROFILE = "mesh-1k-4k"
POLICIES = ("fcfs", "wfp")
SLOWDOWNS = (1.0, 1.05, 1.2)


@dataclass(frozen=True)
class Row:
    """The effect of meshes under a policy at a slowdown, as means over logs.

    Attributes:
        policy: The policy.
        slowdown: Factor on the run times of jobs on meshes.
        torus_utilization: Utilization while jobs are submitted, tori alone, 0 to 1.
        utilization_points: Change of this utilization in percentage points.
        utilization_percent: Change of this utilization in percent of its value with tori.
        useful_percent: Change of the utilization over the whole span, in percent, without the run time that the
            slowdown adds.
        torus_loss_to_cables: Capacity lost because cables were in use, tori alone, 0 to 1.
        response_percent: Change of the mean response time, in percent; below 0 is better.
        wait_percent: Change of the mean wait, in percent.
        response_percent_by_nodes: Change of the mean response time of jobs of each size, in percent.
    """

    policy: str
    slowdown: float
    torus_utilization: Interval
    utilization_points: Interval
    utilization_percent: Interval
    useful_percent: Interval
    torus_loss_to_cables: Interval
    response_percent: Interval
    wait_percent: Interval
    response_percent_by_nodes: Mapping[int, Interval]


def mesh_or_torus(
    logs: Sequence[Mapping[str, Any]],
    *,
    room: str = "intrepid",
    policies: Sequence[str] = POLICIES,
    slowdowns: Sequence[float] = SLOWDOWNS,
    backfill: str = "drain",
    report: Callable[[int, int], None] = lambda _done, _all: None,
    **options: object,
) -> list[Row]:
    """The table of the paper: a row for each policy and slowdown.

    Args:
        logs: Options of `torusim.schedule` that each name a log: `{"log": "jobs.swf", "skip_jobs": 1000}`, or
            `{"log": "lublin", "seed": 3}`.
        room: A room with the profiles paper-2009 and mesh-1k-4k.
        policies: Policies of the queue.
        slowdowns: Factors on the run times of jobs on meshes.
        backfill: Backfilling rule of all schedules.
        report: Is called with the number of completed schedules and their total number.
        **options: Further options of `torusim.schedule` for all schedules.

    Raises:
        InputError: If a log or an option cannot be used.
    """
    rows = []
    count = len(logs) * len(policies) * (1 + len(slowdowns))
    done = 0

    def make(log: Mapping[str, Any], policy: str, profile: str, slowdown: float) -> Schedule:
        nonlocal done
        common = {"room": room, "policy": policy, "backfill": backfill, "profile": profile, "slowdown": slowdown}
        chosen: dict[str, Any] = common | options | dict(log)
        made = schedule(**chosen)
        done += 1
        report(done, count)
        return made

    for policy in policies:
        tori = [make(log, policy, TORUS_PROFILE, 1.0) for log in logs]
        for slowdown in slowdowns:
            meshes = [make(log, policy, MESH_PROFILE, slowdown) for log in logs]
            rows.append(_row(policy, slowdown, tori, meshes))
    return rows


def _row(policy: str, slowdown: float, tori: Sequence[Schedule], meshes: Sequence[Schedule]) -> Row:
    def of_tori(key: str) -> Interval:
        return interval([torus.summary[key] for torus in tori])

    pairs = list(zip(tori, meshes, strict=True))

    def percent(key: str) -> Interval:
        return interval([_percent(torus.summary[key], mesh.summary[key]) for torus, mesh in pairs])

    use = "utilization_while_submitting"
    by_nodes = [(_responses(torus), _responses(mesh)) for torus, mesh in pairs]
    sizes = sorted(set.intersection(*(set(one) & set(other) for one, other in by_nodes)))
    return Row(
        policy=policy,
        slowdown=slowdown,
        torus_utilization=of_tori(use),
        utilization_points=interval([100 * (mesh.summary[use] - torus.summary[use]) for torus, mesh in pairs]),
        utilization_percent=percent(use),
        useful_percent=percent("useful_utilization"),
        torus_loss_to_cables=of_tori("lost_to_cables"),
        response_percent=percent("response_seconds_mean"),
        wait_percent=percent("wait_seconds_mean"),
        response_percent_by_nodes={
            nodes: interval([_percent(one[nodes], other[nodes]) for one, other in by_nodes]) for nodes in sizes
        },
    )


def _responses(made: Schedule) -> dict[int, float]:
    """Mean response time of jobs of each size."""
    sizes = made.table("sizes")
    return dict(
        zip(sizes.column("up_to_nodes").to_pylist(), sizes.column("response_seconds_mean").to_pylist(), strict=True)
    )


def _percent(before: float, after: float) -> float:
    return 100 * (after - before) / before if before else 0.0
