"""`torusim init`: writes a commented scenario as a starting point."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from torusim import _core
from torusim._core import InputError
from torusim.cli import completion
from torusim.cli.examples import Example, examples, kind_of
from torusim.cli.screen import console

EXAMPLES = """[bold]Examples[/bold]

  torusim init                             writes scenario.toml
  torusim init hot.toml --kind hot-spot    for another workload
  torusim init --example tornado-ring-16   copies one of torusim list examples
  torusim init -                           prints it"""


def init(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="The file to write, or - for stdout.",
            show_default="scenario.toml, or the example's own name",
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="A kind of workload; torusim list workloads names them.",
            autocompletion=completion.kinds,
        ),
    ] = None,
    example: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Copy an example instead; torusim list examples names them."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a commented scenario, or an example, that can be run as it is and edited."""
    if kind is not None and example is not None:
        raise InputError("--example: an example has its own workload; leave out --kind or --example")
    copied = None if example is None else _example(example)
    path = path or Path("scenario.toml" if copied is None else copied.path.name)
    if copied is not None:
        _refuse_other_suffix(path, copied)
    text = _template(kind) if copied is None else copied.text
    if str(path) == "-":
        sys.stdout.write(text)
        return
    _write(path, text, force=force)
    for companion in [] if copied is None else copied.companions:
        _write(path.parent / companion.name, companion.read_text(encoding="utf-8"), force=force)
    command = "run" if copied is None else copied.command
    does = "compiles" if command == "mpicc" else "runs"
    console().print(f"{path} is written; torusim {command} {path} {does} it.", soft_wrap=True)


def _example(name: str) -> Example:
    known = examples()
    if name not in known:
        raise InputError(f"--example: {name!r} is not known; it can be {', '.join(known)}")
    return known[name]


def _refuse_other_suffix(path: Path, copied: Example) -> None:
    """Refuses a log under the name of a scenario, and the like: it would be read as its name says."""
    kind = kind_of(copied.path)
    if str(path) != "-" and kind_of(path) != kind:
        named = path.parent / copied.path.name  # also of a path without a name, such as "."
        raise InputError(f"{path}: {copied.name} is {kind}; name it {named} or another file that ends so")


def _template(kind: str | None) -> str:
    known = [workload["kind"] for workload in json.loads(_core.catalog())["workloads"]]
    if kind is not None and kind not in known:
        raise InputError(f"--kind: {kind!r} is not known; it can be {', '.join(known)}")
    return _core.template(kind)


def _write(path: Path, text: str, *, force: bool) -> None:
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path}: exists already; --force replaces it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
