"""Shared parts of the studies of Blue Gene/P: samples of all-to-alls, wirings of partitions, neighbors in grids."""

import pytest

import torusim
from tests.support import STUDIES
from torusim.sweeps.worker import module_of
from torusim_studies.partitions import OF_ROOM, OPEN, TORUS, wraps

STALLS = module_of(STUDIES / "stalls" / "study.py")
APPLICATIONS = module_of(STUDIES / "mesh_applications" / "study.py")
TUNED = module_of(STUDIES / "mesh_tuned_collectives" / "study.py")
ALL_TO_ALL_TIME = module_of(STUDIES / "all_to_all_time" / "study.py")


@pytest.mark.parametrize(("closed", "tolerance"), [(True, 0.04), (False, 0.15)])
def test_sample_of_an_all_to_all_tells_the_time_of_the_whole(closed: bool, tolerance: float) -> None:
    """On a mesh, the sample misses the end of the whole, when the nodes in the middle still send."""
    shape, wrap, payload = [4, 4, 2], [closed] * 3, 48_000
    all_to_all = {
        "machine": {"preset": "bluegene-p", "shape": shape, "wrap": wrap},
        "workload": {"kind": "all-to-all", "payload_bytes": payload},
    }
    whole = torusim.run(all_to_all).summary["cycles"]
    sample = torusim.run(all_to_all, run={"stop": "sampled"}).summary
    assert sample["extrapolated_cycles"] == pytest.approx(whole, rel=tolerance)


def test_meshes_of_the_room_are_open_where_no_loop_closes() -> None:
    assert wraps([8, 8, 16]) == {TORUS: [True] * 3, OPEN: [False] * 3, OF_ROOM: [True, True, False]}
    assert wraps([8, 8, 32])[OF_ROOM] == [True, True, True]
    assert wraps([8, 16, 32])[OF_ROOM] == [True, False, True]


def test_neighbors_in_grids_are_mutual() -> None:
    assert sorted(STALLS.neighbors_of(0, [4, 3])) == [1, 3, 4, 8]
    assert [APPLICATIONS.morton_rank(APPLICATIONS.morton_place(rank)) for rank in range(512)] == list(range(512))
    for found in (
        {rank: APPLICATIONS.box_neighbors(rank, [4, 3, 2]) for rank in range(24)},
        {rank: APPLICATIONS.morton_neighbors(rank, 64) for rank in range(64)},
    ):
        assert all((rank, size) in found[other] for rank, messages in found.items() for other, size in messages)


def test_packets_between_two_processes_are_those_of_the_simulator() -> None:
    pair = {"machine": {"preset": "bluegene-p", "shape": [2], "wrap": False}}
    run = torusim.run(pair, workload={"kind": "all-to-all", "payload_bytes": STALLS.PAIR_BYTES})
    assert run.summary["packets_injected"] == 2 * STALLS.PAIR_PACKETS


def test_shares_below_the_papers_slowdown_are_interpolated() -> None:
    def share(slowdowns: dict[float, float]) -> float:
        of = {("it", OPEN, computed): slowdown for computed, slowdown in slowdowns.items()}
        return float(APPLICATIONS.share_below(of, "it", OPEN))

    assert share({0.0: 6.9}) == 0
    assert share({0.0: 14.0}) == pytest.approx(50)
    assert share({0.0: 21.0, 0.5: 9.0, 0.8: 3.0}) == pytest.approx(60)


def test_stalls_are_compared_by_system() -> None:
    all_of_them = STALLS.GLOBAL
    stalls = {
        (all_of_them, processes): value for processes, value in ((2048, 1.0), (4096, 4.0), (8192, 6.0), (16384, 6.0))
    }
    assert STALLS.exception(stalls, all_of_them) == 1
    growth = STALLS.growth(stalls, all_of_them, "it")
    assert growth["it_first_over_highest"] == pytest.approx(1 / 6)
    assert growth["it_growth_per_packet"] == 1
    assert STALLS.apart(2, 8) == STALLS.apart(8, 2) == 4
    assert STALLS.least_ratio({**stalls, ("other", 2048): 4.0}, "other", all_of_them) == 4


def test_exponents_are_those_of_powers() -> None:
    times = {("long", nodes): nodes**2.0 for nodes in (512, 1024, 2048)}
    assert ALL_TO_ALL_TIME.exponent(times, "long", [512, 1024, 2048]) == pytest.approx(2)


def test_mpich2s_algorithms_depend_on_the_length() -> None:
    times = {("all-to-all", name, OPEN, size): 1.0 * size for size in (1024, 262_144) for name in ("bruck", "pairwise")}
    times |= {("all-to-all", "post-and-wait", OPEN, size): 2.0 * size for size in (1024, 262_144)}
    assert TUNED.of_mpich2(times, "all-to-all", 1024, OPEN, 64) == 1024
    assert TUNED.of_mpich2(times, "all-to-all", 262_144, OPEN, 64) == 2 * 262_144
    assert TUNED.gain(times, "all-to-all", 262_144, 64) == 2
