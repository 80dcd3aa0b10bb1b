"""One rank as its operations see it: its clock, the numbers of its requests, and the mail of all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, Any

from torusim.formatting import shown
from torusim.programs.mailbox import Outbox
from torusim.programs.records import Ended, Outcome

if TYPE_CHECKING:
    from torusim.programs.collectives import Collectives
    from torusim.programs.request import Request

LONGEST_CYCLES = 1 << 53
"""Computation ends at this processor cycle at the latest (`docs/models/messages.md`)."""


@dataclass(frozen=True)
class World:
    """What all ranks have in common.

    Attributes:
        outboxes: The payloads under way, by sender.
        collectives: The collectives in progress.
        hertz: Processor cycles in a second.
    """

    outboxes: Sequence[Outbox]
    collectives: "Collectives"
    hertz: float


class Process:
    """One rank.

    Attributes:
        rank: Its number among all ranks.
        world: What all ranks have in common.
        outbox: The messages that it has sent.
        requests: Those whose operations the simulator has in progress, by number.
        computed_cycles: Processor cycles of computation before its next call.
    """

    __slots__ = ("_cycle", "_free", "computed_cycles", "outbox", "rank", "requests", "world")

    def __init__(self, rank: int, world: World) -> None:
        """The rank at cycle 0."""
        self.rank = rank
        self.world = world
        self.outbox = world.outboxes[rank]
        self.requests: dict[int, Request] = {}
        self.computed_cycles = 0
        self._cycle = 0
        self._free: list[int] = []

    @property
    def seconds(self) -> float:
        """The simulated time: of the end of the last call, and of computation since."""
        return (self._cycle + self.computed_cycles) / self.world.hertz

    def hear(self, outcome: Outcome, ended: Iterator[Ended]) -> None:
        """Hears of the outcome of its last call; the next of `ended` are the requests that have ended with it."""
        self._cycle = outcome.time
        if outcome.sent >= 0:
            self.outbox.name(outcome.sent)
        if outcome.ended:
            for request in islice(ended, outcome.ended):
                self.requests.pop(request.request).end(request)
                heappush(self._free, request.request)

    def compute(self, seconds: float) -> None:
        """Computes before its next call.

        Raises:
            ValueError: If it is no time from 0.
        """
        cycles = seconds * self.world.hertz
        if not 0 <= cycles < LONGEST_CYCLES:
            raise ValueError(f"compute({shown(seconds)}): a time is a number of seconds from 0")
        self.computed_cycles += round(cycles)

    def begin(self, request: "Request") -> int:
        """The number for a new request: the lowest that is not in use, so that those of one wait follow one another."""
        number = heappop(self._free) if self._free else len(self.requests)
        self.requests[number] = request
        return number

    def take(self, source: int, number: int) -> Any:  # noqa: ANN401
        """The object of a message that it has received."""
        return self.world.outboxes[source].take(number).unpacked()
