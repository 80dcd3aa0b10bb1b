"""Latency against accepted load in torusim and in BookSim2, whose numbers are in booksim.csv."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from torusim.common.formatting import lengths
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings, FinishedPoint, Point, Scale

DATA = Path(__file__).with_name("booksim.csv")

PACKET_FLITS = 8

AS_IS = "as-is"
"""The variant of either simulator that the claims refer to; in the others one thing is changed, to show its effect."""

ROUTINGS: Mapping[str, Mapping[str, Any]] = {
    "deterministic": {"router": {"dynamic_channels": 0}, "node": {"normal_injection_fifos": 2}},
    "adaptive": {"router": {"dynamic_channels": 1}, "node": {"normal_injection_fifos": 4}},
}
"""Machine of each routing. There are as many injection FIFOs as BookSim2 has VCs at a router's injection port."""

ROUTING_NAMES = {"deterministic": "dimension order", "adaptive": "adaptive"}

SERIAL = "serial injection and reception"

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    AS_IS: {},
    "injection and network alternating": {"router": {"in_network_share": 0.5}},
    "one injection FIFO": {"node": {"normal_injection_fifos": 1}},
    SERIAL: {
        "node": {
            "normal_injection_fifos": 1,
            "cores": 1,
            "processor_cycles_per_cycle": 1,
            "read_processor_cycles": PACKET_FLITS,
            "reception_fifo_bytes": 2 * PACKET_FLITS,
        }
    },
    "buffers of 8 packets": {"router": {"dynamic_channel_bytes": 64, "escape_channel_bytes": 64}},
}
"""Changes of torusim's machine; all but the first run on the smallest shape only. The serial one has one channel into
the network and one out of it, of a flit a cycle each, as BookSim2 has: its core takes that long to read."""

UNLOADED, LIGHT = 0.05, 0.4
"""Offered loads of the claims on latency, as shares of the pattern's capacity."""

HIGH = (0.7, 0.8, 0.9, 1.0)
"""Shares of capacity that torusim runs in any case."""

HIGHEST_LATENCY_CYCLES = 200
"""Upper end of the pictures: above it latency is that of queues that grow without end."""


@dataclass(frozen=True)
class Pattern:
    """A traffic pattern.

    Attributes:
        kind: The workload in torusim.
        peak: Offered load at torusim's `load` of 1, in flits per sending node per cycle.
        capacity: Load at which the busiest link is always busy, by routing, in the same unit.
        idle_nodes: Nodes that would send to themselves and do not send.
    """

    kind: str
    peak: float
    capacity: Mapping[str, float]
    idle_nodes: int = 0


PATTERNS: Mapping[tuple[str, str], Pattern] = {
    ("8x8", "uniform"): Pattern("uniform-random", 63 / 64, {"deterministic": 63 / 64, "adaptive": 63 / 64}),
    ("8x8", "tornado"): Pattern("tornado", 1 / 3, {"deterministic": 1 / 3, "adaptive": 1 / 3}),
    ("8x8", "transpose"): Pattern("transpose", 1, {"deterministic": 2 / 7, "adaptive": 4 / 7}, idle_nodes=8),
    ("8x8x8", "uniform"): Pattern("uniform-random", 511 / 512, {"deterministic": 511 / 512, "adaptive": 511 / 512}),
    ("8x8x8", "tornado"): Pattern("tornado", 1 / 3, {"deterministic": 1 / 3, "adaptive": 1 / 3}),
    ("8x8x8", "bit-complement"): Pattern("bit-complement", 1 / 2, {"deterministic": 1 / 2, "adaptive": 1 / 2}),
}
"""The patterns of each shape. BookSim2 has no transpose for 512 nodes, so 8x8x8 has bit-complement instead."""


@dataclass(frozen=True)
class Measured:
    """A run of either simulator; loads in flits per sending node per cycle."""

    offered: float
    accepted: float
    latency_cycles: float


Key = tuple[str, str, str, str]
"""Variant, shape, routing and traffic of a curve."""

CurveOf = Mapping[Key, Sequence[Measured]]


