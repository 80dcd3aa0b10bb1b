"""Regions: the data of an array that a buffer names, in one piece of memory or in several."""

from math import prod
from types import EllipsisType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = np.ndarray[Any, Any]


class Region(NamedTuple):
    """Data to send, or the place of data to receive.

    Attributes:
        place: An array, or the iterator over its elements in C order.
        selector: The selected elements of `place`, in the order in which they are sent.
        size_bytes: The length of the data in bytes.
        blocks: The number of pieces of memory in which the data lie, no two of them adjacent.
        dtype: The type of the data sent, if not that of the elements.
    """

    place: Any
    selector: EllipsisType | slice | npt.NDArray[np.int64]
    size_bytes: int
    blocks: int
    dtype: np.dtype[Any] | None = None

    @staticmethod
    def of(array: Array) -> "Region":
        """The region of a whole array."""
        blocks = 1 if array.flags.c_contiguous else _blocks_of(array, array.size)
        # In the way of `Region._make`, but without its check: most buffers are whole arrays.
        return tuple.__new__(Region, (array, ..., array.nbytes, blocks, None))

    @staticmethod
    def first(array: Array, count: int) -> "Region":
        """The region of the first elements of an array, in C order."""
        if array.flags.c_contiguous:
            return Region.of(array.reshape(-1)[:count])
        return Region(array.flat, slice(count), count * array.itemsize, _blocks_of(array, count))

    @property
    def array(self) -> Array | None:
        """The data as an array, if they are in one piece."""
        whole = self.selector is ... and isinstance(self.place, np.ndarray) and self.place.flags.c_contiguous
        return self.place if whole else None

    def gathered(self) -> Array:
        """A copy of the data, in one piece."""
        if (whole := self.array) is not None and self.dtype is None:
            return whole.copy()
        data = self.place[self.selector]
        copied: Array = data if data.flags.owndata else data.copy(order="C")
        # By bytes: a unit of six bytes is no whole number of 4-byte integers, although two units are three of them.
        return copied if self.dtype is None else copied.view(np.uint8).view(self.dtype)

    def is_like(self, content: Array) -> bool:
        """Whether the data are in one piece, as those of an array of the same type and shape."""
        whole = self.array
        return (
            type(whole) is np.ndarray
            and whole.dtype is content.dtype
            and whole.shape == content.shape
            and content.flags.c_contiguous
        )

    def fill(self, data: npt.NDArray[np.uint8]) -> None:
        """Stores bytes in their places; if there are fewer, the rest stays unchanged."""
        if (whole := self.array) is not None:
            whole.reshape(-1).view(np.uint8)[: data.size] = data
            return
        packed = np.array(self.place[self.selector], order="C")
        packed.reshape(-1).view(np.uint8)[: data.size] = data
        self.place[self.selector] = packed


def _blocks_of(array: Array, count: int) -> int:
    """The number of pieces of memory in which the first elements of an array lie."""
    if array.flags.c_contiguous:
        return 1
    lengths = [length for length in array.shape if length != 1]
    strides = [stride for length, stride in zip(array.shape, array.strides, strict=True) if length != 1]
    inner = len(lengths)
    while inner and strides[inner - 1] == array.itemsize * prod(lengths[inner:]):
        inner -= 1
    run: int = prod(lengths[inner:])
    return -(-count // run)
