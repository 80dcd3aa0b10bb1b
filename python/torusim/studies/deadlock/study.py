"""The uncorrected bubble rule deadlocks; the corrected rule does not, nor does the first with packets of one size."""

from collections.abc import Iterator, Sequence

from torusim.figures import Axis, Bars
from torusim.points import FinishedPoint, Point
from torusim.study import Findings, Scale
from torusim.study.measures import by_label

RULES = {
    "true sizes, 1 to 8 chunks": ("true-size", [32, 256]),
    "full sizes, 1 to 8 chunks": ("full-size", [32, 256]),
    "true sizes, full packets alone": ("true-size", 256),
}
SEEDS = range(1, 6)


def points(scale: Scale) -> Iterator[Point]:
    """One run for each rule and seed."""
    for name, (rule, packet_bytes) in RULES.items():
        for seed in SEEDS:
            yield scale.point(
                {"rule": name, "seed": seed},
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
            Bars(
                labels=list(groups),
                heights=[("deadlocked", [float(count) for count in counts])],
                y=Axis(f"deadlocked runs (of {len(SEEDS)} seeds)", lowest=0, highest=len(SEEDS) + 0.5),
            )
        ],
    )


def is_deadlocked(point: FinishedPoint) -> bool:  # noqa: D103
    return bool(point.summary["outcome"] == "deadlocked")
