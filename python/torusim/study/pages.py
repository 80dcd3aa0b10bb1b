"""Writes docs/validation.md and docs/gallery.md from the record of verdicts and the studies' own texts.

python -m torusim.study.pages docs                   after torusim verify --record
python -m torusim.study.pages docs runs/studies      and copies the figures from there
"""

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from torusim.formatting import about, number
from torusim.study.claims import Claim, Verdict
from torusim.study.description import SCALES, Study, all_studies
from torusim.study.record import Record, read_record

WRITTEN = "<!-- Written by python -m torusim.study.pages; change the studies' texts, not this page. -->"

HEAD = """\
# Validation against the papers

Every figure here is the result of a [study](guide.md#studies), a folder of `python/torusim/studies`, with seed 1 and
the preset `bluegene-l` (Figures 7 to 9: `bluegene-l-early`), whose assumed values are marked in `machines/`. No value
was adjusted to match a row, except the software costs of rows S32 and S35, which are **fitted**. The papers are Adiga
et al., IBM J. Res. & Dev. 49(2/3), 2005 (JRD) and Blumrich et al., IBM report RC23025, 2003 (RC). "% of peak" counts
270 byte times for a full packet; the peak is defined in [bounds](models/bounds.md). `torusim verify` repeats all
studies on smaller machines in minutes, and fails if a claim that agreed before no longer does;
`torusim verify --scale paper` runs the papers' sizes.

A number agrees within 3 points or 5 %, unless its row states otherwise. For an ordering or the shape of a curve, the
claim states the test.

"""

GALLERY_HEAD = """\
# Gallery

The figures of the papers as torusim draws them, each by one command. [Validation](validation.md) gives the numbers and
explains them.

"""

COLUMNS = 120
"""Maximum length of lines of text in pages."""

IMAGES = Path("images") / "studies"


def validation() -> str:
    """The page of all claims: the papers' values, ours, and the cause of every disagreement."""
    record, studies = read_record(), all_studies()
    parts = [_title(HEAD), *_claims_table(studies, record)]
    for study in studies:
        parts += _section(study, record)
    return "\n".join(parts).rstrip() + "\n"


def gallery() -> str:
    """The page of all figures."""
    parts = [_title(GALLERY_HEAD)]
    for study in all_studies():
        scale = _largest(study, read_record())
        if scale is None:
            continue
        parts.append(f"## {_heading(study)}\n\n![{study.title}]({IMAGES / study.name}.png)\n")
        parts.append(f"{_filled(study.about)}\n\n```sh\n{_command(study, scale)}\n```\n")
    return "\n".join(parts).rstrip() + "\n"


PAGES: Mapping[str, Callable[[], str]] = {"validation.md": validation, "gallery.md": gallery}
"""The generated pages, by file name in docs/."""


def _title(head: str) -> str:
    title, _, text = head.partition("\n")
    return f"{title}\n\n{WRITTEN}\n{text.rstrip()}\n"


def _filled(text: str) -> str:
    return textwrap.fill(text, COLUMNS, break_on_hyphens=False)


def _claims_table(studies: Sequence[Study], record: Record) -> Iterator[str]:
    rows = [(study, claim) for study in studies for claim in study.claims]
    largest = [verdicts[-1] for study, claim in rows if (verdicts := _verdicts(study, claim, record))]
    agree, unknown = sum(verdict.agrees for verdict in largest), len(rows) - len(largest)
    counted = f"{len(rows)} claims: {agree} agree at the largest scale that was run, {len(largest) - agree} do not"
    differing = ", ".join(dict.fromkeys(verdict.claim.label for verdict in largest if not verdict.agrees))
    yield f"## All claims\n\n{counted}{f', {unknown} not run yet' if unknown else ''}."
    yield f"Rows with a claim that does not agree: {differing}.\n"
    yield "| row | claim | papers | ours, paper scale | ours, quick scale | agrees |\n|---|---|---|---|---|---|"
    for study, claim in rows:
        ours = {scale: _verdict(study, claim, scale, record) for scale in SCALES}
        last = _verdicts(study, claim, record)
        verdict = "not run yet" if not last else "yes" if last[-1].agrees else "**no**, see the cause"
        cells = [_ours(ours["paper"]), _ours(ours["quick"])]
        link = f"[{claim.label}](#{_anchor(study)})"
        yield f"| {link} | {_says(claim)} | {claim.paper_text} | {' | '.join(cells)} | {verdict} |"
    yield ""


def _says(claim: Claim) -> str:
    return f"{claim.says} ({claim.test})" if claim.test else claim.says


def _ours(verdict: Verdict | None) -> str:
    if verdict is None:
        return "-"
    words = f"{verdict.ours_text} ({verdict.difference_text})".removesuffix(" ()")
    return words if verdict.agrees else f"**{words}**"


def _verdict(study: Study, claim: Claim, scale: str, record: Record) -> Verdict | None:
    known = record.get(scale, {}).get(study.name, {}).get("claims", {}).get(claim.number)
    return None if known is None or scale not in claim.scales else Verdict(claim, known["ours"])


def _verdicts(study: Study, claim: Claim, record: Record) -> list[Verdict]:
    """The claim's verdicts at all scales that were run, the largest last."""
    verdicts = (_verdict(study, claim, scale, record) for scale in SCALES)
    return [verdict for verdict in verdicts if verdict is not None]


def _section(study: Study, record: Record) -> Iterator[str]:
    yield f"## {_heading(study)}\n\n{_filled(study.about)}\n"
    for claim in study.claims:
        if claim.cause:
            yield _filled(f"**{claim.label}, {claim.says}: why it does not agree.** {claim.cause}") + "\n"
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


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    yield f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}"
    for row in rows:
        yield f"| {' | '.join(map(_in_words, row.values()))} |"
    yield ""


def _in_words(value: Any) -> str:  # noqa: ANN401
    if value is None:
        return "-"
    if isinstance(value, float):
        return number(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _largest(study: Study, record: Record) -> str | None:
    """The largest scale at which the record has results of a study."""
    return next((scale for scale in reversed(SCALES) if study.name in record.get(scale, {})), None)


def _heading(study: Study) -> str:
    rows = ", ".join(dict.fromkeys(claim.label for claim in study.claims))
    return f"{study.figure}: {study.title} ({rows})" if study.figure else f"{study.title} ({rows})"


def _anchor(study: Study) -> str:
    kept = (character for character in _heading(study).lower() if character.isalnum() or character in " -_")
    return "".join(kept).replace(" ", "-")


def _command(study: Study, scale: str) -> str:
    return f"torusim study {study.name}" + (f" --scale {scale}" if scale != "quick" else "")


def main(docs: Path, runs: Path | None = None) -> None:
    """Writes the pages, and copies the figures of the largest recorded scale of each study."""
    for name, text in PAGES.items():
        (docs / name).write_text(text(), encoding="utf-8")
    if runs is None:
        return
    (docs / IMAGES).mkdir(parents=True, exist_ok=True)
    record = read_record()
    for study in all_studies():
        if scale := _largest(study, record):
            shutil.copyfile(runs / scale / study.name / "figure.png", docs / IMAGES / f"{study.name}.png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
