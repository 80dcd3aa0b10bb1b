"""Sorting by regular samples: each rank gets a range of values."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
own = np.sort(np.random.default_rng(rank).integers(0, 1_000_000, 2_000))
samples = own[:: len(own) // size][:size].copy()
everybodys = np.empty(size * size, dtype=own.dtype) if rank == 0 else None
comm.Gather(samples, everybodys, root=0)
splitters = np.sort(everybodys)[size // 2 :: size][1:size] if rank == 0 else np.empty(size - 1, dtype=own.dtype)
splitters = np.ascontiguousarray(splitters)
comm.Bcast(splitters, root=0)
bounds = np.concatenate([[0], np.searchsorted(own, splitters), [len(own)]])
counts = np.diff(bounds)
received = np.empty_like(counts)
comm.Alltoall(counts, received)
result = np.empty(received.sum(), dtype=own.dtype)
comm.Alltoallv([own, counts], [result, received])
result.sort()
edges = comm.gather((len(result), int(result[0]), int(result[-1]), int(result.sum())), root=0)
if rank == 0:
    in_order = all(one[2] <= other[1] for one, other in zip(edges, edges[1:]))
    print("sorted:", in_order, "values:", sum(one[0] for one in edges), "sum:", sum(one[3] for one in edges))
    for number, (count, lowest, highest, total) in enumerate(edges):
        print(f"rank {number}: {count} values from {lowest} to {highest}")
