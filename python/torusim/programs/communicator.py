"""Communicators: the operations that a program awaits, with mpi4py's names, and the creation of new communicators."""

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any, ClassVar, NoReturn, Self, SupportsIndex, TypeVar

from torusim.common.formatting import shown
from torusim.programs import group as groups
from torusim.programs import missing
from torusim.programs.arguments import in_range
from torusim.programs.buffer_calls import BufferCalls
from torusim.programs.cartesian import Grid
from torusim.programs.group import Group, NewGroup
from torusim.programs.neighbors import NeighborCalls, Neighbors
from torusim.programs.payload import Payload
from torusim.programs.point_to_point import FREED, PointToPoint, refuse_info
from torusim.programs.process import Process
from torusim.programs.records import ABORT, ALLGATHER, BLOCKS, CREATE, DEFINE, FREE_COMMUNICATOR, make
from torusim.programs.status import PROC_NULL, UNDEFINED

WORLD = 0
"""The number and the id of the communicator of all ranks."""

COLOR_AND_KEY_BYTES = 8
"""The bytes that each rank sends the others in a split."""

KEY_LIMIT = (1 << 31) - 1
"""Colors are integers from 0 to this, keys also negative ones."""

NEIGHBORHOODS = 1 << 19
"""The ids of the communicators of neighborhood collectives begin here: above those on which ranks agree."""

CART, DIST_GRAPH = 2, 3
"""Kinds of topologies. The values are MPICH's."""

COMM_NULL = None
"""The result at ranks that are in no new communicator."""

CommType = TypeVar("CommType", bound="Comm")


