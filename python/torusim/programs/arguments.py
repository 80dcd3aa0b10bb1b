"""Checks of call arguments: integers in a range. An error message names the argument."""

import operator
from collections.abc import Iterable
from typing import SupportsIndex

from torusim.common.formatting import shown
from torusim.programs.status import ANY_TAG

TAG_LIMIT = (1 << 31) - 1
"""The highest tag."""


def tag_of(value: SupportsIndex, name: str = "tag") -> int:
    """The tag of a send."""
    if type(value) is int and 0 <= value <= TAG_LIMIT:
        return value
    return in_range(value, name, 0, TAG_LIMIT)


def any_tag_of(value: SupportsIndex, name: str = "tag") -> int:
    """The tag of a receive or a probe."""
    return value if type(value) is int and ANY_TAG <= value <= TAG_LIMIT else tag_of(value, name)


def in_range(value: SupportsIndex, name: str, least: int, most: int, meaning: str = "is an integer") -> int:
    """An integer, of NumPy for example, from `least` to `most`.

    Raises:
        TypeError: If the argument is no integer.
        ValueError: If the integer is outside the range.
    """
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)}: {name} {meaning} from {least} to {most}") from None
    if not least <= index <= most:
        raise ValueError(f"{name}={shown(index)}: {name} {meaning} from {least} to {most}")
    return index


def listed_in_range(values: Iterable[SupportsIndex], name: str, least: int, most: int) -> list[int]:
    """Several integers, each from `least` to `most`.

    Raises:
        TypeError: If the argument is no iterable, or an item is no integer.
        ValueError: If an item is outside the range.
    """
    try:
        listed = list(values)
    except TypeError:
        raise TypeError(f"{name}={shown(values)}: {name} has integers from {least} to {most}, in a list") from None
    return [in_range(value, name, least, most, "has integers") for value in listed]
