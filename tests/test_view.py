"""The data of pages that show runs: links over time, flows, routes, ranks; pages as files, served, in notebooks."""

import base64
import html
import io
import json
import math
import re
import urllib.error
import urllib.request
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import torusim
from tests.support import Command, assert_one_message, succeeded
from torusim.runs.timeline import Timeline
from torusim.viewer.page import RUNS, page_of, whole_page
from torusim.viewer.serving import address_of, serving
from torusim.viewer.view import data_of

HOSTILE = "</script><b>x"

ALL_TO_ALL: dict[str, Any] = {
    "machine": {"shape": [4, 4, 2]},
    "workload": {"kind": "all-to-all", "payload_bytes": 960},
    "run": {"link_series": True, "name": "exchange"},
}

HALO: dict[str, Any] = {
    "machine": {"shape": [4, 4, 4]},
    "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 500, "iterations": 2},
}

ALL_REDUCE: dict[str, Any] = {
    "machine": {"shape": [4, 4, 4]},
    "workload": {"kind": "collective", "operation": "all-reduce", "bytes": 16384},
}

UNIFORM: dict[str, Any] = {
    "machine": {"shape": [4, 4]},
    "workload": {"kind": "uniform-random", "load": 0.1, "packets_per_node": 10},
}


@pytest.fixture(scope="module")
def result() -> torusim.Result:
    """A run whose links are recorded over time."""
    return torusim.run(ALL_TO_ALL)


def utilization_over_time(result: torusim.Result) -> "np.ndarray[Any, Any]":
    """The utilization of each link in each row of the series, by row and link."""
    table = result.table("link_series")
    rows = np.array([np.frombuffer(row.as_py(), dtype=np.uint8) for row in table["bytes"]])
    full: np.ndarray[Any, Any] = np.array(table["full"])[:, None]
    utilization: np.ndarray[Any, Any] = rows / 255 * full
    return utilization


def document_of(page: str) -> dict[str, Any]:
    """The document in a page."""
    (data,) = re.findall(r'<script type="application/json" id="torusim-view">(.*?)</script>', page, re.DOTALL)
    document: dict[str, Any] = json.loads(data)
    return document


def test_links_over_time_add_up_to_the_whole_run(result: torusim.Result) -> None:
    series, links = result.table("link_series"), result.links()
    assert series["start_cycle"].equals(result.table("series")["start_cycle"])
    assert series["end_cycle"].equals(result.table("series")["end_cycle"])
    cycles = np.array(series["end_cycle"]) - np.array(series["start_cycle"])
    share = utilization_over_time(result)
    assert share.shape == (series.num_rows, links.num_rows)
    # Half a step in each row, and a packet that begins at the end of the last one.
    error = (np.array(series["full"]) / 255 / 2 * cycles).sum() + 270
    assert np.abs(share.T @ cycles - np.array(links["busy_cycles"])).max() <= error


def test_a_row_of_links_has_the_mean_of_its_direction() -> None:
    light = {"warmup_cycles": 0, "measure_cycles": 20_000, "series_interval_cycles": 2_000, "link_series": True}
    result = torusim.run(
        {"machine": {"shape": [4, 4]}, "workload": {"kind": "uniform-random", "load": 0.2}, "run": light}
    )
    directions = np.array(result.links()["direction"].to_pylist())
    share = utilization_over_time(result)
    for direction in ("x+", "x-", "y+", "y-"):
        mean = np.array(result.table("series")[f"utilization_{direction}"])
        of_links = share[:, directions == direction].mean(axis=1)
        full = np.array(result.table("link_series")["full"])
        assert full.max() < 1  # or packets that begin at the end of a row would count in the next one
        assert (np.abs(of_links - mean) <= full / 255 / 2 + 1e-9).all()


def test_merged_rows_lose_nothing() -> None:
    many = torusim.run(ALL_TO_ALL, workload={"payload_bytes": 9600}, run={"series_interval_cycles": 64})
    table = many.table("link_series")
    assert table.num_rows <= 256
    assert np.array_equal(np.array(table["start_cycle"])[1:], np.array(table["end_cycle"])[:-1])
    cycles = np.array(table["end_cycle"]) - np.array(table["start_cycle"])
    busy = utilization_over_time(many).T @ cycles
    assert np.abs(busy / np.array(many.links()["busy_cycles"]) - 1).max() < 0.03


