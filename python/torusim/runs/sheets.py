"""Files of flows that NumPy and pyarrow read: columns for the compiled part, which checks their content."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

Column: TypeAlias = npt.NDArray[np.float64] | list[str]
"""Numbers, or text that contains numbers; missing values are NaN or empty."""


def read(path: Path) -> tuple[list[str], list[Column]]:
    """The headings and columns of a `.parquet` or `.npy` file; a matrix has no headings.

    Raises:
        ValueError: If the file cannot be read, or is no table or matrix.
    """
    try:
        if path.suffix == ".npy":
            return _of_array(_loaded(path))
        # Arrow's threads may abort the interpreter at exit.
        return _of_table(pq.ParquetFile(path, pre_buffer=False).read(use_threads=False))
    except (OSError, EOFError, pa.ArrowException) as error:
        raise ValueError(f"cannot be read: {str(error).splitlines()[0]}") from None


def _loaded(path: Path) -> npt.NDArray[np.generic]:
    loaded = np.load(path, allow_pickle=False)
    if not isinstance(loaded, np.ndarray):
        raise ValueError("is an archive of NumPy (.npz): a .npy has one array")
    return loaded


def _of_array(array: npt.NDArray[np.generic]) -> tuple[list[str], list[Column]]:
    if (names := array.dtype.names) is not None and array.ndim == 1:
        records: Any = array
        return list(names), [_numbers(records[name]) for name in names]
    if array.ndim != 2:
        raise ValueError(f"is an array of {array.ndim} dimensions: a matrix of flows has 2, source and target")
    return [], [_numbers(column) for column in array.T]


def _numbers(values: npt.NDArray[np.generic]) -> Column:
    if values.dtype.kind not in "biuf":
        raise ValueError(f"holds {values.dtype}: flows are numbers")
    # A field of a record may lie at any byte, and compiled code reads numbers where they are aligned.
    return np.require(values, dtype=np.float64, requirements=["C", "ALIGNED"])


def _of_table(table: pa.Table) -> tuple[list[str], list[Column]]:
    # Columns of one name are refused by the compiled part.
    pairs = zip(table.column_names, table.columns, strict=True)
    named = [(name, _column(column)) for name, column in pairs if not name.startswith("__index_level_")]
    return [name for name, _ in named], [column for _, column in named]


def _column(column: pa.ChunkedArray) -> Column:
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return np.ascontiguousarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    return [_text(value) for value in column.to_pylist()]


def _text(value: object) -> str:
    """A value as text; the items of a list are separated by spaces."""
    match value:
        case None:
            return ""
        case str():
            return value
        case Iterable():
            return " ".join(str(item) for item in value)
        case _:
            return str(value)
