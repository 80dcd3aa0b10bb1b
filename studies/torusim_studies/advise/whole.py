"""A whole run with its processor time: in a file of its own, since a changed file repeats its points."""

import time
from collections.abc import Mapping
from typing import Any

from torusim.sweeps.worker import Finished, Report, run_network


def run(arguments: Mapping[str, Any], report: Report) -> Finished:
    """Runs a scenario on the network, and tells the processor time that it took in seconds."""
    begin = time.process_time()
    finished = run_network(arguments, report)
    finished["summary"]["processor_seconds"] = time.process_time() - begin
    return finished
