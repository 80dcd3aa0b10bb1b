"""The page of all claims, a row for each, and that of fitted values and of our own checks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from torusim.common.formatting import number
from torusim.study.claims import Agreement, Claim, Kind, Verdict, agreement
from torusim.study.description import Study
from torusim.study.page_text import FOLDER, PROVENANCE, anchor, claim_heading, filled, page_of, title
from torusim.study.record import Record, read_record, recorded_verdicts, with_numbers
from torusim.study.subjects import Subject, all_subjects

NO_EVIDENCE = f"{FOLDER}/fitted-and-checks.md"

HEAD = """\
# Validation against the papers

Each row is a paper's claim, compared with a recorded run of torusim.

- A claim **agrees** if it does however its words are understood, **partly** if in some of these readings, **no** if in
  none. Readings were not dropped because they failed.
- A number agrees within 3 points or 5 %, unless its study says why not. Words have a test of ours.
- Runs have the papers' sizes, unless marked *quick*: smaller machines.
- A row leads to its study, with tests, results and causes.
- [Published figures](claims.md) explains labels; the [gallery](gallery.md) shows figures.

"""

KIND_MEANING: Mapping[Kind, str] = {
    Kind.PUBLISHED: "a printed number",
    Kind.STATED: "an ordering or a curve's shape",
    Kind.FITTED: f"a parameter was chosen to meet it: **no evidence** ([listed apart]({NO_EVIDENCE}))",
    Kind.CROSS_CHECK: "another simulator",
    Kind.CHECK: f"formulas, and tests of ours ([listed apart]({NO_EVIDENCE}))",
}

TAIL = """\
*From memory*: quoted without the source at hand.

"""

NO_EVIDENCE_HEAD = """\
# Fitted values and checks of our own

What agrees here shows that torusim does what it is meant to, and not that the machines did. The claims of papers are in
[validation](../validation.md).

"""

NO_EVIDENCE_PARTS: Mapping[Kind, tuple[str, str]] = {
    Kind.FITTED: (
        "Fitted values",
        "A parameter was chosen to meet each of these rows, so that their agreement is no evidence.",
    ),
    Kind.CHECK: (
        "Identities and checks of our own",
        "Formulas that must hold whatever the machine, and numbers of ours without a published one.",
    ),
}


@dataclass(frozen=True)
class Row:
    """A claim with the last verdict on each of its recorded readings.

    Attributes:
        study: The study that tests it.
        claim: The claim.
        verdicts: A verdict for each reading, at the largest scale at which it was recorded; none if none was.
    """

    study: Study
    claim: Claim
    verdicts: Sequence[Verdict]

    @property
    def agreement(self) -> Agreement | None:
        """Whether it agrees; None without a recorded run."""
        return agreement(self.verdicts) if self.verdicts else None


def claims_page() -> str:
    """The page of all claims; it counts claims that are no evidence, but has no rows for them."""
    record, subjects = read_record(), all_subjects()
    parts = [title(HEAD), *_counts(subjects, record), TAIL.rstrip() + "\n"]
    for subject in subjects:
        rows = [row for row in _rows(subject, record) if row.claim.kind not in NO_EVIDENCE_PARTS]
        if rows:
            parts.append(f"## {subject.title}\n\n{subject.about}\n")
            parts += _table(rows, record, f"{FOLDER}/")
    return "\n".join(parts).rstrip() + "\n"


def no_evidence_page() -> str:
    """The page of fitted values and of our own checks."""
    record, subjects = read_record(), all_subjects()
    parts = [title(NO_EVIDENCE_HEAD)]
    for kind, (name, about_it) in NO_EVIDENCE_PARTS.items():
        rows = [row for subject in subjects for row in _rows(subject, record) if row.claim.kind is kind]
        parts += [f"## {name}\n\n{filled(about_it)}\n", *_table(rows, record, "")]
    return "\n".join(parts).rstrip() + "\n"


def _rows(subject: Subject, record: Record) -> Iterator[Row]:
    for study in subject.studies:
        for claim in study.claims:
            by_reading = (recorded_verdicts(study, claim, reading, record) for reading in claim.readings)
            yield Row(study, claim, [verdicts[-1] for verdicts in by_reading if verdicts])


def _counts(subjects: Sequence[Subject], record: Record) -> Iterator[str]:
    found = Counter((row.claim.kind, row.agreement) for subject in subjects for row in _rows(subject, record))
    yield "| provenance | what it is | agrees | partly | no |\n|---|---|---|---|---|"
    for kind, meaning in KIND_MEANING.items():
        numbers = " | ".join(str(found[kind, each]) for each in Agreement)
        yield f"| {PROVENANCE[kind]} | {meaning} | {numbers} |"
    yield ""


def _table(rows: Sequence[Row], record: Record, folder: str) -> Iterator[str]:
    yield "| row | claim | verdict | our result | provenance |\n|---|---|---|---|---|"
    for row in rows:
        link = f"[{row.claim.row}]({folder}{page_of(row.study)}#{anchor(claim_heading(row.claim))})"
        cells = (link, row.claim.says.removesuffix("."), _verdict(row), in_short(row, record), _provenance(row))
        yield f"| {' | '.join(cells)} |"
    yield ""


def _verdict(row: Row) -> str:
    if row.agreement is None:
        return "not run"
    return str(row.agreement) if row.agreement is Agreement.AGREES else f"**{row.agreement}**"


def in_short(row: Row, record: Record) -> str:
    """The claim's sentence, or our numbers; why it was not run, without a recorded run.

    The reference follows our numbers unless the claim itself has it.
    """
    if not row.verdicts:
        return row.claim.readings[0].not_run
    if row.claim.in_short:
        return with_numbers(row.claim.in_short, row.study, record).removesuffix(".")
    reference = _reference(row.verdicts[-1])
    is_in_claim = reference.rpartition(" ")[2] in row.claim.says
    return _span(row.verdicts) + ("" if is_in_claim else f" ({reference})")


def _span(verdicts: Sequence[Verdict]) -> str:
    """The least and the greatest of our numbers, with three significant digits and the unit of the last."""
    numbers = sorted(verdict.ours for verdict in verdicts)
    ends = dict.fromkeys(number(float(f"{end:.3g}")) for end in (numbers[0], numbers[-1]))
    return f"{' to '.join(ends)} {verdicts[-1].reading.unit}".strip()


def _reference(verdict: Verdict) -> str:
    band = verdict.reading.band
    if band.paper is None or band.has_limits:
        return band.text("")
    return f"paper {number(band.paper)}"


def _provenance(row: Row) -> str:
    scales = {verdict.scale for verdict in row.verdicts}
    quick = {frozenset({"quick"}): "quick", frozenset({"quick", "paper"}): "partly quick"}
    parts = (
        PROVENANCE[row.claim.kind],
        "from memory" if row.claim.from_memory else "",
        quick.get(frozenset(scales), ""),
    )
    return ", ".join(part for part in parts if part)
