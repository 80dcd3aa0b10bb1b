"""Any argument of the Python API gives a result or an InputError, never another exception."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import torusim
from tests.support import SMALL_SCENARIO, refusal
from torusim.queue.room import MachineRoom

HOLDS_ITSELF: dict[str, object] = {}
HOLDS_ITSELF["machine"] = HOLDS_ITSELF

TOO_LONG_A_NAME = "x" * 5000


class Unprintable:
    """An object of a caller that cannot be shown in a message."""

    def __repr__(self) -> str:
        """Fails."""
        raise RuntimeError("no representation")


class BytesPath:
    """A path whose name is bytes."""

    def __fspath__(self) -> bytes:
        """A name that is not text."""
        return b"kept"


surrogates = st.text(st.characters(codec=None, categories=["Cs"]), min_size=1, max_size=2)
anything = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**5000), float("nan"), float("inf"), -float("inf"), -0.0])
    | st.floats()
    | st.text()
    | surrogates
    | st.sampled_from(["a\0b", TOO_LONG_A_NAME, "\ud800", "\udcff", "", ".", "/", "~", "lublin", "torus", "site"])
    | st.binary(max_size=4)
    | st.sampled_from([BytesPath(), Path("a\0b"), HOLDS_ITSELF, object, np.ndarray, np.int64(3)])
    | st.lists(st.integers() | st.text(), max_size=3)
    | st.dictionaries(st.text() | surrogates | st.integers(), st.integers() | st.text() | surrogates, max_size=2)
)


def hashable(value: object) -> Any:  # noqa: ANN401
    """The value, or its text where no dict can have it as a key."""
    return value if isinstance(value, str | int | float | bytes | type | None) else repr(value)


ROOM = MachineRoom.load("bluegene-p-2-racks")
CATALOGUE = ROOM.catalogue("site")
RESULT = torusim.run(SMALL_SCENARIO)
MAPPED_SCENARIO = {"machine": {"shape": [2, 2]}, "workload": {"kind": "kernel", "name": "halo-2d"}}
SCHEDULE = torusim.schedule("lublin", nodes=64, jobs=20)
TABLE = pa.table({"run.seed": [1, 2], "name": ["a", "a"], "latency_cycles_mean": [3.0, 4.0]})
SWEEP = torusim.Sweep(TABLE, ["run.seed"])

NO_SHAPE: Any = "no shape"
"""A wrong shape that is passed with the tried one.

