"""Collectives on partitions as tori and as meshes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import prod
from textwrap import wrap
from typing import Any

import numpy as np

from torusim.api import run_program
from torusim.common.formatting import shape as partition_name
from torusim.pictures.figures import Axis, Bars
from torusim.programs import Comm
from torusim.runs.steadiness import seconds_of_whole
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim_studies.partitions import OF_ROOM, OPEN, OPEN_IN_Z, TORUS, each_wiring

LARGE = "8x8x32"
"""The system of the claims."""

PAIR_BYTES = 65_536

ALL_TO_ALL, WHOLE, ALLGATHER = "all-to-all", "all-to-all, whole", "allgather"
ALLTOALLV, ALLGATHERV = "alltoallv", "allgatherv"
SCATTERV, SCATTERV_LONG = "scatterv", "scatterv, 64 KB"
FROM_MIDDLE = "scatterv, 64 KB, from the middle"
SCATTERV_SHORT = {f"scatterv, {size} bytes": size for size in (8, 32, 128)}
"""Scattervs whose time is that of software, and their bytes for each rank."""


def points(scale: Scale) -> Iterator[Point]:
    """All operations on tori and on meshes."""
    for of, machine in each_wiring(scale["shapes"]):
        workload = {"kind": "all-to-all", "payload_bytes": PAIR_BYTES}
        sampled = {"stop": "sampled"}
        yield scale.point({"operation": ALL_TO_ALL} | of, machine=machine, workload=workload, run=sampled)
    for wiring in (TORUS, OPEN):
        yield allgather(scale, wiring)
        yield whole_all_to_all(scale, wiring)
    shape = scale["program_shape"]
    for operation in PROGRAMS:
        for wiring, closed in ((TORUS, True), (OPEN, False)):
            size = SCATTERV_SHORT.get(operation, scale["program_bytes"] if operation in SHORT else PAIR_BYTES)
            arguments = {"operation": operation, "shape": shape, "wrap": closed, "bytes": size}
            yield scale.call(labels(operation, shape, wiring), "seconds_of_program", arguments)


def labels(operation: str, shape: Sequence[int], wiring: str) -> dict[str, str]:
    """The labels that distinguish a point."""
    return {"operation": operation, "shape": partition_name(shape), "wiring": wiring}


def allgather(scale: Scale, wiring: str) -> Point:
    """The whole allgather, by the ring that MPICH2 takes from 512 KB on."""
    shape = scale["allgather_shape"]
    return scale.point(
        labels(ALLGATHER, shape, wiring),
        machine={"shape": shape, "wrap": wiring == TORUS},
        workload={
            "operation": "all-gather",
            "algorithm": "ring",
            "bytes": scale["allgather_block_bytes"] * prod(shape),
        },
    )


def whole_all_to_all(scale: Scale, wiring: str) -> Point:
    """The whole all-to-all, on a smaller shape."""
    shape = scale["whole_shape"]
    return scale.point(
        labels(WHOLE, shape, wiring),
        machine={"shape": shape, "wrap": wiring == TORUS},
        workload={"kind": "all-to-all", "payload_bytes": PAIR_BYTES},
    )


def seconds_of_program(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Time of a collective with a length for each rank; here all lengths are equal."""
    shape, operation = arguments["shape"], arguments["operation"]
    result = run_program(
        partial(PROGRAMS[operation], size=arguments["bytes"], root=middle(shape) if operation == FROM_MIDDLE else 0),
        ranks=prod(shape),
        machine={"preset": "bluegene-p", "shape": shape, "wrap": arguments["wrap"]},
    )
    return {"summary": {"seconds": float(result.summary["seconds_simulated"])}, "tables": {}}


