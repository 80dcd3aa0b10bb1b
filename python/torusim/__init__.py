"""torusim: simulates the network of machines whose processors are joined in a torus.

`run` takes a scenario (a TOML file, its text, or a dict) and returns a `Result`:

    >>> import torusim
    >>> result = torusim.run("scenario.toml", machine={"shape": [8, 8, 4]})  # doctest: +SKIP
    >>> result.summary["percent_of_peak"]  # doctest: +SKIP

The models are compiled (`torusim._core`); this package is their user interface. The command `torusim` offers the same
functions; see `torusim --help`.
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
