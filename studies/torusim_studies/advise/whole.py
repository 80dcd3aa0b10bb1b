"""A whole run with its processor time. It has a separate file, since a changed file repeats its points."""

import time
from collections.abc import Mapping
from typing import Any

from torusim.sweeps.worker import Finished, Report, run_network


def run(arguments: Mapping[str, Any], report: Report) -> Finished:
    """Runs a scenario on the network, and reports the processor time in seconds."""
    begin = time.process_time()
    finished = run_network(arguments, report)
    finished["summary"]["processor_seconds"] = time.process_time() - begin
    return finished
