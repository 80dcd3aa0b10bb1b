"""Advice before a job runs: the shape of its partition, torus or mesh, and the mapping of its ranks.

shapes x wraps x mappings --flows (fluid engine)--> predicted times
    --the best, one iteration in packets--> trials --the best of these, in packets--> Advice
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any

from torusim._core import InputError, Progress, Scenario
from torusim.checks import require_integer
from torusim.fluid import FLUID
from torusim.formatting import duration, rows_as_html, share, shown
from torusim.formatting import shape as partition_name
from torusim.hot import HotLink, hot_links
from torusim.mapping import FOUND, PRESENT, Candidate, Report, Search, map_scenario
from torusim.result import DIMENSIONS, Result
from torusim.runner import Options, execute
from torusim.scenario import Override, ScenarioSource, overrides_of_sections, require_end, resolve
from torusim.steadiness import seconds_of_whole

if TYPE_CHECKING:
    import pyarrow as pa

TORUS, MESH = "torus", "mesh"
"""Partitions with all dimensions closed, and with all open."""

WAYS_TO_PLACE = ("mapping.order", "mapping.file", "mapping.places")
"""The keys that place ranks, of which only one can be overridden."""

RANDOM = "random"
"""The mapping that is not advised."""

TRIALS = 10
"""Default number of trials: with the default of ten iterations, they take as long as one run."""

RUNS_LIMIT = 1000
"""Upper limit of the number of trials, and of runs."""

LINKS_NAMED = 3
"""Busiest links that each choice names."""

LINKS_DECIDE = 0.7
"""Share of the time from which on busy links are the reason for it; below, software or latency is."""

UNKNOWN = "not known without a run"
"""The reason of a choice that is not predicted and was not run."""

HEADINGS = ("partition", "mapping", "predicted", "an iteration", "in packets", "busiest link", "limited by")
"""Headings of the printed table."""


@dataclass(frozen=True)
class Question:
    """What is compared.

    Attributes:
        shapes: Lengths of partitions; None for that of the scenario.
        wraps: "torus", "mesh", or the letters of the closed dimensions such as "xz"; None for those of the scenario.
        search: How a mapping beside the usual ones is searched for each partition; None for no search.
        trials: How many of the best by prediction are run in packets for one iteration, if the workload has several.
        runs: How many of the best of these are run as a whole; 0 for none.
    """

    shapes: Sequence[Sequence[int]] | None = None
    wraps: Sequence[str] | None = None
    search: Search | None = None
    trials: int = TRIALS
    runs: int = 1

    def __post_init__(self) -> None:
        """Checks the values.

        Raises:
            InputError: If one is out of range.
        """
        require_integer("trials", self.trials, 0, RUNS_LIMIT)
        require_integer("runs", self.runs, 0, RUNS_LIMIT)


@dataclass(frozen=True)
class Choice:
    """A partition and a mapping, with the time that a run takes on it.

    Attributes:
        partition: Its shape, "8x8x16"; "m" after a length marks an open dimension.
        mapping: The name of the mapping.
        costs: What the mapping costs: `hop_bytes` and the bytes on the busiest link, as `torusim map` tells them; empty
            for workloads that no mapping places.
        predicted_seconds: The time by the fluid engine; None if it does not know the workload.
        trial_seconds: The time of one iteration in packets; None if there was no trial.
        seconds: The time in packets; None if it was not run.
        busiest: The links that are busy for the longest time, in packets or else as predicted.
        reason: What limits the time.
        sections: What is set in the scenario for it: `run(scenario, **choice.sections)`.
    """

    partition: str
    mapping: str
    costs: Mapping[str, Any]
    predicted_seconds: float | None
    trial_seconds: float | None
    seconds: float | None
    busiest: Sequence[HotLink]
    reason: str
    sections: Mapping[str, Mapping[str, Any]]

    @property
    def known_seconds(self) -> float | None:
        """The time in packets, or else as predicted."""
        return self.seconds if self.seconds is not None else self.predicted_seconds


@dataclass(frozen=True, eq=False)
class Advice:
    """Choices in the order of their times, the best first.

    Polars and pandas take its table as it is: `polars.DataFrame(advice)`.

    Attributes:
        choices: Those that were run in packets first, in the order of these times, then those that were tried, then the
            others as predicted.
    """

    choices: Sequence[Choice]

    @property
    def best(self) -> Choice:
        """The first choice."""
        return self.choices[0]

    @property
    def table(self) -> "pa.Table":
        """A row for each choice: its attributes, with the costs of its mapping and the names of its busiest links."""
        import pyarrow as pa  # takes longer to import than everything else here

        return pa.Table.from_pylist([_row(choice) for choice in self.choices])

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Its table by the protocol of Arrow, by which other libraries of tables read it."""
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        """Its size, and the best."""
        best = self.best
        time = _time(best.known_seconds) or "time unknown"
        return f"<Advice: {len(self.choices)} choices; {best.mapping} on {best.partition} is best, {time}>"

    def _repr_html_(self) -> str:
        return rows_as_html(HEADINGS, self.cells())

    def cells(self) -> list[list[str]]:
        """The rows of the printed table, below `HEADINGS`."""
        return [
            [
                choice.partition,
                choice.mapping,
                _time(choice.predicted_seconds),
                _time(choice.trial_seconds),
                _time(choice.seconds),
                choice.busiest[0].name if choice.busiest else "",
                choice.reason,
            ]
            for choice in self.choices
        ]


