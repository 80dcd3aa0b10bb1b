"""Advice before a job runs: the shape of its partition, torus or mesh, and the mapping of its ranks.

shapes x wraps x mappings --flows (fluid engine)--> predicted times
    --those near the best, in packets--> one iteration --those near the best--> two ... until one is left --> Advice

A race: each stage runs only the choices that the previous one cannot distinguish from its best, and continues their
runs where it ended.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import ceil, inf
from typing import TYPE_CHECKING, Any

from torusim import _core
from torusim._core import InputError, Scenario
from torusim.common.checks import require_integer
from torusim.common.formatting import duration, rows_as_html, share, shown
from torusim.common.formatting import shape as partition_name
from torusim.common.tables import Tabular
from torusim.ranks.mapping import FOUND, PRESENT, Candidate, Report, Search, map_scenario
from torusim.runs.fluid import FLUID
from torusim.runs.hot import HotLink, hot_links
from torusim.runs.race import Contender
from torusim.runs.result import DIMENSIONS, Result
from torusim.runs.runner import Options, execute
from torusim.runs.scenario import Override, ScenarioSource, overrides_of_sections, require_end, resolve
from torusim.runs.steadiness import seconds_of_whole

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
"""The default limit of trials: with the default of ten iterations, one iteration of each takes as long as one run."""

RUNS_SHARE = 0.1
"""The share that whole runs take of the time of a run with each choice, without trials and a given number."""

TRIALS_SHARE = 0.08
"""The share that trials take of the time of a run with each choice: the rest of a tenth is for predictions."""

PREDICTED_APART = 1.25
"""Ratio of predicted times above which packets do not change the order of choices: the study `fluid` has recorded
errors of up to 11 %."""

TIED = 1.01
"""Ratio of predicted times up to which choices are tied: unless a number of runs is given, all of these are run."""

BEHIND_ITERATIONS = 0.05
"""The lag, in iterations, at which a trial ends: larger than the effect of an iteration's random draws on its time."""

FEW_MESSAGES = 100_000
"""The most messages, over runs with each choice, at which all are run if none is predicted: that takes seconds."""

RUNS_LIMIT = 1000
"""Upper limit of the number of trials, and of runs."""

LINKS_NAMED = 3
"""The number of busiest links that each choice names."""

NOT_COMPARED_NAMED = 6
"""The most choices that the conclusion names, of those that were not compared."""

LINKS_DECIDE = 0.7
"""Share of the time above which busy links are its reason; below, software or latency is the reason."""

BEHIND = "behind"
"""The text in the printed table for a trial that was ended since others were faster."""

UNKNOWN = "not known without a run"
"""The text for a choice that was neither predicted nor run."""

HEADINGS = ("partition", "mapping", "predicted", "an iteration", "in packets", "busiest link", "limited by")
"""Headings of the printed table."""


@dataclass(frozen=True)
class Question:
    """The partitions and mappings to compare, and the number of runs.

    Attributes:
        shapes: Lengths of partitions; None for that of the scenario.
        wraps: "torus", "mesh", or the letters of the closed dimensions such as "xz"; None for those of the scenario.
        search_seconds: About how long to search each partition for a mapping in addition to the usual ones; None for no
            search.
        trials: The most choices that are tried in packets, if the workload has several iterations.
        runs: The number of choices that are run as a whole, the best first; 0 for none. None means: none if trials have
            found the best; or else as many as take a tenth of the time of a run with each choice, and those that the
            prediction does not distinguish from the best, up to `trials`.
    """

    shapes: Sequence[Sequence[int]] | None = None
    wraps: Sequence[str] | None = None
    search_seconds: float | None = None
    trials: int = TRIALS
    runs: int | None = None

    def __post_init__(self) -> None:
        """Checks the values.

        Raises:
            InputError: If a value is out of range.
        """
        require_integer("trials", self.trials, 0, RUNS_LIMIT)
        if self.runs is not None:
            require_integer("runs", self.runs, 0, RUNS_LIMIT)


