"""Latency between the farthest nodes of a partition, as a torus and as a mesh."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from torusim.api import run_program
from torusim.common.formatting import lengths
from torusim.common.formatting import shape as partition_name
from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.programs import Bytes, Comm
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim_studies.partitions import OF_ROOM, OPEN, TORUS, different_wraps, wraps

PROTOCOLS = IN_ORDER, ADAPTIVE = "eager-deterministic", "eager-adaptive"

OF_PAPER = "8x8x32"
"""The shape whose derivation agrees with the paper (M7)."""

DRAWN_BY_PAIR, BY_REGISTERS = "per-pair", "registers"
NO_TIES = "no ties"
VARIANTS = {DRAWN_BY_PAIR: "per_pair", BY_REGISTERS: "registers", NO_TIES: "no_ties"}
"""Rules for half-way targets other than the default, and a pair without ties, as the numbers call them."""

NEAR_NODE, FAR_NODE = (3, 3, 15), (7, 7, 31)
"""On the paper's shape, the farthest node of the torus that is half-way round no ring, and that of the mesh."""

KILOBYTE = 1_024

LEAST_BYTES = 1
"""An empty message takes the same packet as one of a byte, which ping-pongs have at least."""

FIXED_NS, HOP_NS = 2_500, 64
"""Row M7: time of a message without hops, and of a hop."""

REPETITIONS = 4
"""Messages each way of a program, as in the ping-pongs of the scenario."""

Latencies = Mapping[tuple[str, str, str, int], float]
"""One-way times in ns by protocol, shape, wiring and size."""


def points(scale: Scale) -> Iterator[Point]:
    """A ping-pong for each shape, wiring and size; adaptive packets, rules and pairs on the paper's shape alone."""
    yield from by_shape(scale)
    yield from by_rule(scale)
    yield from without_ties(scale)


def by_shape(scale: Scale) -> Iterator[Point]:
    """Ping-pongs with the default rule for half-way targets."""
    for shape in scale["shapes"]:
        protocols = PROTOCOLS if partition_name(shape) == OF_PAPER else (IN_ORDER,)
        for protocol in protocols:
            for wiring, wrap in different_wraps(shape).items():
                for size in scale["sizes"]:
                    yield scale.point(
                        {"protocol": protocol, "shape": partition_name(shape), "wiring": wiring, "bytes": size},
                        machine={"shape": shape, "wrap": wrap},
                        workload={"hops": diameter(shape, wrap), "payload_bytes": max(LEAST_BYTES, size)},
                        messaging={"protocol": protocol},
                    )


def by_rule(scale: Scale) -> Iterator[Point]:
    """Ping-pongs on the torus of the paper's shape with the other rules; a mesh has no half-way targets."""
    shape = lengths(OF_PAPER)
    hops = diameter(shape, wraps(shape)[TORUS])
    for rule in (DRAWN_BY_PAIR, BY_REGISTERS):
        for protocol in PROTOCOLS:
            for size in scale["sizes"]:
                yield scale.point(
                    {"protocol": protocol, "shape": OF_PAPER, "wiring": f"{TORUS}, {rule}", "bytes": size},
                    machine={"shape": shape, "half_way_routes": rule},
                    workload={"hops": hops, "payload_bytes": max(LEAST_BYTES, size)},
                    messaging={"protocol": protocol},
                )


def without_ties(scale: Scale) -> Iterator[Point]:
    """Programs of two ranks, which can be placed on any pair of nodes."""
    for wiring, node in ((TORUS, NEAR_NODE), (OPEN, FAR_NODE)):
        for protocol in PROTOCOLS:
            for size in scale["sizes"]:
                of = {"protocol": protocol, "shape": OF_PAPER, "wiring": f"{wiring}, {NO_TIES}", "bytes": size}
                arguments = {"protocol": protocol, "wrap": wiring == TORUS, "node": node, "bytes": size}
                yield scale.call(of, "nanoseconds_between", arguments)


