"""Collectives on objects, which mpi4py pickles."""

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

for root in range(size):
    assert comm.bcast({"root": root} if rank == root else None, root=root) == {"root": root}
    gathered = comm.gather("x" * rank, root=root)
    assert gathered == (["x" * peer for peer in range(size)] if rank == root else None)
    own = comm.scatter([(root, peer) for peer in range(size)] if rank == root else None, root=root)
    assert own == (root, rank)
    total = comm.reduce(rank + 1, op=MPI.SUM, root=root)
    assert total == (size * (size + 1) // 2 if rank == root else None)
assert comm.allgather([rank] * rank) == [[peer] * peer for peer in range(size)]
assert comm.alltoall([f"{rank}->{peer}" for peer in range(size)]) == [f"{peer}->{rank}" for peer in range(size)]
assert comm.allreduce(rank, op=MPI.MAX) == size - 1
assert comm.allreduce((rank % 3, rank), op=MPI.MINLOC) == (0, 0)
assert comm.allreduce({rank}, op=lambda one, other: one | other) == set(range(size))
assert comm.scan(rank) == sum(range(rank + 1))
assert comm.exscan(rank) == (sum(range(rank)) if rank else None)
assert comm.allreduce("abcdefgh"[rank % 8]) == "".join("abcdefgh"[peer % 8] for peer in range(size))
big = comm.bcast(bytes(100_000) if rank == 0 else None)
assert len(big) == 100_000
comm.barrier()
print("ok", rank)
