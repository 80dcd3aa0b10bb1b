"""Buffers of the upper-case calls: NumPy arrays from which data are sent, or into which they are received.

A buffer is an array, `[array, count]` for its first elements, `[array, datatype]` or `[array, count, datatype]`. With a
datatype the array is contiguous, and the datatype says where the data lie in it. A buffer with a part for each rank is
an array, which is cut into equal parts, `[array, counts]` or `[array, counts, displacements]`. Counts and displacements
are in elements, and a basic datatype may follow them.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final, TypeAlias

import numpy as np

from torusim.common.formatting import shown
from torusim.programs.arguments import in_range
from torusim.programs.datatypes import COUNT_LIMIT, Datatype
from torusim.programs.payload import Bytes, Payload, Pickled
from torusim.programs.regions import Array, Region

Buffer: TypeAlias = Array | Sequence[Any]


class InPlace:
    """The type of IN_PLACE."""

    def __repr__(self) -> str:
        """The name of the constant."""
        return "IN_PLACE"


IN_PLACE: Final = InPlace()
"""Passed as `sendbuf`: the data to send are already in `recvbuf`. The root of a scatter passes it as `recvbuf`."""


def region_of(buffer: Buffer | None, name: str) -> Region:
    """The region in which the data of a buffer lie.

    Raises:
        TypeError: If `buffer` is no buffer, or its elements are objects.
        ValueError: If the array is too short, or is not contiguous although the buffer has a datatype.
    """
    if type(buffer) is np.ndarray and not buffer.dtype.hasobject:  # most buffers
        return Region.of(buffer)
    array, rest = _split(buffer, name)
    counts, datatype = _without_datatype(rest)
    if len(counts) > 1:
        raise TypeError(
            f"{name}: {len(rest) + 1} items; it is an array, [array, count], [array, datatype] or "
            "[array, count, datatype]"
        )
    if datatype is not None:
        return datatype.region(array, _count_of(counts[0], name, COUNT_LIMIT) if counts else None, name)
    return Region.first(array, _count_of(counts[0], name, array.size)) if counts else Region.of(array)


def array_of(buffer: Buffer | None, name: str) -> Array:
    """The array of a buffer whose data are contiguous.

    Raises:
        TypeError: If `buffer` is no buffer, or its elements are objects.
        ValueError: If the data are not contiguous, or the array is too short.
    """
    array = region_of(buffer, name).array
    if array is None:
        raise ValueError(f"{name}: this call needs contiguous data (numpy.ascontiguousarray makes such an array)")
    return array


def parts_of(buffer: Buffer | None, ranks: int, name: str) -> list[Array]:
    """The parts of a buffer, one for each rank.

    Raises:
        TypeError: If `buffer` is no buffer, or its elements are objects.
        ValueError: If the array is not contiguous, or does not have these parts.
    """
    array, rest = _split(buffer, name)
    rest, datatype = _without_datatype(rest)
    if datatype is not None and not datatype.is_predefined:
        raise ValueError(f"{name}: parts for ranks are of a basic datatype; only Alltoallw takes others")
    flat = array_of(array if datatype is None else [array, datatype], name).reshape(-1)
    if not rest:
        if not ranks:
            return []
        if flat.size % ranks:
            raise ValueError(f"{name}: {flat.size} elements cannot be cut into {ranks} equal parts")
        return np.split(flat, ranks)
    rest = _counts_and_displacements(rest)
    if len(rest) > 2:
        raise TypeError(
            f"{name}: {len(rest) + 1} items; it is an array, [array, counts] or [array, counts, displacements], which "
            "a datatype may follow"
        )
    counts = _for_each_rank(rest[0], ranks, flat.size, f"{name} (counts)")
    starts = _for_each_rank(rest[1], ranks, flat.size, f"{name} (displacements)") if len(rest) > 1 else None
    starts = starts or list(accumulate(counts[:-1], initial=0))[: len(counts)]
    ends = [start + count for start, count in zip(starts, counts, strict=True)]
    if max(ends, default=0) > flat.size:
        raise ValueError(f"{name}: its parts end at element {max(ends)} of {flat.size}")
    return [flat[start:end] for start, end in zip(starts, ends, strict=True)]


def typed_parts_of(buffer: Buffer | None, ranks: int, name: str) -> list[Region]:
    """The parts of a buffer that has a datatype for each rank; displacements are in bytes.

    Raises:
        TypeError: If `buffer` is no buffer.
        ValueError: If the array is not contiguous, or does not have these parts.
    """
    array, rest = _split(buffer, name)
    numbers, datatypes = _counts_and_displacements(rest[:-1]), rest[-1] if rest else None
    if not isinstance(datatypes, list | tuple) or len(numbers) not in (0, 2):
        raise TypeError(f"{name}: it is [array, datatypes] or [array, counts, displacements, datatypes]")
    if len(datatypes) != ranks:
        raise ValueError(f"{name} (datatypes): {len(datatypes)} for {ranks} ranks")
    counts, starts = numbers or ([1] * ranks, [0] * ranks)
    counts = _for_each_rank(counts, ranks, COUNT_LIMIT, f"{name} (counts)")
    starts = _for_each_rank(starts, ranks, array.nbytes, f"{name} (displacements)", "has numbers of bytes")
    parts = []
    for datatype, count, start in zip(datatypes, counts, starts, strict=True):
        if not isinstance(datatype, Datatype):
            raise TypeError(f"{name} (datatypes): {shown(datatype)} is no datatype")
        parts.append(datatype.region(array, count, name, start))
    return parts


def fill(region: Region, payload: Payload, name: str) -> None:
    """Receives the data of a message into `region`; `Bytes` carry no data.

    Raises:
        ValueError: If the data do not fit.
        TypeError: If the message carries neither an array nor bytes.
    """
    if payload.size_bytes > region.size_bytes:
        raise ValueError(f"{name}: a message of {payload.size_bytes} bytes does not fit into {region.size_bytes} bytes")
    content = payload.content
    if type(content) is np.ndarray and region.is_like(content):  # most messages
        region.place[...] = content
        return
    if isinstance(content, np.ndarray):
        data = content.ravel(order="K").view(np.uint8)
    elif type(content) is Bytes:
        return
    elif type(content) is bytes:
        data = np.frombuffer(content, np.uint8)
    else:
        what = payload.unpacked() if isinstance(content, Pickled) else content
        raise TypeError(f"{name}: the message carries {shown(what)}, which is no array: use a lower-case call")
    region.fill(data)


def into(array: Array, name: str) -> Callable[[Any], None]:
    """A function that receives the result of a collective into `array`, if this rank gets a result."""

    def receive(result: Payload | None) -> None:
        if result is not None:
            fill(Region.of(array), result, name)

    return receive


def into_each(parts: Sequence[Array | Region] | None) -> Callable[[Any], None]:
    """A function that receives each rank's part of a result into one of `parts`, if this rank gets a result."""

    def receive(result: Sequence[Payload] | None) -> None:
        if result is not None and parts is not None:
            for part, payload in zip(parts, result, strict=True):
                fill(part if isinstance(part, Region) else Region.of(part), payload, "recvbuf")

    return receive


