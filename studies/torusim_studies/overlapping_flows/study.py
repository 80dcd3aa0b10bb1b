"""Two flows that overlap on one link: the one that passes through it, and the one that begins there."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from torusim.api import run_program
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.programs import Bytes, Comm
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale

THROUGH, LOCAL = (0, 3), (1, 2)
"""The flows by sender and receiver; ranks are in a row, one on each node."""

RANKS = 4
SHAPE = (8, 8, 8)

TOGETHER, INJECTED_FIRST, HALF, DRAWN = "both", "both, injected first", "both, half", "both, drawn"
THROUGH_ALONE, LOCAL_ALONE = "P0-P3 alone", "P1-P2 alone"

RUNS: Mapping[str, tuple[Sequence[tuple[int, int]], Mapping[str, float]]] = {
    TOGETHER: ((THROUGH, LOCAL), {}),
    THROUGH_ALONE: ((THROUGH,), {}),
    LOCAL_ALONE: ((LOCAL,), {}),
    INJECTED_FIRST: ((THROUGH, LOCAL), {"in_network_share": 0.0}),
    HALF: ((THROUGH, LOCAL), {"in_network_share": 0.5}),
    DRAWN: ((THROUGH, LOCAL), {"in_network_share": 0.5, "serve_longest_queue_share": 0.0}),
}
"""Flows of each run, and the changes of the router: packets in the network are preferred in no cycle or in half of
them, and then the fullest queue is not preferred either."""

PANELS = {
    TOGETHER: "packets in the network first",
    INJECTED_FIRST: "injected packets first",
    HALF: "either first, in half of the cycles",
}
"""Titles of the runs that are drawn."""

Bandwidths = Mapping[tuple[str, int], Mapping[str, float]]
"""MB/s of each flow, and of both as long as both last, by run and size."""


def points(scale: Scale) -> Iterator[Point]:
    """A program for each run and size."""
    for name, (flows, router) in RUNS.items():
        for size in scale["sizes"]:
            arguments = {"flows": flows, "router": router, "bytes": size, "messages": scale["messages"]}
            yield scale.call({"run": name, "bytes": size}, "bandwidths", arguments)


def bandwidths(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Runs the flows: MB/s of each over all messages, and until the first of them ends."""
    flows = [tuple(flow) for flow in arguments["flows"]]
    result = run_program(
        partial(send, flows=flows, size=arguments["bytes"], messages=arguments["messages"]),
        ranks=RANKS,
        machine={"preset": "bluegene-p", "shape": list(SHAPE), "router": arguments["router"]},
    )
    arrivals = {name_of(flow): result.returns[flow[1]] for flow in flows}
    first_end = min(times[-1] for times in arrivals.values())
    summary = {}
    for name, times in arrivals.items():
        before = [time for time in times if time <= first_end]
        summary[name] = rate(len(times), arguments["bytes"], times[-1])
        summary[f"{name} while both"] = rate(len(before), arguments["bytes"], first_end)
    return {"summary": summary, "tables": {}}


def name_of(flow: tuple[int, int]) -> str:
    """A flow such as P0-P3."""
    return "P{}-P{}".format(*flow)


def rate(messages: int, size: int, seconds: float) -> float:
    """MB/s."""
    return messages * size / seconds / 1e6


async def send(comm: Comm, flows: Sequence[tuple[int, int]], size: int, messages: int) -> list[float]:
    """A sender posts all messages; a receiver notes when each has arrived."""
    arrivals = []
    for source, target in flows:
        if comm.rank == source:
            await comm.waitall([await comm.isend(Bytes(size), dest=target) for _ in range(messages)])
        elif comm.rank == target:
            for request in [await comm.irecv(source=source) for _ in range(messages)]:
                await comm.wait(request)
                arrivals.append(comm.time())
    return arrivals


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Bandwidths by size, and the share that remains of them with the longest messages."""
    of = {(point.labels["run"], point.labels["bytes"]): point.summary for point in points}
    sizes = list(dict.fromkeys(size for _, size in of))
    through, local = name_of(THROUGH), name_of(LOCAL)
    longest = max(sizes)
    both = of[TOGETHER, longest]
    through_alone, local_alone = of[THROUGH_ALONE, longest][through], of[LOCAL_ALONE, longest][local]
    return Findings(
        rows=[row(of, size) for size in sizes],
        numbers={
            "through_percent": 100 * both[through] / through_alone,
            "local_percent": 100 * both[local] / local_alone,
            "local_percent_while_both": 100 * both[f"{local} while both"] / local_alone,
            "fair_difference_percent": 100 * difference(of[HALF, longest]) / local_alone,
            "reversed_percent": 100 * of[INJECTED_FIRST, longest][f"{through} while both"] / through_alone,
            "drawn_difference_percent": 100 * difference(of[DRAWN, longest]) / local_alone,
        },
        figure=[panel(of, sizes, run, title) for run, title in PANELS.items()],
    )


def difference(bandwidths: Mapping[str, float]) -> float:
    """MB/s by which the flows differ as long as both last."""
    return abs(bandwidths[f"{name_of(THROUGH)} while both"] - bandwidths[f"{name_of(LOCAL)} while both"])


def row(of: Bandwidths, size: int) -> dict[str, Any]:
    """The bandwidths with messages of one size."""
    through, local = name_of(THROUGH), name_of(LOCAL)
    return {
        "message (bytes)": size,
        "P0-P3 alone (MB/s)": of[THROUGH_ALONE, size][through],
        "P0-P3 (MB/s)": of[TOGETHER, size][through],
        "P1-P2 alone (MB/s)": of[LOCAL_ALONE, size][local],
        "P1-P2 (MB/s)": of[TOGETHER, size][local],
        "P1-P2 while both (MB/s)": of[TOGETHER, size][f"{local} while both"],
        **{
            f"{run[6:]}: {flow} while both (MB/s)": of[run, size][f"{flow} while both"]
            for run in (INJECTED_FIRST, HALF, DRAWN)
            for flow in (through, local)
        },
    }


def panel(of: Bandwidths, sizes: Sequence[int], run: str, title: str) -> Curves:
    """Bandwidth by size of message."""
    through, local = name_of(THROUGH), name_of(LOCAL)
    return Curves(
        x=Axis("message (bytes)", is_logarithmic=True),
        y=Axis("bandwidth (MB/s)", lowest=0),
        curves=[
            Curve("no overlap", sizes, [of[THROUGH_ALONE, size][through] for size in sizes]),
            Curve(through, sizes, [of[run, size][through] for size in sizes]),
            Curve(local, sizes, [of[run, size][local] for size in sizes]),
        ],
        title=title,
    )
