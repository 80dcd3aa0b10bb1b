"""The MPI library of torusim in the process of a rank: its functions that make calls by records.

The library is the one that mpi4py has loaded, or would load. Records and blocks of data are those of
`crates/rank-wire`; `crates/mpi-library/src/extension.rs` describes the functions.
"""

import atexit
import ctypes
import os
import re
from collections.abc import Sequence
from ctypes import c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

NOTHING = (1 << 64) - 1
"""The word of a record that stands for none, or any."""

_LIBRARIES = re.compile(r"/[^\n]*/(?:libmpi_abi\.so\.1|libmpi\.so\.12|libmpi\.so\.40|libmpich\.so\.12)$", re.MULTILINE)

_FUNCTIONS = {
    "compute": ([c_double], None),
    "cycle": ([], c_uint64),
    "hertz": ([], c_double),
    "make": ([c_uint32, c_void_p, c_size_t, c_void_p], None),
    "ended": ([c_void_p], None),
    "reserve": ([], c_uint32),
    "unreserve": ([c_uint32], None),
    "communicator": ([], c_uint32),
    "place": ([c_uint32, c_void_p], c_uint32),
    "put": ([ctypes.c_char_p, c_uint64], c_uint64),
    "data": ([c_uint64, c_void_p], c_void_p),
    "release": ([c_uint64], None),
    "contribution": ([c_uint64, c_uint32], c_uint64),
    "result": ([c_uint64, c_void_p], c_int),
    "tell": ([c_uint64, c_uint64], None),
    "release_table": ([c_uint64], None),
}


class Code(IntEnum):
    """Kinds of records (`rank_wire::Code`)."""

    SEND = 1
    RECEIVE = 2
    SEND_RECEIVE = 3
    SEND_INIT = 4
    RECEIVE_INIT = 5
    START = 6
    FREE = 7
    CANCEL = 8
    END = 9
    PROBE = 10
    MATCHED_RECEIVE = 11
    COLLECT = 12
    CREATE = 13
    DEFINE = 14
    FREE_COMMUNICATOR = 15
    COMPUTE = 17
    ABORT = 18


class Answer(NamedTuple):
    """The outcome of a call, in the words of the library; `ended` counts the requests that it has ended."""

    time: int
    flag: int
    handle: int
    id: int
    table: int
    source: int
    tag: int
    flags: int
    bytes: int
    offset: int
    ended: int


class EndedRequest(NamedTuple):
    """A request that a call has ended."""

    request: int
    source: int
    tag: int
    flags: int
    bytes: int
    offset: int


RECEIVED, CANCELLED = 1, 2
"""Flags of an outcome: a message has been received or found; the request was cancelled."""


class Library:
    """The library, in a process that is a rank.

    Attributes:
        rank: The rank.
        size: The number of ranks.
        hertz: Processor cycles in a second.
    """

    def __init__(self) -> None:
        """Loads the library, and makes the process a rank unless it is one.

        Raises:
            RuntimeError: If the process has not been started by `torusim mpirun`.
        """
        path = _path()
        # Calls that wait let other threads of Python go on; the others are short, and keep the global lock.
        self._waiting, self._short = ctypes.CDLL(path), ctypes.PyDLL(path)
        for library in (self._waiting, self._short):
            for name, (arguments, result) in _FUNCTIONS.items():
                function = getattr(library, f"torusim_{name}")
                function.argtypes, function.restype = arguments, result
        flag = c_int()
        self._short.MPI_Initialized(ctypes.byref(flag))
        if not flag.value:
            self._short.MPI_Init(None, None)
            atexit.register(self._short.MPI_Finalize)
        place = (c_uint32 * 9)()
        self._dimensions = self._short.torusim_place(NO_RANK, place)
        self.rank, self.size = place[0], place[1]
        self.hertz: float = self._short.torusim_hertz()
        self._answer = (c_uint64 * len(Answer._fields))()

    def cycle(self) -> int:
        """The processor cycle at which the last call has ended."""
        cycle: int = self._short.torusim_cycle()
        return cycle

    def new_communicator(self) -> int:
        """The number of the next communicator."""
        number: int = self._short.torusim_communicator()
        return number

    def place(self, rank: int) -> tuple[list[int], int]:
        """The coordinates of the node of a rank, and its core: the number of lower ranks on the node."""
        place = (c_uint32 * 9)()
        self._short.torusim_place(rank, place)
        return list(place[3 : 3 + self._dimensions]), place[2]

    def post(self, code: Code, words: Sequence[int]) -> None:
        """Makes a call whose outcome the program does not need."""
        self._short.torusim_make(code, (c_uint64 * len(words))(*words), len(words), None)

    def ask(self, code: Code, words: Sequence[int]) -> tuple[Answer, list[EndedRequest]]:
        """Makes a call, and waits for its outcome; returns it, and the requests that it has ended."""
        self._waiting.torusim_make(code, (c_uint64 * len(words))(*words), len(words), self._answer)
        answer = Answer(*self._answer)
        if not answer.ended:
            return answer, []
        width = len(EndedRequest._fields)
        rows = (c_uint64 * (width * answer.ended))()
        self._short.torusim_ended(rows)
        return answer, [EndedRequest(*rows[at : at + width]) for at in range(0, len(rows), width)]

    def reserve(self) -> int:
        """The number of a new request: the lowest that is free."""
        number: int = self._short.torusim_reserve()
        return number

    def unreserve(self, number: int) -> None:
        """Frees the number of a request that has ended."""
        self._short.torusim_unreserve(number)

    def put(self, data: bytes) -> int:
        """Stores data in a block for one reader; returns its offset."""
        offset: int = self._short.torusim_put(data, len(data))
        return offset

    def data(self, offset: int) -> memoryview:
        """The data of a block, which stay there until it is released."""
        length = c_uint64()
        at = self._short.torusim_data(offset, ctypes.byref(length))
        return memoryview((ctypes.c_char * length.value).from_address(at)).cast("B")

    def release(self, offset: int) -> None:
        """Releases a block that has been read."""
        self._short.torusim_release(offset)

    def contribution(self, table: int, rank: int) -> int:
        """The block that a rank of the communicator has contributed to a collective; 0 without one."""
        offset: int = self._short.torusim_contribution(table, rank)
        return offset

    def result(self, table: int) -> int | None:
        """The block with the result of a table; None if this rank has to compute it, and to tell it."""
        offset = c_uint64()
        return offset.value if self._waiting.torusim_result(table, ctypes.byref(offset)) else None

    def tell(self, table: int, offset: int) -> None:
        """Tells all ranks the block with the result of a table."""
        self._short.torusim_tell(table, offset)

    def release_table(self, table: int) -> None:
        """Releases a table that has been read."""
        self._short.torusim_release_table(table)


NO_RANK = (1 << 32) - 1
"""Stands for the own rank."""


def _path() -> str:
    """The file of the library that the process has loaded, or that mpi4py would load."""
    loaded: list[str] = _LIBRARIES.findall(Path("/proc/self/maps").read_text())
    for path in [*loaded, os.environ.get("MPI4PY_LIBMPI", "")]:
        if Path(path).is_file() and hasattr(ctypes.CDLL(path), "torusim_make"):
            return path
    raise RuntimeError("torusim.awaited.run(main): start the program with `torusim mpirun -n RANKS python SCRIPT`")
