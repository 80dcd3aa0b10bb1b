"""Twisted tori: gains of bounds, runs on both engines, the search of twists, and what is refused."""

import json
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
