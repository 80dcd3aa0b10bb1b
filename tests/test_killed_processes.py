"""Processes of a run that are killed at random times: nothing before the last checkpoint is lost."""

import os
import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.process_support import said
from tests.support import COMMAND, LIMIT_SECONDS, Command, children, refused, start, succeeded

SCENARIO = """\
machine.shape = [4, 4, 4]
workload = { kind = "all-to-all", payload_bytes = 9600 }
"""
"""Takes some processes several seconds."""

LATEST_SECONDS = 2.0
"""The latest time of a kill. It takes about a third of it until a command runs."""


def newest(folder: Path) -> int:
    """The number of the newest checkpoint of a folder; -1 without one."""
    return max((int(path.stem) for path in (folder / "checkpoints").glob("*.checkpoint")), default=-1)


def is_over(folder: Path) -> bool:
    return (folder / "result.json").exists() and newest(folder) < 0


def go_on(folder: Path, draw: random.Random, kills: int) -> int:
    """Starts the run of a folder, or resumes it, and kills one of its processes; returns the number of those killed."""
    before = newest(folder)
    what: list[str | Path] = ["resume", folder] if before >= 0 else ["run", "busy.toml", "--out", folder]
    options = ["--processes", str(draw.choice((2, 3, 4))), "--quiet", "--checkpoint-every", "0.1s"]
    process = start([COMMAND, *what, *options], folder.parent)
    if kills:
        time.sleep(draw.uniform(0.0, LATEST_SECONDS))
        with suppress(OSError):  # it may have ended
            os.kill(draw.choice([process.pid, *children(process.pid)]), signal.SIGKILL)
    _, errors = process.communicate(timeout=LIMIT_SECONDS)
    # A checkpoint that has its name is whole: no earlier one is needed.
    assert not any(words in errors for words in ("continuing from the previous one", "Traceback")), errors
    assert is_over(folder) or newest(folder) >= before, errors
    assert process.returncode in ((0, 1, -signal.SIGKILL) if kills else (0,)), errors
    return int(process.returncode != 0)


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.long)])
def test_no_checkpoint_is_lost(command: Command, tmp_path: Path, kills: int) -> None:
    draw = random.Random(kills)
    (tmp_path / "busy.toml").write_text(SCENARIO)
    succeeded(command("run", "busy.toml", "--out", "alone", "--quiet"))
    expected = said(tmp_path / "alone")
    killed, runs = 0, 0
    while killed < kills:
        runs += 1
        folder = tmp_path / f"several-{runs}"
        while not is_over(folder):
            killed += go_on(folder, draw, kills - killed)
        assert said(folder) == expected


def test_a_result_is_complete_while_its_checkpoints_are_removed(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends meanwhile leaves parts, and no checkpoint that names them."""

    def remove(path: Path, **options: Any) -> None:  # noqa: ANN401 - as it is
        if Path(path).name == "checkpoints":
            raise OSError("the end")
        really_remove(path, **options)

    really_remove = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", remove)
    out = tmp_path / "several"
    with pytest.warns(UserWarning, match="the result is complete"):
        torusim.run(small, out=out, processes=2, checkpoint_every="1h")
    assert list((out / "checkpoints").glob("*.part-*"))
    with refused("this run is over"):
        torusim.resume(out)
