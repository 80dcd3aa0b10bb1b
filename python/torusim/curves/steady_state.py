"""Steady state of an open-loop run: its warm-up, whether it is saturated, and how many replications it needs.

**Warm-up.** MSER-5 (`torusim.runs.steadiness`) is applied to the number of packets in the network over time, averaged
over seeds as by Welch.

**Saturation.** A load is saturated if less is accepted than offered. Then the backlog grows for as long as the run
lasts, and so does the latency, which therefore has no mean (Dally and Towles: Principles and Practices of
Interconnection Networks, 2004, chapter 23). The rates are those of the measured window.

**Replications.** Runs with other seeds are independent, so that the mean over them has an interval by Student's t.
There are as many as it takes to make it narrow (Dally and Towles, chapter 24; Hoad, Robinson, Davies: Automated
selection of the number of replications for a discrete-event simulation, J. Oper. Res. Soc. 61, 2010).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from torusim import _core
from torusim.common.intervals import Interval, interval
from torusim.runs.steadiness import settled_cycles

SATURATION_DEFICIT = 0.01
"""Share of the offered traffic that is not accepted above which a load is saturated. It is the growth of latency, in
cycles per cycle, from which a run's `steadiness` is `saturated`."""

CLEAR_DEFICIT = 0.03
"""Share that is not accepted above which a settled run is saturated without a check by a longer window."""

WARMUP_BIAS = 0.01
"""Difference of the mean number of packets in the network, as a share, that a longer warm-up has to make."""

BACKLOG_GROWTH = 0.1
"""Growth of the backlog in the window, as a share of its mean, above which its mean is not that of a longer window."""

INTERVAL_SHARE = 0.05
"""Half-width of the 95 % interval of the mean latency, as a share of it, below which replications are enough."""

WIDEST_SHARE = 0.25
"""Half-width of that interval, as a share of the mean, above which the mean says so little that it is not shown."""

FEWEST_SEEDS = 3
"""Replications to begin with, as Hoad et al. recommend: an interval of two values is too wide to be of use."""

UNSETTLED = ("not yet steady", "too short")
"""Verdicts of a run on its own window after which it has to be longer."""


@dataclass(frozen=True)
class Run:
    """The used values of a run.

    Attributes:
        seed: The seed of the run.
        outcome: The outcome of the run.
        steadiness: The run's verdict on its own window.
        warmup_cycles: Cycles before the window.
        measured_cycles: Cycles of the window.
        packets: Packets delivered in the window.
        cycle_seconds: Time of a cycle.
        latency_cycles_mean: Mean latency of packets delivered in the window; None if there are none.
        latency_cycles_p50: The median of these latencies, to about 1 %.
        latency_cycles_p99: The 99th percentile of these latencies, to about 1 %.
        escape_share: Share of hops on the escape VC.
        ends: Cycles at which the rows of the time series end.
        in_flight: Packets in the network at these cycles.
    """

    seed: int
    outcome: str
    steadiness: str | None
    warmup_cycles: int
    measured_cycles: int
    packets: int
    cycle_seconds: float
    latency_cycles_mean: float | None
    latency_cycles_p50: float | None
    latency_cycles_p99: float | None
    escape_share: float
    ends: Sequence[int]
    in_flight: Sequence[float]

    @property
    def packets_per_cycle(self) -> float:
        """Accepted packets per cycle, of all nodes."""
        return self.packets / self.measured_cycles if self.measured_cycles else 0.0