def middle(shape: Sequence[int]) -> int:
    """The rank on the node in the middle, x varying fastest."""
    return sum(length // 2 * prod(shape[:place]) for place, length in enumerate(shape))


async def alltoallv(comm: Comm, size: int, root: int) -> None:  # noqa: ARG001 - the programs have one form
    """Sends the same number of bytes from each rank to each."""
    data, lengths = np.zeros(size * comm.size, dtype=np.uint8), [size] * comm.size
    await comm.Alltoallv([data, lengths], [np.empty_like(data), lengths])


async def allgatherv(comm: Comm, size: int, root: int) -> None:  # noqa: ARG001
    """Sends the same number of bytes from each rank to all."""
    gathered = np.empty(size * comm.size, dtype=np.uint8)
    await comm.Allgatherv(np.zeros(size, dtype=np.uint8), [gathered, [size] * comm.size])


async def scatterv(comm: Comm, size: int, root: int) -> None:
    """Sends the same number of bytes from the root to each rank."""
    data = np.zeros(size * comm.size, dtype=np.uint8) if comm.rank == root else np.empty(0, dtype=np.uint8)
    parts = [data, [size] * comm.size] if comm.rank == root else None
    await comm.Scatterv(parts, np.empty(size, dtype=np.uint8), root=root)


PROGRAMS = {
    ALLTOALLV: alltoallv,
    ALLGATHERV: allgatherv,
    SCATTERV: scatterv,
    SCATTERV_LONG: scatterv,
    FROM_MIDDLE: scatterv,
} | dict.fromkeys(SCATTERV_SHORT, scatterv)
SHORT = (ALLTOALLV, ALLGATHERV, SCATTERV)
"""Programs, and those with short messages of the scale's length; those that name no length send 64 KB to each rank."""


PANELS = {
    "all-to-alls": (ALL_TO_ALL, WHOLE, ALLTOALLV),
    "others": (ALLGATHER, ALLGATHERV, SCATTERV, SCATTERV_LONG, FROM_MIDDLE),
}
"""Operations that are drawn together."""

LABEL_COLUMNS = 11
"""Columns of a label below a bar."""


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Times and slowdowns by operation, shape and wiring."""
    times = {key(point.labels): seconds(point) for point in points}
    half_widths = {key(point.labels): half_width_percent(point) for point in points}
    slowdowns = {of: 100 * (times[of] / times[*of[:2], TORUS] - 1) for of in times}
    of_smaller = {
        operation: slowdowns[operation, shape, wiring] for operation, shape, wiring in times if wiring == OPEN
    }
    return Findings(
        rows=[
            {
                "operation": operation,
                "shape": shape,
                "wiring": wiring,
                "time (ms)": 1e3 * times[operation, shape, wiring],
                "half of the interval of a sample (%)": half_widths[operation, shape, wiring],
                "slowdown (%)": slowdowns[operation, shape, wiring],
            }
            for operation, shape, wiring in times
        ],
        numbers={
            "allgather_percent": of_smaller[ALLGATHER],
            "allgatherv_percent": of_smaller[ALLGATHERV],
            "scatterv_percent": of_smaller[SCATTERV],
            "scatterv_short_percent": max(of_smaller[operation] for operation in SCATTERV_SHORT),
            "scatterv_long_percent": of_smaller[SCATTERV_LONG],
            "all_to_all_percent": slowdowns[ALL_TO_ALL, LARGE, OPEN],
            "all_to_all_whole_percent": of_smaller[WHOLE],
            "alltoallv_percent": of_smaller[ALLTOALLV],
            "all_to_all_room_percent": slowdowns[ALL_TO_ALL, OPEN_IN_Z, OF_ROOM],
            "largest_over_torus": 1 + max(slowdowns.values()) / 100,
        },
        figure=[bars(slowdowns, title, of) for title, of in PANELS.items()],
    )


def key(labels: Mapping[str, Any]) -> tuple[str, str, str]:
    """The key that distinguishes a time."""
    return labels["operation"], labels["shape"], labels["wiring"]


def seconds(point: FinishedPoint) -> float:
    """The time of the whole collective."""
    summary = point.summary
    if "seconds" in summary:
        return float(summary["seconds"])
    if point.labels["operation"] == ALL_TO_ALL:
        return seconds_of_whole(summary)
    cycles = summary["collective_cycles_max"] if point.labels["operation"] == ALLGATHER else summary["cycles"]
    return float(cycles * summary["seconds_simulated"] / summary["cycles"])


def half_width_percent(point: FinishedPoint) -> float | None:
    """Half of the 95 % interval of an extrapolated time, in percent of it; None for whole runs."""
    cycles = point.summary.get("extrapolated_cycles")
    return None if cycles is None else 100 * float(point.summary["extrapolated_cycles_half_width"] / cycles)


def bars(slowdowns: Mapping[tuple[str, str, str], float], title: str, operations: Sequence[str]) -> Bars:
    """Slowdowns of some operations on meshes."""
    chosen = {of: value for of, value in slowdowns.items() if of[0] in operations and of[2] != TORUS}
    return Bars(
        labels=[
            "\n".join(line for words in of for line in wrap(words, LABEL_COLUMNS, break_on_hyphens=False))
            for of in chosen
        ],
        heights=[("torusim", list(chosen.values()))],
        y=Axis("slowdown (%)"),
        title=title,
    )
