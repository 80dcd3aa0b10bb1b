"""The interface of everything that runs tasks in parallel."""

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any, Protocol, TypeAlias

from torusim._core import InputError

Advance: TypeAlias = Callable[[str, float | None], None]
"""Called with the key of a task that is running, and its completed share, if it is known."""


class Task(Protocol):
    """A function of `torusim.sweeps.worker` and its arguments; its text names it in messages."""

    @property
    def function(self) -> str:
        """The name of the function: "network", or "FILE:NAME"."""
        ...

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments, as plain data."""
        ...

    @property
    def seconds(self) -> float | None:
        """Estimated time on one core, if known."""
        ...


class Workers(Protocol):
    """Runs tasks."""

    def run(self, tasks: Mapping[str, Task], advance: Advance) -> Iterator[tuple[str, dict[str, Any]]]:
        """(key, return value of its function) of each task as it finishes.

        Raises:
            InputError: If a task cannot be run.
        """
        ...


def shortest_first(tasks: Mapping[str, Task]) -> list[str]:
    """The keys of tasks. They are started from the end of this list, so that no long task runs alone at last.

    Tasks of unknown length come last, since they may be long.
    """
    return sorted(tasks, key=lambda key: inf if (seconds := tasks[key].seconds) is None else seconds)


def accepted(answer: dict[str, Any], task: Task) -> dict[str, Any]:
    """The value that a worker returned for a task.

    Raises:
        InputError: If the task was refused.
    """
    if "refused" in answer:
        raise InputError(f"{task}: {answer['refused']}")
    return answer
