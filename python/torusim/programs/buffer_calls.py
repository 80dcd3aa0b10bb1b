"""The calls with capital letters, as mpi4py has them: they send from NumPy arrays and receive into them.

Each makes one call of the library, whose lengths are those of the data. `buffers` defines a buffer.
"""

from collections.abc import Sequence
from functools import partial
from typing import SupportsIndex

from torusim import _core
from torusim.programs import collectives, records
from torusim.programs.buffers import (
    Buffer,
    InPlace,
    array_of,
    fill,
    into,
    into_cast,
    into_each,
    parts_of,
    region_of,
    typed_parts_of,
)
from torusim.programs.collective_calls import CollectiveCall, CollectiveCalls, PersistentCollective
from torusim.programs.collectives import Scheme
from torusim.programs.payload import Payload, packed
from torusim.programs.persistent import PersistentRequest
from torusim.programs.point_to_point import Operation
from torusim.programs.reductions import SUM, Reduction, name_of
from torusim.programs.regions import Array
from torusim.programs.request import JointRequest, Request
from torusim.programs.status import ANY_SOURCE, ANY_TAG, Status


class BufferCalls(CollectiveCalls):
    """The calls on buffers. A receive buffer is filled when the call ends, or when the wait for its request does."""

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

    async def Recv(  # noqa: N802
        self,
        buf: Buffer,
        source: SupportsIndex = ANY_SOURCE,
        tag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> None:
        """Receives into a buffer, as `recv` receives an object; a shorter message leaves the rest unchanged."""
        region = region_of(buf, "buf")
        payload = await self._recv(source, tag, status, region.blocks)
        if payload is not None:
            fill(region, payload, "buf")

    def Irecv(  # noqa: N802
        self, buf: Buffer, source: SupportsIndex = ANY_SOURCE, tag: SupportsIndex = ANY_TAG
    ) -> Operation[Request]:
        """Starts a receive into a buffer, as `irecv` does for an object."""
        return self.receive_into(region_of(buf, "buf"), source, tag)

    async def Sendrecv(  # noqa: N802
        self,
        sendbuf: Buffer,
        dest: SupportsIndex,
        sendtag: SupportsIndex = 0,
        recvbuf: Buffer | None = None,
        source: SupportsIndex = ANY_SOURCE,
        recvtag: SupportsIndex = ANY_TAG,
        status: Status | None = None,
    ) -> None:
        """Sends from one buffer and receives into another, as `sendrecv` does with objects."""
        sent, region = region_of(sendbuf, "sendbuf"), region_of(recvbuf, "recvbuf")
        payload = await self._sendrecv(sent, dest, sendtag, source, recvtag, status, region.blocks)
        if payload is not None:
            fill(region, payload, "recvbuf")

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

    def Bcast(self, buf: Buffer, root: SupportsIndex = 0) -> Operation[None]:  # noqa: N802
        """Copies the buffer of the root to all ranks."""
        return self._collect(self._bcast("Bcast", buf, root))

    def Ibcast(self, buf: Buffer, root: SupportsIndex = 0) -> Operation[Request]:  # noqa: N802
        """Starts `Bcast`, and returns its request."""
        return self._begin(self._bcast("Ibcast", buf, root))

    def Gather(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None = None, root: SupportsIndex = 0
    ) -> Operation[None]:
        """Gathers buffers of one length into the root's buffer."""
        return self._collect(self._gather("Gather", sendbuf, recvbuf, root))

    def Igather(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None = None, root: SupportsIndex = 0
    ) -> Operation[Request]:
        """Starts `Gather`, and returns its request."""
        return self._begin(self._gather("Igather", sendbuf, recvbuf, root))

    def Gatherv(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None = None, root: SupportsIndex = 0
    ) -> Operation[None]:
        """Gathers buffers into the parts of the root's buffer, which has counts."""
        return self._collect(self._gatherv("Gatherv", sendbuf, recvbuf, root))

    def Igatherv(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None = None, root: SupportsIndex = 0
    ) -> Operation[Request]:
        """Starts `Gatherv`, and returns its request."""
        return self._begin(self._gatherv("Igatherv", sendbuf, recvbuf, root))

    def Scatter(  # noqa: N802
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0
    ) -> Operation[None]:
        """Scatters equal parts of the buffer of the root."""
        return self._collect(self._scatter("Scatter", sendbuf, recvbuf, root))

    def Iscatter(  # noqa: N802
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0
    ) -> Operation[Request]:
        """Starts `Scatter`, and returns its request."""
        return self._begin(self._scatter("Iscatter", sendbuf, recvbuf, root))

    def Scatterv(  # noqa: N802
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0
    ) -> Operation[None]:
        """Scatters the parts of the buffer of the root, which has counts."""
        return self._collect(self._scatterv("Scatterv", sendbuf, recvbuf, root))

    def Iscatterv(  # noqa: N802
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0
    ) -> Operation[Request]:
        """Starts `Scatterv`, and returns its request."""
        return self._begin(self._scatterv("Iscatterv", sendbuf, recvbuf, root))

    def Allgather(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Gathers buffers of one length at all ranks."""
        return self._collect(self._allgather("Allgather", sendbuf, recvbuf))

    def Iallgather(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Allgather`, and returns its request."""
        return self._begin(self._allgather("Iallgather", sendbuf, recvbuf))

    def Allgatherv(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Gathers all buffers at each rank, into the parts of its receive buffer. Counts are the same at all ranks."""
        return self._collect(self._allgatherv("Allgatherv", sendbuf, recvbuf))

    def Iallgatherv(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Allgatherv`, and returns its request."""
        return self._begin(self._allgatherv("Iallgatherv", sendbuf, recvbuf))

    def Alltoall(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Sends an equal part of each buffer to each rank."""
        return self._collect(self._alltoall("Alltoall", sendbuf, recvbuf))

    def Ialltoall(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Alltoall`, and returns its request."""
        return self._begin(self._alltoall("Ialltoall", sendbuf, recvbuf))

    def Alltoallv(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Sends a part of each buffer, which has counts, to each rank."""
        return self._collect(self._alltoallv("Alltoallv", sendbuf, recvbuf))

    def Ialltoallv(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Alltoallv`, and returns its request."""
        return self._begin(self._alltoallv("Ialltoallv", sendbuf, recvbuf))

    def Alltoallw(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Sends a part of each buffer, which has datatypes, to each rank."""
        return self._collect(self._alltoallw("Alltoallw", sendbuf, recvbuf))

    def Ialltoallw(self, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Alltoallw`, and returns its request."""
        return self._begin(self._alltoallw("Ialltoallw", sendbuf, recvbuf))

    def Reduce(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, op: Reduction = SUM, root: SupportsIndex = 0
    ) -> Operation[None]:
        """Combines buffers, in the order of ranks, into the root's buffer."""
        return self._collect(self._reduce_buffers("Reduce", sendbuf, recvbuf, op, root))

    def Ireduce(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, op: Reduction = SUM, root: SupportsIndex = 0
    ) -> Operation[Request]:
        """Starts `Reduce`, and returns its request."""
        return self._begin(self._reduce_buffers("Ireduce", sendbuf, recvbuf, op, root))

    def Allreduce(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[None]:
        """Combines buffers, in the order of ranks; every rank gets the result."""
        return self._collect(_reduction("Allreduce", sendbuf, recvbuf, records.ALLREDUCE, collectives.reduced, op))

    def Iallreduce(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[Request]:
        """Starts `Allreduce`, and returns its request."""
        return self._begin(_reduction("Iallreduce", sendbuf, recvbuf, records.ALLREDUCE, collectives.reduced, op))

    def Scan(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[None]:
        """Combines the buffers of the ranks up to this one."""
        return self._collect(_reduction("Scan", sendbuf, recvbuf, records.SCAN, collectives.scanned, op))

    def Iscan(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[Request]:
        """Starts `Scan`, and returns its request."""
        return self._begin(_reduction("Iscan", sendbuf, recvbuf, records.SCAN, collectives.scanned, op))

    def Exscan(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[None]:
        """Combines the buffers of the ranks before this one; the receive buffer of rank 0 stays unchanged."""
        return self._collect(_reduction("Exscan", sendbuf, recvbuf, records.EXSCAN, collectives.scanned_before, op))

    def Iexscan(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[Request]:
        """Starts `Exscan`, and returns its request."""
        return self._begin(_reduction("Iexscan", sendbuf, recvbuf, records.EXSCAN, collectives.scanned_before, op))

    def Reduce_scatter_block(  # noqa: N802
        self, sendbuf: Buffer, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[None]:
        """Combines buffers, and scatters equal parts of the result."""
        return self._collect(self._reduce_scatter_block("Reduce_scatter_block", sendbuf, recvbuf, op))

    def Ireduce_scatter_block(  # noqa: N802
        self, sendbuf: Buffer, recvbuf: Buffer, op: Reduction = SUM
    ) -> Operation[Request]:
        """Starts `Reduce_scatter_block`, and returns its request."""
        return self._begin(self._reduce_scatter_block("Ireduce_scatter_block", sendbuf, recvbuf, op))

    def Reduce_scatter(  # noqa: N802
        self, sendbuf: Buffer, recvbuf: Buffer, recvcounts: Sequence[int] | None = None, op: Reduction = SUM
    ) -> Operation[None]:
        """Combines buffers, and scatters parts of `recvcounts` elements of the result; by default equal parts."""
        return self._collect(self._reduce_scatter_buffers("Reduce_scatter", sendbuf, recvbuf, recvcounts, op))

    def Ireduce_scatter(  # noqa: N802
        self, sendbuf: Buffer, recvbuf: Buffer, recvcounts: Sequence[int] | None = None, op: Reduction = SUM
    ) -> Operation[Request]:
        """Starts `Reduce_scatter`, and returns its request."""
        return self._begin(self._reduce_scatter_buffers("Ireduce_scatter", sendbuf, recvbuf, recvcounts, op))

    def Bcast_init(  # noqa: N802
        self, buf: Buffer, root: SupportsIndex = 0, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Bcast`."""
        return self._prepare(lambda: self._bcast("Bcast_init", buf, root), info)

    def Gather_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, root: SupportsIndex = 0, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Gather`."""
        return self._prepare(lambda: self._gather("Gather_init", sendbuf, recvbuf, root), info)

    def Gatherv_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, root: SupportsIndex = 0, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Gatherv`."""
        return self._prepare(lambda: self._gatherv("Gatherv_init", sendbuf, recvbuf, root), info)

    def Scatter_init(  # noqa: N802
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Scatter`."""
        return self._prepare(lambda: self._scatter("Scatter_init", sendbuf, recvbuf, root), info)

    def Scatterv_init(  # noqa: N802
        self, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex = 0, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Scatterv`."""
        return self._prepare(lambda: self._scatterv("Scatterv_init", sendbuf, recvbuf, root), info)

    def Allgather_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Allgather`."""
        return self._prepare(lambda: self._allgather("Allgather_init", sendbuf, recvbuf), info)

    def Allgatherv_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Allgatherv`."""
        return self._prepare(lambda: self._allgatherv("Allgatherv_init", sendbuf, recvbuf), info)

    def Alltoall_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Alltoall`."""
        return self._prepare(lambda: self._alltoall("Alltoall_init", sendbuf, recvbuf), info)

    def Alltoallv_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Alltoallv`."""
        return self._prepare(lambda: self._alltoallv("Alltoallv_init", sendbuf, recvbuf), info)

    def Alltoallw_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Alltoallw`."""
        return self._prepare(lambda: self._alltoallw("Alltoallw_init", sendbuf, recvbuf), info)

    def Reduce_init(  # noqa: N802
        self,
        sendbuf: Buffer | InPlace,
        recvbuf: Buffer | None,
        op: Reduction = SUM,
        root: SupportsIndex = 0,
        info: None = None,
    ) -> Operation[PersistentCollective]:
        """A persistent `Reduce`."""
        return self._prepare(lambda: self._reduce_buffers("Reduce_init", sendbuf, recvbuf, op, root), info)

    def Allreduce_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Allreduce`."""
        make_call = partial(_reduction, "Allreduce_init", sendbuf, recvbuf, records.ALLREDUCE, collectives.reduced, op)
        return self._prepare(make_call, info)

    def Scan_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Scan`."""
        make_call = partial(_reduction, "Scan_init", sendbuf, recvbuf, records.SCAN, collectives.scanned, op)
        return self._prepare(make_call, info)

    def Exscan_init(  # noqa: N802
        self, sendbuf: Buffer | InPlace, recvbuf: Buffer, op: Reduction = SUM, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Exscan`."""
        make_call = partial(_reduction, "Exscan_init", sendbuf, recvbuf, records.EXSCAN, collectives.scanned_before, op)
        return self._prepare(make_call, info)

    def Reduce_scatter_block_init(  # noqa: N802
        self, sendbuf: Buffer, recvbuf: Buffer, op: Reduction = SUM, info: None = None
    ) -> Operation[PersistentCollective]:
        """A persistent `Reduce_scatter_block`."""
        name = "Reduce_scatter_block_init"
        return self._prepare(lambda: self._reduce_scatter_block(name, sendbuf, recvbuf, op), info)

    def Reduce_scatter_init(  # noqa: N802
        self,
        sendbuf: Buffer,
        recvbuf: Buffer,
        recvcounts: Sequence[int] | None = None,
        op: Reduction = SUM,
        info: None = None,
    ) -> Operation[PersistentCollective]:
        """A persistent `Reduce_scatter`."""
        name = "Reduce_scatter_init"
        return self._prepare(lambda: self._reduce_scatter_buffers(name, sendbuf, recvbuf, recvcounts, op), info)

    def _bcast(self, name: str, buf: Buffer, root: SupportsIndex) -> CollectiveCall:
        source, array = self._rank_of(root, "root"), array_of(buf, "buf")
        words = f"{name}(root={source}) of {array.nbytes} bytes"
        is_root = self.rank == source
        result = collectives.nothing if is_root else collectives.block_of(source)
        blocks = (packed(array),) if is_root else ()
        return CollectiveCall(words, blocks, result, (records.BCAST, source, array.nbytes), into=into(array, "buf"))

    def _gather(
        self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, root: SupportsIndex
    ) -> CollectiveCall:
        target = self._rank_of(root, "root")
        parts = parts_of(recvbuf, self.size, "recvbuf") if self.rank == target else None
        block = packed(_array_to_send(sendbuf, None if parts is None else parts[target]))
        words = f"{name}(root={target}) of {block.size_bytes} bytes from each"
        call = (records.GATHER, target, block.size_bytes)
        return CollectiveCall(words, (block,), collectives.gathered_at(target), call, into=into_each(parts))

    def _gatherv(
        self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, root: SupportsIndex
    ) -> CollectiveCall:
        target = self._rank_of(root, "root")
        parts = parts_of(recvbuf, self.size, "recvbuf") if self.rank == target else None
        block = packed(_array_to_send(sendbuf, None if parts is None else parts[target]))
        if parts is not None:
            _require_length(block.size_bytes, parts[target].nbytes)
        lengths = _core.Lengths([block.size_bytes] if parts is None else [part.nbytes for part in parts])
        result = collectives.gathered_at(target)
        call, receive = (records.GATHERV, target), into_each(parts)
        return CollectiveCall(f"{name}(root={target})", (block,), result, call, (lengths,), into=receive)

    def _scatter(
        self, name: str, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex
    ) -> CollectiveCall:
        source, array = self._scattered_to(sendbuf, recvbuf, root)
        blocks = self._packed_parts(sendbuf) if self.rank == source else ()
        if blocks:
            _require_length(blocks[source].size_bytes, array.nbytes)
        words = f"{name}(root={source}) of {array.nbytes} bytes to each"
        call, receive = (records.SCATTER, source, array.nbytes), into(array, "recvbuf")
        return CollectiveCall(words, blocks, collectives.own_block_of(source), call, into=receive)

    def _scatterv(
        self, name: str, sendbuf: Buffer | None, recvbuf: Buffer | InPlace, root: SupportsIndex
    ) -> CollectiveCall:
        source, array = self._scattered_to(sendbuf, recvbuf, root)
        blocks = self._packed_parts(sendbuf) if self.rank == source else ()
        lengths = _core.Lengths([block.size_bytes for block in blocks] or [array.nbytes])
        result, receive = collectives.own_block_of(source), into(array, "recvbuf")
        call = (records.SCATTERV, source)
        return CollectiveCall(f"{name}(root={source})", blocks, result, call, (lengths,), into=receive)

    def _allgather(self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        parts = parts_of(recvbuf, self.size, "recvbuf")
        block = packed(_array_to_send(sendbuf, parts[self.rank]))
        _require_length(block.size_bytes, parts[self.rank].nbytes)
        words = f"{name}() of {block.size_bytes} bytes from each"
        call, receive = (records.ALLGATHER, block.size_bytes), into_each(parts)
        return CollectiveCall(words, (block,), collectives.gathered, call, into=receive)

    def _allgatherv(self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        parts = parts_of(recvbuf, self.size, "recvbuf")
        block = packed(_array_to_send(sendbuf, parts[self.rank]))
        _require_length(block.size_bytes, parts[self.rank].nbytes)
        lengths = _core.Lengths([part.nbytes for part in parts])
        call, receive = (records.ALLGATHERV,), into_each(parts)
        return CollectiveCall(f"{name}()", (block,), collectives.gathered, call, (lengths,), into=receive)

    def _alltoall(self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        sendbuf = recvbuf if isinstance(sendbuf, InPlace) else sendbuf
        blocks, parts = self._packed_parts(sendbuf), parts_of(recvbuf, self.size, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, parts[self.rank].nbytes)
        words = f"{name}() of {blocks[0].size_bytes} bytes for each"
        call, receive = (records.ALLTOALL, blocks[0].size_bytes), into_each(parts)
        return CollectiveCall(words, blocks, collectives.exchanged, call, into=receive)

    def _alltoallv(self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        sendbuf = recvbuf if isinstance(sendbuf, InPlace) else sendbuf
        blocks, parts = self._packed_parts(sendbuf), parts_of(recvbuf, self.size, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, parts[self.rank].nbytes)
        sent = _core.Lengths([block.size_bytes for block in blocks])
        received = _core.Lengths([part.nbytes for part in parts])
        call, receive = (records.ALLTOALLV,), into_each(parts)
        return CollectiveCall(f"{name}()", blocks, collectives.exchanged, call, (sent, received), into=receive)

    def _alltoallw(self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer) -> CollectiveCall:
        sendbuf = recvbuf if isinstance(sendbuf, InPlace) else sendbuf
        sent, received = typed_parts_of(sendbuf, self.size, "sendbuf"), typed_parts_of(recvbuf, self.size, "recvbuf")
        _require_length(sent[self.rank].size_bytes, received[self.rank].size_bytes)
        sides = (sent, received)
        lists = [_core.Lengths([part.size_bytes for part in side]) for side in sides]
        lists += [_core.Lengths([part.blocks for part in side]) for side in sides]
        blocks, receive = tuple(map(packed, sent)), into_each(received)
        result = collectives.exchanged
        return CollectiveCall(f"{name}()", blocks, result, (records.ALLTOALLW,), tuple(lists), into=receive)

    def _reduce_buffers(
        self, name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer | None, op: Reduction, root: SupportsIndex
    ) -> CollectiveCall:
        target = self._rank_of(root, "root")
        if self.rank == target:
            operand, array = _operands(sendbuf, recvbuf)
        else:
            operand, array = _array_to_send(sendbuf, None), None
        words = f"{name}(…, {name_of(op)}, root={target}) of {operand.nbytes} bytes"
        call = (records.REDUCE, target, operand.nbytes)
        result = collectives.reduced_at(target, op)
        return CollectiveCall(words, (packed(operand),), result, call, into=into_cast(array))

    def _reduce_scatter_block(self, name: str, sendbuf: Buffer, recvbuf: Buffer, op: Reduction) -> CollectiveCall:
        blocks, array = self._packed_parts(sendbuf), array_of(recvbuf, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, array.nbytes)
        words = f"{name}(…, {name_of(op)}) of {array.nbytes} bytes to each"
        call = (records.REDUCE_SCATTER_BLOCK, array.nbytes)
        result = collectives.reduced_and_scattered(op)
        return CollectiveCall(words, blocks, result, call, into=into_cast(array))

    def _reduce_scatter_buffers(
        self, name: str, sendbuf: Buffer, recvbuf: Buffer, recvcounts: Sequence[int] | None, op: Reduction
    ) -> CollectiveCall:
        blocks = self._packed_parts(sendbuf if recvcounts is None else [array_of(sendbuf, "sendbuf"), recvcounts])
        array = array_of(recvbuf, "recvbuf")
        _require_length(blocks[self.rank].size_bytes, array.nbytes)
        lengths = _core.Lengths([block.size_bytes for block in blocks])
        result = collectives.reduced_and_scattered(op)
        words = f"{name}(…, {name_of(op)})"
        return CollectiveCall(words, blocks, result, (records.REDUCE_SCATTER,), (lengths,), into=into_cast(array))

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


def _reduction(
    name: str, sendbuf: Buffer | InPlace, recvbuf: Buffer, place: int, scheme: Scheme, op: Reduction
) -> CollectiveCall:
    operand, array = _operands(sendbuf, recvbuf)
    words, result = f"{name}(…, {name_of(op)}) of {operand.nbytes} bytes", scheme(op)
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
