"""Reductions: all predefined operations, and operations of the program."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
ranks = np.arange(size)


def reduced(values, op, kind):
    result = np.empty_like(np.array(values, dtype=kind))
    comm.Allreduce(np.array(values, dtype=kind), result, op=op)
    return result


for kind in ("i1", "u2", "i4", "u8", "f4", "f8"):
    assert reduced([rank], MPI.SUM, kind)[0] == ranks.sum()
    assert reduced([rank % 2 + 1], MPI.PROD, kind)[0] == np.prod(ranks % 2 + 1)
    assert (reduced([rank, -rank if kind[0] != "u" else 0], MPI.MAX, kind) == [size - 1, 0]).all()
for kind in ("c8", "c16"):
    assert reduced([1j + rank], MPI.SUM, kind)[0] == ranks.sum() + 1j * size
for kind in ("i2", "u4", "i8"):
    assert reduced([1 << rank], MPI.BOR, kind)[0] == (1 << size) - 1
    assert reduced([3], MPI.BAND, kind)[0] == 3
    assert reduced([1 << rank | 1], MPI.BXOR, kind)[0] == (1 << size) - 2 + size % 2
    assert (reduced([rank, 1], MPI.LAND, kind) == [0, 1]).all() and reduced([rank], MPI.LOR, kind)[0] == 1
pair = np.array([(abs(rank - 1.5), rank)], dtype=np.dtype([("value", "f8"), ("index", "i4")], align=True))
found = np.empty_like(pair)
comm.Allreduce([pair, MPI.DOUBLE_INT], [found, MPI.DOUBLE_INT], op=MPI.MINLOC)
assert found["index"][0] == 1


def compose(one, other, datatype):
    """Composes permutations: the order of the operands matters."""
    first, second = np.frombuffer(one, dtype="i8"), np.frombuffer(other, dtype="i8")
    second[:] = second[first]


operation = MPI.Op.Create(compose, commute=False)
own = np.roll(np.arange(8), rank) if rank % 2 else np.arange(8)[::-1].copy()
result = np.empty(8, dtype="i8")
comm.Allreduce(own, result, op=operation)
expected = np.arange(8)
for peer in range(size):
    expected = (np.roll(np.arange(8), peer) if peer % 2 else np.arange(8)[::-1])[expected]
assert (result == expected).all() and not operation.Is_commutative()
operation.Free()
local = np.array([2.0, 3.0])
MPI.SUM.Reduce_local(np.array([10.0, 20.0]), local)
assert list(local) == [12, 23]
print("ok", rank)
