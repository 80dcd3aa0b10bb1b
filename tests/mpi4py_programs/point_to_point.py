"""Objects from rank to rank: sends of all modes, probes, waits and tests."""

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size

if rank == 0:
    comm.send({"a": [1, 2.5, "three"]}, dest=1, tag=11)
    comm.ssend(list(range(5_000)), dest=1, tag=12)
elif rank == 1:
    assert comm.recv(source=0, tag=11) == {"a": [1, 2.5, "three"]}
    status = MPI.Status()
    assert comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status) == list(range(5_000))
    assert (status.source, status.tag, status.error) == (0, 12, MPI.SUCCESS)
assert comm.sendrecv(rank, dest=right, sendtag=1, source=left, recvtag=1) == left

requests = [comm.isend((rank, peer), dest=peer, tag=2) for peer in range(size)]
requests += [comm.issend("s" * peer, dest=peer, tag=3) for peer in range(size)]
receives = [comm.irecv(source=peer, tag=2) for peer in range(size)]
assert MPI.Request.waitall(receives) == [(peer, rank) for peer in range(size)]
receives = [comm.irecv(source=peer, tag=3) for peer in range(size)]
found = {}
while len(found) < size:
    index, is_complete, text = MPI.Request.testany(receives)
    if is_complete and index != MPI.UNDEFINED:
        found[index] = text
assert found == {peer: "s" * rank for peer in range(size)}
MPI.Request.waitall(requests)

request = comm.isend(rank, dest=right, tag=4)
status = MPI.Status()
comm.probe(source=left, tag=4, status=status)
assert comm.iprobe(source=left, tag=4) and status.Get_count(MPI.BYTE) > 0
message = comm.mprobe(source=left, tag=4)
assert not comm.iprobe(source=left, tag=4) and comm.improbe(source=left, tag=4) is None
assert message.recv() == left
request.wait()
assert comm.recv(source=MPI.PROC_NULL) is None
comm.send("nobody gets it", dest=MPI.PROC_NULL)
MPI.Attach_buffer(bytearray(10_000 + MPI.BSEND_OVERHEAD))
comm.bsend(rank, dest=right, tag=5)
assert comm.recv(source=left, tag=5) == left
MPI.Detach_buffer()
print("ok", rank)
