"""Output shared by all commands: consoles, tables, JSON on stdout, exit statuses."""

import json
import sys
import textwrap
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

EXIT_COMPLETED = 0
EXIT_OTHER_OUTCOME = 1
EXIT_BAD_INPUT = 2

WIDTH_WITHOUT_TERMINAL = 120
INDENT = "    "


def console(*, stderr: bool = False) -> Console:
    """A console for stdout or stderr that prints text unchanged: no markup, no automatic highlighting."""
    plain = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not plain.is_terminal:
        plain.width = max(plain.width, WIDTH_WITHOUT_TERMINAL)
    return plain


def warn(problem: str) -> None:
    """Prints a problem that does not end the command."""
    console(stderr=True).print(f"torusim: {problem}", soft_wrap=True)


def print_pairs(rows: Iterable[tuple[str, str]]) -> None:
    """Prints (label, value) as a table of two columns."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for label, value in rows:
        table.add_row(Text(label), Text(value))
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

    Two spaces separate the columns of a `narrow` table, three those of others.
    """
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.collapse_padding = narrow
    for index, heading in enumerate(headings):
        justify: JustifyMethod = "right" if heading in right else "left"
        table.add_column(heading, overflow="fold", justify=justify, no_wrap=index == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)


def print_definitions(title: str, definitions: Iterable[tuple[str, str, str]]) -> None:
    """Prints (name, note, meaning): the name and note on one unwrapped line, the meaning below it."""
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
