"""`torusim list`: lists presets, workloads, kernels, parameters and examples."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from torusim.cli.examples import examples
from torusim.cli.options import JsonOption
from torusim.cli.screen import print_definitions, print_json, print_table
from torusim.cli.vocabulary import catalog

EXAMPLES = """[bold]Examples[/bold]

  torusim list
  torusim list workloads
  torusim list kernels
  torusim list parameters --json"""


class Topic(StrEnum):
    """The topics that can be listed."""

    PRESETS = "presets"
    WORKLOADS = "workloads"
    KERNELS = "kernels"
    PARAMETERS = "parameters"
    EXAMPLES = "examples"


def list_(
    topic: Annotated[Topic | None, typer.Argument(help="List only this topic.", show_default="all")] = None,
    as_json: JsonOption = False,
) -> None:
    """List presets, kinds of workload, kernels, all parameters (meaning, unit, legal values, default), and examples."""
    known = {**catalog(), "examples": _examples()}
    topics = list(Topic) if topic is None else [topic]
    if as_json:
        print_json({name.value: known[name.value] for name in topics})
        return
    for name in topics:
        _print(name, known[name.value])


def _examples() -> list[dict[str, str]]:
    return [{"name": example.name, "description": example.description} for example in examples().values()]


def _print(topic: Topic, entries: Sequence[Mapping[str, Any]]) -> None:
    title, key = TITLES[topic]
    if topic is Topic.PARAMETERS:
        _print_described(title, entries, key)
        return
    print_table(title, (key, "description"), [(entry[key], entry["description"]) for entry in entries])
    for entry in entries:
        if entry.get("parameters"):
            _print_described(f"Parameters of {entry[key]} (workload.…)", entry["parameters"], "name")


def _print_described(title: str, parameters: Sequence[Mapping[str, Any]], name_key: str) -> None:
    definitions = [(parameter[name_key], _note(parameter), parameter["meaning"]) for parameter in parameters]
    print_definitions(title, definitions)


def _note(parameter: Mapping[str, Any]) -> str:
    unit, default, values = parameter["unit"], parameter["default"], parameter["values"]
    parts = [unit] if unit else []
    if parameter["with_unit"]:
        parts.append(f"or {parameter['with_unit']}")
    if values:
        either = f"one of {', '.join(values)}"
        parts.append(f"a number or {either.removeprefix('one of ')}" if parameter["takes_numbers"] else either)
    if default is not None:
        parts.append(f"default {json.dumps(default)}")
    return "; ".join(parts)


TITLES: Mapping[Topic, tuple[str, str]] = {
    Topic.PRESETS: ("Presets (machine.preset)", "name"),
    Topic.WORKLOADS: ("Workloads (workload.kind)", "kind"),
    Topic.KERNELS: ("Kernels (workload.name of the kind kernel)", "name"),
    Topic.PARAMETERS: ("Parameters", "key"),
    Topic.EXAMPLES: ("Examples (torusim init --example NAME)", "name"),
}
"""The title of each topic, and the key under which an entry has its name."""
