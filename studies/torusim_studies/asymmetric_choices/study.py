"""A complete all-to-all on an asymmetric torus, with one choice changed at a time that the papers leave open."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, prod
from typing import Any

import numpy as np

from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import binned, columns

PAYLOAD_BYTES = 240
"""Payload of a full packet."""

PACKET_BYTES = 256
FIFOS = 6
MOST_FIFO_BYTES = 1 << 20
"""The largest finite FIFO that torusim has."""

CUBE = [8, 8, 8]

Overlay = Mapping[str, Any]


@dataclass(frozen=True)
class Choice:
    """What differs from the first run.

    Attributes:
        text: The choice in words, for the table.
        node: Keys of `machine.node`.
        router: Keys of `machine.router`.
        machine: Keys of `machine`.
        workload: Keys of `workload`.
        is_in_advance: Whether injection FIFOs have room for the whole all-to-all, and are filled at its start.
        is_turned: Whether the longest dimension is the last instead of the first.
        packets_per_pair: Number of full packets, if not that of the scale.
    """

    text: str
    node: Overlay = field(default_factory=dict)
    router: Overlay = field(default_factory=dict)
    machine: Overlay = field(default_factory=dict)
    workload: Overlay = field(default_factory=dict)
    is_in_advance: bool = False
    is_turned: bool = False
    packets_per_pair: int | None = None


def finite(fifo_choice: str) -> Overlay:
    """Injection FIFOs of 1 KB, which software fills as space becomes available."""
    return {"injection_fifo_bytes": 1024, "fifo_choice": fifo_choice}


DETERMINISTIC = {"routing": "deterministic"}
ESCAPE_ONLY = {"dynamic_channels": 0, "escape_channel_bytes": 3072}
"""All buffers of a receiver on the VC of deterministic packets, as in figure 6 of the papers."""

CHOICES = {
    "as_assumed": Choice("as in the other studies"),
    # The order of packets.
    "common_order": Choice("targets: a random order, common to all", workload={"order": "common"}),
    "rotating_order": Choice("targets: by number from the own", workload={"order": "rotating"}),
    "in_a_row": Choice("all packets in a row", workload={"packets_per_visit": "all"}),
    "one_packet": Choice("one packet per pair", packets_per_pair=1),
    # How packets come into injection FIFOs.
    "one_fifo": Choice("FIFOs: one", node={"normal_injection_fifos": 1}),
    "in_advance": Choice("FIFOs: filled in advance, in turn", {"fifo_choice": "round-robin"}, is_in_advance=True),
    "in_advance_by_direction": Choice(
        "FIFOs: filled in advance, by direction", {"fifo_choice": "by-direction"}, is_in_advance=True
    ),
    "finite": Choice("FIFOs: 1 KB, the emptiest", finite("emptiest")),
    "finite_in_turn": Choice("FIFOs: 1 KB, in turn", finite("round-robin")),
    "finite_by_direction": Choice("FIFOs: 1 KB, by direction", finite("by-direction")),
    "software": Choice(
        "FIFOs: 1 KB, the emptiest; software of 60 + 196 processor cycles",
        {**finite("emptiest"), "write_processor_cycles": 60, "read_processor_cycles": 196},
    ),
    "window_6": Choice("pacing: 6 packets per node", node={"injection_window_packets": 6}),
    # Arbitration.
    "share_99": Choice("in_network_share 0.99", router={"in_network_share": 0.99}),
    "no_jsq": Choice("join_shortest_queue off", router={"join_shortest_queue": False}),
    "no_slq": Choice("serve_longest_queue_share 0", router={"serve_longest_queue_share": 0}),
    "oldest_first": Choice("arbitration: oldest first", router={"arbitration": "oldest-first"}),
    "moved_ranges": Choice("token_ranges 0.26, 0.51, 0.76", router={"token_ranges": [0.26, 0.51, 0.76]}),
    "gap": Choice("arbitration_gap_share 0.25", router={"arbitration_gap_share": 0.25}),
    "one_path": Choice("transfer_paths 1", router={"transfer_paths": 1}),
    # Buffers and routes.
    "buffers_4k": Choice("dynamic VCs of 4 KB", router={"dynamic_channel_bytes": 4096}),
    "one_vc": Choice("one dynamic VC of 2 KB", router={"dynamic_channels": 1, "dynamic_channel_bytes": 2048}),
    "four_vcs": Choice("four dynamic VCs of 1 KB", router={"dynamic_channels": 4}),
    "dateline": Choice("escape: dateline pair", router={"escape": "dateline"}),
    "deterministic": Choice("deterministic, long dimension first", router=ESCAPE_ONLY, workload=DETERMINISTIC),
    "deterministic_last": Choice(
        "deterministic, long dimension last", router=ESCAPE_ONLY, workload=DETERMINISTIC, is_turned=True
    ),
    "half_way_per_pair": Choice("half_way_routes per-pair", machine={"half_way_routes": "per-pair"}),
    "half_way_registers": Choice("half_way_routes registers", machine={"half_way_routes": "registers"}),
    # Latencies.
    "hop_24": Choice("hop_latency_cycles 24", machine={"link": {"hop_latency_cycles": 24}}),
    "tokens_40": Choice("token_latency_cycles 40", router={"token_latency_cycles": 40}),
}
"""The choices by name. The scale says which of them run."""

DRAWN = ("as_assumed", "in_advance", "finite", "window_6")
"""Choices in the figure."""


def points(scale: Scale) -> Iterator[Point]:
    """A run for each choice of the scale, on the asymmetric machine and on the cube."""
    names = CHOICES if scale["choices"] == "all" else scale["choices"]
    for name in names:
        yield run(scale, name, scale["shape"], scale["packets_per_pair"])
    for name in scale["cube_choices"]:
        yield run(scale, name, CUBE, scale["cube_packets_per_pair"])


def run(scale: Scale, name: str, shape: Sequence[int], packets_per_pair: int) -> Point:
    """A complete all-to-all with one choice changed."""
    choice = CHOICES[name]
    packets = choice.packets_per_pair or packets_per_pair
    return scale.point(
        {"shape": "x".join(map(str, shape)), "choice": name},
        tables=["series"],
        machine={
            "shape": shape[::-1] if choice.is_turned else shape,
            "node": {**choice.node, **room_in_advance(choice, packets * (prod(shape) - 1))},
            "router": choice.router,
            **choice.machine,
        },
        workload={"payload_bytes": packets * PAYLOAD_BYTES, **choice.workload},
    )


def room_in_advance(choice: Choice, packets: int) -> Overlay:
    """The size of FIFOs that hold all packets of a node: equal parts where packets come in turn, otherwise the most."""
    if not choice.is_in_advance:
        return {}
    part = ceil(packets / FIFOS) * PACKET_BYTES
    return {"injection_fifo_bytes": part if choice.node["fifo_choice"] == "round-robin" else MOST_FIFO_BYTES}


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Both figures of each choice, the share of time that the last packets take, and the cube's."""
    shape = points[0].labels["shape"]
    runs = {point.labels["choice"]: point for point in points if point.labels["shape"] == shape}
    cube = {
        point.labels["choice"]: point.summary["percent_of_peak"] for point in points if point.labels["shape"] != shape
    }
    busy = {name: 100 * run.summary["link_utilization_mean"] for name, run in runs.items()}
    settled = {name: third_quarter_percent(run) for name, run in runs.items()}
    return Findings(
        rows=[
            {
                "choice": CHOICES[name].text,
                "million cycles": run.summary["cycles"] / 1e6,
                "links busy (%)": busy[name],
                "% of peak, third quarter": settled[name],
                "links busy, third quarter (%)": third_quarter_busy_percent(run),
                "the last tenth of packets takes (% of the time)": 100
                - 100 * delivered_at(run, 0.9) / run.summary["cycles"],
            }
            | ({"8x8x8 (% of peak)": cube.get(name)} if cube else {})
            for name, run in runs.items()
        ],
        numbers={f"{name}_utilization_percent": percent for name, percent in busy.items()}
        | {f"{name}_settled_percent_of_peak": percent for name, percent in settled.items()}
        | {f"cube_{name}_percent_of_peak": percent for name, percent in cube.items()},
        figure=[over_time([runs[name] for name in DRAWN if name in runs])],
    )


