"""Schedules: from a log of jobs, a machine and rules to the start and place of each job, and measures.

    log, machine, rules --> _core.Schedule --slices--> Schedule: summary, tables, report --> folder

The folder of a schedule:

    DIR/result.json     kind, schema version, versions, description, summary, report of the log
    DIR/jobs.parquet    a row for each job; sizes, series, queues where the site has some, partitions of a room
    DIR/schedule.swf    the schedule as a log
    DIR/jobs.csv        the schedule in the form of Batsim, with the processors of each job
"""

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from torusim import _core
from torusim._core import InputError
from torusim.common.files import as_path, refuse_special
from torusim.common.folder import RESULT_FILE, new_folder, writing
from torusim.common.formatting import long_duration, pairs_as_html, share
from torusim.common.signatures import names_options
from torusim.queue.formatting import summary_as_rows
from torusim.queue.options import KEYS, Options, overrides_of_options
from torusim.queue.room import MachineRoom
from torusim.runs import storage
from torusim.runs.scenario import Override, printable, read_text, to_json
from torusim.runs.storage import NUMBERS, SOME_NUMBERS, TEXTS, Column, Columns

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.pictures.plots import Picture
    from torusim.viewer.view import View

KIND = "schedule"
"""The kind of result that result.json gives."""

SCHEMA_VERSION = 1
"""Version of result.json and the tables of schedules; incremented when a reader of the old format would fail."""

SWF_FILE = "schedule.swf"

CSV_FILE = "jobs.csv"

SLICE_SECONDS = 0.1
"""Time between two checks for Ctrl-C."""

SIZE_COLUMNS = ("wait_seconds_mean", "wait_seconds_median", "wait_seconds_p90", "response_seconds_mean")

COLUMNS: Mapping[str, Columns] = {
    "jobs": {
        **dict.fromkeys(("job", "submit", "nodes", "granted_nodes"), NUMBERS),
        **dict.fromkeys(("start", "end"), SOME_NUMBERS),
        "partition": TEXTS,
    },
    "sizes": dict.fromkeys(("up_to_nodes", "jobs", *SIZE_COLUMNS), NUMBERS),
    "queues": {"queue": TEXTS, **dict.fromkeys(("jobs", "jobs_run"), NUMBERS)},
    "series": dict.fromkeys(("start", "end", "utilization", "allocated", "waiting_jobs"), NUMBERS),
    "ended_runs": {**dict.fromkeys(("job", "start", "end", "granted_nodes"), NUMBERS), "partition": TEXTS},
    "midplanes": {"midplane": TEXTS},
    "partitions": {"partition": TEXTS, "nodes": NUMBERS, "midplanes": Column(pattern=r"\d{1,9}( \d{1,9})*")},
}
"""Columns that the tables of every schedule have."""


