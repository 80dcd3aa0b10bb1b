"""Time of an all-to-all by the size of the system: short messages whole, long ones sampled."""

from collections.abc import Iterator, Mapping, Sequence
from math import log, prod
from typing import Any

from torusim.common.formatting import lengths
from torusim.common.formatting import shape as partition_name
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.runs.steadiness import seconds_of_whole
from torusim.study import Findings, FinishedPoint, Point, Scale

SHORT, LONG = "short", "long"


def points(scale: Scale) -> Iterator[Point]:
    """Whole collectives of short messages, and windows of all-to-alls of long ones."""
    for shape in scale["short_shapes"]:
        yield scale.point(
            {"messages": SHORT, "bytes": scale["short_bytes"], "shape": partition_name(shape)},
            machine={"shape": shape},
            workload={
                "kind": "collective",
                "operation": "all-to-all",
                "algorithm": "direct",
                "bytes": scale["short_bytes"] * prod(shape),
            },
        )
    for shape in scale["long_shapes"]:
        yield scale.point(
            {"messages": LONG, "bytes": scale["long_bytes"], "shape": partition_name(shape)},
            machine={"shape": shape},
            workload={"payload_bytes": scale["long_bytes"]},
            run={"stop": "sampled"},
        )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Times by the size of the system, and the exponents with which they grow."""
    times = {(point.labels["messages"], nodes(point.labels["shape"])): milliseconds(point) for point in points}
    short, long = (sizes(times, messages) for messages in (SHORT, LONG))
    common = [size for size in short if size in long]
    return Findings(
        rows=[row(point, times) for point in points],
        numbers={
            "exponent_large": exponent(times, LONG, long),
            "exponent_large_over_small": exponent(times, LONG, common) - exponent(times, SHORT, common),
        },
        figure=[
            Curves(
                x=Axis("processes", is_logarithmic=True),
                y=Axis("time of an all-to-all (ms)", is_logarithmic=True),
                curves=[
                    Curve("short messages", short, [times[SHORT, size] for size in short]),
                    Curve("64 KB, sampled", long, [times[LONG, size] for size in long]),
                ],
            )
        ],
    )


def nodes(shape: str) -> int:
    """Nodes of a shape such as 8x8x16."""
    return prod(lengths(shape))


def milliseconds(point: FinishedPoint) -> float:
    """The time of the whole all-to-all."""
    summary = point.summary
    if point.labels["messages"] == LONG:
        return 1e3 * seconds_of_whole(summary)
    return 1e3 * float(summary["collective_cycles_max"] * summary["seconds_simulated"] / summary["cycles"])


def sizes(times: Mapping[tuple[str, int], float], messages: str) -> list[int]:
    """Sizes of the systems that were run with these messages."""
    return [size for kind, size in times if kind == messages]


def exponent(times: Mapping[tuple[str, int], float], messages: str, systems: Sequence[int]) -> float:
    """The power of the number of processes with which the time grows, over some systems, the smallest first."""
    least, *_, most = systems
    return log(times[messages, most] / times[messages, least]) / log(most / least)


def row(point: FinishedPoint, times: Mapping[tuple[str, int], float]) -> dict[str, Any]:
    """A system and a size of messages as a row of the table."""
    size = nodes(point.labels["shape"])
    return {
        "messages (bytes)": point.labels["bytes"],
        "processes": size,
        "shape": point.labels["shape"],
        "time (ms)": times[point.labels["messages"], size],
        "time per process (µs)": 1e3 * times[point.labels["messages"], size] / size,
        "% of bound": point.summary["percent_of_peak"],
    }
