"""Runs the scenarios that it reads, on processes that live until there are no more.

    stdin     a line of JSON for each run: {"scenario": ..., "threads": 2}; then an empty one, as Open MPI keeps the
              end of its input for itself
    stdout    a line of JSON for each run: what it says

`python -m tests.process_worker 3` starts two other processes; `mpiexec -n 4 python -m tests.process_worker` is on those
of mpiexec.
"""

import hashlib
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support import TIMED
from torusim import InputError, _core
from torusim.runs import runner
from torusim.runs.peers import peers_of
from torusim.runs.scenario import resolve
from torusim.runs.timeline import Timeline


def said(content: dict[str, Any], threads: int, peers: _core.Peers | None) -> dict[str, Any]:
    """What a run says, as plain data.

    It is the summary without what depends on the host, digests among it; and hashes of the tables and of the time lines
    of all ranks. Or it is the message with which the run is refused.
    """
    warnings: list[str] = []
    with TemporaryDirectory(prefix="torusim-worker-") as folder:
        path = Path(folder) / "time-lines.json"
        try:
            scenario = resolve(content, [])
            options = runner.Options(threads=threads, timeline=_timeline(scenario, path), peers=peers)
            result = runner.execute(scenario, options, lambda _: None, warn=warnings.append)
        except InputError as error:
            return {"refused": str(error)}
        time_lines = _hash(path.read_bytes()) if path.exists() else None
    return {
        "summary": {key: value for key, value in result.summary.items() if key not in TIMED},
        "tables": {name: _hash(repr(result.table(name).to_pydict()).encode()) for name in result.tables},
        "time lines": time_lines,
        "warnings": [warning.replace(folder, "") for warning in warnings],
    }


def _timeline(scenario: _core.Scenario, path: Path) -> Timeline | None:
    """The time lines of all ranks; None without ranks."""
    timeline = Timeline(path, ranks=(0, 2**32 - 1), level="packets")
    try:
        timeline.observe(scenario)
    except InputError:
        return None
    return timeline


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _main() -> None:
    processes = int(sys.argv[1]) if sys.argv[1:] else None
    with peers_of(processes) as peers:
        while (line := sys.stdin.readline()).strip():
            case = json.loads(line)
            print(json.dumps(said(case["scenario"], case["threads"], peers)), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    _main()
