"""The programs of this folder in Python: the same calls, and the same checks of data."""

from typing import Any

import numpy as np

from torusim import Comm, Request
from torusim.programs import (
    IN_PLACE,
    INT32_T,
    MAX,
    MIN,
    PROC_NULL,
    UINT32_T,
    UNDEFINED,
    Compute_dims,
    Status,
)

Array = np.ndarray[Any, Any]


async def halo(comm: Comm, steps: int = 3) -> None:
    """`halo.c`."""
    doubles = 128
    shape = _grid(comm.size)
    place = np.unravel_index(comm.rank, shape[::-1])[::-1]
    peers = []
    for dimension in range(3):
        for step in (-1, 1):
            other = list(place)
            other[dimension] = (other[dimension] + step) % shape[dimension]
            peers.append(int(np.ravel_multi_index(other[::-1], shape[::-1])))

    def face(rank: int, step: int) -> Array:
        return rank + 1000.0 * step + np.arange(doubles) / 1024.0

    for step in range(steps):
        received = np.zeros((6, doubles))
        requests: list[Request] = [await comm.Irecv(received[side], peer, side ^ 1) for side, peer in enumerate(peers)]
        requests += [await comm.Isend(face(comm.rank, step), peer, side) for side, peer in enumerate(peers)]
        await comm.waitall(requests)
        for side, peer in enumerate(peers):
            assert np.array_equal(received[side], face(peer, step))
    await comm.barrier()


