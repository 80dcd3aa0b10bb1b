"""Writes docs/validation.md and docs/gallery.md from the record of verdicts and the studies' own texts.

python -m torusim.study.pages docs                   after torusim verify --record
python -m torusim.study.pages docs runs/studies      and copies the figures from there
"""

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from torusim.common.formatting import about, cell
from torusim.study.claim_file import SCALES
from torusim.study.claims import Claim, Kind, Reading, Verdict
from torusim.study.description import Study, all_studies
from torusim.study.record import Record, read_record

WRITTEN = "<!-- Written by python -m torusim.study.pages; change the studies' texts, not this page. -->"

HEAD = """\
# Validation against the papers

Every figure here is the result of a [study](guide.md#studies), a folder of `studies/torusim_studies`, with seed 1 and
the preset `bluegene-l` (Figures 7 to 9: `bluegene-l-early`; papers 003 and 004: `bluegene-p`), whose assumed values are
marked in `machines/`. No value was adjusted to match a row, except the software costs of rows S32 and S35 and those of
messages and MPI of rows S40, S41, L10 and L11, which are **fitted**. The papers are Adiga et al., IBM J. Res. & Dev.
49(2/3), 2005 (JRD), Blumrich et al., IBM report RC23025, 2003 (RC), slides on MPI for Blue Gene/L of October 2003 (MPI
slides), Balaji et al. on the congestion of Blue Gene/P, 2009 (paper 003), and Desai et al. on its meshes and tori
(paper 004). "% of peak" counts 270 byte times for a full packet; the peak is defined in [bounds](models/bounds.md).
`torusim verify` repeats all studies on smaller machines in minutes, and fails if a claim that agreed before no longer
does; `torusim verify --scale paper` runs the papers' sizes.

A claim is a statement of a paper; where its words can be understood in several ways, each *reading* has a row of its
own, and none is dropped because it disagrees. All claims, with the papers' own words, tests, bands and what changed in
them, are in one file, `studies/torusim_studies/claims.toml`. The cause of a disagreement is given in the section of its
study.

"""

KIND_HEADS: Mapping[Kind, tuple[str, str]] = {
    Kind.PUBLISHED: (
        "Published numbers",
        "A number that a paper prints, and ours with its signed difference. The tolerance is the project's, 3 points "
        "or 5 %, unless claims.toml gives another source.",
    ),
    Kind.STATED: (
        "Stated orderings and shapes",
        "What a paper states in words: an ordering, or the shape of a curve. The test, ours, defines a number for it.",
    ),
    Kind.FITTED: (
        "Fitted values",
        "A parameter was chosen to meet these rows, so that their agreement is no evidence.",
    ),
    Kind.CROSS_CHECK: (
        "Cross-checks with another simulator",
        "Both simulators run the same networks and traffic. The bands are ours, chosen before the first run.",
    ),
    Kind.CHECK: (
        "Identities and checks of our own",
        "Formulas that must hold whatever the machine, and numbers of ours without a published one: tests, no "
        "validation.",
    ),
}

GALLERY_HEAD = """\
# Gallery

The figures of the papers as torusim draws them, each by one command. [Validation](validation.md) gives the numbers and
explains them.

"""

COLUMNS = 120
"""Maximum length of text lines in pages."""

IMAGES = Path("images") / "studies"


def validation(_docs: Path) -> str:
    """The page of all claims: the papers' values, ours, and the cause of every disagreement."""
    record, studies = read_record(), all_studies()
    parts = [_title(HEAD), *_claims_table(studies, record)]
    for study in studies:
        parts += _section(study, record)
    return "\n".join(parts).rstrip() + "\n"


def gallery(docs: Path) -> str:
    """The page of all figures; a study without one is shown by its table."""
    parts = [_title(GALLERY_HEAD)]
    for study in all_studies():
        scale = _largest(study, read_record())
        if scale is None:
            continue
        image = IMAGES / f"{study.name}.png"
        command = _command(study, scale)
        parts.append(f"## {_heading(study)}\n")
        if (docs / image).is_file():
            parts.append(f"![{study.title}]({image})\n")
            command = _command(study, scale_of_picture(docs / image) or scale)
        else:
            parts += _table(read_record()[scale][study.name]["rows"])
        parts.append(f"{_filled(study.about)}\n\n```sh\n{command}\n```\n")
    return "\n".join(parts).rstrip() + "\n"


