"""Formatting of numbers: the unit depends on the magnitude."""

import math
from collections.abc import Callable

import hypothesis
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torusim.common import formatting
from torusim.runs import summary


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 ns"),
        (5.714e-9, "5.714 ns"),
        (1.5e-6, "1.5 µs"),
        (0.25, "250 ms"),
        (42.5, "42.5 s"),
        (61, "1 min 1 s"),
        (7260, "2 h 1 min"),
    ],
)
def test_duration(seconds: float, words: str) -> None:
    assert formatting.duration(seconds) == words


UNITS: dict[str, tuple[float, float]] = {
    "ns": (1e-9, 1000),
    "µs": (1e-6, 1000),
    "ms": (1e-3, 1000),
    "s": (1, 60),
    "min": (60, 60),
    "h": (3600, 24),
    "d": (86_400, 365.2425),
    "second": (1, 60),
    "minute": (60, 60),
    "hour": (3600, 24),
    "day": (86_400, 365.2425),
    "year": (31_556_952, math.inf),
}
"""Seconds of each unit, and the number of them above which the next unit is used."""

AROUND_LIMITS = st.builds(
    lambda unit, count, shift: unit * count * (1 + shift),
    st.sampled_from([seconds for seconds, _ in UNITS.values()]),
    st.integers(1, 1000),
    st.sampled_from([0.0, 1e-4, -1e-4, 4e-4, -4e-4, 1e-9, -1e-9]) | st.floats(-0.5, 0.5),
)


@pytest.mark.parametrize(
    ("function", "least"),
    [(formatting.duration, 1e-9), (formatting.long_duration, 1.0), (formatting.about, 1.0)],
)
@given(seconds=AROUND_LIMITS | st.floats(0, 1e9))
@example(seconds=172_000)
@example(seconds=59.9999)
@example(seconds=3599.6)
@example(seconds=86_399)
@example(seconds=0.99999)
def test_durations_are_right_within_half_of_their_last_unit(
    function: Callable[[float], str], least: float, seconds: float
) -> None:
    """For every value, no part reaches the next unit, and the text is as near to the value as its digits allow."""
    hypothesis.assume(seconds >= least)
    text = function(seconds).removeprefix("about ").replace(",", "")
    words = text.split()
    units = [UNITS.get(unit) or UNITS[unit.removesuffix("s")] for unit in words[1::2]]
    parts = [(float(number), *unit) for number, unit in zip(words[::2], units, strict=True)]
    shown = sum(number * unit for number, unit, _ in parts)
    step = parts[-1][1] if len(parts) > 1 or function is formatting.about else max(parts[0][0], 1) * parts[0][1] / 1000
    assert abs(shown - seconds) <= 0.5001 * step, text
    for index, (number, _, limit) in enumerate(parts):
        hours_without_days = function is formatting.duration and limit == 24
        assert number < limit or hours_without_days or (index == 0 and words[1] == "d"), text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(172_000, "2 d 0 h"), (86_399, "1 d 0 h"), (86_340, "23 h 59 min"), (0.2, "0 s"), (90_000, "1 d 1 h")],
)
def test_long_duration(seconds: float, words: str) -> None:
    assert formatting.long_duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a second"),
        (59.6, "about 1 minute"),
        (1.2, "about 1 second"),
        (175, "about 3 minutes"),
        (7260, "about 2 hours"),
        (1e6, "about 12 days"),
        (1e11, "about 3,169 years"),
    ],
)
def test_estimated_time(seconds: float, words: str) -> None:
    assert formatting.about(seconds) == words


@pytest.mark.parametrize(
    ("size_bytes", "words"), [(0, "0 bytes"), (1536, "1.5 KiB"), (2**20 - 1, "1 MiB"), (2**50, "1024 TiB")]
)
def test_size(size_bytes: int, words: str) -> None:
    assert formatting.size(size_bytes) == words


def test_missing_values_are_not_shown() -> None:
    assert summary.summary_as_rows({"outcome": "completed", "percent_of_peak": None}) == [("Outcome", "completed")]


def test_cause_includes_the_ring() -> None:
    detail = {"words": "nothing moves", "ring": [{"words": f"packet {number}"} for number in range(20)]}
    reports = dict(summary.summary_as_rows({"outcome_detail": detail}))["Cause"].splitlines()
    assert reports[:2] == ["nothing moves", "  packet 0"]
    assert reports[-1] == "  and 8 more, in result.json"


def test_directions_are_shown_in_pairs() -> None:
    values = {"x+": 0.5, "x-": 0.25, "y+": None}
    assert formatting.by_direction(values) == "x+ 50.00 %  x- 25.00 %\ny+ -"


def test_html_is_escaped() -> None:
    assert "&lt;b&gt;" in formatting.pairs_as_html(summary.summary_as_rows({"outcome": "<b>"}))


@pytest.mark.parametrize("shape", [[8, 8, 16], [1], [2, 2, 2, 2, 2, 2]])
def test_lengths_are_the_inverse_of_a_shape(shape: list[int]) -> None:
    assert formatting.lengths(formatting.shape(shape)) == shape
    assert formatting.lengths(formatting.shape(shape).upper()) == shape


@pytest.mark.parametrize("text", ["", "8xx8", "8x8m", "8x-8", "8 x 8", "²x8", "٨x8"])
def test_other_texts_are_no_shape(text: str) -> None:
    with pytest.raises(ValueError, match="8x8x16"):
        formatting.lengths(text)
