"""Heat in a square plate: Jacobi iteration on strips of rows, with halos from the ranks above and below."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
n = 48
rows = n // size + (rank < n % size)
u = np.zeros((rows + 2, n + 2))
if rank == 0:
    u[0, :] = 100.0
up = rank - 1 if rank > 0 else MPI.PROC_NULL
down = rank + 1 if rank < size - 1 else MPI.PROC_NULL

for iteration in range(200):
    comm.Sendrecv(u[1], dest=up, recvbuf=u[-1], source=down)
    comm.Sendrecv(u[-2], dest=down, recvbuf=u[0], source=up)
    if rank == 0:
        u[0, :] = 100.0
    new = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    change = comm.allreduce(float(abs(new - u[1:-1, 1:-1]).max()), op=MPI.MAX)
    u[1:-1, 1:-1] = new
    if change < 0.05:
        break
parts = comm.gather(u[1:-1, 1:-1], root=0)
if rank == 0:
    plate = np.vstack(parts)
    print(f"{iteration} iterations, change {change:.6f}, mean {plate.mean():.6f}, middle {plate[n // 2, n // 2]:.6f}")
