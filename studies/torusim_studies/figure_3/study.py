"""Figure 3: VCs of three sizes under a hot region."""

from collections.abc import Iterator, Sequence

import numpy as np

from torusim.common.formatting import lengths
from torusim.runs.hot import coordinates_of
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import throughput, throughput_over_time

CHANNEL_BYTES = (512, 1024, 2048)


def points(scale: Scale) -> Iterator[Point]:
    """One run for each VC size, which also applies to the escape VC; the last quarter is measured."""
    for size in CHANNEL_BYTES:
        yield scale.point(
            {"channel_bytes": size},
            tables=["series", "links"],
            machine={
                "shape": scale["shape"],
                "router": {"dynamic_channel_bytes": size, "escape_channel_bytes": max(size, 512)},
            },
            run={"warmup_cycles": scale["cycles"] * 3 // 4, "measure_cycles": scale["cycles"] // 4},
        )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Throughput over time, and the start of its decline."""
    sizes = [point.labels["channel_bytes"] for point in points]
    flows = [throughput(point) for point in points]
    steady = np.array([flow.steady for flow in flows])
    declines = [flow.decline_start for flow in flows]
    entries = [entry_utilization(point) for point in points]
    return Findings(
        rows=[
            {
                "VC (bytes)": size,
                "highest (bytes/cycle/node)": flow.highest,
                "steady (bytes/cycle/node)": flow.steady,
                "declines from (cycles)": flow.decline_start,
                "entry links busy (%)": 100 * entry,
            }
            for size, flow, entry in zip(sizes, flows, entries, strict=True)
        ],
        numbers={
            **{f"entry_utilization_{size}_percent": 100 * entry for size, entry in zip(sizes, entries, strict=True)},
            "steady_spread_percent": 100 * float(np.ptp(steady) / steady.mean()),
            "steady_distance_percent": 100 * float(np.abs(steady / steady.mean() - 1).max()),
            "least_decline_percent": 100 * min(1 - flow.steady / flow.highest for flow in flows),
            "least_delay_cycles": float(np.diff(declines).min()),
        },
        figure=[throughput_over_time({f"VCs of {size} bytes": flow for size, flow in zip(sizes, flows, strict=True)})],
    )


def entry_utilization(point: FinishedPoint) -> float:
    """Mean utilization of the links that lead into the region from outside, in the measured window."""
    links = point.tables["links"]
    shape = lengths(point.summary["shape"])
    entering = [
        utilization
        for node, direction, utilization in zip(links["node"], links["direction"], links["utilization"], strict=True)
        if enters(node, direction, shape)
    ]
    return float(np.mean(entering))


def enters(node: int, direction: str, shape: Sequence[int]) -> bool:
    """Whether a node's outgoing link leads from outside the region into it."""
    here = coordinates_of(node, shape)
    there = list(here)
    dimension = "xyz".index(direction[0])
    there[dimension] = (here[dimension] + (1 if direction[1] == "+" else -1)) % shape[dimension]
    return not is_inside(here, shape) and is_inside(there, shape)


def is_inside(place: Sequence[int], shape: Sequence[int]) -> bool:
    """Whether the coordinates are in the region, the half of each dimension that begins at the origin."""
    return all(coordinate < (length + 1) // 2 for coordinate, length in zip(place, shape, strict=True))
