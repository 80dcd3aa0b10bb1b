"""mpi4py as PyPI has it runs on the simulated machine, with both of its modules, and as with another MPI library."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mpi_registries import Registries
from tests.mpi_support import Ran, run

PROGRAMS = Path(__file__).parent / "mpi4py_programs"
FUNCTIONS = [
    "point_to_point",
    "arrays",
    "collectives_of_objects",
    "collectives_of_arrays",
    "communicators",
    "topologies",
    "persistent",
    "nonblocking_collectives",
    "operations",
    "environment",
    "clocks",
]
AS_WRITTEN = sorted(path.stem for path in (PROGRAMS / "as_written").glob("*.py") if path.stem != "deadlock")


@pytest.fixture
def mpi4py(registries: Registries, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder from which programs import mpi4py."""
    folder = registries.pypi("mpi4py", "4.1.2")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def run_python(*arguments: str | Path, ranks: int = 4, **options: Any) -> Ran:  # noqa: ANN401
    return run(sys.executable, *map(str, arguments), ranks=ranks, **options)


@pytest.mark.usefixtures("mpi4py")
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("interface", ["mpich", "openmpi"])
def test_functions_of_mpi4py_are_right(name: str, interface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPI4PY_MPIABI", interface)
    ran = run_python(PROGRAMS / f"{name}.py")
    assert (ran.result.outcome, ran.status) == ("completed", 0), ran.words + ran.errors
    assert ran.output == "".join(f"ok {rank}\n" for rank in range(4))


@pytest.mark.usefixtures("mpi4py")
@pytest.mark.parametrize(
    ("chosen", "is_open_mpi"),
    [(None, False), ("/usr/lib/libmpi.so.12", False), ("/opt/openmpi/lib/libmpi.so.40", True)],
)
def test_a_library_that_the_user_has_chosen_decides_on_the_interface(
    chosen: str | None, is_open_mpi: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MPI4PY_LIBMPI", raising=False)
    if chosen is not None:
        monkeypatch.setenv("MPI4PY_LIBMPI", chosen)
    code = "from mpi4py import MPI; print('openmpi' in MPI.__file__, 'torusim' in MPI.Get_library_version())"
    assert run_python("-c", code, ranks=1).output == f"{is_open_mpi} True\n"


@pytest.mark.usefixtures("mpi4py")
def test_what_python_prints_is_there_when_a_rank_dies() -> None:
    code = "from mpi4py import MPI; import os; print('before', end=''); print(' the end'); os.kill(os.getpid(), 9)"
    ran = run_python("-c", code, ranks=1)
    assert (ran.result.outcome, ran.output) == ("rank-died", "before the end\n")


@pytest.mark.usefixtures("mpi4py")
def test_an_exception_of_a_rank_leaves_the_others_waiting(tmp_path: Path) -> None:
    """As with any MPI: mpi4py finalizes at the end of Python. With `-m mpi4py` it aborts."""
    script = tmp_path / "wrong.py"
    script.write_text(
        "from mpi4py import MPI\nif MPI.COMM_WORLD.rank == 1: raise ValueError('wrong')\nMPI.COMM_WORLD.recv()\n"
    )
    ran = run_python(script, ranks=2)
    assert (ran.result.outcome, ran.status) == ("stuck", 1)
    assert "ValueError: wrong" in ran.errors
    ran = run_python("-m", "mpi4py", script, ranks=2)
    assert (ran.result.outcome, ran.status) == ("aborted", 1)


@pytest.mark.usefixtures("mpi4py")
def test_a_deadlock_names_a_rank_and_its_call() -> None:
    ran = run_python(PROGRAMS / "as_written" / "deadlock.py")
    assert ran.result.outcome == "stuck"
    assert "rank 0 has waited since" in ran.result.summary["outcome_detail"]["words"]
    assert "MPI_Send of 8000000 bytes" in ran.result.summary["outcome_detail"]["words"]


@pytest.mark.usefixtures("mpi4py")
def test_what_all_ranks_import_is_imported_once(tmp_path: Path) -> None:
    (tmp_path / "sched.py").write_text("print('the module of the program')\n")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom mpi4py import MPI\nprint({'numpy', 'wave', 'sched'} & set(sys.modules))\n"
        "import wave\nimport sched\n"
    )
    ran = run_python(script, ranks=1)
    first, second = ran.output.splitlines()
    assert sorted(eval(first)) == ["numpy", "wave"]
    assert second == "the module of the program"


@pytest.mark.usefixtures("mpi4py")
def test_threads_before_mpi_need_a_start_of_each_rank(tmp_path: Path) -> None:
    script = tmp_path / "threads.py"
    script.write_text(
        "import threading\nend = threading.Event()\nthreading.Thread(target=end.wait).start()\n"
        "from mpi4py import MPI\nend.set()\nprint(MPI.COMM_WORLD.allreduce(1))\n"
    )
    ran = run_python(script, ranks=2)
    assert ran.result.outcome == "rank-died"
    assert "--start exec" in ran.errors
    ran = run_python(script, ranks=2, start="exec")
    assert (ran.result.outcome, ran.output) == ("completed", "2\n2\n")


@pytest.mark.long
@pytest.mark.usefixtures("mpi4py")
def test_512_ranks_need_less_than_two_gigabytes() -> None:
    ran = run_python(PROGRAMS / "memory.py", ranks=512, machine="bluegene-l")
    assert ran.result.outcome == "completed"
    assert float(ran.output.split()[-2]) < 2_000, ran.output


@pytest.mark.long
@pytest.mark.usefixtures("mpi4py")
@pytest.mark.parametrize("name", AS_WRITTEN)
@pytest.mark.parametrize("interface", ["mpich", "openmpi"])
def test_programs_print_what_they_print_with_mpich(
    name: str, interface: str, registries: Registries, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks, program = 9, PROGRAMS / "as_written" / f"{name}.py"
    mpich = next(registries.pypi("mpich", "5.0.2").glob("*.data/data"))
    for tool in (mpich / "bin").iterdir():
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    libraries = {"LD_LIBRARY_PATH": str(mpich / "lib"), "MPI4PY_LIBMPI": str(mpich / "lib" / "libmpi.so.12")}
    with_mpich = subprocess.run(
        [mpich / "bin" / "mpiexec", "-n", str(ranks), sys.executable, program],
        env=os.environ | libraries | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    monkeypatch.setenv("MPI4PY_MPIABI", interface)
    ran = run_python(program, ranks=ranks)
    assert (ran.result.outcome, ran.status) == ("completed", 0)
    assert sorted(ran.output.splitlines()) == sorted(with_mpich.stdout.splitlines())
