"""Which algorithm of a collective is fastest on a torus, and which on a mesh."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.partitions import OPEN, TORUS

ALGORITHMS: Mapping[str, Sequence[str]] = {
    "all-reduce": ("ring", "bucket", "swing", "halving-doubling", "recursive-doubling"),
    "all-gather": ("ring", "bucket", "swing", "halving-doubling"),
    "broadcast": ("binomial", "scatter-allgather", "rectangle"),
    "all-to-all": ("direct", "two-phase", "pairwise", "bruck", "post-and-wait"),
}

MPICH2: Mapping[str, Sequence[tuple[float, str]]] = {
    "all-reduce": ((2_048, "recursive-doubling"), (inf, "halving-doubling")),
    "all-gather": ((524_287, "halving-doubling"), (inf, "ring")),
    "broadcast": ((12_287, "binomial"), (inf, "scatter-allgather")),
    "all-to-all": ((256, "bruck"), (32_768, "post-and-wait"), (inf, "pairwise")),
}
"""The algorithms of MPICH2, with the length up to which it takes each (of a block for an all-to-all), for a number of
ranks that is a power of two (docs/models/collectives.md). Its broadcast of 12 to 512 KB gathers by doubling, which has
no separate name here."""

NEED_A_TORUS = ("swing", "rectangle")

SEGMENT_BYTES: Mapping[str, int] = {"rectangle": 2_400}
"""Segments in which data are passed on."""

WIRINGS = {TORUS: True, OPEN: False}

Times = Mapping[tuple[str, str, str, int], float]
"""Time in µs by operation, algorithm, wiring and bytes."""


def points(scale: Scale) -> Iterator[Point]:
    """A run for each operation, algorithm, wiring and size."""
    for operation, algorithms in ALGORITHMS.items():
        for algorithm in algorithms:
            for wiring, wrap in WIRINGS.items():
                if wiring == OPEN and algorithm in NEED_A_TORUS:
                    continue
                for size in scale["sizes"]:
                    yield scale.point(
                        {"operation": operation, "algorithm": algorithm, "wiring": wiring, "bytes": size},
                        machine={"shape": scale["shape"], "wrap": wrap},
                        workload={
                            "operation": operation,
                            "algorithm": algorithm,
                            "bytes": size,
                            "segment_bytes": SEGMENT_BYTES.get(algorithm, 0),
                        },
                    )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The fastest algorithm of each operation, size and wiring."""
    times = {key(point.labels): microseconds(point.summary) for point in points}
    cases = list(dict.fromkeys((operation, size) for operation, _, _, size in times))
    ranks = points[0].summary["nodes"]
    differing = [case for case in cases if winner(times, *case, TORUS) != winner(times, *case, OPEN)]
    return Findings(
        rows=[row(times, *case, ranks) for case in cases],
        numbers={
            "other_winner_share": len(differing) / len(cases),
            "best_gain": max(gain(times, *case, ranks) for case in cases),
        },
        figure=[panel(times, operation) for operation in ALGORITHMS],
    )


def key(labels: Mapping[str, Any]) -> tuple[str, str, str, int]:
    """The key that distinguishes a time."""
    return labels["operation"], labels["algorithm"], labels["wiring"], labels["bytes"]


def microseconds(summary: Mapping[str, Any]) -> float:
    """Time of the slowest rank."""
    return 1e6 * float(summary["collective_cycles_max"] * summary["seconds_simulated"] / summary["cycles"])


def winner(times: Times, operation: str, size: int, wiring: str) -> str:
    """The fastest algorithm."""
    return min((key for key in times if key[0] == operation and key[2:] == (wiring, size)), key=times.__getitem__)[1]


def best(times: Times, operation: str, size: int, wiring: str) -> float:
    """The time of the fastest algorithm."""
    return times[operation, winner(times, operation, size, wiring), wiring, size]


def of_mpich2(times: Times, operation: str, size: int, wiring: str, ranks: int) -> float:
    """Time of the algorithm that MPICH2 takes."""
    length = size / ranks if operation == "all-to-all" else size
    algorithm = next(name for longest, name in MPICH2[operation] if length <= longest)
    return times[operation, algorithm, wiring, size]


def gain(times: Times, operation: str, size: int, ranks: int) -> float:
    """Time of MPICH2's algorithm on the mesh divided by that of the fastest."""
    return of_mpich2(times, operation, size, OPEN, ranks) / best(times, operation, size, OPEN)


def row(times: Times, operation: str, size: int, ranks: int) -> dict[str, Any]:
    """An operation and size as a row of the table."""
    on_torus = winner(times, operation, size, TORUS)
    on_mesh_by_mpich2, by_mpich2 = (of_mpich2(times, operation, size, wiring, ranks) for wiring in (OPEN, TORUS))
    return {
        "operation": operation,
        "bytes": size,
        "fastest on the torus": on_torus,
        "time (µs)": best(times, operation, size, TORUS),
        "fastest on the mesh": winner(times, operation, size, OPEN),
        "its time (µs)": best(times, operation, size, OPEN),
        "MPICH2's on the mesh (µs)": on_mesh_by_mpich2,
        "slowdown, each its fastest (%)": 100
        * (best(times, operation, size, OPEN) / best(times, operation, size, TORUS) - 1),
        "slowdown, MPICH2's (%)": 100 * (on_mesh_by_mpich2 / by_mpich2 - 1),
    }


def panel(times: Times, operation: str) -> Curves:
    """Times by size: each algorithm on the torus, and dashed on the mesh."""
    curves = []
    for algorithm in ALGORITHMS[operation]:
        for wiring in WIRINGS:
            of = {size: time for (*names, size), time in times.items() if names == [operation, algorithm, wiring]}
            if of:
                curves.append(Curve(f"{algorithm}, {wiring}", list(of), list(of.values()), is_beside=wiring == OPEN))
    return Curves(
        x=Axis("data (bytes)", is_logarithmic=True),
        y=Axis("time (µs)", is_logarithmic=True),
        curves=curves,
        title=operation,
    )
