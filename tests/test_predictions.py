"""Slowdowns that the network model predicts for the meshes of a room, and the schedules that use them."""

import json
from pathlib import Path

import pytest

import torusim
from tests.support import ROOT, Command, assert_one_message, kept_points, succeeded
from torusim._core import InputError
from torusim.common.intervals import Interval, interval
from torusim.queue.predictions import SEEDS, Prediction, open_partitions, predict
from torusim.queue.room import MachineRoom
from torusim.sweeps.executors import Processes

ROOM = (
    (ROOT / "machine-rooms" / "bluegene-p-2-racks.toml")
    .read_text()
    .replace("shape = [8, 8, 8]", "shape = [2, 2, 2]")
    .replace("per_midplane = 16", "per_midplane = 2")
    .replace("shapes = [[4, 4, 4], [4, 4, 8], [4, 8, 8]]", "shapes = [[2, 2, 1]]")
    .replace("below_midplane = [64, 128, 256]", "below_midplane = [4]")
)
"""A room whose midplanes have eight nodes, so that a rack is 2x2x4 nodes, open in z as a mesh."""

ALL_TO_ALL = 'workload = { kind = "all-to-all", payload_bytes = 4800 }\n'
ALONG_X = 'workload = { kind = "shift", offset = [1, 0, 0], packets_per_node = 50 }\n'

LOG = "".join(f"{job} 0 -1 1000 16 -1 -1 16 1000 -1 1 -1 -1 {job} -1 -1 -1 -1\n" for job in (1, 2))
"""Two jobs of a rack, which run applications 1 and 2."""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """The room, two applications and the log, in the folder of the test."""
    for name, text in {"room.toml": ROOM, "x.toml": ALONG_X, "all.toml": ALL_TO_ALL, "log.swf": LOG}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_only_meshes_from_a_midplane_on_are_predicted(room: Path) -> None:
    (mesh,) = open_partitions(MachineRoom.load(room / "room.toml"), None)
    assert (mesh.shape, mesh.wrap) == ([2, 2, 4], [True, True, False])


def test_predictions_are_quotients_of_runs_and_are_made_once(room: Path) -> None:
    applications = {None: room / "x.toml", 2: room / "all.toml"}

    def predictions() -> list[Prediction]:
        return predict(
            applications, str(room / "room.toml"), None, room / "points", Processes(1), lambda _advance: None
        )

    found = predictions()
    assert [(each.application, each.partition, each.nodes) for each in found] == [
        (2, "2x2x4m", 16),
        (None, "2x2x4m", 16),
    ]
    of_all, along_x = (each.factor for each in found)
    assert along_x.mean == 1
    assert along_x.half_width is None, "equal runs give no interval"
    factors = []
    for seed in range(1, SEEDS + 1):
        mesh, torus = (
            torusim.run(room / "all.toml", seed=seed, machine={"shape": [2, 2, 4], "wrap": wrap})
            for wrap in ([True, True, False], True)
        )
        factors.append(mesh.summary["seconds_simulated"] / torus.summary["seconds_simulated"])
    assert of_all == interval(factors)
    assert of_all.mean > 1.5
    files = kept_points(room)
    assert len(files) == 2 * 2 * SEEDS
    assert predictions() == found
    assert kept_points(room) == files


def test_rules_keep_their_interval() -> None:
    assert Prediction(3, "2x2x4m", 16, Interval(1.25, 0.5, 3)).rule == {
        "application": 3,
        "shape": "2x2x4m",
        "factor": 1.25,
        "half_width": 0.5,
    }
    assert Prediction(None, "2x2x4m", 16, Interval(1.25, None, 1)).rule == {"shape": "2x2x4m", "factor": 1.25}


def test_a_schedule_stretches_jobs_as_predicted(command: Command, room: Path) -> None:
    options = ("--room", "room.toml", "--profile", "mesh-1k-4k", "--out", "out")
    predicted = ("--slowdown", "predicted", "--application", "x.toml", "--application", "2=all.toml")
    finished = succeeded(command("schedule", "log.swf", *options, *predicted))
    assert "2x2x4m" in finished.stdout
    rules = json.loads((room / "out" / "result.json").read_text())["description"]["machine"]["slowdown_rules"]
    assert [rule.get("application") for rule in rules] == [2, None]
    jobs = torusim.load_schedule(room / "out").table("jobs").to_pylist()
    runs = [job["end"] - job["start"] for job in jobs]
    assert runs == [1000, round(1000 * rules[0]["factor"])]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--application", "x.toml"), "--slowdown predicted"),
        (("--slowdown", "predicted", "--application", "x.toml"), "--room"),
        (("--slowdown", "predicted", "--room", "room.toml"), "scenario of an application"),
        (("--slowdown", "much"), "1.05"),
    ],
)
def test_what_cannot_be_predicted_is_refused(
    command: Command, room: Path, options: tuple[str, ...], words: str
) -> None:
    assert_one_message(command("schedule", "log.swf", "--out", str(room / "none"), *options), words)


def test_times_of_samples_are_extrapolated_and_windows_refused(room: Path) -> None:
    def factor(scenario: str) -> float:
        (found,) = predict({None: scenario}, str(room / "room.toml"), None, None, Processes(1), lambda _advance: None)
        return found.factor.mean

    long = 'workload = { kind = "all-to-all", payload_bytes = 48000 }\nrun.stop = "%s"\n'
    assert factor(long % "sampled") == pytest.approx(factor(long % "drained"), rel=0.1)
    with pytest.raises(InputError, match="workloads that end by themselves"):
        factor('workload = { kind = "uniform-random", load = 0.5 }\nrun.seed = 1\n')
