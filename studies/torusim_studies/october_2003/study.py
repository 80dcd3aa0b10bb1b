"""MPI of October 2003: latency by layer, a core's rates of sending and receiving, and the effect of the second core."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import linear_regression
from typing import Any

from torusim.api import run_program
from torusim.pictures.figures import Axis, Bars, Curve, Curves, Level
from torusim.programs import Bytes, Comm
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale

MEGAHERTZ = 700
LINK_MB_S = 175
NEIGHBORS = 6

HEATER, VIRTUAL_NODE = "heater", "virtual-node"
SCRATCHPAD, ZERO_COPY = "co-processor", "co-processor, zero-copy"
RENDEZVOUS = "co-processor, zero-copy, rendezvous"
PAYLOAD_240 = "240 bytes"
AS_272 = "240 bytes, 272 byte times"
CREDITS, INTERRUPTS = "4 message credits", "interrupts"
FREE_PACKETS, FREE_MESSAGES = "no cost per packet", "no cost per message"

CO_PROCESSOR = {"mode": "co-processor"}

Sections = Mapping[str, Mapping[str, Any]]

CONFIGURATIONS: Mapping[str, Sections] = {
    HEATER: {},
    SCRATCHPAD: {"machine": CO_PROCESSOR},
    ZERO_COPY: {"machine": CO_PROCESSOR, "messaging": {"zero_copy": True}},
    RENDEZVOUS: {"machine": CO_PROCESSOR, "messaging": {"zero_copy": True, "rendezvous_from_bytes": 1_000}},
    VIRTUAL_NODE: {"machine": {"mode": "virtual-node"}},
    PAYLOAD_240: {"messaging": {"header_bytes": 16}},
    AS_272: {"machine": {"packet": {"gap_bytes": 4}}, "messaging": {"header_bytes": 16}},
    CREDITS: {"messaging": {"message_credits": 4}},
    INTERRUPTS: {"messaging": {"watermark_bytes": 512}},
    FREE_PACKETS: {
        "messaging": {
            "write_processor_cycles": 0,
            "read_processor_cycles": 0,
            "eager_processor_cycles": 0,
        }
    },
    FREE_MESSAGES: {
        "messaging": {
            "setup_processor_cycles": 0,
            "dispatch_processor_cycles": 0,
            "send_processor_cycles": 0,
            "receive_processor_cycles": 0,
            "call_processor_cycles": 48,
            "match_processor_cycles": 0,
            "complete_processor_cycles": 0,
        }
    },
}
"""The changes of each configuration. Calls always keep their least cost."""

STUDIED = (HEATER, SCRATCHPAD, ZERO_COPY, RENDEZVOUS, VIRTUAL_NODE, PAYLOAD_240)
"""Configurations that could be built: the best of them is of interest."""

PLOTTED = (HEATER, SCRATCHPAD, RENDEZVOUS, FREE_PACKETS)

OVERLAPPED = (HEATER, INTERRUPTS, SCRATCHPAD, ZERO_COPY, RENDEZVOUS)

LATENCY_BYTES = (0, 1, 16, 64, 100, 192, 193)
HOPS = tuple(range(1, 13))
"""All distances on 8x8x8."""

CONSTANT_TO_BYTES = 192

WRITE_CYCLES = (120, 150, 170, 180, 190, 210, 240)
READ_CYCLES = (160, 180, 204, 250, 300, 350)
"""A core's time to write or read a packet, in processor cycles. Six links carry a packet in 180."""

LAYERS = {"hardware": 32, "packet_layer": 29, "message_layer": 13, "mpi": 26}
"""Shares of the slides' latency in percent."""

Results = Mapping[tuple[str, str, int], Mapping[str, Any]]
"""The summary of each point by what was run, its configuration, and its number of bytes, hops, neighbors or cycles."""


def points(scale: Scale) -> Iterator[Point]:
    """The runs of all configurations, then those in which one value is varied, then those that overlap."""
    for name in CONFIGURATIONS:
        yield point(scale, "latency", name, 0)
        yield from (point(scale, run, name, neighbors) for run in ("send", "receive") for neighbors in (1, NEIGHBORS))
        yield from (point(scale, "exchange", name, size) for size in scale["exchange_bytes"])
    yield from (point(scale, "latency", HEATER, size) for size in LATENCY_BYTES[1:])
    yield from (point(scale, "distance", HEATER, hops) for hops in HOPS)
    for neighbors in range(2, NEIGHBORS):
        yield from (point(scale, "receive", name, neighbors) for name in PLOTTED)
    yield from (point(scale, "write", HEATER, cycles) for cycles in WRITE_CYCLES)
    yield from (point(scale, "read", HEATER, cycles) for cycles in READ_CYCLES)
    for name in OVERLAPPED:
        arguments = {"bytes": scale["overlap_bytes"], "sections": CONFIGURATIONS[name]}
        yield scale.call(labels("overlap", name, scale["overlap_bytes"]), "overlap", arguments)


