"""Names of mpi4py 4 that programs lack: why each is missing, and what to use instead. One table has all messages.

The first pattern that a name matches counts. The missing names are those that mpi4py has (`mpi4py-4.1.txt`) and
programs lack.
"""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, NoReturn, TypeAlias

_ONE_SIDED = "one-sided calls are not supported; programs have sends, receives and collectives"
_FILES = "files are not simulated; a program reads and writes them as Python does, which takes no time"
_PROCESSES = "the ranks of a run are fixed: no processes are started or connected; there are only intracommunicators"
_HANDLES = "there is no MPI library in another language whose handles could be passed"
_ERRORS = "errors are exceptions of Python, which end the run"
_ATTRIBUTES = "nothing is attached to MPI's objects; a program keeps its data in variables"
_INFO = "hints have no effect on the simulator; the sections of run_program have settings"
_GRAPHS = "topologies are grids (Create_cart) and neighbors that each rank names (Create_dist_graph_adjacent)"
_PERSISTENT = (
    "persistent collectives of neighbors are not simulated; the calls without _init, or with I before them, are"
)
_PARTITIONED = "partitioned communication is not simulated; several messages by Isend are"
_START = "it says nothing of a simulated machine; torusim.__version__ is that of the simulator"
_TYPES = "this datatype is not there; the basic ones are those of C and NumPy of the same lengths"
_BUFFERS = "buffers are NumPy arrays; buffered sends always have room"
_CALLS = "this call is not simulated; docs/programs.md lists those that are"

TABLE: tuple[tuple[str, str], ...] = (
    ("COMM_WORLD", "it is what main(comm) gets; a parameter of the program, as ranks share one process"),
    ("COMM_SELF", "comm.split(comm.rank) makes the communicator of the rank alone"),
    ("Intracomm", "communicators are of the classes Comm, Topocomm, Cartcomm and Distgraphcomm"),
    ("is_intra is_inter Is_int* *Intercomm* *intercomm* remote_* Get_remote* Merge ROOT", _PROCESSES),
    (
        "Get_parent Disconnect Join Spawn* Accept Connect Open_port Close_port *ublish_name Lookup_name *Session*",
        _PROCESSES,
    ),
    ("*SESSION* MAX_PORT_NAME APPNUM UNIVERSE_SIZE MAX_PSET* MAX_STRINGTAG* Create_from_group* SPAWN", _PROCESSES),
    ("ERR_RMA* ERR_* SUCCESS *rrhandler* *ERRORS_* ERRHANDLER* *rror_* MAX_ERROR* Exception LASTUSEDCODE", _ERRORS),
    (
        "Revoke Is_revoked Get_failed Ack_failed Agree Iagree Shrink Ishrink",
        "ranks do not fail; dead nodes are a setting",
    ),
    (
        "Win WIN_* LOCK_* MODE_NO* Put Rput Get Rget Accumulate Get_accumulate REPLACE NO_OP Alloc_mem Free_mem",
        _ONE_SIDED,
    ),
    ("File FILE_* MODE_* SEEK_* DISP* Register_datarep IO MAX_DATAREP_STRING", _FILES),
    ("*keyval* KEYVAL* *_attr *ATTR* TAG_UB WTIME_IS_GLOBAL", _ATTRIBUTES),
    ("Info INFO_* MAX_INFO* info Get_info Set_info *_With_info *_with_info Get_hw* COMM_TYPE* Split_type", _INFO),
    ("*raphcomm *raph* GRAPH DIST_GRAPH UNWEIGHTED WEIGHTS_EMPTY", _GRAPHS),
    ("Psend_init Precv_init", _PARTITIONED),
    ("*_init", _PERSISTENT),
    ("handle *handle *int py2f f2py F_* *fortran* *FORTRAN* Get_abi* get_vendor free", _HANDLES),
    (
        "Get_version Get_library_version VERSION SUBVERSION MAX_* Pcontrol",
        _START,
    ),
    ("Idup*", "a communicator is made by dup, which blocks"),
    ("Pready* Parrived", _PARTITIONED),
    (
        "Set_* Get_elements *error tomemory",
        "the simulator fills in a status: source, tag and length in bytes",
    ),
    ("get_status* Get_status*", "test reports whether a request has ended, and ends it then"),
    ("Probe* Iprobe* probe* iprobe*", "comm.mprobe and comm.improbe take a message"),
    (
        "Get_contents Get_envelope combiner contents envelope decode tocode fromcode typechar typestr Match_size "
        "Get_value_index Create_darray Create_f90* Pack* Unpack*",
        "a datatype gives its size and bounds alone; data are packed when they are sent",
    ),
    ("*_buffer *buffer* BUFFER* BSEND_OVERHEAD Bottom* BOTTOM InPlaceType memory Get_address Aint_*", _BUFFERS),
    ("Grequest", "generalized requests are not simulated; a program keeps what it waits for in variables"),
    ("Pickle pickle", "objects are pickled by Python's pickle with its highest protocol"),
    ("Op OP_NULL", "an operation is a function of two operands, such as SUM, or one of a program's own"),
    ("*_NULL MESSAGE_NO_PROC GROUP_EMPTY", "there are no null handles; None is in their place"),
    ("TYPECLASS_* DISTRIBUTE_* COMBINER_* Datatype *_T *INT* *REAL* *COMPLEX* *LOGICAL* *CHAR* *_BOOL", _TYPES),
    ("DOUBLE_PRECISION LONG_DOUBLE* PACKED AINT OFFSET COUNT F_* SIGNED_* BOOL INTEGER*", _TYPES),
    ("*", _CALLS),
)
"""Patterns of names, why these are missing, and what to use instead."""

