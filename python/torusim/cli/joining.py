"""The processes of a command: what it checks before it starts or waits for others, and what it shows meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from torusim._core import Peers
from torusim.cli.progress import Waiting
from torusim.runs.peers import mpi_processes, peers_of


@contextmanager
def joined(
    processes: int | None, meet_at: str | None, check: Callable[[tuple[int, int]], object], *, quiet: bool
) -> Iterator[Peers | None]:
    """The processes of a command, as `peers_of` has them.

    `check` raises an error if the command cannot run: with the numbers of all processes and of those on this computer,
    as far as they are known before the others come.
    """
    count = processes or 1
    if count > 1 and mpi_processes() == 1:
        check((count, count if meet_at is None else 1))
    with ExitStack() as block:
        if meet_at is None:
            yield block.enter_context(peers_of(processes))
            return
        others = f"torusim follow {meet_at} --number K --processes {count}, for K from 1 to {count - 1}"
        with Waiting(f"waiting a minute for {others}", quiet=quiet):
            peers = block.enter_context(peers_of(processes, meet_at))
        yield peers
