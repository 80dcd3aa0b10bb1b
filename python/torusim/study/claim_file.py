"""Reads claims.toml, the one file of all claims: the papers' words, readings, tests, bands, and their changes."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from torusim._core import InputError
from torusim.study.claims import Band, Change, Claim, Kind, Reading
from torusim.study.keys import NUMBER, Keys

CLAIMS_FILE = "claims.toml"
SCALES = ("quick", "paper")
"""The scales at which studies run: "quick", a check that takes seconds to minutes, and "paper", the papers' sizes."""

OF_PAPERS = (Kind.PUBLISHED, Kind.STATED, Kind.FITTED)

PLACEHOLDER = re.compile(r"\{(\w+)(?:@(\w+))?\}")
"""`{number}` or `{number@quick}` in a text: a recorded number of the study, at its largest scale or at that one."""

BAND_KEYS = ("paper", "within", "within_percent", "at_least", "at_most")


def claims_of(folder: Path, study: str) -> list[Claim]:
    """The claims that a study tests, from claims.toml in its folder or in the folder of all studies.

    Raises:
        InputError: If there is no such file, it is invalid, or it has no claim of the study.
    """
    path = folder / CLAIMS_FILE
    if not path.is_file():
        path = folder.parent / CLAIMS_FILE
    if not path.is_file():
        raise InputError(f"{folder}: there is no {CLAIMS_FILE}, neither here nor in the folder of all studies")
    claims = [claim for claim in read_claims(path, path.stat().st_mtime_ns) if claim.study == study]
    if not claims:
        raise InputError(f"{path}: has no claim with study = {study!r}")
    return claims


@cache
def read_claims(path: Path, _modified_ns: int) -> tuple[Claim, ...]:
    """All claims of a file.

    Raises:
        InputError: If it cannot be read or is invalid; the message names the claim, the key and the expected content.
    """
    keys = Keys.of_file(path)
    claims = tuple(_claim(claim, f"{path}: claims[{index}]") for index, claim in enumerate(keys.take("claims", list)))
    keys.refuse_others()
    _refuse_repetitions(claims, path)
    _refuse_unknown_numbers(claims, path)
    return claims


def _claim(content: object, place: str) -> Claim:
    keys = Keys(content, place)
    kind = keys.take("kind", str)
    if kind not in list(Kind):
        raise InputError(f"{place}: kind = {kind!r}: must be {', '.join(Kind)}")
    readings = keys.take("readings", list)
    claim = Claim(
        row=keys.take("row", str),
        study=keys.take("study", str),
        kind=Kind(kind),
        says=keys.text("says"),
        words=keys.text("words", ""),
        source=keys.text("source", ""),
        in_short=keys.text("in_short", ""),
        from_memory=keys.take("from_memory", bool, False),
        readings=tuple(_reading(reading, f"{place}.readings[{index}]") for index, reading in enumerate(readings)),
    )
    keys.refuse_others()
    if not claim.readings:
        raise InputError(f"{place}: readings: at least one is needed")
    if claim.kind in OF_PAPERS and not claim.words:
        raise InputError(f"{place}: words are missing: quote the paper, or use kind = {str(Kind.CHECK)!r}")
    return claim


def _reading(content: object, place: str) -> Reading:
    keys = Keys(content, place)
    history = keys.take("history", list, [])
    number = keys.take("number", str)
    reading = Reading(
        number=number,
        band=_band(keys),
        band_from=keys.text("band_from"),
        reading=keys.text("reading", ""),
        unit=keys.take("unit", str, ""),
        cause=keys.text("cause", ""),
        not_run=keys.text("not_run", ""),
        scales=tuple(keys.take("scales", list, list(SCALES))),
        history=tuple(_change(entry, number, f"{place}.history[{index}]") for index, entry in enumerate(history)),
    )
    keys.refuse_others()
    if unknown := [scale for scale in reading.scales if scale not in SCALES]:
        raise InputError(f"{place}: scales = {unknown[0]!r}: must be {' or '.join(SCALES)}")
    return reading


def _change(content: object, number: str, place: str) -> Change:
    keys = Keys(content, place)
    change = Change(
        band=_band(keys),
        number=keys.take("number", str, number),
        changed=keys.take("changed", str),
        verdict=keys.text("verdict"),
        why=keys.text("why"),
    )
    keys.refuse_others()
    return change


def _band(keys: Keys) -> Band:
    ends: dict[str, Any] = {key: keys.take(key, NUMBER, None) for key in BAND_KEYS}
    band = Band(test=keys.text("test", ""), **ends)
    if band.paper is None and not band.has_limits:
        raise InputError(f"{keys.place}: does not define agreement: give paper, at_least or at_most")
    if band.paper is None and not band.test:
        raise InputError(f"{keys.place}: has no published number in paper, so test must define what is compared")
    return band


def _refuse_repetitions(claims: tuple[Claim, ...], path: Path) -> None:
    seen: set[tuple[str, str]] = set()
    for claim in claims:
        for reading in claim.readings:
            key = (claim.study, reading.number)
            if key in seen:
                raise InputError(f"{path}: number = {reading.number!r} of study {claim.study!r} is there twice")
            seen.add(key)


def _refuse_unknown_numbers(claims: tuple[Claim, ...], path: Path) -> None:
    """Rejects placeholders that name no number of the claim's study, or no scale."""
    known = {(claim.study, reading.number) for claim in claims for reading in claim.readings}
    for claim in claims:
        for text in (claim.in_short, *(reading.cause for reading in claim.readings)):
            for found in PLACEHOLDER.finditer(text):
                if (claim.study, found[1]) not in known or found[2] not in (None, *SCALES):
                    raise InputError(f"{path}: {found[0]} of row {claim.row!r}: is no number of study {claim.study!r}")
