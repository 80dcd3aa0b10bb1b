"""Collective networks: latencies over the largest machines, rates, and the danger of deadlock."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

from torusim.api import run_program
from torusim.programs import Bytes, Comm
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim_studies.presets import depth, machine, tree_packet_cycles

PRESET = "bluegene-l"
"""The machine of all runs but those on Blue Gene/P's interrupts."""

ONE_WAY = "tree, one way"
THERE_AND_BACK = "tree, there and back"
WIRES = "interrupts"
WIRES_OF_P = "interrupts, Blue Gene/P"

LATENCIES: Mapping[str, tuple[str, Sequence[int], str, str]] = {
    ONE_WAY: (PRESET, (64, 32, 32), "broadcast", "tree-network"),
    THERE_AND_BACK: (PRESET, (64, 32, 32), "barrier", "tree-network"),
    WIRES: (PRESET, (64, 32, 32), "barrier", "interrupts"),
    WIRES_OF_P: ("bluegene-p", (72, 32, 32), "barrier", "interrupts"),
}
"""(machine, shape, operation, algorithm) of each run."""

BROADCAST, INTEGER, FLOATING = "broadcast", "all-reduce", "all-reduce, floating"
BROADCAST_OF_P, WITH_SLOW_DMA = "broadcast, Blue Gene/P", "broadcast, Blue Gene/P, slow DMA engine"
PRESET_OF_P = "bluegene-p"
SLOW_DMA = {"processor_cycles_per_chunk": 60}
"""A DMA engine ten times slower than the preset's, which cores do not need to move packets of the tree."""

INTEGER_WITH_COSTS, FLOATING_WITH_COSTS = "all-reduce, October 2003", "all-reduce, floating, October 2003"
BARRIERS = {
    "barrier, dissemination, October 2003": "dissemination",
    "barrier, tree, October 2003": "tree-network",
    "barrier, interrupts, October 2003": "interrupts",
}

WITH_COSTS = {"costs": "october-2003", "call_processor_cycles": 245}

SHORT, LONG = 1_024, 65_536
CROSSED = {
    "short, on the tree": ("all-networks", SHORT),
    "long, on the tree": ("all-networks", LONG),
    "long, on the torus": ("torus", LONG),
}
"""Networks and bytes of a broadcast that one rank begins after it has received a message."""


def points(scale: Scale) -> Iterator[Point]:
    """Latencies on the largest machines; rates and barriers on a midplane; crossed calls of four ranks."""
    for name, (preset, shape, operation, algorithm) in LATENCIES.items():
        yield scale.point(
            {"name": name},
            machine={"preset": preset, "shape": list(shape)},
            workload={"operation": operation, "algorithm": algorithm, "bytes": 0},
        )
    for name in (BROADCAST, INTEGER, FLOATING, INTEGER_WITH_COSTS, FLOATING_WITH_COSTS):
        yield scale.point(
            {"name": name},
            machine={"shape": [8, 8, 8]},
            workload={
                "operation": name.partition(",")[0],
                "algorithm": "tree-network",
                "bytes": scale["bytes"],
                "operands": "floating" if "floating" in name else "integer",
            },
            messaging=WITH_COSTS if "October" in name else {},
        )
    for name, changes in ((BROADCAST_OF_P, {}), (WITH_SLOW_DMA, {"dma": SLOW_DMA})):
        yield scale.point(
            {"name": name},
            machine={"preset": PRESET_OF_P, "shape": [8, 8, 8], **changes},
            workload={"operation": "broadcast", "algorithm": "tree-network", "bytes": scale["bytes"]},
        )
    for name, algorithm in BARRIERS.items():
        yield scale.point(
            {"name": name},
            machine={"shape": [8, 8, 8]},
            workload={"operation": "barrier", "algorithm": algorithm},
            messaging=WITH_COSTS,
        )
    for name, (networks, size) in CROSSED.items():
        yield scale.call({"name": name}, "crossed", {"networks": networks, "bytes": size})