class Comm(BufferCalls):
    """The ranks of a program, as seen by one of them. Operations are awaited; their times are those of the simulator.

    An object arrives as an equal object: arrays (`nbytes` long), bytes, and anything that pickle can copy (as long as
    its pickle). It is copied when it is sent. `torusim.Bytes(n)` is n bytes without data. Calls with capital letters
    send from NumPy arrays and receive into them.

    Attributes:
        rank: The number of this rank.
        size: The number of ranks; negative when the communicator has been freed.
        name: The name that `Set_name` has set.
    """

    __slots__ = ("name",)

    is_inter: ClassVar[bool] = False
    is_intra: ClassVar[bool] = True
    is_topo: ClassVar[bool] = False
    topology: ClassVar[int] = UNDEFINED

    Win: ClassVar[type[missing.Win]] = missing.Win

    def __init__(self, process: Process, group: Group, number: int, context: int) -> None:
        """Creates the communicator with this number at the rank, and this id at all its ranks."""
        super().__init__(process, group, number, context)
        self.name = "MPI_COMM_WORLD" if number == WORLD else ""

    def time(self) -> float:
        """The simulated time in seconds. It is not awaited, and takes no time."""
        return self.process.seconds

    async def compute(self, seconds: float) -> None:
        """Computes for a time, which is rounded to processor cycles."""
        self.process.compute(seconds)

    async def dup(self, info: None = None) -> Self:
        """A communicator of the same ranks. Its messages match none of this one."""
        refuse_info(info)
        made = await self._create(type(self), "dup()", 0, lambda: range(self.size))
        assert made is not None
        return self._like(made)

    async def split(self, color: SupportsIndex = 0, key: SupportsIndex = 0) -> "Comm | None":
        """A communicator of the ranks with the same color, by key and then by rank; None if the color is UNDEFINED.

        The ranks exchange color and key by an allgather of 8 bytes.
        """
        own = (self._color_of(color), in_range(key, "key", -KEY_LIMIT - 1, KEY_LIMIT))
        collective = self._enter("split(…)", (Payload(COLOR_AND_KEY_BYTES, own),))
        await make(ALLGATHER, self._number, BLOCKS, COLOR_AND_KEY_BYTES)

        def all_groups() -> dict[int, NewGroup]:
            told = [collective.block(rank).content for rank in range(self.size)]
            # A rank that is alone needs no class route.
            colors = sorted(groups.split(told).items(), key=lambda of_color: (len(of_color[1]) == 1, of_color[0]))
            return {color: NewGroup.of(self._group, ranks, order) for order, (color, ranks) in enumerate(colors)}

        new = collective.once("groups", all_groups).get(own[0])
        made = await self._make_communicator(Comm, new)
        self._group.end(collective)
        return made

    async def Create(self, group: Group) -> "Comm | None":  # noqa: N802
        """A communicator of a group of these ranks; None at ranks outside the group. All ranks make this call.

        Raises:
            TypeError: If the argument is no group.
            ValueError: If the group is empty, or has other ranks.
        """
        if not isinstance(group, Group):
            raise TypeError(f"group={shown(group)}: it is a group, as from Get_group().Incl(…)")
        if not group.size or not group.ranks.keys() <= self._group.ranks.keys():
            raise ValueError("group: a new communicator has one or more ranks of this one")
        if self.process.rank not in group.ranks:
            return await self._create(Comm, "Create(…)", None, list)
        return await self._create(Comm, "Create(…)", tuple(group.places), lambda: self._ranks_of(group))

    @property
    def group(self) -> Group:
        """The group of the communicator's ranks."""
        return Group(self._group.places)

    async def Get_group(self) -> Group:  # noqa: N802
        """Returns `group`."""
        return self.group

    async def Get_name(self) -> str:  # noqa: N802
        """The name of the communicator."""
        return self.name

    async def Set_name(self, name: str) -> None:  # noqa: N802
        """Sets the name of the communicator."""
        self.name = name

    async def Get_topology(self) -> int:  # noqa: N802
        """CART or DIST_GRAPH; UNDEFINED without a topology."""
        return self.topology

    async def Is_inter(self) -> bool:  # noqa: N802
        """Whether this is an intercommunicator; always False."""
        return False

    async def Is_intra(self) -> bool:  # noqa: N802
        """Whether this is an intracommunicator; always True."""
        return True

    async def Compare(self, comm: "Comm") -> int:  # noqa: N802
        """The result of a comparison with another communicator.

        IDENT for the same communicator, CONGRUENT for the same ranks in the same order, SIMILAR in another order, or
        UNEQUAL.
        """
        if self._context == comm._context and self._group is comm._group:
            return groups.IDENT
        compared = self.group.Compare(comm.group)
        return groups.CONGRUENT if compared == groups.IDENT else compared

    async def Create_cart(  # noqa: N802
        self,
        dims: Sequence[SupportsIndex],
        periods: Sequence[bool] | bool | None = None,
        reorder: bool = False,
    ) -> "Cartcomm | None":
        """A grid of the first ranks, whose last coordinate varies fastest; None at ranks beyond it.

        Args:
            dims: The length of each dimension.
            periods: Whether each is closed to a ring; one for all, and by default none.
            reorder: Whether ranks may be renumbered, which has no effect: they stay where they are.

        Raises:
            ValueError: If the grid has more ranks than the communicator.
        """
        grid = Grid.of(dims, periods, self.size)
        is_member = self.rank < grid.size
        words = f"Create_cart({list(grid.dims)}, {list(grid.periods)}, {bool(reorder)})"
        made = await self._create(Cartcomm, words, 0 if is_member else None, lambda: range(grid.size))
        return None if made is None else made.with_grid(grid)

    async def Create_dist_graph_adjacent(  # noqa: N802
        self,
        sources: Sequence[SupportsIndex],
        destinations: Sequence[SupportsIndex],
        sourceweights: Sequence[int] | None = None,
        destweights: Sequence[int] | None = None,
        info: None = None,
        reorder: bool = False,
    ) -> "Distgraphcomm":
        """A communicator of the same ranks, in which each knows its neighbors: the ranks it receives from and sends to.

        Weights are kept, and have no effect; ranks stay where they are.
        """
        refuse_info(info)
        words = f"Create_dist_graph_adjacent(…, {bool(reorder)})"
        neighbors = [
            [self._rank_of(rank, name) for rank in ranks]
            for name, ranks in (("sources", sources), ("destinations", destinations))
        ]
        made = await self._create(Distgraphcomm, words, 0, lambda: range(self.size))
        assert made is not None
        return made.with_neighbors(neighbors[0], neighbors[1], (sourceweights, destweights))

    async def Free(self) -> None:  # noqa: N802
        """Frees the communicator. Operations in progress complete.

        Raises:
            ValueError: If this is the communicator of all ranks, or has been freed.
        """
        self._refuse_if_freed()
        if self._number == WORLD:
            raise ValueError("the communicator of all ranks cannot be freed")
        self.size = FREED
        await make(FREE_COMMUNICATOR, self._number)

    async def Abort(self, errorcode: int = 1) -> NoReturn:  # noqa: N802
        """Ends the run, with the outcome "aborted"."""
        await make(ABORT, operator.index(errorcode))
        raise RuntimeError("a rank goes on after Abort: this is a bug of torusim")

    Dup = Clone = dup
    Split = split

    async def _create(
        self,
        kind: type[CommType],
        words: str,
        color: object | None,
        ranks: Callable[[], Sequence[int]],
        before: int | None = None,
    ) -> CommType | None:
        """Makes a communicator whose members know its ranks; `color` distinguishes it from others of the same call.

        `before` counts those that come before it; by default those of which a rank has made the call before.
        """
        collective = self._enter(words, ())
        order = len(collective.shared) if before is None else before
        new = None if color is None else collective.once(color, lambda: NewGroup.of(self._group, ranks(), order))
        made = await self._make_communicator(kind, new)
        self._group.end(collective)
        return made

    async def _make_communicator(self, kind: type[CommType], new: NewGroup | None) -> CommType | None:
        number = self.process.new_communicator()
        if new is None:
            await self._make((), CREATE, 0, number, 0)
            return None
        outcome = await self._make((new.members,), CREATE, 1, number, new.order)
        return kind(self.process, new.group, number, outcome.id)

    def _like(self, made: Self) -> Self:
        """Copies the topology, if any, to a duplicate."""
        return made

    def _ranks_of(self, group: Group) -> list[int]:
        return [self._group.ranks[place] for place in group.places]

    def _color_of(self, color: SupportsIndex) -> int:
        if type(color) is int and color == UNDEFINED:
            return color
        return in_range(color, "color", 0, KEY_LIMIT)


