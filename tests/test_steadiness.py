"""The beginning of a run that is left out, and the interval of its mean latency."""

import pytest

import torusim
from torusim.common.intervals import interval
from torusim.runs.steadiness import FEWEST_ROWS, latency_half_width, settled_cycles

UNIFORM = {
    "machine": {"shape": [4, 4]},
    "workload": {"kind": "uniform-random", "load": 0.5},
    "run": {"stop": "measured", "warmup_cycles": 5_000, "measure_cycles": 40_000},
}


def test_interval_is_that_of_the_means_of_batches() -> None:
    rows = [(10 + row % 3, 100 * row) for row in range(60)]
    batches = [rows[3 * batch : 3 * batch + 3] for batch in range(20)]
    means = [sum(latency for _, latency in batch) / sum(packets for packets, _ in batch) for batch in batches]
    assert latency_half_width(rows) == pytest.approx(interval(means).half_width)
    assert latency_half_width(rows[: FEWEST_ROWS - 1]) is None
    assert latency_half_width([(0, 0)] * FEWEST_ROWS) is None


def test_settled_cycles_are_the_rows_that_are_left_out() -> None:
    filling = [*range(0, 100, 10), *([100, 101] * 45)]
    assert settled_cycles(range(256, 256 * 101, 256), filling) == 2560
    assert settled_cycles([256, 512], [3, 3]) == 0


def test_summary_has_both_for_a_window() -> None:
    summary = torusim.run(UNIFORM).summary
    assert summary["steadiness"] == "steady"
    assert 0 <= summary["settled_cycles"] < summary["cycles"] / 2
    assert 0 < summary["latency_cycles_batch_half_width"] < 0.1 * summary["latency_cycles_mean"]


def test_interval_is_of_the_size_of_the_spread_over_seeds() -> None:
    runs = [torusim.run(UNIFORM, seed=seed).summary for seed in range(1, 13)]
    spread = interval([run["latency_cycles_mean"] for run in runs]).half_width
    assert spread is not None
    expected = spread * len(runs) ** 0.5 * 2.09 / 2.201  # of one run with 19 instead of 11 degrees of freedom
    mean = sum(run["latency_cycles_batch_half_width"] for run in runs) / len(runs)
    assert 0.5 < mean / expected < 2


def test_summary_has_neither_for_a_drained_run() -> None:
    drained = {"machine": {"shape": [4]}, "workload": {"kind": "all-to-all", "payload_bytes": 240}}
    summary = torusim.run(drained).summary
    assert summary["settled_cycles"] is None
    assert summary["latency_cycles_batch_half_width"] is None


def test_latencies_of_the_series_sum_to_that_of_the_summary() -> None:
    result = torusim.run(UNIFORM)
    series, warmup = result.table("series"), 5_000
    rows = zip(*(series.column(name).to_pylist() for name in ("end_cycle", "latency_cycles_sum")), strict=True)
    total = sum(latency for end, latency in rows if end > warmup)
    summary = result.summary
    assert total == pytest.approx(summary["latency_cycles_mean"] * summary["packets_delivered"], rel=0.02)


@pytest.mark.parametrize(("shape", "expected"), [([8, 8, 8], "steady"), ([4, 16, 16], "not yet steady")])
def test_a_torus_that_keeps_its_throughput_while_its_escape_fills_is_not_steady(
    shape: list[int], expected: str
) -> None:
    """At 100,000 cycles 4x16x16 has 98 % of peak for some hundred thousand cycles more, and then 81 %."""
    scenario = {
        "machine": {"shape": shape},
        "workload": {"kind": "all-to-all", "payload_bytes": 960_000},
        "run": {"stop": "measured", "warmup_cycles": 40_000, "measure_cycles": 60_000},
    }
    summary = torusim.run(scenario).summary
    assert summary["percent_of_peak"] > 95
    assert summary["steadiness"] == expected
