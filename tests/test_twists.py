"""Twisted tori: gains of bounds, runs on all engines, mappings, the search of twists, and what is refused."""

import json
from math import prod
from random import Random
from typing import Any

import pytest

import torusim
from tests.support import Command

TWISTED: dict[str, Any] = {
    "machine": {"shape": [4, 4, 8], "twist": "auto"},
    "workload": {"kind": "all-to-all", "payload_bytes": 240},
}


def scenario(**machine: Any) -> dict[str, Any]:  # noqa: ANN401
    return {**TWISTED, "machine": {**TWISTED["machine"], **machine}}


@pytest.mark.parametrize(("shape", "gain"), [([4, 4, 8], 1.7455), ([4, 8, 8], 1.3913), ([8, 4, 4], 1.7455)])
def test_gains_in_the_bound_of_an_all_to_all(shape: list[int], gain: float) -> None:
    twisted = torusim.check(scenario(shape=shape))
    plain = torusim.check(scenario(shape=shape, twist="none"))
    packets = [estimate["bound"]["packets_per_cycle"] for estimate in (twisted, plain)]
    assert packets[0] / packets[1] == pytest.approx(gain, abs=1e-4)
    assert twisted["twist"]["all_to_all_gain"] == pytest.approx(gain, abs=1e-4)
    assert plain["twist"] is None


def test_a_table_of_shifts_is_the_twist_that_auto_names() -> None:
    table = torusim.run(scenario(twist={"x": {"z": 4}, "y": {"z": -4}}))
    assert table.summary["digest"] == torusim.run(scenario()).summary["digest"]
    assert table.summary["shape"] == "4x4x8 twisted"
    assert table.summary["packets_injected"] == table.summary["packets_delivered"]


@pytest.mark.parametrize(
    "machine",
    [
        {"twist_routes": "uniform"},
        {"half_way_routes": "per-pair"},
        {"router": {"escape": "dateline"}},
        {"dead_links": [{"node": [0, 0, 0], "toward": "x+"}]},
        {"dead_nodes": [[1, 2, 3]]},
        {"link_errors": {"bit_error_rate": 1e-6}},
        {"shape": [2, 4, 3], "twist": {"y": {"x": 1, "z": 2}}},
    ],
)
def test_both_engines_and_any_number_of_threads_agree(machine: dict[str, Any]) -> None:
    digests = {
        torusim.run(scenario(**machine), engine=engine, threads=threads).summary["digest"]
        for engine, threads in (("reference", 1), ("windowed", 1), ("windowed", 3))
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("machine", "problem"),
    [
        ({"shape": [4, 4, 4]}, "n x n x 2n and n x 2n x 2n have a usual twist"),
        ({"twist": {"x": {"q": 1}}}, 'there is no dimension "q"'),
        ({"twist": {"x": {"y": 1}, "y": {"x": 1}}}, "must not form a circle"),
        ({"wrap": [True, True, False]}, "does not wrap"),
        ({"half_way_routes": "registers"}, "has no meaning on a twisted torus"),
        ({"twist": "none", "twist_routes": "uniform"}, "has no effect without machine.twist"),
    ],
)
def test_what_makes_no_sense_is_refused(machine: dict[str, Any], problem: str) -> None:
    with pytest.raises(torusim.InputError, match="machine.*" + problem):
        torusim.check(scenario(**machine))


def test_what_takes_lines_for_rings_is_refused() -> None:
    with pytest.raises(torusim.InputError, match="shifts others where it wraps"):
        torusim.run(scenario(), workload={"kind": "torus-broadcast"})


@pytest.mark.parametrize(
    "machine",
    [
        {},
        {"shape": [4, 8, 8], "link": {"cycles_per_byte": [1, 2, 1], "hop_latency_cycles": 100}},
        {"twist_routes": "uniform"},
        {"shape": [2, 4, 3], "twist": {"y": {"x": 1, "z": 2}}},
        {"shape": [4, 3, 6], "twist": {"x": {"y": 1}}},
        {"shape": [4, 3, 6], "wrap": [True, True, False], "twist": {"x": {"y": 1}}},
    ],
)
def test_flows_load_the_busiest_links_as_the_bound_says(machine: dict[str, Any]) -> None:
    all_to_all = scenario(**machine)
    fluid = torusim.run(all_to_all, workload={"routing": "deterministic"}, engine="fluid")
    busiest = max(fluid.links()["busy_cycles"].to_pylist())
    # Shares of vectors are multiples of 2^-26.
    assert busiest == pytest.approx(torusim.check(all_to_all)["bound"]["drained_cycles"], rel=1e-6, abs=1)


