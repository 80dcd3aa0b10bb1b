"""Runs on several processes: of this computer, as if of several, and of mpiexec. Results are those of one process."""

import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests import golden_digests
from tests.mpi_registries import Registries
from tests.process_support import MPI, said
from tests.support import (
    COMMAND,
    LIMIT_SECONDS,
    Command,
    assert_one_message,
    children,
    is_running,
    refused,
    start,
    stop,
    succeeded,
    wait_until,
)
from torusim import _core
from torusim.runs import runner
from torusim.runs.peers import PATIENCE_SECONDS, peers_of
from torusim.runs.scenario import resolve

SCENARIO = """\
[machine]
shape = [4, 4, 4]
[workload]
kind = "kernel"
name = "halo-3d"
bytes = 4096
iterations = 3
[run]
series_interval_cycles = 5000
"""

LASTING = """\
[machine]
shape = [8, 8, 8]
[workload]
kind = "uniform-random"
load = 0.8
[run]
measure_cycles = 2000000
"""

BUSY = """\
machine.shape = [4, 4, 4]
workload = { kind = "all-to-all", payload_bytes = 4800 }
"""
"""Takes four processes some seconds, so that they can be killed while they run."""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "halo.toml"
    path.write_text(SCENARIO)
    return path


@pytest.fixture
def alone(command: Command, scenario: Path, tmp_path: Path) -> dict[str, Any]:
    """What one process says."""
    succeeded(command("run", scenario, "--out", "alone", "--quiet"))
    return said(tmp_path / "alone")


@pytest.mark.parametrize(("processes", "threads"), [(2, 1), (3, 2)])
def test_processes_of_this_computer(
    command: Command, scenario: Path, tmp_path: Path, alone: dict[str, Any], processes: int, threads: int
) -> None:
    options = ["--processes", str(processes), "--threads", str(threads)]
    succeeded(command("run", scenario, *options, "--out", "several", "--quiet"))
    assert said(tmp_path / "several") == alone


def test_processes_of_two_computers(command: Command, scenario: Path, tmp_path: Path, alone: dict[str, Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    follower = start([COMMAND, "follow", address, "--number", "1", "--processes", "2"], tmp_path)
    succeeded(command("run", scenario, "--processes", "2", "--meet-at", address, "--out", "several", "--quiet"))
    assert follower.communicate(timeout=LIMIT_SECONDS) == ("", "")
    assert follower.returncode == 0
    assert said(tmp_path / "several") == alone


@pytest.mark.parametrize("name", MPI)
def test_processes_of_mpiexec(
    registries: Registries, scenario: Path, tmp_path: Path, alone: dict[str, Any], name: str
) -> None:
    program = ["-m", "torusim", "run", str(scenario), "--out", "several", "--quiet"]
    command, environment = MPI[name].start(registries, program)
    finished = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
    )
    assert (finished.returncode, finished.stdout) == (0, ""), finished.stderr
    assert said(tmp_path / "several") == alone


@pytest.fixture
def lasting(tmp_path: Path) -> Path:
    path = tmp_path / "lasting.toml"
    path.write_text(LASTING)
    return path


def start_lasting(lasting: Path, tmp_path: Path) -> "subprocess.Popen[str]":
    """A run of three processes that has written checkpoints."""
    words: list[str | Path] = [
        COMMAND,
        "run",
        lasting,
        "--processes",
        "3",
        "--out",
        "lasting",
        "--checkpoint-every",
        "0.2s",
    ]
    process = start(words, tmp_path)
    kept = tmp_path / "lasting/checkpoints"
    wait_until(lambda: len(list(kept.glob("*.checkpoint"))) > 1 or process.poll() is not None)
    return process


def test_the_end_of_a_process_ends_the_run(lasting: Path, tmp_path: Path) -> None:
    process = start_lasting(lasting, tmp_path)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=LIMIT_SECONDS)
    assert process.returncode == 1
    # The other one ends at once as well, and may be seen first.
    assert re.search("torusim: process [12] has ended", errors), errors
    assert "torusim resume lasting continues from the last checkpoint" in errors
    assert "Traceback" not in errors


def test_the_end_of_the_command_ends_all(lasting: Path, tmp_path: Path) -> None:
    process = start_lasting(lasting, tmp_path)
    others = children(process.pid)
    assert len(others) == 2
    stop(process, signal.SIGKILL)
    wait_until(lambda: not any(is_running(other) for other in others))


