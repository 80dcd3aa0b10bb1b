"""`torusim study`: reproduces a published figure."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from torusim._core import InputError
from torusim.cli import completion
from torusim.cli.exits import EXIT_COMPLETED
from torusim.cli.points import PointsDisplay, continuation_hint
from torusim.cli.screen import console, print_table
from torusim.cli.workers import ClusterOption, ClusterSetOption, ExecutorName, ExecutorOption, JobsOption, workers_of
from torusim.executors import Workers
from torusim.formatting import about, number
from torusim.points import POINTS_FOLDER
from torusim.study.claims import Verdict
from torusim.study.description import all_studies, find
from torusim.study.execution import Outcome, run
from torusim.study.record import write_record

EXAMPLES = """[bold]Examples[/bold]

  torusim study --list
  torusim study figure-3
  torusim study figure-3 --scale paper --jobs 2
  torusim study figure-6 --out six
  torusim study my-studies/first            a folder of your own

Finished points are kept: after Ctrl-C the same command goes on, and a repeat draws anew without running anything."""

DEFAULT_OUT = Path("runs") / "studies"


class ScaleName(StrEnum):
    """The scales at which studies run."""

    QUICK = "quick"
    PAPER = "paper"


ScaleOption = Annotated[
    ScaleName, typer.Option("--scale", help="quick: small, seconds to minutes; paper: the papers' size and length.")
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
    executor: ExecutorOption = ExecutorName.PROCESSES,
    cluster: ClusterOption = None,
    cluster_settings: ClusterSetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Output folder.  [dim]\\[default: runs/studies/SCALE/NAME][/dim]"),
    ] = None,
    list_them: Annotated[bool, typer.Option("--list", help="List the studies.")] = False,
    record: RecordOption = False,
) -> None:
    """Reproduce a published figure: run its points, print the table, draw the figure, compare it with the paper."""
    if list_them:
        _print_list()
        return
    if not name:
        raise InputError("study: name one, or ask for --list")
    with workers_of(executor, cluster, cluster_settings, jobs) as workers:
        outcome = _run_one(name, scale, workers, out)
    print_outcome(outcome)
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
    print_table("", headings, [[formatted(row[heading]) for heading in headings] for row in outcome.rows], numeric)
    for path in outcome.files:
        console().print(str(path), soft_wrap=True)
    for file in outcome.lacks:
        console().print(f"Lacks {file}: claims about it are not judged, and nothing is recorded.", soft_wrap=True)
    print_verdicts([("", verdict) for verdict in outcome.verdicts])


def print_verdicts(verdicts: Sequence[tuple[str, Verdict]], notes: Mapping[str, str] | None = None) -> None:
    """Prints (study, verdict) as a table: claim, the paper's value, ours, the difference, and whether they agree.

    The tests of claims are shown only for a single study; they would make the table of several studies too long.
    """
    has_studies = any(study for study, _ in verdicts)
    headings = [*(["study"] if has_studies else []), "row", "claim", "paper", "ours", "difference", "agrees"]
    rows = [
        [
            *([study] if has_studies else []),
            *_cells(verdict, (notes or {}).get(f"{study}/{verdict.reading.number}", ""), has_test=not has_studies),
        ]
        for study, verdict in verdicts
    ]
    console().print()
    print_table("Verdict", headings, rows, right=("ours", "difference"))
    for study, verdict in verdicts:
        if not verdict.agrees and verdict.reading.cause:
            place = f"{study} {verdict.claim.row}".strip()
            console().print(f"{place} does not agree because: {verdict.reading.cause}\n", soft_wrap=True)


def _cells(verdict: Verdict, note: str, *, has_test: bool) -> list[str]:
    claim, reading = verdict.claim, verdict.reading
    parts = [
        claim.says,
        f"Read as: {reading.reading}" if reading.reading else "",
        reading.band.test if has_test else "",
    ]
    agrees = "yes" if verdict.agrees else "no"
    band = reading.band.text(reading.unit)
    says = " ".join(part for part in parts if part)
    return [claim.row, says, band, verdict.ours_text, verdict.difference_text, agrees + note]


def formatted(value: Any) -> str:  # noqa: ANN401
    """A formatted value of a study's table."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return number(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


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
