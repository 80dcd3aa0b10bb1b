"""Computation during an exchange of long messages: with a DMA engine or without, with interrupts or without."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from torusim.api import run_program
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.programs import Bytes, Comm
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale

PRESET = "bluegene-p"
SHAPE = [2, 2, 2]

INTERRUPTED, POLLED = "interrupts", "polling"
CORES_INTERRUPTED, CORES_POLLED = "cores alone, interrupts", "cores alone, polling"
CORES_REFILLING, CORES_FREE = "cores alone, interrupts of both FIFOs", "the same, interrupts that take no time"
FIRST_PACKET = 32
"""Bytes of the shortest packet: a watermark at which any packet interrupts."""
HALF_FIFO = 512
"""Half of what a core keeps in an infinite injection FIFO, in bytes: it interrupts the core that has more for it."""

BOTH_FIFOS = {"dma": False, "watermark_bytes": FIRST_PACKET, "injection_watermark_bytes": HALF_FIFO}

MODES: Mapping[str, Mapping[str, Any]] = {
    INTERRUPTED: {"watermark_bytes": FIRST_PACKET},
    POLLED: {},
    CORES_INTERRUPTED: {"dma": False, "watermark_bytes": FIRST_PACKET},
    CORES_REFILLING: BOTH_FIFOS,
    CORES_FREE: {**BOTH_FIFOS, "interrupt_processor_cycles": 0},
    CORES_POLLED: {"dma": False},
}
"""Settings of messages, by who moves packets and whether they interrupt."""

SHARES = (0.5, 1.0, 2.0)
"""Times of computation, in times of the exchange without computation."""

Times = Mapping[tuple[str, int, float], float]
"""Time of an exchange and its computation, in times of the exchange alone, by mode, size and share."""


def points(scale: Scale) -> Iterator[Point]:
    """All sizes in all modes; each point runs the exchange alone and with the computations."""
    for mode in MODES:
        for size in scale["sizes"]:
            yield scale.call({"mode": mode, "bytes": size}, "with_computation", {"mode": mode, "bytes": size})


def with_computation(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """The times of an exchange with each share of computation, in times of the exchange alone."""
    measured = partial(seconds, mode=arguments["mode"], size=arguments["bytes"])
    alone = measured(compute=0.0)
    times = {f"{share}": measured(compute=share * alone) / alone for share in SHARES}
    return {"summary": {"alone_us": 1e6 * alone, **times}, "tables": {}}


def seconds(mode: str, size: int, compute: float) -> float:
    """The time until both ranks have what they wait for."""
    result = run_program(
        partial(exchange, size=size, compute=compute),
        ranks=2,
        machine={"preset": PRESET, "shape": SHAPE},
        messaging=MODES[mode],
    )
    return float(max(result.returns))


async def exchange(comm: Comm, size: int, compute: float) -> float:
    """Receives and sends without blocking, computes, and waits; returns the time that this takes."""
    await comm.barrier()
    begin, other = comm.time(), 1 - comm.rank
    requests = [await comm.irecv(source=other), await comm.isend(Bytes(size), dest=other)]
    if compute:
        await comm.compute(compute)
    await comm.waitall(requests)
    return comm.time() - begin


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The longest times over all sizes with interrupts, the shortest with polling, and both against cores alone."""
    times: Times = {
        (point.labels["mode"], point.labels["bytes"], share): float(point.summary[f"{share}"])
        for point in points
        for share in SHARES
    }
    alone = {(point.labels["mode"], point.labels["bytes"]): float(point.summary["alone_us"]) for point in points}
    sizes = sorted({size for _, size, _ in times})
    over_cores = [
        times[INTERRUPTED, size, 1.0]
        * alone[INTERRUPTED, size]
        / (times[CORES_INTERRUPTED, size, 1.0] * alone[CORES_INTERRUPTED, size])
        for size in sizes
    ]
    return Findings(
        rows=[row(times, alone, mode, size) for mode in MODES for size in sizes],
        numbers={
            **{f"interrupts_{name}": longest(times, INTERRUPTED, share) for name, share in names()},
            **{f"polling_{name}": shortest(times, POLLED, share) for name, share in names()},
            "engine_over_cores": max(over_cores),
            "refilling_once": longest(times, CORES_REFILLING, 1.0),
            "free_once": longest(times, CORES_FREE, 1.0),
        },
        figure=[panel(times, sizes[-1])],
    )


def names() -> Iterator[tuple[str, float]]:
    """The shares with their names in claims."""
    return zip(("half", "once", "twice"), SHARES, strict=True)


def longest(times: Times, mode: str, share: float) -> float:
    """The longest time over all sizes."""
    return max(time for (of, _, with_share), time in times.items() if (of, with_share) == (mode, share))


def shortest(times: Times, mode: str, share: float) -> float:
    """The shortest time over all sizes."""
    return min(time for (of, _, with_share), time in times.items() if (of, with_share) == (mode, share))


def row(times: Times, alone: Mapping[tuple[str, int], float], mode: str, size: int) -> dict[str, Any]:
    """A mode and a size as a row of the table."""
    computing = {f"computing {share:g} times that (times)": times[mode, size, share] for share in SHARES}
    return {"packets": mode, "bytes": size, "exchange alone (µs)": alone[mode, size], **computing}


def panel(times: Times, size: int) -> Curves:
    """The time by the share of computation, for one size."""
    shares = [0.0, *SHARES]
    return Curves(
        x=Axis("computation (times of the exchange)", lowest=0),
        y=Axis("time (times of the exchange)", lowest=0),
        curves=[Curve(mode, shares, [1.0, *(times[mode, size, share] for share in SHARES)]) for mode in MODES],
        title=f"Messages of {size:,} bytes",
    )
