"""The gap in the receivers' arbitration: link utilization stays the same, buffers become fuller."""

from collections.abc import Iterator, Sequence

import numpy as np

from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label, columns

CLAIMED_SHARE = 0.25
"""A gap of one cycle in an arbitration of four, as the scenario's documentation assumes; others show trends."""

GAP_SHARES = (0.0, 0.125, CLAIMED_SHARE, 0.5, 1.0)


def points(scale: Scale) -> Iterator[Point]:
    """One run for each machine and share of cycles with a gap."""
    for shape in scale["shapes"]:
        for share in GAP_SHARES:
            yield scale.point(
                {"shape": "x".join(map(str, shape)), "gap_share": share},
                tables=["series"],
                machine={"shape": shape, "router": {"arbitration_gap_share": share}},
                workload={"payload_bytes": scale["payload_bytes"]},
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Link utilization and buffer occupancy with each gap, relative to those without a gap."""
    busy = [point.summary["link_utilization_mean"] for point in points]
    full = [fullness(point) for point in points]
    names = [(point.labels["shape"], point.labels["gap_share"]) for point in points]
    utilization, occupancy = dict(zip(names, busy, strict=True)), dict(zip(names, full, strict=True))
    shapes = list(by_label(points, "shape"))
    changes = {name: 100 * (value / utilization[name[0], 0.0] - 1) for name, value in utilization.items()}
    growth = {name: value / occupancy[name[0], 0.0] for name, value in occupancy.items()}
    return Findings(
        rows=[
            {
                "shape": shape,
                "share of cycles with a gap": share,
                "links busy (%)": 100 * utilization[shape, share],
                "change (%)": changes[shape, share],
                "credits in use (%)": 100 * occupancy[shape, share],
                "ratio to no gap": growth[shape, share],
            }
            for shape, share in names
        ],
        numbers={
            "utilization_change_percent": max(abs(changes[shape, CLAIMED_SHARE]) for shape in shapes),
            "times_as_full": min(growth[shape, CLAIMED_SHARE] for shape in shapes),
        },
        figure=[
            Curves(
                x=Axis("share of cycles with a gap", lowest=0, highest=1),
                y=Axis(label, lowest=0),
                curves=[Curve(shape, GAP_SHARES, [values[shape, share] for share in GAP_SHARES]) for shape in shapes],
                levels=[Level("no gap", 1)],
            )
            for label, values in (
                (
                    "link utilization\n(relative to no gap)",
                    {key: 1 + change / 100 for key, change in changes.items()},
                ),
                ("credits in use\n(relative to no gap)", growth),
            )
        ],
    )


def fullness(point: FinishedPoint) -> float:
    """Mean share of credits in use on the VCs of normal packets; the last tenth of the run, the drain, is omitted."""
    series = columns(point, "series")
    channels = [series[name] for name in ("occupancy_dynamic_0", "occupancy_dynamic_1", "occupancy_escape")]
    rows = max(1, len(channels[0]) * 9 // 10)
    return float(np.mean([channel[:rows].mean() for channel in channels]))
