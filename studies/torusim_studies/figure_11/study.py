"""Figure 11: all-to-all over message size, on 4x4x2 and 8x8x8, with and without software overhead."""

from collections.abc import Iterator, Sequence

from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.study import Findings, FinishedPoint, Point, Scale

SHAPES = ([4, 4, 2], [8, 8, 8])
NO_SOFTWARE = {"write_processor_cycles": 0, "read_processor_cycles": 0}
OCTOBER_2003 = {"write_processor_cycles": 60, "read_processor_cycles": 204}
SMALL, TEN, LONG = 16, 2400, 7200
"""Payloads in bytes: one packet of 32 bytes, ten full ones, thirty."""

IN_FIVES = 5
"""Packets per visit of an earlier reading of S33."""

FITTED = "60 + 196"


def points(scale: Scale) -> Iterator[Point]:
    """Both machines at every size; then ten packets in several orders, and a small packet with other software."""
    for shape in SHAPES:
        for payload in scale["payload_bytes"]:
            yield point(scale, shape, payload)
    yield point(scale, SHAPES[1], SMALL, software="none", node=NO_SOFTWARE)
    for visit in scale["visits"]:
        yield point(scale, SHAPES[1], TEN, visit=visit, software="none", node=NO_SOFTWARE)
    yield point(scale, SHAPES[1], TEN, visit=IN_FIVES)
    yield point(scale, SHAPES[1], SMALL, software="60 + 204", node=OCTOBER_2003)


def point(  # noqa: D103
    scale: Scale,
    shape: list[int],
    payload: int,
    visit: int | str = 1,
    software: str = FITTED,
    node: dict[str, int] | None = None,
) -> Point:
    return scale.point(
        {"shape": "x".join(map(str, shape)), "payload_bytes": payload, "visit": visit, "software": software},
        machine={"shape": shape, "node": node or {}},
        workload={"payload_bytes": payload, "packets_per_visit": visit},
    )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of the peak."""
    share = {tuple(point.labels.values()): point.summary["percent_of_peak"] for point in points}
    sizes = sorted({point.labels["payload_bytes"] for point in points})
    numbers = {
        "one_small_packet_percent": share["8x8x8", SMALL, 1, FITTED],
        "ten_packets_percent": share["8x8x8", TEN, 1, FITTED],
        "ten_packets_without_software_percent": share["8x8x8", TEN, 1, "none"],
    }
    numbers["ten_packets_in_fives_percent"] = share["8x8x8", TEN, IN_FIVES, FITTED]
    if ("8x8x8", TEN, "all", "none") in share:
        numbers["ten_packets_in_a_row_percent"] = share["8x8x8", TEN, "all", "none"]
    if LONG in sizes:
        numbers["long_percent"] = share["8x8x8", LONG, 1, FITTED]
    return Findings(
        rows=[
            {
                "shape": shape,
                "payload (bytes per pair)": payload,
                "packets per visit": visit,
                "software (processor cycles)": software,
                "% of peak": percent,
            }
            for (shape, payload, visit, software), percent in share.items()
        ],
        numbers=numbers,
        figure=[
            Curves(
                x=Axis("message size (bytes per pair)", is_logarithmic=True),
                y=Axis("throughput (% of peak)", lowest=0, highest=105),
                curves=[
                    Curve(f"{shape} torus", sizes, [share[shape, size, 1, FITTED] for size in sizes])
                    for shape in ("4x4x2", "8x8x8")
                ],
                levels=[Level("measured: 71 %", 71), Level("measured: 96 %", 96)],
            )
        ],
    )
