"""Several jobs on one machine: each job's traffic is conserved, and jobs that share no link run as they do alone."""

from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.golden_digests import TRACES
from tests.support import Command
from torusim.runs.result import of_run
from torusim.runs.scenario import to_json

ALL_TO_ALL = {"kind": "all-to-all", "payload_bytes": 480}
RANDOM = {"kind": "uniform-random", "packets_per_node": 40, "packet_bytes": [32, 256]}


def scenario(*jobs: dict[str, Any], **run: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"machine": {"shape": [8, 4, 4]}, "jobs": list(jobs), "run": run}


def box(origin: int, workload: dict[str, Any], length: int = 4, **job: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"box": {"origin": [origin, 0, 0], "shape": [length, 4, 4]}, "workload": workload, **job}


def alone(result: torusim.Result) -> list[torusim.Result]:
    """Runs of each job alone."""
    content = {**result.scenario, "run": {**result.scenario["run"], "alone": False}}
    return [torusim.run({**content, "jobs": [job]}) for job in content["jobs"]]


def columns(result: torusim.Result) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = result.table("jobs").to_pydict()
    return found


BROADCAST = {"kind": "torus-broadcast", "payload_bytes": 9}
HALO = {"kind": "kernel", "name": "halo-3d", "bytes": 2000, "iterations": 2}
OVER_NODES = {"kind": "tornado", "routing": "valiant", "packets_per_node": 40}
CHOSEN = {"kind": "uniform-random", "routing": "ugal", "packets_per_node": 40}
REDUCE = {"kind": "collective", "operation": "all-reduce", "bytes": 4096}
DEPOSIT = {**REDUCE, "operation": "broadcast", "algorithm": "deposit", "root": 5}
FLOWS = {"kind": "flows", "table": {"source": [0, 3, 5], "target": [3, 5, 0], "bytes": [999, 5000, 70]}}
URGENT = {"kind": "all-to-all", "payload_bytes": 480, "priority": "high"}
TRACE = {"kind": "trace", "path": str(TRACES / "goal" / "exchange.goal")}
CHAIN = {"kind": "flows", "table": {"source": [0, 3], "target": [3, 5], "bytes": [999, 5000], "after": [None, 0]}}


def has_detours(workload: dict[str, Any]) -> bool:
    return workload.get("routing") in {"valiant", "ugal"}


