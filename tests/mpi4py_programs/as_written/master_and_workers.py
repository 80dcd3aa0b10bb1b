"""A master gives numbers to workers, who test whether they are primes; who is faster gets more."""

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
WORK, RESULT, STOP = 1, 2, 3

if rank == 0:
    tasks = list(range(10_000_000, 10_000_200))
    primes, done = [], 0
    status = MPI.Status()
    for worker in range(1, size):
        comm.send(tasks.pop(), dest=worker, tag=WORK)
    busy = size - 1
    while busy:
        number, is_prime = comm.recv(source=MPI.ANY_SOURCE, tag=RESULT, status=status)
        done += 1
        if is_prime:
            primes.append(number)
        if tasks:
            comm.send(tasks.pop(), dest=status.Get_source(), tag=WORK)
        else:
            comm.send(None, dest=status.Get_source(), tag=STOP)
            busy -= 1
    print(f"{done} numbers tested, primes: {sorted(primes)}")
else:
    status = MPI.Status()
    while True:
        number = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            break
        comm.send((number, all(number % d for d in range(2, int(number**0.5) + 1))), dest=0, tag=RESULT)
