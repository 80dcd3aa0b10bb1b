"""Mappings: orders, files and searches of the command and of Python; bad files; hot links and their flows."""

import json
import random
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torusim
from tests.support import Command, refused, succeeded
from torusim import _core
from torusim._core import InputError
from torusim.pictures.plots import draw_runs
from torusim.ranks.mapping import EXACT, EXPECTED
from torusim.runs.scenario import resolve

HALO: dict[str, Any] = {
    "machine": {"shape": [4, 4, 4]},
    "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 500, "iterations": 2},
}
ALL = [[x, y, z, 0] for z in range(4) for y in range(4) for x in range(4)]


def digest(**sections: Any) -> str:  # noqa: ANN401
    return str(torusim.run(HALO, **sections).summary["digest"])


def test_the_default_is_the_order_of_the_machine() -> None:
    default = torusim.run(HALO)
    assert default.scenario["mapping"] == {"order": "XYZT"}
    for mapping in ({"order": "xyz"}, {"places": ALL}, {"ranks": 64}):
        assert digest(mapping=mapping) == default.summary["digest"]
    for order in ("random", "fold"):
        assert digest(mapping={"order": order}) != default.summary["digest"] or order == "fold"


def test_a_result_repeats_its_mapping_without_the_file(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    places = random.Random(1).sample(ALL, len(ALL))
    file.write_text("# x y z t\n" + "".join(" ".join(map(str, place)) + "\n" for place in places))
    mapped = torusim.run(HALO, mapping={"file": str(file)}, out=tmp_path / "mapped")
    file.unlink()
    assert mapped.scenario["mapping"] == {"places": places}
    result = tmp_path / "mapped" / "result.json"
    assert torusim.run(result).summary["digest"] == mapped.summary["digest"]
    assert torusim.run(result, mapping={"order": "XYZT"}).summary["digest"] == digest()


def test_files_are_relative_to_their_scenario(command: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "map.txt").write_text("1 0\n0 0\n")
    text = '[machine]\nshape = [2]\n[workload]\nkind = "kernel"\nname = "halo-2d"\n[mapping]\nfile = "map.txt"\n'
    (tmp_path / "sub" / "ring.toml").write_text(text)
    assert command("check", "sub/ring.toml").returncode == 0
    assert command("check", "sub/ring.toml", "--set", "mapping.file=map.txt").returncode == 2


def test_ranks_beside_a_mapping_shape_the_grid() -> None:
    mappings = torusim.map_ranks(HALO, mapping={"ranks": 8})
    assert len(mappings["present"].places) == 8
    assert mappings["present"].costs["mean_hops"] > mappings["fold"].costs["mean_hops"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff{0} 0\n{1} 0\n",
        "# of a program\n{0} 0 # rank 0\n{1} 0 #1\n",
        "{0}, 0\r\n{1} ,0\r\n",
        "{0},0\n\n{1}\t0",
    ],
)
def test_files_of_other_programs_are_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "map.txt").write_text(text.format(3, 1))
    flows = {"kind": "flows", "table": {"source": [0], "target": [1], "bytes": [240]}}
    scenario = {"machine": {"shape": [4]}, "workload": flows, "mapping": {"file": str(tmp_path / "map.txt")}}
    assert torusim.run(scenario).scenario["mapping"]["places"] == [[3, 0], [1, 0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0,0,,0\n", 'map.txt:1: "" is not a number'),
        ("0 0 0 0\n0 0 x 0\n", 'map.txt:2: "x" is not a number'),
        ("0 0 0 0\n\n0 0 0\n", "map.txt:3: must be 3 coordinates of a node and a core"),
        ("0 0 4 0\n", "map.txt:1: coordinate 4 is outside dimension 2"),
        ("0 0 0 1\n", "map.txt:1: core 1"),
        ("0 0 0 0\n0 0 0 0\n", "map.txt:2: rank 0 is on this core already"),
        ("", "map.txt:1: there is no line"),
        ("0 0 0 0\n", "64 ranks need a place each, but 1 are listed"),
        ("\0\xff", "map.txt:1"),
    ],
)
def test_damaged_files_are_refused_with_their_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "map.txt").write_bytes(text.encode("latin-1"))
    with refused(words):
        torusim.check(HALO, mapping={"file": str(tmp_path / "map.txt")})


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ({"mapping": {"order": "XYT"}}, "XYZT"),
        ({"mapping": {"order": "XYZU"}}, "XYZT"),
        ({"mapping": {"ordre": "XYZ"}}, "did you mean order"),
        ({"mapping": {"file": "/nowhere/map.txt"}}, "mapping.file: /nowhere/map.txt: cannot be read"),
        ({"mapping": {"file": "/dev/zero"}}, "is a pipe or a device"),
        ({"mapping": {"order": "XYZ", "places": ALL}}, "only one of both"),
        ({"mapping": {"places": [[0, 0, 0, 0]] * 64}}, "mapping.places[1]"),
        ({"mapping": {"ranks": 65}}, "from 1 to 64 ranks"),
        ({"mapping": {"ranks": 0}}, "from 1 to 64 ranks"),
        ({"mapping": {"ranks": 8}, "workload": {"grid": [4, 4, 4]}}, "has 64 ranks, but mapping.ranks is 8"),
        ({"mapping": {"order": "fold"}, "workload": {"grid": [3, 7, 3]}}, "does not fold"),
        (
            {"mapping": {"order": "fold"}, "machine": {"dead_nodes": [[0, 0, 0]]}, "workload": {"grid": [4, 4, 3]}},
            "dead",
        ),
        ({"mapping": {"places": ALL}, "machine": {"dead_nodes": [[1, 0, 0]]}}, "node [1, 0, 0] is dead"),
    ],
)
def test_mappings_that_do_not_fit_are_refused(sections: dict[str, Any], words: str) -> None:
    with refused(words):
        torusim.check(HALO, **sections)


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ({"kind": "tornado"}, "the workload tornado has no ranks"),
        ({"kind": "ping-pong"}, "the workload ping-pong places its ranks itself"),
        ({"kind": "kernel", "name": "six-way-send"}, "the kernel six-way-send places its ranks itself"),
    ],
)
def test_workloads_without_mapped_ranks_refuse_a_mapping(workload: dict[str, Any], words: str) -> None:
    scenario = {"machine": {"shape": [4, 4, 4]}, "workload": workload}
    with pytest.raises(InputError, match=words):
        torusim.check(scenario, mapping={"order": "XYZT"})
    assert "mapping" not in torusim.run(scenario, run={"time_limit_cycles": 1}).scenario
    with pytest.raises(InputError, match="has no ranks that a mapping places"):
        torusim.map_ranks(scenario)


