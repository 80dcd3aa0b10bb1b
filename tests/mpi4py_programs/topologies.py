"""Grids and graphs, and collectives of neighbors."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

dims = MPI.Compute_dims(size, 2)
grid = comm.Create_cart(dims, periods=[True, False])
assert grid.Get_cart_rank(grid.coords) == grid.rank and grid.topo == (list(dims), [True, False], grid.coords)
(x, y), (nx, ny) = grid.coords, dims
before, behind = grid.Shift(0, 1)
assert (before, behind) == (grid.Get_cart_rank([x - 1, y]), grid.Get_cart_rank([x + 1, y]))
under, above = grid.Shift(1, 1)
assert (under == MPI.PROC_NULL) == (y == 0) and (above == MPI.PROC_NULL) == (y == ny - 1)
line = grid.Sub([True, False])
assert line.size == nx and line.rank == x and line.allgather(y) == [y] * nx

sent = np.arange(4.0) + 10 * rank
received = np.full(4, -1.0)
grid.Neighbor_alltoall(sent, received)
for place, peer in enumerate([before, behind, under, above]):
    wanted = -1 if peer == MPI.PROC_NULL else (place ^ 1) + 10 * peer
    assert received[place] == wanted or nx == 2 and place < 2
ranks = grid.neighbor_allgather(rank)
assert [got for got in ranks if got is not None] == [p for p in (before, behind, under, above) if p != MPI.PROC_NULL]
numbers = np.full(4, -1, dtype="i8")
grid.Ineighbor_allgather(np.array([rank]), numbers).Wait()
assert list(numbers) == [-1 if p == MPI.PROC_NULL else p for p in (before, behind, under, above)]

targets = [(rank + step) % size for step in (1, 2)]
sources = [(rank - step) % size for step in (1, 2)]
graph = comm.Create_dist_graph_adjacent(sources, targets)
assert graph.inoutedges == (sources, targets) and graph.degrees == (2, 2)
assert graph.neighbor_alltoall([f"{rank} to {peer}" for peer in targets]) == [f"{peer} to {rank}" for peer in sources]
counts = [1, 2]
received = np.empty(3, dtype="i8")
graph.Neighbor_alltoallv([np.array([rank, rank + 100, rank + 200]), counts], [received, counts])
assert list(received) == [sources[0], sources[1] + 100, sources[1] + 200]
general = comm.Create_dist_graph([rank], [1], [(rank + 1) % size])
assert general.inedges == [(rank - 1) % size]
print("ok", rank)
