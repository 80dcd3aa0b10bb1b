"""Points of a sweep or a study: run side by side in processes, kept one by one, and never run twice.

    Point --key--> is it kept?  yes: read it
                                no:  a worker runs it, and it is kept as soon as it is finished

    DIR/KEY.json      a finished point, written whole or not at all

The key is a hash of all that a point's result depends on: its function and arguments (for the network: the whole
resolved scenario) and the code that runs it. So an interrupted sweep goes on where it was, and a changed one runs only
what has changed.
"""

import hashlib
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
from torusim.folder import cannot_be_written, write_whole
from torusim.worker import NETWORK

SCHEMA_VERSION = 1
"""Of the files that points are kept in."""

JOBS_LIMIT = 1024
"""More processes than any machine that this runs on has use for."""

POINT_SECONDS = 0.01
"""What a point costs at the least, for the share that is done."""

CHILD = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from torusim import worker; worker.main()"
"""Imports what this process imports, and from the same places."""


@dataclass(frozen=True)
class Point:
    """Something to run, told apart from its neighbours by labels.

    Attributes:
        labels: What is different about it, such as {"workload.load": 0.5}.
        arguments: Plain data for the function; for the network see `network_point`.
        function: "network", or "FILE:NAME": a function of a Python file, as in `torusim.worker`.
        seconds: About how long it takes on one core, if that is known.
    """

    labels: Mapping[str, Any]
    arguments: Mapping[str, Any]
    function: str = NETWORK
    seconds: float | None = None

    @property
    def key(self) -> str:
        """The name under which its result is kept."""
        name = self.function.rpartition(":")[2]
        content = [SCHEMA_VERSION, _core.__version__, _code(self.function), name, self.arguments]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]

    def __str__(self) -> str:
        """Its labels, such as "workload.load = 0.5, run.seed = 1"."""
        return ", ".join(f"{key} = {json.dumps(value)}" for key, value in self.labels.items()) or "the only point"


@dataclass(frozen=True)
class FinishedPoint:
    """A point and what came of it.

    Attributes:
        labels: Those of the point.
        summary: Its numbers and words, by name; of the network, those of `Result.summary`.
        tables: Columns by the table's and their own name, as far as the point asked for them.
    """

    labels: Mapping[str, Any]
    summary: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, list[Any]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Advance:
    """How far all points are.

    Attributes:
        finished: How many are finished, those that were kept before included.
        points: How many there are.
        fraction: The share of the work that is done, 0 to 1.
    """

    finished: int
    points: int
    fraction: float


Report: TypeAlias = Callable[[Advance], None]


def network_point(labels: Mapping[str, Any], scenario: _core.Scenario, tables: Sequence[str] = ()) -> Point:
    """The point that runs a scenario, keeping its summary and the named tables."""
    estimate = json.loads(_core.check(scenario))
    content = json.loads(scenario.to_json())
    arguments = {"scenario": content, "tables": list(tables), "files": _files(content["workload"].get("path"))}
    return Point(labels, arguments, seconds=estimate["one_thread_seconds"])


def _files(path: str | None) -> list[tuple[str, int, int]]:
    """(name, size, time of the last change) of what a workload reads, so that a changed trace is another point."""
    if path is None:
        return []
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    files = ((file.name, file.stat()) for file in sorted(folder.iterdir()) if file.is_file())
    return [(name, status.st_size, status.st_mtime_ns) for name, status in files]


def default_jobs() -> int:
    """As many processes as this one may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_all(points: Sequence[Point], keep_in: Path | None, jobs: int, report: Report) -> list[FinishedPoint]:
    """Runs all points that are not kept yet, `jobs` at a time, and returns all in their order.

    Ctrl-C raises KeyboardInterrupt at once; what is finished by then is kept.

    Args:
        points: What to run. Points with one key are run once.
        keep_in: The folder where finished points are looked for and kept; it is made. None keeps nothing.
        jobs: How many processes run points at the same time.
        report: Told how far all is.

    Raises:
        InputError: If a point cannot be run, or the folder cannot be written. What was finished is kept.
    """
    keys = [point.key for point in points]
    by_key = dict(zip(keys, points, strict=True))
    finished = {} if keep_in is None else _read_kept(_make(keep_in), by_key)
    missing = {key: point for key, point in by_key.items() if key not in finished}
    meter = _Meter(by_key, set(finished), report)
    for key, content in _run_missing(missing, jobs, meter):
        if keep_in is not None:
            _keep(keep_in / f"{key}.json", content, by_key[key])
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
        raise cannot_be_written(folder, error) from None
    return folder


def _read_kept(folder: Path, keys: Mapping[str, Point]) -> dict[str, dict[str, Any]]:
    kept = ((key, _read(folder / f"{key}.json")) for key in keys)
    return {key: content for key, content in kept if content is not None}


def _read(path: Path) -> dict[str, Any] | None:
    """The content of a finished point; None if there is none, or a damaged one, which is run again."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    is_whole = isinstance(content, dict) and all(isinstance(content.get(key), dict) for key in ("summary", "tables"))
    return content if is_whole else None


def _keep(path: Path, content: Mapping[str, Any], point: Point) -> None:
    whole = {"schema_version": SCHEMA_VERSION, "torusim": _core.__version__, "labels": point.labels, **content}
    write_whole(path, lambda file: file.write_text(json.dumps(whole) + "\n", encoding="utf-8"))


def _code(function: str) -> str:
    """A hash of the code that a function's results come from: the compiled models, and its own file."""
    own = "" if function == NETWORK else _hash_of_file(Path(function.rpartition(":")[0]))
    return _hash_of_file(Path(str(_core.__file__))) + own


@cache
def _hash_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run_missing(points: Mapping[str, Point], jobs: int, meter: "_Meter") -> Iterator[tuple[str, dict[str, Any]]]:
    """(key, content) of each point as it is finished; the longest begin first, so that none is left alone."""
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
        """Starts it, out of the reach of Ctrl-C, which is for this process to answer."""
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
        """Ends it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    @property
    def output(self) -> int:
        """The file descriptor of its answers."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def begin(self, key: str, points: Mapping[str, Point]) -> None:
        """Lets it run a point; it has to be idle."""
        assert self._process.stdin is not None
        self.key, self._point = key, points[key]
        asked = {"function": self._point.function, "arguments": self._point.arguments}
        try:
            self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        except BrokenPipeError:
            raise self._ended() from None

    def read(self) -> list[dict[str, Any]]:
        """The answers that have come, of which there is at least the beginning of one."""
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
    """Counts what is done of all points, by the seconds that they are expected to take."""

    def __init__(self, points: Mapping[str, Point], finished: set[str], report: Report) -> None:
        self._weights = {key: max(point.seconds or 0.0, POINT_SECONDS) for key, point in points.items()}
        self._finished = finished
        self._under_way: dict[str, float] = {}
        self._report = report
        self._tell()

    def advance(self, key: str, fraction: float | None) -> None:
        self._under_way[key] = fraction or 0.0
        self._tell()

    def finish(self, key: str) -> None:
        self._under_way.pop(key, None)
        self._finished.add(key)
        self._tell()

    def _tell(self) -> None:
        done = sum(self._weights[key] for key in self._finished)
        done += sum(self._weights[key] * fraction for key, fraction in self._under_way.items())
        self._report(Advance(len(self._finished), len(self._weights), done / sum(self._weights.values())))
