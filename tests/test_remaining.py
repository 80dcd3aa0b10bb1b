"""Estimates of the time that is left: within a factor of two once a tenth of the time has passed, or not given."""

import heapq
import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from torusim.sweeps.remaining import PointsLeft, Remaining

Timed = tuple[str, float | None, float]
"""A point: its function, its expected seconds, and its true seconds."""


def simulate(points: Sequence[Timed], jobs: int) -> tuple[float, list[tuple[float, float | None]]]:
    """The time of all points, and estimates at some times. Points of unknown time run first, then the longest ones."""
    order = sorted(range(len(points)), key=lambda index: points[index][1] or float("inf"))
    left = PointsLeft({str(index): point[:2] for index, point in enumerate(points)}, 0.0)
    events: list[tuple[float, float, int, float]] = []
    estimates: list[tuple[float, float | None]] = []

    def begin(now: float) -> None:
        if order:
            index = order.pop()
            left.advance(str(index), None, now)
            seconds = points[index][2]
            steps = 20 if seconds > 1 else 1
            for step in range(1, steps + 1):
                heapq.heappush(events, (now + seconds * step / steps, step / steps, index, now))

    for _ in range(jobs):
        begin(0.0)
    now = 0.0
    for count in range(10**9):
        if not events:
            break
        now, share, index, _ = heapq.heappop(events)
        if share == 1:
            left.finish(str(index), now)
            begin(now)
        else:
            left.advance(str(index), share, now)
        if count % max(1, len(points) // 40) == 0:
            estimates.append((now, left.seconds(now)))
    return now, estimates


def noisy(generator: random.Random, middle: float, spread: float) -> float:
    return middle * generator.lognormvariate(0, spread)


def verify_like(generator: random.Random) -> list[Timed]:
    """Five points that are expected to take most of the time, and many short ones."""
    short: list[Timed] = [("network", 0.001, noisy(generator, 0.4, 0.3)) for _ in range(1000)]
    return short + [("network", seconds, noisy(generator, 2 * seconds, 0.2)) for seconds in (100, 60, 50, 20, 10)]


def alike(generator: random.Random) -> list[Timed]:
    return [("network", 1.0, noisy(generator, 2.0, 0.2)) for _ in range(100)]


def up_to_saturation(_: random.Random) -> list[Timed]:
    """Points take ever longer than expected."""
    return [("network", load, load * (1 + 3 * load**4)) for load in [part / 20 for part in range(1, 20)] * 3]


def unknown(generator: random.Random) -> list[Timed]:
    functions = [(name, noisy(generator, 1.0, 1.0)) for name in ("f", "g", "h")]
    return [(name, None, noisy(generator, seconds, 0.4)) for name, seconds in functions for _ in range(40)]


def sizes(generator: random.Random) -> list[Timed]:
    factor = noisy(generator, 1.0, 1.0)
    expected = [noisy(generator, 1.0, 1.2) for _ in range(generator.randint(1, 200))]
    return [("network", seconds, seconds * factor * noisy(generator, 1.0, 0.3)) for seconds in expected]


@pytest.mark.parametrize(
    ("points", "given"), [(verify_like, 0.3), (alike, 0.8), (up_to_saturation, 0.0), (unknown, 0.0), (sizes, 0.0)]
)
@pytest.mark.parametrize("seed", range(5))
def test_estimates_of_many_points(points: Callable[[random.Random], list[Timed]], given: float, seed: int) -> None:
    generator = random.Random(seed)
    jobs = generator.randint(1, 6)
    end, estimates = simulate(points(generator), jobs)
    late = [(estimate, end - now) for now, estimate in estimates if now >= end / 10]
    known = [(estimate, left) for estimate, left in late if estimate is not None]
    wrong = [(estimate, left) for estimate, left in known if not left / 2 <= estimate <= 2 * left]
    assert not wrong, f"seed {seed}: {wrong[:3]}"
    assert len(known) >= given * len(late) or len(estimates) < 100


def course(rate: Callable[[float], float]) -> Iterator[tuple[float, float]]:
    """Times and shares of a run with this rate over time, which ends at 1."""
    rates = [rate(step / 1000) for step in range(1000)]
    share = 0.0
    for step, each in enumerate(rates, 1):
        share += each / sum(rates)
        yield step / 1000, min(share, 1.0)


@pytest.mark.parametrize(
    ("rate", "given"),
    [
        (lambda _: 1.0, 0.9),
        (lambda time: 1.5 - time, 0.3),
        (lambda time: 0.5 + time, 0.3),
        (lambda time: 1.0 if time < 0.5 else 0.5, 0.3),
    ],
)
def test_estimates_of_a_run(rate: Callable[[float], float], given: float) -> None:
    remaining = Remaining()
    remaining.seconds(0.0, 0.0)
    estimates = [(now, remaining.seconds(share, now)) for now, share in course(rate)]
    known = [(1 - now, estimate) for now, estimate in estimates if 0.1 <= now < 0.999 and estimate is not None]
    assert all(left / 2 <= estimate <= 2 * left for left, estimate in known)
    assert len(known) >= given * 900
