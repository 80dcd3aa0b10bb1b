"""The queue of paper 004 (section 4.3) as several studies run it: its policies, its rules, and synthetic jobs."""

from collections.abc import Mapping
from typing import Any

EARLIER, LATER = "cobalt-2009-01", "cobalt-2009-03"
"""Cobalt's rules of backfilling, which changed in 2009; those of the paper's time are the earlier."""

POLICIES: Mapping[str, Mapping[str, Any]] = {
    "fcfs": {},
    "wfp": {"wfp_exponent": 2, "drain_threshold": 0.75},
}
"""The policies; for WFP the parameters of Cobalt's own example of 2008 and 2009."""

SYNTHETIC: Mapping[str, Any] = {
    "log": "lublin",
    "walltime_factor": 5,
    "sizes": [[512, 300], [1024, 900], [2048, 186], [4096, 500], [8192, 117]],
}
"""The synthetic jobs. Their mix of sizes is chosen: 45 % of them have 1K nodes."""

LOAD = 0.9
"""Chosen: the paper gives no load."""
