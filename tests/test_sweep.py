"""`torusim sweep` and `torusim.sweep`: one table of many points, none of which is run twice."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import torusim
from tests.support import (
    COMMAND,
    SMALL_SCENARIO,
    Command,
    assert_says,
    children,
    is_running,
    kept_points,
    refused,
    start,
    stop,
    wait_until,
)
from torusim.sweeps.axes import axes_of_options
from torusim.sweeps.executors import Processes
from torusim.sweeps.points import Point, read_stored, run_all, run_together

SEEDS_AND_SHAPES = ["--over", "machine.shape=[4,4,4],[3,3]", "--over", "run.seed=1..3"]

SLOW = """\
machine.shape = [8, 8, 8]
workload = { kind = "all-to-all", payload_bytes = 960 }
"""
"""Takes about two seconds, so that a sweep over it can be stopped while it runs."""


def test_table_has_a_row_for_each_point(command: Command, small: Path, tmp_path: Path) -> None:
    finished = command("sweep", small, *SEEDS_AND_SHAPES, "--out", "swept", "--jobs", "2")
    assert finished.returncode == 0, finished.stderr
    rows = pq.read_table(tmp_path / "swept" / "sweep.parquet").to_pylist()
    assert [(row["machine.shape"], row["run.seed"]) for row in rows] == [
        (shape, seed) for shape in ([4, 4, 4], [3, 3]) for seed in (1, 2, 3)
    ]
    for row in rows:
        alone = torusim.run(SMALL_SCENARIO, seed=row["run.seed"], machine={"shape": row["machine.shape"]}).summary
        assert row["digest"] == alone["digest"]
        assert row["outcome"] == "completed"
        assert row["percent_of_peak"] == alone["percent_of_peak"]
        assert row["link_utilization_by_direction.x+"] == alone["link_utilization_by_direction"]["x+"]
    assert "sweep.parquet" in finished.stdout


def test_finished_points_are_not_run_again(command: Command, small: Path, tmp_path: Path) -> None:
    command("sweep", small, "--over", "run.seed=1,2", "--out", "swept")
    before = kept_points(tmp_path / "swept")
    assert len(before) == 2
    finished = command("sweep", small, "--over", "run.seed=1..3", "--out", "swept", "--json")
    after = kept_points(tmp_path / "swept")
    assert len(after) == 3
    assert {name: after[name] for name in before} == before
    assert [row["run.seed"] for row in json.loads(finished.stdout)] == [1, 2, 3]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:100],
        lambda text: text.replace('"completed"', "[]"),
        lambda text: text.replace('"outcome_detail": null', '"outcome_detail": 3'),
        lambda text: text.replace('"cycles": 1', '"cycles": 2'),
    ],
    ids=["cut off", "list", "number", "digit"],
)
def test_damaged_point_is_run_again(
    damage: Callable[[str], str], command: Command, small: Path, tmp_path: Path
) -> None:
    command("sweep", small, "--over", "run.seed=1,2", "--out", "swept")
    table = (tmp_path / "swept" / "sweep.parquet").read_bytes()
    broken, *_ = (tmp_path / "swept" / "points").glob("*.json")
    whole = broken.read_text()
    broken.write_text(damage(whole))
    assert broken.read_text() != whole
    assert command("sweep", small, "--over", "run.seed=1,2", "--out", "swept").returncode == 0
    assert pq.read_table(tmp_path / "swept" / "sweep.parquet").column("digest") == read_digests(table)
    assert json.loads(broken.read_text())["summary"]["outcome"] == "completed"


def read_digests(table: bytes) -> Any:  # noqa: ANN401
    import pyarrow as pa

    return pq.read_table(pa.BufferReader(table)).column("digest")


def test_function_and_command_give_the_same_table(command: Command, small: Path, tmp_path: Path) -> None:
    command("sweep", small, *SEEDS_AND_SHAPES, "--out", "swept")
    by_command = pq.read_table(tmp_path / "swept" / "sweep.parquet")
    over = {"machine.shape": [[4, 4, 4], (3, 3)], "run.seed": range(1, 4)}
    by_function = torusim.sweep(SMALL_SCENARIO, over, jobs=2, out=tmp_path / "own")
    for column in ("machine.shape", "run.seed", "digest", "cycles"):
        assert by_function.table.column(column) == by_command.column(column)
    assert len(kept_points(tmp_path / "own")) == 6


def test_values_may_be_strings_and_set_applies_to_all_points(command: Command, small: Path) -> None:
    over = ["--over", "machine.preset=bluegene-l,bluegene-p", "--set", "machine.shape=[4,4]", "--json"]
    rows = json.loads(command("sweep", small, *over).stdout)
    assert [row["machine.preset"] for row in rows] == ["bluegene-l", "bluegene-p"]
    assert {row["shape"] for row in rows} == {"4x4"}


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("run.seed=1..4", ["1", "2", "3", "4"]),
        ("run.seed=7,1..2", ["7", "1", "2"]),
        ("machine.shape=[4, 4],[8]", ["[4,4]", "[8]"]),
        ("workload.order=random,'rotating'", ['"random"', '"rotating"']),
        ('run.name="a,b",c', ['"a,b"', '"c"']),
        ("workload.load=0.5,", ["0.5"]),
    ],
)
def test_values_of_an_option(option: str, values: list[str]) -> None:
    key = option.split("=")[0]
    axis = axes_of_options([option])[key]
    assert [json.loads(value) for _, value, _ in axis] == [json.loads(value) for value in values]


@pytest.mark.parametrize("values", [[{}], [{"barrier": "mpich2"}, {}]])
def test_tables_as_values_are_what_was_given(values: list[dict[str, str]], tmp_path: Path) -> None:
    """Each table keeps its own keys: none has the keys of another, and an empty one is no column without fields."""
    kernel = {"kind": "kernel", "name": "halo-2d", "iterations": 1}
    scenario = {"machine": {"shape": [2, 2]}, "workload": kernel}
    swept = torusim.sweep(scenario, {"messaging.collectives": values}, jobs=1, out=tmp_path / "swept")
    assert swept.table.column("messaging.collectives").to_pylist() == list(map(json.dumps, values))
    assert torusim.load_sweep(tmp_path / "swept").table.equals(swept.table)


def test_any_seed_can_be_swept() -> None:
    swept = torusim.sweep(SMALL_SCENARIO, {"run.seed": [1, 2**64 - 1]}, jobs=1)
    assert swept.table.column("run.seed").to_pylist() == [1, 2**64 - 1]


def test_outcome_other_than_completed_ends_with_status_1(command: Command, small: Path) -> None:
    finished = command("sweep", small, "--over", "run.time_limit_cycles=100,1000000", "--json")
    assert finished.returncode == 1
    assert [row["outcome"] for row in json.loads(finished.stdout)] == ["time-limit", "completed"]


BAD_SWEEPS = {
    "no axis": ([], ["--over"]),
    "no values": (["--over", "run.seed="], ["--over run.seed=", "KEY=VALUE"]),
    "no key": (["--over", "=1,2"], ["--over =1,2", "KEY=VALUE"]),
    "line break": (["--over", "run\nseed"], [r"--over 'run\nseed': must be"]),
    "no equals": (["--over", "run.seed"], ["--over run.seed", "KEY=VALUE"]),
    "unknown key": (["--over", "machine.shap=[4],[8]"], ["--over machine.shap", "did you mean shape"]),
    "half a list": (["--over", "machine.shape=[4,4],[8"], ["--over machine.shape", "unclosed array"]),
    "bad value": (["--over", "machine.shape=[4,4],[4,0]"], ["--over machine.shape", "machine.shape = [4, 0]"]),
    "range downwards": (["--over", "run.seed=9..1"], ["--over run.seed=9..1", "1..10"]),
    "range of no integers": (["--over", "run.seed=1..3_"], ["--over run.seed=1..3_", "1..10"]),
    "range of too many digits": (["--over", f"run.seed=1..{'9' * 5000}"], ["--over run.seed=", "9…", "1..10"]),
    "endless range": (["--over", "run.seed=1..99999999999"], ["--over run.seed", "1,000,000"]),
    "key twice": (["--over", "run.seed=1", "--over", "run.seed=2"], ["--over run.seed", "twice"]),
    "too many points": (
        ["--over", "run.seed=1..2000", "--over", "run.warmup_cycles=1..2000"],
        ["4,000,000 points", "1,000,000"],
    ),
    "no jobs": (["--over", "run.seed=1", "--jobs", "0"], ["--jobs", "1"]),
    "folder of something else": (["--over", "run.seed=1", "--out", "."], [".: exists already", "sweep"]),
    "file": (["--over", "run.seed=1", "--out", "small.toml"], ["small.toml: exists already"]),
    "place that takes no folder": (["--over", "run.seed=1", "--out", "/proc/out"], ["/proc/out", "cannot be written"]),
}


@pytest.mark.parametrize(("arguments", "words"), BAD_SWEEPS.values(), ids=BAD_SWEEPS.keys())
def test_bad_sweep(command: Command, small: Path, arguments: list[str], words: list[str]) -> None:
    assert_says(command("sweep", small, *arguments), *words)


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ([1, 2], ["over", "dict"]),
        ({"run.seed": 3}, ["run.seed", "list of values"]),
        ({"run.seed": "12"}, ["run.seed", "list of values"]),
        ({"run.seed": []}, ["run.seed", "no values"]),
        ({3: [1]}, ["3", "list of values"]),
        ({"run.sed": [1]}, ["sweep(over=run.sed)", "seed"]),
        ({"run.seed": [{1}]}, ["run.seed", "plain data"]),
    ],
    ids=str,
)
def test_bad_axes(over: Any, words: list[str]) -> None:  # noqa: ANN401
    with refused(*words):
        torusim.sweep(SMALL_SCENARIO, over)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True, 10**6])
def test_bad_jobs(jobs: Any) -> None:  # noqa: ANN401
    with pytest.raises(torusim.InputError, match="jobs"):
        torusim.sweep(SMALL_SCENARIO, {"run.seed": [1]}, jobs=jobs)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_sweep_resumes(tmp_path: Path, command: Command, how: signal.Signals) -> None:
    (tmp_path / "slow.toml").write_text(SLOW)
    sweep = ["sweep", "slow.toml", "--over", "run.seed=1..4", "--jobs", "1", "--out", "swept"]
    process = start([COMMAND, *sweep], tmp_path)
    wait_until(lambda: kept_points(tmp_path / "swept"))
    _, errors = stop(process, how)
    before = kept_points(tmp_path / "swept")
    assert 1 <= len(before) < 4
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert f"{len(before)} of 4 points are finished and kept in swept/points" in errors
        assert "Traceback" not in errors
    finished = command(*sweep)
    assert finished.returncode == 0, finished.stderr
    after = kept_points(tmp_path / "swept")
    assert len(after) == 4
    assert {name: after[name] for name in before} == before


def test_workers_end_with_a_killed_sweep(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW.replace("960", "96000"))
    process = start([COMMAND, "sweep", "slow.toml", "--over", "run.seed=1..2", "--jobs", "1"], tmp_path)
    wait_until(lambda: children(process.pid))
    workers = children(process.pid)
    stop(process, signal.SIGKILL)
    wait_until(lambda: not any(is_running(worker) for worker in workers))
    assert not any(is_running(worker) for worker in workers)


FUNCTIONS = """\
import os, signal
import torusim

