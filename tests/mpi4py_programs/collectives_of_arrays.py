"""Collectives on arrays: of equal and of different lengths, and in place."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
ranks = np.arange(size)

data = np.arange(100.0) if rank == 1 else np.empty(100)
comm.Bcast(data, root=1)
assert (data == np.arange(100)).all()
table = np.empty((size, 2), dtype="i8")
comm.Allgather(np.array([rank, rank**2]), table)
assert (table == np.stack([ranks, ranks**2], axis=1)).all()
table = np.empty((size, 2), dtype="i8") if rank == 0 else None
comm.Gather(np.array([rank, 7]), table, root=0)
assert rank or (table == np.stack([ranks, np.full(size, 7)], axis=1)).all()
part = np.empty(3, dtype="i8")
comm.Scatter(np.arange(3 * size).reshape(size, 3) if rank == 0 else None, part, root=0)
assert (part == np.arange(3) + 3 * rank).all()
other = np.empty(size, dtype="i8")
comm.Alltoall(10 * rank + ranks, other)
assert (other == 10 * ranks + rank).all()

counts, starts = ranks + 1, np.concatenate([[0], np.cumsum(ranks + 1)[:-1]])
own, expected = np.full(rank + 1, float(rank)), np.repeat(ranks, ranks + 1)
joined = np.empty(counts.sum())
comm.Allgatherv(own, [joined, counts, starts, MPI.DOUBLE])
assert (joined == expected).all()
comm.Gatherv(own, [joined if rank == 0 else None, (counts, starts)], root=0)
back = np.empty(rank + 1)
comm.Scatterv([joined if rank == 0 else None, counts, starts, MPI.DOUBLE], back, root=0)
assert (back == rank).all()
received = np.empty(size * (rank + 1))
each = (np.full(size, rank + 1), ranks * (rank + 1))
comm.Alltoallv([np.repeat(100.0 * rank + ranks, counts), (counts, starts)], [received, each])
assert (received == np.repeat(100 * ranks + rank, rank + 1)).all()
rows = [MPI.DOUBLE] * size
ones, bytes_of = [1] * size, list(8 * ranks)
comm.Alltoallw([1.0 * rank + ranks, ones, bytes_of, rows], [received[:size], ones, bytes_of, rows])
assert (received[:size] == ranks + rank).all()

total = np.empty(5)
comm.Allreduce(np.full(5, rank + 1.0), total)
assert (total == size * (size + 1) / 2).all()
comm.Allreduce(MPI.IN_PLACE, total, op=MPI.MAX)
comm.Reduce(MPI.IN_PLACE if rank == 0 else total, total if rank == 0 else None, op=MPI.SUM, root=0)
assert rank or (total == size * size * (size + 1) / 2).all()
scanned = np.empty(1, dtype="i8")
comm.Scan(np.array([rank]), scanned)
assert scanned[0] == ranks[: rank + 1].sum()
comm.Exscan(np.array([rank]), scanned)
assert rank == 0 or scanned[0] == ranks[:rank].sum()
block = np.empty(2, dtype="i8")
comm.Reduce_scatter_block(np.repeat(ranks, 2), block)
assert (block == size * rank).all()
own = np.empty(rank + 1)
comm.Reduce_scatter(np.ones(counts.sum()), own, recvcounts=list(counts))
assert (own == size).all()
places = np.zeros((size, 1), dtype="i4")
places[rank] = rank + 5
comm.Allgather(MPI.IN_PLACE, places)
assert (places[:, 0] == ranks + 5).all()
print("ok", rank)
