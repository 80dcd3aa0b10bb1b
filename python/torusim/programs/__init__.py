"""Programs in Python: one coroutine for each rank, with mpi4py's names, on the simulated machine.

    main(comm) of each rank --await--> a call --answers--> torusim._core: packets, matching, collectives
               <--- outcome, payload ---|     <--wake-ups--|

`torusim.run_program` runs `async def main(comm)`. The simulator computes when each call ends and which message a
receive gets, and never sees data: payloads stay here, named by sender and number of the message (`mailbox`), and
reductions are evaluated when the call of a rank ends (`collectives`). So data never changes time.

Modules, from the bottom up: `payload`, `reductions`, `status` and `records` (what crosses to the compiled models);
`mailbox` and `collectives`; `process` (one rank: its clock and requests); `request`; `communicator`; `ranks` (all).
"""

from torusim.programs.communicator import Comm
from torusim.programs.ranks import ProgramRanks, rare_collections
from torusim.programs.reductions import BAND, BOR, BXOR, LAND, LOR, LXOR, MAX, MIN, PROD, SUM
from torusim.programs.request import UNDEFINED, Message, Request
from torusim.programs.status import ANY_SOURCE, ANY_TAG, Status

__all__ = [
    "ANY_SOURCE",
    "ANY_TAG",
    "BAND",
    "BOR",
    "BXOR",
    "LAND",
    "LOR",
    "LXOR",
    "MAX",
    "MIN",
    "PROD",
    "SUM",
    "UNDEFINED",
    "Comm",
    "Message",
    "ProgramRanks",
    "Request",
    "Status",
    "rare_collections",
]
