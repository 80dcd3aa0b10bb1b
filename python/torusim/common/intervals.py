"""The mean of independent values, and its 95 % confidence interval by Student's t."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import NormalDist

STUDENT_975 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""97.5 % points of Student's t for 1 to 30 degrees of freedom; beyond, the normal quantile is accurate enough."""


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % confidence interval, mean - half_width to mean + half_width.

    Attributes:
        mean: The mean.
        half_width: Half the interval's width; None for a single value.
        count: The number of values.
    """

    mean: float
    half_width: float | None
    count: int

    @property
    def of_draws(self) -> "Interval":
        """The interval for runs that differ by their random draws. Equal runs have made no draws: they have none."""
        return replace(self, half_width=self.half_width or None)

    def __str__(self) -> str:
        """The interval as "+3.1 ± 0.4", never with an exponent, as percentages may be several hundred."""
        mean = f"{float(f'{self.mean:.3g}'):+g}"
        return mean if self.half_width is None else f"{mean} ± {float(f'{self.half_width:.2g}'):g}"


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent values, with its 95 % interval by Student's t.

    Raises:
        ValueError: If no value is given.
    """
    if not values:
        raise ValueError("there is no mean of nothing")
    mean = sum(values) / len(values)
    degrees = len(values) - 1
    if degrees == 0:
        return Interval(mean, None, 1)
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / degrees)
    quantile = STUDENT_975[degrees - 1] if degrees <= len(STUDENT_975) else NormalDist().inv_cdf(0.975)
    return Interval(mean, quantile * deviation / sqrt(len(values)), len(values))
