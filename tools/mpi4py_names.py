"""Prints the public names of mpi4py with their arguments: python tools/mpi4py_names.py MPI.pyi (its stub)."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

CLASSES = ("Datatype", "Status", "Request", "Prequest", "Message", "Op", "Group", "Comm", "Intracomm", "Topocomm")
CLASSES += ("Cartcomm", "Distgraphcomm")


def main() -> None:
    """Prints the names, sorted, one on each text line."""
    body = ast.parse(Path(sys.argv[1]).read_text(encoding="utf-8")).body
    lines = set(names(body, ""))
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name in CLASSES:
            lines |= set(names(node.body, f"{node.name}."))
    sys.stdout.write("\n".join(sorted(lines)) + "\n")


def names(body: list[ast.stmt], owner: str) -> Iterator[str]:
    """The public names that a module or a class defines."""
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            is_property = any(
                ast.unparse(each).split(".")[-1] in ("property", "setter") for each in node.decorator_list
            )
            yield f"{owner}{node.name}" + ("" if is_property else f"({arguments(node)})")
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not owner:
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            yield f"{owner}{node.target.id}"
        elif isinstance(node, ast.Assign):
            yield from (
                f"{owner}{each.id}" for each in node.targets if isinstance(each, ast.Name) and each.id[0] != "_"
            )


def arguments(node: ast.FunctionDef) -> str:
    """The names of the arguments of a function, with = after those that have a default."""
    listed = [*node.args.posonlyargs, *node.args.args]
    defaults = len(listed) - len(node.args.defaults)
    named = [argument.arg + ("=" if place >= defaults else "") for place, argument in enumerate(listed)]
    return ", ".join(name for name in named if name not in ("self", "cls"))


main()
