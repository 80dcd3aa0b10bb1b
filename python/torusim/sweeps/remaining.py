"""The remaining time: of a run by its completed share, and of many points by the times of finished ones of their kind.

No estimate is better than a wrong one. An estimate is given if its bounds are close to each other, and it is their
geometric mean. It is thus within a factor of two as long as the rest is like the finished part.

    points --by function and expected seconds--> groups      seconds of a finished point, mean and spread
                                                   |
                    left = the remaining time of the groups, divided by the points that run now, or the longest point
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import floor, inf, log2, sqrt
from typing import TypeAlias

from torusim.common.intervals import STUDENT_975

LEAST_SHARE = 0.02
"""Completed share of a run below which no estimate is given."""

STEADY = 1.25
"""The largest ratio between the rates of a run: since its begin, in its second half, in its last quarter."""

CLOSE = 2.5
"""The largest ratio between the bounds of an estimate: each is within a factor of two of their geometric mean."""

FEWEST = 5
"""Points of a group whose times have to be known before the others' are estimated."""

NOT_EXPECTED = -1000
"""The group of points without expected seconds."""

UNKNOWN = 8
"""The time that a point may take if no similar one is finished, as a multiple of its function's greatest rate."""

TREND = 1.3
"""The largest ratio between the rates of the first and the last third of points for an estimate."""

LEAST_SECONDS = 0.01
"""Expected seconds below which points are alike: they take the time that every point needs at least."""

KNOWN_FROM_SHARE = 0.1
"""Completed share of a running point from which its time is known."""

LAST_SHARE = 0.03
"""Share of the elapsed time below which the remaining time is not shown."""

SAMPLES = 4000
"""Reports of a run that are kept: older ones are thinned out."""

Bounds: TypeAlias = tuple[float, float]


class Remaining:
    """Estimates the remaining time from the work done since the first report, as a resumed run begins in the middle."""

    def __init__(self) -> None:
        """Creates an estimate without reports yet."""
        self._reports: deque[tuple[float, float]] = deque()

    def seconds(self, fraction: float | None, now_seconds: float) -> float | None:
        """The estimate after a report of the completed share; None if there is no basis for one."""
        if fraction is None:
            return None
        reports = self._reports
        reports.append((now_seconds, fraction))
        if len(reports) > SAMPLES:
            self._reports = deque(list(reports)[::2])
        begin, first = reports[0]
        elapsed = now_seconds - begin
        if elapsed <= 0 or fraction - first < LEAST_SHARE * (1 - first):
            return None
        rates = [self._rate(begin + part * elapsed) for part in (0.0, 0.5, 0.75)]
        if min(rates) <= 0 or max(rates) > STEADY * min(rates):
            return None
        return (1 - fraction) / rates[-1]

    def _rate(self, since: float) -> float:
        end, last = self._reports[-1]
        at, share = next(report for report in reversed(self._reports) if report[0] <= since)
        return (last - share) / (end - at)