Shapes are refused before any is used: a legal one may have millions of nodes, and takes minutes.
"""

FUNCTIONS: dict[str, Callable[[Any], object]] = {
    "scenario": torusim.check,
    "section": lambda value: torusim.check(SMALL_SCENARIO, machine=value),
    "key": lambda value: torusim.check(SMALL_SCENARIO, machine={hashable(value): 3}),
    "value": lambda value: torusim.check(SMALL_SCENARIO, machine={"shape": value}),
    "seed": lambda value: torusim.check(SMALL_SCENARIO, seed=value),
    "engine": lambda value: torusim.run(SMALL_SCENARIO, engine=value),
    "threads": lambda value: torusim.run(SMALL_SCENARIO, threads=True if value == 1 else value),
    "checkpoint_every": lambda value: torusim.run(SMALL_SCENARIO, checkpoint_every=value),
    "over": lambda value: torusim.sweep(SMALL_SCENARIO, value, jobs=0),
    "over, key": lambda value: torusim.sweep(SMALL_SCENARIO, {hashable(value): [1]}, jobs=0),
    "over, values": lambda value: torusim.sweep(SMALL_SCENARIO, {"run.seed": value}, jobs=0),
    "jobs": lambda value: torusim.sweep(SMALL_SCENARIO, {"machine.shape": [[0]]}, jobs=value),
    "over of a curve": lambda value: torusim.curve(SMALL_SCENARIO, value, jobs=0),
    "seeds of a curve": lambda value: torusim.curve(SMALL_SCENARIO, seeds=value),
    "mapping": lambda value: torusim.check(MAPPED_SCENARIO, mapping=value),
    "order": lambda value: torusim.check(MAPPED_SCENARIO, mapping={"order": value}),
    "places": lambda value: torusim.check(MAPPED_SCENARIO, mapping={"places": value}),
    "file of a mapping": lambda value: torusim.check(MAPPED_SCENARIO, mapping={"file": value}),
    "search": lambda value: torusim.map_ranks(MAPPED_SCENARIO, search=value, steps=10),
    "start of a search": lambda value: torusim.map_ranks(MAPPED_SCENARIO, search="greedy", start=value, steps=10),
    "steps": lambda value: torusim.map_ranks(MAPPED_SCENARIO, search="greedy", steps=value, seconds=0.01),
    "seconds": lambda value: torusim.map_ranks(MAPPED_SCENARIO, search="greedy", steps=10, seconds=value),
    "shapes": lambda value: torusim.advise(MAPPED_SCENARIO, shapes=[value, NO_SHAPE]),
    "wraps": lambda value: torusim.advise(MAPPED_SCENARIO, wraps=[value], trials=0, runs=0),
    "search_seconds": lambda value: torusim.advise(MAPPED_SCENARIO, search_seconds=value, shapes=[[0]]),
    "runs": lambda value: torusim.advise(MAPPED_SCENARIO, runs=value, shapes=[[0]]),
    "links": lambda value: torusim.hot_links(RESULT, links=value),
    "flows": lambda value: torusim.hot_links(RESULT, flows=value),
    "shard": lambda value: torusim.sweep(SMALL_SCENARIO, {"machine.shape": [[0]]}, shard=value),
    "executor": lambda value: torusim.sweep(SMALL_SCENARIO, {"machine.shape": [[0]]}, executor=value),
    "folders of shards": torusim.collect,
    "collected": lambda value: torusim.collect("nowhere", out=value),
    "resume": torusim.resume,
    "load": torusim.load,
    "load_schedule": torusim.load_schedule,
    "table": RESULT.table,
    "table of a schedule": SCHEDULE.table,
    "log": lambda value: torusim.schedule(value, nodes=64, jobs=10),
    "nodes": lambda value: torusim.schedule("lublin", nodes=value, jobs=10),
    "policy": lambda value: torusim.schedule("lublin", nodes=64, jobs=10, policy=value),
    "outages": lambda value: torusim.schedule("lublin", nodes=64, jobs=10, outages=value),
    "reservations": lambda value: torusim.schedule("lublin", nodes=64, jobs=10, reservations=value),
    "queues": lambda value: torusim.schedule("lublin", nodes=64, jobs=10, queues=value),
    "dependencies": lambda value: torusim.schedule("lublin", nodes=64, jobs=10, dependencies=value),
    "plot": torusim.plot,
    "plot of a list": lambda value: torusim.plot([value]),
    "picture of a run": RESULT.plot,
    "picture of a schedule": SCHEDULE.plot,
    "picture of a sweep": SWEEP.plot,
    "x": lambda value: SWEEP.plot(x=value),
    "by": lambda value: SWEEP.plot(by=value),
    "partitions of a map": ROOM.plot,
    "file of a picture": RESULT.plot("latency").save,
    "load_sweep": torusim.load_sweep,
    "load_curve": torusim.load_curve,
    "room": MachineRoom.load,
    "profile": ROOM.catalogue,
    "midplane": ROOM.coordinates,
    "midplanes": ROOM.partition,
    "one of the midplanes": lambda value: ROOM.partition(["R00-M0", value]),
    "wiring": lambda value: ROOM.partition(["R00-M0"], value),
    "spans": lambda value: MachineRoom.load("tpu-v4-pod").partition(["cube-03"], spans=value),
    "part of a midplane": lambda value: ROOM.small_partition(value, 64),
    "nodes of a part": lambda value: ROOM.small_partition("R00-M0", value),
    "card": lambda value: ROOM.small_partition("R00-M0", 64, value),
    "conflicts": lambda value: ROOM.conflicts(value, value),
    "find": CATALOGUE.find,
    "conflicts of a number": CATALOGUE.conflicts,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(deadline=None, max_examples=60)
@given(value=anything)
@example(value=10**400)
@example(value=-(10**5000))
@example(value="\ud800")
@example(value=TOO_LONG_A_NAME)
@example(value=HOLDS_ITSELF)
@example(value=BytesPath())
@example(value=b"kept")
@example(value=3)
def test_any_value_gives_a_result_or_an_input_error(name: str, value: object) -> None:
    assert len(refusal(lambda: FUNCTIONS[name](value))) < 20_000, "messages are short enough to read"


NO_PATHS = ["a\0b", b"kept", 3, BytesPath(), "\ud800", [], Unprintable()]


@pytest.mark.parametrize("value", NO_PATHS, ids=type)
@pytest.mark.parametrize("function", ["run", "sweep", "curve", "schedule"])
def test_out_that_is_no_path(function: str, value: Any) -> None:  # noqa: ANN401
    calls: dict[str, Callable[[], object]] = {
        "run": lambda: torusim.run(SMALL_SCENARIO, out=value),
        "sweep": lambda: torusim.sweep(SMALL_SCENARIO, {"run.seed": [1]}, out=value),
        "curve": lambda: torusim.curve(SMALL_SCENARIO, out=value),
        "schedule": lambda: torusim.schedule("lublin", nodes=64, jobs=10, out=value),
    }
    with pytest.raises(torusim.InputError, match=r"out: .* has to be a path"):
        calls[function]()


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "name": (lambda content: content.replace(b"injected", b"injec\xffed"), "nodes"),
    "cut off": (lambda content: content[: len(content) // 2], "nodes"),
    "empty": (lambda _: b"", "nodes"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_table(damage: str, tmp_path: Path) -> None:
    torusim.run(SMALL_SCENARIO, out=tmp_path / "kept")
    change, name = DAMAGES[damage]
    path = tmp_path / "kept" / f"{name}.parquet"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(torusim.InputError, match="is not a table of a result"):
        torusim.load(tmp_path / "kept").table(name)


def with_column(table: pa.Table, name: str, values: list[Any]) -> pa.Table:
    """The table with the first rows of a column replaced."""
    rest = table.column(name).to_pylist()[len(values) :]
    return table.set_column(table.column_names.index(name), name, pa.array(values + rest))


BAD_TABLES: dict[str, tuple[str, Callable[[pa.Table], pa.Table], str]] = {
    "missing column": ("jobs", lambda table: table.drop_columns("start"), "it has no column 'start'"),
    "column twice": ("jobs", lambda table: table.append_column("job", table.column("job")), "it has two columns 'job'"),
    "text": (
        "series",
        lambda table: with_column(table, "end", ["x"] * table.num_rows),
        "column 'end' holds no numbers",
    ),
    "numbers": (
        "jobs",
        lambda table: with_column(table, "partition", [3] * table.num_rows),
        "'partition' holds no texts",
    ),
    "no value": ("sizes", lambda table: with_column(table, "jobs", [None]), "column 'jobs' has rows without a value"),
    "no end": ("jobs", lambda table: with_column(table, "end", [None]), "a job has a start but no end"),
    "not a number": ("sizes", lambda table: with_column(table, "wait_seconds_mean", [float("nan")]), "never writes"),
    "beyond 62 bits": ("jobs", lambda table: with_column(table, "submit", [2**63 - 1]), "'submit' holds values that"),
}


@pytest.mark.parametrize(("name", "change", "words"), BAD_TABLES.values(), ids=BAD_TABLES.keys())
def test_damaged_table_of_a_schedule(
    name: str, change: Callable[[pa.Table], pa.Table], words: str, tmp_path: Path
) -> None:
    SCHEDULE.write(tmp_path)
    path = tmp_path / f"{name}.parquet"
    pq.write_table(change(SCHEDULE.table(name)), path)
    with pytest.raises(torusim.InputError, match=rf"{name}\.parquet: is not the table '{name}' of a schedule.*{words}"):
        torusim.load_schedule(tmp_path).table(name)


def test_direction_that_no_machine_has(tmp_path: Path) -> None:
    RESULT.write(tmp_path)
    pq.write_table(with_column(RESULT.table("links"), "direction", ["q+"]), tmp_path / "links.parquet")
    with pytest.raises(torusim.InputError, match="column 'direction' holds values that torusim never writes"):
        torusim.load(tmp_path).table("links")


def test_column_of_another_type(tmp_path: Path) -> None:
    torusim.run(SMALL_SCENARIO, out=tmp_path / "kept")
    path = tmp_path / "kept" / "nodes.parquet"
    table = pq.ParquetFile(path).read()
    text = pa.array(["many"] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index("injected"), "injected", text), path)
    with pytest.raises(torusim.InputError, match="column 'injected' holds no numbers"):
        torusim.load(tmp_path / "kept").table("nodes")


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_damaged_result_file(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bytes of result.json are changed, removed or inserted."""
    folder = tmp_path_factory.mktemp("damaged")
    RESULT.write(folder)
    path = folder / "result.json"
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    length = data.draw(st.integers(0, 20))
    path.write_bytes(content[:start] + data.draw(st.binary(max_size=20)) + content[start + length :])
    assert "result.json" in (refusal(lambda: torusim.load(folder)._repr_html_()) or "result.json")


NO_RESULTS = ["1" * 5000, "1" * 400, "[" * 100_000, '{"a":' * 100_000, "nan", "NaN", "-Infinity", "1e999"]


@pytest.mark.parametrize("text", NO_RESULTS, ids=lambda text: text[:6])
def test_json_that_no_result_has(text: str, tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text(text)
    with pytest.raises(torusim.InputError, match=r"result\.json"):
        torusim.load(tmp_path)