@cache
def booksim() -> dict[Key, list[Measured]]:
    """The numbers of BookSim2, by curve, in order of the offered load."""
    curves: dict[Key, list[Measured]] = {}
    with DATA.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = (row["variant"], row["shape"], row["routing"], row["traffic"])
            run = Measured(float(row["offered"]), float(row["accepted"]), float(row["latency_cycles"]))
            curves.setdefault(key, []).append(run)
    return curves


def points(scale: Scale) -> Iterator[Point]:
    """The runs of torusim on each shape, and those of its variants on the first."""
    shapes = scale["shapes"]
    for (variant, shape, routing, traffic), runs in booksim().items():
        if variant != AS_IS or shape not in shapes:
            continue
        for own in VARIANTS if shape == shapes[0] else (AS_IS,):
            for offered in loads((own, shape, routing, traffic), runs):
                yield point(scale, (own, shape, routing, traffic), offered)


def loads(key: Key, theirs: Sequence[Measured]) -> list[float]:
    """The offered loads of BookSim2's runs, which end when it has saturated, and those near capacity."""
    capacity = PATTERNS[key[1], key[3]].capacity[key[2]]
    return sorted({run.offered for run in theirs} | {round(share * capacity, 4) for share in HIGH})


def point(scale: Scale, key: Key, offered: float) -> Point:
    """A run of torusim at a load in BookSim2's unit."""
    variant, shape, routing, traffic = key
    pattern = PATTERNS[shape, traffic]
    machine: dict[str, Any] = {"shape": lengths(shape)}
    for changes in (ROUTINGS[routing], VARIANTS[variant]):
        for section, values in changes.items():
            machine[section] = {**machine.get(section, {}), **values}
    return scale.point(
        {"variant": variant, "shape": shape, "routing": routing, "traffic": traffic, "offered": offered},
        machine=machine,
        workload={"kind": pattern.kind, "routing": routing, "load": offered / pattern.peak},
        run={"warmup_cycles": scale["warmup_cycles"], "measure_cycles": scale["measure_cycles"]},
    )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Both simulators' highest accepted loads, their differences, and latency against accepted load."""
    ours = measured(points)
    theirs = {key: booksim()[key] for key in ours if key[0] == AS_IS}
    shapes = list(dict.fromkeys(key[1] for key in theirs))
    return Findings(
        rows=[row(key, runs, ours) for key, runs in theirs.items()],
        numbers=numbers({key: ours[key] for key in theirs}, theirs),
        figure=[panel(shape, routing, ours, theirs) for shape in shapes for routing in ROUTINGS],
    )


def measured(points: Sequence[FinishedPoint]) -> dict[Key, list[Measured]]:
    """The runs of torusim, in the form in which those of BookSim2 are stored."""
    curves: dict[Key, list[Measured]] = {}
    for point in points:
        variant, shape, routing, traffic = (point.labels[name] for name in ("variant", "shape", "routing", "traffic"))
        summary = point.summary
        senders = summary["nodes"] - PATTERNS[shape, traffic].idle_nodes
        accepted = summary["packets_delivered"] * PACKET_FLITS / summary["measured_cycles"] / senders
        run = Measured(point.labels["offered"], accepted, summary["latency_cycles_mean"])
        curves.setdefault((variant, shape, routing, traffic), []).append(run)
    return curves


def row(key: Key, runs: Sequence[Measured], ours: CurveOf) -> dict[str, Any]:
    """A row of the table: latencies at the loads of the claims, and the highest accepted loads of all variants.

    The serial variant's latency is given without the time in which the core reads the packet itself.
    """
    _, shape, routing, traffic = key
    capacity = PATTERNS[shape, traffic].capacity[routing]
    own = ours[key]
    serial = ours.get((SERIAL, shape, routing, traffic))
    variants = {name: ours.get((name, shape, routing, traffic)) for name in VARIANTS if name != AS_IS}
    return {
        "shape": shape,
        "routing": ROUTING_NAMES[routing],
        "traffic": traffic,
        **{
            f"latency at {share:.0%} of capacity, {name} (cycles)": latency_at(curve, share * capacity)
            for share in (UNLOADED, LIGHT)
            for name, curve in (("BookSim2", runs), ("torusim", own))
        },
        f"at {LIGHT:.0%}, {SERIAL} (cycles)": serial and latency_at(serial, LIGHT * capacity) - PACKET_FLITS,
        "highest accepted load, BookSim2 (% of capacity)": 100 * saturation(runs) / capacity,
        "torusim": 100 * saturation(own) / capacity,
        **{f"with {name}": curve and 100 * saturation(curve) / capacity for name, curve in variants.items()},
    }


