"""What the times of the fluid engine are worth: its error against packets, as the study `fluid` has recorded it."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FLUID = "fluid"
"""The engine without packets. A scenario names it, since it changes the result."""

VERDICTS = Path(__file__).parent / "studies" / "verdicts.json"
"""The record of all studies, which is part of the package."""

NUMBERS = {
    "fluid_error_median_percent": "median_error_percent",
    "fluid_error_worst_percent": "worst_error_percent",
    "fluid_error_cases": "cases",
}
"""The numbers of the study, by key of a summary."""


def stated_error(summary: Mapping[str, Any]) -> dict[str, float]:
    """What a summary of this engine states beside its times: the median and the worst error, and of how many cases."""
    return recorded_error() if summary.get("engine") == FLUID else {}


@cache
def recorded_error() -> dict[str, float]:
    """The recorded errors, by key of a summary; none before the study has been recorded."""
    study = json.loads(VERDICTS.read_text(encoding="utf-8"))["quick"].get("fluid")
    return {key: study["claims"][number]["ours"] for key, number in NUMBERS.items()} if study else {}
