"""`torusim check`: validates a scenario and estimates what a run needs."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer

from torusim._core import InputError
from torusim.benchmarks import benchmark
from torusim.cli import options
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_pairs, print_table
from torusim.common import formatting
from torusim.common.units import TIME, Row, Units, nanoseconds
from torusim.ranks.recorded import estimate as estimate_of
from torusim.runs.checkpoints import AUTOMATIC_FIRST_SECONDS
from torusim.runs.peers import PROCESSES_LIMIT
from torusim.runs.speedup import NETWORKS, speedup, swap_in_words

EXAMPLES = f"""[bold]Examples[/bold]

  torusim check scenario.toml
  torusim check scenario.toml --set 'machine.shape=[64,64,64]'
  torusim check scenario.toml --json
  torusim check scenario.toml --processes 16 --measure     the part of each of 16 computers, and the speed
  torusim check ring.py:main --set 'machine.shape=[4,4]' --set mapping.ranks=16

{options.PROGRAM_HELP} Its calls are then
run again with sends that wait for their receives; a warning reports if that does not end."""

UNITS: dict[str, Callable[[float], str]] = {
    "_bytes": formatting.size,
    "_seconds": formatting.duration,
    "_cycles": formatting.cycles,
    "_ns": nanoseconds,
    formatting.PER_NODE: formatting.bytes_per_node,
    formatting.GIGABYTES: formatting.gigabytes_per_node,
}

LABELS = {TIME.removesuffix("_ns"): "Simulated time"}
"""Labels that do not follow from the key without its unit."""

PRINTED_SEPARATELY = {"units", "one_thread_seconds", "cycle_seconds"}
"""Keys of the estimate that are printed separately."""


BY_FLUID = "seconds by the fluid engine; memory and packet hops are those of packets, which it does not need"

MEASURED = {"packets": benchmark.RANDOM, "lossy links": benchmark.LOSSY, "ranks": benchmark.HALO}
"""The traffic by which the speed is measured, by that of a scenario."""

MEASURED_SECONDS = 0.5

MEASURED_WARMUP_CYCLES = 5_000

PARTS_SHOWN = 16
"""The most rows of parts."""

HOURS_SECONDS = 3600
"""The fluid engine is suggested if the estimated time is at least this."""

HINT = "torusim run --engine fluid may predict it in seconds"


def check(
    scenario: options.ScenarioOrProgramArgument,
    processes: Annotated[
        int,
        typer.Option(
            metavar="P",
            min=1,
            max=PROCESSES_LIMIT,
            help="Also show the parts of P processes, each on a computer like this one, and predict their speed.",
        ),
    ] = 1,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure the speed of this computer for that, in a second.")
    ] = False,
    settings: options.SetOption = None,
    units: options.UnitsOption = None,
    seed: options.SeedOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Check a scenario without running it, and estimate what a run would need."""
    with Waiting("reading the scenario"):
        if measure and processes == 1:
            raise InputError("--measure: needs --processes P, whose speed it is for")
        resolved, estimate = estimate_of(scenario, options.overrides(settings, seed, units), processes)
        if measure:
            _measure(estimate["window"])
    if as_json:
        print_json(estimate)
        return
    console().print(f"{scenario} is valid. A run needs:", soft_wrap=True)
    of_jobs, warnings, link, twist = (estimate.pop(key) for key in ("jobs", "warnings", "link", "twist"))
    window, parts = estimate.pop("window"), estimate.pop("processes")
    values = {key: value for key, value in formatting.flat(estimate) if value is not None}
    shown = Units.of(estimate).keys(values)
    rows = [_in_words(key, values[key], values) for key in shown if key not in PRINTED_SEPARATELY]
    seconds = estimate["one_thread_seconds"]
    print_pairs(
        [
            *rows,
            *_twist_in_words(twist),
            *_link_in_words(link),
            ("Time", BY_FLUID if resolved.is_fluid else _time_in_words(seconds)),
        ]
    )
    for warning in warnings:
        console().print(f"Warning: {warning}", soft_wrap=True, markup=False)
    if of_jobs:
        _print_jobs(of_jobs, Units.of(estimate))
    if parts:
        _print_parts(parts)
        _print_speed(window, [part["load_share"] for part in parts])
    if (load := json.loads(resolved.to_json())["workload"].get("load")) is not None:
        console().print(formatting.load_in_words(load, values.get("bound.kind")), soft_wrap=True)


