"""Programs in Python: messages arrive and take the simulator's time, and programs end in every possible way."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torusim
from tests.program_support import MACHINE, PROTOCOLS, returns, ring, run
from tests.support import COMMAND, LIMIT_SECONDS, assert_says, start, stop
from torusim import Bytes, Comm, InputError, Result
from torusim.programs import Cartcomm, compute_dims


def test_a_ring_moves_tokens_around() -> None:
    result = run(ring, 8)
    assert result.outcome == "completed"
    assert result.returns == [(rank - 3) % 8 for rank in range(8)]
    assert result.summary["mpi_operations"] == 8 * 3 * 4
    assert result.summary["mpi_operations_per_second"] > 0
    assert len(result.summary["operations_digest"]) == 16


@pytest.mark.parametrize("ranks", [1, 2, 64])
def test_names_are_those_of_mpi4py(ranks: int) -> None:
    async def main(comm: Comm) -> tuple[int, int]:
        assert (comm.rank, comm.size) == (comm.Get_rank(), comm.Get_size())
        await comm.Barrier()
        return comm.Get_rank(), comm.Get_size()

    assert returns(main, ranks) == [(rank, ranks) for rank in range(ranks)]


def test_data_never_changes_time() -> None:
    def summary(obj: object) -> Any:  # noqa: ANN401
        async def main(comm: Comm) -> None:
            await comm.sendrecv(obj, dest=1 - comm.rank)

        return run(main).summary

    one, other = summary(np.zeros(100)), summary(Bytes(800))
    assert one["operations_digest"] == other["operations_digest"]
    assert one["digest"] == other["digest"]


def test_a_longer_message_takes_longer_and_time_is_that_of_the_machine() -> None:
    async def main(comm: Comm, count: int) -> float:
        before = comm.time()
        assert before == 0
        if comm.rank == 0:
            await comm.send(Bytes(count), dest=1)
        else:
            assert await comm.recv(source=0) == Bytes(count)
        return comm.time()

    short, long = (returns(partial(main, count=count))[1] for count in (64, 1 << 20))
    assert 3e-6 < short < 6e-6
    # In October 2003, 224 of the 270 bytes on the link were payload, at 175 MB/s.
    assert long == pytest.approx((1 << 20) / 224 * 270 / 175e6, rel=0.02)


def test_computing_takes_the_time_that_it_is_given() -> None:
    async def main(comm: Comm) -> float:
        await comm.compute(1e-3)
        assert comm.time() == pytest.approx(1e-3)
        await comm.compute(0)
        await comm.compute(seconds=1e-3)
        await comm.barrier()
        return comm.time()

    result = run(main)
    assert all(2e-3 < seconds < 2.01e-3 for seconds in result.returns)
    assert 2e-3 < result.summary["seconds_simulated"] < 2.01e-3


async def tour(comm: Comm) -> list[Any]:
    """Uses many kinds of calls; its return value depends on the order of events."""
    cart = await comm.Create_cart(compute_dims(comm.size, 3), periods=True)
    assert isinstance(cart, Cartcomm)
    odd = await comm.split(comm.rank % 2, key=-comm.rank)
    assert odd is not None
    seen: list[Any] = [odd.rank]
    for dimension in range(3):
        source, target = await cart.Shift(dimension, 1)
        requests = [await cart.recv_init(source=source), await cart.bsend_init([comm.rank], dest=target)]
        await cart.startall(requests)
        combined = await odd.iallreduce(np.arange(30) + comm.rank)
        everyone = await comm.iallgather(bytes([comm.rank]))
        seen.append(await cart.waitall([*requests, everyone]))
        seen.append((await combined.wait()).tolist())
    seen += [await comm.gather("x" * comm.rank, root=3), await odd.alltoall(list(range(odd.size)))]
    await odd.issend(comm.rank, dest=(odd.rank + 1) % odd.size)
    seen.append(await odd.recv())
    await odd.Free()
    return [*seen, comm.time()]


@pytest.mark.parametrize("engine", ["windowed", "reference"])
def test_all_operations_give_the_same_result_on_either_engine(engine: str) -> None:
    expected = run(tour, 12)
    assert expected.outcome == "completed", expected.summary["outcome_detail"]
    for threads in (1, 3):
        result = run(tour, 12, threads=threads, engine=engine)
        for key in ("digest", "operations_digest", "cycles", "mpi_operations"):
            assert result.summary[key] == expected.summary[key]
        assert result.returns == expected.returns


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_program_outside_costs_what_the_kernel_with_the_same_calls_does_inside(protocol: str) -> None:
    """The kernel's ranks run in the simulator; calls, matching and times are the same to the cycle."""
    shape = np.array([4, 4, 4])

    async def main(comm: Comm) -> None:
        at = np.array([comm.rank % 4, comm.rank // 4 % 4, comm.rank // 16])
        neighbors = [
            int((at + step * np.eye(3, dtype=int)[dimension]) % shape @ [1, 4, 16])
            for dimension in range(3)
            for step in (1, -1)
        ]
        for _ in range(3):
            requests = [await comm.irecv(source=neighbor, tag=way ^ 1) for way, neighbor in enumerate(neighbors)]
            requests += [await comm.isend(Bytes(700), dest=neighbor, tag=way) for way, neighbor in enumerate(neighbors)]
            await comm.waitall(requests)

    messaging = {"protocol": protocol}
    outside = run(main, 64, messaging=messaging).summary
    kernel = {"kind": "kernel", "name": "halo-3d", "bytes": 700, "iterations": 3}
    inside = torusim.run({"machine": MACHINE, "workload": kernel, "messaging": messaging}).summary
    for key in ("digest", "operations_digest", "cycles", "mpi_operations"):
        assert outside[key] == inside[key], key


@pytest.mark.parametrize("engine", ["windowed", "reference"])
def test_any_number_of_threads_and_either_engine_give_the_same_result(engine: str) -> None:
    costs = {"write_processor_cycles": 60, "read_processor_cycles": 204}

    async def main(comm: Comm) -> float:
        for number in range(4):
            shift = 1 + number * 5
            await comm.compute(1e-7 * (comm.rank % 3))
            await comm.sendrecv(Bytes(700 * number), dest=(comm.rank + shift) % comm.size, recvtag=0)
            await comm.allreduce(comm.rank)
        return comm.time()

    expected = run(main, 64, messaging=costs)
    for threads in (1, 2, 3):
        result = run(main, 64, messaging=costs, threads=threads, engine=engine)
        for key in ("digest", "operations_digest", "cycles", "mpi_operations"):
            assert result.summary[key] == expected.summary[key]
        assert result.returns == expected.returns


def test_a_rank_that_returns_early_is_finalized() -> None:
    async def main(comm: Comm) -> str:
        if comm.rank == 0:
            return "early"
        await comm.compute(1e-6)
        return "late"

    result = run(main, 3)
    assert (result.outcome, list(result.returns)) == ("completed", ["early", "late", "late"])


def test_ranks_that_wait_forever_are_stuck() -> None:
    async def main(comm: Comm) -> int:
        try:
            if comm.rank == 1:
                await comm.recv(source=0, tag=5)
        finally:
            closed.append(comm.rank)
        return comm.rank

    closed: list[int] = []
    result = run(main, 3)
    assert result.outcome == "stuck"
    detail = result.summary["outcome_detail"]
    assert detail["rank"] == 1
    assert "MPI_Recv from rank 0 with tag 5" in detail["words"]
    assert result.returns == [0, None, 2]
    assert sorted(closed) == [0, 1, 2]


def test_a_rank_that_awaits_while_it_is_ended_hides_nothing() -> None:
    async def main(comm: Comm) -> None:
        try:
            await comm.recv(source=0)
        finally:
            await comm.send(1, dest=0)

    assert run(main).outcome == "stuck"


def test_an_abort_ends_the_run() -> None:
    async def main(comm: Comm) -> None:
        if comm.rank == 1:
            await comm.Abort(7)
        await comm.barrier()

    result = run(main)
    assert result.outcome == "aborted"
    assert result.summary["outcome_detail"]["code"] == 7


def test_an_exception_ends_the_run_with_its_traceback_and_rank() -> None:
    async def faulty(comm: Comm) -> None:
        await comm.compute(1e-6)
        if comm.rank == 3:
            raise KeyError("what went wrong")
        await comm.barrier()

    with pytest.raises(KeyError, match="raised in rank 3 after 1e-06 s") as caught:
        run(faulty, 4)
    assert "what went wrong" in str(caught.value)
    assert "faulty" in [entry.name for entry in caught.traceback]


def test_only_operations_are_awaited() -> None:
    async def yields(comm: Comm) -> None:
        if comm.rank == 1:
            await asyncio.sleep(0)

    async def sleeps(comm: Comm) -> None:
        if comm.rank == 1:
            await asyncio.sleep(1)

    with pytest.raises(TypeError, match="rank 1 awaits something that is no operation"):
        run(yields)
    with pytest.raises(RuntimeError, match="rank 1 awaits something of asyncio"):
        run(sleeps)


async def nothing(comm: Comm) -> None:
    """Ends at once."""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"main": print}, "async def main"),
        ({"ranks": 65}, "from 1 to 64 ranks"),
        ({"ranks": 0}, "from 1 to 64 ranks"),
        ({"ranks": "all"}, "mapping.ranks"),
        ({"mapping": "TXY"}, "XYZT"),
        ({"mapping": "XYZT", "machine": {"shape": [4, 4]}}, "mapping.order"),
        ({"mapping": "TXYZ", "machine": {"shape": [4, 4]}}, "mapping.order"),
        ({"mapping": 5}, "mapping.order"),
        ({"mapping": {"places": [[0, 0, 0, 0]]}}, "1 are listed"),
        ({"machine": "cray"}, "cray"),
        ({"machine": {"shpae": [4]}}, "shpae"),
        ({"checkpoint_every": "10min"}, "the state of a program in Python cannot be written down"),
        ({"messaging": {"call_processor_cycles": 39}}, "must be at least 40"),
        ({"messaging": {"call_processor_cycles": {"all": 50, "test": 39}}}, "cycles.test = 39: must be at least 40"),
        ({"workload": {"kind": "trace"}}, "workload"),
        ({"engine": "steam"}, "steam"),
        ({"threads": 0}, "threads"),
        ({"run": {"tiem_limit_cycles": 1}}, "tiem_limit_cycles"),
    ],
)
def test_bad_options_are_explained(options: dict[str, Any], words: str) -> None:
    arguments = {"main": nothing, "ranks": 2, "machine": MACHINE, **options}
    with pytest.raises(InputError, match=words):
        torusim.run_program(arguments.pop("main"), **arguments)