@pytest.mark.parametrize("shape", [[4, 4, 8], [4, 8, 8]])
@pytest.mark.parametrize(("routing", "error"), [("adaptive", 0.03), ("deterministic", 0.08)])
def test_flows_take_the_time_of_packets(shape: list[int], routing: str, error: float) -> None:
    all_to_all = scenario(shape=shape)
    fluid, packets = (
        torusim.run(all_to_all, workload={"routing": routing}, engine=engine).summary
        for engine in ("fluid", "windowed")
    )
    assert fluid["fluid_kind"] == "patterns, a twist, corrected"
    assert fluid["cycles"] == pytest.approx(packets["cycles"], rel=error)
    assert fluid["packet_hops_total"] == packets["packet_hops_total"]


def drawn(seed: int) -> dict[str, Any]:
    """An all-to-all on a random twisted torus of 8 to 160 nodes, with the shortest times below 2,000 cycles."""
    random = Random(seed)
    while True:
        lengths = [random.choice([2, 3, 4, 4, 5, 6, 8]) for _ in range(random.choice([2, 3, 3, 3, 4, 5]))]
        order = random.sample(range(len(lengths)), len(lengths))
        pairs = [(across, along) for place, across in enumerate(order) for along in order[place + 1 :]]
        shifts = [pair for pair in pairs if random.random() < 0.6]
        if 8 <= prod(lengths) <= 160 and shifts:
            break
    twist: dict[str, dict[str, int]] = {}
    for across, along in shifts:
        twist.setdefault("xyzuv"[across], {})["xyzuv"[along]] = random.randint(1, lengths[along] - 1)
    routes = random.choice(["balanced", "uniform"])
    payload, routing = random.choice([240, 960, 1920]), random.choice(["adaptive", "deterministic"])
    return {
        "machine": {"shape": lengths, "twist": twist, "twist_routes": routes},
        "workload": {"kind": "all-to-all", "payload_bytes": payload, "routing": routing},
    }


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 200))])
def test_the_correction_holds_on_random_twisted_tori(seed: int) -> None:
    all_to_all = drawn(seed)
    fluid, packets = (torusim.run(all_to_all, engine=engine).summary for engine in ("fluid", "windowed"))
    is_short = packets["cycles"] < 2000  # of which beginning and end are much
    assert fluid["cycles"] == pytest.approx(packets["cycles"], rel=0.45 if is_short else 0.25), all_to_all


def test_mappings_and_hot_links_know_the_shortest_vectors() -> None:
    # (0, 0), (1, 0), (0, 2) and (1, 2) are one ring along x.
    ring = {"kind": "flows", "table": {"source": [0, 1, 4, 5], "target": [1, 4, 5, 0], "bytes": [960] * 4}}
    machine = {"shape": [2, 4], "twist": {"x": {"y": 2}}}
    found = torusim.map_ranks({"machine": machine, "workload": ring}, search="anneal", steps=2000)
    assert found["present"].costs["hop_bytes"] == found.best.costs["hop_bytes"] == 4 * 960
    result = torusim.run(scenario(), workload={"routing": "deterministic"})
    hot = torusim.hot_links(result, links=2)
    assert (hot.unit, hot.routing) == ("nodes", "in dimension order")
    with pytest.raises(torusim.InputError, match="directions of packets on a twisted torus"):
        torusim.run(
            {"machine": {"shape": [2, 4, 4], "twist": {"x": {"y": 2}}}, "workload": TWISTED["workload"]},
            workload={"directions": ["minimal", "minimal", "+"]},
            engine="fluid",
        )
    with pytest.raises(torusim.InputError, match="dead nodes"):
        torusim.run(scenario(dead_nodes=[[0, 0, 1]]), engine="fluid")


def test_the_busiest_link_of_a_mapping_is_that_of_its_run() -> None:
    """Messages in order take one of the shortest vectors of their pair, which a run draws as the evaluation does."""
    halo = {
        "machine": TWISTED["machine"],
        "workload": {"kind": "kernel", "name": "halo-3d", "grid": [8, 4, 4], "bytes": 2880},
        "messaging": {"protocol": "eager-deterministic", "costs": "none"},
        "mapping": {"order": "random"},
    }
    costs = torusim.map_ranks(halo)["present"].costs
    assert costs["is_busiest_link_exact"]
    for engine in ("fluid", "windowed"):
        packets = max(torusim.run(halo, engine=engine).links()["packets"].to_pylist())
        assert packets * 240 == costs["busiest_link_bytes_in_order"]


def test_the_best_twist_is_searched(command: Command) -> None:
    found = json.loads(command("twist", "4x8x16", "--most", "2", "--json").stdout)
    best = found["twists"][0]
    assert best["gain"] >= 2.2
    assert not best["is_offered"]
    twisted = torusim.check(scenario(shape=[4, 8, 16], twist=best["setting"]))
    assert twisted["twist"]["all_to_all_gain"] == pytest.approx(best["gain"])
    assert "yes" in command("twist", "4x4x8").stdout
    refused = command("twist", "4x4xx")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
