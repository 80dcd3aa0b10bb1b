"""Programs in C that check their data, for each part of MPI: with every start and interface, with one digest."""

from functools import cache

import pytest

from tests.mpi_registries import Registries
from tests.mpi_support import Ran, compiled, run

PROGRAMS = {"environment": 4, "large": 5, "nonblocking": 6}
"""The programs, and for how many ranks they are."""


@cache
def forked(name: str) -> Ran:
    return run(compiled(name), ranks=PROGRAMS[name])


def assert_right(ran: Ran) -> None:
    assert (ran.result.outcome, ran.status, ran.output) == ("completed", 0, "all data are right\n"), (
        ran.words + ran.output + ran.errors
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_data_are_right(name: str) -> None:
    assert_right(forked(name))
    executed = run(compiled(name), ranks=PROGRAMS[name], start="exec", threads=2)
    assert_right(executed)
    assert executed.digests == forked(name).digests


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_few_ranks(name: str, ranks: int) -> None:
    assert_right(run(compiled(name), ranks=ranks))


@pytest.mark.parametrize("interface", ["mpich", "openmpi"])
@pytest.mark.parametrize("name", ["environment", "nonblocking"])
def test_other_interfaces_have_the_same_digests(name: str, interface: str, registries: Registries) -> None:
    ran = run(registries.interface(interface).compile(name), ranks=PROGRAMS[name])
    assert_right(ran)
    if name != "nonblocking":  # a header before MPI 4 has no persistent collectives
        assert ran.digests == forked(name).digests
