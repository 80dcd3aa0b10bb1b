"""Figure 10: ping-pong with and without software overhead, compared with the time of the links alone."""

import math
from collections.abc import Iterator, Sequence

from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings, FinishedPoint, Point, Scale

HOPS = (1, 2, 3)
SOFTWARE = {"write_processor_cycles": 60, "read_processor_cycles": 204}

INJECTION_CYCLES, HOP_CYCLES, TRAILER_BYTES, FULL_WIRE_BYTES = 10, 12, 4, 270
"""Values of the preset bluegene-l, described in docs/models/network.md."""

CHUNK_BYTES, HEADER_BYTES, PAYLOAD_BYTES = 32, 16, 240
PROCESSOR_CYCLES = 4
"""Processor cycles per network cycle."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each distance and size, with and without software overhead."""
    for software, messaging in (("total", SOFTWARE), ("network", {})):
        for hops in HOPS:
            for payload in scale["payload_bytes"]:
                yield scale.point(
                    {"software": software, "hops": hops, "payload_bytes": payload},
                    messaging=messaging,
                    workload={"hops": hops, "payload_bytes": payload},
                )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Total time and network bound, in processor cycles."""
    runs = {tuple(point.labels.values()): point.summary for point in points}
    sizes = sorted({size for _, _, size in runs})
    total = {
        (hops, size): PROCESSOR_CYCLES * runs["total", hops, size]["one_way_cycles_mean"]
        for hops in HOPS
        for size in sizes
    }
    bound = {(hops, size): PROCESSOR_CYCLES * bound_cycles(hops, size) for hops in HOPS for size in sizes}
    off = [
        abs(runs["network", hops, size]["latency_cycles_mean"] - bound_cycles(hops, size))
        for hops in HOPS
        for size in sizes
        if size <= PAYLOAD_BYTES
    ]
    return Findings(
        rows=[
            {"payload (bytes)": size}
            | {f"total, {hops} hops": total[hops, size] for hops in HOPS}
            | {f"bound, {hops} hops": bound[hops, size] for hops in HOPS}
            for size in sizes
        ],
        numbers={
            "least_above_bound_processor_cycles": float(min(total[key] - bound[key] for key in total)),
            "most_off_formula_cycles": float(max(off)),
        },
        figure=[
            Curves(
                x=Axis("payload (bytes)", lowest=0),
                y=Axis("one-way latency (processor cycles)", lowest=0),
                curves=[
                    Curve(
                        f"{name}, {hops} hop{'' if hops == 1 else 's'}",
                        sizes,
                        [values[hops, size] for size in sizes],
                        is_beside=values is bound,
                    )
                    for hops in HOPS
                    for name, values in (("total", total), ("network bound", bound))
                ],
            )
        ],
    )


def bound_cycles(hops: int, payload_bytes: int) -> int:
    """Cycles until the last byte is received if only the network takes time."""
    packets = math.ceil(payload_bytes / PAYLOAD_BYTES)
    last = payload_bytes - (packets - 1) * PAYLOAD_BYTES + HEADER_BYTES
    last_bytes = CHUNK_BYTES * math.ceil(last / CHUNK_BYTES)
    before = (math.ceil(packets / hops) - 1) * FULL_WIRE_BYTES
    return INJECTION_CYCLES + before + hops * HOP_CYCLES + last_bytes + TRAILER_BYTES
