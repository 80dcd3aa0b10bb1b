"""Differences between two results, in percent of the first."""

from typing import Any

import pytest

from torusim.runs.comparison import compare
from torusim.runs.result import Result


def result(summary: dict[str, Any], **scenario: object) -> Result:
    """A result with this summary and scenario."""
    return Result(summary=summary, scenario=scenario, seed=1, versions={})


@pytest.mark.parametrize(
    ("first", "second", "percent"),
    [
        (10, 15, 50),
        (10, 10, 0),
        (-10, -5, 50),
        (0, 3, None),
        (None, 3, None),
        ("a", "b", None),
        (True, False, None),
    ],
)
def test_percent(first: object, second: object, percent: float | None) -> None:
    row = compare(result({"value": first}), result({"value": second})).summary[0]
    assert (row.key, row.first, row.second, row.percent) == ("value", first, second, percent)


def test_nested_values_and_values_of_one_result_only() -> None:
    rows = compare(result({"by": {"x+": 1}}), result({"by": {"x+": 2}, "more": 3})).summary
    assert [row.key for row in rows] == ["by.x+", "more"]


def test_values_of_neither_result_are_omitted() -> None:
    assert compare(result({"percent_of_peak": None}), result({"percent_of_peak": None})).summary == []


def test_digest() -> None:
    assert compare(result({"digest": "1"}), result({"digest": "1"})).same_digest
    assert not compare(result({"digest": "1"}), result({"digest": "2"})).same_digest
    assert not compare(result({}), result({})).same_digest


def test_only_differing_values_of_scenarios_are_listed() -> None:
    rows = compare(
        result({}, run={"seed": 1, "stop": "drained"}), result({}, run={"seed": 2, "stop": "drained"})
    ).scenario
    assert [(row.key, row.first, row.second) for row in rows] == [("run.seed", 1, 2)]
