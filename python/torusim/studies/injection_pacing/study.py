"""Paced injection on an asymmetric torus: does it bring link utilization closer to the bound?"""

from collections.abc import Iterator, Sequence

from torusim.figures import Axis, Curve, Curves, Level
from torusim.points import FinishedPoint, Point
from torusim.study import Findings, Scale
from torusim.study.measures import columns

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
                x=Axis("window (packets per node)", is_logarithmic=True),
                y=Axis("links busy (% of time)", lowest=0, highest=105),
                curves=[Curve("paced", paced, [busy[window] for window in paced])],
                levels=[Level("bound: 66.7 %", 66.7), Level(f"not paced: {busy[UNPACED]:.1f} %", busy[UNPACED])],
            )
        ],
    )


def second_half(point: FinishedPoint) -> float:
    """Mean link utilization in the second half of the run."""
    values = columns(point, "series")["utilization"]
    return float(values[len(values) // 2 :].mean())
