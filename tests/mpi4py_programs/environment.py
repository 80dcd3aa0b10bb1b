"""Attributes, error handlers, infos, exceptions, clocks and pickles of mpi4py."""

import time

import numpy as np
from mpi4py import MPI
from mpi4py.util import pkl5

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size

assert comm.Get_attr(MPI.TAG_UB) >= 32_767 and MPI.COMM_WORLD.Get_attr(MPI.WTIME_IS_GLOBAL) in (None, 0, 1, True, False)
deleted = []
key = MPI.Comm.Create_keyval(lambda _comm, _key, value: value + 1, lambda _comm, _key, value: deleted.append(value))
comm.Set_attr(key, 41)
double = comm.Dup()
assert (comm.Get_attr(key), double.Get_attr(key)) == (41, 42)
double.Free()
comm.Delete_attr(key)
assert sorted(deleted) == [41, 42]
info = MPI.Info.Create({"one": "1"})
info["two"] = "2"
assert dict(info) == {"one": "1", "two": "2"} and "three" not in info and info.Get_nkeys() == 2

assert comm.Get_errhandler() == MPI.ERRORS_RETURN
try:
    comm.send(1, dest=size)
    raise AssertionError("rank size is no rank")
except MPI.Exception as error:
    assert error.Get_error_class() == MPI.ERR_RANK and "rank" in str(error).lower(), str(error)
if rank == 0:
    comm.Send(np.zeros(10), dest=1, tag=7)
elif rank == 1:
    try:
        comm.Recv(np.zeros(5), source=0, tag=7)
        raise AssertionError("the message is too long")
    except MPI.Exception as error:
        assert error.Get_error_class() == MPI.ERR_TRUNCATE
code = MPI.Add_error_code(MPI.Add_error_class())
MPI.Add_error_string(code, "an error of the program")
assert MPI.Get_error_string(code) == "an error of the program"

objects = pkl5.Intracomm(comm)
arrays = {"a": np.arange(5_000.0) + rank, "b": "text"}
request = objects.isend(arrays, dest=right)
got = objects.recv(source=left)
request.wait()
assert (got["a"] == np.arange(5_000) + left).all() and got["b"] == "text"
assert objects.bcast(arrays if rank == 0 else None)["a"][7] == 7
assert [one["a"][0] for one in objects.allgather(arrays)] == list(range(size))

assert MPI.Get_version()[0] >= 3 and MPI.Is_thread_main() and MPI.Is_initialized() and not MPI.Is_finalized()
begin, since = MPI.Wtime(), time.monotonic()
time.sleep(0.25)
most = 0.2501 if "torusim" in MPI.Get_library_version() else 10
assert 0.25 <= MPI.Wtime() - begin < most and 0.25 <= time.monotonic() - since < most
print("ok", rank)
