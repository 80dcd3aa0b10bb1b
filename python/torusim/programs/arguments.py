"""Arguments of calls: integers in a range. A fault is one message that names the argument."""

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
        TypeError: If it is no integer.
        ValueError: If it is outside.
    """
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)}: {name} {meaning} from {least} to {most}") from None
    if not least <= index <= most:
        raise ValueError(f"{name}={shown(index)}: {name} {meaning} from {least} to {most}")
    return index


def listed_in_range(
    values: Iterable[SupportsIndex], name: str, least: int, most: int, meaning: str = "has integers"
) -> list[int]:
    """The same for each of several.

    Raises:
        TypeError: If they are not several, or one is no integer.
        ValueError: If one is outside.
    """
    try:
        listed = list(values)
    except TypeError:
        raise TypeError(f"{name}={shown(values)}: {name} {meaning} from {least} to {most}, in a list") from None
    return [in_range(value, name, least, most, meaning) for value in listed]
