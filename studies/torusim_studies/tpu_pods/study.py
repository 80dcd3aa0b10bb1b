"""Slices and pods of TPUs: all-to-alls, bisection, all-reduce, and permutes with their start."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from torusim.study import Findings, FinishedPoint, Point, Scale

SLICES = ([4, 4, 4], [8, 4, 4])
ROUTERS = ("dimension-order", "one-adaptive", "two-adaptive")
POD = [16, 16, 16]

WITH_START = "all-to-all"
NETWORK = "all-to-all without start"

PERMUTES = {"v5p": [4, 4, 4], "v6e": [16, 16]}
"""Machines of permutes, each with its shape."""

SIZES = {"64 KB": 64_000, "1 MB": 1_000_000, "16 MB": 16_000_000}

PACKET_BYTES = 512
PAYLOAD_SHARE = (PACKET_BYTES - 16) / PACKET_BYTES
"""Data of a packet, without its header."""


def points(scale: Scale) -> Iterator[Point]:
    """The runs of each question."""
    for shape in SLICES:
        for router in ROUTERS:
            for question in (WITH_START, NETWORK):
                yield all_to_all(scale, question, shape, router)
    yield scale.point(
        {"question": "bisection", "machine": named(POD), "case": ""},
        machine={"shape": POD},
        workload={"kind": "shift", "offset": [POD[0] // 2, 0, 0], "packet_bytes": PACKET_BYTES},
        run={"warmup": "2 us", "measure": "4 us"},
    )
    yield scale.point(
        {"question": "all-reduce", "machine": named(POD), "case": ""},
        machine={"shape": POD},
        workload={
            "kind": "collective",
            "operation": "all-reduce",
            "algorithm": "bucket",
            "bytes": scale["all_reduce"],
        },
        run={"engine": "fluid"},
    )
    for machine, shape in PERMUTES.items():
        for size, size_bytes in SIZES.items():
            yield scale.point(
                {"question": "permute", "machine": machine, "case": size},
                machine={"preset": f"tpu-{machine}", "shape": shape},
                # A phase makes messages of ranks of the flows, which have a start.
                workload={"kind": "flows", "table": to_next_along_x(shape, size_bytes)},
            )


def all_to_all(scale: Scale, question: str, shape: Sequence[int], router: str) -> Point:
    """An all-to-all: of ranks, whose messages have a start, or of the network alone."""
    chips = prod(shape)
    pair = scale["all_to_all_bytes"] // (chips - 1)
    of_ranks = {"kind": "collective", "operation": "all-to-all", "algorithm": "direct", "bytes": pair * chips}
    return scale.point(
        {"question": question, "machine": named(shape), "case": router, "pair_bytes": pair},
        machine={"shape": shape, "assumed_router": router},
        workload=of_ranks if question == WITH_START else {"payload_bytes": pair},
    )


def to_next_along_x(shape: Sequence[int], size_bytes: int) -> dict[str, list[int]]:
    """A flow from each chip to the next along the first dimension, which varies fastest, as columns."""
    chips, length = prod(shape), shape[0]
    following = [chip - chip % length + (chip + 1) % length for chip in range(chips)]
    return {
        "source": list(range(chips)),
        "target": following,
        "bytes": [size_bytes] * chips,
        "phase": [0] * chips,
    }


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Rates in GB/s a chip, of pods as a whole, and times."""
    numbers: dict[str, float] = {}
    rows: list[dict[str, Any]] = []
    for point in points:
        question, machine, case = (point.labels[label] for label in ("question", "machine", "case"))
        number, unit = MEASURES[question](point)
        name = {
            WITH_START: f"all_to_all_{machine}_{case.replace('-', '_')}",
            NETWORK: f"network_all_to_all_{machine}_{case.replace('-', '_')}",
            "bisection": "bisection_terabytes_per_second",
            "all-reduce": "all_reduce_petabytes_per_second",
            "permute": f"permute_{machine}_{case.replace(' ', '_')}_us",
        }[question]
        numbers[name] = number
        rows.append({"question": question, "machine": machine, "case": case, "measured": number, "unit": unit})
    return Findings(rows=rows, numbers=numbers, figure=[])


def rate_of_all_to_all(point: FinishedPoint) -> tuple[float, str]:
    """Data that a chip receives in a second."""
    summary = point.summary
    sent = point.labels["pair_bytes"] * (summary["nodes"] - 1)
    return sent / summary["seconds_simulated"] / 1e9, "GB/s a chip"


def bisection(point: FinishedPoint) -> tuple[float, str]:
    """Data that crosses the middle and, as often, the wrap, in one direction, at the bound."""
    summary = point.summary
    accepted = summary["accepted_gigabytes_per_second"] / (summary["percent_of_peak"] / 100)
    return accepted * summary["nodes"] * PAYLOAD_SHARE / 1e3, "TB/s"


def all_reduce(point: FinishedPoint) -> tuple[float, str]:
    """Data that all chips send in a second, each 2 (N - 1) / N of its vector."""
    summary = point.summary
    bus = summary["bus_megabytes_per_second"] * 1e6
    return bus * summary["nodes"] / 1e15, "PB/s"


def permute(point: FinishedPoint) -> tuple[float, str]:
    """The time until the last chip has all data."""
    return point.summary["seconds_simulated"] * 1e6, "µs"


MEASURES = {
    WITH_START: rate_of_all_to_all,
    NETWORK: rate_of_all_to_all,
    "bisection": bisection,
    "all-reduce": all_reduce,
    "permute": permute,
}
"""The measure of each question."""


def named(shape: Sequence[int]) -> str:
    """A shape as text."""
    return "x".join(map(str, shape))
