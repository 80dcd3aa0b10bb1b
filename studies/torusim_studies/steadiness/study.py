"""Verdicts on windows, compared with the throughput of windows four times as long."""

from collections.abc import Iterator, Sequence
from typing import Any

from torusim.common.formatting import shape as shape_name
from torusim.study import Findings, FinishedPoint, Point, Scale

TIMES = (1, 4)
"""Lengths of the windows of a shape and load, as multiples of the shorter."""

WARMUP_SHARE = 0.25
"""Warm-up, as a share of the window."""

SETTLED = ("steady", "saturated")
"""Verdicts that say of a window that a longer one shows the same."""

Pair = tuple[FinishedPoint, FinishedPoint]
"""The shorter and the longer window of a shape and load."""


def points(scale: Scale) -> Iterator[Point]:
    """A shorter and a longer window for each shape and load."""
    for shape in scale["shapes"]:
        for load in scale["loads"]:
            for times in TIMES:
                cycles = times * scale["cycles"]
                yield scale.point(
                    {"shape": shape_name(shape), "load": load, "cycles": cycles},
                    machine={"shape": shape},
                    workload={"load": load},
                    run={
                        "stop": "measured",
                        "warmup_cycles": int(WARMUP_SHARE * cycles),
                        "measure_cycles": int(cycles - WARMUP_SHARE * cycles),
                    },
                )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """How many windows are called settled, and how far these are off."""
    pairs = list(zip(points[::2], points[1::2], strict=True))
    settled = [pair for pair in pairs if pair[0].summary["steadiness"] in SETTLED]
    return Findings(
        rows=[row(pair) for pair in pairs],
        numbers={
            "most_off_points": max((off_points(pair) for pair in settled), default=0.0),
            "settled_percent": 100 * len(settled) / len(pairs),
            "settled_and_alike_percent": 100
            * sum(pair in settled for pair in pairs if off_points(pair) < 1)
            / max(1, sum(off_points(pair) < 1 for pair in pairs)),
        },
        figure=[],
    )


def off_points(pair: Pair) -> float:
    """Difference of the throughputs of both windows, in points of the peak, without sign."""
    shorter, longer = (float(point.summary["percent_of_peak"]) for point in pair)
    return abs(shorter - longer)


def row(pair: Pair) -> dict[str, Any]:
    """A shape and load as a row of the table."""
    shorter, longer = pair
    return {
        "shape": shorter.labels["shape"],
        "load": shorter.labels["load"],
        "cycles": shorter.labels["cycles"],
        "verdict": shorter.summary["steadiness"],
        "% of peak": shorter.summary["percent_of_peak"],
        "after four times as long": longer.summary["percent_of_peak"],
    }
