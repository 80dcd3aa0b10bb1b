"""One rank as seen by its operations: its clock, the numbers of its requests, and the messages of all ranks."""

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import ClassVar, Protocol

from torusim import _core
from torusim.common.formatting import shown
from torusim.programs.mailbox import Outbox
from torusim.programs.notices import Notices
from torusim.programs.records import Ended, List, Outcome

LONGEST_CYCLES = 1 << 53
"""Computation ends at this processor cycle at the latest (`docs/models/messages.md`)."""

COMPUTATIONS_LIMIT = 1_000_000
"""More computations without another call between them are taken for an endless loop."""


RUNNING: ContextVar["World | None"] = ContextVar("running", default=None)
"""The ranks of which one runs now, for functions of the module, which have no communicator; none outside the run."""


@dataclass(slots=True)
class World:
    """The state that all ranks share.

    Attributes:
        outboxes: The payloads in flight, by sender.
        hertz: Processor cycles in a second.
        placed: The places of ranks, and how their collectives are carried out; few programs ask for them.
        lists: The lists in the calls of the current batch, in the order of the calls.
        notices: The warnings that the run has given.
        running: The rank whose program runs now; none outside the run.
    """

    outboxes: Sequence[Outbox]
    hertz: float
    placed: Callable[[], _core.PlacedRanks]
    lists: list[List] = field(default_factory=list)
    notices: Notices = field(default_factory=Notices)
    running: "Process | None" = None


class InProgress(Protocol):
    """A request as its process sees it.

    Attributes:
        is_persistent: Whether the request keeps its number when it is complete.
    """

    is_persistent: ClassVar[bool]

    def end(self, ended: Ended) -> None:
        """Notes that the operation is complete."""


class Process:
    """One rank.

    Attributes:
        rank: The global rank.
        world: The state that all ranks share.
        outbox: The messages that the rank has sent.
        requests: The requests whose operations the simulator has in progress, by number.
        cycle: The end of the last call, a processor cycle.
        computed_cycles: Processor cycles of computation before the next call.
        computations: The number of computations before the next call.
        resume: Runs the rank from the outcome of its last call up to its next call, which it returns.
    """

    __slots__ = (
        "_communicators",
        "_free",
        "_numbers",
        "computations",
        "computed_cycles",
        "cycle",
        "outbox",
        "rank",
        "requests",
        "resume",
        "world",
    )

    def __init__(self, rank: int, world: World) -> None:
        """Creates the rank at cycle 0."""
        self.rank = rank
        self.world = world
        self.outbox = world.outboxes[rank]
        self.requests: dict[int, InProgress] = {}
        self.cycle = self.computed_cycles = self.computations = 0
        self.resume: Callable[[Outcome], object] | None = None
        self._free: list[int] = []
        self._numbers = 0
        self._communicators = 0

    @property
    def seconds(self) -> float:
        """The simulated time: the end of the last call, and the computation since then."""
        return (self.cycle + self.computed_cycles) / self.world.hertz

    def complete(self, ended: Iterable[Ended]) -> None:
        """Ends requests: those that the last call has completed, and freed ones."""
        take, free = self.requests.pop, self._free
        for one in ended:
            number = one[0]
            request = take(number)
            request.end(one)
            if not request.is_persistent:
                heappush(free, number)

    def compute(self, seconds: float) -> None:
        """Computes before the rank's next call.

        Raises:
            ValueError: If the time is negative, not a number, or too long.
            RuntimeError: If a rank computes so often, or so long, without another call that it seems to be an endless
                loop.
        """
        cycles = seconds * self.world.hertz
        if not 0 <= cycles < LONGEST_CYCLES:
            raise ValueError(f"compute({shown(seconds)}): a time is a number of seconds from 0")
        self.computed_cycles += round(cycles)
        self.computations += 1
        if self.computations > COMPUTATIONS_LIMIT or self.computed_cycles >= LONGEST_CYCLES:
            raise RuntimeError(
                f"compute({shown(seconds)}) has been called {self.computations} times without another call between: "
                "time passes in the simulator only when a rank communicates or ends, so that no limit ends this loop"
            )

    def require_own(self, what: str) -> None:
        """Refuses the use of this rank's objects by another rank, or after the run.

        Raises:
            ValueError: If the program of this rank does not run now.
        """
        running = self.world.running
        if running is not self:
            user = "after its run has ended" if running is None else f"by rank {running.rank}"
            raise ValueError(f"{what} of rank {self.rank} is used {user}: each rank has its own, in one run")

    def reserve(self) -> int:
        """The number of a new request: the lowest free one, so that requests of one wait have consecutive numbers."""
        if self._free:
            return heappop(self._free)
        self._numbers += 1
        return self._numbers - 1

    def begin(self, request: InProgress) -> int:
        """Reserves the number of a request whose operation the next call begins."""
        number = heappop(self._free) if self._free else self.reserve()
        self.requests[number] = request
        return number

    def release(self, number: int) -> None:
        """Frees the number of a request."""
        heappush(self._free, number)

    def new_communicator(self) -> int:
        """The number for another communicator; 0 is the communicator of all ranks."""
        self._communicators += 1
        return self._communicators


def running_process() -> Process | None:
    """The rank whose program runs now."""
    world = RUNNING.get()
    return None if world is None else world.running