@pytest.mark.parametrize(
    "pair",
    [
        (ALL_TO_ALL, RANDOM),
        (FLOWS, ALL_TO_ALL),
        (OVER_NODES, CHOSEN),
        (HALO, REDUCE),
        (CHAIN, HALO),
        (RANDOM, HALO),
        (REDUCE, ALL_TO_ALL),
        (URGENT, HALO),
        (CHOSEN, REDUCE),
        (TRACE, FLOWS),
        (DEPOSIT, HALO),
    ],
    ids=lambda pair: "-".join(job["kind"] for job in pair),
)
def test_jobs_that_share_no_link_run_as_alone(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """A digest is a sum over all transfers.

    The digest of both jobs is the sum of those of each job alone only if each is the same.
    """
    both = torusim.run(scenario(box(0, pair[0]), box(4, pair[1], start_cycles=777)))
    each = alone(both)
    assert both.outcome == "completed"
    if not any(has_detours(pair[0]) ^ has_detours(job) for job in pair):  # their packets have other names
        digests = [int(result.summary["digest"], 16) for result in (both, *each)]
        assert digests[0] == sum(digests[1:]) % 2**64
    together = columns(both)
    for number, own in enumerate(each):
        for name, (value,) in columns(own).items():
            assert together[name][number] == value or name.startswith("accepted"), name
    assert together["slowdown"] == [1.0, 1.0]
    if DEPOSIT not in pair:  # it delivers copies too
        assert together["packets_injected"] == together["packets_delivered"]
    assert sum(together["packets_delivered"]) == both.summary["packets_delivered"]


@pytest.mark.parametrize(
    "pair",
    [(ALL_TO_ALL, RANDOM), (HALO, REDUCE), (HALO, RANDOM), (HALO, CHOSEN)],
    ids=lambda pair: "-".join(job["kind"] for job in pair),
)
def test_jobs_are_the_same_for_all_engines_and_threads(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    nodes = [list(range(first, 128, 2)) for first in (0, 1)]
    jobs: list[dict[str, Any]] = [
        {"nodes": own, "workload": workload} for own, workload in zip(nodes, pair, strict=True)
    ]
    if pair[0] is HALO:
        jobs[0]["workload"] = {**HALO, "grid": [4, 4, 4]}
    runs = [
        torusim.run(scenario(*jobs, alone=False), engine=engine, threads=threads)
        for engine, threads in (("windowed", 1), ("windowed", 3), ("reference", 1))
    ]
    assert len({run.summary["digest"] for run in runs}) == 1
    assert all(columns(run) == columns(runs[0]) for run in runs)


MACHINES: dict[str, dict[str, Any]] = {
    "finite FIFOs": {"node": {"injection_fifo_bytes": 1024, "cores": 2}},
    "costs of packets": {"node": {"write_processor_cycles": 60, "read_processor_cycles": 196}},
    "pacing": {"node": {"injection_window_packets": 3}},
    "datelines": {"router": {"escape": "dateline"}},
    "lossy links": {"link_errors": {"bit_error_rate": 1e-5}},
    "dead links": {"dead_links": [{"node": [1, 1, 1], "toward": "y+"}, {"node": [5, 0, 0], "toward": "z+"}]},
}


@pytest.mark.parametrize("name", MACHINES)
def test_ranks_beside_packets_run_as_alone_on_any_machine(name: str) -> None:
    """A job of ranks and one that generates packets, with the software of each on separate nodes."""
    content = scenario(box(0, RANDOM), box(4, HALO, start_cycles=50))
    content["machine"] |= MACHINES[name]
    both = torusim.run(content)
    each = alone(both)
    assert both.outcome == "completed"
    digests = [int(result.summary["digest"], 16) for result in (both, *each)]
    assert digests[0] == sum(digests[1:]) % 2**64
    table = columns(both)
    assert table["slowdown"] == [1.0, 1.0]
    assert table["packets_injected"] == table["packets_delivered"]
    for engine, threads in (("windowed", 3), ("reference", 1)):
        other = torusim.run({**content, "run": {"alone": False}}, engine=engine, threads=threads)
        assert other.summary["digest"] == both.summary["digest"]
        assert columns(other)["packets_delivered"] == table["packets_delivered"]


def test_jobs_go_around_dead_nodes_over_relays_of_their_own() -> None:
    """Two jobs around the same dead node, whose packets cross: what one relays, the other never sees."""
    dead = 1 + 8 * (1 + 4 * 1)
    nodes = [[node for node in range(first, 128, 2) if node != dead] for first in (0, 1)]
    jobs = [{"nodes": own, "workload": workload} for own, workload in zip(nodes, (RANDOM, ALL_TO_ALL), strict=True)]
    content = scenario(*jobs, alone=False)
    content["machine"] |= {"dead_nodes": [[1, 1, 1]]}
    both = torusim.run(content)
    table = columns(both)
    assert both.summary["packets_relayed"] > 0
    assert table["packets_delivered"] == table["packets_injected"] == [64 * 40, 63 * 62 * 2]
    for engine, threads in (("windowed", 3), ("reference", 1)):
        assert torusim.run(content, engine=engine, threads=threads).summary["digest"] == both.summary["digest"]


def test_ranks_of_a_job_relay_its_messages() -> None:
    content = scenario(box(0, REDUCE, 8), alone=False)
    content["machine"] |= {"dead_links": [{"node": [1, 1, 1], "toward": "y+"}, {"node": [3, 0, 0], "toward": "x+"}]}
    runs = [torusim.run(content, engine=engine) for engine in ("windowed", "reference")]
    assert [run.outcome for run in runs] == ["completed"] * 2
    assert runs[0].summary["digest"] == runs[1].summary["digest"]
    assert columns(runs[0])["packets_injected"] == columns(runs[0])["packets_delivered"]


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (
            box(0, RANDOM, name="left"),
            r"jobs\[0\]\.box.*: node 41 \(\[1, 1, 1\]\) of the job \"left\" is dead: all nodes of a job have to be",
        ),
        (
            {"nodes": [40, 42], "workload": RANDOM, "name": "pair"},
            r"jobs\[0\]\.nodes.*: packets of the job \"pair\" from node 40 .* to node 42 \(\[2, 1, 1\]\) need a relay",
        ),
    ],
)
def test_jobs_that_dead_nodes_prevent(job: dict[str, Any], message: str) -> None:
    content = scenario(job)
    content["machine"] |= {"shape": [8, 4, 4], "wrap": [False, False, False], "dead_nodes": [[1, 1, 1]]}
    with pytest.raises(torusim.InputError, match=message):
        torusim.run(content)


