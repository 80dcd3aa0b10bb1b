"""A rank whose calls are records of the library: what `torusim.programs` yields as rows for the simulator."""

import pickle
from array import array
from binascii import crc32
from collections.abc import Callable, Sequence
from typing import Any

from torusim.awaited.collective import SharedCollective, SharedGroup
from torusim.awaited.library import CANCELLED, NOTHING, RECEIVED, Answer, Code, EndedRequest, Library
from torusim.programs import records
from torusim.programs.payload import Payload
from torusim.programs.process import Process, World
from torusim.programs.records import BLOCKS, Call, Ended, Outcome

INLINE = 64
"""The longest list of requests that is in a record; longer ones are in a block."""

POSTED = Outcome(*[-1] * 7)
"""The outcome of a call whose end the program does not need."""

COLLECTIVES = {
    records.BARRIER: 0,
    records.BCAST: 1,
    records.ALLREDUCE: 2,
    records.REDUCE: 3,
    records.SCAN: 4,
    records.EXSCAN: 5,
    records.REDUCE_SCATTER_BLOCK: 6,
    records.REDUCE_SCATTER: 7,
    records.GATHER: 8,
    records.GATHERV: 9,
    records.SCATTER: 10,
    records.SCATTERV: 11,
    records.ALLGATHER: 12,
    records.ALLGATHERV: 13,
    records.ALLTOALL: 14,
    records.ALLTOALLV: 15,
    records.ALLTOALLW: 16,
}
"""The numbers of collectives in records (`rank_wire::Collective`)."""

ROOTED = {records.BCAST, records.REDUCE, records.GATHER, records.GATHERV, records.SCATTER, records.SCATTERV}
"""The collectives with a root."""

ENDS = {
    records.WAITALL: (0, 1),
    records.WAITANY: (1, 1),
    records.WAITSOME: (2, 1),
    records.TEST: (0, 0),
    records.TESTANY: (1, 0),
    records.TESTSOME: (2, 0),
}
"""For each wait and test, how many requests it needs (all, any, some), and whether it blocks."""


class Outboxes(Sequence["Outboxes"]):
    """The payloads in flight, in blocks: that of a send until its call is made, and that of a receive by its offset.

    Attributes:
        sent: The blocks of sends whose calls have not been made, in the order of these.
    """

    def __init__(self, library: Library) -> None:
        """Creates the outbox of all ranks."""
        self._library = library
        self.sent: list[int] = []

    def __len__(self) -> int:
        """The number of ranks."""
        return self._library.size

    def __getitem__(self, _rank: Any) -> Any:  # noqa: ANN401
        """The outbox of a rank."""
        return self

    def send(self, _context: int, _target: int, payload: Payload) -> None:
        """Stores the payload of a message whose call follows."""
        self.sent.append(self._library.put(pickle.dumps(payload, pickle.HIGHEST_PROTOCOL)))

    def take(self, _context: int, _target: int, offset: int) -> Payload:
        """The payload of a message, by the offset of its block."""
        payload: Payload = pickle.loads(self._library.data(offset))
        self._library.release(offset)
        return payload


class Places:
    """Where ranks are; as `torusim._core.PlacedRanks`."""

    def __init__(self, library: Library) -> None:
        """The places of the ranks of the run."""
        self._library = library

    def place(self, rank: int) -> tuple[list[int], int]:
        """The coordinates of the node of a rank, and its core."""
        return self._library.place(rank)

    def fault(self, *_call: object) -> str | None:
        """None: the simulator checks the lengths of messages, and ends the run."""
        return None


