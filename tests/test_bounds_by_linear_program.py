"""Bounds against the optimum of a linear program, which knows the links of a machine and nothing of torusim.

The program is a multi-commodity flow. A commodity is all that a node sends. It flows along links that lead away from
the node, so that every route is a shortest one, however a node's packets are divided among them. The greatest load of
a link, in cycles, is to be the least::

    least t with   what enters a node - what leaves it = what is sent to it     for each commodity and node
                   sum of the flows over a link x cycles of a byte  <=  t       for each link

Where every dimension wraps, traffic by differences looks alike from every node. The mean of an optimum over all
translations is then an optimum too, whose commodities are translations of one another. So one commodity is enough: the
load of every link in a direction is the sum of its flows in this direction. On few nodes both forms are solved.

The bound of a twisted torus is this optimum for an all-to-all, uniform traffic and traffic over intermediate nodes, as
the shares of ``twist_routes = "balanced"`` are chosen for these. Traffic by some differences takes the same shares,
which are not the best for it: its bound is the optimum only if all shortest routes of each difference have the same
hops in each dimension, and never less.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Literal

import numpy as np
import pytest

import torusim

highspy = pytest.importorskip("highspy", reason="bounds are not compared with linear programs: highspy is missing")

Node = tuple[int, ...]
Pattern = Literal["all-to-all", "uniform-random", "valiant", "differences"]

PAYLOAD_BYTES = 240
"""The payload of a full packet."""
WIRE_BYTES = 270
"""The link time of a full packet."""
MOST_NODES = 256
MOST_NODES_IN_ALL = 36
"""The most nodes with a commodity for each."""
CASES = 300
FEW_CASES = 40
"""The cases of the ordinary tests."""


@dataclass(frozen=True)
class Machine:
    """The links of a machine. Dimensions are numbered, and directions: plus of dimension 0, minus of 0, and so on."""

    lengths: tuple[int, ...]
    wraps: tuple[bool, ...]
    shifts: tuple[tuple[int, int, int], ...]
    """Crossing the wrap of the first dimension in plus direction makes some hops along the second."""
    cycles_per_byte: tuple[int, ...]

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes, the first dimension fastest."""
        return [tuple(reversed(node)) for node in np.ndindex(*reversed(self.lengths))]

    @cached_property
    def directions(self) -> list[tuple[int, int]]:
        """Dimension and step of each direction."""
        return [(dimension, step) for dimension in range(len(self.lengths)) for step in (1, -1)]

    @property
    def is_alike_everywhere(self) -> bool:
        """Whether translations lead from each node to every other."""
        return all(self.wraps)

    def neighbor(self, node: Node, dimension: int, step: int) -> Node | None:
        """The node after one hop, whose packet also makes the hops of the shift where it crosses the wrap."""
        length, place = self.lengths[dimension], node[dimension] + step
        moved = (*node[:dimension], place % length, *node[dimension + 1 :])
        if 0 <= place < length:
            return moved
        if not self.wraps[dimension]:
            return None
        for across, along, by in self.shifts:
            if across == dimension:
                moved = self.moved(moved, along, by * step)
        return moved

    def moved(self, node: Node, dimension: int, hops: int) -> Node:
        """The node after some hops round a ring."""
        for _ in range(abs(hops)):
            after = self.neighbor(node, dimension, 1 if hops > 0 else -1)
            assert after is not None
            node = after
        return node

    @cached_property
    def after(self) -> list[list[int | None]]:
        """For each node and direction the number of the node after the hop."""
        numbers = {node: number for number, node in enumerate(self.nodes)}

        def number(node: Node | None) -> int | None:
            return None if node is None else numbers[node]

        return [[number(self.neighbor(node, *toward)) for toward in self.directions] for node in self.nodes]

    def away_from(self, source: int) -> list[tuple[int, int, int]]:
        """All links that lead away from a node, with their starts, directions and ends, the nearest first."""
        distances, shell, links = {source: 0}, [source], []
        while shell:
            reached = []
            for node in shell:
                for direction, end in enumerate(self.after[node]):
                    if end is not None and end not in distances:
                        distances[end] = distances[node] + 1
                        reached.append(end)
                    if end is not None and distances[end] == distances[node] + 1:
                        links.append((node, direction, end))
            shell = reached
        return links

    def have_one_kind_of_route(self, targets: list[int]) -> bool:
        """Whether all shortest routes from node 0 to each of some nodes have the same hops in each dimension."""
        hops: dict[int, set[Node]] = {0: {(0,) * len(self.lengths)}}
        for start, direction, end in self.away_from(0):
            dimension = direction // 2
            longer = {(*made[:dimension], made[dimension] + 1, *made[dimension + 1 :]) for made in hops[start]}
            hops.setdefault(end, set()).update(longer)
        return all(len(hops[target]) == 1 for target in targets)

    @property
    def setting(self) -> dict[str, Any]:
        """The section `machine` of a scenario."""
        twist: dict[str, dict[str, int]] = {}
        for across, along, by in self.shifts:
            twist.setdefault("xyzuvw"[across], {})["xyzuvw"[along]] = by
        machine = {"shape": list(self.lengths), "wrap": list(self.wraps)}
        # A hop takes longer than a link is busy after a packet, so that bounds are the time for which links are busy.
        link = {"cycles_per_byte": list(self.cycles_per_byte), "hop_latency_cycles": 100}
        return {**machine, "link": link, **({"twist": twist} if twist else {})}


