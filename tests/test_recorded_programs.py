"""Programs in Python given to map, advise, hot and check: they are run once, and their calls are read and replayed."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torusim
from tests.program_support import MACHINE, PROTOCOLS, Main, ring
from tests.support import Command
from tests.test_program_communicators import Step, program_of, programs
from torusim import ANY_SOURCE, ANY_TAG, Bytes, Comm, InputError, Status
from torusim.ranks.recorded import counted, recorded
from torusim.runs.runner import Options, execute
from torusim.runs.scenario import overrides_of_sections, resolve

SECTIONS: Any = {"machine": {"shape": [4, 4]}, "mapping": {"ranks": 16}}
SENT_BYTES = 1000


async def shift(comm: Comm) -> None:
    """Each rank sends to the next three times."""
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    for _ in range(3):
        await comm.sendrecv(Bytes(SENT_BYTES), right, source=left)


async def halo(comm: Comm) -> None:
    """The exchange of the kernel halo-2d on 4x4 ranks."""
    across, down = comm.rank % 4, comm.rank // 4
    sides = [(across + 1, down), (across - 1, down), (across, down + 1), (across, down - 1)]
    peers = [x % 4 + 4 * (y % 4) for x, y in sides]
    for _ in range(5):
        requests = [await comm.irecv(source=peer, tag=side ^ 1) for side, peer in enumerate(peers)]
        requests += [await comm.isend(Bytes(SENT_BYTES), peer, side) for side, peer in enumerate(peers)]
        await comm.waitall(requests)


def costs(mappings: torusim.Mappings) -> dict[str, dict[str, Any]]:
    return {candidate.name: dict(candidate.costs) for candidate in mappings.candidates}


def test_a_ring_costs_what_is_computed_by_hand() -> None:
    """On 4x4, in rows, 12 ranks send one hop, and 4 to the next row: one hop back around the ring and one down."""
    found = costs(torusim.map_ranks(shift, **SECTIONS))["present"]
    assert found["hop_bytes"] == 3 * SENT_BYTES * (12 * 1 + 4 * 2)
    assert found["mean_hops"] == 20 / 16
    assert found["busiest_link_bytes_in_order"] == 3 * SENT_BYTES


def test_a_program_costs_what_its_kernel_costs() -> None:
    kernel = {
        "machine": {"shape": [4, 4]},
        "workload": {"kind": "kernel", "name": "halo-2d", "bytes": SENT_BYTES, "iterations": 5},
    }
    of_kernel, of_program = costs(torusim.map_ranks(kernel)), costs(torusim.map_ranks(halo, **SECTIONS))
    # A program does not give the grid of its ranks, by which a kernel folds.
    same = of_kernel.keys() & of_program.keys() - {"random", "fold"}
    assert {"present", "XYT", "YXT"} <= same
    for name in same:
        assert of_program[name]["hop_bytes"] == of_kernel[name]["hop_bytes"], name
        for link in ("busiest_link_bytes_in_order", "busiest_link_bytes_split_evenly"):
            assert of_program[name][link] == of_kernel[name][link], (name, link)


def test_a_search_finds_the_ring_that_costs_least() -> None:
    """A ring of all nodes is on 4x4: each rank sends one hop."""
    mappings = torusim.map_ranks(shift, **SECTIONS, search="anneal", steps=100_000, seed=1)
    assert mappings.best.costs["hop_bytes"] == 3 * SENT_BYTES * 16


async def timed(comm: Comm) -> Any:  # noqa: ANN401
    """Calls that depend on time: any source, tests, probes, cancelled and freed receives, and their consequences."""
    if comm.rank == 0:
        status, seen = Status(), []
        withdrawn = await comm.irecv(source=1, tag=99)
        await withdrawn.cancel()
        await withdrawn.wait()
        for _ in range(comm.size - 1):
            await comm.probe(ANY_SOURCE, 5, status)
            seen.append((await comm.recv(source=status.source, tag=5), status.source))
            await comm.send([seen[-1][0]] * status.source, dest=status.source)
        message = await comm.mprobe(ANY_SOURCE, 6)
        seen.append(await message.recv())
        return seen
    await comm.compute(3e-6 * (comm.size - comm.rank))
    await comm.send([comm.rank] * comm.rank, dest=0, tag=5)
    receiving = await comm.irecv(source=ANY_SOURCE, tag=ANY_TAG)
    while not (await receiving.test())[0]:
        await comm.compute(1e-7)
    if comm.rank == 1:
        await comm.send(b"last", dest=0, tag=6)
    return None


async def grouped(comm: Comm) -> Any:  # noqa: ANN401
    """Communicators, persistent requests and collectives."""
    half = await comm.split(comm.rank % 2, -comm.rank)
    assert half is not None
    total = await half.allreduce(np.arange(100.0))
    right, left = (half.rank + 1) % half.size, (half.rank - 1) % half.size
    requests = [await half.recv_init(left), await half.send_init(Bytes(300), right)]
    for _ in range(2):
        await half.startall(requests)
        index, _ = await half.waitany(requests)
        await requests[1 - index].wait()
    await half.Free()
    cart = await comm.Create_cart([4, 4], [True, False])
    assert cart is not None
    barrier = await cart.Barrier_init()
    for _ in range(2):
        await barrier.start()
        await cart.neighbor_alltoall([Bytes(100 * place) for place in range(4)])
        await barrier.wait()
    joint = await comm.Isendrecv(np.zeros(50), comm.size - 1 - comm.rank, 0, np.zeros(50), ANY_SOURCE)
    await joint.wait()
    return total.sum()


@pytest.mark.parametrize("main", [shift, halo, timed, grouped, ring])
def test_a_replay_on_the_same_mapping_is_the_run(main: Main) -> None:
    """Cycles, packets in their places, and the matrix of communication are equal."""
    changes = [("mapping.ranks", "16", ""), ("machine", json.dumps(MACHINE), ""), ("run.communication", "true", "")]
    read = recorded(main, changes)
    replayed = execute(resolve(read, changes), Options(), lambda _: None)
    ran = torusim.run_program(main, ranks=16, machine=MACHINE, run={"communication": True})
    assert (replayed.outcome, ran.outcome) == ("completed", "completed")
    assert replayed.table("communication").equals(ran.table("communication"))
    for key in ("cycles", "digest"):
        assert replayed.summary[key] == ran.summary[key], key


async def first_come(comm: Comm) -> Any:  # noqa: ANN401
    """Persistent receives from any source, started with others, freed before and behind their ends."""
    if comm.rank:
        await comm.compute(1e-5 * (comm.size - comm.rank))
        await comm.send([comm.rank] * comm.rank, 0)
        return await comm.recv()
    unused = await comm.recv_init()
    requests = [await comm.send_init("to all", 1), await comm.recv_init(ANY_SOURCE), await comm.recv_init(tag=ANY_TAG)]
    await unused.free()
    seen = []
    for _ in range((comm.size - 1) // 2):
        await comm.startall(requests)
        seen += (await comm.waitall(requests))[1:]
    for one in requests:
        await one.free()
    for other in range(2, comm.size):
        await comm.send(seen[-1], other)
    return seen


def test_persistent_receives_from_any_source_get_what_they_got() -> None:
    changes = overrides_of_sections({**SECTIONS, "mapping": {"ranks": 3}, "run": {"communication": True}})
    ran, read = counted(first_come, changes), recorded(first_come, changes)
    for order in ("XYT", "random"):
        replayed = execute(resolve(read, [*changes, ("mapping.order", f'"{order}"', "")]), Options(), lambda _: None)
        assert replayed.outcome == "completed", replayed.summary["outcome_detail"]
        assert replayed.table("communication").equals(ran.table("communication"))


@given(program=programs(), data=st.data())
@settings(max_examples=25, deadline=None)
def test_replays_of_random_programs_are_their_runs(program: tuple[int, list[Step]], data: st.DataObject) -> None:
    """This holds also where a mapping puts ranks elsewhere: their messages to each other stay the same."""
    ranks, steps = program
    protocol = data.draw(st.sampled_from(PROTOCOLS))
    sections = {"machine": MACHINE, "mapping": {"ranks": ranks}, "messaging": {"protocol": protocol}}
    changes = overrides_of_sections({**sections, "run": {"communication": True}})
    ran = counted(program_of(steps), changes)
    read = recorded(program_of(steps), changes)
    replayed = execute(resolve(read, changes), Options(), lambda _: None)
    assert (replayed.summary["digest"], replayed.summary["cycles"]) == (ran.summary["digest"], ran.summary["cycles"])
    elsewhere = resolve(read, [*changes, ("mapping.order", '"random"', "")])
    moved = execute(elsewhere, Options(), lambda _: None)
    assert moved.outcome == "completed"
    assert moved.table("communication").equals(ran.table("communication"))


def test_advice_runs_the_calls_of_a_program_on_each_mapping() -> None:
    changes: dict[str, Any] = {"machine": {"preset": "bluegene-l", "shape": [4, 2, 1]}, "mapping": {"ranks": 8}}
    given = torusim.advise(halo_of_eight, **changes, runs=100)
    choices = {choice.mapping: choice for choice in given.choices}
    assert all(choice.seconds is not None for choice in given.choices)
    for name in ("present", "YXZT"):
        sections = choices[name].sections
        mapping = {**sections.get("mapping", {})}
        ran = torusim.run_program(halo_of_eight, ranks=8, machine=changes["machine"], mapping=mapping)
        assert choices[name].seconds == ran.summary["seconds_simulated"], name


async def halo_of_eight(comm: Comm) -> None:
    for step in (1, -1, 4):
        await comm.sendrecv(Bytes(5000), (comm.rank + step) % 8, source=(comm.rank - step) % 8)


def test_hot_links_of_a_program_name_the_ranks_that_use_them() -> None:
    result = torusim.run_program(shift, ranks=16, machine={"shape": [4, 4]}, run={"communication": True})
    found = torusim.hot_links(result, links=64)
    assert found.unit == "ranks"
    of_first = next(link for link in found.busiest if link.name == "(0, 0) x+")
    assert [(flow["source"], flow["target"], flow["bytes"]) for flow in of_first.largest] == [(0, 1, 3 * SENT_BYTES)]
    uncounted = torusim.run_program(shift, ranks=16, machine={"shape": [4, 4]})
    assert 'run={"communication": True}' in torusim.hot_links(uncounted).note


def test_check_tells_how_long_the_replay_would_take() -> None:
    """About 5 packets for a message of 1,000 B, and 20 hops for 16 messages."""
    estimate = torusim.check(shift, **SECTIONS)
    assert estimate["workload"] == "program"
    assert 3 * 20 * 4 <= estimate["packet_hops"] <= 3 * 20 * 6
    assert estimate["warnings"] == []


async def both_send_first(comm: Comm) -> None:
    await comm.compute(1e-6 * comm.rank)
    await comm.send(Bytes(50), 1 - comm.rank)
    await comm.recv(source=1 - comm.rank)


async def both_send_and_receive(comm: Comm) -> None:
    await comm.sendrecv(Bytes(50), 1 - comm.rank, source=1 - comm.rank)
    sending = await comm.isend(Bytes(50), 1 - comm.rank)
    await comm.recv(source=1 - comm.rank)
    await sending.wait()


async def both_buffer_first(comm: Comm) -> None:
    await comm.bsend(Bytes(50), 1 - comm.rank)
    await comm.recv(source=1 - comm.rank)


async def all_send_around(comm: Comm) -> None:
    await comm.send(Bytes(50), (comm.rank + 1) % comm.size)
    await comm.recv(source=(comm.rank - 1) % comm.size)


@pytest.mark.parametrize(
    ("main", "ranks", "words"),
    [
        (
            both_send_first,
            2,
            r"rank 0 waits in .* to rank 1 .*\(call 1\); rank 1 waits in .* to rank 0 .*1\), forever$",
        ),
        (all_send_around, 5, r"rank 0 waits in .* rank 1 .*\(call 1\).* and 2 more ranks"),
        (both_send_and_receive, 2, None),
        (both_buffer_first, 2, None),
        (shift, 4, None),
        (timed, 4, None),
    ],
)
def test_check_names_sends_that_end_only_as_they_are_eager(main: Main, ranks: int, words: str | None) -> None:
    warnings = torusim.check(main, machine={"shape": [4, 4]}, mapping={"ranks": ranks})["warnings"]
    if words is None:
        assert warnings == []
    else:
        [warning] = warnings
        assert "ends only as sends are eager" in warning
        assert re.search(words, warning), warning
        # The same program by rendezvous waits forever.
        stuck = torusim.run_program(main, ranks=ranks, machine={"shape": [4, 4]}, messaging={"protocol": "rendezvous"})
        assert stuck.outcome == "stuck"


FILE = """
import torusim

