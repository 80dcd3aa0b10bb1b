"""Random machines and workloads on several processes that stay alive: each result is that of one process.

The scenarios are those of the random tests in Rust. Each draws the carrier and the number of processes and threads.
"""

import json
import math
import os
import random
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.mpi_registries import Registries
from tests.process_support import MPI
from tests.process_worker import said
from tests.support import LIMIT_SECONDS, ROOT

CARRIERS = {f"sockets-{count}": count for count in (2, 3, 4, 8)} | {name: mpi.processes for name, mpi in MPI.items()}
"""The number of processes of each carrier."""

SHARES = {"sockets-8": 2, "mpich": 1, "openmpi": 1}
"""How often cases draw these carriers; others are drawn four times as often as the last."""

LIMIT_CYCLES = 400_000
"""The time limit of all processes of a case together: with more processes than cores, a window takes longer."""

MPI_LIMIT_CYCLES = 4_000
"""Processes of MPI never sleep, so that a swap takes milliseconds where something else runs."""


@dataclass(frozen=True)
class Case:
    """A scenario, on some threads of each process of a carrier."""

    number: int
    scenario: dict[str, Any]
    carrier: str
    threads: int


@dataclass(frozen=True)
class Workers:
    """Processes that live until the end of a test, of which process 0 reads and answers."""

    process: "subprocess.Popen[str]"
    errors: Path

    def ask(self, case: Case) -> None:
        """Lets them run a case."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"scenario": case.scenario, "threads": case.threads}) + "\n")
        self.process.stdin.flush()

    def answer(self, again: str) -> dict[str, Any]:
        """What the run says; the command `again` repeats it."""
        assert self.process.stdout is not None
        late = threading.Timer(LIMIT_SECONDS, self.process.terminate)
        late.start()
        line = self.process.stdout.readline()
        late.cancel()
        assert line, f"no answer: {again}: {self.errors.read_text()}"
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def started(carrier: str, registries: Registries, folder: Path) -> Iterator[Workers]:
    """The workers of a carrier, for the time of a block."""
    program = ["-m", "tests.process_worker"]
    if carrier in MPI:
        command, environment = MPI[carrier].start(registries, program)
    else:
        command, environment = [sys.executable, *program, str(CARRIERS[carrier])], dict(os.environ)
    errors = folder / "errors"
    with (
        errors.open("w") as to,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=to, text=True
        ) as process,
    ):
        try:
            yield Workers(process, errors)
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.close()
            assert process.wait(LIMIT_SECONDS) == 0, errors.read_text()
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def program() -> str:
    """The program that draws scenarios, which `cargo test` has built."""
    words = "cargo build --quiet --workspace --profile checked --locked --example drawn_scenarios --message-format json"
    finished = subprocess.run(words.split(), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    built = (json.loads(line) for line in finished.stdout.splitlines())
    [path] = [artifact["executable"] for artifact in built if artifact.get("executable")]
    return str(path)


@pytest.fixture(scope="module")
def cases(
    request: pytest.FixtureRequest, program: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Case]]:
    """Random cases by carrier, from a seed and their number."""
    seed, count = request.param
    # Traces are written to the folder of temporary files.
    environment = os.environ | {"TMPDIR": str(tmp_path_factory.mktemp("traces"))}
    lines = subprocess.check_output([program, str(seed), str(count)], env=environment, text=True).splitlines()
    drawn: dict[str, list[Case]] = defaultdict(list)
    for number, line in enumerate(lines):
        scenario, draw = json.loads(line), random.Random(f"{seed} {number}")
        nodes = math.prod(scenario["machine"]["shape"])
        fitting = [carrier for carrier, processes in CARRIERS.items() if processes <= nodes]
        [carrier] = draw.choices(fitting, [SHARES.get(carrier, 4) for carrier in fitting])
        limit = MPI_LIMIT_CYCLES if carrier in MPI else LIMIT_CYCLES // CARRIERS[carrier]
        scenario["run"]["time_limit_cycles"] = limit
        drawn[carrier].append(Case(number, scenario, carrier, draw.choice((1, 2))))
    return drawn


SEEDS = [pytest.param((1, 300), id="seed-1"), pytest.param((2, 3000), id="seed-2", marks=pytest.mark.long)]
"""The seeds of the scenarios, and their numbers."""


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("cases", SEEDS, indirect=True)
def test_processes_change_no_result(
    cases: dict[str, list[Case]], carrier: str, registries: Registries, tmp_path: Path
) -> None:
    with started(carrier, registries, tmp_path) as workers:
        for case in cases[carrier]:
            (tmp_path / "case.json").write_text(json.dumps({"scenario": case.scenario}))
            again = f"torusim run {tmp_path}/case.json --processes {CARRIERS[carrier]} --threads {case.threads}"
            workers.ask(case)
            expected = json.loads(json.dumps(said(case.scenario, 1, None)))
            found = workers.answer(again)
            assert found == expected, f"scenario {case.number}: {again}"
