"""Machine rooms: the partitions that midplanes and cables can form, and which of them may run together.

    MachineRoom.load("intrepid") -> partition([...], wiring=...) -> shape, wrap, cables -> torusim.run(machine=...)
                                 -> catalogue("site")            -> partitions and their conflicts

The rules are those of `docs/models/machine-room.md`; they are computed in Rust from the room file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from torusim import _core
from torusim._core import InputError
from torusim.common.files import as_path
from torusim.common.formatting import count, pairs_as_html, shown
from torusim.runs.scenario import printable, read_text

if TYPE_CHECKING:  # importing NumPy takes a second and starts many threads
    import numpy as np
    import numpy.typing as npt

    from torusim.pictures.plots import Picture


TWISTED = "twisted-torus"
"""The wiring of a partition that switches twist (`machine.twist` of a scenario)."""


@dataclass(frozen=True)
class Dimension:
    """A dimension of a room."""

    name: str
    """The name, such as `X`."""
    length: int
    """Midplanes per line; in a switched room the maximum that a partition can have."""
    loops: tuple[tuple[int, ...], ...]
    """The loops that the cables of each line form: positions in the direction of the cables."""


class Partition:
    """A partition of a room: midplanes and cables that belong to one job at a time.

    Two partitions are equal if they have the same name, midplanes and cables.
    """

    def __init__(self, core: _core.Partition) -> None:
        """Wraps a compiled partition; `MachineRoom.partition` and `MachineRoom.catalogue` create them."""
        self._core = core

    @property
    def name(self) -> str:
        """Wiring, nodes and position: `torus-4096-X0-Y01-Z0123`, `torus-512-R00-M0`, `mesh-64-R00-M0-N02`."""
        return self._core.name

    @property
    def wiring(self) -> str:
        """`"torus"` or `"twisted-torus"` if every dimension is closed, else `"mesh"`, whatever wiring was requested."""
        return self._core.wiring

    @property
    def nodes(self) -> int:
        """The number of nodes of the partition."""
        return self._core.nodes

    @property
    def shape(self) -> list[int]:
        """Nodes along each dimension, as `machine.shape` of a scenario."""
        return self._core.shape

    @property
    def wrap(self) -> list[bool]:
        """Whether each dimension is closed, as `machine.wrap` of a scenario."""
        return self._core.wrap

    @property
    def midplanes(self) -> list[str]:
        """The names of its midplanes: one if it is smaller than a midplane, none if it is a size of a switched room."""
        return self._core.midplanes

    @property
    def midplane_count(self) -> int:
        """The number of midplanes that it needs; 1 if it is smaller than a midplane."""
        return self._core.midplane_count

    @property
    def cables(self) -> list[str]:
        """The cables that it uses, as dimension, from, to: `"Z R00-M0 R00-M1"`."""
        return self._core.cables

    @property
    def node_cards(self) -> range | None:
        """Numbers of the node cards that it uses, if it is smaller than a midplane."""
        cards = self._core.node_cards
        return None if cards is None else range(cards[0], cards[0] + cards[1])

    @property
    def link_chips(self) -> dict[tuple[str, str], str]:
        """The state of each link chip that it uses, by (midplane, dimension).

        `"wrap"`: wraps the midplane onto itself; its cables stay free. `"join"`: connects the midplane to its cables.
        `"pass through"`: connects cables past a midplane outside the partition.
        """
        return {(midplane, dimension): state for midplane, dimension, state in self._core.link_chips()}

    @property
    def passed_through(self) -> list[tuple[str, str]]:
        """Midplanes outside the partition that its cables pass through, each with the dimension."""
        return [chip for chip, state in self.link_chips.items() if state == "pass through"]

    def machine(self, preset: str | None = None) -> dict[str, Any]:
        """The machine of a scenario that runs on it: `torusim.run(scenario, machine=partition.machine())`.

        Args:
            preset: The machine preset; by default the one that the room names.

        Raises:
            InputError: If neither gives a preset: without one, every machine would run as a Blue Gene/L.
        """
        preset = preset or self._core.machine
        if preset is None:
            raise InputError(
                f"{self.name}: its room names no machine, so link rates and latencies are unknown: "
                'give a preset, machine(preset="bluegene-p"), or name it in the room as [room] machine'
            )
        twist = {"twist": "auto"} if self.wiring == TWISTED else {}
        return {"preset": preset, "shape": self.shape, "wrap": self.wrap, **twist}

    def __eq__(self, other: object) -> bool:
        """Whether both are the same partition."""
        return isinstance(other, Partition) and self._identity() == other._identity()

    def __hash__(self) -> int:
        """A hash that is consistent with equality."""
        return hash(self.name)

    def __repr__(self) -> str:
        """The name of the partition."""
        return f"<Partition {self.name}>"

    def _identity(self) -> tuple[str, list[str], list[str]]:
        return self.name, self.midplanes, self.cables


class Catalogue(Sequence[Partition]):
    """The partitions that a profile of a room defines, smallest first, and which of them conflict."""

    def __init__(self, core: _core.Catalogue) -> None:
        """Wraps a compiled catalogue; `MachineRoom.catalogue` creates it."""
        self._core = core

    @property
    def profile(self) -> str:
        """The name of the profile."""
        return self._core.profile

    def __len__(self) -> int:
        """The number of partitions."""
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> Partition: ...
    @overload
    def __getitem__(self, index: slice) -> list[Partition]: ...
    def __getitem__(self, index: int | slice) -> Partition | list[Partition]:
        """The partition with this number, or those of a slice."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        return Partition(self._core.partition(number))

    def __iter__(self) -> Iterator[Partition]:
        """The partitions, smallest first."""
        return (Partition(self._core.partition(number)) for number in range(len(self)))

    def find(self, name: str) -> int:
        """The number of the partition with this name.

        Raises:
            InputError: If no partition has this name.
        """
        number = self._core.find(_text(name, "partition"))
        if number is None:
            raise InputError(f"{self.profile}: the catalogue has no partition {printable(name)!r}")
        return number

    def conflicts(self, index: int) -> npt.NDArray[np.uint32]:
        """The numbers of the partitions that conflict with the one with this number, itself included."""
        (number,) = _counts([index])
        return self._core.conflicts(number)

    def conflict_matrix(self) -> npt.NDArray[np.bool_]:
        """Whether each pair of partitions conflicts, as a symmetric matrix."""
        return self._core.conflict_matrix()


