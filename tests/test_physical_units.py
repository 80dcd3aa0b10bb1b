"""Values with a unit: conversions, both names of a key, and an architect's machine without a cycle in it."""

import json
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.support import Command
from torusim.runs.scenario import override_of_option, resolve

ARCHITECT = """\
[machine]
shape = [4, 4, 4]
link = { rate = "100 GB/s", hop_latency = "50 ns" }
router.dynamic_channel = "16 KB"
[workload]
kind = "all-to-all"
payload = "4 KB"
"""

# Machines by the rate of their links, in bytes of a nanosecond; 1 GHz processors.
CONVERSIONS = [
    # (key, value, key in the resolved scenario, its value) with links of 100 GB/s, so that a cycle is 10 ps
    ("machine.link.hop_latency", "50 ns", "machine.link.hop_latency_cycles", 5_000),
    ("machine.link.hop_latency", "0.05 us", "machine.link.hop_latency_cycles", 5_000),
    ("machine.link.hop_latency", "0.05 µs", "machine.link.hop_latency_cycles", 5_000),
    ("machine.link.hop_latency", "50_000ps", "machine.link.hop_latency_cycles", 5_000),
    ("machine.link.hop_latency", "5e-8 s", "machine.link.hop_latency_cycles", 5_000),
    ("machine.link.hop_latency_cycles", "50 ns", "machine.link.hop_latency_cycles", 5_000),
    ("machine.link.hop_latency_cycles", 5_000, "machine.link.hop_latency_cycles", 5_000),
    ("machine.link.hop_latency", ["50 ns", "50 ns", "0.1 us"], "machine.link.hop_latency_cycles", [5000, 5000, 10000]),
    ("machine.link.rate", "50 GB/s", "machine.link.megabytes_per_second", 50_000),
    ("machine.link.rate", "400 Gb/s", "machine.link.megabytes_per_second", 50_000),
    ("machine.link.rate", "400 Gbit/s", "machine.link.megabytes_per_second", 50_000),
    ("machine.link.rate", "400 Gbps", "machine.link.megabytes_per_second", 50_000),
    ("machine.link.rate", "50_000 MB/s", "machine.link.megabytes_per_second", 50_000),
    ("machine.link.rate", "128 GiB/s", "machine.link.megabytes_per_second", 128 * 2**30 / 1e6),
    ("machine.link.rate", "0.05 TB/s", "machine.link.megabytes_per_second", 50_000),
    ("machine.link.megabytes_per_second", "50 GB/s", "machine.link.megabytes_per_second", 50_000),
    ("machine.link.rate", ["100 GB/s", "50 GB/s", "75 GB/s"], "machine.link.cycles_per_byte", [1, 2, "4/3"]),
    ("machine.link.rate", "50 GB/s", "machine.link.hop_latency_cycles", 2_500),
    ("machine.packet.chunk", "128 B", "machine.packet.chunk_bytes", 128),
    ("machine.packet.trailer", "0.016 KB", "machine.packet.trailer_bytes", 16),
    ("machine.router.dynamic_channel", "8 KiB", "machine.router.dynamic_channel_bytes", 8_192),
    ("machine.router.escape_channel", "12_800 B", "machine.router.escape_channel_bytes", 12_800),
    ("machine.router.escape_channel_bytes", "12.8 KB", "machine.router.escape_channel_bytes", 12_800),
    ("machine.router.token_latency", "30 ns", "machine.router.token_latency_cycles", 3_000),
    ("machine.node.injection_latency", "1 us", "machine.node.injection_latency_cycles", 100_000),
    ("machine.node.injection_fifo", "8 KB", "machine.node.injection_fifo_bytes", 8_000),
    ("machine.node.injection_fifo", "infinite", "machine.node.injection_fifo_bytes", "infinite"),
    ("machine.node.processor_clock", "940 MHz", "machine.node.processor_cycles_per_cycle", [47, 5_000]),
    ("machine.node.processor_clock", "2 GHz", "machine.node.processor_cycles_per_cycle", [1, 50]),
    ("machine.node.processor_clock", "1.75 GHz", "machine.node.processor_cycles_per_cycle", [7, 400]),
    ("machine.node.write_time", "100 ns", "machine.node.write_processor_cycles", 100),
    ("machine.node.read_processor_cycles", "0.2 us", "machine.node.read_processor_cycles", 200),
    ("machine.link_errors.timeout", "10 us", "machine.link_errors.timeout_cycles", 1_000_000),
    ("machine.link_errors.retransmission_fifo", "8 KB", "machine.link_errors.retransmission_fifo_bytes", 8_000),
    ("workload.payload", "1 MB", "workload.payload_bytes", 10**6),
    ("workload.payload", 4096, "workload.payload_bytes", 4096),
    ("workload.payload_bytes", "1 MiB", "workload.payload_bytes", 2**20),
    ("workload.payload_bytes", "0.001 GB", "workload.payload_bytes", 10**6),
    ("run.time_limit", "5 ms", "run.time_limit_cycles", 5 * 10**8),
    ("run.time_limit", "0.1 min", "run.time_limit_cycles", 6 * 10**11),
    ("run.series_interval", "1 us", "run.series_interval_cycles", 10**5),
    ("messaging.send_time", "2 us", "messaging.send_processor_cycles", 2_000),
    ("messaging.call_time", "100 ns", "messaging.call_processor_cycles", 100),
    ("messaging.rendezvous_from", "32 KiB", "messaging.rendezvous_from_bytes", 32_768),
]