@dataclass(frozen=True)
class Choice:
    """A partition and a mapping, with the time that a run takes on it.

    Attributes:
        partition: The shape of the partition, "8x8x16"; "m" after a length marks an open dimension.
        mapping: The name of the mapping.
        costs: The costs of the mapping: `hop_bytes` and the bytes on the busiest link, as `torusim map` reports them.
            They are empty for workloads that no mapping places.
        predicted_seconds: The time by the fluid engine; None if it does not know the workload.
        trial_seconds: The time of an iteration in packets, on average over those of its trial; None if it was not
            tried, or was behind in the first iteration.
        trial_iterations: The number of iterations of the trial.
        is_behind: Whether the trial was ended since others were faster.
        seconds: The time in packets; None if it was not run.
        busiest: The links that are busy for the longest time, in packets or else as predicted.
        reason: The limit of the time.
        sections: The sections of the scenario that set this choice: `run(scenario, **choice.sections)`.
    """

    partition: str
    mapping: str
    costs: Mapping[str, Any]
    predicted_seconds: float | None
    trial_seconds: float | None
    trial_iterations: int
    is_behind: bool
    seconds: float | None
    busiest: Sequence[HotLink]
    reason: str
    sections: Mapping[str, Mapping[str, Any]]

    @property
    def key(self) -> tuple[str, str]:
        """The key that distinguishes the choice from the others of an advice."""
        return self.partition, self.mapping

    @property
    def is_in_race(self) -> bool:
        """Whether the choice was tried, and is not behind."""
        return self.trial_iterations > 0 and not self.is_behind

    @property
    def known_seconds(self) -> float | None:
        """The time in packets, or else as predicted."""
        return self.seconds if self.seconds is not None else self.predicted_seconds


@dataclass(frozen=True, eq=False)
class Advice(Tabular):
    """Choices in the order of their times, the best first.

    Polars and pandas take its table as it is: `polars.DataFrame(advice)`.

    Attributes:
        choices: First the choices that were run as a whole, in the order of these times; then those that were tried,
            the last in the race first; then the others in the order of predicted times.
        packet_hops: The simulated packet-hops, trials included.
        not_compared: Choices that were neither tried nor run although they are predicted to take at most
            `PREDICTED_APART` times as long as the best: one of them may be faster. Mappings with the same places are
            listed once.
    """

    choices: Sequence[Choice]
    packet_hops: int
    not_compared: Sequence[Choice] = ()

    @property
    def best(self) -> Choice:
        """The first choice."""
        return self.choices[0]

    @property
    def table(self) -> "pa.Table":
        """A row for each choice: its attributes, the costs of its mapping and the names of its busiest links."""
        import pyarrow as pa  # takes longer to import than everything else here

        return pa.Table.from_pylist([_row(choice) for choice in self.choices])

    def __repr__(self) -> str:
        """The number of choices, and the best one."""
        best = self.best
        time = _time(best.known_seconds) or "time unknown"
        return f"<Advice: {len(self.choices)} choices; {best.mapping} on {best.partition} is best, {time}>"

    def _repr_html_(self) -> str:
        return rows_as_html(HEADINGS, self.cells())

    @property
    def conclusion(self) -> str:
        """The best choice, the measure by which it is the best, and the choices compared.

        Those not compared are named.
        """
        best, ran = self.best, self.best.seconds is not None or self.best.is_in_race
        known = f"Best, {'in packets' if ran else 'as predicted'}: the mapping {best.mapping} on {best.partition}."
        if not ran or not self.not_compared:
            return known
        named = [f"{choice.mapping} on {choice.partition}" for choice in self.not_compared[:NOT_COMPARED_NAMED]]
        more = len(self.not_compared) - len(named)
        others = ", ".join(named) + (f" and {more} more" if more else "")
        are = "Neither predicted nor" if best.predicted_seconds is None else "Predicted as near, but not"
        return f"{known} {are} compared in packets: {others}; --runs compares more."

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
        name: The shape of the partition.
        sections: The sections of the scenario that set the partition.
        scenario: The scenario.
        has_mapping: Whether a mapping places its ranks.
    """

    name: str
    sections: dict[str, dict[str, Any]]
    scenario: Scenario
    has_mapping: bool


@dataclass(frozen=True)
class _Asked:
    """The scenario for which advice is asked."""

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
    long as the best are tried iteration by iteration, as long as they are not `BEHIND_ITERATIONS` behind the best, and
    until they have taken `TRIALS_SHARE`. Where the fluid engine does not know the workload, choices are tried in the
    order of the bytes on the busiest link. Ctrl-C raises KeyboardInterrupt.

    Raises:
        InputError: If the scenario cannot be used or states its time, or a partition does not hold its ranks or is too
            large for the runs in packets.
    """
    asked = _Asked(source, overrides)
    stated = asked.resolve({})
    require_end(stated)
    seconds = question.search_seconds
    search = None if seconds is None else Search(seconds=seconds, seed=stated.seed)
    choices: list[Choice] = []
    others: dict[tuple[str, str], list[Candidate]] = {}
    for partition in _partitions(asked, question):
        groups = _by_places(_mappings(asked, partition, search, report))
        is_known = True
        for number, (first, *same) in enumerate(groups):
            report(f"predicting {first.name} on {partition.name}", number / len(groups))
            choice = _predicted(asked, partition, first) if is_known else _unknown(partition, first)
            is_known = choice.predicted_seconds is not None  # which depends on the workload and the partition
            choices.append(choice)
            others[choice.key] = same
    choices.sort(key=_order)
    race = _Race(asked, report, _iterations(stated))
    choices = race.try_best(choices, question.trials)
    runs = race.runs(choices, question.trials) if question.runs is None else question.runs
    choices = race.run_best(choices, runs)
    named = [each for choice in choices for each in _under_all_names(choice, others)]
    return Advice(named, race.packet_hops, _not_compared(choices))


