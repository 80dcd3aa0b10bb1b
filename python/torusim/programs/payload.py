"""The content of a message: its size in bytes, and a copy of the object made when it was sent."""

import operator
import pickle
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np

from torusim.programs.arguments import in_range
from torusim.programs.regions import Region

MESSAGE_BYTES_LIMIT = 1 << 30
"""The greatest length of a message in bytes, as in the message layer (`crates/messaging`)."""

DATA_BYTES_LIMIT = 1 << 48
"""The greatest length of the data of a collective in bytes: more than any machine holds. They are sent in messages."""

NUMBER_BYTES = {bool: 8, int: 8, float: 8, complex: 16}
"""Sizes of plain numbers as operands of a reduction."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """A message of `size_bytes` bytes without data. The receiver gets an equal object; reductions return it unchanged.

    Attributes:
        size_bytes: The length in bytes.
    """

    size_bytes: SupportsIndex

    def __post_init__(self) -> None:
        """Refuses a value that is no length."""
        in_range(self.size_bytes, "Bytes", 0, DATA_BYTES_LIMIT, "is a number of bytes")

    def __repr__(self) -> str:
        """The expression that creates it."""
        return f"Bytes({self.size_bytes})"


class Pickled(bytes):
    """The pickle of an object, which stands for the object."""


@dataclass(slots=True)
class Payload:
    """The content of a message.

    Attributes:
        size_bytes: The length in bytes.
        content: An array, bytes, `Bytes`, a plain number, or a `Pickled` object; nobody changes it.
        blocks: The number of contiguous pieces of memory in which the data lay at the sender.
    """

    size_bytes: int
    content: Any
    blocks: int = 1

    def unpacked(self, *, is_shared: bool = False) -> Any:  # noqa: ANN401
        """An object that equals the one that was packed; if several ranks unpack it, each gets its own."""
        content = self.content
        if type(content) is Pickled:
            return pickle.loads(content)
        return content.copy() if is_shared and type(content) is np.ndarray else content


def packed(obj: object) -> Payload:
    """The payload of a message or of a block of a collective.

    The size of a NumPy array is its `nbytes`, that of bytes their length, that of `Bytes` their number; any other
    object is as long as its pickle. A region is the data in it.

    Raises:
        Exception: From pickle, if the object cannot be pickled.
    """
    if type(obj) is Bytes:
        return Payload(operator.index(obj.size_bytes), obj)
    if type(obj) is bytes:
        return Payload(len(obj), obj)
    if type(obj) is np.ndarray and not obj.dtype.hasobject:
        return Payload(obj.nbytes, obj.copy(order="K"))
    if type(obj) is Region:
        return Payload(obj.size_bytes, obj.gathered(), obj.blocks)
    pickled = Pickled(pickle.dumps(obj, pickle.HIGHEST_PROTOCOL))
    return Payload(len(pickled), pickled)


def packed_operand(obj: object) -> Payload:
    """The payload of an operand or a result of a reduction: a plain number is itself, 8 bytes long (complex: 16)."""
    size_bytes = NUMBER_BYTES.get(type(obj))
    return packed(obj) if size_bytes is None else Payload(size_bytes, obj)
