"""The values of `--over`: lists, ranges of integers and of fractions."""

import json
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import torusim
from torusim.sweeps.axes import POINTS_LIMIT, axes_of_options


def values_of(text: str) -> list[object]:
    """The values of a key that `--over key=TEXT` gives."""
    return [json.loads(value) for _, value, _ in axes_of_options([f"a.key={text}"])["a.key"]]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.1..0.9:0.1", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        ("0.5..2:0.5", [0.5, 1.0, 1.5, 2.0]),
        ("0.1..0.35:0.1", [0.1, 0.2, 0.3]),
        ("-0.2..0.2:0.2", [-0.2, 0.0, 0.2]),
        ("1e-6..3e-6:1e-6", [1e-6, 2e-6, 3e-6]),
        ("1..2:0.25", [1.0, 1.25, 1.5, 1.75, 2.0]),
        (".5..1:.25", [0.5, 0.75, 1.0]),
        ("0.3..0.3:1", [0.3]),
        ("2..10:4", [2, 6, 10]),
        ("1_000..1_002", [1000, 1001, 1002]),
        ("0.1 .. 0.3 : 0.1, 0.95", [0.1, 0.2, 0.3, 0.95]),
    ],
)
def test_range(text: str, values: list[object]) -> None:
    found = values_of(text)
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values], "a column has one type"


@given(
    first=st.decimals(-1000, 1000, places=3),
    step=st.decimals("0.001", 100, places=3),
    count=st.integers(1, 300),
    part=st.decimals(0, "0.99", places=2),
)
def test_range_of_fractions_is_exact(first: Decimal, step: Decimal, count: int, part: Decimal) -> None:
    """Each value is the fraction as typed, and not the result of repeated additions of floats."""
    last = first + (count - 1) * step
    expected = [float(first + index * step) for index in range(count)]
    assert values_of(f"{first}..{last}:{step}") == expected
    assert values_of(f"{first}..{last + part * step}:{step}") == expected, "what is beyond the last step is left out"


@given(text=st.text(st.sampled_from("0123456789.:-+_eE,[]'\" x"), max_size=20))
def test_any_text_gives_values_or_an_input_error(text: str) -> None:
    with suppress(torusim.InputError):
        assert len(axes_of_options([f"run.seed={text}"])["run.seed"]) <= POINTS_LIMIT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.1..0.9", "a range of fractions needs a step, as in 0.1..0.9:0.1"),
        ("0.9..0.1:0.1", "goes upwards"),
        ("0.1..0.9:0", "goes upwards"),
        ("0.1..0.9:-0.1", "goes upwards"),
        ("0..1:1e-9", "more than 1,000,000 numbers"),
        ("0..1e300:1e-300", "more than 1,000,000 numbers"),
        ("0..1e999:1", "1e999 is no number"),
        ("0.1..0.9_:0.1", "0.9_ is no number"),
        (f"0..1:0.{'0' * 50}1", "is no number"),
        ("0.1-0.9", "written with two dots, as in 1..10 or 0.1..0.9:0.1"),
    ],
)
def test_bad_range(text: str, words: str) -> None:
    with pytest.raises(torusim.InputError, match=r"--over a\.key=") as raised:
        values_of(text)
    assert words in str(raised.value)
