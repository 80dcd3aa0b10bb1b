"""Collectives of programs in Python, compared with their results by definition."""

from typing import Any

import numpy as np
import pytest

from tests.program_support import BUFFER_CALLS, COLLECTIVES, Call, assert_refused, block, done, returns, run
from torusim import Bytes, Comm, Request
from torusim import programs as MPI  # noqa: N812


def test_collectives_return_the_data_of_all() -> None:
    async def main(comm: Comm) -> list[Any]:
        rank, size = comm.rank, comm.size
        values: list[Any] = [await comm.allreduce(rank + 1), await comm.allreduce(rank + 1, op=MPI.PROD)]
        values += [await comm.allreduce(rank, op=MPI.MAX), await comm.allreduce(rank, MPI.MIN)]
        values += [await comm.allreduce(rank < size, op=MPI.LAND), await comm.allreduce([rank])]
        values += [await comm.allreduce(rank, op=lambda left, right: max(left, right) * 2)]
        array = await comm.allreduce(np.array([rank, 1.0]))
        array[0] += rank  # a new array
        largest = await comm.allreduce(np.array([rank, -rank]), op=MPI.MAX)
        values += [array.tolist(), largest.tolist()]
        shared = await comm.bcast({"root": [rank]} if rank == 2 else None, root=2)
        shared["root"].append(rank)
        values += [shared, await comm.bcast(Bytes(4096) if rank == 0 else None)]
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
            Bytes(4096),
        ]


def test_a_barrier_waits_for_the_last() -> None:
    async def main(comm: Comm) -> float:
        await comm.compute(comm.rank * 1e-4)
        await comm.barrier()
        return comm.time()

    assert min(returns(main, 6)) > 5e-4


def test_ranks_that_disagree_about_a_collective_are_named() -> None:
    async def main(comm: Comm) -> None:
        await (comm.barrier() if comm.rank else comm.bcast(1))

    with pytest.raises(ValueError, match=r"rank's collective call 1 is bcast\(root=0\)"):
        run(main, 2)


@pytest.mark.parametrize("ranks", range(1, 10))
@pytest.mark.parametrize("call", COLLECTIVES)
def test_every_collective_returns_what_it_is_defined_to(call: str, ranks: int) -> None:
    """The test covers all roots; `COLLECTIVES` has the calls and their definitions."""
    make, model = COLLECTIVES[call]

    async def main(comm: Comm) -> list[Any]:
        return [await make(comm, root) for root in range(comm.size)]

    members = list(range(ranks))
    expected = [[model(members, rank, root) for root in range(ranks)] for rank in range(ranks)]
    assert returns(main, ranks) == expected


def test_collectives_that_do_not_block_overlap() -> None:
    async def main(comm: Comm) -> list[Any]:
        requests = [
            await comm.iallreduce(comm.rank),
            await comm.ibarrier(),
            await comm.ibcast(block(comm.rank), root=1),
            await comm.Ibarrier(),
        ]
        assert await comm.recv(source=(comm.rank - 1) % comm.size) == comm.rank if comm.rank else True
        await comm.send(comm.rank + 1, dest=(comm.rank + 1) % comm.size)
        if comm.rank == 0:
            await comm.recv()
        while not (tested := await comm.testall(requests[:2]))[0]:
            await comm.compute(1e-7)
        index, value = await comm.waitany(requests[2:])
        return [tested[1], index in (0, 1), value in (None, block(1)), await comm.waitall(requests), comm.time()]

    for got in returns(main, 6):
        assert got[:3] == [[15, None], True, True]
        assert got[3] in ([None] * 4, [None, None, block(1), None])


