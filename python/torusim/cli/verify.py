"""`torusim verify`: runs all studies, and checks that every claim that agreed with the papers still does."""

from pathlib import Path
from typing import Annotated

import typer

from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.points import PointsDisplay, continuation_hint
from torusim.cli.progress import Waiting
from torusim.cli.screen import console
from torusim.cli.study import (
    DEFAULT_OUT,
    ExplainOption,
    RecordOption,
    ScaleName,
    ScaleOption,
    ThreadsOption,
    print_judged,
)
from torusim.cli.workers import ClusterOption, ClusterSetOption, ExecutorName, ExecutorOption, JobsOption, workers_of
from torusim.study import installed
from torusim.study.description import all_studies
from torusim.study.execution import Outcome, run, run_points_of_all
from torusim.study.record import no_longer_agreeing, read_record, write_record
from torusim.sweeps.executors import Workers
from torusim.sweeps.points import POINTS_FOLDER

EXAMPLES = """[bold]Examples[/bold]

  torusim verify                       8 to 12 minutes on two cores, fewer on more
  torusim verify --explain             all claims, and why some do not agree; nothing is run again
  torusim verify --scale paper         hours; Ctrl-C keeps what is finished, and the same command goes on
  torusim verify --jobs 2 --out all

Exit status 1: a claim that has agreed no longer does."""


def verify(
    scale: ScaleOption = ScaleName.QUICK,
    jobs: JobsOption = None,
    threads: ThreadsOption = None,
    executor: ExecutorOption = ExecutorName.PROCESSES,
    cluster: ClusterOption = None,
    cluster_settings: ClusterSetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Output folder, with one folder per study.  [dim]\\[default: runs/studies/SCALE][/dim]"
        ),
    ] = None,
    explain: ExplainOption = False,
    record: RecordOption = False,
) -> None:
    """Run all studies, and compare every claim of the papers with the result."""
    installed.required_folder()
    before = read_record()
    with workers_of(executor, cluster, cluster_settings, jobs or threads) as workers:
        outcomes = _run_all(scale, out or DEFAULT_OUT / scale, workers)
    lost = no_longer_agreeing(outcomes, before)
    print_judged(outcomes, before, explain=explain)
    if record:
        write_record(outcomes)
    console().print(_count(outcomes, len(lost)), soft_wrap=True)
    raise typer.Exit(EXIT_OTHER_OUTCOME if lost else EXIT_COMPLETED)


def _run_all(scale: str, folder: Path, workers: Workers) -> list[Outcome]:
    """Runs the points of all studies together, the longest first, then judges study by study."""
    with Waiting("checking the points"):
        planned = [(study, study.points(scale), folder / study.name) for study in all_studies()]
    kept = {place / POINTS_FOLDER: points for _, points, place in planned}
    with continuation_hint(folder, kept), PointsDisplay(title=f"{len(planned)} studies") as display:
        run_points_of_all({place: points for _, points, place in planned}, workers, display)
    outcomes = []
    for at, (study, points, place) in enumerate(planned, 1):
        with PointsDisplay(title=f"study {at} of {len(planned)}, {study.name}") as display:
            outcomes.append(run(study, scale, points, place, workers, display))
    return outcomes


def _count(outcomes: list[Outcome], lost: int) -> str:
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    agree = sum(verdict.agrees for verdict in verdicts)
    unshown = sum(len(outcome.study.readings) - len(outcome.verdicts) for outcome in outcomes)
    others = f"{unshown} cannot be shown at this scale; " if unshown else ""
    return (
        f"{len(verdicts)} readings of claims: {agree} agree, {len(verdicts) - agree} do not; {others}"
        f"{lost or 'none'} of those that agreed before no longer {'do' if lost > 1 else 'does'}."
    )
