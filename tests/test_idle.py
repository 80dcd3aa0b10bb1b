"""Idle time costs nothing, and changes nothing: ranks that compute for long, traffic with long pauses."""

import time

import pytest

import torusim
from torusim import Comm, Result


async def one_computes(comm: Comm, seconds: float) -> None:
    """The last rank computes for `seconds`, then sends a message to all others, which have sent it theirs meanwhile."""
    last = comm.size - 1
    if comm.rank == last:
        await comm.compute(seconds)
        for other in range(last):
            await comm.recv(source=other)
            await comm.send(b"x" * 100, dest=other)
    else:
        await comm.send(b"x" * 400, dest=last)
        await comm.recv(source=last)


def run_one(seconds: float, shape: list[int], ranks: int, **options: object) -> Result:
    async def main(comm: Comm) -> None:
        await one_computes(comm, seconds)

    return torusim.run_program(main, ranks=ranks, machine={"shape": shape}, **options)  # type: ignore[arg-type]


def kernel(cycles: int, **options: object) -> Result:
    workload = {"kind": "kernel", "name": "nas-ep", "iterations": 3, "compute_processor_cycles": cycles}
    scenario = {"machine": {"shape": [4, 4, 2]}, "workload": workload}
    return torusim.run(scenario, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", [0, 1e-5, 6e-5, 2e-4, 1e-2, 2.0])
def test_results_do_not_depend_on_engine_and_threads(seconds: float) -> None:
    """The idle times lie below and above the near rows, the far rows and the range of ticks."""
    expected = run_one(seconds, [4, 4], 5, engine="reference")
    assert expected.summary["outcome"] == "completed"
    for threads in (1, 2, 3):
        result = run_one(seconds, [4, 4], 5, threads=threads)
        for key in ("digest", "operations_digest", "cycles", "latency_cycles_mean"):
            assert result.summary[key] == expected.summary[key], (threads, key)


@pytest.mark.parametrize("cycles", [1, 50_000, 3_000_000, 1_000_000_000])
def test_kernels_that_compute_do_not_depend_on_engine_and_threads(cycles: int) -> None:
    expected = kernel(cycles, engine="reference").summary
    for threads in (1, 3):
        result = kernel(cycles, threads=threads).summary
        assert [result[key] for key in ("digest", "cycles")] == [expected[key] for key in ("digest", "cycles")]
    assert expected["cycles"] >= 3 * cycles / 4


def test_a_second_costs_no_more_than_a_millisecond() -> None:
    """The test compares CPU time: the time between two events is not simulated."""
    spent = []
    for seconds in (0.001, 100.0):
        run_one(seconds, [8, 8, 8], 2)
        begin = time.process_time()
        run_one(seconds, [8, 8, 8], 2)
        spent.append(time.process_time() - begin)
    assert spent[1] < 3 * spent[0] + 0.1, spent


@pytest.mark.parametrize("seconds", [0.0, 1e-9])
def test_a_rank_that_only_computes_is_told_so(seconds: float) -> None:
    async def forever(comm: Comm) -> None:
        while True:
            await comm.compute(seconds)

    with pytest.raises(RuntimeError, match="no limit ends this loop"):
        torusim.run_program(forever, ranks=2, machine={"shape": [2]}, run={"time_limit_cycles": 1_000_000})
