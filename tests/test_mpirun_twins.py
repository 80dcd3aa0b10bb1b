"""Programs in C have the digests of the same programs in Python, with every engine, start, and MPI library."""

from functools import cache
from typing import Any

import pytest

import torusim
from tests import mpi_support
from tests.mpi_programs import twins
from tests.mpi_registries import Registries
from tests.mpi_support import MACHINE, compiled, digests, run

RANKS = 16
PROGRAMS = ["halo", "collectives", "wavefront", "sort", "neighbors", "requests"]


@cache
def of_twin(name: str) -> tuple[str, str]:
    """The digests of a program in Python."""
    result = torusim.run_program(getattr(twins, name), ranks=RANKS, machine=MACHINE)
    assert result.outcome == "completed"
    return digests(result)


def assert_is_twin(name: str, ran: mpi_support.Ran) -> None:
    assert (ran.result.outcome, ran.status) == ("completed", 0), ran.words
    assert ran.output == "all data are right\n"
    assert ran.digests == of_twin(name)


OPTIONS: dict[str, dict[str, Any]] = {
    "fork": {},
    "exec": {"start": "exec"},
    "two threads": {"threads": 2},
    "reference": {"engine": "reference"},
    "three processes of the simulator": {"processes": 3},
}


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_and_its_twin_have_equal_digests(name: str, options: str) -> None:
    assert_is_twin(name, run(compiled(name), ranks=RANKS, **OPTIONS[options]))


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("interface", ["mpich", "openmpi"])
def test_other_interfaces_have_the_same_digests(name: str, interface: str, registries: Registries) -> None:
    assert_is_twin(name, run(registries.interface(interface).compile(name), ranks=RANKS))
