"""The folder layout that all kinds of results share: result.json, and a Parquet file for each table.

`what` is the kind of result in messages: "result", "schedule".
"""

import fnmatch
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from torusim._core import InputError
from torusim.common.files import open_to_read, sync
from torusim.common.folder import RESULT_FILE
from torusim.common.formatting import shown
from torusim.runs.scenario import read_text

if TYPE_CHECKING:
    import pyarrow as pa

NUMBER_LIMIT = 2.0**62
"""Far above every time and count; the difference of two such numbers has 64 bits."""


@dataclass(frozen=True)
class Column:
    """The content of a column of a table.

    Attributes:
        pattern: The regular expression of the column's texts; None if it holds no texts.
        may_lack: Whether rows without a value are allowed.
        is_boolean: Whether it holds true and false, instead of numbers.
        is_optional: Whether some tables of the kind do not have it.
    """

    pattern: str | None = None
    may_lack: bool = False
    is_boolean: bool = False
    is_optional: bool = False


NUMBERS = Column()
SOME_NUMBERS = Column(may_lack=True)
OPTIONAL_NUMBERS = Column(is_optional=True)
OPTIONAL_SOME_NUMBERS = Column(may_lack=True, is_optional=True)
BOOLEANS = Column(is_boolean=True)
TEXTS = Column(pattern=r"(?s).*")

Columns: TypeAlias = Mapping[str, Column]
"""The columns that a table has in results of its kind; `*` stands for any number. There may be more."""


def file_of(place: Path, name: str, what: str) -> Path:
    """The path of a file in a folder of this kind of result, or of the file itself.

    Raises:
        InputError: If there is none.
    """
    if not os.path.exists(place):
        raise InputError(f"{place}: there is no such folder")
    path = place / name if place.is_dir() else place
    if not os.path.exists(path):
        raise InputError(f"{place}: holds no {name}, so it is not the folder of a {what}")
    return path


