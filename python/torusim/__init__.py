"""torusim: how will this work run on a machine whose processors are joined in a torus?

A scenario (a TOML file, its text, or a dict) goes in, a `Result` comes out:

    >>> import torusim
    >>> result = torusim.run("scenario.toml", machine={"shape": [8, 8, 4]})  # doctest: +SKIP
    >>> result.summary["percent_of_peak"]  # doctest: +SKIP

The models are compiled (`torusim._core`); this package talks to people. `torusim --help` shows the same by command.
"""

from torusim._core import InputError, __version__
from torusim.api import check, load, resume, run, sweep
from torusim.machine_room import MachineRoom, Partition
from torusim.result import Result
from torusim.scheduling import Schedule, load_schedule, schedule

__all__ = [
    "InputError",
    "MachineRoom",
    "Partition",
    "Result",
    "Schedule",
    "__version__",
    "check",
    "load",
    "load_schedule",
    "resume",
    "run",
    "schedule",
    "sweep",
]
