"""Programs that run in one process (`torusim.run_program`) and as processes: `python awaited.py NAME`."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

import torusim.awaited
from torusim import programs
from torusim.programs import MAX, SUM, UNDEFINED, Bytes, Comm, Status

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.mpi_programs import twins  # noqa: E402


async def objects(comm: Comm) -> Any:  # noqa: ANN401
    """Calls on objects: of all modes, probes, waits and tests, collectives of all kinds."""
    rank, size = comm.rank, comm.size
    right, left = (rank + 1) % size, (rank - 1) % size
    status = Status()
    await comm.send({"from": rank}, dest=right, tag=3)
    assert await comm.recv(source=left, tag=3, status=status) == {"from": left}
    assert (status.Get_source(), status.Get_tag()) == (left, 3)
    assert (await comm.sendrecv(np.arange(rank + 1), right, source=left)).tolist() == list(range(left + 1))
    sends = [await comm.isend((rank, peer), peer, tag=peer) for peer in range(size)]
    receives = [await comm.irecv(source=peer, tag=rank) for peer in range(size)]
    index, first = await comm.waitany(receives)
    others = await comm.waitall(receives[:index] + receives[index + 1 :])
    assert sorted([first, *others]) == [(peer, rank) for peer in range(size)]
    await comm.waitall(sends[::2])
    await comm.waitall(sends[1::2])
    await comm.compute(1e-6 * (rank + 1))
    request = await comm.issend(b"x" * 5_000, right, tag=9)
    while not await comm.iprobe(source=left, tag=9):
        await comm.compute(1e-6)
    message = await comm.mprobe(source=left)
    assert await message.recv(status) == b"x" * 5_000 and status.Get_count() == 5_000
    await request.wait()
    one, other = await comm.irecv(source=left, tag=1), await comm.irecv(source=left, tag=2)
    await comm.send(Bytes(200_000), right, tag=2)
    assert await other.wait() == Bytes(200_000) and (await one.test())[0] is False
    await one.cancel()
    await one.wait(status)
    assert status.Is_cancelled()
    await (await comm.isend("freed", right)).free()
    assert await comm.recv(source=left) == "freed"

    assert await comm.bcast({"root": 1} if rank == 1 else None, root=1) == {"root": 1}
    gathered = await comm.gather("x" * rank, root=2)
    assert gathered == (["x" * peer for peer in range(size)] if rank == 2 else None)
    assert await comm.scatter([[peer] * peer for peer in range(size)] if rank == 0 else None) == [rank] * rank
    assert await comm.allgather(b"y" * rank) == [b"y" * peer for peer in range(size)]
    assert await comm.alltoall([(rank, peer) for peer in range(size)]) == [(peer, rank) for peer in range(size)]
    assert await comm.reduce(rank, MAX, root=1) == (size - 1 if rank == 1 else None)
    assert (await comm.allreduce(np.full(3, rank))).tolist() == [sum(range(size))] * 3
    assert await comm.allreduce({rank}, lambda a, b: a | b) == set(range(size))
    assert await comm.scan(rank) == sum(range(rank + 1))
    assert await comm.exscan(float(rank)) == (sum(range(rank)) if rank else None)
    assert await comm.reduce_scatter(list(range(size)), SUM) == rank * size
    requests = [await comm.ibcast(Bytes(64) if rank else b"b" * 64), await comm.iallreduce(1), await comm.ibarrier()]
    assert await comm.waitall(requests) == [b"b" * 64, size, None]
    await comm.barrier()
    return await comm.allreduce(1)


async def communicators(comm: Comm) -> Any:  # noqa: ANN401
    """Splits, duplicates, groups, grids and graphs; neighborhoods; persistent requests."""
    rank, size = comm.rank, comm.size
    half = await comm.split(rank % 2, key=-rank)
    assert half is not None and await half.allgather(rank) == list(reversed(range(rank % 2, size, 2)))
    assert (await comm.split(UNDEFINED if rank else 0) is None) == (rank > 0)
    double = await half.dup()
    total = await double.allreduce(rank)
    assert total == sum(range(rank % 2, size, 2))
    await half.Free()
    made = await comm.Create(comm.group.Excl([0]))
    if made is not None:
        assert await made.allgather(rank) == list(range(1, size))
    grid = await comm.Create_cart(programs.compute_dims(size, 2), periods=[True, False])
    assert grid is not None
    line = await grid.Sub([False, True])
    assert await line.allgather(rank) == [await grid.Get_cart_rank([grid.coords[0], y]) for y in range(grid.dims[1])]
    received = np.full(4, -1)
    await grid.Neighbor_allgather(np.array([rank]), received)
    sides = [side for dimension in range(2) for side in await grid.Shift(dimension, 1)]
    assert received.tolist() == [-1 if side == programs.PROC_NULL else side for side in sides]
    targets = [(rank + step) % size for step in (1, 3)]
    graph = await comm.Create_dist_graph_adjacent([(rank - step) % size for step in (1, 3)], targets)
    assert await graph.neighbor_alltoall([(rank, target) for target in targets]) == [
        (source, rank) for source in graph.inedges
    ]
    data, there = np.zeros(40), np.zeros(40)
    requests = [await comm.Recv_init(there, source=(rank - 1) % size), await comm.Send_init(data, (rank + 1) % size)]
    reduction = await comm.Allreduce_init(data, totals := np.zeros(40))
    for step in range(3):
        data[:] = rank + step
        await comm.Startall(requests)
        await reduction.Start()
        await comm.waitall([reduction, *requests])
        assert (there == (rank - 1) % size + step).all() and (totals == sum(range(size)) + size * step).all()
    for request in (*requests, reduction):
        await request.Free()
    return comm.time()


async def arrays(comm: Comm) -> Any:  # noqa: ANN401
    """Calls on arrays: datatypes, collectives with different lengths, in place, and without a block."""
    rank, size = comm.rank, comm.size
    right, left = (rank + 1) % size, (rank - 1) % size
    matrix, halo = np.arange(30.0).reshape(5, 6) + rank, np.zeros((5, 6))
    column = programs.DOUBLE.Create_vector(5, 1, 6).Commit()
    request = await comm.Irecv([halo, 1, column], source=left)
    await comm.Send([matrix, 1, column], dest=right)
    await request.Wait()
    assert (halo[:, 0] == np.arange(0.0, 30, 6) + left).all()
    await comm.Sendrecv(matrix[:, ::2], right, recvbuf=halo[:, :3], source=left)
    assert (halo[:, :3] == matrix[:, ::2] - rank + left).all()
    counts = np.arange(size) + 1
    joined = np.empty(counts.sum())
    await comm.Allgatherv(np.full(rank + 1, float(rank)), [joined, counts])
    assert (joined == np.repeat(np.arange(size), counts)).all()
    received = np.empty(size * (rank + 1))
    await comm.Alltoallv([np.repeat(10.0 * rank + np.arange(size), counts), counts], [received, [rank + 1] * size])
    assert (received == np.repeat(10 * np.arange(size) + rank, rank + 1)).all()
    total = np.full(7, float(rank))
    await comm.Allreduce(programs.IN_PLACE, total)
    assert (total == sum(range(size))).all()
    own = np.empty(rank + 1)
    await comm.Reduce_scatter(np.ones(counts.sum()), own, list(counts))
    table = np.arange(3.0 * size).reshape(size, 3) if rank == 0 else None
    await comm.Scatter(table, part := np.empty(3), root=0)
    assert (own == size).all() and (part == np.arange(3) + 3 * rank).all()
    await comm.waitall([await comm.Ibcast(part, root=1), await comm.Ireduce(part.copy(), total[:3], root=0)])
    await comm.Bcast(big := np.full(40_000, rank == 2), root=2)
    assert big.all() and (part == [3, 4, 5]).all()
    return float(total[0])


PROGRAMS = {
    "objects": objects,
    "communicators": communicators,
    "arrays": arrays,
    "halo": twins.halo,
    "collectives": twins.collectives,
    "wavefront": twins.wavefront,
    "sort": twins.sort,
}

if __name__ == "__main__":
    returned = torusim.awaited.run(PROGRAMS[sys.argv[1]])
    print(f"returned {returned!r}")
