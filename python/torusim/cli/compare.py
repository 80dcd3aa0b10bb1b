"""`torusim compare`: compares the results of two runs, or several schedules."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from torusim._core import InputError
from torusim.cli.options import JsonOption, UnitsOption
from torusim.cli.screen import console, print_json, print_table
from torusim.common.formatting import cell, long_duration
from torusim.queue.schedule import is_schedule, load_schedule
from torusim.runs.comparison import Comparison, Difference
from torusim.runs.comparison import compare as compare_results
from torusim.runs.result import load

if TYPE_CHECKING:
    from torusim.queue.comparison import JobByJob, SizeClass

EXAMPLES = """[bold]Examples[/bold]

  torusim compare runs/scenario-1 runs/scenario-2
  torusim compare before after --json
  torusim compare runs/jobs-fcfs-easy runs/jobs-wfp-easy runs/jobs-sjf-easy      any number of schedules"""


def compare(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR DIR…", help="Folders of two runs, or of two or more schedules.", show_default=False
        ),
    ],
    units: UnitsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs, or several schedules: the differences of their scenarios and of their results."""
    if any(is_schedule(folder) for folder in folders):
        if units is not None:
            raise InputError("--units: is for runs; the times of schedules are in seconds")
        _compare_schedules(folders, as_json=as_json)
        return
    if len(folders) != 2:
        raise InputError(f"compare: needs two folders of runs, or two or more of schedules, not {len(folders)}")
    results = [load(folder) for folder in folders]
    comparison = compare_results(*(result if units is None else result.in_units(units) for result in results))
    if as_json:
        print_json({key: value for key, value in asdict(comparison).items() if key != "units"})
        return
    _print(comparison, *map(str, folders))


def _compare_schedules(folders: list[Path], *, as_json: bool) -> None:
    # Loads NumPy, which takes longer than most commands.
    from torusim.queue.comparison import compare_schedules

    comparison = compare_schedules([load_schedule(folder) for folder in folders])
    if as_json:
        print_json(asdict(comparison))
        return
    names = [str(folder) for folder in folders]
    if comparison.descriptions:
        rows = [(key, *map(_in_words, values)) for key, values in comparison.descriptions]
        print_table("Schedules: what differs", ("", *names), rows)
    rows = [(key, *map(_in_words, values)) for key, values in comparison.summaries]
    print_table("Results", ("", *names), rows, right=names)
    for name, jobs, sizes in zip(names[1:], comparison.job_by_job, comparison.by_size, strict=True):
        console().print(_job_by_job_in_words(name, names[0], jobs), soft_wrap=True)
        if sizes:
            headings = ("nodes", "jobs", "wait", "wait there", "response", "response there", "change (%)")
            print_table(f"By size: {name} against {names[0]}", headings, map(_size_in_words, sizes), right=headings)


def _size_in_words(row: "SizeClass") -> tuple[str, ...]:
    times = (*reversed(row.wait_seconds), *reversed(row.response_seconds))
    there = [long_duration(seconds) for seconds in times]
    return (f"{row.up_to_nodes:,}", f"{row.jobs:,}", *there, str(row.response_percent))


def _job_by_job_in_words(name: str, first: str, jobs: "JobByJob | None") -> str:
    if jobs is None:
        return f"{name} has different jobs from {first}: they are not compared one by one."
    return (
        f"{name} against {first}, {jobs.jobs:,} jobs: {jobs.same_start:,} start at the same second, {jobs.earlier:,} "
        f"earlier, {jobs.later:,} later; wait {jobs.wait_seconds} s, response {jobs.response_seconds} s a job "
        f"(95 %, by batch means)."
    )


def _print(comparison: Comparison, first: str, second: str) -> None:
    headings = ("", first, second)
    if differing := comparison.shown(comparison.scenario):
        print_table("Scenarios: what differs", headings, [_cells(row) for row in differing])
    rows = [(*_cells(row), _percent(row)) for row in comparison.shown(comparison.summary)]
    print_table("Results", (*headings, "difference"), rows, right=(first, second, "difference"))
    said = "equal: all packet movements are bit-identical" if comparison.same_digest else "not equal"
    console().print(f"The digests are {said}.")


def _cells(row: Difference) -> tuple[str, str, str]:
    return row.key, _in_words(row.first), _in_words(row.second)


def _in_words(value: Any) -> str:  # noqa: ANN401
    return ", ".join(map(_item_in_words, value)) if isinstance(value, list) else cell(value)


def _item_in_words(item: Any) -> str:  # noqa: ANN401
    """An item of a list; an item with a description ("words"), such as a waiting packet, is shown by it."""
    return str(item["words"] if isinstance(item, Mapping) and "words" in item else item)


def _percent(row: Difference) -> str:
    return "" if row.percent is None else f"{row.percent:+.2f} %"
