"""Stalls by the size of the system: global all-to-alls, in planes, neighbors in grids, and the collective network."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import ceil, prod
from typing import Any

import numpy as np

from torusim.api import run_program
from torusim.common.formatting import shape as partition_name
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.programs import Bytes, Comm, compute_dims
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim_studies.presets import depth, machine, tree_packet_cycles

PRESET, CORES, MODE, COSTS = "bluegene-p", 4, "virtual-node", "bluegene-p"

STALLS, PACKETS = "token_stalls", "packets_injected"
"""The counter of links that is compared, of events as the hardware counts them, and its divisor."""

LEAST_STALLS = 0.001
"""Stalls per packet below which links hardly ever wait; ratios take no less."""

TABLE_I: Mapping[tuple[int, int, int], tuple[int, int, int]] = {
    (8, 8, 8): (32, 8, 8),
    (8, 8, 16): (64, 8, 8),
    (8, 8, 32): (128, 8, 8),
    (8, 16, 32): (128, 16, 8),
    (8, 32, 32): (128, 32, 8),
}
"""Logical shape of each physical one (S58), the first dimension varying fastest."""

PAIR_BYTES = 65_536
PAIR_PACKETS = 274
"""Data between two processes, and their packets, each of 240 bytes of data (S6)."""

EXCEPTION = 8_192
"""Processes with which the paper's two-dimensional neighbors stall."""

GLOBAL, BY_MESSAGE, PLANES = "all-to-all", "all-to-all, message by message", "in planes"
GRID_2D, GRID_3D = "neighbors 2D", "neighbors 3D"
LAST_2D, LAST_3D = "neighbors 2D, last fastest", "neighbors 3D, last fastest"
POINT_TO_POINT, ALLTOALLV = "point to point", "alltoallv"
ON_TORUS = (GLOBAL, BY_MESSAGE, PLANES, GRID_2D, GRID_3D, LAST_2D, LAST_3D)
ALLGATHER, BROADCAST = "allgather", "broadcast"
ALLGATHER_STALLS, BROADCAST_STALLS = "allgather, stalls", "broadcast, stalls"

PANELS = {
    "64 KB, all-to-alls": (GLOBAL, BY_MESSAGE, PLANES),
    "neighbors, first dimension fastest": (GRID_2D, GRID_3D),
    "neighbors, last dimension fastest": (LAST_2D, LAST_3D),
}
"""Kinds of communication that are drawn together."""

TREE_MESSAGE_BYTES = 4_096
"""Data of each process on the collective network."""

CALL_PROCESSOR_CYCLES = 48
"""The least cost of a call."""

Stalls = Mapping[tuple[str, int], float]
"""Stalls per packet by kind of communication and number of processes."""