@dataclass(frozen=True, repr=False)
class Schedule:
    """The result of a schedule.

    Attributes:
        summary: Measures over all jobs; units are in the keys (seconds, nodes), and fractions are 0 to 1.
        description: Log, machine and rules, defaults included.
        report: Anomalies of the log: data that were dropped, repaired or assumed.
        versions: Versions of torusim and Python.
        folder: The folder of the schedule, or None if it is only in memory.
    """

    summary: Mapping[str, Any]
    description: Mapping[str, Any]
    report: Mapping[str, Any]
    versions: Mapping[str, str]
    folder: Path | None = None
    _tables: dict[str, "pa.Table"] = field(default_factory=dict, repr=False)
    _swf: bytes = field(default=b"", repr=False)
    _finished: _core.ScheduleResult | None = field(default=None, repr=False, compare=False)
    _csv: bytes = field(default=b"", repr=False)

    @property
    def tables(self) -> list[str]:
        """The names that `table` knows: jobs, sizes, series, queues if there are any, and partitions of a room."""
        return storage.table_names(self.folder, self._tables)

    def table(self, name: str) -> "pa.Table":
        """A table as Arrow. Times are seconds of the log; times of events that did not happen are null.

        Raises:
            InputError: If there is no such table, or its file cannot be read.
        """
        if not isinstance(name, str) or name not in self._tables:
            columns = COLUMNS.get(name, {}) if isinstance(name, str) else {}
            table = storage.read_table(self.folder, name, self.tables, columns, "schedule")
            if name == "jobs":
                _require_both_ends(table, self.folder)
            self._tables[name] = table
        return self._tables[name]

    @property
    def is_of_a_room(self) -> bool:
        """Whether the machine of the schedule is a room, with partitions."""
        return "partitions" in self.tables

    def room(self) -> MachineRoom:
        """The machine room of the schedule's jobs.

        Raises:
            InputError: If the machine is no room, or the room cannot be loaded.
        """
        room = self._described("machine").get("room")
        if not isinstance(room, str):
            raise InputError("the machine of this schedule is no room: its nodes are interchangeable")
        return MachineRoom.load(room)

    @property
    def profile(self) -> str:
        """The name of the profile that defines the room's partitions; "" without a room."""
        return str(self._described("machine").get("profile", ""))

    def _described(self, section: str) -> Mapping[str, Any]:
        found = self.description.get(section)
        return found if isinstance(found, Mapping) else {}

    def jobs_that_ran(self) -> Iterator[dict[str, Any]]:
        """Start, end, partition and granted nodes of each job that ran, in the order of submission."""
        table = self.table("jobs").select(["start", "end", "partition", "granted_nodes"])
        return (row for row in table.to_pylist() if row["start"] is not None)

    def plot(self, picture: str = "utilization-over-time") -> "Picture":
        """A picture of the schedule, which notebooks show.

        `torusim.plot` draws several schedules in one picture.

        Args:
            picture: The picture's name, such as "gantt"; an unknown name is refused with the names of all.

        Raises:
            InputError: If there is no such picture, or nothing to draw in it.
        """
        from torusim.pictures import plotting

        return plotting.plot(self, picture)

    def view(self, other: "Schedule | None" = None) -> "View":
        """The schedule at work, which notebooks show: who is in the room at a time, and what waiting jobs wait for.

        The view can be saved as a page. With `pip install 'torusim[notebook]'` it is a widget.

        Args:
            other: Another schedule, to compare both.

        Raises:
            InputError: If a table, or the file of the room, cannot be read.
        """
        from torusim.viewer.view import view

        return view(self, other)

    def __repr__(self) -> str:
        """Jobs, machine, rules and the main measures in one text line."""
        machine, queue = (self._described(section) for section in ("machine", "queue"))
        nodes = self.summary.get("machine_nodes")
        where = machine.get("room") or (f"{nodes:,} nodes" if isinstance(nodes, int) else "a machine")
        rules = ", ".join(str(queue[key]) for key in ("policy", "backfill") if key in queue)
        measures = [
            f"{name} {formatted(self.summary[key])}"
            for key, name, formatted in (
                ("utilization", "utilization", share),
                ("wait_seconds_mean", "mean wait", long_duration),
            )
            if isinstance(self.summary.get(key), int | float)
        ]
        return f"<Schedule of {self.summary.get('jobs')} jobs on {where}, {rules}: {', '.join(measures)}>"

    def _repr_html_(self) -> str:
        return pairs_as_html(summary_as_rows(self.summary))

    @property
    def swf(self) -> str:
        """The schedule as a log in the Standard Workload Format, with the simulated waits."""
        if self.folder is not None and not self._swf:
            return read_text(self.folder / SWF_FILE)
        return self._swf.decode()

    @property
    def jobs_csv(self) -> str:
        """The jobs that ran, in the form that Batsim writes and evalys reads; a processor is a node."""
        if self._finished is not None:
            return self._finished.jobs_csv().decode()
        if self.folder is not None and not self._csv:
            return read_text(self.folder / CSV_FILE)
        return self._csv.decode()

    def __getstate__(self) -> dict[str, Any]:
        """The state to pickle: plain data, without the compiled part's result in memory."""
        if self._finished is None:
            return self.__dict__
        return {**self.__dict__, "_finished": None, "_csv": self.jobs_csv.encode()}

    def write(self, folder: Path) -> None:
        """Writes result.json, the tables, the log and the table of Batsim into an existing, empty folder."""
        storage.write(folder, self._to_plain(), {name: self.table(name) for name in self.tables})
        (folder / SWF_FILE).write_text(self.swf, encoding="utf-8")
        (folder / CSV_FILE).write_text(self.jobs_csv, encoding="utf-8")

    def _to_plain(self) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": KIND,
            "versions": self.versions,
            "summary": self.summary,
            "description": self.description,
            "report": self.report,
        }


def second_of(schedule: Schedule, moment: int | str) -> float:
    """The second of the log of a time in a description, which may be a date."""
    if not isinstance(moment, str):
        return moment
    zero, date = (datetime.fromisoformat(text) for text in (schedule.report["zero"], moment))
    # A date without an offset from UTC is valid only where the log's dates have none, or are in UTC.
    return (date.replace(tzinfo=date.tzinfo or zero.tzinfo) - zero).total_seconds()


