"""The algorithms of collective calls that `messaging.collectives` chooses."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torusim
from tests.program_support import Main, returns
from tests.written_traces import Rank, Step, liballprof
from torusim import Comm, Result

BYTES = 64 * 1024
MACHINE = {"shape": [4, 4, 4], "node": {"fifo_choice": "by-direction"}}
COSTS = {"costs": "none", "call_processor_cycles": 100}
BUCKET = {"all-reduce": "bucket"}


async def reduction(comm: Comm) -> None:
    total = np.empty(BYTES, dtype=np.uint8)
    await comm.Allreduce(np.full(BYTES, 1, dtype=np.uint8), total)
    assert (total == comm.size).all()


def run(main: Main, collectives: object = None, *, machine: dict[str, Any] = MACHINE, **sections: Any) -> Result:  # noqa: ANN401
    messaging = COSTS if collectives is None else {**COSTS, "collectives": collectives}
    result = torusim.run_program(main, machine=machine, ranks=64, messaging=messaging, **sections)
    assert result.outcome == "completed", result.summary["outcome_detail"]
    return result


def workload(**parameters: Any) -> Result:  # noqa: ANN401
    collective = {"kind": "collective", "operation": "all-reduce", "bytes": BYTES, **parameters}
    return torusim.run({"machine": MACHINE, "workload": collective, "messaging": COSTS})


def figures(result: Result) -> list[Any]:
    return [result.summary[key] for key in ("cycles", "digest", "operations_digest")]


@pytest.mark.parametrize("algorithm", ["bucket", "ring", "swing", "halving-doubling", "recursive-doubling"])
def test_the_calls_of_a_program_take_the_algorithms_of_the_workload(algorithm: str) -> None:
    expected = workload(algorithm=algorithm)
    assert expected.summary["algorithm"] == algorithm
    assert figures(run(reduction, {"all-reduce": algorithm})) == figures(expected)


def test_what_is_not_chosen_is_mpich2s() -> None:
    mpich2 = figures(run(reduction))
    assert mpich2 == figures(workload(algorithm="halving-doubling"))
    for same in ("mpich2", {}, {"broadcast": "rectangle"}, {"all-reduce": "mpich2"}):
        assert figures(run(reduction, same)) == mpich2


def test_lengths_and_shapes_choose_as_the_workload_does() -> None:
    async def broadcast(comm: Comm) -> None:
        await comm.Bcast(np.zeros(BYTES, dtype=np.uint8))

    expected = workload(operation="broadcast")
    assert expected.summary["algorithm"] == "rectangle"
    assert figures(run(broadcast, "by-shape")) == figures(expected)
    assert figures(run(broadcast, {"broadcast": "by-shape"})) == figures(expected)
    assert figures(run(broadcast, {"broadcast": "rectangle"})) == figures(expected)


def test_rows_take_the_algorithm_of_a_line() -> None:
    """All ranks begin at the same time, after all have split."""
    begin = 1e-3

    async def rows(comm: Comm) -> float:
        row = await comm.split(comm.rank // 4)
        assert row is not None
        await comm.compute(begin - comm.time())
        await reduction(row)
        return comm.time() - begin

    times = {}
    for choice in ("mpich2", "by-shape"):
        times[choice] = max(run(rows, choice).returns)
    line = workload(over=["x"])
    assert line.summary["algorithm"] == "ring"
    assert times["by-shape"] == pytest.approx(line.summary["seconds_simulated"], rel=0.01)
    assert times["by-shape"] < 0.8 * times["mpich2"]


def test_ranks_that_are_no_box_of_the_machine_take_mpich2s() -> None:
    async def reversed_ranks(comm: Comm) -> None:
        others = await comm.split(0, key=-comm.rank)
        assert others is not None
        await reduction(others)

    for mapping in ("fold", "random"):
        assert figures(run(reduction, BUCKET, mapping=mapping)) == figures(run(reduction, mapping=mapping))
    assert figures(run(reversed_ranks, BUCKET)) == figures(run(reversed_ranks))
    assert figures(run(reduction, BUCKET, mapping="ZYXT")) != figures(run(reduction, mapping="ZYXT"))


def test_algorithms_do_not_change_data() -> None:
    async def main(comm: Comm) -> list[bytes]:
        values = np.random.default_rng(comm.rank).standard_normal(3000)
        requests = [await comm.iallreduce(values), await comm.ialltoall([values[:40]] * comm.size)]
        results = [await comm.allreduce(values * 3), *[await request.wait() for request in requests]]
        return [np.asarray(result).tobytes() for result in results]

    expected = returns(main, 64)
    for choice in ("by-shape", {"all-reduce": "swing", "all-to-all": "two-phase"}):
        assert returns(main, 64, messaging={"collectives": choice}) == expected


def test_a_transform_takes_other_algorithms_than_mpich2s() -> None:
    """The transposes of a transform are all-to-alls of rows and columns of ranks."""
    scenario = {
        "machine": {"shape": [8, 8], "node": {"fifo_choice": "by-direction"}},
        "workload": {"kind": "kernel", "name": "fft-3d", "n": [64, 64, 64], "grid": [8, 8]},
    }
    cycles = {
        choice: torusim.run({**scenario, "messaging": {**COSTS, "collectives": {"all-to-all": choice}}}).summary[
            "cycles"
        ]
        for choice in ("mpich2", "by-shape", "direct", "bruck")
    }
    assert cycles["by-shape"] == cycles["direct"] < cycles["bruck"]
    assert cycles["direct"] != cycles["mpich2"]


@pytest.mark.parametrize(
    ("collectives", "words"),
    [
        ("auto", "is no choice for all operations; Known: mpich2, by-shape, or a table"),
        (3, "must be a text in quotes or a table"),
        ({"all-reduce": "buckets"}, "did you mean bucket"),
        ({"allreduce": "bucket"}, "did you mean all-reduce"),
        ({"broadcast": "bucket"}, "Known: mpich2, by-shape, binomial, scatter-allgather, red-blue, rectangle"),
        ({"broadcast": "deposit"}, "for the workload collective alone"),
        ({"barrier": "interrupts"}, "messaging.world_collectives"),
    ],
)
def test_choices_that_do_not_exist_are_refused(collectives: object, words: str) -> None:
    with pytest.raises(torusim.InputError, match=words):
        run(reduction, collectives)


def test_a_collective_as_a_workload_names_its_algorithm() -> None:
    with pytest.raises(torusim.InputError, match=r"workload\.algorithm"):
        torusim.run({"workload": {"kind": "collective"}, "messaging": {"collectives": "by-shape"}})


@pytest.mark.parametrize(
    ("machine", "length_bytes", "costs"),
    [
        ({"shape": [4, 4, 8], "dead_nodes": [[2, 2, 4]]}, 1 << 20, "none"),
        # Pairs of a node's ranks are two numbers apart on two of three nodes, not three.
        ({"shape": [3], "wrap": False, "dead_nodes": [[2]], "mode": "virtual-node"}, 1 << 16, "none"),
        ({"shape": [6, 6], "wrap": [False, False]}, 1 << 14, "none"),
        ({"shape": [5, 3]}, 1 << 16, "october-2003"),
        ({"shape": [8, 8], "wrap": [True, False]}, 1 << 18, "october-2003"),
    ],
)
def test_auto_takes_no_loser(machine: dict[str, Any], length_bytes: int, costs: str) -> None:
    """The table of `tools/choice_table.py` has no cell beyond 16 percent for all-reduces."""

    def cycles(algorithm: str) -> float:
        workload = {"kind": "collective", "operation": "all-reduce", "bytes": length_bytes, "algorithm": algorithm}
        scenario = {
            "machine": {**machine, "node": {"fifo_choice": "by-direction"}},
            "workload": workload,
            "messaging": {"costs": costs},
        }
        return float(torusim.run(scenario).summary["collective_cycles_max"])

    others = ["ring", "halving-doubling", "recursive-doubling", *(["bucket"] if "dead_nodes" not in machine else [])]
    assert cycles("auto") <= 1.2 * min(map(cycles, others))


def test_check_names_collectives_of_a_trace_that_take_far_longer_than_by_shape(tmp_path: Path) -> None:
    steps = [Step("allreduce", 1, byte_count=byte_count) for byte_count in (8, 1 << 20, 4096)]
    liballprof(tmp_path / "trace", [Rank(number, 0, steps) for number in range(64)])

    def replayed(collectives: str, mapping: str = "XYZT") -> dict[str, Any]:
        return {
            "machine": MACHINE,
            "workload": {"kind": "trace", "path": str(tmp_path / "trace"), "compute_scale": 0},
            "messaging": {**COSTS, "collectives": collectives},
            "mapping": {"order": mapping},
        }

    summaries = {choice: torusim.run(replayed(choice)).summary for choice in ("mpich2", "by-shape")}
    [warning] = torusim.check(replayed("mpich2"))["warnings"]
    assert summaries["mpich2"]["warnings"] == [warning]
    said = "messaging.collectives: the all-reduce of 1048576 bytes is predicted to take "
    times = re.match(
        said + r'([0-9.]+) ms by halving-doubling, and ([0-9.]+) ms by bucket, which "by-shape" chooses', warning
    )
    assert times is not None
    for predicted, choice in zip(times.groups(), ("mpich2", "by-shape"), strict=True):
        seconds = summaries[choice]["seconds_simulated"]
        assert float(predicted) == pytest.approx(1000 * seconds, rel=0.2)
    assert "warnings" not in summaries["by-shape"]
    # Ranks in other places have no shape.
    assert torusim.check(replayed("mpich2", "random"))["warnings"] == []
