"""Values with a unit: conversions, both names of a key, and an architect's machine without a cycle in it."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torusim
from tests.support import SMALL_SCENARIO, Command
from torusim.cli.app import app
from torusim.common.quantities import quantity
from torusim.common.units import Clock, twin, with_twins
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
    ("machine.router.high_priority_channel", "6.4 KB", "machine.router.high_priority_channel_bytes", 6_400),
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


OPEN_LOOP = """\
[machine]
shape = [4]
link = { rate = "100 GB/s", hop_latency = "1 ns" }
[workload]
kind = "uniform-random"
load = 0.5
"""

SHOWN_IN_CYCLES = re.compile("cycle", re.IGNORECASE)

# Keys that count cycles, their twins, and the values of these where that of the key is 3. A cycle takes 0.5 ns, and one
# of a processor 2 ns.
KEYS = [
    ("cycles", "time_ns", 1.5),
    ("cycle", "time_ns", 1.5),
    ("latency_cycles_max", "latency_ns_max", 1.5),
    ("longest_wait_cycles", "longest_wait_ns", 1.5),
    ("extrapolated_cycles_half_width", "extrapolated_ns_half_width", 1.5),
    ("sampled_from_cycle", "sampled_from_ns", 1.5),
    ("iteration_processor_cycles", "iteration_ns", 6.0),
    ("combine_processor_cycles_per_byte", "combine_ns_per_byte", 6.0),
    ("processor_cycles_per_cycle", "processor_gigahertz", 0.5),
    ("accepted_bytes_per_node_per_cycle", "accepted_gigabytes_per_second", 6.0),
    ("payload_bytes_per_processor_cycle", "payload_gigabytes_per_second", 1.5),
    ("sampled_packets_per_cycle", "sampled_packets_per_second", 6e9),
    ("machine.link.cycles_per_byte", "machine.link.gigabytes_per_second", 2 / 3),
]


@pytest.mark.parametrize(("key", "other", "value"), KEYS)
def test_keys_in_cycles_have_twins(key: str, other: str, value: float) -> None:
    assert twin(key) == other
    assert with_twins({key: 3}, Clock(2e9, 0.5e9)) == {key: 3, other: pytest.approx(value)}
    assert with_twins({key: 3, other: 7}, Clock(2e9, 0.5e9)) == {key: 3, other: 7}


@pytest.mark.parametrize("key", ["cycle_seconds", "packets", "latency_ns_mean", "payload_bytes", "bicycles"])
def test_other_keys_have_none(key: str) -> None:
    assert twin(key) is None
    assert with_twins({key: 3}, Clock(2e9)) == {key: 3}


def test_tables_lists_and_sentences_are_converted() -> None:
    detail = {"words": "found at cycle 4000: stuck", "since_cycles": [2, None, 4], "ring": [{"cycle": 2}]}
    assert with_twins({"outcome_detail": detail}, Clock(2e9))["outcome_detail"] == {
        "words": "found at 2 µs: stuck",
        "since_cycles": [2, None, 4],
        "since_ns": [1.0, None, 2.0],
        "ring": [{"cycle": 2, "time_ns": 1.0}],
    }
    sentence = "run.measure_cycles: 20 cycles are measured; machine.node.write_processor_cycles"
    words = with_twins({"warnings": [sentence]}, Clock(2e9))["warnings"]
    assert words == ["run.measure: 10 ns are measured; machine.node.write_time"]


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("50 ns", "time", 50e-9),
        ("0.05µs", "time", 50e-9),
        ("5e-8 s", "time", 50e-9),
        ("1_000 ps", "time", 1e-9),
        ("2 min", "time", 120.0),
        ("400 Gb/s", "rate", 50e9),
        ("50 GB/s", "rate", 50e9),
        ("16 KB", "size", 16e3),
        ("16 KiB", "size", 16 * 1024.0),
        ("940 MHz", "frequency", 940e6),
        ("fast", None, 0.0),
        ("5", None, 0.0),
        ("5 apples", None, 0.0),
        ("__ ns", None, 0.0),
    ],
)
def test_pictures_read_what_users_write(text: str, measure: str | None, value: float) -> None:
    found = quantity(text)
    assert (None if found is None else found.measure) == measure
    assert found is None or found.value == pytest.approx(value)


class Screen:
    """Runs commands in this process, in a folder of its own."""

    def __init__(self, folder: Path, captured: pytest.CaptureFixture[str]) -> None:
        """Creates a screen that shows nothing yet."""
        self.folder = folder
        self._captured = captured

    def __call__(self, *arguments: str) -> str:
        """What a command prints."""
        app(list(arguments), standalone_mode=False)
        printed, problems = self._captured.readouterr()
        assert "torusim:" not in problems
        return printed

    def texts_of(self, folder: str) -> dict[str, list[str]]:
        """The texts of each picture of a folder, by name."""
        paths = sorted((self.folder / folder).glob("*.svg"))
        return {path.stem: re.findall("<!-- (.*?) -->", path.read_text()) for path in paths}


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Screen:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    (tmp_path / "machine.toml").write_text(ARCHITECT.replace("[4, 4, 4]", "[4, 4]"))
    (tmp_path / "open.toml").write_text(OPEN_LOOP)
    return Screen(tmp_path, capsys)


def require_twins(content: Any) -> None:  # noqa: ANN401
    """Each quantity in cycles exists in physical units."""
    if isinstance(content, dict):
        assert [key for key in content if twin(key) not in (None, *content)] == []
    for item in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
        require_twins(item)


def test_runs_are_shown_in_their_units(screen: Screen) -> None:
    hot = ["hot", "runs/machine-1", "--flows", "0"]
    longer = ["run", "machine.toml", "--set", "machine.link.hop_latency=100 ns", "--out", "longer"]
    commands = [
        ["check", "machine.toml"],
        ["run", "machine.toml"],
        hot,
        longer,
        ["compare", "runs/machine-1", "longer"],
    ]
    printed = {command[0]: screen(*command) for command in commands}
    for name, text in printed.items():
        assert not SHOWN_IN_CYCLES.search(text), f"{name}: {text}"
        assert "ns" in text
    assert "GB/s a node" in printed["run"]
    assert re.search(r"machine.link.hop_latency_ns +50 +100", printed["compare"])
    for command in (["check", "machine.toml"], hot, ["compare", "runs/machine-1", "longer"]):
        assert SHOWN_IN_CYCLES.search(screen(*command, "--units", "cycles")), command
        if command[0] != "compare":
            require_twins(json.loads(screen(*command, "--json")))
    result = torusim.load("runs/machine-1")
    require_twins(result.summary)
    assert result.summary["time_ns"] == pytest.approx(1e9 * result.summary["seconds_simulated"])
    assert not SHOWN_IN_CYCLES.search(result._repr_html_() + torusim.hot_links(result, flows=0)._repr_html_())
    assert SHOWN_IN_CYCLES.search(result.in_units("cycles")._repr_html_())
    with pytest.raises(torusim.InputError, match='units: \'hours\' has to be "cycles" or "physical"'):
        result.in_units("hours")


TWINS_OF_TABLES = {
    "links": {"busy_cycles": "busy_ns", "stalled_cycles": "stalled_ns"},
    "latency": {"low_cycles": "low_ns", "high_cycles": "high_ns"},
    "series": {"start_cycle": "start_ns", "end_cycle": "end_ns", "latency_cycles_sum": "latency_ns_sum"},
    "nodes": {},
}


def test_tables_have_twins(tmp_path: Path) -> None:
    made = torusim.run(ARCHITECT, machine={"shape": [4, 4]}, out=tmp_path / "made")
    for result in (made, torusim.load(tmp_path / "made")):
        for name, twins in TWINS_OF_TABLES.items():
            table = result.table(name)
            assert [column for column in table.column_names if twin(column)] == list(twins)
            for column, other in twins.items():
                assert table.column(other).to_pylist() == pytest.approx(
                    [0.01 * each for each in table[column].to_pylist()]
                )
    in_cycles = torusim.run(SMALL_SCENARIO, machine={"shape": [4, 4]})
    assert "busy_ns" not in in_cycles.table("links").column_names
    assert "busy_ns" in in_cycles.in_units("physical").table("links").column_names


def test_runs_in_cycles_can_be_shown_in_physical_units(screen: Screen) -> None:
    torusim.run(SMALL_SCENARIO, machine={"shape": [4, 4]}, out="small")
    result = torusim.load("small")
    assert "units" not in result.summary
    for command in (["hot", "small", "--flows", "0"], ["compare", "small", "small"]):
        assert SHOWN_IN_CYCLES.search(screen(*command))
        assert not SHOWN_IN_CYCLES.search(screen(*command, "--units", "physical"))
    assert not SHOWN_IN_CYCLES.search(result.in_units("physical")._repr_html_())
    screen("run", "machine.toml")
    assert not SHOWN_IN_CYCLES.search(screen("compare", "small", "runs/machine-1"))  # their cycles differ in length
    assert not SHOWN_IN_CYCLES.search(screen("run", "machine.toml", "--units", "physical", "--out", "physical"))
    assert SHOWN_IN_CYCLES.search(screen("run", "machine.toml", "--units", "cycles", "--out", "cycles"))


def test_pictures_of_runs_have_their_units(screen: Screen) -> None:
    screen("run", "machine.toml")
    screen("run", "machine.toml", "--set", "machine.link.rate=50 GB/s", "--out", "slower")
    screen("plot", "runs/machine-1", "--format", "svg", "--out", "pictures")
    texts = screen.texts_of("pictures")
    assert not SHOWN_IN_CYCLES.search(str(texts))
    assert "packet latency (ns)" in texts["latency"]
    both = {"one": torusim.load("runs/machine-1"), "slower": torusim.load("slower")}
    for name in ("latency", "utilization-over-time"):  # their cycles differ in length
        (axes,) = torusim.plot(both, name).figure.axes
        assert axes.get_xlabel().endswith("(ns)")
        lasts = {line.get_label(): np.max(line.get_xdata()) for line in axes.get_lines()}
        assert lasts["slower"] > 1.2 * lasts["one"]
    only = ["--only", "utilization-over-time", "--format", "svg", "--out", "pictures"]
    screen("plot", "runs/machine-1", "slower", "--from", "50 ns", "--until", "0.2us", *only)
    screen("plot", "runs/machine-1", "--units", "cycles", "--only", "latency", "--format", "svg", "--out", "pictures")
    assert "packet latency (cycles)" in screen.texts_of("pictures")["latency"]
    for ends, problem in (
        (["--from", "1 KB"], "--from 1 KB: must be a whole number"),
        (["--from", "1", "--until", "2 ns"], "either both have a unit, or none"),
        (["--from", "1 ms"], "there is something from 0 ns to"),
    ):
        with pytest.raises(torusim.InputError, match=problem):
            screen("plot", "runs/machine-1", *ends, *only)


def test_sweeps_have_their_units(screen: Screen) -> None:
    over = ["--over", 'machine.link.hop_latency="50 ns","100 ns","2 us"', "--jobs", "1", "--out", "swept"]
    printed = screen("sweep", "machine.toml", *over)
    assert not SHOWN_IN_CYCLES.search(printed)
    assert "latency_ns_mean" in printed
    require_twins(json.loads(screen("sweep", "machine.toml", *over, "--json")))
    screen("plot", "swept", "--format", "svg", "--out", "pictures")
    texts = screen.texts_of("pictures")
    assert not SHOWN_IN_CYCLES.search(str(texts))
    assert {"hop latency (µs)", "mean packet latency (µs)"} <= set(texts["sweep-latency-ns-mean"])
    (axes,) = torusim.load_sweep("swept").plot("latency_cycles_max").figure.axes
    assert axes.get_lines()[0].get_xdata().tolist() == [0.05, 0.1, 2.0]  # type: ignore[union-attr]
    assert axes.get_ylabel() == "largest packet latency (µs)"
    in_cycles = torusim.load_sweep("swept").in_units("cycles")
    assert "latency_cycles_mean" in in_cycles._repr_html_()
    assert in_cycles.in_units("physical").cells() == torusim.load_sweep("swept").cells()
    screen("plot", "swept", "--units", "cycles", "--format", "svg", "--out", "in-cycles")
    assert "mean packet latency (cycles)" in screen.texts_of("in-cycles")["sweep-latency-cycles-mean"]


def test_curves_have_their_units(screen: Screen) -> None:
    command = ["curve", "open.toml", "--seeds", "1", "--jobs", "1", "--format", "svg"]
    printed = screen(*command)
    assert not SHOWN_IN_CYCLES.search(printed)
    assert "Loads in GB/s a node, times in ns." in printed
    assert {"latency (ns)", "offered load (GB/s a node)"} <= set(screen.texts_of("runs/curve-open")["curve"])
    require_twins(json.loads(screen(*command, "--json")))
    assert "times in cycles" in screen(*command, "--units", "cycles")  # repeats no run
    read = torusim.load_curve("runs/curve-open")
    assert read.units == "cycles"
    assert read.in_units("physical").cells()[0] == printed.splitlines()[3].split()
    assert not SHOWN_IN_CYCLES.search(read.in_units("physical")._repr_html_())


def test_jobs_and_schedules(screen: Screen) -> None:
    half = {"box": {"shape": [2, 4]}, "workload": {"kind": "all-to-all", "payload": "100 B"}}
    scenario = {
        "machine": {"shape": [4, 4], "link": {"rate": "100 GB/s", "hop_latency": "50 ns"}},
        "jobs": [half, {**half, "box": {"origin": [2, 0], "shape": [2, 4]}}],
    }
    result = torusim.run(scenario)
    require_twins(result.summary)
    assert not SHOWN_IN_CYCLES.search(result._repr_html_())
    assert result.table("jobs").column("completion_ns").to_pylist()[0] > 0
    torusim.schedule("lublin", nodes=64, jobs=10, load=0.5, out="planned")
    for command in (["plot", "planned"], ["compare", "planned", "planned"]):
        with pytest.raises(torusim.InputError, match="schedule"):
            screen(*command, "--units", "physical")