def test_many_links_are_recorded_by_planes() -> None:
    large = torusim.run(
        {
            "machine": {"shape": [60, 60, 12]},
            "workload": {"kind": "uniform-random", "load": 0.05},
            "run": {"warmup_cycles": 0, "measure_cycles": 3000, "link_series": True, "series_interval_cycles": 500},
        }
    )
    assert large.links().num_rows > 200_000
    share = utilization_over_time(large)
    assert share.shape == (6, 2 * (60 + 60 + 12))
    # In order of directions: x+ and x- have 60 planes each.
    x_plus = np.array(large.table("series")["utilization_x+"])
    assert np.allclose(share[:, :60].mean(axis=1), x_plus, atol=share.max() / 255)
    assert data_of(large).facts["series"] == "planes"


def test_packets_wait_at_the_end_of_a_deadlock(command: Command, tmp_path: Path) -> None:
    scenario = Path("scenarios/deadlock-true-size-bubble.toml").absolute()
    command("run", scenario, "--set", "run.link_series=true", "--out", tmp_path / "blocked")
    blocked = torusim.load(tmp_path / "blocked")
    facts = data_of(blocked).facts
    waiting = blocked.table("waiting").to_pylist()
    assert [packet["node"] for packet in facts["deadlock"]["ring"]] == [packet["node"] for packet in waiting]
    links = blocked.links().to_pylist()
    for packet in waiting:
        link = links[packet["link"]]
        assert (link["node"], link["direction"]) == (packet["node"], packet["toward"])
        assert packet["tokens"] < packet["tokens_needed"]


def test_links_have_packets_by_channel_and_retransmissions() -> None:
    lossy = {"link_errors": {"bit_error_rate": 1e-5}}
    observed = torusim.run(ALL_TO_ALL, machine=lossy, run={"observe_buffers": True})
    links = observed.links()
    by_channel = [name for name in links.column_names if name.startswith("packets_")]
    assert by_channel == ["packets_dynamic_0", "packets_dynamic_1", "packets_escape"]
    packets = np.sum([np.array(links[name], dtype=int) for name in by_channel], axis=0)
    assert packets.tolist() == links["packets"].to_pylist()
    assert sum(links["frames_sent_again"].to_pylist()) == observed.summary["link_frames_sent_again"] > 0
    assert data_of(observed).facts["machine"]["vcs"] == ["dynamic_0", "dynamic_1", "escape"]


def test_time_lines_of_calls_are_tables_too(tmp_path: Path) -> None:
    recorded = torusim.run(HALO, timeline=Timeline(tmp_path / "calls.json", ranks=(0, 63)))
    calls, messages = recorded.table("calls").to_pylist(), recorded.table("messages").to_pylist()
    assert len(messages) == 64 * 6 * 2
    of_rank = [call for call in calls if call["rank"] == 5]
    assert [call["number"] for call in of_rank] == list(range(len(of_rank)))
    assert all(call["start_cycle"] <= call["end_cycle"] for call in calls)
    named = {(call["rank"], call["number"]): call for call in calls}
    for message in messages:
        assert message["sent_cycle"] < message["arrived_cycle"]
        assert named[message["source"], message["call_number"]]["call"] in {"MPI_Isend", "MPI_Waitall"}
    phases = data_of(recorded).facts["phases"]
    assert [phase["name"] for phase in phases] == [f"MPI_Waitall {number}" for number in range(1, 5)]
    waits = [call["start_cycle"] for call in calls if call["call"] == "MPI_Waitall"]
    assert phases[0]["cycle"] == min(waits) < phases[1]["cycle"]
    assert "calls" not in torusim.run(HALO).tables


@pytest.mark.parametrize(
    ("algorithm", "names"),
    [
        ("auto", [f"MPI_Allreduce round {number}" for number in range(1, 13)]),
        ("bucket", [f"MPI_Allreduce stage {number}" for number in range(1, 7)]),
        # A hundred marks are the most: of 126 rounds every second has one.
        ("ring", [f"MPI_Allreduce round {number}" for number in range(1, 127, 2)]),
    ],
)
def test_rounds_of_collectives_have_marks(algorithm: str, names: list[str], tmp_path: Path) -> None:
    recorded = torusim.run(ALL_REDUCE, workload={"algorithm": algorithm}, timeline=tmp_path / "rounds.json")
    rounds = recorded.table("rounds").to_pylist()
    assert len(rounds) == len({(row["stage"], row["round"]) for row in rounds})
    starts = [row["start_cycle"] for row in rounds]
    assert starts == sorted(starts)
    phases = data_of(recorded).facts["phases"]
    assert [phase["name"] for phase in phases] == names
    assert phases[0]["cycle"] == starts[0] < phases[-1]["cycle"] < recorded.summary["cycles"]
    # Nobody begins a round that needs a message before such a message has arrived.
    arrived = min(recorded.table("messages")["arrived_cycle"].to_pylist())
    assert sorted(row["start_cycle"] for row in rounds)[1] >= arrived


