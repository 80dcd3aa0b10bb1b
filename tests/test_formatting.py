"""Formatting of numbers: the unit depends on the magnitude."""

import pytest

from torusim import formatting


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


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a second"),
        (1.2, "about 1 second"),
        (175, "about 3 minutes"),
        (7260, "about 2 hours"),
        (1e6, "about 12 days"),
        (1e11, "about 3,169 years"),
    ],
)
def test_estimated_time(seconds: float, words: str) -> None:
    assert formatting.about(seconds) == words


@pytest.mark.parametrize(("size_bytes", "words"), [(0, "0 bytes"), (1536, "1.5 KiB"), (2**50, "1024 TiB")])
def test_size(size_bytes: int, words: str) -> None:
    assert formatting.size(size_bytes) == words


def test_missing_values_are_not_shown() -> None:
    assert formatting.summary_as_rows({"outcome": "completed", "percent_of_peak": None}) == [("Outcome", "completed")]


def test_cause_includes_the_ring() -> None:
    detail = {"words": "nothing moves", "ring": [{"words": f"packet {number}"} for number in range(20)]}
    reports = dict(formatting.summary_as_rows({"outcome_detail": detail}))["Cause"].splitlines()
    assert reports[:2] == ["nothing moves", "  packet 0"]
    assert reports[-1] == "  and 8 more, in result.json"


def test_directions_are_shown_in_pairs() -> None:
    values = {"x+": 0.5, "x-": 0.25, "y+": None}
    assert formatting.by_direction(values) == "x+ 50.00 %  x- 25.00 %\ny+ -"


def test_html_is_escaped() -> None:
    assert "&lt;b&gt;" in formatting.summary_as_html({"outcome": "<b>"})


@pytest.mark.parametrize("shape", [[8, 8, 16], [1], [2, 2, 2, 2, 2, 2]])
def test_lengths_are_the_inverse_of_a_shape(shape: list[int]) -> None:
    assert formatting.lengths(formatting.shape(shape)) == shape
    assert formatting.lengths(formatting.shape(shape).upper()) == shape


@pytest.mark.parametrize("text", ["", "8xx8", "8x8m", "8x-8", "8 x 8", "²x8", "٨x8"])
def test_other_texts_are_no_shape(text: str) -> None:
    with pytest.raises(ValueError, match="8x8x16"):
        formatting.lengths(text)
