"""Runs that can be resumed from checkpoints.

    DIR/checkpoints/000007.checkpoint    the newest two, until the run is complete
    DIR/result.json, *.parquet           moved in on completion; the checkpoints are then removed

A checkpoint is written atomically, so that a run killed at any moment resumes from the newest one. A damaged checkpoint
is skipped, and the one before it is used.
"""

import math
import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from torusim import _core
from torusim._core import InputError
from torusim.folder import CHECKPOINTS_FOLDER, RESULT_FILE, new_folder, write_error
from torusim.formatting import shown
from torusim.result import Result

SUFFIX = ".checkpoint"

CHECKPOINTS_KEPT = 2
"""Number of checkpoints kept: the newest may be damaged by the event that ended the run."""

DEFAULT_EVERY = "10min"

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
        every_seconds: Wall time between two checkpoints.
    """

    target: Path
    every_seconds: float
    _written_at: float = field(default_factory=time.monotonic)

    @property
    def is_due(self) -> bool:
        """Whether it is time for the next checkpoint."""
        return time.monotonic() - self._written_at >= self.every_seconds

    def save(self, run: _core.Run) -> None:
        """Writes the next checkpoint, and removes those that are no longer needed.

        Raises:
            InputError: If it cannot be written; earlier checkpoints are kept.
        """
        newest_first = _files(self.target)
        number = int(newest_first[0].stem) + 1 if newest_first else 0
        run.save(self.target / CHECKPOINTS_FOLDER / f"{number:06}{SUFFIX}")
        for old in newest_first[CHECKPOINTS_KEPT - 1 :]:
            old.unlink(missing_ok=True)
        self._written_at = time.monotonic()

    def keep(self, result: Result) -> None:
        """Moves the result into the folder, and removes the checkpoints unless the run was interrupted.

        Raises:
            InputError: If it cannot be written; the checkpoints are then kept.
        """
        new = self.target / CHECKPOINTS_FOLDER / "result"
        try:
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            result.write(new)
            tables = [path for path in new.iterdir() if path.name != RESULT_FILE]
            for path in [*tables, new / RESULT_FILE]:  # the summary last: it marks the result as complete
                path.replace(self.target / path.name)
            if result.outcome == "interrupted":
                new.rmdir()
            else:
                shutil.rmtree(self.target / CHECKPOINTS_FOLDER)
        except OSError as error:
            raise write_error(self.target, error) from None


def begin(target: Path, every_seconds: float, run: _core.Run, *, replace: bool) -> Keeper:
    """Creates the folder, with a checkpoint of the run's initial state.

    Raises:
        InputError: If the folder exists and may not be replaced, or cannot be written.
    """
    with new_folder(target, replace=replace) as folder:
        (folder / CHECKPOINTS_FOLDER).mkdir()
        Keeper(folder, every_seconds).save(run)
    return Keeper(target, every_seconds)


def resume(
    target: Path, every_seconds: float, threads: int | None, warn: Callable[[str], None]
) -> tuple[_core.Run, Keeper]:
    """Restores the run of a folder from its newest intact checkpoint.

    Args:
        target: The result folder of the run.
        every_seconds: Wall time between two checkpoints from now on.
        threads: Number of threads of the engine; None for the same number as before.
        warn: Called with a message for each checkpoint that cannot be used.

    Raises:
        InputError: If the folder has no checkpoint that can be used.
    """
    if not os.path.isdir(target):
        raise InputError(f"{target}: there is no such folder")
    files = _files(target)
    if not files:
        raise InputError(f"{target}: {_reason_for_none(target)}")
    problems = []
    for path in files:
        try:
            return _core.Run.resume(path, threads), Keeper(target, every_seconds)
        except InputError as error:
            problems.append(str(error))
            if path != files[-1]:
                warn(f"{error}; continuing from the previous one")
    raise InputError("; ".join(problems) + "; there is no other checkpoint")


def _reason_for_none(target: Path) -> str:
    if os.path.isfile(target / RESULT_FILE):
        return "this run is over: there is nothing to resume"
    return "has no checkpoints; torusim run --checkpoint-every 10min keeps some"


def _files(target: Path) -> list[Path]:
    """The checkpoints of a folder, newest first."""
    with suppress(OSError):
        files = (target / CHECKPOINTS_FOLDER).glob(f"*{SUFFIX}")
        return sorted((path for path in files if path.stem.isdecimal()), key=lambda path: int(path.stem), reverse=True)
    return []
