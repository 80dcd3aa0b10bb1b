"""torusim: simulates the network of machines whose processors are joined in a torus.

`run` takes a scenario (a TOML file, its text, or a dict) and returns a `Result`:

    >>> import torusim
    >>> result = torusim.run("scenario.toml", machine={"shape": [8, 8, 4]})  # doctest: +SKIP
    >>> result.summary["percent_of_peak"]  # doctest: +SKIP

The models are compiled (`torusim._core`); this package is their user interface. The command `torusim` offers the same
functions; see `torusim --help`.

Names are imported on their first use, so that the command can handle Ctrl-C before anything is loaded.
"""

from importlib import import_module

TYPE_CHECKING = False  # importing `typing` takes as long as everything else here
if TYPE_CHECKING:
    from torusim._core import InputError, LostProcessError, __version__
    from torusim.api import (
        advise,
        check,
        collect,
        curve,
        load,
        map_ranks,
        resume,
        run,
        run_processes,
        run_program,
        sweep,
    )
    from torusim.curves import Curve, load_curve
    from torusim.pictures.plotting import plot
    from torusim.programs import ANY_SOURCE, ANY_TAG, Bytes, Comm, Request, Status
    from torusim.queue.room import MachineRoom, Partition
    from torusim.queue.schedule import Schedule, load_schedule, schedule
    from torusim.ranks.advice import Advice
    from torusim.ranks.mapping import Mappings
    from torusim.runs.destinations import destination_table
    from torusim.runs.hot import HotLinks, hot_links
    from torusim.runs.result import Result
    from torusim.runs.timeline import Timeline
    from torusim.sweeps.sweep import Sweep, load_sweep

__all__ = [
    "ANY_SOURCE",
    "ANY_TAG",
    "Advice",
    "Bytes",
    "Comm",
    "Curve",
    "HotLinks",
    "InputError",
    "LostProcessError",
    "MachineRoom",
    "Mappings",
    "Partition",
    "Request",
    "Result",
    "Schedule",
    "Status",
    "Sweep",
    "Timeline",
    "__version__",
    "advise",
    "check",
    "collect",
    "curve",
    "destination_table",
    "hot_links",
    "load",
    "load_curve",
    "load_schedule",
    "load_sweep",
    "map_ranks",
    "plot",
    "resume",
    "run",
    "run_processes",
    "run_program",
    "schedule",
    "sweep",
]

_MODULES = {
    "_core": ("InputError", "LostProcessError", "__version__"),
    "api": (
        "advise",
        "check",
        "collect",
        "curve",
        "load",
        "map_ranks",
        "resume",
        "run",
        "run_processes",
        "run_program",
        "sweep",
    ),
    "curves": ("Curve", "load_curve"),
    "pictures.plotting": ("plot",),
    "programs": ("ANY_SOURCE", "ANY_TAG", "Bytes", "Comm", "Request", "Status"),
    "queue.room": ("MachineRoom", "Partition"),
    "queue.schedule": ("Schedule", "load_schedule", "schedule"),
    "ranks.advice": ("Advice",),
    "ranks.mapping": ("Mappings",),
    "runs.destinations": ("destination_table",),
    "runs.hot": ("HotLinks", "hot_links"),
    "runs.result": ("Result",),
    "runs.timeline": ("Timeline",),
    "sweeps.sweep": ("Sweep", "load_sweep"),
}
"""The module that defines each name."""


def __getattr__(name: str) -> object:
    """Imports the module of a name."""
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(import_module(f"torusim.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'torusim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
