"""Groups, communicators, topologies and what belongs to them, in programs in C that check their data."""

from typing import Any

import pytest

from tests import mpi_support
from tests.mpi_registries import Registries
from tests.mpi_support import compiled, run

PROGRAMS = [
    "groups",
    "attributes",
    "errors",
    "infos",
    "topologies",
    "intercommunicators",
    "sessions",
    "partitions",
]

OF_EARLIER_VERSIONS = ["groups", "attributes", "errors", "intercommunicators"]
"""Programs that need nothing of MPI 4."""


def assert_right(ran: mpi_support.Ran) -> None:
    assert (ran.result.outcome, ran.status, ran.output) == ("completed", 0, "all data are right\n"), ran.words


@pytest.mark.parametrize("ranks", [1, 2, 5, 8])
@pytest.mark.parametrize("name", PROGRAMS)
def test_data_are_right(name: str, ranks: int) -> None:
    if name == "intercommunicators" and ranks == 1:
        pytest.skip("an intercommunicator has two ranks")
    assert_right(run(compiled(name), ranks=ranks))


@pytest.mark.parametrize("options", [{"start": "exec"}, {"threads": 2}, {"engine": "reference"}])
@pytest.mark.parametrize("name", PROGRAMS)
def test_digests_are_equal(name: str, options: dict[str, Any]) -> None:
    first, other = run(compiled(name), ranks=6), run(compiled(name), ranks=6, **options)
    assert_right(other)
    assert first.digests == other.digests


@pytest.mark.parametrize("name", PROGRAMS)
def test_data_are_right_in_mpichs_interface(name: str, registries: Registries) -> None:
    assert_right(run(registries.interface("mpich").compile(name), ranks=6))


@pytest.mark.parametrize("name", OF_EARLIER_VERSIONS)
def test_data_are_right_in_open_mpis_interface(name: str, registries: Registries) -> None:
    assert_right(run(registries.interface("openmpi").compile(name), ranks=6))
