"""Messages of ranks from a user's view: the section `[messaging]`, the kernel, and the values in a summary."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.support import Command, assert_one_message

COSTS = {"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204}


def halo(messaging: Mapping[str, Any], **workload: object) -> dict[str, Any]:
    return {
        "machine": {"shape": [4, 4, 2]},
        "workload": {"kind": "kernel", "name": "halo-3d", **workload},
        "messaging": messaging,
    }


def test_a_halo_exchange_makes_13_calls_a_rank_and_its_messages_arrive() -> None:
    summary = torusim.run(halo(COSTS, iterations=3, bytes=1000)).summary
    assert summary["outcome"] == "completed"
    assert summary["mpi_operations"] == 13 * 3 * 32
    assert summary["packets_delivered"] == 6 * 5 * 3 * 32


def test_a_grid_may_be_another_than_the_machine() -> None:
    summary = torusim.run(halo({}, iterations=2, grid=[2, 4, 1])).summary
    assert summary["mpi_operations"] == 8 * 2 * 9


@pytest.mark.parametrize(("key", "value"), [("write", 60), ("read", 204), ("call", 480)])
def test_each_cost_takes_time(key: str, value: int) -> None:
    free = {"costs": "none", "call_processor_cycles": 0}
    without, with_cost = (
        torusim.run(halo(messaging)).summary for messaging in (free, {**free, f"{key}_processor_cycles": value})
    )
    assert with_cost["cycles"] > without["cycles"]
    assert with_cost["operations_digest"] != without["operations_digest"]
    assert with_cost["packets_delivered"] == without["packets_delivered"]


def ping_pong(calls: str) -> str:
    """A scenario in which calls cost something, in line 8, and nothing else does."""
    return f"""
