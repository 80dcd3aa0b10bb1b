"""Requests of programs in Python: waits, tests, cancelled, freed and persistent ones."""

from typing import Any

import numpy as np
import pytest

from tests.program_support import returns, run
from torusim import Comm, Request, Status
from torusim.programs import PROC_NULL, UNDEFINED


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


async def hear(comm: Comm) -> None:
    """Lets all messages in flight arrive: a rank notices them in its calls, not while it computes."""
    for _ in range(5):
        await comm.compute(2e-5)
        await comm.iprobe(tag=99)


def test_a_test_for_any_ends_one_request() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            await comm.send("second", dest=1, tag=1)
            await comm.send("first", dest=1, tag=0)
            return []
        requests = [await comm.irecv(source=0, tag=tag) for tag in range(3)]
        status = Status()
        seen: list[Any] = [await comm.testany(requests)]
        await hear(comm)
        seen += [await comm.testany(requests, status), status.tag, status.count > 0]
        seen += [await Request.Testany(requests) for _ in range(2)]
        await requests[2].cancel()
        await requests[2].wait()
        seen.append(await comm.testany(requests))
        return [*seen, await comm.testany([])]

    no = (UNDEFINED, False, None)
    none_is_active = (UNDEFINED, True, None)
    expected = [no, (0, True, "first"), 0, True, (1, True, "second"), no, none_is_active, none_is_active]
    assert returns(main)[1] == expected


def test_a_test_for_some_ends_those_that_have_ended() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            for tag in (2, 0):
                await comm.send(tag, dest=1, tag=tag)
            await comm.recv()
            await comm.send(1, dest=1, tag=1)
            return []
        requests = [await comm.irecv(source=0, tag=tag) for tag in range(3)]
        statuses = [Status() for _ in range(3)]
        seen: list[Any] = [await comm.testsome(requests)]
        await hear(comm)
        seen += [await comm.testsome(requests, statuses), [one.tag for one in statuses[:2]]]
        seen.append(await Request.Testsome(requests))
        await comm.send(0, dest=0)
        await hear(comm)
        seen += [await comm.testsome(requests), await comm.testsome(requests)]
        return [*seen, await comm.testsome([])]

    none: tuple[list[int], list[int]] = ([], [])
    expected = [none, ([0, 2], [0, 2]), [0, 2], none, ([1], [1]), (None, None), (None, None)]
    assert returns(main)[1] == expected


def test_tests_for_any_and_some_leave_the_requests_between() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            for tag in range(3):
                await comm.send(f"message {tag}", dest=1, tag=tag)
            return []
        first, between, last = [await comm.irecv(source=0, tag=tag) for tag in range(3)]
        await hear(comm)
        seen: list[Any] = [await comm.testany([last, first]), await comm.testsome([last, first])]
        return [*seen, await comm.testany([first, last]), await comm.test(between)]

    expected = [(1, True, "message 0"), ([0], ["message 2"]), (UNDEFINED, True, None), (True, "message 1")]
    result = run(main)
    assert result.returns[1] == expected
    # One call for each test.
    assert result.summary["mpi_operations"] == 3 + 3 + 5 + 4


def test_a_wait_for_any_leaves_the_requests_between() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            for tag in (1, 0, 2):
                await comm.compute(1e-5)
                await comm.send(tag, dest=1, tag=tag)
            return []
        requests = [await comm.irecv(source=0, tag=tag) for tag in range(3)]
        # Request 1 ends before those for which the rank waits.
        seen: list[Any] = [await comm.waitany([requests[0], requests[2]])]
        seen += [await comm.testany(requests), await comm.waitany([requests[0], requests[2]])]
        return [*seen, await comm.testsome(requests)]

    result = run(main)
    assert result.returns[1] == [(0, 0), (1, True, 1), (1, 2), (None, None)]
    assert result.summary["mpi_operations"] == 3 + 3 + 4


def test_a_receive_can_be_cancelled() -> None:
    async def main(comm: Comm) -> tuple[Any, bool, Any]:
        receiving = await comm.irecv(source=0, tag=1)
        await receiving.cancel()
        status = Status()
        return await comm.wait(receiving, status), status.Is_cancelled(), await comm.test(receiving)

    assert returns(main, 1) == [(None, True, (True, None))]


