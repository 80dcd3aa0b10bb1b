"""Programs of MPI in C: how several tests compile them, and run them as processes on a simulated machine."""

import os
import subprocess
import uuid
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import torusim
from torusim import Result, processes
from torusim.cli.mpirun import exit_status_of

PROGRAMS = Path(__file__).parent / "mpi_programs"
MACHINE = {"preset": "bluegene-l", "shape": [4, 4, 4]}
MARK = "TORUSIM_TEST_RUN"
"""A variable of the environment by which the processes of one run are known."""

_SESSION = ExitStack()
_FOLDER = TemporaryDirectory(prefix="torusim-mpi-programs-")


@cache
def libraries() -> Path:
    """The folder with the MPI libraries and the header."""
    return _SESSION.enter_context(processes.libraries())


@cache
def compiled(name: str, *flags: str) -> Path:
    """A program of the folder, compiled with torusim's header and library."""
    return compiled_with(name, (f"-I{libraries()}", *flags), libraries() / "libmpi_abi.so.1")


@cache
def compiled_with(name: str, flags: tuple[str, ...], library: Path) -> Path:
    """A program of the folder, compiled with flags, such as those that find a header, and linked with a library."""
    program = Path(_FOLDER.name) / f"{name}-{uuid.uuid4().hex[:8]}"
    warnings = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter")
    files: list[str | Path] = [PROGRAMS / f"{name}.c", "-o", program, library, "-lm"]
    command = ["cc", "-O1", "-g", *warnings, *flags, *files]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return program


@dataclass
class Kept:
    """Keeps the output of ranks.

    Attributes:
        output: The bytes that each rank has written to its output, and to its errors.
    """

    output: dict[int, bytearray] = field(default_factory=lambda: defaultdict(bytearray))
    errors: dict[int, bytearray] = field(default_factory=lambda: defaultdict(bytearray))

    def write(self, rank: int, is_error: bool, data: bytes) -> None:
        """Keeps what a rank has written."""
        (self.errors if is_error else self.output)[rank] += data

    def close(self) -> None:
        """Has nothing to close."""


@dataclass(frozen=True)
class Ran:
    """A program that has been run.

    Attributes:
        status: The exit status that the command would have.
        mark: The value of the variable by which its processes are known.
    """

    result: Result
    status: int
    kept: Kept
    mark: str

    @property
    def digests(self) -> tuple[str, str]:
        """The digests of packets and of operations."""
        return digests(self.result)

    @property
    def words(self) -> str:
        """The words of the result on an end other than completion."""
        return str((self.result.summary["outcome_detail"] or {}).get("words"))

    @property
    def output(self) -> str:
        """The output of all ranks, by rank."""
        return b"".join(self.kept.output[rank] for rank in sorted(self.kept.output)).decode()

    @property
    def errors(self) -> str:
        """The errors that all ranks have written, by rank."""
        return b"".join(self.kept.errors[rank] for rank in sorted(self.kept.errors)).decode()


def digests(result: Result) -> tuple[str, str]:
    return result.summary["digest"], result.summary["operations_digest"]


def run(program: Path | str, *arguments: str | int, ranks: int = 2, **options: Any) -> Ran:  # noqa: ANN401
    """Runs a program; `options` are those of `torusim.run_processes`."""
    kept, mark = Kept(), uuid.uuid4().hex
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(MARK, mark)
        result = torusim.run_processes(
            [str(program), *map(str, arguments)],
            **{"ranks": ranks, "machine": MACHINE, "rank_timeout": 60.0, "output": kept, **options},
        )
    assert not processes_of(mark), "no process is left"
    return Ran(result, exit_status_of(result), kept, mark)


def processes_of(mark: str) -> list[str]:
    """The processes of a run that are left, in words."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended, or is another user's
            continue
        if f"{MARK}={mark}\0".encode() in environment:
            found.append(f"{folder.name}: {words}")
    return found


def children() -> list[str]:
    """The children of this process, with those that have ended and that nobody has waited for."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text()
        except OSError:  # it has ended
            continue
        if text.rpartition(")")[2].split()[1] == str(os.getpid()):
            found.append(text)
    return found


def descriptors() -> int:
    """The number of descriptors of this process."""
    return len(os.listdir("/proc/self/fd"))