@dataclass(frozen=True)
class Replications:
    """The runs of a load with several seeds, all of the same length.

    Attributes:
        offered: Offered packets per cycle, of all nodes.
        runs: The runs, in the order of their seeds.
    """

    offered: float
    runs: Sequence[Run]

    @property
    def has_completed(self) -> bool:
        """Whether all runs reached the end of their window."""
        return all(run.outcome == "completed" for run in self.runs)

    @property
    def accepted(self) -> float:
        """Mean of the accepted packets per cycle, of all nodes."""
        return sum(run.packets_per_cycle for run in self.runs) / len(self.runs)

    @property
    def deficit(self) -> float:
        """Share of the offered traffic that was not accepted; below 0 by chance."""
        return 1.0 - self.accepted / self.offered

    @property
    def is_saturated(self) -> bool:
        """Whether less is accepted than offered, or a run ended before its window."""
        return not self.has_completed or self.deficit > SATURATION_DEFICIT

    @property
    def settled_cycles(self) -> int:
        """The cycle from which the number of packets in the network is steady, by MSER-5."""
        return settled_cycles(self.runs[0].ends, self._in_flight)

    @property
    def has_settled(self) -> bool:
        """Whether the warm-up was long enough, and the window too: its mean latency is that of any longer one."""
        return self._is_warm and not self._is_growing and not any(run.steadiness in UNSETTLED for run in self.runs)

    @property
    def needs_longer_runs(self) -> bool:
        """Whether longer runs are needed to decide between saturated and steady, or to measure a steady latency."""
        is_close = SATURATION_DEFICIT / 2 < self.deficit <= CLEAR_DEFICIT
        if not self.has_completed or self.deficit > CLEAR_DEFICIT:
            return self.has_completed and (self._may_be_transient or not self._is_warm)
        return is_close or not self.has_settled

    @property
    def latency(self) -> Interval | None:
        """The mean latency in cycles with its interval; None if it is not steady, or differs too much between seeds."""
        found = self._latency
        is_useless = found is None or (found.half_width or 0.0) > WIDEST_SHARE * found.mean
        return None if is_useless else found

    @property
    def _latency(self) -> Interval | None:
        """The mean latency with its interval, even if it differs much between seeds."""
        means = [run.latency_cycles_mean for run in self.runs if run.latency_cycles_mean is not None]
        return interval(means) if means and not self.is_saturated and self.has_settled else None

    @property
    def _in_flight(self) -> list[float]:
        rows = min(len(run.in_flight) for run in self.runs)
        return [sum(run.in_flight[row] for run in self.runs) / len(self.runs) for row in range(rows)]

    @property
    def _is_warm(self) -> bool:
        """Whether MSER-5 cuts off no more than the warm-up, or nothing is gained by it.

        Near saturation the number of packets in the network fluctuates so slowly that MSER-5 may cut off a low
        beginning that is part of the steady state.
        """
        run, values, leading = self.runs[0], self._in_flight, _core.truncation(self._in_flight)
        window = [value for value, end in zip(values, run.ends, strict=False) if end > run.warmup_cycles]
        steady = values[leading:]
        if not window or not sum(steady):
            return False
        is_alike = abs(sum(window) / len(window) * len(steady) / sum(steady) - 1.0) <= WARMUP_BIAS
        return self.settled_cycles <= run.warmup_cycles or is_alike

    @property
    def _may_be_transient(self) -> bool:
        """Whether packets still fill buffers for so long that the accepted traffic may fall later.

        Above a share of hops on the escape VC a run's `steadiness` tells transients, too.
        """
        return any(
            run.steadiness in UNSETTLED and run.escape_share > _core.NEGLIGIBLE_ESCAPE_SHARE for run in self.runs
        )

    @property
    def _is_growing(self) -> bool:
        """Whether the backlog grew in the window by a share of its mean, and not by chance.

        The backlog, with the packets that wait for injection, is latency times rate (Little's law). It grows by the
        packets that are offered and not accepted. The number of Poisson arrivals has a standard deviation of its root.
        """
        latencies = [run.latency_cycles_mean for run in self.runs if run.latency_cycles_mean is not None]
        if not latencies:
            return True
        chance = 2.0 / sqrt(sum(run.packets for run in self.runs))
        window_in_latencies = self.runs[0].measured_cycles * len(latencies) / sum(latencies)
        return (self.deficit - chance) * window_in_latencies > BACKLOG_GROWTH

    def seeds_needed(self, most: int) -> int:
        """The number of seeds for an interval that is narrow enough, at most twice the present number."""
        count = len(self.runs)
        latency = self._latency
        if latency is None or not latency.half_width:
            return count
        ratio = latency.half_width / (INTERVAL_SHARE * latency.mean)
        return min(most, 2 * count, max(count, ceil(count * ratio**2)))
