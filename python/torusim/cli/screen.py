"""Output shared by all commands: consoles, tables, JSON on stdout."""

import json
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from torusim.common.formatting import visible

WIDTH_WITHOUT_TERMINAL = 120
INDENT = "    "


def console(*, stderr: bool = False) -> Console:
    """A console for stdout or stderr that prints text unchanged: no markup, no automatic highlighting."""
    plain = _Screen(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not plain.is_terminal:
        plain.width = max(plain.width, WIDTH_WITHOUT_TERMINAL)
    return plain


class _Screen(Console):
    """A console that escapes all text: the only escape sequences that it prints are its own styles."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The printed parts, with their text escaped."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


def warn(problem: str) -> None:
    """Prints a problem that does not end the command."""
    console(stderr=True).print(f"torusim: {problem}", soft_wrap=True)


def print_pairs(rows: Iterable[tuple[str, str]]) -> None:
    """Prints (label, value) as a table of two columns."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for label, value in rows:
        table.add_row(Text(visible(label)), Text(visible(value)))
    console().print(table)


def print_table(
    title: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Sequence[str] = (),
    *,
    narrow: bool = False,
) -> None:
    """Prints a table whose first column is never wrapped; the columns named in `right` are right-aligned.

    Headings are broken between words, and cells of right-aligned columns never: a table may be wider than the terminal.
    Two spaces separate the columns of a `narrow` table, three those of others.
    """
    listed = [[visible(cell) for cell in row] for row in rows]
    screen = console()
    widths = _widths(headings, listed, right, screen.width - 2 - (2 if narrow else 3) * (len(headings) - 1))
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.collapse_padding = narrow
    for index, (heading, width) in enumerate(zip(headings, widths, strict=True)):
        justify: JustifyMethod = "right" if heading in right else "left"
        wrapped = Text("\n".join(_lines(heading, width)))
        table.add_column(wrapped, overflow="fold", justify=justify, no_wrap=index == 0, width=width)
    for row in listed:
        table.add_row(*(Text(cell) for cell in row))
    screen.width = max(screen.width, sum(widths) + 3 * len(headings))
    screen.print(table)


def _widths(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str], available: int) -> list[int]:
    """The width of each column; if they need more than is available, headings are broken first, then texts, then words.

    The first column, numbers and the words of headings are never broken.
    """
    columns = [[row[index] for row in rows] for index in range(len(headings))]
    cells = [_longest(line for cell in column for line in cell.splitlines()) for column in columns]
    words = [_longest(word for cell in column for word in cell.split()) for column in columns]
    unbroken = [index == 0 or heading in right for index, heading in enumerate(headings)]
    least = [
        max(_longest(word.rstrip("\n") for word in _words(heading)), width if is_unbroken else 0)
        for heading, width, is_unbroken in zip(headings, cells, unbroken, strict=True)
    ]
    of_headings = [_longest(heading.split("\n")) for heading in headings]
    widths = [max(pair) for pair in zip(of_headings, cells, strict=True)]
    for limits in (cells, words, least):
        limits_here = [max(pair) for pair in zip(limits, least, strict=True)]
        while sum(widths) > available and (wide := [i for i, width in enumerate(widths) if width > limits_here[i]]):
            widths[max(wide, key=lambda i: widths[i])] -= 1
    return widths


def _longest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _words(heading: str) -> list[str]:
    """The parts between which a heading may be broken: after spaces, dots, underscores and line breaks."""
    return re.findall(r"[^ ._\n]*[ ._\n]*", heading)


def _lines(heading: str, width: int) -> list[str]:
    lines = [""]
    for word in _words(heading):
        if lines[-1].endswith("\n") or (lines[-1] and cell_len((lines[-1] + word).rstrip()) > width):
            lines.append("")
        lines[-1] += word
    return [line.rstrip(" \n") for line in lines]


def print_definitions(title: str, definitions: Iterable[tuple[str, str, str]]) -> None:
    """Prints (name, note, meaning): the name and note on one unwrapped text line, the meaning below it."""
    screen = console()
    screen.print(Text(f"\n{title}\n", style="bold"))
    for name, note, meaning in definitions:
        screen.print(Text.assemble((name, "cyan"), f"  ({note})" if note else ""), soft_wrap=True)
        screen.print(_indented(meaning, screen.width), soft_wrap=True)


def _indented(text: str, width: int) -> str:
    return textwrap.fill(text, max(width, 20), initial_indent=INDENT, subsequent_indent=INDENT)


def print_json(value: object) -> None:
    """Prints a value as JSON on stdout."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
