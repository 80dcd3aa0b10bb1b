"""Figure 4: arbitration policies at loads below the peak."""

from collections.abc import Iterator, Sequence

from torusim.figures import Axis, Curve, Curves
from torusim.points import FinishedPoint, Point
from torusim.study import Findings, Scale
from torusim.study.measures import by_label

POLICIES = {
    "SLQ and JSQ": {"join_shortest_queue": True, "serve_longest_queue_share": 0.75},
    "SLQ": {"join_shortest_queue": False, "serve_longest_queue_share": 0.75},
    "JSQ": {"join_shortest_queue": True, "serve_longest_queue_share": 0.0},
    "base": {"join_shortest_queue": False, "serve_longest_queue_share": 0.0},
}

LATE_LOAD = 0.9


def points(scale: Scale) -> Iterator[Point]:
    """Every policy at every load."""
    for policy, router in POLICIES.items():
        for load in scale["loads"]:
            warmup = scale["late_warmup_cycles" if load >= LATE_LOAD else "warmup_cycles"]
            yield scale.point(
                {"policy": policy, "load": load},
                machine={"shape": scale["shape"], "router": router},
                workload={"load": load},
                run={"warmup_cycles": warmup, "measure_cycles": scale["measure_cycles"]},
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Response times, side by side."""
    curves = {
        policy: {point.labels["load"]: point.summary["latency_cycles_mean"] for point in group}
        for policy, group in by_label(points, "policy").items()
    }
    loads = sorted({point.labels["load"] for point in points})
    base, slq, jsq = curves["base"], curves["SLQ"], curves["JSQ"]
    return Findings(
        rows=[
            {"load": load}
            | {name: curve[load] for name, curve in curves.items()}
            | {"JSQ saves (%)": saved(base, jsq, load)}
            for load in loads
        ],
        numbers={
            "jsq_saves_percent": saved(base, jsq, 0.95),
            "slq_saves_percent": max(saved(base, slq, load) for load in loads if load <= 0.8),
        },
        figure=[
            Curves(
                x=Axis("offered load (share of peak)", lowest=0, highest=1),
                y=Axis("mean response time (cycles)", lowest=0),
                curves=[Curve(name, loads, [curve[load] for load in loads]) for name, curve in curves.items()],
            )
        ],
    )


def saved(before: dict[float, float], after: dict[float, float], load: float) -> float:
    """By how much the response time is lower, in percent."""
    return 100 * (1 - after[load] / before[load])
