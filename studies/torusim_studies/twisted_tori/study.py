"""All-to-alls on plain and twisted slices: what the twist gains in the bound, and by packets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.study import Findings, FinishedPoint, Point, Scale

SHAPES = {"4x4x8": [4, 4, 8], "4x8x8": [4, 8, 8]}
ROUTERS = ("dimension-order", "one-adaptive", "two-adaptive")
TWISTS = ("none", "auto")


def points(scale: Scale) -> Iterator[Point]:
    """One run for each shape, router and twist."""
    for shape, lengths in SHAPES.items():
        for router in ROUTERS:
            for twist in TWISTS:
                yield scale.point(
                    {"shape": shape, "router": router, "twist": twist},
                    machine={"shape": lengths, "twist": twist, "assumed_router": router},
                    workload={"payload": scale["pair"]},
                )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Gains of the bounds and of the times, and the shares of the bounds."""
    of = {(point.labels["shape"], point.labels["router"], point.labels["twist"]): point.summary for point in points}
    numbers: dict[str, float] = {}
    rows: list[dict[str, Any]] = []
    for shape in SHAPES:
        for router in ROUTERS:
            plain, twisted = (of[shape, router, twist] for twist in TWISTS)
            key = router.replace("-", "_")
            numbers[f"bound_gain_{shape}"] = bound_cycles(plain) / bound_cycles(twisted)
            numbers[f"gain_{shape}_{key}"] = plain["cycles"] / twisted["cycles"]
            numbers[f"share_{shape}_{key}"] = twisted["percent_of_peak"]
            rows.append(
                {
                    "shape": shape,
                    "router": router,
                    "% of bound, plain": plain["percent_of_peak"],
                    "% of bound, twisted": twisted["percent_of_peak"],
                    "gain": numbers[f"gain_{shape}_{key}"],
                }
            )
    return Findings(rows=rows, numbers=numbers, figure=[])


def bound_cycles(summary: Mapping[str, Any]) -> float:
    """The bound of a run, from its share of it."""
    return float(summary["cycles"] * summary["percent_of_peak"] / 100)
