"""Advice against running every mapping: how close it comes to the best order, and for which share of the work."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from textwrap import fill
from typing import Any

from torusim.pictures.figures import Axis, Dots, Series
from torusim.ranks.advice import Advice, Question, advise_scenario
from torusim.ranks.mapping import map_scenario
from torusim.runs.runner import Options, execute
from torusim.runs.scenario import overrides_of_sections, resolve
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale

SCENARIO = Path(__file__).parent / "scenario.toml"

WHOLE = Path(__file__).resolve().parent / "whole.py"
"""The file of the function that runs the points of all orders."""

ORDERS = ["".join(letters) for letters in permutations("XYZT")]
"""All permutations of the machine's dimensions and its cores."""

LABEL_COLUMNS = 5
"""Width of the names of ten kernels below the figure."""

BETWEEN = ", "
"""The separator between the orders that a point stands for."""

ADVISED = "advised"
"""The label of a point that asks for advice, instead of an order."""


def points(scale: Scale) -> Iterator[Point]:
    """The points of each kernel: under all orders, and as advised."""
    for name, parameters in scale["kernels"].items():
        sections = sections_of(scale, name, **parameters)
        for orders in orders_by_places(sections):
            placed = {**sections, "mapping": {**sections["mapping"], "order": orders[0]}}
            point = scale.point({"kernel": name, "mapping": BETWEEN.join(orders)}, **placed)
            yield replace(point, function=f"{WHOLE}:run")
        yield scale.call({"kernel": name, "mapping": ADVISED}, "advised", sections)


def orders_by_places(sections: Mapping[str, Any]) -> list[list[str]]:
    """All orders, in groups that place all ranks alike; a group is one run."""
    scenario = resolve(SCENARIO, overrides_of_sections(sections))
    found = map_scenario(scenario, None, lambda _words, _share: None)
    groups: dict[str, list[str]] = {}
    for order in ORDERS:
        groups.setdefault(found[order].text, []).append(order)
    return list(groups.values())


def sections_of(
    scale: Scale,
    name: str,
    ranks: int | None = None,
    **parameters: Any,  # noqa: ANN401 - of the kernel
) -> dict[str, Any]:
    """The sections of a kernel's scenario, without a mapping; on all cores, if no number of ranks is given."""
    return {
        "machine": {"shape": scale["shape"]},
        "workload": {"name": name, "iterations": scale["iterations"], **parameters},
        "mapping": {} if ranks is None else {"ranks": ranks},
    }


def advised(sections: Mapping[str, Any], _report: Report) -> Finished:
    """Asks for advice on a kernel, and again without packets to measure the processor time of predictions.

    The advised mapping then runs as a whole, which is no part of the advice.
    """
    prediction = Question(trials=0, runs=0)
    timed(sections, prediction)  # imports what it needs
    advice, seconds = timed(sections, Question())
    _, prediction_seconds = timed(sections, prediction)
    best = advice.best
    overrides = [*overrides_of_sections(sections), *overrides_of_sections(best.sections)]
    whole = execute(resolve(SCENARIO, overrides), Options(), lambda _progress: None)
    return {
        "summary": {
            "mapping": best.mapping,
            "seconds": whole.summary["seconds_simulated"],
            "predicted": sum(choice.predicted_seconds is not None for choice in advice.choices),
            "tried": sum(choice.trial_iterations > 0 for choice in advice.choices),
            "iterations": max(choice.trial_iterations for choice in advice.choices),
            "packet_hops": advice.packet_hops,
            "processor_seconds": seconds,
            "prediction_processor_seconds": prediction_seconds,
        },
        "tables": {},
    }


def timed(sections: Mapping[str, Any], question: Question) -> tuple[Advice, float]:
    """Advice, and the processor time that it took in seconds."""
    begin = time.process_time()
    advice = advise_scenario(SCENARIO, overrides_of_sections(sections), question, lambda _words, _share: None)
    return advice, time.process_time() - begin


