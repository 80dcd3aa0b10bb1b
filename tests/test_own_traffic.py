"""Custom traffic: flows, permutations and lengths from files, arrays and data frames, and the errors in them."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import torusim
from tests.support import Command

MATRIX = np.array([[0, 4096, 0, 480], [0, 0, 100, 0], [9000, 1, 0, 0], [240, 0, 240, 0]], dtype=float)
TABLE = {
    "source": [source for source in range(4) for target in range(4) if MATRIX[source, target]],
    "target": [target for source in range(4) for target in range(4) if MATRIX[source, target]],
    "bytes": [int(MATRIX[source, target]) for source in range(4) for target in range(4) if MATRIX[source, target]],
}
MACHINE = {"shape": [2, 2, 1]}


def run(**workload: Any) -> torusim.Result:  # noqa: ANN401
    return torusim.run({"machine": MACHINE, "workload": {"kind": "flows", **workload}})


def written(folder: Path) -> dict[str, Path]:
    """One set of flows in each form that a file can have."""
    rows = list(zip(*TABLE.values(), strict=True))
    texts = {
        "matrix.csv": "\n".join(",".join(f"{value:g}" for value in row) for row in MATRIX),
        "labels.csv": ",0,1,2,3\n" + "\n".join(f"{i}," + ",".join(map(str, row)) for i, row in enumerate(MATRIX)),
        "table.csv": "# own\nsource,target,bytes\n" + "\n".join(",".join(map(str, row)) for row in rows),
        "semicolons.csv": "bytes; source; target\n" + "\n".join(f"{row[2]}; {row[0]}; {row[1]}" for row in rows),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    np.save(folder / "matrix.npy", MATRIX)
    np.save(folder / "table.npy", np.array(rows, dtype=[("source", "i4"), ("target", "i4"), ("bytes", "i8")]))
    pq.write_table(pa.table(TABLE), folder / "table.parquet")
    return {path.name: path for path in folder.iterdir()}


def test_all_forms_are_the_same_traffic(tmp_path: Path) -> None:
    digest = run(matrix=MATRIX).summary["digest"]
    assert run(matrix=MATRIX.tolist()).summary["digest"] == digest
    assert run(table=TABLE).summary["digest"] == digest
    assert run(table=pa.table(TABLE)).summary["digest"] == digest
    files = written(tmp_path)
    assert len(files) == 7
    for path in files.values():
        assert run(path=path).summary["digest"] == digest, path


def test_traffic_is_conserved_and_bounded(tmp_path: Path) -> None:
    result = run(path=written(tmp_path)["table.parquet"])
    packets = sum(-(-size // 240) for size in TABLE["bytes"])
    assert result.summary["packets_injected"] == result.summary["packets_delivered"] == packets
    assert 0 < result.summary["percent_of_peak"] <= 100
    again = torusim.run(result.scenario, engine="reference")
    assert again.summary["digest"] == result.summary["digest"]


def test_a_file_that_has_changed_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)["table.csv"]
    result = run(path=path)
    path.write_text(path.read_text() + "\n0,2,7")
    with pytest.raises(torusim.InputError, match=r"workload\.hash = .*: .*table\.csv has changed: its hash is"):
        torusim.run(result.scenario)


def test_starts_phases_and_dependencies_order_flows() -> None:
    ring = {"source": [0, 1, 2], "target": [1, 2, 0], "bytes": [2400, 2400, 2400]}
    together = run(table=ring).summary["cycles"]
    late = run(table={**ring, "start_cycles": [0, 0, 50_000]}).summary["cycles"]
    assert 50_000 < late < 50_000 + together
    nanoseconds = 50_000 / 0.175  # at 175 MB/s a cycle is 1/0.175 ns
    assert run(table={**ring, "start_ns": [0, 0, nanoseconds]}).summary["cycles"] == late
    messages = run(table={**ring, "phase": [0, 0, 0]}).summary["cycles"]
    chained = run(table={**ring, "after": [None, 0, 1]})
    assert chained.summary["outcome"] == "completed"
    assert 2.5 * messages < chained.summary["cycles"] < 3.5 * messages
    phases = run(table={**ring, "phase": [0, 1, 2]}).summary["cycles"]
    assert phases == chained.summary["cycles"]  # each rank has to wait for what it receives
    reference = torusim.run(chained.scenario, engine="reference")
    assert reference.summary["digest"] == chained.summary["digest"]


def test_a_mapping_places_the_ranks_of_flows() -> None:
    flows = {"table": {"source": [0], "target": [1], "bytes": [240]}}
    scenario = {"machine": {"shape": [8, 1, 1]}, "workload": {"kind": "flows", **flows}}
    assert torusim.run(scenario).summary["mean_hops"] == 1
    far = torusim.run(scenario, mapping={"places": [[0, 0, 0, 0], [4, 0, 0, 0]]})
    assert far.summary["mean_hops"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffsource,target,bytes\r\n0,1,4096\r\n1,2,4096\r\n2,0,65536\r\n",
        "source;target;bytes\n0;1;4096\n1;2;4096\n2;0;65536\n",
        "source  target bytes\n0 1   4096\n 1 2 4096\n2 0 65536\n",
        "0 4096 0\n0 0 4096\n65536 0 0\n",
        "# from numpy.savetxt\n   0.000e+00  4.096e+03 0\n0 0 4.096e+03\n6.5536e+04 0 0\n",
        "0,4096,\n,,4096\n65536,,\n",
        "0,4096,0\n0,0,4096,\n65536,0,0,,\n",
        ",0,1,2\n0,,4096,\n1,,,4096\n2,65536,,\n",
        ",a,b,c\na,0,4096,0\nb,0,0,4096\nc,65536,0,0\n",
    ],
)
def test_tables_and_matrices_of_other_programs_are_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "flows.csv"
    path.write_text(text)
    # 73,728 bytes in packets of 240.
    assert run(path=path).summary["packets_delivered"] == 310


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"target": [1, "x"]}, r'workload\.table\.target\[1\] = "x": must be a whole number from 0 to 4294967295'),
        ({"bytes": [240, None]}, r"workload\.table\.bytes\[1\] = null: must be a number"),
        ({"bytes": 5}, r"workload\.table\.bytes = 5: must be a list \[\.\.\.\], each item a number"),
        ({"byte": [1, 2]}, r"workload\.table\.byte = .*: \[workload\.table\] has no such key; did you mean bytes\?"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_column_and_row(table: dict[str, object], message: str) -> None:
    with pytest.raises(torusim.InputError, match=message):
        run(table={"source": [0, 1], "target": [1, 2], "bytes": [240, 240]} | table)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    names = ["source", "target", "bytes", "bytes"]
    table = pa.table([pa.array([column]) for column in (0, 1, 240, 7)], names=names)
    pq.write_table(table, tmp_path / "flows.parquet")
    (tmp_path / "flows.csv").write_text(",".join(names) + "\n0,1,240,7\n")
    for given in ({"table": table}, {"path": tmp_path / "flows.parquet"}, {"path": tmp_path / "flows.csv"}):
        with pytest.raises(torusim.InputError, match="there are two columns bytes"):
            run(**given)
    (tmp_path / "lengths.csv").write_text("bytes,bytes\n16,3\n")
    lengths = {"message_bytes": {"path": str(tmp_path / "lengths.csv")}, "packets_per_node": 1}
    with pytest.raises(torusim.InputError, match="there are two columns bytes"):
        torusim.run({"machine": MACHINE, "workload": {"kind": "uniform-random", **lengths}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",4096,0\n0,,4096\n65536,,\n", r"flows\.csv:1: the first cell is empty, but the rest"),
        (
            ",10,20\n10,,30\n20,30,\n",
            r"flows\.csv:1: the first cell is empty, but the rest of its row and column are no",
        ),
        ("source,target,bytes\n0,1,8\n1,x,9\n", r'flows\.csv:3: column target: "x" is not a number'),
        ("source,target,bytes\n0,1,8\n1,2\n", r"flows\.csv:3: column bytes: is empty: a number is needed"),
        ("source,target,bytes\n0,1,8.5\n", r"flows\.csv:2: column bytes: 8\.5 is not a whole number of bytes"),
        (
            "source,target,bytes\n0,4,8\n",
            r"flows\.csv:2: column target: there is no rank 4: the machine has room",
        ),
        ("source,target,byte\n0,1,8\n", r'flows\.csv: a table of flows has no column "byte"; did you mean bytes\?'),
        ("source,bytes\n0,8\n", r"flows\.csv: the column target is missing"),
        ("source,target,bytes,after\n0,1,8,\n2,3,8,0\n", r"flows\.csv:3: column after: row 0 goes from 0 to 1"),
        ("0,1\n2\n", r"flows\.csv:2: column 1: 1 values, but there are 2 rows"),
        ("", r"flows\.csv: is empty"),
    ],
)
def test_what_is_wrong_with_a_file(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "flows.csv"
    path.write_text(text)
    with pytest.raises(torusim.InputError, match=message):
        run(path=path)


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "flows.parquet").write_bytes(b"no table")
    np.save(tmp_path / "cube.npy", np.zeros((2, 2, 2)))
    with (tmp_path / "archive.npy").open("wb") as file:
        np.savez(file, MATRIX)
    for name, message in [
        ("flows.parquet", r"flows\.parquet: cannot be read"),
        ("cube.npy", r"cube\.npy: is an array of 3 dimensions"),
        ("archive.npy", r"archive\.npy: is an archive of NumPy \(\.npz\)"),
        ("none.csv", r"none\.csv: cannot be read: No such file"),
        ("flows.xlsx", r"flows\.xlsx: "),
    ]:
        with pytest.raises(torusim.InputError, match=message):
            run(path=tmp_path / name)


def test_fields_of_records_lie_at_any_byte(tmp_path: Path) -> None:
    """Each field of a single record is in one piece, so that nothing else copies it."""
    packed = [("source", "u1"), ("target", "u1"), ("bytes", "f8")]
    np.save(tmp_path / "packed.npy", np.array([(0, 1, 480)], dtype=packed))
    assert run(path=tmp_path / "packed.npy").summary["packets_delivered"] == 2


def test_permutations_and_lengths_from_files(tmp_path: Path) -> None:
    (tmp_path / "permutation.csv").write_text("source,target\n0,3\n3,0\n")
    result = torusim.run(
        {"machine": MACHINE, "workload": {"kind": "permutation", "packets_per_node": 5}},
        workload={"path": tmp_path / "permutation.csv"},
    )
    assert result.scenario["workload"]["targets"] == [3, 1, 2, 0]
    assert result.summary["packets_delivered"] == 10
    (tmp_path / "lengths.csv").write_text("bytes,weights\n16,3\n2400,1\n")
    lengths = {"message_bytes": {"path": str(tmp_path / "lengths.csv")}, "packets_per_node": 256}
    result = torusim.run({"machine": MACHINE, "workload": {"kind": "uniform-random", **lengths}})
    assert result.scenario["workload"]["message_bytes"] == {"bytes": [16, 2400], "weights": [3.0, 1.0]}


def test_the_scenario_names_its_file(tmp_path: Path, command: Command) -> None:
    written(tmp_path)
    (tmp_path / "own.toml").write_text(
        'machine.shape = [2, 2, 1]\n[workload]\nkind = "flows"\npath = "table.parquet"\n'
    )
    checked = command("check", str(tmp_path / "own.toml"))
    assert "Bound, kind" in checked.stdout
    assert "Packets" in checked.stdout


def to_others(nodes: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.ones((nodes, nodes)) - np.eye(nodes)


def open_loop(**workload: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"machine": {"shape": [4, 4]}, "workload": {"load": 0.5, **workload}, "run": {"measure_cycles": 30_000}}


def destinations(**workload: Any) -> dict[str, Any]:  # noqa: ANN401
    return open_loop(kind="destination-matrix", **workload)


def test_a_destination_matrix_of_equal_weights_is_uniform_traffic() -> None:
    uniform, own = open_loop(kind="uniform-random"), destinations(matrix=to_others(16))
    bounds = [torusim.check(scenario)["bound"]["packets_per_cycle"] for scenario in (uniform, own)]
    assert bounds[1] == pytest.approx(bounds[0], rel=1e-12)
    means = [
        [torusim.run(scenario, seed=seed).summary["latency_cycles_mean"] for seed in range(1, 7)]
        for scenario in (uniform, own)
    ]
    apart = abs(np.mean(means[0]) - np.mean(means[1]))
    assert apart < 3 * np.sqrt(np.var(means[0], ddof=1) / 6 + np.var(means[1], ddof=1) / 6)


def test_all_forms_of_weights_are_the_same_pattern(tmp_path: Path) -> None:
    weights = np.random.default_rng(1).integers(0, 4, (16, 16)).astype(float)
    np.fill_diagonal(weights, 0)
    weights[5] = 0
    pairs = [(s, t, weights[s, t]) for s in range(16) for t in range(16) if weights[s, t]]
    table = dict(zip(("source", "target", "weight"), map(list, zip(*pairs, strict=True)), strict=True))
    np.save(tmp_path / "weights.npy", weights)
    (tmp_path / "weights.csv").write_text("\n".join(",".join(map(str, row)) for row in weights))
    pq.write_table(pa.table(table), tmp_path / "weights.parquet")
    tabulated = torusim.destination_table([4, 4], lambda _node, place: weights[place[0] + 4 * place[1]])
    by_target = torusim.destination_table([4, 4], lambda node, _place: dict(enumerate(weights[node])))
    assert tabulated == by_target == table
    forms: list[dict[str, Any]] = [{"matrix": weights}, {"table": table}, {"table": pa.table(table)}]
    forms += [{"path": tmp_path / name} for name in ("weights.npy", "weights.csv", "weights.parquet")]
    results = [torusim.run(destinations(**form)) for form in forms]
    assert len({result.summary["digest"] for result in results}) == 1
    assert torusim.run(results[0].scenario, engine="reference").summary["digest"] == results[0].summary["digest"]
    assert torusim.run(results[-1].scenario, threads=2).summary["digest"] == results[0].summary["digest"]
    nodes = results[0].table("nodes")
    assert nodes["injected"][5].as_py() == 0
    assert sum(nodes["injected"].to_pylist()) == results[0].summary["packets_injected"]


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ({}, "workload.path: is missing"),
        ({"matrix": np.eye(16)}, r"matrix\[0\]\[0\] = 1.0: node 0 would send to itself"),
        ({"matrix": to_others(5)}, "5 rows, but the machine has 16 nodes"),
        ({"matrix": -to_others(16)}, r"matrix\[0\]\[1\] = -1.0: -1 is not a weight"),
        ({"matrix": np.zeros((16, 16))}, "nothing is sent"),
        ({"matrix": to_others(16), "table": {"source": [0], "target": [1], "weight": [1]}}, "only one of both"),
        ({"table": {"source": [0], "target": [16], "weight": [1]}}, r"table.target\[0\] = 16: there is no node 16"),
        ({"table": {"source": [0], "target": [1], "weight": [1]}, "routing": "valiant"}, "routing"),
    ],
)
def test_wrong_weights_are_refused(workload: dict[str, Any], words: str) -> None:
    with pytest.raises(torusim.InputError, match=words):
        torusim.check(destinations(**workload))


def test_a_destination_matrix_has_a_curve() -> None:
    workload = {"kind": "destination-matrix", "matrix": to_others(4)}
    curve = torusim.curve({"machine": {"shape": [2, 2]}, "workload": workload}, seeds=1, jobs=1)
    (saturation,) = curve.saturations
    assert saturation["saturated_bytes_per_node_per_cycle"] is not None


def test_dead_nodes_are_no_destinations() -> None:
    scenario = destinations(matrix=to_others(16), packets_per_node=50)
    scenario["machine"]["dead_nodes"] = [[1, 1]]
    scenario["workload"].pop("load")
    scenario.pop("run")
    result = torusim.run(scenario)
    assert result.summary["packets_delivered"] == 15 * 50
    assert torusim.run(scenario, engine="reference").summary["digest"] == result.summary["digest"]
