"""The user time of an operation of a program in Python: halo_in_python.py 8x8x8 20.

Each rank exchanges 1 KB with six neighbors. The best of three runs is printed, after a short one that imports. Two
versions are compared by running this with each, in turns, as the host's speed varies.
"""

import resource
import sys
from collections.abc import Awaitable, Callable
from functools import partial

import numpy as np

import torusim

BYTES = 1024


def peers_of(rank: int, shape: list[int]) -> list[int]:
    """The neighbors of a rank, two in each dimension."""
    peers, stride = [], 1
    for length in shape:
        place = rank // stride % length
        peers += [rank + ((place + move) % length - place) * stride for move in (-1, 1)]
        stride *= length
    return peers


async def objects(comm: torusim.Comm, shape: list[int], steps: int) -> None:
    """Exchanges bytes by `irecv`, `isend` and `waitall`."""
    peers, sent = peers_of(comm.rank, shape), bytes(BYTES)
    for _ in range(steps):
        requests = [await comm.irecv(source=peer, tag=side ^ 1) for side, peer in enumerate(peers)]
        requests += [await comm.isend(sent, peer, side) for side, peer in enumerate(peers)]
        await comm.waitall(requests)


async def buffers(comm: torusim.Comm, shape: list[int], steps: int) -> None:
    """Exchanges arrays by `Irecv`, `Isend` and `waitall`."""
    peers = peers_of(comm.rank, shape)
    sent, received = np.zeros((2, len(peers), BYTES // 8))
    for _ in range(steps):
        requests = [await comm.Irecv(received[side], peer, side ^ 1) for side, peer in enumerate(peers)]
        requests += [await comm.Isend(sent[side], peer, side) for side, peer in enumerate(peers)]
        await comm.waitall(requests)


async def blocking(comm: torusim.Comm, shape: list[int], steps: int) -> None:
    """Exchanges bytes by `send` and `recv`."""
    peers, sent = peers_of(comm.rank, shape), bytes(BYTES)
    for _ in range(steps):
        for side, peer in enumerate(peers):
            await comm.send(sent, peer, side)
        for side, peer in enumerate(peers):
            await comm.recv(source=peer, tag=side ^ 1)


def microseconds(program: Callable[..., Awaitable[None]], shape: list[int], steps: int) -> float:
    """The user time of an operation in microseconds, the simulation of its packets included."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    main, machine = partial(program, shape=shape, steps=steps), {"preset": "bluegene-l", "shape": shape}
    result = torusim.run_program(main, ranks=int(np.prod(shape)), machine=machine)  # type: ignore[arg-type]
    spent = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    return float(1e6 * spent / result.summary["mpi_operations"])


if __name__ == "__main__":
    of_machine, repeats = [int(length) for length in sys.argv[1].split("x")], int(sys.argv[2])
    for exchange in (objects, buffers, blocking):
        microseconds(exchange, of_machine, 1)
        best = min(microseconds(exchange, of_machine, repeats) for _ in range(3))
        print(f"{exchange.__name__:10} {best:6.2f} µs an operation")