@dataclass(frozen=True)
class Kernel:
    """The measurements of a kernel under all orders, and as advised.

    Attributes:
        name: The name of the kernel.
        runs: The runs, by the orders that place all ranks alike, which are one run.
        advice: The advice.
    """

    name: str
    runs: Mapping[str, Mapping[str, Any]]
    advice: Mapping[str, Any]

    @property
    def orders(self) -> dict[str, Mapping[str, Any]]:
        """The run of each order."""
        return {order: run for orders, run in self.runs.items() for order in orders.split(BETWEEN)}

    @property
    def times(self) -> dict[str, float]:
        """The simulated time of each order in seconds."""
        return {order: float(summary["seconds_simulated"]) for order, summary in self.orders.items()}

    @property
    def above_best(self) -> float:
        """The time with the advised mapping over that with the fastest order, less one, in percent."""
        return 100 * (float(self.advice["seconds"]) / min(self.times.values()) - 1)

    @property
    def spread(self) -> float:
        """The time with the slowest order over that with the fastest, less one, in percent."""
        return 100 * (max(self.times.values()) / min(self.times.values()) - 1)

    @property
    def share_of_packet_hops(self) -> float:
        """Packet-hops that the advice simulated over those of a run with each order."""
        return float(self.advice["packet_hops"]) / sum(int(each["packet_hops_total"]) for each in self.orders.values())

    @property
    def share_of_time(self) -> float:
        """Processor time of the advice over that of a run with each order."""
        return float(self.advice["processor_seconds"]) / self.processor_seconds

    @property
    def share_of_time_to_predict(self) -> float:
        """Processor time of the advice's predictions alone over that of a run with each order."""
        return float(self.advice["prediction_processor_seconds"]) / self.processor_seconds

    @property
    def share_of_time_of_different(self) -> float:
        """Processor time of the advice over that of a run with each order that places ranks differently."""
        different = sum(float(each["processor_seconds"]) for each in self.runs.values())
        return float(self.advice["processor_seconds"]) / different

    @property
    def processor_seconds(self) -> float:
        """Processor time of a run with each order."""
        return sum(float(each["processor_seconds"]) for each in self.orders.values())


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The distance of the advice from the best order, and its costs."""
    kernels = [kernel_of(points, name) for name in dict.fromkeys(point.labels["kernel"] for point in points)]
    off = [kernel.above_best for kernel in kernels]
    return Findings(
        rows=[row_of(kernel) for kernel in kernels],
        numbers={
            "kernels": len(kernels),
            "worst_above_best_percent": max(off),
            "worst_share_of_packet_hops_percent": 100 * max(kernel.share_of_packet_hops for kernel in kernels),
            "worst_share_of_time_percent": 100 * max(kernel.share_of_time for kernel in kernels),
            "share_of_time_percent": 100 * share_of_time_of_all(kernels),
        },
        figure=[
            Dots(
                labels=[fill(kernel.name.replace("-", " "), LABEL_COLUMNS) for kernel in kernels],
                series=[
                    Series("slowest order", [kernel.spread for kernel in kernels]),
                    Series("advised", off),
                ],
                y=Axis("above the fastest order (%)"),
                x="kernel",
            )
        ],
    )


def share_of_time_of_all(kernels: Sequence[Kernel]) -> float:
    """Processor time of all advice over that of all runs."""
    advice = sum(float(kernel.advice["processor_seconds"]) for kernel in kernels)
    return advice / sum(kernel.processor_seconds for kernel in kernels)


def kernel_of(points: Sequence[FinishedPoint], name: str) -> Kernel:
    """A kernel of the study."""
    found = {point.labels["mapping"]: point.summary for point in points if point.labels["kernel"] == name}
    advice = found.pop(ADVISED)
    return Kernel(name, found, advice)


def row_of(kernel: Kernel) -> dict[str, Any]:
    """A row of the table."""
    times = kernel.times
    return {
        "kernel": kernel.name,
        "fastest order": min(times, key=lambda order: times[order]),
        "advised": kernel.advice["mapping"],
        "advised, above the fastest (%)": kernel.above_best,
        "slowest order, above the fastest (%)": kernel.spread,
        "predicted": kernel.advice["predicted"],
        "tried": kernel.advice["tried"],
        "for iterations": kernel.advice["iterations"],
        "packet-hops of all runs (%)": 100 * kernel.share_of_packet_hops,
        "time of all runs (%)": 100 * kernel.share_of_time,
        "of all different runs (%)": 100 * kernel.share_of_time_of_different,
        "of which predictions (%)": 100 * kernel.share_of_time_to_predict,
    }
