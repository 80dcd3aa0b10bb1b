"""Names of mpi4py 4 that programs have not: for each why, and what there is. One message, from one table.

The first pattern that a name matches counts; `tests/data/mpi4py-4.1-names.json` lists all names.
"""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, NoReturn


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONE_SIDED = "one-sided calls are not supported; programs have sends, receives and collectives"
_FILES = "files are not simulated; a program reads and writes them as Python does, which takes no time"
_PROCESSES = "the ranks of a run are fixed: no processes are started or connected; there are only intracommunicators"
_HANDLES = "there is no MPI library in another language whose handles could be passed"
_ERRORS = "errors are exceptions of Python, which end the run"
_ATTRIBUTES = "nothing is attached to MPI's objects; a program keeps its data in variables"
_INFO = "hints have no effect on the simulator; the sections of run_program have settings"
_GRAPHS = "there are only Cartesian topologies (Create_cart); neighbors of a graph exchange messages by isend and irecv"
_PERSISTENT = "persistent collectives are not simulated; the calls without _init, or with I before them, are"
_NEIGHBORS = "neighborhood collectives are not simulated; Shift tells neighbors, and isend and irecv exchange messages"
_PARTITIONED = "partitioned communication is not simulated; several messages by Isend are"
_START = "a run starts and ends MPI by itself: main(comm) begins when it is there, with one thread for each rank"
_TYPES = "this datatype is not there; the basic ones are those of C and NumPy of the same lengths"
_BUFFERS = "buffers are NumPy arrays; buffered sends always have room"
_CALLS = "this call is not simulated; docs/programs.md lists those that are"

TABLE: tuple[tuple[str, str], ...] = (
    ("COMM_WORLD", "it is what main(comm) gets; a parameter of the program, as ranks share one process"),
    ("COMM_SELF", "comm.split(comm.rank) makes the communicator of the rank alone"),
    ("Intracomm Topocomm", "communicators are of the classes Comm and Cartcomm"),
    ("Wtime Wtick", "simulated time is comm.time(), in seconds, to a processor cycle"),
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
    ("*eighbor_* degrees indegree outdegree inoutedges inedges outedges", _NEIGHBORS),
    ("*_init", _PERSISTENT),
    ("handle *handle *int py2f f2py F_* *fortran* *FORTRAN* Get_abi* get_vendor free", _HANDLES),
    (
        "Init* Finalize Is_* Query_thread THREAD_* Get_version Get_library_version VERSION SUBVERSION MAX_* Pcontrol",
        _START,
    ),
    ("Get_processor_name", "the mapping says on which node a rank runs; ranks have no host"),
    ("*_buffer *buffer* BUFFER* BSEND_OVERHEAD Bottom* BOTTOM InPlaceType memory Get_address Aint_*", _BUFFERS),
    ("Grequest", "generalized requests are not simulated; a program keeps what it waits for in variables"),
    ("Pickle pickle", "objects are pickled by Python's pickle with its highest protocol"),
    ("Op OP_NULL", "an operation is a function of two operands, such as SUM, or one of a program's own"),
    ("*_NULL MESSAGE_NO_PROC GROUP_EMPTY", "there are no null handles; None is in their place"),
    ("IDENT CONGRUENT SIMILAR UNEQUAL Compare", "communicators and groups are compared by the ranks of their groups"),
    ("TYPECLASS_* DISTRIBUTE_* COMBINER_* Datatype *_T *INT* *REAL* *COMPLEX* *LOGICAL* *CHAR* *_BOOL", _TYPES),
    ("DOUBLE_PRECISION LONG_DOUBLE* PACKED AINT OFFSET COUNT F_* SIGNED_* BOOL INTEGER*", _TYPES),
    ("*", _CALLS),
)
"""Patterns of names, and why they are missing, and what there is."""

