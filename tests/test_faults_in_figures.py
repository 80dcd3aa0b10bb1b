"""Warnings about machines with dead nodes or links, and about machines that make no sense."""

import json
from typing import Any

import numpy as np
import pytest

import torusim
from torusim import _core
from torusim.pictures.plots.of_run import draw_runs
from torusim.runs.scenario import resolve
from torusim.runs.summary import summary_as_rows

DEAD = {"shape": [4, 4, 4], "dead_nodes": [[3, 3, 3]]}
BROKEN = {"shape": [4, 4, 4], "dead_links": [{"node": [0, 0, 0], "toward": "x+"}]}
TRAFFIC: list[dict[str, Any]] = [
    {"kind": "all-to-all", "payload_bytes": 240},
    {"kind": "nearest-neighbor", "payload_bytes": 2400},
    {"kind": "kernel", "name": "nas-ep"},
    {"kind": "collective", "operation": "all-to-all", "bytes": 63 * 64 * 4},
    {"kind": "collective", "operation": "barrier"},
]


@pytest.mark.parametrize("workload", TRAFFIC, ids=lambda workload: workload.get("operation", workload["kind"]))
def test_there_is_no_peak_with_dead_nodes(workload: dict[str, Any]) -> None:
    summary = torusim.run({"machine": DEAD, "workload": workload}).summary
    assert summary["percent_of_peak"] is None
    assert summary["percent_of_peak_kind"] is None


def test_dead_links_are_told_from_idle_ones() -> None:
    result = torusim.run({"machine": BROKEN, "workload": {"kind": "all-to-all", "payload_bytes": 50}})
    links = result.table("links")
    dead = [(row["node"], row["direction"]) for row in links.to_pylist() if row["dead"]]
    assert dead == [(0, "x+"), (1, "x-")]
    hot = torusim.hot_links(result, links=1000)
    assert len(hot.busiest) == links.num_rows - len(dead)
    assert "dead nodes or links" in hot.note
    (picture,) = draw_runs({"": result}, only="utilization-map")
    panels = [axes for axes in picture.figure.axes if axes.get_images()]
    marks = sum(np.size(line.get_xdata()) for axes in panels for line in axes.get_lines())
    assert marks == len(dead)
    shown: list[Any] = [
        np.ma.filled(np.ma.asarray(axes.get_images()[0].get_array(), dtype=float), np.nan) for axes in panels
    ]
    assert sum(int(np.count_nonzero(~np.isnan(image))) for image in shown) == links.num_rows - len(dead)


def test_flows_have_coordinates() -> None:
    scenario = {
        "machine": {"shape": [8]},
        "workload": {"kind": "tornado", "packets_per_node": 4, "routing": "deterministic"},
    }
    hot = torusim.hot_links(torusim.run(scenario), links=1)
    (flow, *_) = hot.busiest[0].largest
    assert flow["source_coordinates"] == (flow["source"],)
    assert flow["target_coordinates"] == ((flow["source"] + 3) % 8,)
    assert f"{flow['source']} ({flow['source']}) to" in hot.cells(hot.busiest)[0][-1]


FAST = {
    "shape": [8, 8, 8],
    "link": {"megabytes_per_second": 100_000, "hop_latency_cycles": 5_000},
    "node": {"processor_cycles_per_cycle": 4},
}


def test_machines_that_make_no_sense_are_named() -> None:
    described = {"machine": FAST, "workload": {"kind": "uniform-random", "load": 0.05}}
    told = json.loads(_core.check(resolve(described, [])))
    result = torusim.run(described)
    assert told["warnings"] == result.summary["warnings"]
    warnings = "\n".join(result.summary["warnings"])
    for key in (
        "processor_cycles_per_cycle: processors of 400.000 GHz",
        "token_latency_cycles",
        "dynamic_channel_bytes: one VC of 1.024 KB covers 20 % of this link's round trip",
    ):
        assert key in warnings
    assert result.summary["measured_cycles"] > 12 * 5000
    assert result.summary["mean_hops"] < 12
    plain = torusim.run({"machine": {"shape": [8, 8, 8]}, "workload": {"kind": "uniform-random", "load": 0.05}})
    assert "warnings" not in plain.summary
    assert plain.summary["measured_cycles"] == 20_000


def test_means_of_packets_that_have_not_settled_are_not_printed() -> None:
    run = {"warmup_cycles": 1_000, "measure_cycles": 2_000}
    result = torusim.run({"machine": FAST, "workload": {"kind": "uniform-random", "load": 0.5}, "run": run})
    labels = {label for label, _ in summary_as_rows(result.summary)}
    assert result.summary["steadiness"] == "too short"
    assert not labels & {"Hops of a packet, mean", "Latency, mean"}
    assert "run.measure_cycles" in "\n".join(result.summary["warnings"])
