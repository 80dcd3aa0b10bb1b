"""The processes that run one simulation together: started here, joined over the network, or those of mpiexec.

    process 0     the command, as if it were alone: reads, reports, writes
    the others    follow: each runs its part of the nodes, and is silent

Each process has its own part of the nodes. The number of processes changes no result.
"""

import os
import platform
import signal
import struct
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torusim import _core
from torusim._core import InputError, LostProcessError

PROCESSES_LIMIT = 4096

PATIENCE_SECONDS = 60.0
"""Time in which all processes have to come; a computer may be busy, and import from a slow disk."""

_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE")
"""The variables in which launchers of MPI tell the number of processes. With PMIx alone, Slurm tells it."""

_FIRST_BYTES = 2032
"""Bytes of a message that travel with its head: those of a window, for 32 x 32 nodes at a border."""


def mpi_processes() -> int:
    """The number of processes with which a launcher of MPI has started this one, by the environment; 1 without one."""
    names = [*_SIZES, *(["SLURM_NTASKS"] if "PMIX_RANK" in os.environ else [])]
    sizes = [os.environ[name] for name in names if os.environ.get(name, "").isdecimal()]
    return max(map(int, sizes), default=1)


@contextmanager
def peers_of(processes: int | None, meet_at: str | None = None) -> Iterator["_core.Peers | None"]:
    """The processes of a command, for the time of a block; None for this one alone.

    In a process of mpiexec other than the first, the block is not entered: the process follows, and then exits.

    Args:
        processes: The number of processes; None for those of mpiexec, if there are any, or this one alone.
        meet_at: `host:port` at which to wait for processes that `torusim follow` starts on other computers. None starts
            them here.

    Raises:
        InputError: If the processes cannot be started, or do not come.
    """
    of_mpi = mpi_processes()
    if of_mpi > 1:
        if meet_at is not None or processes not in (None, of_mpi):
            raise InputError(f"--processes: mpiexec has started {of_mpi}, which run it together")
        with _of_mpi() as peers:
            yield peers
    elif processes in (None, 1) and meet_at is not None:
        raise InputError("--meet-at: needs --processes N, the number of those that meet there")
    elif processes is not None and meet_at is not None:
        require_address("--meet-at", meet_at)
        with _led(_joined(0, processes, meet_at)) as peers:
            yield peers
    else:
        with started_here(processes or 1) as peers:
            yield peers


def require_address(name: str, address: str) -> None:
    """Refuses an address that is neither `host:port` nor a path.

    Raises:
        InputError: It names the option.
    """
    host, _, port = address.rpartition(":")
    if "/" in address:
        return  # a socket of this computer
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise InputError(f"{name}: {address}: is no HOST:PORT, such as node1:5000")


def _joined(number: int, processes: int, address: str, look: Callable[[], object] | None = None) -> _core.Peers:
    """The processes that meet at an address; `look` raises an error if others that are waited for cannot come."""
    return _alike(_core.Peers.join(number, processes, address, PATIENCE_SECONDS, look))


def _alike(peers: _core.Peers) -> _core.Peers:
    """The same processes, which know how many of them share a computer.

    Raises:
        InputError: If they do not have the same build of torusim; each of them raises it.
    """
    own = f"{_core.__version__} (a module of {Path(_core.__file__).stat().st_size:,} bytes)"
    texts = peers.texts(own)
    for number, text in enumerate(texts):
        if text != texts[0]:
            raise InputError(f"processes: process {number} has torusim {text}, and process 0 has {texts[0]}")
    computers = peers.texts(_computer())
    return peers.sharing(computers.count(computers[peers.number]))


