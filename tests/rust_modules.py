"""The modules of Rust crates, and which of them use which."""

import re
from collections.abc import Iterator
from pathlib import Path

Module = tuple[str, ...]

COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
TESTS = re.compile(r"^#\[cfg\((?:all\()?test.*\)\]\n(?:#\[.*\]\n)*mod \w+ \{", re.MULTILINE)
USE = re.compile(r"^\s*(?:pub(?:\([a-z ]+\))? )?use ([^;]+);", re.MULTILINE)
PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")


def uses(source: Path) -> dict[Module, set[Module]]:
    """The modules that each module of a crate uses, without parents, children and those that only its tests use.

    Args:
        source: The folder `src` of the crate.
    """
    files = {
        module_of(file, source): file for file in source.rglob("*.rs") if "tests" not in (file.stem, file.parent.name)
    }
    return {module: set(used_by(module, file, files)) for module, file in files.items()}


def module_of(file: Path, source: Path) -> Module:
    parts = file.relative_to(source).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib") else parts


def used_by(module: Module, file: Path, files: dict[Module, Path]) -> Iterator[Module]:
    text = TESTS.split(COMMENT.sub("", file.read_text(encoding="utf-8")))[0]
    trees = [path for tree in USE.findall(text) for path in paths_of(tree)]
    for path in trees + PATH.findall(USE.sub("", text)):
        used = resolved(path.split("::"), module, files)
        if used != module[: len(used)] and used[: len(module)] != module:
            yield used


def paths_of(tree: str) -> Iterator[str]:
    """The paths of a tree of imports, such as `a::{b, c::{d, e}}`."""
    head, brace, rest = tree.partition("{")
    if not brace:
        yield tree.split(" as ")[0].strip()
        return
    depth, start = 0, 0
    inner = rest.rpartition("}")[0] + ","
    for place, letter in enumerate(inner):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            if branch := inner[start:place].strip():
                yield from (f"{head.strip()}{path}" for path in paths_of(branch))
            start = place + 1


def resolved(path: list[str], module: Module, files: dict[Module, Path]) -> Module:
    """The module of a path: its longest part that names a file; () if it is not of this crate."""
    if path[0] == "crate":
        names: Module = tuple(path[1:])
    elif path[0] in ("self", "super"):
        ups = sum(name == "super" for name in path)
        names = module[: len(module) - ups] + tuple(name for name in path if name not in ("self", "super"))
    else:
        names = (*module, *path)
    while names and names not in files:
        names = names[:-1]
    return names
