"""Measures of a run's time series, and their panels, that several studies use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.sweeps.points import FinishedPoint

Floats = npt.NDArray[np.float64]

DECLINE = 0.03
"""Throughput has begun to decline when it is this share of its maximum below the maximum."""

STEADY_SHARE = 0.25
"""The last share of a run that counts as steady."""


@dataclass(frozen=True)
class Throughput:
    """Throughput over time.

    Attributes:
        cycles: End cycle of each interval.
        values: Bytes of packets delivered per node per cycle in each interval.
    """

    cycles: Floats
    values: Floats

    @property
    def highest(self) -> float:
        """The maximum over all intervals."""
        return float(self.values.max())

    @property
    def steady(self) -> float:
        """The mean of the last intervals."""
        return float(self.values[-max(1, round(len(self.values) * STEADY_SHARE)) :].mean())

    @property
    def decline_start(self) -> float:
        """The first cycle after the maximum at which throughput is below it by `DECLINE`; the end if there is none."""
        return self.first_below(1 - DECLINE)

    def first_below(self, share: float) -> float:
        """The first cycle after the maximum with throughput below this share of it; the end if there is none.

        Throughput is interpolated linearly between the ends of intervals.
        """
        top = int(self.values.argmax())
        level = share * self.highest
        for index in range(top + 1, len(self.values)):
            if self.values[index] < level:
                step = (self.values[index - 1] - level) / (self.values[index - 1] - self.values[index])
                return float(self.cycles[index - 1] + step * (self.cycles[index] - self.cycles[index - 1]))
        return float(self.cycles[-1])

    @property
    def oscillation(self) -> float:
        """(maximum - minimum) / mean of the intervals after the first minimum that follows the maximum."""
        top = int(self.values.argmax())
        later = self.values[top:]
        rises = np.flatnonzero(np.diff(later) > 0)
        after = later[rises[0] :] if len(rises) else later[-1:]
        return float((after.max() - after.min()) / after.mean())


def throughput(point: FinishedPoint, packet_bytes: int = 256) -> Throughput:
    """Throughput over time of a point that kept its series."""
    series = columns(point, "series")
    cycles = series["end_cycle"] - series["start_cycle"]
    return Throughput(
        cycles=series["end_cycle"],
        values=series["packets_delivered"] * packet_bytes / cycles / point.summary["nodes"],
    )


def throughput_over_time(flows: Mapping[str, Throughput]) -> Curves:
    """The panel of throughput over time, a curve for each name."""
    return Curves(
        x=Axis("time (thousand cycles)", lowest=0),
        y=Axis("throughput (bytes per node per cycle)", lowest=0),
        curves=[Curve(name, flow.cycles / 1000, flow.values, has_marks=False) for name, flow in flows.items()],
    )


def columns(point: FinishedPoint, table: str) -> Mapping[str, Floats]:
    """A table that a point kept, as arrays of floats."""
    return {name: np.asarray(values, dtype=np.float64) for name, values in point.tables[table].items()}


TIME_UNITS = {"thousand cycles": 1e3, "million cycles": 1e6}
"""Cycles in each unit of a time axis."""


def utilization_over_time(
    point: FinishedPoint, levels: Sequence[Level], *, unit: str = "million cycles", title: str = ""
) -> Curves:
    """The panel of utilization over time, of all links and of each dimension's, in a three-dimensional machine."""
    series = columns(point, "series")
    cycles, values = binned(series, ["utilization", *(f"utilization_{name}" for name in DIRECTIONS)])
    means = [(there + back) / 2 for there, back in zip(values[1::2], values[2::2], strict=True)]
    lines = {"all links": values[0]} | dict(zip("xyz", means, strict=True))
    return Curves(
        x=Axis(f"time ({unit})", lowest=0),
        y=Axis("link utilization (%)", lowest=0, highest=100),
        curves=[Curve(name, cycles / TIME_UNITS[unit], 100 * line, has_marks=False) for name, line in lines.items()],
        levels=levels,
        title=title,
    )


DIRECTIONS = ("x+", "x-", "y+", "y-", "z+", "z-")

MOST_BINS = 60
"""Points of a line over time. A transfer is counted in the cycle in which it begins, which shows as a ripple in
intervals that last only a few packets."""


def binned(series: Mapping[str, Floats], names: Sequence[str]) -> tuple[Floats, list[Floats]]:
    """Middle cycles of at most `MOST_BINS` equal groups of intervals, and the mean of each column, weighted by time."""
    starts, ends = series["start_cycle"], series["end_cycle"]
    groups = np.array_split(np.arange(len(starts)), min(MOST_BINS, len(starts)))
    middle = np.array([(starts[group[0]] + ends[group[-1]]) / 2 for group in groups])
    cycles = ends - starts
    return middle, [
        np.array([np.average(series[name][group], weights=cycles[group]) for group in groups]) for name in names
    ]


def by_label(points: Sequence[FinishedPoint], label: str) -> dict[str, list[FinishedPoint]]:
    """The points grouped by the value of a label, in order."""
    groups: dict[str, list[FinishedPoint]] = {}
    for point in points:
        groups.setdefault(point.labels[label], []).append(point)
    return groups
