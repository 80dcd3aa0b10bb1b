"""What a run leaves: a summary, the scenario that it came from, and tables."""

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim import _core, wording
from torusim._core import InputError
from torusim.folder import RESULT_FILE
from torusim.scenario import read_text

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 1
"""Of result.json and the tables; raised when a reader of the old form would go wrong."""


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "links": ("node", "direction", "packets", "chunks", "busy_cycles", "stalled_cycles", "utilization"),
    "latency": ("low_cycles", "high_cycles", "packets"),
    "series": ("start_cycle", "end_cycle", "packets_injected", "packets_delivered", "packets_in_flight", "utilization"),
    "nodes": ("node", "injected", "delivered"),
}
"""Columns that each table has, whatever the machine; the tables of some machines have more."""


@dataclass(frozen=True)
class Result:
    """What a run leaves. Two results with the same `summary["digest"]` moved every packet alike.

    Attributes:
        summary: Outcome, times, rates and latencies; units are in the keys (cycles, seconds, bytes, percent), and
            shares are 0 to 1.
        scenario: The whole resolved scenario, defaults included.
        seed: The seed of every random choice.
        versions: Of torusim and Python.
        folder: Where the result is kept, or None if it is in memory only.
    """

    summary: Mapping[str, Any]
    scenario: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]
    folder: Path | None = None
    _tables: dict[str, "pa.Table"] = field(default_factory=dict, repr=False)

    @property
    def outcome(self) -> str:
        """How the run ended: "completed", "deadlocked", "stuck", "out-of-memory", "interrupted" or "time-limit"."""
        return str(self.summary["outcome"])

    @property
    def tables(self) -> list[str]:
        """The names that `table` knows."""
        if self.folder is None:
            return sorted(self._tables)
        return sorted(path.stem for path in self.folder.glob("*.parquet"))

    def table(self, name: str) -> "pa.Table":
        """A table as Arrow: "links", "latency", "series" or "nodes".

        Raises:
            InputError: If there is no such table, or its file cannot be read.
        """
        if name not in self._tables:
            self._tables[name] = self._read_table(name)
        return self._tables[name]

    def write(self, folder: Path) -> None:
        """Writes result.json and the tables into an existing, empty folder."""
        import pyarrow.parquet as pq

        for name in self.tables:
            # An open file, because Arrow takes a path for an address of its own kind.
            with (folder / f"{name}.parquet").open("wb") as file:
                pq.write_table(self.table(name), file, compression="zstd")
        (folder / RESULT_FILE).write_text(json.dumps(self._to_plain(), indent=2) + "\n", encoding="utf-8")

    def _read_table(self, name: str) -> "pa.Table":
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.folder is None or name not in self.tables:
            place = "table" if self.folder is None else f"{self.folder}: table"
            raise InputError(f"{place} {name!r}: this result has {', '.join(self.tables) or 'no tables'}")
        path = self.folder / f"{name}.parquet"
        try:
            with path.open("rb") as file:
                table = pq.read_table(file)
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
        except pa.ArrowException as error:
            raise InputError(f"{path}: is not a table of a result: {error}") from None
        return _checked(table, name, path)

    def _to_plain(self) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "versions": self.versions,
            "seed": self.seed,
            "summary": self.summary,
            "scenario": self.scenario,
        }

    def _repr_html_(self) -> str:
        return wording.summary_as_html(self.summary)


def of_run(finished: _core.RunResult, seed: int) -> Result:
    """The result of a run that has just finished, in memory."""
    return Result(
        summary=json.loads(finished.summary_json()),
        scenario=json.loads(finished.scenario_json()),
        seed=seed,
        versions={"torusim": _core.__version__, "python": platform.python_version()},
        _tables={name: _to_arrow(columns) for name, columns in finished.tables().items()},
    )


def load(folder: Path) -> Result:
    """The result that a run left in a folder. Tables are read when they are asked for.

    Raises:
        InputError: If there is no result in the folder, or one that this version cannot read.
    """
    if not folder.exists():
        raise InputError(f"{folder}: there is no such folder")
    path = folder / RESULT_FILE if folder.is_dir() else folder
    if folder.is_dir() and not path.exists():
        raise InputError(f"{folder}: holds no {RESULT_FILE}, so it is not the folder of a result")
    content = _parse(path)
    return Result(
        summary=content["summary"],
        scenario=content["scenario"],
        seed=content["seed"],
        versions=content["versions"],
        folder=path.parent,
    )


def _checked(table: "pa.Table", name: str, path: Path) -> "pa.Table":
    missing = [column for column in COLUMNS.get(name, ()) if column not in table.column_names]
    if missing:
        raise InputError(f"{path}: is not the table {name!r} of a result: it has no column {missing[0]!r}")
    return table


def _parse(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from None
    if isinstance(content, dict) and content.get("kind") == "schedule":
        raise InputError(f"{path}: is of a schedule, not of a run; torusim.load_schedule reads it")
    version = content.get("schema_version") if isinstance(content, dict) else None
    if version != SCHEMA_VERSION:
        found = "missing" if version is None else version
        raise InputError(f"{path}: schema_version is {found}, but this torusim reads {SCHEMA_VERSION}")
    kinds = {"summary": dict, "scenario": dict, "seed": int, "versions": dict}
    for key, kind in kinds.items():
        if not isinstance(content.get(key), kind):
            raise InputError(f"{path}: {key} is missing or not {kind.__name__}; the file is not a result of torusim")
    if not isinstance(content["summary"].get("outcome"), str):
        raise InputError(f"{path}: summary.outcome is missing; the file is not a result of torusim")
    if (damaged := wording.unreadable_key(content["summary"])) is not None:
        found = json.dumps(content["summary"][damaged])
        raise InputError(
            f"{path}: summary.{damaged} = {found[:80]}: is not what torusim writes there; the file is damaged"
        )
    return content


def _to_arrow(columns: Mapping[str, Any]) -> "pa.Table":
    import pyarrow as pa

    return pa.table({name: column_to_arrow(values) for name, values in columns.items()})


def column_to_arrow(values: Any) -> "pa.Array":  # noqa: ANN401 - an array or a list of strings
    """A column of a table: numbers as they are, names as a dictionary of them."""
    import pyarrow as pa

    if isinstance(values, list):
        return pa.array(values, type=pa.string()).dictionary_encode()
    return pa.array(values)