@names_options
def schedule(
    log: str | os.PathLike[str], *, out: str | os.PathLike[str] | None = None, **options: Unpack[Options]
) -> Schedule:
    """Schedules the jobs of a log on a machine, and returns the start and the place of each job.

    None keeps the default of an option. `docs/guide.md` explains all of them.

    Args:
        log: The file of a job log, plain or compressed with gzip: SWF, sacct's output, Argonne's simplified format, or
            other columns; or "lublin" for jobs of the model of Lublin and Feitelson; or a description: a TOML file, or
            the result.json of a schedule, to repeat it.
        nodes: Nodes of a plain machine.
        room: A machine room: a name, or a TOML file.
        profile: The partitions of the room.
        allocation: Which free partition is used: "least-blocking", "first-fit" or "most-blocking".
        hybrid: Whether jobs get meshes where a size has both wirings.
        torus_above: With `hybrid`, the slowdown factor above which a job requires a torus.
        slowdown: Factor of run times on partitions with an open dimension.
        slowdown_rules: Factors by application, nodes or shape.
        outages: Times at which midplanes, cables or nodes are out of service.
        reservations: Times in which nodes, midplanes or a partition are kept for some jobs, or for none.
        policy: The order of waiting jobs: "fcfs", "wfp", "sjf", "fair-share" or an expression.
        wfp_exponent: Exponent of "wfp".
        backfill: The rule for starting jobs behind one that does not fit.
        drain_threshold: Share of a job's score from which partitions are drained for it.
        walltime: "keep" or "kill" jobs whose requested time is over.
        after_outage: The action for jobs that an outage ends.
        format: The format of the log; it is detected otherwise.
        columns: The columns of a log: "mira", or a map such as "job=1,submit=2,run=4,nodes=5".
        dependencies: Whether jobs wait for the jobs before them that the log names.
        arrival: Whether jobs arrive when they are submitted ("submit") or, by sacct, may first start ("eligible").
        processors_per_node: Processors of the log that make one node.
        walltime_factor: Requested times that a log lacks: from one to this many times the run time.
        seed: Seed of all draws.
        skip_jobs: Jobs of the log to leave out at its beginning.
        jobs: Number of jobs.
        resample_blocks: Draws blocks of this many consecutive jobs from the log.
        load: Scales the times between submissions to this load.
        cut_to_nodes: Reduces larger jobs to this size.
        sizes: (nodes, weight) of each size of a model's jobs.
        torus_share: Share of jobs that require a torus.
        queues: Queues with their limits and priorities, and the jobs in them.
        out: A new folder for the schedule; it must not exist. None keeps the schedule only in memory.

    Raises:
        InputError: If the log, an option or the folder cannot be used.
    """
    if unknown := options.keys() - KEYS.keys():
        raise TypeError(f"schedule() got an unexpected keyword argument {min(unknown)!r}")
    changes = overrides_of_options(options, lambda key: f"schedule({key}=…)")
    return execute(log, changes, lambda _fraction: None, None if out is None else as_path(out, "out"))


def execute(
    log: str | os.PathLike[str],
    overrides: list[Override],
    report: Callable[[float], None],
    out: Path | None = None,
    *,
    replace_out: bool = False,
) -> Schedule:
    """Computes a schedule, and writes it to `out` if that is given. Ctrl-C leaves no files.

    Raises:
        InputError: If the log or an option cannot be used, or `out` cannot be written.
    """
    start = _source(as_path(log, "log"))
    if out is None:
        return _execute(start, overrides, report)
    with new_folder(out, replace=replace_out) as folder:
        made = _execute(start, overrides, report)
        with writing(out):
            made.write(folder)
    return replace(made, folder=out, _finished=None)


def _source(path: Path) -> Callable[[list[Override]], _core.Schedule]:
    """Reads a description (TOML or an earlier schedule), or makes one for a log; returns a function to start it."""
    if path.suffix == ".toml":
        text = read_text(path, "a description of a schedule")
        return lambda overrides: _core.Schedule.parse(text, printable(str(path)), path.parent, overrides)
    if str(path).endswith(".json"):
        described = to_json(_parse(path)["description"], "log")
    else:
        refuse_special(path)  # read elsewhere; it may be the name of a model instead of a path
        described = to_json({"log": {"path": printable(str(path))}}, "log")
    return lambda overrides: _core.Schedule(described, overrides)


def _execute(
    start: Callable[[list[Override]], _core.Schedule], overrides: list[Override], report: Callable[[float], None]
) -> Schedule:
    run = start(overrides)
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
        _tables={name: storage.to_arrow(columns) for name, columns in finished.tables().items()},
        _swf=finished.swf(),
        _finished=finished,
    )


def is_schedule(folder: Path) -> bool:
    """Whether a folder holds a schedule; False if its result.json cannot be read."""
    path = folder / RESULT_FILE if os.path.isdir(folder) else folder
    try:
        content = storage.read_json(path)
    except InputError:
        return False
    return isinstance(content, dict) and content.get("kind") == KIND


def load_schedule(folder: str | os.PathLike[str]) -> Schedule:
    """Loads the schedule of a folder. Tables are read when they are first used.

    Raises:
        InputError: If there is no schedule in the folder, or one that this version cannot read.
    """
    path = storage.file_of(as_path(folder, "folder"), RESULT_FILE, "schedule")
    content = _parse(path)
    return Schedule(
        summary=content["summary"],
        description=content["description"],
        report=content["report"],
        versions=content["versions"],
        folder=path.parent,
    )


def _parse(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = storage.read_json(path)
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


def _require_both_ends(jobs: "pa.Table", folder: Path | None) -> None:
    import pyarrow.compute as pc

    if pc.any(pc.not_equal(*(pc.is_null(jobs.column(key)) for key in ("start", "end")))).as_py():
        raise InputError(f"{folder}/jobs.parquet: is not the table 'jobs' of a schedule: a job has a start but no end")
