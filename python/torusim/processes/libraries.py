"""The folder with the MPI libraries, the header and the commands of compilers.

The libraries travel in the compiled module. They are unpacked once, into a folder of the user's cache that is named
after their contents. Where that folder cannot be used, a temporary one takes its place, for one run.
"""

import errno
import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path

from torusim import _core
from torusim._core import InputError

LINKS = {
    "libmpi_abi.so": "libmpi_abi.so.1",
    "libmpich.so.12": "libmpi.so.12",
}
"""Other names of the libraries: for the linker, and that of Debian's MPICH."""


CLOCKS = "libtorusim_clocks.so"
"""The library with the clocks of ranks alone."""


@contextmanager
def libraries() -> Iterator[Path]:
    """The folder with the libraries.

    Raises:
        InputError: If there is no folder from which programs could load them.
    """
    folder = _cache_folder() / f"mpi-{_name()}"
    if (reason := _unpacked(folder)) is None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="torusim-mpi-") as temporary:
        other = Path(temporary)
        if (also := _unpacked(other / "mpi")) is not None:
            raise InputError(
                f"{folder}: the MPI libraries cannot be unpacked here ({reason}), nor in {temporary} ({also}); set "
                "XDG_CACHE_HOME to a folder from which programs can be run"
            )
        yield other / "mpi"


def _cache_folder() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    if named and Path(named).is_absolute():
        return Path(named) / "torusim"
    try:
        return Path.home() / ".cache" / "torusim"
    except RuntimeError:  # a user without a home folder: no folder can be made there
        return Path(os.devnull)


@cache
def _contents() -> dict[str, bytes]:
    return dict(_core.mpi_libraries())


@cache
def _name() -> str:
    digest = blake2b(digest_size=8)
    for name, content in _contents().items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()


def _unpacked(folder: Path) -> str | None:
    """Unpacks the libraries unless they are there; returns why they cannot be used, if so."""
    try:
        if not folder.is_dir():
            _unpack(folder)
        return _why_not_loaded(folder)
    except OSError as error:
        return error.strerror or str(error)


def _unpack(folder: Path) -> None:
    """Writes all files to a new folder, which then gets its name: nobody sees a part of them."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as temporary:
        new = Path(temporary) / "new"
        new.mkdir()
        for name, content in _contents().items():
            (new / name).write_bytes(content)
        for name, target in LINKS.items():
            (new / name).symlink_to(target)
        try:
            new.rename(folder)
        except OSError as error:  # another process was faster
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise


def _why_not_loaded(folder: Path) -> str | None:
    """Why programs cannot load the libraries, if so: a damaged file, or a file system without programs."""
    for name, content in _contents().items():
        if (folder / name).stat().st_size != len(content):
            return f"{name} is damaged: delete the folder"
    with (folder / "libmpi_abi.so.1").open("rb") as library:
        try:
            mmap.mmap(library.fileno(), 0, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()
        except PermissionError:
            return "its file system has the option noexec"
    return None
