"""`torusim study`: reproduces a published figure."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from torusim._core import InputError
from torusim.cli import completion
from torusim.cli.exits import EXIT_COMPLETED
from torusim.cli.points import PointsDisplay, continuation_hint
from torusim.cli.screen import console, print_table
from torusim.cli.workers import ClusterOption, ClusterSetOption, ExecutorName, ExecutorOption, JobsOption, workers_of
from torusim.common.formatting import about, cell
from torusim.study.claims import Verdict
from torusim.study.description import all_studies, find
from torusim.study.execution import Outcome, run
from torusim.study.record import Record, change_of, read_record, with_numbers, write_record
from torusim.sweeps.executors import JOBS_LIMIT, Workers
from torusim.sweeps.points import POINTS_FOLDER

EXAMPLES = """[bold]Examples[/bold]

  torusim study --list
  torusim study figure-3
  torusim study figure-3 --scale paper --jobs 2
  torusim study figure-6 --out six
  torusim study figure-3 --explain          all its claims, and why some do not agree
  torusim study my-studies/first            a folder of your own

Finished points are kept: after Ctrl-C the same command continues, and a repeat redraws the figure without new runs."""

DEFAULT_OUT = Path("runs") / "studies"


class ScaleName(StrEnum):
    """The scales at which studies run."""

    QUICK = "quick"
    PAPER = "paper"


ScaleOption = Annotated[
    ScaleName, typer.Option("--scale", help="quick: small, seconds to minutes; paper: the papers' size and length.")
]

ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        max=JOBS_LIMIT,
        help="The same as --jobs: each point runs on one thread, and points run in parallel.",
        show_default=False,
    ),
]

ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Print all claims, the tests behind them, and why some do not agree.")
]

RecordOption = Annotated[
    bool, typer.Option("--record", help="Update the repository's record of verdicts (for developers).")
]


def study(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="A study, or a folder with one.",
            show_default=False,
            autocompletion=completion.studies,
        ),
    ] = "",
    scale: ScaleOption = ScaleName.QUICK,
    jobs: JobsOption = None,
    threads: ThreadsOption = None,
    executor: ExecutorOption = ExecutorName.PROCESSES,
    cluster: ClusterOption = None,
    cluster_settings: ClusterSetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Output folder.  [dim]\\[default: runs/studies/SCALE/NAME][/dim]"),
    ] = None,
    list_them: Annotated[bool, typer.Option("--list", help="List the studies.")] = False,
    explain: ExplainOption = False,
    record: RecordOption = False,
) -> None:
    """Reproduce a published figure: run its points, print the table, draw the figure, compare it with the paper."""
    if list_them:
        _print_list()
        return
    if not name:
        raise InputError("study: name one, or use --list")
    with workers_of(executor, cluster, cluster_settings, jobs or threads) as workers:
        outcome = _run_one(name, scale, workers, out)
    print_outcome(outcome)
    print_judged([outcome], read_record(), explain=explain)
    if record:
        write_record([outcome])
    raise typer.Exit(EXIT_COMPLETED)


def _run_one(name: str, scale: str, workers: Workers, out: Path | None) -> Outcome:
    """Runs a study and shows its progress."""
    chosen = find(name)
    folder = out or DEFAULT_OUT / scale / chosen.name
    points = chosen.points(scale)
    kept = folder / POINTS_FOLDER
    with continuation_hint(kept, {kept: points}), PointsDisplay() as display:
        return run(chosen, scale, points, folder, workers, display)


def print_outcome(outcome: Outcome) -> None:
    """Prints a study's table, its files, and its verdicts."""
    study = outcome.study
    figure = f" ({study.figure})" if study.figure else ""
    console().print(f"{study.title}{figure}, scale {outcome.scale}\n\n{study.about}\n")
    headings = list(outcome.rows[0]) if outcome.rows else []
    numeric = [heading for heading in headings if any(isinstance(row[heading], int | float) for row in outcome.rows)]
    print_table("", headings, [[cell(row[heading]) for heading in headings] for row in outcome.rows], numeric)
    for path in outcome.files:
        console().print(str(path), soft_wrap=True)
    for file in outcome.lacks:
        console().print(f"{file} is missing: claims about it are not judged, and nothing is recorded.", soft_wrap=True)


def print_judged(outcomes: Sequence[Outcome], before: Record, *, explain: bool) -> None:
    """Prints a table of claims that disagree with the papers or have changed since the record, and counts all claims.

    With `explain`, it prints all claims with their tests, and the causes of disagreements.
    """
    judged = [(outcome, verdict) for outcome in outcomes for verdict in outcome.verdicts]
    shown = [
        (*each, change) for each in judged if (change := change_of(*each, before)) or not each[1].agrees or explain
    ]
    has_studies = len(outcomes) > 1
    headings = [*(["study"] if has_studies else []), "row", "claim", "paper", "ours", "difference", "agrees"]
    rows = [
        [
            *([outcome.study.name] if has_studies else []),
            *_cells(verdict, change, has_test=explain),
        ]
        for outcome, verdict, change in shown
    ]
    console().print()
    if rows:
        title = "Verdict" if explain else "Claims that do not agree, or have changed"
        print_table(title, headings, rows, right=("ours", "difference"))
    agreeing = sum(verdict.agrees for _, verdict in judged)
    console().print(f"{agreeing} of {len(judged)} readings of claims agree.", soft_wrap=True)
    causes = [(outcome, verdict) for outcome, verdict in judged if not verdict.agrees and verdict.reading.cause]
    for outcome, verdict in causes if explain else ():
        place = f"{outcome.study.name if has_studies else ''} {verdict.claim.row}".strip()
        cause = with_numbers(verdict.reading.cause, outcome.study, before)
        console().print(f"\n{place} does not agree because: {cause}", soft_wrap=True)
    if judged and not explain:
        why = f", and why {len(causes)} do not agree" if len(causes) > 1 else ", and why one does not" if causes else ""
        console().print(f"--explain prints all of them{why}; nothing is run again.", soft_wrap=True)


def _cells(verdict: Verdict, change: str, *, has_test: bool) -> list[str]:
    claim, reading = verdict.claim, verdict.reading
    parts = [
        claim.says,
        f"Read as: {reading.reading}" if reading.reading else "",
        reading.band.test if has_test else "",
    ]
    agrees = ", ".join(part for part in ("yes" if verdict.agrees else "no", change) if part)
    band = reading.band.text(reading.unit)
    says = " ".join(part for part in parts if part)
    return [claim.row, says, band, verdict.ours_text, verdict.difference_text, agrees]


def _print_list() -> None:
    rows = [
        (
            study.name,
            study.figure,
            study.title,
            ", ".join(study.rows),
            *(about(60 * scale.minutes) for scale in study.scales.values()),
        )
        for study in all_studies()
    ]
    print_table(
        "Studies, and how long they take on one core", ("name", "figure", "shows", "rows", "quick", "paper"), rows
    )
    console().print("torusim study NAME runs one, torusim verify all.")
