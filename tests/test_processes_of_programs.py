"""Programs outside the simulator, on several of its processes: their results and their ends are those of one."""

import json
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.mpi_programs import twins
from tests.mpi_support import MACHINE, compiled
from tests.program_support import Main
from tests.support import TIMED, Command, succeeded
from torusim import Comm, Result

RANKS = 12


def said(result: Result) -> dict[str, Any]:
    """All of a result that does not depend on the host."""
    summary = {key: value for key, value in result.summary.items() if key not in TIMED}
    tables = {name: result.table(name).to_pydict() for name in result.tables}
    return {"summary": summary, "returns": result.returns, **tables}


def run(main: Main, processes: int, **options: Any) -> Result:  # noqa: ANN401
    return torusim.run_program(main, ranks=RANKS, machine=MACHINE, processes=processes, **options)


@pytest.mark.parametrize("processes", [2, 3])
@pytest.mark.parametrize("name", ["halo", "collectives", "wavefront", "sort", "neighbors", "requests"])
def test_a_program_has_the_result_of_one_process(name: str, processes: int) -> None:
    main = getattr(twins, name)
    assert said(run(main, processes, threads=processes - 1)) == said(run(main, 1))


async def wait_for_ever(comm: Comm) -> None:
    await comm.recv(source=comm.size - 1)


async def abort(comm: Comm) -> None:
    await comm.barrier()
    if comm.rank == RANKS - 1:
        await comm.Abort(3)
    await comm.barrier()


@pytest.mark.parametrize("main", [wait_for_ever, abort])
def test_a_program_that_does_not_complete_has_the_result_of_one_process(main: Main) -> None:
    alone = run(main, 1)
    assert alone.outcome != "completed"
    assert said(run(main, 3)) == said(alone)


async def fail(comm: Comm) -> None:
    await comm.barrier()
    if comm.rank >= RANKS // 2:
        raise ValueError(f"of rank {comm.rank}")
    await comm.barrier()


def test_the_exception_of_a_rank_is_that_of_one_process() -> None:
    def exception_of(processes: int) -> tuple[str, list[str]]:
        with pytest.raises(ValueError, match="of rank") as caught:
            run(fail, processes)
        return str(caught.value), caught.value.__notes__

    assert exception_of(3) == exception_of(1)


def test_recorded_calls_are_those_of_one_process(tmp_path: Path) -> None:
    def recorded(processes: int) -> bytes:
        path = tmp_path / f"{processes}.trace"
        run(twins.halo, processes, record=path)
        return path.read_bytes()

    assert recorded(3) == recorded(1)


def test_the_command_runs_ranks_on_several_processes(command: Command, tmp_path: Path) -> None:
    words = ["mpirun", "-n", str(RANKS), "--machine", "bluegene-l", "--shape", "4x4x4", "--quiet"]
    for processes in (1, 3):
        own = ["--out", f"on-{processes}", "--processes", str(processes)]
        assert succeeded(command(*words, *own, compiled("halo"))).stdout == "all data are right\n"
    alone, together = (json.loads((tmp_path / f"on-{count}/result.json").read_text())["summary"] for count in (1, 3))
    assert alone["operations_digest"] == together["operations_digest"]
    assert alone["digest"] == together["digest"]


def test_a_rank_that_dies_is_named(command: Command) -> None:
    words = ["mpirun", "-n", "8", "--machine", "bluegene-l", "--shape", "4x4x4", "--quiet", "--processes", "2"]
    died = command(*words, "--out", "died", compiled("ends"), "kill", "9")
    assert died.returncode == 1
    assert "rank-died" in died.stderr
