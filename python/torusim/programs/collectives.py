"""The data of collectives. A rank stores its blocks when it makes the call; its result is evaluated when the call ends.

    call of rank 0: blocks --+                       +--> result of rank 0
    call of rank 1: blocks --+--> Collective.blocks --+--> result of rank 1

All blocks that a result depends on are stored by then: no rank ends the call before the ranks that contribute them have
made it. Empty blocks are the exception, as no message is sent for them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeAlias

from torusim import _core
from torusim.programs.payload import Bytes, Payload, packed_operand
from torusim.programs.reductions import Reduction

EMPTY = Payload(0, b"")
"""A block of no bytes."""


@dataclass
class Collective:
    """One collective call of all ranks of a communicator.

    Attributes:
        number: The number of the call among the communicator's collectives.
        call: The call as the first rank has made it, in words.
        size: The number of ranks.
        blocks: The contribution of each rank: one block, or one for each rank.
        shared: The parts of results that ranks share, by any name; each is evaluated once.
        ended: The number of ranks whose calls have ended.
    """

    number: int
    call: str
    size: int
    blocks: dict[int, tuple[Payload, ...]] = field(default_factory=dict)
    shared: dict[Any, Any] = field(default_factory=dict)
    ended: int = 0

    def block(self, rank: int, number: int = 0) -> Payload:
        """A block of a rank; an empty one if the rank has not made the call."""
        return self.blocks[rank][number] if rank in self.blocks else EMPTY

    def once(self, name: object, evaluate: Callable[[], Any]) -> Any:  # noqa: ANN401
        """The value of `evaluate`, which the first rank that asks calls."""
        if name not in self.shared:
            self.shared[name] = evaluate()
        return self.shared[name]

    def lengths(self) -> _core.Lengths:
        """The lengths of the first blocks of all ranks."""
        lengths: _core.Lengths = self.once(
            "lengths", lambda: _core.Lengths([self.block(rank).size_bytes for rank in range(self.size)])
        )
        return lengths


Result: TypeAlias = Callable[[Collective, int], Any]
"""The result of a collective at a rank, as payloads."""


Scheme: TypeAlias = Callable[[Reduction], Result]
"""The operands, and their ranks, that a reduction combines."""


def nothing(_collective: Collective, _rank: int) -> None:
    """No data."""


def block_of(root: int) -> Result:
    """The block of the root, at all ranks."""
    return lambda collective, _rank: collective.block(root)


def own_block_of(root: int) -> Result:
    """The root's block for the rank."""
    return lambda collective, rank: collective.block(root, rank)


def gathered_at(root: int) -> Result:
    """The blocks of all ranks, at the root."""
    return lambda collective, rank: gathered(collective, rank) if rank == root else None


def gathered(collective: Collective, _rank: int) -> list[Payload]:
    """The blocks of all ranks, at all ranks."""
    return [collective.block(rank) for rank in range(collective.size)]


def exchanged(collective: Collective, rank: int) -> list[Payload]:
    """The blocks that all ranks pass for the rank."""
    return [collective.block(source, rank) for source in range(collective.size)]


def reduced(op: Reduction) -> Result:
    """The blocks of all ranks, combined in the order of ranks, at all ranks."""
    return lambda collective, rank: collective.once("reduced", lambda: _combined(op, gathered(collective, rank)))


def reduced_at(root: int, op: Reduction) -> Result:
    """The blocks of all ranks, combined in the order of ranks, at the root."""
    result = reduced(op)
    return lambda collective, rank: result(collective, rank) if rank == root else None


def reduced_and_scattered(op: Reduction) -> Result:
    """The blocks that all ranks pass for the rank, combined in the order of ranks."""
    return lambda collective, rank: _combined(op, exchanged(collective, rank))


def scanned(op: Reduction) -> Result:
    """The blocks of the ranks up to this one, combined in their order."""
    return lambda collective, rank: _prefix(collective, rank, op)


def scanned_before(op: Reduction) -> Result:
    """The blocks of the ranks before this one, combined in their order; none at the first."""
    return lambda collective, rank: _prefix(collective, rank - 1, op) if rank > 0 else None


def _prefix(collective: Collective, last: int, op: Reduction) -> Payload:
    """The combined blocks of ranks 0 to `last`; each is evaluated once."""
    prefixes: list[Payload] = collective.once("prefixes", lambda: [collective.block(0)])
    for rank in range(len(prefixes), last + 1):
        prefixes.append(_combined(op, (prefixes[-1], collective.block(rank))))
    return prefixes[last]


def _combined(op: Reduction, operands: Sequence[Payload]) -> Payload:
    if all(type(operand.content) is Bytes for operand in operands):
        return operands[0]
    return packed_operand(reduce(op, (operand.unpacked(is_shared=True) for operand in operands)))
