"""The fluid engine against packets: cases of calibration, and others drawn by a seed from a fixed list."""

import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Any

import numpy as np

from torusim.common.folder import write_atomically
from torusim.common.formatting import shape as partition_name
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.runs.fluid import ERRORS_FILE
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label
from torusim_studies.presets import machine

PRESET = "bluegene-l"

CALIBRATION = "calibration"
"""The cases to which the correction is fitted: their errors are not stated."""
VALIDATION = "validation"
KINDS = "kinds"
ENGINES = ("packets", "fluid")

MOST_NODES_OF_LONG_MESSAGES = 500
"""On larger machines, all-to-alls of calibration have one packet for each pair."""


FEWEST_CASES = 3
"""The fewest cases of a kind for which an error is stated."""


@dataclass(frozen=True)
class Case:
    """A workload on a machine.

    Attributes:
        name: The name that distinguishes the case.
        machine: The section of the scenario.
        workload: The section of the scenario.
        messaging: The section of the scenario, for workloads with ranks.
    """

    name: str
    machine: Mapping[str, Any]
    workload: Mapping[str, Any]
    messaging: Mapping[str, Any]


def points(scale: Scale) -> Iterator[Point]:
    """Each case, by both engines."""
    drawn = random.Random(scale["seed"]).sample(listed(), scale["drawn"])
    groups = {CALIBRATION: calibration_cases(), VALIDATION: drawn}
    if scale["with_kinds"]:
        groups[KINDS] = cases_of_kinds()
    for group, cases in groups.items():
        for case, engine in product(cases, ENGINES):
            sections: dict[str, Any] = {"machine": case.machine, "workload": case.workload, "run": {"engine": engine}}
            if case.messaging:
                sections["messaging"] = case.messaging
            yield scale.point({"group": group, "case": case.name, "engine": engine}, **sections)


CALIBRATION_TORI = (
    (16,), (8, 8), (16, 4), (16, 8),
    (4, 4, 4), (6, 6, 3), (8, 8, 4), (8, 4, 4), (16, 4, 4), (4, 4, 16), (4, 8, 4), (12, 4, 6), (8, 6, 6), (6, 4, 4),
    (5, 4, 4), (8, 4, 2), (16, 4, 2), (8, 2, 2), (16, 8, 2), (8, 8, 6), (8, 8, 8), (10, 8, 8), (12, 8, 8),
)  # fmt: skip
CALIBRATION_OPEN = ((8, 8), (4, 4, 4), (8, 4, 4), (8, 8, 4))


def calibration_cases() -> list[Case]:
    """All-to-alls on tori, and on machines with open dimensions."""
    cases = []
    for shape in CALIBRATION_TORI:
        nodes = math.prod(shape)
        sizes = (240, 960) if nodes < MOST_NODES_OF_LONG_MESSAGES else (240,)
        for routing, payload_bytes in product(ROUTINGS, sizes):
            cases.append(all_to_all(shape, [True] * len(shape), routing, payload_bytes))
    for shape in CALIBRATION_OPEN:
        closed = [True] * (len(shape) - 1)
        for wrap, routing in product(([False] * len(shape), [False, *closed], [*closed, False]), ROUTINGS):
            cases.append(all_to_all(shape, wrap, routing, 480))
    return cases


ROUTINGS = ("adaptive", "deterministic")


def listed() -> list[Case]:
    """The list from which the validation cases are drawn."""
    return [*all_to_alls(), *partial_all_to_alls(), *straight_patterns(), *single_targets(), *kernels(), *collectives()]


TORI = (
    (20,), (6, 4), (12, 4), (12, 8), (10, 5), (14, 4),
    (8, 4, 8), (4, 4, 8), (6, 6, 6), (6, 6, 4), (10, 4, 4), (12, 4, 4), (8, 6, 4), (6, 8, 6), (4, 8, 8), (5, 5, 5),
    (10, 6, 4), (4, 12, 4), (12, 6, 6), (4, 4, 4, 2),
)  # fmt: skip
"""Shapes of validation, none of which is one of calibration."""


def all_to_alls() -> Iterator[Case]:
    """All-to-alls over all nodes, on tori and with open dimensions."""
    for shape, routing, payload_bytes in product(TORI, ROUTINGS, (240, 720, 1920)):
        if math.prod(shape) * payload_bytes <= LARGEST_ALL_TO_ALL:
            yield all_to_all(shape, [True] * len(shape), routing, payload_bytes)
    for shape, routing in product(((6, 6), (10, 4), (6, 4, 4), (6, 6, 4), (8, 6, 4)), ROUTINGS):
        for wrap in ([False] * len(shape), [False] + [True] * (len(shape) - 1)):
            yield all_to_all(shape, wrap, routing, 720)


