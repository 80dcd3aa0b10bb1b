"""Sends, receives and probes of programs in Python."""

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.program_support import PROTOCOLS, Call, assert_refused, returns, run
from torusim import ANY_SOURCE, ANY_TAG, Bytes, Comm, Status
from torusim.programs import MAX, PROC_NULL, SUM

objects = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text() | st.binary() | st.integers(-9000, 63),
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
    sent = [Bytes(1000), b"x" * 70, np.zeros((3, 5), dtype=np.int32), ["pickled"]]

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


@given(value=st.integers(-(2**200), 2**200))
@settings(max_examples=40, deadline=None)
def test_an_int_is_data_as_in_mpi4py(value: int) -> None:
    async def main(comm: Comm) -> tuple[Any, int]:
        status = Status()
        return await comm.sendrecv(value, dest=comm.rank, status=status), status.count

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert returns(main, 1) == [(value, len(pickle.dumps(value, pickle.HIGHEST_PROTOCOL)))]


INTS: dict[str, Call] = {
    "send": lambda comm: comm.sendrecv(64, dest=comm.rank),
    "isend": lambda comm: comm.isend(64, dest=PROC_NULL),
    "send_init": lambda comm: comm.send_init(64, dest=1 - comm.rank),
    "bcast": lambda comm: comm.bcast(64),
    "ibcast": lambda comm: comm.ibcast(64),
    "gather": lambda comm: comm.gather(64),
    "scatter": lambda comm: comm.scatter([3, 64]),
    "allgather": lambda comm: comm.allgather(64),
    "alltoall": lambda comm: comm.alltoall([3, 64]),
}


@pytest.mark.parametrize("name", INTS)
def test_the_first_large_int_of_a_run_is_warned_of(name: str) -> None:
    async def main(comm: Comm) -> None:
        for value in (63, True, -64, [64]):
            await comm.sendrecv(value, dest=comm.rank)
        for _ in range(2):
            await INTS[name](comm)

    for _ in range(2):  # each run warns
        with pytest.warns(UserWarning, match=r"rank 0 sends the int 64 as data, .* torusim\.Bytes\(n\)") as given:
            run(main)
        assert [Path(one.filename) for one in given] == [Path(__file__)]


def test_bytes_have_a_length_and_no_data() -> None:
    async def main(comm: Comm) -> list[Any]:
        seen = [await comm.sendrecv(Bytes(5000), dest=1 - comm.rank), await comm.bcast(Bytes(np.int64(7)))]
        seen += [await comm.allreduce(Bytes(600)), await comm.scan(Bytes(3)), await comm.allgather(Bytes(comm.rank))]
        return seen

    expected = [Bytes(5000), Bytes(7), Bytes(600), Bytes(3), [Bytes(0), Bytes(1)]]
    assert returns(main) == [expected, expected]


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
        return [Bytes(size + rank), np.full(size, rank), {"rank": rank}][(rank + number) % 3]

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


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda comm: comm.send(1, dest=2), ValueError, "dest=2: dest is a rank from 0 to 1"),
        (lambda comm: comm.send(1, dest="x"), TypeError, "dest='x'"),
        (lambda comm: comm.send(Bytes(-5), dest=0), ValueError, "Bytes=-5: Bytes is a number of bytes from 0"),
        (lambda comm: comm.send(b"", dest=0, tag=-1), ValueError, "tag=-1: tag is an integer from 0"),
        (lambda comm: comm.recv(source=-3), ValueError, "source=-3"),
        (lambda comm: comm.probe(source=PROC_NULL), ValueError, "source=-2: a probe"),
        (lambda comm: comm.sendrecv(1, dest=0, sendtag=-1), ValueError, "sendtag=-1: sendtag is an integer from 0"),
        (lambda comm: comm.sendrecv(1, dest=0, recvtag=1.5), TypeError, "recvtag=1.5"),
        (lambda comm: comm.ssend(1, dest=7), ValueError, "dest=7"),
        (lambda comm: comm.recv_init(source=7), ValueError, "source=7"),
        (lambda comm: comm.startall([4]), TypeError, "a request, as isend"),
        (lambda comm: comm.Send([1, 2], dest=0), TypeError, r"buf=\[1, 2\]: buf is a NumPy array"),
        (
            lambda comm: comm.Send([np.zeros(4), 5], dest=0),
            ValueError,
            "buf=5: buf has a count of elements from 0 to 4",
        ),
        (lambda comm: comm.Recv(np.array([None]), source=0), TypeError, "buf is a NumPy array of numbers"),
        (lambda comm: comm.Put(np.zeros(1)), NotImplementedError, "Put: one-sided calls are not supported"),
        (
            lambda comm: comm.Win.Create(np.zeros(1)),
            NotImplementedError,
            "Win.Create: one-sided calls are not supported",
        ),
        (lambda comm: comm.Win(), NotImplementedError, "Win: one-sided calls are not supported"),
        (lambda comm: comm.compute(-1), ValueError, r"compute\(-1\)"),
        (lambda comm: comm.compute(float("nan")), ValueError, r"compute\(nan\)"),
        (lambda comm: comm.bcast(1, root=9), ValueError, "root=9"),
        (lambda comm: comm.wait("isend"), TypeError, "a request, as isend and irecv return it"),
        (lambda comm: comm.send(lambda: 0, dest=0), Exception, "lambda"),
    ],
)
def test_bad_arguments_are_explained(call: Call, error: type[Exception], words: str) -> None:
    assert_refused(call, error, words)


