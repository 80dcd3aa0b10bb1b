"""`torusim check`: is this scenario sound, and what would it need?"""

import json
from collections.abc import Callable
from typing import Any

from torusim import _core
from torusim.cli.options import JsonOption, ScenarioArgument, SeedOption, SetOption, overrides
from torusim.cli.progress import Waiting
from torusim.cli.screen import console, print_json, print_pairs
from torusim.scenario import resolve
from torusim.wording import about, cycles, duration, flat, number, plain, size

EXAMPLES = """[bold]Examples[/bold]

  torusim check scenario.toml
  torusim check scenario.toml --set 'machine.shape=[64,64,64]'
  torusim check scenario.toml --json"""

UNITS: dict[str, Callable[[float], str]] = {"_bytes": size, "_seconds": duration, "_cycles": cycles}

TOLD_APART = {"one_thread_seconds"}
"""Keys of the estimate with a line of their own kind."""


def check(
    scenario: ScenarioArgument,
    settings: SetOption = None,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a scenario without running it, and say what a run would need."""
    with Waiting("reading the scenario"):
        estimate = json.loads(_core.check(resolve(scenario, overrides(settings, seed))))
    if as_json:
        print_json(estimate)
        return
    console().print(f"{scenario} is sound. A run needs:", soft_wrap=True)
    rows = [_in_words(key, value) for key, value in flat(estimate) if value is not None and key not in TOLD_APART]
    print_pairs([*rows, ("Time", _time_in_words(estimate["one_thread_seconds"]))])


def _time_in_words(one_thread_seconds: float | None) -> str:
    """How long the run will take, which hangs on the host and on how full the network gets."""
    if one_thread_seconds is None:
        return "unknown: what is sent depends on what arrives"
    return f"{about(one_thread_seconds)} on one thread"


def _in_words(key: str, value: Any) -> tuple[str, str]:  # noqa: ANN401
    """A label and the value with its unit, which is the end of the key."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _label(key), plain(value)
    for unit, in_words in UNITS.items():
        if key.endswith(unit):
            return _label(key.removesuffix(unit)), in_words(value)
    return _label(key), number(value)


def _label(key: str) -> str:
    return key.replace("_", " ").replace(".", ", ").capitalize()
