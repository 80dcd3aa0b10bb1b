# A halo exchange on a ring of ranks, in Python: one process by torusim.run_program, or a process for each rank.

import numpy as np

import torusim.awaited


async def main(comm: torusim.Comm) -> float:
    """Heat in a rod: each rank has a piece of it, and exchanges its ends with its neighbors."""
    rod = np.zeros(1_002)
    rod[1:-1] = 100.0 if comm.rank == 0 else 20.0
    left, right = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size
    for _ in range(10):
        requests = [await comm.Irecv(rod[:1], source=left, tag=1), await comm.Irecv(rod[-1:], source=right, tag=2)]
        requests += [await comm.Isend(rod[-2:-1], dest=right, tag=1), await comm.Isend(rod[1:2], dest=left, tag=2)]
        await comm.compute(2e-6)  # the inner points, meanwhile
        await comm.waitall(requests)
        rod[1:-1] = (rod[:-2] + rod[1:-1] + rod[2:]) / 3
    mean = float(await comm.allreduce(float(rod[1:-1].mean()))) / comm.size
    if comm.rank == 0:
        print(f"{mean:.3f} degrees after {comm.time() * 1e6:.1f} microseconds")
    return mean


if __name__ == "__main__":
    torusim.awaited.run(main)
