"""Assumed latencies, changed one at a time, and the effect on the results of other studies."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.pictures.figures import Axis, Dots, Series
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label

CHANGES: dict[str, dict[str, Any]] = {
    "as assumed": {},
    "hop 6": {"link": {"hop_latency_cycles": 6}},
    "hop 24": {"link": {"hop_latency_cycles": 24}},
    "injection 1": {"node": {"injection_latency_cycles": 1}},
    "injection 40": {"node": {"injection_latency_cycles": 40}},
    "tokens 4": {"router": {"token_latency_cycles": 4}},
    "tokens 40": {"router": {"token_latency_cycles": 40}},
}
"""Overrides of the machine, by name of the change."""

SHARES = ("full load", "asymmetric", "hot region", "hot spot", "all-to-all")
"""Workloads whose result is a share of the peak; for the others it is a latency."""

LATENCIES = ("latency at 0.9",)


def workloads(scale: Scale) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """(name, machine, workload) of each result."""
    full = {"shape": scale["full_shape"]}
    yield "full load", full, {"kind": "uniform-random"}
    yield "asymmetric", {"shape": scale["asymmetric_shape"]}, {"kind": "uniform-random"}
    yield "hot region", full, {"kind": "hot-region"}
    yield "hot spot", {"shape": [8, 8, 8]}, {"kind": "hot-spot", "packets_per_pair": scale["packets_per_pair"]}
    yield "all-to-all", {"shape": [8, 8, 8]}, {"kind": "all-to-all", "payload_bytes": scale["payload_bytes"]}
    yield "latency at 0.9", full, {"kind": "uniform-random", "load": 0.9}


def points(scale: Scale) -> Iterator[Point]:
    """One run for each workload and change."""
    for change, overlay in CHANGES.items():
        for name, machine, workload in workloads(scale):
            ends = workload["kind"] in ("hot-spot", "all-to-all")
            window = {"warmup_cycles": scale["warmup_cycles"], "measure_cycles": scale["measure_cycles"]}
            yield scale.point(
                {"change": change, "workload": name},
                machine={**machine, **overlay},
                workload=workload,
                run={} if ends else window,
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Each result under each change."""
    figures = {
        change: {point.labels["workload"]: figure_of(point) for point in group}
        for change, group in by_label(points, "change").items()
    }
    base = figures["as assumed"]
    moved = {change: max(abs(values[name] - base[name]) for name in SHARES) for change, values in figures.items()}
    changes = [change for change in figures if change != "as assumed"]
    return Findings(
        rows=[
            {"change (cycles)": change}
            | {f"{name} (% of peak)": values[name] for name in SHARES}
            | {f"{name} (cycles)": values[name] for name in LATENCIES}
            for change, values in figures.items()
        ],
        numbers={
            "hop_latency_moves_points": max(moved["hop 6"], moved["hop 24"]),
            "injection_latency_moves_points": max(moved["injection 1"], moved["injection 40"]),
            "token_latency_moves_points": max(moved["tokens 4"], moved["tokens 40"]),
        },
        figure=[
            Dots(
                labels=[change.replace(" ", "\n") for change in changes],
                series=[Series(name, [figures[change][name] - base[name] for change in changes]) for name in SHARES],
                y=Axis("change of throughput (points of peak)"),
                x="changed latency (cycles)",
            )
        ],
    )


def figure_of(point: FinishedPoint) -> float:
    """The share of the peak in percent, or the mean latency in cycles."""
    if point.labels["workload"] in LATENCIES:
        return float(point.summary["latency_cycles_mean"])
    return float(point.summary["percent_of_peak"])
