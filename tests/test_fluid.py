"""The fluid engine through the package: the scenario that a result keeps, its tables, and the error that it states."""

import json
import random
import re
from itertools import product
from math import prod
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import torusim
from tests.support import ROOT, STUDIES, Command
from torusim.runs.fluid import ERRORS_FILE
from torusim.sweeps.worker import module_of

ALL_TO_ALL = {
    "machine": {"shape": [8, 4, 4]},
    "workload": {"kind": "all-to-all", "payload_bytes": 960},
}


def test_a_result_can_be_repeated_and_read(tmp_path: Path) -> None:
    result = torusim.run(ALL_TO_ALL, engine="fluid", out=tmp_path / "fluid")
    assert result.summary["engine"] == "fluid"
    assert result.scenario["run"]["engine"] == "fluid"
    again = torusim.run(result.scenario)
    assert again.summary["cycles"] == result.summary["cycles"]
    read = torusim.load(tmp_path / "fluid")
    assert sorted(read.tables) == ["links", "nodes"]
    links = read.links()
    assert links.num_rows == 6 * 128
    assert "stalled_cycles" not in links.column_names
    assert read.plot("utilization-map") is not None
    assert torusim.hot_links(read).stalled == []


VIRTUAL_NODE = {
    "machine": {"shape": [4, 4], "mode": "virtual-node"},
    "workload": {"kind": "kernel", "name": "halo-2d", "bytes": 5000, "iterations": 2},
}


@pytest.mark.parametrize("scenario", [ALL_TO_ALL, VIRTUAL_NODE])
def test_the_error_is_within_what_is_stated(scenario: dict[str, Any]) -> None:
    fluid, packets = (torusim.run(scenario, engine=engine).summary for engine in ("fluid", "windowed"))
    error = abs(100 * (fluid["cycles"] / packets["cycles"] - 1))
    assert error <= fluid["fluid_error_worst_percent"] + 1e-6


@pytest.mark.parametrize("algorithm", ["halving-doubling", "recursive-doubling"])
def test_ranks_that_wait_in_a_fold_are_in_the_rounds_of_the_others(algorithm: str) -> None:
    workload = {"kind": "collective", "operation": "all-reduce", "algorithm": algorithm, "bytes": 24 * 200}
    scenario = {"machine": {"shape": [8, 3]}, "workload": workload, "messaging": {"costs": "october-2003"}}
    fluid, packets = (torusim.run(scenario, engine=engine).summary for engine in ("fluid", "windowed"))
    assert fluid["cycles"] == pytest.approx(packets["cycles"], rel=0.25)


@pytest.mark.parametrize("shape", [[8], [8, 1]])
def test_no_error_is_stated_on_a_single_ring(shape: list[int]) -> None:
    workload = {"kind": "collective", "operation": "all-gather", "algorithm": "ring", "bytes": 8192}
    summary = torusim.run({"machine": {"shape": shape}, "workload": workload}, engine="fluid").summary
    assert ", one dimension, " in summary["fluid_kind"]
    assert "fluid_error_worst_percent" not in summary