@pytest.mark.parametrize("preset", ["bluegene-l", "bluegene-l-early", "bluegene-p"])
def test_every_preset_runs_programs(preset: str) -> None:
    assert run(ring, 8, machine=preset).outcome == "completed"


def test_calls_of_a_machine_with_long_windows_cost_more_by_default() -> None:
    machine = MACHINE | {"link": {"hop_latency_cycles": 80}, "router": {"token_latency_cycles": 80}}
    result = run(ring, 8, machine=machine)
    assert result.outcome == "completed"
    assert result.scenario["messaging"]["call_processor_cycles"] == 320


def test_costs_of_calls_take_time() -> None:
    cheap, dear = (run(ring, 8, messaging={"call_processor_cycles": cycles}).summary for cycles in (40, 4000))
    assert dear["cycles"] > cheap["cycles"] + 9 * 1000


def test_each_call_costs_what_its_kind_does() -> None:
    costs = {"receive": 100, "wait": 120, "test": 140, "probe": 160, "collective": 180, "other": 200}

    async def main(comm: Comm) -> list[int]:
        times = [comm.time()]
        request = await comm.irecv(source=0)
        times.append(comm.time())
        await request.test()
        times.append(comm.time())
        await comm.iprobe(source=0)
        times.append(comm.time())
        await comm.barrier()
        times.append(comm.time())
        await request.cancel()
        times.append(comm.time())
        await request.wait()
        times.append(comm.time())
        return [round((after - before) * 700e6) for before, after in pairwise(times)]

    result = run(main, 1, messaging={"costs": "none", "call_processor_cycles": costs})
    assert result.returns == [[100, 140, 160, 180, 200, 120]]
    assert result.scenario["messaging"]["call_processor_cycles"] == {"all": 48, **costs}


