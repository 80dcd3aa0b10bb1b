"""Compares two results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torusim.common.formatting import flat
from torusim.runs.result import Result


@dataclass(frozen=True)
class Difference:
    """One value of both results.

    Attributes:
        key: The path in the summary or the scenario, such as "link_utilization_by_direction.x+".
        first: The value in the first result, None if it has none.
        second: The value in the second result, None if it has none.
        percent: The excess of the second number over the first, in percent of the first's size; None if either is not a
            number or the first is 0.
    """

    key: str
    first: Any
    second: Any
    percent: float | None


@dataclass(frozen=True)
class Comparison:
    """The comparison of two results.

    Attributes:
        same_digest: Whether both runs are bit-identical in the movement of every packet.
        summary: Every value of the summaries, equal or not; values that neither has are omitted.
        scenario: The values of the scenarios that are not equal.
    """

    same_digest: bool
    summary: list[Difference]
    scenario: list[Difference]


def compare(first: Result, second: Result) -> Comparison:
    """Compares two results; `first` is the base of the differences."""
    digest = first.summary.get("digest")
    return Comparison(
        same_digest=digest is not None and digest == second.summary.get("digest"),
        summary=_differences(first.summary, second.summary),
        scenario=[row for row in _differences(first.scenario, second.scenario) if row.first != row.second],
    )


def _differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Difference]:
    ones, others = dict(flat(first)), dict(flat(second))
    keys = list(ones) + [key for key in others if key not in ones]
    rows = (_difference(key, ones.get(key), others.get(key)) for key in keys)
    return [row for row in rows if (row.first, row.second) != (None, None)]


def _difference(key: str, first: Any, second: Any) -> Difference:  # noqa: ANN401
    percent = None
    if _is_number(first) and _is_number(second) and first:
        percent = 100 * (second - first) / abs(first)
    return Difference(key, first, second, percent)


def _is_number(value: Any) -> bool:  # noqa: ANN401
    return isinstance(value, int | float) and not isinstance(value, bool)
