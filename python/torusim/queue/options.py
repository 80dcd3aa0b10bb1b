"""The options of `torusim.schedule`: tables of their types, by the section of a description in which they are keys."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from torusim.runs.scenario import Override, to_json


class MachineOptions(TypedDict, total=False):
    """Keys of the section `machine`."""

    nodes: int | None
    room: str | None
    profile: str | None
    allocation: str | None
    hybrid: bool | None
    torus_above: float | None
    slowdown: float | None
    slowdown_rules: Sequence[Mapping[str, Any]] | None
    outages: Sequence[Mapping[str, Any]] | None
    reservations: Sequence[Mapping[str, Any]] | None


class QueueOptions(TypedDict, total=False):
    """Keys of the section `queue`."""

    policy: str | None
    wfp_exponent: float | None
    backfill: str | None
    drain_threshold: float | None
    walltime: str | None
    after_outage: str | None


class LogOptions(TypedDict, total=False):
    """Keys of the section `log`."""

    format: str | None
    columns: str | None
    dependencies: bool | None
    arrival: str | None
    processors_per_node: int | None
    walltime_factor: float | None
    seed: int | None
    skip_jobs: int | None
    jobs: int | None
    resample_blocks: int | None
    load: float | None
    cut_to_nodes: int | None
    sizes: Sequence[Sequence[float]] | None
    torus_share: float | None


class Options(MachineOptions, QueueOptions, LogOptions, total=False):
    """All options. None keeps the default."""

    queues: Sequence[Mapping[str, Any]] | None


SECTIONS = {"machine": MachineOptions, "queue": QueueOptions, "log": LogOptions}

KEYS: Mapping[str, str] = {
    **{name: f"{section}.{name}" for section, table in SECTIONS.items() for name in table.__annotations__},
    "queues": "queues",
}
"""The key of each option in a description."""


def overrides_of_options(options: Mapping[str, object], origin: Callable[[str], str]) -> list[Override]:
    """The changes that options make to a description; `origin` gives the name of an option in messages.

    Raises:
        InputError: If a value is none that a description can hold.
    """
    given = {key: value for key, value in options.items() if value is not None}
    return [(KEYS[key], to_json(value, origin(key)), origin(key)) for key, value in given.items()]