def test_the_scenario_of_a_program_names_it_and_is_not_run_again(tmp_path: Path) -> None:
    result = run(partial(ring, rounds=1), 4, out=tmp_path / "kept", seed=3)
    assert result.seed == 3
    assert result.scenario["workload"] == {"kind": "program", "name": "ring", "module": ring.__module__}
    assert result.scenario["mapping"] == {"order": "XYZT", "ranks": 4}
    kept = torusim.load(tmp_path / "kept")
    assert kept.summary == json.loads(json.dumps(result.summary))
    assert len(kept.returns) == 0
    finished = subprocess.run(
        [COMMAND, "run", tmp_path / "kept" / "result.json"], capture_output=True, text=True, check=False
    )
    assert_says(finished, "torusim.run_program")
    for function in (torusim.run, torusim.check):
        with pytest.raises(InputError, match="no scenario contains a program"):
            function({"machine": MACHINE, "workload": result.scenario["workload"]})


def test_a_time_limit_ends_a_program() -> None:
    async def main(comm: Comm) -> None:
        while True:
            await comm.barrier()

    result = run(main, 4, run={"time_limit_cycles": 50_000})
    assert (result.outcome, result.summary["cycles"]) == ("time-limit", 50_000)


ENDLESS = """\
import torusim

async def main(comm):
    print("begins", flush=True) if comm.rank == 0 else None
    while True:
        await comm.barrier()

print(torusim.run_program(main, ranks=4).outcome)
"""


def test_ctrl_c_keeps_the_result_so_far(tmp_path: Path) -> None:
    process = start([sys.executable, "-c", ENDLESS], tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    output, errors = stop(process)
    assert (process.returncode, output) == (0, "interrupted\n"), errors


def test_a_program_runs_in_any_thread_and_others_go_on() -> None:
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(run(ring, 8)))
    thread.start()
    until = time.monotonic() + LIMIT_SECONDS
    thread.join(until - time.monotonic())
    assert [result.outcome for result in results] == ["completed"]


def test_a_program_may_run_another() -> None:
    async def main(comm: Comm) -> list[int]:
        return list(run(ring, 2 + comm.rank).returns)

    assert returns(main) == [[1, 0], [0, 1, 2]]


def test_a_forgotten_await_is_warned_of() -> None:
    async def main(comm: Comm) -> None:
        comm.barrier()  # type: ignore[unused-coroutine]

    with pytest.warns(RuntimeWarning, match="was never awaited"):
        run(main)
