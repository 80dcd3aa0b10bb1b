"""Paced injection on an asymmetric torus: does it bring link utilization closer to the bound?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import binned, columns

UNPACED = "infinite"


def points(scale: Scale) -> Iterator[Point]:
    """One run for each window, and one without pacing."""
    for window in (UNPACED, *scale["windows_packets"]):
        yield scale.point(
            {"window": window},
            tables=["series"],
            machine={"shape": scale["shape"], "node": {"injection_window_packets": window}},
            run={"measure_cycles": scale["cycles"]},
        )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Link utilization with each window, and the gain of the best one."""
    busy = {point.labels["window"]: 100 * point.summary["link_utilization_mean"] for point in points}
    of_bound = {point.labels["window"]: point.summary["percent_of_peak"] for point in points}
    settled = {point.labels["window"]: 100 * second_half(point) for point in points}
    runs = {point.labels["window"]: point for point in points}
    paced = [window for window in busy if window != UNPACED]
    best = max(paced, key=lambda window: busy[window])
    return Findings(
        rows=[
            {
                "shape": point.summary["shape"],
                "window (packets per node)": str(point.labels["window"]),
                "links busy (%)": busy[point.labels["window"]],
                "in the second half (%)": settled[point.labels["window"]],
                "% of the bound": of_bound[point.labels["window"]],
                "latency, mean (cycles)": point.summary["latency_cycles_mean"],
            }
            for point in points
        ],
        numbers={
            "best_gain_points": of_bound[best] - of_bound[UNPACED],
            "best_percent_of_bound": of_bound[best],
        },
        figure=[
            Curves(
                x=Axis("time (thousand cycles)", lowest=0),
                y=Axis("link utilization (%)", lowest=0, highest=100),
                curves=[over_time(runs[window]) for window in (best, UNPACED)],
                levels=[Level("bound: 66.7 %", 66.7)],
            ),
            *([by_window(busy, paced)] if len(paced) > 1 else []),
        ],
    )


def by_window(busy: Mapping[Any, float], paced: Sequence[int]) -> Curves:
    """Mean utilization over the size of the window."""
    return Curves(
        x=Axis("window (packets per node)", is_logarithmic=True),
        y=Axis("link utilization (%)", lowest=0, highest=100),
        curves=[Curve("mean of the run, paced", paced, [busy[window] for window in paced])],
        levels=[Level("bound: 66.7 %", 66.7), Level("mean of the run, not paced", busy[UNPACED])],
    )


def over_time(point: FinishedPoint) -> Curve:
    """Utilization of all links over time."""
    window = point.labels["window"]
    name = "not paced" if window == UNPACED else f"paced, window of {window}"
    cycles, (utilization,) = binned(columns(point, "series"), ["utilization"])
    return Curve(name, cycles / 1000, 100 * utilization, has_marks=False)


def second_half(point: FinishedPoint) -> float:
    """Mean link utilization in the second half of the run."""
    values = columns(point, "series")["utilization"]
    return float(values[len(values) // 2 :].mean())