def double(arguments, report):
    report(0.5)
    print("what a function prints is no answer")
    return {"summary": {"doubled": 2 * arguments["value"]}, "tables": {}}

def refuse(arguments, report):
    raise torusim.InputError("value = 3: too odd")

def die(arguments, report):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def functions(tmp_path: Path) -> Path:
    path = tmp_path / "functions.py"
    path.write_text(FUNCTIONS)
    return path


def test_point_may_be_any_function(functions: Path, tmp_path: Path) -> None:
    points = [Point({"value": value}, {"value": value}, f"{functions}:double") for value in (1, 2, 3)]
    shares: list[float] = []
    finished = run_all(points, tmp_path / "points", Processes(2), lambda advance: shares.append(advance.fraction))
    assert [point.summary["doubled"] for point in finished] == [2, 4, 6]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    before = {path.name for path in (tmp_path / "points").iterdir()}
    assert before == {f"{point.key}.json" for point in points}


def test_points_of_several_folders_are_run_together(functions: Path, tmp_path: Path) -> None:
    """Each folder gets its own points, a point of two folders both, and stored points are not run again."""
    one, two, three = (Point({"value": value}, {"value": value}, f"{functions}:double") for value in (1, 2, 3))
    folders = {tmp_path / "a" / "points": [one, two], tmp_path / "b" / "points": [two, three]}
    run_all([three], tmp_path / "b" / "points", Processes(1), lambda _: None)
    counts: list[tuple[int, int]] = []
    run_together(folders, Processes(2), lambda advance: counts.append((advance.finished, advance.points)))
    assert (counts[0], counts[-1]) == ((1, 3), (3, 3))
    for folder, points in folders.items():
        stored = read_stored(folder, [point.key for point in points])
        assert [stored[point.key]["summary"]["doubled"] for point in points] == [
            2 * point.labels["value"] for point in points
        ]


