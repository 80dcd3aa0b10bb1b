"""Result folders, written atomically.

    DIR/result.json       schema version, versions, seed, resolved scenario, summary
    DIR/links.parquet …   one Parquet file for each table

A folder is filled under a temporary name next to its target and renamed at the end, so that no reader ever sees a
partial result. It is created before the run starts, so that a path that cannot be written is reported at once and not
after hours.
"""

import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from torusim._core import InputError
from torusim.common.files import refuse_locked, sync

RESULT_FILE = "result.json"

CHECKPOINTS_FOLDER = "checkpoints"
"""Subfolder of a run that is not complete; see `torusim.runs.checkpoints`."""

LOCK_FILE = "lock"
"""File in it that the process of the run holds locked."""

TOKEN_BYTES = 4
"""Random bytes in the name of a temporary file or folder."""


@dataclass
class NewFolder:
    """A folder that is filled under a temporary name.

    Attributes:
        path: The present path.
        target: The final path.
        replaces: Whether an earlier result at this path may be replaced.
        is_published: Whether the folder has its final path.
    """

    path: Path
    target: Path
    replaces: bool
    is_published: bool = False

    def publish(self) -> None:
        """Gives the folder its final path.

        Raises:
            InputError: If another file or folder has this path by now.
        """
        if not self.is_published:
            _rename(self.path, self.target, replace=self.replaces)
            self.path, self.is_published = self.target, True


@contextmanager
def new_folder(target: Path, *, replace: bool = False) -> Iterator[Path]:
    """A temporary folder that becomes `target` when the block ends; as `unpublished_folder`."""
    with unpublished_folder(target, replace=replace) as folder:
        yield folder.path


@contextmanager
def unpublished_folder(target: Path, *, replace: bool = False) -> Iterator[NewFolder]:
    """A temporary folder that is published when the block ends or earlier, and removed if the block raises before.

    Parent folders that had to be created are removed too, so that a run that cannot start leaves nothing behind.

    Args:
        target: Final path of the folder; missing parents are created.
        replace: Whether an earlier result at this path may be replaced.

    Raises:
        InputError: If `target` exists and may not be replaced, or cannot be written.
    """
    if replace and target.is_symlink():
        target = Path(os.path.realpath(target))  # the folder is replaced, and not the link to it
    refuse_existing(target, replace=replace)
    new = NewFolder(_temporary_name(target), target, replace)
    missing = [folder for folder in target.parents if not os.path.lexists(folder)]
    try:
        _make(new.path, target)
        yield new
    except BaseException:
        if not new.is_published:
            shutil.rmtree(new.path, ignore_errors=True)
            _remove_empty(missing)
        raise
    new.publish()


def temporary_folders(target: Path) -> list[Path]:
    """The folders that were made for this target and not published; their runs are still active, or were killed."""
    name = re.compile(rf"{re.escape(_temporary_prefix(target))}[0-9a-f]{{{2 * TOKEN_BYTES}}}")
    with suppress(OSError):
        return sorted(path for path in target.parent.iterdir() if name.fullmatch(path.name) and path.is_dir())
    return []


def numbered(target: Path) -> Path:
    """The path itself if it is free, or the first free one of `target-2`, `target-3`, …."""
    numbers = count(2)
    free = target
    while os.path.lexists(free):
        free = target.with_name(f"{target.name}-{next(numbers)}")
    return free


def refuse_existing(target: Path, *, replace: bool) -> None:
    """Refuses a folder that exists, unless it is a result that is to be replaced.

    Raises:
        InputError: If the folder cannot be used.
    """
    if not os.path.lexists(target):
        return
    if not replace:
        raise InputError(
            f"{target}: exists already; name another folder or remove it (the command replaces it with --force)"
        )
    try:
        if not _is_replaceable(target):
            raise InputError(f"{target}: is not a result folder, so it is not replaced; name another folder")
        refuse_locked(target / CHECKPOINTS_FOLDER / LOCK_FILE, target)
    except OSError as error:
        raise InputError(f"{target}: cannot be read: {error.strerror}") from None


def _is_replaceable(target: Path) -> bool:
    if not target.is_dir():
        return False
    names = [path.name for path in target.iterdir()]
    return (target / RESULT_FILE).is_file() or names in ([], [CHECKPOINTS_FOLDER])


def _make(temporary: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.mkdir()
        with suppress(FileNotFoundError):
            target.lstat()  # raises if no folder can have this name
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{target}: cannot be made, because a parent path is not a folder") from None
    except OSError as error:
        raise write_error(target, error) from None


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Writes a file atomically: under a temporary name next to `path`, which is then renamed.

    Raises:
        InputError: If it cannot be written.
    """
    temporary = _temporary_name(path)
    try:
        write(temporary)
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise write_error(path, error) from None
        raise


def write_error(target: Path, error: OSError) -> InputError:
    """The error to raise when a path cannot be written."""
    return InputError(f"{target}: cannot be written: {error.strerror or error}")


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """Turns errors of the operating system within the block into one that says that the target cannot be written."""
    try:
        yield
    except OSError as error:
        raise write_error(target, error) from None


def _remove_empty(folders: Iterable[Path]) -> None:
    """Removes the folders, innermost first, up to the first that is not empty because another run uses it."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _rename(temporary: Path, target: Path, *, replace: bool) -> None:
    try:
        if replace and target.exists():
            _exchange(temporary, target)
        else:
            temporary.rename(target)
    except OSError as error:
        reason = (
            "another run has written its result there"
            if target.is_dir() and not replace
            else f"cannot be written: {error.strerror or error}"
        )
        raise InputError(f"{target}: {reason}; this result is in {temporary}") from None
    with suppress(OSError):  # the result is complete; at worst a loss of power restores its earlier name
        sync(target.parent)


def _exchange(temporary: Path, target: Path) -> None:
    """Replaces an earlier result, which stays in place unless the new one has replaced it."""
    old = _temporary_name(target)
    target.rename(old)
    try:
        temporary.rename(target)
    except BaseException:
        if not os.path.lexists(target):
            old.rename(target)
        raise
    _remove(old, target)


def _remove(old: Path, target: Path) -> None:
    try:
        shutil.rmtree(old)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(
            f"{target}: holds the new result, but the earlier one could not be removed: {reason}; "
            f"what is left of it is in {old}"
        ) from None


def _temporary_name(target: Path) -> Path:
    absolute = Path(os.path.abspath(target))
    return absolute.with_name(_temporary_prefix(absolute) + secrets.token_hex(TOKEN_BYTES))


def _temporary_prefix(target: Path) -> str:
    return f".{os.path.basename(os.path.abspath(target))[:200]}."
