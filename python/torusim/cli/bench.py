"""`torusim bench`: measures the simulator's speed on this host."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

import typer

from torusim import __version__
from torusim._core import InputError
from torusim.benchmarks import benchmark
from torusim.benchmarks.benchmark import IBM, Case, Row
from torusim.benchmarks.instructions import with_instructions
from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.options import JsonOption
from torusim.cli.progress import SharesDisplay
from torusim.cli.screen import console, print_json, print_table
from torusim.common.formatting import count, number
from torusim.runs import runner
from torusim.runs.peers import PROCESSES_LIMIT
from torusim.runs.scenario import PACKET_ENGINE

EXAMPLES = """[bold]Examples[/bold]

  torusim bench                                  a minute
  torusim bench --shape 8x8x8 --instructions     counts repeat, seconds do not
  torusim bench --shape 16x16x16 --threads 1 --threads 2
  torusim bench --shape 32x32x32 --processes 2 --processes 4
  torusim bench --shape 8x8x8 --load full --load 0.5 --load 0.1 --seconds 10
  torusim bench --json > before.json

Ctrl-C ends it and prints the rows that are finished."""

FULL_LOAD = "full"


def bench(
    shapes: Annotated[
        list[str] | None,
        typer.Option("--shape", metavar="8x8x8", help="Shape of the torus; repeatable.", show_default="some"),
    ] = None,
    loads: Annotated[
        list[str] | None,
        typer.Option(
            "--load",
            metavar="SHARE",
            help="Offered load as a share of the peak, or full; repeatable.",
            show_default=FULL_LOAD,
        ),
    ] = None,
    threads: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N", min=1, max=runner.THREADS_LIMIT, help="Threads of the engine; repeatable.", show_default="1"
        ),
    ] = None,
    processes: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N",
            min=1,
            max=PROCESSES_LIMIT,
            help="Processes of this computer, each with as many threads; repeatable.",
            show_default="1",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.001, help="Target engine time of each row's window, in seconds.")
    ] = 3.0,
    warmup: Annotated[
        int | None,
        typer.Option(
            metavar="CYCLES",
            min=0,
            max=10**12,
            help="Cycles before the window.",
            show_default=f"{benchmark.WARMUP_CYCLES}; some default rows differ",
        ),
    ] = None,
    instructions: Annotated[
        bool, typer.Option("--instructions", help="Count instructions per packet-hop with valgrind.")
    ] = False,
    large: Annotated[
        bool, typer.Option("--large", help="Include large machines (takes minutes and 2 GB of memory).")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure the simulator's speed on this host with several kinds of traffic.

    By default these are random traffic on machines of several sizes, lossy links, neighbors with and without software,
    a halo exchange and a ping-pong; with --shape, --load, --threads or --processes random traffic alone.

    Each row first runs a warm-up, then times the engine's loop in a measurement window.
    """
    cases = _cases(shapes, loads, threads, warmup, processes, large=large)
    _refuse_bad(cases, seconds)
    rows: list[Row] = []
    is_complete = _measure(cases, rows, seconds, instructions=instructions)
    if as_json:
        print_json(_plain(rows, is_complete=is_complete))
    else:
        _print(rows, instructions=instructions)
    raise typer.Exit(EXIT_COMPLETED if is_complete else EXIT_OTHER_OUTCOME)


def _cases(
    shapes: list[str] | None,
    loads: list[str] | None,
    threads: list[int] | None,
    warmup: int | None,
    processes: list[int] | None,
    *,
    large: bool,
) -> list[Case]:
    if not (shapes or loads or threads or processes):
        return benchmark.default_cases(large=large, warmup_cycles=warmup)
    if large:
        raise InputError("--large: adds to the rows that are measured by default; name a large machine by --shape")
    return benchmark.random_cases(
        shapes or ["8x8x8"], [_load(load) for load in loads or [FULL_LOAD]], threads or [1], warmup, processes or [1]
    )


def _load(text: str) -> float | None:
    if text == FULL_LOAD:
        return None
    try:
        load = float(text)
    except ValueError:
        load = math.nan
    if not math.isfinite(load):
        raise InputError(f"--load {text}: is a share of the peak, such as 0.5, or {FULL_LOAD}")
    return load


