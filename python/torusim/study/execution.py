"""Runs a study: its points, then table, figure, data and verdicts.

DIR/points/KEY.json     each finished point (`torusim.points`)
DIR/points.parquet      a row for each point: labels, and every number of its summary
DIR/series.parquet …    the tables that points kept, each row with the point's labels
DIR/findings.json       the study's table and numbers, and the verdicts
DIR/figure.png, .svg    the figure
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torusim import _core
from torusim._core import InputError
from torusim.folder import cannot_be_written, write_whole
from torusim.points import FinishedPoint, Point, Report, run_all
from torusim.study.claims import Verdict
from torusim.study.description import Findings, Study
from torusim.sweeps import POINTS_FOLDER, refuse_other, table_of, write_table


@dataclass(frozen=True)
class Outcome:
    """What came of a study.

    Attributes:
        study: Which.
        scale: "quick" or "paper".
        rows: Its table.
        verdicts: Of the claims that this scale can show.
        files: What was written, the figures first.
    """

    study: Study
    scale: str
    rows: Sequence[Mapping[str, Any]]
    verdicts: Sequence[Verdict]
    files: Sequence[Path] = ()


def run(study: Study, scale: str, points: Sequence[Point], folder: Path, jobs: int, report: Report) -> Outcome:
    """Runs the points of a study that `folder` does not have yet, and leaves everything there.

    Args:
        study: Which.
        scale: "quick" or "paper".
        points: Those of the study at this scale.
        folder: Where all is kept; the points of an earlier run are found there.
        jobs: How many points to run at the same time.
        report: Told how far all points are.

    Raises:
        InputError: If the study is not sound, a point cannot be run, or the folder cannot be used.
    """
    refuse_other(folder, "study")
    finished = run_all(points, folder / POINTS_FOLDER, jobs, report)
    findings = study.findings(finished)
    verdicts = judge(study, scale, findings)
    files = [*_draw(study, scale, findings, folder), *_write_tables(finished, folder)]
    write_whole(folder / "findings.json", lambda file: file.write_text(_findings_text(findings, verdicts)))
    return Outcome(study, scale, findings.rows, verdicts, [*files, folder / "findings.json"])


def judge(study: Study, scale: str, findings: Findings) -> list[Verdict]:
    """Whether each claim that this scale can show agrees.

    Raises:
        InputError: If the study has no such number.
    """
    verdicts = []
    for claim in study.claims:
        if scale not in claim.scales:
            continue
        ours = findings.numbers.get(claim.number)
        if ours is None or not math.isfinite(ours):
            raise InputError(
                f"{study.folder}: the claim {claim.label} is about {claim.number!r}, which study.py gives as {ours}; "
                f"its numbers are {', '.join(findings.numbers)}"
            )
        verdicts.append(Verdict(claim, float(ours)))
    return verdicts


def _draw(study: Study, scale: str, findings: Findings, folder: Path) -> list[Path]:
    from torusim import plots  # matplotlib takes longer to start than everything else here

    title = f"{study.figure}: {study.title}" if study.figure else study.title
    note = f"torusim {_core.__version__}, torusim study {study.name} --scale {scale}"
    try:
        return plots.draw(findings.figure, title, note, folder / "figure")
    except OSError as error:
        raise cannot_be_written(folder, error) from None


def _write_tables(finished: Sequence[FinishedPoint], folder: Path) -> list[Path]:
    import pyarrow as pa

    tables = {"points": table_of(finished)}
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
                "label": verdict.claim.label,
                "says": verdict.claim.says,
                "test": verdict.claim.test,
                "paper": verdict.claim.paper,
                "range": [None if math.isinf(end) else end for end in verdict.claim.range],
                "ours": verdict.ours,
                "unit": verdict.claim.unit,
                "agrees": verdict.agrees,
            }
            for verdict in verdicts
        ],
    }
    return json.dumps(content, indent=2) + "\n"
