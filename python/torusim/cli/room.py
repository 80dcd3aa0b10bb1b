"""`torusim room`: the machine rooms, their partitions, and which partitions can run together."""

import os
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from torusim._core import InputError
from torusim.cli import completion
from torusim.cli.options import JsonOption
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_pairs, print_table
from torusim.common.formatting import count, in_one_line, lengths, shape
from torusim.queue.room import Catalogue, MachineRoom, Partition

EXAMPLES = """[bold]Examples[/bold]

  torusim room
  torusim room intrepid --show
  torusim room intrepid --profile site
  torusim room intrepid --partition R00-M0,R00-M1 --partition R01-M1,R01-M0:mesh
  torusim room intrepid --profile site --partition torus-4096-X0-Y01-Z0123 --picture map.svg"""

PICTURE_FORMATS = (".png", ".svg", ".pdf")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLORS = ("cyan", "magenta", "green", "yellow", "blue", "red")
COLUMNS_WITHOUT_PLACES = 8
"""Midplanes in a row of the map of a switched room, in which midplanes have no coordinates."""


def room(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="ROOM",
            help="A room's name, or its TOML file.",
            show_default="all that are known",
            autocompletion=completion.rooms,
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print a map of the midplanes.")] = False,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Print the sizes and counts of this profile's partitions.")
    ] = None,
    partitions: Annotated[
        list[str] | None,
        typer.Option(
            "--partition",
            metavar="MIDPLANES",
            help="Form this partition: midplanes separated by commas, with the suffix `:mesh` for a mesh, and in a"
            " switched room such as `:twisted-torus:1x1x2` for wiring and midplanes along each dimension; or the name"
            " of one of the profile's partitions. Repeatable: shows which of them conflict.",
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the map with cables into this .png, .svg or .pdf.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show which partitions the midplanes and cables of a machine room can form, and which can run together."""
    if name is None:
        _list_rooms(as_json=as_json)
        return
    loaded = MachineRoom.load(name)
    catalogue = None
    if profile is not None:
        with Waiting("forming the partitions"):
            catalogue = loaded.catalogue(profile)
    formed = [_formed(text, loaded, catalogue) for text in partitions or []]
    if picture is not None:
        _draw(loaded, formed, picture)
    if as_json:
        print_json(_as_json(loaded, catalogue, formed))
        return
    _print_room(loaded, brief=show or bool(formed) or catalogue is not None)
    if catalogue is not None:
        _print_catalogue(catalogue)
    if formed:
        _print_partitions(loaded, formed)
    if show:
        _print_map(loaded, formed)
    if picture is not None:
        console().print(str(picture), soft_wrap=True)


def _list_rooms(*, as_json: bool) -> None:
    rooms = [MachineRoom.load(name) for name in MachineRoom.known()]
    if as_json:
        print_json([{"name": room.name, "description": room.description} for room in rooms])
        return
    print_table("Machine rooms", ("name", "description"), [(room.name, room.description) for room in rooms])


def _formed(text: str, room: MachineRoom, catalogue: Catalogue | None) -> Partition:
    """The partition that `text`, the value of a `--partition`, specifies."""
    midplanes, _, rest = text.partition(":")
    if catalogue is not None and midplanes not in room.midplanes and "," not in midplanes:
        return catalogue[catalogue.find(text)]
    wiring, _, spans = rest.partition(":")
    place = f"--partition {in_one_line(text)}"
    try:
        counts = lengths(spans) if spans else None
        return room.partition(midplanes.split(","), wiring or "torus", counts)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except ValueError:
        raise InputError(f"{place}: {spans!r} must give the midplanes along each dimension, as in 1x1x2") from None


def _draw(room: MachineRoom, partitions: list[Partition], path: Path) -> None:
    if path.suffix not in PICTURE_FORMATS:
        raise InputError(f"--picture {path}: must end in {', '.join(PICTURE_FORMATS)}")
    if not os.path.isdir(path.parent):
        raise InputError(f"--picture {path}: there is no folder {path.parent}")
    with Waiting("drawing"):
        room.plot(partitions).save(path)


def _print_room(room: MachineRoom, *, brief: bool) -> None:
    console().print(room.description, soft_wrap=True)
    if brief:
        return
    cables = Counter(cable.split(" ")[0] for cable in room.cables)
    print_pairs(
        [
            ("Nodes", count(room.nodes)),
            ("Midplanes", f"{count(len(room.midplanes))} of {_times(room.midplane_shape)} nodes"),
            *((f"Dimension {dimension.name}", _cabling(dimension.loops, dimension.length, cables[dimension.name]))
              for dimension in room.dimensions if not room.is_switched),
        ]
    )  # fmt: skip
    print_table("Profiles (--profile)", ("name", "description"), list(room.profiles.items()))


def _cabling(loops: tuple[tuple[int, ...], ...], length: int, cables: int) -> str:
    places = f"{length} place{'' if length == 1 else 's'}"
    if not loops:
        return f"{places}, no cables"
    closed = ", ".join("-".join(map(str, (*loop, loop[0]))) for loop in loops)
    return f"{places}, {count(cables)} cables; loops on each line: {closed}"


def _print_catalogue(catalogue: Catalogue) -> None:
    groups = Counter(
        (partition.nodes, partition.wiring, shape(partition.shape, partition.wrap)) for partition in catalogue
    )
    rows = [
        (count(nodes), wiring, lengths, count(number)) for (nodes, wiring, lengths), number in sorted(groups.items())
    ]
    title = f"Profile {catalogue.profile}: {count(len(catalogue))} partitions (m: an open dimension)"
    print_table(title, ("nodes", "wiring", "shape", "partitions"), rows, right=("partitions",))


def _print_partitions(room: MachineRoom, partitions: list[Partition]) -> None:
    for letter, partition in zip(_letters(len(partitions)), partitions, strict=True):
        passed = [f"{midplane} ({dimension})" for midplane, dimension in partition.passed_through]
        print_pairs(
            [
                (f"Partition {letter}", partition.name),
                ("Nodes", count(partition.nodes)),
                ("Shape", f"{_times(partition.shape)}, {_wraps(room, partition)}"),
                ("Midplanes", " ".join(partition.midplanes) or f"any {partition.midplane_count}"),
                ("Cables", ", ".join(partition.cables) or "none"),
                ("Passes through", ", ".join(passed) or "none"),
            ]
        )
    for (one, first), (other, second) in combinations(zip(_letters(len(partitions)), partitions, strict=True), 2):
        console().print(f"{one} and {other} {_verdict(room, first, second)}", soft_wrap=True)


def _verdict(room: MachineRoom, one: Partition, other: Partition) -> str:
    if not room.conflicts(one, other):
        return "can run together."
    shared = sorted(set(one.midplanes) & set(other.midplanes)) + sorted(set(one.cables) & set(other.cables))
    return (
        f"conflict: both take {', '.join(shared)}." if shared else "conflict: together they are larger than the room."
    )


def _wraps(room: MachineRoom, partition: Partition) -> str:
    named = zip(room.dimensions, partition.wrap, strict=True)
    return ", ".join(f"{dimension.name} {'closed' if closed else 'open'}" for dimension, closed in named)


def _print_map(room: MachineRoom, partitions: list[Partition]) -> None:
    """Prints the map: a row for each line of midplanes along the innermost dimension.

    A midplane of a partition has the partition's letter. A midplane that a partition passes through has `~`.
    """
    owners = {midplane: index for index, partition in enumerate(partitions) for midplane in partition.midplanes}
    passing = {midplane for partition in partitions for midplane, _ in partition.passed_through}
    innermost = max((index for index, dimension in enumerate(room.dimensions) if dimension.length > 1), default=0)
    columns = COLUMNS_WITHOUT_PLACES if room.is_switched else room.dimensions[innermost].length
    letters = _letters(len(partitions))
    for start in range(0, len(room.midplanes), columns):
        row = Text(_row_label(room, room.midplanes[start], innermost))
        for midplane in room.midplanes[start : start + columns]:
            owner = owners.get(midplane)
            mark = letters[owner] if owner is not None else "~" if midplane in passing else " "
            style = "" if owner is None else f"bold {COLORS[owner % len(COLORS)]}"
            row.append(f"  {midplane} {mark}" if partitions else f"  {midplane}", style=style)
        console().print(row, soft_wrap=True)
    if passing:
        console().print(
            "~ passed through: can run alone, but cannot connect to other midplanes in that dimension", soft_wrap=True
        )


def _row_label(room: MachineRoom, midplane: str, innermost: int) -> str:
    if room.is_switched:
        return ""
    pairs = zip(room.dimensions, room.coordinates(midplane), strict=True)
    shown = [f"{d.name}{place}" for index, (d, place) in enumerate(pairs) if index != innermost and d.length > 1]
    return " ".join(shown)


def _letters(number: int) -> list[str]:
    """A letter for each partition: a to z, then a1, b1 and so on."""
    return [f"{LETTERS[index % 26]}{index // 26 or ''}" for index in range(number)]


def _times(lengths: list[int]) -> str:
    return "x".join(map(str, lengths))


def _as_json(room: MachineRoom, catalogue: Catalogue | None, partitions: list[Partition]) -> dict[str, Any]:
    pairs = combinations(range(len(partitions)), 2)
    listed = None if catalogue is None else [_partition_as_json(partition) for partition in catalogue]
    return {
        "name": room.name,
        "description": room.description,
        "nodes": room.nodes,
        "midplanes": room.midplanes,
        "cables": room.cables,
        "profiles": room.profiles,
        "catalogue": listed,
        "partitions": [_partition_as_json(partition) for partition in partitions],
        "conflicts": [[i, j] for i, j in pairs if room.conflicts(partitions[i], partitions[j])],
    }


def _partition_as_json(partition: Partition) -> dict[str, Any]:
    return {
        "name": partition.name,
        "wiring": partition.wiring,
        "nodes": partition.nodes,
        "shape": partition.shape,
        "wrap": partition.wrap,
        "midplanes": partition.midplanes,
        "cables": partition.cables,
        "passed_through": [list(chip) for chip in partition.passed_through],
    }
