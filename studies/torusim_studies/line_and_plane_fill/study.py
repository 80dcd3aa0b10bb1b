"""Line and plane fill with the deposit bit: share of the peak, and payload per second, over message length."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label

SOFTWARE = {"write_processor_cycles": 60, "read_processor_cycles": 196}
"""Cost of a packet for a core, as in Figure 11 and for the hot spots (fitted there, not here)."""

LINE = "line, 2 colors"
PLANE = "plane, 2 cores"
PLANE_WITH_SOFTWARE = "plane, 2 cores, 60 + 196"

FILLS: Mapping[str, tuple[Sequence[int], Mapping[str, Any], Mapping[str, Any]]] = {
    "line, 1 color": ((8, 8, 8), {"kind": "line-broadcast", "colors": 1}, {}),
    LINE: ((8, 8, 8), {"kind": "line-broadcast"}, {}),
    PLANE: ((8, 8, 1), {"kind": "plane-broadcast"}, {}),
    PLANE_WITH_SOFTWARE: ((8, 8, 1), {"kind": "plane-broadcast"}, SOFTWARE),
    "plane, 1 core, 60 + 196": ((8, 8, 1), {"kind": "plane-broadcast"}, SOFTWARE | {"cores": 1}),
}
"""(shape, workload, node) of each kind of fill. A color is a direction in which its part of the message leaves."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each kind of fill and message size."""
    for name, (shape, workload, node) in FILLS.items():
        for payload_bytes in scale["payload_bytes"]:
            yield scale.point(
                {"fill": name, "payload_bytes": payload_bytes},
                machine={"shape": list(shape), "node": node},
                workload={**workload, "payload_bytes": payload_bytes},
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of the links' peak, and the payload per second that reaches every node."""
    groups = by_label(points, "fill")
    share = {name: [point.summary["percent_of_peak"] for point in group] for name, group in groups.items()}
    rate = {name: [megabytes_per_second(point) for point in group] for name, group in groups.items()}
    sizes = sorted({point.labels["payload_bytes"] for point in points})
    x = Axis("message size (bytes)", is_logarithmic=True)
    return Findings(
        rows=[
            {
                "fill": point.labels["fill"],
                "message (bytes)": point.labels["payload_bytes"],
                "cycles": point.summary["cycles"],
                "% of peak": point.summary["percent_of_peak"],
                "payload (MB/s)": megabytes_per_second(point),
            }
            for point in points
        ],
        numbers={
            "line_percent": share[LINE][-1],
            "plane_percent": share[PLANE][-1],
            "plane_with_software_percent": share[PLANE_WITH_SOFTWARE][-1],
            "plane_megabytes_per_second": rate[PLANE_WITH_SOFTWARE][-1],
            "plane_rate_megabytes_per_second": rate[PLANE_WITH_SOFTWARE][-1],
        },
        figure=[
            Curves(
                x,
                Axis("throughput (% of peak)", lowest=0, highest=105),
                [Curve(name, sizes, values) for name, values in share.items()],
                [Level("measured, line: above 99 %", 99), Level("measured, plane: above 96 %", 96)],
            ),
            Curves(
                x,
                Axis("payload (MB/s)", lowest=0),
                [Curve(name, sizes, values) for name, values in rate.items()],
                [Level("paper, plane: 585 MB/s", 585)],
            ),
        ],
    )


def megabytes_per_second(point: FinishedPoint) -> float:
    """Payload, each byte counted once, divided by the time until the last node has received all of it."""
    return float(point.labels["payload_bytes"] / point.summary["seconds_simulated"] / 1e6)
