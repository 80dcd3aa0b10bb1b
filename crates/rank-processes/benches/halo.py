"""The time of one halo exchange as a kernel, as processes in C, and as a program in Python: halo.py 8x8x8 100.

Rounds of a kernel and of processes alternate, so that both meet the same host. Medians are printed. Processor time is
that of all cores: the simulator's beyond the kernel's is spent on hand-overs.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

import torusim

ROUNDS = 3
BYTES = 1024


async def exchange(comm: torusim.Comm, shape: list[int], steps: int) -> None:
    """The program in Python, with the calls of halo.c."""
    peers, stride = [], 1
    for length in shape:
        place = comm.rank // stride % length
        others = comm.rank - place * stride
        peers += [others + (place + move) % length * stride for move in (-1, 1)]
        stride *= length
    sent, received = np.zeros((2, len(peers), BYTES // 8))
    for _ in range(steps):
        requests = [await comm.Irecv(received[side], peer, side ^ 1) for side, peer in enumerate(peers)]
        requests += [await comm.Isend(sent[side], peer, side) for side, peer in enumerate(peers)]
        await comm.waitall(requests)


def spent(run: Callable[[], torusim.Result]) -> tuple[float, float, float, torusim.Result]:
    """Runs a program; returns the seconds of wall time and of the processors' time, here and in processes."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    before, begin = [sum(resource.getrusage(who)[:2]) for who in whose], time.perf_counter()
    result = run()
    seconds = time.perf_counter() - begin
    here, there = (sum(resource.getrusage(who)[:2]) - earlier for who, earlier in zip(whose, before, strict=True))
    assert result.outcome == "completed", result.summary["outcome_detail"]
    return seconds, here, there, result


def main(shape: list[int], steps: int, folder: Path) -> None:
    """Measures and prints."""
    source, program = Path(__file__).with_suffix(".c"), folder / "halo"
    subprocess.run([Path(sys.executable).with_name("torusim"), "mpicc", "-O2", source, "-o", program], check=True)
    machine = {"preset": "bluegene-l", "shape": shape}
    kernel = {"kind": "kernel", "name": "halo-3d", "iterations": steps, "bytes": BYTES, "grid": shape}
    ranks = int(np.prod(shape))
    runs: dict[str, Callable[[], torusim.Result]] = {
        "kernel": lambda: torusim.run({"machine": machine, "workload": kernel}),
        "processes in C": lambda: torusim.run_processes(
            [program, *map(str, [*shape, steps])], ranks=ranks, machine=machine
        ),
        "program in Python": lambda: torusim.run_program(
            partial(exchange, shape=shape, steps=steps), ranks=ranks, machine=machine
        ),
    }
    for run in list(runs.values())[:2]:
        run()  # the first run of a process reads files and compiles tables
    rounds = [{name: spent(run) for name, run in list(runs.items())[: 3 if last else 2]} for last in (0, 0, 1)]
    print(f"{ranks} ranks, {steps} steps; seconds: wall time, processors here, processors of ranks")
    for name in runs:
        measured = [times[name] for times in rounds if name in times]
        figures = [median(run[figure] for run in measured) for figure in range(3)]
        calls = measured[0][3].summary["mpi_operations"] / figures[0]
        print(
            f"{name:18}", *(f"{figure:8.2f}" for figure in figures), f"{calls / 1e3:8.0f} thousand operations a second"
        )
    digests = {rounds[-1][name][3].summary["digest"] for name in list(runs)[1:]}
    assert len(digests) == 1, "the programs make the same calls"


if __name__ == "__main__":
    with TemporaryDirectory() as own:
        main([int(length) for length in sys.argv[1].split("x")], int(sys.argv[2]), Path(own))