@pytest.mark.parametrize(
    ("op", "operands", "expected"),
    [
        (MPI.SUM, [1, 2, 3], 6),
        (MPI.PROD, [2, 3, 4.0], 24.0),
        (MPI.MAX, [1, 3, 2], 3),
        (MPI.MIN, [1, 3, 2], 1),
        (MPI.LAND, [1, 0, 1], False),
        (MPI.LOR, [0, 0, 7], True),
        (MPI.LXOR, [1, 1, 1], True),
        (MPI.BAND, [7, 14, 12], 4),
        (MPI.BOR, [1, 2, 8], 11),
        (MPI.BXOR, [1, 3, 8], 10),
        (MPI.MAXLOC, [(2.0, 0), (5.0, 7), (5.0, 2)], (5.0, 2)),
        (MPI.MINLOC, [(2.0, 0), (5.0, 1), (1.0, 2)], (1.0, 2)),
        (MPI.SUM, [[1], [2], [3]], [1, 2, 3]),
        (lambda left, right: f"({left}{right})", ["a", "b", "c"], "((ab)c)"),
    ],
)
def test_operations_combine_operands_in_the_order_of_ranks(op: Any, operands: list[Any], expected: Any) -> None:  # noqa: ANN401
    async def main(comm: Comm) -> list[Any]:
        mine = operands[comm.rank]
        return [await comm.allreduce(mine, op), await comm.reduce(mine, op, root=1), await comm.scan(mine, op)]

    got = returns(main, 3)
    assert got[2] == [expected, None, expected]
    assert got[1][:2] == [expected, expected]
    assert got[0][2] == operands[0]


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (MPI.SUM, [3, 6]),
        (MPI.PROD, [0, 8]),
        (MPI.MAX, [2, 2]),
        (MPI.MIN, [0, 2]),
        (MPI.LAND, [0, 1]),
        (MPI.BOR, [3, 2]),
        (MPI.BXOR, [3, 2]),
    ],
)
def test_operations_combine_arrays_element_by_element(op: Any, expected: list[int]) -> None:  # noqa: ANN401
    async def main(comm: Comm) -> list[Any]:
        mine, into = np.array([comm.rank, 2]), np.zeros(2, dtype=int)
        await comm.Allreduce(mine, into, op)
        seen = [into.tolist(), (await comm.allreduce(mine, op)).tolist()]
        await comm.Allreduce(MPI.IN_PLACE, mine, op)
        return [*seen, mine.tolist()]

    assert returns(main, 3) == [[expected] * 3] * 3


def test_a_reduction_in_place_is_for_the_root() -> None:
    async def main(comm: Comm) -> list[Any]:
        mine = np.array([comm.rank + 1.0])
        await (comm.Reduce(mine, None, root=1) if comm.rank != 1 else comm.Reduce(MPI.IN_PLACE, mine, root=1))
        await comm.Scan(MPI.IN_PLACE, mine)
        return [float(value) for value in mine]

    assert returns(main, 3) == [[1.0], [7.0], [10.0]]


def test_data_in_place() -> None:
    async def main(comm: Comm) -> list[Any]:
        gathered, alone = np.full(3, -1), np.full(3, -1)
        gathered[comm.rank] = alone[comm.rank] = comm.rank
        await comm.Allgather(MPI.IN_PLACE, gathered)
        await (comm.Gather(MPI.IN_PLACE, alone, root=1) if comm.rank == 1 else comm.Gather(alone[[comm.rank]], root=1))
        exchanged = 10 * comm.rank + np.arange(3)
        await comm.Alltoall(MPI.IN_PLACE, exchanged)
        counted = 10 * comm.rank + np.arange(3)
        await comm.Alltoallv(MPI.IN_PLACE, [counted, [1, 1, 1]])
        part = np.zeros(1, dtype=int)
        await comm.Scatter(gathered, MPI.IN_PLACE if comm.rank == 2 else part, root=2)
        return [array.tolist() for array in (gathered, alone, exchanged, counted, part)]

    results = returns(main, 3)
    columns = [[0, 10, 20], [1, 11, 21], [2, 12, 22]]
    for rank, (gathered, alone, exchanged, counted, part) in enumerate(results):
        assert (gathered, exchanged, counted) == ([0, 1, 2], columns[rank], columns[rank])
        assert part == [0 if rank == 2 else rank]
        assert alone == ([0, 1, 2] if rank == 1 else [rank if place == rank else -1 for place in range(3)])


def test_what_ranks_get_is_their_own() -> None:
    async def main(comm: Comm) -> list[Any]:
        shared = [await comm.bcast([1]), *await comm.allgather([comm.rank]), await comm.allreduce([2])]
        arrays = [await comm.bcast(np.zeros(1)), *await comm.allgather(np.zeros(1)), await comm.allreduce(np.zeros(1))]
        for obj in shared:
            obj.append("mine")
        for array in arrays:
            array += comm.rank
        return [*shared, *[array.tolist() for array in arrays]]

    for rank, got in enumerate(returns(main, 2)):
        assert got == [[1, "mine"], [0, "mine"], [1, "mine"], [2, 2, "mine"], *[[rank]] * 4]


