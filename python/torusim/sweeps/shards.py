"""Shards: the points of one sweep run by several commands, such as the tasks of an array job, and collected afterwards.

    torusim sweep … --shard 2/8 --out DIR      every 8th point, from the second on
    torusim collect DIR                        the table of all

    DIR/sweep.json          all points of the sweep, in the order of the table: the same for each shard
    DIR/points/KEY.json     each finished point (`torusim.sweeps.points`)

A shard knows nothing of the others. Shards may share a folder or not, and may be run again, or as another number of
shards: only the finished points count.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from torusim import _core
from torusim._core import InputError
from torusim.common.folder import write_atomically
from torusim.common.formatting import in_one_line, shown
from torusim.runs.storage import read_json
from torusim.sweeps.axes import POINTS_LIMIT
from torusim.sweeps.points import POINTS_FOLDER, FinishedPoint, Point, make_folder, name_of, read_stored, store

SCHEMA_VERSION = 1

LIST_FILE = "sweep.json"

Item = TypeVar("Item")


@dataclass(frozen=True)
class Shard:
    """A part of a sweep.

    Attributes:
        number: The number of the shard, from 1.
        count: The number of shards.
    """

    number: int
    count: int

    def select(self, items: Sequence[Item]) -> Sequence[Item]:
        """The items of this shard. Neighboring items, which often take equally long, are in different shards."""
        return items[self.number - 1 :: self.count]

    def __str__(self) -> str:
        """The text of the option `--shard`."""
        return f"{self.number}/{self.count}"


def parse_shard(text: str) -> Shard:
    """The shard of a text such as "2/8".

    Raises:
        InputError: If it is not such a text.
    """
    found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text, re.ASCII)
    if found is None or not 1 <= int(found[1]) <= int(found[2]) <= POINTS_LIMIT:
        raise InputError(
            f"shard {in_one_line(text)}: has to be NUMBER/COUNT, from 1/COUNT to COUNT/COUNT, such as 2/8; "
            f"at most {POINTS_LIMIT:,} shards"
        )
    return Shard(int(found[1]), int(found[2]))


def shard_of(value: object) -> Shard:
    """The shard that a caller names by a text such as "2/8".

    Raises:
        InputError: If it is not such a text.
    """
    if not isinstance(value, str):
        raise InputError(f'shard: {shown(value)} has to be a text such as "2/8"')
    return parse_shard(value)


def write_list(points: Sequence[Point], folder: Path) -> None:
    """Writes the list of all points of a sweep into the folder of a shard.

    Raises:
        InputError: If it cannot be written.
    """
    listed = [{"key": point.key, "labels": point.labels} for point in points]
    content = {"schema_version": SCHEMA_VERSION, "torusim": _core.__version__, "points": listed}
    make_folder(folder)
    write_atomically(folder / LIST_FILE, lambda file: file.write_text(json.dumps(content) + "\n", encoding="utf-8"))


def has_list(folder: Path) -> bool:
    """Whether shards have been run in a folder."""
    return os.path.isfile(folder / LIST_FILE)


@dataclass(frozen=True)
class Collected:
    """The finished points of all shards of a sweep.

    Attributes:
        listed: "key" and "labels" of each point of the sweep, in the order of its table.
        stored: The content of each finished point, by key.
    """

    listed: Sequence[Mapping[str, Any]]
    stored: Mapping[str, Mapping[str, Any]]

    @property
    def points(self) -> list[FinishedPoint]:
        """The points, in order."""
        pairs = ((entry["labels"], self.stored[entry["key"]]) for entry in self.listed)
        return [FinishedPoint(labels, stored["summary"], stored["tables"]) for labels, stored in pairs]

    def store(self, folder: Path) -> None:
        """Copies into the folder of a sweep the points that it lacks.

        Raises:
            InputError: If they cannot be written.
        """
        target = make_folder(folder / POINTS_FOLDER)
        for key in self.stored.keys() - read_stored(target, self.stored).keys():
            store(target, key, self.stored[key])


def collect(folders: Sequence[Path]) -> Collected:
    """All points of a sweep whose shards were run in these folders; several shards may share a folder.

    Raises:
        InputError: If a folder has no shard or one of another sweep, or if a point is not finished.
    """
    listed = _common_list(folders)
    keys = dict.fromkeys(entry["key"] for entry in listed)
    stored: dict[str, dict[str, Any]] = {}
    for folder in folders:
        stored |= read_stored(folder / POINTS_FOLDER, [key for key in keys if key not in stored])
    _require_all(listed, stored, folders)
    return Collected(listed, stored)


def _common_list(folders: Sequence[Path]) -> list[dict[str, Any]]:
    if not folders:
        raise InputError("collect: needs the folder of a shard, or several")
    first, *others = [(folder, _read_list(folder)) for folder in folders]
    for folder, listed in others:
        if listed != first[1]:
            raise InputError(
                f"{folder}: its shards are of another sweep than those of {first[0]}: another scenario, other values, "
                "or another build of torusim"
            )
    return first[1]


def _read_list(folder: Path) -> list[dict[str, Any]]:
    path = folder / LIST_FILE
    if not has_list(folder):
        raise InputError(f"{folder}: has no {LIST_FILE}, which torusim sweep --shard NUMBER/COUNT writes there")
    content = read_json(path)
    points = content.get("points") if isinstance(content, dict) else None
    if not isinstance(points, list) or not points or content.get("schema_version") != SCHEMA_VERSION:
        raise InputError(f"{path}: is not a list of points that this torusim reads")
    for entry in points:
        if not (isinstance(entry, dict) and _is_key(entry.get("key")) and isinstance(entry.get("labels"), dict)):
            raise InputError(f"{path}: is damaged: {shown(entry)} is no point")
    return points


def _is_key(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{1,64}", value) is not None


def _require_all(listed: Sequence[Mapping[str, Any]], found: Mapping[str, Any], folders: Sequence[Path]) -> None:
    missing = [entry["labels"] for entry in listed if entry["key"] not in found]
    if missing:
        place = ", ".join(map(str, folders))
        raise InputError(
            f"{place}: {len(missing):,} of {len(listed):,} points are not finished, the first is "
            f"{name_of(missing[0])}; run their shards again, which run only what is missing"
        )
