"""Claims of the papers, their readings, and whether our numbers agree with them.

A claim is a statement of a paper. It has one or several *readings*: ways to understand its words. Every reading is
reduced to one number and a band. For a published number, the band is a tolerance around it; for an ordering or the
shape of a curve, the number is a margin, which `test` defines. A test or band that changes after a run leaves an entry
in the reading's history.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from torusim.common.formatting import number

DEFAULT_WITHIN_PERCENT = 5.0
"""Tolerance around a published number if the reading gives none."""


class Kind(StrEnum):
    """The reference with which a claim is compared; the page counts the kinds separately."""

    PUBLISHED = "published"
    STATED = "stated"
    FITTED = "fitted"
    CHECK = "check"
    CROSS_CHECK = "cross-check"


class Agreement(StrEnum):
    """Whether a claim agrees, by its readings."""

    AGREES = "agrees"
    PARTLY = "partly"
    NO = "no"


@dataclass(frozen=True)
class Band:
    """A test, and the range in which its number must lie.

    Attributes:
        test: Definition of the number, and the condition on it.
        paper: The published number, if there is one.
        within: Tolerance around it, in its unit.
        within_percent: Tolerance around it, in percent of it.
        at_least: The least value that agrees.
        at_most: The greatest value that agrees.
    """

    test: str = ""
    paper: float | None = None
    within: float | None = None
    within_percent: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    @property
    def has_limits(self) -> bool:
        """Whether the band is given by its ends and not by a tolerance."""
        return (self.at_least, self.at_most) != (None, None)

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value that agree."""
        if self.paper is None or self.has_limits:
            low = -math.inf if self.at_least is None else self.at_least
            return low, math.inf if self.at_most is None else self.at_most
        margin = self.within
        if margin is None:
            percent = DEFAULT_WITHIN_PERCENT if self.within_percent is None else self.within_percent
            margin = abs(self.paper) * percent / 100
        return self.paper - margin, self.paper + margin

    def text(self, unit: str) -> str:
        """The range in words: "96 % ± 3", "at least 0.98"."""
        low, high = self.range
        unit = f" {unit}" if unit else ""
        if math.isinf(high):
            return f"at least {number(low)}{unit}"
        if math.isinf(low):
            return f"at most {number(high)}{unit}"
        if self.paper is None or self.has_limits:
            return f"{number(low)} to {number(high)}{unit}"
        return f"{number(self.paper)}{unit} ± {number(high - self.paper)}"

    def contains(self, value: float) -> bool:
        """Whether a value agrees."""
        low, high = self.range
        return low <= value <= high


@dataclass(frozen=True)
class Change:
    """An earlier test or band of a reading.

    Attributes:
        band: The earlier test and band.
        number: The number that it judged.
        changed: The commit or version that changed it.
        verdict: The verdict by the earlier band.
        why: The reason for the change.
    """

    band: Band
    number: str
    changed: str
    verdict: str
    why: str


@dataclass(frozen=True)
class Reading:
    """One way to understand a claim.

    Attributes:
        number: Name of the study's number that is compared; it identifies the reading within its study.
        band: The test and its range.
        band_from: The origin of the range.
        reading: The interpretation of the words; "" if there is only one.
        unit: Unit of the number, such as "%".
        cause: The reason why our number disagrees, established by experiment.
        scales: The scales at which the study can show it.
        not_run: The reason why no verdict is recorded; "" if one is.
        history: Earlier tests and bands, oldest first.
    """

    number: str
    band: Band
    band_from: str = ""
    reading: str = ""
    unit: str = ""
    cause: str = ""
    scales: tuple[str, ...] = ("quick", "paper")
    not_run: str = ""
    history: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Claim:
    """A statement of a paper.

    Attributes:
        row: The row in docs/claims.md, such as "S20".
        study: The study that tests it.
        kind: The reference with which it is compared.
        says: The statement, in short.
        words: The paper's own words; "" for a check of our own.
        source: Paper, and figure or section.
        readings: The ways to understand it, at least one.
        in_short: A sentence for the page of all claims: what is ours, and why it does not agree; `{number}` stands for
            a recorded number of its study.
        from_memory: Whether the statement is quoted from memory, its source not being at hand.
    """

    row: str
    study: str
    kind: Kind
    says: str
    readings: tuple[Reading, ...]
    words: str = ""
    source: str = ""
    in_short: str = ""
    from_memory: bool = False


@dataclass(frozen=True)
class Verdict:
    """A reading of a claim, and our number.

    Attributes:
        claim: The claim.
        reading: The reading.
        ours: Our number.
        scale: The scale at which it was computed.
    """

    claim: Claim
    reading: Reading
    ours: float
    scale: str = ""

    @property
    def agrees(self) -> bool:
        """Whether our number is in the reading's band."""
        return self.reading.band.contains(self.ours)

    @property
    def ours_text(self) -> str:
        """Our number with its unit."""
        return f"{number(self.ours)} {self.reading.unit}".strip()

    @property
    def difference_text(self) -> str:
        """Our number's difference from the published one, or from the nearest end of the range; "" if inside it."""
        band = self.reading.band
        if band.paper is not None and not band.has_limits:
            return f"{self.ours - band.paper:+.3g}"
        if self.agrees:
            return ""
        low, high = band.range
        return f"{self.ours - (low if self.ours < low else high):+.3g}"


def agreement(verdicts: Sequence[Verdict]) -> Agreement:
    """Whether a claim agrees: in all its readings, in some, or in none.

    Args:
        verdicts: A verdict for each of its readings, at least one.
    """
    agreeing = sum(verdict.agrees for verdict in verdicts)
    if agreeing == len(verdicts):
        return Agreement.AGREES
    return Agreement.PARTLY if agreeing else Agreement.NO
