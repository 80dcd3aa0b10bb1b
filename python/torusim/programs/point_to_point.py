"""Calls of a rank with one other rank of its communicator: sends, receives, probes and waits."""

import operator
from collections.abc import Coroutine, Sequence
from typing import Any, SupportsIndex, TypeAlias, TypeVar

import numpy as np

from torusim.common.formatting import shown
from torusim.programs import records
from torusim.programs.arguments import TAG_LIMIT, any_tag_of, in_range, tag_of
from torusim.programs.group import Group
from torusim.programs.payload import MESSAGE_BYTES_LIMIT, Payload, packed
from torusim.programs.persistent import PersistentRequest, start_all
from torusim.programs.process import Process
from torusim.programs.records import Call, Outcome, make
from torusim.programs.regions import Region
from torusim.programs.request import (
    FROM_NO_RANK,
    Message,
    Request,
    SendRequest,
    check,
    checked,
    delivered,
    poll_all,
    poll_any,
    poll_some,
    wait_all,
    wait_any,
    wait_some,
)
from torusim.programs.status import ANY_SOURCE, ANY_TAG, PROC_NULL, Status, fill

Returned = TypeVar("Returned")
Operation: TypeAlias = Coroutine[Any, Any, Returned]
"""An operation that a program awaits."""

FREED = -(1 << 31)
"""The `size` of a communicator that has been freed. Neither a rank nor `ANY_SOURCE` is below it, so all are refused."""

NO_CALL: Call = (records.WAITALL, 0, 0)
"""A call that takes the time of a call and does nothing. It stands for a transfer to or from `PROC_NULL`."""


