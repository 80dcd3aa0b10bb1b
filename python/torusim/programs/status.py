"""Wildcards, null ranks, and the status that a receive or a probe returns for its message."""

from dataclasses import dataclass
from typing import Protocol

ANY_SOURCE = -1
"""Receives from any rank."""

ANY_TAG = -1
"""Receives any tag."""

PROC_NULL = -2
"""No rank: a send to it or a receive from it ends at once, without a message. The value is Open MPI's."""

UNDEFINED = -32766
"""The index with which `waitany` ends if no request is active, and the color of ranks that `split` leaves out.

The value is MPICH's."""


class Counted(Protocol):
    """A unit in which a length is counted: a datatype."""

    @property
    def size(self) -> int:
        """The length of the unit in bytes."""


@dataclass
class Status:
    """The message that a receive, a wait, a test or a probe has found; `status=` has it filled in, as in mpi4py.

    Attributes:
        source: The rank in the communicator that sent it; ANY_SOURCE if there was no message.
        tag: The tag of the message; ANY_TAG if there was no message.
        count: The length of the message in bytes.
        is_cancelled: Whether the receive was cancelled.
    """

    source: int = ANY_SOURCE
    tag: int = ANY_TAG
    count: int = 0
    is_cancelled: bool = False

    def Get_source(self) -> int:  # noqa: N802
        """The rank that sent the message."""
        return self.source

    def Get_tag(self) -> int:  # noqa: N802
        """The tag of the message."""
        return self.tag

    def Get_count(self, datatype: Counted | None = None) -> int:  # noqa: N802
        """The message's length in bytes, or in units of `datatype`; UNDEFINED if it is no multiple of the unit."""
        if datatype is None:
            return self.count
        count, rest = divmod(self.count, datatype.size) if datatype.size else (0, self.count)
        return UNDEFINED if rest else count

    def Is_cancelled(self) -> bool:  # noqa: N802
        """Whether the receive was cancelled."""
        return self.is_cancelled


def fill(status: Status | None, source: int, tag: int, size_bytes: int, *, is_cancelled: bool = False) -> None:
    """Fills in the status that a program has passed, if any; `size_bytes` is -1 without a message."""
    if status is not None:
        status.source, status.tag, status.count = source, tag, max(size_bytes, 0)
        status.is_cancelled = is_cancelled
