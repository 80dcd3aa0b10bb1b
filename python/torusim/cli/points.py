"""Terminal output shared by sweeps, curves and studies: the progress of all points, and the message after Ctrl-C."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from torusim.cli.exits import EXIT_BY_CTRL_C
from torusim.cli.progress import SharesDisplay
from torusim.cli.screen import console
from torusim.common.formatting import about
from torusim.sweeps.points import Advance, Point


class PointsDisplay(SharesDisplay):
    """Shows the number of finished points, and the estimated remaining time."""

    def __init__(self, *, title: str = "", quiet: bool = False) -> None:
        """Creates a display whose count is preceded by `title`, such as a study's name."""
        super().__init__("starting", quiet=quiet)
        self._title = f"{title}: " if title else ""

    def __call__(self, advance: Advance) -> None:  # type: ignore[override]
        """Shows the progress."""
        words = f"{self._title}{advance.finished} of {advance.points} points"
        if advance.left_seconds is not None and advance.left_seconds >= 1:
            words += f", {about(advance.left_seconds)} left"
        super().__call__(words, advance.fraction)


@contextmanager
def continuation_hint(folder: Path, points_by_folder: Mapping[Path, Sequence[Point]]) -> Iterator[None]:
    """On Ctrl-C, prints how many points are kept and how to continue, and exits the command.

    Args:
        folder: The output folder.
        points_by_folder: The points of each folder of finished points.
    """
    try:
        yield
    except KeyboardInterrupt:
        files = [
            place / f"{key}.json" for place, points in points_by_folder.items() for key in {each.key for each in points}
        ]
        kept = sum(file.is_file() for file in files)
        raise _stopped(f"{kept} of {len(files)} points are finished and kept in {folder}") from None


@contextmanager
def continuation_hint_of_runs(folder: Path) -> Iterator[None]:
    """On Ctrl-C, prints how many runs are kept and how to continue, and exits; the total number is not known."""
    try:
        yield
    except KeyboardInterrupt:
        kept = sum(1 for _ in folder.glob("*.json"))
        raise _stopped(f"{kept} finished runs are kept in {folder}") from None


def _stopped(kept: str) -> typer.Exit:
    console(stderr=True).print(f"torusim: stopped; {kept}. The same command continues from there.", soft_wrap=True)
    return typer.Exit(EXIT_BY_CTRL_C)
