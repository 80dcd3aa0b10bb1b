"""`torusim follow`: takes part in a run that another computer leads."""

from typing import Annotated

import typer

from torusim.cli.progress import Waiting
from torusim.runs import peers
from torusim.runs.peers import PROCESSES_LIMIT

EXAMPLES = """[bold]Examples[/bold]

  torusim run scenario.toml --processes 2 --meet-at node1:5000      on node1
  torusim follow node1:5000 --number 1 --processes 2                on another computer

Both computers have the same version of torusim, and the files that the scenario names. They may start in any order,
and wait a minute for one another. Ctrl-C on node1 ends the run everywhere; status 1 says that another process was lost.
Where MPI is installed, mpiexec -n 2 torusim run scenario.toml does all of it."""


def follow(
    address: Annotated[
        str, typer.Argument(metavar="HOST:PORT", help="Where the command of the run waits.", show_default=False)
    ],
    number: Annotated[
        int, typer.Option(metavar="K", min=1, help="The number of this process; that of the run's command is 0.")
    ],
    processes: Annotated[int, typer.Option(metavar="N", min=2, max=PROCESSES_LIMIT, help="The number of processes.")],
) -> None:
    """Take part in a run that another computer leads, until it ends."""
    peers.require_address("HOST:PORT", address)
    with Waiting(f"waiting a minute for the other processes at {address}"):
        joined = peers.join(address, number, processes)
    joined.follow()
