"""Points of a sweep or a study: run in parallel (`torusim.sweeps.executors`), stored one by one, and never run twice.

    Point --key--> is it stored?  yes: read it
                                  no:  it is run, and stored as soon as it is finished

    DIR/KEY.json      a finished point, written atomically

The key is a hash of everything that a point's result depends on: its function and arguments (for the network: the whole
resolved scenario) and the code that runs it. An interrupted sweep therefore resumes where it stopped, and a changed one
runs only the changed points.
"""

import hashlib
import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from torusim import _core
from torusim.common.files import open_to_read
from torusim.common.folder import write_atomically, writing
from torusim.sweeps.executors import Workers
from torusim.sweeps.remaining import PointsLeft
from torusim.sweeps.worker import NETWORK, hash_of_code

SCHEMA_VERSION = 1
"""Schema version of the files of finished points."""

POINTS_FOLDER = "points"
"""Folder of finished points in the folder of a sweep, a curve or a study."""

CHECKSUM = "sha256"
"""Key of the checksum of a point's values in its file."""


@dataclass(frozen=True)
class Point:
    """A unit of work, distinguished from other points by its labels.

    Attributes:
        labels: The values that distinguish the point, such as {"workload.load": 0.5}.
        arguments: Plain data for the function; for the network see `network_point`.
        function: "network", or "FILE:NAME": a function of a Python file, as in `torusim.sweeps.worker`.
        seconds: Estimated time on one core, if known.
    """

    labels: Mapping[str, Any]
    arguments: Mapping[str, Any]
    function: str = NETWORK
    seconds: float | None = None

    @property
    def key(self) -> str:
        """The name under which the point's result is stored."""
        name = self.function.rpartition(":")[2]
        content = [SCHEMA_VERSION, _core.__version__, hash_of_code(self.function), name, self.arguments]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]

    def __str__(self) -> str:
        """The point's labels, such as "workload.load = 0.5, run.seed = 1"."""
        return name_of(self.labels)


@dataclass(frozen=True)
class FinishedPoint:
    """A point and its result.

    Attributes:
        labels: The labels of the point.
        summary: The point's values by name; for the network, those of `Result.summary`.
        tables: Columns by table name and column name, for the tables that the point requested.
    """

    labels: Mapping[str, Any]
    summary: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, list[Any]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Advance:
    """The progress of all points.

    Attributes:
        finished: Number of finished points, including those stored earlier.
        points: Number of points.
        fraction: The completed share of the work, 0 to 1.
        left_seconds: The time that the other points will take; None if there is no good estimate.
    """

    finished: int
    points: int
    fraction: float
    left_seconds: float | None = None


Report: TypeAlias = Callable[[Advance], None]


def name_of(labels: Mapping[str, Any]) -> str:
    """The name of a point in messages."""
    return ", ".join(f"{key} = {json.dumps(value)}" for key, value in labels.items()) or "the only point"


def network_point(labels: Mapping[str, Any], scenario: _core.Scenario, tables: Sequence[str] = ()) -> Point:
    """The point that runs a scenario, and stores its summary and the named tables."""
    estimate = json.loads(_core.check(scenario))
    content = json.loads(scenario.to_json())
    workloads = [content["workload"], *(job["workload"] for job in content.get("jobs", []))]
    files = [file for workload in workloads for file in _files(workload.get("path"))]
    arguments = {"scenario": content, "tables": list(tables), "files": files}
    return Point(labels, arguments, seconds=estimate["one_thread_seconds"])


def _files(path: str | None) -> list[tuple[str, int, int]]:
    """(name, size, modification time) of each file that a workload reads, so that a changed trace is another point."""
    if path is None:
        return []
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    # An OTF2 archive has its events in a folder with its name.
    folders = [folder, *(anchor.with_suffix("") for anchor in sorted(folder.glob("*.otf2")))]
    files = (file for each in folders if each.is_dir() for file in sorted(each.iterdir()) if file.is_file())
    named = ((str(file.relative_to(folder)), file.stat()) for file in files)
    return [(name, status.st_size, status.st_mtime_ns) for name, status in named]


def run_all(
    points: Sequence[Point], folder_of_points: Path | None, workers: Workers, report: Report
) -> list[FinishedPoint]:
    """Runs all points that are not stored yet, and returns all points in order.

    Ctrl-C raises KeyboardInterrupt at once; points finished by then are kept.

    Args:
        points: The points to run. Points with equal keys are run once.
        folder_of_points: The folder of finished points, created if missing. None stores nothing.
        workers: The workers that run points in parallel.
        report: Called with the progress of all points.

    Raises:
        InputError: If a point cannot be run, or the folder cannot be written. Finished points are kept.
    """
    keys = [point.key for point in points]
    by_key = dict(zip(keys, points, strict=True))
    finished = {} if folder_of_points is None else read_stored(make_folder(folder_of_points), by_key)
    for key, content in _run_missing(by_key, finished, workers, report):
        if folder_of_points is not None:
            store(folder_of_points, key, content)
        finished[key] = content
    return [
        FinishedPoint(point.labels, finished[key]["summary"], finished[key]["tables"])
        for key, point in zip(keys, points, strict=True)
    ]


