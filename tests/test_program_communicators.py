"""Communicators of programs in Python: duplicates, splits, grids, and random programs on all of them."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.program_support import (
    COLLECTIVES,
    MACHINE,
    PROTOCOLS,
    Call,
    Main,
    Members,
    assert_refused,
    returns,
    run,
)
from torusim import ANY_SOURCE, Comm, Status
from torusim import programs as MPI  # noqa: N812
from torusim.programs import COMM_NULL, PROC_NULL, UNDEFINED, Cartcomm, compute_dims
from torusim.programs.missing import names_of


async def exchange(comm: Comm, tag: int = 0) -> tuple[Any, int]:
    """The object that the previous rank sends, and the number of that rank."""
    status = Status()
    got = await comm.sendrecv(
        comm.process.rank, dest=(comm.rank + 1) % comm.size, sendtag=tag, recvtag=tag, status=status
    )
    return got, status.source


def test_messages_of_a_duplicate_match_none_of_the_first() -> None:
    async def main(comm: Comm) -> list[Any]:
        other = await comm.dup()
        assert (other.rank, other.size) == (comm.rank, comm.size)
        if comm.rank == 0:
            await comm.send("first", dest=1)
            await other.send("second", dest=1)
            return []
        return [await other.recv(), await comm.recv()]

    assert returns(main)[1] == ["second", "first"]


def test_a_split_orders_ranks_by_key_and_then_by_rank() -> None:
    colors, keys = [0, 1, 0, UNDEFINED, 1, 0, 0], [5, 0, -2, 0, 0, 5, 1]

    async def main(comm: Comm) -> Any:  # noqa: ANN401
        part = await comm.split(colors[comm.rank], keys[comm.rank])
        if part is None:
            return COMM_NULL
        return part.rank, part.size, await exchange(part), await part.allgather("x" * comm.rank)

    result = run(main, 7)
    groups = {0: [2, 6, 0, 5], 1: [1, 4]}
    for rank, got in enumerate(result.returns):
        if colors[rank] == UNDEFINED:
            assert got is None
            continue
        members = groups[colors[rank]]
        at = members.index(rank)
        before = (at - 1) % len(members)
        assert got == (at, len(members), (members[before], before), ["x" * member for member in members])
    # An allgather and the creation for all; an exchange and two calls of the allgather for members.
    assert result.summary["mpi_operations"] == 7 * 2 + 6 * 3


def test_a_group_makes_a_communicator() -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        group = (await comm.Get_group()).Incl([4, 1, 3])
        assert (group.size, group.Get_size()) == (3, 3)
        made = await comm.Create(group)
        rest = await comm.Create((await comm.Get_group()).Excl([4, 1, 3]))
        assert (made is None) != (rest is None)
        mine = made or rest
        assert mine is not None
        translated = (await mine.Get_group()).Translate_ranks(range(mine.size), await comm.Get_group())
        assert (await comm.Get_group()).Translate_ranks([0], await mine.Get_group()) == [
            0 if made is None else UNDEFINED
        ]
        return mine.rank, translated, await exchange(mine)

    first, second = [4, 1, 3], [0, 2, 5]
    for rank, got in enumerate(returns(main, 6)):
        members = first if rank in first else second
        at = members.index(rank)
        assert got == (at, members, (members[at - 1], (at - 1) % 3))


def test_a_communicator_that_has_been_freed_is_not_used() -> None:
    async def main(comm: Comm) -> list[Any]:
        for _ in range(40):  # more than there are ids at once, were they not freed
            other = await comm.dup()
            receiving = await other.irecv(source=comm.rank)
            await other.send("late", dest=comm.rank)
            await other.Free()
            assert await receiving.wait() == "late"
        for call in (
            lambda: other.send(1, dest=0),
            lambda: other.recv(),
            lambda: other.barrier(),
            lambda: other.split(0),
            lambda: other.Free(),
        ):
            with pytest.raises(ValueError, match="this communicator has been freed"):
                await call()
        return [await comm.allreduce(1)]

    assert returns(main, 3) == [[3]] * 3


def test_a_request_of_a_communicator_is_waited_for_on_any() -> None:
    async def main(comm: Comm) -> list[Any]:
        odd = await comm.split(comm.rank % 2)
        assert odd is not None
        requests = [await comm.irecv(source=(comm.rank + 1) % 4), await odd.irecv(source=1 - odd.rank)]
        requests += [await comm.isend("comm", dest=(comm.rank - 1) % 4), await odd.isend("odd", dest=1 - odd.rank)]
        return await odd.waitall(requests)

    assert returns(main, 4) == [["comm", "odd", None, None]] * 4


def test_a_grid_has_coordinates_and_neighbors() -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        cart = await comm.Create_cart([2, 3], periods=[False, True], reorder=True)
        if cart is None:
            return None
        assert await cart.Get_topo() == ([2, 3], [False, True], cart.coords)
        assert (await cart.Get_dim(), cart.ndim, cart.dims, cart.periods) == (2, 2, [2, 3], [False, True])
        assert await cart.Get_coords(cart.rank) == cart.coords
        assert await cart.Get_cart_rank(cart.coords) == cart.rank
        assert await cart.Get_cart_rank([0, -1]) == 2
        copy = await cart.Dup()
        assert isinstance(copy, Cartcomm)
        assert copy.coords == cart.coords
        shifts = [await cart.Shift(0, 1), await cart.Shift(1, -2)]
        source, target = shifts[0]
        return cart.coords, shifts, await cart.sendrecv(cart.coords, dest=target, source=source)

    for rank, got in enumerate(returns(main, 8)):
        if rank >= 6:
            assert got is None
            continue
        row, column = divmod(rank, 3)
        up, down = (rank - 3 if row else PROC_NULL), (rank + 3 if not row else PROC_NULL)
        shifted = row * 3 + (column + 2) % 3, row * 3 + (column - 2) % 3
        assert got == ([row, column], [(up, down), shifted], [row - 1, column] if row else None)


@pytest.mark.parametrize("keep", [[True, False, True], [False, False, False], [True, True, True], [0, 1, 0]])
def test_a_grid_is_cut_into_grids_of_fewer_dimensions(keep: list[bool]) -> None:
    dims = [2, 3, 2]

    async def main(comm: Comm) -> Any:  # noqa: ANN401
        cart = await comm.Create_cart(dims, periods=True)
        assert cart is not None
        sub = await cart.Sub(keep)
        return sub.dims, sub.coords, sub.rank, await sub.allgather(bytes([comm.rank]))

    for rank, (lengths, coordinates, at, members) in enumerate(returns(main, 12)):
        own = np.unravel_index(rank, dims)
        assert lengths == [length for length, kept in zip(dims, keep, strict=True) if kept]
        assert coordinates == [int(one) for one, kept in zip(own, keep, strict=True) if kept]
        together = [
            other
            for other in range(12)
            if all(kept or a == b for a, b, kept in zip(np.unravel_index(other, dims), own, keep, strict=True))
        ]
        assert members == [bytes([other]) for other in together]
        assert together[at] == rank


@given(st.integers(1, 3000), st.integers(1, 5))
def test_computed_lengths_are_close_to_one_another(ranks: int, count: int) -> None:
    dims = compute_dims(ranks, count)
    assert len(dims) == count
    assert np.prod(dims) == ranks
    assert dims == sorted(dims, reverse=True)
    divisors = [number for number in range(1, ranks + 1) if ranks % number == 0]
    if count == 2:
        assert dims[0] == min(number for number in divisors if number * number >= ranks)


def test_lengths_that_are_given_stay() -> None:
    assert compute_dims(64, 3) == [4, 4, 4]
    assert compute_dims(72, [0, 0]) == [9, 8]
    assert compute_dims(60, [0, 5, 0]) == [4, 5, 3]
    assert compute_dims(6, [2, 3]) == [2, 3]
    for dims in ([4, 0], [2, 2]):
        with pytest.raises(ValueError, match="these lengths do not make a grid of 6 ranks"):
            compute_dims(6, dims)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda comm: comm.split(-1), ValueError, "color=-1: color is an integer from 0"),
        (lambda comm: comm.split("red"), TypeError, "color='red'"),
        (lambda comm: comm.split(0, key=1 << 40), ValueError, "key=1099511627776: key is an integer from"),
        (lambda comm: comm.Free(), ValueError, "the communicator of all ranks cannot be freed"),
        (lambda comm: comm.Create([0, 1]), TypeError, r"group=\[0, 1\]: it is a group"),
        (lambda comm: included(comm, []), ValueError, "group: a new communicator has one or more ranks"),
        (lambda comm: included(comm, [0, 0]), ValueError, r"ranks=\[0, 0\]: each rank is named once"),
        (lambda comm: included(comm, [5]), ValueError, "ranks=5: ranks has ranks of the group, from 0 to 1"),
        (lambda comm: comm.Create_cart([2, 2]), ValueError, r"dims=\[2, 2\]: a grid of 1 to 2 ranks"),
        (lambda comm: comm.Create_cart([0]), ValueError, "dims=0: dims has lengths from 1 to 2"),
        (lambda comm: comm.Create_cart(2), TypeError, "dims=2: one number for each dimension"),
        (lambda comm: comm.Create_cart([]), ValueError, r"dims=\[\]: a grid of 1 to 2 ranks"),
        (lambda comm: comm.Create_cart([2], [True, True]), ValueError, r"periods=\[True, True\]: 2 for 1 dimensions"),
        (lambda comm: comm.Create_cart([2], 5), TypeError, "periods=5: True or False for each dimension"),
        (
            lambda comm: on_line(comm, lambda cart: cart.Shift(1, 1)),
            ValueError,
            "direction=1: direction is a dimension",
        ),
        (lambda comm: on_line(comm, lambda cart: cart.Shift(0, "far")), TypeError, "disp='far'"),
        (lambda comm: on_line(comm, lambda cart: cart.Get_coords(2)), ValueError, "rank=2: rank is a rank from 0 to 1"),
        (lambda comm: on_line(comm, lambda cart: cart.Get_cart_rank([2])), ValueError, r"coords=\[2\]: outside a grid"),
        (lambda comm: on_line(comm, lambda cart: cart.Get_cart_rank([0, 0])), ValueError, "a grid of 1 dimensions"),
        (lambda comm: on_line(comm, lambda cart: cart.Sub([])), ValueError, r"remain_dims=\[\]: 0 for 1 dimensions"),
    ],
)
def test_bad_arguments_of_communicators_are_explained(call: Call, error: type[Exception], words: str) -> None:
    assert_refused(call, error, words)


async def included(comm: Comm, ranks: list[int]) -> None:
    await comm.Create((await comm.Get_group()).Incl(ranks))


async def on_line(comm: Comm, call: Callable[[Any], Any]) -> None:
    cart = await comm.Create_cart([2])
    assert cart is not None
    await call(cart)


@dataclass
class Step:
    """A step of a random program.

    Attributes:
        name: "world", "dup", "split", "grid", "send", or a collective.
        number: A root, a distance, or the length of a dimension.
        colors: The colors of a split, by global rank.
        keys: The keys of a split, by global rank.
        way: The mode of a send, and whether it is persistent or has a request.
    """

    name: str
    number: int
    colors: list[int] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    way: str = ""


WAYS = ["send", "ssend", "bsend", "isend", "issend", "ibsend", "irsend", "send_init", "bsend_init", "sendrecv"]


@st.composite
def programs(draw: st.DrawFn) -> tuple[int, list[Step]]:
    """A number of ranks, and steps that all of them take."""
    ranks = draw(st.integers(2, 9))
    of_each = st.lists(st.integers(-1, 2), min_size=ranks, max_size=ranks)
    step = st.builds(
        Step,
        st.sampled_from(["world", "dup", "split", "split", "grid", "send", "send", "send", *COLLECTIVES]),
        st.integers(0, 8),
        of_each.map(lambda colors: [UNDEFINED if color < 0 else color for color in colors]),
        of_each,
        st.sampled_from(WAYS),
    )
    return ranks, draw(st.lists(step, min_size=1, max_size=12))


async def send_around(comm: Comm, step: Step, tag: int) -> Any:  # noqa: ANN401
    """Sends to the rank at a distance; returns what arrives, and from which rank."""
    distance = step.number % comm.size
    target, source = (comm.rank + distance) % comm.size, (comm.rank - distance) % comm.size
    status, obj = Status(), {"from": comm.process.rank}
    if step.way == "sendrecv":
        got = await comm.sendrecv(obj, dest=target, sendtag=tag, source=source, recvtag=tag, status=status)
        return got, status.source
    receiving = await comm.irecv(source=ANY_SOURCE if step.keys[0] < 0 else source, tag=tag)
    if step.way == "irsend":
        await comm.barrier()
    sending = await getattr(comm, step.way)(obj, dest=target, tag=tag)
    if step.way.endswith("init"):
        await sending.start()
    got = await receiving.wait(status)
    if sending is not None:
        await comm.wait(sending)
    return got, status.source


def plain_model(ranks: int, steps: list[Step]) -> list[list[Any]]:
    """The results of the ranks, by the definitions; a rank in no communicator skips steps up to the next "world"."""
    seen: list[list[Any]] = [[] for _ in range(ranks)]
    world: Members = list(range(ranks))
    members: list[Members | None] = [world] * ranks
    for step in steps:
        before = list(members)
        for machine_rank, group in enumerate(before):
            if step.name == "world":
                members[machine_rank] = world
            elif group is not None:
                rank, size = group.index(machine_rank), len(group)
                if step.name == "split":
                    color = step.colors[machine_rank]
                    same = [one for one in group if step.colors[one] == color]
                    part = sorted(same, key=lambda one: step.keys[one])
                    members[machine_rank] = None if color == UNDEFINED else part
                elif step.name == "grid":
                    length = 1 + step.number % size
                    first = group[: size // length * length]
                    members[machine_rank] = None if rank >= len(first) else first[rank % length :: length]
                elif step.name == "send":
                    source = (rank - step.number) % size
                    seen[machine_rank].append(({"from": group[source]}, source))
                elif step.name != "dup":
                    seen[machine_rank].append(COLLECTIVES[step.name][1](group, rank, step.number % size))
    return seen


def program_of(steps: list[Step]) -> Main:
    """The program of these steps."""

    async def main(world: Comm) -> list[Any]:
        seen: list[Any] = []
        comm: Comm | None = world
        for tag, step in enumerate(steps):
            if step.name == "world":
                comm = world
            elif comm is None:
                continue
            elif step.name == "dup":
                comm = await comm.dup()
            elif step.name == "split":
                comm = await comm.split(step.colors[world.rank], step.keys[world.rank])
            elif step.name == "grid":
                length = 1 + step.number % comm.size
                cart = await comm.Create_cart([comm.size // length, length])
                comm = None if cart is None else await cart.Sub([True, False])
            elif step.name == "send":
                seen.append(await send_around(comm, step, tag))
            else:
                seen.append(await COLLECTIVES[step.name][0](comm, step.number % comm.size))
        return seen

    return main


@given(program=programs(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_random_programs_do_what_the_plain_model_does(program: tuple[int, list[Step]], data: st.DataObject) -> None:
    ranks, steps = program
    protocol = data.draw(st.sampled_from(PROTOCOLS))
    threads = data.draw(st.integers(1, 3))

    result = run(program_of(steps), ranks, threads=threads, messaging={"protocol": protocol})
    assert result.outcome == "completed", result.summary["outcome_detail"]
    assert list(result.returns) == plain_model(ranks, steps)


CLASSES: dict[str, type] = {
    "Comm": Comm,
    "Intracomm": Comm,
    "Topocomm": MPI.Topocomm,
    "Cartcomm": MPI.Cartcomm,
    "Distgraphcomm": MPI.Distgraphcomm,
    "Group": MPI.Group,
    "Datatype": MPI.Datatype,
    "Request": MPI.Request,
    "Prequest": MPI.Prequest,
    "Status": MPI.Status,
    "Message": MPI.Message,
}
"""The classes of mpi4py, and those that have their names."""


@pytest.mark.parametrize("owner", ["", *CLASSES])
def test_every_name_of_mpi4py_is_there_or_says_why_not(owner: str) -> None:
    names = names_of(owner)
    assert names
    for name, arguments in names.items():
        words = why_missing(owner, name, arguments)
        assert not words or re.fullmatch(rf"{name}: \w.{{20,}} \(docs/programs\.md\)", words), name


def why_missing(owner: str, name: str, arguments: tuple[str, ...] | None) -> str:
    """Returns the message of a missing name; for other names, compares the arguments."""
    try:
        found: Any = inspect.getattr_static(CLASSES[owner], name) if owner else getattr(MPI, name)
        if isinstance(found, property) and "refused" in getattr(found.fget, "__qualname__", ""):
            found.__get__(object())
        elif getattr(found, "__qualname__", "").startswith("refused_call"):
            found()
        elif arguments is not None:
            compare_signature(getattr(CLASSES[owner], name) if owner else found, name, arguments)
    except NotImplementedError as error:
        return str(error)
    return ""


def compare_signature(found: Any, name: str, arguments: tuple[str, ...]) -> None:  # noqa: ANN401
    """A call has mpi4py's arguments in their order, and those that have a default there have one here."""
    parameters = [one for one in inspect.signature(found).parameters.values() if one.name != "self"]
    assert [one.name for one in parameters][: len(arguments)] == [argument.rstrip("=") for argument in arguments], name
    is_optional = [argument.endswith("=") for argument in arguments] + [True] * (len(parameters) - len(arguments))
    has_default = [one.default is not inspect.Parameter.empty for one in parameters]
    assert all(has or not needed for needed, has in zip(is_optional, has_default, strict=True)), name


