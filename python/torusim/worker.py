"""A process of its own that runs points, one after the other, for the process that started it (`torusim.points`).

    stdin    {"function": "network", "arguments": {...}}           a line for each point
    stdout   {"fraction": 0.4}                                     now and then
             {"summary": {...}, "tables": {...}}                   the point is finished
             {"refused": "..."}                                    it cannot be run: a message for people

It ends when its stdin does, and when nobody reads its stdout any more, so that it never outlives who started it.
"""

import importlib.util
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from torusim import _core

NETWORK = "network"
"""The function that runs a scenario on the network."""

SLICE_SECONDS = 0.2
"""Wall time between two words about how far a point is."""

Report: TypeAlias = Callable[[float | None], None]
"""Is told which share of a point is done, if that is known."""

Finished: TypeAlias = dict[str, Any]
"""What a function returns: "summary", a dict of plain values, and "tables", columns by table and name."""


def main() -> None:
    """Runs the points that come in on stdin, until it ends."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        # What a library prints is no answer.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                finished = function_of(asked["function"])(asked["arguments"], lambda share: _tell(answers, share))
            except _core.InputError as error:
                finished = {"refused": str(error)}
            _answer(answers, finished)


def function_of(name: str) -> Callable[[Mapping[str, Any], Report], Finished]:
    """The function of a name: the network's, or "FILE:NAME", a function of a Python file."""
    if name == NETWORK:
        return run_network
    path, _, attribute = name.rpartition(":")
    function: Callable[[Mapping[str, Any], Report], Finished] = getattr(module_of(Path(path)), attribute)
    return function


def module_of(path: Path) -> Any:  # noqa: ANN401 - a module, whose attributes are not known here
    """The Python file as a module, which need not lie where imports are looked for."""
    specification = importlib.util.spec_from_file_location(f"torusim_study_{path.parent.name}", path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def run_network(arguments: Mapping[str, Any], report: Report) -> Finished:
    """Runs a scenario to its end on one thread.

    Args:
        arguments: "scenario", the resolved scenario as plain data, and "tables", the names of the tables to keep.
        report: Told how far it is.
    """
    scenario = _core.resolve_plain(json.dumps(arguments["scenario"]), [])
    run = _core.Run(scenario, "windowed", 1)
    while not (progress := run.advance(SLICE_SECONDS)).done:
        report(progress.fraction)
    result = run.finish(interrupted=False)
    tables = result.tables() if arguments["tables"] else {}
    return {
        "summary": json.loads(result.summary_json()),
        "tables": {name: _plain(tables[name]) for name in arguments["tables"]},
    }


def _plain(columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: values if isinstance(values, list) else values.tolist() for name, values in columns.items()}


def _tell(answers: TextIO, share: float | None) -> None:
    _answer(answers, {"fraction": share})


def _answer(answers: TextIO, content: Mapping[str, Any]) -> None:
    try:
        answers.write(json.dumps(content) + "\n")
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # who asked is gone, and nothing can be told to anybody


if __name__ == "__main__":
    main()
