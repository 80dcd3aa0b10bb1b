"""What a paper says, and whether a number of ours agrees with it.

Every claim comes down to one number and a range. Of a published number the range is around it; of an ordering or a
shape the number is a margin, and `test` says which.
"""

import math
from dataclasses import dataclass

from torusim.wording import number

DEFAULT_WITHIN_PERCENT = 5.0
"""How far from a published number ours may be, where the claim does not say."""


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and the range in which a number has to lie to agree with it.

    Attributes:
        label: Its row in docs/claims.md, such as "S20".
        says: What the paper says.
        number: Which of the study's numbers is compared.
        unit: Of the number, such as "%".
        test: What the number is, and what has to hold of it, where the paper gives none to compare with.
        paper: The published number.
        within: How far ours may be from it, in its unit.
        within_percent: The same, in percent of it.
        at_least: The least that agrees.
        at_most: The most that agrees.
        cause: Why ours disagrees, established by experiment.
        scales: At which scales the study can show it.
    """

    label: str
    says: str
    number: str
    unit: str = ""
    test: str = ""
    paper: float | None = None
    within: float | None = None
    within_percent: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    cause: str = ""
    scales: tuple[str, ...] = ("quick", "paper")

    @property
    def range(self) -> tuple[float, float]:
        """The least and the most that agrees."""
        low, high = -math.inf, math.inf
        if self.at_least is not None:
            low = self.at_least
        if self.at_most is not None:
            high = self.at_most
        if self.paper is None or (self.at_least, self.at_most) != (None, None):
            return low, high
        margin = self.within
        if margin is None:
            percent = DEFAULT_WITHIN_PERCENT if self.within_percent is None else self.within_percent
            margin = abs(self.paper) * percent / 100
        return self.paper - margin, self.paper + margin

    @property
    def paper_in_words(self) -> str:
        """What ours is held against: "96 %, within 3", "at least 0.98"."""
        low, high = self.range
        unit = f" {self.unit}" if self.unit else ""
        if math.isinf(high):
            return f"at least {number(low)}{unit}"
        if math.isinf(low):
            return f"at most {number(high)}{unit}"
        if self.paper is None or (self.at_least, self.at_most) != (None, None):
            return f"{number(low)} to {number(high)}{unit}"
        return f"{number(self.paper)}{unit}, within {number(high - self.paper)}"


@dataclass(frozen=True)
class Verdict:
    """A claim and our number.

    Attributes:
        claim: What was said.
        ours: Our number.
    """

    claim: Claim
    ours: float

    @property
    def agrees(self) -> bool:
        """Whether our number is in the claim's range."""
        low, high = self.claim.range
        return low <= self.ours <= high

    @property
    def ours_in_words(self) -> str:
        """Our number with its unit."""
        return f"{number(self.ours)} {self.claim.unit}".strip()

    @property
    def difference_in_words(self) -> str:
        """By how much ours is off the published number, or misses the range; "" where it is well within."""
        low, high = self.claim.range
        if self.claim.paper is not None and (self.claim.at_least, self.claim.at_most) == (None, None):
            return f"{self.ours - self.claim.paper:+.3g}"
        if self.agrees:
            return ""
        return f"{self.ours - (low if self.ours < low else high):+.3g}"
