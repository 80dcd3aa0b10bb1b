"""`torusim twist`: the twists of a torus with the shortest routes and the least loaded links."""

import json
from enum import StrEnum
from typing import Annotated, Any

import typer

from torusim import _core
from torusim.cli.options import JsonOption
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_table
from torusim.common.formatting import LENGTHS_NEEDED, in_one_line, lengths, number

EXAMPLES = """[bold]Examples[/bold]

  torusim twist 4x4x8
  torusim twist 4x8x16 --most 10
  torusim twist 8x16 --json

A scenario takes a twist as machine.twist = { x = { z = 4 } }, or "auto" for those that makers offer."""


class Pattern(StrEnum):
    """The traffic for which twists are compared."""

    ALL_TO_ALL = "all-to-all"


def twist(
    shape: Annotated[
        str, typer.Argument(metavar="SHAPE", help="Lengths of the dimensions, such as 4x8x16.", show_default=False)
    ],
    pattern: Annotated[Pattern, typer.Option("--for", help="Compare the bounds of this traffic.")] = Pattern.ALL_TO_ALL,
    most: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Print the N best twists.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Find the twist of a torus that gains most: distances, and the bound of an all-to-all against the plain torus."""
    with Waiting("searching all twists"):
        found = json.loads(_core.best_twists(_lengths(shape), most))
    if as_json:
        print_json(found)
        return
    rows = [_row("none", found["plain"]), *(_row(_setting(each["setting"]), each) for each in found["twists"])]
    title = f"Twists of {found['shape']}, by the bound of an {pattern.value}"
    print_table(
        title,
        ("machine.twist", "longest route", "mean", "gain", "offered"),
        rows,
        right=("longest route", "mean", "gain"),
    )
    console().print(
        "Gain: how many times as fast the bound is as without a twist. Offered: by the maker of TPU slices."
    )


def _lengths(text: str) -> list[int]:
    try:
        return lengths(text)
    except ValueError:
        raise _core.InputError(f"SHAPE {in_one_line(text)}: {LENGTHS_NEEDED}") from None


def _row(name: str, values: dict[str, Any]) -> tuple[str, str, str, str, str]:
    offered = "yes" if values.get("is_offered") else "" if values["gain"] == 1 else "no"
    return name, f"{values['longest_distance']:.0f}", number(values["mean_distance"]), f"{values['gain']:.4f}", offered


def _setting(shifts: dict[str, dict[str, int]]) -> str:
    """The value of `machine.twist` as in a scenario."""
    each = (
        f"{across} = {{ {', '.join(f'{along} = {by}' for along, by in of.items())} }}" for across, of in shifts.items()
    )
    return f"{{ {', '.join(each)} }}"