def test_names_of_the_module_that_are_missing_say_so() -> None:
    with pytest.raises(NotImplementedError, match="File: files are not simulated"):
        _ = MPI.File
    with pytest.raises(AttributeError, match="has no attribute 'Fiel'"):
        _ = MPI.Fiel


def test_groups_are_joined_and_cut_as_in_mpi4py() -> None:
    async def main(comm: Comm) -> list[Any]:
        whole = await comm.Get_group()
        low, odd = whole.Range_incl([(0, 3, 1)]), whole.Range_incl([(7, 1, -2)])
        made = [low.Union(low, odd), low.Intersection(low, odd), low.Difference(low, odd), odd.Range_excl([(0, 2, 2)])]
        with pytest.raises(ValueError, match="stride other than 0"):
            whole.Range_incl([(0, 1, 0)])
        return [list(group.places) for group in made]

    assert returns(main, 8)[0] == [[0, 1, 2, 3, 7, 5], [1, 3], [0, 2], [5, 1]]


def test_a_thousandth_communicator_costs_as_much_as_the_first() -> None:
    """Members agree on an id in one reduction, or two, however many there are; freed ids are used again."""

    async def main(comm: Comm) -> list[float]:
        times = [comm.time()]
        for _ in range(1000):
            made = await comm.dup()
            times.append(comm.time())
        assert made is not None
        return [later - earlier for earlier, later in pairwise(times)]

    [took, _] = returns(main, 2)
    assert sum(took[500:]) < 1.1 * sum(took[:500])

    async def reuse(comm: Comm) -> int:
        contexts = []
        for _ in range(30):
            made = [await comm.dup() for _ in range(40)]
            contexts += [one._context for one in made]
            for one in made:
                await one.Free()
        return max(contexts)

    assert max(returns(reuse, 2)) < 128


