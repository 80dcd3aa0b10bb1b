"""Programs in Python as scenarios: a program runs once, and its recorded calls are read and replayed.

    main, or "ring.py:main"  +  sections  --one run-->  Recorded  --resolve, with other mappings-->  Scenario

`map`, `advise` and `check` need the calls of a program. Communication that depends on time, such as receives from any
source, is as in this one run.
"""

import inspect
import json
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from torusim import _core
from torusim._core import InputError
from torusim.common.formatting import shown
from torusim.common.units import Clock, Units, with_twins
from torusim.runs import runner
from torusim.runs.result import Result
from torusim.runs.scenario import Override, Recorded, ScenarioSource, printable, resolve, to_json

if TYPE_CHECKING:  # programs take a quarter of a second to import, and most commands run none
    from torusim.programs.ranks import Main

Source: TypeAlias = "ScenarioSource | Main"
"""A scenario, or a program."""

PROGRAM = re.compile(r"(?P<path>.+\.py):(?P<name>[^\W\d]\w*)")
"""The form in which a command names a program: a file and a function in it."""

SENDS_NAMED = 3
"""The number of sends that a warning names, of those that have to be eager."""

Activity = Callable[[str, float | None], None]
"""Called with the current activity."""


def is_program(source: object) -> bool:
    """Whether the argument is a program, or names one."""
    if isinstance(source, str | os.PathLike):
        named = os.fspath(source)
        return isinstance(named, str) and PROGRAM.fullmatch(named) is not None
    return callable(source)


def recorded(source: Source, overrides: Sequence[Override], report: Activity | None = None) -> ScenarioSource:
    """The scenario of a program, which is run once on its mapping; a source that is no program is returned unchanged.

    Raises:
        InputError: If the program is not there, its ranks are not stated, or its run does not complete.
        Exception: An exception of a rank, if the program is a function.
    """
    if not is_program(source):
        return source  # type: ignore[return-value]
    if report is not None:
        report("running the program once", None)
    with _explained(source):
        main = _main_of(source)
        content = scenario_of(main)
        result, calls = _run(main, content, overrides, records=True)
    _require_completed(result)
    assert calls is not None
    return Recorded(content, calls)


def counted(source: Source, overrides: Sequence[Override]) -> Result:
    """The result of the run of a program, or of a recording, whose messages between ranks are counted.

    Raises:
        InputError: If the program is not there or its ranks are not stated.
        Exception: An exception of a rank, if the program is a function.
    """
    count = ("run.communication", "true", "hot")
    if not is_program(source):
        resolved = resolve(source, [*overrides, count])  # type: ignore[arg-type]
        return runner.execute(resolved, runner.Options(), lambda _progress: None)
    with _explained(source):
        main = _main_of(source)
        return _run(main, scenario_of(main), [*overrides, count], records=False)[0]


def estimate(
    source: Source, overrides: Sequence[Override], processes: int = 1
) -> tuple[_core.Scenario, dict[str, Any]]:
    """A scenario, and the estimated needs of a run; for a program also whether its sends have to be eager.

    Of a run by several processes, each has a computer like this one.

    Raises:
        InputError: If the scenario cannot be used.
    """
    read = recorded(source, overrides)
    resolved = resolve(read, list(overrides), (processes, 1))
    estimated: dict[str, Any] = json.loads(_core.check(resolved, processes))
    if Units.of(estimated) is Units.PHYSICAL:
        estimated = with_twins(estimated, Clock(1 / estimated["cycle_seconds"]))
    if isinstance(read, Recorded) and (words := _eager_sends(read, overrides)) is not None:
        estimated["warnings"].append(words)
    return resolved, estimated


def scenario_of(main: "Main") -> dict[str, Any]:
    """The scenario of a program, without the machine and the ranks that sections add."""
    function: Any = main
    while isinstance(function, partial):
        function = function.func
    names = {"name": printable(function.__name__), "module": printable(function.__module__ or "__main__")}
    return {"workload": {"kind": "program", **names}}