@dataclass(frozen=True)
class Case:
    """A machine and what its nodes send."""

    machine: Machine
    pattern: Pattern
    packets: dict[int, int]
    """The packets that node 0 sends to each node; other nodes send alike."""

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.machine.nodes)

    @cached_property
    def translations(self) -> list[list[int]]:
        """For each node, the numbers of all nodes after the translation that moves node 0 to it."""
        machine = self.machine

        def translated(node: Node, by: Node) -> Node:
            for dimension, hops in enumerate(by):
                node = machine.moved(node, dimension, hops)
            return node

        numbers = {node: number for number, node in enumerate(machine.nodes)}
        return [[numbers[translated(node, by)] for node in machine.nodes] for by in machine.nodes]

    def scenario(self) -> dict[str, Any]:
        """The same for torusim."""
        if self.pattern == "all-to-all":
            workload: dict[str, Any] = {"kind": "all-to-all", "payload_bytes": PAYLOAD_BYTES}
        elif self.pattern == "uniform-random":
            workload = {"kind": "uniform-random", "packets_per_node": 1}
        elif self.pattern == "valiant":
            offset = [1, *[0] * (len(self.machine.lengths) - 1)]
            workload = {"kind": "shift", "offset": offset, "packets_per_node": 1, "routing": "valiant"}
        else:
            matrix = np.zeros((self.nodes, self.nodes))
            for source, moved in enumerate(self.translations):
                for target, packets in self.packets.items():
                    matrix[source, moved[target]] = packets * PAYLOAD_BYTES
            workload = {"kind": "flows", "matrix": matrix}
        return {"machine": self.machine.setting, "workload": workload}

    def bound(self) -> float:
        """Cycles for which the limiting links are busy if each flow of the program sends a byte for each packet."""
        bound = torusim.check(self.scenario())["bound"]
        if self.pattern == "differences":
            return float(bound["drained_cycles"]) / WIRE_BYTES
        sent = sum(self.packets.values()) * self.nodes
        of_program = {"all-to-all": 1.0, "uniform-random": 1.0, "valiant": 0.5 * self.nodes / (self.nodes - 1)}
        return sent / WIRE_BYTES / float(bound["packets_per_cycle"]) * of_program[self.pattern]

    def optimum(self, *, of_all: bool) -> float:
        """The optimum of the program in which all nodes are commodities, or one stands for all."""
        commodities = [(0, self.packets)]
        if of_all and self.pattern == "differences":
            of_source = enumerate(self.translations)
            commodities = [
                (source, {moved[target]: packets for target, packets in self.packets.items()})
                for source, moved in of_source
            ]
        elif of_all:
            commodities = [(node, dict.fromkeys(set(range(self.nodes)) - {node}, 1)) for node in range(self.nodes)]
        return least_load(self.machine, commodities, by_direction=not of_all)


