"""Latency of a master with many workers, by the size of the system and of messages."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import log2, prod
from typing import Any

from torusim.api import run_program
from torusim.common.formatting import shape as partition_name
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.programs import Bytes, Comm, Status
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale

CORES = 4
MIDPLANE_NODES = 512

MASTER = 0

Latencies = Mapping[tuple[int, int], float]
"""Mean latency in µs by number of processes and size of message."""


def points(scale: Scale) -> Iterator[Point]:
    """A program for each shape and size of message."""
    for shape in scale["shapes"]:
        for size in scale["sizes"]:
            arguments = {"shape": shape, "bytes": size, "rounds": scale["rounds"]}
            yield scale.call({"shape": partition_name(shape), "bytes": size}, "latency", arguments)


def latency(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Mean of half a round trip over all workers, in µs."""
    shape = arguments["shape"]
    ranks = CORES * prod(shape)
    result = run_program(
        partial(answer_or_ask, size=arguments["bytes"], rounds=arguments["rounds"]),
        ranks=ranks,
        machine={
            "preset": "bluegene-p",
            "shape": shape,
            "wrap": prod(shape) >= MIDPLANE_NODES,
            "mode": "virtual-node",
        },
    )
    seconds = sum(result.returns[MASTER + 1 :]) / (ranks - 1) / arguments["rounds"] / 2
    return {"summary": {"processes": ranks, "latency_us": 1e6 * seconds}, "tables": {}}


async def answer_or_ask(comm: Comm, size: int, rounds: int) -> float:
    """The master answers requests in the order of arrival; returns the time that a worker needed for all its rounds."""
    if comm.rank == MASTER:
        status = Status()
        for _ in range(rounds * (comm.size - 1)):
            await comm.recv(status=status)
            await comm.send(Bytes(size), dest=status.source)
    else:
        for _ in range(rounds):
            await comm.sendrecv(Bytes(size), dest=MASTER, source=MASTER)
    return comm.time()


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Latencies, and how they grow from one size of the system to the next."""
    of = {(point.summary["processes"], point.labels["bytes"]): point.summary["latency_us"] for point in points}
    systems = list(dict.fromkeys(processes for processes, _ in of))
    sizes = list(dict.fromkeys(size for _, size in of))
    last = {size: slope(of, systems[-2], systems[-1], size) for size in sizes}
    before = {size: slope(of, systems[-3], systems[-2], size) for size in sizes}
    return Findings(
        rows=[
            {"processes": processes, **{f"{size:,} bytes (µs)": of[processes, size] for size in sizes}}
            for processes in systems
        ],
        numbers={
            "least_growth": min(
                of[2 * processes, size] / of[processes, size] for processes in systems[:-1] for size in sizes
            ),
            "slope": max(last.values(), key=lambda value: abs(value - 1)),
            "slope_growth": min(last[size] / before[size] for size in sizes),
        },
        figure=[
            Curves(
                x=Axis("processes", is_logarithmic=True),
                y=Axis("latency (µs)", is_logarithmic=True),
                curves=[
                    Curve(f"{size:,} bytes", systems, [of[processes, size] for processes in systems]) for size in sizes
                ],
            )
        ],
    )


def slope(of: Latencies, fewer: int, more: int, size: int) -> float:
    """Slope on log-log axes between two sizes of the system."""
    return log2(of[more, size] / of[fewer, size]) / log2(more / fewer)
