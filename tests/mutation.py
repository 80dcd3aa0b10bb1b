"""Inputs that are almost right: changes of a few places of genuine bytes, texts, arguments and tables.

All changes are drawn from a `random.Random` of the caller, so that a seed repeats them. The changes of bytes are those
of the fuzz tests in Rust (`crates/input/tests/mutation`).
"""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pyarrow as pa

EXTREMES = (
    *("0", "-1", "1", "255", "256", "65536", "2147483647", "2147483648", "4294967295", "4294967296"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615"),
    *("1e308", "1e-308", "1e999", "-0.0", "0.5", "nan", "inf", "NaN", "Infinity", "true", "null", '""'),
    *("[]", "{}", "[[]]", "[0]", "[1, 1, 1, 1, 1, 1, 1]", "\0", "\ufeff", "\ud800", "\n", "#", "=", ",", "..."),
    *("-", "\\", '"', "'", "%s", "[/bold]", "x" * 300, "[" * 300, "9" * 400, "9" * 5000),
)
"""Values at the limits of types and of readers; half a surrogate stands for a byte that is not text."""

MOST_CHANGES = 6

_WORD = re.compile(rb"[\w.+-]*")


def mutated(content: bytes, words: Sequence[str], random: Random) -> bytes:
    """The content with one to six changes; `words` are inserted in addition to `EXTREMES`."""
    for _ in range(random.randint(1, MOST_CHANGES)):
        content = random.choice(CHANGES)(content, words, random)
    return content


def mutated_text(text: str, words: Sequence[str], random: Random) -> str:
    """A text with one to six changes, as an argument of a command: without NUL, which ends an argument."""
    changed = mutated(text.encode("utf-8", "surrogateescape"), words, random)
    return changed.replace(b"\0", b"").decode("utf-8", "surrogateescape")


def _byte(content: bytes, _words: Sequence[str], random: Random) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + bytes([random.randrange(256)]) + content[at + 1 :]


def _insert(content: bytes, words: Sequence[str], random: Random) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + _drawn(words, random) + content[at:]


def _word(content: bytes, words: Sequence[str], random: Random) -> bytes:
    """Replaces a number or a word by another."""
    at = random.randint(0, len(content))
    before = _WORD.match(content[:at][::-1])
    after = _WORD.match(content, at)
    assert before is not None
    assert after is not None
    return content[: at - before.end()] + _drawn(words, random) + content[after.end() :]


def _delete(content: bytes, _words: Sequence[str], random: Random) -> bytes:
    start, end = _span(content, random)
    return content[:start] + content[end:]


def _repeat(content: bytes, _words: Sequence[str], random: Random) -> bytes:
    start, end = _span(content, random)
    return content[:end] + content[start : min(end, start + 200)] + content[end:]


def _swap_lines(content: bytes, _words: Sequence[str], random: Random) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _truncate(content: bytes, _words: Sequence[str], random: Random) -> bytes:
    return content[: random.randint(0, len(content))]


CHANGES = (_byte, _byte, _insert, _insert, *[_word] * 6, _delete, _repeat, _swap_lines, _truncate)
"""The changes; one that is listed several times is more likely."""


def _drawn(words: Sequence[str], random: Random) -> bytes:
    return random.choice(random.choice((EXTREMES, words or EXTREMES))).encode("utf-8", "surrogatepass")


def _span(content: bytes, random: Random) -> tuple[int, int]:
    one, other = random.randint(0, len(content)), random.randint(0, len(content))
    return min(one, other), max(one, other)


def damaged(table: pa.Table, others: Sequence[pa.Table], random: Random) -> pa.Table:
    """A table with one to three columns that are missing, renamed, of another type, or hold other values or nulls.

    In rare cases it is cut, empty, repeated, or another table.
    """
    if random.random() < 0.1:
        return random.choice([*others, table.slice(0, 0), table.slice(1), pa.concat_tables([table, table])])
    for _ in range(random.randint(1, 3)):
        if table.num_columns > 0:
            table = _with_damaged_column(table, random)
    return table


def _with_damaged_column(table: pa.Table, random: Random) -> pa.Table:
    index = random.randrange(table.num_columns)
    name = table.column_names[index]
    if random.random() < 0.2:
        return table.drop_columns(name)
    if random.random() < 0.1:
        return table.rename_columns([*table.column_names[:index], f"{name}s", *table.column_names[index + 1 :]])
    return table.set_column(index, name, _damaged_column(table.column(index), random))


def _damaged_column(column: pa.ChunkedArray, random: Random) -> pa.Array:
    values = column.to_pylist()
    if random.random() < 0.3:
        return pa.array(values, column.type, mask=[random.random() < 0.3 for _ in values])
    try:
        return pa.array([value if random.random() < 0.7 else random.choice(VALUES)(value) for value in values])
    except (pa.ArrowException, TypeError, OverflowError):  # a column has one type
        of_all = random.choice(VALUES)
        return pa.array([of_all(None) for _ in values])


VALUES: Sequence[Callable[[Any], Any]] = (
    lambda value: value,
    lambda _: None,
    lambda _: 0,
    lambda _: -1,
    lambda _: 1 << 40,
    lambda _: -(1 << 63),
    lambda _: (1 << 63) - 1,
    lambda _: float("nan"),
    lambda _: float("inf"),
    lambda _: -1e308,
    lambda _: 0.5,
    lambda _: True,
    lambda _: "",
    lambda _: "\0",
    lambda _: "q+",
    lambda _: "x" * 1000,
    lambda _: b"\xff",
    lambda _: [1],
    lambda _: {"x": None},
)
"""The values that may replace one of a column."""
