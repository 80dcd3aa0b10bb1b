"""Communicators: what a program awaits, with mpi4py's names.

A communicator is the view of one rank. `Comm` has the calls of a rank with others of its group; the only group is that
of all ranks.
"""

import operator
from collections.abc import Sequence
from typing import Any, NoReturn, SupportsIndex

from torusim.formatting import shown
from torusim.programs.collectives import Collective
from torusim.programs.payload import packed, packed_operand
from torusim.programs.process import Process
from torusim.programs.records import (
    ABORT,
    ALLREDUCE,
    BARRIER,
    BCAST,
    IRECV,
    ISEND,
    MPROBE,
    PROBE,
    RECV,
    SEND,
    WAITALL,
    Outcome,
    make,
)
from torusim.programs.reductions import SUM, Reduction
from torusim.programs.request import UNDEFINED, Message, Request, checked, ranges, test_all, wait_any, wait_some
from torusim.programs.status import ANY_SOURCE, ANY_TAG, Status, fill

TAG_LIMIT = (1 << 31) - 1
"""The highest tag."""

LENGTH_BYTES = 8
"""Of the length that `bcast` sends before the data."""

WORLD = 0
"""The context of the communicator of all ranks."""


class Comm:
    """The ranks of a program as one of them sees them. Operations are awaited; their times are those of the simulator.

    A plain int that is sent is a count of bytes; its receiver gets the count. Any other object arrives as an equal one:
    arrays (`nbytes` long), bytes, and whatever pickle can copy (as long as its pickle). It is copied when it is sent.

    Attributes:
        rank: The number of this rank.
        size: The number of ranks.
    """

    __slots__ = ("_collective_calls", "_context", "_process", "rank", "size")

    def __init__(self, process: Process, size: int) -> None:
        """The communicator of all ranks, at one of them."""
        self._process = process
        self._context = WORLD
        self._collective_calls = 0
        self.rank = process.rank
        self.size = size

    def Get_rank(self) -> int:  # noqa: N802
        """The number of this rank."""
        return self.rank

    def Get_size(self) -> int:  # noqa: N802
        """The number of ranks."""
        return self.size

    def time(self) -> float:
        """The simulated time in seconds. It is not awaited, and takes no time."""
        return self._process.seconds

    async def compute(self, seconds: float) -> None:
        """Computes for a time, which is rounded to processor cycles."""
        self._process.compute(seconds)

    async def send(self, obj: object, *, dest: SupportsIndex, tag: SupportsIndex = 0) -> None:
        """Sends an object, and waits until the last packet of its message has been written."""
        await make(SEND, self._rank_of(dest, "dest"), _tag_of(tag), self._outgoing(obj))

    async def isend(self, obj: object, *, dest: SupportsIndex, tag: SupportsIndex = 0) -> Request:
        """Sends an object; the request ends when the last packet of its message has been written."""
        target, label, size_bytes = self._rank_of(dest, "dest"), _tag_of(tag), self._outgoing(obj)
        sending = Request(self._process)
        await make(ISEND, target, label, size_bytes, sending.number)
        return sending

    async def recv(
        self,
        *,
        source: SupportsIndex = ANY_SOURCE,
        tag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> Any:  # noqa: ANN401
        """Waits for a message, and returns its object."""
        outcome = await make(RECV, self._source_of(source), _any_tag_of(tag))
        fill(status, outcome.source, outcome.tag, outcome.bytes)
        return self._process.take(outcome.source, outcome.number)

    async def irecv(self, *, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG) -> Request:
        """Receives an object by a request, whose wait or test returns it."""
        sender, label = self._source_of(source), _any_tag_of(tag)
        receiving = Request(self._process)
        await make(IRECV, sender, label, receiving.number)
        return receiving

    async def sendrecv(
        self,
        sendobj: object,
        *,
        dest: SupportsIndex,
        sendtag: SupportsIndex = 0,
        source: SupportsIndex = ANY_SOURCE,
        recvtag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> Any:  # noqa: ANN401
        """Sends an object and receives another: an `irecv`, an `isend` and a wait for both, and their costs."""
        receiving = await self.irecv(source=source, tag=recvtag)
        sending = await self.isend(sendobj, dest=dest, tag=sendtag)
        statuses = [status or Status(), Status()]
        return (await self.waitall([receiving, sending], statuses))[0]

    async def probe(
        self, *, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG, status: Status | None = None
    ) -> bool:
        """Waits until a message is there that a receive would get, and leaves it there. Returns True."""
        return _found(await make(PROBE, self._source_of(source), _any_tag_of(tag), 1), status)

    async def iprobe(
        self, *, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG, status: Status | None = None
    ) -> bool:
        """Whether a message is there that a receive would get."""
        return _found(await make(PROBE, self._source_of(source), _any_tag_of(tag), 0), status)

    async def mprobe(
        self, *, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG, status: Status | None = None
    ) -> Message:
        """Waits for a message and takes it, so that no other receive gets it."""
        outcome = await make(MPROBE, self._source_of(source), _any_tag_of(tag), 1)
        _found(outcome, status)
        return Message(self._process, outcome.handle)

    async def improbe(
        self,
        *,
        source: SupportsIndex = ANY_SOURCE,
        tag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> Message | None:
        """Takes a message if one is there, so that no other receive gets it."""
        outcome = await make(MPROBE, self._source_of(source), _any_tag_of(tag), 0)
        return Message(self._process, outcome.handle) if _found(outcome, status) else None

    async def wait(self, request: Request, status: Status | None = None) -> Any:  # noqa: ANN401
        """Waits until a request has ended; returns what it has received, None for a send."""
        return await self._checked([request])[0].wait(status)

    async def test(self, request: Request, status: Status | None = None) -> tuple[bool, Any]:
        """Whether a request has ended, and what it has received."""
        return await self._checked([request])[0].test(status)

    async def waitall(self, requests: Sequence[Request], statuses: Sequence[Status] | None = None) -> list[Any]:
        """Waits until all requests have ended; returns what each has received, None for a send."""
        listed = self._checked(requests)
        for first, count in ranges(self._process, listed):
            await make(WAITALL, first, count)
        return _collected(listed, statuses)

    async def waitany(self, requests: Sequence[Request], status: Status | None = None) -> tuple[int, Any]:
        """Waits until a request has ended: its index and what it has received; UNDEFINED if none is active."""
        listed = self._checked(requests)
        await wait_any(listed)
        index = next((index for index, one in enumerate(listed) if one.ended is not None), None)
        return (UNDEFINED, None) if index is None else (index, listed[index].collect(status))

    async def waitsome(
        self,
        requests: Sequence[Request],
        statuses: Sequence[Status] | None = None,
    ) -> tuple[list[int], list[Any]]:
        """Waits until some requests have ended: their indices, and what each has received; none if none is active."""
        listed = self._checked(requests)
        await wait_some(listed)
        indices = [index for index, one in enumerate(listed) if one.ended is not None]
        return indices, _collected([listed[index] for index in indices], statuses)

    async def testall(
        self,
        requests: Sequence[Request],
        statuses: Sequence[Status] | None = None,
    ) -> tuple[bool, list[Any] | None]:
        """Whether all requests have ended, and what each has received."""
        listed = self._checked(requests)
        has_ended = await test_all(self._process, listed)
        return (True, _collected(listed, statuses)) if has_ended else (False, None)

    async def barrier(self) -> None:
        """Waits until all ranks have called it."""
        _, number = self._enter("barrier()")
        await make(BARRIER)
        self._process.world.collectives.leave(self._context, number, self.size, packed(0))

    async def bcast(self, obj: object = None, *, root: SupportsIndex = 0) -> Any:  # noqa: ANN401
        """Returns the object of the root at all ranks; a plain int is a count of bytes.

        As in mpi4py the other ranks do not know its length: a broadcast of 8 bytes tells it, before that of the data.
        """
        source = self._rank_of(root, "root")
        collective, number = self._enter(f"bcast(root={source})")
        if self.rank == source:
            collective.result = packed(obj)
        await make(BCAST, source, LENGTH_BYTES)
        payload = collective.result
        if payload is None:
            raise RuntimeError("a broadcast has ended without its root: this is a bug of torusim")
        await make(BCAST, source, payload.size_bytes)
        return self._process.world.collectives.leave(self._context, number, self.size, payload)

    async def allreduce(self, sendobj: object, op: Reduction = SUM) -> Any:  # noqa: ANN401
        """Combines the objects of all ranks, in the order of ranks; returns the result at all of them.

        A plain number is a value here, and 8 bytes long. Combining takes no time, whatever it does.
        """
        collective, number = self._enter("allreduce(…)")
        operand = packed_operand(sendobj)
        collective.parts[self.rank] = operand
        await make(ALLREDUCE, operand.size_bytes)
        return self._process.world.collectives.leave(self._context, number, self.size, collective.reduced(op))

    async def Abort(self, errorcode: int = 1) -> NoReturn:  # noqa: N802
        """Ends the run, with the outcome "aborted"."""
        await make(ABORT, operator.index(errorcode))
        raise RuntimeError("a rank goes on after Abort: this is a bug of torusim")

    Barrier = barrier

    def _outgoing(self, obj: object) -> int:
        """Leaves the payload of the call that follows; returns its size in bytes."""
        payload = packed(obj)
        self._process.outbox.send(payload)
        return payload.size_bytes

    def _enter(self, call: str) -> tuple[Collective, int]:
        """The collective of the call that follows, and its number."""
        number = self._collective_calls
        self._collective_calls += 1
        return self._process.world.collectives.enter(self._context, number, call), number

    def _checked(self, requests: Sequence[Request]) -> list[Request]:
        return checked(requests, self._process)

    def _rank_of(self, value: SupportsIndex, name: str) -> int:
        if type(value) is int and 0 <= value < self.size:
            return value
        return _in_range(value, name, self.size - 1, "is a rank")

    def _source_of(self, value: SupportsIndex) -> int:
        return ANY_SOURCE if type(value) is int and value == ANY_SOURCE else self._rank_of(value, "source")


def _tag_of(value: SupportsIndex) -> int:
    if type(value) is int and 0 <= value <= TAG_LIMIT:
        return value
    return _in_range(value, "tag", TAG_LIMIT, "is an integer")


def _any_tag_of(value: SupportsIndex) -> int:
    return ANY_TAG if type(value) is int and value == ANY_TAG else _tag_of(value)


def _in_range(value: SupportsIndex, name: str, most: int, meaning: str) -> int:
    """An integer, of NumPy for example, from 0 to `most`."""
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)}: {name} {meaning} from 0 to {most}") from None
    if not 0 <= index <= most:
        raise ValueError(f"{name}={index}: {name} {meaning} from 0 to {most}")
    return index


def _found(outcome: Outcome, status: Status | None) -> bool:
    fill(status, outcome.source, outcome.tag, outcome.bytes)
    return outcome.flag == 1


def _collected(requests: Sequence[Request], statuses: Sequence[Status] | None) -> list[Any]:
    if statuses is None:
        return [one.collect() for one in requests]
    if len(statuses) < len(requests):
        raise ValueError(f"statuses: {len(statuses)} for {len(requests)} requests")
    return [one.collect(status) for one, status in zip(requests, statuses, strict=False)]
