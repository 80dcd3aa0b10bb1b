"""Progress on stderr: a progress bar on a terminal, a text line from time to time elsewhere.

Nothing is shown for an activity that takes less than two seconds.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn

from torusim import _core
from torusim.cli.screen import console
from torusim.common.formatting import about, count, duration, rate
from torusim.sweeps.remaining import Remaining

SHOWN_AFTER_SECONDS = 2.0
LINE_EVERY_SECONDS = 10.0


class Waiting:
    """Shows the current activity once it has taken two seconds; a context manager that removes the bar on exit."""

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        """Creates a display of the activity `what`, such as "reading the result"; a `quiet` one shows nothing."""
        self._what = what
        self._quiet = quiet
        self._started = time.monotonic()
        self._renderer: _Bar | _Lines | None = None
        # A separate thread, because the activity may not call back for a long time.
        self._timer = threading.Timer(SHOWN_AFTER_SECONDS, self._show_activity)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._has_progress = False

    def __enter__(self) -> Self:
        """Starts the timer."""
        self._started = time.monotonic()
        if not self._quiet:
            self._timer.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Removes the bar from the screen."""
        self._timer.cancel()
        with self._lock:
            self._quiet = True
            if isinstance(self._renderer, _Bar):
                self._renderer.close()

    def _show_activity(self) -> None:
        with self._lock:
            if not self._quiet and not self._has_progress:
                self._begin().say(self._what)

    def _show(self, after: Callable[[float], "_Shown"]) -> None:
        """Shows the progress that `after` returns for the elapsed seconds, once two seconds have passed."""
        elapsed_seconds = time.monotonic() - self._started
        with self._lock:
            self._has_progress = True
            if elapsed_seconds >= SHOWN_AFTER_SECONDS and not self._quiet:
                self._begin().show(after(elapsed_seconds), elapsed_seconds)

    def _begin(self) -> "_Bar | _Lines":
        if self._renderer is None:
            screen = console(stderr=True)
            self._renderer = _Bar(screen) if screen.is_terminal else _Lines(screen)
        return self._renderer


class ProgressDisplay(Waiting):
    """Shows the progress of a run; called with each report."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Shows "setting up the machine" until the first report; a quiet display never shows anything."""
        super().__init__("setting up the machine", quiet=quiet)
        self._left = Remaining()

    def __call__(self, progress: _core.Progress) -> None:
        """Shows the progress if the run has taken two seconds."""
        left_seconds = self._left.seconds(progress.fraction, time.monotonic())
        self._show(lambda _: _Shown(progress.fraction, formatted(progress, left_seconds), is_last=progress.done))


class SharesDisplay(Waiting):
    """Shows the completed share of some work, if it is known, and the current activity."""

    def __call__(self, words: str, fraction: float | None) -> None:
        """Shows the current activity and the completed share."""
        self._show(lambda _: _Shown(None if fraction is None else min(fraction, 1.0), words))


@dataclass(frozen=True)
class _Shown:
    """The completed share, 0 to 1, if known, and a text; the last report is always shown."""

    fraction: float | None
    words: str
    is_last: bool = False


class _Bar:
    def __init__(self, screen: Console) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            BarColumn(bar_width=10),
            TaskProgressColumn(),
            TextColumn("{task.description}"),
            console=screen,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None)
        self._progress.start()

    def say(self, what: str) -> None:
        self._progress.update(self._task, description=what)

    def show(self, shown: _Shown, _elapsed_seconds: float) -> None:
        self._progress.update(
            self._task,
            total=None if shown.fraction is None else 1.0,
            completed=shown.fraction or 0.0,
            description=shown.words,
        )

    def close(self) -> None:
        self._progress.stop()


class _Lines:
    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._next_seconds = 0.0

    def say(self, what: str) -> None:
        self._screen.print(what, soft_wrap=True)

    def show(self, shown: _Shown, elapsed_seconds: float) -> None:
        if elapsed_seconds < self._next_seconds and not shown.is_last:
            return
        self._next_seconds = elapsed_seconds + LINE_EVERY_SECONDS
        done = "" if shown.fraction is None else f"{shown.fraction:.0%} done, "
        self._screen.print(done + shown.words, soft_wrap=True)


def formatted(progress: _core.Progress, left_seconds: float | None) -> str:
    """Simulated time, packets delivered, speed, and the remaining time if it can be estimated."""
    parts = [
        f"simulated {duration(progress.seconds_simulated)}",
        f"{count(progress.packets_delivered)} packets",
    ]
    if progress.engine_seconds > 0:
        parts.append(rate(progress.packet_hops / progress.engine_seconds))
    if progress.done:
        parts.append("writing the result")
    elif left_seconds is not None:
        parts.append(f"{about(left_seconds)} left")
    return ", ".join(parts)
