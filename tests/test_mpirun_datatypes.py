"""Random datatypes in C and in Python: they have the same bounds, and messages with them the same digests."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torusim
from tests.mpi_registries import Registries
from tests.mpi_support import MACHINE, compiled, digests, run
from torusim import Comm
from torusim.programs import BYTE, DOUBLE, DOUBLE_COMPLEX, INT, ORDER_C, ORDER_F, SHORT, Datatype

RANKS = 3
BASICS = [BYTE, SHORT, INT, DOUBLE, DOUBLE_COMPLEX]
ROOM_BYTES = 1 << 18
"""The array of the program in Python."""

Made = tuple[list[str], Datatype]
"""The lines for `recipes.c` that make a datatype, and the datatype."""


def line(word: str, *numbers: int) -> str:
    return " ".join(map(str, (word, *numbers)))


def basic(number: int) -> Made:
    return [line("basic", number)], BASICS[number]


def contiguous(of: Made, count: int) -> Made:
    return [*of[0], line("contiguous", count)], of[1].Create_contiguous(count)


def vector(of: Made, numbers: tuple[int, int, int]) -> Made:
    return [*of[0], line("vector", *numbers)], of[1].Create_vector(*numbers)


def hvector(of: Made, numbers: tuple[int, int, int]) -> Made:
    return [*of[0], line("hvector", *numbers)], of[1].Create_hvector(*numbers)


def resized(of: Made, extent: int) -> Made:
    return [*of[0], line("resized", 0, extent)], of[1].Create_resized(0, extent)


def indexed(of: Made, blocks: list[tuple[int, int]], *, in_bytes: bool) -> Made:
    lengths, places = ([block[part] for block in blocks] for part in range(2))
    made = of[1].Create_hindexed(lengths, places) if in_bytes else of[1].Create_indexed(lengths, places)
    return [*of[0], line("hindexed" if in_bytes else "indexed", len(blocks), *lengths, *places)], made


def subarray(of: Made, rows: list[tuple[int, int, int]], *, is_c: bool) -> Made:
    """A row is the length of the part, the elements before it, and those behind it."""
    subsizes, starts, _ = ([row[part] for row in rows] for part in range(3))
    sizes = [sum(row) for row in rows]
    made = of[1].Create_subarray(sizes, subsizes, starts, ORDER_C if is_c else ORDER_F)
    return [*of[0], line("subarray", len(rows), *sizes, *subsizes, *starts, int(is_c))], made


def struct(parts: list[tuple[Made, int, int]]) -> Made:
    lengths, places = ([part[1] for part in parts], [part[2] for part in parts])
    lines = [text for part in parts for text in part[0][0]]
    made = Datatype.Create_struct(lengths, places, [part[0][1] for part in parts])
    return [*lines, line("struct", len(parts), *lengths, *places)], made


def extended(inner: st.SearchStrategy[Made]) -> st.SearchStrategy[Made]:
    few, places = st.integers(0, 3), st.integers(0, 30)
    blocks = st.lists(st.tuples(few, places), min_size=1, max_size=4)
    rows = st.lists(st.tuples(st.integers(1, 3), few, few), min_size=1, max_size=3)
    return st.one_of(
        st.builds(contiguous, inner, few),
        st.builds(vector, inner, st.tuples(few, few, few)),
        st.builds(hvector, inner, st.tuples(few, few, places)),
        st.builds(resized, inner, places),
        st.builds(indexed, inner, blocks, in_bytes=st.booleans()),
        st.builds(subarray, inner, rows, is_c=st.booleans()),
        st.builds(struct, st.lists(st.tuples(inner, few, places), min_size=1, max_size=3)),
    )


datatypes = st.recursive(st.builds(basic, st.integers(0, len(BASICS) - 1)), extended, max_leaves=4)


def fits(made: Datatype, count: int) -> bool:
    """Whether the copies are in the array of the program in Python, and their data in a message of its length."""
    return max(made.true_ub + (count - 1) * made.extent, count * made.size) <= ROOM_BYTES


@given(sent=st.lists(st.tuples(datatypes, st.integers(1, 3)), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_datatypes_in_c_are_those_in_python(
    sent: list[tuple[Made, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("recipes") / "recipe.txt"
    used = [(made, count) for made, count in sent if fits(made[1], count)]
    lines = [
        text for (lines, made), count in used for text in (*lines, line("use", count, made.size, made.lb, made.extent))
    ]
    path.write_text("\n".join(lines))

    async def twin(comm: Comm) -> None:
        data = np.zeros(ROOM_BYTES, dtype=np.uint8)
        for tag, ((_, made), count) in enumerate(used):
            both = [data, count, made.Dup().Commit()]
            await comm.Sendrecv(both, (comm.rank + 1) % comm.size, tag, both, (comm.rank - 1) % comm.size, tag)

    ran = run(compiled("recipes"), str(path), ranks=RANKS)
    assert (ran.result.outcome, ran.output) == ("completed", "all data are right\n"), ran.words
    assert ran.digests == digests(torusim.run_program(twin, ranks=RANKS, machine=MACHINE))


@pytest.mark.parametrize("ranks", [1, 5])
@pytest.mark.parametrize("name", ["datatypes", "operations", "packing"])
def test_data_are_right(name: str, ranks: int) -> None:
    ran = run(compiled(name), ranks=ranks)
    assert (ran.result.outcome, ran.output) == ("completed", "all data are right\n"), ran.words


@pytest.mark.parametrize("interface", ["mpich", "openmpi"])
@pytest.mark.parametrize("name", ["datatypes", "operations", "packing"])
def test_data_are_right_in_other_interfaces(name: str, interface: str, registries: Registries) -> None:
    ran = run(registries.interface(interface).compile(name), ranks=3)
    assert (ran.result.outcome, ran.output) == ("completed", "all data are right\n"), ran.words
