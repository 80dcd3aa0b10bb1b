"""Requests of operations that do not block, and the calls that wait for them or test them.

Each wait or test is one call of the simulator. The exception is a wait for any or some requests among which one stands
for several operations (`JointRequest`): it is repeated until all operations of a request have ended.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol

from torusim.common.formatting import shown
from torusim.programs import records
from torusim.programs.buffers import Buffer, region_of
from torusim.programs.buffers import fill as fill_region
from torusim.programs.payload import Payload
from torusim.programs.process import Process
from torusim.programs.records import Ended, make
from torusim.programs.regions import Region
from torusim.programs.status import ANY_TAG, PROC_NULL, UNDEFINED, Status, fill

FROM_NO_RANK: Ended = (-1, PROC_NULL, ANY_TAG, 0, -1, 0)
"""The completion record of a transfer to or from PROC_NULL."""


class Endpoint(Protocol):
    """The part of a communicator that a request uses."""

    @property
    def process(self) -> Process:
        """The rank that has the request."""

    def payload_from(self, source: int, sequence: int) -> Payload:
        """The payload of a message that the rank has received on the communicator."""


async def wait_all(
    requests: Sequence["Request"], statuses: Sequence[Status] | None = None, process: Process | None = None
) -> list[Any]:
    """Waits until all requests are complete; returns the received objects, None for a send."""
    listed = checked(requests, process)
    await make(records.WAITALL, *numbered(_pending(listed)))
    return _collected(listed, statuses)


async def wait_any(requests: Sequence["Request"], status: Status | None = None) -> tuple[int, Any]:
    """Waits until a request is complete; returns its index and the received object, or UNDEFINED if none is active."""
    listed = checked(requests)
    await _wait_for_some(listed, records.WAITANY)
    index = _first_ended(listed)
    return (UNDEFINED, None) if index is None else (index, listed[index].collect(status))


async def wait_some(
    requests: Sequence["Request"], statuses: Sequence[Status] | None = None
) -> tuple[list[int], list[Any]]:
    """Waits until some requests are complete; returns their indices and objects, empty lists if none is active."""
    listed = checked(requests)
    await _wait_for_some(listed, records.WAITSOME)
    indices = [index for index, one in enumerate(listed) if one.has_ended]
    return indices, _collected([listed[index] for index in indices], statuses)


async def poll_all(
    requests: Sequence["Request"], statuses: Sequence[Status] | None = None
) -> tuple[bool, list[Any] | None]:
    """Whether all requests are complete, and if so, the received objects."""
    listed = checked(requests)
    return (True, _collected(listed, statuses)) if await _have_ended(listed) else (False, None)


async def poll_any(requests: Sequence["Request"], status: Status | None = None) -> tuple[int, bool, Any]:
    """The index of a complete request or UNDEFINED; whether one is complete or none is active; the received object."""
    listed = checked(requests)
    is_any_active = any(one.is_active for one in listed)
    await make(records.TESTANY, *numbered(_pending_unless_ended(listed)))
    index = _first_ended(listed)
    return (UNDEFINED, not is_any_active, None) if index is None else (index, True, listed[index].collect(status))


async def poll_some(
    requests: Sequence["Request"], statuses: Sequence[Status] | None = None
) -> tuple[list[int] | None, list[Any] | None]:
    """The indices of the complete requests, and the received objects; None and None if no request is active."""
    listed = checked(requests)
    is_any_active = any(one.is_active for one in listed)
    await make(records.TESTSOME, *numbered(_pending(listed)))
    if not is_any_active:
        return None, None
    indices = [index for index, one in enumerate(listed) if one.has_ended]
    return indices, _collected([listed[index] for index in indices], statuses)


class Request:
    """An operation in progress, such as a send from `isend`. It is active until a wait or a test has completed it.

    Attributes:
        process: The rank that has the request.
        number: The request's number while the simulator has it in progress, then -1.
        ended: The completion that the simulator has reported, until a wait or a test reports it to the program.
    """

    __slots__ = ("_endpoint", "_region", "ended", "number", "process")

    is_persistent: ClassVar[bool] = False

    def __init__(self, endpoint: Endpoint, ended: Ended | None = None, region: Region | None = None) -> None:
        """Creates the request of the next call, or, with `ended`, one that is complete; a receive may fill a region."""
        self._endpoint = endpoint
        self._region = region
        self.process = process = endpoint.process
        self.ended = ended
        self.number = process.begin(self) if ended is None else -1

    @property
    def is_active(self) -> bool:
        """Whether a wait or a test still has to complete the request."""
        return self.number >= 0 or self.ended is not None

    @property
    def has_ended(self) -> bool:
        """Whether the operation is complete, and no wait or test has reported this to the program yet."""
        return self.ended is not None

    def pending(self) -> Sequence[int]:
        """The numbers that the simulator has in progress."""
        return (self.number,) if self.number >= 0 else ()

    def end(self, ended: Ended) -> None:
        """Notes that the operation is complete."""
        self.number, self.ended = -1, ended

    def collect(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """The received object; None for a send, a cancelled receive, or a request that is not active."""
        ended, self.ended = self.ended, None
        if ended is None:
            fill(status, -1, -1, 0)
            return None
        _, source, tag, size_bytes, sequence, cancelled = ended
        if status is not None:
            fill(status, source, tag, size_bytes, is_cancelled=cancelled == 1)
        if source < 0:
            return None
        return delivered(self._endpoint.payload_from(source, sequence), self._region, "buf")

    async def wait(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """Waits until the request is complete; returns the received object, None for a send."""
        self.process.require_own("a request")
        await (make(records.WAITALL, 0, 0) if self.number < 0 else make(records.WAITALL, self.number, 1))
        return self.collect(status)

    async def test(self, status: Status | None = None) -> tuple[bool, Any]:
        """Whether the request is complete, and the received object."""
        self.process.require_own("a request")
        return (True, self.collect(status)) if await _have_ended([self]) else (False, None)

    async def cancel(self) -> None:
        """Cancels an unmatched receive, which a wait or a test must still complete. Other operations complete."""
        self.process.require_own("a request")
        if self.number >= 0:
            await make(records.CANCEL, self.number)

    async def free(self) -> None:
        """Frees the request: its operation completes, and its result is lost."""
        number, self.number = self.number, -1
        if self.ended is not None:
            self.collect()
        if number >= 0:
            self.process.requests[number] = Freed(self)
            await make(records.FREE, number)

    Wait, Test, Cancel, Free = wait, test, cancel, free
    waitall = Waitall = staticmethod(wait_all)
    waitany = Waitany = staticmethod(wait_any)
    waitsome = Waitsome = staticmethod(wait_some)
    testall = Testall = staticmethod(poll_all)
    testany = Testany = staticmethod(poll_any)
    testsome = Testsome = staticmethod(poll_some)


class SendRequest(Request):
    """A send in progress."""

    __slots__ = ()

    async def cancel(self) -> None:
        """Warns that a send is not cancelled and completes, as MPI 4 advises and Open MPI does."""
        self.process.world.notices.send_cancelled(self.process.rank)
        await super().cancel()

    Cancel = cancel


class JointRequest(Request):
    """One request for several operations in progress; it is complete when all of them are."""

    __slots__ = ("_parts",)

    def __init__(self, endpoint: Endpoint, parts: Sequence[Request]) -> None:
        """Creates one request of several others."""
        self._endpoint, self.process = endpoint, endpoint.process
        self.number, self.ended = -1, None
        self._parts = parts

    @property
    def is_active(self) -> bool:
        """Whether a wait or a test still has to complete the request."""
        return bool(self._parts)

    @property
    def has_ended(self) -> bool:
        """Whether all operations are complete."""
        return bool(self._parts) and not self.pending()

    def pending(self) -> Sequence[int]:
        """The numbers that the simulator has in progress."""
        return [number for part in self._parts for number in part.pending()]

    def collect(self, status: Status | None = None) -> None:
        """Collects the results of all operations, which fill regions."""
        parts, self._parts = self._parts, ()
        if not parts:
            fill(status, -1, -1, 0)
        for part in parts:
            part.collect(status)

    async def wait(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """Waits until all operations are complete."""
        return (await wait_all([self], None if status is None else [status]))[0]

    async def cancel(self) -> None:
        """Refuses: operations are cancelled one by one.

        Raises:
            ValueError: Always.
        """
        raise ValueError("a request of several operations cannot be cancelled")

    async def free(self) -> None:
        """Frees the requests of all operations."""
        parts, self._parts = self._parts, ()
        for part in parts:
            await part.free()

    Wait, Cancel, Free = wait, cancel, free


class Freed:
    """Stands for a request that the program has freed, and takes the payload, which is no longer needed."""

    is_persistent: ClassVar[bool] = False

    def __init__(self, request: Request) -> None:
        """Stands for this request."""
        self._request = request

    def end(self, ended: Ended) -> None:
        """Notes that the operation is complete, and drops its payload."""
        self._request.ended = ended
        self._request.collect()


class Message:
    """A message that `mprobe` or `improbe` has removed from matching; it can be received once."""

    __slots__ = ("_endpoint", "_handle")

    def __init__(self, endpoint: Endpoint, handle: int) -> None:
        """Creates the message with this handle."""
        self._endpoint = endpoint
        self._handle: int | None = handle

    async def recv(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """Receives the message, and returns its object."""
        outcome = await make(records.MRECV, self._take_handle())
        fill(status, outcome.source, outcome.tag, outcome.bytes)
        return self._endpoint.payload_from(outcome.source, outcome.sequence).unpacked()

    async def irecv(self) -> Request:
        """Receives the message, and returns a request, which is complete."""
        return await self._irecv(Request(self._endpoint))

    async def Recv(self, buf: Buffer, status: Status | None = None) -> None:  # noqa: N802
        """Receives the message into a buffer."""
        region = region_of(buf, "buf")
        outcome = await make(records.MRECV, self._take_handle())
        fill(status, outcome.source, outcome.tag, outcome.bytes)
        fill_region(region, self._endpoint.payload_from(outcome.source, outcome.sequence), "buf")

    async def Irecv(self, buf: Buffer) -> Request:  # noqa: N802
        """Receives the message into a buffer, and returns a request."""
        return await self._irecv(Request(self._endpoint, region=region_of(buf, "buf")))

    async def _irecv(self, request: Request) -> Request:
        await make(records.IMRECV, self._take_handle(), request.number)
        return request

    def _take_handle(self) -> int:
        if self._handle is None:
            raise ValueError("this message has been received")
        handle, self._handle = self._handle, None
        return handle


def delivered(payload: Payload, region: Region | None, name: str) -> Any:  # noqa: ANN401
    """The received object; or None, once its data are in the region that the program has passed as `name`."""
    if region is None:
        return payload.unpacked()
    fill_region(region, payload, name)
    return None


def checked(requests: Iterable[Request], process: Process | None = None) -> list[Request]:
    """The requests as a list.

    Raises:
        TypeError: If an item is no request.
        ValueError: If a request belongs to another rank than `process`, or than the first one does.
    """
    listed = list(requests)
    if listed and isinstance(listed[0], Request):
        listed[0].process.require_own("a request")
        process = process or listed[0].process
    for request in listed:
        if not isinstance(request, Request) or request.process is not process:
            check(request, process)
    return listed


def check(request: Request, process: Process | None) -> None:
    """Refuses an argument that is no request of this rank.

    Raises:
        TypeError: If the argument is no request.
        ValueError: If the request belongs to another rank than `process`.
    """
    if not isinstance(request, Request):
        raise TypeError(f"a request, as isend and irecv return it when they are awaited, not {shown(request)}")
    if process is not None and request.process is not process:
        raise ValueError(f"a request of rank {request.process.rank} is not one of rank {process.rank}")


def numbered(numbers: Sequence[int]) -> tuple[int, ...]:
    """Ascending numbers of requests, as a call takes them.

    These are the first number and how many there are, if they are consecutive. Otherwise this count is negative, and
    the other numbers follow.
    """
    if not numbers:
        return 0, 0
    if numbers[-1] - numbers[0] + 1 == len(numbers):
        return numbers[0], len(numbers)
    return numbers[0], -len(numbers), *numbers[1:]


async def _wait_for_some(requests: Sequence[Request], call: int) -> None:
    await make(call, *numbered(_pending_unless_ended(requests)))
    while _first_ended(requests) is None and (left := _pending(requests)):
        await make(call, *numbered(left))


def _first_ended(requests: Sequence[Request]) -> int | None:
    """The index of the first complete request."""
    return next((index for index, one in enumerate(requests) if one.has_ended), None)


async def _have_ended(requests: Sequence[Request]) -> bool:
    outcome = await make(records.TEST, *numbered(_pending(requests)))
    return outcome.flag == 1


def _collected(requests: Sequence[Request], statuses: Sequence[Status] | None) -> list[Any]:
    if statuses is None:
        return [one.collect() for one in requests]
    if len(statuses) < len(requests):
        raise ValueError(f"statuses: {len(statuses)} for {len(requests)} requests")
    return [one.collect(status) for one, status in zip(requests, statuses, strict=False)]


def _pending_unless_ended(requests: Sequence[Request]) -> list[int]:
    """The numbers of the requests in progress; none if a request has ended, so that a call returns at once."""
    return [] if _first_ended(requests) is not None else _pending(requests)


def _pending(requests: Sequence[Request]) -> list[int]:
    """The numbers that the simulator has in progress, ascending."""
    numbers = {request.number for request in requests}
    if -1 in numbers:  # of a complete request, or of one for several operations
        numbers = {number for request in requests for number in request.pending()}
    return sorted(numbers)