@dataclass(frozen=True)
class _Partition:
    """A partition with the scenario on it.

    Attributes:
        name: Its shape.
        sections: What is set in the scenario for it.
        scenario: The scenario.
        has_mapping: Whether a mapping places its ranks.
    """

    name: str
    sections: dict[str, dict[str, Any]]
    scenario: Scenario
    has_mapping: bool


@dataclass(frozen=True)
class _Asked:
    """A scenario that is asked about."""

    source: ScenarioSource
    overrides: Sequence[Override]

    def resolve(self, sections: Mapping[str, Mapping[str, Any]]) -> Scenario:
        """The scenario with some sections changed; a mapping among them replaces that of the overrides."""
        kept = [change for change in self.overrides if not ("mapping" in sections and change[0] in WAYS_TO_PLACE)]
        return resolve(self.source, [*kept, *overrides_of_sections(sections)])


def advise_scenario(
    source: ScenarioSource, overrides: Sequence[Override], question: Question, report: Report
) -> Advice:
    """Predicts the time of each choice from its flows, tries the best, and runs the best of these in packets.

    Half of the trials are of choices that the prediction tells apart, as far as there are that many, the others of the
    next best: choices with the same prediction differ by up to a tenth in packets. Where the fluid engine does not know
    the workload, choices are in the order of the bytes on the busiest link. Ctrl-C raises KeyboardInterrupt.

    Raises:
        InputError: If the scenario cannot be used or states its time, or a partition does not hold its ranks.
    """
    asked = _Asked(source, overrides)
    require_end(asked.resolve({}))
    choices: list[Choice] = []
    for partition in _partitions(asked, question):
        found = _mappings(partition, question.search, report)
        for number, candidate in enumerate(found):
            report(f"predicting {candidate.name} on {partition.name}", number / len(found))
            choices += _predicted(asked, partition, candidate)
    choices.sort(key=_order)
    tried, rest = _to_be_tried(choices, question.trials if _iterations(asked) > 1 else 0)
    for number, choice in enumerate(tried):
        report(f"trying {choice.mapping} on {choice.partition} in packets", number / len(tried))
        seconds = _in_packets(asked, choice, {"workload": {"iterations": 1}}).seconds
        tried[number] = replace(choice, trial_seconds=seconds)
    choices = [*sorted(tried, key=lambda choice: _or_last(choice.trial_seconds)), *rest]
    ran, rest = _first_that_differ(choices, question.runs)
    for number, choice in enumerate(ran):
        report(f"running {choice.mapping} on {choice.partition} in packets", number / len(ran))
        ran[number] = _in_packets(asked, choice)
    return Advice([*sorted(ran, key=lambda choice: _or_last(choice.seconds)), *rest])


def _iterations(asked: _Asked) -> int:
    """The number of iterations of the workload, 1 if it has none."""
    return int(json.loads(asked.resolve({}).to_json())["workload"].get("iterations", 1))


