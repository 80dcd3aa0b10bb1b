"""Computing times that are measured, recorded and replayed."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.mpi_support import Ran, compiled, run

RANKS = 4


def computing(kind: str, *arguments: str, **more: Any) -> Ran:  # noqa: ANN401
    return run(compiled("computing"), *arguments, ranks=RANKS, compute=kind, **more)


@pytest.fixture(scope="module")
def times(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recorded times."""
    file = tmp_path_factory.mktemp("times") / "times.parquet"
    ran = computing("record", compute_file=file)
    assert (ran.result.outcome, ran.result.summary["reproducible"]) == ("completed", False), ran.words
    return file


@cache
def without() -> Ran:
    return computing("none")


def test_replays_have_one_digest(times: Path) -> None:
    replays = [computing("replay", compute_file=times, **more) for more in ({}, {"threads": 2}, {"start": "exec"})]
    assert {ran.result.outcome for ran in replays} == {"completed"}
    assert not any("reproducible" in ran.result.summary for ran in replays), "a summary has it where it is false"
    assert len({ran.digests for ran in replays}) == 1
    assert len({ran.result.summary["cycles"] for ran in replays}) == 1


def test_computing_takes_the_recorded_times(times: Path) -> None:
    """The slowest rank of each step computes three times as long as the fastest, and all wait for it."""
    replayed = computing("replay", compute_file=times)
    doubled = computing("replay", compute_file=times, compute_scale=2.0)
    cycles = [ran.result.summary["cycles"] for ran in (without(), replayed, doubled)]
    once, twice = cycles[1] - cycles[0], cycles[2] - cycles[0]
    assert once > 0
    assert twice == pytest.approx(2 * once, rel=0.01)


@pytest.mark.parametrize(
    ("change", "call"),
    [
        ("another call", r"MPI_Wtime \(call 12\): .* has another call here"),
        ("one call less", r"MPI_Finalize \(call 14\): .* has another call here"),
        ("another last call", r"MPI_Comm_rank \(call 15\): .* has another call here"),
    ],
)
def test_another_program_is_an_error(change: str, call: str, times: Path) -> None:
    ran = computing("replay", change, compute_file=times)
    assert (ran.result.outcome, ran.status) == ("aborted", 16)
    assert re.match(f"rank 1 failed in {call}, at cycle", ran.words), ran.words


def test_more_ranks_are_an_error(times: Path) -> None:
    ran = run(compiled("computing"), ranks=RANKS + 1, compute="replay", compute_file=times)
    assert ran.result.outcome == "aborted"
    assert re.match(rf"rank {RANKS} failed in MPI_Comm_rank .* has fewer calls", ran.words), ran.words