def into_cast(array: Array | None) -> Callable[[Any], None]:
    """A function that receives the result of a reduction into `array`, if this rank gets a result.

    The result may have another type than the operands, as with LAND.
    """

    def receive(result: Payload | None) -> None:
        if result is not None and array is not None:
            np.copyto(array, np.reshape(result.unpacked(), array.shape), casting="same_kind")

    return receive


def _split(buffer: Buffer | None, name: str) -> tuple[Array, Sequence[Any]]:
    """The array of a buffer, and its other items."""
    array, rest = (buffer[0], buffer[1:]) if isinstance(buffer, list | tuple) and buffer else (buffer, ())
    if not isinstance(array, np.ndarray) or array.dtype.hasobject:
        raise TypeError(f"{name}={shown(buffer)}: {name} is a NumPy array of numbers, or a list that begins with one")
    return array, rest


def _without_datatype(rest: Sequence[Any]) -> tuple[Sequence[Any], Datatype | None]:
    """The items before the datatype of a buffer, and the datatype, if any."""
    return (rest[:-1], rest[-1]) if rest and isinstance(rest[-1], Datatype) else (rest, None)


def _counts_and_displacements(rest: Sequence[Any]) -> Sequence[Any]:
    """The counts and displacements, which `rest` may contain as one pair."""
    is_pair = len(rest) == 1 and isinstance(rest[0], tuple) and len(rest[0]) == 2 and not np.isscalar(rest[0][0])
    return rest[0] if is_pair else rest


def _count_of(value: Any, name: str, most: int) -> int:  # noqa: ANN401
    return in_range(value, name, 0, most, "has a count of elements")


def _for_each_rank(
    numbers: Any,  # noqa: ANN401
    ranks: int,
    most: int,
    name: str,
    meaning: str = "has numbers of elements",
) -> list[int]:
    try:
        listed = list(numbers)
    except TypeError:
        raise TypeError(f"{name}: {shown(numbers)} is not one number for each of {ranks} ranks") from None
    if len(listed) != ranks:
        raise ValueError(f"{name}: {len(listed)} numbers for {ranks} ranks")
    return [in_range(number, name, 0, most, meaning) for number in listed]
