"""Figure 4: arbitration policies at loads below the peak."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.pictures.figures import Axis, Bars, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label

JSQ = {"join_shortest_queue": True, "serve_longest_queue_share": 0.0}

POLICIES = {
    "SLQ and JSQ": {"join_shortest_queue": True, "serve_longest_queue_share": 0.75},
    "SLQ": {"join_shortest_queue": False, "serve_longest_queue_share": 0.75},
    "JSQ": JSQ,
    "base": {"join_shortest_queue": False, "serve_longest_queue_share": 0.0},
}

LATE_LOAD = 0.95

RANGES = {
    "of few credits": [0.125, 0.25, 0.5],
    "end at quarters": [0.26, 0.51, 0.76],
    "of many credits": [0.75, 0.875, 1.0],
}
"""Other starts of the upper three of JSQ's four ranges than the quarters; the papers do not state them. Of 64 credits,
space for eight packets, 48 are in the fourth range if ranges begin at quarters, and in the third if they end there."""

NUMBERS = {
    "of few credits": "jsq_few_credits_saves_percent",
    "end at quarters": "jsq_end_at_quarters_saves_percent",
    "of many credits": "jsq_many_credits_saves_percent",
}
"""The number of each choice of ranges, for claims."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each policy and load, and JSQ with other ranges at the highest load."""
    for policy, router in POLICIES.items():
        for load in scale["loads"]:
            yield point(scale, policy, router, load)
    for name, ranges in RANGES.items():
        yield point(scale, f"JSQ, {name}", {**JSQ, "token_ranges": ranges}, LATE_LOAD)


def point(scale: Scale, policy: str, router: Mapping[str, Any], load: float) -> Point:
    """A policy at one load; at the highest load the response time needs a long warm-up to become steady."""
    warmup = scale["late_warmup_cycles" if load >= LATE_LOAD else "warmup_cycles"]
    return scale.point(
        {"policy": policy, "load": load},
        machine={"shape": scale["shape"], "router": router},
        workload={"load": load},
        run={"warmup_cycles": warmup, "measure_cycles": scale["measure_cycles"]},
    )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Response times, compared, and the saving of JSQ for each choice of ranges."""
    curves = {
        policy: {point.labels["load"]: point.summary["latency_cycles_mean"] for point in group}
        for policy, group in by_label(points, "policy").items()
    }
    base, slq, jsq = curves["base"], curves["SLQ"], curves["JSQ"]
    loads = sorted(base)
    by_ranges = {name: saved(base, curves[f"JSQ, {name}"], LATE_LOAD) for name in RANGES}
    return Findings(
        rows=[
            {"load": load}
            | {name: curve.get(load) for name, curve in curves.items()}
            | {"JSQ saves (%)": saved(base, jsq, load)}
            for load in loads
        ],
        numbers={
            "jsq_saves_percent": saved(base, jsq, LATE_LOAD),
            **{number: by_ranges[name] for name, number in NUMBERS.items()},
            "slq_saves_percent": max(saved(base, slq, load) for load in loads if load <= 0.8),
        },
        figure=[
            Curves(
                x=Axis("offered load (share of peak)", lowest=0, highest=1),
                y=Axis("mean response time (cycles)", lowest=0),
                curves=[Curve(name, loads, [curves[name][load] for load in loads]) for name in POLICIES],
            ),
            Bars(
                labels=["begin at\nquarters", *(name.replace(" ", "\n", 1) for name in by_ranges)],
                heights=[("JSQ", [saved(base, jsq, LATE_LOAD), *by_ranges.values()])],
                y=Axis("response time saved (%)", lowest=0),
                levels=[Level("paper: about 20 %", 20)],
                title=f"JSQ at {LATE_LOAD:.0%} of the peak, by ranges of credits",
            ),
        ],
    )


def saved(before: dict[float, float], after: dict[float, float], load: float) -> float:
    """Reduction of the response time, in percent."""
    return 100 * (1 - after[load] / before[load])
