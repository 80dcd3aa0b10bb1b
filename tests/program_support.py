"""Programs in Python that several tests run, and how they run them."""

import json
from collections.abc import Awaitable, Callable, Coroutine
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
import pytest

import torusim
from torusim import Bytes, Comm, Request, Result, _core
from torusim.programs import INT64_T

MACHINE = {"preset": "bluegene-l", "shape": [4, 4, 4]}

_KEYS = json.loads(_core.schema())["properties"]["messaging"]["properties"]
PROTOCOLS: list[str] = [protocol["const"] for protocol in _KEYS["protocol"]["oneOf"]]
"""All protocols of messages."""

Main = Callable[[Comm], Coroutine[Any, Any, Any]]


def run(main: Main, ranks: int = 2, **options: Any) -> Result:  # noqa: ANN401
    return torusim.run_program(main, **{"ranks": ranks, "machine": MACHINE, **options})


def returns(main: Main, ranks: int = 2, **options: Any) -> list[Any]:  # noqa: ANN401
    result = run(main, ranks, **options)
    assert result.outcome == "completed", result.summary["outcome_detail"]
    return list(result.returns)


Call = Callable[[Comm], Awaitable[Any]]


def assert_refused(call: Call, error: type[Exception], words: str) -> None:
    """Asserts that a call by each of two ranks raises an error with these words, which names the rank."""

    async def main(comm: Comm) -> None:
        await call(comm)

    with pytest.raises(error, match=words) as caught:
        run(main, 2)
    assert any("in rank " in note for note in caught.value.__notes__)


async def ring(comm: Comm, rounds: int = 3) -> int:
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    token = comm.rank
    for _ in range(rounds):
        receiving = await comm.irecv(source=left, tag=7)
        sending = await comm.isend([token], dest=right, tag=7)
        [token] = await comm.wait(receiving)
        assert await sending.wait() is None
    return token


def block(source: int, target: int = 0, length: int = 5) -> bytes:
    """The contribution of a global rank to a collective, for the rank `target` of the communicator."""
    return bytes([source, target]) * length


def values(source: int, count: int = 3) -> list[int]:
    """The operands of a global rank."""
    return [7 * source + number for number in range(count)]


def combine(left: Any, right: Any) -> Any:  # noqa: ANN401
    """Associative, but not commutative: the first number that 5 does not divide, or else the last."""
    return [one if one % 5 else other for one, other in zip(left, right, strict=True)]


def total(operands: list[list[int]]) -> list[int]:
    """The sum of the operands of ranks."""
    return [sum(column) for column in zip(*operands, strict=True)]


Members: TypeAlias = list[int]
"""The global ranks of a communicator."""

Make: TypeAlias = Callable[[Comm, int], Awaitable[Any]]
"""Makes a call with a root, and returns what its rank gets."""

Model: TypeAlias = Callable[[Members, int, int], Any]
"""The result of a rank of a communicator with a root, by definition."""


def at_root(result: Callable[[Members], Any]) -> Model:
    return lambda members, rank, root: result(members) if rank == root else None


def at_all(result: Callable[[Members], Any]) -> Model:
    return lambda members, _rank, _root: result(members)


def me(comm: Comm) -> int:
    """The global rank."""
    return comm.process.rank


def blocks(comm: Comm) -> list[bytes]:
    return [block(me(comm), target) for target in range(comm.size)]


async def done(starting: Awaitable[Request]) -> Any:  # noqa: ANN401
    """The result of an operation that does not block."""
    return await (await starting).wait()


async def filled(buffer: np.ndarray[Any, Any], call: Awaitable[Any]) -> list[Any]:
    """A buffer that a call has filled; the call returns nothing, or a request."""
    request = await call
    if request is not None:
        assert await request.wait() is None
    listed: list[Any] = buffer.tolist()
    return listed


def gathered(members: Members) -> list[bytes]:
    return [block(member) for member in members]