@pytest.mark.parametrize(("name", "words"), [("refuse", "value = 3: too odd"), ("die", "killed by signal 9")])
def test_point_that_cannot_be_run_is_named(functions: Path, name: str, words: str) -> None:
    with pytest.raises(torusim.InputError, match=f"value = 3: .*{words}"):
        run_all([Point({"value": 3}, {}, f"{functions}:{name}")], None, Processes(1), lambda _: None)


def test_long_sweep_reports_progress(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW.replace("960", "9600"))
    process = start([COMMAND, "sweep", "slow.toml", "--over", "run.seed=1..2", "--jobs", "1"], tmp_path)
    assert process.stderr is not None
    line = process.stderr.readline()
    stop(process)
    assert "0 of 2 points" in line


def test_printed_table_says_whether_a_measured_window_was_steady() -> None:
    window = {"warmup_cycles": 2_000, "measure_cycles": 20_000}
    scenario = {"machine": {"shape": [4, 4]}, "workload": {"kind": "uniform-random"}, "run": window}
    headings, rows, _ = torusim.sweep(scenario, {"workload.load": [0.2, 1.5], "run.seed": [1, 2]}, jobs=1).cells()
    assert "cycles" not in headings, "which the scenario says"
    steadiness = [row[headings.index("steadiness")] for row in rows]
    assert steadiness == ["steady", "saturated"]


def test_printed_table_of_runs_that_drain_has_cycles() -> None:
    headings, _, _ = torusim.sweep(SMALL_SCENARIO, {"run.seed": [1, 2]}, jobs=1).cells()
    assert "cycles" in headings
    assert "steadiness" not in headings
