"""Checks of arguments that users give in Python."""

from torusim._core import InputError
from torusim.common.formatting import shown


def require_integer(name: str, value: object, least: int, most: int) -> int:
    """The argument, if it is an integer in its range.

    Raises:
        InputError: If it is no integer, or outside the range.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f"{name}: {shown(value)} has to be an integer from {least} to {most}")
    return value
