"""Blue Gene/P's node: latency near and far, the payload of a link, and of all links at once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale

MEGAHERTZ = 850
LINK_MB_S = 425
DIRECTIONS = 12
PAYLOAD, WIRE = 240, 270
"""Bytes of a full packet: of data, and of the time that it takes on a link."""

FARTHEST = (72, 32, 32)
HOPS = (1, sum(length // 2 for length in FARTHEST))
SIZES = (240, 1_000, 1_201, 4_000, 16_000, 64_000)
"""Lengths of the messages of halo exchanges; those from 1,201 bytes on are sent by rendezvous."""

Results = Mapping[tuple[str, int], Mapping[str, Any]]


def points(scale: Scale) -> Iterator[Point]:
    """A ping-pong over one hop and over the most; a stream to one neighbor; halo exchanges by length."""
    for hops in HOPS:
        shape = {"shape": list(FARTHEST)} if hops > 1 else {}
        ping_pong = {"hops": hops, "payload_bytes": 1, "repetitions": scale["repetitions"]}
        yield scale.point({"run": "latency", "value": hops}, machine=shape, workload=ping_pong)
    line = {"shape": [2], "wrap": False}
    stream = {"kind": "kernel", "name": "six-way-send", "bytes": scale["bytes"], "iterations": 1}
    yield scale.point({"run": "stream", "value": 1}, machine=line, workload=stream)
    for size in (*SIZES, scale["bytes"]):
        halo = {"kind": "kernel", "name": "halo-3d", "bytes": size, "iterations": 2}
        yield scale.point({"run": "exchange", "value": size}, workload=halo)


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The fitted figures, and the rate of exchanges by length."""
    results = {(p.labels["run"], p.labels["value"]): p.summary for p in points}
    near, far = (microseconds(results, hops) for hops in HOPS)
    payload = MEGAHERTZ * float(results["stream", 1]["payload_bytes_per_processor_cycle"])
    sizes = sorted(value for run, value in results if run == "exchange")
    share = 100 * exchange(results, sizes[-1]) / (DIRECTIONS * LINK_MB_S * PAYLOAD / WIRE)
    return Findings(
        rows=[
            {
                "one hop (µs)": near,
                "farthest (µs)": far,
                "payload of a link (MB/s)": payload,
                "exchange with six neighbors (MB/s)": exchange(results, sizes[-1]),
                "of the links' payload (%)": share,
            }
        ],
        numbers={
            "near_us": near,
            "far_us": far,
            "link_mb_s": payload,
            "wire_mb_s": payload * WIRE / PAYLOAD,
            "exchange_percent": share,
        },
        figure=[by_size(results, sizes)],
    )


def microseconds(results: Results, hops: int) -> float:
    """One way, on average."""
    of = results["latency", hops]
    return 1e6 * float(of["one_way_cycles_mean"] * of["seconds_simulated"] / of["cycles"])


def exchange(results: Results, size: int) -> float:
    """Payload that a node sends and receives, in MB/s."""
    return MEGAHERTZ * DIRECTIONS * size / float(results["exchange", size]["iteration_processor_cycles"])


def by_size(results: Results, sizes: Sequence[int]) -> Curves:
    """The rate of exchanges by length."""
    most = DIRECTIONS * LINK_MB_S * PAYLOAD / WIRE
    return Curves(
        x=Axis("length of messages (bytes)", is_logarithmic=True),
        y=Axis("payload sent and received (MB/s)", lowest=0, highest=5000),
        curves=[Curve("halo exchange", sizes, [exchange(results, size) for size in sizes])],
        levels=[Level("all links", most)],
        title="Every node and its six neighbors",
    )