def run_main(
    main: "Main",
    resolved: _core.Scenario,
    options: runner.Options,
    folder: Path | None = None,
    *,
    records: bool = False,
) -> tuple[Result, _core.ProgramCalls | None]:
    """The result of a program, with the return values of its ranks, and its calls, if they are recorded.

    Raises:
        InputError: If the folder cannot be used.
        Exception: An exception of a rank, with a note that names the rank.
    """
    ranks = json.loads(resolved.to_json())["mapping"]["ranks"]
    from torusim import programs

    of_program = programs.ProgramRanks(main, ranks, resolved)
    of_program.recorded_ranks = ranks if records else 0
    with closing(of_program) as program, programs.rare_collections():
        finished = runner.execute(resolved, options, lambda _progress: None, folder, program=program)
        words = program.not_received() if finished.outcome == "completed" else None
        if words is not None:
            warnings.warn(words, stacklevel=3)
        return replace(finished, returns=program.returns), program.recorded


def require_coroutine(main: object) -> None:
    """Refuses an argument that is no program.

    Raises:
        InputError: If the argument is no coroutine function.
    """
    if not inspect.iscoroutinefunction(main):
        raise InputError(f"main: {shown(main)} has to be a function declared as `async def main(comm)`")


def _run(
    main: "Main", content: Mapping[str, Any], overrides: Sequence[Override], *, records: bool
) -> tuple[Result, _core.ProgramCalls | None]:
    require_coroutine(main)
    resolved = _core.resolve_program(to_json(content, "program"), list(overrides))
    if "ranks" not in json.loads(resolved.to_json()).get("mapping", {}):
        raise InputError("mapping.ranks: is missing: on how many ranks the program runs")
    return run_main(main, resolved, runner.Options(), records=records)


def _require_completed(result: Result) -> None:
    if result.outcome != "completed":
        detail = result.summary.get("outcome_detail")
        words = f": {detail['words']}" if detail else ""
        raise InputError(f"the run of the program ended as {result.outcome}{words}")


def _eager_sends(read: Recorded, overrides: Sequence[Override]) -> str | None:
    """A warning about a program that would not end if its sends waited for their receives; None if it would end."""
    synchronous = Recorded(read.content, read.calls.with_synchronous_sends())
    result = runner.execute(resolve(synchronous, list(overrides)), runner.Options(), lambda _progress: None)
    if result.outcome != "stuck":
        return None
    waiting = result.summary["outcome_detail"]["waiting"]
    sends = [one for one in waiting if "send" in one["waiting_for"].lower()] or waiting
    named = [f"rank {one['rank']} waits in {one['waiting_for'].partition(';')[0]}" for one in sends[:SENDS_NAMED]]
    more = len(sends) - len(named)
    return (
        "the program ends only as sends are eager: if each waits for its receive, as MPI allows, "
        f"{'; '.join(named)}{f' and {more} more ranks do' if more else ''}, forever"
    )


def _main_of(source: Source) -> "Main":
    """The program that is passed, or that a text names."""
    if not isinstance(source, str | os.PathLike):
        return source  # type: ignore[return-value]
    named = PROGRAM.fullmatch(os.fspath(source))
    assert named is not None
    path, name = Path(named["path"]), named["name"]
    if not path.is_file():
        raise InputError(f"{printable(str(path))}: there is no such file")
    found = getattr(_module(path), name, None)
    if found is None:
        raise InputError(f"{printable(str(path))}: there is no function {name} in it")
    return found  # type: ignore[no-any-return]


def _module(path: Path) -> Any:  # noqa: ANN401
    """The module of a file: it can import others of its folder, and its classes can be pickled."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    return module


@contextmanager
def _explained(source: Source) -> Iterator[None]:
    """Turns exceptions of a program that a text names into errors with their place; a function's reach its caller.

    The output of such a program goes to stderr, as stdout is for the result.
    """
    try:
        with redirect_stdout(sys.stderr) if isinstance(source, str | os.PathLike) else nullcontext():
            yield
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        if not isinstance(source, str | os.PathLike):
            raise
        own = Path(os.fspath(source).rpartition(":")[0])
        places = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == own.resolve()]
        if isinstance(error, SyntaxError):
            place = f"{own}:{error.lineno}"
        else:
            place = f"{own}:{places[-1].lineno}" if places else str(own)
        notes = "; ".join(["", *getattr(error, "__notes__", [])])
        raise InputError(printable(f"{place}: {type(error).__name__}: {error}{notes}")) from error
