"""The table of a curve, a row for each configuration, load and seed; it is kept in curve.parquet."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from torusim._core import InputError
from torusim.common.files import as_path
from torusim.common.units import Units
from torusim.curves.configurations import Configuration
from torusim.curves.curve import Curve
from torusim.curves.steady_state import Replications
from torusim.runs import storage

if TYPE_CHECKING:
    import pyarrow as pa

TABLE_FILE = "curve.parquet"

COLUMNS: Mapping[str, str] = {
    "load": "float64",
    "seed": "uint64",
    "offered_bytes_per_node_per_cycle": "float64",
    "accepted_bytes_per_node_per_cycle": "float64",
    "offered_gigabytes_per_second": "float64",
    "accepted_gigabytes_per_second": "float64",
    "latency_cycles_mean": "float64",
    "latency_cycles_p50": "float64",
    "latency_cycles_p99": "float64",
    "latency_ns_mean": "float64",
    "saturated": "bool",
    "outcome": "string",
    "replications": "int64",
    "latency_cycles_mean_half_width": "float64",
    "settled_cycles": "int64",
    "warmup_cycles": "int64",
    "measured_cycles": "int64",
}
"""Columns after the swept keys, and their Arrow types."""


def rows_of(configuration: Configuration, load: float, replications: Replications) -> Iterator[dict[str, Any]]:
    """A row for each seed; a saturated load has no latencies."""
    latency = replications.latency
    offered = configuration.bytes_per_node(replications.offered)
    for run in replications.runs:
        accepted = configuration.bytes_per_node(run.packets_per_cycle)
        mean = None if latency is None else run.latency_cycles_mean
        yield {
            **configuration.labels,
            "load": load,
            "seed": run.seed,
            "offered_bytes_per_node_per_cycle": offered,
            "accepted_bytes_per_node_per_cycle": accepted,
            "offered_gigabytes_per_second": offered / run.cycle_seconds / 1e9,
            "accepted_gigabytes_per_second": accepted / run.cycle_seconds / 1e9,
            "latency_cycles_mean": mean,
            "latency_cycles_p50": None if latency is None else run.latency_cycles_p50,
            "latency_cycles_p99": None if latency is None else run.latency_cycles_p99,
            "latency_ns_mean": None if mean is None else mean * run.cycle_seconds * 1e9,
            "saturated": replications.is_saturated,
            "outcome": run.outcome,
            "replications": len(replications.runs),
            "latency_cycles_mean_half_width": None if latency is None else latency.half_width,
            "settled_cycles": replications.settled_cycles,
            "warmup_cycles": run.warmup_cycles,
            "measured_cycles": run.measured_cycles,
        }


def table_of(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> "pa.Table":
    """The rows as an Arrow table; swept values of mixed types become JSON text."""
    import pyarrow as pa

    swept = {key: storage.column([row[key] for row in rows]) for key in keys}
    own = {name: pa.array([row[name] for row in rows], kind) for name, kind in _types().items()}
    return pa.table({**swept, **own})


def load_curve(folder: str | os.PathLike[str]) -> Curve:
    """Loads the curve of a folder, or of the file of its table.

    Raises:
        InputError: If the folder has no curve, or its table cannot be read.
    """
    path = storage.file_of(as_path(folder, "folder"), TABLE_FILE, "finished curve")
    table = storage.read_parquet(path, "curve")
    fault = storage.first_fault(table, _columns()) or (None if table.num_rows else "it has no rows")
    if fault is not None:
        raise InputError(f"{path}: is not the table of a curve: {fault}")
    return Curve(table, table.column_names[: table.column_names.index("load")])


def _columns() -> storage.Columns:
    """The columns that are read back; latencies may be missing, and twins in physical units."""
    kinds = {"bool": storage.BOOLEANS, "string": storage.TEXTS}
    own = {
        name: storage.SOME_NUMBERS if name.startswith("latency_") else kinds.get(kind, storage.NUMBERS)
        for name, kind in COLUMNS.items()
    }
    twins = dict.fromkeys(map(Units.PHYSICAL.key, COLUMNS), storage.OPTIONAL_SOME_NUMBERS)
    return {**twins, **own}


def _types() -> "dict[str, pa.DataType]":
    import pyarrow as pa

    return {name: getattr(pa, {"bool": "bool_"}.get(kind, kind))() for name, kind in COLUMNS.items()}