def test_dead_nodes_have_no_ranks() -> None:
    for order in ("XYZT", "TZYX", "random"):
        mappings = torusim.map_ranks(
            HALO, mapping={"order": order}, machine={"dead_nodes": [[1, 0, 0]]}, workload={"grid": [7, 3, 3]}
        )
        places = mappings["present"].places
        assert len({tuple(place) for place in places}) == 63
        assert [1, 0, 0, 0] not in places
        assert mappings["present"].costs["busiest_link_bytes_in_order"] is None


@settings(max_examples=20, deadline=None)
@given(
    shape=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    cores=st.integers(1, 2),
    order=st.sampled_from(["fold", "random", None]),
    seed=st.integers(0, 5),
)
def test_a_search_ends_no_worse_than_any_usual_order(
    shape: list[int], cores: int, order: str | None, seed: int
) -> None:
    sections: dict[str, Any] = {"machine": {"shape": shape, "node": {"cores": cores}}, "run": {"seed": seed}}
    if order is not None:
        sections["mapping"] = {"order": order}
    grid = [*[*shape, 1, 1][:2], cores * int(np.prod(shape[2:]))]
    if np.prod(grid) < 2:
        return
    scenario = {**sections, "workload": {"kind": "kernel", "name": "halo-3d", "grid": grid}}
    mappings = torusim.map_ranks(scenario, search="anneal", start="random", steps=2000)
    costs = [row["hop_bytes"] for row in mappings.table.to_pylist()]
    assert costs == sorted(costs)
    assert mappings["found"].costs["hop_bytes"] <= mappings["random"].costs["hop_bytes"]
    again = torusim.map_ranks(scenario, search="anneal", start="random", steps=2000)
    assert again["found"].text == mappings["found"].text
    repeated = torusim.map_ranks(scenario, mapping={"places": mappings.best.places})
    assert repeated["present"].costs == mappings.best.costs


