"""Runs that can be resumed from checkpoints.

    DIR/checkpoints/000007.checkpoint    the newest two, until the run is complete; the first after two minutes, or
                                         when the run is interrupted, or at the start if an interval is given
    DIR/checkpoints/000007.checkpoint.part-1-of-4        the nodes of each process, if there are several
    DIR/checkpoints/lock                 held by the process of the run, and names it
    DIR/result.json, *.parquet           moved in on completion; the checkpoints are then removed

A checkpoint is written atomically, so that a run killed at any moment resumes from the newest one. A damaged checkpoint
is skipped, and the one before it is used.
"""

import math
import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from torusim import _core
from torusim._core import InputError
from torusim.common.files import locked, sync
from torusim.common.folder import (
    CHECKPOINTS_FOLDER,
    LOCK_FILE,
    RESULT_FILE,
    NewFolder,
    temporary_folders,
    unpublished_folder,
    write_error,
    writing,
)
from torusim.common.formatting import shown
from torusim.runs.result import Result, load

Warn: TypeAlias = Callable[[str], object]

SUFFIX = ".checkpoint"

CHECKPOINTS_KEPT = 2
"""Number of checkpoints kept: the newest may be damaged by the event that ended the run."""

DEFAULT_EVERY = "10min"

AUTOMATIC = "auto"
"""The interval of a run for which none is given: `DEFAULT_EVERY`, from its second minute on."""

NEVER = "never"

AUTOMATIC_FIRST_SECONDS = 120.0
"""Wall time after which a run keeps checkpoints; work that is lost before is soon repeated."""

_SECONDS = {"s": 1, "min": 60, "h": 3600}


def parse_every(text: str | float) -> float:
    """Seconds between two checkpoints, from a number of seconds or a text such as "10min".

    Raises:
        InputError: If it is neither, or not above 0.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|min|h)", text.strip()) if isinstance(text, str) else None
    seconds = float(match[1]) * _SECONDS[match[2]] if match else _as_seconds(text)
    if not seconds > 0:
        raise InputError(f'checkpoint every {shown(text)}: has to be a time above 0, such as "90s", "10min" or "1.5h"')
    return seconds


@dataclass(frozen=True)
class Times:
    """The times at which a run writes checkpoints, in wall time.

    Attributes:
        first_seconds: Time from the start of the run to the first checkpoint; 0 for the initial state, before it runs.
        every_seconds: Time between two checkpoints.
    """

    first_seconds: float
    every_seconds: float


def parse_times(text: str | float | None) -> Times | None:
    """The times of a run's checkpoints from an interval or "auto"; None for "never" or None.

    Raises:
        InputError: If the value is none of these.
    """
    if text is None or text == NEVER:
        return None
    if isinstance(text, str) and text == AUTOMATIC:
        return Times(AUTOMATIC_FIRST_SECONDS, parse_every(DEFAULT_EVERY))
    try:
        return Times(0.0, parse_every(text))
    except InputError as error:
        raise InputError(f'{error}, or "never"') from None


def _as_seconds(text: str | float) -> float:
    if isinstance(text, bool) or not isinstance(text, int | float):
        return 0.0
    try:
        return float(text)
    except OverflowError:
        return math.copysign(math.inf, text > 0 or -1)


@dataclass
class Keeper:
    """Writes the checkpoints of one run to its result folder.

    Attributes:
        target: The folder of the result.
        times: The times at which it writes checkpoints.
        warn: Called with a message when a file cannot be written that the run can do without.
    """

    target: Path
    times: Times
    warn: Warn
    _new: NewFolder | None = None
    _lock: ExitStack = field(default_factory=ExitStack)
    _tried_at: float = field(default_factory=time.monotonic)
    _has_tried: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether a checkpoint has been written. Before that, the result's folder has a temporary name."""
        return self._new is None or self._new.is_published

    @property
    def how_to_go_on(self) -> str:
        """What continues the run after its end, in words."""
        if not self.has_begun:
            return "the run has no checkpoint"
        return f"torusim resume {shlex.quote(str(self.target))} continues from the last checkpoint"

    @property
    def is_due(self) -> bool:
        """Whether it is time for the next checkpoint."""
        interval_seconds = self.times.every_seconds if self._has_tried else self.times.first_seconds
        return time.monotonic() - self._tried_at >= interval_seconds

    def begin(self, run: _core.Run) -> None:
        """Writes the first checkpoint, locks the folder and gives it its name.

        Raises:
            InputError: If one of these is not possible.
        """
        assert self._new is not None
        self._tried_at, self._has_tried = time.monotonic(), True
        folder = self._new.path
        with writing(self.target):
            (folder / CHECKPOINTS_FOLDER).mkdir(exist_ok=True)
            self._lock.close()  # of an earlier attempt
            self._lock.enter_context(locked(folder / CHECKPOINTS_FOLDER / LOCK_FILE, self.target))
        write_next(folder, run)
        self._new.publish()

    def save(self, run: _core.Run, *, is_last: bool = False) -> None:
        """Writes the next checkpoint, or the last of this process; if that fails, warns and keeps the earlier ones."""
        try:
            if not self.has_begun:
                self.begin(run)
                return
            self._tried_at = time.monotonic()
            write_next(self.target, run)
        except InputError as error:
            then = "the run ends here" if is_last else "the run goes on"
            self.warn(f"{error}; {then}, and the earlier checkpoints are kept")

    def keep(self, result: Result) -> None:
        """Moves the result into the folder, and removes the checkpoints unless the run was interrupted.

        They are removed only when the result is on the disk, so that a loss of power never leaves neither.

        Raises:
            InputError: If the result cannot be written; the checkpoints are then kept.
        """
        if not self.has_begun:
            self._write(result)
            return
        try:
            _move_in(result, self.target)
        except OSError as error:
            hint = f"its checkpoints are kept: torusim resume {self.target} continues from there"
            raise InputError(f"{write_error(self.target, error)}; {hint}") from None
        if result.outcome != "interrupted":
            self._remove_checkpoints()

    def _write(self, result: Result) -> None:
        """Writes the result of a run without checkpoints."""
        assert self._new is not None
        shutil.rmtree(self._new.path / CHECKPOINTS_FOLDER, ignore_errors=True)  # of an attempt that failed
        with writing(self.target):
            result.write(self._new.path)

    def _remove_checkpoints(self) -> None:
        try:
            for path in _files(self.target):  # before their parts, without which none may be left
                path.unlink()
            shutil.rmtree(self.target / CHECKPOINTS_FOLDER)
        except OSError as error:
            reason = error.strerror or error
            self.warn(f"{self.target}: the result is complete, but its checkpoints could not be removed: {reason}")


