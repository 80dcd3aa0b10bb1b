"""Mappings of ranks: the costs of the usual ones for a scenario, and the search for a better one.

scenario --> Candidate (present, XYZT, TXYZ, ..., fold, random) --search--> Candidate (found)
                      '----------------- Mappings: table, best -------------'
"""

import json
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim import _core
from torusim._core import InputError
from torusim.common.checks import require_integer
from torusim.common.folder import write_atomically
from torusim.common.formatting import count, number, rows_as_html, shown
from torusim.common.tables import Tabular
from torusim.runs.scenario import printable

if TYPE_CHECKING:
    import pyarrow as pa

PRESENT, FOUND = "present", "found"
"""The names of the mapping that the scenario states, and of the one that a search has found."""

METHODS = ("anneal", "greedy")
"""The methods of a search."""

SECONDS = 10.0
"""Default length of a search."""

TRIAL_SECONDS = 0.2
TRIAL_STEPS = 20_000
"""The time for which the speed of a search is measured, and the steps of each piece."""

SLICE_STEPS = 50_000
"""Steps between two reports of progress and checks for Ctrl-C: some ten milliseconds."""

STEPS_LIMIT = 2**53
"""Upper limit of the number of steps."""

SEED_LIMIT = 2**63 - 1
"""Upper limit of seeds, as in scenarios."""

EXACT = "In order, the busiest link of a run carries exactly these bytes: its messages are in order."
SOME_EXACT = (
    "In order, the busiest link of a run carries exactly these bytes, but under mappings that leave packets a choice."
)
EXPECTED = "The busiest links are expectations: packets choose or draw their routes."
"""Notes on how exact the bytes on the busiest link are."""

COLUMNS = (
    "mapping", "hop_bytes", "mean_hops", "busiest_link_bytes_in_order", "busiest_link_bytes_split_evenly"
)  # fmt: skip
HEADINGS = ("mapping", "hop-bytes", "mean hops", "busiest link: in order", "split evenly")
"""Columns of the table, and their headings where it is printed."""

Report = Callable[[str, float | None], None]
"""Called with the current activity, and the completed share of it, 0 to 1, if known."""


@dataclass(frozen=True)
class Search:
    """The settings of a search for a better mapping.

    Attributes:
        method: "anneal" (simulated annealing in rounds) or "greedy" (only moves that cost no more).
        start: The mapping to start from: "present", an order such as "XYZT", "fold" or "random".
        steps: Number of steps; None for as many as fit into `seconds`, which is measured first.
        seconds: About how long the search takes, if `steps` is None.
        seed: The seed of the random draws. The same seed and number of steps find the same mapping.
    """

    method: str = "anneal"
    start: str = PRESENT
    steps: int | None = None
    seconds: float = SECONDS
    seed: int = 1

    def __post_init__(self) -> None:
        """Checks the values.

        Raises:
            InputError: If a value is out of range.
        """
        if self.method not in METHODS:
            raise InputError(f"search: {shown(self.method)} is no search; it can be {' or '.join(METHODS)}")
        if not isinstance(self.start, str):
            raise InputError(f"start: {shown(self.start)} has to be the name of a mapping")
        if self.steps is not None:
            require_integer("steps", self.steps, 1, STEPS_LIMIT)
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, int | float) or not 0 < self.seconds <= 1e6:
            raise InputError(f"seconds: {shown(self.seconds)} has to be a number above 0, and at most 1000000")
        require_integer("seed", self.seed, 0, SEED_LIMIT)


@dataclass(frozen=True)
class Candidate:
    """A mapping with its costs.

    Attributes:
        name: The name of the mapping.
        costs: `hop_bytes` (bytes between ranks, each times its hops), `mean_hops` of a byte, and the bytes on the
            busiest link: `busiest_link_bytes_in_order` in dimension order, `busiest_link_bytes_split_evenly` with each
            message over all of its minimal routes. The last two are None on machines with dead nodes or links.
            `is_busiest_link_exact`: whether the former is exactly the count of a run; otherwise both are expectations.
        text: The mapping file: a text line for each rank.
    """

    name: str
    costs: dict[str, Any]
    text: str

    @property
    def places(self) -> list[list[int]]:
        """For each rank the coordinates of its node and its core."""
        return [[int(word) for word in line.split()] for line in self.text.splitlines()]


