"""Partitions of Blue Gene/P on which several studies run: the shapes of the papers, as tori and as meshes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from torusim.common.formatting import shape as partition_name
from torusim.queue.room import MachineRoom

ROOM = "intrepid"
PROFILE = "all-mesh"
"""The room of paper 004, and its profile of every box of midplanes wired as a mesh."""

TORUS = "torus"
OPEN = "mesh"
OF_ROOM = "mesh of the room"
"""The wirings of a partition: closed or open in every dimension, or open where the cables of the room leave it so."""

OPEN_IN_Z = "8x8x16"
"""A shape that the room's cables leave open in Z alone as a mesh."""


def wraps(shape: Sequence[int]) -> Mapping[str, list[bool]]:
    """The closed dimensions of a partition, by its wiring.

    Args:
        shape: Nodes along each dimension.

    Raises:
        KeyError: If the room has no partition of this shape that consists of whole midplanes.
    """
    return {
        TORUS: [True] * len(shape),
        OPEN: [False] * len(shape),
        OF_ROOM: list(_meshes()[tuple(shape)]),
    }


def different_wraps(shape: Sequence[int]) -> Mapping[str, list[bool]]:
    """The closed dimensions by wiring, without the mesh of the room where its cables make it a torus."""
    all_wraps = wraps(shape)
    return {wiring: wrap for wiring, wrap in all_wraps.items() if wiring == TORUS or wrap != all_wraps[TORUS]}


def each_wiring(shapes: Sequence[Sequence[int]]) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """The labels and the section `machine` of each shape with each of its different wirings."""
    for shape in shapes:
        for wiring, wrap in different_wraps(shape).items():
            yield {"shape": partition_name(shape), "wiring": wiring}, {"shape": shape, "wrap": wrap}


@cache
def _meshes() -> Mapping[tuple[int, ...], tuple[bool, ...]]:
    """The closed dimensions of the room's meshes, by shape."""
    catalogue = MachineRoom.load(ROOM).catalogue(PROFILE)
    return {tuple(partition.shape): tuple(partition.wrap) for partition in catalogue}