def waiting(folder: Path) -> dict[str, Any]:
    """A job whose rank 1 waits for a message that nobody sends."""
    path = folder / "waits.goal"
    path.write_text("num_ranks 2\nrank 0 {\ncalc 5\n}\nrank 1 {\nrecv 8b from 0 tag 3\n}\n")
    return box(0, {"kind": "trace", "path": str(path)}, name="waits")


def test_a_stuck_job_is_named_once_all_others_have_ended(tmp_path: Path) -> None:
    content = scenario(waiting(tmp_path), box(4, RANDOM), alone=False)
    for engine, threads in (("windowed", 1), ("windowed", 3), ("reference", 1)):
        result = torusim.run(content, engine=engine, threads=threads)
        detail = result.summary["outcome_detail"]
        assert (result.outcome, detail["job"], detail["rank"]) == ("stuck", "waits", 1)
        assert 'rank 1 of the job "waits" has waited' in detail["words"]
        table = columns(result)
        assert table["completion_cycles"][0] is None
        assert table["packets_delivered"] == [0, 64 * 40]
        assert result.summary["cycles"] == table["completion_cycles"][1] == table["last_delivery_cycle"][1]


def test_a_stuck_job_is_named_at_the_end_of_a_measurement(tmp_path: Path) -> None:
    load = {"kind": "uniform-random", "load": 0.3}
    content = scenario(waiting(tmp_path), box(4, load), alone=False, measure_cycles=20_000)
    result = torusim.run(content)
    assert (result.outcome, result.summary["outcome_detail"]["job"]) == ("stuck", "waits")
    assert result.summary["measured_cycles"] == 20_000


def test_a_deadlock_names_the_job_of_its_packets() -> None:
    ring = {"kind": "shift", "offset": [3, 0, 0], "routing": "deterministic", "packet_bytes": [32, 256]}
    jobs = [
        {"name": name, "box": {"origin": [0, y, 0], "shape": [4, 1, 1]}, "workload": workload}
        for y, (name, workload) in enumerate((("ring", ring), ("pairs", {"kind": "kernel", "name": "ping-pong"})))
    ]
    content = {
        "machine": {"shape": [4, 2, 1], "router": {"bubble_rule": "true-size", "in_network_share": 0.0}},
        "jobs": jobs,
        "run": {"stop": "measured", "warmup_cycles": 0, "measure_cycles": 1_000_000, "alone": False},
    }
    result = torusim.run(content)
    detail = result.summary["outcome_detail"]
    assert result.outcome == "deadlocked"
    assert 'head packets of the job "ring" wait' in detail["words"]
    assert {packet["job"] for packet in detail["ring"]} == {"ring"}


def test_a_job_of_ranks_waits_for_its_start(tmp_path: Path) -> None:
    """Computation of 100 us, 17,500 cycles, and a message of a packet over a link: 58 cycles, and 12 to see it."""
    path = tmp_path / "waits.goal"
    ranks = ("a: calc 100000\nb: send 16b to 1\nb requires a\n", "recv 16b from 0\n")
    path.write_text("num_ranks 2\n" + "".join(f"rank {rank} {{\n{calls}}}\n" for rank, calls in enumerate(ranks)))
    trace = {"kind": "trace", "path": str(path)}
    for start in (0, 20_000):
        result = torusim.run(scenario(box(0, trace, start_cycles=start), alone=True))
        (job,) = result.summary["jobs"]
        assert (job["completion_cycles"], job["latency_cycles_mean"]) == (17_570, 58)
        assert (job["alone_completion_cycles"], job["slowdown"]) == (17_570, 1.0)
        assert result.summary["cycles"] == start + 17_570


def test_interleaved_jobs_disturb_each_other() -> None:
    """Jobs on every other node share all links: both are slower, and each still receives all its messages."""
    nodes = [list(range(first, 128, 2)) for first in (0, 1)]
    both = torusim.run(scenario(*({"nodes": own, "workload": ALL_TO_ALL} for own in nodes)))
    table = columns(both)
    assert table["job"] == ["job-1", "job-2"]
    assert table["packets_delivered"] == table["packets_injected"] == [64 * 63 * 2] * 2
    assert all(slowdown > 1.2 for slowdown in table["slowdown"])
    assert both.summary["jobs"][1]["alone_completion_cycles"] == table["alone_completion_cycles"][1]


def test_a_job_does_not_depend_on_the_others() -> None:
    first, second, third = box(0, RANDOM, 2), box(2, RANDOM, 2), box(6, RANDOM, 2)
    three = torusim.run(scenario(first, second, third, alone=False))
    two = torusim.run(scenario(third, first, alone=False))
    keys = ("packets_delivered", "completion_cycles", "latency_cycles_mean")
    assert [columns(three)[key][2] for key in keys] == [columns(two)[key][0] for key in keys]
    assert columns(three)["latency_cycles_mean"][0] != columns(three)["latency_cycles_mean"][2]


