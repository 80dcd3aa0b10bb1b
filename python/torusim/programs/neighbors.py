"""Neighborhood collectives: a rank exchanges data with its neighbors in a topology.

Each makes the calls of a receive from every source and of a send to every target, and a wait for all. Its messages use
a separate communicator. The ranks create it without a message, by one additional call in their first neighborhood
collective.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from torusim.common.formatting import shown
from torusim.programs.buffer_calls import BufferCalls
from torusim.programs.buffers import Buffer, parts_of, region_of, typed_parts_of
from torusim.programs.point_to_point import Operation, PointToPoint
from torusim.programs.regions import Region
from torusim.programs.request import JointRequest, Request, wait_all


class Neighbors(NamedTuple):
    """The ranks with which a rank exchanges data, in the order of the blocks in its buffers.

    Attributes:
        sources: Each rank that it receives from, or PROC_NULL, with the tag of the message.
        targets: Each rank that it sends to, or PROC_NULL, with the tag of the message.
    """

    sources: Sequence[tuple[int, int]]
    targets: Sequence[tuple[int, int]]


class NeighborCalls(BufferCalls):
    """The neighborhood collectives of a communicator with a topology. Blocks of PROC_NULL stay as they are."""

    __slots__ = ()

    def _neighbors(self) -> Neighbors:
        raise NotImplementedError

    async def _own_messages(self) -> PointToPoint:
        raise NotImplementedError

    async def neighbor_allgather(self, sendobj: object) -> list[Any]:
        """Sends an object to all neighbors; returns theirs, None for PROC_NULL."""
        return await self._exchange_objects([sendobj] * len(self._neighbors().targets))

    async def neighbor_alltoall(self, sendobj: Sequence[object]) -> list[Any]:
        """Sends an object to each neighbor; returns theirs, None for PROC_NULL."""
        objects, targets = list(sendobj), self._neighbors().targets
        if len(objects) != len(targets):
            raise ValueError(f"sendobj={shown(sendobj)}: {len(objects)} objects for {len(targets)} neighbors")
        return await self._exchange_objects(objects)

    def Neighbor_allgather(self, sendbuf: Buffer, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Sends a buffer to all neighbors, and receives one from each."""
        return self._exchange(*self._gathered(sendbuf, recvbuf))

    Neighbor_allgatherv = Neighbor_allgather

    def Neighbor_alltoall(self, sendbuf: Buffer, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Sends a part of a buffer to each neighbor, and receives one from each."""
        return self._exchange(*self._parts(sendbuf, recvbuf))

    Neighbor_alltoallv = Neighbor_alltoall

    def Neighbor_alltoallw(self, sendbuf: Buffer, recvbuf: Buffer) -> Operation[None]:  # noqa: N802
        """Sends and receives like `Neighbor_alltoall`, with a datatype for each neighbor and displacements in bytes."""
        return self._exchange(*self._typed_parts(sendbuf, recvbuf))

    def Ineighbor_allgather(self, sendbuf: Buffer, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Neighbor_allgather`, and returns its request."""
        return self._begin_exchange(*self._gathered(sendbuf, recvbuf))

    Ineighbor_allgatherv = Ineighbor_allgather

    def Ineighbor_alltoall(self, sendbuf: Buffer, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Neighbor_alltoall`, and returns its request."""
        return self._begin_exchange(*self._parts(sendbuf, recvbuf))

    Ineighbor_alltoallv = Ineighbor_alltoall

    def Ineighbor_alltoallw(self, sendbuf: Buffer, recvbuf: Buffer) -> Operation[Request]:  # noqa: N802
        """Starts `Neighbor_alltoallw`, and returns its request."""
        return self._begin_exchange(*self._typed_parts(sendbuf, recvbuf))

    def _gathered(self, sendbuf: Buffer, recvbuf: Buffer) -> tuple[list[Region], list[Region]]:
        sent = [region_of(sendbuf, "sendbuf")] * len(self._neighbors().targets)
        return sent, self._received(recvbuf)

    def _parts(self, sendbuf: Buffer, recvbuf: Buffer) -> tuple[list[Region], list[Region]]:
        sent = parts_of(sendbuf, len(self._neighbors().targets), "sendbuf")
        return [Region.of(part) for part in sent], self._received(recvbuf)

    def _typed_parts(self, sendbuf: Buffer, recvbuf: Buffer) -> tuple[list[Region], list[Region]]:
        sources, targets = self._neighbors()
        return typed_parts_of(sendbuf, len(targets), "sendbuf"), typed_parts_of(recvbuf, len(sources), "recvbuf")

    def _received(self, recvbuf: Buffer) -> list[Region]:
        return [Region.of(part) for part in parts_of(recvbuf, len(self._neighbors().sources), "recvbuf")]

    async def _exchange_objects(self, objects: Sequence[object]) -> list[Any]:
        (sources, targets), messages = self._neighbors(), await self._own_messages()
        requests = [await messages.irecv(None, source, tag) for source, tag in sources]
        for obj, (target, tag) in zip(objects, targets, strict=True):
            requests.append(await messages.isend(obj, target, tag))
        return (await wait_all(requests))[: len(sources)]

    async def _exchange(self, sent: Sequence[Region], received: Sequence[Region]) -> None:
        await wait_all(await self._begin_all(sent, received))

    async def _begin_exchange(self, sent: Sequence[Region], received: Sequence[Region]) -> Request:
        return JointRequest(self, await self._begin_all(sent, received))

    async def _begin_all(self, sent: Sequence[Region], received: Sequence[Region]) -> list[Request]:
        (sources, targets), messages = self._neighbors(), await self._own_messages()
        requests: list[Request] = []
        for region, (source, tag) in zip(received, sources, strict=True):
            requests.append(await messages.receive_into(region, source, tag))
        for region, (target, tag) in zip(sent, targets, strict=True):
            requests.append(await messages.isend(region, target, tag))
        return requests
