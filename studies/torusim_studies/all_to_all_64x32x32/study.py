"""Row L1: a direct all-to-all on 64x32x32 nodes, as far as it settles."""

from collections.abc import Iterator, Sequence

from torusim.pictures.figures import Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import utilization_over_time

MEASURED_PERCENT = 64
PEAK_UTILIZATION = 200 / 3
"""Mean link utilization in percent at the peak of a torus that is twice as long in one of three dimensions."""


def points(scale: Scale) -> Iterator[Point]:
    """One run from a cold start, measured over its last part."""
    yield scale.point(
        {},
        tables=["series"],
        machine={"shape": scale["shape"]},
        workload={"payload_bytes": scale["payload_bytes"]},
        run={"warmup_cycles": scale["warmup_cycles"], "measure_cycles": scale["measure_cycles"]},
    )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Percent of peak in the measured window, and utilization over time."""
    (run,) = points
    used = 100 * run.summary["link_utilization_mean"]
    return Findings(
        rows=[
            {
                "shape": run.summary["shape"],
                "cycles": run.summary["cycles"],
                "of these measured": run.summary["measured_cycles"],
                "links busy (%)": used,
                "% of peak": run.summary["percent_of_peak"],
                "steadiness": run.summary["steadiness"],
            }
        ],
        numbers={"percent_of_peak": run.summary["percent_of_peak"], "utilization_percent": used},
        figure=[
            utilization_over_time(
                run, [Level(f"measured: {MEASURED_PERCENT} % of peak", MEASURED_PERCENT * PEAK_UTILIZATION / 100)]
            )
        ],
    )
