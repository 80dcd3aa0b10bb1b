"""Schedules: a log of jobs, a machine and rules in; who started when and where, and what came of it, out.

    log, machine, rules --> _core.Schedule --slices--> Schedule: summary, tables, report --> folder

The folder of a schedule:

    DIR/result.json     kind, schema version, versions, description, summary, report of the log
    DIR/jobs.parquet    a row for each job; sizes, series, and partitions where the machine is a room
    DIR/schedule.swf    the schedule as a log
"""

import json
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim import _core, kept
from torusim._core import InputError
from torusim.folder import RESULT_FILE, cannot_be_written, new_folder
from torusim.scenario import Override, printable, read_text, to_json

if TYPE_CHECKING:
    import pyarrow as pa

KIND = "schedule"
"""What result.json says it is of."""

SCHEMA_VERSION = 1
"""Of result.json and the tables of schedules; raised when a reader of the old form would go wrong."""

SWF_FILE = "schedule.swf"

SLICE_SECONDS = 0.1
"""Between two looks at the keyboard."""

KEYS: Mapping[str, str] = {
    "nodes": "machine.nodes",
    "room": "machine.room",
    "profile": "machine.profile",
    "allocation": "machine.allocation",
    "hybrid": "machine.hybrid",
    "slowdown": "machine.slowdown",
    "slowdown_rules": "machine.slowdown_rules",
    "outages": "machine.outages",
    "policy": "queue.policy",
    "wfp_exponent": "queue.wfp_exponent",
    "backfill": "queue.backfill",
    "drain_threshold": "queue.drain_threshold",
    "walltime": "queue.walltime",
    "after_outage": "queue.after_outage",
    "format": "log.format",
    "columns": "log.columns",
    "processors_per_node": "log.processors_per_node",
    "walltime_factor": "log.walltime_factor",
    "seed": "log.seed",
    "skip_jobs": "log.skip_jobs",
    "jobs": "log.jobs",
    "load": "log.load",
    "cut_to_nodes": "log.cut_to_nodes",
    "sizes": "log.sizes",
    "torus_share": "log.torus_share",
}
"""Options of `schedule`, and where they stand in a description."""


@dataclass(frozen=True)
class Schedule:
    """What a schedule leaves.

    Attributes:
        summary: Numbers for all jobs; units are in the keys (seconds, nodes), and shares are 0 to 1.
        description: Log, machine and rules, defaults included.
        report: What was odd in the log: dropped, mended or assumed.
        versions: Of torusim and Python.
        folder: Where the schedule is kept, or None if it is in memory only.
    """

    summary: Mapping[str, Any]
    description: Mapping[str, Any]
    report: Mapping[str, Any]
    versions: Mapping[str, str]
    folder: Path | None = None
    _tables: dict[str, "pa.Table"] = field(default_factory=dict, repr=False)
    _swf: bytes = field(default=b"", repr=False)

    @property
    def tables(self) -> list[str]:
        """The names that `table` knows: jobs, sizes, series, and partitions where the machine is a room."""
        return kept.table_names(self.folder, self._tables)

    def table(self, name: str) -> "pa.Table":
        """A table as Arrow. Times are seconds of the log; what never happened is null.

        Raises:
            InputError: If there is no such table, or its file cannot be read.
        """
        if name not in self._tables:
            self._tables[name], _ = kept.read_table(self.folder, name, self.tables, "schedule")
        return self._tables[name]

    @property
    def swf(self) -> str:
        """The schedule as a log in the Standard Workload Format, with the waits that came out."""
        if self.folder is not None and not self._swf:
            return read_text(self.folder / SWF_FILE)
        return self._swf.decode()

    def write(self, folder: Path) -> None:
        """Writes result.json, the tables and the log into an existing, empty folder."""
        kept.write(folder, self._to_plain(), {name: self.table(name) for name in self.tables})
        (folder / SWF_FILE).write_text(self.swf, encoding="utf-8")

    def _to_plain(self) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": KIND,
            "versions": self.versions,
            "summary": self.summary,
            "description": self.description,
            "report": self.report,
        }


