"""Stalls of all-to-alls through the DMA engine, and of the same data as a pattern of packets."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from torusim.common.formatting import lengths
from torusim.common.formatting import shape as shape_name
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings, FinishedPoint, Point, Scale

POST_AND_WAIT, PATTERN = "post-and-wait", "pattern of packets"
"""Way in which the paper describes that messages are sent; way in which nothing holds packets back."""

Stalls = Mapping[tuple[str, int], float]
"""Stalls per packet by way of sending and number of nodes."""


def points(scale: Scale) -> Iterator[Point]:
    """Each algorithm and the pattern on each shape."""
    for shape in scale["shapes"]:
        is_sampled = shape == scale["sampled"]
        run = {"stop": "sampled" if is_sampled else "drained"}
        for algorithm in scale["algorithms"]:
            bytes_of_all = scale["pair_bytes"] * prod(shape)
            workload = {"kind": "collective", "operation": "all-to-all", "algorithm": algorithm, "bytes": bytes_of_all}
            yield scale.point(labels(algorithm, shape, run), machine={"shape": shape}, workload=workload, run=run)
        pattern = {"kind": "all-to-all", "payload_bytes": scale["pair_bytes"]}
        yield scale.point(labels(PATTERN, shape, run), machine={"shape": shape}, workload=pattern, run=run)


def labels(way: str, shape: Sequence[int], run: Mapping[str, str]) -> dict[str, Any]:
    """The labels that distinguish a point, and whether it is run whole."""
    return {"way": way, "shape": shape_name(shape), "stop": run["stop"]}


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Stalls per packet by the size of the torus."""
    stalls: Stalls = {(point.labels["way"], nodes(point)): stalls_per_packet(point) for point in points}
    ways = dict.fromkeys(way for way, _ in stalls)
    sizes = sorted({size for _, size in stalls})
    posted = [stalls[POST_AND_WAIT, size] for size in sizes]
    return Findings(
        rows=[row(point) for point in points],
        numbers={
            "first_over_highest": posted[0] / max(posted),
            "growth_per_packet": posted[-1] / posted[-2],
            "over_pattern": max(stalls[POST_AND_WAIT, size] / stalls[PATTERN, size] for size in sizes[1:]),
        },
        figure=[
            Curves(
                x=Axis("nodes", is_logarithmic=True),
                y=Axis("stalls per packet"),
                curves=[Curve(way, sizes, [stalls[way, size] for size in sizes]) for way in ways],
            )
        ],
    )


def nodes(point: FinishedPoint) -> int:
    """Nodes of the torus of a point."""
    return prod(lengths(point.labels["shape"]))


def stalls_per_packet(point: FinishedPoint) -> float:
    """Heads of buffers that found no tokens, each counted once, divided by the packets that nodes have sent."""
    return float(point.summary["token_stalls"] / point.summary["packets_injected"])


def row(point: FinishedPoint) -> dict[str, Any]:
    """A torus and a way of sending as a row of the table."""
    return {
        "shape": point.labels["shape"],
        "way": point.labels["way"],
        "run": "whole" if point.labels["stop"] == "drained" else "sampled",
        "stalls per packet": stalls_per_packet(point),
        "% of bound": point.summary["percent_of_peak"],
    }
