"""The hot links of a run: the busiest and the most stalled, with coordinates, and the flows that use them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from torusim import _core
from torusim.common.checks import require_integer
from torusim.common.formatting import count, duration, number, percent, rows_as_html
from torusim.common.units import Clock, Units, with_twins
from torusim.runs.scenario import resolve, to_json

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.runs.result import Result

LINKS, FLOWS = 10, 3
"""The default number of links of each kind, and of flows of each link."""

MOST = 10_000
"""Upper limit of both numbers."""


@dataclass(frozen=True)
class HotLink:
    """A link, and the flows that use it.

    Attributes:
        node: The node that the link leaves.
        coordinates: The coordinates of that node.
        direction: The direction, such as "x+".
        utilization: The share of time, 0 to 1, in which it was busy during the measurement.
        stalled_cycles: Cycles in which only credits were missing; None in a run without packets.
        token_stalls: Stall events: the number of times that such a stall began; None in a run without packets, and in
            results of versions that did not count them.
        packets: Packets that the link carried.
        flows: Number of flows that use the link under `HotLinks.routing`; None if it is not known.
        largest: The flows with most bytes on the link, each with `source`, `target`, the coordinates of their nodes
            (`source_coordinates`, `target_coordinates`) and `bytes`. In an open loop, which has no end, they have
            `share` instead, 0 to 1: the part of the link's traffic.
    """

    node: int
    coordinates: tuple[int, ...]
    direction: str
    utilization: float
    stalled_cycles: int | None
    token_stalls: int | None
    packets: int
    flows: int | None
    largest: Sequence[dict[str, Any]]

    @property
    def name(self) -> str:
        """Coordinates and direction: "(3, 0, 7) x+"."""
        return f"({', '.join(map(str, self.coordinates))}) {self.direction}"


@dataclass(frozen=True, eq=False)
class HotLinks:
    """The hottest links of a run.

    Attributes:
        busiest: The links with the highest utilization, in descending order.
        stalled: The links with most stalled cycles, in descending order; links that never stalled are left out.
        unit: The kind of sources and targets of flows: "ranks" or "nodes"; None if flows are not known.
        routing: The routing for which flows are given: "in dimension order", or "split evenly" over all minimal routes,
            as adaptive routing would without congestion; None if flows are not known.
        note: The meaning of the flows, or the reason why they are missing, in a sentence.
        clock: The clock of the machine where times are shown in physical units; None where they are in cycles.
    """

    busiest: Sequence[HotLink]
    stalled: Sequence[HotLink]
    unit: str | None
    routing: str | None
    note: str
    clock: Clock | None = None

    def __repr__(self) -> str:
        """The hottest link."""
        if not self.busiest:
            return "<HotLinks: the machine has no links>"
        first = self.busiest[0]
        return f"<HotLinks: the busiest is {first.name}, {percent(100 * first.utilization)} of the time>"

    def _repr_html_(self) -> str:
        return rows_as_html(self.headings, self.cells(self.busiest)) + f"<p>{self.note}</p>"

    @property
    def headings(self) -> tuple[str, ...]:
        """Headings of the printed table, which has flows only if they are known."""
        stalled = "stalled cycles" if self.clock is None else "time stalled"
        measured = ("link", "utilization", stalled, "stalls", "packets")
        return measured if self.unit is None else (*measured, "largest flows")

    def cells(self, links: Sequence[HotLink]) -> list[list[str]]:
        """Rows of the printed table, below `headings`."""
        return [
            [
                link.name,
                percent(100 * link.utilization),
                "-" if link.stalled_cycles is None else self._stalled(link.stalled_cycles),
                "-" if link.token_stalls is None else count(link.token_stalls),
                count(link.packets),
                *([] if self.unit is None else [_in_words(link)]),
            ]
            for link in links
        ]

    def _stalled(self, cycles: int) -> str:
        return count(cycles) if self.clock is None else duration(cycles / self.clock.hertz)

    def plain(self) -> dict[str, Any]:
        """Plain data, with times in both units if these are physical."""
        return with_twins({key: value for key, value in asdict(self).items() if key != "clock"}, self.clock)


def hot_links(result: "Result", links: int = LINKS, flows: int = FLOWS) -> HotLinks:
    """The busiest and most stalled links of a run, dead ones left out, and the flows that use them.

    Flows follow from the scenario, not from the run: from the calls of kernels and traces, and from the definition of
    patterns whose targets are fixed. Flows of a program are counted in its run, with `run={"communication": True}`.
    Flows are not known for other workloads (random targets, broadcasts), if they are more than 20 million, and on
    machines with dead nodes or links.

    Args:
        result: The result of a run.
        links: The number of links of each kind, at least 1.
        flows: The number of flows of each link, those with most bytes; 0 for none.

    Raises:
        InputError: If a number is out of range, the result has no table of links, or its trace cannot be read.
    """
    require_integer("links", links, 1, MOST)
    require_integer("flows", flows, 0, MOST)
    table = live_links(result.links())
    busiest = _first(table, "utilization", links)
    has_stalls = "stalled_cycles" in table.column_names
    stalled = [row for row in _first(table, "stalled_cycles", links) if row["stalled_cycles"] > 0] if has_stalls else []
    told = _flows_of(result, [*busiest, *stalled], flows)
    nothing: dict[str, Any] = {"flows": None, "largest": []}
    of_links = iter(told.get("links", [nothing] * (len(busiest) + len(stalled))))
    lengths = result.shape
    made = [[_link(row, lengths, next(of_links)) for row in rows] for rows in (busiest, stalled)]
    clock = Clock.of_scenario(result.scenario) if result.units is Units.PHYSICAL else None
    return HotLinks(made[0], made[1], told.get("unit"), told.get("routing"), _note(result, told), clock)


def live_links(table: "pa.Table") -> "pa.Table":
    """The table of links without dead ones, which carry nothing."""
    import pyarrow.compute as pc  # takes longer to import than everything else here

    return table.filter(pc.equal(table["dead"], 0)) if "dead" in table.column_names else table


def _flows_of(result: "Result", rows: Sequence[dict[str, Any]], flows: int) -> dict[str, Any]:
    """The flows that `_core.hot_flows` gives for some rows of the table of links, or why it gives none (`unknown`)."""
    if flows == 0 or not rows:
        return {"unknown": "No flows were requested." if flows == 0 else "The machine has no live links."}
    wanted = [(int(row["node"]), row["direction"]) for row in rows]
    is_open = _is_open_loop(result)
    scenario, counted = scenario_and_counted(result)
    if counted is None and _is_of_program(result):
        return {"unknown": 'The flows of a program are counted by its run, with run={"communication": True}.'}
    told: dict[str, Any] = json.loads(_core.hot_flows(scenario, wanted, flows, counted))
    for link in told.get("links", []):
        if is_open:  # all nodes of a pattern have the same load
            link["largest"] = [{**flow, "share": flow.pop("bytes") / link["bytes"]} for flow in link["largest"]]
        for flow in link["largest"]:
            for end in ("source", "target"):
                flow[f"{end}_coordinates"] = coordinates_of(flow.pop(f"{end}_node"), result.shape)
    return told


def scenario_and_counted(result: "Result") -> tuple[_core.Scenario, list[tuple[int, int, int, int]] | None]:
    """The scenario of a run, and the flows that it has counted, if it did: source, target, messages and bytes.

    Raises:
        InputError: If the scenario is not one of this version, or the table of the flows cannot be read.
    """
    if not _is_of_program(result):
        return resolve(dict(result.scenario), []), None
    scenario = _core.resolve_program(to_json(dict(result.scenario), "program"), [])
    if "communication" not in result.tables:
        return scenario, None
    columns = result.table("communication").select(["source", "target", "messages", "bytes"])
    return scenario, list(zip(*(column.to_pylist() for column in columns), strict=True))


def _is_of_program(result: "Result") -> bool:
    workload = result.scenario.get("workload")
    return isinstance(workload, Mapping) and workload.get("kind") == "program"


def _is_open_loop(result: "Result") -> bool:
    """Whether the run is of a pattern that sends as long as it is measured: bytes of a flow are then meaningless."""
    workload = result.scenario.get("workload")
    return isinstance(workload, Mapping) and "load" in workload and workload.get("packets_per_node") is None


def _note(result: "Result", told: Mapping[str, Any]) -> str:
    if (why := told.get("unknown")) is not None:
        return str(why)
    what = "their share of the link" if _is_open_loop(result) else "bytes on the link"
    return f"Flows: from and to {told['unit']}, {what} if routed {told['routing']}."


def _first(table: "pa.Table", column: str, most: int) -> list[dict[str, Any]]:
    """The rows with the highest values of a column; among equal ones, the first."""
    import numpy as np  # takes longer to import than everything else here

    first = np.argsort(-table[column].to_numpy().astype(float), kind="stable")[:most]
    rows: list[dict[str, Any]] = table.take(first).to_pylist()
    return rows


def _link(row: dict[str, Any], lengths: Sequence[int], told: dict[str, Any]) -> HotLink:
    return HotLink(
        node=int(row["node"]),
        coordinates=coordinates_of(int(row["node"]), lengths),
        direction=row["direction"],
        utilization=row["utilization"],
        stalled_cycles=row.get("stalled_cycles"),
        token_stalls=row.get("token_stalls"),
        packets=row["packets"],
        flows=told["flows"],
        largest=told["largest"],
    )


def coordinates_of(node: int, lengths: Sequence[int]) -> tuple[int, ...]:
    """The coordinates of a node; x varies fastest."""
    coordinates = []
    for length in lengths:
        node, coordinate = divmod(node, length)
        coordinates.append(coordinate)
    return tuple(coordinates)


def _in_words(link: HotLink) -> str:
    if link.flows is None:
        return ""
    told = ", ".join(f"{_end(flow, 'source')} to {_end(flow, 'target')}: {_amount(flow)}" for flow in link.largest)
    rest = link.flows - len(link.largest)
    return f"{told} and {count(rest)} more" if rest > 0 else told


def _end(flow: Mapping[str, Any], end: str) -> str:
    """A rank or node, and its coordinates: "12 (4,0)"."""
    return f"{flow[end]} ({','.join(map(str, flow[f'{end}_coordinates']))})"


def _amount(flow: Mapping[str, Any]) -> str:
    return percent(100 * flow["share"]) if "share" in flow else f"{number(flow['bytes'])} B"