def _grid(ranks: int) -> list[int]:
    def factor(of: int) -> int:
        return next(length for length in range(8, 0, -1) if of % length == 0)

    x = factor(ranks)
    y = factor(ranks // x)
    return [x, y, ranks // x // y]


async def collectives(comm: Comm) -> None:
    """`collectives.c`."""
    await _all_collectives(comm)
    part = await comm.split(comm.rank % 2, -comm.rank)
    assert part is not None
    assert part.rank == (comm.size - 1 - comm.rank) // 2 or comm.size % 2
    await _all_collectives(part)
    copy = await part.dup()
    await _all_collectives(copy)
    await copy.Free()
    await part.Free()


def _ints(*values: int) -> Array:
    return np.array(values, dtype=np.int32)


async def _all_collectives(comm: Comm) -> None:
    rank, size = comm.rank, comm.size
    root = size - 1
    sent = np.array([rank, 1, 2, 3, 4], dtype=float)
    await comm.Bcast(sent, root)
    assert sent.tolist() == [root, 1, 2, 3, 4]
    value, result, all_values = _ints(7 * rank + 1), _ints(0), np.zeros(size, dtype=np.int32)
    expected = 7 * np.arange(size) + 1
    await comm.Allreduce(value, result)
    assert result == expected.sum()
    await comm.Reduce(value, result, MAX, 0)
    assert rank or result == expected.max()
    await comm.Gather(value, all_values, root)
    assert rank != root or np.array_equal(all_values, expected)
    await comm.Allgather(value, all_values)
    assert np.array_equal(all_values, expected)
    own = (100 * rank + np.arange(size)).astype(np.int32)
    await comm.Scatter(own, value, 0)
    assert value == rank
    back = np.zeros(size, dtype=np.int32)
    await comm.Alltoall(own, back)
    assert np.array_equal(back, 100 * np.arange(size) + rank)
    await comm.Scan(_ints(rank), result)
    assert result == rank * (rank + 1) // 2
    await comm.Exscan(_ints(rank), result)
    assert rank == 0 or result == rank * (rank - 1) // 2
    await comm.Reduce_scatter_block(own, result)
    assert result == 100 * size * (size - 1) // 2 + size * rank
    await _irregular(comm, root)
    requests = [await comm.ibarrier(), await comm.Iallreduce(_ints(rank), result, MIN)]
    await comm.waitall(requests)
    assert result == 0
    await comm.barrier()


async def _irregular(comm: Comm, root: int) -> None:
    rank, size = comm.rank, comm.size
    counts = [source % 3 for source in range(size)]
    places = [sum(counts[:source]) for source in range(size)]
    expected = [10 * source + number for source in range(size) for number in range(source % 3)]
    mine = [_ints(10 * rank, 10 * rank + 1), rank % 3, INT32_T]
    everything, back = (np.zeros(sum(counts), dtype=np.int32) for _ in range(2))
    await comm.Allgatherv(mine, [everything, counts, places, INT32_T])
    assert everything.tolist() == expected
    await comm.Gatherv(mine, [back, counts, places, INT32_T], root)
    assert rank != root or back.tolist() == expected
    own = np.zeros(2, dtype=np.int32)
    await comm.Scatterv([everything, counts, places, INT32_T], [own, rank % 3, INT32_T], root)
    assert own.tolist() == [10 * rank, 10 * rank + 1][: rank % 3] + [0] * (2 - rank % 3)


async def wavefront(comm: Comm) -> None:
    """`wavefront.c`."""
    blocks, cells = 5, 200
    columns = 1
    while columns * columns < comm.size:
        columns *= 2
    rows = comm.size // columns
    row, column = divmod(comm.rank, columns)
    for corner in range(4):
        down, right = (-1 if corner & 1 else 1), (-1 if corner & 2 else 1)
        from_row = row if down > 0 else rows - 1 - row
        from_column = column if right > 0 else columns - 1 - column
        for block in range(blocks):
            above, before = (np.full(cells, block, dtype=np.int64) for _ in range(2))
            if from_row > 0:
                await comm.Recv(above, comm.rank - down * columns, 1)
            if from_column > 0:
                await comm.Recv(before, comm.rank - right)
            here = above + before + np.arange(cells)
            if from_row < rows - 1:
                await comm.Send(here, comm.rank + down * columns, 1)
            if from_column < columns - 1:
                await comm.Send(here, comm.rank + right, 2)
            expected = np.zeros((from_row + 1, from_column + 1), dtype=int)
            for r, c in np.ndindex(*expected.shape):
                over = expected[r - 1, c] if r else block
                left = expected[r, c - 1] if c else block
                expected[r, c] = over + left + cells - 1
            assert here[-1] == expected[-1, -1]
    total = np.zeros(1, dtype=np.int64)
    await comm.Reduce(np.array([comm.rank]), total, root=0)
    assert comm.rank or total == comm.size * (comm.size - 1) // 2


async def sort(comm: Comm) -> None:
    """`sort.c`."""
    keys, state = [], 12345 + comm.rank
    for _ in range(500):
        state = (state * 1664525 + 1013904223) % 2**32
        keys.append(state >> 8)
    own = np.sort(np.array(keys, dtype=np.uint32))
    samples = np.zeros(comm.size, dtype=np.uint32)
    await comm.Allgather(own[250:251], samples)
    part = np.searchsorted(np.sort(samples)[1:], own, side="right")
    sent = np.bincount(part, minlength=comm.size).astype(np.int32)
    received = np.zeros(comm.size, dtype=np.int32)
    await comm.Alltoall(sent, received)
    result = np.zeros(received.sum(), dtype=np.uint32)
    of_sent, of_received = (
        [counts.tolist(), (counts.cumsum() - counts).tolist(), UINT32_T] for counts in (sent, received)
    )
    await comm.Alltoallv([own, *of_sent], [result, *of_received])
    result.sort()
    before = np.zeros(1, dtype=np.uint32)
    largest = np.array([result[-1] if result.size else 0], dtype=np.uint32)
    await comm.Exscan(largest, before, MAX)
    assert comm.rank == 0 or result.size == 0 or before <= result[0]
    of_all, sums = np.array([own.sum()], dtype=np.uint64), np.zeros(2, dtype=np.uint64)
    await comm.Allreduce(IN_PLACE, of_all)
    await comm.Allreduce(np.array([result.sum(), result.size], dtype=np.uint64), sums)
    assert sums.tolist() == [of_all[0], comm.size * len(keys)]


async def neighbors(comm: Comm) -> None:
    """`neighbors.c`."""
    count, size = 40, comm.size
    dims = Compute_dims(size, 2)
    grid = await comm.Create_cart(dims, [True, False])
    assert grid is not None
    rank = grid.rank
    peers = [*await grid.Shift(0, 1), *await grid.Shift(1, 1)]
    sent = 1000.0 * rank + 100 * np.arange(4)[:, None] + np.arange(count)
    got = np.full((4, count), -1.0)
    await grid.Neighbor_alltoall(sent, got)
    for side, peer in enumerate(peers):
        expected = -1 if peer == PROC_NULL else 1000 * peer + 100 * (side ^ 1) + np.arange(count)
        assert (got[side] == expected).all()
    await (await grid.Ineighbor_allgather(sent[0], got)).wait()
    assert all(peer == PROC_NULL or got[side][1] == 1000 * peer + 1 for side, peer in enumerate(peers))

    row, total = await grid.Sub([False, True]), np.zeros(1, dtype=np.int32)
    await row.Allreduce(_ints(rank), total)
    assert total == sum(range(rank - rank % dims[1], rank - rank % dims[1] + dims[1]))
    sources = [(rank + size - 1) % size, (rank + size - 1) % size, (rank + size - 2) % size]
    targets = [(rank + 1) % size, (rank + 1) % size, (rank + 2) % size]
    graph = await grid.Create_dist_graph_adjacent(sources, targets)
    await graph.Neighbor_alltoall(sent[:3], got[:3])
    assert all(got[edge][1] == 1000 * source + 100 * edge + 1 for edge, source in enumerate(sources))
    for made in (graph, row, grid):
        await made.Free()


async def requests(comm: Comm) -> None:
    """`requests.c`."""
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    await _wait_in_all_ways(comm, right, left)
    await _start_again(comm, right, left)
    await _probe(comm, right, left)
    await _send_in_all_modes(comm, right, left)
    await comm.barrier()


async def _begin(comm: Comm, right: int, left: int, tag: int) -> tuple[Array, list[Request]]:
    sent = (1000 * comm.rank + 10 * tag + np.arange(4)).astype(np.int32)
    received = np.full(4, -1, dtype=np.int32)
    begun = [await comm.Irecv(received[i : i + 1], left, tag + i) for i in range(4)]
    begun += [await comm.Isend(sent[i : i + 1], right, tag + i) for i in range(4)]
    return received, begun


async def _wait_in_all_ways(comm: Comm, right: int, left: int) -> None:
    async def begin(tag: int) -> tuple[Array, list[Request]]:
        return await _begin(comm, right, left, tag)

    def check(tag: int, received: Array) -> None:
        assert np.array_equal(received, 1000 * left + 10 * tag + np.arange(4))

    received, begun = await begin(0)
    for request in begun:
        await request.wait()
    check(0, received)
    received, begun = await begin(10)
    await comm.waitall(begun)
    check(10, received)
    received, begun = await begin(20)
    for _ in range(8):
        index, _ = await comm.waitany(begun)
        assert 0 <= index < 8
    assert (await comm.waitany(begun))[0] == UNDEFINED
    check(20, received)
    received, begun = await begin(30)
    ended = 0
    while ended < 8:
        indices, _ = await comm.waitsome(begun)
        assert indices
        ended += len(indices)
    assert not (await comm.waitsome(begun))[0]
    check(30, received)
    received, begun = await begin(40)
    for request in begun:
        while not (await request.test())[0]:
            pass
    check(40, received)
    received, begun = await begin(50)
    while not (await comm.testall(begun))[0]:
        pass
    check(50, received)
    received, begun = await begin(60)
    ended = 0
    while ended < 8:
        ended += (await comm.testany(begun))[1]
    assert (await comm.testany(begun))[:2] == (UNDEFINED, True)
    check(60, received)
    received, begun = await begin(70)
    ended = 0
    while ended < 8:
        some, _ = await comm.testsome(begun)
        ended += len(some or [])
    check(70, received)


async def _start_again(comm: Comm, right: int, left: int) -> None:
    sent = np.array([comm.rank, comm.rank + 100, comm.rank + 200], dtype=np.int32)
    received = np.zeros(3, dtype=np.int32)
    begun = [await comm.Recv_init(received[i : i + 1], left, i) for i in range(3)]
    begun += [
        await comm.Send_init(sent[:1], right, 0),
        await comm.Ssend_init(sent[1:2], right, 1),
        await comm.Send_init(sent[2:], right, 2),
    ]
    for number in range(3):
        await comm.startall(begun)
        await comm.waitall(begun)
        assert np.array_equal(received, left + 100 * np.arange(3) + 1000 * number)
        sent += 1000
    await begun[0].start()
    await begun[3].start()
    await begun[3].wait()
    await begun[0].wait()
    assert received[0] == left + 3000
    for request in begun:
        await request.free()


async def _probe(comm: Comm, right: int, left: int) -> None:
    value, other, status = _ints(comm.rank, 1, 2, 3, 4), np.zeros(5, dtype=np.int32), Status()
    request = await comm.Isend(value[:3], right, 5)
    await comm.probe(left, status=status)
    assert (status.Get_source(), status.Get_tag(), status.Get_count(INT32_T)) == (left, 5, 3)
    await comm.Recv(other[:3], left, 5)
    assert other[0] == left
    await request.wait()
    request = await comm.Isend(value[:4], right, 6)
    while not await comm.iprobe(tag=6):
        pass
    message = await comm.mprobe(left, 6)
    await message.Recv(other)
    assert other[3] == 3
    await request.wait()
    request = await comm.Issend(value, right, 7)
    found = None
    while found is None:
        found = await comm.improbe(left, 7)
    receiving = await found.Irecv(other)
    await receiving.wait()
    assert other[4] == 4
    await request.wait()


async def _send_in_all_modes(comm: Comm, right: int, left: int) -> None:
    value, other = _ints(comm.rank), _ints(-1)
    await comm.Sendrecv(value, right, 1, other, left, 1)
    assert other == left
    await comm.Sendrecv_replace(value, right, 2, left, 2)
    assert value == left
    request = await comm.Irecv(other, left, 3)
    await comm.barrier()
    await comm.Rsend(_ints(comm.rank + 1), right, 3)
    await request.wait()
    assert other == left + 1
    await comm.Bsend(_ints(comm.rank + 2), right, 4)
    await comm.Recv(other, left, 4)
    assert other == left + 2
    request = await comm.Irecv(other, left, 99)
    await request.cancel()
    await request.wait()
    await comm.Recv(other, PROC_NULL, 0)
    request = await comm.Isend(value, PROC_NULL, 0)
    await request.wait()
    await (await comm.Isend(value, right, 8)).free()
    await comm.Recv(other, left, 8)
    request = await comm.Irecv(other, left, 9)
    await comm.Send(value, right, 9)
    await request.wait()
