"""What the times of the fluid engine are worth: its errors against packets, as the study `fluid` has recorded them.

Errors differ by what is sent and by the machine, so that they are measured and stated for each kind of traffic
(`fluid_kind` of a summary). Nothing is stated of a kind of which too few cases were measured.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FLUID = "fluid"
"""The engine without packets. A scenario names it, since it changes the result."""

ERRORS_FILE = Path(__file__).parent / "fluid_errors.json"
"""The keys that a summary gets, by kind of traffic; the study writes them when its verdicts are recorded."""


def stated_error(summary: Mapping[str, Any]) -> dict[str, float]:
    """What a summary of this engine states of its error: the median, the worst, and of how many cases of its kind."""
    return recorded_errors().get(summary["fluid_kind"], {}) if summary.get("engine") == FLUID else {}


@cache
def recorded_errors() -> dict[str, dict[str, float]]:
    """The recorded errors, by kind of traffic, without signs."""
    errors: dict[str, dict[str, float]] = json.loads(ERRORS_FILE.read_text(encoding="utf-8"))
    return errors
