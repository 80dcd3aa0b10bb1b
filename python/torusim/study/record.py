"""The record of verdicts, and of every test and band by which a run was judged.

`verdicts.json` holds the last verdicts at each scale. `torusim verify` fails if a claim that agrees according to it no
longer does; `--record` updates it. `bands.json` only grows: a test or band that differs from a recorded one needs an
entry in the history of its reading, and a recorded reading may not disappear. The pages in docs/validation,
docs/validation.md and docs/gallery.md are generated from the record.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torusim import _core
from torusim._core import InputError
from torusim.common.folder import write_atomically
from torusim.common.formatting import number as in_words
from torusim.runs.storage import read_json
from torusim.study import installed
from torusim.study.claim_file import PLACEHOLDER, SCALES
from torusim.study.claims import Band, Claim, Reading, Verdict
from torusim.study.description import Study
from torusim.study.execution import Outcome

RECORD_FILE = "verdicts.json"
BANDS_FILE = "bands.json"
"""Files in the folder of the installed studies."""

DIGITS = 6
"""Significant digits of numbers in the record: enough for every table, and the same on every host."""

Record = dict[str, dict[str, Any]]
"""The record by scale and study: "torusim", "rows" and "claims"; the latter has "ours" and "agrees" by number name."""

Bands = dict[str, dict[str, list[dict[str, Any]]]]
"""All tests and bands of recorded verdicts, oldest first, by study and name of the number."""


def read_record(path: Path | None = None) -> Record:
    """The record, by default that of the installed studies; an empty one if there is none.

    Raises:
        InputError: If the file is not a record.
    """
    path = path or _installed(RECORD_FILE)
    record: Record = _read_json(path)
    try:
        for studies in record.values():
            for content in studies.values():
                assert isinstance(content["rows"], list)
                assert all(isinstance(claim["agrees"], bool) for claim in content["claims"].values())
    except (AttributeError, KeyError, TypeError, AssertionError):
        raise InputError(f"{path}: is not a record of verdicts; torusim verify --record writes one") from None
    return record


def recorded_verdicts(study: Study, claim: Claim, reading: Reading, record: Record) -> list[Verdict]:
    """The verdicts on a reading at all scales that were run, the largest last."""
    verdicts = []
    for scale in SCALES:
        known = record.get(scale, {}).get(study.name, {}).get("claims", {}).get(reading.number)
        if known is not None and scale in reading.scales:
            verdicts.append(Verdict(claim, reading, known["ours"], scale))
    return verdicts


def with_numbers(text: str, study: Study, record: Record) -> str:
    """A text of a study with the recorded numbers in the places of `{number}` and `{number@quick}`.

    Args:
        text: The text; a number without a scale is that of the largest scale at which it was recorded.
        study: The study whose numbers are meant.
        record: The record.

    Raises:
        InputError: If a number is not one of the study's readings.
    """
    verdicts = {reading.number: recorded_verdicts(study, claim, reading, record) for claim, reading in study.readings}

    def in_words_of(found: re.Match[str]) -> str:
        if found[1] not in verdicts:
            raise InputError(f"{study.folder}: {found[0]}: is no number of a claim of the study")
        recorded = [verdict for verdict in verdicts[found[1]] if found[2] in (None, verdict.scale)]
        return _in_short(recorded[-1]) if recorded else "(not recorded)"

    return PLACEHOLDER.sub(in_words_of, text)


def _in_short(verdict: Verdict) -> str:
    """Our number with three significant digits, and its unit."""
    return f"{in_words(float(f'{verdict.ours:.3g}'))} {verdict.reading.unit}".strip()


def read_bands(path: Path | None = None) -> Bands:
    """The recorded tests and bands, by default those of the installed studies; none if there is no file.

    Raises:
        InputError: If the file is not JSON.
    """
    bands: Bands = _read_json(path or _installed(BANDS_FILE))
    return bands


def _installed(name: str) -> Path | None:
    folder = installed.folder()
    return None if folder is None else folder / name


def _read_json(path: Path | None) -> Any:  # noqa: ANN401
    return {} if path is None or not path.exists() else read_json(path)


def write_record(outcomes: Sequence[Outcome], path: Path | None = None, bands_path: Path | None = None) -> None:
    """Replaces the entries of the given studies in the record, and adds their tests and bands to the recorded ones.

    By default it is the record of the installed studies.

    Studies that lack input files are left out.

    Raises:
        InputError: If a recorded test or band was changed without an entry in its history, or a file cannot be
            written, as in an installed package.
    """
    path = path or installed.required_folder() / RECORD_FILE
    bands_path = bands_path or installed.required_folder() / BANDS_FILE
    record, bands = read_record(path), read_bands(bands_path)
    if problems := undocumented([outcome.study for outcome in outcomes], bands):
        raise InputError(problems[0])
    for outcome in outcomes:
        if outcome.lacks:
            continue
        record.setdefault(outcome.scale, {})[outcome.study.name] = {
            "torusim": _core.__version__,
            "claims": {
                verdict.reading.number: {"ours": _rounded(verdict.ours), "agrees": verdict.agrees}
                for verdict in outcome.verdicts
            },
            "rows": [{key: _rounded(value) for key, value in row.items()} for row in outcome.rows],
        }
        _add_bands(bands.setdefault(outcome.study.name, {}), (verdict.reading for verdict in outcome.verdicts))
        outcome.study.keep(outcome.scale, record[outcome.scale][outcome.study.name]["rows"])
    _write_json(path, {scale: dict(sorted(studies.items())) for scale, studies in sorted(record.items())})
    _write_json(bands_path, dict(sorted(bands.items())))


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    write_atomically(path, lambda file: file.write_text(text, encoding="utf-8"))


def _add_bands(recorded: dict[str, list[dict[str, Any]]], readings: Iterable[Reading]) -> None:
    for reading in readings:
        known = recorded.setdefault(reading.number, [])
        if (band := _plain(reading.band)) not in known[-1:]:
            known.append(band)


def _plain(band: Band) -> dict[str, Any]:
    return {key: value for key, value in asdict(band).items() if value is not None}


def undocumented(studies: Sequence[Study], bands: Bands) -> list[str]:
    """A message for each recorded test or band that is neither the present one nor in a reading's history.

    Numbers that a reading had under another name are found in its history. The claims of studies that are not given are
    not checked.
    """
    problems = []
    for study in studies:
        readings = study.readings
        for number, recorded in bands.get(study.name, {}).items():
            known = list(_documented(readings, number))
            if not known:
                problems.append(f"claims.toml: study {study.name}: the recorded reading {number!r} is missing")
            elif any(band not in known for band in recorded):
                problems.append(
                    f"claims.toml: study {study.name}: the test or band of {number!r} differs from the recorded one: "
                    "add the old one to its history, with its verdict and the reason"
                )
    return problems


def _documented(readings: Iterable[tuple[Claim, Reading]], number: str) -> Iterable[dict[str, Any]]:
    for _, reading in readings:
        if reading.number == number:
            yield _plain(reading.band)
        yield from (_plain(change.band) for change in reading.history if change.number == number)


def no_longer_agreeing(outcomes: Sequence[Outcome], record: Record) -> list[tuple[str, str]]:
    """(study, number) of each claim that agrees according to the record but no longer does."""
    return [
        (outcome.study.name, verdict.reading.number)
        for outcome in outcomes
        for verdict in outcome.verdicts
        if not verdict.agrees and _has_agreed(record, outcome, verdict.reading.number)
    ]


def change_of(outcome: Outcome, verdict: Verdict, record: Record) -> str:
    """The change since a reading was recorded; "" if nothing has, or it was not recorded."""
    claims: Mapping[str, Any] = record.get(outcome.scale, {}).get(outcome.study.name, {}).get("claims", {})
    known = claims.get(verdict.reading.number)
    if known is None:
        return ""
    if known["agrees"] != verdict.agrees:
        return f"{'agreed' if known['agrees'] else 'did not agree'} before"
    was, now = known["ours"], _rounded(verdict.ours)
    return "" if math.isclose(was, now, rel_tol=10 ** (1 - DIGITS)) else f"was {in_words(was)}"


def _has_agreed(record: Record, outcome: Outcome, number: str) -> bool:
    claims: Mapping[str, Any] = record.get(outcome.scale, {}).get(outcome.study.name, {}).get("claims", {})
    return bool(claims.get(number, {}).get("agrees", False))


def _rounded(value: Any) -> Any:  # noqa: ANN401
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
