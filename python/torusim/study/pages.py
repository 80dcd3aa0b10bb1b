"""Writes the pages of the studies from the record of verdicts and the studies' own texts.

python -m torusim.study.pages docs                   after torusim verify --record
python -m torusim.study.pages docs runs/studies      and copies the figures from there

    validation.md                      a row for each claim of a paper
    validation/fitted-and-checks.md    a row for each fitted value, and for each check of our own
    validation/STUDY.md                a study: readings, tests, causes, results
    gallery.md                         all figures
"""

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from torusim.study.description import all_studies
from torusim.study.page_text import FOLDER, command, filled, heading, largest_scale, page_of, table, title
from torusim.study.record import read_record
from torusim.study.study_page import study_page
from torusim.study.verdict_pages import NO_EVIDENCE, claims_page, no_evidence_page

GALLERY_HEAD = """\
# Gallery

The figures of the papers as torusim draws them, each by one command. [Validation](validation.md) gives the verdicts,
and the link below a figure its numbers.

"""

IMAGES = Path("images") / "studies"


def pages(docs: Path) -> Mapping[str, str]:
    """The generated pages by their path in docs/."""
    record = read_record()
    of_studies = {f"{FOLDER}/{page_of(study)}": study_page(study, record) for study in all_studies()}
    return {
        "validation.md": claims_page(),
        NO_EVIDENCE: no_evidence_page(),
        "gallery.md": gallery(docs),
        **of_studies,
    }


def gallery(docs: Path) -> str:
    """The page of all figures; a study without one is shown by its table."""
    parts = [title(GALLERY_HEAD)]
    for study in all_studies():
        scale = largest_scale(study, read_record())
        if scale is None:
            continue
        image = IMAGES / f"{study.name}.png"
        repeat = command(study, scale)
        parts.append(f"## {heading(study)}\n")
        if (docs / image).is_file():
            parts.append(f"![{study.title}]({image})\n")
            repeat = command(study, scale_of_picture(docs / image) or scale)
        else:
            parts += table(read_record()[scale][study.name]["rows"])
        parts.append(f"{filled(study.about)}\n\n[Numbers]({FOLDER}/{page_of(study)})\n\n```sh\n{repeat}\n```\n")
    return "\n".join(parts).rstrip() + "\n"


def scale_of_picture(path: Path) -> str | None:
    """The scale of the study that drew a picture, from the picture's own description; None if it has none."""
    found = re.search(rb"torusim study [\w-]+ --scale (\w+)", path.read_bytes())
    return None if found is None else found[1].decode()


def main(docs: Path, runs: Path | None = None) -> None:
    """Writes the pages, and copies the figures of the largest recorded scale of each study.

    Pages of studies that no longer exist are removed.
    """
    if runs is not None:
        _copy_figures(docs, runs)
    written = pages(docs)
    (docs / FOLDER).mkdir(exist_ok=True)
    for name, text in written.items():
        (docs / name).write_text(text, encoding="utf-8")
    for path in (docs / FOLDER).glob("*.md"):
        if f"{FOLDER}/{path.name}" not in written:
            path.unlink()


def _copy_figures(docs: Path, runs: Path) -> None:
    """Replaces the figures of the studies that were run; a study that draws no figure gets none."""
    (docs / IMAGES).mkdir(parents=True, exist_ok=True)
    record = read_record()
    for study in all_studies():
        folder = runs / str(largest_scale(study, record)) / study.name
        target = docs / IMAGES / f"{study.name}.png"
        if (folder / "figure.png").is_file():
            shutil.copyfile(folder / "figure.png", target)
        elif (folder / "findings.json").is_file():
            target.unlink(missing_ok=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