def test_collectives_of_objects_tell_their_lengths_first_and_others_make_one_call() -> None:
    async def objects(comm: Comm) -> None:
        await comm.bcast("object")
        await comm.gather(comm.rank * "x")
        await comm.scatter(["x"] * comm.size if comm.rank == 0 else None)
        await comm.allgather(comm.rank * "x")
        await comm.alltoall(["x"] * comm.size)

    async def arrays(comm: Comm) -> None:
        mine, all_of_them = np.zeros(5), np.zeros(5 * comm.size)
        await comm.Bcast(mine)
        await comm.Gather(mine, all_of_them)
        await comm.Scatter(all_of_them, mine)
        await comm.Allgather(mine, all_of_them)
        await comm.Alltoall(all_of_them, all_of_them.copy())
        for call in (comm.reduce, comm.allreduce, comm.scan, comm.exscan):
            await call(mine)
        await comm.reduce_scatter([1.0] * comm.size)
        await comm.barrier()

    assert run(objects, 3).summary["mpi_operations"] == 3 * 10
    assert run(arrays, 3).summary["mpi_operations"] == 3 * 11


def test_ranks_that_disagree_about_lengths_are_named() -> None:
    async def main(comm: Comm) -> None:
        await (await comm.igather(b"x" * (1 + comm.rank))).wait()

    with pytest.raises(
        ValueError, match=r"of . bytes from each: another rank's collective call 1 is igather\(root=0\)"
    ):
        run(main, 2)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda comm: comm.gather(1, root=2), ValueError, "root=2: root is a rank from 0 to 1"),
        (lambda comm: comm.scatter([1]), ValueError, "sendobj: 1 objects for 2 ranks"),
        (lambda comm: comm.scatter(), TypeError, "sendobj=None: sendobj has one object for each rank"),
        (lambda comm: comm.alltoall(5), TypeError, "sendobj=5: sendobj has one object for each rank"),
        (lambda comm: comm.ialltoall([b"", b"x"]), ValueError, "sendobj: objects of 0 to 1 bytes"),
        (lambda comm: comm.iscatter(root=1), ValueError, "recvobj=None: it is an object as long"),
        (lambda comm: comm.reduce_scatter([1, 2, 3]), ValueError, "sendobj: 3 objects for 2 ranks"),
        (lambda comm: comm.Bcast("x"), TypeError, "buf='x': buf is a NumPy array"),
        (lambda comm: comm.Gather(np.zeros(1)), TypeError, "recvbuf=None: recvbuf is a NumPy array"),
        (lambda comm: comm.Gather(np.zeros(1), np.zeros(3)), ValueError, "recvbuf: 3 elements cannot be cut into 2"),
        (lambda comm: comm.Scatter(np.zeros(4), np.zeros(1)), ValueError, "recvbuf: 8 bytes for what this rank sends"),
        (lambda comm: comm.Gatherv(np.zeros(1), [np.zeros(2), [1]]), ValueError, r"\(counts\): 1 numbers for 2 ranks"),
        (lambda comm: comm.Gatherv(np.zeros(1), [np.zeros(2), 3]), TypeError, r"\(counts\): 3 is not one number for"),
        (lambda comm: comm.Gatherv(np.zeros(1), [np.zeros(2), [1, -1]]), ValueError, r"\(counts\)=-1: recvbuf"),
        (
            lambda comm: comm.Allgatherv(np.zeros(1), [np.zeros(2), [1, 1], [0, 2]]),
            ValueError,
            "recvbuf: its parts end at element 3 of 2",
        ),
        (
            lambda comm: comm.Allgatherv(np.zeros(1), [np.zeros(2), [1, 1], [0, 1], "double"]),
            TypeError,
            "recvbuf: 4 items; it is an array",
        ),
        (lambda comm: comm.Allgatherv(np.zeros(1), [np.zeros(2), [0, 2]]), ValueError, "recvbuf: 0 bytes for what"),
        (lambda comm: comm.Allreduce(np.zeros(2), np.zeros(3)), ValueError, "recvbuf: 3 elements for operands of 2"),
        (lambda comm: comm.Reduce(MPI.IN_PLACE, None, root=1), ValueError, "sendbuf=IN_PLACE: only the root"),
    ],
)
def test_bad_arguments_of_collectives_are_explained(call: Call, error: type[Exception], words: str) -> None:
    assert_refused(call, error, words)


def test_a_result_that_does_not_fit_its_buffer_is_refused() -> None:
    async def gathers(comm: Comm) -> None:
        await comm.Gatherv(np.zeros(1 + comm.rank), [np.zeros(2), [1, 1]] if comm.rank == 0 else None)

    async def reduces(comm: Comm) -> None:
        await comm.Allreduce(np.ones(1), np.zeros(1, dtype=int))

    with pytest.raises(ValueError, match="recvbuf: a message of 16 bytes does not fit into 8 bytes"):
        run(gathers, 2)
    with pytest.raises(TypeError, match="Cannot cast"):
        run(reduces, 2)


