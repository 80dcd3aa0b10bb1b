"""Runs a study: its points, then table, figure, data and verdicts.

DIR/points/KEY.json     each finished point (`torusim.sweeps.points`)
DIR/points.parquet      a row for each point: labels, and every value of its summary
DIR/means.parquet       if points differ by their seed: a row for each combination of the others
DIR/series.parquet …    the tables kept by points, each row with the point's labels
DIR/findings.json       the study's table and numbers, and the verdicts
DIR/figure.png, .svg    the figure, if it has panels
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torusim import _core
from torusim._core import InputError
from torusim.common.folder import write_atomically, writing
from torusim.study.claims import Verdict
from torusim.study.description import Findings, Study
from torusim.sweeps.executors import Workers
from torusim.sweeps.means import has_several_seeds, means_over_seeds
from torusim.sweeps.points import POINTS_FOLDER, FinishedPoint, Point, Report, run_all, run_together
from torusim.sweeps.sweep import require_sweep_folder, table_of, write_table


@dataclass(frozen=True)
class Outcome:
    """The outcome of a study.

    Attributes:
        study: The study.
        scale: "quick" or "paper".
        rows: The table of the study.
        verdicts: Verdicts on the readings that this scale can show.
        files: The files written, the figures first.
        lacks: Missing input files.
    """

    study: Study
    scale: str
    rows: Sequence[Mapping[str, Any]]
    verdicts: Sequence[Verdict]
    files: Sequence[Path] = ()
    lacks: Sequence[str] = ()


def run(study: Study, scale: str, points: Sequence[Point], folder: Path, workers: Workers, report: Report) -> Outcome:
    """Runs the points of a study that `folder` does not contain yet, and writes all output files there.

    Args:
        study: The study.
        scale: "quick" or "paper".
        points: The points of the study at this scale.
        folder: The output folder; it may contain finished points of an earlier run.
        workers: The workers that run points in parallel.
        report: Called with the progress of all points.

    Raises:
        InputError: If the study is invalid, a point cannot be run, or the folder cannot be used.
    """
    require_sweep_folder(folder, "study")
    finished = run_all(points, folder / POINTS_FOLDER, workers, report)
    findings = study.findings(finished)
    verdicts = judge(study, scale, findings)
    files = [*_draw(study, scale, findings, folder), *_write_tables(finished, folder)]
    write_atomically(folder / "findings.json", lambda file: file.write_text(_findings_text(findings, verdicts)))
    return Outcome(study, scale, findings.rows, verdicts, [*files, folder / "findings.json"], findings.lacks)


def run_points_of_all(points_by_folder: Mapping[Path, Sequence[Point]], workers: Workers, report: Report) -> None:
    """Runs the points of several studies together, each into the output folder that `run` then takes for its study.

    Raises:
        InputError: If a point cannot be run, or a folder cannot be used. Finished points are kept.
    """
    for folder in points_by_folder:
        require_sweep_folder(folder, "study")
    run_together({folder / POINTS_FOLDER: points for folder, points in points_by_folder.items()}, workers, report)


def judge(study: Study, scale: str, findings: Findings) -> list[Verdict]:
    """The verdict on each reading of a claim that this scale can show.

    Raises:
        InputError: If the study does not provide the number of a claim.
    """
    verdicts = []
    for claim, reading in study.readings:
        if scale not in reading.scales:
            continue
        ours = findings.numbers.get(reading.number)
        if ours is None and findings.lacks:
            continue
        if ours is None or not math.isfinite(ours):
            raise InputError(
                f"{study.folder}: the claim {claim.row} is about {reading.number!r}, which study.py gives as {ours}; "
                f"its numbers are {', '.join(findings.numbers)}"
            )
        verdicts.append(Verdict(claim, reading, float(ours), scale))
    return verdicts


def _draw(study: Study, scale: str, findings: Findings, folder: Path) -> list[Path]:
    from torusim.pictures import plots  # imported late, because matplotlib loads more slowly than everything else here

    title = f"{study.figure}: {study.title}" if study.figure else study.title
    command = f"torusim study {study.name} --scale {scale}"
    with writing(folder):
        return plots.draw(findings.figure, f"{title} (torusim {_core.__version__}, {command})", folder / "figure")


def _write_tables(finished: Sequence[FinishedPoint], folder: Path) -> list[Path]:
    import pyarrow as pa

    tables = {"points": table_of(finished)}
    keys = list(finished[0].labels) if finished else []
    if has_several_seeds(tables["points"], keys):
        tables["means"] = means_over_seeds(tables["points"], keys)
    for name in dict.fromkeys(name for point in finished for name in point.tables):
        parts = [_labelled(pa.table(dict(point.tables[name])), point) for point in finished if name in point.tables]
        tables[name] = pa.concat_tables(parts, promote_options="permissive")
    paths = {folder / f"{name}.parquet": table for name, table in tables.items()}
    for path, table in paths.items():
        write_table(table, path)
    return list(paths)


def _labelled(table: Any, point: FinishedPoint) -> Any:  # noqa: ANN401 - Arrow tables
    for label, value in reversed(list(point.labels.items())):
        text = value if isinstance(value, str) else json.dumps(value)
        table = table.add_column(0, label, [[text] * table.num_rows])
    return table


def _findings_text(findings: Findings, verdicts: Sequence[Verdict]) -> str:
    content = {
        "torusim": _core.__version__,
        "rows": list(findings.rows),
        "numbers": dict(findings.numbers),
        "verdicts": [
            {
                "row": verdict.claim.row,
                "kind": verdict.claim.kind,
                "says": verdict.claim.says,
                "reading": verdict.reading.reading,
                "test": verdict.reading.band.test,
                "paper": verdict.reading.band.paper,
                "range": [None if math.isinf(end) else end for end in verdict.reading.band.range],
                "ours": verdict.ours,
                "unit": verdict.reading.unit,
                "agrees": verdict.agrees,
            }
            for verdict in verdicts
        ],
    }
    return json.dumps(content, indent=2) + "\n"
