"""Comparison of schedules, their plots, and the table of meshes compared with tori."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torusim
from tests.support import COMMAND, Command, start, succeeded, wait_until
from torusim.common.intervals import interval
from torusim.queue.comparison import batch_means, compare_schedules
from torusim.queue.mesh_or_torus import mesh_or_torus

SIZES = [[64, 0.1], [512, 0.5], [1024, 0.2], [4096, 0.2]]


@pytest.mark.parametrize(
    ("values", "mean", "half_width"),
    [
        ([3.0], 3.0, None),
        ([1.0, 3.0], 2.0, 12.706),
        ([1.0, 2.0, 3.0], 2.0, 4.303 / 3**0.5),
        ([5.0] * 40, 5.0, 0.0),
    ],
)
def test_intervals(values: list[float], mean: float, half_width: float | None) -> None:
    found = interval(values)
    assert (found.mean, found.count) == (mean, len(values))
    assert found.half_width == (None if half_width is None else pytest.approx(half_width, rel=1e-3))


def test_intervals_have_their_nominal_coverage() -> None:
    """The mean is in 95 % of 2,000 intervals from 5 normal values each, within four standard errors."""
    values = np.random.default_rng(1).normal(size=(2000, 5))
    found = [interval(list(row)) for row in values]
    held = sum(abs(one.mean) <= (one.half_width or 0) for one in found) / len(found)
    assert held == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / 2000) ** 0.5)


def test_batch_means_are_wider_for_correlated_values() -> None:
    generator = np.random.default_rng(1)
    independent = generator.normal(size=2000)
    alike = np.repeat(generator.normal(size=20), 100)
    assert (batch_means(alike).half_width or 0) > 5 * (batch_means(independent).half_width or 0)


def test_job_by_job() -> None:
    none, easy = (
        torusim.schedule("lublin", nodes=64, jobs=500, load=0.8, walltime_factor=3, backfill=backfill)
        for backfill in ("none", "easy")
    )
    comparison = compare_schedules([none, easy, none])
    assert [key for key, _ in comparison.descriptions] == ["queue.backfill"]
    found, same = comparison.job_by_job
    assert found is not None
    assert same is not None
    assert found.jobs == found.same_start + found.earlier + found.later == 500
    assert found.wait_seconds.mean < 0
    assert found.wait_seconds.mean == pytest.approx(
        easy.summary["wait_seconds_mean"] - none.summary["wait_seconds_mean"], rel=1e-6
    )
    assert (same.same_start, same.wait_seconds.mean) == (500, 0)
    other = torusim.schedule("lublin", nodes=64, jobs=400)
    assert compare_schedules([none, other]).job_by_job == [None]


def test_by_size() -> None:
    """Figure 8 of paper 004: the change of response times by size."""
    options: dict[str, Any] = {"room": "intrepid", "jobs": 300, "load": 0.9, "sizes": [[512, 3], [1024, 4], [4096, 2]]}
    tori, meshes = (torusim.schedule("lublin", profile=name, **options) for name in ("paper-2009", "mesh-1k-4k"))
    (rows,) = compare_schedules([tori, meshes]).by_size
    assert [row.up_to_nodes for row in rows] == [512, 1024, 4096]
    before, after = (made.table("sizes").to_pylist() for made in (tori, meshes))
    for row, one, other in zip(rows, before, after, strict=True):
        assert row.jobs == one["jobs"]
        assert row.wait_seconds == pytest.approx((one["wait_seconds_mean"], other["wait_seconds_mean"]))
        assert row.response_seconds == pytest.approx((one["response_seconds_mean"], other["response_seconds_mean"]))
        change = 100 * (other["response_seconds_mean"] / one["response_seconds_mean"] - 1)
        assert row.response_percent.mean == pytest.approx(change)
    plain = torusim.schedule("lublin", nodes=64, jobs=300)
    assert len(compare_schedules([plain, plain]).by_size[0]) <= 7
    assert compare_schedules([tori, plain]).by_size[0] != []
    assert compare_schedules([tori, torusim.schedule("lublin", nodes=64, jobs=200)]).by_size == [[]]


@pytest.mark.parametrize(("limit", "meshes"), [(1.05, 0), (1.2, 1)])
def test_jobs_that_meshes_slow_down_get_tori(limit: float, meshes: float) -> None:
    """The hybrid scheme of paper 004, by the slowdown of the only mesh of 1K."""
    made = torusim.schedule(
        "lublin",
        room="intrepid",
        profile="hybrid-1k-4k",
        jobs=50,
        sizes=[[1024, 1]],
        hybrid=True,
        torus_above=limit,
        slowdown_rules=[{"shape": "8x8x16m", "factor": 1.2}],
    )
    names = made.table("jobs").column("partition").to_pylist()
    assert sum(name.startswith("mesh") for name in names) == meshes * len(names)


def test_commands(command: Command, tmp_path: Path) -> None:
    options = ["--jobs", "200", "--walltime-factor", "3", "--load", "0.9", "--set", f"log.sizes={SIZES}"]
    for policy in ("fcfs", "wfp"):
        room = ["--room", "intrepid", "--policy", policy, "--out", policy]
        succeeded(command("schedule", "lublin", *options, *room))
    assert command("schedule", "lublin", "--nodes", "8", "--out", "fcfs").returncode == 2
    finished = succeeded(command("compare", "fcfs", "wfp", "fcfs"))
    assert "queue.policy" in finished.stdout
    assert "200 start at the same second" in finished.stdout
    assert "By size: wfp against fcfs" in finished.stdout
    succeeded(command("plot", "wfp", "--at", "100000", "--format", "svg"))
    drawn = {path.name for path in (tmp_path / "wfp").glob("*.svg")}
    names = ("utilization-over-time", "waits", "slowdowns", "waits-by-size", "gantt", "room-map")
    assert drawn == {f"{name}.svg" for name in names}
    (tmp_path / "half").mkdir()
    assert command("compare", "fcfs", "half").returncode == 2
    (tmp_path / "half" / "result.json").write_text("{")
    assert "half/result.json:1: is not JSON" in command("compare", "fcfs", "half").stderr


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    arguments = ["schedule", "lublin", "--nodes", "128", "--jobs", "100000", "--load", "2", "--policy", "wfp"]
    process = start([COMMAND, *arguments, "--out", "made"], tmp_path)
    wait_until(lambda: list(tmp_path.iterdir()))
    os.kill(process.pid, signal.SIGINT)
    process.communicate()
    assert process.returncode != 0
    assert list(tmp_path.iterdir()) == []


def test_mesh_or_torus() -> None:
    logs = [{"log": "lublin", "seed": seed} for seed in (1, 2)]
    reports: list[tuple[int, int]] = []
    rows = mesh_or_torus(
        logs,
        policies=["fcfs"],
        slowdowns=[1.0, 1.2],
        report=lambda done, count: reports.append((done, count)),
        sizes=SIZES,
        jobs=300,
        load=0.8,
        walltime_factor=3,
    )
    assert reports == [(done, 6) for done in range(1, 7)]
    assert [(row.policy, row.slowdown) for row in rows] == [("fcfs", 1.0), ("fcfs", 1.2)]
    assert all(row.utilization_points.count == 2 for row in rows)
    assert set(rows[0].response_percent_by_nodes) == {512, 1024, 4096}
    # Jobs of half a row each: one fits a row as a torus, two as meshes.
    assert all(row.torus_loss_to_cables.mean > 0 for row in rows)