METHODS = _words(
    "Accept Ack_failed Agree Call_errhandler Cart_map Compare Connect Create_dist_graph Create_dist_graph_adjacent "
    "Create_errhandler Create_from_group Create_graph Create_group Create_intercomm Create_keyval Delete_attr "
    "Disconnect Dup_with_info Free_keyval Get_attr Get_errhandler Get_failed Get_info Get_name Get_parent "
    "Get_topology Graph_map Iagree Idup Idup_with_info Ishrink Is_inter Is_intra Is_revoked Isendrecv "
    "Isendrecv_replace Ishrink Join Precv_init Psend_init Revoke Set_attr Set_errhandler Set_info "
    "Set_name Shrink Spawn Spawn_multiple Split_type Attach_buffer Detach_buffer Flush_buffer Iflush_buffer Put Rput "
    "Get Rget Accumulate Get_accumulate free fromhandle fromint toint py2f f2py Barrier_init Bcast_init Gather_init "
    "Gatherv_init Scatter_init Scatterv_init Allgather_init Allgatherv_init Alltoall_init Alltoallv_init "
    "Alltoallw_init Reduce_init Allreduce_init Reduce_scatter_block_init Reduce_scatter_init Scan_init Exscan_init "
    "Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw "
    "Ineighbor_allgather Ineighbor_allgatherv Ineighbor_alltoall Ineighbor_alltoallv Ineighbor_alltoallw "
    "Neighbor_allgather_init Neighbor_allgatherv_init Neighbor_alltoall_init Neighbor_alltoallv_init "
    "Neighbor_alltoallw_init neighbor_allgather neighbor_alltoall"
)
"""The calls of communicators that are missing."""

PROPERTIES = _words(
    "degrees group handle indegree inedges info inoutedges is_inter is_intra is_topo name outdegree outedges topology "
    "dim topo"
)
"""The attributes of communicators that are missing."""


