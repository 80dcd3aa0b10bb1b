"""Datatypes: where the elements of a buffer lie, made as mpi4py makes them, without a call of the library.

    DOUBLE.Create_vector(count=3, blocklength=2, stride=4)        runs of bytes, in the order in which they are sent

    |##--|##--|##|      each character is a double       -->      (0, 16), (32, 16), (64, 16)
     <---------> extent

A datatype is its runs of bytes; adjacent runs are merged. A message has the bytes of these runs, of one copy of the
datatype after another. Each copy begins one extent after the one before.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from torusim.common.formatting import shown
from torusim.programs.arguments import in_range, listed_in_range
from torusim.programs.payload import MESSAGE_BYTES_LIMIT
from torusim.programs.regions import Array, Region

Numbers = npt.NDArray[np.int64]

BLOCKS_LIMIT = 1 << 24
"""The most runs of a datatype, each of which takes 16 bytes."""

SPAN_LIMIT = 1 << 48
"""The most bytes from the first byte of a datatype to its last one: more than any array has."""

COUNT_LIMIT = (1 << 31) - 1
"""The highest count, stride or displacement."""

ORDER_C, ORDER_F = 56, 57
"""The order of the dimensions of a subarray: the last, or the first one varies fastest. The values are MPICH's."""


class Datatype:
    """A datatype, one of mpi4py's basic ones or one made of others. It is committed before a call uses it.

    Attributes:
        size: The size of the data in bytes.
        lb: The lower bound: the byte at which the datatype begins, which may lie before its data.
        extent: The bytes from the beginning of the datatype to that of the next one in a buffer.
        is_predefined: Whether this is a basic datatype.
        name: The name that `Set_name` has set.
    """

    __slots__ = (
        "_alignment",
        "_dtype",
        "_has_set_bounds",
        "_is_committed",
        "_is_freed",
        "_lengths",
        "_starts",
        "extent",
        "is_predefined",
        "lb",
        "name",
        "size",
    )

    def __init__(self, runs: tuple[Numbers, Numbers], bounds: tuple[int, int], dtype: np.dtype[Any]) -> None:
        """Creates a datatype with these runs (starts and lengths), from the first bound to the second."""
        self._starts, self._lengths = runs
        self._dtype = dtype
        self.size = int(self._lengths.sum())
        self.lb = bounds[0]
        self.extent = bounds[1] - bounds[0]
        self.is_predefined = self._is_committed = self._is_freed = False
        self.name = ""
        self._alignment = dtype.alignment
        # Bounds that are set, and are not those of the data: Create_resized and Create_subarray set them.
        self._has_set_bounds = False

    def _like(self, runs: tuple[Numbers, Numbers], bounds: tuple[int, int]) -> "Datatype":
        """A datatype of the same elements as this one."""
        made = Datatype(runs, bounds, self._dtype)
        made._alignment, made._has_set_bounds = self._alignment, self._has_set_bounds
        return made

    @classmethod
    def basic(cls, name: npt.DTypeLike) -> Self:
        """A basic datatype, from a type of NumPy."""
        dtype = np.dtype(name)
        made = cls(_runs([0], [dtype.itemsize]), (0, dtype.itemsize), dtype)
        made.is_predefined = made._is_committed = True
        return made

    def __repr__(self) -> str:
        """The datatype's size and extent."""
        return f"Datatype(size={self.size}, lb={self.lb}, extent={self.extent})"

    @property
    def ub(self) -> int:
        """The upper bound: the byte at which the next datatype begins."""
        return self.lb + self.extent

    @property
    def is_named(self) -> bool:
        """Whether this is a basic datatype."""
        return self.is_predefined

    def Get_name(self) -> str:  # noqa: N802
        """The name of the datatype."""
        return self.name

    def Set_name(self, name: str) -> None:  # noqa: N802
        """Sets the name of the datatype."""
        self.name = name

    def Get_size(self) -> int:  # noqa: N802
        """The size of the data in bytes."""
        return self.size

    def Get_true_extent(self) -> tuple[int, int]:  # noqa: N802
        """The byte at which the data begin, and the number of bytes from there to their end."""
        first = int(self._starts.min(initial=SPAN_LIMIT)) if len(self._starts) else 0
        return first, self._end() - first

    @property
    def true_lb(self) -> int:
        """The byte at which the data begin."""
        return self.Get_true_extent()[0]

    @property
    def true_ub(self) -> int:
        """The byte after the last byte of the data."""
        return sum(self.Get_true_extent())

    @property
    def true_extent(self) -> int:
        """The bytes from the beginning of the data to their end."""
        return self.Get_true_extent()[1]

    def Get_extent(self) -> tuple[int, int]:  # noqa: N802
        """The byte at which the datatype begins, and the bytes from there to the beginning of the next one."""
        return self.lb, self.extent

    def Commit(self) -> Self:  # noqa: N802
        """Lets calls use the datatype."""
        self._refuse_if_freed()
        self._is_committed = True
        return self

    def Free(self) -> None:  # noqa: N802
        """Frees the datatype. Datatypes made of it, and calls that use it, stay valid.

        Raises:
            ValueError: If this is a basic datatype, or has been freed.
        """
        self._refuse_if_freed()
        if self.is_predefined:
            raise ValueError("a basic datatype cannot be freed")
        self._is_freed = True

    def Create_contiguous(self, count: SupportsIndex) -> "Datatype":  # noqa: N802
        """A datatype of `count` copies, one after the other."""
        return self._copies([0], [in_range(count, "count", 0, COUNT_LIMIT)])

    def Create_vector(  # noqa: N802
        self, count: SupportsIndex, blocklength: SupportsIndex, stride: SupportsIndex
    ) -> "Datatype":
        """Blocks of one length that begin `stride` extents apart."""
        step = in_range(stride, "stride", -COUNT_LIMIT, COUNT_LIMIT)
        return self._vector(count, blocklength, step * self.extent)

    def Create_indexed(  # noqa: N802
        self, blocklengths: Iterable[SupportsIndex], displacements: Iterable[SupportsIndex]
    ) -> "Datatype":
        """Blocks of these lengths, which begin `displacements` extents from the start."""
        lengths = listed_in_range(blocklengths, "blocklengths", 0, COUNT_LIMIT)
        starts = listed_in_range(displacements, "displacements", -COUNT_LIMIT, COUNT_LIMIT)
        if len(lengths) != len(starts):
            raise ValueError(f"displacements: {len(starts)} of them for {len(lengths)} blocklengths")
        _require_span(max(map(abs, starts), default=0) * self.extent)
        return self._copies(np.array(starts, dtype=np.int64) * self.extent, lengths)

    def Create_hvector(  # noqa: N802
        self, count: SupportsIndex, blocklength: SupportsIndex, stride: SupportsIndex
    ) -> "Datatype":
        """Blocks of one length that begin `stride` bytes apart."""
        return self._vector(count, blocklength, in_range(stride, "stride", -SPAN_LIMIT, SPAN_LIMIT))

    def _vector(self, count: SupportsIndex, blocklength: SupportsIndex, step_bytes: int) -> "Datatype":
        blocks = in_range(count, "count", 0, BLOCKS_LIMIT)
        length = in_range(blocklength, "blocklength", 0, COUNT_LIMIT)
        _require_span(blocks * abs(step_bytes))
        return self._copies(np.arange(blocks) * step_bytes, np.full(blocks, length))

    def Create_hindexed(  # noqa: N802
        self, blocklengths: Iterable[SupportsIndex], displacements: Iterable[SupportsIndex]
    ) -> "Datatype":
        """Blocks of these lengths, which begin `displacements` bytes from the start."""
        lengths = listed_in_range(blocklengths, "blocklengths", 0, COUNT_LIMIT)
        starts = listed_in_range(displacements, "displacements", -SPAN_LIMIT, SPAN_LIMIT)
        if len(lengths) != len(starts):
            raise ValueError(f"displacements: {len(starts)} of them for {len(lengths)} blocklengths")
        return self._copies(starts, lengths)

    def Create_indexed_block(  # noqa: N802
        self, blocklength: SupportsIndex, displacements: Sequence[SupportsIndex]
    ) -> "Datatype":
        """Blocks of one length, which begin `displacements` extents from the start."""
        return self.Create_indexed([blocklength] * len(displacements), displacements)

    def Create_hindexed_block(  # noqa: N802
        self, blocklength: SupportsIndex, displacements: Sequence[SupportsIndex]
    ) -> "Datatype":
        """Blocks of one length, which begin `displacements` bytes from the start."""
        return self.Create_hindexed([blocklength] * len(displacements), displacements)

    @staticmethod
    def Create_struct(  # noqa: N802
        blocklengths: Iterable[SupportsIndex],
        displacements: Iterable[SupportsIndex],
        datatypes: "Sequence[Datatype]",
    ) -> "Datatype":
        """Blocks of several datatypes, which begin at these bytes.

        The next copy begins where a C compiler puts it: the extent is a multiple of the widest alignment. If one of
        the datatypes has bounds of `Create_resized` or `Create_subarray`, it begins where these say.
        """
        lengths = listed_in_range(blocklengths, "blocklengths", 0, COUNT_LIMIT)
        starts = listed_in_range(displacements, "displacements", -SPAN_LIMIT, SPAN_LIMIT)
        if not len(lengths) == len(starts) == len(datatypes):
            raise ValueError(
                f"blocklengths, displacements, datatypes: {len(lengths)}, {len(starts)} and {len(datatypes)} of them"
            )
        for datatype in datatypes:
            if not isinstance(datatype, Datatype):
                raise TypeError(f"datatypes: {shown(datatype)} is no datatype")
        blocks = zip(lengths, starts, datatypes, strict=True)
        all_parts = [datatype._copies([start], [length]) for length, start, datatype in blocks if length]
        parts = [part for part in all_parts if part.size or part._has_set_bounds]
        if not parts:
            return Datatype(_runs([], []), (0, 0), np.dtype(np.uint8))
        runs = _joined(
            np.concatenate([part._starts for part in parts]), np.concatenate([part._lengths for part in parts])
        )
        kinds = {part._dtype for part in parts}
        dtype = kinds.pop() if len(kinds) == 1 else np.dtype(np.uint8)
        # Bounds that are set hide those of data.
        bounding = [part for part in parts if part._has_set_bounds] or parts
        lb, ub = min(part.lb for part in bounding), max(part.ub for part in bounding)
        has_set_bounds = bounding[0]._has_set_bounds
        alignment = max(part._alignment for part in parts)
        made = Datatype(runs, (lb, ub if has_set_bounds else lb + -(-(ub - lb) // alignment) * alignment), dtype)
        made._alignment, made._has_set_bounds = alignment, has_set_bounds
        return made

    def Dup(self) -> "Datatype":  # noqa: N802
        """An equal datatype."""
        self._refuse_if_freed()
        return self._like((self._starts, self._lengths), (self.lb, self.ub))

    Create_dup = Dup

    def Create_subarray(  # noqa: N802
        self,
        sizes: Sequence[SupportsIndex],
        subsizes: Sequence[SupportsIndex],
        starts: Sequence[SupportsIndex],
        order: int = ORDER_C,
    ) -> "Datatype":
        """Part of an array of `sizes`, which begins at the indices `starts`. Its extent is that of the whole array."""
        if order not in (ORDER_C, ORDER_F):
            raise ValueError(f"order={order}: order is ORDER_C or ORDER_F")
        whole = listed_in_range(sizes, "sizes", 1, COUNT_LIMIT)
        part = listed_in_range(subsizes, "subsizes", 1, COUNT_LIMIT)
        first = listed_in_range(starts, "starts", 0, COUNT_LIMIT)
        if not whole or not len(whole) == len(part) == len(first):
            raise ValueError(f"sizes, subsizes, starts: {len(whole)}, {len(part)} and {len(first)} dimensions")
        for size, length, start in zip(whole, part, first, strict=True):
            if start + length > size:
                raise ValueError(f"subsizes: elements {start} to {start + length - 1} of a dimension of {size}")
        dimensions = list(zip(whole, part, first, strict=True))
        made, pitch = self, self.extent
        for size, length, start in reversed(dimensions) if order == ORDER_C else dimensions:
            _require_span(size * pitch)
            # Rows of a dimension are a pitch apart, regardless of their content.
            made = made.Create_resized(0, pitch)._copies([start * pitch], [length])
            pitch *= size
        return made.Create_resized(0, pitch)

    def Create_resized(self, lb: SupportsIndex, extent: SupportsIndex) -> "Datatype":  # noqa: N802
        """This datatype with another lower bound and extent."""
        self._refuse_if_freed()
        first = in_range(lb, "lb", -SPAN_LIMIT, SPAN_LIMIT)
        end = first + in_range(extent, "extent", 0, SPAN_LIMIT)
        made = self._like((self._starts, self._lengths), (first, end))
        made._has_set_bounds = True
        return made

    def region(self, array: Array, count: int | None, name: str, displacement: int = 0) -> Region:
        """The region of `count` copies in an array, which begins `displacement` bytes from its start.

        By default it has as many copies as fit.

        Raises:
            ValueError: If the array is not in one piece or too short, or the datatype is not committed or has been
                freed.
        """
        self._refuse_if_freed()
        if not self._is_committed:
            raise ValueError(f"{name}: the datatype is not committed: Commit() comes before its use")
        if not array.flags.c_contiguous:
            raise ValueError(f"{name}: a datatype is for an array in one piece, of which it names parts")
        memory = array.reshape(-1).view(np.uint8)
        number = self._fitting(memory.size - displacement) if count is None else count
        if not number * self.size:
            return Region.of(memory[:0].view(self._dtype))
        self._require_reach(number, displacement, memory.size, name)
        return self._region(memory, number, displacement)

    def _fitting(self, size_bytes: int) -> int:
        room = size_bytes - self._end()
        if size_bytes == 0 or not self.extent or room < 0:
            return int(size_bytes > 0)
        return 1 + room // self.extent

    def _end(self) -> int:
        """The byte after the last byte of the data, from the start of the datatype."""
        return int((self._starts + self._lengths).max(initial=0))

    def _require_reach(self, count: int, displacement: int, size_bytes: int, name: str) -> None:
        if count * self.size > max(MESSAGE_BYTES_LIMIT, size_bytes):
            raise ValueError(f"{name}: {count * self.size} bytes; a message has at most {MESSAGE_BYTES_LIMIT}")
        first = displacement + int(self._starts.min())
        end = displacement + (count - 1) * self.extent + self._end()
        if first < 0 or end > size_bytes:
            raise ValueError(f"{name}: the data are bytes {first} to {end - 1} of an array of {size_bytes} bytes")

    def _region(self, memory: npt.NDArray[np.uint8], count: int, displacement: int) -> Region:
        starts, lengths = self._starts, self._lengths
        size_bytes = count * self.size
        are_joined = starts[-1] + lengths[-1] == starts[0] + self.extent
        blocks = count * len(starts) - (count - 1 if are_joined else 0)
        if blocks == 1:
            first = displacement + int(starts[0])
            return Region.of(memory[first : first + size_bytes].view(self._dtype))
        # Elements are as long as possible such that each run begins and ends at the border of one.
        unit = int(np.gcd.reduce([*starts, *lengths, displacement, self.extent if count > 1 else 0]))
        places = _elements(starts // unit, lengths // unit)
        copies = (displacement + self.extent * np.arange(count)) // unit
        elements = memory[: memory.size // unit * unit].view(np.dtype((np.void, unit)))
        return Region(elements, (copies[:, np.newaxis] + places).reshape(-1), size_bytes, blocks, self._dtype)

    def _copies(self, starts: Sequence[int] | Numbers, counts: Sequence[int] | Numbers) -> "Datatype":
        """A datatype with `counts` copies of this one at each of `starts`, one after the other."""
        self._refuse_if_freed()
        firsts, numbers = _runs(starts, counts)
        kept = numbers > 0
        firsts, numbers = firsts[kept], numbers[kept]
        if not len(firsts):
            return Datatype(_runs([], []), (0, 0), self._dtype)
        if not self.size and not self._has_set_bounds:
            return self._like(_runs([], []), (0, 0))
        _require_span(int(numbers.max()) * self.extent)
        bounds = int(firsts.min()) + self.lb, int((firsts + (numbers - 1) * self.extent).max()) + self.ub
        if self._is_dense():
            return self._like(_joined(firsts, numbers * self.extent), bounds)
        copies = int(numbers.sum())
        if copies * len(self._starts) > BLOCKS_LIMIT:
            raise ValueError(f"a datatype of {copies * len(self._starts)} blocks; it has at most {BLOCKS_LIMIT}")
        places = np.repeat(firsts, numbers) + self.extent * _elements(np.zeros_like(numbers), numbers)
        runs = _joined((places[:, np.newaxis] + self._starts).reshape(-1), np.tile(self._lengths, copies))
        return self._like(runs, bounds)

    def _is_dense(self) -> bool:
        """Whether consecutive copies of the datatype are one run."""
        return len(self._starts) == 1 and int(self._starts[0]) == self.lb == 0 and self.size == self.extent

    def _refuse_if_freed(self) -> None:
        if self._is_freed:
            raise ValueError("this datatype has been freed")


def _runs(starts: Any, lengths: Any) -> tuple[Numbers, Numbers]:  # noqa: ANN401
    return np.asarray(starts, dtype=np.int64), np.asarray(lengths, dtype=np.int64)


def _joined(starts: Numbers, lengths: Numbers) -> tuple[Numbers, Numbers]:
    """The runs, with adjacent ones merged."""
    if not len(starts):
        return starts, lengths
    firsts = np.flatnonzero(np.append(True, starts[1:] != starts[:-1] + lengths[:-1]))
    return starts[firsts], np.add.reduceat(lengths, firsts)


def _elements(starts: Numbers, lengths: Numbers) -> Numbers:
    """The consecutive numbers of each run: `lengths` numbers that begin at `starts`."""
    ends = np.cumsum(lengths)
    numbers: Numbers = np.arange(ends[-1]) + np.repeat(starts - (ends - lengths), lengths)
    return numbers


def _require_span(size_bytes: int) -> None:
    if size_bytes > SPAN_LIMIT:
        raise ValueError(f"a datatype that reaches over {size_bytes} bytes; it reaches over at most {SPAN_LIMIT}")


BYTE = Datatype.basic(np.uint8)
CHAR = SIGNED_CHAR = INT8_T = Datatype.basic(np.int8)
UNSIGNED_CHAR = UINT8_T = Datatype.basic(np.uint8)
SHORT = INT16_T = Datatype.basic(np.int16)
UNSIGNED_SHORT = UINT16_T = Datatype.basic(np.uint16)
INT = INT32_T = Datatype.basic(np.int32)
UNSIGNED = UNSIGNED_INT = UINT32_T = Datatype.basic(np.uint32)
LONG = LONG_LONG = INT64_T = Datatype.basic(np.int64)
UNSIGNED_LONG = UNSIGNED_LONG_LONG = UINT64_T = Datatype.basic(np.uint64)
FLOAT = Datatype.basic(np.float32)
DOUBLE = Datatype.basic(np.float64)
COMPLEX = C_FLOAT_COMPLEX = Datatype.basic(np.complex64)
DOUBLE_COMPLEX = C_DOUBLE_COMPLEX = Datatype.basic(np.complex128)
BOOL = C_BOOL = Datatype.basic(np.bool_)
