"""Instructions per packet-hop, counted by valgrind. Unlike seconds, they do not depend on the load of the host.

warm-up alone                 counted under callgrind
warm-up and a measurement     counted under callgrind
------------------------------------------------------
the difference is the measurement: its instructions divided by its packet-hops
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory

from torusim import _core
from torusim.benchmarks.benchmark import Case, Row

COUNTED_NODES_LIMIT = 4_096
"""Larger machines would take many minutes under valgrind, which is some fifty times slower."""

PROBED_CYCLES = 10_000
"""Measured cycles of a run that is not counted; its packet-hops determine the length of the counted one."""

COUNTED_PACKET_HOPS = 100_000
"""Enough that Python's own instructions, nearly the same in both runs, are negligible; counting them takes seconds."""

VALGRIND = "valgrind"

CHILD = """\
import sys
from torusim import _core
scenario = _core.resolve_plain(sys.argv[1], [])
print(_core.Run(scenario, "windowed", 1).advance(1e9).packet_hops)
"""
"""Runs a scenario to its end, and prints its packet-hops."""


class UncountedError(Exception):
    """Instructions cannot be counted; the message gives the reason."""


@dataclass(frozen=True)
class _Count:
    instructions: int
    packet_hops: int


def with_instructions(row: Row, case: Case) -> Row:
    """The row with its instructions per packet-hop, or with the reason why they cannot be counted."""
    try:
        return replace(row, instructions_per_hop=_instructions_per_hop(case, row))
    except UncountedError as reason:
        return replace(row, not_counted_because=str(reason))


def _instructions_per_hop(case: Case, row: Row) -> float:
    if shutil.which(VALGRIND) is None:
        raise UncountedError("valgrind is not installed")
    if case.processes > 1:
        raise UncountedError("processes run at once")
    if case.threads > 1:
        raise UncountedError("threads wait for one another, and waiting is counted too")
    if row.nodes > COUNTED_NODES_LIMIT:
        raise UncountedError(f"there are more than {COUNTED_NODES_LIMIT:,} nodes, which take too long")
    short, long = (_count(case.scenario(cycles)) for cycles in (1, _cycles_to_count(case)))
    return (long.instructions - short.instructions) / (long.packet_hops - short.packet_hops)


def _cycles_to_count(case: Case) -> int:
    """Cycles in which the case makes enough packet-hops: the same on every host, so that counts are reproducible.

    Raises:
        UncountedError: If none is made in the probed cycles.
    """
    run = _core.Run(case.scenario(PROBED_CYCLES), "windowed", 1)
    run.advance(1e9)
    packet_hops: int = json.loads(run.finish(interrupted=False).summary_json())["packet_hops"]
    if packet_hops == 0:
        raise UncountedError(f"no packet moves within {PROBED_CYCLES:,} cycles")
    return math.ceil(COUNTED_PACKET_HOPS * PROBED_CYCLES / packet_hops)


def _count(scenario: _core.Scenario) -> _Count:
    """Runs the scenario under callgrind."""
    with TemporaryDirectory() as folder:
        callgrind = [VALGRIND, "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        finished = subprocess.run(
            [*callgrind, sys.executable, "-P", "-c", CHILD, scenario.to_json()],
            env=os.environ | {"PYTHONHASHSEED": "0"},  # the two runs differ only in their length
            capture_output=True,
            text=True,
            check=False,
        )
    collected = re.search(r"Collected : (\d+)", finished.stderr)
    if finished.returncode != 0 or collected is None:
        raise UncountedError(f"valgrind failed: {(finished.stderr.splitlines() or ['without a word'])[-1]}")
    return _Count(int(collected[1]), int(finished.stdout))