def test_requests_of_collectives_are_requests() -> None:
    async def main(comm: Comm) -> bool:
        request = await comm.ibarrier()
        await request.cancel()  # which has no effect
        return isinstance(request, Request) and await request.wait() is None

    assert returns(main, 3) == [True] * 3


GIGABYTE = 10**9

LONG: list[tuple[str, Call, dict[str, Any], str | None]] = [
    ("ring", lambda comm: comm.allreduce(Bytes(28 * GIGABYTE // 10)), {}, None),
    ("ring", lambda comm: done(comm.iallreduce(Bytes(56 * GIGABYTE // 10))), {}, None),
    ("bucket", lambda comm: comm.allreduce(Bytes(56 * GIGABYTE // 10)), {"all-reduce": "bucket"}, None),
    ("pairs", lambda comm: comm.alltoall([Bytes(GIGABYTE)] * comm.size), {}, None),
    ("around", lambda comm: comm.allgather(Bytes(GIGABYTE)), {"all-gather": "ring"}, None),
    ("scatter", lambda comm: comm.bcast(Bytes(4 * GIGABYTE)), {}, "bytes are more than 1073741824"),
    ("messages", lambda comm: comm.gather(Bytes(GIGABYTE)), {}, None),
    ("one", lambda comm: comm.send(Bytes(2 * GIGABYTE), 0), {}, "from 0 to 1073741824 bytes, not 2000000000"),
    ("a reduction", lambda comm: comm.reduce(Bytes(2 * GIGABYTE)), {}, "bytes are more than 1073741824"),
    ("a tree", lambda comm: done(comm.igather(Bytes(9 * GIGABYTE // 10))), {}, r"sends \d+ bytes in a message"),
]
"""Collectives of more bytes than a message can have, and the errors of those that would send too many in one."""


@pytest.mark.parametrize(("name", "call", "algorithms", "words"), LONG)
def test_what_is_sent_may_not_be_too_long_but_the_sum_may(
    name: str, call: Call, algorithms: dict[str, str], words: str | None
) -> None:
    async def main(comm: Comm) -> None:
        await call(comm)

    sections: dict[str, Any] = {"run": {"time_limit_cycles": 100_000}}
    if algorithms:
        sections["messaging"] = {"collectives": algorithms}
    if words is None:
        # Messages that come before their receives do not fit into the memory of a node.
        assert run(main, 64, **sections).outcome in ("time-limit", "out-of-memory"), name
    else:
        with pytest.raises(ValueError, match=words):
            run(main, 64, **sections)


BUFFERS = [call for call in COLLECTIVES if call[0].isupper() and call[0] != "I" and call != "Barrier"]


@pytest.mark.parametrize("call", BUFFERS)
def test_a_persistent_collective_returns_what_it_is_defined_to_whenever_it_starts(call: str) -> None:
    """The data are those at the time of the start, as for a blocking call."""
    make, model = BUFFER_CALLS[call]

    async def main(comm: Comm) -> list[Any]:
        async def start_twice(*arguments: Any, **keywords: Any) -> None:  # noqa: ANN401
            request = await getattr(comm, f"{call}_init")(*arguments, **keywords)
            for _ in range(2):
                await request.Start()
                assert await request.Wait() is None
            await request.Free()

        return [await make(comm, root, start_twice) for root in range(comm.size)]

    members = list(range(5))
    expected = [[model(members, rank, root) for root in members] for rank in members]
    if call == "Exscan":
        assert returns(main, 5)[1:] == expected[1:]
    else:
        assert returns(main, 5) == expected


def test_persistent_collectives_start_with_persistent_messages() -> None:
    async def main(comm: Comm) -> list[float]:
        value, total = np.array([1.0]), np.zeros(1)
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        requests = [await comm.Allreduce_init(value, total), await comm.recv_init(left), await comm.Barrier_init()]
        requests.append(await comm.send_init(comm.rank, right))
        seen = []
        for factor in (1.0, 10.0):
            value[:] = factor
            await comm.Startall(requests)
            with pytest.raises(ValueError, match="is active"):
                await requests[0].Start()
            _, got, _, _ = await comm.waitall(requests)
            seen += [total[0], got]
        for request in requests:
            await request.free()
        with pytest.raises(ValueError, match="has been freed"):
            await requests[0].Start()
        return seen

    assert returns(main, 4)[0] == [4.0, 3, 40.0, 3]