def _computer() -> str:
    """A text that differs between computers, and not between containers of one, which share its memory."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        return platform.node()


def processes_of(peers: "_core.Peers | None") -> tuple[int, int]:
    """The numbers of all processes and of those on this computer."""
    return (1, 1) if peers is None else (peers.count, peers.here)


@contextmanager
def _led(peers: _core.Peers) -> Iterator[_core.Peers]:
    """Ends the others at the end of the block, unless one of them is lost."""
    try:
        yield peers
    except LostProcessError:
        raise
    except BaseException:
        peers.end()
        raise
    peers.end()


@contextmanager
def started_here(processes: int) -> Iterator["_core.Peers | None"]:
    """This process and others that are started on this computer, for the time of a block; None for this one alone.

    Raises:
        InputError: If the processes cannot be started, or do not come.
        LostProcessError: If one of them ends before.
    """
    if processes == 1:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="torusim-") as folder:
        address = str(Path(folder) / "meet")
        followers = [_start(address, number, processes) for number in range(1, processes)]

        def look() -> None:
            for number, follower in enumerate(followers, 1):
                if follower.poll() is not None:
                    raise LostProcessError(f"process {number} has ended before the run has begun")

        try:
            with _led(_joined(0, processes, address, look)) as peers:
                yield peers
            for follower in followers:
                follower.wait()
        finally:
            for follower in followers:
                follower.kill()
                follower.wait()


def _start(address: str, number: int, processes: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "torusim.runs.peers", address, str(number), str(processes), str(os.getpid())]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def join(address: str, number: int, processes: int, look: Callable[[], object] | None = None) -> _core.Peers:
    """Joins this process to others, of which process 0 waits at an address. Then Ctrl-C no longer ends it.

    Args:
        address: The address.
        number: The number of this process, from 1.
        processes: The number of all.
        look: Called while this process waits for others; raises an error if they cannot come.

    Raises:
        InputError: If the processes do not come together.
        LostProcessError: If one of them has ended.
        KeyboardInterrupt: At Ctrl-C while it waits for them.
    """
    peers = _joined(number, processes, address, look)
    # Ctrl-C reaches all processes of a terminal; process 0 decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return peers


class _Mpi:
    """A carrier by mpi4py.

    All processes swap the heads of their messages at once: the word, the length, and the first bytes. Few messages are
    longer; their rest follows from one process to the other.
    """

    def __init__(self, mpi: Any) -> None:  # noqa: ANN401 - a module without types
        self._mpi = mpi
        self._comm = mpi.COMM_WORLD.Dup()
        self.number: int = self._comm.Get_rank()
        self.count: int = self._comm.Get_size()
        self._head = struct.Struct(f"<QQ{_FIRST_BYTES}s")
        self._sent = bytearray(self.count * self._head.size)
        self._received = bytearray(self.count * self._head.size)

    def swap(self, word: int, messages: Sequence[bytes]) -> tuple[int, list[bytes | bytearray]]:
        """Gives `messages[p]` to process `p`; returns the least of all words, and the messages for this process."""
        size = self._head.size
        for other, message in enumerate(messages):
            self._head.pack_into(self._sent, other * size, word, len(message), message[:_FIRST_BYTES])
        self._comm.Alltoall([self._sent, self._mpi.BYTE], [self._received, self._mpi.BYTE])
        requests: list[Any] = []
        got: list[bytes | bytearray] = list(messages)
        least = word
        for other in range(self.count):
            if other == self.number:
                continue
            word_of_other, length, first = self._head.unpack_from(self._received, other * size)
            least = min(least, word_of_other)
            if length <= _FIRST_BYTES:
                got[other] = first[:length]
            else:
                got[other] = rest = bytearray(length)
                rest[:_FIRST_BYTES] = first
                part = memoryview(rest)[_FIRST_BYTES:]
                requests.append(self._comm.Irecv([part, self._mpi.BYTE], other))
            if len(messages[other]) > _FIRST_BYTES:
                part = memoryview(messages[other])[_FIRST_BYTES:]
                requests.append(self._comm.Isend([part, self._mpi.BYTE], other))
        self._mpi.Request.Waitall(requests)
        return least, got


@contextmanager
def _of_mpi() -> Iterator[_core.Peers]:
    try:
        from mpi4py import MPI
    except ImportError as error:
        hint = "one run on several processes of mpiexec needs mpi4py: pip install 'torusim[mpi]'"
        raise InputError(f"{hint} ({error})") from None
    carrier = _Mpi(MPI)
    try:
        peers = _alike(_core.Peers.carried_by(carrier))
        if carrier.number > 0:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            peers.follow()
            sys.exit(0)
        with _led(peers):
            yield peers
    except (InputError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        # The others wait in a call of MPI for this process, for ever.
        traceback.print_exc()
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)
        raise


def _main() -> None:
    address, number, processes, parent = sys.argv[1:]

    def look() -> None:
        if os.getppid() != int(parent):
            raise LostProcessError("process 0 has ended")

    try:
        join(address, int(number), int(processes), look).follow()
    except (InputError, LostProcessError, KeyboardInterrupt):
        sys.exit(1)  # process 0 says what has happened


if __name__ == "__main__":
    _main()
