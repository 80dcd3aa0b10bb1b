"""The matrix of communication: the bytes that each rank has sent to each other."""

from pathlib import Path
from typing import Any

import numpy as np

import torusim
from torusim import _core
from torusim.pictures.plots import draw_runs
from torusim.runs.scenario import resolve

GRID = (4, 3, 2)
HALO = {
    "machine": {"shape": list(GRID)},
    "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 500, "iterations": 3},
    "run": {"communication": True},
}


def neighbors(rank: int) -> list[int]:
    """The neighbor in each direction; in a ring of two it is listed twice."""
    place = [rank % 4, rank // 4 % 3, rank // 12]
    found = []
    for dimension, length in enumerate(GRID):
        for step in (1, -1):
            moved = [*place]
            moved[dimension] = (moved[dimension] + step) % length
            found.append(moved[0] + 4 * moved[1] + 12 * moved[2])
    return found


def test_a_halo_exchange_is_a_matrix_of_neighbors() -> None:
    rows = torusim.run(HALO, threads=3).table("communication").to_pylist()
    expected = [
        {"source": rank, "target": peer, "messages": 3 * count, "bytes": 1500 * count}
        for rank in range(24)
        for peer in sorted(set(neighbors(rank)))
        if (count := neighbors(rank).count(peer))
    ]
    assert rows == expected


def test_counting_changes_nothing_else_and_is_off_by_default() -> None:
    counted, plain = torusim.run(HALO), torusim.run(HALO, run={"communication": False})
    assert "communication" not in plain.tables
    assert "communication" not in plain.scenario["run"]
    for key in ("digest", "operations_digest", "cycles"):
        assert counted.summary[key] == plain.summary[key]


def test_a_resumed_run_has_the_same_matrix(tmp_path: Path) -> None:
    whole = torusim.run(HALO).table("communication").to_pydict()
    run = _core.Run(resolve(HALO, []), "windowed", 1)
    resumed = 0
    while not run.advance(0.0).done:
        run.save(tmp_path / "a.checkpoint")
        run = _core.Run.resume(tmp_path / "a.checkpoint", 2)
        resumed += 1
    assert resumed > 3
    counted = run.finish(interrupted=False).tables()["communication"]
    assert {name: np.asarray(values).tolist() for name, values in counted.items()} == whole


def test_messages_of_collectives_are_counted(tmp_path: Path) -> None:
    for rank in range(2):
        calls = ["MPI_Init:-:0:0:0", f"MPI_Barrier:10:0,{rank},2:20", "MPI_Finalize:30:-"]
        (tmp_path / f"pmpi-trace-rank-{rank}.txt").write_text("\n".join(calls) + "\n", encoding="utf-8")
    scenario = {
        "machine": {"shape": [2]},
        "workload": {"kind": "trace", "path": str(tmp_path)},
        "run": {"communication": True},
    }
    rows = torusim.run(scenario).table("communication").to_pylist()
    assert [(row["source"], row["target"], row["messages"]) for row in rows] == [(0, 1, 1), (1, 0, 1)]


def test_the_picture_shows_the_matrix_and_nothing_without_it() -> None:
    counted, plain = torusim.run(HALO), torusim.run(HALO, run={"communication": False})
    assert not draw_runs({"": plain}, only="communication")
    assert not draw_runs({"one": counted, "other": counted}, only="communication")
    (image,) = counted.plot("communication").figure.axes[0].images
    drawn: Any = np.ma.asarray(image.get_array())
    assert drawn.shape == (24, 24)
    assert float(drawn[0, 1]) == 1500
    assert float(drawn[0, 12]) == 3000  # the ring of two has both directions
    assert np.ma.getmaskarray(drawn)[0, 2]
