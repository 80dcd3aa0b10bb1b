"""A worker process that runs points, one after the other, for its parent process (`torusim.sweeps.points`).

    stdin    {"function": "network", "arguments": {...}}           a line for each point
    stdout   {"fraction": 0.4}                                     from time to time
             {"summary": {...}, "tables": {...}}                   the point is finished
             {"refused": "..."}                                    it cannot be run: a message for the user

It exits when its stdin is closed or its stdout has no reader, so that it never outlives its parent.
"""

import importlib.util
import json
import os
import platform
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from torusim import _core
from torusim.common import units
from torusim.runs import jobs, steadiness
from torusim.sweeps.sources import PACKAGE, code_of, hash_of

NETWORK = "network"
"""The function that runs a scenario on the network."""

SLICE_SECONDS = 0.2
"""Wall time between two progress reports of a point."""

Report: TypeAlias = Callable[[float | None], None]
"""Called with the completed share of a point, or None if it is not known."""

Finished: TypeAlias = dict[str, Any]
"""The result of a function: "summary", a dict of plain values, and "tables", columns by table and column name."""


def main() -> None:
    """Runs the points read from stdin, until stdin is closed."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        # Output printed by a library must not be read as an answer.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        for line in sys.stdin:
            asked = json.loads(line)
            _answer(answers, run(asked["function"], asked["arguments"], lambda share: _tell(answers, share)))


def run(name: str, arguments: Mapping[str, Any], report: Report) -> Finished:
    """Runs a point; returns the result of its function, or {"refused": MESSAGE} if it cannot be run."""
    try:
        return function_of(name)(arguments, report)
    except _core.InputError as error:
        return {"refused": str(error)}


def run_elsewhere(name: str, arguments: Mapping[str, Any], code: str) -> Finished:
    """Runs a point for a process that may be on another host, whose code has the hash `code`."""
    if hash_of_code(name) != code:
        found = f"torusim {_core.__version__} in {PACKAGE}"
        return {"refused": f"{platform.node()}: {found} is not the one that this point was made with"}
    return run(name, arguments, lambda _share: None)


def hash_of_code(name: str) -> str:
    """The hash of the code that the function with this name runs."""
    ours = (Path(__file__), Path(jobs.__file__), Path(steadiness.__file__), Path(units.__file__))
    return hash_of(ours if name == NETWORK else code_of(Path(name.rpartition(":")[0])))


@cache
def function_of(name: str) -> Callable[[Mapping[str, Any], Report], Finished]:
    """The function with this name: "network", or "FILE:NAME" for a function of a Python file.

    A process reads the file once, so that its caches last from point to point.
    """
    if name == NETWORK:
        return run_network
    path, _, attribute = name.rpartition(":")
    function: Callable[[Mapping[str, Any], Report], Finished] = getattr(module_of(Path(path)), attribute)
    return function


def module_of(path: Path) -> Any:  # noqa: ANN401 - a module with unknown attributes
    """Imports a Python file as a module; it need not be on the import path."""
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
        report: Called with the completed share.
    """
    scenario = _core.resolve_plain(json.dumps(arguments["scenario"]), [])
    run = _core.Run(scenario, "windowed", 1)
    while not (progress := run.advance(SLICE_SECONDS)).done:
        report(progress.fraction)
    result = run.finish(interrupted=False)
    has_jobs = jobs.TABLE in arguments["scenario"]
    tables = result.tables() if arguments["tables"] or has_jobs else {}
    summary = steadiness.summary_of(result)
    kept = {name: _plain(tables[name]) for name in arguments["tables"]}
    if has_jobs:
        compared = jobs.compared(jobs.plain(tables[jobs.TABLE]), _each_alone(arguments["scenario"], report))
        columns = jobs.in_units(compared, summary, arguments["scenario"])
        summary[jobs.TABLE] = jobs.rows(columns)
        kept |= {name: columns for name in kept if name == jobs.TABLE}
    return {"summary": summary, "tables": kept}


def _each_alone(scenario: Mapping[str, Any], report: Report) -> list[jobs.Columns | None]:
    """The columns of each job of a scenario, run alone."""
    each: list[jobs.Columns | None] = []
    for own in jobs.alone(scenario):
        run = _core.Run(own, "windowed", 1)
        while not run.advance(SLICE_SECONDS).done:
            report(None)
        each.append(jobs.plain(run.finish(interrupted=False).tables()[jobs.TABLE]))
    return each


def _plain(columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: values if isinstance(values, list) else values.tolist() for name, values in columns.items()}


def _tell(answers: TextIO, share: float | None) -> None:
    _answer(answers, {"fraction": share})


def _answer(answers: TextIO, content: Mapping[str, Any]) -> None:
    try:
        answers.write(json.dumps(content) + "\n")
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the parent is gone, and no message can be delivered


if __name__ == "__main__":
    main()
