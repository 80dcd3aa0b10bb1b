"""Programs in Python: what ranks send arrives, takes the simulator's time, and ends as a program can."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torusim
from tests.support import COMMAND, LIMIT_SECONDS, start
from torusim import ANY_SOURCE, ANY_TAG, Comm, InputError, Request, Result, Status
from torusim.programs import LAND, MAX, MIN, PROD, UNDEFINED

MACHINE = {"preset": "bluegene-l", "shape": [4, 4, 4]}

Main = Callable[[Comm], Coroutine[Any, Any, Any]]

WAYS = ["send", "isend", "sendrecv"]


def run(main: Main, ranks: int = 2, **options: Any) -> Result:  # noqa: ANN401
    return torusim.run_program(main, **{"ranks": ranks, "machine": MACHINE, **options})


def returns(main: Main, ranks: int = 2, **options: Any) -> list[Any]:  # noqa: ANN401
    result = run(main, ranks, **options)
    assert result.outcome == "completed", result.summary["outcome_detail"]
    return list(result.returns)


async def ring(comm: Comm, rounds: int = 3) -> int:
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    token = comm.rank
    for _ in range(rounds):
        receiving = await comm.irecv(source=left, tag=7)
        sending = await comm.isend([token], dest=right, tag=7)
        [token] = await comm.wait(receiving)
        assert await sending.wait() is None
    return token


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


objects = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text() | st.binary() | st.integers(0, 9000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(sent=st.lists(objects, min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_objects_arrive_as_equals(sent: list[Any]) -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            for obj in sent:
                await comm.send(obj, dest=1)
            return sent
        return [await comm.recv(source=0) for _ in sent]

    received = returns(main)[1]
    assert received == sent
    assert [type(obj) for obj in received] == [type(obj) for obj in sent]


@pytest.mark.parametrize("array", [np.arange(12.0).reshape(3, 4).T, np.zeros(0), np.array(["a", None], dtype=object)])
def test_arrays_arrive_as_they_were_when_they_were_sent(array: np.ndarray[Any, Any]) -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        if comm.rank == 0:
            mine = array.copy()
            sending = await comm.isend(mine, dest=1)
            mine[:] = 5
            return await sending.wait()
        received = await comm.recv(source=0)
        received += received
        return received

    received = returns(main)[1] if array.dtype != object else None
    if received is not None:
        assert np.array_equal(received, array + array)
        assert received.dtype == array.dtype


def test_sizes_are_those_of_the_data() -> None:
    sent = [1000, b"x" * 70, np.zeros((3, 5), dtype=np.int32), ["pickled"]]

    async def main(comm: Comm) -> list[int]:
        counts = []
        for obj in sent:
            status = Status()
            await comm.sendrecv(obj, dest=comm.rank, status=status)
            counts.append(status.Get_count())
        return counts

    counts = returns(main, 1)[0]
    assert counts[:3] == [1000, 70, 60]
    assert counts[3] > len("pickled")


def test_data_never_changes_time() -> None:
    def summary(obj: object) -> Any:  # noqa: ANN401
        async def main(comm: Comm) -> None:
            await comm.sendrecv(obj, dest=1 - comm.rank)

        return run(main).summary

    one, other = summary(np.zeros(100)), summary(800)
    assert one["operations_digest"] == other["operations_digest"]
    assert one["digest"] == other["digest"]


def test_a_longer_message_takes_longer_and_time_is_that_of_the_machine() -> None:
    async def main(comm: Comm, count: int) -> float:
        before = comm.time()
        assert before == 0
        if comm.rank == 0:
            await comm.send(count, dest=1)
        else:
            assert await comm.recv(source=0) == count
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


def test_messages_match_by_source_and_tag_and_wildcards_tell_what_they_have_got() -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        if comm.rank > 0:
            await comm.compute(comm.rank * 1e-6)
            await comm.send(f"from {comm.rank}", dest=0, tag=10 + comm.rank)
            await comm.send("last", dest=0, tag=3)
            return None
        status = Status()
        assert await comm.recv(source=2, tag=12) == "from 2"
        received = [await comm.recv(source=ANY_SOURCE, tag=ANY_TAG, status=status)]
        received += [(status.Get_source(), status.Get_tag())]
        received += [await comm.recv(source=3, tag=3), await comm.recv(tag=13)]
        return [*received, *[await comm.recv() for _ in range(2)]]

    assert returns(main, 4)[0] == ["from 1", (1, 11), "last", "from 3", "last", "last"]


def test_a_master_serves_the_workers_that_ask() -> None:
    tasks, stop = 20, 1

    async def main(comm: Comm) -> list[int]:
        done: list[int] = []
        if comm.rank > 0:
            status = Status()
            result: list[int] = []
            while True:
                task = await comm.sendrecv(result, dest=0, source=0, status=status)
                if status.tag == stop:
                    return done
                await comm.compute(1e-6 * task["length"])
                done.append(task["number"])
                result = [task["number"]]
        status = Status()
        for number in range(tasks + comm.size - 1):
            done += await comm.recv(source=ANY_SOURCE, status=status)
            if number < tasks:
                await comm.send({"number": number, "length": number % 3}, dest=status.source)
            else:
                await comm.send(None, dest=status.source, tag=stop)
        return done

    done = returns(main, 5)
    assert sorted(done[0]) == list(range(tasks))
    assert sorted(number for of_worker in done[1:] for number in of_worker) == list(range(tasks))
    assert all(done[1:])


def test_requests_end_by_waits_and_tests() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            for tag, seconds in ((2, 1e-5), (0, 1e-5), (1, 1e-5), (3, 1e-5)):
                await comm.compute(seconds)
                await comm.send(f"message {tag}", dest=1, tag=tag)
            return []
        requests = [await comm.irecv(source=0, tag=tag) for tag in range(4)]
        seen: list[Any] = [await comm.test(requests[0]), await comm.testall(requests)]
        seen.append(await comm.waitany([requests[0], requests[2]]))
        # Request 2 is free: a wait for 1 and 3 has a number in use, or not, between.
        seen.append(await comm.waitany([requests[1], requests[3]]))
        seen.append(await comm.waitall(requests))
        seen.append(await comm.waitany(requests))
        seen.append(await comm.waitsome(requests))
        seen.append(await comm.testall(requests))
        return seen

    assert returns(main)[1] == [
        (False, None),
        (False, None),
        (1, "message 2"),
        (0, "message 1"),
        ["message 0", None, None, "message 3"],
        (UNDEFINED, None),
        ([], []),
        (True, [None] * 4),
    ]


def test_waits_and_tests_for_all_leave_the_requests_between() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            for tag in (0, 2, 0, 2):
                await comm.compute(1e-6)
                await comm.send(tag, dest=1, tag=tag)
            assert await comm.recv(source=1) == b"both"
            await comm.send(1, dest=1, tag=1)
            return []
        first, between, last = [await comm.irecv(source=0, tag=tag) for tag in range(3)]
        status = [Status(), Status()]
        while not (tested := await comm.testall([first, last]))[0]:
            await comm.compute(1e-7)
        assert tested == (True, [0, 2])
        received = await comm.waitall([await comm.irecv(source=0, tag=tag) for tag in (2, 0)], status)
        await comm.send(b"both", dest=0)
        return [received, [one.tag for one in status], await between.wait()]

    assert returns(main)[1] == [[2, 0], [2, 0], 1]


def test_some_requests_are_those_that_have_ended() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank > 0:
            await comm.send(comm.rank, dest=0)
            return []
        requests = [await comm.irecv(source=source) for source in (3, 2, 1)]
        received: dict[int, Any] = {}
        while len(received) < 3:
            indices, values = await comm.waitsome(requests)
            assert indices
            received |= dict(zip(indices, values, strict=True))
        return sorted(received.items())

    assert returns(main, 4)[0] == [(0, 3), (1, 2), (2, 1)]


def test_probes_find_messages_and_matched_probes_take_them() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            await comm.send(b"first", dest=1, tag=4)
            await comm.send(b"second", dest=1, tag=4)
            await comm.send(b"third", dest=1, tag=5)
            return []
        status = Status()
        assert not await comm.iprobe(source=0, tag=9)
        assert await comm.improbe(source=0, tag=9) is None
        assert await comm.probe(tag=5, status=status)
        assert await comm.iprobe()
        message = await comm.mprobe(source=0)
        other = await comm.improbe(tag=4)
        assert other is not None
        receiving = await other.irecv()
        seen = [status.count, await comm.recv(), await message.recv(status), await comm.wait(receiving)]
        with pytest.raises(ValueError, match="has been received"):
            await message.recv()
        return seen

    assert returns(main)[1] == [5, b"third", b"first", b"second"]


def test_a_receive_can_be_cancelled() -> None:
    async def main(comm: Comm) -> tuple[Any, bool, Any]:
        receiving = await comm.irecv(source=0, tag=1)
        await receiving.cancel()
        status = Status()
        return await comm.wait(receiving, status), status.Is_cancelled(), await comm.test(receiving)

    assert returns(main, 1) == [(None, True, (True, None))]


@given(
    ranks=st.integers(2, 9),
    data=st.data(),
    rounds=st.lists(
        st.tuples(
            st.integers(1, 8), st.sampled_from(["send", "isend", "sendrecv"]), st.booleans(), st.integers(0, 2000)
        ),
        min_size=1,
        max_size=5,
    ),
)
@settings(max_examples=40, deadline=None)
def test_random_programs_move_equal_objects(
    ranks: int,
    data: st.DataObject,
    rounds: list[tuple[int, str, bool, int]],
) -> None:
    """Each rank sends to the rank at a distance; the model is the sender's object itself."""
    threads = data.draw(st.integers(1, 3))

    def object_of(rank: int, number: int) -> Any:  # noqa: ANN401
        size = rounds[number][3]
        return [size + rank, np.full(size, rank), {"rank": rank}][(rank + number) % 3]

    async def main(comm: Comm) -> list[Any]:
        received = []
        for number, (distance, way, is_wild, _) in enumerate(rounds):
            target, source = (comm.rank + distance) % ranks, (comm.rank - distance) % ranks
            wanted = ANY_SOURCE if is_wild else source
            sent = object_of(comm.rank, number)
            match way:
                case "send":
                    await comm.send(sent, dest=target, tag=number)
                    received.append(await comm.recv(source=wanted, tag=number))
                case "isend":
                    both = [
                        await comm.isend(sent, dest=target, tag=number),
                        await comm.irecv(source=wanted, tag=number),
                    ]
                    received.append((await comm.waitall(both))[1])
                case _:
                    got = await comm.sendrecv(sent, dest=target, sendtag=number, source=source, recvtag=number)
                    received.append(got)
        return received

    result = run(main, ranks, threads=threads)
    assert result.outcome == "completed"
    for rank, received in enumerate(result.returns):
        for number, got in enumerate(received):
            expected = object_of((rank - rounds[number][0]) % ranks, number)
            assert np.array_equal(got, expected), (rank, number)
            assert type(got) is type(expected)


