"""Bad input gives exit status 2 and one message with the location, the problem and the expected input."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torusim
from tests.support import SMALL_SCENARIO, Command, assert_says, refused

HOLDS_ITSELF: dict[str, object] = {}
HOLDS_ITSELF["link"] = [HOLDS_ITSELF]


def with_line(text: str) -> str:
    """The small scenario with one more line in its section [workload]."""
    return f"{SMALL_SCENARIO}{text}\n"


def with_machine(text: str) -> str:
    """The small scenario with one more line in its section [machine], instead of one for the same key."""
    key = text.split("=")[0].strip()
    kept = "\n".join(line for line in SMALL_SCENARIO.splitlines() if line.split("=")[0].strip() != key)
    return kept.replace("[machine]", f"[machine]\n{text}")


def with_workload(kind: str) -> str:
    """The small machine with another workload."""
    return SMALL_SCENARIO[: SMALL_SCENARIO.index("[workload]")] + f"[workload]\n{kind}\n"


LONG_PATH = "/no" * 80

BAD_SCENARIOS = {
    "empty file": ("", ["empty"]),
    "blank file": ("\n\n", ["empty"]),
    "not TOML": ("[machine\n", ["bad.toml:1"]),
    "unknown section": ("[machin]\nshape = [4, 4]\n", ["machin", "machine"]),
    "unknown key": (with_line("paylod_bytes = 3"), ["bad.toml:8", "paylod_bytes", "payload_bytes"]),
    "wrong type": (with_machine('shape = "big"'), ["bad.toml:2", "machine.shape", "big"]),
    "zero length": (with_machine("shape = [4, 0]"), ["bad.toml:2", "machine.shape", "0"]),
    "negative length": (with_machine("shape = [4, -4]"), ["bad.toml:2", "machine.shape", "-4"]),
    "no dimension": (with_machine("shape = []"), ["machine.shape", "1 to 6"]),
    "seven dimensions": (with_machine("shape = [2, 2, 2, 2, 2, 2, 2]"), ["machine.shape", "1 to 6"]),
    "too many wraps": (with_machine("wrap = [true, true]"), ["machine.wrap", "3"]),
    "too large": (with_machine("shape = [65536, 65536, 65536]"), ["machine.shape"]),
    "more than fits in memory": (with_machine("shape = [640, 640, 640]"), ["machine.shape", "memory"]),
    "unknown preset": (
        with_machine('preset = "bluegene-x"'),
        ["bad.toml:2", "machine.preset", "bluegene-x", "bluegene-l"],
    ),
    "unknown kind": (with_workload('kind = "all-to-al"'), ["workload.kind", "all-to-al", "all-to-all"]),
    "no kind": (with_workload(""), ["workload", "kind"]),
    "negative payload": (SMALL_SCENARIO.replace("240", "-240"), ["bad.toml:7", "payload_bytes", "-240"]),
    "zero payload": (SMALL_SCENARIO.replace("240", "0"), ["bad.toml:7", "payload_bytes", "0"]),
    "buffer below a packet": (
        with_machine("router.dynamic_channel_bytes = 128"),
        ["machine.router.dynamic_channel_bytes", "128", "256"],
    ),
    "negative seed": (SMALL_SCENARIO + "[run]\nseed = -1\n", ["run.seed", "-1"]),
    "missing trace": (
        with_workload(f'kind = "trace"\npath = "{LONG_PATH}"'),
        ["bad.toml:7: workload.path", f"{LONG_PATH}: there is no such file"],
    ),
    "folder without a trace": (with_workload('kind = "trace"\npath = "."'), ["bad.toml:7: workload.path", "no trace"]),
    "only comments": ("# one\n# two\n", ["empty"]),
    "carriage returns": (SMALL_SCENARIO.replace("\n", "\r"), ["bad.toml:1"]),
    "one wrap for three": (with_machine("wrap = [false]"), ["bad.toml:2", "machine.wrap = [false]", "3"]),
    "no destination": (with_machine("shape = [1]"), ["bad.toml:2", "machine.shape = [1]"]),
    "huge payload": (SMALL_SCENARIO.replace("240", str(2**63)), ["bad.toml:7", "payload_bytes", "too many"]),
    "payload beyond 64 bits": (SMALL_SCENARIO.replace("240", str(2**64)), ["bad.toml:7", "64 bits"]),
    "no packets in a visit": (
        with_line("packets_per_visit = 0"),
        ["bad.toml:8", "packets_per_visit = 0", "at least 1"],
    ),
    "no load": (with_workload('kind = "uniform-random"\nload = 0'), ["bad.toml:7", "workload.load = 0", "above 0"]),
    "nothing measured": (SMALL_SCENARIO + "[run]\nmeasure_cycles = 0\n", ["bad.toml:9", "measure_cycles = 0"]),
    "box larger than the machine": (
        with_workload('kind = "hot-region"\nbox = [5, 1, 1]'),
        ["bad.toml:7", "workload.box = [5, 1, 1]", "from 1 to 4"],
    ),
    "hot spot alone": (
        with_machine("shape = [1]").split("[workload]")[0] + '[workload]\nkind = "hot-spot"\npackets_per_pair = 1\n',
        ["bad.toml:2", "machine.shape = [1]"],
    ),
    "unknown cost": (
        with_workload('kind = "ping-pong"') + "[messaging]\nwrite_cycles = 60\n",
        ["bad.toml:8", "messaging.write_cycles", "write_processor_cycles"],
    ),
    "no polling": (
        with_workload('kind = "ping-pong"') + "[messaging]\npolling_interval_cycles = 0\n",
        ["bad.toml:8", "messaging.polling_interval_cycles = 0", "from 1 to"],
    ),
    "header of a whole packet": (
        with_workload('kind = "ping-pong"') + "[messaging]\nheader_bytes = 256\n",
        ["bad.toml:8", "messaging.header_bytes = 256", "from 0 to 255"],
    ),
    "costs of generated traffic for ranks": (
        with_machine("node.read_processor_cycles = 204").replace(
            'kind = "all-to-all"\npayload_bytes = 240', 'kind = "ping-pong"'
        ),
        ["machine.node.read_processor_cycles = 204", "messaging.read_processor_cycles"],
    ),
    "unknown kernel": (with_workload('kind = "kernel"\nname = "halo"'), ["bad.toml:7", "workload.name", "halo-3d"]),
    "communication without ranks": (
        f"{SMALL_SCENARIO}\n[run]\ncommunication = true\n",
        ["bad.toml:10", "run.communication = true", "no ranks"],
    ),
    "no kernel": (with_workload('kind = "kernel"'), ["workload.name", "is missing", "six-way-send"]),
    "parameter of another kernel": (
        with_workload('kind = "kernel"\nname = "six-way-send"\ngrid = [2, 2, 2]'),
        ["bad.toml:8", "workload.grid", "Known: bytes, iterations"],
    ),
    "dead node in the middle": (
        with_workload('kind = "kernel"\nname = "six-way-send"').replace(
            "[4, 4, 4]", "[4, 4, 4]\ndead_nodes = [[2, 2, 2]]"
        ),
        ["bad.toml:4", "machine.dead_nodes = [[2, 2, 2]]", "in the middle"],
    ),
    "grid larger than the machine": (
        with_workload('kind = "kernel"\nname = "halo-3d"\ngrid = [500, 1, 1]'),
        ["bad.toml:8", "workload.grid = [500, 1, 1]", "from 2 to"],
    ),
    "ranks that are no square": (
        with_workload('kind = "kernel"\nname = "nas-sp"') + "\n[mapping]\nranks = 60\n",
        ["bad.toml:10", "mapping.ranks = 60", "a square", "49, 64"],
    ),
    "unknown class of a benchmark": (
        with_workload('kind = "kernel"\nname = "nas-cg"\nclass = "E"'),
        ["bad.toml:8", "workload.class", '"D"'],
    ),
    "unknown method of b_eff": (
        with_workload('kind = "kernel"\nname = "b-eff"\nmethods = ["isend"]'),
        ["bad.toml:8", "workload.methods", "nonblocking"],
    ),
    "long ping-pong": (
        with_workload(f'kind = "ping-pong"\npayload_bytes = {2**40}'),
        ["bad.toml:7", "workload.payload_bytes", "from 1 to 1073741824"],
    ),
}


@pytest.mark.parametrize(("text", "words"), BAD_SCENARIOS.values(), ids=BAD_SCENARIOS.keys())
@pytest.mark.parametrize("name", ["run", "check"])
def test_bad_scenario(command: Command, tmp_path: Path, name: str, text: str, words: list[str]) -> None:
    (tmp_path / "bad.toml").write_text(text)
    assert_says(command(name, "bad.toml"), "bad.toml", *words)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"], "nothing is left behind"


BAD_FILES = {
    "Latin-1": ("# für alle\n".encode("latin-1"), ["bad.toml:1", "0xfc", "UTF-8"]),
    "only a byte order mark": (b"\xef\xbb\xbf", ["empty"]),
    "NUL byte": (b"[machine]\nshape\0 = [4]\n", ["bad.toml:2", "NUL"]),
    "not UTF-8": (b'[machine]\npreset = "\xff"\n', ["bad.toml:2", "0xff", "UTF-8"]),
    "UTF-16": ("[machine]".encode("utf-16"), ["bad.toml:1"]),
}


@pytest.mark.parametrize(("content", "words"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_file_that_is_not_text(command: Command, tmp_path: Path, content: bytes, words: list[str]) -> None:
    (tmp_path / "bad.toml").write_bytes(content)
    assert_says(command("run", "bad.toml"), *words)


BAD_RESULTS = {
    "not JSON": ("{", ["result.json"]),
    "no scenario": ('{"schema_version": 1}', ["result.json", "scenario"]),
    "not an object": ("[]", ["result.json"]),
    "cut off": ('{"schema_version": 1,\n "scenario": {"machi', ["result.json:2"]),
    "another value": (
        json.dumps({"scenario": {"machine": {"shape": [4, 0]}, "workload": {"kind": "tornado"}}}),
        ["result.json: machine.shape = [4, 0]"],
    ),
}


@pytest.mark.parametrize(("text", "words"), BAD_RESULTS.values(), ids=BAD_RESULTS.keys())
def test_invalid_result_file_as_scenario(command: Command, tmp_path: Path, text: str, words: list[str]) -> None:
    (tmp_path / "result.json").write_text(text)
    assert_says(command("run", "result.json"), *words)


BAD_ARGUMENTS = {
    "missing file": (["run", "nowhere.toml"], ["nowhere.toml", "no such file"]),
    "folder as scenario": (["run", "."], [".: is a folder"]),
    "endless file": (["run", "/dev/zero"], ["/dev/zero: is a pipe or a device"]),
    "no scenario": (["run"], ["SCENARIO"]),
    "unknown command": (["simulate"], ["simulate"]),
    "unknown option": (["run", "small.toml", "--sed", "3"], ["--sed"]),
    "unknown engine": (["run", "small.toml", "--engine", "fast"], ["--engine", "windowed", "reference"]),
    "zero threads": (["run", "small.toml", "--threads", "0"], ["--threads", "1"]),
    "seed without digits": (["run", "small.toml", "--seed", "one"], ["--seed"]),
    "negative seed": (["run", "small.toml", "--seed", "-1"], ["seed", "-1"]),
    "huge seed": (["run", "small.toml", "--seed", str(2**70)], ["seed"]),
    "set without value": (["run", "small.toml", "--set", "machine.shape"], ["--set machine.shape", "="]),
    "set without TOML": (["run", "small.toml", "--set", "machine.shape=[4,"], ["--set machine.shape"]),
    "set of unknown key": (
        ["run", "small.toml", "--set", "machine.shap=[4]"],
        ["--set machine.shap", "shape"],
    ),
    "set below a value": (["run", "small.toml", "--set", "machine.shape.x=4"], ["--set machine.shape.x"]),
    "out below a file": (["run", "small.toml", "--out", "small.toml/out"], ["small.toml/out"]),
    "out that is a file": (["run", "small.toml", "--out", "small.toml"], ["small.toml: exists already"]),
    "out with too long a name": (["run", "small.toml", "--out", "x" * 300], ["cannot be written: File name too long"]),
    "negative threads": (["run", "small.toml", "--threads", "-1"], ["--threads", "1"]),
    "too many threads": (["run", "small.toml", "--threads", "100000"], ["--threads", "1024"]),
    "seed beyond 64 bits": (["run", "small.toml", "--seed", str(2**64)], [f"--seed: {2**64} is beyond 64 bits"]),
    "set without key": (["check", "small.toml", "--set", "=3"], ["--set =3", "KEY=VALUE"]),
    "set of infinity": (["check", "small.toml", "--set", "run.seed=inf"], ["--set run.seed", "finite"]),
    "noise": (["run", "/dev/urandom"], ["/dev/urandom: is a pipe or a device"]),
    "init of a folder": (["init", "."], [".: exists already"]),
    "plot of nothing": (["plot", "nowhere"], ["nowhere: there is no such folder"]),
    "plot of a scenario": (["plot", "small.toml"], ["small.toml: is a scenario, not a result; torusim run small.toml"]),
    "plot of another folder": (["plot", "."], ["result.json"]),
    "compare with nothing": (["compare", "nowhere", "nowhere"], ["nowhere: there is no such folder"]),
    "init of unknown kind": (["init", "new.toml", "--kind", "chaos"], ["chaos", "all-to-all"]),
    "init in a missing folder": (["init", "nowhere/new.toml"], ["nowhere/new.toml: cannot be written"]),
    "bench of no shape": (["bench", "--shape", "8xx8"], ["--shape 8xx8", "8x8x16"]),
    "bench of a length of none": (["bench", "--shape", "8x0"], ["--shape 8x0", "machine.shape", "0"]),
    "bench of an unknown load": (["bench", "--load", "half"], ["--load half", "0.5", "full"]),
    "bench of too high a load": (["bench", "--shape", "4x4", "--load", "2000"], ["--load 2000", "at most 1000"]),
    "bench without end": (["bench", "--seconds", "inf"], ["--seconds inf"]),
    "bench of too large a machine": (["bench", "--shape", "16384x16384"], ["--shape 16384x16384", "would fit"]),
    "bench of some and large": (["bench", "--shape", "4x4", "--large"], ["--large", "--shape"]),
    "plot of too long a name": (["plot", "x" * 300], ["there is no such folder"]),
    "compare with too long a name": (["compare", "x" * 300, "x"], ["there is no such folder"]),
    "study of too long a name": (["study", "x" * 300], ["there is no such study"]),
    "picture in too long a folder": (
        ["room", "intrepid", "--picture", f"{'x' * 300}/a.svg"],
        ["--picture", "no folder"],
    ),
    "bench of what is not text": (["bench", "--shape", "4x\udcb8"], ["--shape 4x"]),
    "partition without a name": (["room", "intrepid", "--partition", "R00\n:ring"], [r"--partition 'R00\n:ring': "]),
    "unknown wiring": (["room", "intrepid", "--partition", ":ring"], ['--partition :ring: wiring: "ring"', "mesh"]),
    "option that is not text": (["schedule", "small.toml", "--policy", "\udcb8"], ["--policy", "not text"]),
    "list of unknown topic": (["list", "machines"], ["machines", "presets"]),
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("arguments", "words"), BAD_ARGUMENTS.values(), ids=BAD_ARGUMENTS.keys())
def test_bad_arguments(command: Command, arguments: list[str], words: list[str]) -> None:
    assert_says(command(*arguments), *words)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_unwritable_folder_is_reported_before_the_run(command: Command, long: Path, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    assert_says(command("run", long, "--out", "locked/out"), "locked/out: cannot be written", "Permission denied")


def test_path_that_cannot_hold_a_folder_is_reported_before_the_run(command: Command, long: Path) -> None:
    assert_says(command("run", long, "--out", "/proc/out"), "/proc/out: cannot be written")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "pipe"],
        ["check", "pipe"],
        ["sweep", "pipe", "--over", "run.seed=1"],
        ["room", "pipe.toml"],
        ["schedule", "pipe", "--nodes", "64"],
        ["schedule", "pipe.json"],
        ["plot", "pipe"],
        ["compare", "pipe", "pipe"],
    ],
    ids=" ".join,
)
def test_pipe_is_refused(command: Command, tmp_path: Path, arguments: list[str]) -> None:
    for name in ("pipe", "pipe.toml", "pipe.json"):
        os.mkfifo(tmp_path / name)
    assert_says(command(*arguments), "is a pipe or a device, not a file; write its content to a file and name that")


@pytest.mark.parametrize("name", ["result.json", "links.parquet"])
def test_pipe_in_a_result_is_refused(command: Command, small: Path, tmp_path: Path, name: str) -> None:
    command("run", small, "--out", "kept")
    (tmp_path / "kept" / name).unlink()
    os.mkfifo(tmp_path / "kept" / name)
    assert_says(command("plot", "kept"), f"kept/{name}: is a pipe or a device")
    if name == "result.json":
        assert_says(command("run", "kept/result.json"), "is a pipe or a device")


def test_pipe_as_a_finished_point_is_run_again(command: Command, small: Path, tmp_path: Path) -> None:
    again = ["sweep", small, "--over", "run.seed=1", "--out", "kept"]
    assert command(*again).returncode == 0
    (point,) = (tmp_path / "kept" / "points").iterdir()
    point.unlink()
    os.mkfifo(point)
    assert command(*again).returncode == 0
    assert point.is_file()


TRACES = {
    "empty": (b"", "bad.toml:7: workload.path: FILE: the file is empty"),
    "garbled": (b"\x7fELF garbage\n", "FILE:1: "),
    "not text": (b"# fine\nMPI_Init:\xff\n", "FILE:2: bytes that are not text"),
    "cut off": (b"# one\n# two\n", "FILE:2: the file ends before MPI_Finalize"),
}


@pytest.mark.parametrize(("content", "message"), TRACES.values(), ids=TRACES.keys())
def test_bad_trace(command: Command, tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "trace" / "pmpi-trace-rank-0.txt"
    file.parent.mkdir()
    file.write_bytes(content)
    (tmp_path / "bad.toml").write_text(with_workload('kind = "trace"\npath = "trace"'))
    assert_says(command("run", "bad.toml"), message.replace("FILE", str(file)))


def test_api_raises_same_message_as_command(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.toml").write_text(with_machine("shape = [4, 0]"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(torusim.InputError) as raised:
        torusim.run("bad.toml")
    assert isinstance(raised.value, ValueError)
    assert command("run", "bad.toml").stderr == f"torusim: {raised.value}\n"


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"engine": "fast"}, ["fast", "windowed"]),
        ({"engine": 3}, ["engine: 3", "windowed"]),
        ({"threads": 0}, ["threads", "0", "1"]),
        ({"threads": -1}, ["threads", "-1"]),
        ({"threads": 1.5}, ["threads", "1.5"]),
        ({"seed": "one"}, ["seed", "one"]),
        ({"thread": 2}, ["thread", "dict"]),
        ({"machin": {"shape": [4]}}, ["machin"]),
        ({"machine": {"shape": {4}}}, ["machine.shape", "{4}", "plain data"]),
        ({"machine": {"shape": [float("nan")]}}, ["machine.shape[0]", "nan"]),
        ({"machine": {3: 4}}, ["machine", "3", "string"]),
        ({"machine": {"shape": [2**70]}}, ["machine.shape[0]", "64 bits"]),
        ({"run": {"name": "\ud800"}}, ["run.name", "not text"]),
        ({"machine": HOLDS_ITSELF}, ["machine", "contains itself"]),
        ({"out": 3}, ["out: 3", "path"]),
        ({"out": "a\0b"}, ["out", "path"]),
    ],
    ids=str,
)
def test_bad_keyword(keywords: dict[str, object], words: list[str]) -> None:
    with refused(*words):
        torusim.run(SMALL_SCENARIO, **keywords)  # type: ignore[arg-type]


@pytest.mark.parametrize("scenario", [None, 3, b"bytes", [], {}, {"machine": 3}, "", "\0"], ids=repr)
def test_bad_scenario_value(scenario: object) -> None:
    with pytest.raises(torusim.InputError):
        torusim.run(scenario)  # type: ignore[arg-type]


def test_bad_value_in_a_dict_is_not_blamed_on_the_preset() -> None:
    with pytest.raises(torusim.InputError, match=r"^scenario: machine.shape = \[4, 0\]"):
        torusim.run({"machine": {"shape": [4, 0]}, "workload": {"kind": "tornado"}})


@pytest.mark.parametrize("folder", [None, 3, "a\0b"], ids=repr)
def test_bad_folder_to_load(folder: object) -> None:
    with pytest.raises(torusim.InputError, match="has to be a path"):
        torusim.load(folder)  # type: ignore[arg-type]


plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["machine", "workload", "run"]) | st.text(), plain_values))
def test_random_values_raise_input_error(scenario: dict[str, object]) -> None:
    with pytest.raises(torusim.InputError):
        torusim.check(scenario)


@settings(deadline=None)
@given(st.text())
def test_random_text_raises_input_error(text: str) -> None:
    with pytest.raises(torusim.InputError):
        torusim.check(f"{text}\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema_version": 99}, ["schema_version", "99"]),
        ({"summary": None}, ["summary"]),
        ({"summary": {}}, ["outcome"]),
        ({"summary": {"outcome": "completed", "cycles": "x"}}, ['summary.cycles = "x"', "damaged"]),
        ({"summary": {"outcome": "stuck", "outcome_detail": 3}}, ["summary.outcome_detail = 3"]),
        ({"summary": {"outcome": "completed", "link_utilization_by_direction": [1]}}, ["utilization_by_direction"]),
    ],
    ids=str,
)
def test_result_with_invalid_content(
    command: Command, small: Path, tmp_path: Path, change: dict[str, object], words: list[str]
) -> None:
    command("run", small, "--out", "kept")
    path = tmp_path / "kept" / "result.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert_says(command("plot", "kept"), "result.json", *words)
    assert_says(command("compare", "kept", "kept"), "result.json", *words)


def test_broken_table(command: Command, small: Path, tmp_path: Path) -> None:
    command("run", small, "--out", "kept")
    links = tmp_path / "kept" / "links.parquet"
    links.write_bytes(links.read_bytes()[:-40] + b"\xff" * 32 + links.read_bytes()[-8:])
    assert_says(command("plot", "kept"), "kept/links.parquet: cannot be read")
    links.write_bytes(b"PAR1")
    assert_says(command("plot", "kept"), "kept/links.parquet", "not a table")
    links.write_bytes((tmp_path / "kept" / "nodes.parquet").read_bytes())
    assert_says(command("plot", "kept"), "kept/links.parquet", "'direction'")
    links.unlink()
    assert_says(command("plot", "kept"), "kept: table 'links'", "latency, nodes, series")
    links.mkdir()
    assert_says(command("plot", "kept"), "kept/links.parquet: cannot be read")