def scale_of_picture(path: Path) -> str | None:
    """The scale of the study that drew a picture, from the picture's own description; None if it has none."""
    found = re.search(rb"torusim study [\w-]+ --scale (\w+)", path.read_bytes())
    return None if found is None else found[1].decode()


PAGES: Mapping[str, Callable[[Path], str]] = {"validation.md": validation, "gallery.md": gallery}
"""The generated pages, by file name in docs/, whose path they get."""


def _title(head: str) -> str:
    title, _, text = head.partition("\n")
    return f"{title}\n\n{WRITTEN}\n{text.rstrip()}\n"


def _filled(text: str) -> str:
    return textwrap.fill(text, COLUMNS, break_on_hyphens=False)


def _claims_table(studies: Sequence[Study], record: Record) -> Iterator[str]:
    yield "## All claims\n"
    yield "| kind | readings | agree | do not agree |\n|---|---|---|---|"
    for kind, (title, _) in KIND_HEADS.items():
        last = [verdicts[-1] for _, verdicts in _rows(studies, record, kind)]
        agree = sum(verdict.agrees for verdict in last)
        differing = ", ".join(dict.fromkeys(verdict.claim.row for verdict in last if not verdict.agrees))
        others = f"{len(last) - agree}: {differing}" if differing else "0"
        yield f"| {title.lower()} | {len(last)} | {agree} | {others} |"
    yield "\nCounted at the largest scale at which each was run.\n"
    yield from _without_a_run(studies, record)
    for kind, (title, about_it) in KIND_HEADS.items():
        yield f"### {title}\n\n{_filled(about_it)}\n"
        yield from _kind_table(_rows(studies, record, kind))


def _without_a_run(studies: Sequence[Study], record: Record) -> Iterator[str]:
    missing = [
        f"- [{claim.row}](#{_anchor(study)}), {_named(claim, reading)}: {reading.not_run}"
        for study in studies
        for claim, reading in study.readings
        if not _verdicts(study, claim, reading, record)
    ]
    if missing:
        yield "Readings without a recorded run, which are not counted:\n"
        yield from missing
        yield ""


def _rows(studies: Sequence[Study], record: Record, kind: Kind) -> list[tuple[Study, list[Verdict]]]:
    """The study and the verdicts, the largest scale last, of each recorded reading of a kind."""
    readings = [(study, *both) for study in studies for both in study.readings if both[0].kind is kind]
    rows = [(study, _verdicts(study, claim, reading, record)) for study, claim, reading in readings]
    return [(study, verdicts) for study, verdicts in rows if verdicts]


def _kind_table(rows: Sequence[tuple[Study, list[Verdict]]]) -> Iterator[str]:
    yield "| row | claim | paper | ours, paper scale | ours, quick scale | agrees |\n|---|---|---|---|---|---|"
    for study, verdicts in rows:
        by_scale = {scale: verdict for verdict in verdicts for scale in SCALES if verdict.scale == scale}
        last = verdicts[-1]
        cells = [_ours(by_scale.get("paper")), _ours(by_scale.get("quick"))]
        link = f"[{last.claim.row}](#{_anchor(study)})"
        band = last.reading.band.text(last.reading.unit)
        says = _says(last.claim, last.reading)
        yield f"| {link} | {says} | {band} | {' | '.join(cells)} | {'yes' if last.agrees else '**no**'} |"
    yield ""


def _says(claim: Claim, reading: Reading) -> str:
    parts = [claim.says, f"*Read as:* {reading.reading}" if reading.reading else "", reading.band.test]
    return " ".join(part for part in parts if part)


def _ours(verdict: Verdict | None) -> str:
    if verdict is None:
        return "-"
    words = f"{verdict.ours_text} ({verdict.difference_text})".removesuffix(" ()")
    return words if verdict.agrees else f"**{words}**"