class Rank(Process):
    """The rank of this process."""

    __slots__ = ("_collectives", "_group", "_handlers", "_library", "_outboxes")

    def __init__(self, library: Library) -> None:
        """Creates the rank at the time of its last call."""
        self._outboxes = Outboxes(library)
        places: Any = Places(library)
        outboxes: Any = self._outboxes
        super().__init__(library.rank, World(outboxes, library.hertz, lambda: places))
        self.world.running = self
        self._library = library
        self._collectives: dict[int, SharedCollective] = {}
        self._handlers: dict[int, Callable[..., Outcome]] = {
            records.SEND: self._send,
            records.RECV: self._receive,
            records.SENDRECV: self._send_receive,
            records.SEND_INIT: self._send_init,
            records.RECV_INIT: self._receive_init,
            records.PROBE: self._probe,
            records.MRECV: self._matched_receive,
            records.IMRECV: self._matched_receive,
            records.START: self._start,
            records.FREE: lambda request: self._post(Code.FREE, request),
            records.CANCEL: lambda request: self._post(Code.CANCEL, request),
            records.CREATE: self._create,
            records.DEFINE: self._define,
            records.FREE_COMMUNICATOR: lambda number: self._post(Code.FREE_COMMUNICATOR, number),
            records.ABORT: lambda code: self._ask(Code.ABORT, code & NOTHING),
        }

    @property
    def seconds(self) -> float:
        """The simulated time: the end of the last call, and the computation since then."""
        return (self._library.cycle() + self.computed_cycles) / self.world.hertz

    def reserve(self) -> int:
        """The number of a new request. The library has it, whose other requests the program may have left."""
        return self._library.reserve()

    def release(self, number: int) -> None:
        """Frees the number of a request."""
        self._library.unreserve(number)

    def new_communicator(self) -> int:
        """The number for another communicator."""
        return self._library.new_communicator()

    def carry_out(self, call: Call) -> Outcome:
        """Makes a call; returns its outcome, if the program needs it."""
        self.pass_computed()
        place, *arguments = call
        if place in COLLECTIVES:
            return self._collect(place, *arguments)
        if place in ENDS:
            return self._end(ENDS[place], *arguments)
        return self._handlers[place](*arguments)

    def pass_computed(self) -> None:
        """Lets the time pass that the rank has computed."""
        if self.computed_cycles:
            self._library.post(Code.COMPUTE, (self.computed_cycles,))
        self.computed_cycles = self.computations = 0

    def _post(self, code: Code, *words: int) -> Outcome:
        self._library.post(code, words)
        return POSTED

    def _ask(self, code: Code, *words: int) -> Outcome:
        answer, ended = self._library.ask(code, words)
        for row in ended:
            if row.request in self._collectives:
                self._collectives.pop(row.request).table = row.offset
        outcome = self._outcome_of(answer)
        self.complete(map(_ended_of, ended))
        while self._free:
            self._library.unreserve(self._free.pop())
        return outcome

    def _outcome_of(self, answer: Answer) -> Outcome:
        message = (answer.source, answer.tag, answer.bytes) if answer.flags & RECEIVED else (-1, -1, -1)
        return Outcome(answer.flag, *message, answer.offset, answer.handle, answer.id)

    def _send(self, *words: int) -> Outcome:
        *sent, request = words
        return self._post(Code.SEND, *sent, optional(request), self._outboxes.sent.pop(0))

    def _receive(self, communicator: int, source: int, tag: int, blocks: int, request: int) -> Outcome:
        words = (communicator, optional(source), optional(tag), blocks, optional(request))
        return (self._ask if request == BLOCKS else self._post)(Code.RECEIVE, *words)

    def _send_receive(self, *words: int) -> Outcome:
        sent, (communicator, source, tag, blocks) = words[:6], words[6:]
        received = (communicator, optional(source), optional(tag), blocks)
        return self._ask(Code.SEND_RECEIVE, *sent, self._outboxes.sent.pop(0), *received)

    def _send_init(self, *words: int) -> Outcome:
        return self._post(Code.SEND_INIT, *words)

    def _receive_init(self, communicator: int, source: int, tag: int, blocks: int, request: int) -> Outcome:
        return self._post(Code.RECEIVE_INIT, communicator, optional(source), optional(tag), blocks, request)

    def _probe(self, communicator: int, source: int, tag: int, *flags: int) -> Outcome:
        return self._ask(Code.PROBE, communicator, optional(source), optional(tag), *map(int, flags))

    def _matched_receive(self, handle: int, request: int = BLOCKS) -> Outcome:
        make = self._ask if request == BLOCKS else self._post
        return make(Code.MATCHED_RECEIVE, handle, optional(request))

    def _start(self, *numbered: int) -> Outcome:
        words: list[int] = []
        for number in numbers_of(*numbered):
            is_send = getattr(self.requests[number], "before_start", None) is not None
            words += (number, self._outboxes.sent.pop(0) if is_send else 0)
        return self._post(Code.START, *words)

    def _end(self, kind: tuple[int, int], *numbered: int) -> Outcome:
        numbers = numbers_of(*numbered)
        is_wait = kind[1] == 1
        if not numbers and is_wait:
            return self._post(Code.END, *kind, 0, 0, 0)
        listed = (self._list(numbers), len(numbers)) if len(numbers) > INLINE else (0, len(numbers), *numbers)
        return self._ask(Code.END, *kind, 1, *listed)

    def _collect(self, place: int, communicator: int, request: int, *arguments: int) -> Outcome:
        rest = list(arguments)
        root = rest.pop(0) if place in ROOTED else BLOCKS
        size_bytes = rest.pop(0) if rest else 0
        collective = SharedGroup.entered.pop(0) if SharedGroup.entered else None
        # Words that differ between ranks end the run, as other arguments do that have to be the same.
        words = (crc32(collective.call.encode()), collective.contribute()) if collective is not None else (0, 0)
        is_read = collective is not None and place != records.BARRIER
        lists = [word for each in self._lists() for word in (self._list(each), len(each))]
        record = (
            COLLECTIVES[place],
            communicator,
            optional(request),
            optional(root),
            size_bytes,
            *words,
            is_read,
            *lists,
        )
        if request != BLOCKS:
            if is_read and collective is not None:
                self._collectives[request] = collective
            return self._post(Code.COLLECT, *record)
        if not is_read or collective is None:
            return self._post(Code.COLLECT, *record)
        answer, _ = self._library.ask(Code.COLLECT, record)
        collective.table = answer.table
        return self._outcome_of(answer)

    def _create(self, communicator: int, is_member: int, new: int, order: int) -> Outcome:
        SharedGroup.entered.clear()
        members = self._lists()
        if not is_member:
            return self._post(Code.CREATE, communicator, new, order, 0, 0)
        return self._ask(Code.CREATE, communicator, new, order, self._list(members[0]), len(members[0]))

    def _define(self, new: int, context: int) -> Outcome:
        [members] = self._lists()
        return self._post(Code.DEFINE, new, context, self._list(members), len(members))

    def _lists(self) -> list[list[int]]:
        """The lists of the next call."""
        listed = [each.to_list() for each in self.world.lists]
        self.world.lists.clear()
        return listed

    def _list(self, numbers: Sequence[int]) -> int:
        """The offset of a block with numbers, which the simulator reads."""
        return self._library.put(array("Q", numbers).tobytes())


def optional(number: int) -> int:
    """A number as a word; -1 stands for none."""
    return NOTHING if number < 0 else number


def numbers_of(first: int, count: int, *others: int) -> list[int]:
    """The numbers of requests of a wait, a test or a start: consecutive ones, or a list."""
    return list(range(first, first + count)) if count >= 0 else [first, *others]


def _ended_of(row: EndedRequest) -> Ended:
    message = (row.source, row.tag, row.bytes, row.offset) if row.flags & RECEIVED else (-1, -1, -1, -1)
    return row.request, *message, int(row.flags & CANCELLED != 0)