class PointToPoint:
    """A communicator as one of its ranks sees it: the calls that involve one other rank.

    The receiver gets an object that equals the one sent. An object is an array (its message has `nbytes` bytes), bytes,
    or anything else that pickle can copy (its message is as long as its pickle). It is copied when it is sent.
    `torusim.Bytes(n)` is n bytes without data.

    Attributes:
        rank: The number of this rank in the communicator.
        size: The number of ranks. Negative when the communicator has been freed.
        process: The process that runs this rank. `process.rank` is the number of the rank in the whole program.
    """

    __slots__ = ("_context", "_group", "_number", "_outboxes", "_own", "_places", "_world", "process", "rank", "size")

    def __init__(self, process: Process, group: Group, number: int, context: int) -> None:
        """Creates the communicator. `number` identifies it at this rank, and `context` at all of its ranks."""
        self.process = process
        self._world = process.world
        self._own = process.rank
        self._group = group
        self._places = group.places
        self._outboxes = process.world.outboxes
        self._number = number
        self._context = context
        self.rank = group.ranks[process.rank]
        self.size = group.size

    @property
    def number(self) -> int:
        """The number of the communicator at this rank."""
        return self._number

    def Get_rank(self) -> int:  # noqa: N802
        """The number of this rank."""
        return self.rank

    def Get_size(self) -> int:  # noqa: N802
        """The number of ranks."""
        return self.size

    def send(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:
        """Sends an object, and waits until the last packet of its message has been written."""
        return self._send(obj, dest, tag, records.STANDARD)

    def ssend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:
        """Sends an object. Waits until the last packet has been written, and a receive has matched the message."""
        return self._send(obj, dest, tag, records.SYNCHRONOUS)

    def bsend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:
        """Sends an object, and waits only until it has been copied. The buffer is never full."""
        return self._send(obj, dest, tag, records.BUFFERED)

    def rsend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:
        """Sends an object as `send` does. It is an error if the message arrives before its receive has been posted."""
        return self._send(obj, dest, tag, records.READY)

    def isend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:
        """Starts to send an object. The request completes when the last packet of its message has been written."""
        return self._isend(obj, dest, tag, records.STANDARD)

    def issend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:
        """Starts to send an object. The request completes when `ssend` would return."""
        return self._isend(obj, dest, tag, records.SYNCHRONOUS)

    def ibsend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:
        """Starts to send an object. The request completes when the object has been copied."""
        return self._isend(obj, dest, tag, records.BUFFERED)

    def irsend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:
        """Starts a send as `isend` does. It is an error if the message arrives before its receive has been posted."""
        return self._isend(obj, dest, tag, records.READY)

    def recv(
        self,
        buf: object = None,
        source: SupportsIndex = ANY_SOURCE,
        tag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> Operation[Any]:
        """Waits for a message, and returns its object. Returns None if `source` is `PROC_NULL`.

        `buf` exists because mpi4py has it. It has no effect.
        """
        _refuse_buffer(buf, "buf")
        return self._recv(None, source, tag, status)

    def irecv(
        self, buf: object = None, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG
    ) -> Operation[Request]:
        """Starts a receive. The `wait` or `test` of the request returns the object.

        `buf` exists because mpi4py has it. It has no effect.
        """
        _refuse_buffer(buf, "buf")
        return self.receive_into(None, source, tag)

    def sendrecv(
        self,
        sendobj: object,
        dest: SupportsIndex,
        sendtag: SupportsIndex = 0,
        recvbuf: object = None,
        source: SupportsIndex = ANY_SOURCE,
        recvtag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> Operation[Any]:
        """Posts a receive, sends an object, and waits for both. Returns the received object."""
        _refuse_buffer(recvbuf, "recvbuf")
        return self._sendrecv(None, sendobj, dest, sendtag, source, recvtag, status)

    def send_init(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[PersistentRequest]:
        """A persistent request. Each start sends the object as it is then; its length must not change."""
        return self._send_init(obj, dest, tag, records.STANDARD)

    def ssend_init(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[PersistentRequest]:
        """A persistent request that sends as `issend` does. Otherwise it is like that of `send_init`."""
        return self._send_init(obj, dest, tag, records.SYNCHRONOUS)

    def bsend_init(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[PersistentRequest]:
        """A persistent request that sends as `ibsend` does. Otherwise it is like that of `send_init`."""
        return self._send_init(obj, dest, tag, records.BUFFERED)

    def rsend_init(self, obj: object, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[PersistentRequest]:
        """A persistent request that sends as `irsend` does. Otherwise it is like that of `send_init`."""
        return self._send_init(obj, dest, tag, records.READY)

    def recv_init(
        self, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG
    ) -> Operation[PersistentRequest]:
        """A persistent request that receives an object after each start."""
        return self._recv_init(None, source, tag)

    async def startall(self, requests: Sequence[PersistentRequest]) -> None:
        """Starts persistent requests that are not active."""
        checked(requests, self.process)
        await start_all(requests)

    async def probe(
        self, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG, status: Status | None = None
    ) -> bool:
        """Waits until a message that a receive would get has arrived, but does not receive it. Returns True."""
        return _found(await self._probe(source, tag, takes=False, blocks=True), status)

    async def iprobe(
        self, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG, status: Status | None = None
    ) -> bool:
        """Whether a message that a receive would get has arrived."""
        return _found(await self._probe(source, tag, takes=False, blocks=False), status)

    async def mprobe(
        self, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG, status: Status | None = None
    ) -> Message:
        """Waits for a message and takes it, so that no other receive gets it."""
        outcome = await self._probe(source, tag, takes=True, blocks=True)
        _found(outcome, status)
        return Message(self, outcome.handle)

    async def improbe(
        self, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG, status: Status | None = None
    ) -> Message | None:
        """Takes a message if one has arrived, so that no other receive gets it. Returns None if none has."""
        outcome = await self._probe(source, tag, takes=True, blocks=False)
        return Message(self, outcome.handle) if _found(outcome, status) else None

    def wait(self, request: Request, status: Status | None = None) -> Operation[Any]:
        """Waits until a request has completed. Returns the received object, or None for a send."""
        check(request, self.process)
        return request.wait(status)

    def test(self, request: Request, status: Status | None = None) -> Operation[tuple[bool, Any]]:
        """Whether a request has completed, and the received object."""
        check(request, self.process)
        return request.test(status)

    def waitall(self, requests: Sequence[Request], statuses: Sequence[Status] | None = None) -> Operation[list[Any]]:
        """Waits until all requests have completed. Returns the received objects, with None for each send."""
        return wait_all(requests, statuses, self.process)

    def waitany(self, requests: Sequence[Request], status: Status | None = None) -> Operation[tuple[int, Any]]:
        """Waits until a request has completed. Returns its index and object; `UNDEFINED` and None if none is active."""
        return wait_any(checked(requests, self.process), status)

    def waitsome(
        self, requests: Sequence[Request], statuses: Sequence[Status] | None = None
    ) -> Operation[tuple[list[int], list[Any]]]:
        """Waits until some request has completed. Returns the indices of all that have, and the received objects.

        Both lists are empty if no request is active.
        """
        return wait_some(checked(requests, self.process), statuses)

    def testall(
        self, requests: Sequence[Request], statuses: Sequence[Status] | None = None
    ) -> Operation[tuple[bool, list[Any] | None]]:
        """Whether all requests have completed, and the received objects if so."""
        return poll_all(checked(requests, self.process), statuses)

    def testany(self, requests: Sequence[Request], status: Status | None = None) -> Operation[tuple[int, bool, Any]]:
        """The index of a completed request, True, and its object.

        If there is none: `UNDEFINED`, whether no request is active, and None.
        """
        return poll_any(checked(requests, self.process), status)

    def testsome(
        self, requests: Sequence[Request], statuses: Sequence[Status] | None = None
    ) -> Operation[tuple[list[int] | None, list[Any] | None]]:
        """The indices of all completed requests, and their received objects. Both are None if no request is active."""
        return poll_some(checked(requests, self.process), statuses)

    def payload_from(self, source: int, sequence: int) -> Payload:
        """The payload of a message that the rank has received on this communicator."""
        return self._outboxes[self._places[source]].take(self._context, self._own, sequence)

    async def _send(self, obj: object, dest: SupportsIndex, tag: SupportsIndex, mode: int) -> None:
        target, label = self._address(dest, tag)
        payload = self._message(obj)
        if target == PROC_NULL:
            await make(*NO_CALL)
            return
        self.process.outbox.send(self._context, self._places[target], payload)
        await make(records.SEND, self._number, target, label, payload.size_bytes, mode, payload.blocks, records.BLOCKS)

    async def _isend(self, obj: object, dest: SupportsIndex, tag: SupportsIndex, mode: int) -> Request:
        target, label = self._address(dest, tag)
        payload = self._message(obj)
        if target == PROC_NULL:
            await make(*NO_CALL)
            return Request(self, FROM_NO_RANK)
        sending = SendRequest(self)
        self.process.outbox.send(self._context, self._places[target], payload)
        await make(records.SEND, self._number, target, label, payload.size_bytes, mode, payload.blocks, sending.number)
        return sending

    async def _recv(
        self, region: Region | None, source: SupportsIndex, tag: SupportsIndex, status: Status | None, name: str = "buf"
    ) -> Any:  # noqa: ANN401
        """Receives into `region`, which the program has passed as `name`; without one, returns the object."""
        sender, label = self._wanted(source, tag)
        if sender == PROC_NULL:
            await make(*NO_CALL)
            fill(status, PROC_NULL, ANY_TAG, 0)
            return None
        blocks = 1 if region is None else region.blocks
        outcome = await make(records.RECV, self._number, sender, label, blocks, records.BLOCKS)
        if status is not None:
            fill(status, outcome.source, outcome.tag, outcome.bytes)
        return delivered(self.payload_from(outcome.source, outcome.sequence), region, name)

    async def receive_into(self, region: Region | None, source: SupportsIndex, tag: SupportsIndex) -> Request:
        """Starts a receive into the blocks of `region`, or of an object if there is none."""
        sender, label = self._wanted(source, tag)
        if sender == PROC_NULL:
            await make(*NO_CALL)
            return Request(self, FROM_NO_RANK, region)
        receiving = Request(self, region=region)
        blocks = 1 if region is None else region.blocks
        await make(records.RECV, self._number, sender, label, blocks, receiving.number)
        return receiving

    async def _sendrecv(
        self,
        region: Region | None,
        sendobj: object,
        dest: SupportsIndex,
        sendtag: SupportsIndex,
        source: SupportsIndex,
        recvtag: SupportsIndex,
        status: Status | None,
    ) -> Any:  # noqa: ANN401
        target, label = self._address(dest, sendtag, "sendtag")
        sender, wanted = self._wanted(source, recvtag, "recvtag")
        if target == PROC_NULL:
            return await self._recv(region, sender, wanted, status, "recvbuf")
        if sender == PROC_NULL:
            await self._send(sendobj, target, label, records.STANDARD)
            fill(status, PROC_NULL, ANY_TAG, 0)
            return None
        payload = self._message(sendobj)
        blocks = 1 if region is None else region.blocks
        self.process.outbox.send(self._context, self._places[target], payload)
        sending = self._number, target, label, payload.size_bytes, records.STANDARD, payload.blocks
        outcome = await make(records.SENDRECV, *sending, self._number, sender, wanted, blocks)
        fill(status, outcome.source, outcome.tag, outcome.bytes)
        return delivered(self.payload_from(outcome.source, outcome.sequence), region, "recvbuf")

    async def _send_init(self, obj: object, dest: SupportsIndex, tag: SupportsIndex, mode: int) -> PersistentRequest:
        target, label = self._address(dest, tag)
        first = self._message(obj)

        def leave() -> None:
            payload = packed(obj)
            if payload.size_bytes != first.size_bytes:
                raise ValueError(
                    f"a persistent send of {first.size_bytes} bytes has an object of {payload.size_bytes} now"
                )
            self.process.outbox.send(self._context, self._places[target], payload)

        if target == PROC_NULL:
            await make(*NO_CALL)
            return PersistentRequest(self, FROM_NO_RANK)
        request = PersistentRequest(self)
        request.before_start = leave
        await make(
            records.SEND_INIT, self._number, target, label, first.size_bytes, mode, first.blocks, request.reserved
        )
        return request

    async def _recv_init(self, region: Region | None, source: SupportsIndex, tag: SupportsIndex) -> PersistentRequest:
        sender, label = self._wanted(source, tag)
        if sender == PROC_NULL:
            await make(*NO_CALL)
            return PersistentRequest(self, FROM_NO_RANK, region)
        request = PersistentRequest(self, region=region)
        blocks = 1 if region is None else region.blocks
        await make(records.RECV_INIT, self._number, sender, label, blocks, request.reserved)
        return request

    async def _probe(self, source: SupportsIndex, tag: SupportsIndex, *, takes: bool, blocks: bool) -> Outcome:
        sender, label = self._wanted(source, tag)
        if sender == PROC_NULL:
            raise ValueError(f"source={PROC_NULL}: a probe does not look for messages from PROC_NULL")
        return await make(records.PROBE, self._number, sender, label, takes, blocks)

    def _packed(self, obj: object) -> Payload:
        """The payload of an object that the program sends."""
        if type(obj) is int:
            self.process.world.notices.int_sent(self.process.rank, obj)
        return packed(obj)

    def _message(self, obj: object) -> Payload:
        """The payload of an object that the program sends in one message.

        Raises:
            ValueError: If the payload is longer than a message can be.
            Exception: From pickle, if the object cannot be pickled.
        """
        payload = self._packed(obj)
        if payload.size_bytes > MESSAGE_BYTES_LIMIT:
            raise ValueError(f"a message has from 0 to {MESSAGE_BYTES_LIMIT} bytes, not {payload.size_bytes}")
        return payload

    def _rank_of(self, value: SupportsIndex, name: str) -> int:
        self.process.require_own("a communicator")
        if type(value) is int and 0 <= value < self.size:
            return value
        self._refuse_if_freed()
        return in_range(value, name, 0, self.size - 1, "is a rank")

    def _address(self, dest: SupportsIndex, tag: SupportsIndex, name: str = "tag") -> tuple[int, int]:
        """The target and the tag of a send, checked."""
        if self._world.running is not self.process:
            self.process.require_own("a communicator")
        if type(dest) is int and type(tag) is int and 0 <= dest < self.size and 0 <= tag <= TAG_LIMIT:
            return dest, tag
        target = PROC_NULL if type(dest) is int and dest == PROC_NULL else self._rank_of(dest, "dest")
        return target, tag_of(tag, name)

    def _wanted(self, source: SupportsIndex, tag: SupportsIndex, name: str = "tag") -> tuple[int, int]:
        """The source and the tag of a receive, checked."""
        if self._world.running is not self.process:
            self.process.require_own("a communicator")
        if type(source) is int and type(tag) is int and PROC_NULL <= source < self.size and ANY_TAG <= tag <= TAG_LIMIT:
            return source, tag
        is_known = type(source) is int and PROC_NULL <= source < self.size
        sender = operator.index(source) if is_known else self._rank_of(source, "source")
        return sender, any_tag_of(tag, name)

    def _refuse_if_freed(self) -> None:
        if self.size == FREED:
            raise ValueError("this communicator has been freed")

    Probe, Iprobe, Mprobe, Improbe = probe, iprobe, mprobe, improbe
    Startall = startall


def refuse_info(info: object) -> None:
    """Refuses hints, because none is supported.

    Raises:
        TypeError: If a hint is given.
    """
    if info is not None:
        raise TypeError(f"info={shown(info)}: it must be None, because hints have no effect on the simulator")


def _refuse_buffer(buffer: object, name: str) -> None:
    """Refuses an argument that is not a buffer, such as a rank passed as the first argument.

    A buffer itself has no effect: objects are received without one.

    Raises:
        TypeError: If the argument is neither None nor a buffer.
    """
    if buffer is not None and not isinstance(buffer, bytearray | memoryview | np.ndarray):
        raise TypeError(
            f"{name}={shown(buffer)}: {name} is None or a buffer, as in mpi4py; the rank and the tag come after it"
        )


def _found(outcome: Outcome, status: Status | None) -> bool:
    fill(status, outcome.source, outcome.tag, outcome.bytes)
    return outcome.flag == 1
