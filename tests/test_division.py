"""The parts of several processes, as `torusim check --processes` shows them, and the computers on which they are."""

import json
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.support import Command, assert_one_message, succeeded
from torusim.runs import speedup
from torusim.runs.peers import processes_of, started_here

HOT = """\
machine.shape = [4, 4, 16]
workload = { kind = "hot-region", share = 0.9, load = 0.2, box = [4, 4, 2] }
"""

UNIFORM = {"machine": {"shape": [8, 8, 8]}, "workload": {"kind": "uniform-random"}}


@pytest.fixture
def hot(tmp_path: Path) -> Path:
    path = tmp_path / "hot.toml"
    path.write_text(HOT)
    return path


def test_equal_nodes_are_divided_between_slabs() -> None:
    parts = torusim.check(UNIFORM, processes=4)["processes"]
    assert [part["part"] for part in parts] == [f"z {first} to {first + 1}" for first in (0, 2, 4, 6)]
    assert [part["nodes"] for part in parts] == [128] * 4
    assert [part["load_share"] for part in parts] == pytest.approx([0.25] * 4, rel=0.03)
    of_process, *others = (part["memory_bytes"] for part in parts)
    assert of_process > others[0], "process 0 has the tables"
    assert len(set(others)) == 1


def test_few_nodes_have_a_hot_region(hot: Path) -> None:
    parts = torusim.check(hot, processes=4)["processes"]
    assert sum(part["nodes"] for part in parts) == 256
    assert parts[0]["nodes"] < 64 < max(part["nodes"] for part in parts)
    shares = [part["load_share"] for part in parts]
    assert sum(shares) == pytest.approx(1)
    assert max(shares) < 0.3


def test_one_process_has_no_parts() -> None:
    assert torusim.check(UNIFORM)["processes"] == []


def test_table_and_prediction(command: Command, hot: Path) -> None:
    printed = " ".join(succeeded(command("check", hot, "--processes", "4")).stdout.split())
    for words in (
        "Process",
        "Load / mean",
        "(0, 0, 0) to",
        "remote memory access",
        "TCP",
        "assumed; --measure measures it here",
    ):
        assert words in printed


def test_measured_speed_is_that_of_this_computer(command: Command, hot: Path) -> None:
    finished = succeeded(command("check", hot, "--processes", "2", "--measure", "--json"))
    window = json.loads(finished.stdout)["window"]
    assert window["is_measured"] is True
    assert 1e4 < window["packet_hops"] / window["one_thread_seconds"] < 1e9


def test_many_parts_are_cut_short(command: Command, hot: Path) -> None:
    printed = succeeded(command("check", hot, "--processes", "40")).stdout
    assert "24 more parts are in --json" in printed


def test_unknown_rates_have_no_prediction(command: Command, tmp_path: Path) -> None:
    scenario = tmp_path / "ping-pong.toml"
    scenario.write_text('machine.shape = [4, 4]\nworkload = { kind = "ping-pong", payload_bytes = 16 }\n')
    printed = succeeded(command("check", scenario, "--processes", "2")).stdout
    assert "Process" in printed
    assert "speed is unknown" in printed


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--measure"], "--measure: needs --processes P"),
        (["--processes", "257"], "processes: 257 for 256 nodes"),
        (["--processes", "2", "--set", 'run.engine="fluid"'], "processes: the fluid engine runs in one process"),
    ],
)
def test_bad_options_are_refused(command: Command, hot: Path, options: list[str], words: str) -> None:
    assert_one_message(command("check", hot, *options), words)


def test_the_share_of_a_computer_has_to_fit() -> None:
    """A machine that does not fit into this computer fits into 64, and not into 64 processes of this one."""
    nodes = torusim.check(UNIFORM)
    of_node = nodes["memory_bytes"] / nodes["nodes"]
    length = int(1.4 * nodes["memory_available_bytes"] / of_node / 4096)
    large: dict[str, Any] = {
        "machine": {"shape": [64, 64, length]},
        "workload": {"kind": "ping-pong", "payload_bytes": 8},
    }
    with pytest.raises(torusim.InputError, match="of memory, but only"):
        torusim.check(large)
    parts = torusim.check(large, processes=64)["processes"]
    assert sum(part["nodes"] for part in parts) == 4096 * length
    with pytest.raises(torusim.InputError, match="of memory, but only"):
        torusim.run(large, processes=2)


def test_processes_of_this_computer_share_it() -> None:
    assert processes_of(None) == (1, 1)
    with started_here(2) as peers:
        assert processes_of(peers) == (2, 2)


def test_speedup_is_less_than_the_number_of_processes() -> None:
    for network in speedup.NETWORKS:
        times = [speedup.speedup(1e-2, 1e5, 1 / count, count, network) for count in (2, 4, 16, 64)]
        assert times == sorted(times)
        assert all(one < count for one, count in zip(times, (2, 4, 16, 64), strict=True))
