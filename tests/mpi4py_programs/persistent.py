"""Persistent requests and collectives, and partitioned ones."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size

sent, received = np.empty(50), np.empty(50)
requests = [comm.Recv_init(received, source=left, tag=1), comm.Send_init(sent, dest=right, tag=1)]
for step in range(5):
    sent[:] = 10 * step + rank
    MPI.Prequest.Startall(requests)
    MPI.Request.Waitall(requests)
    assert (received == 10 * step + left).all()
for request in requests:
    request.Free()
for make in (comm.Ssend_init, comm.Rsend_init):
    receive, send = comm.Recv_init(received, source=left, tag=2), make(sent, dest=right, tag=2)
    receive.Start()
    comm.Barrier()
    send.Start()
    MPI.Request.Waitall([receive, send])
    assert (received == 40 + left).all()

total = np.empty(50)
if MPI.VERSION >= 4:
    reduction = comm.Allreduce_init(sent, total)
    broadcast = comm.Bcast_init(received, root=0)
    for step in range(3):
        sent[:] = step * rank
        received[:] = step if rank == 0 else -1
        MPI.Prequest.Startall([reduction, broadcast])
        MPI.Request.Waitall([reduction, broadcast])
        assert (total == step * size * (size - 1) / 2).all() and (received == step).all()
    reduction.Free(), broadcast.Free()
    halves = [comm.Psend_init(sent, 2, dest=right, tag=3), comm.Precv_init(received, 2, source=left, tag=3)]
    for step in range(2):
        sent[:] = rank + step
        MPI.Prequest.Startall(halves)
        halves[0].Pready(1)
        halves[0].Pready(0)
        MPI.Request.Waitall(halves)
        assert (received == left + step).all()
print("ok", rank)
