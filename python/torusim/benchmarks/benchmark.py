"""Measures the engine's speed on this host: runs of several kinds of traffic, each with its own measurement window.

    cycle 0 ... warm-up, not timed ... | window, until the engine has run for the given seconds | the rest is not run

Only the engine's own loop is timed, and only in the window. A case is the same simulation on every host; the number of
cycles that its window covers depends on the host.
"""

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from torusim import _core
from torusim.runs.peers import started_here
from torusim.runs.scenario import Override, lengths_of_option, printable, resolve


@dataclass(frozen=True)
class Published:
    """The published speed of another simulator under full load.

    Attributes:
        label: Row of the figure in docs/claims.md.
        nodes: Number of simulated nodes.
        microseconds_per_second: Simulated microseconds per second of wall time.
        processors: Number of processors that the simulator ran on.
    """

    label: str
    nodes: int
    microseconds_per_second: float
    processors: int

    def ratio(self, nodes: int, microseconds_per_second: float) -> float:
        """Ratio of a speed to the published one, in node-microseconds per second, for any number of processors."""
        return nodes * microseconds_per_second / (self.nodes * self.microseconds_per_second)


IBM = Published("S31", nodes=32_768, microseconds_per_second=0.25, processors=16)
"""The simulator of Blue Gene/L's designers."""

WARMUP_CYCLES = 30_000
"""At first all nodes send in lockstep: several links of a node are idle at once, which makes arbitration slower. By the
end of the warm-up the effect is gone and the speed is steady."""

LARGE_WARMUP_CYCLES = 5_000
"""Short, so that a large machine is measured within minutes, and 64x32x32 before it blocks. Nodes still send in
lockstep."""

BLOCKED_WARMUP_CYCLES = 80_000
"""By then 32x16x16 is blocked, which changes its speed; blocking sets in after some 30,000 cycles."""

NEIGHBORS_WARMUP_CYCLES = 10_000
"""By then real FIFOs are full, and the speed is steady."""

UNBOUNDED_CYCLES = 10**13
"""Length of the scenario's measurement, of which the window is a part: longer than any host will run."""

UNBOUNDED_PAYLOAD_BYTES = 10**12
"""Payload of a message that no window outlasts: a link carries less than a byte of it in a cycle."""

UNBOUNDED_REPETITIONS = 4_000_000_000
"""Round trips, or exchanges, that no window outlasts: half a day on a fast host."""

LIGHT_LOAD = 0.1

Report = Callable[[str, float], None]
"""Called with the current activity and the completed share of the row, 0 to 1."""


@dataclass(frozen=True)
class Traffic:
    """The traffic of a case: the nodes' packets or messages, the kind of links, and the software.

    Attributes:
        label: The name in the table, such as "random, lossy links"; labels differ.
        workload: The scenario's section `workload`, which does not end before any window.
        machine: Keys of the scenario's section `machine`, without `shape`.
        messaging: The scenario's section `messaging`.
    """

    label: str
    workload: Mapping[str, object]
    machine: Mapping[str, object] = field(default_factory=dict)
    messaging: Mapping[str, object] = field(default_factory=dict)