def labels(run: str, configuration: str, value: int) -> dict[str, Any]:
    """The labels that distinguish a point."""
    return {"run": run, "configuration": configuration, "value": value}


def point(scale: Scale, run: str, configuration: str, value: int) -> Point:
    """A run of a kernel, or of a ping-pong over a distance."""
    sections = merged(CONFIGURATIONS[configuration], sections_of(scale, run, value))
    machine, workload, messaging = (sections.get(name, {}) for name in ("machine", "workload", "messaging"))
    return scale.point(labels(run, configuration, value), machine=machine, workload=workload, messaging=messaging)


def sections_of(scale: Scale, run: str, value: int) -> Sections:
    """The scenario of a run with a number of bytes, hops, neighbors or processor cycles for a packet."""
    if run == "latency":
        return {"workload": {"name": "ping-pong", "bytes": value, "iterations": scale["round_trips"]}}
    if run == "distance":
        ping_pong = {"kind": "ping-pong", "hops": value, "payload_bytes": 1, "repetitions": scale["round_trips"]}
        return {"workload": ping_pong}
    if run == "exchange":
        shape = [scale["side"]] * 3
        return {"machine": {"shape": shape}, "workload": {"name": "halo-3d", "bytes": value, "iterations": 2}}
    if run == "write":
        return merged(sections_of(scale, "send", NEIGHBORS), {"messaging": {"write_processor_cycles": value}})
    if run == "read":
        costs = {"read_processor_cycles": value, "eager_processor_cycles": 0}
        return merged(sections_of(scale, "receive", NEIGHBORS), {"messaging": costs})
    stream = {"name": f"six-way-{run}", "bytes": scale["stream_bytes"], "iterations": 1}
    return {"machine": machine_with(value, scale["side"]), "workload": stream}


def machine_with(neighbors: int, side: int) -> Mapping[str, Any]:
    """A machine whose middle node has `neighbors` neighbors: two in a ring, one in a line of only two nodes."""
    rings = max(0, neighbors - 3)
    pairs = neighbors - 2 * rings
    return {"shape": [side] * rings + [2] * pairs, "wrap": [True] * rings + [False] * pairs}


def merged(*changes: Sections) -> dict[str, dict[str, Any]]:
    """Changes of sections, one after the other."""
    sections: dict[str, dict[str, Any]] = {}
    for change in changes:
        for name, values in change.items():
            sections[name] = {**sections.get(name, {}), **values}
    return sections


