"""An executor of the caller, with the interface of `concurrent.futures`: Dask's, mpi4py's, submitit's.

Its workers may be on other hosts. They need the same torusim, which they check, and nothing of this process: a task is
plain data, and so is its result.
"""

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from torusim._core import InputError
from torusim.common.formatting import in_one_line
from torusim.sweeps import worker
from torusim.sweeps.executors.workers import Advance, Task, accepted, shortest_first

OUTSTANDING = 1000
"""Tasks that are submitted at a time: more than any executor runs, and few enough for its queue."""

POLL_SECONDS = 0.5
"""Time between two looks at futures that cannot be waited for."""


class Future(Protocol):
    """The part of a future's interface that is used."""

    def done(self) -> bool:
        """Whether the call is finished."""
        ...

    def result(self) -> Any:  # noqa: ANN401
        """The return value of the function."""
        ...

    def cancel(self) -> object:
        """Cancels the call, if it has not begun."""
        ...


class Executor(Protocol):
    """The used part of an executor's interface, which `concurrent.futures.Executor` and other libraries have."""

    def submit(self, function: Any, /, *arguments: Any) -> Any:  # noqa: ANN401
        """Calls a function with these arguments, somewhere and at some time, and returns a future."""
        ...


@dataclass(frozen=True)
class Futures:
    """The workers of an executor, which its caller opens and closes.

    Attributes:
        executor: The executor.
    """

    executor: Executor

    def run(self, tasks: Mapping[str, Task], advance: Advance) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ARG002 - shares of running tasks are not known
        """(key, return value of its function) of each task as it finishes. Ctrl-C cancels tasks that have not begun."""
        waiting = shortest_first(tasks)
        running: dict[Future, str] = {}
        try:
            while waiting or running:
                while waiting and len(running) < OUTSTANDING:
                    key = waiting.pop()
                    running[self._submit(tasks[key])] = key
                for future in _finished(running):
                    key = running.pop(future)
                    yield key, _answer(future, tasks[key])
        finally:
            for future in running:
                future.cancel()

    def _submit(self, task: Task) -> Future:
        code = worker.hash_of_code(task.function)
        try:
            future: Future = self.executor.submit(worker.run_elsewhere, task.function, dict(task.arguments), code)
        except Exception as error:
            raise _failure(task, error) from error
        return future


def _finished(running: Collection[Future]) -> list[Future]:
    """The futures that are finished, at least one; waits for it."""
    import concurrent.futures  # takes longer to import than everything else here

    own = [future for future in running if isinstance(future, concurrent.futures.Future)]
    if len(own) == len(running):
        return list(concurrent.futures.wait(own, return_when=concurrent.futures.FIRST_COMPLETED).done)
    while not (finished := [future for future in running if future.done()]):
        time.sleep(POLL_SECONDS)
    return finished


def _answer(future: Future, task: Task) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = future.result()
    except Exception as error:
        raise _failure(task, error) from error
    return accepted(answer, task)


def _failure(task: Task, error: Exception) -> InputError:
    """The error to raise if an executor could not run a task, for example because its worker was killed."""
    reason = ""
    with suppress(Exception):  # the text of an exception of another library
        reason = next(iter(str(error).splitlines()), "")
    return InputError(f"{task}: the executor could not run it: {type(error).__name__}: {in_one_line(reason)}")