def read_json(path: Path) -> Any:  # noqa: ANN401 - any JSON value
    """The content of a JSON file.

    Raises:
        InputError: If it cannot be read, or is not JSON.
    """
    try:
        return json.loads(read_text(path), parse_int=_whole, parse_float=_finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        if path.suffix == ".toml":
            raise InputError(f"{path}: is a scenario, not a result; torusim run {path} makes one") from None
        raise InputError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of brackets
        raise InputError(f"{path}: is not JSON that torusim writes: {error}") from None


def _whole(text: str) -> int:
    value = int(text)
    if not -(2**63) <= value < 2**64:
        raise ValueError(f"{shown(value)} is beyond 64 bits")
    return value


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


def table_names(folder: Path | None, in_memory: Mapping[str, "pa.Table"]) -> list[str]:
    """The names of the tables in a folder or, without a folder, in memory."""
    return sorted(in_memory) if folder is None else sorted(path.stem for path in folder.glob("*.parquet"))


def read_table(folder: Path | None, name: str, known: list[str], columns: Columns, what: str) -> "pa.Table":
    """A table of a folder.

    Raises:
        InputError: If the table is not one of `known`, or its file cannot be read or does not have these columns.
    """
    if folder is None or name not in known:
        place = "table" if folder is None else f"{folder}: table"
        raise InputError(f"{place} {shown(name)}: this {what} has {', '.join(known) or 'no tables'}")
    path = folder / f"{name}.parquet"
    table = read_parquet(path, what)
    if (fault := first_fault(table, columns)) is not None:
        raise InputError(f"{path}: is not the table {name!r} of a {what}: {fault}")
    return table


def first_fault(table: "pa.Table", columns: Columns) -> str | None:
    """The first difference of a table from one that has these columns; None if there is none."""
    faults = (_fault(table, column, holds) for column, holds in _named(columns, table.column_names))
    return next((fault for fault in faults if fault is not None), None)


def read_parquet(path: Path, what: str) -> "pa.Table":
    """The table of a Parquet file.

    Raises:
        InputError: If it cannot be read, or is no table.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with open_to_read(path) as file:
            # Read in this thread only: a thread of Arrow's pool that still holds the Python file when the interpreter
            # exits aborts the process (https://github.com/apache/arrow/issues/50482).
            table = pq.ParquetFile(file, pre_buffer=False).read(use_threads=False)
            table.validate(full=True)
            "".join(table.column_names)  # decoded only when they are asked for
            return table
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or _in_one_line(error)}") from None
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is not a table of a {what}: {_in_one_line(error)}") from None


def _named(columns: Columns, names: Sequence[str]) -> Iterator[tuple[str, Column]]:
    """The columns to check in a table, including those that a `*` stands for."""
    for pattern, holds in columns.items():
        if holds.is_optional and pattern not in names:
            continue
        for name in fnmatch.filter(names, pattern) if "*" in pattern else [pattern]:
            yield name, holds


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _fault(table: "pa.Table", name: str, holds: Column) -> str | None:
    """The difference of a column from its required content; None if there is none."""
    import pyarrow.compute as pc

    if table.column_names.count(name) != 1:
        return f"it has {'two columns' if name in table.column_names else 'no column'} {name!r}"
    values = table.column(name)
    is_right, kind = _kind(holds)
    if not is_right(values.type):
        return f"column {name!r} holds no {kind}"
    if values.null_count and not holds.may_lack:
        return f"column {name!r} has rows without a value"
    if holds.is_boolean:
        return None
    if holds.pattern is None:
        right = pc.less_equal(pc.abs(values.cast("float64", safe=False)), NUMBER_LIMIT)
    else:
        right = pc.match_substring_regex(values.unique().cast("string"), rf"\A({holds.pattern})\z")
    return None if pc.all(right).as_py() is not False else f"column {name!r} holds values that torusim never writes"


def _kind(holds: Column) -> "tuple[Callable[[pa.DataType], bool], str]":
    """(whether a type is that of the column, the name of its values)."""
    import pyarrow as pa

    if holds.is_boolean:
        return pa.types.is_boolean, "true and false"
    return (_is_numeric, "numbers") if holds.pattern is None else (_is_text, "texts")


def _is_numeric(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind.value_type if pa.types.is_dictionary(kind) else kind))


def write(folder: Path, content: Mapping[str, Any], tables: Mapping[str, "pa.Table"]) -> None:
    """Writes result.json and the tables into an existing, empty folder, and waits until they are on the disk."""
    import pyarrow.parquet as pq

    for name, table in tables.items():
        # An open file, because Arrow would interpret the path as a URI.
        with (folder / f"{name}.parquet").open("wb") as file:
            pq.write_table(table, file, compression="zstd")
    (folder / RESULT_FILE).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    for path in [*folder.iterdir(), folder]:
        sync(path)


def to_arrow(columns: Mapping[str, Any]) -> "pa.Table":
    """The Arrow table of columns returned by Rust."""
    import pyarrow as pa

    return pa.table({name: _to_column(values) for name, values in columns.items()})


def _to_column(values: Any) -> "pa.Array":  # noqa: ANN401 - an array, a list of texts or bytes, or numbers and a mask
    """Numbers and bytes as plain arrays, names as a dictionary array, numbers with missing values as a masked array."""
    import pyarrow as pa

    if isinstance(values, tuple):
        numbers, are_there = values
        return pa.array(numbers, mask=~are_there)
    if isinstance(values, list) and any(isinstance(value, bytes) for value in values):
        return pa.array(values, type=pa.binary())
    if isinstance(values, list):
        return pa.array(values, type=pa.string()).dictionary_encode()
    return pa.array(values)


def table_of(columns: Mapping[str, list[Any]]) -> "pa.Table":
    """The Arrow table of columns of plain values, None where one is missing."""
    import pyarrow as pa

    def typed(values: list[Any]) -> "pa.Array":
        known = [value for value in values if value is not None]
        if known and all(isinstance(value, str) for value in known):
            return pa.array(values, type=pa.string()).dictionary_encode()
        return pa.array(values, type=None if known else pa.float64())

    return pa.table({name: typed(values) for name, values in columns.items()})


def column(values: list[Any]) -> "pa.Array":
    """An Arrow column; tables, and values of mixed types, are converted to JSON text."""
    import pyarrow as pa

    # Arrow would give every struct the keys of all, and Parquet has no struct without keys.
    if not any(map(_has_table, values)):
        with suppress(pa.ArrowException, TypeError, OverflowError):
            try:
                return pa.array(values)
            except OverflowError:  # of seeds from 2^63 on
                return pa.array(values, pa.uint64())
    return pa.array([value if isinstance(value, str | None) else json.dumps(value) for value in values])


def with_columns(table: "pa.Table", rows: Sequence[Mapping[str, Any]]) -> "pa.Table":
    """The table with the columns that its rows have in addition."""
    for name in dict.fromkeys(name for row in rows for name in row if name not in table.column_names):
        table = table.append_column(name, column([row.get(name) for row in rows]))
    return table


def _has_table(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list | tuple) and any(map(_has_table, value)))
