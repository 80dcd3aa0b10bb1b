"""The example scenarios and logs that come with torusim; `torusim init --example` copies them."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "scenarios"
"""In the repository this is a link to the folder at the top; a wheel holds the files."""

COMMANDS = {".toml": "run", ".swf": "schedule", ".c": "mpicc", ".py": "mpirun -n 8 python"}
"""The commands that take files with these suffixes: scenarios, job logs, and programs in C and in Python."""


KINDS = {".swf": "a log of jobs", ".c": "a program in C", ".py": "a program in Python"}


def kind_of(path: Path) -> str:
    """What the name of a file says that it is."""
    return KINDS.get(path.suffix, "a scenario")


@dataclass(frozen=True)
class Example:
    """A file to start from."""

    path: Path
    """A scenario (TOML), a job log (SWF), or a program in C or in Python."""

    @property
    def name(self) -> str:
        """The name of the file without its suffix."""
        return self.path.stem

    @property
    def description(self) -> str:
        """The first sentence of the comment at the head of the file."""
        head = re.match(r"(?:[#;].*\n)+|/\*(?s:.*?)\*/", self.text)
        assert head is not None, f"{self.path} has no comment at its head"
        comment = re.sub(r"^[#;]|/\*|\*/", "", head[0], flags=re.MULTILINE)
        return re.split(r"(?<=\.) ", " ".join(comment.split()), maxsplit=1)[0]

    @property
    def text(self) -> str:
        """The whole file."""
        return self.path.read_text(encoding="utf-8")

    @property
    def companions(self) -> list[Path]:
        """The files in the same folder that the example names, such as a file of flows."""
        named = re.findall(r'^path = "([\w.-]+)"$', self.text, flags=re.MULTILINE)
        return [self.path.parent / name for name in named]

    @property
    def command(self) -> str:
        """The command that takes such a file."""
        return COMMANDS[self.path.suffix]


def examples() -> dict[str, Example]:
    """All examples by name, sorted."""
    files = sorted(path for path in FOLDER.iterdir() if path.suffix in COMMANDS)
    return {path.stem: Example(path) for path in files}