RANDOM = Traffic("random", {"kind": "uniform-random"})
LOSSY = Traffic("random, lossy links", RANDOM.workload, {"link_errors": {"bit_error_rate": 1e-6}})
NEIGHBORS = Traffic("neighbors", {"kind": "nearest-neighbor", "payload_bytes": UNBOUNDED_PAYLOAD_BYTES})
NEIGHBORS_REAL_FIFOS = Traffic(
    "neighbors, real FIFOs",
    NEIGHBORS.workload,
    {"node": {"write_processor_cycles": 60, "read_processor_cycles": 204, "injection_fifo_bytes": 1024}},
)
HALO = Traffic(
    "halo-3d",
    {"kind": "kernel", "name": "halo-3d", "iterations": UNBOUNDED_REPETITIONS},
    messaging={"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204},
)
PING_PONG = Traffic("ping-pong", {"kind": "ping-pong", "payload_bytes": 16, "repetitions": UNBOUNDED_REPETITIONS})


@dataclass(frozen=True)
class Case:
    """Traffic on a machine, and the number of threads and processes that simulate it.

    Attributes:
        shape: Lengths of the machine's dimensions, such as "8x8x8".
        traffic: The traffic of the nodes.
        load: Offered load of random traffic as a share of the peak. None is as much as the traffic can send: a packet
            is always waiting, or one message at a time is sent.
        threads: Number of threads of the engine in each process, at least 1.
        warmup_cycles: Cycles before the window.
        processes: Number of processes of this computer, at least 1.
    """

    shape: str
    traffic: Traffic = RANDOM
    load: float | None = None
    threads: int = 1
    warmup_cycles: int = WARMUP_CYCLES
    processes: int = 1

    def __str__(self) -> str:
        """The case in words, such as "8x8x8, random, load 0.1, 2 threads"."""
        return f"{self.shape}, {traffic_in_words(self.traffic.label, self.load, self.threads, self.processes)}"

    def is_ibms(self) -> bool:
        """Whether the speed of IBM's simulator was published for this traffic."""
        return self.traffic == RANDOM and self.load is None

    def scenario(self, measure_cycles: int) -> _core.Scenario:
        """The case as a scenario with a measurement of the given length.

        Raises:
            InputError: If the machine or load is invalid, or the machine does not fit in memory; names the option.
        """
        shape = printable(self.shape)
        settings: list[Override] = [
            ("machine.shape", json.dumps(lengths_of_option(shape)), f"--shape {shape}"),
            ("run.stop", json.dumps("measured"), "torusim bench"),
            ("run.warmup_cycles", json.dumps(self.warmup_cycles), f"--warmup {self.warmup_cycles}"),
            ("run.measure_cycles", json.dumps(measure_cycles), "torusim bench"),
        ]
        if self.load is not None:
            settings.append(("workload.load", json.dumps(self.load), f"--load {self.load}"))
        sections = {
            "machine": self.traffic.machine,
            "workload": self.traffic.workload,
            "messaging": self.traffic.messaging,
        }
        return resolve(sections, settings)


@dataclass(frozen=True)
class Row:
    """The measurement of a case.

    Attributes:
        shape: As in the case, like load, threads, processes and warmup_cycles.
        traffic: Label of the case's traffic.
        nodes: Number of nodes of the machine.
        measured_cycles: Cycles that the window covers.
        engine_seconds: Wall time of the engine's loop in the window.
        packet_hops: Link crossings that packets began in the window.
        packet_hops_per_second: The speed in the window.
        packets_delivered: Packets that arrived in the window.
        packets_delivered_per_second: The speed in packets; a message of a ping-pong is one packet.
        link_utilization_mean: Mean link utilization in the window, 0 to 1.
        state_bytes_per_node: Memory of the engine's state.
        simulated_microseconds_per_second: Simulated microseconds per second of engine time.
        times_ibm: Ratio of the speed to that of IBM's simulator, per node; None unless traffic is random at full load.
        instructions_per_hop: Instructions per packet-hop, if they were counted.
        not_counted_because: The reason why instructions were not counted.
        efficiency: The speed, divided by that of one thread and by the number of threads of all processes; None if one
            thread was not measured.
    """

    shape: str
    traffic: str
    load: float | None
    threads: int
    processes: int
    nodes: int
    warmup_cycles: int
    measured_cycles: int
    engine_seconds: float
    packet_hops: int
    packet_hops_per_second: float
    packets_delivered: int
    packets_delivered_per_second: float
    link_utilization_mean: float
    state_bytes_per_node: float
    simulated_microseconds_per_second: float
    times_ibm: float | None
    instructions_per_hop: float | None = None
    not_counted_because: str | None = None
    efficiency: float | None = None


def default_cases(*, large: bool, warmup_cycles: int | None) -> list[Case]:
    """The default cases: random traffic on machines of several sizes, then other traffic; optionally large machines."""
    cases = [
        Case("8x8x8"),
        Case("16x16x16"),
        Case("32x32x32"),
        Case("8x8x8", load=LIGHT_LOAD),
        Case("32x16x16", warmup_cycles=BLOCKED_WARMUP_CYCLES),
        Case("32x32x32", threads=2),
        Case("8x8x8", LOSSY),
        Case("16x16x16", NEIGHBORS, warmup_cycles=NEIGHBORS_WARMUP_CYCLES),
        Case("16x16x16", NEIGHBORS_REAL_FIFOS, warmup_cycles=NEIGHBORS_WARMUP_CYCLES),
        Case("16x16x16", HALO, warmup_cycles=NEIGHBORS_WARMUP_CYCLES),
        Case("8x8x8", PING_PONG),
    ]
    if large:
        cases += [Case(shape, warmup_cycles=LARGE_WARMUP_CYCLES) for shape in ("64x32x32", "128x128x64")]
    if warmup_cycles is None:
        return cases
    return [replace(case, warmup_cycles=warmup_cycles) for case in cases]


def random_cases(
    shapes: list[str],
    loads: list[float | None],
    threads: list[int],
    warmup_cycles: int | None,
    processes: Sequence[int] = (1,),
) -> list[Case]:
    """Random traffic on each of the shapes with each load on each number of processes and threads.

    If there are several processes, one thread is measured first: the efficiency of the others refers to it.
    """
    warmup_cycles = WARMUP_CYCLES if warmup_cycles is None else warmup_cycles
    counts = [(of_process, number) for number in processes for of_process in threads]
    if max(processes) > 1:
        counts = [(1, 1), *(count for count in counts if count != (1, 1))]
    return [
        Case(shape, RANDOM, load, of_process, warmup_cycles, number)
        for shape, load, (of_process, number) in product(shapes, loads, counts)
    ]


def with_efficiency(row: Row, others: Sequence[Row]) -> Row:
    """The row of several processes with its efficiency, if one thread alone is among others of the same simulation."""
    for other in others:
        same = (other.shape, other.traffic, other.load) == (row.shape, row.traffic, row.load)
        if row.processes > 1 and same and other.threads == other.processes == 1:
            speed = other.packet_hops_per_second * row.threads * row.processes
            return replace(row, efficiency=row.packet_hops_per_second / speed)
    return row


def traffic_in_words(label: str, load: float | None, threads: int, processes: int = 1) -> str:
    """The label, the load unless it is full, and the numbers of threads and processes if several, separated by commas.

    For example "random, load 0.1, 2 threads, 4 processes"; threads are those of each process.
    """
    load_words = [] if load is None else [f"load {load:g}"]
    threads_words = [] if threads == 1 else [f"{threads} threads"]
    processes_words = [] if processes == 1 else [f"{processes} processes"]
    return ", ".join([label, *load_words, *threads_words, *processes_words])


def measure(case: Case, seconds: float, report: Report) -> Row:
    """Runs the case's warm-up, then times it until the engine has run for the given seconds."""
    with started_here(case.processes) as peers:
        run = _core.Run(case.scenario(UNBOUNDED_CYCLES), "windowed", case.threads, peers)
        return _measure(run, case, seconds, report)


def _measure(run: _core.Run, case: Case, seconds: float, report: Report) -> Row:
    begin = _advance(
        run,
        lambda now: now.cycle / max(case.warmup_cycles, 1),
        lambda share: report("warming up", share / 2),
    )
    end = _advance(
        run,
        lambda now: (now.engine_seconds - begin.engine_seconds) / seconds,
        lambda share: report("measuring", 0.5 + share / 2),
    )
    summary = json.loads(run.finish(interrupted=not end.done).summary_json())
    return _row(case, begin, end, summary)


def _advance(
    run: _core.Run, share_done: Callable[[_core.Progress], float], report: Callable[[float], None]
) -> _core.Progress:
    """Advances the run until `share_done` is 1, in its smallest steps: some 20 ms; a step ends with the warm-up."""
    while True:
        progress = run.advance(0)
        share = min(share_done(progress), 1.0)
        report(share)
        if share == 1.0 or progress.done:
            return progress


def host() -> dict[str, Any]:
    """The host of the measurements: the processor as the system names it, and the number of cores."""
    return {"processor": _processor(), "cores": os.cpu_count()}


def _row(case: Case, begin: _core.Progress, end: _core.Progress, summary: dict[str, Any]) -> Row:
    engine_seconds = end.engine_seconds - begin.engine_seconds
    packet_hops = end.packet_hops - begin.packet_hops
    packets_delivered = end.packets_delivered - begin.packets_delivered
    microseconds = 1e6 * (end.seconds_simulated - begin.seconds_simulated) / engine_seconds
    return Row(
        shape=case.shape,
        traffic=case.traffic.label,
        load=case.load,
        threads=case.threads,
        processes=case.processes,
        nodes=summary["nodes"],
        warmup_cycles=begin.cycle,
        measured_cycles=end.cycle - begin.cycle,
        engine_seconds=engine_seconds,
        packet_hops=packet_hops,
        packet_hops_per_second=packet_hops / engine_seconds,
        packets_delivered=packets_delivered,
        packets_delivered_per_second=packets_delivered / engine_seconds,
        link_utilization_mean=summary["link_utilization_mean"],
        state_bytes_per_node=summary["peak_memory_bytes"] / summary["nodes"],
        simulated_microseconds_per_second=microseconds,
        times_ibm=IBM.ratio(summary["nodes"], microseconds) if case.is_ibms() else None,
    )


def _processor() -> str:
    for line in _lines(Path("/proc/cpuinfo")):
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