def third_quarter_percent(run: FinishedPoint) -> float:
    """Throughput in percent of the bound, from half of all packets delivered to three quarters."""
    duration = delivered_at(run, 0.75) - delivered_at(run, 0.5)
    return float(run.summary["percent_of_peak"] * 0.25 * run.summary["cycles"] / duration)


def third_quarter_busy_percent(run: FinishedPoint) -> float:
    """Mean link utilization in percent, of the rows of the time series that begin in the same time."""
    series = columns(run, "series")
    starts = series["start_cycle"]
    is_inside = (starts >= delivered_at(run, 0.5)) & (starts < delivered_at(run, 0.75))
    weights = (series["end_cycle"] - starts)[is_inside]
    return float(100 * np.average(series["utilization"][is_inside], weights=weights))


def delivered_at(run: FinishedPoint, share: float) -> float:
    """The cycle at which a share of all packets has been delivered, interpolated between rows of the time series."""
    series = columns(run, "series")
    delivered = np.concatenate([[0.0], np.cumsum(series["packets_delivered"])])
    ends = np.concatenate([series["start_cycle"][:1], series["end_cycle"]])
    return float(np.interp(share * delivered[-1], delivered, ends))


def over_time(runs: Sequence[FinishedPoint]) -> Curves:
    """Utilization of all links over time, a curve for each choice."""
    curves = []
    for run in runs:
        cycles, (utilization,) = binned(columns(run, "series"), ["utilization"])
        curves.append(Curve(CHOICES[run.labels["choice"]].text, cycles / 1e6, 100 * utilization, has_marks=False))
    return Curves(
        x=Axis("time (million cycles)", lowest=0),
        y=Axis("link utilization (%)", lowest=0, highest=100),
        curves=curves,
        levels=[Level("bound: 66.7 %", 66.7), Level("papers: 49 %", 49)],
    )
