"""Sweeps of many points: shards and their collection, executors, statistics over seeds."""

import concurrent.futures
import json
import math
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import torusim
from tests.support import SMALL_SCENARIO, Command, assert_says, kept_points, succeeded
from torusim.cli.screen import print_table
from torusim.common.intervals import interval
from torusim.sweeps import worker
from torusim.sweeps.shards import Shard, parse_shard

OF_THE_HOST = (
    *(
        "name",
        "engine_seconds",
        "wall_seconds",
        "packet_hops_per_second",
        "peak_memory_bytes",
        "process_peak_memory_bytes",
    ),
    "mpi_operations_per_second",
)
"""Columns of timing and memory; all others are equal wherever a point runs."""

OVER: Mapping[str, Sequence[object]] = {"machine.shape": [[4, 4], [3, 3, 3]], "run.seed": [1, 2, 3]}
OVER_OPTIONS = ("--over", "machine.shape=[4,4],[3,3,3]", "--over", "run.seed=1..3")


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    """The rows of a table, without columns of timing and memory, and without the name of the scenario's file."""
    return [{key: value for key, value in row.items() if key not in OF_THE_HOST} for row in table.to_pylist()]


@pytest.fixture(scope="module")
def whole() -> list[dict[str, Any]]:
    """The sweep in processes of this host."""
    return rows_of(torusim.sweep(SMALL_SCENARIO, OVER, jobs=2).table)


# Shards


@given(count=st.integers(1, 12), points=st.integers(0, 40))
def test_each_point_is_in_exactly_one_shard(count: int, points: int) -> None:
    parts = [Shard(number, count).select(range(points)) for number in range(1, count + 1)]
    assert sorted(point for part in parts for point in part) == list(range(points))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@given(count=st.integers(1, 10**6), data=st.data())
def test_shard_is_read_as_it_is_written(count: int, data: st.DataObject) -> None:
    shard = Shard(data.draw(st.integers(1, count)), count)
    assert parse_shard(str(shard)) == shard


@given(text=st.text(st.sampled_from("0123456789/-+ ._x²"), max_size=8))
def test_any_text_is_a_shard_or_an_input_error(text: str) -> None:
    with suppress(torusim.InputError):
        shard = parse_shard(text)
        assert 1 <= shard.number <= shard.count


@pytest.mark.parametrize(
    "folders", [["all"], ["one", "two", "three", "four"]], ids=["a folder", "folders of their own"]
)
def test_shards_collected_are_the_whole_sweep(
    folders: list[str], whole: list[dict[str, Any]], command: Command, small: Path, tmp_path: Path
) -> None:
    for number in range(1, 5):
        folder = folders[(number - 1) % len(folders)]
        finished = succeeded(
            command("sweep", small, *OVER_OPTIONS, "--shard", f"{number}/4", "--out", folder, "--jobs", "1")
        )
        assert f"torusim collect {folder}" in finished.stdout
        assert not (tmp_path / folder / "sweep.parquet").exists()
    collected = succeeded(command("collect", *folders, "--out", "all", "--json"))
    assert rows_of(pq.read_table(tmp_path / "all" / "sweep.parquet")) == whole
    assert len(json.loads(collected.stdout)) == 6
    assert (tmp_path / "all" / "means.parquet").exists()
    points = kept_points(tmp_path / "all")
    assert command("sweep", small, *OVER_OPTIONS, "--out", "all").returncode == 0
    assert kept_points(tmp_path / "all") == points, "no point is run again"


def test_shards_in_python(whole: list[dict[str, Any]], tmp_path: Path) -> None:
    parts = [torusim.sweep(SMALL_SCENARIO, OVER, jobs=1, shard=f"{n}/2", out=tmp_path / str(n)) for n in (1, 2)]
    assert [len(part) for part in parts] == [3, 3]
    collected = torusim.collect([tmp_path / "1", tmp_path / "2"])
    assert rows_of(collected.table) == whole
    assert collected.keys == list(OVER)


def test_shard_without_points(tmp_path: Path) -> None:
    empty = torusim.sweep(SMALL_SCENARIO, {"run.seed": [1]}, jobs=1, shard="2/2", out=tmp_path / "empty")
    assert len(empty) == 0
    with pytest.raises(torusim.InputError, match=r"1 of 1 points are not finished, the first is run\.seed = 1"):
        torusim.collect(tmp_path / "empty")