LARGEST_ALL_TO_ALL = 300_000
"""Nodes times bytes for each pair: some seconds with packets."""


def partial_all_to_alls() -> Iterator[Case]:
    """All-to-alls in planes and lines."""
    for kind, shape, routing in product(
        ("plane-all-to-all", "line-all-to-all"), ((6, 6, 6), (8, 8, 8), (12, 4, 4), (12, 8)), ROUTINGS
    ):
        workload = {"kind": kind, "payload_bytes": 4800, "routing": routing}
        yield Case(f"{kind} {partition_name(shape)} {routing}", {"shape": shape}, workload, {})


def straight_patterns() -> Iterator[Case]:
    """Patterns along one dimension."""
    for shape, routing in product(((6, 6, 6), (12, 4), (8, 4, 8)), ROUTINGS):
        shift = [shape[0] // 2 - 1, *[0] * (len(shape) - 1)]
        for kind, parameters in (
            ("nearest-neighbor", {"payload_bytes": 24_000}),
            ("tornado", {"dimension": 0, "packets_per_node": 100}),
            ("shift", {"offset": shift, "packets_per_node": 150}),
        ):
            workload = {"kind": kind, "routing": routing, **parameters}
            yield Case(f"{kind} {partition_name(shape)} {routing}, straight", {"shape": shape}, workload, {})


def single_targets() -> Iterator[Case]:
    """Every node sends to one other, over several dimensions."""
    for shape, routing in product(((6, 6, 6), (8, 8), (8, 4, 8)), ROUTINGS):
        for kind in ("permutation", "bit-complement", "tornado"):
            workload = {"kind": kind, "routing": routing, "packets_per_node": 150}
            yield Case(f"{kind} {partition_name(shape)} {routing}", {"shape": shape}, workload, {})


COSTS = {"default costs": {}, "no costs": {"costs": "none"}}


def kernels() -> Iterator[Case]:
    """Exchanges with neighbors, and transposes of pencils."""
    shapes = ((8, 4, 4), (4, 4, 4), (6, 6, 4))
    for shape, (costs, messaging) in product(shapes, COSTS.items()):
        for name, length in product(("halo-2d", "halo-3d"), (100, 2000, 20_000)):
            workload = {"kind": "kernel", "name": name, "bytes": length, "iterations": 4}
            yield Case(f"{name} {partition_name(shape)} {length} B {costs}", {"shape": shape}, workload, messaging)
    for shape, (costs, messaging) in product(((8, 8, 4), (4, 4, 4)), COSTS.items()):
        workload = {"kind": "kernel", "name": "fft-3d", "n": [96, 96, 48], "iterations": 2}
        yield Case(f"fft-3d {partition_name(shape)} {costs}", {"shape": shape}, workload, messaging)


def collectives() -> Iterator[Case]:
    """All-to-alls of ranks, and rings."""
    for shape, (costs, messaging) in product(((4, 4, 4), (8, 4, 4), (6, 6)), COSTS.items()):
        nodes = math.prod(shape)
        for operation, algorithm in (("all-to-all", "direct"), ("all-to-all", "pairwise"), ("all-gather", "auto")):
            workload = {
                "kind": "collective",
                "operation": operation,
                "algorithm": algorithm,
                "bytes": nodes * 1000,
                "repetitions": 1,
            }
            yield Case(
                f"{operation} {algorithm} {partition_name(shape)} {costs}", {"shape": shape}, workload, messaging
            )


SHAPES_OF_KINDS = (
    ((4, 4), True), ((4, 4, 4), True), ((8, 4), True), ((4, 4, 2), True), ((4, 4), False), ((4, 4, 2), False),
)  # fmt: skip
"""Small shapes of equal lengths, of unequal ones, and with open dimensions: two of each."""

COLLECTIVES_OF_KINDS = (
    ("all-to-all", "direct"), ("all-to-all", "pairwise"), ("all-gather", "ring"), ("all-gather", "halving-doubling"),
    ("all-reduce", "halving-doubling"),
)  # fmt: skip


def cases_of_kinds() -> list[Case]:
    """A grid of cases with ranks: exchanges with neighbors and collectives, by costs, ranks on a node and lengths."""
    cases = []
    for (shape, wrap), (costs, messaging), mode in product(
        SHAPES_OF_KINDS, COSTS.items(), ("one rank", "virtual-node")
    ):
        machine_section: dict[str, Any] = {"shape": shape, "wrap": wrap}
        if mode == "virtual-node":
            machine_section["mode"] = mode
        where = f"{partition_name(shape, [wrap] * len(shape))} {mode} {costs}"
        ranks = math.prod(shape) * (2 if mode == "virtual-node" else 1)
        halo = f"halo-{len(shape)}d"
        for length in (1000, 5000, 20_000):
            workload: dict[str, Any] = {"kind": "kernel", "name": halo, "bytes": length, "iterations": 2}
            cases.append(Case(f"{halo} {where} {length} B", machine_section, workload, messaging))
        for (operation, algorithm), length in product(COLLECTIVES_OF_KINDS, (200, 800, 2400)):
            workload = {
                "kind": "collective",
                "operation": operation,
                "algorithm": algorithm,
                "bytes": ranks * length,
                "repetitions": 1,
            }
            cases.append(Case(f"{operation} {algorithm} {where} {length} B", machine_section, workload, messaging))
    return cases


def all_to_all(shape: Sequence[int], wrap: Sequence[bool], routing: str, payload_bytes: int) -> Case:
    """An all-to-all of packets over all nodes."""
    name = f"all-to-all {partition_name(shape, wrap)} {routing} {payload_bytes} B"
    workload = {"kind": "all-to-all", "payload_bytes": payload_bytes, "routing": routing}
    return Case(name, {"shape": shape, "wrap": wrap}, workload, {})


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The errors of each group, corrected and not."""
    rows = [row for group in (CALIBRATION, VALIDATION, KINDS) for row in rows_of(points, group)]
    of_group = {group: [row for row in rows if row["group"] == group] for group in (CALIBRATION, VALIDATION)}
    corrected = [row for row in of_group[VALIDATION] if row["corrected"] == "yes"]
    others = [row for row in of_group[VALIDATION] if row["corrected"] == "no"]
    errors = [abs(row[ERROR]) for row in corrected]
    return Findings(
        rows=rows,
        numbers={
            "cases": len(corrected),
            "median_error_percent": median(errors),
            "worst_error_percent": max(errors),
            "cases_not_corrected": len(others),
            "median_error_not_corrected_percent": median([abs(row[ERROR]) for row in others] or [0.0]),
            "worst_error_not_corrected_percent": max([abs(row[ERROR]) for row in others] or [0.0]),
            **errors_of_kinds([row for row in rows if row["group"] == KINDS]),
            "median_error_without_correction_percent": median([abs(row[UNCORRECTED]) for row in corrected]),
            "calibration_median_error_percent": median([abs(row[ERROR]) for row in of_group[CALIBRATION]]),
            "calibration_worst_error_percent": max(abs(row[ERROR]) for row in of_group[CALIBRATION]),
            **fitted(list(calibrated(points))),
        },
        figure=[
            Curves(
                x=Axis("largest error of the time (%)", lowest=0),
                y=Axis("share of the cases (%)", lowest=0, highest=100),
                curves=[
                    _distribution("corrected for blocking", [row[ERROR] for row in corrected]),
                    _distribution("without the correction", [row[UNCORRECTED] for row in corrected]),
                ],
            )
        ],
    )


def keep(scale: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes the errors that results of the fluid engine state, from the recorded table."""
    if scale == "quick":
        text = json.dumps(stated_errors(rows), indent=1) + "\n"
        write_atomically(ERRORS_FILE, lambda file: file.write_text(text, encoding="utf-8"))


def stated_errors(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """The errors without signs by kind of traffic, as the keys of summaries name them."""
    errors: dict[str, list[float]] = {}
    for row in rows:
        if row["group"] != CALIBRATION and "kind" in row:
            errors.setdefault(row["kind"], []).append(abs(row[ERROR]))
    return {
        kind: {
            "fluid_error_median_percent": median(of_kind),
            "fluid_error_worst_percent": max(of_kind),
            "fluid_error_cases": len(of_kind),
        }
        for kind, of_kind in errors.items()
        if len(of_kind) >= FEWEST_CASES
    }


def _distribution(label: str, errors: Sequence[float]) -> Curve:
    """The share of the cases up to each error, without signs."""
    shares = [100 * (number + 1) / len(errors) for number in range(len(errors))]
    return Curve(label, sorted(abs(error) for error in errors), shares, has_marks=False)


ERROR = "error (%)"
UNCORRECTED = "without the correction (%)"


def rows_of(points: Sequence[FinishedPoint], group: str) -> list[dict[str, Any]]:
    """A row for each case of a group."""
    own = [point for point in points if point.labels["group"] == group]
    rows = []
    for case, pair in by_label(own, "case").items():
        summaries = {point.labels["engine"]: point.summary for point in pair}
        packets, fluid = (summaries[engine] for engine in ENGINES)
        rows.append(
            {
                "group": group,
                "case": case,
                "kind": fluid["fluid_kind"],
                "packets (cycles)": packets["cycles"],
                "fluid (cycles)": fluid["cycles"],
                ERROR: percent_off(fluid["cycles"], packets["cycles"]),
                UNCORRECTED: percent_off(fluid["fluid_uncorrected_cycles"], packets["cycles"]),
                "corrected": "yes" if fluid["fluid_corrected"] else "no",
            }
        )
    return rows


def errors_of_kinds(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The number of measured kinds of rank traffic, and the best and the worst of their median errors, if any."""
    medians = [
        median([abs(row[ERROR]) for row in rows if row["kind"] == kind]) for kind in {row["kind"] for row in rows}
    ]
    if not medians:
        return {"kinds": 0}
    return {
        "kinds": len(medians),
        "kind_least_median_error_percent": min(medians),
        "kind_greatest_median_error_percent": max(medians),
    }


def percent_off(ours: float, reference: float) -> float:
    """The percentage by which a time is off."""
    return 100 * (ours / reference - 1)


@dataclass(frozen=True)
class AllToAll:
    """An all-to-all of calibration, by the quantities on which blocking depends (docs/models/fluid.md).

    Least squares needs the terms separately, and the engine has only their sum; tests/test_fluid.py compares both.

    Attributes:
        cycles: The time with packets.
        is_adaptive: Whether the routing is adaptive.
        busy: Cycles for which the busiest links are busy.
        latency: Cycles of an empty network over the longest way.
        packet: Link time of a packet, in cycles.
        packets: Packets of each pair.
        mixed: The share of packets on the busiest links that need other dimensions too.
        crowding: How much packets crowd the buffers of the dimensions that are not the busiest.
        minor_hops: The geometric mean of the hops in the second and the third dimension, 0 without a third.
        waiting: The loads of the other dimensions, as dimension order counts them.
        second_open: The load of the second open dimension.
        is_open: Whether the busiest dimension is open.
    """

    cycles: float
    is_adaptive: bool
    busy: float
    latency: float
    packet: float
    packets: int
    mixed: float
    crowding: float
    minor_hops: float
    waiting: float
    second_open: float
    is_open: bool

    @staticmethod
    def of(case: Case, cycles: float) -> "AllToAll":
        """The all-to-all of a case, with its time in packets."""
        shape, wrap, workload = case.machine["shape"], case.machine["wrap"], case.workload
        nodes = math.prod(shape)
        packets, wire = in_packets(workload["payload_bytes"])
        loads = [busiest_link(length, closed) * nodes * wire for length, closed in zip(shape, wrap, strict=True)]
        shares = [load / max(loads) for load in loads]
        ties = [dimension for dimension, share in enumerate(shares) if share > 1 - 1e-6]
        busiest = next((dimension for dimension in ties if not wrap[dimension]), ties[0])
        hops = sorted(
            (mean_hops(length, closed) * nodes / (nodes - 1) for length, closed in zip(shape, wrap, strict=True)),
            reverse=True,
        )
        first, second, third = (*hops, 0, 0)[:3]
        longest = sum(length // 2 if closed else length - 1 for length, closed in zip(shape, wrap, strict=True))
        open_shares = [share for dimension, share in enumerate(shares) if not wrap[dimension] and dimension != busiest]
        return AllToAll(
            cycles=cycles,
            is_adaptive=workload["routing"] == "adaptive",
            busy=max(loads),
            latency=machine(PRESET)["node"]["injection_latency_cycles"]
            + machine(PRESET)["link"]["hop_latency_cycles"] * longest,
            packet=wire / packets,
            packets=packets,
            mixed=1 - shape[busiest] / nodes,
            crowding=min(1.0, (first - second) * third),
            minor_hops=math.sqrt(second * third),
            waiting=sum(shares[:busiest]) + sum(share**2 for share in shares[busiest + 1 :]),
            second_open=max(open_shares, default=0.0),
            is_open=not wrap[busiest],
        )


def calibrated(points: Sequence[FinishedPoint]) -> Iterator[AllToAll]:
    """The all-to-alls of calibration, with their times in packets."""
    cases = {case.name: case for case in calibration_cases()}
    for point in points:
        if (point.labels["group"], point.labels["engine"]) == (CALIBRATION, "packets"):
            yield AllToAll.of(cases[point.labels["case"]], point.summary["cycles"])


HEADER_BYTES = 16
"""The header bytes of every packet, after which its data begin (S6)."""


def in_packets(payload_bytes: int) -> tuple[int, int]:
    """The packets that carry `payload_bytes` bytes, and the bytes of all of them on a link."""
    of = machine(PRESET)["packet"]
    between = of["trailer_bytes"] + of["token_ack_bytes"] + of["gap_bytes"]
    data = of["max_chunks"] * of["chunk_bytes"] - HEADER_BYTES
    packets = -(-payload_bytes // data)
    last = payload_bytes - (packets - 1) * data + HEADER_BYTES
    chunks = (packets - 1) * of["max_chunks"] - (-last // of["chunk_bytes"])
    return packets, chunks * of["chunk_bytes"] + packets * between


SHORTEST_MINOR_HOPS = 0.7
"""On shorter lines the growth of the cost of crowding is cut off at 0, which is not linear."""


def busiest_link(length: int, closed: bool) -> float:
    """Pairs of a line that its busiest link carries, for each of its nodes."""
    return (length * length // 4) / 2 / length if closed else (length // 2) * ((length + 1) // 2) / length


def mean_hops(length: int, closed: bool) -> float:
    """Mean hops between two nodes of a line, which may be the same."""
    return (length * length // 4) / length if closed else (length * length - 1) / 3 / length


def fitted(cases: Sequence[AllToAll]) -> dict[str, float]:
    """The numbers of the correction (`crates/fluid/src/correction.rs`) by least squares of the relative error.

    On closed dimensions the time is linear in them. On open ones, the numbers of closed ones are taken as they are.
    """
    closed = [case for case in cases if not case.is_open and not 0 < case.minor_hops < SHORTEST_MINOR_HOPS]
    base, growth, short, few, waiting, filling = least_squares(
        [(closed_terms(case), case.cycles - case.busy - case.latency, case.cycles) for case in closed]
    )

    def rest(case: AllToAll) -> float:
        known = case.busy + case.latency + filling * (1 + case.mixed) * case.packet
        return case.cycles - known - (0 if case.is_adaptive else base * case.mixed * case.busy)

    open_base, second_open, open_share = least_squares(
        [(open_terms(case, waiting), rest(case), case.cycles) for case in cases if case.is_open]
    )
    return {
        "fitted_base": base,
        "fitted_growth": growth,
        "fitted_short": short,
        "fitted_few": few,
        "fitted_waiting": waiting,
        "fitted_filling": filling,
        "fitted_open_base": open_base,
        "fitted_open": second_open,
        "fitted_open_share": open_share,
    }


def closed_terms(case: AllToAll) -> list[float]:
    """The factors of the numbers of closed dimensions."""
    scale = case.mixed * case.busy
    crowding = scale * case.crowding if case.is_adaptive else 0.0
    return [
        scale,
        crowding,
        -crowding / (case.minor_hops or 1.0),
        crowding / case.packets,
        0.0 if case.is_adaptive else scale * case.waiting,
        (1 + case.mixed) * case.packet,
    ]


def open_terms(case: AllToAll, waiting: float) -> list[float]:
    """The factors of the numbers of open dimensions."""
    scale = case.mixed * case.busy
    if case.is_adaptive:
        return [scale, scale * case.second_open, 0.0]
    return [0.0, 0.0, scale * waiting * case.waiting]


def least_squares(equations: Sequence[tuple[Sequence[float], float, float]]) -> list[float]:
    """Factors of terms whose sums are nearest to values, from (terms, value, time by which the error is divided)."""
    terms = np.array([[term / time for term in terms] for terms, _, time in equations])
    values = np.array([value / time for _, value, time in equations])
    solution, *_ = np.linalg.lstsq(terms, values, rcond=None)
    return [float(number) for number in solution]