class MachineRoom:
    """A machine room: midplanes, and the cables (or optical switches) between them."""

    def __init__(self, core: _core.MachineRoom) -> None:
        """Wraps a compiled room; `MachineRoom.load` creates it."""
        self._core = core

    @classmethod
    def load(cls, room: str | os.PathLike[str]) -> MachineRoom:
        """Loads a room that comes with torusim (`MachineRoom.known()` lists them), or one from a TOML file.

        Args:
            room: A name, or a path; a string is a path if it ends in `.toml`.

        Raises:
            InputError: If there is no such room or file, or if the file has an error; the message gives line and key.
        """
        if isinstance(room, str) and not room.endswith(".toml"):
            return cls(_core.MachineRoom.named(printable(room)))
        if not isinstance(room, str | os.PathLike):
            raise InputError(f"room: is a name or a path, not {shown(room)}")
        path = as_path(room, "room")
        return cls(_core.MachineRoom.parse(read_text(path, "a room"), printable(str(path))))

    @staticmethod
    def known() -> list[str]:
        """The names of the rooms that come with torusim."""
        return _core.known_rooms()

    @property
    def name(self) -> str:
        """The name of the room: the name of its file without the extension."""
        return self._core.name

    @property
    def description(self) -> str:
        """The description of the room, in one sentence."""
        return self._core.description

    @property
    def nodes(self) -> int:
        """The number of nodes of the room."""
        return self._core.nodes

    @property
    def midplanes(self) -> list[str]:
        """Names of its midplanes, the last dimension varying fastest."""
        return self._core.midplanes

    @property
    def midplane_shape(self) -> list[int]:
        """Nodes along each dimension of a midplane."""
        return self._core.midplane_shape

    @property
    def dimensions(self) -> list[Dimension]:
        """The dimensions of the room, with the loops of their cables."""
        return [
            Dimension(name, length, tuple(tuple(places) for places in loops))
            for name, length, loops in self._core.dimensions
        ]

    @property
    def is_switched(self) -> bool:
        """Whether switches can connect any midplanes to each other, so that partitions have no fixed midplanes."""
        return self._core.is_switched

    @property
    def cables(self) -> list[str]:
        """All cables between midplanes, as dimension, from, to: `"Z R00-M0 R00-M1"`. A switched room has none."""
        return self._core.cables

    @property
    def profiles(self) -> dict[str, str]:
        """The description of each profile, by its name."""
        return dict(self._core.profiles)

    @property
    def default_profile(self) -> str | None:
        """The profile that schedules use if they name none: "site" if the room has it, else the first by name."""
        return self._core.default_profile

    def coordinates(self, midplane: str) -> list[int]:
        """The coordinates of a midplane, one for each dimension; empty in a switched room.

        Raises:
            InputError: If there is no such midplane.
        """
        return self._core.coordinates(_text(midplane, "midplane"))

    def partition(
        self, midplanes: Iterable[str], wiring: str = "torus", spans: Sequence[int] | None = None
    ) -> Partition:
        """The partition of a box of midplanes.

        Args:
            midplanes: The names of the midplanes, in any order.
            wiring: `"torus"`: every dimension is closed. `"twisted-torus"`: switches also twist n x n x 2n and
                n x 2n x 2n nodes as usual. `"mesh"`: only cables between its own midplanes are used; a dimension that
                they close anyway is closed.
            spans: In a switched room, where any midplanes can form a box: the number of midplanes along each dimension.
                In other rooms it follows from the positions of the midplanes and must not be given.

        Raises:
            InputError: If a midplane is unknown or repeated, they are not a box, or the cabling does not allow it.
        """
        if isinstance(midplanes, str) or not isinstance(midplanes, Iterable):
            raise InputError(f"midplanes: is a list of names, not {shown(midplanes)}")
        if spans is not None and not self.is_switched:
            raise InputError(f"spans: follows from the places of the midplanes in {self.name}, and must not be given")
        names = [_text(name, "midplanes") for name in midplanes]
        counts = None if spans is None else _counts(spans)
        return Partition(self._core.partition(names, _text(wiring, "wiring"), counts))

    def small_partition(self, midplane: str, nodes: int, first_card: int = 0) -> Partition:
        """The partition of some nodes of a midplane, starting at a node card; always a mesh.

        Args:
            midplane: The name of the midplane.
            nodes: Number of nodes, fewer than the midplane has.
            first_card: The number of the node card that it begins with, from 0.

        Raises:
            InputError: If there is no such midplane or no such partition of it.
        """
        size, first = _counts([nodes, first_card])
        return Partition(self._core.small_partition(_text(midplane, "midplane"), size, first))

    def conflicts(self, one: Partition, other: Partition) -> bool:
        """Whether two partitions of this room share a midplane, a node card or a cable: only one can run at a time.

        Args:
            one: A partition of this room.
            other: Another one, or the same.

        Raises:
            InputError: If a partition belongs to another room.
        """
        for partition in (one, other):
            if not isinstance(partition, Partition):
                raise InputError(f"conflicts: {shown(partition)} is not a partition")
        return self._core.conflicts(one._core, other._core)

    def catalogue(self, profile: str) -> Catalogue:
        """The partitions that a profile defines; `profiles` lists the profiles.

        Raises:
            InputError: If the room has no such profile.
        """
        return Catalogue(self._core.catalogue(_text(profile, "profile")))

    def plot(self, partitions: Iterable[Partition] = ()) -> Picture:
        """The map of the room, with partitions in color, which notebooks show.

        Raises:
            InputError: If an item is no partition.
        """
        from torusim.pictures import plotting

        return plotting.plot_room(self, partitions)

    def _repr_html_(self) -> str:
        lengths = "x".join(str(dimension.length) for dimension in self.dimensions)
        rows = [
            ("Room", self.description),
            ("Nodes", count(self.nodes)),
            ("Midplanes", f"{count(len(self.midplanes))}{'' if self.is_switched else f', {lengths}'}"),
            ("Cables", "switches" if self.is_switched else count(len(self.cables))),
            ("Profiles", ", ".join(self.profiles)),
        ]
        return pairs_as_html(rows)

    def __repr__(self) -> str:
        """The name and size of the room."""
        return f"<MachineRoom {self.name}: {len(self.midplanes)} midplanes, {self.nodes:,} nodes>"


def _text(name: object, argument: str) -> str:
    if not isinstance(name, str):
        raise InputError(f"{argument}: {shown(name)} is not a name")
    return printable(name)


def _counts(values: Iterable[int]) -> list[int]:
    """The values as unsigned 32-bit integers, as Rust takes them."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(f"{shown(values)} is not a list of whole numbers")
    counts = list(values)
    for value in counts:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**32:
            raise InputError(f"{shown(value)} is not a whole number from 0 to {2**32 - 1}")
    return counts
