"""Recordings: the calls of a program that has run, which replay without it."""

from pathlib import Path

import pytest

import torusim
from tests.mpi_support import MACHINE, compiled
from torusim import Comm, InputError

RANKS = 8


async def halo(comm: Comm) -> None:
    """Messages whose matches depend on time, a split, a collective, and computation that is no number of cycles."""
    await comm.compute(1.2345e-6 * (comm.rank + 1))
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    request = await comm.irecv(source=torusim.ANY_SOURCE, tag=7)
    await comm.send(b"x" * 700 * (comm.rank + 1), dest=right, tag=7)
    await request.wait()
    half = await comm.Split(comm.rank % 2, comm.rank)
    assert half is not None
    await half.allreduce(comm.rank)
    await comm.sendrecv(b"y" * 3000, dest=left, source=right)


async def waits(comm: Comm) -> None:
    """A receive that no send matches."""
    await comm.recv(source=0)


def test_a_program_in_c_replays_with_the_same_digests(tmp_path: Path) -> None:
    file = tmp_path / "wavefront.trace"
    run = torusim.run_processes(compiled("wavefront"), ranks=RANKS, machine=MACHINE, record=file)
    assert run.outcome == "completed", run.summary
    replayed = torusim.run(file)
    keys = ("outcome", "digest", "operations_digest", "cycles", "messages_sent")
    assert {key: replayed.summary.get(key) for key in keys} == {key: run.summary.get(key) for key in keys}


def test_a_program_in_python_replays_in_the_same_time(tmp_path: Path) -> None:
    file = tmp_path / "halo.trace"
    run = torusim.run_program(halo, ranks=RANKS, machine=MACHINE, record=file)
    replayed = torusim.run(file)
    assert replayed.summary["packets_delivered"] == run.summary["packets_delivered"]
    # Computation is rounded to a network cycle, once for each stretch of it.
    assert abs(replayed.summary["cycles"] - run.summary["cycles"]) <= 1
    slower = torusim.run(file, workload={"compute_scale": 2.0})
    assert slower.summary["cycles"] - replayed.summary["cycles"] >= 1.2345e-6 * 175e6


def test_a_recording_is_a_scenario_of_every_command_that_takes_one(tmp_path: Path) -> None:
    file = tmp_path / "halo.trace"
    torusim.run_program(halo, ranks=RANKS, machine=MACHINE, record=file)
    spread = torusim.run(file, mapping={"order": "random"})
    assert spread.outcome == "completed"
    assert torusim.map_ranks(file).table.num_rows > 1
    best = torusim.advise(file, trials=1, runs=0)
    assert "present" in best.table["mapping"].to_pylist()


def test_a_program_that_does_not_complete_leaves_no_recording(tmp_path: Path) -> None:
    file = tmp_path / "stuck.trace"
    with pytest.warns(UserWarning, match=r"stuck\.trace: is not written: the run ended as stuck"):
        torusim.run_program(waits, ranks=2, machine=MACHINE, record=file)
    assert not file.exists()
    with pytest.raises(InputError, match="has to be the path of a file in a folder that exists"):
        torusim.run_program(halo, ranks=2, machine=MACHINE, record=tmp_path / "no" / "folder.trace")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"seed": 1', b'"seed": 2', r"is damaged \(its scenario has been altered\)"),
        (b"recording 1", b"recording 9", "another version of torusim"),
        (b'{"schema', b'{"schema"', "halo.trace:2: the scenario of the recording is damaged"),
        (None, b"more", "is damaged"),
    ],
)
def test_a_damaged_recording_is_refused(old: bytes | None, new: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "halo.trace"
    torusim.run_program(halo, ranks=RANKS, machine=MACHINE, record=file)
    content = file.read_bytes()
    changed = content + new if old is None else content.replace(old, new, 1)
    assert changed != content
    file.write_bytes(changed)
    with pytest.raises(InputError, match=words):
        torusim.run(file)
