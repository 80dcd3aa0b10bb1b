"""The result of a run: a summary, its scenario, and tables."""

import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim import _core
from torusim._core import InputError
from torusim.common import formatting
from torusim.common.folder import RESULT_FILE
from torusim.common.units import KEY, Clock, Units, table_with_twins, units_of, with_twins
from torusim.runs import jobs, storage
from torusim.runs.steadiness import summary_of
from torusim.runs.storage import NUMBERS, OPTIONAL_NUMBERS, Column, Columns
from torusim.runs.summary import summary_as_rows, unreadable_key

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.pictures.plots import Picture
    from torusim.viewer.view import View

SCHEMA_VERSION = 1
"""Schema version of result.json and the tables; incremented when a reader of the old format would misread the new."""

DIMENSIONS = "xyzuvw"
"""The names of dimensions, in order."""

LINK_COLUMNS = ("node", "packets", "chunks", "busy_cycles", "utilization")
STALL_COLUMNS = ("stalled_cycles", "token_stalls")
"""Counters of links that the fluid engine does not have."""

PACKET_COLUMNS = ("packets_injected", "packets_delivered", "packets_in_flight")

COLUMNS: Mapping[str, Columns] = {
    "links": {
        "direction": Column(pattern="[xyzuvw][+-]"),
        **dict.fromkeys(LINK_COLUMNS, NUMBERS),
        **dict.fromkeys(STALL_COLUMNS, OPTIONAL_NUMBERS),
    },
    "latency": dict.fromkeys(("low_cycles", "high_cycles", "packets"), NUMBERS),
    "series": dict.fromkeys(("start_cycle", "end_cycle", *PACKET_COLUMNS, "utilization", "utilization_*"), NUMBERS),
    "nodes": dict.fromkeys(("node", "injected", "delivered"), NUMBERS),
}
"""The columns that each table has for every machine; some machines add more."""