def sums(members: Members) -> list[int]:
    return total([values(member) for member in members])


def ragged(members: Members) -> list[int]:
    """Blocks of as many numbers as the rank in the communicator, each followed by an unused number."""
    return [value for rank, member in enumerate(members) for value in [*values(member, rank), -1]]


def sub_sums(members: Members, rank: int, counts: list[int]) -> list[int]:
    start = sum(counts[:rank])
    return total([values(member, sum(counts)) for member in members])[start : start + counts[rank]]


def numbers(comm: Comm, count: int = 3) -> np.ndarray[Any, Any]:
    return np.array(values(me(comm), count), dtype=np.int64)


def empty(count: int) -> np.ndarray[Any, Any]:
    return np.full(count, -1, dtype=np.int64)


def parts(comm: Comm) -> list[Any]:
    """A buffer with parts as in `ragged`."""
    buffer = empty(comm.size * (comm.size + 1) // 2)
    starts = [rank * (rank + 1) // 2 for rank in range(comm.size)]
    return [buffer, list(range(comm.size)), starts]


def into_parts(comm: Comm, call: Callable[[list[Any]], Awaitable[Any]]) -> Awaitable[Any]:
    buffer = parts(comm)
    return filled(buffer[0], call(buffer))


def filled_at(comm: Comm, root: int, count: int, call: Callable[[Any], Awaitable[Any]]) -> Awaitable[Any]:
    """The content of the root's buffer after the call; the other ranks pass no buffer."""
    buffer = empty(count)
    return only_at(comm, root, filled(buffer, call(buffer if comm.rank == root else None)))


async def only_at(comm: Comm, root: int, result: Awaitable[Any]) -> Any:  # noqa: ANN401
    value = await result
    return value if comm.rank == root else None


def into(count: int, call: Callable[[Any], Awaitable[Any]]) -> Awaitable[Any]:
    buffer = empty(count)
    return filled(buffer, call(buffer))


def scattered(comm: Comm, root: int) -> list[Any] | None:
    """The arguments of the root of a scatter of 0, 1, 2, ... numbers."""
    if comm.rank != root:
        return None
    count = comm.size * (comm.size - 1) // 2
    return [numbers(comm, count), list(range(comm.size))]


def exchanged(comm: Comm) -> list[Any]:
    """The arguments of a rank in an alltoall in which rank `r` gets `r` numbers from each."""
    count = comm.size * (comm.size - 1) // 2
    return [numbers(comm, count), list(range(comm.size))]


def received(comm: Comm) -> list[Any]:
    return [empty(comm.rank * comm.size), [comm.rank] * comm.size]


def typed(buffer: list[Any]) -> list[Any]:
    """The arguments of `exchanged` for an alltoallw: with displacements in bytes, and a datatype for each rank."""
    array, counts = buffer
    starts = [array.itemsize * sum(counts[:rank]) for rank in range(len(counts))]
    return [array, counts, starts, [INT64_T] * len(counts)]


def into_received(comm: Comm, call: Callable[[list[Any]], Awaitable[Any]]) -> Awaitable[Any]:
    buffer = received(comm)
    return filled(buffer[0], call(buffer))


def slice_of(member: int, rank: int) -> list[int]:
    """The numbers for a rank of a communicator when rank `r` gets `r` numbers."""
    start = rank * (rank - 1) // 2
    return values(member, start + rank)[start:]


def counts_of(comm: Comm) -> list[int]:
    return [1 + rank % 2 for rank in range(comm.size)]


def model_counts(members: Members) -> list[int]:
    return [1 + rank % 2 for rank in range(len(members))]


def folded(members: Members) -> list[int]:
    return list(reduce(combine, [values(member) for member in members]))


OBJECTS: dict[str, tuple[Make, Model]] = {
    "barrier": (lambda comm, _: comm.barrier(), at_all(lambda _: None)),
    "ibarrier": (lambda comm, _: done(comm.ibarrier()), at_all(lambda _: None)),
    "bcast": (
        lambda comm, root: comm.bcast(block(me(comm)) if comm.rank == root else None, root=root),
        lambda members, _, root: block(members[root]),
    ),
    "ibcast": (
        lambda comm, root: done(comm.ibcast(block(me(comm)) if comm.rank == root else Bytes(10), root=root)),
        lambda members, _, root: block(members[root]),
    ),
    "gather": (lambda comm, root: comm.gather(block(me(comm)), root=root), at_root(gathered)),
    "igather": (lambda comm, root: done(comm.igather(block(me(comm)), root=root)), at_root(gathered)),
    "scatter": (
        lambda comm, root: comm.scatter(blocks(comm) if comm.rank == root else None, root=root),
        lambda members, rank, root: block(members[root], rank),
    ),
    "iscatter": (
        lambda comm, root: done(
            comm.iscatter(blocks(comm), root=root) if comm.rank == root else comm.iscatter(None, Bytes(10), root=root)
        ),
        lambda members, rank, root: block(members[root], rank),
    ),
    "allgather": (
        lambda comm, _: comm.allgather("x" * me(comm)),
        at_all(lambda members: ["x" * one for one in members]),
    ),
    "iallgather": (lambda comm, _: done(comm.iallgather(block(me(comm)))), at_all(gathered)),
    "alltoall": (
        lambda comm, _: comm.alltoall([block(me(comm), target, target) for target in range(comm.size)]),
        lambda members, rank, _: [block(member, rank, rank) for member in members],
    ),
    "ialltoall": (
        lambda comm, _: done(comm.ialltoall(blocks(comm))),
        lambda members, rank, _: [block(member, rank) for member in members],
    ),
    "reduce": (lambda comm, root: comm.reduce(values(me(comm)), combine, root=root), at_root(folded)),
    "ireduce": (lambda comm, root: done(comm.ireduce(values(me(comm)), combine, root=root)), at_root(folded)),
    "allreduce": (lambda comm, _: comm.allreduce(values(me(comm)), combine), at_all(folded)),
    "iallreduce": (lambda comm, _: done(comm.iallreduce(values(me(comm)), combine)), at_all(folded)),
    "scan": (
        lambda comm, _: comm.scan(values(me(comm)), combine),
        lambda members, rank, _: folded(members[: rank + 1]),
    ),
    "iscan": (
        lambda comm, _: done(comm.iscan(values(me(comm)), combine)),
        lambda members, rank, _: folded(members[: rank + 1]),
    ),
    "exscan": (
        lambda comm, _: comm.exscan(values(me(comm)), combine),
        lambda members, rank, _: folded(members[:rank]) if rank else None,
    ),
    "iexscan": (
        lambda comm, _: done(comm.iexscan(values(me(comm)), combine)),
        lambda members, rank, _: folded(members[:rank]) if rank else None,
    ),
    "reduce_scatter": (
        lambda comm, _: comm.reduce_scatter(values(me(comm), comm.size)),
        lambda members, rank, _: sum(values(member, rank + 1)[rank] for member in members),
    ),
    "ireduce_scatter": (
        lambda comm, _: done(comm.ireduce_scatter(values(me(comm), comm.size))),
        lambda members, rank, _: sum(values(member, rank + 1)[rank] for member in members),
    ),
}
"""The collectives on objects, by name."""


def on_buffers(name: str) -> tuple[Make, Model]:
    """A collective on buffers, such as Gatherv or Igatherv, and the content of the buffer after it."""
    make, model = BUFFER_CALLS[name.removeprefix("I").capitalize()]
    return (lambda comm, root: make(comm, root, getattr(comm, name))), model


BUFFER_CALLS: dict[str, tuple[Callable[[Comm, int, Any], Awaitable[Any]], Model]] = {
    "Bcast": (
        lambda comm, root, call: filled(
            buffer := numbers(comm) if comm.rank == root else empty(3), call(buffer, root=root)
        ),
        lambda members, _, root: values(members[root]),
    ),
    "Gather": (
        lambda comm, root, call: filled_at(
            comm, root, 3 * comm.size, lambda buffer: call(numbers(comm), buffer, root=root)
        ),
        at_root(lambda members: [value for member in members for value in values(member)]),
    ),
    "Gatherv": (
        lambda comm, root, call: only_at(
            comm, root, into_parts(comm, lambda buffer: call(numbers(comm, comm.rank), buffer, root=root))
        ),
        at_root(ragged),
    ),
    "Scatter": (
        lambda comm, root, call: into(
            2, lambda buffer: call(numbers(comm, 2 * comm.size) if comm.rank == root else None, buffer, root=root)
        ),
        lambda members, rank, root: values(members[root], 2 * rank + 2)[-2:],
    ),
    "Scatterv": (
        lambda comm, root, call: into(comm.rank, lambda buffer: call(scattered(comm, root), buffer, root=root)),
        lambda members, rank, root: slice_of(members[root], rank),
    ),
    "Allgather": (
        lambda comm, _, call: into(3 * comm.size, lambda buffer: call(numbers(comm), buffer)),
        at_all(lambda members: [value for member in members for value in values(member)]),
    ),
    "Allgatherv": (
        lambda comm, _, call: into_parts(comm, lambda buffer: call(numbers(comm, comm.rank), buffer)),
        at_all(ragged),
    ),
    "Alltoall": (
        lambda comm, _, call: into(2 * comm.size, lambda buffer: call(numbers(comm, 2 * comm.size), buffer)),
        lambda members, rank, _: [value for member in members for value in values(member, 2 * rank + 2)[-2:]],
    ),
    "Alltoallv": (
        lambda comm, _, call: into_received(comm, lambda buffer: call(exchanged(comm), buffer)),
        lambda members, rank, _: [value for member in members for value in slice_of(member, rank)],
    ),
    "Alltoallw": (
        lambda comm, _, call: into_received(comm, lambda buffer: call(typed(exchanged(comm)), typed(buffer))),
        lambda members, rank, _: [value for member in members for value in slice_of(member, rank)],
    ),
    "Reduce": (
        lambda comm, root, call: filled_at(comm, root, 3, lambda buffer: call(numbers(comm), buffer, root=root)),
        at_root(sums),
    ),
    "Allreduce": (lambda comm, _, call: into(3, lambda buffer: call(numbers(comm), buffer)), at_all(sums)),
    "Scan": (
        lambda comm, _, call: into(3, lambda buffer: call(numbers(comm), buffer)),
        lambda members, rank, _: sums(members[: rank + 1]),
    ),
    "Exscan": (
        lambda comm, _, call: into(3, lambda buffer: call(numbers(comm), buffer)),
        lambda members, rank, _: sums(members[:rank]) if rank else [-1] * 3,
    ),
    "Reduce_scatter": (
        lambda comm, _, call: into(
            counts_of(comm)[comm.rank],
            lambda buffer: call(numbers(comm, sum(counts_of(comm))), buffer, counts_of(comm)),
        ),
        lambda members, rank, _: sub_sums(members, rank, model_counts(members)),
    ),
    "Reduce_scatter_block": (
        lambda comm, _, call: into(2, lambda buffer: call(numbers(comm, 2 * comm.size), buffer)),
        lambda members, rank, _: sub_sums(members, rank, [2] * len(members)),
    ),
}
"""The collectives on buffers, by name: the arguments of the call, blocking or not."""

COLLECTIVES = OBJECTS | {name: on_buffers(name) for call in BUFFER_CALLS for name in (call, f"I{call.lower()}")}
"""All collectives: the function by which a test calls each, and the results of the ranks."""
