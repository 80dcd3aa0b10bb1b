"""Compares the figures in the studies' texts with the record: decimals, percentages, multiples, and points.

python -m torusim.study.figures_in_texts            lists those that the record does not have
python -m torusim.study.figures_in_texts --accept   takes them as figures of other runs

A figure of a cause, a note or a short sentence is in the record of its study, to the digits that are printed, or stated
in its claims and its settings, or that of another run. The last are listed in other_figures.json. So a figure that no
longer agrees with a new record is found: it is in none of these.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from torusim.common.folder import write_atomically
from torusim.runs.storage import read_json
from torusim.study import installed
from torusim.study.claims import Change, Reading
from torusim.study.description import Study, all_studies
from torusim.study.record import Record, read_record, with_numbers

FILE = "other_figures.json"
"""Figures of other runs, by study; in the folder of the installed studies."""

FIGURE = re.compile(r"(?<![\w./-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?( %| times\b| points\b)?(?!\w|\.\d)")
"""A number, its decimals, and the unit that makes a whole number a figure."""


def unrecorded(study: Study, record: Record) -> list[str]:
    """Figures in the texts of a study that neither its record nor its claims and settings have, sorted.

    Raises:
        InputError: If a text names a number that is not one of the study's readings.
    """
    known = [*_recorded(study, record), *_stated(study)]
    found = {figure for text in _texts(study, record) for figure in _figures(text)}
    return sorted(figure for figure in found if not any(shows(figure, value) for value in known))


def _texts(study: Study, record: Record) -> Iterator[str]:
    """Notes, short sentences and causes, with the recorded numbers in them."""
    yield study.notes
    for claim in study.claims:
        yield from (with_numbers(text, study, record) for text in (claim.in_short, *(r.cause for r in claim.readings)))


def _figures(text: str) -> Iterator[str]:
    for found in FIGURE.finditer(text):
        if found[2] or found[3]:
            yield found[0]


def shows(figure: str, value: float) -> bool:
    """Whether a figure is a value to the printed digits, as it is, as a share in percent, or as a change in percent."""
    digits = re.sub(r"[^\d.]", "", figure)
    half = 0.5000001 * 10.0 ** -len(digits.partition(".")[2])
    shown = (abs(value), 100 * abs(value), 100 * abs(value - 1), 100 * abs(1 / value - 1) if value else 0.0)
    return any(abs(one - float(digits)) <= half for one in shown)


def _recorded(study: Study, record: Record) -> Iterator[float]:
    for studies in record.values():
        yield from _numbers(studies.get(study.name, {}))


def _numbers(content: Any) -> Iterator[float]:  # noqa: ANN401 - plain data
    if isinstance(content, Mapping):
        content = list(content.values())
    if isinstance(content, list):
        for part in content:
            yield from _numbers(part)
    elif isinstance(content, int | float):
        yield float(content)


def _stated(study: Study) -> Iterator[float]:
    """Numbers of the claims' words, tests and bands, and of the study's settings."""
    texts = [path.read_text(encoding="utf-8") for path in study.folder.glob("*.toml")]
    for claim in study.claims:
        texts += [claim.words, claim.says, claim.source, *map(_of_reading, claim.readings)]
    for number in re.findall(r"(?<![\w.])\d[\d,_]*(?:\.\d+)?", " ".join(texts)):
        yield float(re.sub("[,_]", "", number))


def _of_reading(reading: Reading) -> str:
    def of_change(change: Change) -> str:
        return f"{change.band} {change.verdict} {change.why}"

    return " ".join([reading.reading, f"{reading.band}", reading.band_from, *map(of_change, reading.history)])


def other_figures() -> Mapping[str, list[str]]:
    """The listed figures of other runs, by study."""
    figures: Mapping[str, list[str]] = read_json(installed.required_folder() / FILE)
    return figures


def main(*, accepts: bool) -> None:
    """Lists the figures that are not in the record, or accepts them."""
    record = read_record()
    found = {study.name: figures for study in all_studies() if (figures := unrecorded(study, record))}
    if accepts:
        text = json.dumps(found, indent=1) + "\n"
        write_atomically(installed.required_folder() / FILE, lambda path: path.write_text(text, encoding="utf-8"))
        return
    known = other_figures()
    for name, figures in found.items():
        for figure in figures:
            if figure not in known.get(name, []):
                print(f"{name}: {figure}")  # noqa: T201 - a command of its own


if __name__ == "__main__":
    main(accepts="--accept" in sys.argv[1:])
