"""A hash of the code that a point runs: the compiled models, and a Python file with all its imports.

Results are stored under this hash, so that results of outdated code are not used again. A process on another host is
asked for its hash, so that results of different code are not used.
"""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from torusim import _core

PACKAGE = Path(__file__).parent.parent

STUDIES = "torusim_studies"
"""The package of the studies, which may be installed."""

OURS = (PACKAGE.name, STUDIES)


def folder_of(package: str) -> Path | None:
    """The folder of a package; None if it is not installed."""
    found = find_spec(package)
    return None if found is None or found.origin is None else Path(found.origin).parent


def hash_of(paths: tuple[Path, ...]) -> str:
    """The hash of the compiled models and of these files."""
    return "".join(_hash_of_file(file) for file in (Path(str(_core.__file__)), *paths))


@cache
def code_of(path: Path) -> tuple[Path, ...]:
    """A Python file and all modules that it imports, directly or not, from our packages and the file's own folder."""
    found: dict[Path, None] = {}
    new = [path.resolve()]
    while new:
        file = new.pop()
        if file not in found:
            found[file] = None
            new += [source for name in _imports(file) if (source := _source_of(name, file.parent)) is not None]
    return tuple(sorted(found))


def _imports(path: Path) -> Iterator[str]:
    """The names of the modules that a file imports; of `from a import b` both "a" and "a.b", as b may be a module."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _source_of(name: str, folder: Path) -> Path | None:
    """The file of a module of our packages or of a folder; None for all other modules."""
    first, *inner = parts = name.split(".")
    root = folder_of(first) if first in OURS else None
    if root is None:
        root, inner = folder, parts
    stem = root.joinpath(*inner)
    return next((file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)


@cache
def _hash_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