def least_load(machine: Machine, commodities: list[tuple[int, dict[int, int]]], *, by_direction: bool) -> float:
    """The least load of the busiest link; or of the busiest direction, where links of a direction carry the same."""
    rows: list[dict[int, float]] = []
    equal: list[float] = []
    loads: dict[tuple[int, int], dict[int, float]] = {}
    columns = 1  # the first is the greatest load
    for source, sent in commodities:
        balances: dict[int, dict[int, float]] = {node: {} for node in range(len(machine.nodes)) if node != source}
        for start, direction, end in machine.away_from(source):
            balances[end][columns] = 1.0
            if start != source:
                balances[start][columns] = -1.0
            link = (0 if by_direction else start, direction)
            loads.setdefault(link, {0: -1.0})[columns] = float(machine.cycles_per_byte[direction // 2])
            columns += 1
        rows += balances.values()
        equal += [float(sent.get(node, 0)) for node in balances]
    return solved(columns, rows + list(loads.values()), equal)


def solved(columns: int, rows: list[dict[int, float]], equal: list[float]) -> float:
    """The least value of the first of some variables of at least 0. First rows equal values, others are at most 0."""
    solver = highspy.Highs()
    solver.silent()
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = columns, len(rows)
    program.col_cost_ = np.eye(1, columns)[0]
    program.col_lower_, program.col_upper_ = np.zeros(columns), np.full(columns, highspy.kHighsInf)
    at_most = len(rows) - len(equal)
    program.row_lower_ = np.array(equal + [-highspy.kHighsInf] * at_most)
    program.row_upper_ = np.array(equal + [0.0] * at_most)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.cumsum([0, *map(len, rows)])
    program.a_matrix_.index_ = np.array([column for row in rows for column in row])
    program.a_matrix_.value_ = np.array([value for row in rows for value in row.values()])
    solver.passModel(program)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(solver.getInfo().objective_function_value)


def drawn_shifts(random: Random, lengths: tuple[int, ...], wraps: tuple[bool, ...]) -> tuple[tuple[int, int, int], ...]:
    """Shifts from each of some rings to later ones, in a drawn order of the dimensions."""
    rings = [dimension for dimension, length in enumerate(lengths) if wraps[dimension] and length > 1]
    random.shuffle(rings)
    pairs = [(across, along) for place, across in enumerate(rings) for along in rings[place + 1 :]]
    kept = [pair for pair in pairs if random.random() < 0.7]
    return tuple((across, along, random.randint(-lengths[along] - 1, lengths[along] + 1)) for across, along in kept)


def drawn(seed: int) -> Case:
    """The case of a seed."""
    random = Random(seed)
    is_open = random.random() < 0.2
    while True:
        lengths = tuple(random.choice([1, 2, 2, 3, 3, 4, 4, 5, 6, 8]) for _ in range(random.choice([2, 3, 3, 4, 5])))
        if 2 <= np.prod(lengths) <= (MOST_NODES_IN_ALL if is_open else MOST_NODES):
            break
    wraps = tuple(not is_open or random.random() < 0.7 for _ in lengths)
    shifts = drawn_shifts(random, lengths, wraps) if random.random() < 0.85 else ()
    machine = Machine(lengths, wraps, shifts, tuple(random.choice([1, 1, 1, 2, 3]) for _ in lengths))
    nodes = len(machine.nodes)
    patterns: list[Pattern] = ["all-to-all", "all-to-all", "uniform-random"]
    if machine.is_alike_everywhere and nodes > 2:
        patterns += ["valiant"] if lengths[0] > 1 else []
        patterns += ["differences", "differences"]
    case = Case(machine, random.choice(patterns), dict.fromkeys(range(1, nodes), 1))
    if case.pattern != "differences":
        return case
    # As much is sent back: then no direction is better than its opposite, and halves are best half-way round a ring.
    packets: dict[int, int] = {}
    for target in random.sample(range(1, nodes), min(nodes - 1, random.randint(1, 4))):
        back = case.translations[target].index(0)
        weight = random.randint(1, 4)
        packets[target] = packets.get(target, 0) + weight
        packets[back] = packets.get(back, 0) + weight
    return Case(machine, case.pattern, packets)


@pytest.mark.parametrize(
    "seed", [*range(FEW_CASES), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(FEW_CASES, CASES))]
)
def test_bounds_are_the_optimum_over_all_shortest_routes(seed: int) -> None:
    case = drawn(seed)
    machine, bound = case.machine, case.bound()
    is_small = len(machine.nodes) <= MOST_NODES_IN_ALL
    optima = [case.optimum(of_all=True)] if is_small else []
    optima += [case.optimum(of_all=False)] if machine.is_alike_everywhere else []
    assert optima == pytest.approx([optima[0]] * len(optima), rel=1e-6), case
    if case.pattern == "differences" and not machine.have_one_kind_of_route(list(case.packets)):
        assert bound >= optima[0] * (1 - 1e-6), case
    else:
        assert bound == pytest.approx(optima[0], rel=1e-6), case


@pytest.mark.parametrize(
    ("lengths", "shifts", "gain"),
    [((4, 4, 8), ((0, 2, 4), (1, 2, 4)), 1.7455), ((4, 8, 8), ((0, 1, 4), (0, 2, 4)), 1.3913)],
)
def test_the_usual_twists_gain_what_is_known(
    lengths: tuple[int, ...], shifts: tuple[tuple[int, int, int], ...], gain: float
) -> None:
    packets = dict.fromkeys(range(1, int(np.prod(lengths))), 1)
    plain, twisted = (
        Case(Machine(lengths, (True,) * 3, of_machine, (1,) * 3), "all-to-all", packets).optimum(of_all=False)
        for of_machine in ((), shifts)
    )
    assert plain / twisted == pytest.approx(gain, abs=5e-5)
