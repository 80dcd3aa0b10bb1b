"""Figure 5: arbitration policies under a hot region."""

from collections.abc import Iterator, Sequence

import numpy as np

from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import throughput, throughput_over_time

POLICIES = {
    "base": {"join_shortest_queue": False, "serve_longest_queue_share": 0.0},
    "SLQ": {"join_shortest_queue": False, "serve_longest_queue_share": 0.75},
    "JSQ": {"join_shortest_queue": True, "serve_longest_queue_share": 0.0},
    "SLQ and JSQ": {"join_shortest_queue": True, "serve_longest_queue_share": 0.75},
}

NEAR_STEADY = 1.05
"""The decline is over when throughput is at most this multiple of its steady value."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each policy."""
    for policy, router in POLICIES.items():
        yield scale.point(
            {"policy": policy},
            tables=["series"],
            machine={"shape": scale["shape"], "router": router},
            run={"warmup_cycles": 0, "measure_cycles": scale["cycles"]},
        )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Throughput over time, and the speed of its decline."""
    flows = {point.labels["policy"]: throughput(point) for point in points}
    steady = np.array([flow.steady for flow in flows.values()])
    fallen = {policy: flow.first_below(NEAR_STEADY * flow.steady / flow.highest) for policy, flow in flows.items()}
    early = {policy: flow.values[: len(flow.values) // 2].mean() for policy, flow in flows.items()}
    slq_gain, jsq_gain = early["SLQ"] / early["base"] - 1, early["JSQ"] / early["base"] - 1
    slq_later, jsq_later = fallen["SLQ"] - fallen["base"], fallen["JSQ"] - fallen["base"]
    return Findings(
        rows=[
            {
                "policy": policy,
                "highest (bytes/cycle/node)": flow.highest,
                "steady (bytes/cycle/node)": flow.steady,
                "near steady from (cycles)": fallen[policy],
            }
            for policy, flow in flows.items()
        ],
        numbers={
            "steady_distance_percent": 100 * float(np.abs(steady / steady.mean() - 1).max()),
            "slq_later_cycles": slq_later,
            "jsq_share_of_gain": jsq_later / slq_later,
            "slq_gain_percent": 100 * float(slq_gain),
            "jsq_share_of_throughput_gain": float(jsq_gain / slq_gain),
        },
        figure=[throughput_over_time(flows)],
    )