def drawn_scenario(draws: random.Random) -> dict[str, Any]:
    """A small machine with traffic of a kind whose error may be stated, of any shape and length."""
    while not 8 <= prod(shape := [draws.choice([2, 3, 4, 5, 6, 8]) for _ in range(draws.choice([2, 3, 3]))]) <= 128:
        pass
    is_open = draws.random() < 0.25
    size = int(10 ** draws.uniform(2.3, 4.3))
    kind = draws.choice(["all-to-all", "nearest-neighbor", "halo-2d", "halo-3d", "all-reduce", "all-gather"])
    machine = {"shape": shape, "wrap": [not is_open or draws.random() < 0.5 for _ in shape]}
    if kind in ("all-to-all", "nearest-neighbor"):
        return {"machine": machine, "workload": {"kind": kind, "payload_bytes": min(size, 3000)}}
    cores = draws.choice([1, 2])
    workload = {"kind": "kernel", "name": kind, "bytes": size, "iterations": draws.choice([1, 2, 4])}
    if not kind.startswith("halo"):
        blocks = 8 * cores * prod(shape)
        workload = {"kind": "collective", "operation": kind, "bytes": max(size // blocks, 1) * blocks}
    mode = {1: "heater", 2: "virtual-node"}[cores]
    costs = draws.choice(["none", "october-2003"])
    return {"machine": {**machine, "mode": mode}, "workload": workload, "messaging": {"costs": costs}}


def check_drawn_errors(cases: int) -> None:
    """The statement of the page for machines and lengths other than the measured ones."""
    draws = random.Random(20)
    beyond: list[float] = []
    while len(beyond) < cases:
        scenario = drawn_scenario(draws)
        fluid = torusim.run(scenario, engine="fluid").summary
        if "fluid_error_worst_percent" in fluid:
            packets = torusim.run(scenario).summary
            error = abs(100 * (fluid["cycles"] / packets["cycles"] - 1))
            beyond.append(error - fluid["fluid_error_worst_percent"])
            assert beyond[-1] <= 35, scenario
    assert sum(excess > 0 for excess in beyond) <= 0.1 * cases, beyond


def test_the_error_of_other_machines_is_nearly_within_what_is_stated() -> None:
    check_drawn_errors(12)


@pytest.mark.long
def test_the_error_of_any_machine_is_nearly_within_what_is_stated() -> None:
    check_drawn_errors(600)


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [
        (ALL_TO_ALL, "patterns, corrected"),
        (VIRTUAL_NODE, "halo, costs october-2003, several ranks a node, equal lengths, corrected"),
    ],
)
def test_the_stated_error_is_the_recorded_one_of_its_kind(scenario: dict[str, Any], kind: str) -> None:
    rows = json.loads((STUDIES / "verdicts.json").read_text())["quick"]["fluid"]["rows"]
    errors = [abs(row["error (%)"]) for row in rows if row["group"] != "calibration" and row["kind"] == kind]
    summary = torusim.run(scenario, engine="fluid").summary
    assert summary["fluid_kind"] == kind
    assert summary["fluid_error_cases"] == len(errors) >= 3
    assert summary["fluid_error_median_percent"] == pytest.approx(median(errors), rel=1e-3)
    assert summary["fluid_error_worst_percent"] == pytest.approx(max(errors), rel=1e-3)


def test_the_page_has_the_recorded_errors() -> None:
    """The table has a row for each kind of rank traffic and costs, and a column for ranks on a node and lengths."""
    errors: dict[tuple[str, str], dict[tuple[str, str], list[float]]] = {}
    for row in json.loads((STUDIES / "verdicts.json").read_text())["quick"]["fluid"]["rows"]:
        if row["group"] == "kinds":
            what, costs, ranks, lengths, _ = row["kind"].split(", ")
            errors.setdefault((what, costs), {}).setdefault((ranks, lengths), []).append(abs(row["error (%)"]))
    page = (ROOT / "docs" / "models" / "fluid.md").read_text()
    columns = list(product(("one rank a node", "several ranks a node"), LENGTHS))
    for (what, costs), by_column in errors.items():
        cells = [f"{median(by_column[column]):.0f} / {max(by_column[column]):.0f}" for column in columns]
        assert f"| {what} | {costs.removeprefix('costs ')} | {' | '.join(cells)} |\n" in page


LENGTHS = ("equal lengths", "unequal lengths", "open dimensions")


def test_nothing_is_stated_of_a_kind_that_was_not_measured() -> None:
    transform = {"kind": "kernel", "name": "nas-ft", "class": "S", "iterations": 1}
    summary = torusim.run({"machine": {"shape": [4, 4]}, "workload": transform}, engine="fluid").summary
    assert summary["fluid_kind"].startswith("nas-ft")
    assert not [key for key in summary if key.startswith("fluid_error")]


def test_the_stated_errors_are_those_of_the_study() -> None:
    rows = json.loads((STUDIES / "verdicts.json").read_text())["quick"]["fluid"]["rows"]
    assert json.loads(ERRORS_FILE.read_text()) == module_of(STUDIES / "fluid" / "study.py").stated_errors(rows)


def test_the_numbers_of_the_correction_are_those_that_the_study_fits() -> None:
    study = module_of(STUDIES / "fluid" / "study.py")
    cases = {case.name: case for case in study.calibration_cases()}
    rows = json.loads((STUDIES / "verdicts.json").read_text())["quick"]["fluid"]["rows"]
    times = {row["case"]: row["packets (cycles)"] for row in rows if row["group"] == study.CALIBRATION}
    assert times.keys() == cases.keys()
    fitted = study.fitted([study.AllToAll.of(cases[name], cycles) for name, cycles in times.items()])
    written = written_numbers()
    for name, number in fitted.items():
        digits = written[name.removeprefix("fitted_").upper()]
        assert float(digits) == round(number, len(digits.partition(".")[2])), name


def test_the_terms_that_the_study_fits_are_those_of_the_engine() -> None:
    """The study has the terms separately, as least squares needs them: their sum is the engine's time."""
    study = module_of(STUDIES / "fluid" / "study.py")
    rows = json.loads((STUDIES / "verdicts.json").read_text())["quick"]["fluid"]["rows"]
    times = {row["case"]: row["fluid (cycles)"] for row in rows if row["group"] == study.CALIBRATION}
    numbers = {name: float(digits) for name, digits in written_numbers().items()}
    closed = [numbers[name] for name in ("BASE", "GROWTH", "SHORT", "FEW", "WAITING", "FILLING")]
    opened = [numbers[name] for name in ("OPEN_BASE", "OPEN", "OPEN_SHARE")]
    for case in study.calibration_cases():
        terms = study.AllToAll.of(case, 0)
        cycles = terms.busy + terms.latency
        if terms.is_open:
            base = 0 if terms.is_adaptive else numbers["BASE"] * terms.mixed * terms.busy
            filling = numbers["FILLING"] * (1 + terms.mixed) * terms.packet
            cycles += base + filling + product_of(study.open_terms(terms, numbers["WAITING"]), opened)
        elif 0 < terms.minor_hops < study.SHORTEST_MINOR_HOPS:
            continue
        else:
            cycles += product_of(study.closed_terms(terms), closed)
        assert times[case.name] == pytest.approx(cycles, rel=1e-5, abs=1), case.name


def product_of(terms: list[float], numbers: list[float]) -> float:
    return sum(term * number for term, number in zip(terms, numbers, strict=True))


def written_numbers() -> dict[str, str]:
    """The digits of each number of the correction, as its code has them."""
    code = (ROOT / "crates" / "fluid" / "src" / "correction.rs").read_text()
    return dict(re.findall(r"^const ([A-Z_]+): f64 = ([\d.]+);", code, re.M))


def test_a_huge_all_to_all_takes_no_time() -> None:
    result = torusim.run(
        {"machine": {"shape": [32, 32, 32]}, "workload": {"kind": "all-to-all", "payload_bytes": 65536}},
        engine="fluid",
    )
    assert result.summary["wall_seconds"] < 60
    assert result.summary["packet_hops"] > 7e12


def test_what_only_packets_have_is_refused() -> None:
    with pytest.raises(torusim.InputError, match="time_limit_cycles"):
        torusim.run(ALL_TO_ALL, engine="fluid", run={"time_limit_cycles": 1000})
    with pytest.raises(torusim.InputError, match="time lines"):
        torusim.run(
            {"machine": {"shape": [4, 4]}, "workload": {"kind": "kernel", "name": "halo-2d"}},
            engine="fluid",
            timeline="times.json",
        )


def test_check_names_the_fluid_engine_where_packets_take_hours(command: Command, tmp_path: Path) -> None:
    scenario = tmp_path / "large.toml"
    scenario.write_text('machine.shape = [16, 16, 16]\nworkload.kind = "all-to-all"\nworkload.payload_bytes = 65536\n')
    assert "--engine fluid" in command("check", str(scenario)).stdout
    assert "--engine fluid" not in command("check", str(scenario), "--set", "machine.shape=[4,4,4]").stdout
