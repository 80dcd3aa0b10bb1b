"""Requests of operations that do not block, and what waits for them or tests them.

The simulator's waits and tests are for a range of request numbers. A wait or test for all requests makes one call for
each range that has no other request of the rank between its numbers (`ranges`): usually one. A wait for any or some
makes one for the whole range; a request between that has ended with it is kept for its own wait.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from torusim.formatting import shown
from torusim.programs.process import Process
from torusim.programs.records import CANCEL, IMRECV, MRECV, TEST, WAITALL, WAITANY, WAITSOME, Ended, make
from torusim.programs.status import Status, fill

UNDEFINED = -32766
"""The index with which `waitany` ends if no request is active; the value is MPICH's."""


class Request:
    """A send or a receive in progress, from `isend` or `irecv`. It is active until a wait or a test has ended it.

    Attributes:
        process: The rank that has it.
        number: Its number while the simulator has it in progress, then -1.
        ended: What the simulator has told of its end, until a wait or a test tells its program.
    """

    __slots__ = ("ended", "number", "process")

    def __init__(self, process: Process) -> None:
        """The request of a call that follows."""
        self.process = process
        self.number = process.begin(self)
        self.ended: Ended | None = None

    def end(self, ended: Ended) -> None:
        """The simulator tells that it has ended."""
        self.number, self.ended = -1, ended

    def collect(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """What it has received; None for a send, a cancelled receive, or a request that is not active."""
        ended, self.ended = self.ended, None
        if ended is None:
            fill(status, -1, -1, 0)
            return None
        if status is not None:
            fill(status, ended.source, ended.tag, ended.bytes, is_cancelled=ended.cancelled == 1)
        return None if ended.source < 0 else self.process.take(ended.source, ended.number)

    async def wait(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """Waits until it has ended; returns what it has received, None for a send."""
        await (make(WAITALL) if self.number < 0 else make(WAITALL, self.number, 1))
        return self.collect(status)

    async def test(self, status: Status | None = None) -> tuple[bool, Any]:
        """Whether it has ended, and what it has received."""
        return (True, self.collect(status)) if await test_all(self.process, [self]) else (False, None)

    async def cancel(self) -> None:
        """Withdraws a receive that has not matched; a wait or a test must still end it. Other operations complete."""
        if self.number >= 0:
            await make(CANCEL, self.number)

    Wait, Test, Cancel = wait, test, cancel


class Message:
    """A message that `mprobe` or `improbe` has taken out of matching: it is received once."""

    __slots__ = ("_handle", "_process")

    def __init__(self, process: Process, handle: int) -> None:
        """The message with this handle."""
        self._process = process
        self._handle: int | None = handle

    async def recv(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """Receives it."""
        outcome = await make(MRECV, self._take_handle())
        fill(status, outcome.source, outcome.tag, outcome.bytes)
        return self._process.take(outcome.source, outcome.number)

    async def irecv(self) -> Request:
        """Receives it by a request, which is complete."""
        handle = self._take_handle()
        request = Request(self._process)
        await make(IMRECV, handle, request.number)
        return request

    def _take_handle(self) -> int:
        if self._handle is None:
            raise ValueError("this message has been received")
        handle, self._handle = self._handle, None
        return handle


async def wait_any(requests: Sequence[Request]) -> None:
    """Waits until one of these requests has ended, unless none is active."""
    await _wait_for_some(requests, WAITANY)


async def wait_some(requests: Sequence[Request]) -> None:
    """Waits until one or more of these requests have ended, unless none is active."""
    await _wait_for_some(requests, WAITSOME)


async def test_all(process: Process, requests: Sequence[Request]) -> bool:
    """Whether all of these requests have ended."""
    for first, count in ranges(process, requests):
        outcome = await make(TEST, first, count)
        if not outcome.flag:
            return False
    return True


def checked(requests: Sequence[Request], process: Process) -> list[Request]:
    """The requests as a list.

    Raises:
        TypeError: If something else is among them.
        ValueError: If one is of another rank.
    """
    listed = list(requests)
    for request in listed:
        if not isinstance(request, Request):
            raise TypeError(f"a request, as isend and irecv return it when they are awaited, not {shown(request)}")
        if request.process is not process:
            raise ValueError(f"a request of rank {request.process.rank} is not one of rank {process.rank}")
    return listed


def ranges(process: Process, requests: Sequence[Request]) -> list[tuple[int, int]]:
    """The ranges (first, count) of their numbers, with no other request between; an empty one if none is pending."""
    numbers = _pending(requests)
    if not numbers:
        return [(0, 0)]
    if numbers[-1] - numbers[0] + 1 == len(numbers):
        return [(numbers[0], len(numbers))]
    starts = [numbers[0]]
    ends = []
    for last, number in pairwise(numbers):
        if any(between in process.requests for between in range(last + 1, number)):
            ends.append(last)
            starts.append(number)
    return [(first, last - first + 1) for first, last in zip(starts, [*ends, numbers[-1]], strict=True)]


async def _wait_for_some(requests: Sequence[Request], call: int) -> None:
    numbers = _pending(requests)
    if not numbers or any(request.ended is not None for request in requests):
        await make(call, 0, 0)
        return
    while not any(request.ended is not None for request in requests):
        await make(call, numbers[0], numbers[-1] - numbers[0] + 1)


def _pending(requests: Sequence[Request]) -> list[int]:
    return sorted({request.number for request in requests if request.number >= 0})
