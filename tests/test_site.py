"""The documentation site: it builds without a warning, its links lead somewhere, and it says what the pages say."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import markdown_it
import pytest

import torusim
from tests.support import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
COMPARED = ("h1", "h2", "h3", "li", "tr", "pre", "img")
"""Elements that a page must have in the same number on the site as on a repository host."""
QUIET = {"NO_COLOR": "1", "NO_MKDOCS_2_WARNING": "1"}
MADE_BY_THE_SITE = ("docs/api.md",)
"""The reference is in the docstrings, not in its page."""


class Content(HTMLParser):
    """The references of a page, its anchors, and the number of elements of each kind in its article."""

    def __init__(self, source: str) -> None:
        """Reads a page."""
        super().__init__()
        self.references: list[str] = []
        self.anchors: set[str] = set()
        self.elements: Counter[str] = Counter()
        self._in_article = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a tag."""
        given = dict(attrs)
        self.references += [value for name in ("href", "src") if (value := given.get(name))]
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        self._in_article |= tag == "article"
        self.elements[tag] += self._in_article

    def handle_endtag(self, tag: str) -> None:
        """Notes the end of the article."""
        self._in_article &= tag != "article"


@cache
def content(page: Path) -> Content:
    return Content(page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; its notebooks are run."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    finished = subprocess.run(command, cwd=ROOT, env=os.environ | QUIET, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert "WARNING  -" not in finished.stderr
    return folder


def broken_references(page: Path, site: Path) -> Iterator[str]:
    for reference in content(page).references:
        parts = urlsplit(reference)
        if parts.scheme or parts.netloc:
            continue
        linked = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if linked.is_dir():
            linked /= "index.html"
        exists = linked.is_relative_to(site.resolve()) and linked.is_file()
        if not exists or not has_anchor(linked, unquote(parts.fragment)):
            yield reference


def has_anchor(linked: Path, anchor: str) -> bool:
    return not anchor or linked.suffix != ".html" or anchor in content(linked).anchors


def test_references_lead_somewhere(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.name != "404.html"]
    assert len(pages) > 20
    broken = {str(page.relative_to(site)): found for page in pages if (found := list(broken_references(page, site)))}
    assert not broken


def test_a_broken_reference_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.html").write_text('<h1 id="here">There</h1>')
    page = tmp_path / "page.html"
    page.write_text("".join(f'<a href="{end}">' for end in ("there.html#here", "there.html#away", "away.html", "#x")))
    assert list(broken_references(page, tmp_path)) == ["there.html#away", "away.html", "#x"]


def test_site_loads_nothing_from_other_hosts(site: Path) -> None:
    for page in site.rglob("*.html"):
        source = page.read_text(encoding="utf-8")
        assert '<script src="http' not in source
        assert '<link rel="stylesheet" href="http' not in source


def pages() -> list[str]:
    paths = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


@pytest.mark.parametrize("page", [page for page in pages() if page not in MADE_BY_THE_SITE])
def test_page_is_the_same_on_a_host_of_repositories(site: Path, page: str) -> None:
    """The dialects of Markdown differ: in lists without an empty line before them, in tables within lists."""
    rendered = markdown_it.MarkdownIt("commonmark").enable("table").render((ROOT / page).read_text(encoding="utf-8"))
    expected = Content(f"<article>{rendered}</article>")
    name = page.replace("README.md", "index.md").removesuffix(".md") + ".html"
    shown = content(site / name).elements
    assert {tag: shown[tag] for tag in COMPARED} == {tag: expected.elements[tag] for tag in COMPARED}


def test_reference_has_every_public_name(site: Path) -> None:
    anchors = content(site / "docs" / "api.html").anchors
    assert {f"torusim.{name}" for name in torusim.__all__} <= anchors


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stored_without_outputs(notebook: Path) -> None:
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_shown_with_pictures(site: Path, notebook: Path) -> None:
    shown = content(site / "docs" / "notebooks" / f"{notebook.stem}.html")
    pictures = [reference for reference in shown.references if reference.startswith("data:image/png")]
    assert pictures


def test_scenes_are_pages(site: Path) -> None:
    told = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\*Page: ([\w-]+\.html)\*", told))
    assert len(named) == told.count("\n## ")
    assert {page.name for page in (site / "docs" / "scenes").glob("*.html")} == named
    assert all(
        'id="torusim-view"' in page.read_text(encoding="utf-8") for page in (site / "docs/scenes").glob("*.html")
    )
