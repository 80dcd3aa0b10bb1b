"""torusim's header agrees with MPICH's in the standard binary interface: constants, sizes, prototypes."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.mpi_registries import Registries
from tests.mpi_support import compiled
from tests.support import LIMIT_SECONDS, ROOT

OURS = ROOT / "crates" / "mpi-library" / "include" / "mpi.h"
VERSION = "5.0.2"

CONSTANT = re.compile(r"^#define\s+(MPI_\w+)\s+\S|^\s+(MPI_\w+)\s*=", re.MULTILINE)
PROTOTYPE = re.compile(r"^[A-Za-z_][\w* ]*?\b(P?MPI_\w+)\([^;]*\);", re.MULTILINE)
FUNCTION_TYPE = re.compile(r"^typedef \w+ \(?(MPI_\w+)\)? ?\(.*?\);", re.MULTILINE | re.DOTALL)
OF_THE_HEADER_ITSELF = {"MPI_H_ABI", "MPI_ABI_Aint", "MPI_ABI_Offset", "MPI_ABI_Count"}
TYPES = ("MPI_Status", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Comm", "MPI_T_cb_safety")


@pytest.fixture(scope="session")
def mpich(registries: Registries) -> Path:
    """The folder with MPICH's bin, include and lib."""
    return registries.pypi("mpich", VERSION) / f"mpich-{VERSION}.data" / "data"


@pytest.fixture
def theirs(mpich: Path) -> Path:
    return mpich / "include" / "mpi_abi.h"


def text_of(header: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)


def constants(header: Path) -> set[str]:
    found = {one or other for one, other in CONSTANT.findall(header.read_text())}
    return found - OF_THE_HEADER_ITSELF


def prototypes(header: Path) -> dict[str, str]:
    """The declarations of functions, by name."""
    found = {match[1]: match[0] for match in PROTOTYPE.finditer(text_of(header))}
    return {name: text for name, text in found.items() if not text.startswith("typedef") and "MPIX_" not in text}


def values(header: Path, of: set[str], folder: Path) -> dict[str, int]:
    """The values of constants and the sizes of types, as a program that includes the header prints them."""
    prints = [f'    printf("{name} %lld\\n", (long long) {name});' for name in sorted(of)]
    sizes = [f'    printf("sizeof({kind}) %zu\\n", sizeof({kind}));' for kind in TYPES]
    body = "\n".join([*prints, *sizes])
    source = folder / "values.c"
    source.write_text(f'#include <stdio.h>\n#include "{header}"\nint main(void) {{\n{body}\n}}\n')
    subprocess.run(["cc", "-w", "-o", folder / "values", source], check=True)
    lines = subprocess.run([folder / "values"], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: int(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_constants_and_sizes(theirs: Path, tmp_path: Path) -> None:
    both = constants(theirs)
    assert len(both) > 300
    assert both <= constants(OURS)
    assert values(OURS, both, tmp_path) == values(theirs, both, tmp_path)


def test_prototypes(theirs: Path, tmp_path: Path) -> None:
    """A compiler complains about a second declaration that differs."""
    assert len(prototypes(theirs)) > 1000
    assert set(prototypes(theirs)) <= set(prototypes(OURS))
    types = [match[0] for match in FUNCTION_TYPE.finditer(text_of(theirs)) if "MPIX" not in match[0]]
    source = tmp_path / "again.c"
    source.write_text("\n".join([f'#include "{OURS}"', *types, *prototypes(theirs).values()]))
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", source], check=True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["halo", "collectives", "wavefront", "sort"])
def test_programs_have_the_same_data_in_another_library(name: str, mpich: Path) -> None:
    """The programs that torusim's header has compiled run with MPICH as they are."""
    environment = os.environ | {"LD_LIBRARY_PATH": str(mpich / "lib")}
    finished = subprocess.run(
        [mpich / "bin" / "mpiexec", "-n", "4", compiled(name)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    assert (finished.returncode, finished.stdout) == (0, "all data are right\n"), finished.stderr