def test_collectives_return_the_data_of_all() -> None:
    async def main(comm: Comm) -> list[Any]:
        rank, size = comm.rank, comm.size
        values: list[Any] = [await comm.allreduce(rank + 1), await comm.allreduce(rank + 1, op=PROD)]
        values += [await comm.allreduce(rank, op=MAX), await comm.allreduce(rank, MIN)]
        values += [await comm.allreduce(rank < size, op=LAND), await comm.allreduce([rank])]
        values += [await comm.allreduce(rank, op=lambda left, right: max(left, right) * 2)]
        array = await comm.allreduce(np.array([rank, 1.0]))
        array[0] += rank  # an array of its own
        largest = await comm.allreduce(np.array([rank, -rank]), op=MAX)
        values += [array.tolist(), largest.tolist()]
        shared = await comm.bcast({"root": [rank]} if rank == 2 else None, root=2)
        shared["root"].append(rank)
        values += [shared, await comm.bcast(4096 if rank == 0 else None)]
        await comm.barrier()
        return values

    for rank, values in enumerate(returns(main, 5)):
        assert values == [
            15,
            120,
            4,
            0,
            True,
            [0, 1, 2, 3, 4],
            16,
            [10.0 + rank, 5.0],
            [4, 0],
            {"root": [2, rank]},
            4096,
        ]


