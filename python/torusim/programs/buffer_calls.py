"""The calls with capital letters, as mpi4py has them: they send from NumPy arrays and receive into them.

Each makes one call of the library, whose lengths are those of the data. `buffers` defines a buffer. A collective is
written once, as a method that returns a `CollectiveCall`; `forms` makes its three calls, such as `Bcast`, `Ibcast` and
`Bcast_init`.
"""

from collections.abc import Sequence
from typing import SupportsIndex

from torusim import _core
from torusim.programs import collectives, records
from torusim.programs.buffers import (
    Buffer,
    InPlace,
    array_of,
    into,
    into_cast,
    into_each,
    parts_of,
    region_of,
    typed_parts_of,
)
from torusim.programs.collective_calls import CollectiveCall, CollectiveCalls, forms
from torusim.programs.collectives import Scheme
from torusim.programs.payload import Payload, packed
from torusim.programs.persistent import PersistentRequest
from torusim.programs.point_to_point import Operation
from torusim.programs.reductions import SUM, Reduction, name_of
from torusim.programs.regions import Array
from torusim.programs.request import JointRequest, Request
from torusim.programs.status import ANY_SOURCE, ANY_TAG, Status


class BufferCalls(CollectiveCalls):
    """The calls on buffers. A receive buffer is filled when the call returns, or the wait for its request."""

    __slots__ = ()

    def Send(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:  # noqa: N802
        """Sends from a buffer, as `send` sends an object."""
        return self._send(region_of(buf, "buf"), dest, tag, records.STANDARD)

    def Ssend(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:  # noqa: N802
        """Sends from a buffer, as `ssend` sends an object."""
        return self._send(region_of(buf, "buf"), dest, tag, records.SYNCHRONOUS)

    def Bsend(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:  # noqa: N802
        """Sends from a buffer, as `bsend` sends an object."""
        return self._send(region_of(buf, "buf"), dest, tag, records.BUFFERED)

    def Rsend(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[None]:  # noqa: N802
        """Sends from a buffer, as `rsend` sends an object."""
        return self._send(region_of(buf, "buf"), dest, tag, records.READY)

    def Isend(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:  # noqa: N802
        """Sends from a buffer, as `isend` sends an object."""
        return self._isend(region_of(buf, "buf"), dest, tag, records.STANDARD)

    def Issend(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:  # noqa: N802
        """Sends from a buffer, as `issend` sends an object."""
        return self._isend(region_of(buf, "buf"), dest, tag, records.SYNCHRONOUS)

    def Ibsend(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:  # noqa: N802
        """Sends from a buffer, as `ibsend` sends an object."""
        return self._isend(region_of(buf, "buf"), dest, tag, records.BUFFERED)

    def Irsend(self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0) -> Operation[Request]:  # noqa: N802
        """Sends from a buffer, as `irsend` sends an object."""
        return self._isend(region_of(buf, "buf"), dest, tag, records.READY)

    def Recv(  # noqa: N802
        self,
        buf: Buffer,
        source: SupportsIndex = ANY_SOURCE,
        tag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> Operation[None]:
        """Receives into a buffer, as `recv` receives an object; a shorter message leaves the rest unchanged."""
        return self._recv(region_of(buf, "buf"), source, tag, status)

    def Irecv(  # noqa: N802
        self, buf: Buffer, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG
    ) -> Operation[Request]:
        """Starts a receive into a buffer, as `irecv` does for an object."""
        return self.receive_into(region_of(buf, "buf"), source, tag)

    def Sendrecv(  # noqa: N802
        self,
        sendbuf: Buffer,
        dest: SupportsIndex,
        sendtag: SupportsIndex = 0,
        recvbuf: Buffer | None = None,
        source: SupportsIndex = ANY_SOURCE,
        recvtag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> Operation[None]:
        """Sends from one buffer and receives into another, as `sendrecv` does with objects."""
        sent, region = region_of(sendbuf, "sendbuf"), region_of(recvbuf, "recvbuf")
        return self._sendrecv(region, sent, dest, sendtag, source, recvtag, status)

    async def Sendrecv_replace(  # noqa: N802
        self,
        buf: Buffer,
        dest: SupportsIndex,
        sendtag: SupportsIndex = 0,
        source: SupportsIndex = ANY_SOURCE,
        recvtag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> None:
        """Sends from a buffer and receives into the same buffer, as `Sendrecv`."""
        await self.Sendrecv(buf, dest, sendtag, buf, source, recvtag, status)

    async def Isendrecv(  # noqa: N802
        self,
        sendbuf: Buffer,
        dest: SupportsIndex,
        sendtag: SupportsIndex = 0,
        recvbuf: Buffer | None = None,
        source: SupportsIndex = ANY_SOURCE,
        recvtag: SupportsIndex = ANY_TAG,
    ) -> Request:
        """Starts a `Sendrecv`, and returns its request. It makes the calls of a receive and of a send."""
        receiving = await self.receive_into(region_of(recvbuf, "recvbuf"), source, recvtag)
        sending = await self._isend(region_of(sendbuf, "sendbuf"), dest, sendtag, records.STANDARD)
        return JointRequest(self, [sending, receiving])

    def Isendrecv_replace(  # noqa: N802
        self,
        buf: Buffer,
        dest: SupportsIndex,
        sendtag: SupportsIndex = 0,
        source: SupportsIndex = ANY_SOURCE,
        recvtag: SupportsIndex = ANY_TAG,
    ) -> Operation[Request]:
        """Starts a `Sendrecv_replace`, and returns its request."""
        return self.Isendrecv(buf, dest, sendtag, buf, source, recvtag)

    def Send_init(  # noqa: N802
        self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0
    ) -> Operation[PersistentRequest]:
        """Makes a persistent request that sends from a buffer, as `send_init` sends an object."""
        return self._send_init(region_of(buf, "buf"), dest, tag, records.STANDARD)

    def Ssend_init(  # noqa: N802
        self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0
    ) -> Operation[PersistentRequest]:
        """Makes a persistent request that sends from a buffer, as `ssend_init` sends an object."""
        return self._send_init(region_of(buf, "buf"), dest, tag, records.SYNCHRONOUS)

    def Bsend_init(  # noqa: N802
        self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0
    ) -> Operation[PersistentRequest]:
        """Makes a persistent request that sends from a buffer, as `bsend_init` sends an object."""
        return self._send_init(region_of(buf, "buf"), dest, tag, records.BUFFERED)

    def Rsend_init(  # noqa: N802
        self, buf: Buffer, dest: SupportsIndex, tag: SupportsIndex = 0
    ) -> Operation[PersistentRequest]:
        """Makes a persistent request that sends from a buffer, as `rsend_init` sends an object."""
        return self._send_init(region_of(buf, "buf"), dest, tag, records.READY)

    def Recv_init(  # noqa: N802
        self, buf: Buffer, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG
    ) -> Operation[PersistentRequest]:
        """Makes a persistent request that receives into a buffer, as `recv_init` does for an object."""
        return self._recv_init(region_of(buf, "buf"), source, tag)

    def _bcast_buffers(self, buf: Buffer, root: SupportsIndex = 0) -> CollectiveCall:
        """Copies the buffer of the root to all ranks."""
        source, array = self._rank_of(root, "root"), array_of(buf, "buf")
        words = f"(root={source}) of {array.nbytes} bytes"
        is_root = self.rank == source
        result = collectives.nothing if is_root else collectives.block_of(source)
        blocks = (packed(array),) if is_root else ()
        return CollectiveCall(words, blocks, result, (records.BCAST, source, array.nbytes), into=into(array, "buf"))

    def _gather_buffers(
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None = None, root: SupportsIndex = 0
    ) -> CollectiveCall:
        """Gathers buffers of one length into the root's buffer."""
        target = self._rank_of(root, "root")
        parts = parts_of(recvbuf, self.size, "recvbuf") if self.rank == target else None
        block = packed(_array_to_send(sendbuf, None if parts is None else parts[target]))
        words = f"(root={target}) of {block.size_bytes} bytes from each"
        call = (records.GATHER, target, block.size_bytes)
        return CollectiveCall(words, (block,), collectives.gathered_at(target), call, into=into_each(parts))

    def _gatherv_buffers(
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None = None, root: SupportsIndex = 0
    ) -> CollectiveCall:
        """Gathers buffers into the parts of the root's buffer, which has counts."""
        target = self._rank_of(root, "root")
        parts = parts_of(recvbuf, self.size, "recvbuf") if self.rank == target else None
        block = packed(_array_to_send(sendbuf, None if parts is None else parts[target]))
        if parts is not None:
            _require_length(block.size_bytes, parts[target].nbytes)
        lengths = _core.Lengths([block.size_bytes] if parts is None else [part.nbytes for part in parts])
        result = collectives.gathered_at(target)
        call, receive = (records.GATHERV, target), into_each(parts)
        return CollectiveCall(f"(root={target})", (block,), result, call, (lengths,), into=receive)

    def _scatter_buffers(
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0
    ) -> CollectiveCall:
        """Scatters equal parts of the buffer of the root."""
        source, array = self._scattered_to(sendbuf, recvbuf, root)
        blocks = self._packed_parts(sendbuf) if self.rank == source else ()
        if blocks:
            _require_length(blocks[source].size_bytes, array.nbytes)
        words = f"(root={source}) of {array.nbytes} bytes to each"
        call, receive = (records.SCATTER, source, array.nbytes), into(array, "recvbuf")
        return CollectiveCall(words, blocks, collectives.own_block_of(source), call, into=receive)

    def _scatterv_buffers(
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0
    ) -> CollectiveCall:
        """Scatters the parts of the buffer of the root, which has counts."""
        source, array = self._scattered_to(sendbuf, recvbuf, root)
        blocks = self._packed_parts(sendbuf) if self.rank == source else ()
        lengths = _core.Lengths([block.size_bytes for block in blocks] or [array.nbytes])
        result, receive = collectives.own_block_of(source), into(array, "recvbuf")
        call = (records.SCATTERV, source)
        return CollectiveCall(f"(root={source})", blocks, result, call, (lengths,), into=receive)

    def _allgather_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        """Gathers buffers of one length at all ranks."""
        parts = parts_of(recvbuf, self.size, "recvbuf")
        block = packed(_array_to_send(sendbuf, parts[self.rank]))
        _require_length(block.size_bytes, parts[self.rank].nbytes)
        words = f"() of {block.size_bytes} bytes from each"
        call, receive = (records.ALLGATHER, block.size_bytes), into_each(parts)
        return CollectiveCall(words, (block,), collectives.gathered, call, into=receive)

    def _allgatherv_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        """Gathers all buffers at each rank, into the parts of its receive buffer. Counts are the same at all ranks."""
        parts = parts_of(recvbuf, self.size, "recvbuf")
        block = packed(_array_to_send(sendbuf, parts[self.rank]))
        _require_length(block.size_bytes, parts[self.rank].nbytes)
        lengths = _core.Lengths([part.nbytes for part in parts])
        call, receive = (records.ALLGATHERV,), into_each(parts)
        return CollectiveCall("()", (block,), collectives.gathered, call, (lengths,), into=receive)

    def _alltoall_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        """Sends an equal part of each buffer to each rank."""
        sendbuf = recvbuf if isinstance(sendbuf, InPlace) else sendbuf
        blocks, parts = self._packed_parts(sendbuf), parts_of(recvbuf, self.size, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, parts[self.rank].nbytes)
        words = f"() of {blocks[0].size_bytes} bytes for each"
        call, receive = (records.ALLTOALL, blocks[0].size_bytes), into_each(parts)
        return CollectiveCall(words, blocks, collectives.exchanged, call, into=receive)

    def _alltoallv_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        """Sends a part of each buffer, which has counts, to each rank."""
        sendbuf = recvbuf if isinstance(sendbuf, InPlace) else sendbuf
        blocks, parts = self._packed_parts(sendbuf), parts_of(recvbuf, self.size, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, parts[self.rank].nbytes)
        sent = _core.Lengths([block.size_bytes for block in blocks])
        received = _core.Lengths([part.nbytes for part in parts])
        call, receive = (records.ALLTOALLV,), into_each(parts)
        return CollectiveCall("()", blocks, collectives.exchanged, call, (sent, received), into=receive)

    def _alltoallw_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        """Sends a part of each buffer, which has datatypes, to each rank."""
        sendbuf = recvbuf if isinstance(sendbuf, InPlace) else sendbuf
        sent, received = typed_parts_of(sendbuf, self.size, "sendbuf"), typed_parts_of(recvbuf, self.size, "recvbuf")
        _require_length(sent[self.rank].size_bytes, received[self.rank].size_bytes)
        sides = (sent, received)
        lists = [_core.Lengths([part.size_bytes for part in side]) for side in sides]
        lists += [_core.Lengths([part.blocks for part in side]) for side in sides]
        blocks, receive = tuple(map(packed, sent)), into_each(received)
        result = collectives.exchanged
        return CollectiveCall("()", blocks, result, (records.ALLTOALLW,), tuple(lists), into=receive)

    def _reduce_buffers(
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, op: Reduction = SUM, root: SupportsIndex = 0
    ) -> CollectiveCall:
        """Combines buffers, in the order of ranks, into the root's buffer."""
        target = self._rank_of(root, "root")
        if self.rank == target:
            operand, array = _operands(sendbuf, recvbuf)
        else:
            operand, array = _array_to_send(sendbuf, None), None
        words = f"(…, {name_of(op)}, root={target}) of {operand.nbytes} bytes"
        call = (records.REDUCE, target, operand.nbytes)
        result = collectives.reduced_at(target, op)
        return CollectiveCall(words, (packed(operand),), result, call, into=into_cast(array))

    def _allreduce_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM) -> CollectiveCall:
        """Combines buffers, in the order of ranks; every rank gets the result."""
        return _reduction(sendbuf, recvbuf, records.ALLREDUCE, collectives.reduced, op)

    def _scan_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM) -> CollectiveCall:
        """Combines the buffers of the ranks up to this one."""
        return _reduction(sendbuf, recvbuf, records.SCAN, collectives.scanned, op)

    def _exscan_buffers(self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM) -> CollectiveCall:
        """Combines the buffers of the ranks before this one; the receive buffer of rank 0 stays unchanged."""
        return _reduction(sendbuf, recvbuf, records.EXSCAN, collectives.scanned_before, op)

    def _reduce_scatter_block_buffers(self, sendbuf: Buffer, recvbuf: Buffer, op: Reduction = SUM) -> CollectiveCall:
        """Combines buffers, and scatters equal parts of the result."""
        blocks, array = self._packed_parts(sendbuf), array_of(recvbuf, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, array.nbytes)
        words = f"(…, {name_of(op)}) of {array.nbytes} bytes to each"
        call = (records.REDUCE_SCATTER_BLOCK, array.nbytes)
        result = collectives.reduced_and_scattered(op)
        return CollectiveCall(words, blocks, result, call, into=into_cast(array))

    def _reduce_scatter_buffers(
        self, sendbuf: Buffer, recvbuf: Buffer, recvcounts: Sequence[int] | None = None, op: Reduction = SUM
    ) -> CollectiveCall:
        """Combines buffers, and scatters parts of `recvcounts` elements of the result; by default equal parts."""
        blocks = self._packed_parts(sendbuf if recvcounts is None else [array_of(sendbuf, "sendbuf"), recvcounts])
        array = array_of(recvbuf, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, array.nbytes)
        lengths = _core.Lengths([block.size_bytes for block in blocks])
        result = collectives.reduced_and_scattered(op)
        words = f"(…, {name_of(op)})"
        return CollectiveCall(words, blocks, result, (records.REDUCE_SCATTER,), (lengths,), into=into_cast(array))

    Bcast, Ibcast, Bcast_init = forms("Bcast", _bcast_buffers)
    Gather, Igather, Gather_init = forms("Gather", _gather_buffers)
    Gatherv, Igatherv, Gatherv_init = forms("Gatherv", _gatherv_buffers)
    Scatter, Iscatter, Scatter_init = forms("Scatter", _scatter_buffers)
    Scatterv, Iscatterv, Scatterv_init = forms("Scatterv", _scatterv_buffers)
    Allgather, Iallgather, Allgather_init = forms("Allgather", _allgather_buffers)
    Allgatherv, Iallgatherv, Allgatherv_init = forms("Allgatherv", _allgatherv_buffers)
    Alltoall, Ialltoall, Alltoall_init = forms("Alltoall", _alltoall_buffers)
    Alltoallv, Ialltoallv, Alltoallv_init = forms("Alltoallv", _alltoallv_buffers)
    Alltoallw, Ialltoallw, Alltoallw_init = forms("Alltoallw", _alltoallw_buffers)
    Reduce, Ireduce, Reduce_init = forms("Reduce", _reduce_buffers)
    Allreduce, Iallreduce, Allreduce_init = forms("Allreduce", _allreduce_buffers)
    Scan, Iscan, Scan_init = forms("Scan", _scan_buffers)
    Exscan, Iexscan, Exscan_init = forms("Exscan", _exscan_buffers)
    Reduce_scatter_block, Ireduce_scatter_block, Reduce_scatter_block_init = forms(
        "Reduce_scatter_block", _reduce_scatter_block_buffers
    )
    Reduce_scatter, Ireduce_scatter, Reduce_scatter_init = forms("Reduce_scatter", _reduce_scatter_buffers)

    def _scattered_to(
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex
    ) -> tuple[int, Array]:
        """The root, and the array of this rank's part."""
        source = self._rank_of(root, "root")
        if not isinstance(recvbuf, InPlace):
            return source, array_of(recvbuf, "recvbuf")
        if self.rank != source:
            raise ValueError("recvbuf=IN_PLACE: only the root has its part in the send buffer")
        return source, parts_of(sendbuf, self.size, "sendbuf")[source]

    def _packed_parts(self, sendbuf: Buffer | None) -> tuple[Payload, ...]:
        return tuple(map(packed, parts_of(sendbuf, self.size, "sendbuf")))


def _reduction(sendbuf: Buffer | InPlace, recvbuf: Buffer, place: int, scheme: Scheme, op: Reduction) -> CollectiveCall:
    operand, array = _operands(sendbuf, recvbuf)
    words, result = f"(…, {name_of(op)}) of {operand.nbytes} bytes", scheme(op)
    return CollectiveCall(words, (packed(operand),), result, (place, operand.nbytes), into=into_cast(array))


def _operands(sendbuf: Buffer | InPlace, recvbuf: Buffer | None) -> tuple[Array, Array]:
    """The operand of a reduction, and where its result goes."""
    array = array_of(recvbuf, "recvbuf")
    operand = array if isinstance(sendbuf, InPlace) else array_of(sendbuf, "sendbuf")
    if operand.size != array.size:
        raise ValueError(f"recvbuf: {array.size} elements for operands of {operand.size}")
    return operand, array


def _array_to_send(sendbuf: Buffer | InPlace, in_place: Array | None) -> Array:
    """The array that a rank sends, perhaps from its place in the receive buffer."""
    if not isinstance(sendbuf, InPlace):
        return array_of(sendbuf, "sendbuf")
    if in_place is None:
        raise ValueError("sendbuf=IN_PLACE: only the root has its operand in the receive buffer")
    return in_place


def _require_length(sent_bytes: int, received_bytes: int) -> None:
    if sent_bytes != received_bytes:
        raise ValueError(f"recvbuf: {received_bytes} bytes for what this rank sends to itself, {sent_bytes} bytes")
