"""A repeated run has the same digest: from its result, with either engine, any thread count, and any scenario form."""

import tomllib
from pathlib import Path

import pytest

import torusim
from tests.support import ROOT, Command

SHARED_TRACE = ROOT.parent / "shared" / "data" / "traces" / "sweep3d-2x2"

SMALLER: dict[str, list[str]] = {
    "bucket-all-reduce-4x4x4": ["workload.bytes=49_152"],
    "full-load-8x8x8": ["machine.shape=[4,4,4]"],
    "demo-all-to-all-8x8x8": ["machine.shape=[4,4,2]"],
    "nas-mg-4x4x4": ["workload.class=S"],
    "sweep3d-4x4": ["workload.nz=20"],
    "hot-spot-8x8x8": ["machine.shape=[4,4,2]", "workload.packets_per_pair=10"],
    "tornado-ring-16": ["run.measure_cycles=20000"],
    "uniform-random-4x4x4": ["run.measure_cycles=10000"],
    "uniform-random-six-dimensions": ["run.warmup_cycles=1000", "run.measure_cycles=2000"],
    "demo-sweep3d": ["workload.compute_scale=0", f"workload.path={SHARED_TRACE}"],
}
"""Changes that make the longer scenarios short enough for the reference engine."""

SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"), key=lambda path: path.stem)


def digest(folder: Path) -> object:
    """The digest of a result."""
    return torusim.load(folder).summary["digest"]


@pytest.mark.parametrize(
    "scenario",
    [
        # `tests/test_traces.py` compares engines and threads for it too.
        pytest.param(path, id=path.stem, marks=[pytest.mark.long] if path.stem == "demo-sweep3d" else [])
        for path in SCENARIOS
    ],
)
def test_every_scenario_is_reproducible(command: Command, tmp_path: Path, scenario: Path) -> None:
    workload = tomllib.loads(scenario.read_text()).get("workload", {})
    if workload.get("kind") == "trace" and not SHARED_TRACE.is_dir():
        pytest.skip("the Sweep3D trace is not here")
    changes = [option for change in SMALLER.get(scenario.stem, []) for option in ("--set", change)]
    first = command("run", scenario, *changes, "--seed", "5", "--out", "first", "--quiet")
    assert first.stderr == ""
    repeats = {
        "again": [],
        "reference": ["--engine", "reference"],
        "threads": ["--threads", "3"],
    }
    for name, options in repeats.items():
        again = command("run", "first/result.json", *options, "--out", name, "--quiet")
        assert again.returncode == first.returncode, again.stderr
        assert digest(tmp_path / name) == digest(tmp_path / "first"), name
    other = command("run", "first/result.json", "--seed", "6", "--out", "other", "--quiet")
    assert other.returncode == first.returncode
    assert torusim.load(tmp_path / "other").seed == 6


def test_scenario_from_a_dict_is_reproducible(tmp_path: Path) -> None:
    scenario = {"machine": {"shape": [3, 2]}, "workload": {"kind": "uniform-random", "load": 0.5}}
    run = {"warmup_cycles": 100, "measure_cycles": 2000}
    first = torusim.run(scenario, run=run, seed=9, threads=2, out=tmp_path / "first")
    again = torusim.run(tmp_path / "first" / "result.json")
    of_scenario = torusim.run(dict(first.scenario), engine="reference")
    assert first.summary["digest"] == again.summary["digest"] == of_scenario.summary["digest"]
    assert first.scenario == again.scenario == of_scenario.scenario
