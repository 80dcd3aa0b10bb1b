"""Advice before a job runs: the shape of its partition, torus or mesh, and the mapping of its ranks.

shapes x wraps x mappings --flows (fluid engine)--> predicted times
    --those near the best, one iteration in packets--> trials --those near the best of these, in packets--> Advice

A race: each stage runs only what the one before does not tell apart from its best.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil, inf
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

FOLD = "fold"
"""The mapping that not every grid of ranks has."""

TRIALS = 10
"""Default of the most trials: with the default of ten iterations, they take as long as one run."""

RUNS_SHARE = 0.1
"""What trials and runs together take of the time of a run with each choice, if the number of runs is not given."""

PREDICTED_APART = 1.25
"""Ratio of predicted times from which on packets do not change their order: the study `fluid` has recorded errors of up
to 11 %."""

TRIED_APART = 1.05
"""Ratio of the times of trials from which on whole runs do not change their order: each iteration has its own draws."""

RUNS_LIMIT = 1000
"""Upper limit of the number of trials, and of runs."""

LINKS_NAMED = 3
"""Busiest links that each choice names."""

LINKS_DECIDE = 0.7
"""Share of the time from which on busy links are the reason for it; below, software or latency is."""

BEHIND = "behind"
"""The trial of a choice that was ended since others were faster, in the printed table."""

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
        trials: The most choices that are run in packets for one iteration, if the workload has several.
        runs: The most of these that are run as a whole; 0 for none, None for as many, at least one, as take a tenth of
            the time of a run with each choice, trials included.
    """

    shapes: Sequence[Sequence[int]] | None = None
    wraps: Sequence[str] | None = None
    search: Search | None = None
    trials: int = TRIALS
    runs: int | None = None

    def __post_init__(self) -> None:
        """Checks the values.

        Raises:
            InputError: If one is out of range.
        """
        require_integer("trials", self.trials, 0, RUNS_LIMIT)
        if self.runs is not None:
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
        trial_seconds: The time of one iteration in packets; None if there was no trial, or none to its end.
        is_behind: Whether the trial was ended since others were faster.
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
    is_behind: bool
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
        packet_hops: What was simulated for it, trials included.
    """

    choices: Sequence[Choice]
    packet_hops: int

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
                BEHIND if choice.is_behind else _time(choice.trial_seconds),
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
    """Predicts the time of each choice from its flows, and races the best of them in packets.

    Mappings with the same places are one choice. Those that are predicted to take at most `PREDICTED_APART` times as
    long as the best are tried for one iteration, and of these those within `TRIED_APART` of the best run as a whole.
    Where the fluid engine does not know the workload, choices are tried in the order of the bytes on the busiest link.
    Ctrl-C raises KeyboardInterrupt.

    Raises:
        InputError: If the scenario cannot be used or states its time, or a partition does not hold its ranks or is too
            large for the runs in packets.
    """
    asked = _Asked(source, overrides)
    require_end(asked.resolve({}))
    choices: list[Choice] = []
    others: dict[tuple[str, str], list[Candidate]] = {}
    for partition in _partitions(asked, question):
        groups = _by_places(_mappings(asked, partition, question.search, report))
        for number, (first, *same) in enumerate(groups):
            report(f"predicting {first.name} on {partition.name}", number / len(groups))
            choices.append(_predicted(asked, partition, first))
            others[partition.name, first.name] = same
    choices.sort(key=_order)
    race = _Race(asked, report)
    iterations = _iterations(asked)
    if iterations > 1:
        choices = race.try_best(choices, question.trials)
    named = len(choices) + sum(map(len, others.values()))
    choices = race.run_best(choices, _runs(choices, named, iterations) if question.runs is None else question.runs)
    return Advice([each for choice in choices for each in _under_all_names(choice, others)], race.packet_hops)


@dataclass
class _Race:
    """The runs in packets of an advice.

    Attributes:
        asked: The scenario.
        report: Hears of each run.
        packet_hops: What has been simulated.
    """

    asked: _Asked
    report: Report
    packet_hops: int = 0

    def try_best(self, choices: Sequence[Choice], most: int) -> list[Choice]:
        """Choices in order, the best of which have been tried. A trial ends when it is behind the best so far."""
        tried, rest = _near_the_best(choices, [choice.predicted_seconds for choice in choices], PREDICTED_APART, most)
        best = inf
        run: dict[str, int] = {}
        for number, choice in enumerate(tried):
            self.report(f"trying {choice.mapping} on {choice.partition} in packets", number / len(tried))
            result = self._in_packets(choice, {"workload": {"iterations": 1}, "run": run})
            if run and result.outcome == "time-limit":
                tried[number] = replace(choice, is_behind=True)
                continue
            seconds = _seconds(choice, result)
            tried[number] = replace(choice, trial_seconds=seconds)
            if seconds < best:
                best = seconds
                run = {"time_limit_cycles": ceil(TRIED_APART * seconds * _hertz(result))}
        return [*sorted(tried, key=lambda choice: _or_last(choice.trial_seconds)), *rest]

    def run_best(self, choices: Sequence[Choice], most: int) -> list[Choice]:
        """Choices in order, the best of which have been run as a whole."""
        known, apart = [choice.trial_seconds for choice in choices], TRIED_APART
        if not any(known):
            known, apart = [choice.predicted_seconds for choice in choices], PREDICTED_APART
        ran, rest = _near_the_best(choices, known, apart, most)
        for number, choice in enumerate(ran):
            self.report(f"running {choice.mapping} on {choice.partition} in packets", number / len(ran))
            result = self._in_packets(choice, {})
            seconds = _seconds(choice, result)
            ran[number] = replace(choice, seconds=seconds, busiest=_busiest(result), reason=_reason(result))
        return [*sorted(ran, key=lambda choice: _or_last(choice.seconds)), *rest]

    def _in_packets(self, choice: Choice, changes: Mapping[str, Mapping[str, Any]]) -> Result:
        """The result of a choice in packets, with some sections changed.

        Raises:
            KeyboardInterrupt: On Ctrl-C.
        """
        run = {**changes.get("run", {}), "engine": "packets"}
        result = execute(self.asked.resolve({**choice.sections, **changes, "run": run}), Options(), _ignore)
        if result.outcome == "interrupted":
            raise KeyboardInterrupt
        self.packet_hops += int(result.summary["packet_hops_total"])
        return result


def _seconds(choice: Choice, result: Result) -> float:
    """The time of a choice in packets; if that is sampled, the extrapolated one.

    Raises:
        InputError: If the run did not complete.
    """
    if result.outcome != "completed":
        raise InputError(f"{choice.mapping} on {choice.partition}: the run ended with {result.outcome}")
    return seconds_of_whole(result.summary)


def _hertz(result: Result) -> float:
    """Network cycles in a second."""
    return float(result.summary["cycles"] / result.summary["seconds_simulated"])


def _iterations(asked: _Asked) -> int:
    """The number of iterations of the workload, 1 if it has none."""
    return int(json.loads(asked.resolve({}).to_json())["workload"].get("iterations", 1))


def _runs(choices: Sequence[Choice], named: int, iterations: int) -> int:
    """How many runs there are beside the trials. Of choices, `named` counts those with the same places, too."""
    trials = sum(choice.trial_seconds is not None or choice.is_behind for choice in choices)
    return max(1, int(RUNS_SHARE * named - trials / iterations))


def _near_the_best(
    choices: Sequence[Choice], seconds: Sequence[float | None], apart: float, most: int
) -> tuple[list[Choice], list[Choice]]:
    """The first choices whose times are within a ratio of the best, at most so many; and all others.

    If no time is known, all are alike; otherwise those without a time are among the others.
    """
    limit = apart * min(map(_or_last, seconds), default=inf)
    near = [choice for choice, time in zip(choices, seconds, strict=True) if _or_last(time) <= limit][:most]
    return near, [choice for choice in choices if not any(choice is other for other in near)]


def _by_places(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Mappings in order, those together that place all ranks alike."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.text, []).append(candidate)
    return list(groups.values())


def _under_all_names(choice: Choice, others: Mapping[tuple[str, str], Sequence[Candidate]]) -> Iterator[Choice]:
    """A choice, and the same for each other mapping with its places."""
    yield choice
    for candidate in others[choice.partition, choice.mapping]:
        machine = {key: values for key, values in choice.sections.items() if key != "mapping"}
        yield replace(choice, mapping=candidate.name, sections={**machine, **_mapping_section(candidate)})


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
        if question.trials or question.runs != 0:  # whose memory is checked here, before any search
            asked.resolve({**sections, "run": {"engine": "packets"}})
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


def _mappings(asked: _Asked, partition: _Partition, search: Search | None, report: Report) -> list[Candidate]:
    """The mappings that the scenario can have on a partition; one without costs if none places the ranks."""
    if not partition.has_mapping:
        return [Candidate(PRESENT, {}, "")]
    found = map_scenario(partition.scenario, search, report).candidates
    return [each for each in found if each.name != RANDOM and (each.name != FOLD or _folds(asked, partition, each))]


def _folds(asked: _Asked, partition: _Partition, candidate: Candidate) -> bool:
    """Whether the grid of the ranks folds in the scenario, too: flows do not tell the grid of all ranks."""
    try:
        asked.resolve({**partition.sections, **_mapping_section(candidate), "run": {"engine": FLUID}})
    except InputError:
        return False
    return True


def _mapping_section(candidate: Candidate) -> dict[str, dict[str, Any]]:
    """The section of a scenario that sets a mapping, if any."""
    if candidate.name == PRESENT:
        return {}
    return {"mapping": {"places": candidate.places} if candidate.name == FOUND else {"order": candidate.name}}


def _predicted(asked: _Asked, partition: _Partition, candidate: Candidate) -> Choice:
    """A choice with the time that the fluid engine predicts, if it knows the workload."""
    sections = {**partition.sections, **_mapping_section(candidate)}
    unknown = Choice(partition.name, candidate.name, candidate.costs, None, None, False, None, [], UNKNOWN, sections)
    try:
        result = execute(asked.resolve({**sections, "run": {"engine": FLUID}}), Options(), _ignore)
    except InputError:
        return unknown
    seconds = float(result.summary["seconds_simulated"])
    return replace(unknown, predicted_seconds=seconds, busiest=_busiest(result), reason=_reason(result))


def _order(choice: Choice) -> tuple[float, int, int, int]:
    """By predicted time; of equal ones, and without any, by the bytes on the busiest link and hop-bytes."""
    costs = (choice.costs.get("busiest_link_bytes_split_evenly"), choice.costs.get("hop_bytes"))
    link, hops = (int(cost or 0) for cost in costs)
    return _or_last(choice.predicted_seconds), link, hops, choice.mapping != PRESENT


def _or_last(seconds: float | None) -> float:
    """A time to sort by; what is not known comes last."""
    return inf if seconds is None else seconds


def _busiest(result: Result) -> list[HotLink]:
    return list(hot_links(result, links=LINKS_NAMED, flows=0).busiest)


def _reason(result: Result) -> str:
    """What limits the time: links that are busy for most of it, or what is no link."""
    links = result.links()
    utilization = links["utilization"].to_numpy()
    busiest = float(utilization.max())
    if busiest >= LINKS_DECIDE:
        direction = links["direction"][int(utilization.argmax())]
        return f"links {direction}: {share(busiest)} busy, all {share(float(utilization.mean()))}"
    return f"software or latency: links at most {share(busiest)} busy"


def _ignore(_progress: Progress) -> None:
    pass


def _row(choice: Choice) -> dict[str, Any]:
    return {
        "partition": choice.partition,
        "mapping": choice.mapping,
        "predicted_seconds": choice.predicted_seconds,
        "trial_seconds": choice.trial_seconds,
        "is_behind": choice.is_behind,
        "seconds": choice.seconds,
        "hop_bytes": choice.costs.get("hop_bytes"),
        "busiest_link_bytes_in_order": choice.costs.get("busiest_link_bytes_in_order"),
        "busiest_link_bytes_split_evenly": choice.costs.get("busiest_link_bytes_split_evenly"),
        "busiest_links": [link.name for link in choice.busiest],
        "reason": choice.reason,
    }


def _time(seconds: float | None) -> str:
    return "" if seconds is None else duration(seconds)
