"""Collectives by algorithms of tori: their share of the bound, and the cost of swinging."""

from collections.abc import Iterator, Mapping, Sequence
from math import log2, prod
from typing import Any

from torusim.common.formatting import lengths
from torusim.study import Findings, FinishedPoint, Point, Scale

BY_DIRECTION = {"fifo_choice": "by-direction"}
"""Each direction has an injection FIFO, so that no message waits for a message to another neighbor."""

PAYLOAD_RATE = 240 / 270
"""Bytes of data that a link carries in a cycle."""

PAIR_BYTES = 1_920
PAIR_WIRE_BYTES = 8 * 270

PACKET_BYTES = 240
"""Data of a pair on machines so large that more would take hours."""

REDUCTIONS: Mapping[str, tuple[str, Sequence[int]]] = {
    "bucket": ("bucket", (8, 8, 8)),
    "ring": ("ring", (8, 8, 8)),
    "swing, 3 dimensions": ("swing", (8, 8, 8)),
    "swing, 2 dimensions": ("swing", (8, 8)),
}

ONE_AXIS = "1 axis, full packets"
THREE_AXES = "3 axes, full packets"
AXES: Mapping[str, Sequence[int]] = {ONE_AXIS: (32,), THREE_AXES: (8, 8, 8)}
"""Shapes on which an all-gather is compared with an all-reduce, and on a ring with an all-to-all."""

LINE = "line, 2 colors"
PLANE = "plane, 4 colors"
TORUS = "torus, 6 colors"
PLANE_WITH_COSTS = "plane, 4 colors, October 2003"
LINE_BY_DEPOSIT = "line, 2 colors, deposit bit"
PLANE_BY_DEPOSIT = "plane, 4 colors, deposit bit"
PLANE_BY_DEPOSIT_WITH_COSTS = "plane, 4 colors, deposit bit, October 2003"
RED_BLUE = "red-blue on a mesh"

BROADCASTS: Mapping[str, tuple[str, Sequence[int], bool]] = {
    LINE: ("rectangle", (8,), True),
    PLANE: ("rectangle", (8, 8), True),
    TORUS: ("rectangle", (8, 8, 8), True),
    PLANE_WITH_COSTS: ("rectangle", (8, 8), True),
    LINE_BY_DEPOSIT: ("deposit", (8,), True),
    PLANE_BY_DEPOSIT: ("deposit", (8, 8), True),
    PLANE_BY_DEPOSIT_WITH_COSTS: ("deposit", (8, 8), True),
    RED_BLUE: ("red-blue", (8, 8), False),
}
"""(algorithm, shape, wrap) of each broadcast."""

DIRECT = "direct"
TWO_PHASE = "two-phase"
DIRECT_ON_MESH = "direct on a mesh"
LARGE = "two-phase, a packet a pair"


def points(scale: Scale) -> Iterator[Point]:
    """One run for each collective."""
    for name, (algorithm, shape) in REDUCTIONS.items():
        yield scale.point(
            {"operation": "all-reduce", "name": name},
            machine={"shape": list(shape), "node": BY_DIRECTION},
            workload={"operation": "all-reduce", "algorithm": algorithm, "bytes": scale["all_reduce_bytes"]},
        )
    for name, (algorithm, shape, wraps) in BROADCASTS.items():
        yield scale.point(
            {"operation": "broadcast", "name": name},
            machine={"shape": list(shape), "wrap": wraps, "node": BY_DIRECTION},
            workload={
                "operation": "broadcast",
                "algorithm": algorithm,
                "bytes": scale["broadcast_bytes"],
                "segment_bytes": scale["segment_bytes"],
            },
            messaging={"costs": "october-2003"} if "October 2003" in name else {},
        )
    for name, shape in AXES.items():
        yield of_axes(scale, "all-gather", name, shape)
        yield of_axes(scale, "all-reduce", name, shape)
    yield of_axes(scale, "all-to-all", ONE_AXIS, AXES[ONE_AXIS])
    for name in (DIRECT, TWO_PHASE, DIRECT_ON_MESH):
        yield all_to_all(scale, name, scale["all_to_all_shape"], PAIR_BYTES)
    if (large := scale.values.get("large_all_to_all_shape")) is not None:
        yield all_to_all(scale, LARGE, large, PACKET_BYTES)


def of_axes(scale: Scale, operation: str, name: str, shape: Sequence[int]) -> Point:
    """A collective of `gathered_bytes` of data: of all ranks together, if it is an all-to-all."""
    is_all_to_all = operation == "all-to-all"
    return scale.point(
        {"operation": operation, "name": name},
        machine={"shape": list(shape), "node": BY_DIRECTION},
        workload={
            "operation": operation,
            "algorithm": "direct" if is_all_to_all else "bucket",
            "bytes": scale["gathered_bytes"] // (prod(shape) if is_all_to_all else 1),
        },
    )