def _to_be_tried(choices: Sequence[Choice], most: int) -> tuple[list[Choice], list[Choice]]:
    """Of choices in order, those that get a trial, at most so many; and all others."""
    different, rest = _first_that_differ(choices, (most + 1) // 2)
    left = most - len(different)
    return [*different, *rest[:left]], rest[left:]


def _first_that_differ(choices: Sequence[Choice], most: int) -> tuple[list[Choice], list[Choice]]:
    """Of choices in order, the first that prediction, costs and trials tell apart, at most so many; and all others."""
    first: list[Choice] = []
    rest: list[Choice] = []
    for choice in choices:
        is_wanted = len(first) < most and not any(_is_alike(choice, other) for other in first)
        (first if is_wanted else rest).append(choice)
    return first, rest


def _partitions(asked: _Asked, question: Question) -> Iterator[_Partition]:
    """The partitions, each with the scenario on it."""
    present = json.loads(asked.resolve({}).to_json())["machine"]["shape"]
    shapes: Sequence[Sequence[int] | None] = question.shapes or [None]
    wraps: Sequence[str | None] = question.wraps or [None]
    for shape, wrap in product(shapes, wraps):
        machine: dict[str, Any] = {} if shape is None else {"shape": list(shape)}
        if wrap is not None:
            machine["wrap"] = _wrap(wrap, len(present if shape is None else shape))
        sections = {"machine": machine} if machine else {}
        scenario = asked.resolve(sections)
        content = json.loads(scenario.to_json())
        lengths, closed = content["machine"]["shape"], content["machine"]["wrap"]
        wrapped: list[bool] = closed if isinstance(closed, list) else [closed] * len(lengths)
        yield _Partition(partition_name(lengths, wrapped), sections, scenario, "mapping" in content)


def _wrap(wrap: str, dimensions: int) -> list[bool]:
    """The value of `machine.wrap` for "torus", "mesh" or the letters of closed dimensions.

    Raises:
        InputError: If it is none of these.
    """
    letters = DIMENSIONS[:dimensions]
    if wrap in (TORUS, MESH):
        return [wrap == TORUS] * dimensions
    if not isinstance(wrap, str) or not wrap or not set(wrap) <= set(letters) or len(set(wrap)) < len(wrap):
        raise InputError(
            f'wrap: {shown(wrap)} has to be "torus", "mesh", or the closed ones of the dimensions '
            f'{", ".join(letters)}, such as "{letters[0]}"'
        )
    return [letter in wrap for letter in letters]


def _mappings(partition: _Partition, search: Search | None, report: Report) -> list[Candidate]:
    """The mappings on a partition; one without costs if none places the ranks of the workload."""
    if not partition.has_mapping:
        return [Candidate(PRESENT, {}, "")]
    found = map_scenario(partition.scenario, search, report).candidates
    return [candidate for candidate in found if candidate.name != RANDOM]


def _predicted(asked: _Asked, partition: _Partition, candidate: Candidate) -> Iterator[Choice]:
    """A choice with the time that the fluid engine predicts, if it knows the workload; none if ranks do not fit."""
    sections = dict(partition.sections)
    if candidate.name != PRESENT:
        places = candidate.name == FOUND
        sections["mapping"] = {"places": candidate.places} if places else {"order": candidate.name}
    unknown = Choice(partition.name, candidate.name, candidate.costs, None, None, None, [], UNKNOWN, sections)
    try:
        scenario = asked.resolve({**sections, "run": {"engine": FLUID}})
    except InputError:
        return  # a grid that does not fold, of ranks whose flows do not tell their grid
    try:
        result = execute(scenario, Options(), _ignore)
    except InputError:
        yield unknown
        return
    seconds = float(result.summary["seconds_simulated"])
    yield replace(unknown, predicted_seconds=seconds, busiest=_busiest(result), reason=_reason(result))


def _in_packets(asked: _Asked, choice: Choice, changes: Mapping[str, Mapping[str, Any]] | None = None) -> Choice:
    """A choice with its time in packets, with some sections changed; if that is sampled, the extrapolated one.

    Raises:
        InputError: If the run does not complete.
        KeyboardInterrupt: On Ctrl-C.
    """
    sections = {**choice.sections, **(changes or {}), "run": {"engine": "packets"}}
    result = execute(asked.resolve(sections), Options(), _ignore)
    if result.outcome == "interrupted":
        raise KeyboardInterrupt
    if result.outcome != "completed":
        raise InputError(f"{choice.mapping} on {choice.partition}: the run ended with {result.outcome}")
    return replace(choice, seconds=seconds_of_whole(result.summary), busiest=_busiest(result), reason=_reason(result))


def _order(choice: Choice) -> tuple[float, int, int, int]:
    """By predicted time; of equal ones, and without any, by the bytes on the busiest link and hop-bytes."""
    costs = (choice.costs.get("busiest_link_bytes_split_evenly"), choice.costs.get("hop_bytes"))
    link, hops = (int(cost or 0) for cost in costs)
    return _or_last(choice.predicted_seconds), link, hops, choice.mapping != PRESENT


def _or_last(seconds: float | None) -> float:
    """A time to sort by; what is not known comes last."""
    return inf if seconds is None else seconds


def _is_alike(one: Choice, other: Choice) -> bool:
    """Whether neither the prediction nor a trial nor the costs of the mapping tell two choices apart."""

    def known(choice: Choice) -> tuple[object, ...]:
        return choice.partition, choice.predicted_seconds, choice.trial_seconds, dict(choice.costs)

    return known(one) == known(other)


def _busiest(result: Result) -> list[HotLink]:
    return list(hot_links(result, links=LINKS_NAMED, flows=0).busiest)


def _reason(result: Result) -> str:
    """What limits the time: links that are busy for most of it, or what is no link."""
    columns = result.links().select(["direction", "utilization"]).to_pydict()
    busiest, direction = max(zip(columns["utilization"], columns["direction"], strict=True))
    mean = sum(columns["utilization"]) / len(columns["utilization"])
    if busiest >= LINKS_DECIDE:
        return f"links {direction}: {share(busiest)} busy, all {share(mean)}"
    return f"software or latency: links at most {share(busiest)} busy"


def _ignore(_progress: Progress) -> None:
    pass


def _row(choice: Choice) -> dict[str, Any]:
    return {
        "partition": choice.partition,
        "mapping": choice.mapping,
        "predicted_seconds": choice.predicted_seconds,
        "trial_seconds": choice.trial_seconds,
        "seconds": choice.seconds,
        "hop_bytes": choice.costs.get("hop_bytes"),
        "busiest_link_bytes_in_order": choice.costs.get("busiest_link_bytes_in_order"),
        "busiest_link_bytes_split_evenly": choice.costs.get("busiest_link_bytes_split_evenly"),
        "busiest_links": [link.name for link in choice.busiest],
        "reason": choice.reason,
    }


def _time(seconds: float | None) -> str:
    return "" if seconds is None else duration(seconds)