VERSION = "4.1"
"""The version of mpi4py whose names these are."""

Arguments: TypeAlias = tuple[str, ...] | None
"""The arguments of a call, with = after each that has a default; None for names that are no call."""


@cache
def names_of(owner: str = "") -> Mapping[str, Arguments]:
    """The public names of a class of mpi4py, or of its module MPI, from its stub (`tools/mpi4py_names.py`)."""
    found: dict[str, Arguments] = {}
    for line in files("torusim.programs").joinpath(f"mpi4py-{VERSION}.txt").read_text("utf-8").splitlines():
        name, is_call, arguments = line.rstrip(")").partition("(")
        of, _, short = name.rpartition(".")
        if of == owner:
            found[short] = tuple(filter(None, arguments.split(", "))) if is_call else None
    return found


ONE_SIDED = ("Put", "Rput", "Get", "Rget", "Accumulate", "Get_accumulate")
"""Calls of windows, which some users look for in a communicator."""


def refuse_others(kind: type, *owners: str) -> None:
    """Adds to a class the names of mpi4py's classes that it lacks; each explains why it is missing."""
    for name, arguments in chain.from_iterable(names_of(owner).items() for owner in owners):
        if not hasattr(kind, name):
            setattr(kind, name, refused_attribute(name) if arguments is None else refused_call(name))


def refuse(name: str) -> NoReturn:
    """Reports that a name of mpi4py is missing, why, and what to use instead.

    Raises:
        NotImplementedError: Always.
    """
    stem = name.partition(".")[0]
    reason = next(why for names, why in TABLE if any(fnmatchcase(stem, pattern) for pattern in names.split()))
    raise NotImplementedError(f"{name}: {reason} (docs/programs.md)")


def refused_call(name: str) -> Callable[..., NoReturn]:
    """A missing call of a communicator."""

    def call(*_arguments: Any, **_keywords: Any) -> NoReturn:  # noqa: ANN401
        """Reports that the call is missing."""
        refuse(name)

    return call


def refused_attribute(name: str) -> property:
    """A missing attribute of a communicator."""
    return property(lambda _self: refuse(name))


class _Refusing(type):
    """Every attribute of its classes is missing."""

    def __getattr__(cls, name: str) -> NoReturn:
        refuse(f"Win.{name}")


class Win(metaclass=_Refusing):
    """A window of memory for one-sided calls: `Win.Create` and all others say that they are not supported."""

    def __init__(self, *_arguments: Any, **_keywords: Any) -> None:  # noqa: ANN401
        """Reports that there are no windows."""
        refuse("Win")
