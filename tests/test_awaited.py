"""Programs in Python are the same in one process and as processes: returned values, and both digests."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.mpi4py_programs.awaited import PROGRAMS
from tests.mpi_registries import Registries
from tests.mpi_support import MACHINE, Ran, digests, run

SCRIPT = Path(__file__).parent / "mpi4py_programs" / "awaited.py"


def run_script(*arguments: str | Path, **options: Any) -> Ran:  # noqa: ANN401
    return run(sys.executable, *map(str, arguments), **options)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_the_same_in_one_process_and_in_several(name: str) -> None:
    in_one = torusim.run_program(PROGRAMS[name], ranks=8, machine=MACHINE)
    ran = run_script(SCRIPT, name, ranks=8)
    assert (in_one.outcome, ran.result.outcome) == ("completed", "completed"), ran.words + ran.errors
    assert ran.output == "".join(f"returned {value!r}\n" for value in in_one.returns)
    assert ran.digests == digests(in_one)


@pytest.mark.parametrize(
    "options",
    [
        {"start": "exec"},
        {"threads": 2, "engine": "reference"},
        {"machine": {"preset": "bluegene-p", "shape": [4, 2, 2], "tree": {"class_routes": 3}}, "mapping": "TXYZ"},
    ],
    ids=str,
)
def test_other_machines_and_starts_change_nothing(options: dict[str, Any]) -> None:
    chosen = {"machine": MACHINE} | options
    of_program = {key: value for key, value in chosen.items() if key != "start"}
    in_one = torusim.run_program(PROGRAMS["communicators"], ranks=12, **of_program)
    ran = run_script(SCRIPT, "communicators", ranks=12, **chosen)
    assert ran.output == "".join(f"returned {value!r}\n" for value in in_one.returns)
    assert ran.digests == digests(in_one)


def written(folder: Path, lines: str, *others: str) -> Path:
    """A script whose `main` has these lines."""
    path = folder / "script.py"
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    path.write_text("\n".join(["import torusim.awaited", *others, f"async def main(comm):\n{body}\n"]) + RUN)
    return path


RUN = "print(torusim.awaited.run(main))\n"


def test_an_exception_ends_the_run(tmp_path: Path) -> None:
    script = written(
        tmp_path, "await comm.compute(1e-3)\nif comm.rank == 1: raise ValueError('wrong')\nawait comm.recv()"
    )
    ran = run_script(script)
    assert (ran.result.outcome, ran.status) == ("aborted", 1)
    assert "ValueError: wrong\nraised in rank 1 after 0.001 s of simulated time" in ran.errors


def test_ranks_that_make_different_calls_end_the_run(tmp_path: Path) -> None:
    ran = run_script(written(tmp_path, "await comm.reduce(1, root=comm.rank)"))
    assert ran.result.outcome == "aborted"
    assert "called MPI_Reduce (root 1, 8 bytes" in ran.words


def test_a_program_awaits_operations_alone(tmp_path: Path) -> None:
    script = written(tmp_path, "import asyncio\nawait asyncio.sleep(0)")
    ran = run_script(script, ranks=1)
    assert ran.result.outcome == "aborted"
    assert "TypeError: rank 0 awaits something that is no operation" in ran.errors


def test_functions_of_the_module_know_their_rank(tmp_path: Path) -> None:
    lines = (
        "await comm.compute(2e-6)\nreturn programs.Wtime(), comm.time(), programs.Get_processor_name(), comm.group.rank"
    )
    script = written(tmp_path, lines, "from torusim import programs")
    assert run_script(script).output.splitlines()[1] == "(2e-06, 2e-06, 'node (1, 0, 0), core 0', 1)"


def test_it_is_started_by_mpirun(tmp_path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, written(tmp_path, "pass")], capture_output=True, text=True, check=False, timeout=60
    )
    assert finished.returncode == 1
    assert finished.stderr.endswith("start the program with `torusim mpirun -n RANKS python SCRIPT`\n")


def test_a_program_may_use_mpi4py_before_and_after(
    tmp_path: Path, registries: Registries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(registries.pypi("mpi4py", "4.1.2")))
    before = "from mpi4py import MPI\ndouble = MPI.COMM_WORLD.Dup()\nassert double.allreduce(1) == 2"
    script = written(tmp_path, "part = await comm.dup()\nreturn await part.allreduce(comm.rank)", before)
    script.write_text(script.read_text() + "print(double.Split(0).allreduce(3))\n" + RUN)
    for interface in ("mpich", "openmpi"):
        monkeypatch.setenv("MPI4PY_MPIABI", interface)
        ran = run_script(script)
        assert (ran.result.outcome, ran.output) == ("completed", "1\n6\n1\n" * 2), ran.words + ran.errors
