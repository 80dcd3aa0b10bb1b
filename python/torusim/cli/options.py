"""Arguments and options shared by several commands."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from torusim.cli import completion
from torusim.common.units import Units
from torusim.runs.peers import PROCESSES_LIMIT
from torusim.runs.scenario import Override, override_of_option, seed_override

ScenarioArgument: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="SCENARIO",
        help="A scenario (TOML), or the result.json of an earlier run.",
        show_default=False,
    ),
]

ScenarioOrProgramArgument: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="SCENARIO",
        help="A scenario (TOML), the result.json of an earlier run, a recording of mpirun, or a program in Python "
        "(FILE.py:FUNCTION, with --set mapping.ranks=N), which is run once.",
        show_default=False,
    ),
]

PROGRAM_HELP = """A program in Python is run once, on its mapping; communication that depends on time, such as receives
from any source, is that of this run."""
"""The help text of commands that take a program."""

FolderArgument: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder of a result.", show_default=False)
]

ProcessesOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=PROCESSES_LIMIT,
        help="Number of processes, each with its part of the nodes; the result does not depend on it.",
        show_default="those of mpiexec, or 1",
    ),
]

MeetOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--meet-at",
        metavar="HOST:PORT",
        help="Wait here for processes that torusim follow starts on other computers.",
        show_default=False,
    ),
]

SetOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a value of the scenario, written as in TOML; repeatable.",
        autocompletion=completion.settings,
    ),
]

SeedOption: TypeAlias = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="Use this seed instead of the scenario's.")
]

UnitsOption: TypeAlias = Annotated[
    Units | None,
    typer.Option(
        help="Units of times and rates: cycles, or physical (ns and GB/s).",
        show_default="those of the scenario: physical if the rate of its links has a unit",
    ),
]

JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print only JSON on stdout.")]

AllOption: TypeAlias = Annotated[bool, typer.Option("--all", help="Print all rows of the table.")]

QuietOption: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Suppress progress and table.")]


ALL_HINT = "; --all prints them"
"""The text after the number of rows that are not printed."""


class Format(StrEnum):
    """File formats of pictures."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"


FormatOption: TypeAlias = Annotated[
    Format, typer.Option("--format", help="Raster (png) or vector graphics (svg, pdf).")
]


def overrides(settings: list[str] | None, seed: int | None, units: Units | None = None) -> list[Override]:
    """The overrides of a scenario by `--set`, `--seed` and `--units`, in that order."""
    changes = [override_of_option(setting) for setting in settings or []]
    if seed is not None:
        changes.append(seed_override(seed, f"--seed {seed}"))
    if units is not None:
        changes.append(("run.units", json.dumps(units.value), "--units"))
    return changes
