"""Machine rooms: the partitions that midplanes and cables can form, and which of them may run together.

    MachineRoom.load("intrepid") -> partition([...], wiring=...) -> shape, wrap, cables -> torusim.run(machine=...)
                                 -> catalogue("site")            -> partitions, and who conflicts with whom

The rules are those of `docs/models/machine-room.md`; they are worked out in Rust, from the file of the room.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from torusim import _core
from torusim._core import InputError
from torusim.scenario import printable, read_text

if TYPE_CHECKING:  # a second and many threads, for those who ask for arrays
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Dimension:
    """A dimension of a room."""

    name: str
    """What it is called, `X`."""
    length: int
    """Midplanes on a line of it; in a switched room the most that a partition can have."""
    loops: tuple[tuple[int, ...], ...]
    """Loops that the cables of each line close: places in the order in which the cables lead."""


class Partition:
    """A partition of a room: midplanes and cables that belong to one job at a time.

    Two partitions are equal if they have the same name, midplanes and cables.
    """

    def __init__(self, core: _core.Partition) -> None:
        """Wraps a compiled partition; `MachineRoom.partition` and `MachineRoom.catalogue` make them."""
        self._core = core

    @property
    def name(self) -> str:
        """Wiring, nodes and place: `torus-4096-X0-Y01-Z0123`, `torus-512-R00-M0`, `mesh-64-R00-M0-N02`."""
        return self._core.name

    @property
    def wiring(self) -> str:
        """`"torus"` if every dimension is closed, else `"mesh"`, whatever was asked for."""
        return self._core.wiring

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return self._core.nodes

    @property
    def shape(self) -> list[int]:
        """Nodes along each dimension, as `machine.shape` of a scenario."""
        return self._core.shape

    @property
    def wrap(self) -> list[bool]:
        """Whether each dimension closes, as `machine.wrap` of a scenario."""
        return self._core.wrap

    @property
    def midplanes(self) -> list[str]:
        """Names of its midplanes; one if it is a part of it. Of a size in a switched room: none."""
        return self._core.midplanes

    @property
    def midplane_count(self) -> int:
        """How many midplanes it needs; 1 if it is smaller than one."""
        return self._core.midplane_count

    @property
    def cables(self) -> list[str]:
        """The cables that it takes: `"Z R00-M0 R00-M1"`, dimension, from, to."""
        return self._core.cables

    @property
    def node_cards(self) -> range | None:
        """Numbers of the node cards that it takes of its midplane, if it is smaller than one."""
        cards = self._core.node_cards
        return None if cards is None else range(cards[0], cards[0] + cards[1])

    @property
    def link_chips(self) -> dict[tuple[str, str], str]:
        """What it makes of the link chips that it touches: (midplane, dimension) to its state.

        `"wrap"`: closes the midplane on itself, its cables are free. `"join"`: joins it to its cables.
        `"pass through"`: leads cables past a midplane that is not the partition's own.
        """
        return {(midplane, dimension): state for midplane, dimension, state in self._core.link_chips()}

    @property
    def passed_through(self) -> list[tuple[str, str]]:
        """Midplanes of others that its cables pass through, each with the dimension."""
        return [chip for chip, state in self.link_chips.items() if state == "pass through"]

    def machine(self) -> dict[str, Any]:
        """The machine of a scenario that runs on it: `torusim.run(scenario, machine=partition.machine())`.

        Shape and wrap, and the preset of the room's machine where the room names one.
        """
        preset = {} if self._core.machine is None else {"preset": self._core.machine}
        return {**preset, "shape": self.shape, "wrap": self.wrap}

    def __eq__(self, other: object) -> bool:
        """Whether both are the same partition."""
        return isinstance(other, Partition) and self._identity() == other._identity()

    def __hash__(self) -> int:
        """The hash of what makes it equal to another."""
        return hash(self.name)

    def __repr__(self) -> str:
        """Its name."""
        return f"<Partition {self.name}>"

    def _identity(self) -> tuple[str, list[str], list[str]]:
        return self.name, self.midplanes, self.cables


class Catalogue(Sequence[Partition]):
    """The partitions that a profile of a room defines, from the smallest, and which of them conflict."""

    def __init__(self, core: _core.Catalogue) -> None:
        """Wraps a compiled catalogue; `MachineRoom.catalogue` makes it."""
        self._core = core

    @property
    def profile(self) -> str:
        """The name of the profile."""
        return self._core.profile

    def __len__(self) -> int:
        """How many partitions there are."""
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
        """The partitions, from the smallest."""
        return (Partition(self._core.partition(number)) for number in range(len(self)))

    def find(self, name: str) -> int:
        """The number of the partition with this name.

        Raises:
            InputError: If there is none.
        """
        number = self._core.find(name)
        if number is None:
            raise InputError(f"{self.profile}: the catalogue has no partition {printable(name)!r}")
        return number

    def conflicts(self, index: int) -> npt.NDArray[np.uint32]:
        """The numbers of the partitions that cannot run beside the one with this number, itself included."""
        return self._core.conflicts(range(len(self))[index])

    def conflict_matrix(self) -> npt.NDArray[np.bool_]:
        """Whether each pair of partitions conflicts: a square, symmetric matrix."""
        return self._core.conflict_matrix()


class MachineRoom:
    """A machine room: midplanes, and the cables (or optical switches) between them."""

    def __init__(self, core: _core.MachineRoom) -> None:
        """Wraps a compiled room; `MachineRoom.load` makes it."""
        self._core = core

    @classmethod
    def load(cls, room: str | os.PathLike[str]) -> MachineRoom:
        """A room that comes with torusim (`MachineRoom.known()` names them), or that of a TOML file.

        Args:
            room: A name, or a path; a string is a path if it ends in `.toml`.

        Raises:
            InputError: If there is no such room or file, or with its line and key what is wrong in it.
        """
        if isinstance(room, str) and not room.endswith(".toml"):
            return cls(_core.MachineRoom.named(printable(room)))
        if not isinstance(room, str | os.PathLike):
            raise InputError(f"room: is a name or a path, not {room!r}")
        path = Path(room)
        return cls(_core.MachineRoom.parse(read_text(path, "a room"), printable(str(path))))

    @staticmethod
    def known() -> list[str]:
        """The names of the rooms that come with torusim."""
        return _core.known_rooms()

    @property
    def name(self) -> str:
        """What it is called: the name of its file."""
        return self._core.name

    @property
    def description(self) -> str:
        """What it is, in a sentence."""
        return self._core.description

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
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
        """Its dimensions, with the loops of their cables."""
        return [
            Dimension(name, length, tuple(tuple(places) for places in loops))
            for name, length, loops in self._core.dimensions
        ]

    @property
    def is_switched(self) -> bool:
        """Whether switches join any midplanes to any others, so that partitions have no place of their own."""
        return self._core.is_switched

    @property
    def cables(self) -> list[str]:
        """All cables between midplanes: `"Z R00-M0 R00-M1"`, dimension, from, to. A switched room has none."""
        return self._core.cables

    @property
    def profiles(self) -> dict[str, str]:
        """What each profile stands for, by its name."""
        return dict(self._core.profiles)

    def coordinates(self, midplane: str) -> list[int]:
        """The place of a midplane along each dimension; none in a switched room.

        Raises:
            InputError: If there is no such midplane.
        """
        return self._core.coordinates(midplane)

    def partition(
        self, midplanes: Iterable[str], wiring: str = "torus", spans: Sequence[int] | None = None
    ) -> Partition:
        """The partition of a box of midplanes.

        Args:
            midplanes: Their names, in any order.
            wiring: `"torus"`: every dimension closes. `"mesh"`: only cables between its own midplanes are taken; where
                these close a loop all the same, the dimension is closed.
            spans: In a switched room, where any midplanes make any box: how many lie along each dimension. Elsewhere
                this follows from their places, and must not be given.

        Raises:
            InputError: If a midplane is not known or named twice, they are not a box, or cables cannot wire it so.
        """
        if isinstance(midplanes, str):
            raise InputError(f"midplanes: is a list of names, not {midplanes!r}")
        if spans is not None and not self.is_switched:
            raise InputError(f"spans: follows from the places of the midplanes in {self.name}, and must not be given")
        names = [printable(name) for name in _strings(midplanes)]
        return Partition(self._core.partition(names, wiring, None if spans is None else _counts(spans)))

    def small_partition(self, midplane: str, nodes: int, first_card: int = 0) -> Partition:
        """The partition of so many nodes of a midplane, from a node card on: always a mesh.

        Raises:
            InputError: If there is no such midplane, or the room has no such partition of it.
        """
        size, first = _counts([nodes, first_card])
        return Partition(self._core.small_partition(midplane, size, first))

    def conflicts(self, one: Partition, other: Partition) -> bool:
        """Whether two partitions of this room share a midplane, a node card or a cable: only one can run at a time.

        Raises:
            InputError: If one of them is of another room.
        """
        return self._core.conflicts(one._core, other._core)

    def catalogue(self, profile: str) -> Catalogue:
        """The partitions that a profile defines; `profiles` names them.

        Raises:
            InputError: If the room has no such profile.
        """
        return Catalogue(self._core.catalogue(printable(profile)))

    def __repr__(self) -> str:
        """Its name and size."""
        return f"<MachineRoom {self.name}: {len(self.midplanes)} midplanes, {self.nodes:,} nodes>"


def _strings(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"midplanes: {name!r} is not a name")
        yield name


def _counts(values: Iterable[int]) -> list[int]:
    """The values as whole numbers that Rust can take."""
    counts = list(values)
    for value in counts:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**32:
            raise InputError(f"{value!r} is not a whole number from 0 to {2**32 - 1}")
    return counts