def test_runs_of_jobs_are_resumed(tmp_path: Path) -> None:
    pairs = {"packets": (RANDOM, RANDOM), "ranks": (HALO, HALO), "both": (HALO, RANDOM)}
    for name, (first, second) in pairs.items():
        content = scenario(box(0, first), box(4, second), alone=False)
        whole = torusim.run(content)
        run = torusim._core.Run(torusim._core.resolve_plain(to_json(content, ""), []), "windowed", 2)
        run.advance(0.0)
        run.save(tmp_path / f"{name}.checkpoint")
        resumed = torusim._core.Run.resume(tmp_path / f"{name}.checkpoint", 1)
        while not resumed.advance(1.0).done:
            pass
        finished = of_run(resumed.finish(interrupted=False), 1)
        assert finished.summary["digest"] == whole.summary["digest"]
        delivered = [result.table("jobs").column("packets_delivered").to_pylist() for result in (finished, whole)]
        assert delivered[0] == delivered[1]


def test_an_open_loop_job_beside_one_that_ends() -> None:
    load = {"kind": "uniform-random", "load": 0.3, "burst": {"on_cycles": 2000, "off_cycles": 2000}}
    both = torusim.run(scenario(box(0, load), box(4, ALL_TO_ALL), measure_cycles=20_000))
    table = columns(both)
    assert both.scenario["run"]["stop"] == "measured"
    assert table["completion_cycles"][0] is None
    assert table["latency_ratio"][0] == 1.0


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        ([box(0, RANDOM), box(3, RANDOM)], r"jobs\[1\].*: node 3 belongs to the job \"job-1\" already"),
        ([box(7, RANDOM, 9)], r"jobs\[0\]\.box\.shape = \[9, 4, 4\]: 9 does not fit dimension 0"),
        ([{"workload": RANDOM}], r"jobs\[0\]\.box: is missing: the job's nodes"),
        ([{"nodes": [1, 1], "workload": RANDOM}], r"jobs\[0\]\.nodes\[1\] = 1: node 1 is listed twice"),
        ([{"nodes": [1, 2]}], r"jobs\[0\]\.workload: is missing"),
        ([box(0, {"kind": "tornados"})], r"jobs\[0\]\.workload\.kind = \"tornados\": there is no such workload"),
        ([box(0, {**RANDOM, "packet_bytes": 3})], r"jobs\[0\]\.workload\.packet_bytes = 3: 3 is not a multiple"),
        ([box(0, BROADCAST, 8)], r"jobs\[0\]\.workload\.kind = \"torus-broadcast\": a broadcast"),
        ([box(0, RANDOM, name="a"), box(4, RANDOM, name="a")], r'jobs\[1\]\.name = "a": two jobs are called "a"'),
        ([box(0, RANDOM, color="red")], r"jobs\[0\]\.color = \"red\": \[jobs\[0\]\] has no such key"),
        ([], r"jobs = \[\]: must be a list of tables"),
    ],
)
def test_jobs_that_cannot_run(jobs: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(torusim.InputError, match=message):
        torusim.run(scenario(*jobs))


def test_a_workload_beside_jobs_is_refused() -> None:
    with pytest.raises(torusim.InputError, match=r"workload: each job has its own workload"):
        torusim.run({**scenario(box(0, RANDOM)), "workload": RANDOM})
    with pytest.raises(torusim.InputError, match=r"run\.alone = true: has no effect without"):
        torusim.run({"workload": RANDOM, "run": {"alone": True}})


def test_a_key_of_a_job_can_be_set(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        "machine.shape = [4, 4]\n"
        '[[jobs]]\nname = "left"\nbox = { shape = [2, 4] }\n'
        'workload = { kind = "all-to-all", payload_bytes = 240 }\n'
        '[[jobs]]\nname = "right"\nbox = { origin = [2, 0], shape = [2, 4] }\n'
        'workload = { kind = "all-to-all", payload_bytes = 240 }\n'
    )
    done = command("run", str(path), "--set", "jobs[1].workload.payload_bytes=480", "--out", str(tmp_path / "out"))
    assert "Slowdown" in done.stdout
    result = torusim.load(tmp_path / "out")
    assert columns(result)["packets_delivered"] == [56, 112]
    assert [job["workload"]["payload_bytes"] for job in result.scenario["jobs"]] == [240, 480]
    assert torusim.run(result.scenario).summary["digest"] == result.summary["digest"]
