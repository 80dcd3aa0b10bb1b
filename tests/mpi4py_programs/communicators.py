"""Communicators: split, duplicated, of groups, and between two groups."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

half = comm.Split(rank % 2, key=-rank)
members = [peer for peer in reversed(range(size)) if peer % 2 == rank % 2]
assert half.allgather(rank) == members and half.Get_group().Translate_ranks(None, comm.group) == members
none = comm.Split(0 if rank == 0 else MPI.UNDEFINED)
assert (none == MPI.COMM_NULL) == (rank > 0)
double = comm.Dup()
double.name = "another world"
assert MPI.Comm.Compare(comm, double) == MPI.CONGRUENT and double.Get_name() == "another world"
request = double.isend("duplicate", dest=rank, tag=1)
assert comm.iprobe(source=rank, tag=1) is False and double.recv(source=rank, tag=1) == "duplicate"
request.wait()

group = comm.group.Incl(range(1, size))
if rank > 0:
    inner = comm.Create_group(group, tag=3)
    assert inner.size == size - 1 and inner.allreduce(1) == size - 1
    inner.Free()
made = comm.Create(comm.group.Range_incl([(0, size - 1, 2)]))
assert (made == MPI.COMM_NULL) == (rank % 2 == 1)
assert MPI.Group.Compare(MPI.Group.Union(group, comm.group.Incl([0])), comm.group) == MPI.SIMILAR
node = comm.Split_type(MPI.COMM_TYPE_SHARED)
assert node.size >= 1 and MPI.COMM_SELF.allgather(rank) == [rank]

between = half.Create_intercomm(0, comm, remote_leader=(size - 1 if (size - 1) % 2 != rank % 2 else size - 2), tag=9)
assert between.is_inter and between.remote_size == size - half.size and between.size == half.size
others = [peer for peer in reversed(range(size)) if peer % 2 != rank % 2]
assert between.allgather(rank) == others
partner = half.rank % between.remote_size
if half.rank < min(half.size, between.remote_size):
    assert between.sendrecv(rank, dest=partner, source=partner) == others[partner]
total = np.empty(1, dtype="i8")
between.Allreduce(np.array([rank]), total)
assert total[0] == sum(others)
merged = between.Merge(high=rank % 2 == 1)
assert merged.size == size and merged.allreduce(rank) == size * (size - 1) // 2
for one in (merged, between, node, double, half):
    one.Free()
print("ok", rank)
