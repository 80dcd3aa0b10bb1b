"""`torusim collect`: the one table of a sweep that was run in shards."""

from pathlib import Path
from typing import Annotated

import typer

from torusim._core import InputError
from torusim.cli.options import AllOption, JsonOption
from torusim.cli.progress import Waiting
from torusim.cli.sweep import leave
from torusim.sweeps.sweep import TABLE_FILE, collect_shards

EXAMPLES = """[bold]Examples[/bold]

  torusim sweep scenario.toml --over run.seed=1..80 --shard 1/8 --out big      one of eight
  torusim collect big                          they share a folder
  torusim collect one two three --out all      each has its own folder

If points are missing, it says how many and writes nothing."""


def collect(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR", help="The folders of the shards.", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for points and table.", show_default="DIR, if it is one")
    ] = None,
    as_json: JsonOption = False,
    show_all: AllOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Suppress the table.")] = False,
) -> None:
    """Write the table of a sweep whose shards have been run by torusim sweep --shard."""
    if out is None and len(folders) > 1:
        raise InputError("collect: several folders need --out DIR for what is collected")
    folder = out or folders[0]
    with Waiting("reading the points", quiet=quiet):
        swept = collect_shards(folders, folder)
    hint = f"The table is {folder / TABLE_FILE}; torusim plot {folder} draws it."
    leave(swept, hint, as_json=as_json, show_all=show_all, quiet=quiet)
