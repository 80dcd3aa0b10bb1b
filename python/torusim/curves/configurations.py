"""The configurations of a curve: a scenario at every combination of the swept values, and the units of its loads."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torusim import _core
from torusim._core import InputError
from torusim.common.units import Units
from torusim.curves.search import LONGEST
from torusim.curves.steady_state import Run
from torusim.runs.scenario import Override, ScenarioSource, resolve
from torusim.sweeps.axes import Axes, combinations
from torusim.sweeps.points import FinishedPoint, Point, network_point

LOAD, SEED = "workload.load", "run.seed"

MEASURED: Override = ("run.stop", '"measured"', "a curve")
"""Runs of a curve end with their window, regardless of the scenario."""

TABLES = ("latency", "series")
"""Tables that are used of each run."""

FEWEST_PACKETS = 10_000
"""Packets delivered in the shortest window, so that a hundred are beyond the 99th percentile."""


RUNS_OF_CURVE = {True: 300, False: 800}
"""The time of a curve in times of its shortest run at the peak, by whether its longest runs settle. Measured with
uniform random traffic: 308 on 8x8, 795 on 4x4x8."""


@dataclass(frozen=True)
class Configuration:
    """A scenario whose load, seed and length of runs are still open.

    Attributes:
        labels: The values of the swept keys.
        content: The resolved scenario as plain data.
        nodes: Number of nodes.
        peak: The bound in packets per cycle, of all nodes.
        bytes_per_packet: Mean size of a packet in memory.
        measure_cycles: Measured cycles of a run that does not set them.
        settling_cycles: Cycles in which the rate at saturation is expected to settle.
        units: The units in which the curve is shown. They are not part of its runs.
    """

    labels: Mapping[str, Any]
    content: Mapping[str, Any]
    nodes: int
    peak: float
    bytes_per_packet: float
    measure_cycles: int
    settling_cycles: float
    units: Units = Units.CYCLES

    @property
    def expected_seconds(self) -> float | None:
        """The expected time of the curve on one core; None if that of a run is not known."""
        settles = self.settling_cycles <= LONGEST * self.measure_cycles
        seconds = self.point(1.0, self.first_seed, 1).seconds
        return None if seconds is None else seconds * RUNS_OF_CURVE[settles]

    @property
    def first_seed(self) -> int:
        """The seed of the first replication; the others follow it."""
        return int(self.content["run"]["seed"])

    def bytes_per_node(self, packets: float) -> float:
        """Bytes per node of a number of packets of all nodes."""
        return packets * self.bytes_per_packet / self.nodes

    def point(self, load: float, seed: int, length: int) -> Point:
        """The point that runs a load, `length` times as long as the shortest run.

        Raises:
            InputError: If it does not describe a run.
        """
        shortest = max(self.measure_cycles, round(FEWEST_PACKETS / (load * self.peak)))
        lengths = {"warmup_cycles": length * shortest // 2, "measure_cycles": length * shortest}
        run = {"seed": seed, "stop": "measured", **lengths}
        content = {**self.content, "workload": {**self.content["workload"], "load": load}, "run": run}
        return network_point({**self.labels, LOAD: load, SEED: seed}, _resolved(content), TABLES)


def configurations_of(source: ScenarioSource, overrides: list[Override], axes: Axes) -> list[Configuration]:
    """A checked configuration for each combination of the axes' values.

    Raises:
        InputError: If a combination does not describe a run whose offered load can be varied.
    """
    for key, values in axes.items():
        _refuse_own_keys(key, values[0][2])
    configurations: list[Configuration] = []
    for labels, changes in combinations(axes):
        if all(labels != known.labels for known in configurations):  # a value may be given twice
            configurations.append(_configuration(labels, resolve(source, [*overrides, *changes, MEASURED])))
    return configurations


def run_of(point: FinishedPoint) -> Run:
    """The used values of a finished run."""
    summary, series = point.summary, point.tables["series"]
    return Run(
        seed=point.labels[SEED],
        outcome=summary["outcome"],
        steadiness=summary["steadiness"],
        warmup_cycles=summary["cycles"] - summary["measured_cycles"],
        measured_cycles=summary["measured_cycles"],
        packets=summary["packets_delivered"],
        cycle_seconds=summary["seconds_simulated"] / summary["cycles"],
        latency_cycles_mean=summary["latency_cycles_mean"],
        latency_cycles_p50=_quantile(point.tables["latency"], 0.5),
        latency_cycles_p99=summary["latency_cycles_p99"],
        escape_share=summary["escape_share"] or 0.0,
        ends=series["end_cycle"],
        in_flight=series["packets_in_flight"],
    )


def _refuse_own_keys(key: str, origin: str) -> None:
    if key == LOAD:
        raise InputError(f"{origin}: a curve finds its loads itself; leave this key out")
    if key.split(".")[0] == "run":
        raise InputError(
            f"{origin}: a curve finds warm-up, length and seeds of its runs itself; leave this key out "
            "(--seed is the first seed, --seeds the number of them)"
        )


def _configuration(labels: Mapping[str, Any], scenario: _core.Scenario) -> Configuration:
    content = json.loads(scenario.to_json())
    place = "".join(f"{key} = {json.dumps(value)}: " for key, value in labels.items())
    _require_offered_load(content["workload"], place)
    units = Units.of(content["run"])
    run = {"seed": content["run"]["seed"], "stop": "measured"}
    content = {**content, "workload": {**content["workload"], "load": 1.0}, "run": run}
    plain = _resolved(content)
    estimate = json.loads(_core.check(plain))
    if estimate["bound"] is None:
        raise InputError(
            f"{place}machine: has dead nodes or links, for which no peak is known, and so no offered load; "
            "a curve needs a machine without them"
        )
    return Configuration(
        labels=labels,
        content=content,
        nodes=estimate["nodes"],
        peak=estimate["bound"]["packets_per_cycle"],
        bytes_per_packet=_bytes_per_packet(content["workload"], estimate),
        settling_cycles=estimate["settles_at_saturation_after_cycles"],
        measure_cycles=json.loads(plain.to_json())["run"]["measure_cycles"],
        units=units,
    )


def _bytes_per_packet(workload: Mapping[str, Any], estimate: Mapping[str, Any]) -> float:
    """The mean size of a packet in memory."""
    if workload.get("message_bytes") is not None:
        bound: Mapping[str, float] = estimate["bound"]
        return bound["bytes_per_node_per_cycle"] * float(estimate["nodes"]) / bound["packets_per_cycle"]
    sizes = workload["packet_bytes"]
    return sum(sizes) / len(sizes) if isinstance(sizes, list) else sizes


def _require_offered_load(workload: Mapping[str, Any], place: str) -> None:
    kinds = [
        entry["kind"]
        for entry in json.loads(_core.catalog())["workloads"]
        if any(parameter["name"] == "load" for parameter in entry["parameters"])
    ]
    if workload["kind"] not in kinds:
        raise InputError(
            f'{place}workload.kind = "{workload["kind"]}": has no offered load; a curve needs one of {", ".join(kinds)}'
        )
    if workload.get("packets_per_node") is not None:
        raise InputError(
            f"{place}workload.packets_per_node = {workload['packets_per_node']}: a curve needs traffic without end; "
            "leave this key out"
        )


def _resolved(content: Mapping[str, Any]) -> _core.Scenario:
    return _core.resolve_plain(json.dumps(content), [])


def _quantile(histogram: Mapping[str, list[Any]], share: float) -> float | None:
    """The upper end of the bucket that this share of the packets does not exceed; None if there are no packets."""
    needed = share * sum(histogram["packets"])
    counted = 0
    for high, packets in zip(histogram["high_cycles"], histogram["packets"], strict=True):
        counted += packets
        if counted >= needed:
            return float(high)
    return None