@dataclass(frozen=True, eq=False)
class Mappings(Tabular):
    """The mappings of a scenario's ranks, in the order of their hop-bytes.

    Polars and pandas take its table as it is: `polars.DataFrame(mappings)`.

    Attributes:
        candidates: The mappings; among equal costs, the scenario's own comes first, then the usual orders.
        steps: Steps of the search; None without one.
    """

    candidates: Sequence[Candidate]
    steps: int | None = None

    @property
    def best(self) -> Candidate:
        """The mapping with the fewest hop-bytes."""
        return self.candidates[0]

    @property
    def table(self) -> "pa.Table":
        """A row for each mapping: `mapping`, `hop_bytes`, `mean_hops` and the bytes on the busiest link."""
        import pyarrow as pa  # takes longer to import than everything else here

        return pa.Table.from_pylist([{"mapping": each.name, **each.costs} for each in self.candidates])

    def __getitem__(self, name: str) -> Candidate:
        """The mapping of this name.

        Raises:
            KeyError: If no mapping has this name.
        """
        for candidate in self.candidates:
            if candidate.name == name:
                return candidate
        raise KeyError(name)

    def __repr__(self) -> str:
        """The number of mappings, and the best one."""
        cost = count(self.best.costs["hop_bytes"])
        return f"<Mappings: {len(self.candidates)}; {self.best.name} has the fewest hop-bytes, {cost}>"

    def _repr_html_(self) -> str:
        return rows_as_html(HEADINGS, self.cells())

    @property
    def note(self) -> str:
        """Whether the bytes on the busiest link are those of a run, in a sentence."""
        are_exact = [each.costs["is_busiest_link_exact"] for each in self.candidates]
        return EXACT if all(are_exact) else SOME_EXACT if any(are_exact) else EXPECTED

    def cells(self) -> list[list[str]]:
        """The rows of the printed table, below `HEADINGS`."""
        return [[each.name, *(_cell(column, each.costs[column]) for column in COLUMNS[1:])] for each in self.candidates]


def map_scenario(
    scenario: _core.Scenario, search: Search | None, report: Report, leave_out: Collection[str] = ()
) -> Mappings:
    """Evaluates the present mapping and the usual ones, some left out, and searches a better one.

    Ctrl-C ends a search, whose best mapping so far is kept; before it, KeyboardInterrupt is raised.

    Raises:
        InputError: If no mapping places the ranks of the scenario, or the search starts from an unknown mapping.
    """
    report("reading what ranks send", None)
    mappings = _core.Mappings(scenario)
    names = [name for name in mappings.names() if name not in leave_out]
    begun = None if search is None else _begin(mappings, search)
    candidates = []
    for place, name in enumerate(names):
        report(f"evaluating {name}", place / len(names))
        candidates.append(_candidate(name, mappings.evaluate(name)))
    steps = None
    if begun is not None:
        running, planned = begun
        steps = _run(running, planned, report)
        candidates.append(_candidate(FOUND, running.finish()))
    return Mappings(sorted(candidates, key=lambda candidate: int(candidate.costs["hop_bytes"])), steps)


def write(candidate: Candidate, path: Path) -> None:
    """Writes a mapping file.

    Raises:
        InputError: If it cannot be written.
    """
    write_atomically(path, lambda temporary: temporary.write_text(candidate.text, encoding="utf-8"))


def _begin(mappings: _core.Mappings, search: Search) -> tuple[_core.MappingSearch, int]:
    """A new search, and its number of steps."""

    def new(steps: int) -> _core.MappingSearch:
        return mappings.search(printable(search.start), search.method == "greedy", steps, search.seed)

    steps = search.steps or _steps_in(search.seconds, new(STEPS_LIMIT))
    return new(steps), steps


def _steps_in(seconds: float, trial: _core.MappingSearch) -> int:
    """The number of steps that fit into a time, by a trial of a part of a second."""
    begin = time.monotonic()
    elapsed = 0.0
    while elapsed < TRIAL_SECONDS and trial.advance(TRIAL_STEPS):
        elapsed = time.monotonic() - begin
    return max(1, round(trial.progress()[0] / max(elapsed, 1e-3) * seconds))


def _run(search: _core.MappingSearch, steps: int, report: Report) -> int:
    """Runs a search to its end or Ctrl-C; returns the steps made."""
    try:
        while search.advance(SLICE_STEPS):
            made, hop_bytes = search.progress()
            report(f"searching, best {count(hop_bytes)} hop-bytes", made / steps)
    except KeyboardInterrupt:
        pass
    return search.progress()[0]


def _candidate(name: str, evaluated: tuple[str, str]) -> Candidate:
    costs, text = evaluated
    return Candidate(name, json.loads(costs), text)


def _cell(column: str, value: float | None) -> str:
    if value is None:
        return ""
    return number(value) if column == "mean_hops" else count(value)
