"""The Python API: the arguments of `run`, and the contents of a result."""

import inspect
import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import torusim
from tests.support import ROOT, SMALL_SCENARIO
from torusim._core import engines

AS_DICT = {
    "machine": {"preset": "bluegene-l", "shape": [4, 4, 4]},
    "workload": {"kind": "all-to-all", "payload_bytes": 240},
}

GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


def counters_of_links() -> list[str]:
    """The columns of links behind their direction, as the guide names them."""
    (row,) = (line for line in GUIDE.splitlines() if line.startswith("| `links` |"))
    return re.findall(r"`(\w+)`", row.partition("`direction`")[2].partition(";")[0])


COLUMNS = {
    "links": ["node", "x", "y", "z", "direction", *counters_of_links()],
    "latency": ["low_cycles", "high_cycles", "packets"],
    "series": [
        "start_cycle",
        "end_cycle",
        "packets_injected",
        "packets_delivered",
        "latency_cycles_sum",
        "packets_in_flight",
        "utilization",
    ],
    "nodes": ["node", "x", "y", "z", "injected", "delivered"],
}


def test_the_guide_has_the_names_of_engines() -> None:
    names = [name for name, _ in json.loads(engines())]
    default = inspect.signature(torusim.run).parameters["engine"].default
    assert [name for name in names if name != default and f"--engine {name}" not in GUIDE] == []


def test_every_form_of_a_scenario_gives_the_same_digest(small: Path, result: torusim.Result) -> None:
    digests = {torusim.run(form).summary["digest"] for form in (small, str(small), SMALL_SCENARIO, AS_DICT)}
    assert digests == {result.summary["digest"]}


def test_sections_are_merged() -> None:
    changed = torusim.run(
        AS_DICT,
        machine={"shape": (4, 2), "router": {"dynamic_channels": 1}},
        workload={"payload_bytes": np.int64(480)},
    )
    assert changed.scenario["machine"]["shape"] == [4, 2]
    assert changed.scenario["machine"]["preset"] == "bluegene-l"
    assert changed.scenario["machine"]["router"]["dynamic_channels"] == 1
    assert changed.scenario["workload"] == changed.scenario["workload"] | {
        "kind": "all-to-all",
        "payload_bytes": 480,
    }


def test_seed_is_recorded_and_used() -> None:
    first, again, other = (torusim.run(AS_DICT, seed=seed) for seed in (3, 3, 4))
    assert first.seed == 3
    assert first.summary["digest"] == again.summary["digest"] != other.summary["digest"]


@pytest.mark.parametrize("name", COLUMNS)
def test_tables_have_their_columns(result: torusim.Result, name: str) -> None:
    table = result.table(name)
    assert isinstance(table, pa.Table)
    assert set(COLUMNS[name]) <= set(table.column_names)
    assert table.num_rows > 0


def test_table_of_links_is_complete(result: torusim.Result) -> None:
    links = result.table("links")
    assert links.num_rows == 64 * 6
    assert set(links.column("direction").to_pylist()) == {"x+", "x-", "y+", "y-", "z+", "z-"}
    assert result.summary["link_utilization_mean"] == pytest.approx(np.mean(links.column("utilization")), rel=1e-6)


def test_error_for_unknown_table_lists_known_tables(result: torusim.Result) -> None:
    with pytest.raises(torusim.InputError, match="latency, links, nodes, series"):
        result.table("link")


def test_loaded_result_equals_the_written_result(tmp_path: Path) -> None:
    kept = torusim.run(AS_DICT, out=tmp_path / "kept")
    loaded = torusim.load(tmp_path / "kept")
    assert kept.folder == tmp_path / "kept"
    assert loaded.tables == kept.tables
    assert (loaded.summary, loaded.scenario, loaded.seed) == (kept.summary, kept.scenario, kept.seed)
    for name in loaded.tables:
        for read, written in zip(loaded.table(name).columns, kept.table(name).columns, strict=True):
            np.testing.assert_array_equal(read.to_pylist(), written.to_pylist())


def test_existing_folder_is_not_overwritten(tmp_path: Path) -> None:
    torusim.run(AS_DICT, out=tmp_path / "kept")
    with pytest.raises(torusim.InputError, match="exists already"):
        torusim.run(AS_DICT, out=tmp_path / "kept")


def test_notebook_representation_is_a_table(result: torusim.Result) -> None:
    shown = result._repr_html_()
    assert shown.startswith("<table>")
    assert "Link utilization" in shown


def test_check_counts_nodes_without_a_run() -> None:
    assert torusim.check(AS_DICT, machine={"shape": [8, 8, 8]})["nodes"] == 512


def test_everything_public_is_documented() -> None:
    for name in torusim.__all__:
        if not name.startswith("__"):
            assert inspect.getdoc(getattr(torusim, name)), name