def overlap(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """The time of a message between neighbors, without and with equally long computation at its receiver."""
    machine = {"preset": "bluegene-l", "shape": [8], **arguments["sections"].get("machine", {})}
    messaging = {"costs": "october-2003", **arguments["sections"].get("messaging", {})}

    def seconds(computed: float) -> float:
        program = partial(receive_and_compute, size=arguments["bytes"], seconds=computed)
        return float(run_program(program, ranks=2, machine=machine, messaging=messaging).returns[0])

    alone = seconds(0.0)
    both = seconds(alone)
    hidden = (2 * alone - both) / alone
    return {"summary": {"message_seconds": alone, "overlapped_seconds": both, "hidden_share": hidden}, "tables": {}}


async def receive_and_compute(comm: Comm, size: int, seconds: float) -> float:
    """Rank 0 computes while rank 1 sends it a message; returns the time at which this rank has ended."""
    if comm.rank == 1:
        await comm.send(Bytes(size), dest=0)
    else:
        request = await comm.irecv(source=1)
        if seconds > 0:
            await comm.compute(seconds)
        await comm.wait(request)
    return comm.time()


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """A row for each configuration; latency by layer, and bandwidth by neighbors and by message size."""
    results = {(p.labels["run"], p.labels["configuration"], p.labels["value"]): p.summary for p in points}
    return Findings(
        rows=[row(name, results) for name in CONFIGURATIONS],
        numbers=numbers(results),
        figure=[layers(results), by_neighbors(results), by_size(results)],
    )


def latency(results: Results, configuration: str, size: int = 0) -> float:
    """Half of a round trip, in processor cycles."""
    return float(results["latency", configuration, size]["half_round_trip_processor_cycles"])


def megabytes_per_second(results: Results, run: str, configuration: str, neighbors: int = NEIGHBORS) -> float:
    """Payload per second of a node that sends or receives."""
    return MEGAHERTZ * float(results[run, configuration, neighbors]["payload_bytes_per_processor_cycle"])


def exchange(results: Results, configuration: str, size: int) -> float:
    """Payload that a node sends and receives in a halo exchange, in MB/s."""
    messages = 2 * NEIGHBORS * (2 if configuration == VIRTUAL_NODE else 1)
    return MEGAHERTZ * messages * size / float(results["exchange", configuration, size]["iteration_processor_cycles"])


def sizes(results: Results) -> list[int]:
    """The lengths of the messages of halo exchanges."""
    return [size for run, name, size in results if (run, name) == ("exchange", HEATER)]


def row(name: str, results: Results) -> dict[str, Any]:
    """A configuration's figures."""
    one = results["send", name, 1]
    hidden = [summary["hidden_share"] for (run, of, _), summary in results.items() if (run, of) == ("overlap", name)]
    return {
        "configuration": name,
        "latency (processor cycles)": latency(results, name),
        "at 700 MHz (µs)": latency(results, name) / MEGAHERTZ,
        "one neighbor, sent (% of 175 MB/s)": 100 * one["payload_share_of_links"],
        "six-way send (MB/s)": megabytes_per_second(results, "send", name),
        "six-way receive (MB/s)": megabytes_per_second(results, "receive", name),
        **{
            f"sent and received in messages of {size:,} bytes (MB/s)": exchange(results, name, size)
            for size in (CONSTANT_TO_BYTES, 1_000, 100_000)
        },
        "of the links' rate (%)": 100 * exchange(results, name, 100_000) / (2 * NEIGHBORS * LINK_MB_S),
        "message hidden by computation (%)": 100 * hidden[0] if hidden else None,
    }


def numbers(results: Results) -> dict[str, float]:
    """The numbers of the claims."""
    one, six = results["send", HEATER, 1], results["send", HEATER, NEIGHBORS]
    share_of_240 = results["send", PAYLOAD_240, 1]["payload_share_of_links"]
    hidden = {name: summary["hidden_share"] for (run, name, _), summary in results.items() if run == "overlap"}
    largest = max(sizes(results))
    return {
        **of_latency(results),
        "send_mb_s": megabytes_per_second(results, "send", HEATER),
        "send_mb_s_with_240_bytes": megabytes_per_second(results, "send", PAYLOAD_240),
        "receive_mb_s": megabytes_per_second(results, "receive", HEATER),
        "best_receive_mb_s": max(megabytes_per_second(results, "receive", name) for name in STUDIED),
        "total_mb_s": exchange(results, HEATER, largest),
        "best_total_mb_s": max(exchange(results, name, largest) for name in STUDIED),
        "sender_limit_cycles": sender_limit(results),
        "sender_cycles_per_packet": 256 / six["fifo_bytes_per_processor_cycle"],
        "wire_bytes_per_cycle": six["fifo_bytes_per_processor_cycle"] * 270 / 256,
        "read_bytes_per_cycle": results["read", HEATER, 204]["fifo_bytes_per_processor_cycle"],
        "eager_read_bytes_per_cycle": results["receive", HEATER, NEIGHBORS]["fifo_bytes_per_processor_cycle"],
        "fifos_served": results["receive", HEATER, NEIGHBORS]["fifo_bytes_per_processor_cycle"] / 0.25,
        "packets_over_messages": exchange(results, FREE_PACKETS, largest) / exchange(results, FREE_MESSAGES, largest),
        "one_link_share": one["payload_share_of_links"],
        "six_way_share": six["payload_share_of_links"],
        "send_mb_s_maximum": megabytes_per_second(results, "send", HEATER),
        "receive_mb_s_maximum": megabytes_per_second(results, "receive", HEATER),
        "scratchpad_over_heater": latency(results, SCRATCHPAD) / latency(results, HEATER),
        "scratchpad_hides": hidden[SCRATCHPAD] - hidden[HEATER],
        "zero_copy_hides": hidden[ZERO_COPY] - hidden[HEATER],
        **of_distance(results),
        "link_mb_s": megabytes_per_second(results, "send", HEATER, 1),
        "link_mb_s_with_240_bytes": megabytes_per_second(results, "send", PAYLOAD_240, 1),
        "credits_over_none": latency(results, CREDITS) / latency(results, HEATER),
        "share_against_272": share_of_240,
        "share_against_270": share_of_240,
        "payload_per_packet": payload_per_packet(results, HEATER),
        "payload_per_packet_of_240": payload_per_packet(results, PAYLOAD_240),
    }


def of_latency(results: Results) -> dict[str, float]:
    """The numbers of the claims on latency."""
    cycles = [latency(results, HEATER, size) for size in LATENCY_BYTES if size <= CONSTANT_TO_BYTES]
    shares = results["latency", HEATER, 0]["latency_share_by_layer"]
    return {
        "latency_cycles": cycles[0],
        "latency_us_at_500_mhz": cycles[0] / 500,
        "latency_us": cycles[0] / MEGAHERTZ,
        "greatest_over_least": max(cycles) / min(cycles),
        **{f"{layer}_percent": 100 * shares[layer] for layer in LAYERS},
        "hardware_cycles": shares["hardware"] * cycles[0],
    }


def of_distance(results: Results) -> dict[str, float]:
    """The numbers of the claims on latency by distance, from a line fitted to it."""
    latencies = [microseconds(results["distance", HEATER, hops]) for hops in HOPS]
    slope, intercept = linear_regression(HOPS, latencies)
    return {"latency_without_hops_us": intercept, "latency_of_neighbors_us": latencies[0], "hop_us": slope}


def microseconds(ping_pong: Mapping[str, Any]) -> float:
    """One way of a ping-pong, on average."""
    return 1e6 * float(ping_pong["one_way_cycles_mean"] * ping_pong["seconds_simulated"] / ping_pong["cycles"])


def sender_limit(results: Results) -> float:
    """The longest of the studied times for a packet with which a sender fills six links, in processor cycles."""
    full = results["send", HEATER, NEIGHBORS]["payload_share_of_links"]
    shares = {cycles: results["write", HEATER, cycles]["payload_share_of_links"] for cycles in WRITE_CYCLES}
    return float(max((cycles for cycles, share in shares.items() if share > 0.99 * full), default=0))


def payload_per_packet(results: Results, configuration: str) -> float:
    """Mean payload of a packet of a long message to one neighbor, in bytes."""
    summary = results["send", configuration, 1]
    payload = summary["payload_bytes_per_processor_cycle"] * summary["iteration_processor_cycles"]
    return float(payload / summary["packets_delivered"])


def layers(results: Results) -> Bars:
    """The panel of shares of the latency."""
    shares = results["latency", HEATER, 0]["latency_share_by_layer"]
    return Bars(
        labels=["hardware", "packets", "messages", "MPI"],
        heights=[
            ("slides, of about 3,000 cycles", [float(percent) for percent in LAYERS.values()]),
            (f"torusim, of {latency(results, HEATER):,.0f}", [100 * shares[layer] for layer in LAYERS]),
        ],
        y=Axis("% of half a round trip", lowest=0, highest=45),
        title="Latency of up to 192 bytes",
    )


def by_neighbors(results: Results) -> Curves:
    """The panel of bandwidth by number of neighbors."""
    x = range(1, NEIGHBORS + 1)
    return Curves(
        x=Axis("sending neighbors", lowest=0.5, highest=6.5),
        y=Axis("payload received (MB/s)", lowest=0, highest=1000),
        curves=[
            Curve(name, x, [megabytes_per_second(results, "receive", name, count) for count in x]) for name in PLOTTED
        ],
        levels=[Level("slides, six neighbors: 864 MB/s", 864), Level("slides, target: 926 MB/s", 926)],
        title="One node and its neighbors",
    )


def by_size(results: Results) -> Curves:
    """The panel of bandwidth by length of message."""
    names = (*PLOTTED, FREE_MESSAGES, VIRTUAL_NODE)
    x = sizes(results)
    return Curves(
        x=Axis("length of messages (bytes)", is_logarithmic=True),
        y=Axis("payload sent and received (MB/s)", lowest=0, highest=2000),
        curves=[Curve(name, x, [exchange(results, name, size) for size in x]) for name in names],
        levels=[Level("slides, target: 1,850 MB/s", 1850)],
        title="Every node and its six neighbors",
    )
