"""Where the output of ranks goes."""

import sys
from pathlib import Path
from typing import Protocol


class Output(Protocol):
    """Takes the output of ranks, in the order of simulated time and rank."""

    def write(self, rank: int, is_error: bool, data: bytes) -> None:
        """Takes output of a rank."""

    def close(self) -> None:
        """Ends the output."""


class Plain:
    """Prints the output of all ranks."""

    def write(self, rank: int, is_error: bool, data: bytes) -> None:  # noqa: ARG002
        """Prints output of a rank."""
        _print(data, is_error=is_error)

    def close(self) -> None:
        """Does nothing."""


class Labels:
    """Prints the output of all ranks line by line, behind the number of the rank."""

    def __init__(self, ranks: int) -> None:
        """Creates the output of this number of ranks."""
        self._width = len(str(ranks - 1))
        self._begun: dict[tuple[int, bool], bytes] = {}

    def write(self, rank: int, is_error: bool, data: bytes) -> None:
        """Prints the lines of a rank that are complete."""
        *lines, rest = (self._begun.pop((rank, is_error), b"") + data).split(b"\n")
        if rest:
            self._begun[rank, is_error] = rest
        label = f"[{rank:{self._width}}] ".encode()
        _print(b"".join(label + line + b"\n" for line in lines), is_error=is_error)

    def close(self) -> None:
        """Prints the last lines, of which the ranks have not written the end."""
        for rank, is_error in list(self._begun):
            self.write(rank, is_error, b"\n")


class OutputFolder:
    """Writes the output of each rank to files of a folder: `rank-17.out` and, if there is any, `rank-17.err`."""

    def __init__(self, folder: Path, ranks: int) -> None:
        """Writes to a folder that exists."""
        self._folder = folder
        self._width = len(str(ranks - 1))

    def write(self, rank: int, is_error: bool, data: bytes) -> None:
        """Appends output of a rank to its file."""
        name = f"rank-{rank:0{self._width}}.{'err' if is_error else 'out'}"
        with (self._folder / name).open("ab") as file:
            file.write(data)

    def close(self) -> None:
        """Does nothing."""


def _print(data: bytes, *, is_error: bool) -> None:
    stream = sys.stderr if is_error else sys.stdout
    stream.flush()
    raw = getattr(stream, "buffer", None)
    if raw is None:  # a notebook's
        stream.write(data.decode(errors="replace"))
    else:
        raw.write(data)
    stream.flush()
