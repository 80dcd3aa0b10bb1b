"""Groups: the ranks of communicators. All members of a communicator share one `Group`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from torusim import _core
from torusim.common.formatting import shown
from torusim.programs.arguments import in_range
from torusim.programs.collectives import Collective
from torusim.programs.payload import Payload
from torusim.programs.process import running_process
from torusim.programs.status import UNDEFINED

IDENT, CONGRUENT, SIMILAR, UNEQUAL = range(4)
"""The results of a comparison of groups or communicators."""


@dataclass(eq=False)
class Group:
    """Ranks of a communicator, in order.

    Attributes:
        places: The global rank of each member, by rank in the communicator.
        collectives: The collectives in progress on the communicator, by the number of the call.
    """

    places: Sequence[int]
    collectives: dict[int, Collective] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        """The number of ranks."""
        return len(self.places)

    def Get_size(self) -> int:  # noqa: N802
        """The number of ranks."""
        return self.size

    @property
    def rank(self) -> int:
        """The rank within this group of the rank that asks; UNDEFINED if it is no member."""
        running = running_process()
        return UNDEFINED if running is None else self.ranks.get(running.rank, UNDEFINED)

    def Get_rank(self) -> int:  # noqa: N802
        """Returns `rank`."""
        return self.rank

    def Dup(self) -> "Group":  # noqa: N802
        """An equal group."""
        return Group(self.places)

    def Free(self) -> None:  # noqa: N802
        """Does nothing: groups take no memory in the simulator."""

    def Compare(self, group: "Group") -> int:  # noqa: N802
        """IDENT if both have the same ranks in the same order, SIMILAR in another order, or UNEQUAL."""
        if tuple(self.places) == tuple(group.places):
            return IDENT
        return SIMILAR if self.ranks.keys() == group.ranks.keys() else UNEQUAL

    @cached_property
    def members(self) -> _core.Members:
        """The list of the members for the library; all members share it."""
        return _core.Members(self.places)

    @cached_property
    def ranks(self) -> dict[int, int]:
        """The rank in the communicator, by global rank."""
        return {place: rank for rank, place in enumerate(self.places)}

    def enter(self, number: int, call: str, rank: int, blocks: tuple[Payload, ...]) -> Collective:
        """A rank enters a collective with its call `number` on the communicator.

        Raises:
            ValueError: If another rank has made a different call with this number.
        """
        collective = self.collectives.get(number)
        if collective is None:
            collective = self.collectives[number] = Collective(number, call, self.size)
        if collective.call != call:
            raise ValueError(f"{call}: another rank's collective call {number + 1} is {collective.call}")
        if blocks:
            collective.blocks[rank] = blocks
        return collective

    def end(self, collective: Collective) -> None:
        """Notes that the call of a rank has ended; the last one drops the collective."""
        collective.ended += 1
        if collective.ended == self.size:
            del self.collectives[collective.number]

    def Incl(self, ranks: Iterable[int]) -> "Group":  # noqa: N802
        """The group of these ranks, in this order.

        Raises:
            ValueError: If one is no rank of this group, or occurs twice.
        """
        listed = self._checked(ranks)
        return Group(tuple(self.places[rank] for rank in listed))

    def Excl(self, ranks: Iterable[int]) -> "Group":  # noqa: N802
        """The group without these ranks.

        Raises:
            ValueError: If one is no rank of this group, or occurs twice.
        """
        without = set(self._checked(ranks))
        return Group(tuple(place for rank, place in enumerate(self.places) if rank not in without))

    def Translate_ranks(  # noqa: N802
        self, ranks: Iterable[int] | None = None, group: "Group | None" = None
    ) -> list[int]:
        """The ranks in another group of the given ranks of this group, by default of all; UNDEFINED for non-members."""
        if not isinstance(group, Group):
            raise TypeError(f"group={shown(group)}: it is a group")
        listed = range(self.size) if ranks is None else self._checked(ranks)
        return [group.ranks.get(self.places[rank], UNDEFINED) for rank in listed]

    @staticmethod
    def Union(group1: "Group", group2: "Group") -> "Group":  # noqa: N802
        """The ranks of the first, then those of the second that are not in it."""
        return Group((*group1.places, *(place for place in group2.places if place not in group1.ranks)))

    @staticmethod
    def Intersection(group1: "Group", group2: "Group") -> "Group":  # noqa: N802
        """The ranks of the first that are also in the second."""
        return Group(tuple(place for place in group1.places if place in group2.ranks))

    Intersect = Intersection

    @staticmethod
    def Difference(group1: "Group", group2: "Group") -> "Group":  # noqa: N802
        """The ranks of the first that are not in the second."""
        return Group(tuple(place for place in group1.places if place not in group2.ranks))

    def Range_incl(self, ranks: Iterable[tuple[int, int, int]]) -> "Group":  # noqa: N802
        """The group of the ranks of ranges (first, last, stride)."""
        return self.Incl(_in_ranges(ranks))

    def Range_excl(self, ranks: Iterable[tuple[int, int, int]]) -> "Group":  # noqa: N802
        """The group without the ranks of ranges (first, last, stride)."""
        return self.Excl(_in_ranges(ranks))

    def _checked(self, ranks: Iterable[int]) -> list[int]:
        listed = [in_range(rank, "ranks", 0, self.size - 1, "has ranks of the group,") for rank in ranks]
        if len(set(listed)) < len(listed):
            raise ValueError(f"ranks={listed}: each rank is named once")
        return listed


def _in_ranges(ranges: Iterable[tuple[int, int, int]]) -> list[int]:
    listed: list[int] = []
    for first, last, stride in ranges:
        if not stride:
            raise ValueError(f"ranks=({first}, {last}, 0): a range has a stride other than 0")
        listed += range(first, last + (1 if stride > 0 else -1), stride)
    return listed


@dataclass(frozen=True)
class NewGroup:
    """The group of a communicator that is being made.

    Attributes:
        group: The group.
        members: The members of the group, as ranks of the parent communicator.
        order: The number of groups that come before it in the same call; class routes are given in this order.
    """

    group: Group
    members: _core.Members
    order: int

    @staticmethod
    def of(parent: Group, ranks: Sequence[int], order: int) -> "NewGroup":
        """The group of the given ranks of a communicator."""
        return NewGroup(type(parent)(tuple(parent.places[rank] for rank in ranks)), _core.Members(ranks), order)


def split(colors_and_keys: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """The ranks of each color, by key and then by rank; UNDEFINED is no color."""
    ranks: dict[int, list[int]] = {}
    for rank in sorted(range(len(colors_and_keys)), key=lambda rank: colors_and_keys[rank][1]):
        ranks.setdefault(colors_and_keys[rank][0], []).append(rank)
    ranks.pop(UNDEFINED, None)
    return ranks