class Topocomm(Comm, NeighborCalls):
    """A communicator with a topology."""

    __slots__ = ("_messages",)

    is_topo: ClassVar[bool] = True

    def __init__(self, process: Process, group: Group, number: int, context: int) -> None:
        """Creates the communicator with this number at the rank, and this id at all its ranks."""
        super().__init__(process, group, number, context)
        self._messages: PointToPoint | None = None

    async def Free(self) -> None:  # noqa: N802
        """Frees the communicator, and the one for its neighborhood collectives."""
        messages = self._messages
        await super().Free()
        if messages is not None:
            await make(FREE_COMMUNICATOR, messages.number)

    async def _own_messages(self) -> PointToPoint:
        """The communicator for this communicator's neighborhood collectives."""
        self._refuse_if_freed()
        self.process.require_own("a communicator")
        if self._messages is None:
            number, context = self.process.new_communicator(), NEIGHBORHOODS + self._context
            self.process.world.lists.append(self._group.members)
            await make(DEFINE, number, context)
            self._messages = PointToPoint(self.process, self._group, number, context)
        return self._messages

    @property
    def indegree(self) -> int:
        """The number of neighbors that the rank receives from, PROC_NULL included."""
        return len(self._neighbors().sources)

    @property
    def outdegree(self) -> int:
        """The number of neighbors that the rank sends to, PROC_NULL included."""
        return len(self._neighbors().targets)

    @property
    def degrees(self) -> tuple[int, int]:
        """The in-degree and the out-degree."""
        return self.indegree, self.outdegree

    @property
    def inedges(self) -> list[int]:
        """The ranks that this rank receives from."""
        return [source for source, _ in self._neighbors().sources]

    @property
    def outedges(self) -> list[int]:
        """The ranks that this rank sends to."""
        return [target for target, _ in self._neighbors().targets]

    @property
    def inoutedges(self) -> tuple[list[int], list[int]]:
        """The ranks that this rank receives from, and those it sends to."""
        return self.inedges, self.outedges


class Distgraphcomm(Topocomm):
    """A communicator whose ranks know their neighbors."""

    __slots__ = ("_lists", "_weights")

    topology: ClassVar[int] = DIST_GRAPH

    def with_neighbors(self, sources: Sequence[int], destinations: Sequence[int], weights: Any) -> Self:  # noqa: ANN401
        """This communicator, after the neighbors of this rank have been set."""
        self._lists = Neighbors(_numbered(sources), _numbered(destinations))
        self._weights = weights
        return self

    async def Get_dist_neighbors_count(self) -> tuple[int, int, bool]:  # noqa: N802
        """The numbers of ranks that this rank receives from and sends to, and whether edges have weights."""
        return *self.degrees, self._weights != (None, None)

    async def Get_dist_neighbors(self) -> tuple[list[int], list[int], Any]:  # noqa: N802
        """The ranks that this rank receives from, those it sends to, and the weights, if any."""
        return *self.inoutedges, None if self._weights == (None, None) else self._weights

    def _neighbors(self) -> Neighbors:
        return self._lists

    def _like(self, made: Self) -> Self:
        return made.with_neighbors(*self.inoutedges, self._weights)


