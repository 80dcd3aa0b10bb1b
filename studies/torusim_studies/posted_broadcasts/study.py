"""Waits of processes with data for the collective network: broadcasts of all at once, and a single one."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from torusim.api import run_program
from torusim.common.formatting import shape as shape_name
from torusim.programs import Bytes, Comm
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale

PRESET, CORES, MODE = "bluegene-p", 4, "virtual-node"

AT_ONCE, SINGLE = "of all processes at once", "a single broadcast"


def points(scale: Scale) -> Iterator[Point]:
    """Broadcasts of all processes, and a single one, on each shape."""
    for shape in scale["shapes"]:
        for kind, roots in ((AT_ONCE, CORES * prod(shape)), (SINGLE, 1)):
            arguments = {"shape": shape, "roots": roots, "bytes": scale["bytes"]}
            labels = {"broadcasts": kind, "shape": shape_name(shape), "roots": roots}
            yield scale.call(labels, "waits_of_broadcasts", arguments)


def waits_of_broadcasts(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Counts waits and stalls of broadcasts from the first `roots` processes, all posted at once."""
    shape = arguments["shape"]
    result = run_program(
        partial(broadcast, roots=arguments["roots"], size=arguments["bytes"]),
        ranks=CORES * prod(shape),
        machine={"preset": PRESET, "shape": shape, "mode": MODE},
        messaging={"world_collectives": "all-networks"},
    )
    counted = {key: result.summary[key] for key in ("tree_waits", "tree_stalls", "tree_packets_injected")}
    return {"summary": counted | {"milliseconds": 1e3 * max(result.returns)}, "tables": {}}


async def broadcast(comm: Comm, roots: int, size: int) -> float:
    """Posts a broadcast from each of the first processes, and waits for all; returns the time of the end."""
    await comm.waitall([await comm.ibcast(Bytes(size), root=root) for root in range(roots)])
    return comm.time()


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of broadcasts whose process had to wait, by the size of the system."""
    shares = {
        kind: [waiting_percent(point) for point in points if point.labels["broadcasts"] == kind]
        for kind in (AT_ONCE, SINGLE)
    }
    return Findings(
        rows=[row(point) for point in points],
        numbers={
            "posted_waiting_percent": min(shares[AT_ONCE]),
            "posted_flat": max(shares[AT_ONCE]) / max(1.0, min(shares[AT_ONCE])),
            "single_waiting_percent": max(shares[SINGLE]),
        },
        figure=[],
    )


def waiting_percent(point: FinishedPoint) -> float:
    """Share of the broadcasts whose data waited as the network carried another's."""
    return float(100 * point.summary["tree_waits"] / point.labels["roots"])


def row(point: FinishedPoint) -> dict[str, Any]:
    """A shape and a kind of broadcasts as a row of the table."""
    return {
        "shape": point.labels["shape"],
        "broadcasts": point.labels["broadcasts"],
        "number": point.labels["roots"],
        "that waited (%)": waiting_percent(point),
        "stalls of packets": point.summary["tree_stalls"],
        "time (ms)": point.summary["milliseconds"],
    }
