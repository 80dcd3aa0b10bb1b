"""The warnings of a run: each kind is given once, at the source line of the program that causes it."""

import sys
import warnings
from pathlib import Path

from torusim.common.formatting import shown

INT_AT_LEAST = 64
"""Ints of this size or larger are warned of, once: few programs send such numbers one by one, and many meant lengths.

An int was a length before version 0.1. Versions 0.1 and 0.2 warn; then `int_sent` goes.
"""

_OWN = str(Path(__file__).parents[1])


class Notices:
    """The warnings of one run."""

    __slots__ = ("_given",)

    def __init__(self) -> None:
        """Starts without warnings given."""
        self._given: set[str] = set()

    def int_sent(self, rank: int, value: int) -> None:
        """Warns that a rank sends a plain int, which was a length in earlier versions."""
        if value >= INT_AT_LEAST:
            self._give(
                "int",
                f"rank {rank} sends the int {shown(value)} as data, as long as its pickle; a message of n bytes "
                "without data is torusim.Bytes(n)",
            )

    def send_cancelled(self, rank: int) -> None:
        """Warns that a rank cancels a send."""
        self._give("cancel", f"rank {rank} cancels a send, which completes nevertheless: only receives are cancelled")

    def _give(self, kind: str, words: str) -> None:
        if kind in self._given:
            return
        self._given.add(kind)
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_OWN):
            frame = frame.f_back
        # A separate registry, so that a later run warns again.
        warnings.warn_explicit(words, UserWarning, frame.f_code.co_filename, frame.f_lineno, registry={})
