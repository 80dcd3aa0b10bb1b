"""The data of collectives: each rank contributes a block to a table that all ranks read (`rank_wire::Table`)."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from struct import calcsize, pack, unpack_from
from typing import Any, ClassVar

from torusim.awaited.library import Library
from torusim.programs.collectives import EMPTY, Collective
from torusim.programs.group import Group
from torusim.programs.payload import Payload

WORD = calcsize("<Q")


@dataclass
class SharedCollective(Collective):
    """One collective call, as one of its ranks sees it.

    Attributes:
        table: The table with the contributions of all ranks; 0 until the call that contributes has ended.
    """

    library: Library | None = None
    rank: int = 0
    table: int = 0
    _read: dict[tuple[int, int], Payload] = field(default_factory=dict)

    def contribute(self) -> int:
        """Stores the blocks of this rank; returns the offset of the contribution, 0 without blocks."""
        assert self.library is not None
        own = self.blocks.get(self.rank, ())
        if not own:
            return 0
        parts = [pickle.dumps(block, pickle.HIGHEST_PROTOCOL) for block in own]
        ends = accumulate(map(len, parts), initial=(len(parts) + 2) * WORD)
        return self.library.put(b"".join([pack(f"<{len(parts) + 2}Q", len(parts), *ends), *parts]))

    def block(self, rank: int, number: int = 0) -> Payload:
        """A block of a rank; an empty one if the rank has not made the call."""
        if rank == self.rank and rank in self.blocks:
            return self.blocks[rank][number]
        if (rank, number) not in self._read:
            self._read[rank, number] = self._block_of(rank, number)
        return self._read[rank, number]

    def _block_of(self, rank: int, number: int) -> Payload:
        assert self.library is not None
        offset = self.library.contribution(self.table, rank) if self.table else 0
        if not offset:
            return EMPTY
        data = self.library.data(offset)
        begin, end = unpack_from("<2Q", data, (number + 1) * WORD)
        payload: Payload = pickle.loads(data[begin:end])
        return payload

    def once(self, name: object, evaluate: Callable[[], Any]) -> Any:  # noqa: ANN401
        """The value of `evaluate`; that of a reduction is computed by the first rank that asks, for all."""
        if name != "reduced" or name in self.shared:
            return super().once(name, evaluate)
        assert self.library is not None
        offset = self.library.result(self.table)
        if offset is None:
            self.shared[name] = evaluate()
            self.library.tell(self.table, self.library.put(pickle.dumps(self.shared[name], pickle.HIGHEST_PROTOCOL)))
        else:
            self.shared[name] = pickle.loads(self.library.data(offset))
        return self.shared[name]

    def release(self) -> None:
        """Gives the table back, which this rank does not read any more."""
        if self.table and self.library is not None:
            self.library.release_table(self.table)
            self.table = 0


@dataclass(eq=False)
class SharedGroup(Group):
    """The ranks of a communicator, as one of them sees them."""

    library: ClassVar[Library]
    entered: ClassVar[list[SharedCollective]] = []
    """The collectives that the rank has entered, and whose calls it has not made, in the order of these."""

    def enter(self, number: int, call: str, rank: int, blocks: tuple[Payload, ...]) -> SharedCollective:
        """The rank enters a collective with its call `number` on the communicator."""
        collective = SharedCollective(number, call, self.size, library=self.library, rank=rank)
        if blocks:
            collective.blocks[rank] = blocks
        self.collectives[number] = collective
        self.entered.append(collective)
        return collective

    def end(self, collective: Collective) -> None:
        """Notes that the call of this rank has ended."""
        del self.collectives[collective.number]
        if isinstance(collective, SharedCollective):
            collective.release()
