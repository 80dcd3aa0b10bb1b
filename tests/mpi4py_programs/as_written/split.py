"""Sums of rows and columns of a grid, each on a communicator of its own."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
columns = max(d for d in range(1, int(size**0.5) + 1) if size % d == 0)
row_comm = comm.Split(color=rank // columns, key=rank)
column_comm = comm.Split(color=rank % columns, key=-rank)
value = np.array([rank + 1.0])
row_sum, column_max = np.empty(1), np.empty(1)
row_comm.Allreduce(value, row_sum, op=MPI.SUM)
column_comm.Allreduce(value, column_max, op=MPI.MAX)
order = column_comm.gather(rank, root=0)
first = comm.Create(comm.Get_group().Incl(range(0, size, columns)))
if first != MPI.COMM_NULL:
    sums = first.gather(float(row_sum[0]), root=0)
    if first.Get_rank() == 0:
        print("sums of rows:", sums)
    first.Free()
if column_comm.Get_rank() == 0:
    print(f"column {rank % columns}: ranks {order}, highest {column_max[0]}")
row_comm.Free()
column_comm.Free()
