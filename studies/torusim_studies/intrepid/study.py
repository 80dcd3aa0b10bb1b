"""Intrepid's machine room: its size, and the partitions of a row that run together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from torusim.queue.room import Catalogue, MachineRoom, Partition
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim_studies.partitions import ROOM
from torusim_studies.presets import machine

PROFILE, OF_MESHES = "paper-2009", "mesh-1k-4k"
"""The room's profiles of tori alone, and of meshes for 1K and 4K nodes."""

MIDPLANE, ONE_K, TWO_K, FOUR_K, EIGHT_K = 512, 1_024, 2_048, 4_096, 8_192
"""Sizes in nodes."""

ROW_NUMBERS = {"tori_of_8k": EIGHT_K, "tori_of_4k": FOUR_K, "tori_of_2k": TWO_K, "tori_of_1k": ONE_K}
"""The sizes of tori in a row, by the number that says how many run together."""

MESH, TORUS = "mesh", "torus"


def points(scale: Scale) -> Iterator[Point]:
    """The only point."""
    yield scale.call({"room": ROOM}, "search", {"room": ROOM})


def search(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Counts and searches."""
    room = MachineRoom.load(arguments["room"])
    catalogue = room.catalogue(PROFILE)
    in_row = [index for index, partition in enumerate(catalogue) if is_in_row(room, partition)]
    remaining = [left(catalogue, in_row, chosen) for chosen in together(catalogue, in_row, (FOUR_K, ONE_K, ONE_K))]
    summary = {
        "cores": room.nodes * machine("bluegene-p")["node"]["chip_cores"],
        "midplanes": len(room.midplanes),
        "row_nodes": max(catalogue[index].nodes for index in in_row),
        **{
            number: most_together(catalogue, of_size(catalogue, in_row, nodes)) for number, nodes in ROW_NUMBERS.items()
        },
        "ways_of_4k_and_2k": len(together(catalogue, in_row, (FOUR_K, TWO_K, TWO_K))),
        "ways_of_4k_and_1k": len(remaining),
        "largest_left_by_4k_and_1k": max(max(partition.midplane_count for partition in free) for free in remaining),
        "left_by_4k_and_1k": [len({name for partition in free for name in partition.midplanes}) for free in remaining],
        "other_wirings": sum(
            partition.wiring != (MESH if partition.nodes in (ONE_K, FOUR_K) else TORUS)
            for partition in room.catalogue(OF_MESHES)
        ),
    }
    return {"summary": summary, "tables": {}}


def is_in_row(room: MachineRoom, partition: Partition) -> bool:
    """Whether a partition lies in the first row."""
    return all(room.coordinates(midplane)[0] == 0 for midplane in partition.midplanes)


def of_size(catalogue: Catalogue, candidates: Iterable[int], nodes: int) -> list[int]:
    """The candidates with `nodes` nodes."""
    return [index for index in candidates if catalogue[index].nodes == nodes]


def without_conflict(catalogue: Catalogue, candidates: Iterable[int], chosen: int) -> list[int]:
    """The candidates that can run together with the `chosen` partition."""
    conflicts = set(catalogue.conflicts(chosen).tolist())
    return [index for index in candidates if index not in conflicts]


def most_together(catalogue: Catalogue, candidates: Sequence[int]) -> int:
    """The greatest number of candidates that run together, by exhaustive search."""
    if not candidates:
        return 0
    first, rest = candidates[0], candidates[1:]
    free = without_conflict(catalogue, rest, first)
    with_first = 1 + most_together(catalogue, free)
    return with_first if len(free) == len(rest) else max(with_first, most_together(catalogue, rest))


def together(catalogue: Catalogue, candidates: Sequence[int], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Every set of partitions with these sizes that run together; each set appears once."""
    if not sizes:
        return [()]
    found = []
    for index in of_size(catalogue, candidates, sizes[0]):
        later = [other for other in candidates if catalogue[other].nodes != sizes[0] or other > index]
        free = without_conflict(catalogue, later, index)
        found += [(index, *others) for others in together(catalogue, free, sizes[1:])]
    return found


def left(catalogue: Catalogue, candidates: Sequence[int], chosen: Iterable[int]) -> list[Partition]:
    """The partitions that can still run together with all of the `chosen` ones."""
    free = list(candidates)
    for index in chosen:
        free = without_conflict(catalogue, free, index)
    return [catalogue[index] for index in free]


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The counts of the claims."""
    summary = points[0].summary
    counts = {number: value for number, value in summary.items() if number not in ("midplanes", "ways_of_4k_and_1k")}
    remaining = set(summary["left_by_4k_and_1k"])
    return Findings(
        rows=[
            {"what": what, "number": value}
            for what, value in (
                ("midplanes", summary["midplanes"]),
                ("cores", summary["cores"]),
                ("nodes of a row", summary["row_nodes"]),
                *((f"tori of {nodes:,} nodes together", summary[number]) for number, nodes in ROW_NUMBERS.items()),
                ("sets of a 4K torus and two of 2K", summary["ways_of_4k_and_2k"]),
                ("sets of a 4K torus and two of 1K", summary["ways_of_4k_and_1k"]),
                ("midplanes that such a set leaves", max(remaining)),
                ("of which the largest torus has", summary["largest_left_by_4k_and_1k"]),
            )
        ],
        numbers={number: float(value) for number, value in counts.items() if number != "left_by_4k_and_1k"}
        | {"left_by_4k_and_1k": float(max(remaining, key=lambda count: abs(count - 4)))},
        figure=[],
    )
