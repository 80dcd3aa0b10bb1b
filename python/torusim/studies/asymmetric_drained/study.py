"""A whole all-to-all on an asymmetric torus."""

from collections.abc import Iterator, Sequence

from torusim.figures import Axis, Curve, Curves, Level
from torusim.points import FinishedPoint, Point
from torusim.study import Findings, Scale
from torusim.study.measures import by_dimension, columns

SMALL = "16x8x8"


def points(scale: Scale) -> Iterator[Point]:
    """The one run."""
    yield scale.point({}, tables=["series"], machine={"shape": scale["shape"]})


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Utilization over time, and its mean."""
    (run,) = points
    series = columns(run, "series")
    used = 100 * run.summary["link_utilization_mean"]
    return Findings(
        rows=[
            {
                "shape": run.summary["shape"],
                "cycles": run.summary["cycles"],
                "links busy (%)": used,
                "payload (%)": 100 * run.summary["payload_utilization"],
                "% of peak": run.summary["percent_of_peak"],
            }
        ],
        numbers={"small_utilization_percent" if run.summary["shape"] == SMALL else "utilization_percent": used},
        figure=[
            Curves(
                x=Axis("time (million cycles)", lowest=0),
                y=Axis("links busy (% of time)", lowest=0, highest=105),
                curves=[
                    Curve(name, series["end_cycle"] / 1e6, 100 * values, has_marks=False)
                    for name, values in by_dimension(series).items()
                ],
                levels=[Level("bound: 66.7 %", 66.7), Level("papers: 49 %", 49)],
            )
        ],
    )