def crossed(arguments: Mapping[str, Any], _report: Report) -> Finished:
    """Rank 0 broadcasts and then sends to rank 1, which receives that before it takes part in the broadcast."""

    async def main(comm: Comm) -> None:
        if comm.rank == 1:
            await comm.recv(source=0)
        await comm.bcast(Bytes(arguments["bytes"]) if comm.rank == 0 else None, root=0)
        if comm.rank == 0:
            await comm.send(Bytes(8), dest=1)

    messaging = {"world_collectives": arguments["networks"]}
    result = run_program(main, ranks=4, machine={"preset": PRESET, "shape": [4]}, messaging=messaging)
    return {"summary": {"shape": result.summary["shape"], "outcome": result.outcome}, "tables": {}}


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Latencies and rates in the machine's units, and how far they are from their formulas."""
    of = {point.labels["name"]: point.summary for point in points}
    free = {name: of[name] for name in (*LATENCIES, BROADCAST, INTEGER, FLOATING)}
    outcomes = [of[name]["outcome"] for name in CROSSED]
    return Findings(
        rows=[row(point.labels["name"], point.summary) for point in points],
        numbers={
            "one_way_us": microseconds(of[ONE_WAY]),
            "barrier_us": microseconds(of[WIRES]),
            "barrier_of_p_us": microseconds(of[WIRES_OF_P]),
            "broadcast_mb_s": of[BROADCAST]["algorithm_megabytes_per_second"],
            "broadcast_of_p_mb_s": of[BROADCAST_OF_P]["algorithm_megabytes_per_second"],
            "tree_with_slow_dma": cycles(of[WITH_SLOW_DMA]) / cycles(of[BROADCAST_OF_P]),
            "floating_over_integer": cycles(of[FLOATING]) / cycles(of[INTEGER]),
            "off_formula_percent": max(off_percent(name, summary) for name, summary in free.items()),
            "core_does_not_read": float(outcomes == ["completed", "stuck", "completed"]),
        },
        figure=[],
    )


def row(name: str, summary: Mapping[str, Any]) -> dict[str, Any]:
    """A run as a row of the table."""
    has_cycles = "collective_cycles_max" in summary
    return {
        "run": name,
        "shape": summary["shape"],
        "outcome": summary["outcome"],
        "cycles": cycles(summary) if has_cycles else None,
        "time (us)": microseconds(summary) if has_cycles else None,
        "data (MB/s)": summary.get("algorithm_megabytes_per_second"),
        "hops on the tree": summary.get("tree_packet_hops"),
    }


def cycles(summary: Mapping[str, Any]) -> float:
    """The network cycles of the slowest rank."""
    return float(summary["collective_cycles_max"])


def microseconds(summary: Mapping[str, Any]) -> float:
    """The time of the slowest rank, in microseconds of the machine."""
    return 1e6 * cycles(summary) * float(summary["seconds_simulated"]) / float(summary["cycles"])


def off_percent(name: str, summary: Mapping[str, Any]) -> float:
    """The percentage by which a run differs from its formula (docs/models/tree-network.md)."""
    nodes = summary["nodes"]
    if name in (WIRES, WIRES_OF_P):
        wires = machine(LATENCIES[name][0])["interrupts"]
        there_and_back = wires["up_latency_cycles"] + wires["down_latency_cycles"]
        expected = depth(nodes, wires["arity"]) * there_and_back + 1
    else:
        tree = machine(PRESET)["tree"]
        size = (summary["algorithm_megabytes_per_second"] or 0) * microseconds(summary)
        packets = max(1, ceil(round(size) / tree["payload_bytes"])) * (2 if name == FLOATING else 1)
        ways = 1 if name in (ONE_WAY, BROADCAST) else 2
        expected = ways * depth(nodes, tree["arity"]) * tree["hop_latency_cycles"] + packets * tree_packet_cycles(
            PRESET
        )
    return float(100 * abs(cycles(summary) / expected - 1))
