"""All-to-alls with three dead nodes: how each pair is served (hint bits or relay), and whether all pairs are."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from torusim.pictures.figures import Axis, Dots, Series
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label

SIDE = 8
DEAD = 3
SETTINGS = ("relay", "dynamic-only")
"""The service of pairs for which no hint bits give a clean escape path (docs/models/faults.md)."""

SERVICES = {
    "minimal": "minimal",
    "around": "around",
    "dynamic_only": "adaptive VCs only",
    "relayed": "by a relay",
}
"""The kinds of service of a pair: suffix of the key in the summary, and its label."""

Node = tuple[int, ...]


def points(scale: Scale) -> Iterator[Point]:
    """One run for each triple and setting."""
    for number, triple in enumerate(triples(scale["triples"])):
        for setting in SETTINGS:
            yield scale.point(
                {"triple": number, "is_in_line": has_two_on_a_line(triple), "setting": setting},
                machine={"dead_nodes": [list(node) for node in triple], "without_clean_escape": setting},
            )


def triples(count: int) -> list[list[Node]]:
    """Random triples of nodes that are not all on one line; the same for every setting."""
    draws = random.Random(17)
    nodes: list[Node] = list(product(range(SIDE), repeat=3))
    found: list[list[Node]] = []
    while len(found) < count:
        triple = draws.sample(nodes, DEAD)
        if not all(is_one_line(pair) for pair in combinations(triple, 2)):
            found.append(triple)
    return found


def is_one_line(pair: Sequence[Node]) -> bool:
    """Whether two nodes differ in exactly one coordinate. If all pairs of three nodes do, the three are on one line."""
    one, other = pair
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1


def has_two_on_a_line(triple: Sequence[Node]) -> bool:
    """Whether two of the nodes are on one line, which they cut."""
    return any(is_one_line(pair) for pair in combinations(triple, 2))


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of pairs (means over triples), and failures."""
    groups = by_label(points, "setting")
    shares = {setting: [mean_percent(group, way) for way in SERVICES] for setting, group in groups.items()}
    dynamic = groups[SETTINGS[1]]
    free = [point for point in dynamic if not point.labels["is_in_line"]]
    return Findings(
        rows=[
            {"without a clean escape": setting, "triples": len(group)}
            | {f"{words} (%)": share for words, share in zip(SERVICES.values(), shares[setting], strict=True)}
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
            Dots(
                labels=["minimal\nhint bits", "other\nhint bits", "adaptive\nVCs only", "by a\nrelay"],
                series=[Series(setting, values) for setting, values in shares.items()],
                y=Axis("pairs served this way (%)", is_logarithmic=True),
            ),
        ],
    )


def percent(point: FinishedPoint, way: str) -> float:
    """Percentage of pairs that are served this way."""
    return float(100 * point.summary[f"pairs_share_{way}"])


def mean_percent(points: Sequence[FinishedPoint], way: str) -> float:  # noqa: D103
    return sum(percent(point, way) for point in points) / len(points)


def unserved(point: FinishedPoint) -> int:
    """Number of pairs of live nodes whose packet did not arrive; negative if packets arrived twice."""
    live = point.summary["nodes"] - point.summary["dead_nodes"]
    return int(live * (live - 1) - point.summary["packets_delivered"])


def is_deadlocked(point: FinishedPoint) -> bool:  # noqa: D103
    return bool(point.summary["outcome"] == "deadlocked")
