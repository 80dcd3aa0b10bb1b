"""The accuracy of the fluid engine's times: its errors against packets, as the study `fluid` has recorded them.

Errors differ by traffic and machine, so that they are measured and stated for each kind of traffic (`fluid_kind` of a
summary). No error is stated for a kind with too few measured cases.
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
    """The error that a summary of this engine states: median, worst, and the number of cases of its kind."""
    return recorded_errors().get(summary["fluid_kind"], {}) if summary.get("engine") == FLUID else {}


@cache
def recorded_errors() -> dict[str, dict[str, float]]:
    """The recorded errors, by kind of traffic, without signs."""
    errors: dict[str, dict[str, float]] = json.loads(ERRORS_FILE.read_text(encoding="utf-8"))
    return errors
