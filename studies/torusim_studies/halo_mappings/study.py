"""Time of a halo exchange on a two-dimensional grid under permutation mappings."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import prod
from typing import Any

from torusim.pictures.figures import Axis, Dots, Level, Series
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label

CORES = 4

ORDERS: Mapping[str, Sequence[str]] = {
    "all": ["".join(letters) for letters in permutations("XYZT")],
    "by place of T": ["TXYZ", "XTYZ", "XYTZ", "XYZT"],
}
"""The mappings of a system: all, or one for each place of T where the dimensions of the torus are alike."""

MIDPLANE, LARGEST = 2_048, 131_072
NAMES = {MIDPLANE: "spread_2k", LARGEST: "spread_128k"}
"""The numbers of processes of the two systems in the claims, and what their numbers are called."""

IN_ORDER, ADAPTIVE = "eager-deterministic", "eager-adaptive"
PER_PACKET, PER_PAIR, BY_REGISTERS = "per-packet", "per-pair", "registers"

VARIANTS: Mapping[str, tuple[str, str]] = {
    "per_pair": (IN_ORDER, PER_PAIR),
    "registers": (IN_ORDER, BY_REGISTERS),
    "adaptive_per_packet": (ADAPTIVE, PER_PACKET),
    "adaptive_per_pair": (ADAPTIVE, PER_PAIR),
    "adaptive_registers": (ADAPTIVE, BY_REGISTERS),
}
"""Protocols and rules for half-way targets other than the default, by what the numbers of claims call them."""

Times = Mapping[tuple[int, str, int], float]
"""Time of an exchange in µs by number of processes, order and size of messages."""


def points(scale: Scale) -> Iterator[Point]:
    """An exchange for each system, order and size; of the variants those with mappings that the machine offered."""
    yield from by_order(scale)
    for system in scale["systems"]:
        for variant in system["variants"]:
            protocol, rule = VARIANTS[variant]
            for order in filter(is_offered, ORDERS[system["orders"]]):
                for size in system["sizes"]:
                    yield scale.point(
                        {"processes": CORES * prod(system["shape"]), "variant": variant, "order": order, "bytes": size},
                        machine={"shape": system["shape"], "half_way_routes": rule},
                        workload={"grid": system["grid"], "bytes": size},
                        mapping={"order": order},
                        messaging={"protocol": protocol},
                    )


def by_order(scale: Scale) -> Iterator[Point]:
    """Exchanges with the default protocol and rule."""
    for system in scale["systems"]:
        for order in ORDERS[system["orders"]]:
            for size in system["sizes"]:
                yield scale.point(
                    {"processes": CORES * prod(system["shape"]), "order": order, "bytes": size},
                    machine={"shape": system["shape"]},
                    workload={"grid": system["grid"], "bytes": size},
                    mapping={"order": order},
                )


def is_offered(order: str) -> bool:
    """Whether the machine offered a mapping: those with T first or last."""
    return order[0] == "T" or order[-1] == "T"


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Times by mapping, and the spread of those that the machine offered."""
    all_points = by_label([point for point in points if "variant" in point.labels], "variant")
    by_variant = {variant: times_of(group) for variant, group in all_points.items()}
    points = [point for point in points if "variant" not in point.labels]
    times = times_of(points)
    systems = list(dict.fromkeys(processes for processes, *_ in times))
    shapes = {point.labels["processes"]: point.summary["shape"] for point in points}
    numbers = {"spread_2k": max(spreads(times, MIDPLANE).values())}
    if LARGEST in systems:
        numbers["spread_128k"] = max(spreads(times, LARGEST).values())
    for variant, of in by_variant.items():
        for processes, name in NAMES.items():
            if any(of_system == processes for of_system, *_ in of):
                numbers[f"{name}_{variant}"] = max(spreads(of, processes).values())
    return Findings(
        rows=[
            row(times, processes, shapes[processes], order)
            for processes in systems
            for order in orders(times, processes)
        ]
        + [
            row(of, processes, shapes[processes], order, variant)
            for variant, of in by_variant.items()
            for processes in systems
            if processes != MIDPLANE  # where no message goes half-way round a ring
            for order in orders(of, processes)
        ],
        numbers=numbers,
        figure=[panel(times, processes) for processes in systems],
    )


def times_of(points: Sequence[FinishedPoint]) -> Times:
    """Times of some exchanges."""
    return {
        (point.labels["processes"], point.labels["order"], point.labels["bytes"]): microseconds(point.summary)
        for point in points
    }


def microseconds(summary: Mapping[str, Any]) -> float:
    """Time of an exchange."""
    return 1e6 * float(summary["seconds_simulated"])


def orders(times: Times, processes: int) -> list[str]:
    """The mappings of a system."""
    return list(dict.fromkeys(order for of, order, _ in times if of == processes))


def sizes(times: Times, processes: int) -> list[int]:
    """The sizes of messages of a system."""
    return list(dict.fromkeys(size for of, _, size in times if of == processes))


def spreads(times: Times, processes: int) -> dict[int, float]:
    """The slowest of the offered mappings divided by the fastest, by size of messages."""
    offered = [order for order in orders(times, processes) if is_offered(order)]
    of = {size: [times[processes, order, size] for order in offered] for size in sizes(times, processes)}
    return {size: max(values) / min(values) for size, values in of.items()}


def row(times: Times, processes: int, shape: str, order: str, variant: str = "") -> dict[str, Any]:
    """A mapping as a row of the table: its time with the largest messages, and relative to the fastest mapping."""
    size = max(sizes(times, processes))
    fastest = min(times[processes, other, size] for other in orders(times, processes))
    return {
        "processes": processes,
        "shape": shape,
        "order": order,
        "variant": variant.replace("_", " "),
        "offered": "yes" if is_offered(order) else "no",
        "message (bytes)": size,
        "time (µs)": times[processes, order, size],
        "over the fastest": times[processes, order, size] / fastest,
    }


def panel(times: Times, processes: int) -> Dots:
    """Times of the offered mappings relative to the fastest, of each size, the slowest with the largest last."""
    of_all = orders(times, processes)
    largest = max(sizes(times, processes))
    offered = sorted(filter(is_offered, of_all), key=lambda order: times[processes, order, largest])
    fastest = {size: min(times[processes, order, size] for order in of_all) for size in sizes(times, processes)}
    return Dots(
        labels=offered,
        series=[
            Series(f"{size} bytes", [times[processes, order, size] / least for order in offered])
            for size, least in fastest.items()
        ],
        x="mapping",
        y=Axis("time over that of the fastest", lowest=0),
        levels=[Level("paper: up to threefold", 3)],
        title=f"{processes:,} processes",
    )
