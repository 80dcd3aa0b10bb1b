"""Grids of ranks: lengths, periods, and the coordinates and neighbors that follow.

The rules are in `crates/mpi` (`cartesian.rs`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from math import isqrt, prod
from typing import SupportsIndex

from torusim import _core
from torusim.common.formatting import shown
from torusim.programs.arguments import in_range

DISPLACEMENT_LIMIT = (1 << 31) - 1
"""The largest displacement of a shift, either way, and the largest coordinate."""


@dataclass(frozen=True)
class Grid:
    """A grid of ranks, whose last coordinate varies fastest.

    Attributes:
        dims: The length of each dimension.
        periods: Whether each is closed to a ring.
    """

    dims: tuple[int, ...]
    periods: tuple[bool, ...]

    @staticmethod
    def of(dims: Sequence[SupportsIndex], periods: Sequence[bool] | bool | None, ranks: int) -> "Grid":
        """The grid that a program describes, of at most `ranks` ranks.

        Raises:
            TypeError: If `dims` is no sequence.
            ValueError: If the grid has no dimension, a length below 1, more than `ranks` ranks, or another number of
                periods.
        """
        lengths = tuple(in_range(length, "dims", 1, ranks, "has lengths") for length in _listed(dims, "dims"))
        if not lengths or prod(lengths) > ranks:
            raise ValueError(f"dims={list(lengths)}: a grid of 1 to {ranks} ranks")
        if periods is None or isinstance(periods, bool):
            return Grid(lengths, (bool(periods),) * len(lengths))
        return Grid(lengths, _flags(periods, len(lengths), "periods"))

    @cached_property
    def _rules(self) -> _core.Cartesian:
        return _core.Cartesian(list(self.dims), list(self.periods))

    @property
    def size(self) -> int:
        """The number of ranks."""
        return prod(self.dims)

    def coordinates(self, rank: int) -> list[int]:
        """The coordinates of a rank."""
        return self._rules.coordinates(rank)

    def rank(self, coordinates: Sequence[SupportsIndex]) -> int | None:
        """The rank at these coordinates; None outside the grid.

        Raises:
            ValueError: If the number of coordinates is not that of the dimensions.
        """
        listed = _listed(coordinates, "coords")
        if len(listed) != len(self.dims):
            raise ValueError(f"coords={shown(coordinates)}: a grid of {len(self.dims)} dimensions")
        return self._rules.rank([_displacement(coordinate, "coords") for coordinate in listed])

    def shift(self, rank: int, direction: SupportsIndex, disp: SupportsIndex) -> tuple[int | None, int | None]:
        """The ranks from which a rank receives and to which it sends; None outside the grid."""
        dimension = in_range(direction, "direction", 0, len(self.dims) - 1, "is a dimension")
        return self._rules.shift(rank, dimension, _displacement(disp, "disp"))

    def kept(self, remain_dims: Iterable[bool]) -> tuple[bool, ...]:
        """Whether each dimension remains.

        Raises:
            ValueError: If `remain_dims` does not have one value for each dimension.
        """
        return _flags(remain_dims, len(self.dims), "remain_dims")

    def line(self, rank: int, keep: Sequence[bool]) -> tuple[int, list[int]]:
        """The number of a rank's sub-grid, and the ranks in it: those that share coordinates that are not kept."""
        number = 0
        for at, length, kept in zip(self.coordinates(rank), self.dims, keep, strict=True):
            number = number if kept else number * length + at
        return number, self._rules.sub(rank, list(keep))

    def sub(self, keep: Sequence[bool]) -> "Grid":
        """The grid of the dimensions that are kept."""
        return Grid(tuple(compress(self.dims, keep)), tuple(compress(self.periods, keep)))


def compute_dims(nnodes: SupportsIndex, dims: SupportsIndex | Sequence[SupportsIndex]) -> list[int]:
    """The lengths of a grid of `nnodes` ranks, as equal as possible, in descending order (MPI_Dims_create).

    Args:
        nnodes: The number of ranks.
        dims: The number of dimensions, or their lengths; lengths of 0 are filled in.

    Raises:
        ValueError: If the given lengths do not divide the number of ranks.
    """
    ranks = in_range(nnodes, "nnodes", 1, DISPLACEMENT_LIMIT, "is a number of ranks")
    if not isinstance(dims, Sequence):
        dims = [0] * in_range(dims, "dims", 1, 64, "is a number of dimensions")
    lengths = [in_range(length, "dims", 0, DISPLACEMENT_LIMIT, "has lengths") for length in dims]
    given = prod(length for length in lengths if length)
    open_dims = lengths.count(0)
    if ranks % given or (not open_dims and ranks != given):
        raise ValueError(f"dims={lengths}: these lengths do not make a grid of {ranks} ranks")
    found = iter(_balanced(ranks // given, open_dims, ranks) or ())
    return [length or next(found) for length in lengths]


def _balanced(ranks: int, count: int, most: int) -> list[int] | None:
    """Descending factors of at most `most`: the first is as small as possible, then the second, and so on."""
    if count == 0:
        return [] if ranks == 1 else None
    small = [divisor for divisor in range(1, isqrt(ranks) + 1) if ranks % divisor == 0]
    for factor in sorted({*small, *(ranks // divisor for divisor in small)}):
        if factor <= most and factor**count >= ranks:
            rest = _balanced(ranks // factor, count - 1, factor)
            if rest is not None:
                return [factor, *rest]
    return None


def _listed(values: Iterable[SupportsIndex], name: str) -> list[SupportsIndex]:
    try:
        return list(values)
    except TypeError:
        raise TypeError(f"{name}={shown(values)}: one number for each dimension") from None


def _flags(values: Iterable[object], count: int, name: str) -> tuple[bool, ...]:
    try:
        flags = tuple(map(bool, values))
    except TypeError:
        raise TypeError(f"{name}={shown(values)}: True or False for each dimension") from None
    if len(flags) != count:
        raise ValueError(f"{name}={list(flags)}: {len(flags)} for {count} dimensions")
    return flags


def _displacement(value: SupportsIndex, name: str) -> int:
    return in_range(value, name, -DISPLACEMENT_LIMIT, DISPLACEMENT_LIMIT)
