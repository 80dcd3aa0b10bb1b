"""The uncorrected bubble rule deadlocks; the corrected rule does not, nor does the first with packets of one size."""

from collections.abc import Iterator, Sequence

import numpy as np

from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import Floats, by_label, columns

RULES = {
    "true sizes, 1 to 8 chunks": ("true-size", [32, 256]),
    "full sizes, 1 to 8 chunks": ("full-size", [32, 256]),
    "true sizes, full packets alone": ("true-size", 256),
}
SEEDS = range(1, 6)

SHOWN_CYCLES = 300_000
"""The part of the runs that the figure shows: all deadlocks begin within it."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each rule and seed."""
    for name, (rule, packet_bytes) in RULES.items():
        for seed in SEEDS:
            yield scale.point(
                {"rule": name, "seed": seed},
                tables=["series"],
                machine={"router": {"bubble_rule": rule}},
                workload={"packet_bytes": packet_bytes},
                run={"seed": seed, "measure_cycles": scale["cycles"]},
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The number of deadlocks, and the cycles at which they were detected."""
    groups = by_label(points, "rule")
    deadlocked = {rule: [point for point in group if is_deadlocked(point)] for rule, group in groups.items()}
    counts = [len(group) for group in deadlocked.values()]
    names = ["deadlocked_with_true_sizes", "deadlocked_with_full_sizes", "deadlocked_with_full_packets_alone"]
    return Findings(
        rows=[
            {
                "rule": rule,
                "deadlocked": len(group),
                "of seeds": len(groups[rule]),
                "found at (cycles)": ", ".join(f"{point.summary['cycles']:,}" for point in group) or "-",
            }
            for rule, group in deadlocked.items()
        ],
        numbers=dict(zip(names, map(float, counts), strict=True)),
        figure=[
            Curves(
                x=Axis("time (thousand cycles)", lowest=0, highest=SHOWN_CYCLES / 1000),
                y=Axis("packets delivered (per node)", lowest=0),
                curves=[
                    Curve(rule, *delivered(point), has_marks=False, is_repeat=index > 0)
                    for rule, group in groups.items()
                    for index, point in enumerate(group)
                ],
            )
        ],
    )


def delivered(point: FinishedPoint) -> tuple[Floats, Floats]:
    """(thousand cycles, packets per node delivered until then): the line of a deadlocked run becomes level."""
    series = columns(point, "series")
    packets = np.cumsum(series["packets_delivered"]) / point.summary["nodes"]
    shown = series["end_cycle"] <= SHOWN_CYCLES
    cycles = np.append(series["end_cycle"][shown], SHOWN_CYCLES)
    return cycles / 1000, np.append(packets[shown], np.interp(SHOWN_CYCLES, series["end_cycle"], packets))


def is_deadlocked(point: FinishedPoint) -> bool:  # noqa: D103
    return bool(point.summary["outcome"] == "deadlocked")
