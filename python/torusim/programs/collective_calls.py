"""Collective calls on objects. All ranks of a communicator make the same ones in the same order.

Ranks that do not know the lengths of the data receive them first, as in mpi4py: `bcast`, `gather`, `scatter`,
`allgather` and `alltoall` make a call of 8 bytes for each length before the call for the data. Calls that do not block
cannot do so: their data have one length.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Concatenate, ParamSpec, SupportsIndex, TypeVar

from torusim import _core
from torusim.common.formatting import shown
from torusim.programs import collectives, records
from torusim.programs.collectives import Collective, Result, Scheme
from torusim.programs.group import Group
from torusim.programs.payload import MESSAGE_BYTES_LIMIT, Payload, packed_operand
from torusim.programs.persistent import PersistentRequest
from torusim.programs.point_to_point import NO_CALL, Operation, PointToPoint, refuse_info
from torusim.programs.process import Process
from torusim.programs.records import BARRIER, BLOCKS, Call, List, Outcome, make
from torusim.programs.reductions import SUM, Reduction, name_of
from torusim.programs.request import Request
from torusim.programs.status import Status

LENGTH_BYTES = 8
"""The size in bytes of a length that is sent before the data."""

Blocks = tuple[Payload, ...]


@dataclass(frozen=True, slots=True)
class CollectiveCall:
    """A collective call of a rank that is one call of the library.

    Attributes:
        words: The arguments in words, which have to be the same at all ranks.
        blocks: The blocks that the rank contributes.
        result: The function that computes the call's result, as payloads.
        call: The call's place in the list of calls, and its arguments after communicator and request.
        lists: The lists among the call's arguments.
        is_shared: Whether several ranks get the same payload.
        into: The function that stores the result, if the call does not return it.
    """

    words: str
    blocks: Blocks
    result: Result
    call: Call
    lists: tuple[_core.Lengths, ...] = ()
    is_shared: bool = False
    into: Any = None

    def returned(self, collective: Collective, rank: int) -> Any:  # noqa: ANN401
        """The value that the call returns to its rank."""
        result = self.result(collective, rank)
        return unpacked(result, is_shared=self.is_shared) if self.into is None else self.into(result)


def unpacked(result: Payload | list[Payload] | None, *, is_shared: bool) -> Any:  # noqa: ANN401
    """The objects of a result."""
    if type(result) is list:
        return [payload.unpacked(is_shared=is_shared) for payload in result]
    return result.unpacked(is_shared=is_shared) if isinstance(result, Payload) else None


class CollectiveRequest(Request):
    """A collective in progress."""

    __slots__ = ("_call", "_collective", "_communicator")

    def __init__(self, communicator: "CollectiveCalls", call: CollectiveCall, collective: Collective) -> None:
        """Creates the request of the next call."""
        super().__init__(communicator)
        self._communicator, self._call, self._collective = communicator, call, collective

    def collect(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """The result of the call; None if the request is not active."""
        has_ended = self.ended is not None
        super().collect(status)
        return self._communicator.end(self._collective, self._call) if has_ended else None


class PersistentCollective(PersistentRequest):
    """A persistent collective: each start makes the call that does not block, with the data as they are then."""

    __slots__ = ("_call", "_collective", "_communicator", "_name", "_prepare")

    is_collective: ClassVar[bool] = True

    def __init__(self, communicator: "CollectiveCalls", name: str, prepare: Callable[[], CollectiveCall]) -> None:
        """Creates the request of calls that `prepare` makes; `name` is that of the call that creates it."""
        super().__init__(communicator)
        self._communicator, self._name, self._prepare = communicator, name, prepare
        self._call = prepare()
        self._collective: Collective | None = None

    def begin(self) -> None:
        """Prepares a start."""
        self._call = self._prepare()
        self._collective = self._communicator.enter(self._name, self._call)
        super().begin()

    async def make_call(self) -> None:
        """Makes the call of this start."""
        await self._communicator.carry_out(self._call, self.reserved)

    def collect(self, status: Status | None = None) -> Any:  # noqa: ANN401
        """The result of the call; None if the request is not active."""
        has_ended = self.ended is not None
        super().collect(status)
        return self._communicator.end(self._collective, self._call) if has_ended and self._collective else None

    async def free(self) -> None:
        """Frees the request: an operation in progress completes."""
        if self.number >= 0:
            await super().free()
        elif self.reserved >= 0:
            await make(*NO_CALL)
            self.process.release(self.reserved)
            self.reserved = -1

    Free = free


Communicator = TypeVar("Communicator", bound="CollectiveCalls")
Arguments = ParamSpec("Arguments")


def forms(
    name: str, make_call: Callable[Concatenate[Communicator, Arguments], CollectiveCall]
) -> tuple[
    Callable[Concatenate[Communicator, Arguments], Operation[Any]],
    Callable[Concatenate[Communicator, Arguments], Operation[Request]],
    Callable[..., Operation[PersistentCollective]],
]:
    """The three methods of a collective: one blocks, one returns a request, and one returns a persistent request.

    All have the arguments of `make_call`; the last one has `info` in addition. The method that blocks has the name
    `name` and the docstring of `make_call`.
    """
    name_of_start, name_of_init = ("I" if name[0].isupper() else "i") + name.lower(), f"{name}_init"
    signature = inspect.signature(make_call)
    info = inspect.Parameter("info", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=None)
    with_info = signature.replace(parameters=[*signature.parameters.values(), info])

    def collect(self: Communicator, /, *given: Arguments.args, **named: Arguments.kwargs) -> Operation[Any]:
        return self._collect(name, make_call(self, *given, **named))

    def start(self: Communicator, /, *given: Arguments.args, **named: Arguments.kwargs) -> Operation[Request]:
        return self._begin(name_of_start, make_call(self, *given, **named))

    def prepare(self: Communicator, /, *given: Any, **named: Any) -> Operation[PersistentCollective]:  # noqa: ANN401
        bound = with_info.bind(self, *given, **named)
        hints = bound.arguments.pop("info", None)
        return self._prepare(name_of_init, lambda: make_call(*bound.args, **bound.kwargs), hints)

    make_call.__qualname__ = f"Comm.{name}"  # in messages about arguments
    _describe(collect, name, make_call.__doc__, signature)
    _describe(start, name_of_start, f"Starts `{name}`, and returns its request.", signature)
    _describe(prepare, name_of_init, f"A persistent `{name}`.", with_info)
    return collect, start, prepare


def _describe(method: Callable[..., object], name: str, words: str | None, signature: inspect.Signature) -> None:
    """Gives a method its name, docstring and arguments, as `help` shows them."""
    returned = method.__annotations__["return"]
    method.__name__, method.__qualname__, method.__doc__ = name, f"Comm.{name}", words
    method.__signature__ = signature.replace(return_annotation=returned)  # type: ignore[attr-defined]


class CollectiveCalls(PointToPoint):
    """The collective calls on objects. In reductions a plain number has 8 bytes."""

    __slots__ = ("_calls_made",)

    def __init__(self, process: Process, group: Group, number: int, context: int) -> None:
        """Creates the communicator with this number at the rank, and this id at all its ranks."""
        super().__init__(process, group, number, context)
        self._calls_made = 0

    def _barrier(self) -> CollectiveCall:
        """Waits until all ranks have called it."""
        return CollectiveCall("()", (), collectives.nothing, (BARRIER,))

    barrier, ibarrier = forms("barrier", _barrier)[:2]
    Barrier, Ibarrier, Barrier_init = barrier, ibarrier, forms("Barrier", _barrier)[2]

    async def bcast(self, obj: object = None, root: SupportsIndex = 0) -> Any:  # noqa: ANN401
        """Returns the object of the root at all ranks."""
        source = self._rank_of(root, "root")
        collective = self._enter(f"bcast(root={source})", (self._packed(obj),) if self.rank == source else ())
        await make(records.BCAST, self._number, BLOCKS, source, LENGTH_BYTES)
        await self._carry_out((), records.BCAST, BLOCKS, source, collective.block(source).size_bytes)
        return self._end(collective, collectives.block_of(source), is_shared=True)

    def ibcast(self, obj: object, root: SupportsIndex = 0) -> Operation[Request]:
        """Starts `bcast`, and returns its request.

        The other ranks pass an object of the same length, such as `Bytes`.
        """
        source = self._rank_of(root, "root")
        block = self._packed(obj)
        words = f"(root={source}) of {block.size_bytes} bytes"
        blocks = (block,) if self.rank == source else ()
        call = (records.BCAST, source, block.size_bytes)
        return self._begin("ibcast", CollectiveCall(words, blocks, collectives.block_of(source), call, is_shared=True))

    async def gather(self, sendobj: object, root: SupportsIndex = 0) -> list[Any] | None:
        """Returns the objects of all ranks at the root, None at the others."""
        target = self._rank_of(root, "root")
        block = self._packed(sendobj)
        collective = self._enter(f"gather(root={target})", (block,))
        await make(records.GATHER, self._number, BLOCKS, target, LENGTH_BYTES)
        lengths = collective.lengths() if self.rank == target else _core.Lengths([block.size_bytes])
        await self._carry_out((lengths,), records.GATHERV, BLOCKS, target)
        gathered: list[Any] | None = self._end(collective, collectives.gathered_at(target))
        return gathered

    def igather(self, sendobj: object, root: SupportsIndex = 0) -> Operation[Request]:
        """Starts `gather` for objects of one length, and returns its request."""
        target = self._rank_of(root, "root")
        block = self._packed(sendobj)
        words = f"(root={target}) of {block.size_bytes} bytes from each"
        result = collectives.gathered_at(target)
        return self._begin(
            "igather", CollectiveCall(words, (block,), result, (records.GATHER, target, block.size_bytes))
        )

    async def scatter(self, sendobj: Sequence[object] | None = None, root: SupportsIndex = 0) -> Any:  # noqa: ANN401
        """Returns to each rank its object of the root's sequence."""
        source = self._rank_of(root, "root")
        blocks = self._packed_for_each(sendobj) if self.rank == source else ()
        collective = self._enter(f"scatter(root={source})", blocks)
        await make(records.SCATTER, self._number, BLOCKS, source, LENGTH_BYTES)
        own = blocks or (collective.block(source, self.rank),)
        await self._carry_out((_lengths(own),), records.SCATTERV, BLOCKS, source)
        return self._end(collective, collectives.own_block_of(source))

    def iscatter(
        self, sendobj: Sequence[object] | None = None, recvobj: object = None, root: SupportsIndex = 0
    ) -> Operation[Request]:
        """Starts `scatter` for objects of one length, and returns its request.

        The ranks other than the root give that length by `recvobj`, an object of the same length.
        """
        source = self._rank_of(root, "root")
        if self.rank == source:
            blocks = self._packed_for_each(sendobj)
            size_bytes = _one_length(blocks)
        elif recvobj is None:
            raise ValueError("recvobj=None: it is an object as long as what is received, such as torusim.Bytes(n)")
        else:
            blocks, size_bytes = (), self._packed(recvobj).size_bytes
        words = f"(root={source}) of {size_bytes} bytes to each"
        result = collectives.own_block_of(source)
        return self._begin("iscatter", CollectiveCall(words, blocks, result, (records.SCATTER, source, size_bytes)))

    async def allgather(self, sendobj: object) -> list[Any]:
        """Returns the objects of all ranks at all of them."""
        collective = self._enter("allgather()", (self._packed(sendobj),))
        await make(records.ALLGATHER, self._number, BLOCKS, LENGTH_BYTES)
        await self._carry_out((collective.lengths(),), records.ALLGATHERV, BLOCKS)
        gathered: list[Any] = self._end(collective, collectives.gathered, is_shared=True)
        return gathered

    def iallgather(self, sendobj: object) -> Operation[Request]:
        """Starts `allgather` for objects of one length, and returns its request."""
        block = self._packed(sendobj)
        words = f"() of {block.size_bytes} bytes from each"
        call = (records.ALLGATHER, block.size_bytes)
        return self._begin("iallgather", CollectiveCall(words, (block,), collectives.gathered, call, is_shared=True))

    async def alltoall(self, sendobj: Sequence[object]) -> list[Any]:
        """Returns the objects that all ranks pass for this one; each rank passes one object for each rank."""
        blocks = self._packed_for_each(sendobj)
        collective = self._enter("alltoall()", blocks)
        await make(records.ALLTOALL, self._number, BLOCKS, LENGTH_BYTES)
        received = collectives.exchanged(collective, self.rank)
        await self._carry_out((_lengths(blocks), _lengths(received)), records.ALLTOALLV, BLOCKS)
        objects: list[Any] = self._end(collective, collectives.exchanged)
        return objects

    def ialltoall(self, sendobj: Sequence[object]) -> Operation[Request]:
        """Starts `alltoall` for objects of one length, and returns its request."""
        blocks = self._packed_for_each(sendobj)
        size_bytes = _one_length(blocks)
        words = f"() of {size_bytes} bytes for each"
        return self._begin(
            "ialltoall", CollectiveCall(words, blocks, collectives.exchanged, (records.ALLTOALL, size_bytes))
        )

    def _reduce(self, sendobj: object, op: Reduction = SUM, root: SupportsIndex = 0) -> CollectiveCall:
        """Combines the objects of all ranks, in the order of ranks; returns the result at the root, None at the others.

        Combining takes no time, unless `messaging.combine_processor_cycles_per_byte` is set.
        """
        target = self._rank_of(root, "root")
        operand = packed_operand(sendobj)
        result = collectives.reduced_at(target, op)
        words = f"(…, {name_of(op)}, root={target})"
        return CollectiveCall(words, (operand,), result, (records.REDUCE, target, operand.size_bytes))

    def _allreduce(self, sendobj: object, op: Reduction = SUM) -> CollectiveCall:
        """Combines objects as `reduce`; returns the result at all ranks."""
        return _reduction(sendobj, records.ALLREDUCE, collectives.reduced, op)

    def _scan(self, sendobj: object, op: Reduction = SUM) -> CollectiveCall:
        """Combines the objects of the ranks up to this one."""
        return _reduction(sendobj, records.SCAN, collectives.scanned, op)

    def _exscan(self, sendobj: object, op: Reduction = SUM) -> CollectiveCall:
        """Combines the objects of the ranks before this one; None at rank 0."""
        return _reduction(sendobj, records.EXSCAN, collectives.scanned_before, op)

    def _reduce_scatter(self, sendobj: Sequence[object], op: Reduction = SUM) -> CollectiveCall:
        """Combines the objects that all ranks pass for this one; each rank passes one object for each rank."""
        operands = self._packed_for_each(sendobj, packed_operand)
        result = collectives.reduced_and_scattered(op)
        words = f"(…, {name_of(op)})"
        return CollectiveCall(words, operands, result, (records.REDUCE_SCATTER,), (_lengths(operands),))

    reduce, ireduce = forms("reduce", _reduce)[:2]
    allreduce, iallreduce = forms("allreduce", _allreduce)[:2]
    scan, iscan = forms("scan", _scan)[:2]
    exscan, iexscan = forms("exscan", _exscan)[:2]
    reduce_scatter, ireduce_scatter = forms("reduce_scatter", _reduce_scatter)[:2]

    def _packed_for_each(
        self, sendobj: Sequence[object] | None, pack: Callable[[object], Payload] | None = None
    ) -> Blocks:
        try:
            listed = list(sendobj)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(f"sendobj={shown(sendobj)}: sendobj has one object for each rank") from None
        if len(listed) != self.size:
            raise ValueError(f"sendobj: {len(listed)} objects for {self.size} ranks")
        return tuple(map(pack or self._packed, listed))

    async def _collect(self, name: str, call: CollectiveCall) -> Any:  # noqa: ANN401
        """Makes a call that blocks."""
        collective = self.enter(name, call)
        await self.carry_out(call, BLOCKS)
        return self.end(collective, call)

    async def _begin(self, name: str, call: CollectiveCall) -> Request:
        """Makes a call that does not block."""
        request = CollectiveRequest(self, call, self.enter(name, call))
        await self.carry_out(call, request.number)
        return request

    async def _prepare(self, name: str, make_call: Callable[[], CollectiveCall], info: object) -> PersistentCollective:
        """Makes a persistent request."""
        self._refuse_if_freed()
        refuse_info(info)
        request = PersistentCollective(self, name, make_call)
        await make(*NO_CALL)
        return request

    def enter(self, name: str, call: CollectiveCall) -> Collective:
        """Records that the rank enters a call, which is one call of the library."""
        return self._enter(name + call.words, call.blocks)

    async def carry_out(self, call: CollectiveCall, request: int) -> None:
        """Makes the call: with the number of a request, or as a call that blocks."""
        await self._carry_out(call.lists, call.call[0], request, *call.call[1:])

    def _enter(self, words: str, blocks: Blocks) -> Collective:
        self._refuse_if_freed()
        self.process.require_own("a communicator")
        number = self._calls_made
        self._calls_made += 1
        return self._group.enter(number, words, self.rank, blocks)

    async def _make(self, lists: tuple[List, ...], place: int, *arguments: int) -> Outcome:
        """Makes a call on this communicator, with its lists."""
        self.process.world.lists.extend(lists)
        return await make(place, self._number, *arguments)

    async def _carry_out(self, lists: tuple[_core.Lengths, ...], place: int, *arguments: int) -> Outcome:
        """Makes a collective call, whose messages must not be too long.

        Raises:
            ValueError: If a message is too long.
        """
        longest = self.size * max(arguments, default=0)
        if longest > MESSAGE_BYTES_LIMIT or any(each.total_bytes > MESSAGE_BYTES_LIMIT for each in lists):
            row, world = [place, self._number, *arguments], self.process.world
            fault = world.placed().fault(self.process.rank, len(world.outboxes), self._places, row, list(lists))
            if fault is not None:
                raise ValueError(f"{fault}: messaging.collectives names algorithms that cut data")
        return await self._make(lists, place, *arguments)

    def end(self, collective: Collective, call: CollectiveCall) -> Any:  # noqa: ANN401
        """The result of a complete call."""
        result = call.returned(collective, self.rank)
        self._group.end(collective)
        return result

    def _end(self, collective: Collective, result: Result, *, is_shared: bool = False) -> Any:  # noqa: ANN401
        payloads = result(collective, self.rank)
        self._group.end(collective)
        return unpacked(payloads, is_shared=is_shared)


def _reduction(sendobj: object, place: int, scheme: Scheme, op: Reduction) -> CollectiveCall:
    operand = packed_operand(sendobj)
    return CollectiveCall(f"(…, {name_of(op)})", (operand,), scheme(op), (place, operand.size_bytes), is_shared=True)


def _lengths(blocks: Sequence[Payload]) -> _core.Lengths:
    return _core.Lengths([block.size_bytes for block in blocks])


def _one_length(blocks: Blocks) -> int:
    """The length of blocks, in bytes.

    Raises:
        ValueError: If the blocks differ in length.
    """
    lengths = {block.size_bytes for block in blocks}
    if len(lengths) > 1:
        raise ValueError(
            f"sendobj: objects of {min(lengths)} to {max(lengths)} bytes; this call has them of one length"
        )
    return lengths.pop()
