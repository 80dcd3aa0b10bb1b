"""One program, written in all formats of traces, stays the same program.

The time of a recording, from the end of MPI_Init to MPI_Finalize, is the computation and the calls that are read from
it. A program without non-blocking calls ends in the same cycle in every format. A program with such calls ends in the
same cycle in all formats of one kind: graphs ask after each computation whether messages have come, which takes a
cycle.
"""

import importlib.util
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import torusim
from tests.support import Command
from tests.written_traces import (
    COLLECTIVES,
    FORMATS,
    Kind,
    Program,
    Rank,
    Step,
    attribute,
    block_field,
    duration,
    metadata,
    node,
    number_field,
)
from torusim import InputError

NAMES = [name for name in FORMATS if name != "otf2" or importlib.util.find_spec("otf2")]
RANKS = 4
SAME = ("cycles", "packets_delivered", "digest", "messages_sent", "message_bytes_sent")


def _run(path: Path, engine: str = "windowed") -> torusim.Result:
    workload = {"kind": "trace", "path": str(path)}
    return torusim.run({"machine": {"shape": [2, 2]}, "workload": workload}, engine=engine, threads=1)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Ranks that compute, query the library, exchange messages and call collectives, in an order without a deadlock."""
    steps: list[list[Step]] = [[] for _ in range(RANKS)]
    microseconds, rank = st.integers(0, 30), st.integers(0, RANKS - 1)
    byte_count = st.integers(0, 2000)
    for tag in range(draw(st.integers(0, 14))):
        kind = draw(st.sampled_from(["compute", "local", "message", "message", "exchange", "self", *COLLECTIVES]))
        one, other, size = draw(rank), draw(rank), draw(byte_count)
        match kind:
            case "compute" | "local":
                steps[one].append(Step(kind, draw(microseconds)))
            case "self":
                steps[one].append(Step("send", draw(microseconds), one, tag, size))
                steps[one].append(Step("recv", draw(microseconds), one, tag, size + draw(st.integers(0, 9))))
            case "message" if one != other:
                steps[one].append(Step("send", draw(microseconds), other, tag, size))
                steps[other].append(Step("recv", draw(microseconds), one, tag, size))
            case "exchange" if one != other:
                for begins, peer in ((one, other), (other, one)):
                    steps[begins].append(Step("irecv", draw(microseconds), peer, tag, size))
                    steps[begins].append(Step("isend", draw(microseconds), peer, tag, size))
                    steps[begins].append(Step("compute", draw(microseconds)))
                    steps[begins].append(Step("wait", draw(microseconds)))
            case "barrier" | "bcast" | "allreduce":
                for own in steps:
                    own.append(Step(kind, draw(microseconds), byte_count=0 if kind == "barrier" else size))
            case _:
                pass
    for own in steps:
        own.append(Step("compute", draw(microseconds)))
    return [Rank(number, draw(st.integers(0, 5000)), own) for number, own in enumerate(steps)]


def _has(program: Program, kinds: Sequence[str]) -> bool:
    return any(step.kind in kinds for rank in program for step in rank.steps)


def _seconds(program: Program, *, computation: bool, left_out: Sequence[str] = ()) -> float:
    of_step = [step for rank in program for step in rank.steps if step.is_computation == computation]
    return sum(step.microseconds for step in of_step if step.kind not in left_out) * 1e-6


def check(program: Program) -> None:
    """Writes a program in all formats that can express it, and compares the results of reading and replaying them."""
    results: dict[str, torusim.Result] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            if name == "goal" and _has(program, COLLECTIVES):
                continue
            path = Path(folder) / name
            FORMATS[name].write(path, program)
            results[name] = _run(path)
    for name, result in results.items():
        calls = _seconds(program, computation=False, left_out=FORMATS[name].left_out)
        assert result.outcome == "completed", name
        assert result.summary["trace_compute_seconds"] == pytest.approx(_seconds(program, computation=True), abs=1e-12)
        assert result.summary["trace_call_seconds"] == pytest.approx(calls, abs=1e-12), name
    kinds = [[name for name in results if FORMATS[name].is_graph == is_graph] for is_graph in (True, False)]
    alike = kinds if _has(program, ["wait"]) else [list(results)]
    for names in alike:
        summaries = [results[name].summary for name in names]
        for summary in summaries[1:]:
            assert [summary.get(key) for key in SAME] == [summaries[0].get(key) for key in SAME], names


LATE = [Rank(0, 3, [Step("compute", 11), Step("local", 2), Step("compute", 11), Step("send", 9, 1, 7, 240)])]
LATE += [Rank(1, 0, [Step("recv", 1, 0, 7, 240)]), Rank(2, 0, []), Rank(3, 0, [])]
"""A rank computes, asks for its number and computes before its first message."""


@example(program=LATE)
@settings(deadline=None, max_examples=25)
@given(program=programs())
def test_a_program_is_the_same_in_all_formats(program: Program) -> None:
    check(program)


@pytest.mark.long
@settings(deadline=None, max_examples=2000)
@given(program=programs())
def test_many_programs_are_the_same_in_all_formats(program: Program) -> None:
    check(program)


@pytest.mark.parametrize("name", NAMES)
def test_all_computation_before_the_first_message_counts(name: str, tmp_path: Path) -> None:
    """22 us are 3,850 cycles, after which a packet of 240 bytes and its header crosses a link."""
    FORMATS[name].write(tmp_path / "trace", LATE)
    assert 3850 + 256 < _run(tmp_path / "trace").summary["cycles"] < 3850 + 500


def _pair(of_sender: Sequence[Step], of_receiver: Sequence[Step]) -> Program:
    return [Rank(0, 0, of_sender), Rank(1, 0, of_receiver)]


BLOCKING = _pair([Step("send", 1, 1, 7, 10)], [Step("recv", 1, 0, 7, 5)])
EARLY = _pair([Step("compute", 50), Step("send", 1, 1, 7, 10)], [Step("recv", 1, 0, 7, 5)])
LATER = _pair([Step("send", 1, 1, 7, 10)], [Step("compute", 50), Step("irecv", 1, 0, 7, 5), Step("wait", 2)])
OWN = _pair([Step("compute", 1)], [Step("send", 1, 1, 7, 10), Step("recv", 1, 1, 7, 5)])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("program", "line", "sender"), [(BLOCKING, 2, 0), (EARLY, 2, 0), (LATER, 2, 0), (OWN, 3, 1)])
def test_a_receive_with_no_room_for_its_message_is_refused(
    name: str, program: Program, line: int, sender: int, tmp_path: Path
) -> None:
    FORMATS[name].write(tmp_path / "trace", program)
    words = f" rank 1 receives at most 5 bytes, and gets the message of rank {sender}, which has 10: a receive"
    with pytest.raises(InputError, match=FORMATS[name].place.format(line=line) + words):
        _run(tmp_path / "trace")


@pytest.mark.parametrize("engine", ["windowed", "reference"])
def test_a_wildcard_with_no_room_is_refused(engine: str, tmp_path: Path, command: Command) -> None:
    """Which message it gets is known when it comes: the second is too long, and of the first rank that sends."""
    (tmp_path / "program.goal").write_text(
        "num_ranks 3\nrank 0 {\nrecv 10b from -1\nrecv 5b from -1 tag -1\n}\n"
        "rank 1 {\nl: calc 1000\ns: send 10b to 0\ns requires l\n}\nrank 2 {\nsend 9b to 0\n}\n"
    )
    message = "program.goal:4: rank 0 receives at most 5 bytes, and gets the message of rank 1, which has 10"
    with pytest.raises(InputError, match=message):
        _run(tmp_path / "program.goal", engine)
    (tmp_path / "t.toml").write_text('machine.shape = [4]\nworkload = { kind = "trace", path = "program.goal" }\n')
    finished = command("run", "t.toml", "--out", "out", "--engine", engine)
    assert finished.returncode == 2
    assert message in " ".join(finished.stderr.split())
    assert not (tmp_path / "out" / "result.json").exists()


def test_jobs_name_the_trace_that_is_wrong(tmp_path: Path) -> None:
    FORMATS["goal"].write(tmp_path / "right", _pair([Step("send", 1, 1, 7, 10)], [Step("recv", 1, 0, 7, 10)]))
    FORMATS["goal"].write(tmp_path / "wrong", BLOCKING)
    jobs = [
        {"name": name, "nodes": nodes, "workload": {"kind": "trace", "path": str(tmp_path / name)}}
        for name, nodes in (("right", [0, 1]), ("wrong", [2, 3]))
    ]
    with pytest.raises(InputError, match=r"wrong/program\.goal:\d+: rank 1 receives at most 5 bytes"):
        torusim.run({"machine": {"shape": [2, 2]}, "jobs": jobs}, threads=1)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "goal"])
@pytest.mark.parametrize("kind", ["bcast", "allreduce"])
def test_collectives_of_other_lengths_are_refused(name: str, kind: Kind, tmp_path: Path) -> None:
    """Three ranks, as the root of a broadcast has its length in no OTF2 archive."""
    ranks = [Rank(rank, 0, [Step(kind, 1, byte_count=80 if rank == 1 else 24)]) for rank in range(3)]
    FORMATS[name].write(tmp_path / "trace", ranks)
    # Where the first rank is found to differ from those before it is a matter of the format.
    with pytest.raises(InputError, match=r"[12](\.txt:2|\.bin, byte \d+|\.evt, record \d+|\.et, byte \d+): .*rank|NPU"):
        _run(tmp_path / "trace")


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        (
            [
                "MPI_Alltoallv:1:0:0:1,2:0:0,0:1,1,0:0:0:1,3:0:0,0:1,1,0:0,0,2:2",
                "MPI_Alltoallv:1:0:0:4,5:0:0,0:1,1,0:0:0:2,5:0:0,0:1,1,0:0,1,2:2",
            ],
            r"rank-0\.txt:2: rank 0 receives 3 bytes of rank 1 in MPI_Alltoallv: 4 bytes, as rank 1 sends",
        ),
        (
            [
                "MPI_Gatherv:1:0:1:1,1,0:0:0:1,3:0:0,0:1,1,0:0:0,0,2:2",
                "MPI_Gatherv:1:0:2:1,1,0:0:0:9,9:0:0,0:1,1,0:0:0,1,2:2",
            ],
            r"rank-0\.txt:2: rank 0 receives 3 bytes of rank 1 in MPI_Gatherv: 2 bytes, as rank 1 sends",
        ),
        (
            [
                "MPI_Scatterv:1:0:0:1,3:0:0,0:1,1,0:0:1:1,1,0:0:0,0,2:2",
                "MPI_Scatterv:1:0:0:9,9:0:0,0:1,1,0:0:2:1,1,0:0:0,1,2:2",
            ],
            r"rank-1\.txt:2: rank 1 receives 2 bytes of rank 0 in MPI_Scatterv: 3 bytes, as rank 0 sends",
        ),
        (
            ["MPI_Bcast:1:0:8:1,1,0:0:0,0,2:2", "MPI_Bcast:1:0:8:1,1,0:1:0,1,2:2"],
            r"rank-1\.txt:2: collective call 1 of rank 1 is MPI_Bcast of 8 bytes from rank 1: .* as for rank 0",
        ),
    ],
)
def test_calls_that_disagree_are_refused(calls: Sequence[str], message: str, tmp_path: Path) -> None:
    for rank, call in enumerate(calls):
        text = f"MPI_Init:-:0:0:0\n{call}\nMPI_Finalize:3:-\n"
        (tmp_path / f"pmpi-trace-rank-{rank}.txt").write_text(text)
    with pytest.raises(InputError, match=message):
        _run(tmp_path)


def _chakra(path: Path, *nodes: bytes) -> Path:
    path.mkdir()
    for rank, own in enumerate(nodes):
        (path / f"t.{rank}.et").write_bytes(metadata() + own)
    return path


def _all_reduce(*attributes: bytes) -> bytes:
    """An all-reduce of 24,000 bytes."""
    size = attribute("comm_size", number_field(9, 24_000))
    return node(1, 7, attribute("comm_type", number_field(9, 0)) + size + b"".join(attributes))


def _text(name: str, value: str) -> bytes:
    return attribute(name, block_field(29, value.encode()))


def _int32(name: str, value: int) -> bytes:
    return attribute(name, number_field(7, value))


def _booleans(*values: bool) -> bytes:
    return attribute("involved_dim", block_field(28, block_field(1, bytes(values))))


@pytest.mark.parametrize(
    ("of_first", "of_others", "packets"),
    [
        # An all-reduce of 24,000 bytes on 2 NPUs has 200 packets, on 4 600.
        (b"", b"", 600),
        (_text("pg_name", "0"), b"", 600),
        (_text("pg_name", ""), _int32("pg_name", 0), 600),
        (_booleans(True, True), _booleans(True), 600),
        (_text("pg_name", "a"), _text("pg_name", "b"), 400),
        (_int32("pg_name", 1), _int32("pg_name", 2), 400),
        (_text("pg_name", "1"), _int32("pg_name", 2), 400),
        (_int32("comm_group", 0), _int32("comm_group", 1), 400),
        (_int32("comm_group", 0) + _booleans(True, False), _int32("comm_group", 1) + _booleans(True, False), 400),
    ],
)
def test_what_names_a_process_group_is_one(of_first: bytes, of_others: bytes, packets: int, tmp_path: Path) -> None:
    nodes = [_all_reduce(attributes) for attributes in (of_first, of_first, of_others, of_others)]
    assert _run(_chakra(tmp_path / "t", *nodes)).summary["packets_delivered"] == packets


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        (_booleans(True, False), r"t\.0\.et, byte \d+: node 1 has an involved_dim with a false"),
        (_text("pg_name", "0") + _booleans(False), "node 1 has an involved_dim with a false"),
        (_int32("involved_dim", 1), "involved_dim of node 1 .* has another type: a list of booleans"),
        (attribute("pg_name", number_field(27, 1)), "pg_name of node 1 .* has another type: a text or a whole"),
        (attribute("comm_group", block_field(8, b"\x01")), "comm_group of node 1 .* has another type"),
    ],
)
def test_what_cannot_be_read_as_a_process_group_is_refused(attributes: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        _run(_chakra(tmp_path / "t", _all_reduce(attributes), _all_reduce(attributes)))


def test_a_group_of_all_npus_that_some_lack_is_incomplete(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.1\.et: collective 1 of NPU 1 in all NPUs is none: ALL_REDUCE of 24000"):
        _run(_chakra(tmp_path / "t", _all_reduce(_text("pg_name", "0")), node(1, 4)))


def test_an_npu_without_operations_has_a_file_of_its_format(tmp_path: Path) -> None:
    assert _run(_chakra(tmp_path / "t", b"", node(1, 4, duration(5)))).summary["trace_calls"] == {"COMP_NODE": 1}


@pytest.mark.parametrize("kind", [5, 6, 7])
def test_communication_on_a_processors_core_is_computation(kind: int, tmp_path: Path) -> None:
    """A node that names neither peer nor collective."""
    is_core = attribute("is_cpu_op", number_field(27, 1))
    summary = _run(_chakra(tmp_path / "t", node(1, kind, is_core + duration(50)))).summary
    assert (summary["trace_calls"], summary["trace_compute_seconds"]) == ({"COMP_NODE": 1}, 50e-6)
    with pytest.raises(InputError, match=r"node 1 .* has no attribute"):
        _run(_chakra(tmp_path / "u", node(1, kind, duration(50))))