@dataclass
class _Kind:
    """Points that take times in proportion to their weights."""

    taken: list[tuple[float, float]] = field(default_factory=list)
    """Weight and seconds of finished points, in the order in which they finished."""

    least: float = inf
    greatest: float = 0.0
    """The greatest seconds per weight of these points; `least` is the least."""

    def add(self, weight: float, seconds: float) -> None:
        """Notes that a point of this weight has taken `seconds` seconds."""
        self.taken.append((weight, seconds))
        self.least, self.greatest = min(self.least, seconds / weight), max(self.greatest, seconds / weight)

    def of_one(self, weight: float) -> Bounds:
        """The least and the greatest seconds that one point of this weight may take."""
        return (weight * self.least, weight * self.greatest) if len(self.taken) >= FEWEST else (0.0, inf)

    def of_all(self, weights: Iterable[float]) -> Bounds:
        """Bounds of the total seconds of several points. The last finished points have to be like the first."""
        weights = list(weights)
        if len(self.taken) < FEWEST:
            return 0.0, inf
        part = max(FEWEST // 2, len(self.taken) // 3)
        late = self.taken[-max(FEWEST, part) :]
        if not 1 / TREND <= _rate(self.taken[-part:]) / _rate(self.taken[:part]) <= TREND:
            return 0.0, inf
        whole = _bounds_of_sum(self.taken, weights)
        bounds = [whole, _bounds_of_sum(late, weights)]
        return min(low for low, _ in bounds), max(high for _, high in bounds)


def _rate(taken: list[tuple[float, float]]) -> float:
    return sum(seconds for _, seconds in taken) / sum(weight for weight, _ in taken)


def _bounds_of_sum(taken: list[tuple[float, float]], weights: list[float]) -> Bounds:
    """A 95 % interval of a sum, for the errors of the mean rate and of the points' own (Student's t)."""
    rate = _rate(taken)
    variance = sum((seconds / weight - rate) ** 2 for weight, seconds in taken) / (len(taken) - 1)
    total = sum(weights)
    quantile = STUDENT_975[min(len(taken) - 1, len(STUDENT_975)) - 1]
    margin = quantile * sqrt(variance * (total**2 / len(taken) + sum(weight**2 for weight in weights)))
    return max(total * rate - margin, 0.0), total * rate + margin


@dataclass(frozen=True)
class _Running:
    """A running point: its start, and its completed share."""

    since: float
    fraction: float


class PointsLeft:
    """Estimates the remaining time of many points, of which several run at a time."""

    def __init__(self, points: Mapping[str, tuple[str, float | None]], begin_seconds: float) -> None:
        """Creates the estimate for all points to run: the function of each, and its expected seconds, if known."""
        self._waiting = dict(points)
        self._points = points
        self._begin = begin_seconds
        self._running: dict[str, _Running] = {}
        self._kinds: dict[tuple[str, int], _Kind] = defaultdict(_Kind)
        self._most_at_a_time = 0

    def advance(self, key: str, fraction: float | None, now_seconds: float) -> None:
        """Notes that a point has begun, or reports its completed share."""
        before = self._running.get(key)
        since = now_seconds if before is None else before.since
        self._waiting.pop(key, None)
        self._running[key] = _Running(since, fraction or 0.0)
        self._most_at_a_time = max(self._most_at_a_time, len(self._running))

    def finish(self, key: str, now_seconds: float) -> None:
        """Notes that a point has ended."""
        self._waiting.pop(key, None)
        if (running := self._running.pop(key, None)) is not None:
            kind, weight = self._kind_of(key)
            self._kinds[kind].add(weight, now_seconds - running.since)

    def seconds(self, now_seconds: float) -> float | None:
        """The estimate; None if there is no basis for one."""
        running = [self._left_of(key, now_seconds) for key in self._running]
        waiting = list(self._left_of_waiting())
        if not self._most_at_a_time or not all(high < inf for _, high, _ in (*running, *waiting)):
            return None
        at_a_time = min(self._most_at_a_time, len(self._running) + len(self._waiting)) or 1
        longest = [max((item[side] for item in running), default=0.0) for side in (0, 1)]
        low, high = (sum(item[side] for item in (*running, *waiting)) / at_a_time for side in (0, 1))
        last = max((one for *_, one in (*running, *waiting)), default=0.0)
        low, high = max(low, longest[0]), max(high + last * (1 - 1 / at_a_time), longest[1])
        left = sqrt(low * high)
        is_worth_it = left > LAST_SHARE * (now_seconds - self._begin)
        return left if is_worth_it and high <= CLOSE * low else None

    def _kind_of(self, key: str) -> tuple[tuple[str, int], float]:
        """The kind of a point, and its weight: points of one kind differ from their expected times in the same way."""
        function, seconds = self._points[key]
        if seconds is None:
            return (function, NOT_EXPECTED), 1.0
        weight = max(seconds, LEAST_SECONDS)
        return (function, floor(2 * log2(weight))), weight

    def _left_of(self, key: str, now_seconds: float) -> tuple[float, float, float]:
        """The least and the greatest seconds that a running point still takes, and again the greatest."""
        kind, weight = self._kind_of(key)
        running = self._running[key]
        passed = now_seconds - running.since
        if running.fraction >= KNOWN_FROM_SHARE:
            left = passed * (1 - running.fraction) / running.fraction
            return left / 1.2, 1.2 * left, 1.2 * left
        low, high = (max(seconds - passed, 0.0) for seconds in self._bounds_of_one(kind, weight))
        return low, high, high

    def _left_of_waiting(self) -> Iterator[tuple[float, float, float]]:
        """The least and the greatest seconds of each group of waiting points, and the greatest of its longest point."""
        groups: dict[tuple[str, int], list[float]] = defaultdict(list)
        for key in self._waiting:
            kind, weight = self._kind_of(key)
            groups[kind].append(weight)
        for kind, weights in groups.items():
            low, high = self._kinds[kind].of_all(weights)
            if len(self._kinds[kind].taken) < FEWEST:
                low, high = self._bounds_of_one(kind, sum(weights))
            yield low, high, self._bounds_of_one(kind, max(weights))[1]

    def _bounds_of_one(self, kind: tuple[str, int], weight: float) -> Bounds:
        """Bounds of a kind's seconds.

        If too little is known, up to a multiple of the most that its function has taken.
        """
        low, high = self._kinds[kind].of_one(weight)
        if high < inf or kind[1] == NOT_EXPECTED:
            return low, high
        others = [known.greatest for (function, _), known in self._kinds.items() if function == kind[0]]
        return 0.0, (UNKNOWN * weight * max(others) if any(others) else inf)
