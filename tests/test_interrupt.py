"""Ctrl-C ends a run; the result so far is kept and marked as interrupted."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import torusim
from tests.support import COMMAND, LIMIT_SECONDS, LONG_SCENARIO, SMALL_SCENARIO, start, stop, wait_until

RUN_IN_PYTHON = """\
import sys, torusim
result = torusim.run(sys.argv[1], out="kept")
print(result.outcome, result.folder)
"""


def interrupt_once_running(process: subprocess.Popen[str], folder: Path) -> tuple[str, str]:
    """Sends Ctrl-C shortly after the run has created its temporary folder."""
    wait_until(lambda: any(folder.glob(".kept.*")))
    time.sleep(0.5)
    return stop(process)


def test_command_keeps_the_result_so_far(long: Path, tmp_path: Path) -> None:
    process = start([COMMAND, "run", long, "--out", "kept"], tmp_path)
    output, errors = interrupt_once_running(process, tmp_path)
    assert process.returncode == 1, errors
    assert "interrupted" in output
    assert "Traceback" not in errors
    result = torusim.load(tmp_path / "kept")
    assert result.outcome == "interrupted"
    assert result.summary["cycles"] > 0
    assert result.table("links").num_rows > 0
    assert not list(tmp_path.glob(".kept.*"))


def test_api_returns_the_result_so_far(long: Path, tmp_path: Path) -> None:
    process = start([sys.executable, "-c", RUN_IN_PYTHON, long], tmp_path)
    output, errors = interrupt_once_running(process, tmp_path)
    assert process.returncode == 0, errors
    assert output.split() == ["interrupted", "kept"]
    assert json.loads((tmp_path / "kept" / "result.json").read_text())["summary"]["outcome"] == "interrupted"


@pytest.fixture
def interrupt_enabled() -> Iterator[None]:
    """Ctrl-C is received during the test, even if the tests run in the background."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


@pytest.mark.usefixtures("interrupt_enabled")
def test_other_threads_run_while_the_engine_runs() -> None:
    """Another thread wakes many times during each slice of the run, and then ends the run."""
    wakes = 0

    def tick_and_interrupt() -> None:
        nonlocal wakes
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            time.sleep(0.002)
            wakes += 1
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=tick_and_interrupt)
    thread.start()
    outcome = torusim.run(LONG_SCENARIO).outcome
    thread.join()
    assert outcome == "interrupted"
    assert wakes > 100


def test_run_in_another_thread_completes() -> None:
    outcomes: list[str] = []
    thread = threading.Thread(target=lambda: outcomes.append(torusim.run(SMALL_SCENARIO).outcome))
    thread.start()
    thread.join(LIMIT_SECONDS)
    assert outcomes == ["completed"]


def test_long_run_reports_progress(tmp_path: Path, long: Path) -> None:
    process = start([COMMAND, "run", long, "--out", "kept", "--json"], tmp_path)
    assert process.stderr is not None
    line = process.stderr.readline()
    output, _ = stop(process)
    assert "simulated" in line
    assert "packets" in line
    assert json.loads(output)["outcome"] == "interrupted"


def test_long_scenario_is_long() -> None:
    assert torusim.check(LONG_SCENARIO)["packets"] > 1e9


def hidden(folder: Path) -> list[Path]:
    """Files and folders that only an unfinished command may have."""
    return list(folder.rglob(".*"))


MAIN = """\
import os, sys
from torusim.cli import main
try:
    os.write(2, b"begins\\n")
    main()
except KeyboardInterrupt as stop:
    if stop.__traceback__.tb_next:
        raise
    sys.exit(130)
"""
"""The command, which reports when the interpreter has started: before `main`, no code of torusim can handle Ctrl-C."""


def test_ctrl_c_at_any_time_prints_no_traceback(small: Path, tmp_path: Path) -> None:
    """Ctrl-C may also come while modules are loaded, which takes most of the time."""
    statuses = set()
    for delay_seconds in np.linspace(0.005, 0.6, 30):
        arguments: list[str | Path] = ["run", small, "--out", f"kept-{delay_seconds:.3f}"]
        process = start([sys.executable, "-c", MAIN, *arguments], tmp_path)
        assert process.stderr is not None
        assert process.stderr.readline() == "begins\n"
        time.sleep(delay_seconds)
        _, errors = stop(process)
        statuses.add(process.returncode)
        assert "Traceback" not in errors
        # As the interpreter ends, the signal itself may end the process, which is 130 to a shell, too.
        assert process.returncode in (0, 1, 130, -signal.SIGINT), errors
        assert not hidden(tmp_path)
    assert 130 in statuses


def test_termination_keeps_the_result_so_far(long: Path, tmp_path: Path) -> None:
    process = start([COMMAND, "run", long, "--out", "kept"], tmp_path)
    wait_until(lambda: hidden(tmp_path))
    time.sleep(0.3)
    _, errors = stop(process, signal.SIGTERM)
    assert (process.returncode, errors) == (143, "")
    assert torusim.load(tmp_path / "kept").outcome == "interrupted"
    assert not hidden(tmp_path)


def test_termination_of_a_sweep_keeps_its_points(tmp_path: Path, long: Path) -> None:
    over = ["--over", "workload.payload_bytes=24,24000", "--set", "machine.shape=[8,8,8]", "--jobs", "1"]
    process = start([COMMAND, "sweep", long, "--out", "kept", *over], tmp_path)
    wait_until(lambda: (tmp_path / "kept" / "points").is_dir())
    stop(process, signal.SIGTERM)
    assert process.returncode == 143
    assert not hidden(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_schedule_that_is_stopped_leaves_nothing(number: int, tmp_path: Path) -> None:
    process = start([COMMAND, "schedule", "lublin", "--nodes", "128", "--jobs", "1000000", "--out", "kept"], tmp_path)
    wait_until(lambda: hidden(tmp_path))
    _, errors = stop(process, number)
    assert process.returncode == 128 + number, errors
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
