"""Calls that the compiled models carry out: tuples of integers, whose fields Rust names (`_core.program_records`).

This is the only list of records on this side. If Rust's differs, the package is not imported.
"""

from collections.abc import Generator
from types import coroutine
from typing import TypeAlias

from torusim import _core

List: TypeAlias = _core.Lengths | _core.Members
"""A list in a call. It is an object, as ranks may share it."""


Outcome = _core.Outcome

Ended: TypeAlias = tuple[int, int, int, int, int, int]
"""A complete request, and the message of a receive: source, tag, bytes and number as in `Outcome`; 1 if cancelled."""

Call: TypeAlias = tuple[int, ...]
"""The place of a call in the list of `_core.program_records`, and its arguments."""

_ARGUMENTS = {name: (place, tuple(arguments)) for place, (name, arguments) in enumerate(_core.program_records())}
_OTHER_VERSION = "torusim._core is of another version than the package: build it again"


def _place_of(name: str, *arguments: str) -> int:
    place, expected = _ARGUMENTS.get(name, (-1, ()))
    if place < 0 or arguments != expected:
        raise ImportError(f"{_OTHER_VERSION} (call {name!r})")
    return place


FINISH = _place_of("finish")

# `blocks` are the pieces of memory in which data lie; a single piece costs nothing.
SEND = _place_of("send", "communicator", "target", "tag", "bytes", "mode", "blocks", "request")
RECV = _place_of("recv", "communicator", "source", "tag", "blocks", "request")
SENDRECV = _place_of(
    "sendrecv",
    *("communicator", "target", "sendtag", "bytes", "mode", "sendblocks"),
    *("communicator", "source", "recvtag", "recvblocks"),
)
SEND_INIT = _place_of("send_init", "communicator", "target", "tag", "bytes", "mode", "blocks", "request")
RECV_INIT = _place_of("recv_init", "communicator", "source", "tag", "blocks", "request")
PROBE = _place_of("probe", "communicator", "source", "tag", "takes", "blocks")
MRECV = _place_of("mrecv", "handle")
IMRECV = _place_of("imrecv", "handle", "request")

# A count of requests whose numbers are not consecutive is negative, and the numbers after the first follow.
START = _place_of("start", "first", "count")
FREE = _place_of("free", "request")
CANCEL = _place_of("cancel", "request")
WAITALL = _place_of("waitall", "first", "count")
WAITANY = _place_of("waitany", "first", "count")
WAITSOME = _place_of("waitsome", "first", "count")
TEST = _place_of("test", "first", "count")
TESTANY = _place_of("testany", "first", "count")
TESTSOME = _place_of("testsome", "first", "count")

BARRIER = _place_of("barrier", "communicator", "request")
BCAST = _place_of("bcast", "communicator", "request", "root", "bytes")
ALLREDUCE = _place_of("allreduce", "communicator", "request", "bytes")
REDUCE = _place_of("reduce", "communicator", "request", "root", "bytes")
SCAN = _place_of("scan", "communicator", "request", "bytes")
EXSCAN = _place_of("exscan", "communicator", "request", "bytes")
REDUCE_SCATTER_BLOCK = _place_of("reduce_scatter_block", "communicator", "request", "bytes")
GATHER = _place_of("gather", "communicator", "request", "root", "bytes")
SCATTER = _place_of("scatter", "communicator", "request", "root", "bytes")
ALLGATHER = _place_of("allgather", "communicator", "request", "bytes")
ALLTOALL = _place_of("alltoall", "communicator", "request", "bytes")
# These take the lengths of blocks. An alltoall takes those sent and those received; an alltoallw their pieces too.
REDUCE_SCATTER = _place_of("reduce_scatter", "communicator", "request")
GATHERV = _place_of("gatherv", "communicator", "request", "root")
SCATTERV = _place_of("scatterv", "communicator", "request", "root")
ALLGATHERV = _place_of("allgatherv", "communicator", "request")
ALLTOALLV = _place_of("alltoallv", "communicator", "request")
ALLTOALLW = _place_of("alltoallw", "communicator", "request")

# `order` counts the others of the call that come before it; and the members, if the rank is one.
CREATE = _place_of("create", "communicator", "is_member", "new", "order")
DEFINE = _place_of("define", "new", "id")  # and the members, as global ranks
FREE_COMMUNICATOR = _place_of("free_communicator", "communicator")
ABORT = _place_of("abort", "code")

STANDARD, SYNCHRONOUS, BUFFERED, READY = range(4)
"""Modes of a send."""

BLOCKS = -1
"""The value that stands for no request: the call blocks."""


@coroutine
def make(*call: int) -> Generator[Call, Outcome, Outcome]:
    """Makes a call with its arguments; the rank resumes with its outcome."""
    return (yield call)
