"""All ranks send before they receive: long messages wait for their receivers, for ever."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
data = np.full(1_000_000, float(rank))
received = np.empty_like(data)
print(f"rank {rank} begins", flush=True)
comm.Ssend(data, dest=(rank + 1) % size, tag=5)
comm.Recv(received, source=(rank - 1) % size, tag=5)
print(f"rank {rank} never gets here")
