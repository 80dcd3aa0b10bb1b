"""Names, scenarios and limits shared by several tests."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from torusim import InputError

ROOT = Path(__file__).parent.parent
STUDIES = ROOT / "studies" / "torusim_studies"
COMMAND = Path(sys.executable).with_name("torusim")
LIMIT_SECONDS = 120

TIMED = {
    "threads",
    "processes",
    "engine_seconds",
    "wall_seconds",
    "packet_hops_per_second",
    "mpi_operations_per_second",
    "peak_memory_bytes",
    "process_peak_memory_bytes",
}
"""The keys of a summary that depend on the host: threads, processes, times and memory."""

Finished: TypeAlias = subprocess.CompletedProcess[str]
Command: TypeAlias = Callable[..., Finished]

SMALL_SCENARIO = """\
[machine]
preset = "bluegene-l"
shape = [4, 4, 4]

[workload]
kind = "all-to-all"
payload_bytes = 240
"""

LONG_SCENARIO = SMALL_SCENARIO.replace("[4, 4, 4]", "[16, 16, 16]").replace("240", "24000")


def start(arguments: list[str | Path], folder: Path) -> "subprocess.Popen[str]":
    """A process that receives Ctrl-C even if the tests run in the background."""
    return subprocess.Popen(
        arguments,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def stop(process: "subprocess.Popen[str]", number: int = signal.SIGINT) -> tuple[str, str]:
    """Sends a signal to a process; returns its stdout and stderr when it has ended."""
    process.send_signal(number)
    return process.communicate(timeout=LIMIT_SECONDS)


def wait_until(condition: Callable[[], object]) -> None:
    """Waits until the condition holds or the time limit has passed."""
    until = time.monotonic() + LIMIT_SECONDS
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)


def children(process: int) -> list[int]:
    """The numbers of the processes that a process has started, and that have not been waited for."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_running(process: int) -> bool:
    """Whether there is a process with this number that has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kept_points(folder: Path) -> dict[str, float]:
    """The modification time of each finished point's file, by name."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "points").glob("*.json")}


def succeeded(finished: Finished) -> Finished:
    """A command, which has ended with status 0."""
    assert finished.returncode == 0, finished.stderr
    return finished


def assert_says(finished: Finished, *words: str) -> None:
    """Asserts exit status 2, nothing on stdout, and a message with these words on stderr."""
    assert (finished.returncode, finished.stdout) == (2, ""), finished
    assert not any(word in finished.stderr for word in ("Traceback", "panicked"))
    for word in words:
        assert word in finished.stderr


def assert_one_message(finished: Finished, *words: str) -> None:
    """Asserts exit status 2, nothing on stdout, and one text line with these words on stderr."""
    assert_says(finished, *words)
    assert finished.stderr.count("\n") == 1, finished.stderr


@contextmanager
def refused(*words: str) -> Iterator[None]:
    """Asserts that the block raises an input error with these words."""
    with pytest.raises(InputError) as caught:
        yield
    for word in words:
        assert word in str(caught.value)


def refusal(call: Callable[[], object]) -> str:
    """The message of the input error that a call raises; "" if it raises none."""
    try:
        call()
    except InputError as error:
        return str(error)
    return ""
