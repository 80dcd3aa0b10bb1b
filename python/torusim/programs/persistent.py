"""Persistent requests: a send or a receive that is made once and started again and again."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar

from torusim.common.formatting import shown
from torusim.programs.records import FREE, START, Ended, make
from torusim.programs.regions import Region
from torusim.programs.request import Endpoint, Request, numbered


class PersistentRequest(Request):
    """A persistent request. It is active from its start until a wait or a test has completed it.

    Attributes:
        reserved: The request's number, active or not; -1 for a transfer to or from PROC_NULL, and after it has been
            freed.
        before_start: Stores the payload when a send is started.
    """

    __slots__ = ("_ended_at_start", "before_start", "reserved")

    is_persistent: ClassVar[bool] = True
    is_collective: ClassVar[bool] = False

    def __init__(self, endpoint: Endpoint, ended_at_start: Ended | None = None, region: Region | None = None) -> None:
        """Creates the request of the next call, or, with `ended_at_start`, one that completes when it starts."""
        self._endpoint = endpoint
        self._region = region
        self._ended_at_start = ended_at_start
        self.process = endpoint.process
        self.number, self.ended = -1, None
        self.before_start: Callable[[], None] | None = None
        self.reserved = self.process.reserve() if ended_at_start is None else -1

    def start(self) -> Coroutine[Any, Any, None]:
        """Starts the operation."""
        return start_all([self])

    async def free(self) -> None:
        """Frees the request: an operation in progress completes."""
        reserved, self.reserved = self.reserved, -1
        self._ended_at_start = None
        if self.number >= 0:
            await super().free()
        elif reserved >= 0:
            await make(FREE, reserved)
            self.process.release(reserved)

    def begin(self) -> None:
        """Prepares a start."""
        self.number, self.ended = self.reserved, self._ended_at_start
        if self.before_start is not None:
            self.before_start()
        if self.number >= 0:
            self.process.requests[self.number] = self

    async def make_call(self) -> None:
        """Starts a collective."""

    def check_start(self) -> None:
        """Refuses a start that is not allowed.

        Raises:
            ValueError: If the request is active, or has been freed.
        """
        if self.number >= 0 or self.ended is not None:
            raise ValueError("a persistent request is active: a wait or a test must complete it before it starts again")
        if self.reserved < 0 and self._ended_at_start is None:
            raise ValueError("a persistent request has been freed: it cannot start again")

    Start, Free = start, free


async def start_all(requests: Sequence[PersistentRequest]) -> None:
    """Starts persistent requests that are not active, in the order in which they were made.

    Raises:
        TypeError: If a request is not persistent.
        ValueError: If a request is active, has been freed or occurs twice.
    """
    for request in requests:
        if not isinstance(request, PersistentRequest):
            raise TypeError(f"only persistent requests, as from send_init, are started, not {shown(request)}")
        request.check_start()
    if len({id(request) for request in requests}) < len(requests):
        raise ValueError("requests: one is started twice")
    listed = sorted(requests, key=lambda request: request.reserved)
    for request in listed:
        request.begin()
    collectives = [request for request in listed if request.is_collective]
    transfers = [request.reserved for request in listed if request.reserved >= 0 and not request.is_collective]
    if transfers or not collectives:
        await make(START, *numbered(transfers))
    for request in collectives:
        await request.make_call()