NAMES = _words(
    "AINT APPNUM Add_error_class Add_error_code Add_error_string Aint_add Aint_diff Alloc_mem Attach_buffer "
    "BFLOAT16_T BOTTOM BSEND_OVERHEAD BUFFER_AUTOMATIC BottomType BufferAutomaticType CART CHARACTER "
    "COMBINER_CONTIGUOUS COMBINER_DARRAY COMBINER_DUP COMBINER_F90_COMPLEX COMBINER_F90_INTEGER COMBINER_F90_REAL "
    "COMBINER_HINDEXED COMBINER_HINDEXED_BLOCK COMBINER_HVECTOR COMBINER_INDEXED COMBINER_INDEXED_BLOCK "
    "COMBINER_NAMED COMBINER_RESIZED COMBINER_STRUCT COMBINER_SUBARRAY COMBINER_VALUE_INDEX COMBINER_VECTOR COMM_SELF "
    "COMM_TYPE_HW_GUIDED COMM_TYPE_HW_UNGUIDED COMM_TYPE_RESOURCE_GUIDED COMM_TYPE_SHARED COMM_WORLD COMPLEX16 "
    "COMPLEX32 COMPLEX4 COMPLEX8 CONGRUENT COUNT CXX_BOOL CXX_DOUBLE_COMPLEX CXX_FLOAT_COMPLEX "
    "CXX_LONG_DOUBLE_COMPLEX C_COMPLEX C_LONG_DOUBLE_COMPLEX Close_port DATATYPE_NULL "
    "DISPLACEMENT_CURRENT DISP_CUR DISTRIBUTE_BLOCK DISTRIBUTE_CYCLIC DISTRIBUTE_DFLT_DARG DISTRIBUTE_NONE DIST_GRAPH "
    "DOUBLE_INT DOUBLE_PRECISION Detach_buffer Distgraphcomm ERRHANDLER_NULL ERRORS_ABORT ERRORS_ARE_FATAL "
    "ERRORS_RETURN ERR_ABI ERR_ACCESS ERR_AMODE ERR_ARG ERR_ASSERT ERR_BAD_FILE ERR_BASE ERR_BUFFER ERR_COMM "
    "ERR_CONVERSION ERR_COUNT ERR_DIMS ERR_DISP ERR_DUP_DATAREP ERR_ERRHANDLER ERR_FILE ERR_FILE_EXISTS "
    "ERR_FILE_IN_USE ERR_GROUP ERR_INFO ERR_INFO_KEY ERR_INFO_NOKEY ERR_INFO_VALUE ERR_INTERN ERR_IN_STATUS ERR_IO "
    "ERR_KEYVAL ERR_LASTCODE ERR_LOCKTYPE ERR_NAME ERR_NOT_SAME ERR_NO_MEM ERR_NO_SPACE ERR_NO_SUCH_FILE ERR_OP "
    "ERR_OTHER ERR_PENDING ERR_PORT ERR_PROC_ABORTED ERR_PROC_FAILED ERR_PROC_FAILED_PENDING ERR_QUOTA ERR_RANK "
    "ERR_READ_ONLY ERR_REQUEST ERR_REVOKED ERR_RMA_ATTACH ERR_RMA_CONFLICT ERR_RMA_FLAVOR ERR_RMA_RANGE "
    "ERR_RMA_SHARED ERR_RMA_SYNC ERR_ROOT ERR_SERVICE ERR_SESSION ERR_SIZE ERR_SPAWN ERR_TAG ERR_TOPOLOGY "
    "ERR_TRUNCATE ERR_TYPE ERR_UNKNOWN ERR_UNSUPPORTED_DATAREP ERR_UNSUPPORTED_OPERATION ERR_VALUE_TOO_LARGE ERR_WIN "
    "Errhandler Exception FILE_NULL FLOAT16_T FLOAT32_T FLOAT64_T FLOAT_INT F_BOOL F_COMPLEX F_DOUBLE "
    "F_DOUBLE_COMPLEX F_ERROR F_FLOAT F_FLOAT_COMPLEX F_INT F_SOURCE F_STATUS_SIZE F_TAG File Finalize Flush_buffer "
    "Free_mem GRAPH GROUP_EMPTY GROUP_NULL Get_abi_fortran_info Get_abi_info Get_abi_version Get_address "
    "Get_error_class Get_error_string Get_hw_resource_info Get_library_version Get_processor_name Get_version "
    "Graphcomm Grequest IDENT INFO_ENV INFO_NULL INTEGER INTEGER1 INTEGER16 INTEGER2 INTEGER4 INTEGER8 INT_INT IO "
    "Iflush_buffer InPlaceType Info Init Init_thread Intercomm Intracomm Is_finalized Is_initialized Is_thread_main "
    "KEYVAL_INVALID LASTUSEDCODE LOCK_EXCLUSIVE LOCK_SHARED LOGICAL LOGICAL1 LOGICAL16 LOGICAL2 LOGICAL4 LOGICAL8 "
    "LONG_DOUBLE LONG_DOUBLE_INT LONG_INT Lookup_name MAX_DATAREP_STRING MAX_ERROR_STRING MAX_INFO_KEY MAX_INFO_VAL "
    "MAX_LIBRARY_VERSION_STRING MAX_OBJECT_NAME MAX_PORT_NAME MAX_PROCESSOR_NAME MAX_PSET_NAME_LEN MAX_STRINGTAG_LEN "
    "MESSAGE_NO_PROC MESSAGE_NULL MODE_APPEND MODE_CREATE MODE_DELETE_ON_CLOSE MODE_EXCL MODE_NOCHECK MODE_NOPRECEDE "
    "MODE_NOPUT MODE_NOSTORE MODE_NOSUCCEED MODE_RDONLY MODE_RDWR MODE_SEQUENTIAL MODE_UNIQUE_OPEN MODE_WRONLY NO_OP "
    "OFFSET OP_NULL ORDER_FORTRAN Op Open_port PACKED Pcontrol Pickle Publish_name Query_thread REAL REAL16 "
    "REAL2 REAL4 REAL8 REPLACE REQUEST_NULL ROOT Register_datarep Remove_error_class Remove_error_code "
    "Remove_error_string SEEK_CUR SEEK_END SEEK_SET SESSION_NULL SHORT_INT SIGNED_INT SIGNED_LONG SIGNED_LONG_LONG "
    "SIGNED_SHORT SIMILAR SINT16_T SINT32_T SINT64_T SINT8_T SUBVERSION SUCCESS Session TAG_UB THREAD_FUNNELED "
    "THREAD_MULTIPLE THREAD_SERIALIZED THREAD_SINGLE TWOINT TYPECLASS_COMPLEX TYPECLASS_INTEGER TYPECLASS_LOGICAL "
    "TYPECLASS_REAL Topocomm UNEQUAL UNIVERSE_SIZE UNWEIGHTED Unpublish_name VERSION WCHAR WEIGHTS_EMPTY WIN_BASE "
    "WIN_CREATE_FLAVOR WIN_DISP_UNIT WIN_FLAVOR WIN_FLAVOR_ALLOCATE WIN_FLAVOR_CREATE WIN_FLAVOR_DYNAMIC "
    "WIN_FLAVOR_SHARED WIN_MODEL WIN_NULL WIN_SEPARATE WIN_SIZE WIN_UNIFIED WTIME_IS_GLOBAL Wtick Wtime buffer "
    "get_vendor memory pickle"
)
"""The names of the module that are missing."""


def refuse(name: str) -> NoReturn:
    """Says that a name of mpi4py is missing, why, and what there is.

    Raises:
        NotImplementedError: Always.
    """
    stem = name.partition(".")[0]
    reason = next(why for names, why in TABLE if any(fnmatchcase(stem, pattern) for pattern in names.split()))
    raise NotImplementedError(f"{name}: {reason} (docs/programs.md)")


def refused_call(name: str) -> Callable[..., NoReturn]:
    """A missing call of a communicator."""

    def call(*_arguments: Any, **_keywords: Any) -> NoReturn:  # noqa: ANN401
        """Says that it is missing."""
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
        """Says that there are none."""
        refuse("Win")
