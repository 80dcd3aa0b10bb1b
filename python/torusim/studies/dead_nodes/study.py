"""All-to-alls past three dead nodes: how each pair is served, by hint bits or by a relay, and whether all are."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from torusim.figures import Axis, Bars
from torusim.points import FinishedPoint, Point
from torusim.study import Findings, Scale
from torusim.study.measures import by_label

SIDE = 8
DEAD = 3
SETTINGS = ("relay", "dynamic-only")
"""What serves pairs that no hint bits give a clean escape (docs/models/faults.md)."""

WAYS = {
    "minimal": "minimal",
    "around": "around",
    "dynamic_only": "dynamic channels only",
    "relayed": "by a relay",
}
"""How a pair is served: the end of its key in the summary, and in words."""

Node = tuple[int, ...]


def points(scale: Scale) -> Iterator[Point]:
    """Every triple with both settings."""
    for number, triple in enumerate(triples(scale["triples"])):
        for setting in SETTINGS:
            yield scale.point(
                {"triple": number, "is_in_line": has_two_on_a_line(triple), "setting": setting},
                machine={"dead_nodes": [list(node) for node in triple], "without_clean_escape": setting},
            )


def triples(count: int) -> list[list[Node]]:
    """Random ones, the same for every setting, that are not all on one line."""
    draws = random.Random(17)
    nodes: list[Node] = list(product(range(SIDE), repeat=3))
    found: list[list[Node]] = []
    while len(found) < count:
        triple = draws.sample(nodes, DEAD)
        if not all(is_one_line(pair) for pair in combinations(triple, 2)):
            found.append(triple)
    return found


def is_one_line(pair: Sequence[Node]) -> bool:
    """Whether two nodes differ in one coordinate alone. Three of which all pairs do are on one line."""
    one, other = pair
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1


def has_two_on_a_line(triple: Sequence[Node]) -> bool:
    """Whether two of them cut a line."""
    return any(is_one_line(pair) for pair in combinations(triple, 2))


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of pairs, means over triples, and what failed."""
    groups = by_label(points, "setting")
    shares = {setting: [mean_percent(group, way) for way in WAYS] for setting, group in groups.items()}
    dynamic = groups[SETTINGS[1]]
    free = [point for point in dynamic if not point.labels["is_in_line"]]
    return Findings(
        rows=[
            {"without a clean escape": setting, "triples": len(group)}
            | {f"{words} (%)": share for words, share in zip(WAYS.values(), shares[setting], strict=True)}
            | {
                "most of a triple, by a relay (%)": max(percent(point, "relayed") for point in group),
                "pairs not served": sum(abs(unserved(point)) for point in group),
                "deadlocks": sum(map(is_deadlocked, group)),
                "cycles (mean)": sum(point.summary["cycles"] for point in group) / len(group),
            }
            for setting, group in groups.items()
        ],
        numbers={
            "pairs_not_served": float(sum(abs(unserved(point)) for point in points)),
            "deadlocks": float(sum(map(is_deadlocked, points))),
            "most_without_hint_bits_percent": max(percent(point, "relayed") for point in dynamic),
            "most_without_hint_bits_no_cut_percent": max(percent(point, "relayed") for point in free),
        },
        figure=[
            Bars(
                labels=list(WAYS.values()),
                heights=list(shares.items()),
                y=Axis("% of live pairs (mean over triples)", lowest=0, highest=100),
            ),
            Bars(
                labels=list(WAYS.values())[2:],
                heights=[(setting, values[2:]) for setting, values in shares.items()],
                y=Axis("% of live pairs (mean over triples)", lowest=0),
                title="No way with a clean escape",
            ),
        ],
    )


def percent(point: FinishedPoint, way: str) -> float:
    """Of pairs that are served so."""
    return float(100 * point.summary[f"pairs_share_{way}"])


def mean_percent(points: Sequence[FinishedPoint], way: str) -> float:  # noqa: D103
    return sum(percent(point, way) for point in points) / len(points)


def unserved(point: FinishedPoint) -> int:
    """Pairs of live nodes whose packet did not arrive; below 0 if any came twice."""
    live = point.summary["nodes"] - point.summary["dead_nodes"]
    return int(live * (live - 1) - point.summary["packets_delivered"])


def is_deadlocked(point: FinishedPoint) -> bool:  # noqa: D103
    return bool(point.summary["outcome"] == "deadlocked")
