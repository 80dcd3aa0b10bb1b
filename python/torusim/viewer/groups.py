"""Groups of ranks, such as the stages of a pipeline: read from a file, and put into the data of a page."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from torusim._core import InputError
from torusim.viewer.data import PageData

COLUMNS = ["rank", "group"]
"""The first line of a file of groups."""


@dataclass(frozen=True)
class Groups:
    """The group of each rank that is in one, and where a file says so."""

    of_rank: Mapping[int, str]
    places: Mapping[int, str] = field(default_factory=dict)
    """The file and the line of each rank; none if the groups are from no file."""


def read_groups(path: Path) -> Groups:
    """The group of each rank that a file of CSV names: `rank,group`, and a line for each rank.

    Raises:
        InputError: If the file cannot be read, or one of its lines.
    """
    groups: dict[int, str] = {}
    places: dict[int, str] = {}
    for place, (rank, group) in _lines(path):
        if not rank.isdecimal():
            raise InputError(f"{place}: {rank!r} is no rank; ranks are numbered from 0")
        if int(rank) in groups:
            raise InputError(f"{place}: rank {rank} has a group already, {groups[int(rank)]}")
        groups[int(rank)] = group
        places[int(rank)] = place
    return Groups(groups, places)


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


def grouped(runs: list[PageData], groups: Groups) -> list[PageData]:
    """The data of the runs of a page, with these groups of their ranks. Ranks without one are in a group with no name.

    Raises:
        InputError: If a run has no ranks, or not these.
    """
    return [_grouped(run, groups) for run in runs]


def _grouped(data: PageData, groups: Groups) -> PageData:
    import pyarrow as pa  # takes longer to import than everything else here

    table = data.arrow.get("ranks")
    if table is None or data.facts["groups"]:
        raise InputError(f"{data.name} has no ranks of one program, which groups could be of")
    ranks = table["rank"].to_pylist()
    strangers = sorted(groups.of_rank.keys() - set(ranks))
    if strangers:
        place = groups.places.get(strangers[0], "groups")
        raise InputError(f"{place}: there is no rank {strangers[0]}; {data.name} has {len(ranks)}")
    of_rank = [groups.of_rank.get(rank, "") for rank in ranks]
    names = list(dict.fromkeys(of_rank))
    numbers = {name: number for number, name in enumerate(names)}
    column = pa.array([numbers[name] for name in of_rank], pa.uint32())
    changed = table.set_column(table.column_names.index("group"), "group", column)
    return replace(data, facts={**data.facts, "groups": names}, arrow={**data.arrow, "ranks": changed})
