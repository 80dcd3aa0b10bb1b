"""What a page shows of a run: its summary, facts that Rust derives from its scenario, and tables."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from torusim import _core
from torusim.runs.hot import live_links, scenario_and_counted
from torusim.runs.jobs import TABLE as JOBS
from torusim.runs.storage import to_arrow
from torusim.viewer.data import PageData

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.runs.result import Result

LINKS_WITH_FLOWS = 20_000
"""The most links of a machine whose flows are listed of all."""

BUSIEST_WITH_FLOWS = 2_000
"""The busiest links whose flows are listed on larger machines."""

MARKS = 100
"""The most marks of one kind on the axis of time: of repeated calls, or of rounds."""

ROUNDS_OF_MARK = (1, 2, 5, 10, 20, 50, 100)
"""Of how many rounds the first has a mark; the fewest with which there are not too many marks."""

OF_RESULT = ("links", "series", "link_series", "nodes", "waiting", "calls", "messages", JOBS)
"""The tables of a result that pages show, as far as it has them."""


def data_of_run(result: "Result", name: str | None = None) -> PageData:
    """The data of the page of a run, named `name` or by its scenario.

    Raises:
        InputError: If a table of the result cannot be read.
    """
    links = result.links()
    scenario, counted = scenario_and_counted(result)
    facts, tables = _core.view(scenario, _links_with_flows(links), counted)
    summary = result.summary
    end = int(summary.get("cycles") or 0)
    phases = _ends_of_jobs(summary.get(JOBS) or ()) + _repetitions(result) + _rounds(result)
    of_run = {
        "measured": {"start_cycle": end - int(summary.get("measured_cycles") or end), "end_cycle": end},
        "phases": sorted(phases, key=lambda phase: phase["cycle"]),
        "deadlock": summary.get("outcome_detail") if result.outcome == "deadlocked" else None,
    }
    arrow = {name: result.table(name) for name in OF_RESULT if name in result.tables}
    arrow |= {name: to_arrow(columns) for name, columns in tables.items()}
    return PageData("run", name or str(summary.get("name")), summary, {**json.loads(facts), **of_run}, arrow)


def _links_with_flows(links: "pa.Table") -> list[int]:
    """The rows of the links whose flows are listed: of all, or of the busiest that are alive."""
    import numpy as np  # takes longer to import than everything else here
    import pyarrow as pa

    if links.num_rows <= LINKS_WITH_FLOWS:
        return list(range(links.num_rows))
    numbered = live_links(links.append_column("row", pa.array(np.arange(links.num_rows))))
    busiest = np.argsort(-numbered["utilization"].to_numpy(), kind="stable")[:BUSIEST_WITH_FLOWS]
    return sorted(numbered["row"].take(busiest).to_pylist())


def _repetitions(result: "Result") -> list[dict[str, Any]]:
    """Marks where ranks first make the call that they repeat least often: once in an iteration, say.

    None if calls are not recorded, or no call is repeated, or any too often for marks.
    """
    import pyarrow.compute as pc

    if "calls" not in result.tables or result.table("calls").num_rows == 0:
        return []
    calls = result.table("calls").select(["rank", "call", "start_cycle"])
    of_first = calls.filter(pc.equal(calls["rank"], calls["rank"][0]))["call"]
    repeated = [(times, name) for name, times in Counter(of_first.to_pylist()).items() if 1 < times <= MARKS]
    if not repeated:
        return []
    _, name = min(repeated)
    begun: dict[int, int] = {}
    made: Counter[int] = Counter()
    for call in calls.filter(pc.equal(calls["call"], name)).to_pylist():
        made[call["rank"]] += 1
        number = made[call["rank"]]
        begun[number] = min(begun.get(number, call["start_cycle"]), call["start_cycle"])
    return [{"cycle": cycle, "name": f"{name} {number}"} for number, cycle in begun.items()]


def _rounds(result: "Result") -> list[dict[str, Any]]:
    """Marks where the first rank begins a round of a collective, or a stage of one that goes through stages."""
    if "rounds" not in result.tables:
        return []
    begun: dict[tuple[int, str, int], int] = {}
    for row in result.table("rounds").to_pylist():  # in order of time
        unit = "stage" if row["stage"] else "round"
        begun.setdefault((row["collective"], f"{row['call']} {unit}", row[unit]), row["start_cycle"])
    for step in ROUNDS_OF_MARK:
        marked = [(name, number, cycle) for (_, name, number), cycle in begun.items() if (number - 1) % step == 0]
        if len(marked) <= MARKS:
            return [{"cycle": cycle, "name": f"{name} {number}"} for name, number, cycle in marked]
    return []


def _ends_of_jobs(jobs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Marks on the axis of time where jobs end."""
    ended = [job for job in jobs if job.get("completion_cycles") is not None]
    return [{"cycle": job["start_cycle"] + job["completion_cycles"], "name": f"{job['job']} ends"} for job in ended]