def test_shards_of_different_sweeps(tmp_path: Path) -> None:
    for seeds in (2, 3):
        over = {"run.seed": range(1, seeds + 1)}
        torusim.sweep(SMALL_SCENARIO, over, jobs=1, shard="1/2", out=tmp_path / str(seeds))
    with pytest.raises(torusim.InputError, match=r"3: its shards are of another sweep than those of .*2: "):
        torusim.collect([tmp_path / "2", tmp_path / "3"])


DAMAGED_LISTS = [
    *("", "{", "[]", "3", "{}"),
    '{"schema_version": 1, "points": []}',
    '{"schema_version": 2, "points": [{}]}',
    '{"schema_version": 1, "points": [{}]}',
    '{"schema_version": 1, "points": [{"key": "../x", "labels": {}}]}',
]


@pytest.mark.parametrize("text", DAMAGED_LISTS)
def test_damaged_list_of_a_shard(text: str, tmp_path: Path) -> None:
    (tmp_path / "sweep.json").write_text(text)
    with pytest.raises(torusim.InputError, match=r"sweep\.json"):
        torusim.collect(tmp_path)


SWEEP = ("sweep", "small.toml", "--over", "run.seed=1")
DASK = (*SWEEP, "--executor", "dask")

BAD_COMMANDS = {
    "no shard": ([*SWEEP, "--shard", "0/2"], ["shard 0/2", "such as 2/8"]),
    "shard beyond": ([*SWEEP, "--shard", "3/2"], ["shard 3/2"]),
    "nothing to collect": (["collect", "."], [".: has no sweep.json", "--shard"]),
    "no such folder": (["collect", "nowhere"], ["nowhere: has no sweep.json"]),
    "several without out": (["collect", "a", "b"], ["--out DIR"]),
    "cluster of processes": ([*SWEEP, "--cluster", "slurm"], ["--cluster: is for"]),
    "setting of processes": (
        [*SWEEP, "--cluster-set", "a=1"],
        ["--cluster-set: is for"],
    ),
    "setting without value": (
        [*DASK, "--cluster", "slurm", "--cluster-set", "a"],
        ["--cluster-set a: must be KEY=VALUE"],
    ),
    "setting of a local cluster": (
        [*DASK, "--cluster-set", "a=1"],
        ["--cluster-set: is for a batch system", "slurm"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), BAD_COMMANDS.values(), ids=BAD_COMMANDS.keys())
def test_bad_command(command: Command, small: Path, arguments: list[str], words: list[str]) -> None:
    assert small.name == "small.toml"
    assert_says(command(*arguments), *words)


def test_picture_of_shards_names_collect(command: Command, small: Path) -> None:
    command("sweep", small, "--over", "run.seed=1..2", "--shard", "1/2", "--out", "part", "--jobs", "1")
    assert_says(command("plot", "part"), "torusim collect part")


# Executors


class Polled:
    """An executor whose futures cannot be waited for, as those of submitit."""

    def submit(self, function: Callable[..., Any], /, *arguments: object) -> "Polled.Job":
        """Calls the function at once."""
        return self.Job(function(*arguments))

    class Job:
        """A future."""

        def __init__(self, result: object) -> None:
            """A future with this result."""
            self._result, self._looks = result, 0

        def done(self) -> bool:
            """Whether it is done: False at the first call, then True."""
            self._looks += 1
            return self._looks > 1

        def result(self) -> object:
            """The result."""
            return self._result

        def cancel(self) -> None:
            """Does nothing."""


@contextmanager
def polled() -> Iterator[Polled]:
    yield Polled()


def processes() -> concurrent.futures.Executor:
    """Processes that share nothing with this one."""
    return concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


@pytest.mark.parametrize("kind", [processes, lambda: concurrent.futures.ThreadPoolExecutor(2), polled])
def test_executors_give_the_table_of_local_processes(
    kind: Callable[[], Any], whole: list[dict[str, Any]], tmp_path: Path
) -> None:
    with kind() as executor:
        swept = torusim.sweep(SMALL_SCENARIO, OVER, executor=executor, out=tmp_path / "swept")
    assert rows_of(swept.table) == whole
    assert len(list((tmp_path / "swept" / "points").iterdir())) == 6


def test_curve_on_an_executor() -> None:
    ring = {"machine": {"shape": [4]}, "workload": {"kind": "uniform-random"}}
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        elsewhere = torusim.curve(ring, seeds=1, executor=executor)
    assert elsewhere.table.equals(torusim.curve(ring, seeds=1, jobs=2).table)


def test_bad_executors() -> None:
    with pytest.raises(torusim.InputError, match="executor: 3 has no method submit"):
        torusim.sweep(SMALL_SCENARIO, {"run.seed": [1]}, executor=3)  # type: ignore[arg-type]
    with pytest.raises(torusim.InputError, match="jobs: is for processes of this host"):
        torusim.sweep(SMALL_SCENARIO, {"run.seed": [1]}, jobs=1, executor=Polled())


def test_failures_of_an_executor() -> None:
    class Broken(Polled):
        def submit(self, *_: object) -> "Polled.Job":
            raise RuntimeError("out of\npaper")

    with pytest.raises(torusim.InputError, match=r"run\.seed = 1: the executor could not.*: RuntimeError: out of$"):
        torusim.sweep(SMALL_SCENARIO, {"run.seed": [1]}, executor=Broken())
    executor = processes()
    executor.shutdown()
    with pytest.raises(torusim.InputError, match="RuntimeError: cannot schedule new futures after shutdown"):
        torusim.sweep(SMALL_SCENARIO, {"run.seed": [1]}, executor=executor)


def test_worker_of_another_build_refuses() -> None:
    answer = worker.run_elsewhere(worker.NETWORK, {}, "hash of another build")
    assert "is not the one that this point was made with" in answer["refused"]


# Statistics over seeds


def test_means_over_seeds(command: Command, small: Path, tmp_path: Path) -> None:
    finished = command("sweep", small, *OVER_OPTIONS, "--out", "swept")
    swept = torusim.load_sweep(tmp_path / "swept")
    means = swept.means
    assert means.equals(pq.read_table(tmp_path / "swept" / "means.parquet"))
    assert means.column_names[:2] == ["machine.shape", "seeds"]
    assert means.column("machine.shape").to_pylist() == [[4, 4], [3, 3, 3]]
    assert means.column("seeds").to_pylist() == [3, 3]
    assert set(means.column("outcome").to_pylist()) == {"completed"}
    assert "digest" not in means.column_names, "seeds do not agree on it"
    rows = swept.table.to_pylist()
    for index, shape in enumerate(([4, 4], [3, 3, 3])):
        found = interval([row["latency_cycles_mean"] for row in rows if row["machine.shape"] == shape])
        assert means.column("latency_cycles_mean")[index].as_py() == found.mean
        assert means.column("latency_cycles_mean_half_width")[index].as_py() == found.half_width
        assert "±" in next(line for line in finished.stdout.splitlines() if str(shape) in line)


def test_means_of_single_seeds_have_no_interval() -> None:
    swept = torusim.sweep(SMALL_SCENARIO, {"machine.shape": [[4, 4], [3, 3, 3]]}, jobs=2)
    assert swept.means.column("cycles").to_pylist() == swept.table.column("cycles").to_pylist()
    assert "cycles_half_width" not in swept.means.column_names
    assert "±" not in swept._repr_html_()


def test_means_where_seeds_differ() -> None:
    columns = {
        "a": [1, 1, 1, 2],
        "run.seed": [1, 2, 3, 1],
        "outcome": ["completed", "deadlocked", "completed", "completed"],
        "latency": [1.0, None, 3.0, 4.0],
        "cycles": [1, 2, 3, 4],
        "digest": ["p", "q", "p", "p"],
    }
    table = pa.table(columns)
    means = torusim.Sweep(table, ["a", "run.seed"]).means.to_pylist()
    assert [row["seeds"] for row in means] == [3, 1]
    assert [row["outcome"] for row in means] == ["completed, deadlocked", "completed"]
    assert [row["latency"] for row in means] == [None, 4.0], "no mean where a seed has no value"
    assert [row["cycles"] for row in means] == [2.0, 4.0]
    assert means[0]["cycles_half_width"] == pytest.approx(4.303 / math.sqrt(3), rel=1e-3)
    assert [row["digest"] for row in means] == [None, "p"]


# Tables for terminals


@pytest.mark.parametrize("width", [40, 80, 100, 120])
def test_headings_are_broken_between_words_only(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torusim.cli.screen.WIDTH_WITHOUT_TERMINAL", width)
    monkeypatch.setenv("COLUMNS", str(width))
    headings = ["machine.router.dynamic_channels", "outcome", "link_utilization_mean", "latency_cycles_mean", "cause"]
    rows = [["4", "completed", "0.6034 ± 0.017", "1,234.5", "a sentence of several words"]] * 2
    print_table("", headings, rows, right=headings[2:4])
    printed = capsys.readouterr().out
    for word in (
        "machine.",
        "router.",
        "dynamic_",
        "channels",
        "utilization_",
        "latency_",
        "0.6034 ± 0.017",
        "1,234.5",
    ):
        assert word in printed, printed
