"""Programs of `torusim.run_program` as processes: `torusim mpirun -n 64 python script.py`.

    async def main(comm): ...          torusim.run_program(main, ranks=64)       all ranks in one process
    torusim.awaited.run(main)          torusim mpirun -n 64 python script.py     a process for each rank

Both make the same calls, so that results have equal digests. Modules, from the bottom up: `library` (the MPI library of
the process), `collective` (data of collectives), `rank` (the calls of a rank, as records).
"""

import sys
import traceback
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from torusim.awaited.collective import SharedGroup
from torusim.awaited.library import Library
from torusim.awaited.rank import Rank
from torusim.common.formatting import shown
from torusim.programs import Comm
from torusim.programs.communicator import WORLD
from torusim.programs.process import RUNNING
from torusim.programs.ranks import ONLY_OPERATIONS
from torusim.programs.records import ABORT

__all__ = ["run"]

Main: TypeAlias = Callable[[Comm], Coroutine[Any, Any, Any]]


def run(main: Main) -> Any:  # noqa: ANN401
    """Runs `async def main(comm)` as the program of this process's rank, and returns what it returns.

    The process has been started by `torusim mpirun`. `comm` has all ranks, and is a `torusim.Comm`. Before and after, a
    program may use mpi4py. An exception of `main` is printed, and ends the run as `comm.Abort` does.

    Args:
        main: The program of each rank. It awaits operations of its communicator, and nothing else.

    Raises:
        RuntimeError: If the process has not been started by `torusim mpirun`.
    """
    library = Library()
    SharedGroup.library = library
    rank = Rank(library)
    comm = Comm(rank, SharedGroup(tuple(range(library.size))), WORLD, WORLD)
    token = RUNNING.set(rank.world)
    try:
        return _driven(main(comm), rank)
    except Exception as error:
        error.add_note(f"raised in rank {rank.rank} after {rank.seconds:.9g} s of simulated time")
        traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        rank.carry_out((ABORT, 1))
        raise
    finally:
        RUNNING.reset(token)


def _driven(coroutine: Coroutine[Any, Any, Any], rank: Rank) -> Any:  # noqa: ANN401
    """Carries out the calls of a coroutine; returns what it returns."""
    outcome = None
    while True:
        try:
            call = coroutine.send(outcome)
            while type(call) is not tuple:
                what = "something that is no operation" if call is None else shown(call)
                call = coroutine.throw(TypeError(f"rank {rank.rank} awaits {what}: {ONLY_OPERATIONS}"))
        except StopIteration as end:
            rank.pass_computed()
            return end.value
        outcome = rank.carry_out(call)
