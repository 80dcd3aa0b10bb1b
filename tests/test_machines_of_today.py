"""Machines of today: presets and their pages, slices, assumed routers, the start of a transfer, rooms of pods."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import torusim
from torusim import InputError, MachineRoom
from torusim.runs.scenario import overrides_of_sections, resolve

ROOT = Path(__file__).parent.parent
PRESETS = ("tofu-d", "tpu-7x", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "trainium2")
EXCHANGE = {"kind": "all-to-all", "payload": "1 KB"}


def scenario(workload: Mapping[str, Any] = EXCHANGE, /, **machine: object) -> dict[str, Any]:
    return {"machine": machine, "workload": workload}


def whole(described: dict[str, Any]) -> dict[str, Any]:
    every_value: dict[str, Any] = json.loads(resolve(described, []).to_json())
    return every_value


def resolved(**machine: object) -> dict[str, Any]:
    of_machine: dict[str, Any] = whole(scenario(**machine))["machine"]
    return of_machine


def changed(result: dict[str, Any], machine: dict[str, Any]) -> dict[str, Any]:
    """The machine of a result that is run again with other values."""
    of_machine: dict[str, Any] = json.loads(resolve(result, overrides_of_sections({"machine": machine})).to_json())[
        "machine"
    ]
    return of_machine


@pytest.mark.parametrize("preset", PRESETS)
def test_the_page_of_a_preset_states_its_values(preset: str) -> None:
    machine = tomllib.loads((ROOT / f"machines/{preset}.toml").read_text())["machine"]
    page = (ROOT / f"docs/machines/{preset}.md").read_text()
    rows = re.findall(r"^\| `([\w.]+)` \| ([^|]+) \| ([^|]+) \|$", page, flags=re.MULTILINE)
    assert len(rows) >= 4
    for key, value, source in rows:
        found = machine
        for part in key.split("."):
            found = found[part]
        text = ", ".join(found) if isinstance(found, list) else str(found)
        in_words = re.sub(r" GiB/s(?=,)", "", text).replace(", 64", " and 64")
        assert value == in_words, key
        assert source.startswith(("[T", "assumed")), key
    for part in ("## Parameters", "## Slices", "## What was checked", "## What is unknown"):
        assert part in page


def test_a_sweep_says_that_the_router_is_assumed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.toml").write_text(
        '[machine]\nslice = "v5e-2x2"\n[workload]\nkind = "all-to-all"\npayload = "1 KB"\n'
    )
    command = ["torusim", "sweep", str(tmp_path / "s.toml"), "--over", "run.seed=1..2", "--out", str(tmp_path / "out")]
    subprocess.run([sys.executable, "-m", *command], check=True, env={**os.environ, "NO_COLOR": "1"})
    assert capfd.readouterr().out.count("Assumed router: dimension order") == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_results_say_that_the_router_is_assumed(preset: str) -> None:
    small = scenario(preset=preset, shape=[4, 4] if preset != "tofu-d" else [2, 2, 2, 2, 3, 2])
    summary = torusim.run(small).summary
    assert summary["outcome"] == "completed"
    assert "its router is not" in summary["assumed_router"]
    assert torusim.check(small)["assumed_router"] == summary["assumed_router"]
    assert "assumed_router" not in torusim.run(scenario(shape=[4, 4])).summary


def test_a_word_chooses_the_assumed_router() -> None:
    for router, channels in (("dimension-order", 0), ("one-adaptive", 1), ("two-adaptive", 2)):
        machine = resolved(slice="v4-4x4x4", assumed_router=router)
        assert machine["router"]["dynamic_channels"] == channels
        assert resolved(**machine) == machine
    with pytest.raises(InputError, match="must be 0, or absent"):
        resolved(slice="v4-4x4x4", assumed_router="dimension-order", router={"dynamic_channels": 2})
    assert resolved(slice="v4-4x4x4", assumed_router="two-adaptive", router={"dynamic_channels": 2})
    with pytest.raises(InputError, match="assumed_router"):
        resolved(slice="v4-4x4x4", assumed_router="three-adaptive")


@pytest.mark.parametrize("pod", ["tpu-v4-pod", "tpu-v5p-pod", "tpu-7x-pod"])
def test_partitions_of_a_pod_are_slices(pod: str) -> None:
    room = MachineRoom.load(pod)
    prefix = pod.removeprefix("tpu-").removesuffix("-pod")
    catalogue = list(room.catalogue("site"))
    large = [partition for partition in catalogue if partition.node_cards is None]
    small = {tuple(partition.shape): partition for partition in catalogue if partition.node_cards is not None}
    assert len(small) == 4
    for partition in [*large[::9], *large[-3:], *small.values()]:
        twisted = "_twisted" if partition.wiring == "twisted-torus" else ""
        slice_of_it = resolved(slice=f"{prefix}-{'x'.join(map(str, partition.shape))}{twisted}")
        same = resolved(**partition.machine())
        assert [same[key] for key in ("preset", "shape", "wrap")] == [
            slice_of_it[key] for key in ("preset", "shape", "wrap")
        ]
        assert same.get("twist") == slice_of_it.get("twist")


def test_a_machine_of_ones_own_has_slices(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(
        '[machine]\npreset = "generic"\n[slices]\nname = "mine"\nshapes = [[3, 5]]\nwraps = { at_lengths = [5, 5] }\n'
    )
    machine = resolved(preset=str(own), slice="mine-3x5")
    assert (machine["shape"], machine["wrap"]) == ([3, 5], [False, True])
    with pytest.raises(InputError, match="mine-3x5"):
        resolved(preset=str(own), slice="mine-4x4")
    # A slice of another machine has only the shape of that one.
    assert resolved(preset=str(own), slice="v5e-8x16")["wrap"] == [False, True]
    own.write_text('[machine]\npreset = "generic"\n[slices]\nname = "mine"\nshape = [[3, 5]]\nwraps = "always"\n')
    with pytest.raises(InputError, match=r"mine\.toml:5: slices\.shape"):
        resolved(preset=str(own), slice="mine-3x5")


def own_machine(directory: Path, lines: str) -> str:
    file = directory / "own.toml"
    file.write_text(f"[machine]\n{lines}\n")
    return str(file)


def test_a_file_can_be_a_slice(tmp_path: Path) -> None:
    pod = own_machine(tmp_path, 'slice = "v4-4x4x8_twisted"\ndead_switches = [{ along = "z", at = [1, 2] }]')
    machine = resolved(preset=pod)
    assert (machine["shape"], machine["wrap"], machine["twist"]) == ([4, 4, 8], [True] * 3, "auto")
    assert len(machine["dead_links"]) == 2
    plain = resolved(preset=pod, slice="v4-4x4x8")  # a slice states the twist
    assert (plain["shape"], plain.get("twist")) == ([4, 4, 8], None)
    assert whole(whole(scenario(preset=pod))) == whole(scenario(preset=pod))
    assert resolved(preset=pod, shape=[8, 8, 16])["shape"] == [8, 8, 16]
    with pytest.raises(InputError, match=r'own\.toml:2: machine\.slice = "v4-4x4x8_twisted"'):
        resolved(preset=pod, shape=[8, 8, 8])
    both = own_machine(tmp_path, 'slice = "v4-4x4x8"\nshape = [4, 4, 8]')
    with pytest.raises(InputError, match=r"own\.toml:2: .*without shape"):
        resolved(preset=both)


def test_a_file_with_the_slices_of_another_machine_is_refused(tmp_path: Path) -> None:
    table = '\n[slices]\nname = "v4"\nshapes = [[3, 5]]\nwraps = "always"'
    own = own_machine(tmp_path, f'preset = "generic"\nshape = [3, 5]{table}')
    with pytest.raises(InputError, match=r"own\.toml:5: slices\.name .*tpu-v4"):
        resolved(preset=own, link={"rate": "1 GB/s", "hop_latency": "50 ns"})
    fewer = own_machine(tmp_path, 'preset = "tpu-v4"\n[slices]\nmost_nodes = 128')
    assert resolved(preset=fewer, slice="v4-4x4x8")["shape"] == [4, 4, 8]
    with pytest.raises(InputError, match="of at most 128 chips"):
        resolved(preset=fewer, slice="v4-4x8x8")


@pytest.mark.parametrize("is_file", [False, True])
def test_a_result_has_no_slices(is_file: bool, tmp_path: Path) -> None:
    preset = own_machine(tmp_path, 'preset = "tpu-v5p"') if is_file else "tpu-v5p"
    result = whole(scenario(preset=preset, slice="v5p-4x4x4"))
    with pytest.raises(InputError, match="set the slice in the original scenario"):
        torusim.check(result, machine={"slice": "v5p-8x8x8"})
    switches = [{"along": "z", "at": [1, 2]}]
    if is_file:
        with pytest.raises(InputError, match=r"machine\.dead_switches .*original scenario"):
            torusim.check(result, machine={"dead_switches": switches})
    else:
        dead = changed(result, {"dead_switches": switches})["dead_links"]
        assert dead == [{"node": [1, 2, 3], "toward": "z+"}]


def test_a_machine_with_a_router_of_its_own_assumes_none(tmp_path: Path) -> None:
    own = own_machine(tmp_path, 'preset = "tpu-v4"\n[machine.router]\ndynamic_channels = 3')
    for machine in (resolved(preset=own), resolved(slice="v5p-4x4x4", router={"dynamic_channels": 3})):
        assert machine["router"]["dynamic_channels"] == 3
        assert "assumed_router" not in machine
        assert resolved(**machine) == machine
    assumed = resolved(preset=own, assumed_router="one-adaptive")
    assert (assumed["router"]["dynamic_channels"], assumed["assumed_router"]) == (1, "one-adaptive")
    both = own_machine(tmp_path, 'preset = "tpu-v4"\nassumed_router = "one-adaptive"\nrouter.dynamic_channels = 3')
    with pytest.raises(InputError, match=r"own\.toml:4: .*must be 1, or absent"):
        resolved(preset=both)


@pytest.mark.parametrize("is_file", [False, True])
def test_an_override_chooses_the_router_of_a_result(is_file: bool, tmp_path: Path) -> None:
    preset = own_machine(tmp_path, 'preset = "tpu-v4"') if is_file else "tpu-v4"
    result = whole(scenario(preset=preset))

    two = changed(result, {"assumed_router": "two-adaptive"})
    assert (two["router"]["dynamic_channels"], two["assumed_router"]) == (2, "two-adaptive")
    three = changed(result, {"router": {"dynamic_channels": 3}})
    assert (three["router"]["dynamic_channels"], three.get("assumed_router")) == (3, None)
    with pytest.raises(InputError, match="must be 2, or absent"):
        changed(result, {"assumed_router": "two-adaptive", "router": {"dynamic_channels": 3}})
    with pytest.raises(InputError, match=r'assumed_router = "three".*must be "dimension-order"'):
        changed(result, {"assumed_router": "three"})


@pytest.mark.parametrize("preset", ["bluegene-l", "bluegene-p"])
def test_a_machine_that_has_a_router_assumes_none(preset: str) -> None:
    with pytest.raises(InputError, match=f"assumed_router .*{preset} has a router"):
        resolved(preset=preset, assumed_router="one-adaptive")


def test_parts_of_fugaku_are_open_with_and_without_a_slice() -> None:
    machine = resolved(preset="tofu-d")
    assert machine["wrap"] == resolved(slice="fugaku-4x4x4x2x3x2")["wrap"]


@pytest.mark.parametrize("engine", ["windowed", "reference"])
def test_each_message_waits_for_the_start_of_a_transfer(engine: str) -> None:
    there_and_back = {"kind": "kernel", "name": "ping-pong", "bytes": 100_000, "iterations": 10}
    halves = [
        torusim.run(scenario(there_and_back, slice="v5e-4x4", node={"transfer_start": start}), engine=engine).summary[
            "half_round_trip_ns"
        ]
        for start in ("10 ns", "2.01 us")
    ]
    assert halves[1] - halves[0] == pytest.approx(2000, abs=60)  # FIFOs are filled meanwhile


def test_a_result_keeps_what_its_preset_has_otherwise() -> None:
    described = scenario(slice="v5e-4x4", node={"transfer_start_cycles": 0}, packet={"header": "64 B"})
    assert whole(whole(described)) == whole(described)
    assert torusim.run(whole(described)).summary["digest"] == torusim.run(described).summary["digest"]


def test_generated_traffic_has_no_start() -> None:
    times = [
        torusim.run(scenario(slice="v5e-4x4", node={"transfer_start": start})).summary["time_ns"]
        for start in ("10 ns", "2.01 us")
    ]
    assert times[1] == times[0]


WAYS: dict[str, dict[str, Any]] = {
    "emptiest": {},
    "by-direction": {"machine": {"node": {"fifo_choice": "by-direction"}}},
    "round-robin": {"machine": {"node": {"fifo_choice": "round-robin"}}},
    "in order": {"messaging": {"protocol": "eager-deterministic"}},
    "rendezvous": {"messaging": {"rendezvous_from_bytes": 0}},
    "costs": {"messaging": {"write_processor_cycles": 1}},
    "credits": {"messaging": {"message_credits": 4}},
    "finite FIFOs": {"machine": {"node": {"injection_fifo": "4 KiB"}}},
    "pacing": {"machine": {"node": {"injection_window_packets": 1000}}},
    "a dead link": {"machine": {"dead_links": [{"node": [0, 0], "toward": "x+"}]}},
}


@pytest.mark.parametrize("way", WAYS)
def test_a_message_waits_for_one_start_however_its_packets_are_written(way: str) -> None:
    there_and_back = {"kind": "kernel", "name": "ping-pong", "bytes": 100_000, "iterations": 5}
    machine = {"slice": "v5e-4x4", **WAYS[way].get("machine", {})}
    halves = []
    for start in ("10 ns", "2.01 us"):
        timed = {**machine, "node": {**machine.get("node", {}), "transfer_start": start}}
        described = {"machine": timed, "workload": there_and_back, "messaging": WAYS[way].get("messaging", {})}
        halves.append(torusim.run(described).summary["half_round_trip_ns"])
    assert halves[1] - halves[0] == pytest.approx(2000, abs=60)


def test_the_header_of_packets_is_a_parameter() -> None:
    def packets(header: str) -> int:
        found: int = torusim.check(
            scenario({"kind": "all-to-all", "payload_bytes": 10_000}, slice="v5e-4x4", packet={"header": header})
        )["packets"]
        return found

    pairs = 16 * 15
    assert packets("16 B") == pairs * 21  # of 496 bytes
    assert packets("112 B") == pairs * 25  # of 400 bytes
    both = whole(scenario({"kind": "ping-pong"}, slice="v5e-4x4", packet={"header": "112 B"}))
    assert both["messaging"]["header_bytes"] == both["messaging"]["rendezvous_header_bytes"] == 112
    with pytest.raises(InputError, match="no room behind its 512 B header"):
        packets("512 B")


def test_a_slice_runs_without_a_switch() -> None:
    switch = {"dead_switches": [{"along": "z", "at": [1, 2]}]}
    machine = resolved(slice="v5p-4x4x8_twisted", **switch)
    assert [link["node"] for link in machine["dead_links"]] == [[1, 2, 3], [1, 2, 7]]
    summary = torusim.run(scenario(slice="v5p-4x4x8_twisted", assumed_router="two-adaptive", **switch)).summary
    assert summary["outcome"] == "completed"
    assert summary["packets_delivered"] >= 128 * 127
    for wrong, expected in [
        ([{"along": "q", "at": [1, 2]}], 'no dimension "q"'),
        ([{"along": "z", "at": [1, 4]}], "no place of a face"),
        ([{"along": "z", "at": [1]}], "no place of a face"),
        ("z", "must be a list"),
    ]:
        with pytest.raises(InputError, match=re.escape(expected)):
            resolved(slice="v5p-4x4x8", dead_switches=wrong)


def test_packets_shorter_than_a_header_carry_no_payload() -> None:
    short = scenario(
        {"kind": "uniform-random", "load": 0.2, "packet_bytes": 64}, slice="v5e-4x4", packet={"header": "511 B"}
    )
    summary = torusim.run(short, run={"warmup": "1 us", "measure": "4 us"}).summary
    assert summary["payload_utilization"] == 0
    assert summary["link_utilization_mean"] > 0
