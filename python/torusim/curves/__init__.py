"""Curves: latency and accepted against offered load, up to saturation, for each configuration of a scenario.

    scenario, --over --> configurations          their peak, their units
                              |
           loads to run <-----+-----> search     where the network saturates, and loads missing below it
                |                        ^
                v                        |
           runs, several seeds --> steady state  warm-up, saturation, replications
                |
                v
           Curve: table, picture

A load is run with several seeds, and with longer runs until it has settled (`steady_state`). Which loads are run
depends on those before (`search`). All decisions are taken when all runs of a round are finished, so that they depend
neither on the number of processes nor on the order in which runs end.
"""

from torusim.curves.configurations import Configuration, configurations_of
from torusim.curves.curve import LOADS, MEAN_COLUMNS, TIMES, Curve
from torusim.curves.execution import SEEDS, SEEDS_LIMIT, Progress, run_curve
from torusim.curves.table import TABLE_FILE, load_curve

__all__ = [
    "LOADS",
    "MEAN_COLUMNS",
    "SEEDS",
    "SEEDS_LIMIT",
    "TABLE_FILE",
    "TIMES",
    "Configuration",
    "Curve",
    "Progress",
    "configurations_of",
    "load_curve",
    "run_curve",
]
