"""The scenarios with stored digests, and the command that regenerates the file: `python -m tests.golden_digests`.

A digest changes when the model does. The change must be listed in CHANGELOG.md, and the file regenerated.
"""

import json
from collections.abc import Mapping
from typing import Any

import torusim
from tests.support import ROOT
from torusim.cli.vocabulary import catalog

FILE = ROOT / "tests" / "golden-digests.json"

TRACES = ROOT / "crates" / "traces" / "tests" / "data"

STATED: dict[str, Mapping[str, Any]] = {
    "all-to-all on a cube": {
        "machine": {"shape": [4, 4, 4]},
        "workload": {"kind": "all-to-all", "payload_bytes": 720},
    },
    "all-to-all in visits, odd lengths and a mesh": {
        "machine": {"shape": [5, 3, 4], "wrap": [True, True, False]},
        "workload": {
            "kind": "all-to-all",
            "payload_bytes": 1000,
            "packets_per_visit": "all",
            "order": "rotating",
        },
    },
    "sixteen adaptive VCs": {
        "machine": {"shape": [4, 4, 3], "router": {"dynamic_channels": 16, "dynamic_channel_bytes": 256}},
        "workload": {"kind": "uniform-random", "packet_bytes": [32, 256], "high_priority_share": 0.1, "load": 0.9},
        "run": {"warmup_cycles": 2_000, "measure_cycles": 8_000},
    },
    "tornado over random nodes": {
        "machine": {"shape": [5, 4, 3], "wrap": [True, True, False]},
        "workload": {"kind": "tornado", "routing": "valiant", "packets_per_node": 40},
    },
    "tornado with routes chosen at the source": {
        "machine": {"shape": [8, 4], "router": {"escape": "dateline"}},
        "workload": {"kind": "tornado", "routing": "ugal", "packets_per_node": 60},
    },
    "full random load, one adaptive VC": {
        "machine": {
            "shape": [8, 4, 4],
            "router": {"dynamic_channels": 1, "dynamic_channel_bytes": 2048, "bypass": False},
        },
        "workload": {"kind": "uniform-random"},
        "run": {"warmup_cycles": 2_000, "measure_cycles": 8_000},
    },
    "mixed sizes and priorities in six dimensions": {
        "machine": {"shape": [3, 2, 2, 1, 2, 4], "wrap": [True, True, False, True, True, True]},
        "workload": {
            "kind": "uniform-random",
            "load": 0.7,
            "packet_bytes": [32, 256],
            "high_priority_share": 0.1,
        },
        "run": {"warmup_cycles": 2_000, "measure_cycles": 8_000},
    },
    "hot spot with software on two cores": {
        "machine": {
            "shape": [4, 4, 4],
            "node": {
                "cores": 2,
                "write_processor_cycles": 60,
                "read_processor_cycles": 196,
                "injection_fifo_bytes": 1024,
                "fifo_choice": "by-direction",
            },
        },
        "workload": {"kind": "hot-spot", "packets_per_pair": 12},
    },
    "deterministic transpose": {
        "machine": {"shape": [4, 4, 4], "router": {"transfer_paths": 1, "in_network_share": 0.5}},
        "workload": {"kind": "transpose", "packets_per_node": 60, "routing": "deterministic"},
    },
    "true sizes on the bubble": {
        "machine": {
            "shape": [4, 1, 1],
            "router": {"bubble_rule": "true-size", "in_network_share": 0.0},
        },
        "workload": {
            "kind": "shift",
            "offset": [3, 0, 0],
            "routing": "deterministic",
            "packet_bytes": [32, 256],
        },
        "run": {"stop": "measured", "warmup_cycles": 0, "measure_cycles": 8_000},
    },
    "a trace of all calls of liballprof": {
        "machine": {"shape": [2, 2, 2]},
        "workload": {"kind": "trace", "path": str(TRACES / "calls")},
    },
    "a trace that is a graph": {
        "machine": {"shape": [3, 2]},
        "workload": {"kind": "trace", "path": str(TRACES / "goal")},
        "messaging": {"costs": "october-2003"},
    },
    "all-to-all over lossy links": {
        "machine": {"shape": [4, 3, 2], "link_errors": {"bit_error_rate": 1e-5}},
        "workload": {"kind": "all-to-all", "payload_bytes": 1200},
    },
    "random load over links with acknowledgements of their own": {
        "machine": {
            "shape": [4, 4],
            "link_errors": {"bit_error_rate": 1e-4, "explicit_acks": True, "retransmission_fifo_bytes": 1024},
        },
        "workload": {"kind": "uniform-random", "load": 0.8, "packet_bytes": [32, 256]},
        "run": {"warmup_cycles": 2_000, "measure_cycles": 8_000},
    },
    "ping-pong of several packets": {
        "machine": {"shape": [8, 8, 8]},
        "workload": {"kind": "ping-pong", "hops": 7, "payload_bytes": 1000, "repetitions": 5},
    },
    "broadcast over a machine, forwarded at corners by two cores": {
        "machine": {
            "shape": [4, 3, 5],
            "node": {"cores": 2, "write_processor_cycles": 60, "read_processor_cycles": 196},
        },
        "workload": {"kind": "torus-broadcast", "payload_bytes": 72_000},
    },
    "paced ping-pong": {
        "machine": {"shape": [8, 8, 8], "node": {"injection_window_packets": 2}},
        "workload": {"kind": "ping-pong", "hops": 7, "payload_bytes": 2000, "repetitions": 5},
    },
    "halo-3d without costs": {
        "machine": {"shape": [4, 3, 2], "node": {"cores": 2}},
        "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 3000, "iterations": 3},
        "messaging": {"costs": "none"},
    },
    "halo-3d with costs": {
        "machine": {"shape": [4, 3, 2], "node": {"injection_fifo_bytes": 1024}},
        "workload": {"kind": "kernel", "name": "halo-3d"},
        "messaging": {"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204},
    },
    "kernel ping-pong between the last two nodes that are left": {
        "machine": {"shape": [4], "dead_nodes": [[0], [1]]},
        "workload": {"kind": "kernel", "name": "ping-pong", "bytes": 300, "iterations": 5},
        "messaging": {"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204},
    },
    "six-way-send from real FIFOs": {
        "machine": {"shape": [4, 3, 2], "node": {"injection_fifo_bytes": 1024}},
        "workload": {"kind": "kernel", "name": "six-way-send", "bytes": 5000, "iterations": 3},
        "messaging": {"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204},
    },
    "six-way-receive in the middle of a mesh": {
        "machine": {"shape": [3, 3, 3], "wrap": False},
        "workload": {"kind": "kernel", "name": "six-way-receive", "bytes": 5000, "iterations": 3},
        "messaging": {"costs": "none", "read_processor_cycles": 350},
    },
    "halo-2d on cores of a torus of three dimensions": {
        "machine": {"shape": [4, 3, 2], "node": {"cores": 2}},
        "workload": {"kind": "kernel", "name": "halo-2d"},
        "messaging": {"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204},
    },
    "halo-3d of October 2003": {
        "machine": {"shape": [4, 3, 2], "node": {"injection_fifo_bytes": 1024}},
        "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 3000, "iterations": 3},
    },
    "halo-3d of October 2003, with a co-processor and message credits": {
        "machine": {"shape": [4, 3, 2], "mode": "co-processor"},
        "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 3000, "iterations": 3},
        "messaging": {"protocol": "eager-adaptive", "message_credits": 2},
    },
    "halo-3d by rendezvous in virtual-node mode": {
        "machine": {"shape": [4, 3, 2], "mode": "virtual-node"},
        "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 3000, "iterations": 3},
        "messaging": {"protocol": "rendezvous"},
    },
    "all-reduce by buckets in segments": {
        "machine": {"shape": [4, 3, 2], "node": {"fifo_choice": "by-direction"}},
        "workload": {
            "kind": "collective",
            "algorithm": "bucket",
            "bytes": 40_000,
            "segment_bytes": 600,
            "repetitions": 2,
        },
        "messaging": {"costs": "none"},
    },
    "all-to-all in two phases on both cores, October 2003": {
        "machine": {"shape": [4, 2, 2], "node": {"cores": 2}},
        "workload": {
            "kind": "collective",
            "operation": "all-to-all",
            "algorithm": "two-phase",
            "bytes": 9_600,
        },
    },
    "direct all-to-alls in planes by rendezvous": {
        "machine": {"shape": [4, 3, 2]},
        "workload": {
            "kind": "collective",
            "operation": "all-to-all",
            "algorithm": "direct",
            "bytes": 6_000,
            "over": ["x", "y"],
        },
        "messaging": {"costs": "none", "protocol": "rendezvous"},
    },
    "reduce-scatter by Swing": {
        "machine": {"shape": [4, 8]},
        "workload": {
            "kind": "collective",
            "operation": "reduce-scatter",
            "algorithm": "swing",
            "bytes": 32_000,
        },
    },
    "red-blue broadcast from within a mesh": {
        "machine": {"shape": [5, 4], "wrap": False},
        "workload": {
            "kind": "collective",
            "operation": "broadcast",
            "algorithm": "red-blue",
            "bytes": 24_000,
            "segment_bytes": 1_200,
            "root": 7,
        },
    },
    "broadcast along lines, from the second core of a node, October 2003": {
        "machine": {"shape": [4, 3, 2], "node": {"cores": 2}},
        "workload": {
            "kind": "collective",
            "operation": "broadcast",
            "algorithm": "deposit",
            "bytes": 24_000,
            "segment_bytes": 1_200,
            "root": 31,
        },
    },
    "broadcasts along the lines of planes that do not wrap, by free software": {
        "machine": {"shape": [5, 3, 2], "wrap": [False, True, True]},
        "workload": {
            "kind": "collective",
            "operation": "broadcast",
            "algorithm": "deposit",
            "bytes": 12_000,
            "over": ["x", "y"],
            "root": 7,
            "repetitions": 2,
        },
        "messaging": {"costs": "none"},
    },
    "NAS benchmark CG": {
        "machine": {"shape": [4, 2]},
        "workload": {"kind": "kernel", "name": "nas-cg", "class": "S", "iterations": 1},
    },
    "NAS benchmark MG, whose coarse grids have fewer points than ranks": {
        "machine": {"shape": [4, 3, 2], "node": {"cores": 2}},
        "workload": {"kind": "kernel", "name": "nas-mg", "class": "S", "iterations": 1},
    },
    "Fourier transform on pencils": {
        "machine": {"shape": [4, 3, 2]},
        "workload": {"kind": "kernel", "name": "fft-3d", "n": [24, 12, 36], "iterations": 2},
        "messaging": {"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204},
    },
    "NAS benchmark SP by rendezvous": {
        "machine": {"shape": [3, 3]},
        "workload": {"kind": "kernel", "name": "nas-sp", "class": "S", "iterations": 2},
        "messaging": {"protocol": "rendezvous"},
    },
    "Sweep3D that computes": {
        "machine": {"shape": [3, 4]},
        "workload": {
            "kind": "kernel",
            "name": "sweep3d",
            "nz": 25,
            "mk": 10,
            "iterations": 1,
            "compute_processor_cycles": 100_000,
        },
    },
    "effective bandwidth": {
        "machine": {"shape": [3, 2]},
        "workload": {"kind": "kernel", "name": "b-eff", "longest_bytes": 4096, "random_patterns": 1},
    },
    "all-reduce of floating-point numbers on the tree network, October 2003": {
        "machine": {"shape": [4, 3, 2], "node": {"cores": 2}},
        "workload": {
            "kind": "collective",
            "operation": "all-reduce",
            "algorithm": "tree-network",
            "operands": "floating",
            "bytes": 6_000,
            "repetitions": 2,
        },
    },
    "barriers by the global interrupts among dead nodes": {
        "machine": {"preset": "bluegene-p", "shape": [4, 4, 2], "dead_nodes": [[1, 0, 1], [3, 3, 0]]},
        "workload": {
            "kind": "collective",
            "operation": "barrier",
            "algorithm": "interrupts",
            "repetitions": 6,
        },
        "messaging": {"costs": "none"},
    },
    "paced all-to-all by way of relays": {
        "machine": {
            "shape": [4, 3, 4],
            "dead_nodes": [[1, 0, 2], [3, 0, 2], [3, 1, 1]],
            "without_clean_escape": "relay",
            "node": {"injection_window_packets": 3},
        },
        "workload": {"kind": "all-to-all", "payload_bytes": 720},
    },
}

SMALL = {"class": "S", "iterations": 1}


def _small(kernel: Mapping[str, Any]) -> Mapping[str, Any]:
    """A scenario of a kernel."""
    keys = {key["name"]: SMALL[key["name"]] for key in kernel["parameters"] if key["name"] in SMALL}
    return {"machine": {"shape": [3, 3]}, "workload": {"kind": "kernel", "name": kernel["name"], **keys}}


_NAMES = {scenario["workload"].get("name") for scenario in STATED.values()}
SCENARIOS = STATED | {f"kernel {of['name']}": _small(of) for of in catalog()["kernels"] if of["name"] not in _NAMES}
"""The stated scenarios, and one of each kernel that has none."""


def digest(name: str, engine: str = "reference", threads: int = 1) -> str:
    """The digests of a scenario's run: of its packets, and of the operations of its ranks if it has any."""
    return digests_of(torusim.run(SCENARIOS[name], engine=engine, threads=threads))


def digests_of(result: torusim.Result) -> str:
    """The digests of a result, as they are stored."""
    summary = result.summary
    return " ".join(str(summary[key]) for key in ("digest", "operations_digest") if key in summary)


def kept() -> dict[str, str]:
    """The digests stored in the file."""
    digests: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return digests


if __name__ == "__main__":
    digests = {name: digest(name) for name in SCENARIOS}
    FILE.write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")