def test_numbers_of_numpy_are_ranks_and_tags() -> None:
    async def main(comm: Comm) -> int:
        right = np.int64(1 - comm.rank)
        value = await comm.sendrecv(5, dest=int(right), sendtag=0, source=right, recvtag=np.int32(0))
        return int(value)

    assert returns(main) == [5, 5]


@pytest.mark.parametrize(
    "messaging",
    [
        {"costs": "october-2003", "full_packets": False},
        {"header_bytes": 40},
        {"protocol": "eager-adaptive", "envelope_bytes": 40},
        {"costs": "bluegene-p", "header_bytes": 40},
        {"header_bytes": 40, "alignment_bytes": 64, "message_credits": 1},
    ],
)
def test_a_synchronous_send_may_be_shorter_than_any_other(messaging: dict[str, Any]) -> None:
    """Packets of a handshake have shorter headers than eager messages of the same network."""

    async def main(comm: Comm) -> list[bytes]:
        if comm.rank == 0:
            for length in (0, 1, 300):
                await comm.ssend(b"x" * length, dest=1)
            return []
        return [await comm.recv(source=0) for _ in range(3)]

    assert [len(data) for data in returns(main, messaging=messaging)[1]] == [0, 1, 300]


MODES = ["send", "ssend", "bsend", "rsend"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ranks", [2, 5])
def test_every_mode_sends_objects_and_arrays_in_every_way(mode: str, protocol: str, ranks: int) -> None:
    async def main(comm: Comm) -> list[Any]:
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        mine, got = {"rank": comm.rank}, np.zeros(3, dtype=int)
        array = np.arange(3) + comm.rank
        receiving = [await comm.irecv(source=left, tag=tag) for tag in range(4)]
        receiving += [await comm.Irecv(got, source=left, tag=4)]
        await comm.barrier()  # so that all receives are posted, as ready sends need it
        capital = mode.capitalize()
        await getattr(comm, mode)(mine, dest=right, tag=0)
        await (await getattr(comm, f"i{mode}")(mine, dest=right, tag=1)).wait()
        persistent = await getattr(comm, f"{mode}_init")(mine, dest=right, tag=2)
        await persistent.start()
        await persistent.wait()
        await getattr(comm, capital)(array, dest=right, tag=3)
        await (await getattr(comm, f"I{mode}")(array, dest=right, tag=4)).wait()
        *objects, third, nothing = await comm.waitall(receiving)
        assert nothing is None
        return [*objects, third.tolist(), got.tolist()]

    for rank, got in enumerate(returns(main, ranks, messaging={"protocol": protocol})):
        left = (rank - 1) % ranks
        assert got == [*[{"rank": left}] * 3, [left, left + 1, left + 2], [left, left + 1, left + 2]]


def test_synchronous_sends_wait_for_their_receives_and_buffered_ones_do_not() -> None:
    async def main(comm: Comm) -> dict[str, float]:
        times = {}
        for mode in ("send", "ssend", "bsend"):
            await comm.barrier()
            before = comm.time()
            if comm.rank == 0:
                await getattr(comm, mode)(8, dest=1)
            else:
                await comm.compute(1e-4)
                await comm.recv(source=0)
            times[mode] = comm.time() - before
        return times

    of = {protocol: returns(main, messaging={"protocol": protocol})[0] for protocol in PROTOCOLS}
    eager, rendezvous = of["eager-adaptive"], of["rendezvous"]
    assert eager["send"] < 1e-5 < eager["ssend"]
    assert rendezvous["send"] > 1e-5 > eager["bsend"]
    assert rendezvous["bsend"] < 1e-5


def test_a_ready_send_without_its_receive_ends_the_run() -> None:
    async def main(comm: Comm) -> None:
        if comm.rank == 0:
            await comm.rsend(8, dest=1, tag=5)
        else:
            await comm.compute(1e-4)
            await comm.recv(source=0)

    result = run(main)
    assert result.outcome == "aborted"
    assert "in ready mode (of rank 0, tag 5)" in result.summary["outcome_detail"]["words"]


def test_a_sendrecv_is_one_call() -> None:
    async def main(comm: Comm) -> list[Any]:
        other, into = 1 - comm.rank, np.zeros(2)
        seen = [await comm.sendrecv([comm.rank], dest=other, source=other)]
        await comm.Sendrecv(np.full(2, comm.rank), dest=other, sendtag=3, recvbuf=into.view(int), recvtag=3)
        return [*seen, into.view(int).tolist()]

    result = run(main)
    assert result.returns == [[[1], [1, 1]], [[0], [0, 0]]]
    assert result.summary["mpi_operations"] == 2 * 2


def test_proc_null_is_nobody() -> None:
    async def main(comm: Comm) -> list[Any]:
        status = Status()
        before = comm.time()
        await comm.send([1], dest=PROC_NULL)
        seen: list[Any] = [await comm.recv(source=PROC_NULL, status=status), status.source, status.tag, status.count]
        persistent = [await comm.send_init(1, dest=PROC_NULL), await comm.recv_init(source=PROC_NULL)]
        await comm.startall(persistent)
        requests = [await comm.isend(1, dest=PROC_NULL), await comm.irecv(source=PROC_NULL), *persistent]
        statuses = [Status() for _ in requests]
        seen.append(await comm.waitall(requests, statuses))
        seen += [status.source for status in statuses]
        seen.append(await comm.sendrecv(b"self", dest=comm.rank, source=PROC_NULL))
        seen.append(await comm.sendrecv(b"", dest=PROC_NULL, source=comm.rank))
        seen.append(await comm.sendrecv(b"", dest=PROC_NULL, source=PROC_NULL))
        assert comm.time() > before  # calls take their time
        return seen

    expected = [None, PROC_NULL, ANY_TAG, 0, [None] * 4, *[PROC_NULL] * 4, None, b"self", None]
    assert returns(main, 1) == [expected]


def test_a_buffer_receives_the_bytes_of_arrays_and_nothing_else() -> None:
    async def main(comm: Comm) -> list[Any]:
        if comm.rank == 0:
            await comm.Send([np.arange(8.0), 3], dest=1)
            await comm.send(np.arange(4.0).reshape(2, 2).T, dest=1)
            await comm.send(b"\1\2", dest=1)
            await comm.send(Bytes(24), dest=1)
            await comm.Send(np.arange(6).reshape(2, 3), dest=1)
            await comm.send({"an": "object"}, dest=1)
            await comm.send(Bytes(1000), dest=1)
            return []
        seen: list[Any] = []
        buffer, status = np.zeros(4), Status()
        for _ in range(2):
            await comm.Recv(buffer, source=0, status=status)
            seen.append((buffer.tolist(), status.count))
        small = np.zeros(3, dtype=np.uint8)
        await comm.Recv(small)
        await comm.Recv(buffer)
        seen += [small.tolist(), buffer.tolist(), (await comm.recv()).tolist()]
        with pytest.raises(TypeError, match=r"buf: the message carries \{'an': 'object'\}, which is no array"):
            await comm.Recv(np.zeros(100))
        with pytest.raises(ValueError, match="buf: a message of 1000 bytes does not fit into 32 bytes"):
            await comm.Recv(buffer)
        return seen

    memory = [0.0, 1.0, 2.0, 3.0]
    expected = [([0.0, 1.0, 2.0, 0.0], 24), (memory, 32), [1, 2, 0], memory, [[0, 1, 2], [3, 4, 5]]]
    assert returns(main)[1] == expected


def test_positional_arguments_are_those_of_mpi4py() -> None:
    async def main(comm: Comm) -> list[Any]:
        other, into = 1 - comm.rank, np.zeros(1)
        sending = await comm.isend(b"a", other, 7)
        seen: list[Any] = [await comm.recv(None, other, 7), await sending.wait()]
        seen.append(await comm.sendrecv(b"b", other, 3, None, other, 3))
        await comm.Sendrecv(np.ones(1), other, 5, into, other, 5)
        seen += [into.tolist(), await comm.bcast("c", 1), await comm.reduce(2.0, MAX, 1)]
        return seen

    first = [b"a", None, b"b", [1.0], "c"]
    assert returns(main) == [[*first, None], [*first, 2.0]]


@pytest.mark.parametrize("call", ["recv", "irecv"])
def test_a_rank_in_place_of_a_buffer_is_explained(call: str) -> None:
    assert_refused(lambda comm: getattr(comm, call)(0), TypeError, "buf=0: buf is None or a buffer, as in mpi4py")


@pytest.mark.parametrize("name", ["allreduce", "reduce", "scan", "iallreduce", "Allreduce", "Reduce", "Iexscan"])
def test_different_operations_of_one_reduction_are_an_error(name: str) -> None:
    async def main(comm: Comm) -> None:
        buffers = (np.ones(2), np.zeros(2)) if name[0].isupper() else (1,)
        await getattr(comm, name)(*buffers, op=[MAX, SUM][comm.rank])

    with pytest.raises(ValueError, match=r"op=.*another rank's collective call 1 is .*op="):
        run(main)


def test_different_lengths_of_a_reduction_of_buffers_are_an_error() -> None:
    async def main(comm: Comm) -> None:
        await comm.Allreduce(np.ones(2 + comm.rank), np.zeros(2 + comm.rank))

    with pytest.raises(ValueError, match=r"of 24 bytes: another rank's collective call 1 is .* of 16 bytes"):
        run(main)


def test_a_cancelled_send_is_reported_and_completes() -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        if comm.rank:
            return await comm.recv(source=0)
        sending, status = await comm.isend("sent", dest=1), Status()
        await sending.cancel()
        await sending.wait(status)
        return status.is_cancelled

    with pytest.warns(UserWarning, match="rank 0 cancels a send, which completes nevertheless"):
        assert returns(main) == [False, "sent"]


@pytest.mark.filterwarnings("ignore:messages that no receive")
def test_what_is_of_another_rank_or_an_earlier_run_is_refused() -> None:
    kept: dict[str, Any] = {}

    async def keep(comm: Comm) -> None:
        kept[f"comm {comm.rank}"] = comm
        kept[f"request {comm.rank}"] = await comm.irecv(source=comm.rank)
        await comm.send(b"", dest=comm.rank)
        await comm.barrier()
        if comm.rank == 1:
            for call in (kept["comm 0"].send(1, 0), kept["comm 0"].barrier(), kept["request 0"].wait()):
                with pytest.raises(ValueError, match="of rank 0 is used by rank 1"):
                    await call

    async def use(_comm: Comm) -> None:
        for call in (kept["comm 0"].recv(), kept["comm 0"].allgather(1), kept["request 0"].test()):
            with pytest.raises(ValueError, match="of rank 0 is used after its run has ended"):
                await call

    run(keep)
    run(use)


def test_messages_that_are_never_received_are_named() -> None:
    async def main(comm: Comm) -> None:
        if comm.rank == 0:
            for _ in range(3):
                await comm.send(b"lost", dest=1)
        else:
            await comm.recv(source=0)

    with pytest.warns(UserWarning, match="no receive has matched: 2, the first of rank 0 to rank 1"):
        run(main)
