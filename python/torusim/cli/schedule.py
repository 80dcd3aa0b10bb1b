"""`torusim schedule`: from a log of jobs, a machine and rules to a folder with the start and place of each job."""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack

import typer

from torusim._core import InputError, rules_of_schedules
from torusim.cli import completion
from torusim.cli.options import JsonOption, QuietOption, SetOption
from torusim.cli.points import PointsDisplay, continuation_hint_of_runs
from torusim.cli.progress import SharesDisplay
from torusim.cli.screen import console, print_json, print_pairs, print_table
from torusim.common.folder import numbered
from torusim.common.formatting import in_one_line
from torusim.common.signatures import names_options
from torusim.queue.formatting import queue_rows, report_as_rows, size_rows, summary_as_rows
from torusim.queue.options import KEYS, overrides_of_options
from torusim.queue.predictions import HEADINGS, predict
from torusim.queue.schedule import Schedule, execute
from torusim.runs.scenario import Override, override_of_option
from torusim.sweeps.executors import Processes, default_jobs

EXAMPLES = """[bold]Examples[/bold]

  torusim schedule KTH-SP2-1996-2.swf.gz                 the machine of the log's header, FCFS with EASY
  torusim schedule log.swf --nodes 128 --policy sjf --backfill conservative
  torusim schedule log.swf --nodes 128 --policy '(wait / walltime) ^ 2 * nodes'
  torusim schedule jobs.swf --room intrepid --profile mesh-1k-4k --policy wfp --backfill cobalt-2009-03 --slowdown 1.05
  torusim schedule jobs.swf --room intrepid --profile mesh-1k-4k --slowdown predicted --application fft.toml
  torusim schedule mira.swf.gz --columns mira --room mira --out runs/mira
  torusim schedule mira.swf.gz --columns mira --room mira --resample-blocks 100 --jobs 2000 --load 0.9 --seed 2
  torusim schedule lublin --nodes 128 --jobs 5000 --load 0.8 --walltime-factor 5 --seed 2
  torusim schedule sacct.txt --nodes 128 --dependencies
  torusim schedule site.toml --policy wfp                a description with queues and reservations
  torusim schedule log.swf --nodes 128 --set 'queues=[{name="short", match={max_walltime_seconds=3600}, priority=1}]'
  torusim schedule log.swf --room intrepid --set 'machine.outages=[{from=0, until=3600, midplane="R00-M0"}]'

torusim plot DIR draws it, torusim compare DIR DIR compares schedules. Ctrl-C leaves no files."""


RULES = rules_of_schedules()
"""The names of policies, backfilling and allocation rules."""

PREDICTED = "predicted"
"""The slowdown that the network model computes."""

DEFAULT_PREDICTIONS = Path("runs") / "predictions"
"""The folder of the runs of predictions; each run is made once."""


class Walltime(StrEnum):
    """The action for jobs that exceed their requested time."""

    KEEP = "keep"
    KILL = "kill"


class Options(TypedDict):
    """The options that describe the machine, the queue and the log, in the order of the help."""

    room: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A machine room, or its TOML file.", autocompletion=completion.rooms),
    ]
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Partitions of the room.  [dim]\\[default: site][/dim]")
    ]
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="A plain machine.  [dim]\\[default: the log's header][/dim]")
    ]
    processors_per_node: Annotated[
        int | None, typer.Option(metavar="N", help="Processors of the log in a node.  [dim]\\[default: 1][/dim]")
    ]
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help=f"{', '.join(RULES['policy'])}, or an expression in wait, walltime and nodes.  "
            "[dim]\\[default: fcfs][/dim]",
        ),
    ]
    wfp_exponent: Annotated[float | None, typer.Option(metavar="X", help="Exponent of wfp.  [dim]\\[default: 3][/dim]")]
    backfill: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help=f"{', '.join(RULES['backfill'])}; Cobalt's in rooms.  [dim]\\[default: easy][/dim]",
        ),
    ]
    allocation: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help=f"{', '.join(RULES['allocation'])} partition.  [dim]\\[default: least-blocking][/dim]",
        ),
    ]
    walltime: Annotated[
        Walltime | None,
        typer.Option(help="Keep or kill jobs that run beyond their request.  [dim]\\[default: keep][/dim]"),
    ]
    slowdown: Annotated[
        str | None,
        typer.Option(
            metavar="X",
            help="Run-time factor on partitions with an open dimension, or predicted: that of each --application.  "
            "[dim]\\[default: 1][/dim]",
        ),
    ]
    application: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[N=]SCENARIO",
            help="The scenario of application N of the log, or of all others, to predict; repeatable.",
        ),
    ]
    hybrid: Annotated[
        bool | None,
        typer.Option("--hybrid", help="Use a mesh where a size has both, except for jobs that require a torus."),
    ]
    torus_share: Annotated[
        float | None,
        typer.Option(metavar="X", help="Fraction of jobs that require a torus.  [dim]\\[default: 0][/dim]"),
    ]
    torus_above: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="With --hybrid: jobs that a mesh would slow down by more than X require a torus."
        ),
    ]
    columns: Annotated[
        str | None, typer.Option(metavar="MAP", help="mira, or job=1,submit=2,run=4,nodes=5,walltime=6,…")
    ]
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="swf, sacct or argonne.  [dim]\\[default: guessed][/dim]"),
    ]
    dependencies: Annotated[
        bool | None, typer.Option("--dependencies", help="Jobs wait for the jobs before them that the log names.")
    ]
    walltime_factor: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Draw missing requested times from 1 to N run times.  [dim]\\[default: 1][/dim]"
        ),
    ]
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Simulate at most N jobs.")]
    skip_jobs: Annotated[int | None, typer.Option(metavar="N", help="Skip the first N jobs.")]
    resample_blocks: Annotated[
        int | None,
        typer.Option(metavar="N", help="Draw blocks of N consecutive jobs from the log, with the seed."),
    ]
    load: Annotated[float | None, typer.Option(metavar="X", help="Scale submit times to this offered load, 1 = full.")]
    cut_to_nodes: Annotated[int | None, typer.Option(metavar="N", help="Reduce larger jobs to N nodes.")]
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of all random draws.  [dim]\\[default: 1][/dim]")]


