"""The commands of `torusim`: where each is, and its line in the help of all, for which none is imported.

# To add one

1. Write its module in this folder: a function with the name of the command, with an underscore after it if Python has
   that name, and `EXAMPLES`, which end its help.
2. Add it to `COMMANDS`.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """A command.

    Attributes:
        module: Its module in this folder.
        summary: The first line of the docstring of its function. A test compares both.
    """

    module: str
    summary: str


COMMANDS = {
    "run": Entry("run", "Run a scenario, print a summary, and write the result to a folder."),
    "mpirun": Entry("mpirun", "Run an MPI program, unmodified, on a simulated machine."),
    "mpicc": Entry("mpicc", "Compile a C program with torusim's MPI library."),
    "mpicxx": Entry("mpicxx", "Compile a C++ program with torusim's MPI library."),
    "resume": Entry("resume", "Continue a run from its newest intact checkpoint."),
    "follow": Entry("follow", "Take part in a run that another computer leads, until it ends."),
    "sweep": Entry(
        "sweep",
        "Run a scenario at every combination of the given values, in parallel, and write one table of the results.",
    ),
    "collect": Entry("collect", "Write the table of a sweep whose shards have been run by torusim sweep --shard."),
    "curve": Entry(
        "curve", "Measure latency and accepted against offered load up to saturation, and write a table and a picture."
    ),
    "map": Entry("mappings", "Evaluate where the ranks of a scenario run, and search a better mapping."),
    "study": Entry(
        "study",
        "Reproduce a published figure: run its points, print the table, draw the figure, compare it with the paper.",
    ),
    "verify": Entry("verify", "Run all studies, and compare every claim of the papers with the result."),
    "init": Entry("init", "Write a commented scenario, or an example, that can be run as it is and edited."),
    "check": Entry("check", "Check a scenario without running it, and estimate what a run would need."),
    "list": Entry(
        "listing",
        "List presets, kinds of workload, kernels, all parameters (meaning, unit, legal values, default), "
        "and examples.",
    ),
    "schema": Entry("schema", "Print the JSON Schema of scenarios, for completion and validation in editors."),
    "plot": Entry(
        "plot",
        "Draw runs (utilization, latencies), a sweep or curve, or schedules (utilization, waits, Gantt, room map).",
    ),
    "view": Entry(
        "view", "Show a run at work (the torus in 3D, its links over time, and what crosses them), or a schedule."
    ),
    "advise": Entry("advise", "Predict which partition and mapping is the fastest for a scenario, and what limits it."),
    "hot": Entry(
        "hot", "Show the busiest and most stalled links of a run with coordinates, and the flows that use them."
    ),
    "compare": Entry(
        "compare", "Compare two runs, or several schedules: the differences of their scenarios and of their results."
    ),
    "twist": Entry(
        "twist",
        "Find the twist of a torus that gains most: distances, and the bound of an all-to-all against the plain torus.",
    ),
    "room": Entry(
        "room", "Show which partitions the midplanes and cables of a machine room can form, and which can run together."
    ),
    "schedule": Entry(
        "schedule",
        "Schedule the jobs of a log on a machine, print the measures, and store the start and place of each job.",
    ),
    "bench": Entry("bench", "Measure the simulator's speed on this host with several kinds of traffic."),
}
"""The commands by name, in the order of the help."""
