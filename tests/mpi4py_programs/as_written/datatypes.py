"""A matrix is transposed with datatypes: columns are sent, and arrive as rows."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
rows = 3
n = rows * size
own = np.arange(rank * rows * n, (rank + 1) * rows * n, dtype="i4").reshape(rows, n)
result = np.zeros((rows, n), dtype="i4")

column = MPI.INT.Create_vector(rows, 1, n)
next_column = column.Create_resized(0, MPI.INT.Get_size())
block = next_column.Create_contiguous(rows)
block.Commit()
place = MPI.INT.Create_subarray([rows, n], [rows, rows], [0, 0])
place.Commit()
requests = []
for peer in range(size):
    requests.append(comm.Irecv([result.ravel()[rows * peer :], 1, place], source=peer))
for peer in range(size):
    requests.append(comm.Isend([own.ravel()[rows * peer :], 1, block], dest=peer))
MPI.Request.Waitall(requests)
for datatype in (column, next_column, block, place):
    datatype.Free()
lines = comm.gather(result, root=0)
if rank == 0:
    whole = np.vstack(lines)
    print("transposed:", bool((whole == np.arange(n * n).reshape(n, n).T).all()), whole[1, :5].tolist())
