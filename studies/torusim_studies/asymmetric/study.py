"""An asymmetric torus: the theoretical bound, and the utilization in the first million cycles."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torusim
from torusim.pictures.figures import Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import utilization_over_time

LARGEST = [64, 32, 32]
FULL_PACKET_WIRE_BYTES = 270
PAYLOAD_BYTES = 240


def points(scale: Scale) -> Iterator[Point]:
    """The bound of the largest machine, and a run of the machine that the papers simulated."""
    yield scale.call({"what": "bound"}, "bound", {"shape": LARGEST})
    yield scale.point(
        {"what": "run"},
        tables=["series"],
        machine={"shape": scale["shape"]},
        run={"measure_cycles": scale["cycles"]},
    )


def bound(arguments: Mapping[str, Any], _report: object) -> dict[str, Any]:
    """The mean link utilization at which the links of the busiest dimension are never idle."""
    scenario = {"machine": {"shape": arguments["shape"]}, "workload": {"kind": "uniform-random"}}
    needs = torusim.check(scenario)
    carried = needs["bound"]["packets_per_cycle"] * needs["mean_hops"] * FULL_PACKET_WIRE_BYTES
    return {"summary": {"shape": needs["shape"], "link_utilization_mean": carried / needs["links"]}, "tables": {}}


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The bound and the run, compared."""
    limit, run = points
    bound_percent = 100 * limit.summary["link_utilization_mean"]
    payload_bound = bound_percent * PAYLOAD_BYTES / FULL_PACKET_WIRE_BYTES
    # The bound's utilization is the same for every torus that is twice as long in one dimension.
    used, payload = (100 * run.summary[key] for key in ("link_utilization_mean", "payload_utilization"))
    return Findings(
        rows=[
            {
                "shape": limit.summary["shape"],
                "what": "bound",
                "links busy (%)": bound_percent,
                "payload (%)": payload_bound,
                "% of the bound": 100.0,
            },
            {
                "shape": run.summary["shape"],
                "what": f"first {run.summary['cycles']:,} cycles",
                "links busy (%)": used,
                "payload (%)": payload,
                "% of the bound": 100 * used / bound_percent,
            },
        ],
        numbers={
            "bound_percent": bound_percent,
            "payload_bound_percent": payload_bound,
            "utilization_percent": used,
            "payload_percent": payload,
            "percent_of_bound": 100 * used / bound_percent,
            "percent_of_peak": run.summary["percent_of_peak"],
        },
        figure=[
            utilization_over_time(
                run, [Level("bound: 66.7 %", bound_percent), Level("papers: 49 %", 49)], unit="thousand cycles"
            )
        ],
    )
