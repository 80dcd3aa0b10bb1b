"""Mesh or torus: the effect of meshes of 1K and 4K nodes on a queue, as in paper 004 (section 4.3, Figure 8).

For each policy the reference is a schedule with tori alone. It is compared with schedules with meshes at 1K and 4K,
whose jobs are slowed down uniformly. Each log, or each seed of a resampled or synthetic log, gives one value of each
change, paired with its own reference; intervals are over logs.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from torusim.common.intervals import Interval, interval
from torusim.queue.options import LogOptions
from torusim.queue.schedule import Schedule, schedule

TORUS_PROFILE = "paper-2009"
MESH_PROFILE = "mesh-1k-4k"
POLICIES = ("fcfs", "wfp")
SLOWDOWNS = (1.0, 1.05, 1.2)
MESHED_NODES = (1024, 4096)
"""The sizes, in nodes, that are meshes in the profile of meshes."""


class Options(LogOptions, total=False):
    """Options of `torusim.schedule` that all schedules of a comparison share; it sets the others itself."""

    log: str | os.PathLike[str]
    allocation: str | None
    hybrid: bool | None
    torus_above: float | None
    slowdown_rules: Sequence[Mapping[str, Any]] | None
    outages: Sequence[Mapping[str, Any]] | None
    wfp_exponent: float | None
    drain_threshold: float | None
    walltime: str | None
    after_outage: str | None


@dataclass(frozen=True)
class Row:
    """The effect of meshes under a policy at a slowdown, as means over logs.

    Attributes:
        policy: The policy.
        slowdown: Factor on the run times of jobs on meshes.
        torus_utilization: Utilization while jobs are submitted, tori alone, 0 to 1.
        meshed_share: Share of 1K and 4K jobs in the node-seconds of the log, 0 to 1. Below saturation, utilization
            rises by this share of the slowdown and by nothing else.
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
    meshed_share: Interval
    utilization_points: Interval
    utilization_percent: Interval
    useful_percent: Interval
    torus_loss_to_cables: Interval
    response_percent: Interval
    wait_percent: Interval
    response_percent_by_nodes: Mapping[int, Interval]


@dataclass(frozen=True)
class _Measures:
    """The measures of a schedule that are compared; its tables are not stored."""

    utilization: float
    useful_utilization: float
    lost_to_cables: float
    response: float
    wait: float
    response_by_nodes: Mapping[int, float]
    meshed_share: float


def mesh_or_torus(
    logs: Sequence[Mapping[str, Any]],
    *,
    room: str = "intrepid",
    policies: Sequence[str] = POLICIES,
    slowdowns: Sequence[float] = SLOWDOWNS,
    backfill: str = "cobalt-2009-03",
    report: Callable[[int, int], None] = lambda _done, _all: None,
    **options: Unpack[Options],
) -> list[Row]:
    """The table of the paper: a row for each policy and slowdown.

    Args:
        logs: Options of `torusim.schedule` that each name a log: `{"log": "jobs.swf", "skip_jobs": 1000}`, or
            `{"log": "jobs.swf", "resample_blocks": 100, "seed": 3}`, or `{"log": "lublin", "seed": 3}`.
        room: A room with the profiles paper-2009 and mesh-1k-4k.
        policies: Policies of the queue.
        slowdowns: Factors on the run times of jobs on meshes.
        backfill: Backfilling rule of all schedules.
        report: Is called with the number of completed schedules and their total number.
        **options: Further options of `torusim.schedule` for all schedules, such as `load` or `jobs`.

    Raises:
        InputError: If a log or an option cannot be used.
    """
    rows = []
    count = len(logs) * len(policies) * (1 + len(slowdowns))
    done = 0

    def make(log: Mapping[str, Any], policy: str, profile: str, slowdown: float) -> _Measures:
        nonlocal done
        common = {"room": room, "policy": policy, "backfill": backfill, "profile": profile, "slowdown": slowdown}
        chosen: dict[str, Any] = common | options | dict(log)
        made = _measures(schedule(**chosen))
        done += 1
        report(done, count)
        return made

    for policy in policies:
        tori = [make(log, policy, TORUS_PROFILE, 1.0) for log in logs]
        for slowdown in slowdowns:
            meshes = [make(log, policy, MESH_PROFILE, slowdown) for log in logs]
            rows.append(_row(policy, slowdown, tori, meshes))
    return rows


def _measures(made: Schedule) -> _Measures:
    sizes = made.table("sizes")
    nodes, responses = (sizes.column(name).to_pylist() for name in ("up_to_nodes", "response_seconds_mean"))
    return _Measures(
        utilization=made.summary["utilization_while_submitting"],
        useful_utilization=made.summary["useful_utilization"],
        lost_to_cables=made.summary["lost_to_cables"],
        response=made.summary["response_seconds_mean"],
        wait=made.summary["wait_seconds_mean"],
        response_by_nodes=dict(zip(nodes, responses, strict=True)),
        meshed_share=_meshed_share(made),
    )


def _meshed_share(made: Schedule) -> float:
    """The share of the jobs that get 1K or 4K nodes in the requested node-seconds."""
    jobs = made.table("jobs")
    nodes, granted, runs = (jobs.column(name).to_pylist() for name in ("nodes", "granted_nodes", "run"))
    work = [size * run for size, run in zip(nodes, runs, strict=True)]
    meshed = sum(part for part, size in zip(work, granted, strict=True) if size in MESHED_NODES)
    return meshed / sum(work) if sum(work) else 0.0


def _row(policy: str, slowdown: float, tori: Sequence[_Measures], meshes: Sequence[_Measures]) -> Row:
    pairs = list(zip(tori, meshes, strict=True))

    def percent(of: Callable[[_Measures], float]) -> Interval:
        return interval([_percent(of(torus), of(mesh)) for torus, mesh in pairs])

    def by_nodes(nodes: int) -> Interval:
        return percent(lambda made: made.response_by_nodes[nodes])

    sizes = sorted(set.intersection(*(set(made.response_by_nodes) for made in (*tori, *meshes))))
    return Row(
        policy=policy,
        slowdown=slowdown,
        torus_utilization=interval([torus.utilization for torus in tori]),
        meshed_share=interval([torus.meshed_share for torus in tori]),
        utilization_points=interval([100 * (mesh.utilization - torus.utilization) for torus, mesh in pairs]),
        utilization_percent=percent(lambda made: made.utilization),
        useful_percent=percent(lambda made: made.useful_utilization),
        torus_loss_to_cables=interval([torus.lost_to_cables for torus in tori]),
        response_percent=percent(lambda made: made.response),
        wait_percent=percent(lambda made: made.wait),
        response_percent_by_nodes={nodes: by_nodes(nodes) for nodes in sizes},
    )


def _percent(before: float, after: float) -> float:
    return 100 * (after - before) / before if before else 0.0
