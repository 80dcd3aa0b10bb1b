"""Which loads of a curve are run: two that enclose saturation, and below them loads ever closer to one another.

    0   light                .            .        .    .  .  below|above           overload
    |-----|------------------|------------|--------|----|--|-----|-----|----------------|

The delay in a queue grows with 1 / (1 - load / saturation). With each load the distance to saturation falls to the same
share, so that the delay rises by the same factor: few loads lie where nothing happens, and many at the knee.
"""

from collections.abc import Iterable, Mapping
from math import ceil

LIGHT = 0.1
"""The first load, as a share of the peak, and then of saturation."""

OVERLOAD = 1.1
"""More than any network carries, as a share of the peak."""

LOWEST = 0.001
"""Share of the peak below which saturation is not sought: of a network that deadlocks at any load, for example."""

RESOLUTION = 0.02
"""Distance of the highest steady load from the lowest saturated one, as a share of the latter."""

PARTS = 4
"""Most parts into which the interval that contains saturation is divided where there is no better guess."""

STEP = 0.6
"""Distance of a load to saturation, as a share of that of the load before."""

NEAREST = 0.03
"""Distance to saturation, as a share of it, below which no more loads are added: the runs do not settle there."""

LONGEST = 16
"""Longest run, as a multiple of the shortest."""

LENGTHS = (1, 2, 4, 8, LONGEST)

SETTLING = 0.2
"""The length of a load's first runs, as a multiple of the shortest, is this number divided by the load's distance to
saturation, as a share of the saturation. Queues take longer to settle the closer they are to saturation (Whitt:
Planning queueing simulations, Management Science 35, 1989)."""


def next_loads(saturated: Mapping[float, bool], accepted: Mapping[float, float], deficit: float) -> list[float]:
    """The loads to run next; none if the curve is complete, or there is no saturation. Loads are shares of the peak.

    Args:
        saturated: Whether each load that was run is saturated.
        accepted: The accepted load of each.
        deficit: The smallest share of its offered traffic that a saturated load does not deliver.
    """
    if not saturated:
        return [LIGHT, OVERLOAD]
    low, high = enclosure(saturated)
    if high is None or high <= LOWEST:
        return []
    if high - low > RESOLUTION * high:
        return _enclosing(low, high, _expected(saturated, accepted, deficit))
    return between((load for load in saturated if load <= low), high)


def _enclosing(low: float, high: float, guess: float) -> list[float]:
    """Loads that narrow the interval of saturation: on both sides of the guess, or equal parts where it is useless."""
    sides = (rounded(guess * (1.0 + side * 0.45 * RESOLUTION)) for side in (-1, 1))
    useful = [load for load in sides if low + RESOLUTION / 2 * high < load < high * (1.0 - RESOLUTION / 2)]
    parts = min(PARTS, ceil((high - low) / (RESOLUTION * high)))
    return useful or [rounded(low + (high - low) * part / parts) for part in range(1, parts)]


def _expected(saturated: Mapping[float, bool], accepted: Mapping[float, float], deficit: float) -> float:
    """A guess of the load with exactly this deficit.

    The first guess is the load that an overloaded network accepts, as it mostly accepts all that it can carry. Where
    only some nodes are starved, it accepts more than that, and the deficits of the two lowest saturated loads lead to
    the next guess.
    """
    low, *others = sorted(load for load, is_saturated in saturated.items() if is_saturated)
    if not others:
        return accepted[low] / (1.0 - deficit)
    deficits = [1.0 - accepted[load] / load for load in (low, others[0])]
    slope = (deficits[1] - deficits[0]) / (others[0] - low)
    return low - (deficits[0] - deficit) / slope if slope > 0.0 else 0.0


def enclosure(saturated: Mapping[float, bool]) -> tuple[float, float | None]:
    """The highest load below all saturated ones (0 if none was run), and the lowest saturated one, if any."""
    high = min((load for load, is_saturated in saturated.items() if is_saturated), default=None)
    return max((load for load in saturated if high is None or load < high), default=0.0), high


def between(loads: Iterable[float], end: float) -> list[float]:
    """The loads that are missing below `end`: a light one, and those without which distances to `end` fall too fast.

    A load that is a little closer to `end` than the missing one is used instead.
    """
    known = [load for load in sorted(loads) if load < end]
    missing = [] if known and known[0] <= 2 * LIGHT * end else [rounded(LIGHT * end)]
    at = (missing or known)[0]
    for load in known:
        while end - load < 0.9 * STEP * (end - at) and (following := rounded(end - STEP * (end - at))) < load:
            missing.append(following)
            at = following
        at = load
    return [load for load in missing if end - load >= NEAREST * end]


def first_length(load: float, saturation: float | None) -> int:
    """The length of a load's first runs, as a multiple of the shortest; a power of two.

    Without a guess of the saturation the runs are short.
    """
    distance = abs(1.0 - load / saturation) if saturation else 1.0
    return next(length for length in LENGTHS if length == LONGEST or length * distance >= SETTLING)


def rounded(load: float) -> float:
    """The load with four significant digits."""
    return float(f"{load:.4g}")
