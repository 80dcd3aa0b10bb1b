"""Tornado and uniform traffic under minimal routing, over random nodes, and with a choice at the source."""

from collections.abc import Iterator, Sequence

from torusim.common.formatting import lengths
from torusim.pictures.figures import Axis, Bars, Level
from torusim.study import Findings, FinishedPoint, Point, Scale

ROUTINGS = {"minimal": "adaptive", "over random nodes": "valiant", "chosen at the source": "ugal"}
"""The value of `workload.routing` for each routing."""

WIRE_BYTES, PACKET_BYTES = 270, 256
"""The bytes of a full packet: on the wire, and in memory."""

LIGHT_SHARE = 0.1
"""Load of the light tornado traffic, as a share of the load that minimal routing can carry."""


def points(scale: Scale) -> Iterator[Point]:
    """Each routing with nodes that always have a packet, and with little traffic."""
    length = scale["shape"][0]
    patterns: dict[str, dict[str, object]] = {
        "tornado": {"kind": "tornado", "dimension": 0},
        "uniform": {"kind": "uniform-random"},
    }
    for name, routing in ROUTINGS.items():
        for pattern, workload in patterns.items():
            yield point(scale, (pattern, name, "full"), {**workload, "routing": routing})
        load = LIGHT_SHARE * tornado_peak("minimal", length) / tornado_peak(name, length)
        light = {**patterns["tornado"], "routing": routing, "load": load}
        yield point(scale, ("tornado", name, "light"), light)


def point(scale: Scale, labels: tuple[str, str, str], workload: dict[str, object]) -> Point:
    """A run with a workload."""
    return scale.point(
        dict(zip(("traffic", "routing", "load"), labels, strict=True)),
        machine={"shape": scale["shape"]},
        workload=workload,
        run={"measure_cycles": scale["measure_cycles"]},
    )


def tornado_peak(routing: str, length: int) -> float:
    """The bound of tornado traffic, in packets per node and packet time on a ring of an even number of nodes."""
    hops = length / 2 - 1
    return {"minimal": 1 / hops, "over random nodes": 4 / length, "chosen at the source": 2 / hops}[routing]


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The load that each routing accepts, and the time of a packet in light traffic."""
    accepted = {}
    latency = {}
    for point in points:
        traffic, routing, load = (str(point.labels[key]) for key in ("traffic", "routing", "load"))
        if load == "full":
            accepted[traffic, routing] = link_rates(point)
        else:
            latency[routing] = point.summary["latency_cycles_mean"]
    length = lengths(points[0].summary["shape"])[0]
    minimal, valiant, ugal = ROUTINGS
    tornado = {routing: accepted["tornado", routing] for routing in ROUTINGS}
    uniform = {routing: accepted["uniform", routing] for routing in ROUTINGS}
    bounds = {routing: tornado_peak(routing, length) for routing in (minimal, valiant)}
    return Findings(
        rows=[
            {
                "routing": routing,
                "tornado, accepted (links' rates per node)": tornado[routing],
                "bound": tornado_peak(routing, length),
                "uniform, accepted (links' rates per node)": uniform[routing],
                "tornado at light load, latency (cycles)": latency[routing],
            }
            for routing in ROUTINGS
        ],
        numbers={
            "minimal_percent_of_bound": 100 * tornado[minimal] / bounds[minimal],
            "valiant_percent_of_bound": 100 * tornado[valiant] / bounds[valiant],
            "valiant_over_minimal": tornado[valiant] / tornado[minimal],
            "valiant_uniform_percent": 100 * uniform[valiant] / uniform[minimal],
            "ugal_tornado_percent": 100 * tornado[ugal] / max(tornado[minimal], tornado[valiant]),
            "ugal_uniform_percent": 100 * uniform[ugal] / max(uniform[minimal], uniform[valiant]),
            "ugal_light_latency_ratio": latency[ugal] / min(latency[minimal], latency[valiant]),
        },
        figure=[
            Bars(
                labels=["minimal", "random nodes", "at the source"],
                heights=[("tornado", list(tornado.values())), ("uniform random", list(uniform.values()))],
                y=Axis("accepted (link rates per node)", lowest=0),
                levels=[
                    Level("tornado, minimal: bound", bounds[minimal]),
                    Level("over random nodes: bound", bounds[valiant]),
                ],
            )
        ],
    )


def link_rates(point: FinishedPoint) -> float:
    """The traffic that a node receives, with all overhead of a packet on a link, in rates of a link."""
    return float(point.summary["accepted_bytes_per_node_per_cycle"]) * WIRE_BYTES / PACKET_BYTES
