"""The axes of sweeps and curves: the values of each swept key, and their combinations.

--over machine.shape=[4,4,4],[8,8,8]  --over workload.load=0.2..0.8:0.2     8 combinations
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from itertools import product
from math import isfinite, prod
from typing import Any, TypeAlias

from torusim._core import InputError
from torusim.common.formatting import in_one_line, shown
from torusim.runs.scenario import Override, override_of_option, printable, to_json

POINTS_LIMIT = 1_000_000
"""Upper limit of the number of points; only a typing error exceeds it."""

Axes: TypeAlias = Mapping[str, Sequence[Override]]
"""The values of each swept key, as overrides."""

NUMBER = r"[-+]?[\d_]*\.?[\d_]+(?:[eE][-+]?\d{1,3})?"

RANGE = re.compile(rf"(?P<first>{NUMBER})\s*\.\.\s*(?P<last>{NUMBER})(?:\s*:\s*(?P<step>{NUMBER}))?")
"""FIRST..LAST or FIRST..LAST:STEP; the last number is part of the range if the steps meet it."""

DASHED = re.compile(r"[\d.]+\s*-\s*[\d.]+")
"""A text that looks like a range to a reader, and is no TOML."""

FRACTIONS = "0.1..0.9:0.1"
"""A range of fractions, for messages."""

NUMBER_LENGTH = 40
"""Characters of a number of a range; no scenario needs more."""

RANGE_DIGITS = 3000
"""Digits with which ranges are computed: enough for any two finite 64-bit numbers of this length, and their sum."""


def axes_of_options(options: Sequence[str]) -> Axes:
    """The axes of command-line options such as `--over machine.shape=[4,4,4],[8,8,8]`, `--over run.seed=1..10`.

    Raises:
        InputError: If an option is not KEY=VALUES, or a key is repeated.
    """
    axes: dict[str, list[Override]] = {}
    for option in options:
        key, values = _parse_over(printable(option))
        if key in axes:
            raise InputError(f"--over {in_one_line(key)}: is given twice; give all of its values in one --over")
        axes[key] = values
    return axes


def axes_of_values(over: Mapping[str, Iterable[Any]], caller: str = "sweep") -> Axes:
    """The axes of a dict such as {"machine.shape": [[4, 4, 4], [8, 8, 8]], "run.seed": range(1, 11)}.

    Args:
        over: The values of each key.
        caller: The function named in messages.

    Raises:
        InputError: If the argument is not such a dict.
    """
    if not isinstance(over, Mapping):
        raise InputError(f"over: is a dict of keys and their values, not {shown(over)}")
    return {key: list(_axis_of_values(key, values, caller)) for key, values in over.items()}


def combinations(axes: Axes) -> list[tuple[dict[str, Any], list[Override]]]:
    """(labels, overrides) of every combination of the axes' values; the last axis varies fastest.

    Raises:
        InputError: If the combinations are too many.
    """
    count = prod(len(values) for values in axes.values())
    if count > POINTS_LIMIT:
        raise InputError(f"this sweep has {count:,} points; {POINTS_LIMIT:,} are the most")
    return [
        ({path: json.loads(value) for path, value, _ in combination}, list(combination))
        for combination in product(*axes.values())
    ]


def _parse_over(option: str) -> tuple[str, list[Override]]:
    key, equals, text = option.partition("=")
    values = list(_split(text))
    if not (key and equals and values):
        raise InputError(
            f"--over {in_one_line(option)}: must be KEY=VALUE,VALUE,…, "
            "as in run.seed=1..10 or machine.shape=[4,4],[8,8]"
        )
    return key.strip(), [override for value in values for override in _overrides(key.strip(), value)]


def _split(text: str) -> Iterator[str]:
    """The values of a list, split at the commas outside brackets and quotes."""
    depth, quote, start = 0, "", 0
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:index].strip()
            start = index + 1
    if last := text[start:].strip():
        yield last


def _overrides(key: str, value: str) -> Iterator[Override]:
    """The override of a single value, or one for each number of a range such as 1..10 or 0.1..0.9:0.1."""
    origin = f"--over {in_one_line(key)}"
    ends = RANGE.fullmatch(value)
    if DASHED.fullmatch(value):
        raise InputError(f"{origin}={in_one_line(value)}: a range is written with two dots, as in 1..10 or {FRACTIONS}")
    if ends is None:
        path, parsed, _ = _parsed(key, value)
        yield path, parsed, origin
        return
    try:
        numbers = _numbers(ends["first"], ends["last"], ends["step"])
    except InputError as error:
        raise InputError(f"{origin}={in_one_line(value)}: {error}") from None
    for number in numbers:
        yield key, number, origin


def _numbers(first: str, last: str, step: str | None) -> list[str]:
    """The numbers of a range as JSON: integers if all that is given are, else fractions; exact in decimal.

    Raises:
        InputError: If the range does not ascend, or has too many numbers.
    """
    are_integers = all(re.fullmatch(r"[-+]?[\d_]+", text) for text in (first, last, step or "1"))
    if step is None and not are_integers:
        raise InputError(f"a range of fractions needs a step, as in {FRACTIONS}")
    with localcontext(prec=RANGE_DIGITS):
        start, end, by = (_decimal(text) for text in (first, last, step or "1"))
        if not (by > 0 and start <= end):
            raise InputError(f"a range goes upwards, as in 1..10 or {FRACTIONS}")
        if end - start >= POINTS_LIMIT * by:
            raise InputError(f"has more than {POINTS_LIMIT:,} numbers; a range is written as in 1..10 or {FRACTIONS}")
        places = 0 if are_integers else max(1, *(-int(number.as_tuple().exponent) for number in (start, by)))
        return [f"{start + index * by:.{places}f}" for index in range(int((end - start) // by) + 1)]


def _decimal(text: str) -> Decimal:
    """The number of a text.

    Raises:
        InputError: If the text is no number (`3_`), or none that a scenario can hold.
    """
    try:
        is_number = len(text) <= NUMBER_LENGTH and isfinite(float(text))
    except ValueError:
        is_number = False
    if not is_number:
        raise InputError(f"{in_one_line(text)} is no number; a range is written as in 1..10 or {FRACTIONS}")
    return Decimal(text)


def _parsed(key: str, value: str) -> Override:
    try:
        return override_of_option(f"{key}={value}")
    except InputError as error:
        raise InputError(str(error).replace("--set", "--over", 1)) from None


def _axis_of_values(key: object, values: object, caller: str) -> Iterator[Override]:
    if not isinstance(key, str) or not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
        raise InputError(f"over: {shown(key)}: {shown(values)} has to be a list of values for a key such as 'run.seed'")
    count = 0
    for count, value in enumerate(values, 1):
        if count > POINTS_LIMIT:
            raise InputError(f"over: {key}: has more than {POINTS_LIMIT:,} values")
        yield printable(key), to_json(value, key), f"{caller}(over={printable(key)})"
    if count == 0:
        raise InputError(f"over: {key}: has no values")