def _verdicts(study: Study, claim: Claim, reading: Reading, record: Record) -> list[Verdict]:
    """The verdicts on a reading at all scales that were run, the largest last."""
    verdicts = []
    for scale in SCALES:
        known = record.get(scale, {}).get(study.name, {}).get("claims", {}).get(reading.number)
        if known is not None and scale in reading.scales:
            verdicts.append(Verdict(claim, reading, known["ours"], scale))
    return verdicts


def _section(study: Study, record: Record) -> Iterator[str]:
    yield f"## {_heading(study)}\n\n{_filled(study.about)}\n"
    for claim, reading in study.readings:
        if reading.cause:
            yield _filled(f"**{claim.row}, {_named(claim, reading)}: why it does not agree.** {reading.cause}") + "\n"
    scale = _largest(study, record)
    if scale is not None:
        minutes = about(60 * study.scales[scale].minutes)
        yield f"```sh\n{_command(study, scale)}    # {minutes} on one core\n```\n"
        yield from _table(record[scale][study.name]["rows"])
    if "paper" not in record or study.name not in record["paper"]:
        minutes = about(60 * study.scales["paper"].minutes)
        yield f"The paper scale was not run for this page: it takes {minutes}.\n"
    if study.notes:
        yield study.notes
    yield from _history(study)


def _named(claim: Claim, reading: Reading) -> str:
    says = claim.says.removesuffix(".")
    return f"{says} (read as: {reading.reading.removesuffix('.')})" if reading.reading else says


def _history(study: Study) -> Iterator[str]:
    """The changes of the tests and bands of a study, with the old verdicts."""
    changes = [(claim, reading, change) for claim, reading in study.readings for change in reading.history]
    if not changes:
        return
    yield "**Tests and bands that changed after a run:**\n"
    for claim, reading, change in changes:
        test = f"{change.band.test} " if change.band.test else ""
        text = (
            f"- {claim.row}, {_named(claim, reading)} (`{reading.number}`). Until {change.changed}: "
            f"{test}Band: {change.band.text(reading.unit)}. Verdict: {change.verdict.removesuffix('.')}. "
            f"Changed because: {change.why}"
        )
        yield textwrap.fill(text, COLUMNS, subsequent_indent="  ", break_on_hyphens=False)
    yield ""


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    yield f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}"
    for row in rows:
        yield f"| {' | '.join(map(cell, row.values()))} |"
    yield ""


def _largest(study: Study, record: Record) -> str | None:
    """The largest scale at which the record has results of a study."""
    return next((scale for scale in reversed(SCALES) if study.name in record.get(scale, {})), None)


def _heading(study: Study) -> str:
    rows = ", ".join(study.rows)
    return f"{study.figure}: {study.title} ({rows})" if study.figure else f"{study.title} ({rows})"


def _anchor(study: Study) -> str:
    kept = (character for character in _heading(study).lower() if character.isalnum() or character in " -_")
    return "".join(kept).replace(" ", "-")


def _command(study: Study, scale: str) -> str:
    return f"torusim study {study.name}" + (f" --scale {scale}" if scale != "quick" else "")


def main(docs: Path, runs: Path | None = None) -> None:
    """Writes the pages, and copies the figures of the largest recorded scale of each study."""
    if runs is not None:
        _copy_figures(docs, runs)
    for name, text in PAGES.items():
        (docs / name).write_text(text(docs), encoding="utf-8")


def _copy_figures(docs: Path, runs: Path) -> None:
    """Replaces the figures of the studies that were run; a study that draws no figure gets none."""
    (docs / IMAGES).mkdir(parents=True, exist_ok=True)
    record = read_record()
    for study in all_studies():
        folder = runs / str(_largest(study, record)) / study.name
        target = docs / IMAGES / f"{study.name}.png"
        if (folder / "figure.png").is_file():
            shutil.copyfile(folder / "figure.png", target)
        elif (folder / "findings.json").is_file():
            target.unlink(missing_ok=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
