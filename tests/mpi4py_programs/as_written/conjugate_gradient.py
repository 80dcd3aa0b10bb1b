"""Conjugate gradients for the Poisson equation in one dimension, with non-blocking halos."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
local = 64
n = local * size
left, right = rank - 1 if rank else MPI.PROC_NULL, rank + 1 if rank < size - 1 else MPI.PROC_NULL


def product(p):
    """The matrix with 2.01 on the diagonal and -1 beside it, times p."""
    low, high = np.zeros(1), np.zeros(1)
    requests = [comm.Irecv(low, left), comm.Irecv(high, right), comm.Isend(p[:1], left), comm.Isend(p[-1:], right)]
    result = 2.01 * p
    result[1:] -= p[:-1]
    result[:-1] -= p[1:]
    MPI.Request.Waitall(requests)
    result[0] -= low[0]
    result[-1] -= high[0]
    return result


def dot(x, y):
    total = np.zeros(1)
    comm.Allreduce(np.array([x @ y]), total, op=MPI.SUM)
    return total[0]


exact = np.sin(np.arange(rank * local, (rank + 1) * local) * 0.1)
right_side = product(exact)
x = np.zeros(local)
r = right_side.copy()
p, rr = r.copy(), dot(r, r)
steps = 0
while rr > 1e-16 and steps < n:
    q = product(p)
    alpha = rr / dot(p, q)
    x += alpha * p
    r -= alpha * q
    rr, before = dot(r, r), rr
    p = r + rr / before * p
    steps += 1
error = comm.reduce(abs(x - exact).max(), op=MPI.MAX, root=0)
if rank == 0:
    print(f"{n} unknowns, converged: {steps < n}, error below 1e-7: {error < 1e-7}")
