"""What sweeps and studies share on the screen: how far all points are, and how to go on after Ctrl-C."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from torusim.cli import EXIT_BY_CTRL_C
from torusim.cli.progress import SharesDisplay
from torusim.cli.screen import console
from torusim.points import Advance, Point
from torusim.wording import about

TOLD_AFTER_SHARE = 0.02
"""Before so much is done nobody can say how long the rest will take."""


class PointsDisplay(SharesDisplay):
    """Shows how many points are finished, and about how long the others will take."""

    def __init__(self, *, title: str = "", quiet: bool = False) -> None:
        """With a title, such as a study's name, which stands before the count."""
        super().__init__("starting", quiet=quiet)
        self._title = f"{title}: " if title else ""
        self._begin_seconds = time.monotonic()
        self._begin_fraction: float | None = None

    def __call__(self, advance: Advance) -> None:  # type: ignore[override]
        """Shows how far all is; points that were kept before tell nothing about time."""
        if self._begin_fraction is None:
            self._begin_fraction = advance.fraction
        done = advance.fraction - self._begin_fraction
        words = f"{self._title}{advance.finished} of {advance.points} points"
        if done > TOLD_AFTER_SHARE:
            left_seconds = (time.monotonic() - self._begin_seconds) * (1 - advance.fraction) / done
            words += f", {about(left_seconds)} left"
        super().__call__(words, advance.fraction)


@contextmanager
def go_on_with(folder: Path, points: Sequence[Point]) -> Iterator[None]:
    """Says after Ctrl-C what is kept and how to go on, and ends the command."""
    try:
        yield
    except KeyboardInterrupt:
        kept = sum((folder / f"{key}.json").is_file() for key in {point.key for point in points})
        console(stderr=True).print(
            f"torusim: stopped; {kept} of {len(points)} points are finished and kept in {folder}. "
            "The same command goes on from there.",
            soft_wrap=True,
        )
        raise typer.Exit(EXIT_BY_CTRL_C) from None