@dataclass
class _Race:
    """The runs in packets of an advice.

    Attributes:
        asked: The scenario.
        report: Called with each run.
        iterations: The number of iterations of the workload.
        packet_hops: The packet-hops simulated by the runs that have left the race.
        contenders: The runs that are still in the race.
    """

    asked: _Asked
    report: Report
    iterations: int
    packet_hops: int = 0
    contenders: dict[tuple[str, str], Contender] = field(default_factory=dict)

    def try_best(self, choices: Sequence[Choice], most: int) -> list[Choice]:
        """The choices in order, after the best have been tried: as many as fit in memory together."""
        predicted = [choice.predicted_seconds for choice in choices]
        left, rest = _near_the_best(choices, predicted, PREDICTED_APART, most)
        messages = self._messages(left) if self.iterations > 1 else None
        if messages is None:
            return list(choices)
        fitting = self._fitting(left)
        left, rest = left[:fitting], [*left[fitting:], *rest]
        spare = TRIALS_SHARE * len(choices) * self.iterations - len(left)  # in iterations, for the following trials
        behind: list[Choice] = []
        for iteration in range(1, self.iterations):
            left, ended = self._try_another(left, iteration, messages)
            behind = [*ended, *behind]
            spare -= len(left)
            if len(left) == 1 or spare < 0:
                break
        return [*left, *behind, *rest]

    def runs(self, choices: Sequence[Choice], most: int) -> int:
        """The number of whole runs, if trials have not found the best choice; at most `most` of tied choices.

        Where nothing is predicted, all choices are tied if running them takes seconds.
        """
        if any(choice.is_in_race for choice in choices):
            return 0
        times = [choice.predicted_seconds for choice in choices if choice.predicted_seconds is not None]
        if times:
            tied = sum(time <= TIED * min(times) for time in times)
        else:
            messages = self._messages(choices) or {}
            has_few = messages and len(choices) * max(messages.values()) <= FEW_MESSAGES
            tied = len(choices) if has_few else 0
        return max(1, int(RUNS_SHARE * len(choices)), min(tied, most))

    def run_best(self, choices: Sequence[Choice], most: int) -> list[Choice]:
        """The choices in order, after the best have been run as a whole."""
        near = [choice for choice in choices if choice.is_in_race]
        if not near:
            near, _ = _near_the_best(choices, [each.predicted_seconds for each in choices], PREDICTED_APART, most)
        ran = near[:most]
        rest = [choice for choice in choices if not any(choice is other for other in ran)]
        for number, choice in enumerate(ran):
            self.report(f"running {choice.mapping} on {choice.partition} in packets", number / len(ran))
            self._contender(choice).go_on()
            result = self._leave(choice)
            ran[number] = _explained(replace(choice, seconds=_seconds(choice, result)), result)
        tried = [_explained(choice, self._leave(choice)) if choice.is_in_race else choice for choice in rest]
        return [*sorted(ran, key=lambda choice: _or_last(choice.seconds)), *tried]

    def _try_another(
        self, choices: Sequence[Choice], iteration: int, messages: Mapping[str, int]
    ) -> tuple[list[Choice], list[Choice]]:
        """The choices that are not behind after another iteration, and those that are; each in the order of times."""
        cycles = self._cycles(choices, iteration, messages)
        limit = _limit(cycles.values(), iteration)
        ordered = sorted(choices, key=lambda choice: cycles.get(choice.key, inf))
        left = [choice for choice in ordered if cycles.get(choice.key, inf) <= limit]
        left = [self._tried(choice, cycles[choice.key], iteration) for choice in left]
        return left, [self._ended(choice, iteration) for choice in ordered[len(left) :]]

    def _cycles(
        self, choices: Sequence[Choice], iteration: int, messages: Mapping[str, int]
    ) -> dict[tuple[str, str], float]:
        """The cycles that choices have taken for the messages of some iterations, without choices that are behind."""
        cycles: dict[tuple[str, str], float] = {}
        for number, choice in enumerate(choices):
            self.report(f"trying {choice.mapping} on {choice.partition} in packets", number / len(choices))
            contender = self._contender(choice)
            received = ceil(messages[choice.partition] * iteration / self.iterations)
            taken = contender.cycles_until(received, _limit(cycles.values(), iteration))
            if contender.has_ended:
                _seconds(choice, contender.finish())  # a run can end this early only if it did not complete
            if taken is not None:
                cycles[choice.key] = taken
        return cycles

    def _tried(self, choice: Choice, cycles: float, iteration: int) -> Choice:
        """A choice whose trial has taken `cycles` cycles for `iteration` iterations."""
        seconds = cycles / self._contender(choice).hertz
        return replace(choice, trial_seconds=seconds / iteration, trial_iterations=iteration)

    def _ended(self, choice: Choice, iteration: int) -> Choice:
        """A choice that was found to be behind in an iteration."""
        self.packet_hops += self.contenders.pop(choice.key).packet_hops
        return replace(choice, trial_iterations=iteration, is_behind=True)

    def _contender(self, choice: Choice) -> Contender:
        """The run of a choice; it is started if the choice has none yet."""
        if choice.key not in self.contenders:
            self.contenders[choice.key] = Contender(self._in_packets(choice))
        return self.contenders[choice.key]

    def _leave(self, choice: Choice) -> Result:
        """The result of a run that leaves the race."""
        contender = self.contenders.pop(choice.key)
        self.packet_hops += contender.packet_hops
        return contender.finish()

    def _in_packets(self, choice: Choice) -> Scenario:
        return self.asked.resolve({**choice.sections, "run": {"engine": "packets"}})

    def _messages(self, choices: Sequence[Choice]) -> dict[str, int] | None:
        """The number of messages of a run on each partition; None if it is not known without a run, or is 0."""
        messages = {}
        for partition, choice in _first_of_each_partition(choices).items():
            known = _core.messages(self._in_packets(choice))
            if not known:
                return None
            messages[partition] = known
        return messages or None

    def _fitting(self, choices: Sequence[Choice]) -> int:
        """The number of runs that fit in memory together, at least one."""
        checks = [
            json.loads(_core.check(self._in_packets(choice))) for choice in _first_of_each_partition(choices).values()
        ]
        available = min(check["memory_available_bytes"] or inf for check in checks)
        return int(max(1, min(len(choices), available // max(check["memory_bytes"] for check in checks))))


def _limit(cycles: Iterable[float], iteration: int) -> float:
    """The cycles for some iterations above which a choice is behind the fastest of the others."""
    return min(cycles, default=inf) * (1 + BEHIND_ITERATIONS / iteration)


def _first_of_each_partition(choices: Sequence[Choice]) -> dict[str, Choice]:
    first: dict[str, Choice] = {}
    for choice in choices:
        first.setdefault(choice.partition, choice)
    return first


def _seconds(choice: Choice, result: Result) -> float:
    """The time of a choice in packets; for a sampled run the extrapolated time.

    Raises:
        InputError: If the run did not complete.
    """
    if result.outcome != "completed":
        raise InputError(f"{choice.mapping} on {choice.partition}: the run ended with {result.outcome}")
    return seconds_of_whole(result.summary)


def _iterations(scenario: Scenario) -> int:
    """The number of iterations of the workload, 1 if it has none."""
    return int(json.loads(scenario.to_json())["workload"].get("iterations", 1))


def _not_compared(choices: Sequence[Choice]) -> list[Choice]:
    """Choices near the best by prediction that were neither tried nor run."""
    near, _ = _near_the_best(choices, [each.predicted_seconds for each in choices], PREDICTED_APART, len(choices))
    return [choice for choice in near if choice.seconds is None and choice.trial_iterations == 0]


def _near_the_best(
    choices: Sequence[Choice], seconds: Sequence[float | None], apart: float, most: int
) -> tuple[list[Choice], list[Choice]]:
    """The first choices whose times are within a ratio of the best, at most `most` of them; and all others.

    If no time is known, all choices are near the best; otherwise choices without a time are among the others.
    """
    limit = apart * min(map(_or_last, seconds), default=inf)
    near = [choice for choice, time in zip(choices, seconds, strict=True) if _or_last(time) <= limit][:most]
    return near, [choice for choice in choices if not any(choice is other for other in near)]


def _by_places(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Mappings in order, in groups that place all ranks alike."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.text, []).append(candidate)
    return list(groups.values())


def _under_all_names(choice: Choice, others: Mapping[tuple[str, str], Sequence[Candidate]]) -> Iterator[Choice]:
    """A choice, and its copy for each other mapping with the same places."""
    yield choice
    for candidate in others[choice.partition, choice.mapping]:
        machine = {key: values for key, values in choice.sections.items() if key != "mapping"}
        yield replace(choice, mapping=candidate.name, sections={**machine, **_mapping_section(candidate)})


def _partitions(asked: _Asked, question: Question) -> Iterator[_Partition]:
    """The partitions, each with the scenario on it."""
    present = json.loads(asked.resolve({}).to_json())["machine"]["shape"]
    shapes: Sequence[Sequence[int] | None] = question.shapes or [None]
    wraps: Sequence[str | None] = question.wraps or [None]
    told = set()  # one partition may be named twice, and in several ways
    for shape, wrap in product(shapes, wraps):
        machine: dict[str, Any] = {} if shape is None else {"shape": list(shape)}
        if wrap is not None:
            machine["wrap"] = _wrap(wrap, len(present if shape is None else shape))
        sections = {"machine": machine} if machine else {}
        scenario = asked.resolve(sections)
        if question.trials or question.runs != 0:  # this checks the memory, before any search
            asked.resolve({**sections, "run": {"engine": "packets"}})
        content = json.loads(scenario.to_json())
        lengths, closed = content["machine"]["shape"], content["machine"]["wrap"]
        wrapped: list[bool] = closed if isinstance(closed, list) else [closed] * len(lengths)
        name = partition_name(lengths, wrapped)
        if name not in told:
            told.add(name)
            yield _Partition(name, sections, scenario, "mapping" in content)


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
    """The mappings that the scenario can have on a partition; a single one without costs if none places the ranks."""
    if not partition.has_mapping:
        return [Candidate(PRESENT, {}, "")]
    found = map_scenario(partition.scenario, search, report, leave_out=[RANDOM]).candidates
    return [each for each in found if each.name != FOLD or _folds(asked, partition, each)]


def _folds(asked: _Asked, partition: _Partition, candidate: Candidate) -> bool:
    """Whether the grid of the ranks folds in the scenario, too: flows do not always give the grid of all ranks."""
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


def _unknown(partition: _Partition, candidate: Candidate) -> Choice:
    """A choice whose time is not known."""
    sections = {**partition.sections, **_mapping_section(candidate)}
    return Choice(partition.name, candidate.name, candidate.costs, None, None, 0, False, None, [], UNKNOWN, sections)


def _predicted(asked: _Asked, partition: _Partition, candidate: Candidate) -> Choice:
    """A choice with the time that the fluid engine predicts, if it knows the workload."""
    unknown = _unknown(partition, candidate)
    try:
        scenario = asked.resolve({**unknown.sections, "run": {"engine": FLUID}})
        result = execute(scenario, Options(), lambda _progress: None)
    except InputError:
        return unknown
    seconds = float(result.summary["seconds_simulated"])
    return _explained(replace(unknown, predicted_seconds=seconds), result)


def _order(choice: Choice) -> tuple[float, int, int, int]:
    """The sort key of choices: predicted time, then bytes on the busiest link, then hop-bytes."""
    costs = (choice.costs.get("busiest_link_bytes_split_evenly"), choice.costs.get("hop_bytes"))
    link, hops = (int(cost or 0) for cost in costs)
    return _or_last(choice.predicted_seconds), link, hops, choice.mapping != PRESENT


def _or_last(seconds: float | None) -> float:
    """A time to sort by; unknown times come last."""
    return inf if seconds is None else seconds


def _explained(choice: Choice, result: Result) -> Choice:
    """A choice with the reason for its time."""
    busiest = list(hot_links(result, links=LINKS_NAMED, flows=0).busiest)
    return replace(choice, busiest=busiest, reason=_reason(result))


def _reason(result: Result) -> str:
    """The limit of the time: links that are busy for most of it, or else software or latency."""
    links = result.links()
    utilization = links["utilization"].to_numpy()
    busiest = float(utilization.max())
    if busiest >= LINKS_DECIDE:
        direction = links["direction"][int(utilization.argmax())]
        return f"links {direction}: {share(busiest)} busy, all {share(float(utilization.mean()))}"
    return f"software or latency: links at most {share(busiest)} busy"


def _row(choice: Choice) -> dict[str, Any]:
    return {
        "partition": choice.partition,
        "mapping": choice.mapping,
        "predicted_seconds": choice.predicted_seconds,
        "trial_seconds": choice.trial_seconds,
        "trial_iterations": choice.trial_iterations,
        "is_behind": choice.is_behind,
        "seconds": choice.seconds,
        "hop_bytes": choice.costs.get("hop_bytes"),
        "busiest_link_bytes_in_order": choice.costs.get("busiest_link_bytes_in_order"),
        "busiest_link_bytes_split_evenly": choice.costs.get("busiest_link_bytes_split_evenly"),
        "is_busiest_link_exact": choice.costs.get("is_busiest_link_exact"),
        "busiest_links": [link.name for link in choice.busiest],
        "reason": choice.reason,
    }


def _time(seconds: float | None) -> str:
    return "" if seconds is None else duration(seconds)
