"""Groups of ranks, such as the stages of a pipeline: read from a file, and put into the data of a page."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from torusim._core import InputError
from torusim.viewer.data import PageData

COLUMNS = ["rank", "group"]
"""The first line of a file of groups."""


def read_groups(path: Path) -> dict[int, str]:
    """The group of each rank that a file of CSV names: `rank,group`, and a line for each rank.

    Raises:
        InputError: If the file cannot be read, or one of its lines.
    """
    groups: dict[int, str] = {}
    for place, (rank, group) in _lines(path):
        if not rank.isdecimal():
            raise InputError(f"{place}: {rank!r} is no rank; ranks are numbered from 0")
        if int(rank) in groups:
            raise InputError(f"{place}: rank {rank} has a group already, {groups[int(rank)]}")
        groups[int(rank)] = group
    return groups


def _lines(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines after the first, each with its place."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, strict=True)
            head = [name.strip() for name in next(lines, [])]
            if head != COLUMNS:
                raise InputError(f"{path}:1: the columns are {','.join(COLUMNS)}, not {','.join(head) or 'none'}")
            for line in lines:
                values = [value.strip() for value in line]
                place = f"{path}:{lines.line_num}"
                if values and len(values) != len(COLUMNS):
                    raise InputError(f"{place}: {len(values)} values; a line has a rank and its group")
                if values:
                    yield place, values
    except (OSError, UnicodeError, csv.Error) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def grouped(data: PageData, groups: Mapping[int, str]) -> PageData:
    """The data of a page, with these groups of its ranks. Ranks that are not named are in a group without a name.

    Raises:
        InputError: If the run has no ranks, or not these.
    """
    import pyarrow as pa  # takes longer to import than everything else here

    table = data.arrow.get("ranks")
    if table is None or data.facts["groups"]:
        raise InputError(f"{data.name} has no ranks of one program, which groups could be of")
    ranks = table["rank"].to_pylist()
    strangers = sorted(groups.keys() - set(ranks))
    if strangers:
        raise InputError(f"groups: there is no rank {strangers[0]}; {data.name} has {len(ranks)}")
    of_rank = [groups.get(rank, "") for rank in ranks]
    names = list(dict.fromkeys(of_rank))
    numbers = {name: number for number, name in enumerate(names)}
    column = pa.array([numbers[name] for name in of_rank], pa.uint32())
    changed = table.set_column(table.column_names.index("group"), "group", column)
    return replace(data, facts={**data.facts, "groups": names}, arrow={**data.arrow, "ranks": changed})