def all_to_all(scale: Scale, name: str, shape: Sequence[int], pair_bytes: int) -> Point:
    """An all-to-all with `pair_bytes` bytes for each pair of ranks."""
    return scale.point(
        {"operation": "all-to-all", "name": name},
        machine={"shape": shape, "wrap": name != DIRECT_ON_MESH, "node": BY_DIRECTION},
        workload={
            "operation": "all-to-all",
            "algorithm": name.replace(",", "").split()[0],
            "bytes": pair_bytes * prod(shape),
        },
        # For the mesh, only the bound is needed.
        run={"time_limit_cycles": 1_000} if name == DIRECT_ON_MESH else {},
    )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of the bounds, and differences from the formulas of rings and of Swing."""
    of = {(point.labels["operation"], point.labels["name"]): point.summary for point in points}
    reduced = {name: of["all-reduce", name] for name in REDUCTIONS}
    broadcast = {name: of["broadcast", name] for name in BROADCASTS}
    direct, two_phase, on_mesh = (of["all-to-all", name] for name in (DIRECT, TWO_PHASE, DIRECT_ON_MESH))
    large = of.get(("all-to-all", LARGE))
    cycles = {(operation, name): of[operation, name]["collective_cycles_max"] for operation, name in of if name in AXES}
    return Findings(
        rows=[
            {
                "operation": point.labels["operation"],
                "algorithm": point.labels["name"],
                "shape": point.summary["shape"],
                "cycles": point.summary["collective_cycles_max"],
                "bound (cycles)": point.summary["bound_cycles"],
                "% of bound": point.summary["percent_of_peak"],
                "algorithm (MB/s)": point.summary["algorithm_megabytes_per_second"],
                "bus (MB/s)": point.summary["bus_megabytes_per_second"],
                "steps": point.summary["steps"],
            }
            for point in points
        ],
        numbers={
            "bucket_percent": reduced["bucket"]["percent_of_peak"],
            "ring_off_percent": off_percent(reduced["ring"], links=2, congestion=1),
            "swing_3d_off_percent": off_percent(reduced["swing, 3 dimensions"], 6, swing_congestion(8, 3)),
            "swing_2d_off_percent": off_percent(reduced["swing, 2 dimensions"], 4, swing_congestion(8, 2)),
            "line_percent": broadcast[LINE]["percent_of_peak"],
            "plane_percent": broadcast[PLANE]["percent_of_peak"],
            "line_fill_percent": broadcast[LINE]["percent_of_peak"],
            "plane_fill_percent": broadcast[PLANE]["percent_of_peak"],
            "line_deposit_percent": broadcast[LINE_BY_DEPOSIT]["percent_of_peak"],
            "plane_deposit_percent": broadcast[PLANE_BY_DEPOSIT]["percent_of_peak"],
            "torus_percent": broadcast[TORUS]["percent_of_peak"],
            "red_blue_percent": broadcast[RED_BLUE]["percent_of_peak"],
            "two_phase_gain": direct["collective_cycles_max"] / two_phase["collective_cycles_max"],
            "two_phase_percent": two_phase["percent_of_peak"],
            **({} if large is None else {"two_phase_large_percent": large["percent_of_peak"]}),
            "all_gather_1_axis_off_percent": off_axes_percent(of["all-gather", ONE_AXIS], axes=1),
            "all_gather_3_axes_off_percent": off_axes_percent(of["all-gather", THREE_AXES], axes=3),
            "all_reduce_over_all_gather_1_axis": cycles["all-reduce", ONE_AXIS] / cycles["all-gather", ONE_AXIS],
            "all_reduce_over_all_gather_3_axes": cycles["all-reduce", THREE_AXES] / cycles["all-gather", THREE_AXES],
            "all_to_all_over_all_gather": cycles["all-to-all", ONE_AXIS] / cycles["all-gather", ONE_AXIS],
            "most_off_bound_cycles": abs(direct["bound_cycles"] - all_to_all_cycles(direct)),
            "utilization_at_bound": 100 * direct["link_utilization_mean"] / (direct["percent_of_peak"] / 100),
            "mesh_over_torus_bound": on_mesh["bound_cycles"] / direct["bound_cycles"],
        },
        figure=[],
    )


def off_percent(summary: Mapping[str, Any], links: int, congestion: float) -> float:
    """The percentage by which an all-reduce differs from its formula: 2 (N - 1) / N S over `links` links."""
    ranks = summary["nodes"]
    expected = congestion * 2 * (ranks - 1) / ranks * data_bytes(summary) / (links * PAYLOAD_RATE)
    return float(100 * abs(summary["collective_cycles_max"] / expected - 1))


def off_axes_percent(summary: Mapping[str, Any], axes: int) -> float:
    """The percentage by which an all-gather differs from V / (W x axes), with two links for each axis (row T27)."""
    expected = data_bytes(summary) / (2 * PAYLOAD_RATE * axes)
    return float(100 * abs(summary["collective_cycles_max"] / expected - 1))


def data_bytes(summary: Mapping[str, Any]) -> float:
    """The data of a collective, from its rate."""
    size = summary["algorithm_megabytes_per_second"] * summary["collective_cycles_max"]
    return float(size / (summary["cycles"] / summary["seconds_simulated"] / 1e6))


def swing_congestion(length: int, dimensions: int) -> float:
    """How much longer Swing keeps links busy than the least, in a finite torus (the sum behind row M15).

    In the steps of turn `s` round the dimensions, ranks exchange with one at distance (2^(s+1) + (-1)^s) / 3, over
    links that as many exchanges share; the first of them half of a part, each further one half of that.
    """
    turns = range(round(log2(length)))
    busy = sum((2 ** (turn + 1) + (-1) ** turn) / 3 * 2.0 ** (-turn * dimensions) for turn in turns)
    return float((1 - 2.0**-dimensions) * busy / (1 - float(length) ** -dimensions))


def all_to_all_cycles(summary: Mapping[str, Any]) -> float:
    """The least time of an all-to-all on a torus, m N L / 8 B, with m bytes on the wire for each pair (row M2)."""
    shape = lengths(summary["shape"])
    return PAIR_WIRE_BYTES * prod(shape) * max(shape) / 8
