"""`torusim curve` and `torusim.curve`: latency and accepted against offered load, up to a saturation that is found."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import torusim
from tests.support import COMMAND, SMALL_SCENARIO, Command, assert_says, kept_points, start, stop, succeeded, wait_until
from torusim import _core
from torusim.curves.search import LONGEST, NEAREST, RESOLUTION, STEP, enclosure, first_length, next_loads
from torusim.curves.steady_state import SATURATION_DEFICIT, Replications, Run

SCENARIO = """\
machine.shape = [4, 4]
workload = { kind = "uniform-random", load = 0.3 }
run = { seed = 5, warmup_cycles = 10, measure_cycles = 10 }
"""

COLUMNS = [
    "load",
    "seed",
    "offered_bytes_per_node_per_cycle",
    "accepted_bytes_per_node_per_cycle",
    "offered_gigabytes_per_second",
    "accepted_gigabytes_per_second",
    "latency_cycles_mean",
    "latency_cycles_p50",
    "latency_cycles_p99",
    "latency_ns_mean",
    "saturated",
    "outcome",
    "replications",
    "latency_cycles_mean_half_width",
    "settled_cycles",
    "warmup_cycles",
    "measured_cycles",
]

OFFERED, ACCEPTED = COLUMNS[2:4]
LATENCIES = COLUMNS[6:10]

BYTES_PER_SECOND = 175e6
"""The bytes per second of a link of Blue Gene/L, at one byte a cycle."""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[torusim.Curve, Path]:
    """The curves of a torus and a mesh, and the folder of their runs."""
    folder = tmp_path_factory.mktemp("curves") / "made"
    return torusim.curve(SCENARIO, {"machine.wrap": [True, False]}, seeds=4, jobs=2, out=folder), folder


@pytest.fixture(scope="module")
def curve(measured: tuple[torusim.Curve, Path]) -> torusim.Curve:
    return measured[0]


def test_table_has_a_row_for_each_configuration_load_and_seed(curve: torusim.Curve) -> None:
    assert curve.table.column_names == ["machine.wrap", *COLUMNS]
    rows = curve.table.to_pylist()
    places = [(not row["machine.wrap"], row["load"], row["seed"]) for row in rows]
    assert places == sorted(set(places))
    for row in rows:
        assert 5 <= row["seed"] < 5 + row["replications"] <= 9
        assert row["outcome"] == "completed"
        assert row["warmup_cycles"] > 10


def test_accepted_is_offered_below_saturation_and_less_above(curve: torusim.Curve) -> None:
    for row in curve.means.to_pylist():
        deficit = 1 - row[ACCEPTED] / row[OFFERED]
        assert row["saturated"] is (deficit > SATURATION_DEFICIT)
        if row["latency_cycles_mean"] is not None:
            assert abs(deficit) < 0.02


def test_what_is_saturated_has_no_latency(curve: torusim.Curve) -> None:
    for row in curve.table.to_pylist():
        known = [row[name] is not None for name in LATENCIES]
        assert not any(known) if row["saturated"] else len(set(known)) == 1


def test_latency_rises_with_the_load(curve: torusim.Curve) -> None:
    for _, rows in curve.configurations:
        shown = [row for row in rows if row["latency_cycles_mean"] is not None]
        means = [row["latency_cycles_mean"] for row in shown]
        assert len(means) >= 6
        assert means == sorted(means)
        assert all(row["latency_cycles_p50"] < row["latency_cycles_p99"] for row in shown)
        assert all(row["latency_cycles_mean_half_width"] > 0 for row in shown)


def test_loads_are_denser_near_saturation(curve: torusim.Curve) -> None:
    for (_, rows), saturation in zip(curve.configurations, curve.saturations, strict=True):
        steady, saturated = (saturation[f"{name}_bytes_per_node_per_cycle"] for name in ("steady", "saturated"))
        assert steady < saturated <= 1.021 * steady
        loads = [row[OFFERED] for row in rows if row[OFFERED] <= steady]
        gaps = [after - before for before, after in pairwise(loads)]
        assert gaps == sorted(gaps, reverse=True)
        assert gaps[-1] < gaps[0] / 8


def test_a_mesh_saturates_at_about_half_the_load_of_a_torus(curve: torusim.Curve) -> None:
    torus, mesh = (row[ACCEPTED] for row in curve.saturations)
    assert 0.4 < mesh / torus < 0.65


def test_units_agree(curve: torusim.Curve) -> None:
    bound = torusim.check(SCENARIO)["bound"]["packets_per_cycle"]
    for row in curve.table.to_pylist():
        for name in ("offered", "accepted"):
            per_second = row[f"{name}_bytes_per_node_per_cycle"] * BYTES_PER_SECOND / 1e9
            assert row[f"{name}_gigabytes_per_second"] == pytest.approx(per_second)
        if row["machine.wrap"]:
            assert row[OFFERED] == pytest.approx(row["load"] * bound * 256 / 16)
        if row["latency_cycles_mean"] is not None:
            assert row["latency_ns_mean"] == pytest.approx(row["latency_cycles_mean"] / BYTES_PER_SECOND * 1e9)


def test_a_row_is_what_a_run_with_its_values_measures(curve: torusim.Curve) -> None:
    row = next(row for row in curve.table.to_pylist() if row["latency_cycles_mean"] is not None)
    lengths = {"warmup_cycles": row["warmup_cycles"], "measure_cycles": row["measured_cycles"], "seed": row["seed"]}
    summary = torusim.run(SCENARIO, machine={"wrap": True}, workload={"load": row["load"]}, run=lengths).summary
    assert summary["latency_cycles_mean"] == row["latency_cycles_mean"]
    assert summary["latency_cycles_p99"] == row["latency_cycles_p99"]
    accepted = summary["packets_delivered"] * 256 / 16 / summary["measured_cycles"]
    assert accepted == pytest.approx(row[ACCEPTED])


def test_table_does_not_depend_on_the_number_of_processes() -> None:
    tables = [torusim.curve(SCENARIO, machine={"shape": [4]}, seeds=1, jobs=jobs).table for jobs in (1, 3)]
    assert tables[0] == tables[1]


def test_command_writes_table_and_picture_without_running_anything_twice(
    measured: tuple[torusim.Curve, Path], command: Command, tmp_path: Path
) -> None:
    curve, folder = measured
    before = kept_points(folder)
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    arguments = ["curve", "scenario.toml", "--over", "machine.wrap=true,false", "--seeds", "4", "--out", folder]
    finished = succeeded(command(*arguments, "--format", "svg"))
    assert kept_points(folder) == before
    assert pq.ParquetFile(folder / "curve.parquet").read() == curve.table
    assert "<svg" in (folder / "curve.svg").read_text()
    assert "wrap = true: saturates between" in finished.stdout
    assert finished.stdout.count(" saturated ") == sum(row["saturated"] for row in curve.means.to_pylist())
    plain = json.loads(command(*arguments, "--json").stdout)
    assert plain == {"saturations": curve.saturations, "rows": curve.table.to_pylist()}
    quiet = command(*arguments, "--quiet")
    assert (quiet.stdout, quiet.stderr) == ("", "")


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_picture_is_the_same_file_every_time(curve: torusim.Curve, tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for path in paths:
        curve.plot().save(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_picture_shows_latencies_of_steady_loads_only(curve: torusim.Curve) -> None:
    figure = curve.plot().figure
    above, below = figure.axes
    assert below.get_xlabel() == "offered load (bytes/node/cycle)"
    assert above.get_ylabel() == "latency (cycles)"
    shown = sum(row["latency_cycles_mean"] is not None for row in curve.means.to_pylist())
    means = [line for line in above.lines if line.get_marker() in ("o", "s") and line.get_linestyle() == "-"]
    latencies = [np.asarray(line.get_ydata()) for line in means]
    assert sum(np.isfinite(values).sum() for values in latencies) == shown
    crosses = [np.asarray(line.get_xdata()) for line in above.lines if line.get_marker() == "x"]
    assert np.concatenate(crosses).tolist() == [row["saturated_bytes_per_node_per_cycle"] for row in curve.saturations]


def test_picture_without_any_latency(curve: torusim.Curve) -> None:
    saturated = curve.table.filter(curve.table.column("saturated"))
    torusim.Curve(saturated, curve.keys).plot().figure.draw_without_rendering()


@pytest.mark.parametrize("name", ["curve.gif", "curve", "missing/curve.png"])
def test_picture_that_cannot_be_written(curve: torusim.Curve, tmp_path: Path, name: str) -> None:
    with pytest.raises(torusim.InputError, match="curve"):
        curve.plot().save(tmp_path / name)


@pytest.mark.parametrize("path", [3, b"curve.png", "a\0.png"])
def test_picture_at_what_is_no_path(curve: torusim.Curve, path: Any) -> None:  # noqa: ANN401
    with pytest.raises(torusim.InputError, match="path"):
        curve.plot().save(path)


@pytest.mark.parametrize(
    ("options", "entries"),
    [
        ({}, ["99th percentile", "saturated", "band: range of seeds"]),
        ({"quantiles": False}, ["saturated", "band: range of seeds"]),
        ({"bands": "interval"}, ["99th percentile", "saturated", "band: 95 % interval of mean"]),
    ],
)
def test_legend_names_configurations_as_the_field_does(
    curve: torusim.Curve, options: dict[str, Any], entries: list[str]
) -> None:
    (legend,) = curve.plot(**options).figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["torus", "mesh", "mean", *entries]


def test_bands_are_ranges_or_intervals(curve: torusim.Curve) -> None:
    with pytest.raises(torusim.InputError, match="'range' or 'interval'"):
        curve.plot(bands="wide")
    for line in curve._lines("interval"):
        for mean, low, high in filter(None, line["latency"]["mean"]):
            assert (low + high) / 2 == pytest.approx(mean)


def test_plot_draws_the_folder_of_a_curve(
    measured: tuple[torusim.Curve, Path], command: Command, tmp_path: Path
) -> None:
    curve, folder = measured
    finished = command("plot", folder, "--out", ".", "--format", "svg")
    assert finished.stdout == "curve.svg\n", finished.stderr
    assert (tmp_path / "curve.svg").read_bytes() == curve.plot().save(tmp_path / "same.svg").read_bytes()
    assert command("plot", folder / "curve.parquet", "--out", ".").returncode == 0
    for arguments, words in (
        ([folder, "--x", "load"], "x, y and by: is for sweeps"),
        ([folder, "--from", "3"], "and this is a curve"),
        ([folder, "--only", "latency"], "and this is a curve"),
        ([folder, folder], "curves are drawn one at a time"),
    ):
        assert_says(command("plot", *arguments), words)


def test_other_libraries_of_tables_read_a_curve(measured: tuple[torusim.Curve, Path]) -> None:
    curve, folder = measured
    assert pa.table(curve) == curve.table
    loaded = torusim.load_curve(folder)
    assert (loaded.table, list(loaded.keys)) == (curve.table, ["machine.wrap"])
    assert torusim.plot(loaded).name == "curve"


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        (lambda table: table.drop_columns(["load"]), "it has no column 'load'"),
        (lambda table: table.append_column("seed", table.column("seed")), "it has two columns 'seed'"),
        (lambda table: table.set_column(1, "load", pa.nulls(len(table), "double")), "'load' has rows without a value"),
        (lambda table: table.set_column(1, "load", table.column("outcome")), "column 'load' holds no numbers"),
        (lambda table: table.set_column(11, "saturated", table.column("load")), "'saturated' holds no true and false"),
        (lambda table: table.slice(0, 0), "it has no rows"),
    ],
)
def test_table_that_is_no_curve(
    curve: torusim.Curve, tmp_path: Path, damaged: Callable[[pa.Table], pa.Table], words: str
) -> None:
    pq.write_table(damaged(curve.table), tmp_path / "curve.parquet")
    with pytest.raises(torusim.InputError, match=f"is not the table of a curve: .*{words}"):
        torusim.load_curve(tmp_path)


def test_folder_without_a_curve(tmp_path: Path) -> None:
    with pytest.raises(torusim.InputError, match="not the folder of a finished curve"):
        torusim.load_curve(tmp_path)


def test_curve_shows_itself(curve: torusim.Curve) -> None:
    text = repr(curve)
    assert text.startswith(f"<Curve: {curve.means.num_rows} loads, {curve.table.num_rows} runs; wrap = true: saturates")
    assert len(text) < 300
    page = curve._repr_html_()
    assert page.count("<tr>") == curve.means.num_rows + 1
    assert "not settled" in page or "saturated" in page


def test_network_that_deadlocks(tmp_path: Path) -> None:
    """Loads that deadlock count as saturated, whatever was accepted before."""
    ring = {"shape": [4, 1, 1], "router": {"bubble_rule": "true-size", "in_network_share": 0.0}}
    shift = {"kind": "shift", "offset": [3, 0, 0], "routing": "deterministic", "packet_bytes": [32, 256]}
    curve = torusim.curve({"machine": ring, "workload": shift}, seeds=1, jobs=2, out=tmp_path / "made")
    ends = {row["outcome"] for row in curve.means.to_pylist()}
    assert "deadlocked" in ends
    assert all(row["saturated"] for row in curve.means.to_pylist() if row["outcome"] == "deadlocked")
    curve.plot().save(tmp_path / "ring.png")


BAD_CURVES: dict[str, tuple[list[str], list[str]]] = {
    "load": (["--over", "workload.load=0.1,0.2"], ["--over workload.load: a curve finds its loads itself"]),
    "length": (["--over", "run.measure_cycles=5"], ["--over run.measure_cycles: a curve finds warm-up", "--seeds"]),
    "seed": (["--over", "run.seed=1..3"], ["--over run.seed", "--seeds"]),
    "unknown key": (["--over", "machine.shap=[4],[8]"], ["--over machine.shap", "did you mean shape"]),
    "no values": (["--over", "machine.shape="], ["--over machine.shape=", "KEY=VALUE"]),
    "traffic that ends": (["--set", "workload.packets_per_node=9"], ["workload.packets_per_node = 9", "without end"]),
    "dead nodes": (["--set", "machine.dead_nodes=[[0,0]]"], ["dead nodes or links", "without them"]),
    "seeds beyond the last": (
        ["--seed", str(2**64 - 1), "--seeds", "2"],
        [f"run.seed = {2**64 - 1}: the last of 2 seeds (--seeds) is greater"],
    ),
    "no seeds": (["--seeds", "0"], ["--seeds", "1"]),
    "folder of something else": (["--out", "."], [".: exists already", "curve"]),
    "format": (["--format", "gif"], ["--format", "png"]),
}


@pytest.mark.parametrize(("arguments", "words"), BAD_CURVES.values(), ids=BAD_CURVES.keys())
def test_bad_curve(command: Command, tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    assert_says(command("curve", "scenario.toml", *arguments), *words)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("seeds", [0, -1, 1.5, True, "3", 10**6])
def test_bad_seeds(seeds: Any) -> None:  # noqa: ANN401
    with pytest.raises(torusim.InputError, match="seeds"):
        torusim.curve(SCENARIO, seeds=seeds)


def test_workload_without_an_offered_load(command: Command, small: Path) -> None:
    finished = command("curve", small)
    assert finished.returncode == 2
    message = (
        'torusim: workload.kind = "all-to-all": has no offered load; a curve needs one of uniform-random, hot-region'
    )
    assert finished.stderr.startswith(message)
    with pytest.raises(torusim.InputError, match="has no offered load"):
        torusim.curve(SMALL_SCENARIO)


def test_stopped_curve_continues(tmp_path: Path, command: Command) -> None:
    (tmp_path / "scenario.toml").write_text(SCENARIO.replace("[4, 4]", "[4]"))
    arguments = ["curve", "scenario.toml", "--seeds", "1", "--jobs", "1", "--out", "made"]
    process = start([COMMAND, *arguments], tmp_path)
    wait_until(lambda: kept_points(tmp_path / "made"))
    _, errors = stop(process)
    kept = kept_points(tmp_path / "made")
    assert process.returncode == 130
    assert f"{len(kept)} finished runs are kept in made/points. The same command continues" in errors
    assert command(*arguments).returncode == 0
    after = kept_points(tmp_path / "made")
    assert len(after) > len(kept)
    assert {name: after[name] for name in kept} == kept


def searched(accepts: Callable[[float], float]) -> dict[float, float]:
    """The accepted part of each load of a complete search."""
    accepted: dict[float, float] = {}
    for _ in range(60):
        saturated = {load: 1 - rate / load > SATURATION_DEFICIT for load, rate in accepted.items()}
        loads = next_loads(saturated, accepted, SATURATION_DEFICIT)
        assert not set(loads) & set(accepted)
        if not loads:
            return accepted
        accepted |= {load: accepts(load) for load in loads}
    raise AssertionError("the search does not end")


def lowest_saturated(accepted: dict[float, float]) -> tuple[float, float | None]:
    return enclosure({load: 1 - rate / load > SATURATION_DEFICIT for load, rate in accepted.items()})


@given(capacity=st.floats(0.005, 1.0), gain=st.floats(-0.8, 0.9))
def test_search_encloses_the_saturation_of_any_network(capacity: float, gain: float) -> None:
    """Above its capacity a network accepts a share of what is added (unfair), or loses some (congestion collapse)."""
    threshold = capacity * (1 - gain) / (1 - gain - SATURATION_DEFICIT)
    assume(threshold < 1.09)  # the search goes up to 1.1 times the bound
    accepted = searched(lambda load: max(min(load, capacity + gain * (load - capacity)), 0.1 * capacity))
    low, high = lowest_saturated(accepted)
    assert high is not None
    assert low <= threshold * 1.001
    assert high >= threshold * 0.999
    assert high - low <= 1.01 * RESOLUTION * high
    assert len(accepted) < 40


@given(capacity=st.floats(0.02, 0.99))
def test_distances_to_saturation_never_fall_too_fast(capacity: float) -> None:
    accepted = searched(lambda load: min(load, capacity))
    low, high = lowest_saturated(accepted)
    assert high is not None
    loads = sorted(load for load in accepted if load <= low)
    assert loads[0] <= 0.2 * high
    for before, after in pairwise(loads):
        assert high - after >= 0.89 * STEP * (high - before) or high - after < NEAREST * high / STEP
    assert 7 <= len(loads) <= 13


def test_network_that_is_never_saturated() -> None:
    accepted = searched(lambda load: load)
    assert lowest_saturated(accepted) == (1.1, None)


def test_network_that_accepts_nothing() -> None:
    accepted = searched(lambda _: 0.0)
    assert lowest_saturated(accepted)[0] == 0.0


@pytest.mark.parametrize(
    ("load", "saturation", "length"),
    [(0.1, None, 1), (0.1, 0.9, 1), (0.7, 0.9, 1), (0.8, 0.9, 2), (0.899, 0.9, LONGEST), (0.9, 0.9, LONGEST)],
)
def test_runs_are_longer_near_saturation(load: float, saturation: float | None, length: int) -> None:
    assert first_length(load, saturation) == length


def unequal(values: Sequence[int]) -> list[float]:
    """Values of which no two beginnings leave equal errors."""
    return [value + 0.001 * index**1.5 for index, value in enumerate(values)]


def mser(values: Sequence[float]) -> int:
    """MSER-5 by its definition."""
    batches = [sum(values[at : at + 5]) / 5 for at in range(0, len(values) - 4, 5)]

    def error(start: int) -> float:
        rest = batches[start:]
        mean = sum(rest) / len(rest)
        return sum((value - mean) ** 2 for value in rest) / len(rest) ** 2

    return 5 * min(range(len(batches) // 2 + 1), key=error)


@given(st.lists(st.integers(0, 100), min_size=10, max_size=120).map(unequal))
def test_truncation_is_mser_5(values: list[float]) -> None:
    assert _core.truncation(values) == mser(values)


def test_truncation_leaves_out_the_transient() -> None:
    transient = [100.0 * (1 - 0.9**row) for row in range(60)]
    steady = [100.0 + (row * 37 % 11 - 5) for row in range(140)]
    assert 20 <= _core.truncation([*transient, *steady]) <= 60
    assert _core.truncation(steady) <= 20
    assert _core.truncation([]) == _core.truncation([1.0, 2.0]) == 0


def replications(accepted: Sequence[int], latencies: Sequence[float], **changes: Any) -> Replications:  # noqa: ANN401
    """Runs of 10,000 cycles that are offered one packet a cycle and have been steady from the beginning."""
    of_run: dict[str, Any] = {
        "outcome": "completed",
        "steadiness": "steady",
        "warmup_cycles": 5_000,
        "measured_cycles": 10_000,
        "cycle_seconds": 1e-9,
        "latency_cycles_p50": 90.0,
        "latency_cycles_p99": 300.0,
        "escape_share": 0.0,
        "ends": range(500, 15_001, 500),
        "in_flight": [100.0 + row % 3 for row in range(30)],
        **changes,
    }
    each = enumerate(zip(accepted, latencies, strict=True))
    return Replications(
        1.0, [Run(seed=seed, packets=packets, latency_cycles_mean=mean, **of_run) for seed, (packets, mean) in each]
    )


def test_replications_are_added_until_the_interval_is_narrow() -> None:
    narrow = replications([10_000, 10_010, 9_990], [100.0, 101.0, 99.0])
    assert narrow.latency is not None
    assert narrow.latency.half_width == pytest.approx(4.303 / 3**0.5, rel=1e-3)
    assert narrow.seeds_needed(10) == 3
    wide = replications([10_000, 10_010, 9_990], [100.0, 120.0, 80.0])
    assert wide.seeds_needed(10) == 6
    assert wide.seeds_needed(4) == 4
    assert replications([10_000], [100.0]).seeds_needed(1) == 1
    assert wide.latency is None, "wider than a quarter of the mean"


def test_runs_become_longer_until_they_have_settled() -> None:
    calm = [100.0, 101.0, 99.0]
    assert not replications([10_000] * 3, calm).needs_longer_runs
    assert replications([10_000] * 3, calm, steadiness="not yet steady").needs_longer_runs
    rising = replications([10_000] * 3, calm, in_flight=[float(row) for row in range(30)])
    assert rising.needs_longer_runs
    assert rising.latency is None
    assert replications([9_920] * 3, calm).needs_longer_runs, "close to saturation"
    assert not replications([9_000] * 3, calm).needs_longer_runs, "clearly saturated"
    ended = replications([10] * 3, calm, outcome="deadlocked")
    assert ended.is_saturated
    assert not ended.needs_longer_runs


def test_backlog_that_grows_has_no_steady_latency() -> None:
    """0.8 % of 100,000 cycles is a backlog of 800 cycles, most of the latency of 1,000."""
    long = {"measured_cycles": 100_000, "warmup_cycles": 5_000}
    growing = replications([99_200] * 3, [1000.0, 1010.0, 990.0], **long)
    assert not growing.is_saturated
    assert growing.latency is None
    assert replications([99_950] * 3, [1000.0, 1010.0, 990.0], **long).latency is not None
