"""A complete all-to-all on an asymmetric torus."""

from collections.abc import Iterator, Sequence

from torusim.pictures.figures import Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import utilization_over_time

SMALL = "16x8x8"

FIFOS = (6, 1)
"""Number of infinite injection FIFOs per node: Blue Gene/L's, and the minimum. The papers do not state theirs."""

BOUND_UTILIZATION = 2 / 3
"""Mean link utilization of the bound on a torus that is twice as long in one of three dimensions."""


def points(scale: Scale) -> Iterator[Point]:
    """One all-to-all for each number of FIFOs."""
    for fifos in FIFOS:
        node = {"normal_injection_fifos": fifos}
        yield scale.point({"fifos": fifos}, tables=["series"], machine={"shape": scale["shape"], "node": node})


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Link utilization over time, and its mean."""
    runs = {point.labels["fifos"]: point for point in points}
    used = {fifos: 100 * run.summary["link_utilization_mean"] for fifos, run in runs.items()}
    shape = points[0].summary["shape"]
    prefix = "small_" if shape == SMALL else ""
    return Findings(
        rows=[
            {
                "shape": shape,
                "FIFOs": fifos,
                "cycles": run.summary["cycles"],
                "links busy (%)": used[fifos],
                "payload (%)": 100 * run.summary["payload_utilization"],
                "% of peak": run.summary["percent_of_peak"],
            }
            for fifos, run in runs.items()
        ],
        numbers={
            f"{prefix}utilization_percent": used[FIFOS[0]],
            f"{prefix}one_fifo_utilization_percent": used[FIFOS[1]],
            f"{prefix}drained_percent_of_bound": used[FIFOS[0]] / BOUND_UTILIZATION,
            f"{prefix}one_fifo_percent_of_bound": used[FIFOS[1]] / BOUND_UTILIZATION,
        },
        figure=[panel(point) for point in points],
    )


def panel(point: FinishedPoint) -> Curves:
    """Link utilization over time, for one number of FIFOs."""
    fifos = point.labels["fifos"]
    levels = [Level("bound: 66.7 %", 66.7), Level("papers: 49 %", 49)]
    return utilization_over_time(point, levels, title=f"{fifos} injection {'FIFO' if fifos == 1 else 'FIFOs'} a node")
