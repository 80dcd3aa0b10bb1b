"""Programs whose ranks are processes: any MPI program, run as it is on the simulated machine (`torusim mpirun`).

    command --check--> which MPI library it needs --unpack--> folder of libraries
            --execute--> _core.Processes: starts the program, whose MPI library talks to the simulator --> Result

Modules, from the bottom up: `libraries` (the folder with the MPI libraries), `command` (the program and its file),
`computing` (the time between calls), `environment` (variables for Python), `output` (where the output of ranks goes),
`execution`.
"""

from torusim.processes.command import Command, command_of
from torusim.processes.computing import Computing, computing_of
from torusim.processes.execution import (
    RANK_TIMEOUT,
    STARTS,
    ProcessOptions,
    resolve_command,
    run_command,
    scenario_of,
)
from torusim.processes.libraries import libraries
from torusim.processes.output import Labels, Output, OutputFolder, Plain

__all__ = [
    "RANK_TIMEOUT",
    "STARTS",
    "Command",
    "Computing",
    "Labels",
    "Output",
    "OutputFolder",
    "Plain",
    "ProcessOptions",
    "command_of",
    "computing_of",
    "libraries",
    "resolve_command",
    "run_command",
    "scenario_of",
]
