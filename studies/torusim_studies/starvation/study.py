"""A rank that receives in turn from two others, one of which starves: with and without flow control."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torusim.api import run_program
from torusim.pictures.figures import Axis, Curve, Curves
from torusim.programs import Bytes, Comm
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale

NEARER, FARTHER = 1, 2
"""Ranks, at the same x."""

NO_FLOW_CONTROL, UNLIMITED = "no flow control", "no flow control, any memory"
CREDITS = {f"message credits: {count}": count for count in (1, 4, 16)}

MESSAGING: Mapping[str, Mapping[str, Any]] = {
    NO_FLOW_CONTROL: {},
    "no flow control, in order (October 2003)": {"protocol": "eager-deterministic"},
    UNLIMITED: {"unexpected_limit_bytes": 2**40},
    **{name: {"message_credits": count} for name, count in CREDITS.items()},
    "rendezvous": {"protocol": "rendezvous"},
}

PLOTTED = (NO_FLOW_CONTROL, UNLIMITED, "message credits: 4")
POINTS_OF_A_CURVE = 100


def points(scale: Scale) -> Iterator[Point]:
    """One run for each form of flow control."""
    for name, messaging in MESSAGING.items():
        settings = {"costs": "october-2003", "protocol": "eager-adaptive", **messaging}
        arguments = {"messages": scale["messages"], "bytes": scale["bytes"], "messaging": settings}
        yield scale.call({"variant": name}, "crash", arguments)


def crash(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Runs the slides' program: its outcome, and the times at which messages had been sent."""
    sent: dict[int, list[float]] = {NEARER: [], FARTHER: []}

    async def main(comm: Comm) -> None:
        for _ in range(arguments["messages"]):
            if comm.rank == 0:
                await comm.recv(source=FARTHER)
                await comm.recv(source=NEARER)
            else:
                await comm.send(Bytes(arguments["bytes"]), dest=0)
                sent[comm.rank].append(comm.time())

    machine = {"preset": "bluegene-l", "shape": [8]}
    result = run_program(main, ranks=3, machine=machine, messaging=arguments["messaging"])
    detail = result.summary["outcome_detail"] or {}
    every = max(1, arguments["messages"] // POINTS_OF_A_CURVE)
    shown = [(rank, number) for rank, times in sent.items() for number in range(0, len(times), every)]
    return {
        "summary": {
            "outcome": result.outcome,
            "rank": detail.get("rank"),
            "seconds": result.summary["seconds_simulated"],
            "nearer_bytes": arguments["bytes"] * len(sent[NEARER]),
            "farther_bytes": arguments["bytes"] * len(sent[FARTHER]),
        },
        "tables": {
            "sent": {
                "rank": [rank for rank, _ in shown],
                "milliseconds": [1e3 * sent[rank][number] for rank, number in shown],
                "megabytes": [arguments["bytes"] * (number + 1) / 1e6 for _, number in shown],
            }
        },
    }


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The outcome of each run, and the messages that either rank had sent by then."""
    runs = {point.labels["variant"]: point.summary for point in points}
    first = runs[NO_FLOW_CONTROL]
    with_credits = [runs[name]["outcome"] for name in CREDITS]
    return Findings(
        rows=[row(name, run) for name, run in runs.items()],
        numbers={
            "rank_0_out_of_memory": float((first["outcome"], first["rank"]) == ("out-of-memory", 0)),
            "farther_mb": first["farther_bytes"] / 1e6,
            "farther_over_nearer": first["farther_bytes"] / max(first["nearer_bytes"], 1),
            "completed_with_credits": float(with_credits.count("completed")),
        },
        figure=[panel(point) for point in points if point.labels["variant"] in PLOTTED],
    )


def row(name: str, run: Mapping[str, Any]) -> dict[str, Any]:
    """A run as a row of the table."""
    megabytes = (run["nearer_bytes"] + run["farther_bytes"]) / 1e6
    return {
        "flow control": name,
        "outcome": run["outcome"],
        "rank": run["rank"],
        "time (ms)": 1e3 * run["seconds"],
        "sent by the farther rank (MB)": run["farther_bytes"] / 1e6,
        "sent by the nearer rank (MB)": run["nearer_bytes"] / 1e6,
        "both (MB/s)": megabytes / run["seconds"],
    }


def panel(point: FinishedPoint) -> Curves:
    """The messages that both ranks had sent, over time."""
    sent = point.tables["sent"]
    rows = list(zip(sent["rank"], sent["milliseconds"], sent["megabytes"], strict=True))

    def curve(label: str, rank: int) -> Curve:
        own = [(time, megabytes) for of, time, megabytes in rows if of == rank]
        return Curve(label, [time for time, _ in own], [megabytes for _, megabytes in own], has_marks=False)

    return Curves(
        x=Axis("time (ms)", lowest=0),
        y=Axis("sent (MB)", lowest=0),
        curves=[curve("farther rank", FARTHER), curve("nearer rank", NEARER)],
        title=f"{point.labels['variant']}: {point.summary['outcome']}",
    )