def run_together(points_by_folder: Mapping[Path, Sequence[Point]], workers: Workers, report: Report) -> None:
    """Runs the points of several folders that are not stored there yet, as one set of points.

    No worker is then idle while the last points of a folder are run. Ctrl-C raises KeyboardInterrupt at once; points
    finished by then are kept.

    Args:
        points_by_folder: The points for each folder of finished points, which is created if missing.
        workers: The workers that run points in parallel.
        report: Called with the progress of all points.

    Raises:
        InputError: If a point cannot be run, or a folder cannot be written. Finished points are kept.
    """
    by_key: dict[str, Point] = {}
    lacking: dict[str, list[Path]] = {}
    for folder, points in points_by_folder.items():
        here = {point.key: point for point in points}
        by_key |= here
        for key in here.keys() - read_stored(make_folder(folder), here).keys():
            lacking.setdefault(key, []).append(folder)
    for key, content in _run_missing(by_key, by_key.keys() - lacking.keys(), workers, report):
        for folder in lacking[key]:
            store(folder, key, content)


def _run_missing(
    points: Mapping[str, Point], finished: Collection[str], workers: Workers, report: Report
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(key, "labels", "summary" and "tables") of each point that is not finished, as it is."""
    meter = _Meter(points, set(finished), report)
    missing = {key: point for key, point in points.items() if key not in finished}
    for key, content in workers.run(missing, meter.advance):
        yield key, {"labels": points[key].labels, **content}
        meter.finish(key)


def make_folder(folder: Path) -> Path:
    """Creates a folder, unless it exists.

    Raises:
        InputError: If it cannot be created.
    """
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_stored(folder: Path, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The finished points of a folder that have one of these keys; a damaged file is no finished point."""
    kept = ((key, _read(folder / f"{key}.json")) for key in keys)
    return {key: content for key, content in kept if content is not None}


def _read(path: Path) -> dict[str, Any] | None:
    """The content of a finished point; None if the file is missing or damaged, in which case the point is run."""
    try:
        with open_to_read(path) as file:
            content = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None
    return content if _is_whole(content) else None


def _is_whole(content: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Whether the content is complete and undamaged."""
    if not isinstance(content, dict) or not all(isinstance(content.get(key), dict) for key in ("summary", "tables")):
        return False
    return content.get(CHECKSUM) == _checksum(content)


def _checksum(content: Mapping[str, Any]) -> str:
    text = json.dumps([content["summary"], content["tables"]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def store(folder: Path, key: str, content: Mapping[str, Any]) -> None:
    """Stores a finished point: "labels", "summary" and "tables".

    Raises:
        InputError: If it cannot be written.
    """
    about = {"schema_version": SCHEMA_VERSION, "torusim": _core.__version__}
    whole = {**about, **content, CHECKSUM: _checksum(content)}
    write_atomically(folder / f"{key}.json", lambda file: file.write_text(json.dumps(whole) + "\n", encoding="utf-8"))


class _Meter:
    """Tracks the completed share of all points, weighted by their known or expected times where these are known."""

    def __init__(self, points: Mapping[str, Point], finished: set[str], report: Report) -> None:
        self._points = len(points)
        self._finished = finished
        self._stored = len(finished)
        self._report = report
        self._begin_seconds = time.monotonic()
        missing = {key: (point.function, point.seconds) for key, point in points.items() if key not in finished}
        self._left = PointsLeft(missing, self._begin_seconds)
        self._estimated_at_seconds = -inf
        self._fraction = 0.0
        self._left_seconds: float | None = None
        self._tell()

    def advance(self, key: str, fraction: float | None) -> None:
        self._left.advance(key, fraction, time.monotonic())
        self._tell()

    def finish(self, key: str) -> None:
        self._left.finish(key, time.monotonic())
        self._finished.add(key)
        self._tell()

    def _tell(self) -> None:
        """Reports the progress, with an estimate from time to time: an estimate takes a while for many points."""
        now = time.monotonic()
        is_last = len(self._finished) == self._points
        if now < self._estimated_at_seconds + ESTIMATE_EVERY_SECONDS and not is_last:
            left_seconds = None if self._left_seconds is None else self._left_seconds - now + self._estimated_at_seconds
        else:
            left_seconds = self._left_seconds = self._left.seconds(now)
            self._estimated_at_seconds = now
        self._fraction = max(self._fraction, 1.0 if is_last else self._share(now, left_seconds))
        self._report(Advance(len(self._finished), self._points, self._fraction, left_seconds))

    def _share(self, now: float, left_seconds: float | None) -> float:
        """The share of the time, if known, or else of the points; both count this run alone."""
        by_count = (len(self._finished) - self._stored) / max(self._points - self._stored, 1)
        passed = now - self._begin_seconds
        return by_count if left_seconds is None else passed / (passed + max(left_seconds, 0.0) or 1.0)


ESTIMATE_EVERY_SECONDS = 1.0
