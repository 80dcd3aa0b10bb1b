"""Slowdowns of applications on partitions of a room that are open in some dimension, predicted by the network model.

    room, profile --> its partitions from a midplane on, by shape and wrap
    application   --on each, as it is wired and as a torus, by several seeds--> Prediction: a factor with its interval
                                                                            --> a rule of `machine.slowdown_rules`

Each run is a point (`torusim.sweeps.points`): it is stored, and made once for each application, shape and wrap.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torusim._core import InputError
from torusim.common.formatting import number
from torusim.common.formatting import shape as partition_name
from torusim.common.intervals import Interval, interval
from torusim.queue.room import MachineRoom, Partition
from torusim.runs.scenario import ScenarioSource, overrides_of_sections, require_end, resolve
from torusim.runs.steadiness import seconds_of_whole
from torusim.sweeps.executors import Workers
from torusim.sweeps.points import FinishedPoint, Point, Report, network_point, run_all

SEEDS = 3
"""Runs of an application on a partition, which differ by their seed."""

HEADINGS = ("application", "partition", "nodes", "factor")
"""Headings of the printed table."""

Applications = Mapping[int | None, ScenarioSource]
"""A scenario for each application, by its number in the log; None for all others."""


@dataclass(frozen=True)
class Prediction:
    """The slowdown of an application on partitions of a shape.

    Attributes:
        application: The application's number in the log; None for all applications without a separate prediction.
        partition: The shape of the partition, "8x8x16m"; `m` after a length marks an open dimension.
        nodes: Nodes of the partition.
        factor: The time relative to the time on a torus of the same shape, over seeds.
    """

    application: int | None
    partition: str
    nodes: int
    factor: Interval

    @property
    def rule(self) -> dict[str, Any]:
        """The rule of `machine.slowdown_rules` that follows from the prediction."""
        numbered = {} if self.application is None else {"application": self.application}
        width = {} if self.factor.half_width is None else {"half_width": self.factor.half_width}
        return {**numbered, "shape": self.partition, "factor": self.factor.mean, **width}

    @property
    def cells(self) -> list[str]:
        """The prediction's row of the printed table, below `HEADINGS`."""
        width = "" if self.factor.half_width is None else f" ± {number(self.factor.half_width)}"
        name = "all others" if self.application is None else str(self.application)
        return [name, self.partition, f"{self.nodes:,}", f"{self.factor.mean:.4f}{width}"]


def predict(
    applications: Applications,
    room: str,
    profile: str | None,
    folder: Path | None,
    workers: Workers,
    report: Report,
    seeds: int = SEEDS,
) -> list[Prediction]:
    """Runs each application on each partition of a room that differs in shape or wrap, and on tori of these shapes.

    Args:
        applications: A scenario for each; its machine gets the shape and the wrap of a partition.
        room: A machine room: a name, or a TOML file.
        profile: The profile that defines the partitions; None for the room's default.
        folder: The folder of finished runs, old and new; None stores nothing.
        workers: The workers that make the runs in parallel.
        report: Called with the progress of all runs.
        seeds: The number of runs of each application on each partition.

    Raises:
        InputError: If there is no application, or a run cannot be made, states its time or does not complete.
    """
    if not applications:
        raise InputError("slowdown: predictions need the scenario of an application: 7=fft.toml, or fft.toml for all")
    meshes = open_partitions(MachineRoom.load(room), profile)
    points = [
        point
        for application, source in sorted(applications.items(), key=_numbered_first)
        for partition in meshes
        for point in _points(application, source, partition, seeds)
    ]
    finished = run_all(points, folder, workers, report)
    return [_prediction(finished[first : first + 2 * seeds]) for first in range(0, len(finished), 2 * seeds)]


def _numbered_first(item: tuple[int | None, ScenarioSource]) -> tuple[bool, int]:
    """The sort key of rules, as the first rule that matches applies."""
    return item[0] is None, item[0] or 0


def open_partitions(room: MachineRoom, profile: str | None) -> list[Partition]:
    """One partition for each shape and wrap that slow jobs down: at least a midplane, with an open dimension."""
    catalogue = room.catalogue(profile or room.default_profile or "")
    slow = (each for each in catalogue if each.wiring == "mesh" and each.node_cards is None)
    of_shape = {partition_name(each.shape, each.wrap): each for each in slow}
    return sorted(of_shape.values(), key=lambda each: (each.nodes, each.shape))


def _points(application: int | None, source: ScenarioSource, partition: Partition, seeds: int) -> Iterator[Point]:
    """The points of an application for each seed: on a torus, and on the partition."""
    labels = {
        "application": application,
        "partition": partition_name(partition.shape, partition.wrap),
        "nodes": partition.nodes,
    }
    for seed in range(1, seeds + 1):
        for wrap in ([True] * len(partition.shape), partition.wrap):
            machine = {"shape": partition.shape, "wrap": wrap}
            scenario = resolve(source, overrides_of_sections({"machine": machine, "run": {"seed": seed}}))
            require_end(scenario)
            yield network_point({**labels, "seed": seed, "wrap": wrap}, scenario)


def _prediction(points: Sequence[FinishedPoint]) -> Prediction:
    """The prediction for an application on a partition, from its points."""
    labels = points[0].labels
    tori, meshes = ([_seconds(point) for point in points[start::2]] for start in (0, 1))
    factors = [mesh / torus for torus, mesh in zip(tori, meshes, strict=True)]
    return Prediction(labels["application"], labels["partition"], labels["nodes"], interval(factors).of_draws)


def _seconds(point: FinishedPoint) -> float:
    """The time of a run.

    Raises:
        InputError: If it did not complete.
    """
    if point.summary["outcome"] != "completed":
        raise InputError(f"slowdown: on {point.labels['partition']} a run ended with {point.summary['outcome']}")
    return seconds_of_whole(point.summary)
