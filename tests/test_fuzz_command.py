"""The command on damaged inputs: no traceback, no panic, no other exit status than documented, no file harmed.

CASES is the number of cases for each kind of input; `make fuzz` sets it.
"""

import os
import subprocess
import sys

import pytest

from tests.fuzzed_command import KINDS
from tests.support import ROOT

CASES = int(os.environ.get("CASES", "0"))

CASES_IN_TEST = {"plotted_run": 8, "plotted_schedule": 8, "plotted_sweep": 8, "plotted_curve": 8, "point": 20}
"""Cases of kinds that take longer than others; a picture takes half a second."""

CASES_OF_OTHERS = 60

SLOWER = 50
"""With CASES, the kinds above run one case in `SLOWER`."""


def cases_of(kind: str) -> int:
    """The number of cases of a kind in this test run."""
    if CASES == 0:
        return CASES_IN_TEST.get(kind, CASES_OF_OTHERS)
    return max(1, CASES // SLOWER) if kind in CASES_IN_TEST else CASES


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_input_ends_with_a_result_or_one_message(kind: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "tests.fuzzed_command", kind, "0", str(cases_of(kind))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-10_000:]