@pytest.mark.parametrize("is_first", [False, True])
def test_nobody_waits_for_those_who_end_before_they_have_joined(lasting: Path, tmp_path: Path, is_first: bool) -> None:
    begin = time.monotonic()
    process = start([COMMAND, "run", lasting, "--processes", "3", "--out", "lasting"], tmp_path)
    wait_until(lambda: len(children(process.pid)) == 2)
    others = children(process.pid)
    os.kill(process.pid if is_first else others[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=LIMIT_SECONDS)
    wait_until(lambda: not any(is_running(other) for other in others))
    assert time.monotonic() - begin < PATIENCE_SECONDS / 2
    if not is_first:
        assert process.returncode == 1
        assert re.search("torusim: process [12] has ended", errors), errors


def test_ctrl_c_keeps_the_result_so_far(lasting: Path, tmp_path: Path) -> None:
    process = start_lasting(lasting, tmp_path)
    others = children(process.pid)
    _, errors = stop(process)
    assert process.returncode == 1, errors
    assert json.loads((tmp_path / "lasting/result.json").read_text())["summary"]["outcome"] == "interrupted"
    wait_until(lambda: not any(is_running(other) for other in others))


def test_other_processes_resume_a_run(command: Command, tmp_path: Path) -> None:
    (tmp_path / "busy.toml").write_text(BUSY)
    succeeded(command("run", "busy.toml", "--out", "alone", "--quiet"))
    words: list[str | Path] = [
        COMMAND,
        "run",
        "busy.toml",
        "--processes",
        "4",
        "--out",
        "several",
        "--checkpoint-every",
        "0.1s",
    ]
    process = start(words, tmp_path)
    kept = tmp_path / "several/checkpoints"
    wait_until(lambda: len(list(kept.glob("*.checkpoint"))) > 1)
    stop(process, signal.SIGKILL)
    # Of two checkpoints, and of one that was being written.
    assert 2 <= len(list(kept.glob("*.part-3-of-4"))) <= 3
    copies = {processes: tmp_path / f"on-{processes}" for processes in (1, 3, 8)}
    for copy in copies.values():
        shutil.copytree(tmp_path / "several", copy)
    for processes, copy in copies.items():
        succeeded(command("resume", copy, "--processes", str(processes), "--quiet"))
        assert said(copy) == said(tmp_path / "alone")
        assert not (copy / "checkpoints").exists()


def test_processes_of_a_notebook(scenario: Path, tmp_path: Path, alone: dict[str, Any]) -> None:
    torusim.run(scenario, processes=2, out=tmp_path / "several")
    assert said(tmp_path / "several") == alone


@pytest.mark.parametrize("processes", [2, *(pytest.param(count, marks=pytest.mark.long) for count in (3, 4, 8))])
def test_golden_digests_are_those_of_any_processes(processes: int) -> None:
    kept = golden_digests.kept()
    with peers_of(processes) as peers:
        for name, content in golden_digests.SCENARIOS.items():
            scenario = resolve(content, [])
            if math.prod(content["machine"]["shape"]) >= processes:
                result = runner.execute(scenario, runner.Options(peers=peers), lambda _: None)
                assert golden_digests.digests_of(result) == kept[name], name


def test_another_build_is_refused(tmp_path: Path) -> None:
    address = str(tmp_path / "meet")
    program = (
        "import sys\nfrom torusim import _core\npeers = _core.Peers.join(1, 2, sys.argv[1], 60.0)\n"
        "peers.texts('9.9 (another)')"
    )
    other = start([sys.executable, "-c", program, address], tmp_path)
    with refused("processes", "process 1 has torusim 9.9 (another)", _core.__version__), peers_of(2, address):
        pass
    other.communicate(timeout=LIMIT_SECONDS)


REFUSED = {
    "more than nodes": (["--processes", "65"], ["processes", "65 for 64 nodes"]),
    "the reference engine": (["--processes", "2", "--engine", "reference"], ["--engine", "one process"]),
    "the fluid engine": (["--processes", "2", "--engine", "fluid"], ["processes", "one process"]),
    "nobody to meet": (["--meet-at", "127.0.0.1:1"], ["--meet-at", "--processes N"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_run_is_refused(command: Command, scenario: Path, case: str) -> None:
    options, words = REFUSED[case]
    assert_one_message(command("run", scenario, *options), *words)


def test_bad_input_ends_all_processes(command: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[machine]\nshape = [4, 4, 0]\n")
    assert_one_message(command("run", "bad.toml", "--processes", "3"), "bad.toml:2", "machine.shape")