def test_a_barrier_waits_for_the_last() -> None:
    async def main(comm: Comm) -> float:
        await comm.compute(comm.rank * 1e-4)
        await comm.barrier()
        return comm.time()

    assert min(returns(main, 6)) > 5e-4


def test_ranks_that_disagree_about_a_collective_are_told() -> None:
    async def main(comm: Comm) -> None:
        await (comm.barrier() if comm.rank else comm.bcast(1))

    with pytest.raises(ValueError, match=r"rank's collective call 1 is bcast\(root=0\)"):
        run(main, 2)


@pytest.mark.parametrize("engine", ["windowed", "reference"])
def test_any_number_of_threads_and_either_engine_give_the_same_result(engine: str) -> None:
    costs = {"write_processor_cycles": 60, "read_processor_cycles": 204}

    async def main(comm: Comm) -> float:
        for number in range(4):
            shift = 1 + number * 5
            await comm.compute(1e-7 * (comm.rank % 3))
            await comm.sendrecv(700 * number, dest=(comm.rank + shift) % comm.size, recvtag=0)
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


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda comm: comm.send(1, dest=2), ValueError, "dest=2: dest is a rank from 0 to 1"),
        (lambda comm: comm.send(1, dest="x"), TypeError, "dest='x'"),
        (lambda comm: comm.send(-5, dest=0), ValueError, "a plain int is a count of bytes"),
        (lambda comm: comm.send(b"", dest=0, tag=-1), ValueError, "tag=-1: tag is an integer from 0"),
        (lambda comm: comm.recv(source=-2), ValueError, "source=-2"),
        (lambda comm: comm.compute(-1), ValueError, r"compute\(-1\)"),
        (lambda comm: comm.compute(float("nan")), ValueError, r"compute\(nan\)"),
        (lambda comm: comm.bcast(1, root=9), ValueError, "root=9"),
        (lambda comm: comm.wait("isend"), TypeError, "a request, as isend and irecv return it"),
        (lambda comm: comm.send(lambda: 0, dest=0), Exception, "lambda"),
    ],
)
def test_bad_arguments_are_explained(call: Callable[[Comm], Any], error: type[Exception], words: str) -> None:
    async def main(comm: Comm) -> None:
        await call(comm)

    with pytest.raises(error, match=words) as caught:
        run(main, 2)
    assert any("rank 0" in note for note in caught.value.__notes__)


