"""`torusim check`: validates a scenario and estimates what a run needs."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from torusim.cli import options
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_pairs, print_table
from torusim.common import formatting
from torusim.common.units import TIME, Row, Units, nanoseconds
from torusim.ranks.recorded import estimate as estimate_of
from torusim.runs.checkpoints import AUTOMATIC_FIRST_SECONDS

EXAMPLES = f"""[bold]Examples[/bold]

  torusim check scenario.toml
  torusim check scenario.toml --set 'machine.shape=[64,64,64]'
  torusim check scenario.toml --json
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

HOURS_SECONDS = 3600
"""The fluid engine is suggested if the estimated time is at least this."""

HINT = "torusim run --engine fluid may predict it in seconds"


def check(
    scenario: options.ScenarioOrProgramArgument,
    settings: options.SetOption = None,
    units: options.UnitsOption = None,
    seed: options.SeedOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Check a scenario without running it, and estimate what a run would need."""
    with Waiting("reading the scenario"):
        resolved, estimate = estimate_of(scenario, options.overrides(settings, seed, units))
    if as_json:
        print_json(estimate)
        return
    console().print(f"{scenario} is valid. A run needs:", soft_wrap=True)
    of_jobs, warnings, link, twist = (estimate.pop(key) for key in ("jobs", "warnings", "link", "twist"))
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
