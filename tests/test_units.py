"""Rates per node in bytes per cycle and in GB/s, times in seconds and cycles, and the meaning of a load."""

import pytest

import torusim
from tests.support import Command
from torusim.common.formatting import load_in_words
from torusim.runs.summary import summary_as_rows

HALF = """\
machine.shape = [4, 4, 4]
run.measure_cycles = 20_000
[workload]
kind = "uniform-random"
load = 0.5
"""


@pytest.fixture(scope="module")
def half() -> torusim.Result:
    """A run at half of the bound."""
    return torusim.run(HALF)


def test_rates_of_a_run(half: torusim.Result) -> None:
    summary = half.summary
    cycle_seconds = summary["seconds_simulated"] / summary["cycles"]
    accepted = summary["packets_delivered"] * 256 / summary["nodes"] / summary["measured_cycles"]
    assert summary["accepted_bytes_per_node_per_cycle"] == pytest.approx(accepted)
    assert summary["accepted_gigabytes_per_second"] == pytest.approx(accepted / cycle_seconds / 1e9)
    offered = summary["offered_bytes_per_node_per_cycle"]
    assert summary["offered_gigabytes_per_second"] == pytest.approx(offered / cycle_seconds / 1e9)
    assert accepted / offered == pytest.approx(summary["percent_of_peak"] / 50)
    for name in ("mean", "p99"):
        assert summary[f"latency_ns_{name}"] == pytest.approx(summary[f"latency_cycles_{name}"] * cycle_seconds * 1e9)


def test_rates_of_sizes_that_differ() -> None:
    summary = torusim.run(HALF, workload={"packet_bytes": [32, 256]}, run={"measure_cycles": 100_000}).summary
    estimate = torusim.check(HALF, workload={"packet_bytes": [32, 256]})
    assert summary["offered_bytes_per_node_per_cycle"] == pytest.approx(estimate["offered_bytes_per_node_per_cycle"])
    share = summary["accepted_bytes_per_node_per_cycle"] / summary["offered_bytes_per_node_per_cycle"]
    assert share == pytest.approx(1, abs=0.02), "below saturation what is offered is accepted"


def test_offered_and_bound_of_an_estimate(half: torusim.Result) -> None:
    estimate = torusim.check(HALF)
    bound = estimate["bound"]
    assert estimate["offered_bytes_per_node_per_cycle"] == pytest.approx(0.5 * bound["bytes_per_node_per_cycle"])
    assert estimate["offered_bytes_per_node_per_cycle"] == half.summary["offered_bytes_per_node_per_cycle"]
    assert bound["bytes_per_node_per_cycle"] == pytest.approx(bound["packets_per_cycle"] * 256 / 64)
    assert bound["gigabytes_per_second"] == pytest.approx(
        bound["bytes_per_node_per_cycle"] / estimate["cycle_seconds"] / 1e9
    )


def test_traffic_without_a_load_offers_no_rate() -> None:
    summary = torusim.run({"machine": {"shape": [4]}, "workload": {"kind": "all-to-all", "payload_bytes": 240}}).summary
    assert summary["offered_bytes_per_node_per_cycle"] is None
    assert summary["accepted_bytes_per_node_per_cycle"] > 0


def test_printed_units(half: torusim.Result) -> None:
    rows = dict(summary_as_rows(half.summary))
    assert rows["Offered"].endswith(" GB/s)")
    assert " bytes per node per cycle (" in rows["Accepted"]
    assert rows["Latency, mean"].endswith("µs)")
    assert rows["Latency, mean"].split(" cycles (")[0] == f"{half.summary['latency_cycles_mean']:.4g}"


@pytest.mark.parametrize(
    ("load", "words"),
    [("0.5", "Load 0.5 is a share of the bound, which the busiest dimension sets."), ("1.2", "Load 1.2 is 1.2 times")],
)
def test_load_is_explained(load: str, words: str, command: Command) -> None:
    command("init", "random.toml", "--kind", "uniform-random")
    settings = ("--set", f"workload.load={load}", "--set", "machine.shape=[4,4]", "--set", "run.measure_cycles=5_000")
    checked = command("check", "random.toml", *settings).stdout
    assert words in checked
    assert "GB/s)" in checked
    ran = command("run", "random.toml", *settings).stdout
    assert (words in ran) == (load == "1.2"), "only what is unusual is explained again"


def test_load_without_a_known_bound() -> None:
    assert load_in_words(0.5, None) == "Load 0.5 is a share of the bound of this traffic."


def test_long_runs_are_said_to_keep_checkpoints(command: Command) -> None:
    command("init", "random.toml", "--kind", "uniform-random")
    printed = command("check", "random.toml", "--set", "run.measure_cycles=1_000_000_000").stdout
    assert "on one thread; checkpoints are kept" in printed
