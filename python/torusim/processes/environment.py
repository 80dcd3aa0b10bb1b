"""Variables of the environment of ranks: what Python and mpi4py need. Those that the user has set win."""

import os
from collections.abc import Mapping
from pathlib import Path

MPI_OF_MPI4PY = "MPI4PY_LIBMPI"
"""The MPI library that mpi4py loads; its name decides on the module for MPICH or for Open MPI."""

OF_PYTHON = {
    # Lines are printed when they are written, as C's are: a rank that is killed would lose those in its buffer.
    "PYTHONUNBUFFERED": "1",
    # The order of sets of texts is the same in each run.
    "PYTHONHASHSEED": "0",
}

MPICH, OPEN_MPI = "libmpi.so.12", "libmpi.so.40"


def variables(folder: Path, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that ranks have in addition to those of the user; `folder` has the MPI libraries.

    If the user has chosen an MPI library for mpi4py, it gets the simulator's with the same interface.
    """
    chosen = given.get(MPI_OF_MPI4PY, "").partition(os.pathsep)[0]
    name = OPEN_MPI if chosen and Path(os.path.realpath(chosen)).name.startswith(OPEN_MPI) else MPICH
    others = {variable: value for variable, value in OF_PYTHON.items() if variable not in given}
    return {MPI_OF_MPI4PY: str(folder / name), **others}