def nanoseconds_between(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Mean time of a message between node 0 and another."""
    node, size = list(arguments["node"]), max(LEAST_BYTES, arguments["bytes"])
    result = run_program(
        partial(back_and_forth, size=size),
        ranks=2,
        machine={"preset": "bluegene-p", "shape": lengths(OF_PAPER), "wrap": arguments["wrap"]},
        mapping={"places": [[0] * len(node) + [0], [*node, 0]]},
        messaging={"costs": "bluegene-p", "protocol": arguments["protocol"]},
    )
    return {"summary": {"one_way_ns": 1e9 * result.returns[0] / (2 * REPETITIONS)}, "tables": {}}


async def back_and_forth(comm: Comm, size: int) -> float:
    """Seconds that the messages take."""
    begin = comm.time()
    for _ in range(REPETITIONS):
        if comm.rank == 0:
            await comm.send(Bytes(size), dest=1)
            await comm.recv(source=1)
        else:
            await comm.recv(source=0)
            await comm.send(Bytes(size), dest=0)
    return comm.time() - begin


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
        rows=[
            *(row(times, shape, wiring, sizes) for shape in shapes for wiring in (OPEN, OF_ROOM)),
            *(row_of_variant(times, variant, protocol, sizes) for variant in VARIANTS for protocol in PROTOCOLS),
        ],
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
        }
        | {
            f"{number}_{name}": value
            for variant, name in VARIANTS.items()
            for number, value in numbers_of_variant(times, variant, sizes).items()
        },
        figure=[panel(times, wiring, shapes, sizes) for wiring in (OPEN, OF_ROOM)],
    )


def key(labels: Mapping[str, Any]) -> tuple[str, str, str, int]:
    """The key that distinguishes a latency."""
    return labels["protocol"], labels["shape"], labels["wiring"], labels["bytes"]


def nanoseconds(summary: Mapping[str, Any]) -> float:
    """Mean time of a message."""
    if "one_way_ns" in summary:
        return float(summary["one_way_ns"])
    return 1e9 * float(summary["one_way_cycles_mean"] * summary["seconds_simulated"] / summary["cycles"])


def slowdown(times: Latencies, shape: str, wiring: str, size: int, protocol: str = IN_ORDER) -> float:
    """T_mesh / T_torus - 1 in percent; 0 for a mesh of the room that is a torus."""
    torus = times[protocol, shape, TORUS, size]
    return 100 * (times.get((protocol, shape, wiring, size), torus) / torus - 1)


def difference(times: Latencies, size: int) -> float:
    """T_mesh - T_torus on the paper's shape, in ns."""
    return times[IN_ORDER, OF_PAPER, OPEN, size] - times[IN_ORDER, OF_PAPER, TORUS, size]


def slowdown_of_variant(times: Latencies, variant: str, size: int, protocol: str = IN_ORDER) -> float:
    """T_mesh / T_torus - 1 on the paper's shape in percent, under a rule or of a pair without ties."""
    mesh, torus = times_of_variant(times, variant, size, protocol)
    return 100 * (mesh / torus - 1)


def times_of_variant(times: Latencies, variant: str, size: int, protocol: str) -> tuple[float, float]:
    """The times on the mesh, where rules change nothing, and on the torus."""
    mesh = f"{OPEN}, {NO_TIES}" if variant == NO_TIES else OPEN
    return times[protocol, OF_PAPER, mesh, size], times[protocol, OF_PAPER, f"{TORUS}, {variant}", size]


def numbers_of_variant(times: Latencies, variant: str, sizes: Sequence[int]) -> dict[str, float]:
    """The numbers of the claims about the paper's shape."""
    steps = [slowdown_of_variant(times, variant, size) for size in sizes]
    short = [times_of_variant(times, variant, size, IN_ORDER) for size in sizes if size <= KILOBYTE]
    differences = [mesh - torus for mesh, torus in short]
    return {
        "slowdown_0": steps[0],
        "slowdown_1k": slowdown_of_variant(times, variant, KILOBYTE),
        "slowdown_1k_adaptive": slowdown_of_variant(times, variant, KILOBYTE, ADAPTIVE),
        "largest_rise": max(after - before for before, after in pairwise(steps)),
        "difference_spread": max(differences) / min(differences),
    }


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


def row_of_variant(times: Latencies, variant: str, protocol: str, sizes: Sequence[int]) -> dict[str, Any]:
    """A rule for half-way targets, or the pair without ties, as a row of the table."""
    return {
        "shape": OF_PAPER,
        "wiring": f"{OPEN}, {variant}" + (", adaptive" if protocol == ADAPTIVE else ""),
        "torus, 0 bytes (µs)": times_of_variant(times, variant, 0, protocol)[1] / 1_000,
        **{f"slowdown, {size:,} bytes (%)": slowdown_of_variant(times, variant, size, protocol) for size in sizes},
        "0 bytes, from hops alone (%)": None,
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
