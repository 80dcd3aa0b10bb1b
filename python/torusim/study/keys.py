"""The keys of a TOML table, checked as they are read."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from torusim._core import InputError
from torusim.runs.scenario import read_text

T = TypeVar("T")

NUMBER = (int, float)
"""The types of a number."""

_NAMES: Mapping[type, str] = {
    str: "a string",
    dict: "a table",
    list: "a list",
    float: "a number",
    bool: "true or false",
}


class Keys:
    """The keys of a table, removed one by one as they are read; the remaining ones are unknown.

    Args:
        content: The table.
        place: The place of the table in messages, such as "claims.toml: claims[3]".

    Raises:
        InputError: If the content is not a table.
    """

    def __init__(self, content: object, place: str) -> None:
        """Creates the keys of a table; see the class."""
        if not isinstance(content, dict):
            raise InputError(f"{place}: must be a table, not {content!r}")
        self.rest: dict[str, Any] = dict(content)
        self.place = place
        self._known: list[str] = []

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """The keys of a TOML file.

        Raises:
            InputError: If it cannot be read, or is not TOML.
        """
        try:
            return cls(tomllib.loads(read_text(path)), str(path))
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path}: is not TOML: {error}") from None

    def take(self, key: str, kind: type[T] | tuple[type, ...], *default: Any) -> Any:  # noqa: ANN401
        """The value of a key, or the default if it is absent.

        Raises:
            InputError: If it is absent and there is no default, or has another type.
        """
        self._known.append(key)
        if key not in self.rest:
            if default:
                return default[0]
            raise InputError(f"{self.place}: {key} is missing")
        value = self.rest.pop(key)
        if isinstance(value, bool) != (kind is bool) or not isinstance(value, kind):
            kinds = kind if isinstance(kind, tuple) else (kind,)
            raise InputError(f"{self.place}: {key} = {value!r}: must be {_NAMES[kinds[-1]]}")
        return value

    def text(self, key: str, *default: str) -> str:
        """A string, its white space reduced to single blanks."""
        return " ".join(self.take(key, str, *default).split())

    def refuse_others(self, known: Sequence[str] = ()) -> None:
        """Rejects keys that have not been read.

        Raises:
            InputError: If a key has not been read; the message names the known keys.
        """
        for key in self.rest:
            names = ", ".join(known or self._known)
            raise InputError(f"{self.place}: {key}: there is no such key; known are {names}")
