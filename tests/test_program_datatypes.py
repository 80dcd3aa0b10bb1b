"""Datatypes of programs in Python: the bytes that they send, their places at the receiver, and the costs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.program_support import Call, assert_refused, returns, run
from torusim import Comm, Status
from torusim import programs as MPI  # noqa: N812
from torusim.programs import Datatype

Array = np.ndarray[Any, Any]

LENGTH = 400
"""Bytes of the arrays in which random datatypes lie."""


@dataclass
class Model:
    """A datatype as MPI defines it.

    Attributes:
        places: The places of the bytes, in the order in which they are sent.
        lb: The byte at which the datatype begins.
        ub: The byte at which the next copy begins.
    """

    places: list[int]
    lb: int
    ub: int

    @property
    def extent(self) -> int:
        """Bytes from the beginning of the datatype to that of the next copy."""
        return self.ub - self.lb

    def at(self, starts: list[int]) -> "Model":
        """Copies of the datatype, at `starts` extents from the start."""
        displacements = [start * self.extent for start in starts]
        places = [start + place for start in displacements for place in self.places]
        if not displacements:
            return Model([], 0, 0)
        return Model(places, self.lb + min(displacements), self.ub + max(displacements))

    def blocks(self) -> int:
        """The number of pieces of memory, none of which touches the previous one."""
        return sum(1 for before, place in zip([-9, *self.places], self.places, strict=False) if place != before + 1)


Typed = tuple[Datatype, Model]

BASICS = [(MPI.BYTE, 1), (MPI.SHORT, 2), (MPI.INT, 4), (MPI.DOUBLE, 8), (MPI.DOUBLE_COMPLEX, 16)]


def contiguous(of: Typed, count: int) -> Typed:
    return of[0].Create_contiguous(count), of[1].at(list(range(count)))


def vector(of: Typed, count: int, length: int, stride: int) -> Typed:
    starts = [block * stride + number for block in range(count) for number in range(length)]
    return of[0].Create_vector(count, length, stride), of[1].at(starts)


def indexed(of: Typed, blocks: list[tuple[int, int]]) -> Typed:
    starts = [start + number for length, start in blocks for number in range(length)]
    made = of[0].Create_indexed([length for length, _ in blocks], [start for _, start in blocks])
    return made, of[1].at(starts)


def resized(of: Typed, extent: int) -> Typed:
    return of[0].Create_resized(0, extent), Model(of[1].places, 0, extent)


def extended(inner: st.SearchStrategy[Typed]) -> st.SearchStrategy[Typed]:
    blocks = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=4)
    return st.one_of(
        st.builds(contiguous, inner, st.integers(0, 4)),
        st.builds(vector, inner, st.integers(1, 4), st.integers(1, 3), st.integers(-2, 5)),
        st.builds(indexed, inner, blocks),
        st.builds(resized, inner, st.integers(0, 40)),
    )


typed = st.recursive(
    st.sampled_from([(datatype, Model(list(range(size)), 0, size)) for datatype, size in BASICS]),
    extended,
    max_leaves=3,
)


def selected(model: Model, count: int) -> list[int]:
    """The places of the bytes of `count` copies."""
    return [copy * model.extent + place for copy in range(count) for place in model.places]


def fits(model: Model, count: int) -> bool:
    places = selected(model, count)
    return 0 <= min(places, default=0) <= max(places, default=0) < LENGTH and len(set(places)) == len(places)


@given(one=typed, other=typed, counts=st.tuples(st.integers(1, 3), st.integers(0, 3)), seed=st.integers(0, 99))
@settings(max_examples=150, deadline=None)
def test_exactly_the_selected_bytes_arrive_in_their_places(
    one: Typed, other: Typed, counts: tuple[int, int], seed: int
) -> None:
    """Bytes go from one datatype into another, which may have a different number of bytes."""
    (sent, sent_model), (received, received_model) = one, other
    sources, places = selected(sent_model, counts[0]), selected(received_model, counts[1])
    assume(fits(sent_model, counts[0]) and fits(received_model, counts[1]) and len(sources) <= len(places))
    data = np.random.default_rng(seed).integers(0, 256, LENGTH, dtype=np.uint8)

    async def main(comm: Comm) -> tuple[Array, int] | None:
        if comm.rank == 0:
            await comm.Send([data.view(np.float64), counts[0], sent.Commit()], dest=1)
            return None
        into, status = np.zeros(LENGTH, dtype=np.uint8), Status()
        await comm.Recv([into, counts[1], received.Commit()], status=status)
        return into, status.count

    expected = np.zeros(LENGTH, dtype=np.uint8)
    expected[places[: len(sources)]] = data[sources]
    into, size_bytes = returns(main)[1]
    assert size_bytes == len(sources)
    assert np.array_equal(into, expected)


@given(made=typed)
def test_sizes_extents_and_blocks_are_mpis(made: Typed) -> None:
    datatype, model = made
    assert datatype.Get_size() == len(model.places)
    assert datatype.Get_extent() == (model.lb, model.extent)
    assert datatype.ub == model.ub
    if model.places and fits(model, 1):
        memory = np.zeros(LENGTH, dtype=np.uint8)
        assert datatype.Commit().region(memory, 1, "buf").blocks == model.blocks()


@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    data=st.data(),
    order=st.sampled_from([("C", MPI.ORDER_C), ("F", MPI.ORDER_F)]),
)
@settings(max_examples=60, deadline=None)
def test_a_subarray_is_that_of_numpy(sizes: list[int], data: st.DataObject, order: tuple[Any, int]) -> None:
    starts = [data.draw(st.integers(0, size - 1)) for size in sizes]
    lengths = [data.draw(st.integers(1, size - start)) for size, start in zip(sizes, starts, strict=True)]
    whole = np.arange(np.prod(sizes) * 2).astype(np.int32)  # two arrays
    part = tuple(slice(start, start + length) for start, length in zip(starts, lengths, strict=True))
    datatype = MPI.INT.Create_subarray(sizes, lengths, starts, order[1]).Commit()

    async def main(comm: Comm) -> Any:  # noqa: ANN401
        if comm.rank == 0:
            await comm.Send([whole, 2, datatype], dest=1)
            return None
        return await comm.recv()

    halves = [half.reshape(sizes, order=order[0])[part].ravel(order=order[0]) for half in np.split(whole, 2)]
    received = returns(main)[1]
    assert received.dtype == np.int32
    assert np.array_equal(received, np.concatenate(halves))


def test_runs_that_begin_between_elements_are_sent_as_elements() -> None:
    """Three integers in every 18 bytes: no unit of whole integers fits both."""

    async def main(comm: Comm) -> Any:  # noqa: ANN401
        datatype = MPI.INT.Create_contiguous(3).Create_resized(0, 18).Commit()
        await comm.Send([np.arange(36, dtype=np.uint8), 2, datatype], dest=0)
        return await comm.recv()

    expected = np.r_[0:12, 18:30].astype(np.uint8).view(np.int32)
    assert np.array_equal(returns(main, 1)[0], expected)


def matrix(rows: int = 6, columns: int = 5) -> Array:
    return np.arange(float(rows * columns)).reshape(rows, columns)


@pytest.mark.parametrize("way", ["Send", "Isend", "Ssend", "Bsend", "Sendrecv", "Send_init"])
def test_every_call_sends_and_receives_columns(way: str) -> None:
    """A column is sent as a vector, and as the strided array that NumPy makes of it."""

    async def main(comm: Comm) -> list[Any]:
        other, seen = 1 - comm.rank, []
        column = MPI.DOUBLE.Create_vector(6, 1, 5).Commit()
        mine, own = matrix() + 100 * comm.rank, matrix()
        into, sliced = np.zeros((6, 5)), np.zeros((6, 5))
        for sent, received in (([mine, 1, column], [into, 1, column]), (mine[:, 0], sliced[:, 3])):
            if way == "Sendrecv":
                await comm.Sendrecv(sent, dest=other, recvbuf=received, source=other)
            elif way == "Send_init":
                requests = [await comm.Recv_init(received, source=other), await comm.Send_init(sent, dest=other)]
                mine += 1  # the data are sent as they are at the start
                await comm.Startall(requests)
                await comm.waitall(requests)
            else:
                receiving = await comm.Irecv(received, source=other)
                sending = await getattr(comm, way)(sent, dest=other)
                await receiving.wait()
                if sending is not None:
                    await sending.wait()
            seen.append(mine[0, 0] - own[0, 0])
        return [into.tolist(), sliced.tolist(), seen]

    for rank, (into, sliced, seen) in enumerate(returns(main)):
        shifts = [value - 100 * rank + 100 * (1 - rank) for value in seen]
        expected = [np.zeros((6, 5)), np.zeros((6, 5))]
        expected[0][:, 0] = matrix()[:, 0] + shifts[0]
        expected[1][:, 3] = matrix()[:, 0] + shifts[1]
        assert (into, sliced) == (expected[0].tolist(), expected[1].tolist())


@pytest.mark.parametrize(
    "view",
    [
        lambda array: array[::-1, ::2],
        lambda array: array.T,
        lambda array: array[1:3, 1:4],
        lambda array: array[2:3, 1:2],
        lambda array: array[:0, 1],
        lambda array: array[3],
    ],
)
@pytest.mark.parametrize("is_short", [False, True])
def test_arrays_of_any_strides_are_sent_and_received_in_the_order_of_their_elements(
    view: Callable[[Array], Array], is_short: bool
) -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        if comm.rank == 0:
            sent = view(matrix())
            await comm.Send([sent, sent.size // 2] if is_short else sent, dest=1)
            return None
        into = np.full((6, 5), -1.0)
        await comm.Recv(view(into))
        return into

    expected = np.full((6, 5), -1.0)
    place, values = view(expected), view(matrix())
    count = values.size // 2 if is_short else values.size
    place.flat[:count] = values.flat[:count]
    assert np.array_equal(returns(main)[1], expected)


def test_without_a_count_there_are_as_many_as_fit() -> None:
    async def main(comm: Comm) -> list[Any]:
        column = MPI.DOUBLE.Create_vector(6, 1, 5).Commit()
        columns = column.Create_resized(0, 8).Commit()
        seen = []
        for datatype in (MPI.DOUBLE, column, columns, MPI.INT):
            if comm.rank == 0:
                await comm.Send([matrix(), datatype], dest=1)
            else:
                seen.append((await comm.recv()).tolist())
        return seen

    whole = matrix()
    expected = [whole.ravel(), whole[:, 0], whole.T.ravel(), whole.view(np.int32).ravel()]
    assert returns(main)[1] == [values.tolist() for values in expected]


def seconds(calls: Callable[[Comm, Any, Any], Any], cycles: int, types: tuple[Any, Any]) -> list[float]:
    """The times at which two ranks have made calls, if a block costs `cycles` processor cycles."""

    async def main(comm: Comm) -> float:
        await calls(comm, *types)
        return comm.time()

    return returns(main, messaging={"noncontiguous_processor_cycles_per_block": cycles})


async def one_way(comm: Comm, sent: Any, received: Any) -> None:  # noqa: ANN401
    if comm.rank == 0:
        await comm.Send(sent, dest=1)
    else:
        await comm.Recv(received, source=0)


HERTZ = 700e6
"""The frequency of the processors of Blue Gene/L."""


@pytest.mark.parametrize(
    ("sent", "received", "blocks"),
    [
        (matrix()[:, 0], matrix()[:, 1], (6, 12)),
        ([matrix(), 1, MPI.DOUBLE.Create_vector(6, 1, 5).Commit()], [np.zeros(6), MPI.DOUBLE], (6, 6)),
        (np.zeros(6), [matrix(), 2, MPI.DOUBLE.Create_vector(3, 1, 2).Commit()], (0, 5)),  # two of six touch
        ([matrix(), 1, MPI.DOUBLE.Create_vector(3, 2, 2).Commit()], np.zeros(6), (0, 0)),
        ([matrix(), 1, MPI.DOUBLE.Create_indexed([2, 1, 3], [8, 10, 0]).Commit()], np.zeros(6), (2, 2)),
        ([matrix(), 6, MPI.DOUBLE], [matrix(), 2, MPI.DOUBLE.Create_contiguous(3).Commit()], (0, 0)),
    ],
)
def test_each_block_costs_what_the_key_says_at_both_ends(sent: Any, received: Any, blocks: tuple[int, int]) -> None:  # noqa: ANN401
    """The sender packs before its first packet, the receiver unpacks after the last."""
    free, paid = (seconds(one_way, cycles, (sent, received)) for cycles in (0, 400))
    differences = [round((after - before) * HERTZ) for before, after in zip(free, paid, strict=True)]
    assert differences == [400 * number for number in blocks]


def test_persistent_requests_and_sendrecv_pay_for_blocks_too() -> None:
    async def persistent(comm: Comm, sent: Any, received: Any) -> None:  # noqa: ANN401
        other = 1 - comm.rank
        request = await (comm.Recv_init(received, source=other) if comm.rank else comm.Send_init(sent, dest=other))
        await request.start()
        await request.wait()

    async def both(comm: Comm, sent: Any, received: Any) -> None:  # noqa: ANN401
        await comm.Sendrecv(sent, dest=1 - comm.rank, recvbuf=received)

    column = matrix()[:, 0]
    for calls, expected in ((persistent, [6, 12]), (both, [12, 12])):
        free, paid = (seconds(calls, cycles, (column, column.copy().repeat(2)[::2])) for cycles in (0, 400))
        differences = [round((after - before) * HERTZ / 400) for before, after in zip(free, paid, strict=True)]
        assert differences == expected


def test_collectives_take_basic_datatypes() -> None:
    async def main(comm: Comm) -> list[Any]:
        mine, everyone = np.arange(2.0) + comm.rank, np.zeros(6)
        pair = MPI.DOUBLE.Create_contiguous(2).Commit()
        await comm.Allgather([mine, MPI.DOUBLE], [everyone, MPI.DOUBLE])
        seen = [everyone.tolist()]
        await comm.Allgatherv([mine, 1 + comm.rank % 2, MPI.DOUBLE], [everyone, ([1, 2, 1], [5, 3, 0]), MPI.DOUBLE])
        seen.append(everyone.tolist())
        await comm.Bcast([everyone, 2, pair], root=1)
        await comm.Allreduce([mine, MPI.DOUBLE], [everyone, 2, MPI.DOUBLE])
        return [*seen, everyone.tolist()[:2]]

    assert returns(main, 3) == [[[0, 1, 1, 2, 2, 3], [2, 1, 1, 1, 2, 0], [3, 6]]] * 3


@given(ranks=st.integers(1, 6), seed=st.integers(0, 999), blocks=st.booleans())
@settings(max_examples=30, deadline=None)
def test_an_alltoallw_exchanges_parts_of_any_datatypes(ranks: int, seed: int, blocks: bool) -> None:
    """Rank `r` sends `2 n` bytes to rank `s`, from a vector and into an index; `n` and all places are random."""

    def drawn(source: int, target: int) -> Any:  # noqa: ANN401
        return np.random.default_rng([seed, source, target])

    def count(source: int, target: int) -> int:
        return int(drawn(source, target).integers(0, 4))

    def starts(source: int, target: int) -> list[int]:
        return sorted(drawn(source, target).permutation(20)[: count(source, target)].tolist())

    async def main(comm: Comm) -> Array:
        mine = np.arange(40 * ranks, dtype=np.uint8) + comm.rank
        into = np.zeros(20 * ranks, dtype=np.int16)
        sent = [MPI.BYTE.Create_vector(2 * count(comm.rank, peer), 1, 3).Commit() for peer in range(ranks)]
        places = [starts(peer, comm.rank) for peer in range(ranks)]
        received = [MPI.SHORT.Create_indexed([1] * len(listed), listed).Commit() for listed in places]
        sides = (
            [mine, [1] * ranks, [40 * peer for peer in range(ranks)], sent],
            [into, ([1] * ranks, [40 * peer for peer in range(ranks)]), received],
        )
        await (comm.Alltoallw(*sides) if blocks else (await comm.Ialltoallw(*sides)).wait())
        return into

    for rank, into in enumerate(returns(main, ranks)):
        expected = np.zeros(20 * ranks, dtype=np.int16)
        for peer in range(ranks):
            number = count(peer, rank)
            values = (np.arange(40 * ranks, dtype=np.uint8) + peer)[40 * rank :][: 6 * number : 3]
            expected[20 * peer + np.array(starts(peer, rank), dtype=int)] = values.copy().view(np.int16)
        assert np.array_equal(into, expected)


def test_an_alltoallw_without_counts_has_one_of_each_and_is_one_call_that_pays_for_blocks() -> None:
    def summary_and_seconds(cycles: int) -> tuple[Any, float]:
        async def main(comm: Comm) -> float:
            column = MPI.DOUBLE.Create_vector(6, 1, 5).Commit()
            into, row = np.zeros((6, 5)), MPI.DOUBLE.Create_contiguous(6).Commit()
            await comm.Alltoallw([matrix(), [column] * 2], [into, [row] * 2])
            assert into.ravel()[:6].tolist() == matrix()[:, 0].tolist()
            return comm.time()

        result = run(main, messaging={"noncontiguous_processor_cycles_per_block": cycles})
        return result.summary["mpi_operations"], result.returns[0]

    (operations, free), (_, paid) = map(summary_and_seconds, (0, 400))
    assert operations == 2
    assert round((paid - free) * HERTZ) == 6 * 400


def test_a_status_counts_in_datatypes() -> None:
    status = Status(count=24)
    none = MPI.DOUBLE.Create_contiguous(0)
    counted = [status.Get_count(one) for one in (None, MPI.BYTE, MPI.DOUBLE, MPI.DOUBLE_COMPLEX, none)]
    assert counted == [24, 24, 3, MPI.UNDEFINED, MPI.UNDEFINED]
    assert Status(count=0).Get_count(none) == 0


def test_what_is_made_of_a_datatype_outlives_it() -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        pair = MPI.INT.Create_contiguous(2)
        pairs = pair.Create_vector(2, 1, 2).Commit()
        receiving = await comm.Irecv([np.zeros(8, dtype=np.int32), 1, pairs], source=comm.rank)
        pair.Free()
        sending = await comm.Isend([np.arange(8, dtype=np.int32), 1, pairs], dest=comm.rank)
        pairs.Free()
        await comm.waitall([receiving, sending])
        return repr(pairs)

    assert returns(main, 1) == ["Datatype(size=16, lb=0, extent=24)"]


def anything(value: object) -> Any:  # noqa: ANN401
    """A value that a caller may pass although its type forbids it."""
    return value


def freed() -> Datatype:
    made = MPI.INT.Create_contiguous(2)
    made.Free()
    return made


column = MPI.INT.Create_vector(3, 1, 2).Commit()
memory = np.zeros(6, dtype=np.int32)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda _: MPI.INT.Create_vector(-1, 1, 1), ValueError, "count=-1: count is an integer from 0"),
        (lambda _: MPI.INT.Create_vector(1, anything("x"), 1), TypeError, "blocklength='x'"),
        (lambda _: MPI.INT.Create_vector(1 << 24, 1, 1 << 30), ValueError, "a datatype that reaches over"),
        (lambda _: column.Create_contiguous(1 << 30), ValueError, "a datatype of 3221225472 blocks"),
        (lambda _: MPI.INT.Create_indexed([1, 2], [3]), ValueError, "displacements: 1 of them for 2 blocklengths"),
        (
            lambda _: MPI.INT.Create_indexed(anything(5), [3]),
            TypeError,
            "blocklengths=5: .* has integers .*, in a list",
        ),
        (lambda _: MPI.INT.Create_subarray([4], [3], [2]), ValueError, "elements 2 to 4 of a dimension of 4"),
        (lambda _: MPI.INT.Create_subarray([4, 4], [3], [2]), ValueError, "2, 1 and 1 dimensions"),
        (lambda _: MPI.INT.Create_subarray([4], [3], [0], order=7), ValueError, "order is ORDER_C or ORDER_F"),
        (lambda _: MPI.INT.Create_resized(0, -1), ValueError, "extent=-1"),
        (lambda _: MPI.INT.Free(), ValueError, "a basic datatype cannot be freed"),
        (lambda _: freed().Commit(), ValueError, "this datatype has been freed"),
        (lambda _: freed().Create_contiguous(1), ValueError, "this datatype has been freed"),
        (lambda comm: comm.Send([memory, 1, freed()], dest=0), ValueError, "this datatype has been freed"),
        (
            lambda comm: comm.Send([memory, 1, MPI.INT.Create_contiguous(2)], dest=0),
            ValueError,
            "buf: the datatype is not committed",
        ),
        (
            lambda comm: comm.Recv([memory, 2, column], source=0),
            ValueError,
            "buf: the data are bytes 0 to 39 of an array of 24 bytes",
        ),
        (
            lambda comm: comm.Send([memory, 1, MPI.INT.Create_vector(2, 1, -1).Commit()], dest=0),
            ValueError,
            "buf: the data are bytes -4 to 3",
        ),
        (
            lambda comm: comm.Send([memory[:1], 1 << 30, MPI.INT.Create_resized(0, 0).Commit()], dest=0),
            ValueError,
            "buf: 4294967296 bytes; a message has at most",
        ),
        (lambda comm: comm.Send([memory, 1, MPI.INT, 3], dest=0), TypeError, r"buf: 4 items; it is an array, \[array"),
        (lambda comm: comm.Send([memory, -1, MPI.INT], dest=0), ValueError, "buf=-1: buf has a count of elements"),
        (lambda comm: comm.Send([memory[::2], 1, MPI.INT], dest=0), ValueError, "a datatype is for an array in one"),
        (lambda comm: comm.Bcast([memory, 1, column]), ValueError, "buf: this call needs contiguous data"),
        (lambda comm: comm.Bcast(memory[::2]), ValueError, "buf: this call needs contiguous data"),
        (
            lambda comm: comm.Allgather(memory[:3], [memory, column]),
            ValueError,
            "recvbuf: parts for ranks are of a basic datatype",
        ),
        (lambda comm: comm.Alltoallw(memory, memory), TypeError, r"sendbuf: it is \[array, datatypes\] or"),
        (lambda comm: comm.Alltoallw([memory, [1, 1], [column] * 2], memory), TypeError, r"sendbuf: it is \[array"),
        (lambda comm: comm.Alltoallw([memory, [column]], memory), ValueError, r"\(datatypes\): 1 for 2 ranks"),
        (
            lambda comm: comm.Alltoallw([memory, [column, "int"]], memory),
            TypeError,
            r"sendbuf \(datatypes\): 'int' is no datatype",
        ),
        (
            lambda comm: comm.Alltoallw([memory, [1, 1], [0, -4], [column] * 2], memory),
            ValueError,
            r"sendbuf \(displacements\)=-4: .* has numbers of bytes",
        ),
        (
            lambda comm: comm.Alltoallw([memory, [column] * 2], [memory, [MPI.INT] * 2]),
            ValueError,
            "recvbuf: 4 bytes for what this rank sends to itself, 12 bytes",
        ),
    ],
)
def test_bad_datatypes_are_explained(call: Call, error: type[Exception], words: str) -> None:
    assert_refused(call, error, words)


def test_displacements_in_bytes_name_the_same_elements() -> None:
    base = MPI.INT32_T
    pairs = [
        (base.Create_vector(3, 2, 4), base.Create_hvector(3, 2, 16)),
        (base.Create_indexed([1, 2], [5, 0]), base.Create_hindexed([1, 2], [20, 0])),
        (base.Create_indexed([2, 2], [4, 0]), base.Create_indexed_block(2, [4, 0])),
        (base.Create_indexed([2, 2], [4, 0]), base.Create_hindexed_block(2, [16, 0]).Dup()),
    ]

    async def main(comm: Comm) -> list[Any]:
        seen, numbers = [], np.arange(12, dtype=np.int32)
        for pair in pairs:
            for datatype in pair:
                into = np.zeros(12, dtype=np.int32)
                await comm.Sendrecv([numbers, 1, datatype.Commit()], 0, 0, into, 0)
                seen.append(into.tolist())
        swapped = np.full(2, comm.rank)
        await comm.Sendrecv_replace(swapped, comm.rank, 5, comm.rank, 5)
        return [*seen, swapped.tolist()]

    seen = returns(main, 1)[0]
    assert seen[:8:2] == seen[1:8:2]
    assert seen[0] == [0, 1, 4, 5, 8, 9, *[0] * 6]
    assert seen[2] == [5, 0, 1, *[0] * 9]
    assert seen[8] == [0, 0]


@pytest.mark.parametrize("ends_with_padding", [False, True])
def test_a_struct_sends_its_fields_alone(ends_with_padding: bool) -> None:
    """NumPy aligns the fields of a record as a compiler of C does; the bytes between them are not sent."""
    fields = [("place", np.float64, 3), ("number", np.int32), ("kind", np.int8)]
    record = np.dtype(fields if ends_with_padding else [fields[0], fields[2], fields[1]], align=True)
    kinds = {"place": (3, MPI.DOUBLE), "kind": (1, MPI.SIGNED_CHAR), "number": (1, MPI.INT)}
    assert record.fields is not None
    names = list(record.names or ())
    starts = [record.fields[name][1] for name in names]

    def struct() -> Datatype:
        lengths, types = zip(*(kinds[name] for name in names), strict=True)
        return Datatype.Create_struct(lengths, starts, types).Commit()

    assert (struct().size, struct().extent, struct().true_lb) == (29, record.itemsize, 0)

    async def main(comm: Comm) -> list[Any]:
        status = Status()
        if comm.rank == 0:
            sent = np.zeros(4, record)
            sent["place"], sent["kind"], sent["number"] = 0.5, 7, [1, 2, 3, 4]
            await comm.Send([sent, 4, struct()], 1)
            return []
        got = np.frombuffer(bytearray(b"\xff" * record.itemsize * 4), record)
        await comm.Recv([got, 4, struct()], 0, status=status)
        assert (status.count, status.Get_count(struct())) == (4 * 29, 4)
        gaps = np.delete(got.view(np.uint8).reshape(4, -1), [*range(24), *_bytes_of(record)], axis=1)
        assert (gaps == 0xFF).all()
        return [got["place"].sum(), got["kind"].tolist(), got["number"].tolist()]

    assert returns(main)[1] == [6.0, [7] * 4, [1, 2, 3, 4]]


def _bytes_of(record: np.dtype[Any]) -> list[int]:
    """The bytes of the small fields."""
    assert record.fields is not None
    return [record.fields[name][1] + byte for name, size in (("kind", 1), ("number", 4)) for byte in range(size)]


def test_bounds_that_are_set_decide_where_a_struct_ends() -> None:
    """MPI 5.0, section 5.1.7: bounds that are set hide those of data, and are not rounded up to an alignment."""

    def bounds(*parts: tuple[int, Datatype]) -> tuple[int, int]:
        starts, types = zip(*parts, strict=True)
        return Datatype.Create_struct([1] * len(parts), starts, types).Get_extent()

    short, shifted = MPI.DOUBLE.Create_resized(0, 12), MPI.INT.Create_resized(-4, 16)
    assert bounds((0, short)) == (0, 12)
    assert bounds((0, short), (32, MPI.INT)) == (0, 12)
    assert bounds((0, shifted), (-100, MPI.INT), (8, shifted.Dup())) == (-4, 24)
    record = Datatype.Create_struct([1, 1], [0, 8], [MPI.DOUBLE, MPI.CHAR])
    assert bounds((0, MPI.CHAR), (8, record.Dup())) == (0, 24)
    assert bounds((0, MPI.INT), (100, MPI.INT.Create_contiguous(0))) == (0, 4)
    assert bounds((0, MPI.INT), (100, MPI.INT.Create_contiguous(0).Create_resized(0, 8))) == (100, 8)


def test_structs_are_checked_and_named() -> None:
    with pytest.raises(ValueError, match="2, 1 and 2 of them"):
        Datatype.Create_struct([1, 1], [0], [MPI.INT, MPI.INT])
    with pytest.raises(TypeError, match="is no datatype"):
        Datatype.Create_struct([1], [0], [3])  # type: ignore[list-item]
    empty = Datatype.Create_struct([0], [8], [MPI.INT])
    assert (empty.size, empty.extent, empty.Get_true_extent()) == (0, 0, (0, 0))
    vector = MPI.INT.Create_vector(2, 1, 4).Create_resized(-4, 40)
    assert (vector.lb, vector.true_lb, vector.true_ub, vector.true_extent) == (-4, 0, 20, 20)
    vector.Set_name("pair")
    assert (vector.name, vector.Get_name(), vector.is_named) == ("pair", "pair", False)
