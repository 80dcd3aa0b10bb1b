"""Measures the memory of all ranks and of the simulator: the sum of their proportional shares (PSS)."""

import os
from pathlib import Path

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
values = np.full(1_000, float(comm.rank))
total = np.empty_like(values)
comm.Allreduce(values, total)
assert comm.allreduce(comm.rank) == total[0]
comm.sendrecv({"rank": comm.rank}, (comm.rank + 1) % comm.size, source=(comm.rank - 1) % comm.size)
comm.Barrier()


def share(process):
    """The share of a process in megabytes."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


if comm.rank == 0:
    parent = os.getppid()
    simulator = int(Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
    ranks = [int(number) for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    of_ranks = sum(map(share, ranks))
    print(len(ranks), "ranks:", round(of_ranks), "MB, parent:", round(share(parent)), "MB, simulator:",
          round(share(simulator)), "MB, in all:", round(of_ranks + share(parent) + share(simulator)), "MB")  # fmt: skip
comm.Barrier()
