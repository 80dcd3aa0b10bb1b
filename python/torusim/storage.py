"""The folder layout that all kinds of results share: result.json, and a Parquet file for each table.

`what` is the kind of result in messages: "result", "schedule".
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim._core import InputError
from torusim.files import open_to_read, sync
from torusim.folder import RESULT_FILE
from torusim.formatting import shown
from torusim.scenario import read_text

if TYPE_CHECKING:
    import pyarrow as pa


def result_file(place: Path, what: str) -> Path:
    """The path of the result.json in a folder, or of the file itself.

    Raises:
        InputError: If there is none.
    """
    if not os.path.exists(place):
        raise InputError(f"{place}: there is no such folder")
    path = place / RESULT_FILE if place.is_dir() else place
    if not os.path.exists(path):
        raise InputError(f"{place}: holds no {RESULT_FILE}, so it is not the folder of a {what}")
    return path


def read_json(path: Path) -> Any:  # noqa: ANN401 - any JSON value
    """The content of a JSON file.

    Raises:
        InputError: If it cannot be read, or is not JSON.
    """
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of brackets
        raise InputError(f"{path}: is not JSON that torusim writes: {error}") from None


def table_names(folder: Path | None, in_memory: Mapping[str, "pa.Table"]) -> list[str]:
    """The names of the tables in a folder or, without a folder, in memory."""
    return sorted(in_memory) if folder is None else sorted(path.stem for path in folder.glob("*.parquet"))


def read_table(folder: Path | None, name: str, known: list[str], what: str) -> tuple["pa.Table", Path]:
    """A table of a folder, and the path of its file.

    Raises:
        InputError: If the table is not one of `known`, or its file cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if folder is None or name not in known:
        place = "table" if folder is None else f"{folder}: table"
        raise InputError(f"{place} {shown(name)}: this {what} has {', '.join(known) or 'no tables'}")
    path = folder / f"{name}.parquet"
    try:
        with open_to_read(path) as file:
            # Read in this thread only: a thread of Arrow's pool that still holds the Python file when the interpreter
            # exits aborts the process (https://github.com/apache/arrow/issues/50482).
            table = pq.ParquetFile(file, pre_buffer=False).read(use_threads=False)
            table.validate(full=True)
            "".join(table.column_names)  # decoded only when they are asked for
            return table, path
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is not a table of a {what}: {error}") from None


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


def _to_column(values: Any) -> "pa.Array":  # noqa: ANN401 - an array, a list of strings, or numbers and a mask
    """Numbers as a plain array, names as a dictionary array, numbers with missing values as a masked array."""
    import pyarrow as pa

    if isinstance(values, tuple):
        numbers, are_there = values
        return pa.array(numbers, mask=~are_there)
    if isinstance(values, list):
        return pa.array(values, type=pa.string()).dictionary_encode()
    return pa.array(values)
