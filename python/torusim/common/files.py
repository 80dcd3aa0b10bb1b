"""Files and folders that a user names: which of them can be read, which are in use, and when they are on the disk."""

import fcntl
import os
import platform
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from torusim._core import InputError
from torusim.common.formatting import shown


def as_path(value: object, name: str) -> Path:
    """The path that a caller passed as the argument `name`.

    Raises:
        InputError: If it is no path. Bytes are refused, since messages and results name paths as text.
    """
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if isinstance(text, str) and "\0" not in text:
        with suppress(UnicodeEncodeError):  # half surrogates have no bytes
            os.fsencode(text)
            return Path(text)
    raise InputError(f"{name}: {shown(value)} has to be a path")


def open_to_read(path: Path) -> BinaryIO:
    """Opens a file. A pipe is refused, because it may block forever, and a device, because it may never end.

    Raises:
        InputError: If it is a pipe or a device.
        OSError: If it cannot be opened.
    """
    file = open(path, "rb", opener=_open_without_waiting)  # noqa: SIM115 - the caller closes it
    if is_special(os.fstat(file.fileno())):
        file.close()
        raise special_error(path)
    return file


def refuse_special(path: Path) -> None:
    """Raises an InputError if the path is a pipe or a device; the caller reports all other problems."""
    with suppress(OSError):
        if is_special(path.stat()):
            raise special_error(path)


def is_special(status: os.stat_result) -> bool:
    """Whether the path is neither a file nor a folder."""
    return not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode))


def special_error(path: Path) -> InputError:
    """The error to raise for a pipe or a device."""
    return InputError(f"{path}: is a pipe or a device, not a file; write its content to a file and name that")


def sync(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk, so that a loss of power cannot undo them."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path, what: Path) -> Iterator[None]:
    """Holds a lock file until the block ends; the operating system releases it if the process is killed.

    Raises:
        InputError: If another process holds it; the message says which, and that it uses `what`.
        OSError: If the file cannot be written.
    """
    with open(path, "a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _in_use(path, what) from None
        file.truncate(0)
        file.write(f"{os.getpid()} on {platform.node()}\n")
        file.flush()
        yield


def refuse_locked(path: Path, what: Path) -> None:
    """Raises an InputError if a process holds the lock file `path`, and thus uses `what`; it need not exist."""
    with suppress(FileNotFoundError, NotADirectoryError), open(path, encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _in_use(path, what) from None


def _in_use(path: Path, what: Path) -> InputError:
    with suppress(OSError, UnicodeDecodeError):
        if holder := path.read_text(encoding="utf-8").strip():
            return InputError(f"{what}: process {holder} is running it; wait for its end, or end that process")
    return InputError(f"{what}: another process is running it; wait for its end")


def _open_without_waiting(path: str, flags: int) -> int:
    """Opens a file; a pipe is opened even if nobody writes to it."""
    return os.open(path, flags | os.O_NONBLOCK)