def _numbered(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Ranks with tags that distinguish several edges between the same two ranks: the first, the second and so on."""
    seen: dict[int, int] = {}
    numbered = []
    for rank in ranks:
        numbered.append((rank, seen.get(rank, 0)))
        seen[rank] = seen.get(rank, 0) + 1
    return numbered


class Cartcomm(Topocomm):
    """A communicator whose ranks form a grid."""

    __slots__ = ("_grid",)

    topology: ClassVar[int] = CART

    def with_grid(self, grid: Grid) -> Self:
        """This communicator, after the grid of its ranks has been set."""
        self._grid = grid
        return self

    @property
    def dims(self) -> list[int]:
        """The length of each dimension."""
        return list(self._grid.dims)

    @property
    def periods(self) -> list[bool]:
        """Whether each dimension is closed to a ring."""
        return list(self._grid.periods)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._grid.dims)

    @property
    def dim(self) -> int:
        """The number of dimensions, as `ndim`."""
        return self.ndim

    @property
    def topo(self) -> tuple[list[int], list[bool], list[int]]:
        """Lengths, periods, and the coordinates of this rank."""
        return self.dims, self.periods, self.coords

    @property
    def coords(self) -> list[int]:
        """The coordinates of this rank."""
        return self._grid.coordinates(self.rank)

    async def Get_dim(self) -> int:  # noqa: N802
        """The number of dimensions."""
        return self.ndim

    async def Get_topo(self) -> tuple[list[int], list[bool], list[int]]:  # noqa: N802
        """Lengths, periods, and the coordinates of this rank."""
        return self.topo

    async def Get_coords(self, rank: SupportsIndex) -> list[int]:  # noqa: N802
        """The coordinates of a rank."""
        return self._grid.coordinates(self._rank_of(rank, "rank"))

    async def Get_cart_rank(self, coords: Sequence[SupportsIndex]) -> int:  # noqa: N802
        """The rank at these coordinates, which wrap around in periodic dimensions.

        Raises:
            ValueError: If they are outside the grid.
        """
        rank = self._grid.rank(coords)
        if rank is None:
            raise ValueError(f"coords={list(coords)}: outside a grid of {self.dims} with periods {self.periods}")
        return rank

    async def Shift(self, direction: SupportsIndex, disp: SupportsIndex) -> tuple[int, int]:  # noqa: N802
        """The ranks to receive from and to send to if data move by `disp` in a dimension; PROC_NULL where none is."""
        source, target = self._grid.shift(self.rank, direction, disp)
        return PROC_NULL if source is None else source, PROC_NULL if target is None else target

    async def Sub(self, remain_dims: Iterable[bool]) -> "Cartcomm":  # noqa: N802
        """The sub-grid of this rank, of the dimensions that are kept."""
        keep = self._grid.kept(remain_dims)
        number, ranks = self._grid.line(self.rank, keep)
        made = await self._create(Cartcomm, f"Sub({list(keep)})", number, lambda: ranks, number)
        assert made is not None
        return made.with_grid(self._grid.sub(keep))

    def _like(self, made: Self) -> Self:
        return made.with_grid(self._grid)

    def _neighbors(self) -> Neighbors:
        """The previous and the next rank in each dimension. Data sent to the one arrive as from the other."""
        sides = []
        for dimension in range(self.ndim):
            before, behind = self._grid.shift(self.rank, dimension, 1)
            sides += [PROC_NULL if side is None else side for side in (before, behind)]
        return Neighbors(list(zip(sides, count())), [(side, place ^ 1) for place, side in enumerate(sides)])


# Missing names are defined as methods: a `__getattr__` would slow down every other call.
for _class, _names in ((Comm, "Comm Intracomm"), (Topocomm, "Topocomm"), (Cartcomm, "Cartcomm")):
    missing.refuse_others(_class, *_names.split())
missing.refuse_others(Distgraphcomm, "Distgraphcomm")
for _name in missing.ONE_SIDED:
    setattr(Comm, _name, missing.refused_call(_name))
