"""All ranks of a program: a coroutine for each, resumed by batches from the simulator."""

import gc
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, TypeAlias

from torusim import _core
from torusim.common.formatting import shown
from torusim.programs.communicator import WORLD, Comm
from torusim.programs.group import Group
from torusim.programs.mailbox import Outbox
from torusim.programs.process import RUNNING, Process, World
from torusim.programs.records import FINISH, Call, Outcome

Main: TypeAlias = Callable[[Comm], Coroutine[Any, Any, Any]]

NEW_OBJECTS = 100_000
"""The number of new tracked objects after which the garbage collector scans them."""

_END: Call = (FINISH,)


class ProgramRanks:
    """The ranks of a program. `_core.Run.with_program` resumes them, in batches.

    Attributes:
        returns: The return value of `main`, by rank; None where it has not returned.
        recorded_ranks: The number of ranks whose calls are recorded: all, or none.
        recorded: The recorded calls, once the run has ended.
    """

    def __init__(self, main: Main, ranks: int, scenario: _core.Scenario) -> None:
        """Creates the ranks before they begin, in the scenario of a program."""
        placed = cache(lambda: _core.PlacedRanks(scenario))
        self._world = world = World([Outbox() for _ in range(ranks)], scenario.processor_hertz, placed)
        self._group = Group(tuple(range(ranks)))
        self.returns: list[Any] = [None] * ranks
        self.recorded_ranks = 0
        self.recorded: _core.ProgramCalls | None = None
        self._main = main
        self._processes = [Process(rank, world) for rank in range(ranks)]
        self._coroutines: list[Coroutine[Any, Any, Any] | None] = [None] * ranks
        for process in self._processes:
            process.resume = partial(self._start, process)

    def start(
        self,
        scenario: _core.Scenario,
        engine: str,
        threads: int,
        _interrupted: threading.Event,
        peers: _core.Peers | None,
    ) -> _core.Run:
        """Begins the run of the program, which a user stops between two slices of it."""
        return _core.Run.with_program(scenario, engine, threads, self, self.recorded_ranks, peers)

    def finish(self, run: _core.Run) -> None:
        """Takes the calls that the run has recorded."""
        self.recorded = run.take_recorded()

    def begin(self) -> tuple[World, list[Process]]:
        """Prepares the next batch, in which Rust resumes ranks one after the other (`bindings/src/program.rs`)."""
        self._world.lists.clear()
        RUNNING.set(self._world)
        return self._world, self._processes

    def pause(self) -> None:
        """Notes that no rank runs until the next batch."""
        self._world.running = None
        RUNNING.set(None)

    def not_received(self) -> str | None:
        """The warning about messages that were sent and never received, if any."""
        left = [(source, target) for source, outbox in enumerate(self._world.outboxes) for target in outbox.left()]
        if not left:
            return None
        source, target = left[0]
        return (
            f"messages that no receive has matched: {len(left)}, the first of rank {source} to rank {target}; such "
            "sends end only as they are eager or buffered, and would wait forever by rendezvous"
        )

    def close(self) -> None:
        """Ends the ranks that have not ended, as when the run is stuck; exceptions that they raise then are ignored."""
        coroutines, self._coroutines = self._coroutines, []
        self._world.running = None
        for coroutine in coroutines:
            with suppress(Exception):
                if coroutine is not None:
                    coroutine.close()

    def _start(self, process: Process, _outcome: Outcome) -> object:
        """Runs a rank up to its first call."""
        coroutine = self._main(Comm(process, self._group, WORLD, WORLD))
        self._coroutines[process.rank] = coroutine
        process.resume = coroutine.send
        return coroutine.send(None)

    def end(self, process: Process, error: BaseException) -> Call:
        """Notes that the coroutine of a rank has ended: it has returned, or `error` ends the run."""
        rank = process.rank
        self._coroutines[rank] = None
        if isinstance(error, StopIteration):
            self.returns[rank] = error.value
            return _END
        RUNNING.set(None)
        error.add_note(f"raised in rank {rank} after {process.seconds:.9g} s of simulated time")
        if isinstance(error, RuntimeError) and "no running event loop" in str(error):
            error.add_note(f"rank {rank} awaits something of asyncio: {ONLY_OPERATIONS}")
        raise error

    def refuse(self, process: Process, awaited: object) -> Call:
        """Raises an error where a rank awaits an object that is no operation; returns its next call, if it goes on."""
        coroutine = self._coroutines[process.rank]
        assert coroutine is not None
        try:
            while type(awaited) is not tuple:
                what = "something that is no operation" if awaited is None else shown(awaited)
                awaited = coroutine.throw(TypeError(f"rank {process.rank} awaits {what}: {ONLY_OPERATIONS}"))
        except BaseException as error:
            return self.end(process, error)
        return awaited


@contextmanager
def rare_collections() -> Iterator[None]:
    """Lets the garbage collector run after more new objects than by default, within the block.

    Objects that ranks make and drop are freed at once. Thousands of suspended calls remain, which every collection
    would scan again: a quarter of the time of a program.
    """
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], NEW_OBJECTS) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


ONLY_OPERATIONS = "a program awaits operations of its communicator, such as comm.compute(seconds), and nothing else"
