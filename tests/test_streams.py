"""An output that cannot be written gives one message and exit status 2; a pipe without a reader ends the command."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import torusim
from tests.support import COMMAND, LIMIT_SECONDS

PRINTING = [["schema"], ["list"], ["--help"], ["--version"], ["run", "--help"], ["init", "-"], ["check", "small.toml"]]

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")


def run(
    arguments: list[str],
    folder: Path,
    stdout: int,
    stderr: int = subprocess.PIPE,
    preexec: Callable[[], None] | None = None,
) -> tuple[int, str]:
    """Exit status and stderr of a command."""
    finished = subprocess.run(
        [COMMAND, *arguments],
        cwd=folder,
        stdout=stdout,
        stderr=stderr,
        preexec_fn=preexec,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    return finished.returncode, finished.stderr


@needs_full
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_full_disk_is_reported_once(arguments: list[str], tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        status, errors = run(arguments, tmp_path, full.fileno())
    assert (status, errors) == (2, "torusim: stdout: cannot be written: No space left on device\n")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_pipe_without_a_reader_ends_the_command_without_a_message(arguments: list[str], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert run(arguments, tmp_path, writer) == (141, "")
    finally:
        os.close(writer)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_closed_stdout_is_reported_once(arguments: list[str], tmp_path: Path) -> None:
    status, errors = run(arguments, tmp_path, subprocess.DEVNULL, preexec=lambda: os.close(1))
    assert (status, errors) == (2, "torusim: stdout: cannot be written: Bad file descriptor\n")


@needs_full
def test_result_is_written_although_nothing_can_be_printed(small: Path, tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        status, _ = run(["run", small.name, "--out", "kept"], tmp_path, full.fileno(), full.fileno())
    assert status == 2
    assert torusim.load(tmp_path / "kept").outcome == "completed"


def close_all_streams() -> None:
    for descriptor in (0, 1, 2):
        os.close(descriptor)


def test_result_is_written_if_all_streams_are_closed(small: Path, tmp_path: Path) -> None:
    """Descriptors 0 to 2 are the lowest free ones, and text written to them would end up in the result."""
    status, _ = run(["run", small.name, "--out", "kept"], tmp_path, subprocess.DEVNULL, preexec=close_all_streams)
    assert status == 2
    assert torusim.load(tmp_path / "kept").outcome == "completed"
    assert (
        run(["run", small.name, "--out", "quiet", "--quiet"], tmp_path, subprocess.DEVNULL, preexec=close_all_streams)[
            0
        ]
        == 0
    )