def numbers(ours: CurveOf, theirs: CurveOf) -> dict[str, float]:
    """The numbers of the claims; both simulators have the same curves."""
    unloaded, light = latencies(ours, theirs, UNLOADED), latencies(ours, theirs, LIGHT)
    own, other = ({key: saturation(runs) for key, runs in curves.items()} for curves in (ours, theirs))
    uniform = [key for key in own if key[2:] == ("adaptive", "uniform")]
    return {
        "unloaded_difference_cycles": max(abs(our - their) for our, their in unloaded),
        "light_difference_percent": max(100 * abs(our / their - 1) for our, their in light),
        **{
            f"{routing}_saturation_percent": max(
                100 * abs(own[key] / other[key] - 1) for key in own if key[2] == routing
            )
            for routing in ROUTINGS
        },
        "booksim_uniform_adaptive_percent": 100 * max(other[key] for key in uniform),
        "uniform_adaptive_percent": 100 * min(own[key] for key in uniform),
        "routing_orders_that_differ": float(len(set(better_routings(own)) - set(better_routings(other)))),
        "pattern_orders_that_differ": float(len(set(pattern_orders(own)) - set(pattern_orders(other)))),
    }


def saturation(runs: Sequence[Measured]) -> float:
    """The highest accepted load, in flits per sending node per cycle."""
    return max(run.accepted for run in runs)


def latency_at(runs: Sequence[Measured], offered: float) -> float:
    """Mean latency at the offered load that is nearest to this one."""
    return min(runs, key=lambda run: abs(run.offered - offered)).latency_cycles


def latencies(ours: CurveOf, theirs: CurveOf, share: float) -> list[tuple[float, float]]:
    """Our latency and theirs at a share of capacity, of each curve."""
    pairs = []
    for key in ours:
        offered = share * PATTERNS[key[1], key[3]].capacity[key[2]]
        pairs.append((latency_at(ours[key], offered), latency_at(theirs[key], offered)))
    return pairs


def better_routings(highest: Mapping[Key, float]) -> list[tuple[str, str, str]]:
    """(shape, traffic, routing that accepts more) of each pattern."""
    patterns = dict.fromkeys((key[1], key[3]) for key in highest)
    return [
        (shape, traffic, max(ROUTINGS, key=lambda routing: highest[AS_IS, shape, routing, traffic]))
        for shape, traffic in patterns
    ]


def pattern_orders(highest: Mapping[Key, float]) -> list[tuple[str, ...]]:
    """(shape, routing, patterns by ascending highest accepted load) of each routing."""
    orders = []
    for shape, routing in dict.fromkeys((key[1], key[2]) for key in highest):
        own = [key for key in highest if key[1:3] == (shape, routing)]
        orders.append((shape, routing, *(key[3] for key in sorted(own, key=lambda key: highest[key]))))
    return orders


def panel(shape: str, routing: str, ours: CurveOf, theirs: CurveOf) -> Curves:
    """Latency against accepted load of both simulators."""
    curves = []
    for traffic in dict.fromkeys(key[3] for key in theirs):  # those of other shapes too: a look for each
        key = (AS_IS, shape, routing, traffic)
        for name, runs in (("torusim", ours.get(key, [])), ("BookSim2", theirs.get(key, []))):
            x, y = [run.accepted for run in runs], [run.latency_cycles for run in runs]
            curves.append(Curve(f"{traffic}, {name}", x, y, is_beside=name != "torusim"))
    return Curves(
        x=Axis("accepted load (flits/node/cycle)", lowest=0, highest=1),
        y=Axis("mean latency (cycles)", lowest=0, highest=HIGHEST_LATENCY_CYCLES),
        curves=curves,
        title=f"{shape}, {ROUTING_NAMES[routing]}",
    )
