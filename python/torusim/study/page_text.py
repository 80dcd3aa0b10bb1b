"""Parts that the generated pages share: headings, anchors, tables, and the names of the kinds of claims."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.common.formatting import cell
from torusim.study.claim_file import SCALES
from torusim.study.claims import Claim, Kind
from torusim.study.description import Study
from torusim.study.record import Record

WRITTEN = "<!-- Written by python -m torusim.study.pages; change the studies' texts, not this page. -->"

COLUMNS = 120
"""Maximum length of text lines in pages."""

FOLDER = "validation"
"""The folder of the studies' pages in docs/."""

PROVENANCE: Mapping[Kind, str] = {
    Kind.PUBLISHED: "number",
    Kind.STATED: "words",
    Kind.FITTED: "fitted",
    Kind.CROSS_CHECK: "cross-check",
    Kind.CHECK: "own check",
}
"""The reference of a claim in the column of that name, explained on the page of all claims."""


def title(head: str) -> str:
    """The head of a page, its title in the first line, with the comment that names the page's origin."""
    first, _, text = head.partition("\n")
    return f"{first}\n\n{WRITTEN}\n{text.rstrip()}\n"


LIST_MARK = re.compile(r"(?<=\n)( *)([-+*]|\d+(?=\.))(?=\.? )")
"""What would begin a list in a line that is not the first of its text."""


def filled(text: str, indent: str = "") -> str:
    """A text with lines of the pages' length.

    Args:
        text: The text, a paragraph or an item of a list.
        indent: Precedes all lines but the first.
    """
    lines = textwrap.fill(text, COLUMNS, subsequent_indent=indent, break_on_hyphens=False)
    return LIST_MARK.sub(lambda found: f"{found[1]}{_escaped(found[2])}", lines)


def _escaped(mark: str) -> str:
    return f"\\{mark}" if not mark.isdecimal() else f"{mark}\\"


def heading(study: Study) -> str:
    """The title of a study, with its figure and rows."""
    rows = ", ".join(study.rows)
    return f"{study.figure}: {study.title} ({rows})" if study.figure else f"{study.title} ({rows})"


def claim_heading(claim: Claim) -> str:
    """The heading of a claim on the page of its study."""
    return f"{claim.row}: {claim.says.removesuffix('.')}"


def anchor(text: str) -> str:
    """The anchor of a heading, as the common hosts of repositories form it."""
    kept = (character for character in text.lower() if character.isalnum() or character in "-_ ")
    return "".join(kept).replace(" ", "-")


def page_of(study: Study) -> str:
    """The file name of a study's page."""
    return f"{study.name}.md"


def table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A table with the headings of its first row; nothing without rows."""
    if not rows:
        return
    yield f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}"
    for row in rows:
        yield f"| {' | '.join(map(cell, row.values()))} |"
    yield ""


def largest_scale(study: Study, record: Record) -> str | None:
    """The largest scale at which the record has results of a study."""
    return next((scale for scale in reversed(SCALES) if study.name in record.get(scale, {})), None)


def command(study: Study, scale: str) -> str:
    """The command that repeats a study at a scale."""
    return f"torusim study {study.name}" + (f" --scale {scale}" if scale != "quick" else "")