@names_options
def schedule(
    log: Annotated[
        str,
        typer.Argument(
            metavar="LOG",
            help="A job log (SWF or sacct, plain or gzip), lublin for jobs of the model, a description in TOML, "
            "or the result.json of a schedule.",
            show_default=False,
        ),
    ],
    *,
    settings: SetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the schedule.  [dim]\\[default: runs/LOG-POLICY-BACKFILL, or -2, -3, …][/dim]",
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace an earlier schedule.")] = False,
    **options: Unpack[Options],
) -> None:
    """Schedule the jobs of a log on a machine, print the measures, and store the start and place of each job."""
    described = _described(options, quiet=quiet)
    with SharesDisplay("reading the log", quiet=quiet) as display:
        made = execute(
            log,
            _overrides(described, settings),
            lambda fraction: display("scheduling", fraction),
            out or (_default_folder(log, options) if force else numbered(_default_folder(log, options))),
            replace_out=force,
        )
    _print(made, as_json=as_json, quiet=quiet)


def _described(options: Options, *, quiet: bool) -> dict[str, object]:
    """The part of the options that goes into a description.

    Raises:
        InputError: If the slowdown cannot be read or predicted.
    """
    described = {name: value for name, value in options.items() if name in KEYS and name != "slowdown"}
    of_room = (options["room"], options["profile"])
    return {**described, **_slowdown(options["slowdown"], options["application"] or [], of_room, quiet=quiet)}


def _slowdown(
    text: str | None, applications: list[str], of: tuple[str | None, str | None], *, quiet: bool
) -> dict[str, object]:
    """The option `slowdown`, or the rules that are predicted for the applications in a room with a profile.

    Raises:
        InputError: If the options contradict each other, or a prediction fails.
    """
    if text != PREDICTED:
        if applications:
            raise InputError(f"--application: is for --slowdown {PREDICTED}")
        return {"slowdown": None if text is None else _factor(text)}
    room, profile = of
    if room is None:
        raise InputError(f"--slowdown {PREDICTED}: is for the partitions of a room: needs --room")
    scenarios = dict(_application(each) for each in applications)
    with continuation_hint_of_runs(DEFAULT_PREDICTIONS), PointsDisplay(title="predicting", quiet=quiet) as display:
        found = predict(scenarios, room, profile, DEFAULT_PREDICTIONS, Processes(default_jobs()), display)
    if not quiet:
        print_table("Predicted slowdowns", HEADINGS, [each.cells for each in found], right=HEADINGS[2:])
    return {"slowdown_rules": [each.rule for each in found]}


def _factor(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--slowdown {in_one_line(text)}: has to be a factor such as 1.05, or {PREDICTED}") from None


def _application(text: str) -> tuple[int | None, Path]:
    """The number of an application, if any, and the scenario that an option names."""
    number, equals, path = text.partition("=")
    return (int(number), Path(path)) if equals and number.isdecimal() else (None, Path(text))


def _overrides(options: Mapping[str, object], settings: list[str] | None) -> list[Override]:
    changes = [override_of_option(setting) for setting in settings or []]
    return changes + overrides_of_options(options, lambda key: f"--{key.replace('_', '-')}")


def _default_folder(log: str, options: Mapping[str, object]) -> Path:
    name = Path(log).name.split(".")[0] if not log.endswith("result.json") else Path(log).resolve().parent.name
    parts = [name, str(options["policy"] or "fcfs"), str(options["backfill"] or "easy")]
    return Path("runs") / re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip(".-")


def _print(made: Schedule, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({**made.summary, "report": made.report})
        return
    if quiet:
        return
    print_pairs(summary_as_rows(made.summary))
    headings = ("nodes", "jobs", "wait, mean", "median", "p90", "response, mean", "slowdown, mean", "median")
    print_table("By size", headings, size_rows(_sizes(made)), right=headings)
    if "queues" in made.tables:
        headings = ("queue", "jobs", "ran", "allocated", "wait, mean", "median", "p90", "slowdown, mean")
        print_table("By queue", headings, queue_rows(made.table("queues").to_pylist()), right=headings[1:])
    if rows := report_as_rows(made.report):
        print_table("The log", ("what", "jobs", "done", "lines"), rows, right=("jobs",))
    console().print(f"The schedule is in {made.folder}; torusim plot {made.folder} draws it.", soft_wrap=True)


def _sizes(made: Schedule) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = made.table("sizes").to_pylist()
    return rows