def test_the_command_searches_writes_and_runs(command: Command, tmp_path: Path) -> None:
    text = '[machine]\nshape = [4, 4, 4]\n[workload]\nkind = "kernel"\nname = "halo-3d"\n[mapping]\norder = "random"\n'
    (tmp_path / "halo.toml").write_text(text)
    arguments = ("map", "halo.toml", "--search", "anneal", "--steps", "500000", "--out", "map.txt")
    finished = succeeded(command(*arguments, "--json"))
    told = json.loads(finished.stdout)
    costs = {row["mapping"]: row["hop_bytes"] for row in told["mappings"]}
    assert costs["found"] < costs["present"]
    assert costs[told["best"]] == costs["XYZT"] == min(costs.values())
    assert len((tmp_path / "map.txt").read_text().splitlines()) == 64
    assert "exists already" in command(*arguments).stderr
    assert command(*arguments, "--force", "--quiet").returncode == 0
    assert command("run", "halo.toml", "--set", "mapping.file=map.txt", "--out", "mapped").returncode == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"search": "luck"}, "anneal or greedy"),
        ({"search": "anneal", "steps": 0}, "steps"),
        ({"search": "anneal", "seconds": -1}, "seconds"),
        ({"search": "anneal", "start": "luck", "steps": 1}, "no mapping"),
        ({"out": "/nowhere/map.txt"}, "cannot be written"),
    ],
)
def test_bad_options_of_a_search_are_explained(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        torusim.map_ranks(HALO, **options)


def test_a_search_of_some_seconds_tells_its_steps() -> None:
    mappings = torusim.map_ranks(HALO, search="greedy", start="random", seconds=0.1)
    assert mappings.steps is not None
    assert mappings.steps > 100


def all_to_all(shape: list[int]) -> dict[str, Any]:
    workload = {"kind": "collective", "operation": "all-to-all", "algorithm": "direct"}
    return {"machine": {"shape": shape}, "workload": {**workload, "bytes": 240 * int(np.prod(shape))}}


def mappings_of(scenario: dict[str, Any]) -> _core.Mappings:
    return _core.Mappings(resolve(scenario, []))


def test_a_dense_pattern_is_evaluated_without_its_pairs() -> None:
    """An all-to-all costs the same in any mapping of one rank on each node: m N L / 8 for each link (row M2)."""
    mappings = torusim.map_ranks(all_to_all([8, 8, 8]))
    for candidate in mappings.candidates:
        assert candidate.costs["mean_hops"] == pytest.approx(6 * 512 / 511)
        assert candidate.costs["busiest_link_bytes_split_evenly"] == pytest.approx(240 * 512 * 8 / 8)
        # The direction half-way round a ring is drawn for each pair, so that some links carry a little more.
        assert candidate.costs["is_busiest_link_exact"]
        assert 1 < candidate.costs["busiest_link_bytes_in_order"] / (240 * 512 * 8 / 8) < 1.1
    assert not torusim.map_ranks(all_to_all([16, 16, 8])).candidates[0].costs["is_busiest_link_exact"], "too many pairs"


def test_only_a_search_has_a_limit_of_pairs() -> None:
    dense = all_to_all([32, 32, 32])
    with pytest.raises(InputError, match="cannot be searched"):
        torusim.map_ranks(dense, search="greedy", steps=1)
    costs, _ = mappings_of(dense).evaluate("ZYXT")
    assert json.loads(costs)["busiest_link_bytes_in_order"] == 240 * 32**3 * 32 / 8


def test_a_signal_ends_an_evaluation() -> None:
    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    mappings = mappings_of(all_to_all([32, 32, 32]))
    previous = signal.signal(signal.SIGALRM, stop)
    begin = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            mappings.evaluate("random")
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert time.monotonic() - begin < 5, "of some half a minute"


@pytest.mark.parametrize(
    ("protocol", "shape", "note"),
    [("eager-deterministic", [4, 4], EXACT), ("eager-adaptive", [4, 4], EXPECTED), ("rendezvous", [3, 3], EXPECTED)],
)
def test_the_busiest_link_is_exact_or_named_an_expectation(protocol: str, shape: list[int], note: str) -> None:
    kernel = {"kind": "kernel", "name": "halo-2d", "bytes": 100}
    mappings = torusim.map_ranks(
        {"machine": {"shape": shape}, "workload": kernel, "messaging": {"costs": "none", "protocol": protocol}}
    )
    assert mappings.note == note
    assert {each.costs["is_busiest_link_exact"] for each in mappings.candidates} == {note == EXACT}


def test_mappings_that_a_run_would_refuse_are_not_listed() -> None:
    """The deposit bit copies messages along the machine's lines, on which its ranks have to be."""
    workload = {"kind": "collective", "operation": "broadcast", "algorithm": "deposit", "bytes": 4800}
    scenario = {"machine": {"shape": [4, 3]}, "workload": workload}
    listed = {candidate.name for candidate in torusim.map_ranks(scenario).candidates}
    assert listed == {"present", "XYT", "fold"}
    for start in ("random", "present"):
        with pytest.raises(InputError, match="moved its ranks from the lines"):
            torusim.map_ranks(scenario, search="greedy", steps=10, start=start)
    other = torusim.map_ranks(scenario, workload={"algorithm": "rectangle"})
    assert "random" in {candidate.name for candidate in other.candidates}


def test_ranks_that_differ_fold_as_in_a_run() -> None:
    """A grid folds as one also where its ranks are not alike, as in a wavefront."""
    scenario = {"machine": {"shape": [4, 2, 2]}, "workload": {"kind": "kernel", "name": "sweep3d", "grid": [4, 4]}}
    mappings = torusim.map_ranks(scenario, mapping={"order": "fold"})
    assert mappings["fold"].places == mappings["present"].places != mappings["XYZT"].places


def test_hot_links_are_those_of_the_table_with_the_flows_that_use_them(tmp_path: Path, command: Command) -> None:
    scenario = HALO | {
        "machine": {"shape": [5, 3, 3]},
        "mapping": {"order": "random"},
        "messaging": {"costs": "none", "protocol": "eager-deterministic"},
    }
    result = torusim.run(scenario, out=tmp_path / "kept")
    hot = torusim.hot_links(result, links=45 * 6, flows=1000)
    assert (hot.unit, hot.routing) == ("ranks", "in dimension order")
    utilization = result.table("links").column("utilization").to_pylist()
    assert [link.utilization for link in hot.busiest] == sorted(utilization, reverse=True)
    for link in hot.busiest:
        assert link.flows == len(link.largest)
        # Messages of 500 bytes are three packets, and no target is half-way round a ring.
        assert link.packets == 3 * sum(flow["bytes"] for flow in link.largest) / 500
    finished = succeeded(command("hot", "kept", "--links", "2"))
    assert hot.busiest[0].name in finished.stdout
    told = json.loads(command("hot", "kept", "--json").stdout)
    assert told["busiest"][0]["packets"] == hot.busiest[0].packets


def test_hot_links_of_patterns_have_flows_where_targets_are_fixed() -> None:
    for workload, unit in (
        ({"kind": "tornado", "packets_per_node": 10}, "nodes"),
        ({"kind": "all-to-all", "payload_bytes": 100}, "nodes"),
        ({"kind": "uniform-random", "packets_per_node": 10}, None),
    ):
        hot = torusim.hot_links(torusim.run({"machine": {"shape": [4, 3]}, "workload": workload}))
        assert hot.unit == unit
        assert (unit is None) == (hot.busiest[0].flows is None)
    with pytest.raises(InputError, match="links"):
        torusim.hot_links(torusim.run(HALO), links=0)


def test_hot_links_of_an_open_loop_have_shares() -> None:
    scenario = {"machine": {"shape": [8]}, "workload": {"kind": "tornado", "load": 0.3, "routing": "deterministic"}}
    hot = torusim.hot_links(torusim.run(scenario), flows=2)
    assert hot.busiest[0].flows == 3, "each node sends to the third after it"
    assert [flow["share"] for flow in hot.busiest[0].largest] == [pytest.approx(1 / 3)] * 2
    assert "33.33 % and 1 more" in hot.cells(hot.busiest)[0][-1]
    assert hot.note == "Flows: from and to nodes, their share of the link if routed in dimension order."
    assert hot.note in hot._repr_html_()


@pytest.mark.parametrize("shape", [[4, 4], [4, 3, 2], [2, 3, 20], [2, 2, 2, 3]])
def test_maps_of_links_show_every_link(shape: list[int]) -> None:
    result = torusim.run({"machine": {"shape": shape}, "workload": {"kind": "all-to-all", "payload_bytes": 50}})
    (picture,) = draw_runs({"": result}, only="utilization-map")
    images = [image.get_array() for axes in picture.figure.axes for image in axes.get_images()]
    assert len(images) == (2 * len(shape) if len(shape) > 2 else 2), "both directions of x, and of y, side by side"
    shown = np.concatenate([np.ma.filled(np.ma.asarray(image, dtype=float), np.nan).ravel() for image in images])
    slices = int(np.prod(shape[2:], dtype=int))
    assert np.count_nonzero(~np.isnan(shown)) == 2 * len(shape) * shape[0] * shape[1] * min(slices, 16)
    assert np.nanmean(shown) == pytest.approx(100 * result.summary["link_utilization_mean"], rel=0.2)


def test_a_line_has_no_map() -> None:
    result = torusim.run({"machine": {"shape": [4]}, "workload": {"kind": "all-to-all", "payload_bytes": 50}})
    assert draw_runs({"": result}, only="utilization-map") == []