def test_a_request_belongs_to_its_rank() -> None:
    requests: list[Request] = []

    async def main(comm: Comm) -> None:
        if comm.rank == 0:
            requests.append(await comm.isend(1, dest=1))
        await comm.barrier()
        await comm.waitall(requests)

    with pytest.raises(ValueError, match="a request of rank 0 is used by rank 1"):
        run(main)


@pytest.mark.filterwarnings("ignore:messages that no receive")
def test_persistent_requests_start_again_and_again() -> None:
    rounds = 4

    async def main(comm: Comm) -> list[Any]:
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        mine, got = np.zeros(5), np.zeros(5)
        requests = [
            await comm.Recv_init(got, source=left),
            await comm.recv_init(source=left, tag=1),
            await comm.Send_init(mine, dest=right),
            await comm.bsend_init(mine, dest=right, tag=1),
        ]
        seen = []
        for number in range(rounds):
            mine[:] = number * 10 + comm.rank
            await comm.startall(requests)
            values = await comm.waitall(requests)
            assert np.array_equal(values[1], got)
            seen.append(got[0])
        for request in requests:
            await request.free()
        # Their numbers are free again.
        assert (await comm.isend(0, dest=comm.rank)).number == 0
        return seen

    result = run(main, 5)
    assert result.returns == [[number * 10 + (rank - 1) % 5 for number in range(rounds)] for rank in range(5)]
    # Four to make them, two a round, four to free them, one send.
    assert result.summary["mpi_operations"] == 5 * (4 + 2 * rounds + 4 + 1)


def test_a_startall_or_waitall_of_requests_with_others_between_is_one_call() -> None:
    async def main(comm: Comm) -> list[Any]:
        requests = []
        for tag in range(3):
            requests += [await comm.recv_init(source=0, tag=tag), await comm.send_init(tag * 10, dest=0, tag=tag)]
            await comm.irecv(source=0, tag=99)
        await comm.Startall(requests)
        return (await comm.waitall(requests))[::2]

    result = run(main, 1)
    assert result.summary["mpi_operations"] == 9 + 1 + 1
    assert result.returns == [[0, 10, 20]]


def test_buffered_persistent_sends_of_one_start_keep_their_payloads() -> None:
    """Each send is copied before it is sent, so that sends that are not copied overtake it in the sender's core."""

    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 1:
            return [await comm.recv(source=0) for _ in range(6)]
        kinds = [comm.bsend_init, comm.send_init] * 3
        requests = [await kind(["object", number] * 100, dest=1) for number, kind in enumerate(kinds)]
        await comm.startall(requests)
        await comm.waitall(requests)
        return []

    assert returns(main)[1] == [["object", number] * 100 for number in range(6)]


def test_a_freed_request_completes_and_its_number_is_used_again() -> None:
    async def main(comm: Comm) -> list[Any]:
        other = 1 - comm.rank
        into = np.zeros(1)
        freed = [await comm.irecv(source=other, tag=0), await comm.Irecv(into, source=other, tag=1)]
        freed += [await comm.isend(b"lost", dest=other, tag=0), await comm.Isend(np.ones(1), dest=other, tag=1)]
        freed.append(await comm.iallreduce(comm.rank))
        persistent = await comm.send_init(b"kept", dest=other, tag=2)
        await persistent.Start()
        for request in [*freed, persistent]:
            await request.Free()
        seen: list[Any] = [await comm.recv(source=other, tag=2), await comm.allreduce(comm.rank)]
        await comm.compute(1e-4)
        await comm.barrier()
        numbers = {(await comm.irecv(source=other, tag=7)).number for _ in range(6)}
        assert await comm.waitall(freed) == [None] * 5
        assert numbers == set(range(6))
        return [*seen, into[0]]

    assert returns(main) == [[b"kept", 1, 1.0]] * 2


