"""Compares two results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torusim.common.formatting import flat
from torusim.common.units import Clock, Units, with_twins
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
        units: The units in which times and rates are shown: cycles only if both results have them, since cycles of two
            machines may differ in length. In physical units the values are in `summary` and `scenario` too.
    """

    same_digest: bool
    summary: list[Difference]
    scenario: list[Difference]
    units: Units = Units.CYCLES

    def shown(self, rows: Sequence[Difference]) -> list[Difference]:
        """The rows without values that are there in both units, in cycles."""
        if self.units is Units.CYCLES:
            return list(rows)
        keys = set(self.units.keys(row.key for row in rows))
        return [row for row in rows if row.key in keys]


def compare(first: Result, second: Result) -> Comparison:
    """Compares two results; `first` is the base of the differences."""
    units = Units.of(first.summary, second.summary)
    one, other = first.in_units(units), second.in_units(units)
    digest = first.summary.get("digest")
    return Comparison(
        same_digest=digest is not None and digest == second.summary.get("digest"),
        summary=_differences(one.summary, other.summary),
        scenario=[row for row in _differences(_scenario(one), _scenario(other)) if row.first != row.second],
        units=units,
    )


def _scenario(result: Result) -> Mapping[str, Any]:
    if result.units is Units.CYCLES:
        return result.scenario
    return with_twins(result.scenario, Clock.of_scenario(result.scenario))


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
