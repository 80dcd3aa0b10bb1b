"""The page of a study: its claims with their readings and causes, its results, notes, and changed tests."""

from collections.abc import Iterator, Sequence

from torusim.common.formatting import about
from torusim.study.claims import Claim, Verdict, agreement
from torusim.study.description import Study
from torusim.study.page_text import (
    PROVENANCE,
    claim_heading,
    command,
    filled,
    heading,
    largest_scale,
    table,
    title,
)
from torusim.study.record import Record, recorded_verdicts, with_numbers


def study_page(study: Study, record: Record) -> str:
    """Everything that is known of a study."""
    parts = [title(f"# {heading(study)}\n\n{filled(study.about)}\n")]
    parts += _results(study, record)
    parts.append("## Claims\n\nVerdicts of all studies are in [validation](../validation.md).\n")
    for claim in study.claims:
        parts += _claim(study, claim, record)
    if study.notes:
        parts.append(f"## Notes\n\n{with_numbers(study.notes, study, record)}")
    parts += _history(study)
    return "\n".join(parts).rstrip() + "\n"


def _results(study: Study, record: Record) -> Iterator[str]:
    yield "## Results\n"
    scale = largest_scale(study, record)
    if scale is not None:
        minutes = about(60 * study.scales[scale].minutes)
        yield f"```sh\n{command(study, scale)}    # {minutes} on one core\n```\n"
        yield from table(record[scale][study.name]["rows"])
    if scale != "paper":
        minutes = about(60 * study.scales["paper"].minutes)
        yield f"The paper scale was not run for this page: it takes {minutes}.\n"


def _claim(study: Study, claim: Claim, record: Record) -> Iterator[str]:
    """A claim's words, the verdicts on its readings, and the causes of disagreements."""
    by_reading = [recorded_verdicts(study, claim, reading, record) for reading in claim.readings]
    last = [verdicts[-1] for verdicts in by_reading if verdicts]
    yield f"### {claim_heading(claim)}\n"
    verdict = agreement(last) if last else "not run"
    memory = ", from memory" if claim.from_memory else ""
    yield filled(f"**{verdict}** ({PROVENANCE[claim.kind]}{memory}). {_quoted(claim)}".rstrip()) + "\n"
    if last:
        yield "| reading and test | band | paper scale | quick scale | agrees |\n|---|---|---|---|---|"
        yield from (_row(verdicts) for verdicts in by_reading if verdicts)
        yield ""
    yield from _remarks(study, claim, record)


def _quoted(claim: Claim) -> str:
    words = f'"{claim.words}"' if claim.words else ""
    return ": ".join(part for part in (claim.source, words) if part)


def _row(verdicts: Sequence[Verdict]) -> str:
    by_scale = {verdict.scale: verdict for verdict in verdicts}
    last = verdicts[-1]
    parts = (f"*{last.reading.reading}*" if last.reading.reading else "", last.reading.band.test)
    text = " ".join(part for part in parts if part) or "The number itself."
    cells = (
        text,
        last.reading.band.text(last.reading.unit),
        _ours(by_scale.get("paper")),
        _ours(by_scale.get("quick")),
        "yes" if last.agrees else "**no**",
    )
    return f"| {' | '.join(cells)} |"


def _ours(verdict: Verdict | None) -> str:
    if verdict is None:
        return "-"
    words = f"{verdict.ours_text} ({verdict.difference_text})".removesuffix(" ()")
    return words if verdict.agrees else f"**{words}**"


def _remarks(study: Study, claim: Claim, record: Record) -> Iterator[str]:
    """Why readings disagree, or were not run; readings with the same cause share a paragraph."""
    causes: dict[str, list[str]] = {}
    for reading in claim.readings:
        if reading.cause:
            causes.setdefault(reading.cause, []).append(reading.reading.removesuffix("."))
        if reading.not_run:
            yield filled(f"**Not run** ({reading.reading.removesuffix('.')}): {reading.not_run}") + "\n"
    for cause, readings in causes.items():
        of_some = f" ({'; '.join(readings)})" if len(claim.readings) > len(readings) else ""
        yield filled(f"**Why it does not agree{of_some}.** {with_numbers(cause, study, record)}") + "\n"


def _history(study: Study) -> Iterator[str]:
    """The changes of the tests and bands of a study, with the old verdicts."""
    changes = [(claim, reading, change) for claim, reading in study.readings for change in reading.history]
    if not changes:
        return
    yield "## Tests and bands that changed after a run\n"
    for claim, reading, change in changes:
        test = f"{change.band.test} " if change.band.test else ""
        read_as = f" (read as: {reading.reading.removesuffix('.')})" if reading.reading else ""
        text = (
            f"- {claim.row}, {claim.says.removesuffix('.')}{read_as} (`{reading.number}`). Until {change.changed}: "
            f"{test}Band: {change.band.text(reading.unit)}. Verdict: {change.verdict.removesuffix('.')}. "
            f"Changed because: {change.why}"
        )
        yield filled(text, indent="  ")
    yield ""
