"""Effective bandwidth (b_eff) of partitions as tori and as meshes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.pictures.figures import Axis, Bars, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.partitions import OF_ROOM, OPEN, OPEN_IN_Z, TORUS, each_wiring

KINDS = {"b_eff": "b_eff_", "rings": "b_eff_ring_", "random rings": "b_eff_random_", "longest": "b_eff_at_longest_"}
"""Means of the benchmark, and the prefixes of their keys in summaries."""

Summaries = Mapping[tuple[str, str], Mapping[str, Any]]
"""The summaries by shape and wiring."""


def points(scale: Scale) -> Iterator[Point]:
    """A run for each shape and different wiring."""
    workload = {"longest_bytes": scale["longest_bytes"], "random_patterns": scale["random_patterns"]}
    for labels, machine in each_wiring(scale["shapes"]):
        yield scale.point(labels, machine=machine, workload=workload)


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Bandwidths and slowdowns by shape and wiring."""
    of = {(point.labels["shape"], point.labels["wiring"]): point.summary for point in points}
    largest, _ = max(of, key=lambda key: of[key]["nodes"])
    return Findings(
        rows=[row(of, shape, wiring) for shape, wiring in of],
        numbers={
            "b_eff_percent": slowdown(of, largest, OPEN, "b_eff"),
            "random_rings_percent": slowdown(of, largest, OPEN, "random rings"),
            "b_eff_room_percent": slowdown(of, OPEN_IN_Z, OF_ROOM, "b_eff"),
        },
        figure=[bars(of)],
    )


def megabytes_per_second(summary: Mapping[str, Any], kind: str) -> float:
    """One of the benchmark's means, of all processes together."""
    return float(summary[f"{KINDS[kind]}megabytes_per_second"])


def slowdown(of: Summaries, shape: str, wiring: str, kind: str) -> float:
    """1 - B_mesh / B_torus in percent."""
    mesh, torus = (megabytes_per_second(of[shape, name], kind) for name in (wiring, TORUS))
    return 100 * (1 - mesh / torus)


def row(of: Summaries, shape: str, wiring: str) -> dict[str, Any]:
    """A shape and wiring as a row of the table."""
    return {
        "shape": shape,
        "wiring": wiring,
        "b_eff (MB/s)": megabytes_per_second(of[shape, wiring], "b_eff"),
        **{f"{kind}, slowdown (%)": slowdown(of, shape, wiring, kind) for kind in KINDS},
    }


def bars(of: Summaries) -> Bars:
    """Slowdowns of all means, by shape and wiring."""
    meshes = [key for key in of if key[1] != TORUS]
    return Bars(
        labels=[f"{shape}, {wiring}" for shape, wiring in meshes],
        heights=[(kind, [slowdown(of, *key, kind) for key in meshes]) for kind in KINDS],
        y=Axis("slowdown of the bandwidth (%)", lowest=0),
        levels=[Level("paper: close to 35 %", 35)],
    )