def test_mpi4py_finds_its_names_on_requests() -> None:
    async def main(comm: Comm) -> list[Any]:
        async def requests() -> list[Request]:
            return [await comm.isend("object", dest=comm.rank), await comm.irecv(source=comm.rank)]

        seen: list[Any] = [await Request.Waitall(await requests()), await Request.waitall([])]
        for wait in (Request.Waitany, Request.waitsome, Request.Testall):
            listed = await requests()
            await wait(listed)
            await Request.Waitall(listed)
        return seen

    assert returns(main, 1) == [[[None, "object"], []]]


async def start_twice(comm: Comm) -> None:
    request = await comm.recv_init(source=0)
    await request.start()
    await request.start()


async def start_freed(comm: Comm) -> None:
    request = await comm.recv_init(source=PROC_NULL)
    await request.free()
    await request.start()


async def start_one_twice(comm: Comm) -> None:
    await comm.startall([await comm.recv_init(source=0)] * 2)


async def start_longer(comm: Comm) -> None:
    data = [1]
    request = await comm.send_init(data, dest=0)
    data.append(2)
    await request.start()


async def start_another(comm: Comm) -> None:
    requests: Any = [await comm.irecv(source=0)]
    await comm.startall(requests)


@pytest.mark.parametrize(
    ("main", "error", "words"),
    [
        (start_twice, ValueError, "is active: a wait or a test must complete it"),
        (start_freed, ValueError, "has been freed"),
        (start_one_twice, ValueError, "one is started twice"),
        (start_longer, ValueError, "a persistent send of [0-9]+ bytes has an object of [0-9]+ now"),
        (start_another, TypeError, "only persistent requests, as from send_init, are started"),
    ],
)
def test_only_persistent_requests_that_are_not_active_are_started(
    main: Any,  # noqa: ANN401
    error: type[Exception],
    words: str,
) -> None:
    with pytest.raises(error, match=words) as caught:
        run(main, 1)
    assert any("rank 0" in note for note in caught.value.__notes__)


def test_one_request_is_of_a_send_and_a_receive() -> None:
    """The request is complete when both operations are, also among others.

    A wait for any or some, and a test, take it as one.
    """

    async def main(comm: Comm) -> list[Any]:
        peer, seen = 1 - comm.rank, []
        for wait in ("wait", "waitall", "waitany", "waitsome", "test", "testall", "testany", "testsome"):
            sent, got = np.full(1000, comm.rank + 1.0), np.zeros(1000)
            other = await comm.irecv(source=peer, tag=9)
            both = await comm.Isendrecv(sent, peer, 3, got, peer, 3)
            assert not got.any()
            await comm.compute(1e-4 * comm.rank)
            if wait == "wait":
                await both.wait()
            elif wait.startswith("wait"):
                await getattr(comm, wait)([both])
            while both.is_active:
                await (both.test() if wait == "test" else getattr(comm, wait)([both]))
                await comm.compute(1e-6)
            assert not both.is_active
            seen.append(got.sum())
            replaced = np.full(10, float(comm.rank))
            both = await comm.Isendrecv_replace(replaced, peer, source=peer)
            await comm.isend("other", peer, 9)
            _, words = await comm.waitall([both, other])
            seen.append((words, replaced.sum()))
        both = await comm.Isendrecv_replace(replaced, comm.rank, source=comm.rank)
        with pytest.raises(ValueError, match="cannot be cancelled"):
            await both.cancel()
        await both.wait()
        return seen

    assert returns(main) == [
        [(1 + peer) * 1000.0 if part == 0 else ("other", 10.0 * peer) for _ in range(8) for part in range(2)]
        for peer in (1, 0)
    ]


def test_a_message_is_received_into_a_buffer() -> None:
    async def main(comm: Comm) -> list[float]:
        if comm.rank == 0:
            for value in (1.0, 2.0):
                await comm.Send(np.full(5, value), 1)
            return []
        status, first, second = Status(), np.zeros(5), np.zeros(5)
        message = await comm.Mprobe(source=0)
        await message.Recv(first, status)
        assert (status.source, status.count) == (0, 40)
        message = await comm.Mprobe(source=0)
        await (await message.Irecv(second)).wait()
        return [first.sum(), second.sum()]

    assert returns(main)[1] == [5.0, 10.0]
