"""Processes of this host: commands that exchange lines of JSON with this process (`torusim.sweeps.worker`)."""

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Self

from torusim._core import InputError
from torusim.sweeps.executors.workers import Advance, Task, accepted, shortest_first

JOBS_LIMIT = 1024
"""Upper limit of the number of processes, above the core count of any expected host."""

CHILD = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from torusim.sweeps import worker; worker.main()"
"""Program of a worker; it imports from the same paths as this process."""


def default_jobs() -> int:
    """One process for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Processes:
    """Processes of this host.

    Attributes:
        jobs: Number of tasks that run at a time, each on one thread.
    """

    jobs: int

    def run(self, tasks: Mapping[str, Task], advance: Advance) -> Iterator[tuple[str, dict[str, Any]]]:
        """(key, return value of its function) of each task as it finishes; Ctrl-C kills the processes."""
        waiting = shortest_first(tasks)
        with _workers(min(self.jobs, len(tasks))) as (workers, selector):
            for worker in workers:
                worker.begin(waiting.pop(), tasks)
                advance(worker.key, None)
            while selector.get_map():
                for ready, _ in selector.select():
                    worker = ready.data
                    for answer in worker.read():
                        if "fraction" in answer:
                            advance(worker.key, answer["fraction"])
                            continue
                        yield worker.key, accepted(answer, tasks[worker.key])
                        if waiting:
                            worker.begin(waiting.pop(), tasks)
                            advance(worker.key, None)
                        else:
                            selector.unregister(ready.fileobj)


@contextmanager
def _workers(count: int) -> Iterator[tuple[list["_Worker"], selectors.BaseSelector]]:
    with ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        workers = [stack.enter_context(_Worker()) for _ in range(count)]
        for worker in workers:
            selector.register(worker.output, selectors.EVENT_READ, worker)
        yield workers, selector


class _Worker:
    """A process that runs one task at a time."""

    def __init__(self) -> None:
        """Starts the process in its own process group, so that Ctrl-C reaches only the parent."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", CHILD, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            process_group=0,
        )
        self._task: Task | None = None
        self._rest = b""
        self.key = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_reason: object) -> None:
        """Kills the process, even if it is running a task."""
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

    def begin(self, key: str, tasks: Mapping[str, Task]) -> None:
        """Starts a task on this worker, which must be idle."""
        assert self._process.stdin is not None
        self.key, self._task = key, tasks[key]
        asked = {"function": self._task.function, "arguments": self._task.arguments}
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
        return InputError(f"{self._task}: the process that ran it {how}")
