"""Own traffic: flows, permutations and lengths from files, arrays and data frames, and what is wrong with them."""

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
    """The same flows in each form that a file can have."""
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
    ("text", "message"),
    [
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
    for name, message in [
        ("flows.parquet", r"flows\.parquet: cannot be read"),
        ("cube.npy", r"cube\.npy: is an array of 3 dimensions"),
        ("none.csv", r"none\.csv: cannot be read: No such file"),
        ("flows.xlsx", r"flows\.xlsx: "),
    ]:
        with pytest.raises(torusim.InputError, match=message):
            run(path=tmp_path / name)


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
