"""Latency between the farthest nodes of a partition, as a torus and as a mesh."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from torusim.common.formatting import lengths
from torusim.common.formatting import shape as partition_name
from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.partitions import OF_ROOM, OPEN, TORUS, different_wraps, wraps

IN_ORDER, ADAPTIVE = "eager-deterministic", "eager-adaptive"

OF_PAPER = "8x8x32"
"""The shape whose derivation agrees with the paper (M7)."""

KILOBYTE = 1_024

LEAST_BYTES = 1
"""An empty message takes the same packet as one of a byte, which ping-pongs have at least."""

FIXED_NS, HOP_NS = 2_500, 64
"""Row M7: time of a message without hops, and of a hop."""

Latencies = Mapping[tuple[str, str, str, int], float]
"""One-way times in ns by protocol, shape, wiring and size."""


def points(scale: Scale) -> Iterator[Point]:
    """A ping-pong for each shape, wiring and size; adaptive packets on the paper's shape alone."""
    for shape in scale["shapes"]:
        protocols = (IN_ORDER, ADAPTIVE) if partition_name(shape) == OF_PAPER else (IN_ORDER,)
        for protocol in protocols:
            for wiring, wrap in different_wraps(shape).items():
                for size in scale["sizes"]:
                    yield scale.point(
                        {"protocol": protocol, "shape": partition_name(shape), "wiring": wiring, "bytes": size},
                        machine={"shape": shape, "wrap": wrap},
                        workload={"hops": diameter(shape, wrap), "payload_bytes": max(LEAST_BYTES, size)},
                        messaging={"protocol": protocol},
                    )


def diameter(shape: Sequence[int], wrap: Sequence[bool]) -> int:
    """Hops between the farthest nodes."""
    return sum(length // 2 if closed else length - 1 for length, closed in zip(shape, wrap, strict=True))


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Slowdowns by shape, wiring and size, compared with those that follow from hops alone."""
    times = {key(point.labels): nanoseconds(point.summary) for point in points}
    sizes = list(dict.fromkeys(size for *_, size in times))
    shapes = list(dict.fromkeys(shape for _, shape, *_ in times))
    steps = [slowdown(times, OF_PAPER, OPEN, size) for size in sizes]
    differences = [difference(times, size) for size in sizes if size <= KILOBYTE]
    return Findings(
        rows=[row(times, shape, wiring, sizes) for shape in shapes for wiring in (OPEN, OF_ROOM)],
        numbers={
            "slowdown_0_percent": steps[0],
            "slowdown_1k_percent": slowdown(times, OF_PAPER, OPEN, KILOBYTE),
            "slowdown_1k_adaptive_percent": slowdown(times, OF_PAPER, OPEN, KILOBYTE, ADAPTIVE),
            "slowdown_0_room_percent": max(slowdown(times, shape, OF_ROOM, 0) for shape in shapes),
            "slowdown_1k_room_percent": max(slowdown(times, shape, OF_ROOM, KILOBYTE) for shape in shapes),
            "largest_rise_points": max(after - before for before, after in pairwise(steps)),
            "difference_spread": max(differences) / min(differences),
            "off_derivation_points": max(
                abs(slowdown(times, shape, wiring, 0) - derived(shape, wiring))
                for shape in shapes
                for wiring in (OPEN, OF_ROOM)
            ),
        },
        figure=[panel(times, wiring, shapes, sizes) for wiring in (OPEN, OF_ROOM)],
    )


def key(labels: Mapping[str, Any]) -> tuple[str, str, str, int]:
    """The key that distinguishes a latency."""
    return labels["protocol"], labels["shape"], labels["wiring"], labels["bytes"]


def nanoseconds(summary: Mapping[str, Any]) -> float:
    """Mean time of a message."""
    return 1e9 * float(summary["one_way_cycles_mean"] * summary["seconds_simulated"] / summary["cycles"])


def slowdown(times: Latencies, shape: str, wiring: str, size: int, protocol: str = IN_ORDER) -> float:
    """T_mesh / T_torus - 1 in percent; 0 for a mesh of the room that is a torus."""
    torus = times[protocol, shape, TORUS, size]
    return 100 * (times.get((protocol, shape, wiring, size), torus) / torus - 1)


def difference(times: Latencies, size: int) -> float:
    """T_mesh - T_torus on the paper's shape, in ns."""
    return times[IN_ORDER, OF_PAPER, OPEN, size] - times[IN_ORDER, OF_PAPER, TORUS, size]


def derived(shape: str, wiring: str) -> float:
    """The slowdown without data that follows from hops (M7), in percent."""
    nodes_along = lengths(shape)
    mesh, torus = (FIXED_NS + HOP_NS * diameter(nodes_along, wraps(nodes_along)[name]) for name in (wiring, TORUS))
    return 100 * (mesh / torus - 1)


def row(times: Latencies, shape: str, wiring: str, sizes: Sequence[int]) -> dict[str, Any]:
    """A shape and wiring as a row of the table."""
    return {
        "shape": shape,
        "wiring": wiring,
        "torus, 0 bytes (µs)": times[IN_ORDER, shape, TORUS, 0] / 1_000,
        **{f"slowdown, {size:,} bytes (%)": slowdown(times, shape, wiring, size) for size in sizes},
        "0 bytes, from hops alone (%)": derived(shape, wiring),
    }


def panel(times: Latencies, wiring: str, shapes: Sequence[str], sizes: Sequence[int]) -> Curves:
    """Slowdown by size of message, a curve for each shape."""
    return Curves(
        x=Axis("size of the message (bytes; 0 drawn at 16)", is_logarithmic=True),
        y=Axis("slowdown (%)", lowest=0),
        curves=[
            Curve(shape, [max(16, size) for size in sizes], [slowdown(times, shape, wiring, size) for size in sizes])
            for shape in shapes
        ],
        levels=[Level("paper, 0 bytes: around 35 %", 35), Level("paper, 1 KB: about 20 %", 20)],
        title=wiring,
    )
