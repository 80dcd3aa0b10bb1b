"""Wrong arguments, and ranks that do not call alike: each ends the run, and names the function and what is wrong."""

import re

import pytest

from tests.mpi_registries import Registries
from tests.mpi_support import PROGRAMS, Ran, compiled, run

CASES = re.findall(r'CASE\("([^"]+)"\)', (PROGRAMS / "arguments.c").read_text(encoding="utf-8"))

ERROR = re.compile(r"^rank 1 failed in (MPI_\w+) \(call \d+\): .+, at cycle \d+$")


def assert_refused(ran: Ran, case: str) -> None:
    """Asserts that the call has not returned, and that the function of the case is named."""
    found = ERROR.match(ran.words)
    assert found, f"{case}: {ran.result.outcome}: {ran.words} {ran.errors}"
    assert (ran.result.outcome, ran.output) == ("aborted", "")
    body = (PROGRAMS / "arguments.c").read_text(encoding="utf-8").partition(f'CASE("{case}")')[2]
    assert f"{found[1]}(" in re.split(r"\n    (?:CASE|else)", body)[0]
    assert ran.status > 0


@pytest.mark.parametrize("case", CASES)
def test_an_argument_is_refused(case: str) -> None:
    assert_refused(run(compiled("arguments"), case), case)


@pytest.mark.parametrize("interface", ["mpich", "openmpi"])
def test_arguments_are_refused_in_other_interfaces(interface: str, registries: Registries) -> None:
    for case in CASES:
        if "a lot" in case or "more than" in case:  # earlier versions have no large counts
            continue
        assert_refused(run(registries.interface(interface).compile("arguments"), case), case)


DIFFERENT = {
    "collectives": (
        r"rank 1 called MPI_Bcast \(root 0, 4 bytes\), where rank 0 of the communicator called MPI_Barrier"
    ),
    "roots": (r"rank 1 called MPI_Bcast \(root 1, 4 bytes\), where .* MPI_Bcast \(root 0, 4 bytes\)"),
    "lengths": (r"rank 1 called MPI_Allreduce \(8 bytes, MPI_SUM\), where .* MPI_Allreduce \(4 bytes, MPI_SUM\)"),
    "lengths of a broadcast": r"rank 1 called MPI_Bcast \(root 0, 8 bytes\), where .* MPI_Bcast \(root 0, 4 bytes\)",
    "operations": r"rank 1 called MPI_Allreduce \(4 bytes, MPI_MAX\), where .* MPI_Allreduce \(4 bytes, MPI_SUM\)",
    "lengths of an exchange": r"failed in MPI_Alltoallv: rank 0 .* sends 4 bytes to rank 1, which receives 12",
    "lengths of a gather": r"failed in MPI_Gatherv: rank 1 .* sends 8 bytes to rank 0, which receives 4",
    "collectives that do not block": r"rank 1 called MPI_Barrier, where .* MPI_Allreduce \(4 bytes, MPI_SUM\)",
    "a communicator and a barrier": r"rank 1 failed in MPI_Barrier: .* and that of rank 0 is a new communicator",
    "order": r"rank 1 called MPI_Barrier, where .* MPI_Bcast",
    "truncated": r"rank 0 failed in MPI_Recv \(call 4\): the message of rank 1 is longer than the 40 bytes",
    "truncated later": r"rank 0 failed in MPI_Waitall \(call 6\): .* longer than the 40 bytes",
    "truncated broadcast": r"rank 1 called MPI_Bcast \(root 0, 20 bytes\), where .* MPI_Bcast \(root 0, 40 bytes\)",
}
"""What is said if ranks do not call alike, by case."""

WAITING = {
    "missing rank": "3 ranks are blocked forever; rank 0 has waited since cycle .* in MPI_Barrier",
    "unmatched": "1 rank is blocked forever; rank 1 has waited since cycle .* for MPI_Recv from rank 0 with tag 7",
    "head to head": "4 ranks are blocked forever; rank 0 has waited since cycle .* for MPI_Send of 4194304 bytes",
}
"""What is said if ranks wait for ever, by case."""


@pytest.mark.parametrize("case", DIFFERENT)
def test_ranks_that_do_not_call_alike(case: str) -> None:
    ran = run(compiled("different"), case, ranks=4)
    assert ran.result.outcome == "aborted", ran.words
    assert re.search(DIFFERENT[case], ran.words), ran.words


@pytest.mark.parametrize("case", WAITING)
def test_ranks_that_wait_for_ever(case: str) -> None:
    ran = run(compiled("different"), case, ranks=4)
    assert (ran.result.outcome, ran.status) == ("stuck", 1), ran.words
    assert re.search(WAITING[case], ran.words), ran.words


def test_an_error_may_be_returned() -> None:
    ran = run(compiled("different"), "truncated and returned", ranks=4)
    assert (ran.result.outcome, ran.status) == ("completed", 0), ran.words
    assert ran.output.startswith("truncated: ")
    assert "longer than the 40 bytes of the buffer" in ran.output
