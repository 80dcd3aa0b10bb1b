"""The steady state of a run from its time series: the beginning to leave out, and the interval of its latency.

**Warm-up.** MSER-5 (White, Cobb, Spratt: A comparison of five steady-state truncation heuristics for simulation, Winter
Simulation Conference 2000) leaves out the beginning without which the standard error of the mean is least, in batches
of five values.

**Interval.** The window is cut into batches, whose means are nearly independent if they are long: so one run has an
interval of its mean (batch means; Law: Simulation Modeling and Analysis, 2015, chapter 9).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from torusim import _core
from torusim.common.intervals import interval
from torusim.common.units import Clock, Units, with_twins
from torusim.runs.fluid import stated_error

WINDOW_BATCHES = 20
"""Batches of a window. More would be shorter and depend on one another more."""

FEWEST_ROWS = 2 * WINDOW_BATCHES
"""Rows of the time series in a window, below which the batches would be too unequal."""


def settled_cycles(ends: Sequence[int], in_flight: Sequence[float]) -> int:
    """The cycle from which the number of packets in the network is steady, by MSER-5.

    Args:
        ends: Cycles at which the rows of the time series end.
        in_flight: Packets in the network at these cycles.
    """
    leading = _core.truncation(in_flight)
    return int(ends[leading - 1]) if leading else 0


def seconds_of_whole(summary: Mapping[str, Any]) -> float:
    """The simulated time of a workload in seconds; for a sampled run, the time extrapolated from its settled rate."""
    return float(summary.get("extrapolated_seconds") or summary["seconds_simulated"])


def latency_half_width(rows: Iterable[tuple[int, int]]) -> float | None:
    """Half of the 95 % interval of the mean latency in cycles, by batch means; None below `FEWEST_ROWS` rows.

    Args:
        rows: Packets delivered in each row of the window, and the sum of their latencies in cycles.
    """
    counted = list(rows)
    if len(counted) < FEWEST_ROWS:
        return None
    edges = [len(counted) * batch // WINDOW_BATCHES for batch in range(WINDOW_BATCHES + 1)]
    batches = [counted[first:end] for first, end in pairwise(edges)]
    sums = [(sum(packets for packets, _ in batch), sum(latency for _, latency in batch)) for batch in batches]
    means = [latency / packets for packets, latency in sums if packets]
    return interval(means).half_width if len(means) == len(batches) else None


def summary_of(finished: _core.RunResult) -> dict[str, Any]:
    """The summary of a finished run, with the steadiness of a measured window, and its engine's error.

    In physical units each key that counts cycles has its twin.
    """
    summary: dict[str, Any] = json.loads(finished.summary_json())
    is_measured = summary["steadiness"] is not None
    of_window = _of_window(summary, finished.tables()["series"] if is_measured else None)
    known = summary | of_window | stated_error(summary)
    if Units.of(known) is Units.CYCLES:
        return known
    return with_twins(known, Clock.of_scenario(json.loads(finished.scenario_json())))


def _of_window(summary: Mapping[str, Any], series: Mapping[str, Any] | None) -> dict[str, int | float | None]:
    if series is None:
        return {"settled_cycles": None, "latency_cycles_batch_half_width": None}
    warmup = summary["cycles"] - summary["measured_cycles"]
    columns = [
        [int(value) for value in series[name]] for name in ("start_cycle", "packets_delivered", "latency_cycles_sum")
    ]
    window = [(packets, latency) for start, packets, latency in zip(*columns, strict=True) if start >= warmup]
    is_steady = summary["steadiness"] == "steady"
    return {
        "settled_cycles": settled_cycles(series["end_cycle"], series["packets_in_flight"]),
        "latency_cycles_batch_half_width": latency_half_width(window) if is_steady else None,
    }
