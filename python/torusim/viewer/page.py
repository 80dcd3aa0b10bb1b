"""A page with the data of one run or schedule, or of two to compare: one file that makes no request."""

import base64
import html
import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from torusim._core import InputError
from torusim.common.folder import write_atomically
from torusim.common.formatting import size
from torusim.viewer.data import PageData

SCHEMA_VERSION = 1
"""Schema version of pages; incremented when an older viewer would misread them."""

RUNS = 2
"""The most runs, or schedules, on a page."""

EMBEDDED_BYTES = 50_000_000
"""The most bytes of tables in a page; more take too long to open."""

FRAMED_BYTES = 10_000_000
"""The most bytes of tables of a page in a cell of a notebook, whose file holds it."""

TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="torusim-view">{data}</script>
<script type="module">{viewer}</script>
</body>
</html>
"""


def require_one_kind(data: Sequence[PageData]) -> None:
    """Raises an InputError unless all are runs, or all are schedules."""
    if len({each.kind for each in data}) > 1:
        raise InputError(f"{data[0].name} is a {data[0].kind}, {data[1].name} a {data[1].kind}: a page shows one kind")


def viewer() -> str:
    """The viewer, an ES module."""
    return files("torusim.viewer").joinpath("viewer.js").read_text(encoding="utf-8")


def title_of(runs: Sequence[PageData]) -> str:
    """The names of the runs."""
    return " and ".join(run.name for run in runs)


def content(runs: Sequence[PageData], source: Callable[[int, str, bytes], dict[str, Any]]) -> str:
    """The page's document in JSON; `source` says where the table of a run is, by the run's number and its name."""
    page = {
        "schema_version": SCHEMA_VERSION,
        "title": title_of(runs),
        "kind": runs[0].kind,
        "runs": [
            {
                "name": run.name,
                "summary": run.summary,
                "facts": run.facts,
                "tables": {name: source(number, name, data) for name, data in run.tables.items()},
            }
            for number, run in enumerate(runs)
        ],
    }
    # No text in it ends the element that holds it.
    return json.dumps(page).replace("<", "\\u003c")


def page_of(runs: Sequence[PageData], source: Callable[[int, str, bytes], dict[str, Any]]) -> str:
    """The page, whose tables are where `source` says."""
    # The same in a script: </script> ends it even within a string.
    script = viewer().replace("</script", "<\\/script")
    return TEMPLATE.format(title=html.escape(title_of(runs)), data=content(runs, source), viewer=script)


def bytes_of(runs: Sequence[PageData]) -> int:
    """The bytes of all tables."""
    return sum(len(table) for run in runs for table in run.tables.values())


def whole_page(runs: Sequence[PageData]) -> str:
    """The page with all tables in it.

    Raises:
        InputError: If the tables are too large for one.
    """
    all_bytes = bytes_of(runs)
    if all_bytes > EMBEDDED_BYTES:
        raise InputError(
            f"the tables are {size(all_bytes)}, and a page holds at most {size(EMBEDDED_BYTES)}: "
            "torusim view --serve shows them without writing a page"
        )
    return page_of(runs, lambda _number, _name, data: {"base64": base64.b64encode(data).decode("ascii")})


def frame(runs: Sequence[PageData]) -> str:
    """The page in a frame of another one, or a sentence if its tables are too large for that.

    The frame has an origin of its own: scripts of either page cannot reach the other.
    """
    if bytes_of(runs) > FRAMED_BYTES:
        return f"<p>The tables are {size(bytes_of(runs))}: too large for a cell; the method save writes a page.</p>"
    source = html.escape(whole_page(runs))
    return f'<iframe srcdoc="{source}" sandbox="allow-scripts allow-downloads" width="100%" height="720"></iframe>'


def save(runs: Sequence[PageData], path: Path) -> None:
    """Writes the page with all tables in it.

    Raises:
        InputError: If the tables are too large, or the file cannot be written.
    """
    page = whole_page(runs)
    write_atomically(path, lambda temporary: temporary.write_text(page, encoding="utf-8"))