def points(scale: Scale) -> Iterator[Point]:
    """All kinds of communication on all shapes; programs on the smallest."""
    for shape in TABLE_I:
        for kind in (GLOBAL, BY_MESSAGE):
            yield sampled(scale, kind, shape, list(shape), [True, True, True])
        half = [*shape[:-1], shape[-1] // 2]
        yield sampled(scale, PLANES, shape, half, [True, True, False])
    for x, y, z in scale["neighbor_shapes"]:
        yield from all_neighbors(scale, (x, y, z))
    smallest = min(TABLE_I)
    for method in (POINT_TO_POINT, ALLTOALLV):
        arguments = {"shape": smallest, "grid": TABLE_I[smallest], "bytes": scale["neighbor_bytes"]}
        yield scale.call(labels(method, smallest), "with_neighbors", arguments | {"method": method})
    for shape in scale["allgather_shapes"]:
        for kind, roots in ((BROADCAST, 1), (ALLGATHER, CORES * prod(shape))):
            yield scale.call(labels(kind, shape), "broadcasts", {"shape": shape, "roots": roots})
        yield on_tree(scale, BROADCAST_STALLS, shape, "broadcast", TREE_MESSAGE_BYTES)
        yield on_tree(scale, ALLGATHER_STALLS, shape, "all-gather", TREE_MESSAGE_BYTES * CORES * prod(shape))


def all_neighbors(scale: Scale, shape: tuple[int, int, int]) -> Iterator[Point]:
    """Exchanges with neighbors in both grids, either dimension varying fastest."""
    plane, logical = compute_dims(CORES * prod(shape), 2), TABLE_I[shape]
    yield neighbors(scale, GRID_2D, shape, plane)
    if not is_square(plane):
        yield neighbors(scale, LAST_2D, shape, plane[::-1])
    yield neighbors(scale, GRID_3D, shape, logical)
    yield neighbors(scale, LAST_3D, shape, logical[::-1])


def is_square(grid: Sequence[int]) -> bool:
    """Whether a grid is the same whichever dimension varies fastest."""
    return min(grid) == max(grid)


def labels(kind: str, shape: Sequence[int]) -> dict[str, Any]:
    """The labels that distinguish a point."""
    return {"kind": kind, "processes": CORES * prod(shape), "shape": partition_name(shape)}


def sampled(scale: Scale, kind: str, shape: Sequence[int], simulated: Sequence[int], wrap: Sequence[bool]) -> Point:
    """A window of an all-to-all of all pairs of processes on the machine, or on a part that no route leaves."""
    return scale.point(
        labels(kind, shape),
        machine={"shape": list(simulated), "wrap": list(wrap)},
        workload={
            "payload_bytes": node_pair_bytes(kind),
            "packets_per_visit": PAIR_PACKETS if kind == BY_MESSAGE else 1,
        },
        run={
            "stop": "measured",
            "warmup_cycles": scale["settling_cycles"],
            "measure_cycles": scale["sampled_cycles"],
        },
    )


def node_pair_bytes(kind: str) -> int:
    """Data between two nodes: of all pairs of their processes, or of those of equal cores, in one plane each."""
    return PAIR_BYTES * (CORES if kind == PLANES else CORES**2)


def neighbors(scale: Scale, kind: str, shape: Sequence[int], grid: Sequence[int]) -> Point:
    """An exchange of all processes with their neighbors in a grid."""
    return scale.point(
        labels(kind, shape),
        machine={"shape": list(shape), "mode": MODE},
        workload={
            "kind": "kernel",
            "name": f"halo-{len(grid)}d",
            "grid": list(grid),
            "bytes": scale["neighbor_bytes"],
            "iterations": 1,
        },
        mapping={"order": "XYZT"},
        messaging={"costs": COSTS},
    )


def on_tree(scale: Scale, kind: str, shape: Sequence[int], operation: str, size: int) -> Point:
    """A collective that the collective network carries out."""
    workload = {"kind": "collective", "operation": operation, "algorithm": "tree-network", "bytes": size}
    machine = {"shape": list(shape), "mode": MODE}
    return scale.point(labels(kind, shape), machine=machine, workload=workload, messaging={"costs": COSTS})


def with_neighbors(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Stalls of an exchange with neighbors in a grid, by either method."""
    grid = arguments["grid"]
    program = {POINT_TO_POINT: exchange, ALLTOALLV: exchange_by_alltoallv}[arguments["method"]]
    result = run_program(
        partial(program, grid=grid, size=arguments["bytes"]),
        ranks=prod(grid),
        machine={"preset": PRESET, "shape": list(arguments["shape"]), "mode": MODE},
        messaging={"costs": COSTS},
    )
    return {"summary": {key: result.summary[key] for key in (STALLS, PACKETS)}, "tables": {}}


def neighbors_of(rank: int, grid: Sequence[int]) -> list[int]:
    """Ranks one step away in a periodic grid whose first dimension varies fastest."""
    found, stride = [], 1
    for length in grid:
        place = rank // stride % length
        found += [rank + ((place + step) % length - place) * stride for step in (-1, 1)]
        stride *= length
    return found


async def exchange(comm: Comm, grid: Sequence[int], size: int) -> None:
    """Each process sends to its neighbors and receives from them, without blocking."""
    others = neighbors_of(comm.rank, grid)
    requests = [await comm.irecv(source=other) for other in others]
    requests += [await comm.isend(Bytes(size), dest=other) for other in others]
    await comm.waitall(requests)


async def exchange_by_alltoallv(comm: Comm, grid: Sequence[int], size: int) -> None:
    """Exchanges with the neighbors by one collective, with no data for all other processes."""
    lengths = np.zeros(comm.size, dtype=int)
    for other in neighbors_of(comm.rank, grid):
        lengths[other] += size
    data = np.zeros(lengths.sum(), dtype=np.uint8)
    await comm.Alltoallv([data, lengths.tolist()], [np.empty_like(data), lengths.tolist()])


def broadcasts(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Time of broadcasts on the collective network, from `roots` processes in turn, in network cycles."""
    shape = arguments["shape"]
    result = run_program(
        partial(broadcast_in_turn, roots=arguments["roots"]),
        ranks=CORES * prod(shape),
        machine={"preset": PRESET, "shape": shape, "mode": MODE},
        messaging={
            "costs": "none",
            "call_processor_cycles": CALL_PROCESSOR_CYCLES,
            "world_collectives": "all-networks",
        },
    )
    cycles = max(result.returns) * result.summary["cycles"] / result.summary["seconds_simulated"]
    return {"summary": {"broadcasts_cycles": cycles, "nodes": prod(shape)}, "tables": {}}


async def broadcast_in_turn(comm: Comm, roots: int) -> float:
    """Starts a broadcast from each of the first processes at once; returns the time at which all have ended."""
    await comm.waitall([await comm.ibcast(Bytes(TREE_MESSAGE_BYTES), root=root) for root in range(roots)])
    return comm.time()


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Stalls per packet by communication and shape, and shares of waiting on the collective network."""
    on_torus = [point for point in points if point.labels["kind"] in ON_TORUS]
    stalls = {(p.labels["kind"], p.labels["processes"]): stalls_per_packet(p) for p in on_torus}
    for processes in systems(stalls, GRID_2D):
        if is_square(compute_dims(processes, 2)):
            stalls[LAST_2D, processes] = stalls[GRID_2D, processes]
    by_method = [stalls_per_packet(point) for point in points if point.labels["kind"] in (POINT_TO_POINT, ALLTOALLV)]
    waiting = waiting_percent(points)
    of_allgather, of_broadcast = (tree_stalls(points, kind) for kind in (ALLGATHER_STALLS, BROADCAST_STALLS))
    return Findings(
        rows=[row(stalls, processes) for processes in systems(stalls)],
        numbers={
            **growth(stalls, GLOBAL, "global"),
            **growth(stalls, BY_MESSAGE, "by_message"),
            "plane_over_global": max(
                apart(stalls[PLANES, processes], stalls[GLOBAL, processes]) for processes in systems(stalls)
            ),
            "exception_2d": exception(stalls, GRID_2D),
            "exception_2d_last_fastest": exception(stalls, LAST_2D),
            "grid_3d_over_2d": least_ratio(stalls, GRID_3D, GRID_2D),
            "grid_3d_over_2d_last_fastest": least_ratio(stalls, LAST_3D, LAST_2D),
            "alltoallv_over_point_to_point": apart(*by_method),
            "allgather_waiting_percent": min(waiting),
            "allgather_flat": max(waiting) / min(waiting),
            "broadcast_waiting_percent": broadcast_waiting_percent(points),
            "allgather_stalls": min(of_allgather),
            "broadcast_stalls": max(of_broadcast),
        },
        figure=[panel(stalls, title, kinds) for title, kinds in PANELS.items()],
    )


def systems(stalls: Stalls, kind: str = GLOBAL) -> list[int]:
    """Numbers of processes with which a kind of communication was run, the smallest first."""
    return sorted(processes for of, processes in stalls if of == kind)


def stalls_per_packet(point: FinishedPoint) -> float:
    """Stalls of all links divided by the packets that nodes have sent, and at least `LEAST_STALLS`."""
    return max(LEAST_STALLS, float(point.summary[STALLS] / point.summary[PACKETS]))


def growth(stalls: Stalls, kind: str, name: str) -> dict[str, float]:
    """The growth of the stalls per packet of a global all-to-all with the system."""
    per_packet = [stalls[kind, processes] for processes in systems(stalls)]
    return {
        f"{name}_first_over_highest": per_packet[0] / max(per_packet),
        f"{name}_growth_per_packet": per_packet[-1] / per_packet[-2],
    }


def apart(one: float, other: float) -> float:
    """The factor by which two numbers differ, at least 1."""
    return max(one, other) / min(one, other)


def exception(stalls: Stalls, kind: str) -> float:
    """Stalls with 8,192 processes divided by the highest of the other systems."""
    others = [stalls[kind, processes] for processes in systems(stalls, kind) if processes != EXCEPTION]
    return stalls[kind, EXCEPTION] / max(others)


def least_ratio(stalls: Stalls, kind: str, other: str) -> float:
    """The smallest ratio of the stalls of one kind to those of another over all systems."""
    return min(stalls[kind, processes] / stalls[other, processes] for processes in systems(stalls, kind))


def waiting_percent(points: Sequence[FinishedPoint]) -> list[float]:
    """Share of an allgather's time in which a process waits for the broadcasts of others, for each system."""
    pairs = zip(*(summaries(points, kind) for kind in (BROADCAST, ALLGATHER)), strict=True)
    return [100 * (1 - one["broadcasts_cycles"] / all_of_them["broadcasts_cycles"]) for one, all_of_them in pairs]


def summaries(points: Sequence[FinishedPoint], kind: str) -> list[Mapping[str, Any]]:
    """The summaries of a kind of communication, for each system."""
    return [point.summary for point in points if point.labels["kind"] == kind]


def tree_stalls(points: Sequence[FinishedPoint], kind: str) -> list[float]:
    """Packets that found the collective network busy, as a share of those sent, for each system."""
    return [float(of["tree_stalls"] / of["tree_packets_injected"]) for of in summaries(points, kind)]


def broadcast_waiting_percent(points: Sequence[FinishedPoint]) -> float:
    """The greatest share of a broadcast's time by which it differs from that of its hops, its packets and its call."""
    of_broadcasts = summaries(points, BROADCAST)
    return max(100 * abs(1 - unloaded_cycles(of["nodes"]) / float(of["broadcasts_cycles"])) for of in of_broadcasts)


def unloaded_cycles(nodes: int) -> float:
    """Cycles of a broadcast from the root of the tree (docs/models/tree-network.md), with its call."""
    tree = machine(PRESET)["tree"]
    call = CALL_PROCESSOR_CYCLES / machine(PRESET)["node"]["processor_cycles_per_cycle"]
    hops = depth(nodes, tree["arity"]) * tree["hop_latency_cycles"]
    packets = ceil(TREE_MESSAGE_BYTES / tree["payload_bytes"])
    return float(call + hops + packets * tree_packet_cycles(PRESET))


def row(stalls: Stalls, processes: int) -> dict[str, Any]:
    """A system as a row of the table."""
    return {
        "processes": processes,
        **{f"{kind} (stalls per packet)": stalls.get((kind, processes)) for kind in ON_TORUS},
    }


def panel(stalls: Stalls, title: str, kinds: Sequence[str]) -> Curves:
    """Stalls by the size of the system."""
    x = systems(stalls, kinds[0])
    return Curves(
        x=Axis("processes", is_logarithmic=True),
        y=Axis("stalls per packet", is_logarithmic=True),
        curves=[Curve(kind, x, [stalls[kind, processes] for processes in x]) for kind in kinds],
        title=title,
    )
