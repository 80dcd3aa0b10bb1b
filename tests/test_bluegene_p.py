"""Blue Gene/P's nodes: modes, the DMA engine, the fit of its costs, and counters of stalls."""

from collections.abc import Mapping
from typing import Any

import pytest

import torusim
from tests.support import refused
from torusim import InputError

MEGAHERTZ = 850
MOST_OF_A_LINK = 425 * 240 / 270
"""Payload of full packets in MB/s."""


def on_bluegene_p(workload: Mapping[str, Any], mode: str | None = None, **messaging: object) -> dict[str, Any]:
    machine: dict[str, Any] = {"preset": "bluegene-p", "shape": [4, 4, 4]}
    return {
        "machine": machine | ({} if mode is None else {"mode": mode}),
        "workload": {"kind": "kernel", **workload},
        "messaging": messaging,
    }


HALO = {"name": "halo-3d", "bytes": 4000, "iterations": 2}


def test_the_mode_sets_the_ranks_of_a_node() -> None:
    operations = [
        torusim.run(on_bluegene_p(HALO, mode)).summary["mpi_operations"]
        for mode in (None, "smp", "dual", "virtual-node")
    ]
    assert [count / operations[0] for count in operations] == [1, 1, 2, 4]


@pytest.mark.parametrize(
    ("machine", "key", "expected"),
    [
        ({"mode": "virtual-node", "node": {"cores": 2}}, "machine.node.cores", "must be 4, or absent"),
        ({"mode": "heater"}, "machine.mode", '"smp", "dual" and "virtual-node"'),
        ({"preset": "bluegene-l", "mode": "smp"}, "machine.mode", '"heater", "co-processor" and "virtual-node"'),
        ({"dma": {"injection_fifo_descriptors": 0}}, "machine.dma.injection_fifo_descriptors", "must be from 1"),
    ],
    ids=str,
)
def test_what_a_machine_does_not_have_is_refused(machine: Mapping[str, Any], key: str, expected: str) -> None:
    scenario = on_bluegene_p(HALO)
    scenario["machine"] |= machine
    with refused(key, expected):
        torusim.run(scenario)


def test_a_machine_without_a_dma_engine_refuses_its_use() -> None:
    scenario = on_bluegene_p(HALO, dma=True)
    scenario["machine"]["preset"] = "bluegene-l"
    with pytest.raises(InputError, match="no DMA engine"):
        torusim.run(scenario)


@pytest.mark.parametrize("mode", ["smp", "dual", "virtual-node"])
def test_a_run_with_a_dma_engine_is_the_same_on_both_engines_and_any_number_of_threads(mode: str) -> None:
    scenario = on_bluegene_p(HALO, mode)
    runs = [
        torusim.run(scenario, engine=engine, threads=threads)
        for engine, threads in (("reference", 1), ("windowed", 1), ("windowed", 3))
    ]
    assert all(run.summary["outcome"] == "completed" for run in runs)
    assert len({(run.summary["digest"], run.summary["operations_digest"]) for run in runs}) == 1
    assert len({run.summary["token_stalls"] for run in runs}) == 1


def test_latency_is_that_to_which_costs_are_fitted() -> None:
    """L10, L11: 2.4 to 3 us over one hop."""
    summary = torusim.run(on_bluegene_p({"name": "ping-pong", "bytes": 0})).summary
    assert 2.4 <= summary["half_round_trip_processor_cycles"] / MEGAHERTZ <= 3


def test_the_payload_rate_of_a_link_is_that_of_full_packets() -> None:
    """L11: 374 to 375 MB/s, with 272 bytes on the wire instead of 270."""
    size = 1_000_000
    summary = torusim.run(on_bluegene_p({"name": "ping-pong", "bytes": size, "iterations": 3})).summary
    rate = size / (summary["half_round_trip_processor_cycles"] / MEGAHERTZ)
    assert 0.97 * MOST_OF_A_LINK < rate <= MOST_OF_A_LINK
