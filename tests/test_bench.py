"""`torusim bench`: each row is timed in its own measurement window and identifies its case."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import torusim
from tests.support import COMMAND, Command, assert_one_message, start, stop, succeeded
from torusim.benchmarks import benchmark, instructions
from torusim.benchmarks.benchmark import (
    HALO,
    IBM,
    LOSSY,
    NEIGHBORS,
    NEIGHBORS_REAL_FIFOS,
    PING_PONG,
    RANDOM,
    Case,
    Row,
    Traffic,
)
from torusim.cli import bench

SHORT = ("--seconds", "0.02", "--warmup", "300")


def ignore(_doing: str, _share: float) -> None:
    """Discards progress reports."""


def a_row(case: Case) -> Row:
    return benchmark.measure(case, 0.01, ignore)


def test_each_shape_load_and_thread_count_has_a_row(command: Command) -> None:
    options = (
        "--shape",
        "4x4",
        "--shape",
        "2x3x2",
        "--load",
        "full",
        "--load",
        "0.1",
        "--threads",
        "1",
        "--threads",
        "2",
    )
    finished = succeeded(command("bench", *options, *SHORT, "--json"))
    measured = json.loads(finished.stdout)
    assert measured["complete"] is True
    rows = measured["rows"]
    cases = [(row["shape"], row["load"], row["threads"]) for row in rows]
    assert cases == [(shape, load, threads) for shape in ("4x4", "2x3x2") for load in (None, 0.1) for threads in (1, 2)]
    assert [row["nodes"] for row in rows] == [16] * 4 + [12] * 4
    assert {row["traffic"] for row in rows} == {"random"}
    for row in rows:
        assert row["packet_hops_per_second"] == pytest.approx(row["packet_hops"] / row["engine_seconds"])
        assert row["packets_delivered_per_second"] == pytest.approx(row["packets_delivered"] / row["engine_seconds"])
        assert row["engine_seconds"] >= 0.02
        assert row["warmup_cycles"] == 300, "the window begins where the warm-up ends"
        assert row["state_bytes_per_node"] > 100
        assert row["instructions_per_hop"] is None


def test_processes_are_compared_with_one_thread(command: Command) -> None:
    options = ("--shape", "4x4x4", "--processes", "2", "--processes", "3", *SHORT)
    rows = json.loads(succeeded(command("bench", *options, "--json")).stdout)["rows"]
    assert [(row["processes"], row["threads"]) for row in rows] == [(1, 1), (2, 1), (3, 1)]
    alone, *several = rows
    assert alone["efficiency"] is None
    for row in several:
        ratio = row["packet_hops_per_second"] / alone["packet_hops_per_second"]
        assert row["efficiency"] == pytest.approx(ratio / row["processes"])
    printed = succeeded(command("bench", *options)).stdout
    assert "3 processes" in printed
    assert "Efficiency: the speed" in printed


def test_each_process_needs_a_node(command: Command) -> None:
    finished = command("bench", "--shape", "2x2", "--processes", "5", *SHORT)
    assert_one_message(finished, "processes: 5 for 4 nodes")


def test_table_states_what_was_timed(command: Command) -> None:
    finished = succeeded(command("bench", "--shape", "4x4x2", "--load", "0.25", *SHORT))
    for words in ("4x4x2", "random, load 0.25", "hops", "packets", "warm-up of 300 cycles", "S31"):
        assert words in finished.stdout
    assert "instructions" not in finished.stdout, "only with --instructions"


def test_speed_and_simulated_time_refer_to_the_same_window() -> None:
    """A loaded ring of 16 nodes: each packet occupies a link for nearly always 270 cycles of 5.714 ns."""
    row = a_row(Case("16", warmup_cycles=20_000))
    cycles_per_second = row.simulated_microseconds_per_second * 175
    assert cycles_per_second == pytest.approx(row.measured_cycles / row.engine_seconds)
    hops_per_cycle = row.packet_hops / row.measured_cycles
    assert hops_per_cycle == pytest.approx(row.link_utilization_mean * 32 / 270, rel=0.05)


def test_ratio_to_ibm_is_per_node_and_only_for_full_load() -> None:
    assert IBM.ratio(32_768, 25.0) == 100
    assert IBM.ratio(512, 25.0) == 100 / 64
    row = a_row(Case("4x4"))
    assert row.times_ibm == pytest.approx(16 * row.simulated_microseconds_per_second / (32_768 * 0.25))
    assert a_row(Case("4x4", load=0.5)).times_ibm is None
    assert a_row(Case("4x4", LOSSY)).times_ibm is None


@pytest.mark.parametrize(
    "traffic", [NEIGHBORS, NEIGHBORS_REAL_FIFOS, HALO, PING_PONG], ids=lambda traffic: traffic.label
)
def test_packets_to_neighbors_make_one_hop(traffic: Traffic) -> None:
    row = a_row(Case("4x4x4", traffic, warmup_cycles=2_000))
    assert row.traffic == traffic.label
    assert row.warmup_cycles == 2_000
    assert row.packets_delivered > 0
    # On a busy host the measured time is so short that packets in flight at its ends count: a few for each node.
    assert row.packets_delivered == pytest.approx(row.packet_hops, rel=0.1, abs=6 * 64)


def test_infinite_fifos_fill_the_links_to_neighbors_and_software_cannot() -> None:
    assert a_row(Case("4x4x4", NEIGHBORS, warmup_cycles=2_000)).link_utilization_mean > 0.9
    assert a_row(Case("4x4x4", NEIGHBORS_REAL_FIFOS, warmup_cycles=2_000)).link_utilization_mean < 0.7


def test_ping_pong_has_one_message_on_its_way() -> None:
    """Messages follow one after the other, each as long as in a ping-pong that runs by itself."""
    row = a_row(Case("4x4x4", PING_PONG))
    workload = {**PING_PONG.workload, "repetitions": 10}
    alone = torusim.run({"machine": {"shape": [4, 4, 4]}, "workload": workload}).summary
    assert row.measured_cycles / row.packets_delivered == pytest.approx(alone["one_way_cycles_mean"], rel=0.01)


def test_links_of_the_lossy_case_flip_bits() -> None:
    scenario = json.loads(Case("4x4", LOSSY).scenario(1).to_json())
    assert scenario["machine"]["link_errors"]["bit_error_rate"] == 1e-6


def test_default_cases_can_run_and_have_distinct_names() -> None:
    cases = benchmark.default_cases(large=True, warmup_cycles=None)
    assert len({str(case) for case in cases}) == len(cases)
    assert {case.shape for case in cases} >= {"8x8x8", "32x32x32", "32x16x16", "128x128x64"}
    assert {case.threads for case in cases} == {1, 2}
    labels = [case.traffic.label for case in cases]
    assert set(labels) == {
        traffic.label for traffic in (RANDOM, LOSSY, NEIGHBORS, NEIGHBORS_REAL_FIFOS, HALO, PING_PONG)
    }
    warm = benchmark.default_cases(large=False, warmup_cycles=7)
    assert {case.warmup_cycles for case in warm} == {7}
    for case in cases[:-1]:  # the largest may be rejected for lack of memory
        case.scenario(1)


def widened(row: Row) -> Row:
    return replace(
        row,
        shape="128x128x64",
        packet_hops_per_second=12.3e6,
        packets_delivered_per_second=12.3e6,
        state_bytes_per_node=15_258,
        simulated_microseconds_per_second=98_765,
        times_ibm=None if row.times_ibm is None else 432.1,
    )


def test_table_fits_80_columns_and_is_blank_where_a_figure_means_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    cases = (Case("4x4"), Case("4x4", NEIGHBORS_REAL_FIFOS, warmup_cycles=0), Case("4x4", PING_PONG))
    bench._print([widened(a_row(case)) for case in cases], instructions=False)
    table = [line.rstrip() for line in capsys.readouterr().out.split("Only the engine's loop")[0].splitlines()[1:]]
    assert max(map(len, table)) <= 80
    of_random, of_neighbors, of_ping_pong = (line for line in table if "128x128x64" in line)
    assert of_random.endswith("98,765  432.1")
    assert of_neighbors.endswith("98,765")
    assert of_ping_pong.endswith("98,765")


@pytest.mark.skipif(shutil.which(instructions.VALGRIND) is None, reason="valgrind is not installed")
@pytest.mark.parametrize(
    "traffic",
    [pytest.param(RANDOM, id=RANDOM.label), pytest.param(PING_PONG, id=PING_PONG.label, marks=pytest.mark.long)],
)
def test_instruction_counts_are_reproducible(monkeypatch: pytest.MonkeyPatch, traffic: Traffic) -> None:
    monkeypatch.setattr(instructions, "COUNTED_PACKET_HOPS", 3_000)
    case = Case("4x4", traffic, warmup_cycles=500)
    counts = [instructions.with_instructions(a_row(case), case).instructions_per_hop for _ in range(2)]
    assert counts[0] is not None
    assert 100 < counts[0] < 50_000
    assert counts[1] == pytest.approx(counts[0], rel=0.02)


@pytest.mark.parametrize(
    ("nodes", "threads", "path", "reason"),
    [
        (16, 1, "", "valgrind is not installed"),
        (16, 2, None, "threads wait for one another"),
        (4_097, 1, None, "more than 4,096 nodes"),
    ],
)
def test_row_states_why_instructions_are_not_countable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nodes: int, threads: int, path: str | None, reason: str
) -> None:
    (tmp_path / "valgrind").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path) if path is None else path)
    case = Case("4x4", threads=threads)
    row = instructions.with_instructions(replace(a_row(case), nodes=nodes), case)
    assert row.instructions_per_hop is None
    assert reason in (row.not_counted_because or "")


def test_case_without_packets_has_no_instructions_per_hop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "valgrind").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    idle = Case("4x4", load=1e-9, warmup_cycles=0)
    assert "no packet moves" in (instructions.with_instructions(a_row(idle), idle).not_counted_because or "")


def test_table_states_why_instructions_are_not_countable(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    finished = succeeded(command("bench", "--shape", "4x4", *SHORT, "--instructions"))
    assert "not countable where" in finished.stdout
    assert "valgrind is not installed" in finished.stdout


def test_failure_of_valgrind_is_reported_by_its_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "valgrind").write_text("#!/bin/sh\necho no such tool >&2\nexit 1\n")
    (tmp_path / "valgrind").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    case = Case("4x4")
    row = instructions.with_instructions(a_row(case), case)
    assert row.not_counted_because == "valgrind failed: no such tool"


def test_ctrl_c_keeps_finished_rows(tmp_path: Path) -> None:
    """The first progress line comes after two seconds, when some rows of half a second are finished."""
    arguments: list[str | Path] = ["bench", "--json", "--seconds", "0.5", *["--shape", "4x4"] * 1_000]
    process = start([COMMAND, *arguments], tmp_path)
    assert process.stderr is not None
    line = process.stderr.readline()
    output, errors = stop(process)
    assert process.returncode == 1, errors
    assert "of 1000: 4x4, random: " in line
    measured = json.loads(output)
    assert measured["complete"] is False
    assert 1 <= len(measured["rows"]) < 1_000


def test_ctrl_c_before_the_first_row_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> Row:
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "measure", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bench.bench(shapes=["4x4"])
