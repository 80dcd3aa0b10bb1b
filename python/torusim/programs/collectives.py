"""The data of collectives. A rank leaves its part when it makes the call; the first that ends evaluates the result.

All parts are there by then: no rank ends the call before the ranks on which its result depends have made it.
"""

from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from torusim.programs.payload import Payload, packed_operand
from torusim.programs.reductions import Reduction


@dataclass
class Collective:
    """One collective call of all ranks.

    Attributes:
        call: The call as the first rank has made it, in words.
        parts: What ranks have contributed, by rank.
        result: What it returns, once the first rank has asked.
        returned: Number of ranks to which it has returned.
    """

    call: str
    parts: dict[int, Payload] = field(default_factory=dict)
    result: Payload | None = None
    returned: int = 0

    def reduced(self, op: Reduction) -> Payload:
        """The parts of all ranks, combined in the order of ranks."""
        if self.result is None:
            operands = (self.parts[rank].unpacked(is_shared=True) for rank in sorted(self.parts))
            self.result = packed_operand(reduce(op, operands))
        return self.result


class Collectives:
    """The collectives in progress, by communicator and number of the call in it."""

    def __init__(self) -> None:
        """None is in progress."""
        self._in_progress: dict[tuple[int, int], Collective] = {}

    def enter(self, context: int, number: int, call: str) -> Collective:
        """The collective that a rank enters with its call `number` in a communicator.

        Raises:
            ValueError: If another rank has made another call in its place.
        """
        collective = self._in_progress.setdefault((context, number), Collective(call))
        if collective.call != call:
            raise ValueError(f"{call}: another rank's collective call {number + 1} is {collective.call}")
        return collective

    def leave(self, context: int, number: int, size: int, payload: Payload) -> Any:  # noqa: ANN401
        """The object that it returns to a rank; `size` ranks take part."""
        collective = self._in_progress[context, number]
        collective.returned += 1
        if collective.returned == size:
            del self._in_progress[context, number]
        return payload.unpacked(is_shared=True)