def _refuse_bad(cases: Sequence[Case], seconds: float) -> None:
    """Checks all cases, so that an error in the last row is reported before the first is measured."""
    if not math.isfinite(seconds):
        raise InputError(f"--seconds {seconds}: is a number of seconds, such as 3")
    for case in cases:
        case.scenario(benchmark.UNBOUNDED_CYCLES).check_processes(PACKET_ENGINE, case.processes)


def _measure(cases: Sequence[Case], rows: list[Row], seconds: float, *, instructions: bool) -> bool:
    """Appends the row of each case when it is finished. False if Ctrl-C stopped this after at least one row."""
    try:
        with SharesDisplay("setting up the machine") as display:
            for index, case in enumerate(cases):
                report = partial(_tell, display, cases, index)
                row = benchmark.with_efficiency(benchmark.measure(case, seconds, report), rows)
                rows.append(_with_instructions(row, case, report) if instructions else row)
    except KeyboardInterrupt:
        if not rows:
            raise
        return False
    return True


def _with_instructions(row: Row, case: Case, report: benchmark.Report) -> Row:
    report("counting instructions", 1.0)
    return with_instructions(row, case)


def _tell(display: SharesDisplay, cases: Sequence[Case], index: int, doing: str, share_of_row: float) -> None:
    display(f"row {index + 1} of {len(cases)}: {cases[index]}: {doing}", (index + share_of_row) / len(cases))


def _plain(rows: Sequence[Row], *, is_complete: bool) -> dict[str, Any]:
    return {
        "torusim": __version__,
        "host": benchmark.host(),
        "timed": "the engine's loop in the window alone",
        "ibm": asdict(benchmark.IBM),
        "complete": is_complete,
        "rows": [asdict(row) for row in rows],
    }


def _print(rows: Sequence[Row], *, instructions: bool) -> None:
    hidden = {INSTRUCTIONS: not instructions, EFFICIENCY: all(row.efficiency is None for row in rows)}
    headings = [heading for heading in COLUMNS if not hidden.get(heading, False)]
    cells = [[COLUMNS[heading](row) for heading in headings] for row in rows]
    host = benchmark.host()
    title = f"torusim {__version__} on {host['processor']}, {host['cores']} cores"
    print_table(title, headings, cells, right=headings[2:], narrow=True)
    for note in _notes(rows):
        console().print(note)


def _notes(rows: Sequence[Row]) -> Iterator[str]:
    warmups = sorted({row.warmup_cycles for row in rows})
    yield (
        f"Only the engine's loop is timed, in a window after a warm-up of {' or '.join(map(count, warmups))} cycles."
    )
    yield (
        f"IBM's simulator advanced {count(IBM.nodes)} fully loaded nodes by {IBM.microseconds_per_second} µs a second "
        f"on {IBM.processors} processors\n(row {IBM.label}); the ratio is node for node, whatever the processors."
    )
    if any(row.efficiency is not None for row in rows):
        yield "Efficiency: the speed, divided by that of one thread and by the number of threads of all processes."
    reasons = sorted({row.not_counted_because for row in rows if row.not_counted_because})
    if reasons:
        yield f"Instructions are not countable where {'; where '.join(reasons)}."


def _efficiency(row: Row) -> str:
    return "" if row.efficiency is None else f"{row.efficiency:.0%}"


def _instructions(row: Row) -> str:
    return "" if row.instructions_per_hop is None else count(row.instructions_per_hop)


def _millions(value: float) -> str:
    return f"{value / 1e6:.3f}"


INSTRUCTIONS = "instruc-\ntions\na hop"

EFFICIENCY = "effi-\nciency"

COLUMNS: dict[str, Callable[[Row], str]] = {
    "shape": lambda row: row.shape,
    "traffic": lambda row: benchmark.traffic_in_words(row.traffic, row.load, row.threads, row.processes),
    "packet-\nhops\nM/s": lambda row: _millions(row.packet_hops_per_second),
    EFFICIENCY: _efficiency,
    "packets\nM/s": lambda row: _millions(row.packets_delivered_per_second),
    INSTRUCTIONS: _instructions,
    "links\nbusy": lambda row: f"{row.link_utilization_mean:.0%}",
    "KB a\nnode": lambda row: f"{row.state_bytes_per_node / 1e3:.1f}",
    "simu-\nlated\nµs/s": lambda row: number(row.simulated_microseconds_per_second),
    "times\nIBM's": lambda row: "" if row.times_ibm is None else number(row.times_ibm),
}
"""The table's columns: heading and cell of a row, blank where a figure means nothing. Headings have three text lines so
that the table without instructions fits 80 columns."""
