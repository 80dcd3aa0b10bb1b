"""Claims of the papers, and whether our numbers agree with them.

Every claim is reduced to one number and a range. For a published number, the range is around it; for an ordering or the
shape of a curve, the number is a margin, which `test` defines.
"""

import math
from dataclasses import dataclass

from torusim.formatting import number

DEFAULT_WITHIN_PERCENT = 5.0
"""Tolerance around a published number if the claim gives none."""


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, and the range in which our number must lie to agree with it.

    Attributes:
        label: Its row in docs/claims.md, such as "S20".
        says: The paper's statement.
        number: Name of the study's number that is compared.
        unit: Unit of the number, such as "%".
        test: Definition of the number, and the condition on it, if the paper gives no number to compare with.
        paper: The published number.
        within: Tolerance around it, in its unit.
        within_percent: Tolerance around it, in percent of it.
        at_least: The least value that agrees.
        at_most: The greatest value that agrees.
        cause: Why ours disagrees, established by experiment.
        scales: The scales at which the study can show it.
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
        """The least and the greatest value that agree."""
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
    def paper_text(self) -> str:
        """The value or range that ours is compared with: "96 %, within 3", "at least 0.98"."""
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
        claim: The claim.
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
    def ours_text(self) -> str:
        """Our number with its unit."""
        return f"{number(self.ours)} {self.claim.unit}".strip()

    @property
    def difference_text(self) -> str:
        """Our number's difference from the published one, or from the nearest end of the range; "" if inside it."""
        low, high = self.claim.range
        if self.claim.paper is not None and (self.claim.at_least, self.claim.at_most) == (None, None):
            return f"{self.ours - self.claim.paper:+.3g}"
        if self.agrees:
            return ""
        return f"{self.ours - (low if self.ours < low else high):+.3g}"
