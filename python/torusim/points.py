"""Points of a sweep or a study: run in parallel processes, stored one by one, and never run twice.

    Point --key--> is it stored?  yes: read it
                                  no:  a worker runs it, and it is stored as soon as it is finished

    DIR/KEY.json      a finished point, written atomically

The key is a hash of everything that a point's result depends on: its function and arguments (for the network: the whole
resolved scenario) and the code that runs it. An interrupted sweep therefore resumes where it stopped, and a changed one
runs only the changed points.
"""

import ast
import hashlib
import inspect
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeAlias

from torusim import _core
from torusim._core import InputError
from torusim.files import open_to_read
from torusim.folder import write_atomically, write_error
from torusim.worker import NETWORK, run_network

SCHEMA_VERSION = 1
"""Schema version of the files of finished points."""

CHECKSUM = "sha256"
"""Key of the checksum of a point's values in its file."""

PACKAGE = Path(__file__).parent

JOBS_LIMIT = 1024
"""Upper limit of the number of processes, above the core count of any expected host."""

POINT_SECONDS = 0.01
"""Least time counted for a point in the completed share."""

CHILD = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from torusim import worker; worker.main()"
"""Program of a worker; it imports from the same paths as this process."""


@dataclass(frozen=True)
class Point:
    """A unit of work, distinguished from other points by its labels.

    Attributes:
        labels: The values that distinguish it, such as {"workload.load": 0.5}.
        arguments: Plain data for the function; for the network see `network_point`.
        function: "network", or "FILE:NAME": a function of a Python file, as in `torusim.worker`.
        seconds: Estimated time on one core, if known.
    """

    labels: Mapping[str, Any]
    arguments: Mapping[str, Any]
    function: str = NETWORK
    seconds: float | None = None

    @property
    def key(self) -> str:
        """The name under which its result is stored."""
        name = self.function.rpartition(":")[2]
        content = [SCHEMA_VERSION, _core.__version__, _code(self.function), name, self.arguments]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]

    def __str__(self) -> str:
        """Its labels, such as "workload.load = 0.5, run.seed = 1"."""
        return ", ".join(f"{key} = {json.dumps(value)}" for key, value in self.labels.items()) or "the only point"


@dataclass(frozen=True)
class FinishedPoint:
    """A point and its result.

    Attributes:
        labels: The labels of the point.
        summary: Its values by name; for the network, those of `Result.summary`.
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
    """

    finished: int
    points: int
    fraction: float


Report: TypeAlias = Callable[[Advance], None]


def network_point(labels: Mapping[str, Any], scenario: _core.Scenario, tables: Sequence[str] = ()) -> Point:
    """The point that runs a scenario, and stores its summary and the named tables."""
    estimate = json.loads(_core.check(scenario))
    content = json.loads(scenario.to_json())
    arguments = {"scenario": content, "tables": list(tables), "files": _files(content["workload"].get("path"))}
    return Point(labels, arguments, seconds=estimate["one_thread_seconds"])


def _files(path: str | None) -> list[tuple[str, int, int]]:
    """(name, size, modification time) of each file that a workload reads, so that a changed trace is another point."""
    if path is None:
        return []
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    files = ((file.name, file.stat()) for file in sorted(folder.iterdir()) if file.is_file())
    return [(name, status.st_size, status.st_mtime_ns) for name, status in files]


def default_jobs() -> int:
    """One process for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_all(points: Sequence[Point], folder_of_points: Path | None, jobs: int, report: Report) -> list[FinishedPoint]:
    """Runs all points that are not stored yet, `jobs` at a time, and returns all points in order.

    Ctrl-C raises KeyboardInterrupt at once; points finished by then are kept.

    Args:
        points: The points to run. Points with equal keys are run once.
        folder_of_points: The folder of finished points, created if missing. None stores nothing.
        jobs: Number of processes that run points in parallel.
        report: Called with the progress of all points.

    Raises:
        InputError: If a point cannot be run, or the folder cannot be written. Finished points are kept.
    """
    keys = [point.key for point in points]
    by_key = dict(zip(keys, points, strict=True))
    finished = {} if folder_of_points is None else _read_stored(_make(folder_of_points), by_key)
    missing = {key: point for key, point in by_key.items() if key not in finished}
    meter = _Meter(by_key, set(finished), report)
    for key, content in _run_missing(missing, jobs, meter):
        if folder_of_points is not None:
            _keep(folder_of_points / f"{key}.json", content, by_key[key])
        finished[key] = content
        meter.finish(key)
    return [
        FinishedPoint(point.labels, finished[key]["summary"], finished[key]["tables"])
        for key, point in zip(keys, points, strict=True)
    ]


def _make(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from None
    return folder


def _read_stored(folder: Path, keys: Mapping[str, Point]) -> dict[str, dict[str, Any]]:
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
    """Whether it is what was written."""
    if not isinstance(content, dict) or not all(isinstance(content.get(key), dict) for key in ("summary", "tables")):
        return False
    return content.get(CHECKSUM) == _checksum(content)


def _checksum(content: Mapping[str, Any]) -> str:
    text = json.dumps([content["summary"], content["tables"]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _keep(path: Path, content: Mapping[str, Any], point: Point) -> None:
    about = {"schema_version": SCHEMA_VERSION, "torusim": _core.__version__, "labels": point.labels}
    whole = {**about, CHECKSUM: _checksum(content), **content}
    write_atomically(path, lambda file: file.write_text(json.dumps(whole) + "\n", encoding="utf-8"))


def _code(function: str) -> str:
    """A hash of the code that a function runs: the compiled models, and its file with all its imports."""
    path = function.rpartition(":")[0]
    own = [Path(inspect.getfile(run_network))] if function == NETWORK else code_of(Path(path))
    return "".join(_hash_of_file(file) for file in [Path(str(_core.__file__)), *own])


@cache
def code_of(path: Path) -> tuple[Path, ...]:
    """A Python file and all files that it imports, directly or not: modules of torusim and of the file's own folder."""
    found: dict[Path, None] = {}
    new = [path.resolve()]
    while new:
        file = new.pop()
        if file not in found:
            found[file] = None
            new += [source for name in _imports(file) if (source := _source_of(name, file.parent)) is not None]
    return tuple(sorted(found))


