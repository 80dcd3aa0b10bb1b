"""Text form of schedules: labels, units and digits, the same for terminals and notebooks."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from torusim import _core
from torusim.common.formatting import count, long_duration, number, share, shown_rows

QUANTITIES: tuple[Mapping[str, Any], ...] = tuple(json.loads(_core.quantities_of_schedules()))
"""Every key of a summary: `key`; `row`, the format and the label of its row if it is shown; `unless_zero`, whether the
row is left out where the value is 0."""

SUMMARY_ROWS = shown_rows(QUANTITIES)
"""The rows shown of a summary, in this order: (key, label, format of the value)."""

LEFT_OUT_WHERE_ZERO = {known["key"] for known in QUANTITIES if known["unless_zero"]}


def summary_as_rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(label, formatted value) of the rows of a summary that carry information."""
    return [
        (label, formatted(summary[key]))
        for key, label, formatted in SUMMARY_ROWS
        if summary.get(key) not in (None, {}) and not _says_nothing(key, summary)
    ]


def _says_nothing(key: str, summary: Mapping[str, Any]) -> bool:
    if key == "useful_utilization":
        return bool(summary[key] == summary["utilization"])
    return key in LEFT_OUT_WHERE_ZERO and summary[key] == 0


def size_rows(sizes: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A row for each size class."""
    return [
        (
            count(row["up_to_nodes"]),
            count(row["jobs"]),
            long_duration(row["wait_seconds_mean"]),
            long_duration(row["wait_seconds_median"]),
            long_duration(row["wait_seconds_p90"]),
            long_duration(row["response_seconds_mean"]),
            number(row["bounded_slowdown_mean"]),
            number(row["bounded_slowdown_median"]),
        )
        for row in sizes
    ]


def queue_rows(queues: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A row for each queue; times of queues of which no job ran are shown as -."""
    return [
        (
            row["queue"] or "(none)",
            count(row["jobs"]),
            count(row["jobs_run"]),
            share(row["allocated"]),
            *(
                "-" if math.isnan(row[f"wait_seconds_{which}"]) else long_duration(row[f"wait_seconds_{which}"])
                for which in ("mean", "median", "p90")
            ),
            "-" if math.isnan(row["bounded_slowdown_mean"]) else number(row["bounded_slowdown_mean"]),
        )
        for row in queues
    ]


def report_as_rows(report: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Anomalies of a log: the anomaly, the number of jobs, the action taken, the first line numbers."""
    return [
        (
            remark["what"],
            count(remark["jobs"]),
            remark["done"],
            _lines_in_words(remark),
        )
        for remark in report.get("remarks", [])
    ]


def _lines_in_words(remark: Mapping[str, Any]) -> str:
    """The first line numbers of a remark; a remark about the chosen jobs has none."""
    lines = ", ".join(map(str, remark["lines"]))
    return lines + (", …" if lines and len(remark["lines"]) < remark["jobs"] else "")
