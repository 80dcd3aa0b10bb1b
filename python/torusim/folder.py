"""Result folders: written whole or not at all.

    DIR/result.json       schema version, versions, seed, resolved scenario, summary
    DIR/links.parquet …   one Parquet file for each table

A folder is filled under a temporary name beside its target and renamed at the end, so that no reader ever sees half
a result. It is made before the run starts: a place that cannot be written to is said at once, not after hours.
"""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torusim._core import InputError

RESULT_FILE = "result.json"


@contextmanager
def new_folder(target: Path, *, replace: bool = False) -> Iterator[Path]:
    """A temporary folder that becomes `target` when the block ends, and goes away when it raises.

    Args:
        target: Where the folder is wanted; folders above it are made.
        replace: Whether an earlier result there may be replaced.

    Raises:
        InputError: If `target` exists and may not be replaced, or cannot be written.
    """
    _refuse_existing(target, replace=replace)
    temporary = _make_beside(target)
    try:
        yield temporary
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    _rename(temporary, target, replace=replace)


def _refuse_existing(target: Path, *, replace: bool) -> None:
    if not os.path.lexists(target):
        return
    if not replace:
        raise InputError(
            f"{target}: exists already; name another folder or remove it (the command replaces it with --force)"
        )
    if target.is_dir() and ((target / RESULT_FILE).is_file() or not any(target.iterdir())):
        return
    raise InputError(f"{target}: is not a result folder, so it is not replaced; name another folder")


def _make_beside(target: Path) -> Path:
    temporary = _temporary_name(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.mkdir()
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{target}: cannot be made, because something above it is not a folder") from None
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from None
    return temporary


def _rename(temporary: Path, target: Path, *, replace: bool) -> None:
    try:
        if replace and target.exists():
            old = _temporary_name(target)
            target.rename(old)
            temporary.rename(target)
            shutil.rmtree(old)
        else:
            temporary.rename(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}; the result is in {temporary}") from None


def _temporary_name(target: Path) -> Path:
    absolute = Path(os.path.abspath(target))
    return absolute.with_name(f".{absolute.name[:200]}.{secrets.token_hex(4)}")
