"""Functions of mpi4py's module MPI that belong to the rank that calls them. None is awaited, and none takes time."""

from torusim.programs.process import Process, running_process

THREAD_SINGLE, THREAD_FUNNELED, THREAD_SERIALIZED, THREAD_MULTIPLE = range(4)
"""Levels of thread support; a rank is one coroutine, which is the first level."""


def Wtime() -> float:  # noqa: N802
    """The simulated time in seconds, as `comm.time()`."""
    return _rank("Wtime").seconds


def Wtick() -> float:  # noqa: N802
    """A processor cycle in seconds."""
    return 1 / _rank("Wtick").world.hertz


def Get_processor_name() -> str:  # noqa: N802
    """The coordinates of the rank's node, and its core: "node (3, 0, 1), core 0"."""
    rank = _rank("Get_processor_name")
    coordinates, core = rank.world.placed().place(rank.rank)
    return f"node ({', '.join(map(str, coordinates))}), core {core}"


def Init() -> None:  # noqa: N802
    """Does nothing: MPI is initialized when `main(comm)` begins, as it is when mpi4py has been imported."""


def Init_thread(required: int = THREAD_MULTIPLE) -> int:  # noqa: N802
    """The level of thread support that is provided.

    Raises:
        ValueError: If `required` is no level.
    """
    if required not in range(4):
        raise ValueError(f"required={required}: it is one of THREAD_SINGLE to THREAD_MULTIPLE")
    return THREAD_SINGLE


def Query_thread() -> int:  # noqa: N802
    """The level of thread support that is provided."""
    return THREAD_SINGLE


def Is_thread_main() -> bool:  # noqa: N802
    """Whether this is the main thread of the rank; always True, as a rank has one thread."""
    return True


def Is_initialized() -> bool:  # noqa: N802
    """Whether a program runs."""
    return running_process() is not None


def Is_finalized() -> bool:  # noqa: N802
    """Whether the program has ended; always False, as no rank can ask after the end."""
    return False


def Finalize() -> None:  # noqa: N802
    """Does nothing: MPI ends with the run."""


def _rank(name: str) -> Process:
    rank = running_process()
    if rank is None:
        raise RuntimeError(f"{name}() is called by a rank, while its program runs")
    return rank
