"""`torusim compare`: two results side by side."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from torusim.cli.options import JsonOption
from torusim.cli.screen import console, print_json, print_table
from torusim.comparison import Comparison, Difference
from torusim.comparison import compare as compare_results
from torusim.result import load
from torusim.wording import number

EXAMPLES = """[bold]Examples[/bold]

  torusim compare runs/scenario-1 runs/scenario-2
  torusim compare before after --json"""


def compare(
    first: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a result.", show_default=False)],
    second: Annotated[Path, typer.Argument(metavar="DIR", help="The one to set beside it.", show_default=False)],
    as_json: JsonOption = False,
) -> None:
    """Set two results side by side: what differs in the scenarios, and in what came of them."""
    comparison = compare_results(load(first), load(second))
    if as_json:
        print_json(asdict(comparison))
        return
    _print(comparison, str(first), str(second))


def _print(comparison: Comparison, first: str, second: str) -> None:
    headings = ("", first, second)
    if comparison.scenario:
        print_table("Scenarios: what differs", headings, [_cells(row) for row in comparison.scenario])
    rows = [(*_cells(row), _percent(row)) for row in comparison.summary]
    print_table("Results", (*headings, "difference"), rows, right=(first, second, "difference"))
    said = "equal: every packet moved alike" if comparison.same_digest else "not equal"
    console().print(f"The digests are {said}.")


def _cells(row: Difference) -> tuple[str, str, str]:
    return row.key, _in_words(row.first), _in_words(row.second)


def _in_words(value: Any) -> str:  # noqa: ANN401
    if value is None:
        return "-"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return ", ".join(map(_item_in_words, value)) if isinstance(value, list) else str(value)


def _item_in_words(item: Any) -> str:  # noqa: ANN401
    """An item of a list; those that have words, such as a waiting packet, are told by them."""
    return str(item["words"] if isinstance(item, Mapping) and "words" in item else item)


def _percent(row: Difference) -> str:
    return "" if row.percent is None else f"{row.percent:+.2f} %"
