"""Collectives that do not block, several of them in progress."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
ranks = np.arange(size)

data = np.full(1_000, 3.0 if rank == 0 else -1.0)
total, before, table, back = np.empty(4), np.empty(1), np.empty(size), np.empty(1)
other, own = np.empty(size), np.empty(1)
requests = [
    comm.Ibcast(data, root=0),
    comm.Iallreduce(np.full(4, rank + 1.0), total, op=MPI.PROD),
    comm.Iscan(np.array([float(rank)]), before),
    comm.Iallgather(np.array([2.0 * rank]), table),
    comm.Iscatter(table.copy() if rank else np.arange(1.0 * size), back, root=0),
    comm.Ialltoall(100.0 * rank + ranks, other),
    comm.Ireduce_scatter_block(np.ones(size), own),
    comm.Ibarrier(),
]
MPI.Request.Waitall(requests)
assert (data == 3).all() and (total == np.prod(ranks + 1.0)).all() and before[0] == ranks[: rank + 1].sum()
assert (table == 2 * ranks).all() and back[0] == rank and (other == 100 * ranks + rank).all() and own[0] == size

gathered = np.empty(2 * size) if rank == size - 1 else None
request = comm.Igather(np.array([rank, -1.0]), gathered, root=size - 1)
while not request.Test():
    pass
assert gathered is None or (gathered[::2] == ranks).all()
counts = ranks + 1
joined = np.empty(counts.sum())
requests = [comm.Iallgatherv(np.full(rank + 1, float(rank)), [joined, counts])]
sums = np.empty(1)
requests.append(comm.Ireduce(np.array([1.0]), sums if rank == 0 else None, root=0))
index = MPI.Request.Waitany(requests)
MPI.Request.Wait(requests[1 - index])
assert (joined == np.repeat(ranks, counts)).all() and (rank or sums[0] == size)
double, request = comm.Idup()
request.Wait()
assert double.allreduce(1) == size
print("ok", rank)
