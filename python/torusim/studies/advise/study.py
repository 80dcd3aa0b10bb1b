"""Advice against running every mapping: how close it comes to the best order, and in which share of the time."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.advice import Question, advise_scenario
from torusim.figures import Axis, Dots, Series
from torusim.formatting import share
from torusim.points import FinishedPoint, Point
from torusim.runner import Options, execute
from torusim.scenario import overrides_of_sections, resolve
from torusim.study import Findings, Scale
from torusim.worker import Finished, Report

RUNS = 1
"""How many of those that it has tried the advice runs as a whole."""


def points(scale: Scale) -> Iterator[Point]:
    """Each kernel, under all orders and as advised."""
    for name, parameters in scale["kernels"].items():
        workload = {"kind": "kernel", "name": name, "iterations": scale["iterations"], **parameters}
        machine = {"preset": "bluegene-l", "mode": "virtual-node", "shape": scale["shape"]}
        yield scale.call({"kernel": name}, "compare", {"machine": machine, "workload": workload})


def compare(arguments: Mapping[str, Any], report: Report) -> Finished:
    """Runs a kernel under every order, and asks for advice."""
    begin = time.perf_counter()
    advice = advise_scenario(arguments, [], Question(runs=RUNS), lambda _words, _share: None)
    advised_in = time.perf_counter() - begin
    orders = [choice.mapping for choice in advice.choices if choice.mapping not in ("present", "fold")]
    begin = time.perf_counter()
    times = {}
    for number, order in enumerate(orders):
        report(number / len(orders))
        times[order] = time_of(arguments, {"mapping": {"order": order}})
    run_in = time.perf_counter() - begin
    best = min(times, key=lambda order: times[order])
    return {
        "summary": {
            "orders": len(orders),
            "best_order": best,
            "best_seconds": times[best],
            "worst_seconds": max(times.values()),
            "advised": advice.best.mapping,
            "advised_seconds": advice.best.seconds,
            "is_predicted": advice.best.predicted_seconds is not None,
            "share_of_time": advised_in / run_in,
        },
        "tables": {},
    }


def time_of(scenario: Mapping[str, Any], sections: Mapping[str, Any]) -> float:
    """The simulated time in seconds of a run in packets."""
    result = execute(resolve(scenario, overrides_of_sections(sections)), Options(), lambda _progress: None)
    return float(result.summary["seconds_simulated"])


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """How far the advice is from the best order, and what it took."""
    rows = [row_of(point) for point in points]
    off = [row[ABOVE_BEST] for row in rows]
    shares = [point.summary["share_of_time"] for point in points]
    return Findings(
        rows=rows,
        numbers={
            "kernels": len(rows),
            "worst_above_best_percent": max(off),
            "worst_share_of_time_percent": 100 * max(shares),
            "mean_share_of_time_percent": 100 * sum(shares) / len(shares),
        },
        figure=[
            Dots(
                labels=[row["kernel"] for row in rows],
                series=[
                    Series("slowest order", [row[SPREAD] for row in rows]),
                    Series("advised", off),
                ],
                y=Axis("time above that of the fastest order (%)"),
                x="kernel",
            )
        ],
    )


ABOVE_BEST = "advised, above the fastest (%)"
SPREAD = "slowest order, above the fastest (%)"


def row_of(point: FinishedPoint) -> dict[str, Any]:
    """A row of the table."""
    found = point.summary
    best = found["best_seconds"]
    return {
        "kernel": point.labels["kernel"],
        "orders": found["orders"],
        "fastest order": found["best_order"],
        "advised": found["advised"],
        ABOVE_BEST: 100 * (found["advised_seconds"] / best - 1),
        SPREAD: 100 * (found["worst_seconds"] / best - 1),
        "predicted": "yes" if found["is_predicted"] else "no",
        "share of the time of all runs": share(found["share_of_time"]),
    }