def _move_in(result: Result, target: Path) -> None:
    """Writes a result next to the checkpoints, and moves it into the folder when it is complete."""
    new = target / CHECKPOINTS_FOLDER / "result"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    result.write(new)
    tables = [path for path in new.iterdir() if path.name != RESULT_FILE]
    for path in [*tables, new / RESULT_FILE]:  # the summary last: it marks the result as complete
        path.replace(target / path.name)
    sync(target)
    new.rmdir()


def write_next(target: Path, run: _core.Run) -> None:
    """Writes the next checkpoint of a folder, and removes those that are no longer needed.

    Raises:
        InputError: If it cannot be written; earlier checkpoints are kept.
    """
    newest_first = _files(target)
    number = int(newest_first[0].stem) + 1 if newest_first else 0
    run.save(target / CHECKPOINTS_FOLDER / f"{number:06}{SUFFIX}")
    for old in newest_first[CHECKPOINTS_KEPT - 1 :]:
        with suppress(OSError):  # the next checkpoint tries again
            old.unlink()
            for part in old.parent.glob(f"{old.name}.part-*"):
                part.unlink()


@contextmanager
def keeper_of(target: Path, times: Times, warn: Warn, *, replace: bool) -> Iterator[Keeper]:
    """Creates the folder, under a temporary name until the first checkpoint or the end; locks it from then on.

    Raises:
        InputError: If the folder exists and may not be replaced, is in use, or cannot be written.
    """
    with ExitStack() as lock, unpublished_folder(target, replace=replace) as new:
        yield Keeper(target, times, warn, new, lock)


@contextmanager
def resume(
    target: Path, every_seconds: float, threads: int | None, warn: Warn, peers: _core.Peers | None = None
) -> Iterator[tuple[_core.Run, Keeper]]:
    """Restores the run of a folder from its newest intact checkpoint, and locks the folder until the block ends.

    Args:
        target: The result folder of the run.
        every_seconds: Wall time between two checkpoints from now on.
        threads: Number of threads of the engine; None for the same number as before.
        warn: Called with a message for each checkpoint that cannot be used or written.
        peers: The processes that run it together; None for this one alone.

    Raises:
        InputError: If the folder has no checkpoint that can be used, or another process is running it.
    """
    if not os.path.isdir(target):
        raise InputError(f"{target}: {_reason_for_no_folder(target)}")
    if not _files(target):
        raise InputError(f"{target}: {_reason_for_none(target)}")
    with ExitStack() as stack:
        with writing(target):
            stack.enter_context(locked(target / CHECKPOINTS_FOLDER / LOCK_FILE, target))
        times = Times(every_seconds, every_seconds)
        yield _newest_intact(target, threads, warn, peers), Keeper(target, times, warn)


def _newest_intact(target: Path, threads: int | None, warn: Warn, peers: _core.Peers | None) -> _core.Run:
    files = _files(target)
    problems = []
    for path in files:
        try:
            return _core.Run.resume(path, threads, peers)
        except InputError as error:
            problems.append(str(error))
            if path != files[-1]:
                warn(f"{error}; continuing from the previous one")
    raise InputError("; ".join([*problems, "there is no other checkpoint"]))


def has_checkpoints(target: Path) -> bool:
    """Whether the run of a folder can be resumed."""
    return bool(_files(target))


def _reason_for_no_folder(target: Path) -> str:
    if os.path.lexists(target):
        return "is a file; a run is resumed by the folder of its result, such as runs/NAME-1"
    if left := temporary_folders(target):
        killed = ", ".join(map(str, left))
        return (
            f"there is no such folder, only {killed}, of a run that has not written a checkpoint yet; "
            "if that run was killed, remove it and run the scenario again"
        )
    return "there is no such folder"


def _reason_for_none(target: Path) -> str:
    if os.path.isfile(target / RESULT_FILE):
        if load(target).outcome == "interrupted":
            place = shlex.quote(str(target))
            again = f"torusim run {place}/{RESULT_FILE} --out {place} --force"
            return f"was interrupted and has no checkpoints; {again} runs it again from its start"
        return "this run is over: there is nothing to resume"
    return "has no checkpoints: a run keeps some from its second minute on, or with --checkpoint-every 10min"


def _files(target: Path) -> list[Path]:
    """The checkpoints of a folder, newest first."""
    with suppress(OSError):
        files = (target / CHECKPOINTS_FOLDER).glob(f"*{SUFFIX}")
        return sorted((path for path in files if path.stem.isdecimal()), key=lambda path: int(path.stem), reverse=True)
    return []
