"""Figure 2: routing, VCs and paths, at loads below the peak."""

from collections.abc import Iterator, Mapping, Sequence

from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label

BUFFER_BYTES = 4096
"""Buffer space that a link's adaptive VCs share (S8)."""

DETERMINISTIC = "deterministic"
VARIANTS = {
    DETERMINISTIC: (0, 1),
    "1 dynamic, 1 path": (1, 1),
    "2 dynamic, 1 path": (2, 1),
    "2 dynamic, 2 paths": (2, 2),
    "4 dynamic, 4 paths": (4, 4),
}
"""(adaptive VCs, paths). For deterministic packets the whole buffer belongs to their one VC."""

COMPARED = (0.6, 0.7)
"""Loads at which queues matter and every adaptive variant is steady."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each variant and load."""
    for variant, (channels, paths) in VARIANTS.items():
        router = {"dynamic_channels": channels, "transfer_paths": paths}
        if channels:
            router["dynamic_channel_bytes"] = BUFFER_BYTES // channels
        else:
            router["escape_channel_bytes"] = BUFFER_BYTES + 1024
        for load in scale["loads"]:
            yield scale.point(
                {"variant": variant, "load": load},
                machine={"shape": scale["shape"], "router": router},
                workload={"load": load, "routing": "adaptive" if channels else "deterministic"},
                run={"warmup_cycles": scale["warmup_cycles"], "measure_cycles": scale["measure_cycles"]},
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Response times, compared."""
    curves = {
        variant: {point.labels["load"]: point.summary["latency_cycles_mean"] for point in group}
        for variant, group in by_label(points, "variant").items()
    }
    loads = sorted({point.labels["load"] for point in points})
    fixed, one, two, both, four = curves.values()
    return Findings(
        rows=[{"load": load} | {name: curve[load] for name, curve in curves.items()} for load in loads],
        numbers={
            "deterministic_over_dynamic": fixed[0.6] / one[0.6],
            "least_deterministic_over_dynamic": min(fixed[load] / one[load] for load in loads if load >= 0.6),
            "channels_alone_save_percent": max(saved(one, two, load) for load in loads if load <= 0.8),
            "paths_save_percent": saved(two, both, 0.8),
            "four_save_percent": max(saved(both, four, load) for load in loads if load <= 0.9),
            "channels_alone_share": max((one[load] - two[load]) / (one[load] - both[load]) for load in COMPARED),
            "four_share": max((both[load] - four[load]) / (one[load] - both[load]) for load in COMPARED),
        },
        figure=[
            Curves(
                x=Axis("offered load (share of peak)", lowest=0, highest=1),
                y=Axis("mean response time (cycles)", lowest=0, highest=2 * one[0.8]),
                curves=[Curve(name, loads, [curve[load] for load in loads]) for name, curve in curves.items()],
            )
        ],
    )


def saved(before: Mapping[float, float], after: Mapping[float, float], load: float) -> float:
    """Reduction of the response time at a load, in percent."""
    return 100 * (1 - after[load] / before[load])