async def sides(cart: Cartcomm) -> list[int]:
    """The neighbors in MPI's order: in each dimension the previous one, then the next one."""
    return [side for dimension in range(cart.ndim) for side in await cart.Shift(dimension, 1)]


@pytest.mark.parametrize(
    ("dims", "periods"), [([4, 3], [True, False]), ([2, 3], [True, True]), ([1, 4], [True, True]), ([2], [True])]
)
def test_neighbors_of_a_grid_get_what_the_other_side_sends(dims: list[int], periods: list[bool]) -> None:
    """In a ring of two, or of one, both neighbors are the same rank."""

    async def main(comm: Comm) -> Any:  # noqa: ANN401
        cart = await comm.Create_cart(dims, periods)
        if cart is None:
            return None
        count = len(await sides(cart))
        assert cart.degrees == (count, count)
        assert cart.inedges == cart.outedges == await sides(cart)
        # A message to any tag on the communicator itself is none of the neighbors'.
        waiting = await cart.irecv(source=cart.rank)
        gathered = await cart.neighbor_allgather(("all", cart.rank))
        exchanged = await cart.neighbor_alltoall([(cart.rank, side) for side in range(count)])
        await cart.send("last", cart.rank)
        assert await waiting.wait() == "last"
        sent = np.array([[10 * cart.rank + side] * 3 for side in range(count)])
        buffers = [np.full(3 * count, -1) for _ in range(6)]
        await cart.Neighbor_alltoall(sent, buffers[0])
        await (await cart.Ineighbor_alltoall(sent, buffers[1])).wait()
        counts = [3] * count
        await cart.Neighbor_alltoallv([sent, counts], [buffers[2], counts])
        starts = [24 * side for side in range(count)]
        typed = [counts, starts, [MPI.INT64_T] * count]
        request = await cart.Ineighbor_alltoallw([sent, *typed], [buffers[3], *typed])
        await cart.Neighbor_allgather(sent[0], buffers[4])
        await cart.waitall([request, await cart.Ineighbor_allgatherv(sent[0], [buffers[5], counts])])
        assert all((buffer == buffers[0]).all() for buffer in buffers[1:4])
        assert (buffers[4] == buffers[5]).all()
        duplicate = await cart.dup()
        await cart.Free()
        assert await duplicate.neighbor_allgather(duplicate.rank) == [one and one[1] for one in gathered]
        return await sides(duplicate), gathered, exchanged, buffers[0][::3].tolist(), buffers[4][::3].tolist()

    for found in returns(main, 12):
        if found is None:
            continue
        neighbors, gathered, exchanged, alltoall, allgather = found
        assert gathered == [("all", side) if side != PROC_NULL else None for side in neighbors]
        assert exchanged == [(side, place ^ 1) if side != PROC_NULL else None for place, side in enumerate(neighbors)]
        sent = [10 * side + (place ^ 1) if side != PROC_NULL else -1 for place, side in enumerate(neighbors)]
        assert alltoall == sent
        assert allgather == [10 * side if side != PROC_NULL else -1 for side in neighbors]


