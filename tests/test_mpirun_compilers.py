"""`torusim mpicc` and `torusim mpicxx`, as makefiles, configure scripts and CMake call them."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support import COMMAND, LIMIT_SECONDS, Finished, assert_one_message

SOURCE = "#include <mpi.h>\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Finalize(); return 0; }\n"


@pytest.fixture(autouse=True)
def _source(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(SOURCE)
    (tmp_path / "main.cpp").write_text(SOURCE)


def ran(words: list[str | Path], folder: Path, variables: Mapping[str, str] | None = None) -> Finished:
    path = f"{Path(COMMAND).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "PATH": path, **(variables or {})}
    finished = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
    )
    return Finished(finished.args, finished.returncode, finished.stdout, finished.stderr)


def assert_runs(program: str, folder: Path) -> None:
    finished = ran([COMMAND, "mpirun", "-n", "2", "--quiet", program], folder)
    assert finished.returncode == 0, finished.stderr


def test_compile_then_link(tmp_path: Path) -> None:
    for compiler, source in (("mpicc", "main.c"), ("mpicxx", "main.cpp")):
        assert ran([COMMAND, compiler, "-c", source, "-o", "main.o"], tmp_path).returncode == 0
        assert ran([COMMAND, compiler, "main.o", "-o", "a program"], tmp_path).returncode == 0
        assert_runs("./a program", tmp_path)


@pytest.mark.parametrize("compiler", ["torusim mpicc", "torusim-mpicc"])
def test_a_makefile_may_name_the_command_as_its_compiler(compiler: str, tmp_path: Path) -> None:
    """It passes the variable CC on, and the command does not call itself."""
    finished = ran(["make", f"CC={compiler}", "main"], tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert_runs("./main", tmp_path)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs CMake")
def test_cmake_finds_mpi(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(own C CXX)\nfind_package(MPI REQUIRED)\n"
        "add_executable(in_c main.c)\ntarget_link_libraries(in_c MPI::MPI_C)\n"
        "add_executable(in_cxx main.cpp)\ntarget_link_libraries(in_cxx MPI::MPI_CXX)\n"
    )
    compilers = ["-DMPI_C_COMPILER=torusim-mpicc", "-DMPI_CXX_COMPILER=torusim-mpicxx"]
    for words in (["cmake", "-B", "built", *compilers, "."], ["cmake", "--build", "built"]):
        finished = ran([*words], tmp_path)
        assert finished.returncode == 0, finished.stdout + finished.stderr
    assert_runs("built/in_c", tmp_path)
    assert_runs("built/in_cxx", tmp_path)


def test_other_compilers_and_questions(tmp_path: Path) -> None:
    other = {"TORUSIM_CC": "no-such-compiler -m64"}
    finished = ran([COMMAND, "mpicc", "main.c"], tmp_path, other)
    assert_one_message(finished, "no-such-compiler: cannot be started", "TORUSIM_CC names a compiler")
    shown = ran([COMMAND, "mpicc", "-show"], tmp_path, other).stdout
    assert shown.startswith("no-such-compiler -m64 -I")
    assert shown.endswith(" -lmpi_abi\n")
    for words in (["--version"], ["-v"], ["-c", "main.c"]):
        assert ran([COMMAND, "mpicc", *words], tmp_path).returncode == 0
    assert "no input files" in ran([COMMAND, "mpicc"], tmp_path).stderr
    assert_one_message(ran([COMMAND, "mpicc", "-static", "main.c"], tmp_path), "-static: torusim's MPI library is")
