"""`torusim check`: validates a scenario and estimates what a run needs."""

import json
from collections.abc import Callable
from typing import Any

from torusim import _core
from torusim.cli.options import JsonOption, ScenarioArgument, SeedOption, SetOption, overrides
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_pairs
from torusim.formatting import about, cycles, duration, flat, number, plain, size
from torusim.scenario import resolve

EXAMPLES = """[bold]Examples[/bold]

  torusim check scenario.toml
  torusim check scenario.toml --set 'machine.shape=[64,64,64]'
  torusim check scenario.toml --json"""

UNITS: dict[str, Callable[[float], str]] = {"_bytes": size, "_seconds": duration, "_cycles": cycles}

PRINTED_SEPARATELY = {"one_thread_seconds"}
"""Keys of the estimate that are printed separately."""


def check(
    scenario: ScenarioArgument,
    settings: SetOption = None,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a scenario without running it, and estimate what a run would need."""
    with Waiting("reading the scenario"):
        estimate = json.loads(_core.check(resolve(scenario, overrides(settings, seed))))
    if as_json:
        print_json(estimate)
        return
    console().print(f"{scenario} is valid. A run needs:", soft_wrap=True)
    rows = [
        _in_words(key, value) for key, value in flat(estimate) if value is not None and key not in PRINTED_SEPARATELY
    ]
    print_pairs([*rows, ("Time", _time_in_words(estimate["one_thread_seconds"]))])


def _time_in_words(one_thread_seconds: float | None) -> str:
    """The estimated time of the run, which depends on the host and on the load of the network."""
    if one_thread_seconds is None:
        return "unknown: packets sent depend on packets received"
    return f"{about(one_thread_seconds)} on one thread"


def _in_words(key: str, value: Any) -> tuple[str, str]:  # noqa: ANN401
    """A label, and the value with its unit, which the key's suffix gives."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _label(key), plain(value)
    for unit, formatted in UNITS.items():
        if key.endswith(unit):
            return _label(key.removesuffix(unit)), formatted(value)
    return _label(key), number(value)


def _label(key: str) -> str:
    return key.replace("_", " ").replace(".", ", ").capitalize()