def test_neighbors_of_a_graph_are_those_that_ranks_name() -> None:
    async def main(comm: Comm) -> Any:  # noqa: ANN401
        """Each rank sends twice to the next, and once to rank 0."""
        next_one, before = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        sources = [before, before, *(range(comm.size) if comm.rank == 0 else ())]
        graph = await comm.Create_dist_graph_adjacent(sources, [next_one, next_one, 0])
        assert await graph.Get_dist_neighbors_count() == (len(sources), 3, False)
        assert await graph.Get_dist_neighbors() == (sources, [next_one, next_one, 0], None)
        assert graph.topology == MPI.DIST_GRAPH
        return await graph.neighbor_alltoall([(comm.rank, place) for place in range(3)])

    found = returns(main, 4)
    assert found[1:] == [[(rank - 1, 0), (rank - 1, 1)] for rank in (1, 2, 3)]
    # Rank 3 sends to rank 0 three times: the edges are distinguished by their order.
    assert found[0] == [(3, 0), (3, 1), (0, 2), (1, 2), (2, 2), (3, 2)]


def test_names_places_and_times_are_those_of_the_rank() -> None:
    assert not MPI.Is_initialized()
    with pytest.raises(RuntimeError, match="Wtime\\(\\) is called by a rank"):
        MPI.Wtime()

    async def main(comm: Comm) -> tuple[str, float]:
        assert MPI.Is_initialized()
        assert not MPI.Is_finalized()
        assert MPI.Init_thread(MPI.THREAD_MULTIPLE) == MPI.Query_thread() == MPI.THREAD_SINGLE
        assert (await comm.Get_name(), comm.is_intra, comm.is_inter) == ("MPI_COMM_WORLD", True, False)
        other = await comm.dup()
        assert other.name == ""
        await other.Set_name("other")
        assert await other.Get_name() == "other"
        group = comm.group
        assert (group.rank, group.Get_rank(), group.size) == (comm.rank, comm.rank, comm.size)
        reverse = await comm.split(0, -comm.rank)
        assert reverse is not None
        compared = [await comm.Compare(one) for one in (comm, other, reverse)]
        assert compared == [MPI.IDENT, MPI.CONGRUENT, MPI.SIMILAR]
        started = MPI.Wtime()
        await comm.compute(1e-3)
        assert MPI.Wtime() == comm.time() == pytest.approx(started + 1e-3)
        assert MPI.Wtick() == pytest.approx(1 / 700e6, rel=1e-3)
        return MPI.Get_processor_name(), MPI.Wtime()

    names = [name for name, _ in returns(main, 6)]
    assert names == [f"node ({x}, {y}, 0), core 0" for x, y in [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1)]]
    assert not MPI.Is_initialized()


