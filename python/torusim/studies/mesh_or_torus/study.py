"""Mesh or torus: the effect of meshes for 1K and 4K nodes on a queue of jobs, compared with tori only."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.figures import Axis, Bars, Level
from torusim.mesh_or_torus import Row, mesh_or_torus
from torusim.points import FinishedPoint, Point
from torusim.schedule_comparison import Interval
from torusim.study import Findings, Scale
from torusim.worker import Finished, Report

BACKFILLS = ("drain", "greedy")
"""The first is the default of schedules. The claims refer to it, except for the best response, which may be of any."""

POLICIES = ("fcfs", "wfp")
SLOWDOWNS = (1.0, 1.05, 1.2)

SIZES = [[512, 300], [1024, 900], [2048, 186], [4096, 500], [8192, 117]]
"""(nodes, weight): many jobs of 1K and 4K, as in docs/models/queue.md. The paper's log is not public."""

MESHED = ("1024", "4096")
"""Sizes of the jobs that get meshes."""


def points(scale: Scale) -> Iterator[Point]:
    """One point for each backfilling and policy; it computes the schedules of all seeds and slowdowns."""
    for backfill in BACKFILLS:
        for policy in POLICIES:
            labels = {"backfill": backfill, "policy": policy}
            yield scale.call(labels, "schedules", labels | {"seeds": scale["seeds"], "jobs": scale["jobs"]})


def schedules(arguments: Mapping[str, Any], report: Report) -> Finished:
    """The rows of a policy, one for each slowdown, as columns of a table."""
    rows = mesh_or_torus(
        [{"log": "lublin", "seed": seed} for seed in range(1, arguments["seeds"] + 1)],
        policies=[arguments["policy"]],
        slowdowns=SLOWDOWNS,
        backfill=arguments["backfill"],
        report=lambda done, count: report(done / count),
        jobs=arguments["jobs"],
        load=0.9,
        walltime_factor=5,
        sizes=SIZES,
    )
    changes = [_changes(row) for row in rows]
    return {"summary": {"seeds": arguments["seeds"]}, "tables": {"changes": _columns(changes)}}


def _changes(row: Row) -> dict[str, Any]:
    """A row as plain data, in percent: the mean, half-width of its interval, and number of seeds of each change."""
    named = {
        "utilization": row.utilization_percent,
        "useful": row.useful_percent,
        "response": row.response_percent,
        **{str(nodes): change for nodes, change in row.response_percent_by_nodes.items()},
    }
    loss = 100 * row.torus_loss_to_cables.mean
    plain: dict[str, Any] = {"slowdown": row.slowdown, "lost_to_cables": loss}
    for name, change in named.items():
        plain |= {name: change.mean, f"{name}_half_width": change.half_width, f"{name}_count": change.count}
    return plain


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    return {key: [row[key] for row in rows] for key in rows[0]}


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The paper's table, and the numbers that its claims refer to, for these jobs."""
    table = {
        (point.labels["backfill"], point.labels["policy"], slowdown): {
            key: values[index] for key, values in point.tables["changes"].items()
        }
        for point in points
        for index, slowdown in enumerate(point.tables["changes"]["slowdown"])
    }
    drain = {key[1:]: row for key, row in table.items() if key[0] == BACKFILLS[0]}
    unslowed = [drain[policy, 1.0] for policy in POLICIES]
    sizes = [str(nodes) for nodes, _ in SIZES]
    labels = [f"{policy.upper()}, {percent(slowdown)}" for policy, slowdown in drain]
    return Findings(
        rows=[
            {"backfilling": backfill, "policy": policy.upper(), "slowdown": percent(slowdown)}
            | {f"{name} (%)": str(change(row, name)) for name in ("utilization", "useful", "response", *sizes)}
            | {"lost to cables with tori (%)": row["lost_to_cables"]}
            for (backfill, policy, slowdown), row in table.items()
        ],
        numbers={
            "least_utilization_low_end": min(
                row["utilization"] - (row["utilization_half_width"] or 0) for row in drain.values()
            ),
            "utilization_percent": drain["fcfs", 1.05]["utilization"],
            "best_response_gain": max(-row["response"] for row in table.values()),
            "least_gain_of_meshed": min(-row[size] for row in unslowed for size in MESHED),
            "least_loss_of_512": min(row["512"] for row in unslowed),
            "least_loss_of_2k": min(row["2048"] for row in unslowed),
            "wfp_shrinks_by": drain["wfp", 1.2]["response"] - drain["wfp", 1.0]["response"],
        },
        figure=[
            Bars(
                labels=labels,
                heights=[
                    (name, [row[key] for row in drain.values()])
                    for name, key in (("utilization", "utilization"), ("useful", "useful"), ("response", "response"))
                ],
                y=Axis("change by meshes (%)"),
                levels=[Level("paper, utilization: +3 %", 3), Level("paper, utilization: +5 %", 5)],
                title="All jobs",
            ),
            Bars(
                labels=labels,
                heights=[(f"{size} nodes", [row[size] for row in drain.values()]) for size in (*MESHED, "2048")],
                y=Axis("change of response by meshes (%)"),
                title="By size (512 nodes: see the table)",
            ),
        ],
    )


def percent(slowdown: float) -> str:
    """A slowdown as a percentage, such as "5 %" for 1.05."""
    return f"{100 * (slowdown - 1):.0f} %"


def change(row: Mapping[str, Any], name: str) -> Interval:
    """One of a row's changes, with its 95 % confidence interval over seeds."""
    return Interval(row[name], row[f"{name}_half_width"], row[f"{name}_count"])
