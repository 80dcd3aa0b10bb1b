"""Several jobs on one machine: each job compared with itself alone, on the same nodes and by the same seed.

The table `jobs` of a run gets columns from the runs in which each job is alone, and its slowdown.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from torusim import _core
from torusim.common.formatting import count, number
from torusim.common.units import Clock, Row, Units, with_twins

TABLE = "jobs"
"""The name of the table, and of the key of summaries with its rows."""

Columns: TypeAlias = dict[str, list[Any]]
"""Columns of the table of jobs, a value for each job; None where it does not apply."""

COMPARED = ("completion_cycles", "latency_cycles_mean", "accepted_bytes_per_node_per_cycle")
"""Columns whose values from the runs of single jobs are also in the table, with `alone_` before their names."""

HEADINGS: tuple[Row, ...] = (
    ("job", "Job", str),
    ("workload", "Workload", str),
    ("nodes", "Nodes", count),
    ("packets_delivered", "Packets", count),
    ("completion_cycles", "Completion, cycles", number),
    ("alone_completion_cycles", "Alone, cycles", number),
    ("latency_cycles_mean", "Latency, cycles", number),
    ("alone_latency_cycles_mean", "Latency alone", number),
    ("slowdown", "Slowdown", number),
)
"""The columns that a terminal and a notebook show: column, heading, formatter."""


def plain(columns: Mapping[str, Any]) -> Columns:
    """Columns of the compiled part as lists; NaN becomes None."""
    return {name: [_known(value) for value in _listed(values)] for name, values in columns.items()}


def alone(scenario: Mapping[str, Any], processes: tuple[int, int] = (1, 1)) -> list[_core.Scenario]:
    """The scenarios in which each job of a resolved scenario runs alone; none if the scenario does not request them.

    `processes` are as in `torusim.runs.scenario.resolve`.
    """
    if not scenario["run"].get("alone"):
        return []
    run = {**scenario["run"], "alone": False}
    each = ({**scenario, "jobs": [job], "run": run} for job in scenario["jobs"])
    return [_core.resolve_plain(json.dumps(content), [], processes) for content in each]


def compared(together: Columns, each_alone: Sequence[Columns | None]) -> Columns:
    """The columns of jobs, with those of their runs alone added; None for a run that did not take place."""
    if not each_alone:
        return together
    value = [{name: None if own is None else own[name][0] for name in COMPARED} for own in each_alone]
    added = {f"alone_{name}": [of_job[name] for of_job in value] for name in COMPARED}
    return {
        **together,
        **added,
        "slowdown": _ratios(together["completion_cycles"], added["alone_completion_cycles"]),
        "latency_ratio": _ratios(together["latency_cycles_mean"], added["alone_latency_cycles_mean"]),
    }


def in_units(columns: Columns, summary: Mapping[str, Any], scenario: Mapping[str, Any]) -> Columns:
    """The columns of a run with this summary and scenario, with their twins in physical units if it has these."""
    return with_twins(columns, Clock.of_scenario(scenario)) if Units.of(summary) is Units.PHYSICAL else columns


def rows(columns: Columns) -> list[dict[str, Any]]:
    """The table by rows."""
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def as_text(jobs: Sequence[Mapping[str, Any]], units: Units) -> tuple[list[str], list[list[str]]]:
    """Headings and cells of the rows of jobs; columns without values are left out."""
    headings = [units.row(entry) for entry in HEADINGS]
    shown = [entry for entry in headings if any(job.get(entry[0]) is not None for job in jobs)]
    cell = [["-" if job.get(key) is None else formatted(job[key]) for key, _, formatted in shown] for job in jobs]
    return [heading for _, heading, _ in shown], cell


def _listed(values: Any) -> list[Any]:  # noqa: ANN401 - an array, or a list of strings
    listed: list[Any] = values if isinstance(values, list) else values.tolist()
    return listed


def _known(value: Any) -> Any:  # noqa: ANN401 - a number or a string
    return None if isinstance(value, float) and math.isnan(value) else value


def _ratios(numerators: Sequence[float | None], denominators: Sequence[float | None]) -> list[float | None]:
    pairs = zip(numerators, denominators, strict=True)
    return [None if above is None or not below else above / below for above, below in pairs]
