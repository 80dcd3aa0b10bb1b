"""Functions of MPI that are not there: the page names all of them, and each ends the run by its name."""

import re

import pytest

from tests.mpi_support import compiled, run
from tests.support import ROOT

TABLE = (ROOT / "crates" / "mpi-library" / "src" / "functions.rs").read_text(encoding="utf-8")
ROW = re.compile(r"^(missing|missing_large) (\w+) = (\w+)::", re.MULTILINE)
MISSING = [
    f"MPI_{name}{form}" for kind, name, _ in ROW.findall(TABLE) for form in (("", "_c") if "large" in kind else ("",))
]
ONE_OF_EACH_CHAPTER = {chapter: f"MPI_{name}" for _, name, chapter in ROW.findall(TABLE)}


def test_the_page_names_the_functions_that_are_missing() -> None:
    page = (ROOT / "docs" / "mpi-programs.md").read_text(encoding="utf-8")
    section = page.partition("### What is not there\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(MPI_\w+)`", section)) == {name.removesuffix("_c") for name in MISSING}


def assert_names_itself(function: str) -> None:
    ran = run(compiled("missing"), function, ranks=1)
    words = rf"rank 0 failed in {function} \(call \d+\): {function} is not simulated, at cycle \d+"
    assert (ran.result.outcome, ran.output) == ("aborted", "")
    assert re.fullmatch(words, ran.words), ran.words


@pytest.mark.parametrize("function", ONE_OF_EACH_CHAPTER.values())
def test_a_missing_function_names_itself(function: str) -> None:
    assert_names_itself(function)


@pytest.mark.long
def test_every_missing_function_names_itself() -> None:
    assert len(MISSING) > len(ONE_OF_EACH_CHAPTER)
    for function in MISSING:
        assert_names_itself(function)