def _twist_in_words(twist: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """The shifts of a twisted torus, and what they gain."""
    if twist is None:
        return []
    distances = f"at most {twist['longest_distance']:.0f} hops, {formatting.number(twist['mean_distance'])} in the mean"
    gain = f"an all-to-all is bound to take 1/{twist['all_to_all_gain']:.4f} of the time without it"
    return [("Twist", f"{twist['shifts']}: {distances}; {gain}")]


def _link_in_words(link: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The links and their buffers, in GB/s and ns; one value if all dimensions have the same."""

    def each(key: str, formatted: Callable[[float], str]) -> str:
        values = [formatted(value) for value in link[key]]
        return values[0] if len(set(values)) == 1 else ", ".join(values)

    return [
        (
            "Link",
            f"{each('gigabytes_per_second', formatting.gigabytes_per_second)}, packets of at most "
            f"{formatting.byte_count(link['packet_bytes'])}",
        ),
        ("Hop", f"{each('hop_latency_ns', nanoseconds)}; credits return in {nanoseconds(link['token_latency_ns'])}"),
        (
            "Virtual channel",
            f"{formatting.byte_count(link['channel_bytes'])}, which cover "
            f"{link['channel_covers_percent']:.0f} % of the round trip of a link",
        ),
    ]


JOBS: tuple[Row, ...] = (
    ("job", "Job", str),
    ("workload", "Workload", str),
    ("nodes", "Nodes", formatting.number),
    ("shape", "Shape", str),
    ("packets", "Packets", formatting.number),
    ("bound_cycles", "Bound, cycles", formatting.number),
)
"""The columns of the table of jobs."""


def _print_jobs(of_jobs: list[dict[str, Any]], units: Units) -> None:
    """A row for each of several jobs."""
    columns = [units.row(column) for column in JOBS]
    rows = [["-" if job[key] is None else write(job[key]) for key, _, write in columns] for job in of_jobs]
    headings = [heading for _, heading, _ in columns]
    print_table("Jobs", headings, rows, right=[headings[2], *headings[4:]])


def _print_parts(parts: list[dict[str, Any]]) -> None:
    """A row for each of several processes, of which the last ones are left out if there are many."""

    def load(part: Mapping[str, Any]) -> str:
        return "unknown" if part["load_share"] is None else f"{part['load_share'] * len(parts):.2f}"

    rows = [
        [
            str(part["process"]),
            formatting.count(part["nodes"]),
            part["part"],
            formatting.size(part["memory_bytes"]),
            load(part),
        ]
        for part in parts[:PARTS_SHOWN]
    ]
    headings = ["Process", "Nodes", "Part", "Memory", "Load / mean"]
    print_table("Parts", headings, rows, right=[headings[1], *headings[3:]])
    if len(parts) > PARTS_SHOWN:
        loads = [part["load_share"] * len(parts) for part in parts if part["load_share"] is not None]
        most = [f"a memory of {formatting.size(max(part['memory_bytes'] for part in parts))}"]
        most += [f"{max(loads):.2f} times the mean load"] if loads else []
        words = f"{len(parts) - PARTS_SHOWN} more parts are in --json. The most are {' and '.join(most)}."
        console().print(words, soft_wrap=True)


def _print_speed(window: Mapping[str, Any], shares: Sequence[float | None]) -> None:
    """The predicted speed of several processes, and what it is computed from."""
    seconds, packet_hops = window["one_thread_seconds"], window["packet_hops"]
    known = [share for share in shares if share is not None]
    if seconds is None or not known:
        console().print("The speed is unknown, since the expected rate of packets is.", soft_wrap=True)
        return
    speed = formatting.number(packet_hops / seconds / 1e6)
    origin = "measured here" if window.get("is_measured") else "assumed; --measure measures it here"
    console().print(
        f"A window of {window['cycles']} cycles has {formatting.number(packet_hops)} packet-hops, which take one "
        f"thread {formatting.number(seconds * 1e6)} µs at {speed} million a second ({origin}).",
        soft_wrap=True,
    )
    count = len(shares)
    for network in NETWORKS:
        times = speedup(seconds, packet_hops, max(known), count, network)
        console().print(
            f"Over {network} ({swap_in_words(network)}, which is assumed), {count} processes of one thread are "
            f"predicted to be {formatting.number(times)} times as fast as one: an efficiency of {times / count:.0%}.",
            soft_wrap=True,
        )


def _measure(window: dict[str, Any]) -> None:
    """Replaces the assumed speed in a window by that of this computer, with similar traffic on a small machine."""
    if window["packet_hops"] is None:
        return
    case = benchmark.Case("8x8x8", MEASURED[window["traffic"]], warmup_cycles=MEASURED_WARMUP_CYCLES)
    row = benchmark.measure(case, MEASURED_SECONDS, lambda _doing, _share: None)
    window["one_thread_seconds"] = window["packet_hops"] / row.packet_hops_per_second
    window["is_measured"] = True


def _time_in_words(one_thread_seconds: float | None) -> str:
    """The estimated time of the run, which depends on the host and on the load of the network."""
    if one_thread_seconds is None:
        return "unknown: what is sent is known only as it runs"
    is_long = one_thread_seconds >= AUTOMATIC_FIRST_SECONDS
    kept = "; checkpoints are kept" if is_long else ""
    hint = f"; {HINT}" if one_thread_seconds >= HOURS_SECONDS else ""
    return f"{formatting.about(one_thread_seconds)} on one thread{kept}{hint}"


def _in_words(key: str, value: Any, values: Mapping[str, Any]) -> tuple[str, str]:  # noqa: ANN401
    """A label, and the value with its unit, which the key's suffix gives. Times are given in the machine's time too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _label(key), formatting.plain(value)
    for unit, formatted in UNITS.items():
        if key.endswith(unit):
            return _label(key.removesuffix(unit)), formatted(value) + _in_machine_time(key, value, values)
    return _label(key), formatting.number(value) + _in_machine_time(key, value, values)


def _in_machine_time(key: str, value: float, values: Mapping[str, Any]) -> str:
    if key.endswith("cycles"):
        return f" ({formatting.duration(value * values['cycle_seconds'])})"
    if key.endswith(formatting.PER_NODE):
        gigabytes = values[key.removesuffix(formatting.PER_NODE) + formatting.GIGABYTES]
        return f" ({formatting.gigabytes_per_second(gigabytes)})"
    return ""


def _label(key: str) -> str:
    return LABELS.get(key) or key.rstrip("_.").replace("_", " ").replace(".", ", ").capitalize()