def longest(main: Main, ranks: int = 64, routes: int = 1, wires: int = 0) -> tuple[float, Mapping[str, Any]]:
    """The time of the slowest rank, and the summary, with `routes` class routes and `wires` wires of communicators."""
    machine = MACHINE | {
        "tree": {"class_routes": routes},
        "interrupts": {"wires": 4 + wires, "communicator_wires": wires},
    }
    result = run(main, ranks, machine=machine, messaging={"world_collectives": "all-networks"})
    assert result.outcome == "completed", result.summary["outcome_detail"]
    return max(result.returns), result.summary


async def collectives_of_planes(comm: Comm) -> float:
    """Splits the ranks into planes; returns the time of ten collectives on these."""
    plane = await comm.split(comm.rank // 16, -comm.rank)
    assert plane is not None
    began = comm.time()
    for _ in range(10):
        assert await plane.allreduce(1, MPI.SUM) == 16
        await plane.barrier()
    return comm.time() - began


def test_planes_with_class_routes_and_wires_take_less_time_than_by_the_torus() -> None:
    torus, summary = longest(collectives_of_planes)
    assert "tree_packets_injected" not in summary
    tree, of_tree = longest(collectives_of_planes, routes=5)
    wires, of_wires = longest(collectives_of_planes, routes=5, wires=4)
    assert wires < tree < torus / 2
    # An all-reduce of floating-point numbers takes two passes, a barrier one packet.
    assert of_tree["tree_packets_injected"] == of_tree["tree_packets_delivered"] == 64 * 10 * (2 + 1)
    assert of_wires["tree_packets_injected"] == of_wires["tree_packets_delivered"] == 64 * 10 * 2
    assert (of_tree.get("interrupt_barriers", 0), of_wires["interrupt_barriers"]) == (0, 4 * 10)


@pytest.mark.parametrize(("routes", "served"), [(1, 0), (2, 1), (4, 3), (5, 4), (16, 4)])
def test_communicators_take_class_routes_in_their_order_as_long_as_some_are_free(routes: int, served: int) -> None:
    async def main(comm: Comm) -> float:
        plane = await comm.split(comm.rank // 16)
        assert plane is not None
        await plane.barrier()
        return 0.0

    _, summary = longest(main, routes=routes)
    assert summary.get("tree_packets_injected", 0) == summary.get("tree_packets_delivered", 0) == 16 * served


def test_a_freed_communicator_leaves_its_class_route_to_others() -> None:
    async def main(comm: Comm) -> float:
        for _ in range(5):
            other = await comm.dup()
            await other.barrier()
            await other.Free()
        kept = [await comm.dup() for _ in range(2)]
        for other in kept:
            await other.barrier()
        return 0.0

    _, summary = longest(main, 8, routes=2)
    assert summary["tree_packets_injected"] == 8 * (5 + 1), "the second that is kept has none"


def test_communicators_that_only_some_ranks_make_have_no_class_route() -> None:
    async def main(comm: Comm) -> float:
        grid = await comm.Create_cart([4, 4, 4])
        assert grid is not None
        plane = await grid.Sub([False, True, True])
        line = await plane.Sub([False, True])
        pair = await comm.Create(comm.group.Incl(sorted([comm.rank, comm.rank ^ 1])))
        alone = await comm.split(comm.rank)
        assert pair is not None
        assert alone is not None
        for each in (grid, plane, line, pair, alone):
            await each.barrier()
        return 0.0

    _, summary = longest(main, routes=16)
    # The grid, its four planes, and ten of the pairs: 15 classes.
    assert summary["tree_packets_injected"] == 64 + 4 * 16 + 10 * 2