def test_time_lines_of_rounds_change_nothing(tmp_path: Path) -> None:
    recorded = torusim.run(ALL_REDUCE, timeline=tmp_path / "rounds.json")
    assert recorded.summary["digest"] == torusim.run(ALL_REDUCE).summary["digest"]


def test_repeated_collectives_have_marks_of_each(tmp_path: Path) -> None:
    recorded = torusim.run(ALL_REDUCE, workload={"repetitions": 3}, timeline=tmp_path / "rounds.json")
    names = [phase["name"] for phase in data_of(recorded).facts["phases"]]
    assert names.count("MPI_Allreduce round 12") == 3
    assert [name for name in names if "round" not in name] == [f"MPI_Allreduce {number}" for number in (1, 2, 3)]


def test_groups_are_jobs_or_make_a_collective_together_or_are_given() -> None:
    together = data_of(torusim.run(ALL_REDUCE, workload={"over": ["x", "y"]}))
    assert together.arrow["ranks"]["group"].to_pylist() == [rank // 16 for rank in range(64)]
    assert together.facts["groups"] == []
    given = torusim.run(HALO).view(groups={rank: f"stage {rank // 32}" for rank in range(16, 64)}).data[0]
    assert given.facts["groups"] == ["", "stage 0", "stage 1"]
    assert given.arrow["ranks"]["group"].to_pylist() == [0] * 16 + [1] * 16 + [2] * 32
    with pytest.raises(torusim.InputError, match=r"there is no rank 64; .* has 64"):
        torusim.run(HALO).view(groups={64: "stage"})
    with pytest.raises(torusim.InputError, match="has no ranks"):
        torusim.run(UNIFORM).view(groups={0: "stage"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rank,stage\n0,a\n", ":1: the columns are rank,group, not rank,stage"),
        ("", ":1: the columns are rank,group, not none"),
        ("rank,group\n0,a\nx,b\n", ":3: 'x' is no rank"),
        ("rank,group\n0,a\n0,b\n", ":3: rank 0 has a group already, a"),
        ("rank,group\n0\n", ":2: 1 values"),
        ("rank,group\n0,a\n99,a\n", ":3: there is no rank 99"),
    ],
)
def test_groups_that_cannot_be_read_are_named(text: str, message: str, command: Command, tmp_path: Path) -> None:
    torusim.run(HALO, out=tmp_path / "halo")
    (tmp_path / "groups.csv").write_text(text)
    page = tmp_path / "page.html"
    failed = command("view", tmp_path / "halo", "--groups", tmp_path / "groups.csv", "--save", page)
    assert_one_message(failed, message)
    assert not page.exists()


def test_data_has_what_the_page_of_the_guide_says() -> None:
    data = data_of(torusim.run(HALO))
    told = Path("docs/view.md").read_text(encoding="utf-8")
    names = re.findall(r"^\| `(\w+)` \|", told.split("## The data")[1].split("`facts` of a run say")[1], re.MULTILINE)
    assert sorted(data.facts) == sorted([*names, "routes_note"])
    for name, columns in re.findall(
        r"^\| `(wires|ranks|flows|flow_counts)` \| [^|]* \| ([^|]*) \|", told, re.MULTILINE
    ):
        assert data.arrow[name].column_names == re.findall(r"`(\w+)`", columns)
    assert set(re.findall(r"`(\w+)`", told.split("| `machine` |")[1].splitlines()[0])) == set(data.facts["machine"])


def test_flows_are_those_of_hot_links(result: torusim.Result) -> None:
    data = data_of(result)
    hottest = torusim.hot_links(result, links=1, flows=10).busiest[0]
    (row,) = [
        number
        for number, link in enumerate(result.links().to_pylist())
        if (link["node"], link["direction"]) == (hottest.node, hottest.direction)
    ]
    flows = [flow for flow in data.arrow["flows"].to_pylist() if flow["link"] == row]
    assert [(flow["source"], flow["target"], flow["amount"]) for flow in flows] == [
        (flow["source"], flow["target"], flow["bytes"]) for flow in hottest.largest
    ]
    assert data.arrow["flow_counts"]["flows"][row].as_py() == hottest.flows


@pytest.mark.parametrize("machine", [{"shape": [4, 3, 2]}, {"shape": [4, 4, 8], "twist": "auto"}, {"shape": [5]}])
def test_wires_and_vectors_lead_to_each_node(machine: dict[str, Any]) -> None:
    data = data_of(torusim.run(ALL_TO_ALL, machine=machine))
    dimensions = data.facts["machine"]["dimensions"]
    target = dict(zip(_link_names(data.arrow["links"]), data.arrow["wires"]["target"].to_pylist(), strict=True))
    for node, vectors in enumerate(data.facts["routes"]["vectors"]):
        assert math.isclose(sum(vector["share"] for vector in vectors), 1)
        for vector in vectors:
            reached = 0
            for name, hops in zip(dimensions, vector["hops"], strict=True):
                for _ in range(abs(hops)):
                    reached = target[reached, f"{name}{'+' if hops > 0 else '-'}"]
            assert reached == node


def _link_names(links: pa.Table) -> list[tuple[int, str]]:
    return list(zip(links["node"].to_pylist(), links["direction"].to_pylist(), strict=True))


def test_a_trace_that_is_gone_leaves_the_rest(tmp_path: Path) -> None:
    trace = tmp_path / "ring.txt"
    shown = torusim.run(HALO, out=tmp_path / "halo")
    content = json.loads((tmp_path / "halo" / "result.json").read_text())
    content["scenario"]["workload"] = {"kind": "trace", "path": str(trace)}
    (tmp_path / "halo" / "result.json").write_text(json.dumps(content))
    data = data_of(torusim.load(tmp_path / "halo"))
    assert "flows" not in data.arrow
    assert str(trace) in data.facts["flows"]["note"]
    assert data.arrow["wires"].num_rows == shown.links().num_rows


def test_a_page_holds_its_tables_and_no_markup_of_others(result: torusim.Result, tmp_path: Path) -> None:
    hostile = torusim.run(ALL_TO_ALL, run={"name": "<!--<script>"})
    page = whole_page([data_of(result), data_of(hostile, HOSTILE)])
    document = document_of(page)
    assert document["schema_version"] == 1
    assert [run["name"] for run in document["runs"]] == ["exchange", HOSTILE]
    assert HOSTILE not in page
    assert "<title>exchange and &lt;/script&gt;&lt;b&gt;x</title>" in page
    source = document["runs"][0]["tables"]["links"]["base64"]
    assert pq.read_table(io.BytesIO(base64.b64decode(source))).equals(result.links())
    assert result.view().save(tmp_path / "page.html").read_text(encoding="utf-8") == whole_page([data_of(result)])


def test_a_page_is_served_to_this_computer_alone(result: torusim.Result) -> None:
    data = data_of(result)
    with serving([data]) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = address_of(server)
        with urllib.request.urlopen(address) as answer:
            tables = document_of(answer.read().decode())["runs"][0]["tables"]
        with urllib.request.urlopen(address + tables["links"]["url"]) as answer:
            assert answer.read() == data.tables["links"]
        for path, host in (("nothing", None), ("", "torusim.example")):
            request = urllib.request.Request(address + path, headers={"Host": host} if host else {})
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(request)
        server.shutdown()


def test_the_command_writes_a_page(command: Command, tmp_path: Path) -> None:
    for name, wrap in (("torus", True), ("mesh", False)):
        torusim.run(ALL_TO_ALL, machine={"wrap": wrap}, out=tmp_path / name)
    told = succeeded(command("view", tmp_path / "torus", tmp_path / "mesh", "--save", tmp_path / "both.html"))
    assert f"The page is {tmp_path / 'both.html'}" in told.stdout
    document = document_of((tmp_path / "both.html").read_text(encoding="utf-8"))
    assert [run["name"] for run in document["runs"]] == ["torus", "mesh"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing"], ["missing", "no such folder"]),
        (["run"] * (RUNS + 1), ["at most 2 runs"]),
        (["run", "--serve", "--save", "x.html"], ["--serve", "--save"]),
        (["run", "--port", "80"], ["--port", "--serve"]),
        (["run", "--save", "none/x.html"], ["none"]),
    ],
)
def test_what_cannot_be_shown_is_refused(
    command: Command, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    torusim.run(ALL_TO_ALL, out=tmp_path / "run")
    assert_one_message(command("view", *arguments), *words)


def test_tables_too_large_for_a_page_are_served(result: torusim.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torusim.viewer.page.EMBEDDED_BYTES", 1000)
    with pytest.raises(torusim.InputError, match="--serve"):
        whole_page([data_of(result)])
    assert len(page_of([data_of(result)], lambda *_: {"url": "x"})) > 1000


def test_notebooks_show_a_widget(result: torusim.Result) -> None:
    bundle = result.view()._repr_mimebundle_()
    assert bundle["text/plain"] == "<View of exchange>"
    assert html.unescape(bundle["text/html"].split('srcdoc="')[1].split('"')[0]) == whole_page([data_of(result)])
    pytest.importorskip("anywidget")
    assert "application/vnd.jupyter.widget-view+json" in bundle


@pytest.mark.parametrize(("room", "blocks", "cables"), [("intrepid", 80, True), ("tpu-v4-pod", 64, False)])
def test_a_schedule_has_its_room(room: str, blocks: int, cables: bool) -> None:
    made = torusim.schedule(log="lublin", room=room, jobs=50, load=0.8)
    data = data_of(made)
    facts = data.facts["room"]
    midplanes = data.arrow["midplanes"]["midplane"].to_pylist()
    assert (data.kind, len(midplanes), bool(facts["cables"])) == ("schedule", blocks, cables)
    assert facts["midplane_nodes"] * blocks == data.facts["nodes"]
    assert bool(facts["dimensions"]) != facts["is_switched"]
    loaded = made.room()
    names = [f"{each['dimension']} {midplanes[each['from']]} {midplanes[each['to']]}" for each in facts["cables"]]
    assert names == list(loaded.cables)
    assert document_of(whole_page([data]))["kind"] == "schedule"


def test_a_schedule_has_its_outages() -> None:
    cable = "X R00-M0 R10-M1"
    outages = [{"from": 60, "midplane": "R00-M1"}, {"from": 0, "until": 90, "cable": cable}]
    made = torusim.schedule(log="lublin", room="intrepid", jobs=20, outages=outages)
    room = made.room()
    nothing = {"until": None, "midplane": None, "cable": None, "nodes": None}
    assert data_of(made).facts["outages"] == [
        {**nothing, "from": 60, "midplane": list(room.midplanes).index("R00-M1")},
        {**nothing, "from": 0, "until": 90, "cable": list(room.cables).index(cable)},
    ]
    plain = torusim.schedule(log="lublin", nodes=64, jobs=20, outages=[{"from": 5, "nodes": 3}])
    assert data_of(plain).facts["outages"] == [{**nothing, "from": 5, "nodes": 3}]
    assert data_of(torusim.schedule(log="lublin", nodes=64, jobs=20)).facts["outages"] == []


def test_a_page_shows_one_kind(result: torusim.Result) -> None:
    made = torusim.schedule(log="lublin", nodes=64, jobs=20, load=0.8)
    assert data_of(made).facts["room"] is None
    with pytest.raises(torusim.InputError, match="a page shows one kind"):
        result.view(made)  # type: ignore[arg-type]


def test_of_large_machines_the_busiest_links_have_flows(
    result: torusim.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torusim.viewer.run_data.LINKS_WITH_FLOWS", 10)
    monkeypatch.setattr("torusim.viewer.run_data.BUSIEST_WITH_FLOWS", 5)
    links = data_of(result).arrow["flow_counts"]["link"].to_pylist()
    utilization = np.array(result.links()["utilization"])
    assert len(links) == 5
    assert min(utilization[links]) >= np.sort(utilization)[-5]


def test_ends_of_jobs_are_marked() -> None:
    jobs = torusim.run("scenarios/two-jobs-8x4x4.toml", run={"alone": False})
    ended = {row["job"]: row["start_cycle"] + row["completion_cycles"] for row in jobs.table("jobs").to_pylist()}
    phases = data_of(jobs).facts["phases"]
    assert {phase["name"]: phase["cycle"] for phase in phases} == {f"{job} ends": end for job, end in ended.items()}