[machine]
shape = [4]
[workload]
kind = "kernel"
name = "ping-pong"
[messaging]
costs = "none"
call_processor_cycles = {calls}
"""


def test_calls_cost_what_a_table_says_of_their_kinds(command: Command, tmp_path: Path) -> None:
    def half_round_trip(calls: str) -> float:
        (tmp_path / "ping-pong.toml").write_text(ping_pong(calls).lstrip())
        assert command("run", "ping-pong.toml", "--out", "run", "--force").returncode == 0
        summary = json.loads((tmp_path / "run" / "result.json").read_text())["summary"]
        return float(summary["half_round_trip_processor_cycles"])

    free = half_round_trip("0")
    # All costs are multiples of a network cycle. The receive is posted while the message is on its way.
    assert half_round_trip("{ all = 48 }") == half_round_trip("48") == free + 48
    assert half_round_trip("{ all = 48, send = 100 }") == free + 100
    assert half_round_trip("{ send = 100, wait = 900, test = 900 }") == free + 100
    assert half_round_trip("{ all = 48, send = 100, receive = 300 }") == free + 100
    # If it is posted later, both ranks do so at the same time, and see the message a polling interval later.
    assert half_round_trip("{ all = 0, receive = 4000 }") == (100 * (4000 + 48) + free) / 200


def test_a_table_of_costs_of_calls_is_kept_and_reproduces_the_run() -> None:
    for calls, kept in [
        ({"send": 100, "collective": 300}, {"all": 48, "send": 100, "collective": 300}),
        ({"all": 10, "wait": 10}, 10),
        ({}, 48),
    ]:
        result = torusim.run(halo({"costs": "none", "call_processor_cycles": calls}))
        assert result.scenario["messaging"]["call_processor_cycles"] == kept
        again = torusim.run(result.scenario)
        assert again.scenario == result.scenario
        for digest in ("digest", "operations_digest"):
            assert again.summary[digest] == result.summary[digest]


def test_kinds_of_calls_change_the_number_of_a_machine_or_a_scenario(command: Command, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('[machine]\npreset = "bluegene-l"\n[messaging]\ncall_processor_cycles = 60\n')
    (tmp_path / "scenario.toml").write_text(
        '[machine]\npreset = "own.toml"\nshape = [4]\n[workload]\nkind = "kernel"\nname = "ping-pong"\n'
        "[messaging.call_processor_cycles]\nsend = 100\n"
    )
    option = ["--set", "messaging.call_processor_cycles.wait=70"]
    (tmp_path / "ping-pong.toml").write_text(ping_pong("80").lstrip())
    for name, expected in [
        ("scenario", {"all": 60, "send": 100, "wait": 70}),
        ("ping-pong", {"all": 80, "wait": 70}),
    ]:
        assert command("run", f"{name}.toml", *option, "--out", name).returncode == 0
        result = json.loads((tmp_path / name / "result.json").read_text())
        assert result["scenario"]["messaging"]["call_processor_cycles"] == expected


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        (
            "{ all = 48, sned = 5 }",
            "call_processor_cycles.sned = 5: [messaging.call_processor_cycles] has no such key; did ",
        ),
        ("{ send = -5 }", "call_processor_cycles.send = -5: must be a whole number from 0 to 4294967295"),
        ("{ send = 'a' }", 'call_processor_cycles.send = "a": must be a whole number from 0 to 4294967295'),
        ("{ test = 2_000_000_000 }", "call_processor_cycles.test = 2000000000: must be from 0 to 1000000000"),
        ("-5", "call_processor_cycles = -5: must be a whole number from 0 to 4294967295 or a table"),
        ("[5]", "call_processor_cycles = [5]: must be a whole number from 0 to 4294967295 or a table"),
    ],
)
def test_wrong_costs_of_calls_are_refused_in_one_line(
    command: Command, tmp_path: Path, calls: str, message: str
) -> None:
    (tmp_path / "wrong.toml").write_text(ping_pong(calls).lstrip())
    assert_one_message(command("run", "wrong.toml"), f"wrong.toml:8: messaging.{message}")


def test_the_result_states_every_value_of_the_section() -> None:
    result = torusim.run(halo(COSTS))
    expected = {
        **COSTS,
        "protocol": "eager-adaptive",
        "call_processor_cycles": 48,
        "polling_interval_cycles": 12,
        "header_bytes": 16,
        "full_packets": False,
        "reads_while_computing": False,
    }
    messaging = result.scenario["messaging"]
    assert {key: messaging[key] for key in expected} == expected
    assert torusim.run(result.scenario).summary["digest"] == result.summary["digest"]


def test_kernels_on_blue_gene_l_cost_what_mpi_did_in_october_2003() -> None:
    messaging = torusim.run(halo({})).scenario["messaging"]
    expected = {"costs": "october-2003", "protocol": "eager-deterministic", "eager_processor_cycles": 146}
    assert {key: messaging[key] for key in expected} == expected
    ping_pong = {"machine": {"shape": [4]}, "workload": {"kind": "ping-pong"}}
    assert torusim.run(ping_pong).scenario["messaging"]["costs"] == "none"


def test_a_core_with_a_co_processor_does_not_read_while_it_computes_whatever_that_costs() -> None:
    scenario = halo({"costs": "none"})
    on_co_processor = {**scenario, "machine": {**scenario["machine"], "mode": "co-processor"}}
    defaults = [
        torusim.run(each).scenario["messaging"]["reads_while_computing"] for each in (scenario, on_co_processor)
    ]
    assert defaults == [True, False]


@pytest.mark.parametrize(
    "messaging",
    [
        {"protocol": "rendezvous"},
        {"protocol": "eager-adaptive"},
        {"rendezvous_from_bytes": 500},
        {"message_credits": 1},
        {"send_offset_bytes": 4},
        {"send_offset_bytes": 4, "receive_offset_bytes": 4},
        {"partial_packets": False},
        {"watermark_bytes": 512},
    ],
    ids=str,
)
def test_a_halo_exchange_ends_under_every_protocol(messaging: Mapping[str, Any]) -> None:
    results = [torusim.run(halo(messaging, iterations=3), threads=threads).summary for threads in (1, 3)]
    assert results[0]["outcome"] == "completed"
    assert results[0]["operations_digest"] == results[1]["operations_digest"]


def in_mode(mode: str, **messaging: object) -> Mapping[str, Any]:
    scenario = halo(messaging, iterations=3)
    scenario["machine"]["mode"] = mode
    return torusim.run(scenario).summary


def test_the_mode_of_the_nodes_sets_the_cores_that_run_ranks() -> None:
    heater, coprocessor, virtual = (in_mode(mode) for mode in ("heater", "co-processor", "virtual-node"))
    assert heater["mpi_operations"] == coprocessor["mpi_operations"] == 13 * 3 * 32
    assert virtual["mpi_operations"] == 2 * heater["mpi_operations"]
    assert in_mode("co-processor", zero_copy=True)["cycles"] < coprocessor["cycles"]
    scenario = halo({})
    scenario["machine"] |= {"mode": "virtual-node", "node": {"cores": 1}}
    with pytest.raises(torusim.InputError, match=r"machine\.node\.cores = 1: .* must be 2, or absent"):
        torusim.run(scenario)


def test_traffic_without_ranks_has_no_operations() -> None:
    scenario = {"machine": {"shape": [4]}, "workload": {"kind": "all-to-all", "payload_bytes": 240}}
    assert not [key for key in torusim.run(scenario).summary if "operations" in key]


def test_a_long_message_takes_no_more_memory_than_a_short_one() -> None:
    """FIFOs and the network are left out, as messages of both lengths fill them."""
    long, short = (
        torusim.run(
            {
                "machine": {"shape": [4]},
                "workload": {"kind": "ping-pong", "payload_bytes": size, "repetitions": 1},
                "run": {"time_limit_cycles": 200_000},
            }
        ).summary["peak_memory_bytes"]
        for size in (2**30, 2**20)
    )
    assert long == short
