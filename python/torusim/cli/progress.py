"""How far a run is, on stderr: a bar on a terminal, now and then a plain line elsewhere.

Nothing is shown of a run that takes less than two seconds.
"""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from torusim import _core
from torusim.cli.screen import console
from torusim.wording import count, duration, rate

SHOWN_AFTER_SECONDS = 2.0
LINE_EVERY_SECONDS = 10.0


class ProgressDisplay:
    """Shows each progress that it is called with; use it as a context, so that the bar goes away."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Begins to count time; a quiet display never shows anything."""
        self._quiet = quiet
        self._started = time.monotonic()
        self._shower: _Bar | _Lines | None = None

    def __call__(self, progress: _core.Progress) -> None:
        """Shows how far the run is, if it is a long one."""
        elapsed_seconds = time.monotonic() - self._started
        if self._quiet or elapsed_seconds < SHOWN_AFTER_SECONDS:
            return
        if self._shower is None:
            screen = console(stderr=True)
            self._shower = _Bar(screen) if screen.is_terminal else _Lines(screen)
        self._shower.show(progress, elapsed_seconds)

    def __enter__(self) -> Self:
        """Gives itself."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Takes the bar off the screen."""
        if isinstance(self._shower, _Bar):
            self._shower.close()


class _Bar:
    def __init__(self, screen: Console) -> None:
        self._progress = Progress(
            BarColumn(bar_width=10),
            TaskProgressColumn(),
            TextColumn("{task.description}"),
            console=screen,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None)
        self._progress.start()

    def show(self, progress: _core.Progress, elapsed_seconds: float) -> None:
        self._progress.update(
            self._task,
            total=None if progress.fraction is None else 1.0,
            completed=progress.fraction or 0.0,
            description=in_words(progress, elapsed_seconds),
        )

    def close(self) -> None:
        self._progress.stop()


class _Lines:
    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._next_seconds = 0.0

    def show(self, progress: _core.Progress, elapsed_seconds: float) -> None:
        if elapsed_seconds < self._next_seconds:
            return
        self._next_seconds = elapsed_seconds + LINE_EVERY_SECONDS
        done = "" if progress.fraction is None else f"{progress.fraction:.0%} done, "
        self._screen.print(done + in_words(progress, elapsed_seconds), soft_wrap=True)


def in_words(progress: _core.Progress, elapsed_seconds: float) -> str:
    """Simulated time, packets delivered, speed, and the time left where it can be told."""
    parts = [
        f"simulated {duration(progress.seconds_simulated)}",
        f"{count(progress.packets_delivered)} packets",
    ]
    if progress.engine_seconds > 0:
        parts.append(rate(progress.packet_hops / progress.engine_seconds))
    if progress.fraction:
        left_seconds = elapsed_seconds * (1 - progress.fraction) / progress.fraction
        parts.append(f"{duration(round(left_seconds))} left")
    return ", ".join(parts)
