"""Routing over intermediate nodes, and many virtual channels: one result for both engines and any threads."""

from typing import Any

import pytest

import torusim

MACHINE = {"shape": [6, 4, 3], "wrap": [True, True, False]}
RUN = {"warmup_cycles": 3_000, "measure_cycles": 6_000}


def scenario(routing: str, machine: dict[str, Any] | None = None) -> dict[str, Any]:
    workload = {
        "kind": "tornado",
        "routing": routing,
        "packet_bytes": [32, 256],
        "high_priority_share": 0.1,
        "load": 0.9,
    }
    return {"machine": {**MACHINE, **(machine or {})}, "workload": workload, "run": RUN}


MANY_CHANNELS = {"router": {"dynamic_channels": 16, "dynamic_channel_bytes": 256}}
DATELINES = {"router": {"escape": "dateline", "escape_channel_bytes": 256, "dynamic_channels": 1}}
FIFOS = {"node": {"injection_fifo_bytes": 512, "write_processor_cycles": 60, "read_processor_cycles": 60, "cores": 2}}


@pytest.mark.parametrize(
    ("routing", "machine"),
    [
        ("adaptive", MANY_CHANNELS),
        ("valiant", {}),
        ("valiant", FIFOS),
        ("valiant", MANY_CHANNELS),
        ("ugal", {}),
        ("ugal", DATELINES),
    ],
)
def test_results_depend_on_neither_engine_nor_threads(routing: str, machine: dict[str, Any]) -> None:
    described = scenario(routing, machine)
    expected = torusim.run(described, engine="reference")
    assert expected.summary["packets_delivered"] > 100
    for threads in (1, 3):
        result = torusim.run(described, threads=threads)
        assert result.summary["digest"] == expected.summary["digest"]
    if routing != "adaptive":
        assert expected.summary["digest"] != torusim.run(scenario("adaptive", machine)).summary["digest"]


@pytest.mark.parametrize("routing", ["valiant", "ugal"])
@pytest.mark.parametrize("kind", ["uniform-random", "tornado", "transpose", "bit-complement", "permutation"])
def test_no_traffic_beats_its_bound(kind: str, routing: str) -> None:
    result = torusim.run({"machine": {"shape": [6, 6]}, "workload": {"kind": kind, "routing": routing}})
    assert 40 < result.summary["percent_of_peak"] < 101


def test_random_nodes_are_those_of_a_job() -> None:
    """Packets of a job stay in its box, whatever their routing."""
    box = {"origin": [0, 0], "shape": [3, 6]}
    job = {"box": box, "workload": {"kind": "uniform-random", "routing": "valiant", "packets_per_node": 30}}
    result = torusim.run({"machine": {"shape": [8, 6]}, "jobs": [job], "run": {"alone": False}})
    links = result.table("links").to_pydict()
    assert {x for x, packets in zip(links["x"], links["packets"], strict=True) if packets} == {0, 1, 2}
