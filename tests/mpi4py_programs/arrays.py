"""Arrays from rank to rank, whole and in pieces that datatypes describe."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size

sent, received = np.arange(1_000, dtype="f8") + rank, np.empty(1_000)
comm.Sendrecv(sent, dest=right, recvbuf=received, source=left)
assert (received == np.arange(1_000) + left).all()
requests = [comm.Irecv(received, source=left, tag=1), comm.Isend(2 * sent, dest=right, tag=1)]
MPI.Request.Waitall(requests)
assert (received == 2 * (np.arange(1_000) + left)).all()
status = MPI.Status()
if rank == 0:
    comm.Send([np.arange(7, dtype="i4"), 5, MPI.INT], dest=1, tag=2)
elif rank == 1:
    integers = np.zeros(10, dtype="i4")
    comm.Recv(integers, source=0, tag=2, status=status)
    assert list(integers) == [0, 1, 2, 3, 4, 0, 0, 0, 0, 0] and status.Get_count(MPI.INT) == 5

matrix = np.arange(30.0).reshape(5, 6) + 100 * rank
column = MPI.DOUBLE.Create_vector(5, 1, 6).Commit()
halo = np.zeros((5, 6))
comm.Sendrecv([matrix.ravel()[1:], 1, column], right, recvbuf=[halo, 1, column], source=left)
assert (halo[:, 0] == np.arange(1.0, 30, 6) + 100 * left).all() and (halo[:, 1:] == 0).all()
inner = MPI.DOUBLE.Create_subarray([5, 6], [3, 4], [1, 1]).Commit()
packed = np.empty(12)
comm.Sendrecv([matrix, 1, inner], right, recvbuf=packed, source=left)
assert (packed.reshape(3, 4) == matrix[1:4, 1:5] - 100 * rank + 100 * left).all()
pair = MPI.Datatype.Create_struct([1, 3], [0, 8], [MPI.DOUBLE, MPI.INT]).Create_resized(0, 24).Commit()
kind = np.dtype({"names": ["x", "n"], "formats": ["f8", "3i4"], "itemsize": 24})
rows = np.zeros(4, dtype=kind)
rows["x"], rows["n"] = rank, [1, 2, 3]
others = np.zeros(4, dtype=kind)
comm.Sendrecv([rows, 4, pair], right, recvbuf=[others, 4, pair], source=left)
assert (others["x"] == left).all() and (others["n"] == [1, 2, 3]).all()
for datatype in (column, inner, pair):
    datatype.Free()

buffer = np.full(3, rank)
comm.Sendrecv_replace(buffer, dest=right, source=left)
assert (buffer == left).all()
for send in (comm.Ssend, comm.Rsend, comm.Bsend):
    MPI.Attach_buffer(bytearray(1_000 + MPI.BSEND_OVERHEAD))
    request = comm.Irecv(buffer, source=left)
    comm.Barrier()
    send(np.full(3, rank + 1), dest=right)
    request.Wait()
    assert (buffer == left + 1).all()
    MPI.Detach_buffer()
message = bytearray(MPI.DOUBLE.Pack_size(3, comm))
position = MPI.DOUBLE.Pack(np.array([1.5, 2.5, 3.5]), message, 0, comm)
assert position == 24 and np.frombuffer(message[:24], dtype="f8")[2] == 3.5
print("ok", rank)
