"""Counters of stalls: events of links that lack tokens."""

from pathlib import Path

import torusim
from torusim.pictures.plots import draw_runs

BUSY = {"machine": {"shape": [8, 4, 4]}, "workload": {"kind": "all-to-all", "payload_bytes": 2400}}
FREE = {"machine": {"shape": [4, 4]}, "workload": {"kind": "nearest-neighbor", "payload_bytes": 240}}


def test_stalls_of_links_add_up_to_those_of_dimensions() -> None:
    run = torusim.run(BUSY)
    summary, links = run.summary, run.links()
    stalls, cycles = (links.column(name).to_pylist() for name in ("token_stalls", "stalled_cycles"))
    assert summary["token_stalls"] == sum(stalls) > 0
    assert sum(summary["token_stalls_by_dimension"].values()) == summary["token_stalls"]
    assert all((events > 0) == (time > 0) and events <= time for events, time in zip(stalls, cycles, strict=True))


def test_the_long_dimension_stalls_most() -> None:
    by_dimension = torusim.run(BUSY).summary["token_stalls_by_dimension"]
    assert by_dimension["x"] > max(by_dimension["y"], by_dimension["z"])


def test_a_network_with_room_has_no_stalls_and_no_pictures_of_them() -> None:
    run = torusim.run(FREE)
    assert run.summary["token_stalls"] == 0
    assert not {"stall-map", "stalls-by-dimension"} & {picture.name for picture in draw_runs({"": run})}


def test_stalls_are_drawn_and_named() -> None:
    run = torusim.run(BUSY)
    (picture,) = draw_runs({"": run}, only="stall-map")
    assert len(picture.figure.axes) == 2 * 3 + 1, "a row for each direction, and the scale"
    (picture,) = draw_runs({"one": run, "other": run}, only="stalls-by-dimension")
    assert [len(container) for container in picture.figure.axes[0].containers] == [3, 3]
    hottest = torusim.hot_links(run).stalled[0]
    assert hottest.token_stalls
    assert hottest.token_stalls > 0


def test_stalls_survive_a_folder(tmp_path: Path) -> None:
    run = torusim.run(BUSY, out=tmp_path / "kept")
    assert torusim.load(tmp_path / "kept").summary["token_stalls"] == run.summary["token_stalls"]
