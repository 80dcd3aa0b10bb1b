"""The product of two matrices by Cannon's algorithm, on a square grid of ranks."""

import math

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
side = math.isqrt(comm.Get_size())
if side * side != comm.Get_size():
    raise SystemExit("needs a square number of ranks")
grid = comm.Create_cart([side, side], periods=[True, True], reorder=True)
row, column = grid.Get_coords(grid.Get_rank())
n = 24
numbers = np.random.default_rng([row, column])
a, b = numbers.integers(-9, 9, (n, n)).astype(float), numbers.integers(-9, 9, (n, n)).astype(float)
whole_a, whole_b = grid.gather(a, root=0), grid.gather(b, root=0)
c = np.zeros((n, n))


def shift(block, dimension, steps):
    source, dest = grid.Shift(dimension, -steps)
    grid.Sendrecv_replace(block, dest=dest, source=source)


shift(a, 1, row)
shift(b, 0, column)
for step in range(side):
    c += a @ b
    shift(a, 1, 1)
    shift(b, 0, 1)
blocks = grid.gather(c, root=0)
if grid.Get_rank() == 0:

    def assembled(parts):
        return np.block([[parts[i * side + j] for j in range(side)] for i in range(side)])

    error = abs(assembled(blocks) - assembled(whole_a) @ assembled(whole_b)).max()
    print(f"{side * n} x {side * n}, error {error}, trace {np.trace(assembled(blocks))}")
