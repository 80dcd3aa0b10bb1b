"""The record of verdicts: `verdicts.json` in the folder of the studies, in the repository.

`torusim verify` fails if a claim that agrees according to the record no longer does; `--record` updates the record. The
pages docs/validation.md and docs/gallery.md are generated from it.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torusim import _core
from torusim._core import InputError
from torusim.folder import write_atomically
from torusim.scenario import read_text
from torusim.study.description import STUDIES
from torusim.study.execution import Outcome

RECORD_FILE = STUDIES / "verdicts.json"

DIGITS = 6
"""Significant digits of numbers in the record: enough for every table, and the same on every host."""

Record = dict[str, dict[str, Any]]
"""By scale and study: "torusim", "rows" and "claims"; the latter has "ours" and "agrees" by name of the number."""


def read_record(path: Path = RECORD_FILE) -> Record:
    """The record; an empty one if there is none.

    Raises:
        InputError: If the file is not a record.
    """
    if not path.exists():
        return {}
    try:
        record: Record = json.loads(read_text(path))
        for studies in record.values():
            for content in studies.values():
                assert isinstance(content["rows"], list)
                assert all(isinstance(claim["agrees"], bool) for claim in content["claims"].values())
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from None
    except (AttributeError, KeyError, TypeError, AssertionError):
        raise InputError(f"{path}: is not a record of verdicts; torusim verify --record writes one") from None
    return record


def write_record(outcomes: Sequence[Outcome], path: Path = RECORD_FILE) -> None:
    """Replaces the entries of the given studies in the record, except those that lack input files.

    Raises:
        InputError: If the file cannot be written, as in an installed package.
    """
    record = read_record(path)
    for outcome in outcomes:
        if outcome.lacks:
            continue
        record.setdefault(outcome.scale, {})[outcome.study.name] = {
            "torusim": _core.__version__,
            "claims": {
                verdict.claim.number: {"ours": _rounded(verdict.ours), "agrees": verdict.agrees}
                for verdict in outcome.verdicts
            },
            "rows": [{key: _rounded(value) for key, value in row.items()} for row in outcome.rows],
        }
    text = json.dumps({scale: dict(sorted(studies.items())) for scale, studies in sorted(record.items())}, indent=1)
    write_atomically(path, lambda file: file.write_text(text + "\n", encoding="utf-8"))


def no_longer_agreeing(outcomes: Sequence[Outcome], record: Record) -> list[tuple[str, str]]:
    """(study, number) of each claim that agrees according to the record but no longer does."""
    return [
        (outcome.study.name, verdict.claim.number)
        for outcome in outcomes
        for verdict in outcome.verdicts
        if not verdict.agrees and _has_agreed(record, outcome, verdict.claim.number)
    ]


def _has_agreed(record: Record, outcome: Outcome, number: str) -> bool:
    claims: Mapping[str, Any] = record.get(outcome.scale, {}).get(outcome.study.name, {}).get("claims", {})
    return bool(claims.get(number, {}).get("agrees", False))


def _rounded(value: Any) -> Any:  # noqa: ANN401
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
