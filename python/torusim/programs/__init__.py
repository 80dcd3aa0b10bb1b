"""Programs in Python: one coroutine for each rank, with mpi4py's names, on the simulated machine.

    main(comm) of each rank --await--> a call --answers--> torusim._core: packets, matching, collectives
               <--- outcome, payload ---|     <--wake-ups--|

`torusim.run_program` runs `async def main(comm)`. The simulator computes when each call ends and which message a
receive gets, and never sees data: payloads stay here, identified by sender, receiver and message number (`mailbox`),
and reductions are evaluated when the call of a rank ends (`collectives`). So data never changes time.

Modules, from the bottom up: `status`, `missing`, `notices` and `regions`; `arguments`, `payload`, `reductions` and
`records` (rows exchanged with the compiled models); `datatypes`; `mailbox`, `collectives`, `cartesian` and `buffers`;
`process` (one rank: its clock and requests), `environment` and `group` (the ranks of a communicator); `request` and
`persistent`; the calls, each layer with all names of the one below: `point_to_point`, `collective_calls`,
`buffer_calls`, `neighbors`, `communicator`; `ranks` (all).
"""

from torusim.programs.buffers import IN_PLACE
from torusim.programs.cartesian import compute_dims
from torusim.programs.communicator import CART, COMM_NULL, DIST_GRAPH, Cartcomm, Comm, Distgraphcomm, Topocomm
from torusim.programs.datatypes import (
    BOOL,
    BYTE,
    C_BOOL,
    C_DOUBLE_COMPLEX,
    C_FLOAT_COMPLEX,
    CHAR,
    COMPLEX,
    DOUBLE,
    DOUBLE_COMPLEX,
    FLOAT,
    INT,
    INT8_T,
    INT16_T,
    INT32_T,
    INT64_T,
    LONG,
    LONG_LONG,
    ORDER_C,
    ORDER_F,
    SHORT,
    SIGNED_CHAR,
    UINT8_T,
    UINT16_T,
    UINT32_T,
    UINT64_T,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_INT,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    Datatype,
)
from torusim.programs.environment import (
    THREAD_FUNNELED,
    THREAD_MULTIPLE,
    THREAD_SERIALIZED,
    THREAD_SINGLE,
    Finalize,
    Get_processor_name,
    Init,
    Init_thread,
    Is_finalized,
    Is_initialized,
    Is_thread_main,
    Query_thread,
    Wtick,
    Wtime,
)
from torusim.programs.group import CONGRUENT, IDENT, SIMILAR, UNEQUAL, Group
from torusim.programs.missing import Win, names_of, refuse, refuse_others
from torusim.programs.payload import Bytes
from torusim.programs.persistent import PersistentRequest
from torusim.programs.ranks import ProgramRanks, rare_collections
from torusim.programs.reductions import BAND, BOR, BXOR, LAND, LOR, LXOR, MAX, MAXLOC, MIN, MINLOC, PROD, SUM
from torusim.programs.request import Message, Request
from torusim.programs.status import ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED, Status

Compute_dims, Prequest = compute_dims, PersistentRequest
"""The names of these classes in mpi4py."""

for _class in (Datatype, Request, Status, Group, Message):
    refuse_others(_class, _class.__name__)
refuse_others(PersistentRequest, "Prequest")

__all__ = [
    "ANY_SOURCE",
    "ANY_TAG",
    "BAND",
    "BOOL",
    "BOR",
    "BXOR",
    "BYTE",
    "CART",
    "CHAR",
    "COMM_NULL",
    "COMPLEX",
    "CONGRUENT",
    "C_BOOL",
    "C_DOUBLE_COMPLEX",
    "C_FLOAT_COMPLEX",
    "DIST_GRAPH",
    "DOUBLE",
    "DOUBLE_COMPLEX",
    "FLOAT",
    "IDENT",
    "INT",
    "INT8_T",
    "INT16_T",
    "INT32_T",
    "INT64_T",
    "IN_PLACE",
    "LAND",
    "LONG",
    "LONG_LONG",
    "LOR",
    "LXOR",
    "MAX",
    "MAXLOC",
    "MIN",
    "MINLOC",
    "ORDER_C",
    "ORDER_F",
    "PROC_NULL",
    "PROD",
    "SHORT",
    "SIGNED_CHAR",
    "SIMILAR",
    "SUM",
    "THREAD_FUNNELED",
    "THREAD_MULTIPLE",
    "THREAD_SERIALIZED",
    "THREAD_SINGLE",
    "UINT8_T",
    "UINT16_T",
    "UINT32_T",
    "UINT64_T",
    "UNDEFINED",
    "UNEQUAL",
    "UNSIGNED",
    "UNSIGNED_CHAR",
    "UNSIGNED_INT",
    "UNSIGNED_LONG",
    "UNSIGNED_LONG_LONG",
    "UNSIGNED_SHORT",
    "Bytes",
    "Cartcomm",
    "Comm",
    "Compute_dims",
    "Datatype",
    "Distgraphcomm",
    "Finalize",
    "Get_processor_name",
    "Group",
    "Init",
    "Init_thread",
    "Is_finalized",
    "Is_initialized",
    "Is_thread_main",
    "Message",
    "PersistentRequest",
    "Prequest",
    "ProgramRanks",
    "Query_thread",
    "Request",
    "Status",
    "Topocomm",
    "Win",
    "Wtick",
    "Wtime",
    "compute_dims",
    "rare_collections",
]


def __getattr__(name: str) -> object:
    """Explains why a name of mpi4py is missing, and what to use instead."""
    if name in names_of():
        refuse(name)
    raise AttributeError(f"module 'torusim.programs' has no attribute {name!r}")
