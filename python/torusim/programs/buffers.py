"""Buffers of the calls with capital letters: NumPy arrays, which are sent from and received into.

A buffer is an array in one piece, or `[array, count]` for its first elements. One with a part for each rank is an
array, which is cut into equal parts, or `[array, counts]`, or `[array, counts, displacements]`, all in elements.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final, TypeAlias

import numpy as np

from torusim.formatting import shown
from torusim.programs.arguments import in_range
from torusim.programs.payload import Payload, Pickled

Array: TypeAlias = np.ndarray[Any, Any]

Buffer: TypeAlias = Array | Sequence[Any]


class InPlace:
    """The type of IN_PLACE."""

    def __repr__(self) -> str:
        """Its name."""
        return "IN_PLACE"


IN_PLACE: Final = InPlace()
"""In place of the send buffer of a reduction: the operand is in the receive buffer."""


def array_of(buffer: Buffer | None, name: str) -> Array:
    """The array of a buffer.

    Raises:
        TypeError: If it is no buffer, or its elements are objects.
        ValueError: If the array is not in one piece, or too short.
    """
    array, rest = _split(buffer, name)
    if not rest:
        return array
    if len(rest) > 1:
        raise TypeError(f"{name}: {len(rest) + 1} items; it is an array or [array, count]")
    return array.reshape(-1)[: in_range(rest[0], name, 0, array.size, "has a count of elements")]


def parts_of(buffer: Buffer | None, ranks: int, name: str) -> list[Array]:
    """The parts of a buffer, one for each rank.

    Raises:
        TypeError: If it is no buffer, or its elements are objects.
        ValueError: If the array is not in one piece, or has not these parts.
    """
    array, rest = _split(buffer, name)
    flat = array.reshape(-1)
    if not rest:
        if flat.size % ranks:
            raise ValueError(f"{name}: {flat.size} elements cannot be cut into {ranks} equal parts")
        return np.split(flat, ranks)
    if len(rest) == 1 and isinstance(rest[0], tuple) and len(rest[0]) == 2 and not np.isscalar(rest[0][0]):
        rest = rest[0]
    if len(rest) > 2:
        raise TypeError(
            f"{name}: {len(rest) + 1} items; it is an array, [array, counts] or [array, counts, displacements]"
        )
    counts = _for_each_rank(rest[0], ranks, flat.size, f"{name} (counts)")
    starts = _for_each_rank(rest[1], ranks, flat.size, f"{name} (displacements)") if len(rest) > 1 else None
    starts = starts or list(accumulate(counts[:-1], initial=0))
    ends = [start + count for start, count in zip(starts, counts, strict=True)]
    if max(ends) > flat.size:
        raise ValueError(f"{name}: its parts end at element {max(ends)} of {flat.size}")
    return [flat[start:end] for start, end in zip(starts, ends, strict=True)]


def fill(array: Array, payload: Payload, name: str) -> None:
    """Receives the bytes of a message; a count of bytes has none.

    Raises:
        ValueError: If they do not fit.
        TypeError: If the message carries another object.
    """
    if payload.size_bytes > array.nbytes:
        raise ValueError(f"{name}: a message of {payload.size_bytes} bytes does not fit into {array.nbytes} bytes")
    content = payload.content
    if isinstance(content, np.ndarray):
        data = content.ravel(order="K").view(np.uint8)
    elif type(content) is int:
        return
    elif type(content) is bytes:
        data = np.frombuffer(content, np.uint8)
    else:
        what = payload.unpacked() if isinstance(content, Pickled) else content
        raise TypeError(f"{name}: the message carries {shown(what)}, which is no array: a lower-case call receives it")
    array.reshape(-1).view(np.uint8)[: data.size] = data


def into(arrays: Array | list[Array] | None, name: str) -> Callable[[Any], None]:
    """Receives the result of a collective, if the rank has one: into an array, or one part of each rank."""

    def receive(result: Payload | list[Payload] | None) -> None:
        if isinstance(result, Payload) and isinstance(arrays, np.ndarray):
            fill(arrays, result, name)
        elif isinstance(result, list) and isinstance(arrays, list):
            for array, payload in zip(arrays, result, strict=True):
                fill(array, payload, name)

    return receive


def into_cast(array: Array | None) -> Callable[[Any], None]:
    """Receives the result of a reduction, if the rank has one; its type may be another, such as that of LAND."""

    def receive(result: Payload | None) -> None:
        if result is not None and array is not None:
            np.copyto(array, np.reshape(result.unpacked(), array.shape), casting="same_kind")

    return receive


def _split(buffer: Buffer | None, name: str) -> tuple[Array, Sequence[Any]]:
    """The array, and what else the buffer has."""
    array, rest = (buffer[0], buffer[1:]) if isinstance(buffer, list | tuple) and buffer else (buffer, ())
    if not isinstance(array, np.ndarray) or array.dtype.hasobject:
        raise TypeError(f"{name}={shown(buffer)}: {name} is a NumPy array of numbers, or a list that begins with one")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name}: the array is not in one piece (numpy.ascontiguousarray makes one that is)")
    return array, rest


def _for_each_rank(numbers: Any, ranks: int, most: int, name: str) -> list[int]:  # noqa: ANN401
    try:
        listed = list(numbers)
    except TypeError:
        raise TypeError(f"{name}: {shown(numbers)} is not one number for each of {ranks} ranks") from None
    if len(listed) != ranks:
        raise ValueError(f"{name}: {len(listed)} numbers for {ranks} ranks")
    return [in_range(number, name, 0, most, "has numbers of elements") for number in listed]
