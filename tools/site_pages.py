"""The pages of the documentation site (mkdocs.yml): files of the repository at their own paths.

Each page has the same path as in the repository, so that links are right on the site and on a repository host alike.
Listings of folders of presets, which such a host shows by itself, are made here. So are the pages of docs/scenes.md, by
the commands that it shows.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
LISTED = {
    "machines": "The presets of `machine.preset`: each number with its source, or marked as assumed.",
    "machine-rooms": "The rooms of `torusim room`: midplanes, cables and profiles.",
    "scenarios": "Examples to start from: `torusim init --example NAME` copies one.",
}
"""The folders whose files are shown on one page, and the text about them."""

PATTERNS = (
    *("*.md", "LICENSE", "docs/**/*.md", "docs/**/*.ipynb", "docs/**/*.png", "docs/**/*.css"),
    *(f"{folder}/*" for folder in LISTED),
)

SCENES = "docs/scenes.md"
SCENE_NAMED = re.compile(r"\*Page: ([\w-]+\.html)\*")
SCENE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

LISTED_LINK = re.compile(rf"\]\(((?:\.\./)*(?:{'|'.join(LISTED)}))/?\)")
REFERENCE = re.compile(r"^<!-- (::: [\w.]+) -->$", re.MULTILINE)
PAGE_LINK = re.compile(r'(href="[^":]+)\.md([#"])')


@event_priority(100)  # before notebooks are recognized
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the theme, and the pages."""
    of_theme = [file for file in files if file.src_dir != config.docs_dir]
    return Files([*of_theme, *_pages(config), *_listings(config), *_scenes(config)])


def _pages(config: MkDocsConfig) -> Iterator[File]:
    for path in sorted({path for pattern in PATTERNS for path in ROOT.glob(pattern)}):
        name = path.relative_to(ROOT).as_posix()
        yield File(name, str(ROOT), config.site_dir, config.use_directory_urls)


def _listings(config: MkDocsConfig) -> Iterator[File]:
    for folder, about in LISTED.items():
        title = folder.replace("-", " ").capitalize()
        listed = "".join(_listed(path) for path in sorted((ROOT / folder).iterdir()))
        yield File.generated(config, f"{folder}/index.md", content=f"# {title}\n\n{about}\n{listed}")


def _scenes(config: MkDocsConfig) -> Iterator[File]:
    folder = Path(tempfile.mkdtemp(prefix="scenes-"))
    (folder / "scenarios").symlink_to(ROOT / "scenarios")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for commands in SCENE.findall((ROOT / SCENES).read_text(encoding="utf-8")):
        subprocess.run(["sh", "-e"], input=commands, text=True, cwd=folder, env=os.environ | {"PATH": path}, check=True)
    for page in sorted(folder.glob("*.html")):
        yield File.generated(config, f"{SCENES.removesuffix('.md')}/{page.name}", abs_src_path=str(page))


def _listed(path: Path) -> str:
    return f"\n## {path.name}\n\n```{path.suffix[1:]}\n{path.read_text(encoding='utf-8')}```\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Links listings of folders and scenes, and turns comments that name an object into its reference."""
    markdown = SCENE_NAMED.sub(r"[Open the page](scenes/\1)", markdown)
    return REFERENCE.sub(r"\1", LISTED_LINK.sub(r"](\1/index.md)", markdown))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Translates links of notebooks to pages, as MkDocs translates links in pages only."""
    return PAGE_LINK.sub(r"\1.html\2", html) if page.file.src_uri.endswith(".ipynb") else html
