"""Runs a scenario in slices of wall time, so that progress is told and Ctrl-C is heard."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

from torusim import _core
from torusim._core import InputError
from torusim.folder import new_folder
from torusim.result import Result, of_run

SLICE_SECONDS = 0.1
"""Wall time between two looks at the keyboard."""

THREADS_LIMIT = 1024
"""More threads than any machine that this runs on has use for."""


@dataclass(frozen=True)
class Options:
    """How to run, which changes how long it takes but never the result.

    Attributes:
        engine: "windowed", or "reference": one event at a time, slow, the truth.
        threads: How many threads the engine uses, at least 1.
    """

    engine: str = "windowed"
    threads: int = 1


def execute(
    scenario: _core.Scenario,
    options: Options,
    report: Callable[[_core.Progress], None],
    out: Path | None = None,
    *,
    replace_out: bool = False,
) -> Result:
    """Runs the scenario to its end or to Ctrl-C, and writes the result to `out` if that is given.

    The first Ctrl-C ends the run; its result so far is kept, with the outcome "interrupted". A second one raises
    KeyboardInterrupt, and nothing is kept.

    Raises:
        InputError: If the scenario cannot run here, or `out` cannot be written.
    """
    with _first_interrupt() as interrupted:
        if out is None:
            return _run(scenario, options, report, interrupted)
        with new_folder(out, replace=replace_out) as folder:
            result = _run(scenario, options, report, interrupted)
            _write(result, folder, out)
        return replace(result, folder=out)


def _write(result: Result, folder: Path, out: Path) -> None:
    try:
        result.write(folder)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from None


def _run(
    scenario: _core.Scenario,
    options: Options,
    report: Callable[[_core.Progress], None],
    interrupted: threading.Event,
) -> Result:
    run = _core.Run(scenario, options.engine, options.threads)
    progress = run.advance(SLICE_SECONDS)
    report(progress)
    while not (progress.done or interrupted.is_set()):
        progress = run.advance(SLICE_SECONDS)
        report(progress)
    return of_run(run.finish(interrupted=not progress.done), scenario.seed)


@contextmanager
def _first_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second goes where it went before.

    Only the main thread hears signals, and an ignored Ctrl-C (a job in the background) stays ignored.
    """
    event = threading.Event()
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or previous in (signal.SIG_IGN, None):
        yield event
        return

    def on_interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, previous)
        event.set()

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, previous)