@dataclass(frozen=True, repr=False)
class Result:
    """The result of a run. Runs with the same `summary["digest"]` are bit-identical in the movement of every packet.

    Attributes:
        summary: Outcome, times, rates and latencies; units are in the keys (cycles, seconds, bytes, percent), and
            shares are 0 to 1.
        scenario: The complete resolved scenario, including defaults.
        seed: The seed of every random choice.
        versions: The versions of torusim and Python.
        folder: The folder of the result, or None if it is in memory only.
        returns: The return value of a program's `main` (`torusim.run_program`) on each rank, None where it has not
            returned; in memory only.
        exit_status: The status of the first process of a program (`torusim.run_processes`) that has ended with another
            status than 0; in memory only.
    """

    summary: Mapping[str, Any]
    scenario: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]
    folder: Path | None = None
    returns: Sequence[Any] = field(default=(), repr=False, compare=False)
    exit_status: int = field(default=0, repr=False, compare=False)
    _tables: dict[str, "pa.Table"] = field(default_factory=dict, repr=False)

    @property
    def outcome(self) -> str:
        """How the run ended, such as "completed", "deadlocked" or "stuck"; the guide lists all."""
        return str(self.summary["outcome"])

    @property
    def units(self) -> Units:
        """The units of times and rates on screens and in pictures: those of the scenario, or of `in_units`."""
        return Units.of(self.summary)

    def in_units(self, units: str) -> "Result":
        """The result with times and rates shown in "cycles", or in "physical" units: ns and GB/s.

        Raises:
            InputError: If there are no such units.
        """
        known = {key: value for key, value in self.summary.items() if key != KEY}
        if units_of(units) is Units.PHYSICAL:
            known = with_twins({**known, KEY: Units.PHYSICAL.value}, Clock.of_scenario(self.scenario))
        return replace(self, summary=known)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the machine's dimensions, in nodes.

        Raises:
            InputError: If the scenario of a stored result does not have them.
        """
        machine = self.scenario.get("machine")
        lengths = machine.get("shape") if isinstance(machine, Mapping) else None
        is_right = isinstance(lengths, list) and 1 <= len(lengths) <= len(DIMENSIONS)
        if not is_right or not all(isinstance(length, int) and 0 < length < 2**31 for length in lengths or []):
            raise InputError(f"{self._place}: scenario.machine.shape is missing or no list of lengths")
        return tuple(lengths or [])

    def links(self) -> "pa.Table":
        """The table of links, each of which leaves a node of the machine.

        Raises:
            InputError: If its file cannot be read, or is that of another machine.
        """
        import pyarrow.compute as pc

        table = self.table("links")
        nodes = math.prod(self.shape)
        node = table.column("node")
        is_right = pc.and_(pc.and_(pc.greater_equal(node, 0), pc.less(node, nodes)), pc.equal(node, pc.floor(node)))
        values = [table.column(name) for name in LINK_COLUMNS]
        if table.num_rows and not (
            nodes <= table.num_rows
            and pc.all(is_right, skip_nulls=False).as_py()
            and all(pc.all(pc.is_finite(column), skip_nulls=False).as_py() for column in values)
        ):
            raise InputError(f"{self._place}: table 'links' is not that of a machine {self.shape}")
        return table

    @property
    def _place(self) -> str:
        """The name of the result in messages."""
        return "result" if self.folder is None else str(self.folder)

    @property
    def tables(self) -> list[str]:
        """The names of the tables that `table` can return."""
        return storage.table_names(self.folder, self._tables)

    def table(self, name: str) -> "pa.Table":
        """A table as Arrow: "links", "latency", "series", "nodes", or another of `tables`.

        In physical units each column that counts cycles is followed by its twin, as `busy_cycles` by `busy_ns`.

        Raises:
            InputError: If there is no such table, or its file cannot be read.
        """
        if not isinstance(name, str) or name not in self._tables:
            columns = COLUMNS.get(name, {}) if isinstance(name, str) else {}
            self._tables[name] = storage.read_table(self.folder, name, self.tables, columns, "result")
        table = self._tables[name]
        return table_with_twins(table, Clock.of_scenario(self.scenario)) if self.units is Units.PHYSICAL else table

    def write(self, folder: Path) -> None:
        """Writes result.json and the tables into an existing, empty folder."""
        storage.write(folder, self._to_plain(), {name: self.table(name) for name in self.tables})

    def _to_plain(self) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "versions": self.versions,
            "seed": self.seed,
            "summary": self.summary,
            "scenario": self.scenario,
        }

    def plot(self, picture: str = "utilization-over-time") -> "Picture":
        """A picture of the run, which notebooks show: by default its utilization over time.

        `torusim.plot` draws several runs in one picture.

        Args:
            picture: The picture's name, such as "latency"; an unknown name is refused with the names of all.

        Raises:
            InputError: If there is no such picture, or nothing to draw in it.
        """
        from torusim.pictures import plotting

        return plotting.plot(self, picture)

    def view(self, other: "Result | None" = None, groups: Mapping[int, str] | None = None) -> "View":
        """The run at work, which notebooks show: the torus in 3D, its links over time, and what crosses them.

        Links have a course of time if the run recorded it, with `run={"link_series": True}`. The view can be saved as a
        page. With `pip install 'torusim[notebook]'` it is a widget, for tables over 10 MB too.

        Args:
            other: Another run, to compare both.
            groups: The groups of ranks, such as stages of a pipeline, by which nodes can be colored.

        Raises:
            InputError: If a table of a result cannot be read, or groups are of ranks that do not exist.
        """
        from torusim.viewer.view import view

        return view(self, other, groups)

    def __repr__(self) -> str:
        """Workload, shape, outcome and throughput in one text line."""
        known = self.summary.get
        peak = known("percent_of_peak")
        parts = [self.outcome, "" if peak is None else f"{formatting.percent(peak)} of peak", f"seed {self.seed}"]
        name = " on ".join(str(part) for part in (known("workload"), known("shape")) if part is not None)
        return f"<Result {name or 'of a run'}: {', '.join(filter(None, parts))}>"

    def _repr_html_(self) -> str:
        html = formatting.pairs_as_html(summary_as_rows(self.summary))
        of_jobs = self.summary.get(jobs.TABLE)
        return html + formatting.rows_as_html(*jobs.as_text(of_jobs, self.units)) if of_jobs else html


def of_run(finished: _core.RunResult, seed: int) -> Result:
    """The result of a finished run, in memory."""
    return Result(
        summary=summary_of(finished),
        scenario=json.loads(finished.scenario_json()),
        seed=seed,
        versions={"torusim": _core.__version__, "python": platform.python_version()},
        _tables={name: storage.to_arrow(columns) for name, columns in finished.tables().items()},
    )


def with_jobs(result: Result, columns: jobs.Columns) -> Result:
    """The result with this table of jobs, whose rows are in the summary too."""
    columns = jobs.in_units(columns, result.summary, result.scenario)
    summary = {**result.summary, jobs.TABLE: jobs.rows(columns)}
    tables = {**result._tables, jobs.TABLE: storage.table_of(columns)}
    return replace(result, summary=summary, _tables=tables)


def load(folder: Path) -> Result:
    """The result that a run wrote to a folder. Each table is read on its first use.

    Raises:
        InputError: If there is no result in the folder, or one that this version cannot read.
    """
    path = storage.file_of(folder, RESULT_FILE, "result")
    content = _parse(path)
    return Result(
        summary=content["summary"],
        scenario=content["scenario"],
        seed=content["seed"],
        versions=content["versions"],
        folder=path.parent,
    )


def _parse(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = storage.read_json(path)
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
    if (damaged := unreadable_key(content["summary"])) is not None:
        found = json.dumps(content["summary"][damaged])
        raise InputError(
            f"{path}: summary.{damaged} = {found[:80]}: is not what torusim writes there; the file is damaged"
        )
    return content