def schedule(
    log: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    **options: object,
) -> Schedule:
    """Lets the jobs of a log queue for a machine, and returns who started when and where.

    Args:
        log: The file of a job log, perhaps with gzip: SWF, Argonne's simplified form, or other columns; or "lublin",
            for jobs of the model of Lublin and Feitelson; or the result.json of a schedule, to repeat it.
        out: A folder to keep the schedule in; it must not exist. None keeps it in memory only.
        **options: What differs from the defaults; None for a default. The machine: `nodes`, or `room` and `profile`,
            `allocation`, `hybrid`, `slowdown`, `slowdown_rules`, `outages`. The rules: `policy`, `wfp_exponent`,
            `backfill`, `drain_threshold`, `walltime`, `after_outage`. The log: `format`, `columns`,
            `processors_per_node`, `walltime_factor`, `seed`, `skip_jobs`, `jobs`, `load`, `cut_to_nodes`, `sizes`,
            `torus_share`. `docs/guide.md` has the meaning of each.

    Raises:
        InputError: If the log, an option or the folder cannot be used.
    """
    changes = overrides_of_options(options, lambda key: f"schedule({key}=…)")
    return execute(log, changes, _ignore, None if out is None else Path(out))


def overrides_of_options(options: Mapping[str, object], origin: Callable[[str], str]) -> list[Override]:
    """What options change in a description; `origin` says what messages call an option.

    Raises:
        InputError: If there is no such option.
    """
    for key in options:
        if key not in KEYS:
            raise InputError(f"{key}: is no option of a schedule; known: {', '.join(KEYS)}")
    given = {key: value for key, value in options.items() if value is not None}
    return [(KEYS[key], to_json(value, key), origin(key)) for key, value in given.items()]


def execute(
    log: str | os.PathLike[str],
    overrides: list[Override],
    report: Callable[[float], None],
    out: Path | None = None,
    *,
    replace_out: bool = False,
) -> Schedule:
    """Makes a schedule, and writes it to `out` if that is given. Ctrl-C keeps nothing.

    Raises:
        InputError: If the log or an option cannot be used, or `out` cannot be written.
    """
    description = to_json(_description_of(log), "log")
    if out is None:
        return _execute(description, overrides, report)
    with new_folder(out, replace=replace_out) as folder:
        made = _execute(description, overrides, report)
        try:
            made.write(folder)
        except OSError as error:
            raise cannot_be_written(out, error) from None
    return replace(made, folder=out)


def _description_of(log: str | os.PathLike[str]) -> Mapping[str, Any]:
    text = printable(os.fspath(log))
    return _parse(Path(log))["description"] if text.endswith(".json") else {"log": {"path": text}}


def _execute(description: str, overrides: list[Override], report: Callable[[float], None]) -> Schedule:
    run = _core.Schedule(description, overrides)
    fraction = 0.0
    while fraction < 1:
        fraction = run.advance(SLICE_SECONDS)
        report(fraction)
    finished = run.finish()
    return Schedule(
        summary=json.loads(finished.summary_json()),
        description=json.loads(finished.description_json()),
        report=json.loads(finished.report_json()),
        versions={"torusim": _core.__version__, "python": platform.python_version()},
        _tables={name: kept.to_arrow(columns) for name, columns in finished.tables().items()},
        _swf=finished.swf(),
    )


def is_schedule(folder: Path) -> bool:
    """Whether a folder holds a schedule, as far as can be told without an error."""
    path = folder / RESULT_FILE if folder.is_dir() else folder
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and content.get("kind") == KIND


def load_schedule(folder: str | os.PathLike[str]) -> Schedule:
    """The schedule that is kept in a folder. Tables are read when they are asked for.

    Raises:
        InputError: If there is no schedule in the folder, or one that this version cannot read.
    """
    path = kept.result_file(Path(folder), "schedule")
    content = _parse(path)
    return Schedule(
        summary=content["summary"],
        description=content["description"],
        report=content["report"],
        versions=content["versions"],
        folder=path.parent,
    )


def _parse(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = kept.read_json(path)
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise InputError(f"{path}: is not the result of a schedule: its kind is not {KIND!r}")
    if content.get("schema_version") != SCHEMA_VERSION:
        raise InputError(
            f"{path}: schema_version is {content.get('schema_version')}, but this torusim reads {SCHEMA_VERSION}"
        )
    for key in ("summary", "description", "report", "versions"):
        if not isinstance(content.get(key), dict):
            raise InputError(f"{path}: {key} is missing or not a table; the file is damaged")
    return content


def _ignore(_fraction: float) -> None:
    """Tells nobody how far the schedule is."""
