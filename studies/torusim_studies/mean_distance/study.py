"""Packet-hops of an all-to-all, compared exactly with the formula."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from torusim.study import Findings, FinishedPoint, Point, Scale

MACHINES: dict[str, tuple[list[int], list[bool]]] = {
    "8x8x8": ([8, 8, 8], [True] * 3),
    "4x4x4 mesh": ([4, 4, 4], [False] * 3),
    "5x4x3, y open": ([5, 4, 3], [True, False, True]),
    "2x7": ([2, 7], [True, True]),
    "6x3": ([1, 6, 1, 3], [True] * 4),
    "2x2x2x3x2x2, y open": ([2, 2, 2, 3, 2, 2], [True, False, True, True, True, True]),
}
"""(lengths, wraps) of each shape."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each shape."""
    for name, (shape, wrap) in MACHINES.items():
        yield scale.point(
            {"shape": name},
            machine={"shape": shape, "wrap": wrap},
            workload={"payload_bytes": scale["payload_bytes"]},
        )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Hops counted, and hops computed."""
    counted = {point.labels["shape"]: point.summary["packet_hops"] for point in points}
    expected = {name: hops_by_theory(*MACHINES[name]) for name in counted}
    return Findings(
        rows=[{"shape": name, "packet-hops": counted[name], "by theory": int(expected[name])} for name in counted],
        numbers={"most_off_hops": float(max(abs(counted[name] - expected[name]) for name in counted))},
        figure=[],
    )


def hops_by_theory(shape: Sequence[int], wrap: Sequence[bool]) -> Fraction:
    """N² times the sum of the mean distances of all dimensions."""
    nodes = 1
    for length in shape:
        nodes *= length
    return nodes**2 * sum(map(mean_distance, shape, wrap), Fraction(0))


def mean_distance(length: int, wraps: bool) -> Fraction:
    """Mean distance of two nodes along a dimension, pairs of a node with itself included."""
    if not wraps:
        return Fraction(length * length - 1, 3 * length)
    return Fraction(length, 4) if length % 2 == 0 else Fraction(length * length - 1, 4 * length)