def _imports(path: Path) -> Iterator[str]:
    """The names of the modules that a file imports; of `from a import b` both "a" and "a.b", as b may be a module."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _source_of(name: str, folder: Path) -> Path | None:
    """The file of a module of torusim or of a folder; None for all other modules."""
    parts = name.split(".")
    root, inner = (PACKAGE, parts[1:]) if parts[0] == PACKAGE.name else (folder, parts)
    stem = root.joinpath(*inner)
    return next((file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)


@cache
def _hash_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run_missing(points: Mapping[str, Point], jobs: int, meter: "_Meter") -> Iterator[tuple[str, dict[str, Any]]]:
    """(key, content) of each point as it finishes. The longest start first, so that none runs alone at the end."""
    waiting = sorted(points, key=lambda key: points[key].seconds or 0.0)
    with _workers(min(jobs, len(points))) as (workers, selector):
        for worker in workers:
            worker.begin(waiting.pop(), points)
        while selector.get_map():
            for ready, _ in selector.select():
                worker = ready.data
                for answer in worker.read():
                    if "fraction" in answer:
                        meter.advance(worker.key, answer["fraction"])
                        continue
                    yield worker.key, _accepted(answer, points[worker.key])
                    if waiting:
                        worker.begin(waiting.pop(), points)
                    else:
                        selector.unregister(ready.fileobj)


def _accepted(answer: dict[str, Any], point: Point) -> dict[str, Any]:
    if "refused" in answer:
        raise InputError(f"{point}: {answer['refused']}")
    return answer


@contextmanager
def _workers(count: int) -> Iterator[tuple[list["_Worker"], selectors.BaseSelector]]:
    with ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        workers = [stack.enter_context(_Worker()) for _ in range(count)]
        for worker in workers:
            selector.register(worker.output, selectors.EVENT_READ, worker)
        yield workers, selector


class _Worker:
    """A process that runs one point at a time."""

    def __init__(self) -> None:
        """Starts the process in its own process group, so that Ctrl-C reaches only the parent."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", CHILD, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            process_group=0,
        )
        self._point: Point | None = None
        self._rest = b""
        self.key = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_reason: object) -> None:
        """Kills the process, even if it is running a point."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    @property
    def output(self) -> int:
        """The file descriptor from which its answers are read."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def begin(self, key: str, points: Mapping[str, Point]) -> None:
        """Starts a point on this worker, which must be idle."""
        assert self._process.stdin is not None
        self.key, self._point = key, points[key]
        asked = {"function": self._point.function, "arguments": self._point.arguments}
        try:
            self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        except BrokenPipeError:
            raise self._ended() from None

    def read(self) -> list[dict[str, Any]]:
        """The complete answers received so far; blocks until there is data."""
        received = os.read(self.output, 1 << 20)
        if not received:
            raise self._ended()
        *lines, self._rest = (self._rest + received).split(b"\n")
        return [json.loads(line) for line in lines]

    def _ended(self) -> InputError:
        status = self._process.wait()
        how = f"was killed by signal {-status}; was there memory enough?" if status < 0 else f"ended with {status}"
        return InputError(f"{self._point}: the process that ran it {how}")


class _Meter:
    """Tracks the completed share of all points, weighted by their expected seconds."""

    def __init__(self, points: Mapping[str, Point], finished: set[str], report: Report) -> None:
        self._weights = {key: max(point.seconds or 0.0, POINT_SECONDS) for key, point in points.items()}
        self._finished = finished
        self._running: dict[str, float] = {}
        self._report = report
        self._tell()

    def advance(self, key: str, fraction: float | None) -> None:
        self._running[key] = fraction or 0.0
        self._tell()

    def finish(self, key: str) -> None:
        self._running.pop(key, None)
        self._finished.add(key)
        self._tell()

    def _tell(self) -> None:
        done = sum(self._weights[key] for key in self._finished)
        done += sum(self._weights[key] * fraction for key, fraction in self._running.items())
        self._report(Advance(len(self._finished), len(self._weights), done / sum(self._weights.values())))
