"""Numbers of the presets, from which studies compute expected values."""

import json
from collections.abc import Mapping
from functools import cache
from math import ceil
from typing import Any

from torusim.runs.scenario import resolve


@cache
def machine(preset: str) -> Mapping[str, Any]:
    """The section `machine` of a scenario with this preset, all values written out."""
    scenario = {"machine": {"preset": preset, "shape": [2]}, "workload": {"kind": "uniform-random"}}
    section: Mapping[str, Any] = json.loads(resolve(scenario, []).to_json())["machine"]
    return section


def tree_packet_cycles(preset: str) -> int:
    """Cycles for which a packet holds a link of the tree network (docs/models/tree-network.md)."""
    tree = machine(preset)["tree"]
    cycles: int = ceil((tree["payload_bytes"] + tree["overhead_bytes"]) / tree["bytes_per_cycle"])
    return cycles


def depth(nodes: int, arity: int) -> int:
    """Levels below the root of a complete tree."""
    levels, last = 0, 1
    while last < nodes:
        levels += 1
        last += arity**levels
    return levels