STEPS = 3


async def main(comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    for _ in range(STEPS):
        await comm.sendrecv(torusim.Bytes(1000), right, source=left)


async def stuck(comm):
    await comm.recv(source=comm.rank)


async def faulty(comm):
    raise LookupError("nothing there")


def plain(comm):
    pass
"""

SET = ["--set", "machine.shape=[4,4]", "--set", "mapping.ranks=16"]


def test_commands_take_a_program(command: Command, tmp_path: Path) -> None:
    (tmp_path / "ring.py").write_text(FILE)
    told = json.loads(command("map", "ring.py:main", *SET, "--json").stdout)
    [present] = [row for row in told["mappings"] if row["mapping"] == "present"]
    assert present["hop_bytes"] == 3 * SENT_BYTES * 20
    assert json.loads(command("check", "ring.py:main", *SET, "--json").stdout)["warnings"] == []
    advised = json.loads(command("advise", "ring.py:main", *SET, "--json").stdout)
    assert {choice["mapping"] for choice in advised["choices"]} >= {"present", "XYT", "YXT"}
    hot = json.loads(command("hot", "ring.py:main", *SET, "--links", "64", "--json").stdout)
    [first] = [link for link in hot["busiest"] if (link["node"], link["direction"]) == (0, "x+")]
    assert [(flow["source"], flow["target"], flow["bytes"]) for flow in first["largest"]] == [(0, 1, 3000)]


@pytest.mark.parametrize(
    ("name", "sections", "words"),
    [
        ("missing.py:main", SECTIONS, "missing.py: there is no such file"),
        ("ring.py:other", SECTIONS, "ring.py: there is no function other in it"),
        ("ring.py:plain", SECTIONS, "has to be a function declared as `async def main"),
        ("ring.py:main", {}, "mapping.ranks: is missing"),
        ("ring.py:stuck", SECTIONS, "the run of the program ended as stuck: 16 ranks are blocked forever; rank 0 "),
        ("ring.py:faulty", SECTIONS, r"ring.py:18: LookupError: nothing there.*in rank 0"),
        ("wrong.py:main", SECTIONS, r"wrong.py:2: SyntaxError"),
        ("ends.py:main", SECTIONS, r"ends.py:2: SystemExit: 0"),
    ],
)
def test_what_is_no_program_that_ends_is_an_error(tmp_path: Path, name: str, sections: Any, words: str) -> None:  # noqa: ANN401
    (tmp_path / "ring.py").write_text(FILE)
    (tmp_path / "wrong.py").write_text("async def main(comm):\n    await (\n")
    (tmp_path / "ends.py").write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(InputError, match=words):
        torusim.map_ranks(tmp_path / name, **sections)


def test_what_a_file_prints_is_no_result(command: Command, tmp_path: Path) -> None:
    """The file runs once, and leaves stdout to the command."""
    (tmp_path / "ring.py").write_text(FILE + "\nprint('hello')\n")
    for name in ("check", "map", "hot"):
        finished = command(name, "ring.py:main", *SET, "--json")
        assert finished.stderr == "hello\n"
        json.loads(finished.stdout)


def test_a_command_says_in_one_line_what_is_wrong(command: Command, tmp_path: Path) -> None:
    (tmp_path / "ring.py").write_text(FILE)
    finished = command("check", "ring.py:faulty", *SET)
    assert (finished.returncode, len(finished.stderr.splitlines())) == (2, 1), finished.stderr
    assert finished.stderr.startswith("torusim: ring.py:18: LookupError: nothing there; raised in rank 0")


def test_an_error_of_a_function_is_that_of_its_caller() -> None:
    async def faulty(comm: Comm) -> None:
        raise LookupError(comm.rank)

    with pytest.raises(LookupError):
        torusim.map_ranks(faulty, **SECTIONS)