def test_numbers_of_numpy_are_ranks_and_tags() -> None:
    async def main(comm: Comm) -> int:
        right = np.int64(1 - comm.rank)
        value = await comm.sendrecv(5, dest=int(right), sendtag=0, source=right, recvtag=np.int32(0))
        return int(value)

    assert returns(main) == [5, 5]


async def nothing(comm: Comm) -> None:
    """Ends at once."""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"main": print}, "async def main"),
        ({"ranks": 65}, "from 1 to 64 ranks"),
        ({"ranks": 0}, "from 1 to 64 ranks"),
        ({"ranks": "all"}, "workload.ranks"),
        ({"mapping": "TXYZ"}, "XYZT"),
        ({"machine": "cray"}, "cray"),
        ({"machine": {"shpae": [4]}}, "shpae"),
        ({"checkpoint_every": "10min"}, "the state of a program in Python cannot be written down"),
        ({"messaging": {"call_processor_cycles": 39}}, "must be at least 40"),
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


def test_the_scenario_of_a_program_names_it_and_is_not_run_again(tmp_path: Path) -> None:
    result = run(partial(ring, rounds=1), 4, out=tmp_path / "kept", seed=3)
    assert result.seed == 3
    workload = {"kind": "program", "name": "ring", "module": __name__, "ranks": 4, "mapping": "XYZT"}
    assert result.scenario["workload"] == workload
    kept = torusim.load(tmp_path / "kept")
    assert kept.summary == json.loads(json.dumps(result.summary))
    assert len(kept.returns) == 0
    finished = subprocess.run(
        [COMMAND, "run", tmp_path / "kept" / "result.json"], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 2
    assert "torusim.run_program" in finished.stderr
    assert "Traceback" not in finished.stderr
    for function in (torusim.run, torusim.check):
        with pytest.raises(InputError, match="no scenario contains a program"):
            function({"machine": MACHINE, "workload": workload})


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
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=LIMIT_SECONDS)
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


def test_a_request_belongs_to_its_rank() -> None:
    requests: list[Request] = []

    async def main(comm: Comm) -> None:
        if comm.rank == 0:
            requests.append(await comm.isend(1, dest=1))
        await comm.barrier()
        await comm.waitall(requests)

    with pytest.raises(ValueError, match="a request of rank 0 is not one of rank 1"):
        run(main)
