"""Runs the examples of README.md and docs/: every fenced block of python or console.

A console block contains commands after `$ ` and, where relevant, their output; `...` matches any text. Commands run in
a temporary folder that links to the project's scenarios, machines and machine rooms. A block after
`<!-- skip: next -->`, and one fenced as another language (`sh`, `toml`, `text`), is not run.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser, SkipParser

ROOT = Path(__file__).parent
LINKED_FOLDERS = ("scenarios", "machines", "machine-rooms")
PROGRESS = re.compile(r"(\d+% done|round \d+), .*|[a-z]+ing\b[\w ,-]*")
"""Lines of progress: a share, a round, or an activity such as "reading the log". Each appears only if two seconds have
passed, which depends on the host; no line that a page shows is of this form."""

PRINTED_MAY_DIFFER = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(scope="module")
def example_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder in which the examples of one page run, one after the other."""
    folder = tmp_path_factory.mktemp("examples")
    for name in LINKED_FOLDERS:
        (folder / name).symlink_to(ROOT / name)
    with chdir(folder):
        yield folder


def evaluate_console(example: Example) -> str | None:
    """Runs each command of a console block; returns a message if one fails or prints something unexpected."""
    for command, expected in _commands(example.parsed):
        finished = _run_command(command)
        if finished.returncode != 0 or not _matches(expected, finished.stdout):
            return f"$ {command}\nexpected:\n{expected}\nexit status {finished.returncode}, printed:\n{finished.stdout}"
    return None


def _commands(block: str) -> Iterator[tuple[str, str]]:
    """(command, expected output) of a console block; a trailing backslash continues a command."""
    for part in f"\n{block}".split("\n$ ")[1:]:
        lines = part.replace("\\\n", "").split("\n", 1)
        yield lines[0], lines[1] if len(lines) > 1 else ""


def _run_command(command: str) -> subprocess.CompletedProcess[str]:
    search_path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        shell=True,
        env=os.environ | {"PATH": search_path, "COLUMNS": "120", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _matches(expected: str, printed: str) -> bool:
    printed = "".join(line for line in printed.splitlines(keepends=True) if not PROGRESS.fullmatch(line.strip()))
    return not expected.strip() or doctest.OutputChecker().check_output(expected, printed, PRINTED_MAY_DIFFER)


pytest_collect_file = Sybil(
    parsers=[
        SkipParser(),
        CodeBlockParser("python", PythonEvaluator()),
        CodeBlockParser("console", evaluate_console),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
    fixtures=["example_folder"],
).pytest()
