"""The command of a program: its file, and the MPI library that it needs."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from torusim import _core
from torusim._core import InputError
from torusim.common.formatting import shown

KNOWN = ("libmpi_abi.so.1", "libmpi.so.12", "libmpich.so.12", "libmpi.so.40")
"""The MPI libraries that torusim has, by the names under which programs look for them."""

OTHER_LANGUAGES = {
    "libmpi_mpifh.so.40": "Fortran",
    "libmpi_usempif08.so.40": "Fortran",
    "libmpi_usempi_ignore_tkr.so.40": "Fortran",
    "libmpifort.so.12": "Fortran",
    "libmpichfort.so.12": "Fortran",
    "libmpi_cxx.so.40": "C++ bindings of MPI 2",
    "libmpicxx.so.12": "C++ bindings of MPI 2",
    "libmpichcxx.so.12": "C++ bindings of MPI 2",
}
"""Libraries for programs that use MPI from other languages, which torusim does not have."""


@dataclass(frozen=True)
class Command:
    """A program to run.

    Attributes:
        words: The program as the user has named it, and its arguments.
        path: The file of the program.
        library: The MPI library that it needs, as it names it; None for a script, which may start other programs.
    """

    words: tuple[str, ...]
    path: Path
    library: str | None

    @property
    def name(self) -> str:
        """The name of the program: that of its script if Python runs one, as results of `python` say little."""
        scripts = (Path(word).stem for word in self.words[1:] if word.endswith(".py"))
        return next(scripts, self.path.name) if self.path.name.startswith("python") else self.path.name


def command_of(words: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> Command:
    """The command of a program and its arguments.

    Raises:
        InputError: If there is no such program, or it cannot run here.
    """
    if isinstance(words, str | os.PathLike):
        words = [words]
    given = tuple(os.fspath(word) for word in words)
    if not given:
        raise InputError("command: needs the program to run, such as ./a.out")
    name = given[0]
    found = shutil.which(name)
    if found is None:
        if Path(name).is_file() and name.endswith(".py"):
            raise InputError(f"{name}: is not executable; name Python, too: python {name}")
        if Path(name).is_file():
            why = "is not executable" if os.sep in name else f"is not in PATH; if it is the file here, name it ./{name}"
            raise InputError(f"{name}: {why}")
        raise InputError(f"{name}: there is no such program" + ("" if os.sep in name else " in PATH"))
    return Command(given, Path(found).absolute(), _library_of(name, Path(found)))


def _library_of(name: str, path: Path) -> str | None:
    try:
        kind, needed = _core.program_file(path)
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror})") from None
    if kind == "foreign":
        raise InputError(f"{name}: is a program for another kind of computers")
    if kind == "static":
        raise InputError(
            f"{name}: is linked statically, with the MPI library that it had; link it with a shared MPI library "
            "(torusim mpicc does)"
        )
    for library in needed:
        if library in OTHER_LANGUAGES:
            raise InputError(f"{name}: needs {library} ({OTHER_LANGUAGES[library]}), which torusim does not have")
    known = [library for library in needed if library in KNOWN]
    others = [library for library in needed if library.startswith(("libmpi.so", "libmpich.so"))]
    if not known and others:
        raise InputError(f"{name}: needs {shown(others[0])}; torusim has {', '.join(KNOWN)}")
    return known[0] if known else None
