"""What the times of the fluid engine are worth: its errors against packets, as the study `fluid` has recorded them.

Errors differ by what is sent and by the machine, so that they are measured and stated for each kind of traffic
(`fluid_kind` of a summary). Nothing is stated of a kind of which fewer than `FEWEST_CASES` were measured.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

FLUID = "fluid"
"""The engine without packets. A scenario names it, since it changes the result."""

VERDICTS = Path(__file__).parent.parent / "studies" / "verdicts.json"
"""The record of all studies, which is part of the package."""

CALIBRATION = "calibration"
"""The group of cases to which the correction is fitted: their errors are not stated."""

FEWEST_CASES = 3
"""Fewer cases of a kind say nothing of its error."""


def stated_error(summary: Mapping[str, Any]) -> dict[str, float]:
    """What a summary of this engine states of its error: the median, the worst, and of how many cases of its kind."""
    return recorded_errors().get(summary["fluid_kind"], {}) if summary.get("engine") == FLUID else {}


@cache
def recorded_errors() -> dict[str, dict[str, float]]:
    """The recorded errors, by kind of traffic, without signs."""
    study = json.loads(VERDICTS.read_text(encoding="utf-8"))["quick"].get("fluid", {"rows": []})
    errors: dict[str, list[float]] = {}
    for row in study["rows"]:
        if row["group"] != CALIBRATION and "kind" in row:
            errors.setdefault(row["kind"], []).append(abs(row["error (%)"]))
    return {
        kind: {
            "fluid_error_median_percent": median(of_kind),
            "fluid_error_worst_percent": max(of_kind),
            "fluid_error_cases": len(of_kind),
        }
        for kind, of_kind in errors.items()
        if len(of_kind) >= FEWEST_CASES
    }
