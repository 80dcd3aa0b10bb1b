"""`torusim verify`: runs all studies, and checks that every claim that agreed with the papers still does."""

from pathlib import Path
from typing import Annotated

import typer

from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.screen import console
from torusim.cli.study import DEFAULT_OUT, RecordOption, ScaleName, ScaleOption, print_verdicts, run_one
from torusim.cli.workers import ClusterOption, ClusterSetOption, ExecutorName, ExecutorOption, JobsOption, workers_of
from torusim.study.description import all_studies
from torusim.study.execution import Outcome
from torusim.study.record import no_longer_agreeing, read_record, write_record

EXAMPLES = """[bold]Examples[/bold]

  torusim verify                       some minutes
  torusim verify --scale paper         hours; Ctrl-C keeps what is finished, and the same command goes on
  torusim verify --jobs 2 --out all

Exit status 1: a claim that has agreed no longer does."""


def verify(
    scale: ScaleOption = ScaleName.QUICK,
    jobs: JobsOption = None,
    executor: ExecutorOption = ExecutorName.PROCESSES,
    cluster: ClusterOption = None,
    cluster_settings: ClusterSetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Output folder, with one folder per study.  [dim]\\[default: runs/studies/SCALE][/dim]"
        ),
    ] = None,
    record: RecordOption = False,
) -> None:
    """Run all studies, and compare every claim of the papers with the result."""
    before = read_record()
    folder = out or DEFAULT_OUT / scale
    studies = all_studies()
    with workers_of(executor, cluster, cluster_settings, jobs) as workers:
        outcomes = [
            run_one(
                str(study.folder), scale, workers, folder / study.name, f"study {at} of {len(studies)}, {study.name}"
            )
            for at, study in enumerate(studies, 1)
        ]
    lost = no_longer_agreeing(outcomes, before)
    notes = {f"{study}/{number}": ", agreed before" for study, number in lost}
    print_verdicts([(outcome.study.name, verdict) for outcome in outcomes for verdict in outcome.verdicts], notes)
    if record:
        write_record(outcomes)
    console().print(_count(outcomes, len(lost)), soft_wrap=True)
    raise typer.Exit(EXIT_OTHER_OUTCOME if lost else EXIT_COMPLETED)


def _count(outcomes: list[Outcome], lost: int) -> str:
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    agree = sum(verdict.agrees for verdict in verdicts)
    unshown = sum(len(outcome.study.readings) - len(outcome.verdicts) for outcome in outcomes)
    others = f"{unshown} cannot be shown at this scale; " if unshown else ""
    return (
        f"{len(verdicts)} readings of claims: {agree} agree, {len(verdicts) - agree} do not; {others}"
        f"{lost or 'none'} of those that agreed before no longer {'do' if lost > 1 else 'does'}."
    )