def value_at(scenario: dict[str, Any], path: str) -> Any:  # noqa: ANN401
    for key in path.split("."):
        scenario = scenario[key]
    return scenario


def resolved(text: str, *settings: str) -> dict[str, Any]:
    scenario: dict[str, Any] = json.loads(resolve(text, [override_of_option(each) for each in settings]).to_json())
    return scenario


@pytest.mark.parametrize(("key", "value", "path", "expected"), CONVERSIONS)
def test_conversions(key: str, value: object, path: str, expected: object) -> None:
    text = ARCHITECT
    if key.startswith("messaging"):
        text = text.replace('"all-to-all"\npayload = "4 KB"', '"ping-pong"')
    if key.startswith("machine.packet.chunk"):
        text = text.replace('"16 KB"', '"25.6 KB"')
    assert value_at(resolved(text, f"{key}={json.dumps(value, ensure_ascii=False)}"), path) == expected


def test_quantities_need_no_second_quotes() -> None:
    scenario = resolved(ARCHITECT, "machine.link.hop_latency=20 ns", "machine.link.rate=200 GB/s")
    assert scenario["machine"]["link"]["hop_latency_cycles"] == 4_000


def test_an_architect_writes_and_reads_no_cycles(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "machine.toml"
    path.write_text(ARCHITECT)
    assert len(ARCHITECT.splitlines()) <= 8
    printed = command("check", path).stdout
    assert "100 GB/s" in printed
    assert "50 ns" in printed
    assert "160 % of the round trip" in printed


def test_short_buffers_are_reported() -> None:
    warnings = torusim.check(ARCHITECT.replace("16 KB", "8 KB"))["warnings"]
    assert any("one VC of 8 KB covers 80 % of this link's round trip" in warning for warning in warnings), warnings


def test_a_result_repeats_its_run(tmp_path: Path) -> None:
    result = torusim.run(ARCHITECT, out=tmp_path / "result")
    again = torusim.run(tmp_path / "result" / "result.json")
    assert again.summary["digest"] == result.summary["digest"]


def test_flows_have_headings_in_units(tmp_path: Path) -> None:
    digests: set[str] = set()
    for headings, rows in {
        "source,target,bytes,start_ns": ["0,1,2000,1000", "1,0,4000,2000"],
        "source,target,size_KB,start_us": ["0,1,2,1", "1,0,4,2"],
        "source,target,bytes (KB),start (us)": ["0,1,2,1", "1,0,4,2"],
    }.items():
        path = tmp_path / f"{len(digests)}.csv"
        path.write_text("\n".join([headings, *rows]))
        result = torusim.run({"machine": {"shape": [4]}, "workload": {"kind": "flows", "path": path}})
        digests.add(result.summary["digest"])
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("machine.link.hop_latency=50", "machine.link.hop_latency = 50: must be a time"),
        ("machine.link.hop_latency=1 ps", "rounds to 0"),
        ("machine.link.hop_latency=5 KB", "must be a time"),
        ("machine.link.rate=5 ns", "must be a rate"),
        ("machine.link.rate=0 GB/s", "must be above 0"),
        ("machine.node.processor_clock=1 ns", "must be a frequency"),
        ("workload.payload=1 s", "must be a size"),
    ],
)
def test_wrong_units_are_refused(setting: str, problem: str) -> None:
    with pytest.raises(torusim.InputError) as error:
        resolved(ARCHITECT, setting)
    assert problem in str(error.value)


def test_rounded_values_are_reported() -> None:
    warnings = torusim.check(ARCHITECT, workload={"payload": "1.5 B"})["warnings"]
    assert any('workload.payload: "1.5 B" is rounded to 2' in warning for warning in warnings), warnings
