"""What crosses to the compiled models and back: rows of integers, whose fields Rust names (`_core.program_records`)."""

from collections.abc import Generator, Iterator
from functools import partial
from types import coroutine
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from torusim import _core


class Outcome(NamedTuple):
    """A rank hears of the outcome of its last call. A field that does not apply is -1.

    Attributes:
        rank: The rank.
        time: The processor cycle.
        flag: 1 if a test or a probe has succeeded.
        source: Of the message that the call has received or found: the rank that sent it.
        tag: Its tag.
        bytes: Its length.
        number: Its number among the messages of that rank, which names the payload.
        sent: The number of the message that the call has sent.
        handle: Names the message that a matched probe has taken.
        ended: Number of requests with which a wait or a test has ended.
    """

    rank: int
    time: int
    flag: int
    source: int
    tag: int
    bytes: int
    number: int
    sent: int
    handle: int
    ended: int


class Ended(NamedTuple):
    """A request with which a wait or a test has ended, and the message of a receive; -1 without one."""

    request: int
    source: int
    tag: int
    bytes: int
    number: int
    cancelled: int


Call: TypeAlias = tuple[int, int, int, int, int]
"""The place of a call in the list of `_core.program_records`, and its arguments; those that it does not have are 0."""

_wake_up, _ended, _calls = _core.program_records()
if (*_wake_up, *_ended) != (*Outcome._fields, *Ended._fields):
    raise ImportError("torusim._core is of another version than the package: build it again")

_PLACES = {name: place for place, (name, _) in enumerate(_calls)}
FINISH, SEND, ISEND, RECV, IRECV = (_PLACES[name] for name in ("finish", "send", "isend", "recv", "irecv"))
WAITALL, WAITANY, WAITSOME, TEST = (_PLACES[name] for name in ("waitall", "waitany", "waitsome", "test"))
PROBE, MPROBE, MRECV, IMRECV = (_PLACES[name] for name in ("probe", "mprobe", "mrecv", "imrecv"))
CANCEL, BARRIER, BCAST, ALLREDUCE, ABORT = (
    _PLACES[name] for name in ("cancel", "barrier", "bcast", "allreduce", "abort")
)


Record = TypeVar("Record", Outcome, Ended)


def records(kind: type[Record], rows: npt.NDArray[np.int64]) -> Iterator[Record]:
    """The records of rows that follow one another in an array.

    They are made one by one, which spares the garbage collector, and as `Record._make` does, without its check.
    """
    columns = rows.reshape(-1, len(kind._fields)).T.tolist()
    return map(partial(tuple.__new__, kind), zip(*columns, strict=True))


@coroutine
def make(
    call: int, first: int = 0, second: int = 0, third: int = 0, fourth: int = 0
) -> Generator[Call, Outcome, Outcome]:
    """Makes a call with up to four arguments; the rank goes on with its outcome."""
    return (yield (call, first, second, third, fourth))
