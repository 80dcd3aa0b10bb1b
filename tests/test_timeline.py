"""Time lines of ranks as files in the Trace Event Format: complete, without overlaps, the same on any engine."""

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torusim
from tests.support import Command, assert_one_message, refused, succeeded
from torusim.runs.timeline import parse_ranks

COSTS = {"costs": "none", "write_processor_cycles": 60, "read_processor_cycles": 204}
HALO = {
    "machine": {"shape": [4, 2, 2]},
    "workload": {"kind": "kernel", "name": "halo-3d", "iterations": 2},
    "messaging": COSTS,
}
RANKS = 16
WAITS_OF_HALO = {"wait: message", "wait: rest of message", "wait: poll"}
FINITE = {"machine": {"shape": [4]}, "workload": {"kind": "all-to-all", "payload_bytes": 240}}

Events = list[dict[str, Any]]
Program = Callable[[torusim.Comm], Coroutine[Any, Any, None]]


def recorded(path: Path, scenario: Mapping[str, Any] = HALO, **options: Any) -> tuple[Events, torusim.Result]:  # noqa: ANN401
    chosen = {"level": "packets"} | {key: options.pop(key) for key in [*options] if key in TIMELINE_KEYS}
    timeline = torusim.Timeline(path, **chosen)
    result = torusim.run(scenario, timeline=timeline, **options)
    return json.loads(path.read_text(encoding="utf-8"))["traceEvents"], result


TIMELINE_KEYS = ("ranks", "from_microseconds", "until_microseconds", "level")


def slices(events: Events) -> dict[int, Events]:
    """The intervals of each rank, in the order of the file."""
    ranks = ranks_of_tracks(events)
    tracks: dict[int, Events] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            tracks[ranks[event["tid"]]].append(event)
    return tracks


def ranks_of_tracks(events: Events) -> dict[int, int]:
    """The rank of each track: its name begins with it."""
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    return {track: int(name.removeprefix("rank ").partition(",")[0]) for track, name in names.items()}


def nanoseconds(microseconds: float) -> int:
    """A time of a file in nanoseconds; it has to be close to a whole number of them."""
    assert abs(1000 * microseconds - round(1000 * microseconds)) < 0.05
    return round(1000 * microseconds)


def is_contiguous(track: Events) -> bool:
    """Whether a track has no gaps, neither for speedscope nor for Perfetto.

    Speedscope adds binary fractions, and Perfetto adds nanoseconds.
    """
    times = [(nanoseconds(event["ts"]), nanoseconds(event["dur"])) for event in track]
    return all(one["ts"] + one["dur"] == other["ts"] for one, other in pairwise(track)) and all(
        start + length == following for (start, length), (following, _) in pairwise(times)
    )


def test_each_rank_has_a_track_that_lasts_as_long_as_the_rank(tmp_path: Path) -> None:
    events, result = recorded(tmp_path / "halo.json")
    assert all({"ph", "ts", "dur", "pid", "tid", "name"} <= event.keys() for event in events)
    tracks = slices(events)
    assert sorted(tracks) == list(range(RANKS))
    for track in tracks.values():
        assert track[0]["ts"] == 0
        assert is_contiguous(track)
        assert {event["cat"] for event in track} == {"write", "read", "call", "wait"}
        assert {event["name"] for event in track if event["cat"] == "wait"} <= WAITS_OF_HALO
    last = max(track[-1]["ts"] + track[-1]["dur"] for track in tracks.values())
    cycle = 1 / 175
    assert -1e-3 <= 1e6 * result.summary["seconds_simulated"] - last <= 2 * cycle


def test_durations_are_the_costs(tmp_path: Path) -> None:
    tracks = slices(recorded(tmp_path / "halo.json")[0])
    for name, cycles in (("write", 60), ("read", 204), ("call", 48)):
        durations = [event["dur"] for track in tracks.values() for event in track if event["name"] == name]
        assert durations == pytest.approx([cycles / 700] * len(durations), abs=1e-3)
    packets = [event for track in tracks.values() for event in track if event["name"] == "write"]
    assert len(packets) == RANKS * 6 * 2 * 5


LONG = {"bytes": 20_000}


async def late_sender(comm: torusim.Comm) -> None:
    if comm.rank == 0:
        await comm.compute(5e-6)
        await comm.send(torusim.Bytes(20_000), dest=1)
    elif comm.rank == 1:
        await comm.recv(source=0)


async def late_receiver(comm: torusim.Comm) -> None:
    if comm.rank == 0:
        await comm.send(torusim.Bytes(20_000), dest=1)
    elif comm.rank == 1:
        await comm.compute(50e-6)
        await comm.recv(source=0)


async def late_receiver_of_two(comm: torusim.Comm) -> None:
    if comm.rank == 0:
        await comm.send(torusim.Bytes(8), dest=1)
        await comm.send(torusim.Bytes(20_000), dest=1)
    elif comm.rank == 1:
        await comm.compute(50e-6)
        await comm.recv(source=0)
        await comm.recv(source=0)


async def late_for_the_barrier(comm: torusim.Comm) -> None:
    if comm.rank == 3:
        await comm.compute(50e-6)
    await comm.barrier()


@pytest.mark.parametrize(
    ("program", "overrides", "rank", "name", "args"),
    [
        (late_sender, {}, 1, "wait: message", {"peer": 0}),
        (late_sender, {}, 1, "wait: rest of message", {"source": 0, "number": 0, "peer": 0, **LONG}),
        (
            late_receiver,
            {"messaging": {"protocol": "rendezvous"}},
            0,
            "wait: clear to send",
            {"source": 0, "number": 0, "peer": 1, **LONG},
        ),
        (
            late_receiver,
            {"messaging": {"protocol": "rendezvous"}},
            1,
            "wait: body",
            {"source": 0, "number": 0, "peer": 0, **LONG},
        ),
        (
            late_receiver_of_two,
            {"messaging": {"message_credits": 1}},
            0,
            "wait: clear to send, no credit",
            {"source": 0, "number": 1, "peer": 1, **LONG},
        ),
        (
            late_sender,
            {"machine": {"shape": [4], "node": {"injection_fifo_bytes": 256}}},
            0,
            "wait: injection FIFO",
            {"source": 0, "number": 0, "peer": 1, **LONG},
        ),
        (late_for_the_barrier, {}, 0, "wait: message", {"peer": 3, "collective": "MPI_Barrier", "round": 1}),
    ],
)
def test_a_wait_is_named_by_what_ends_it(
    tmp_path: Path, program: Program, overrides: dict[str, Any], rank: int, name: str, args: dict[str, Any]
) -> None:
    path = tmp_path / "waits.json"
    options = {"machine": {"shape": [4]}, **overrides}
    torusim.run_program(program, ranks=4, timeline=torusim.Timeline(path, level="packets"), **options)
    track = slices(json.loads(path.read_text())["traceEvents"])[rank]
    waits = [event for event in track if event["name"] == name]
    assert waits, {event["name"] for event in track}
    longest = max(waits, key=lambda event: event["dur"])
    assert (longest["args"], longest["cat"]) == (args, "wait")
    assert {event["cat"] for event in waits} == {"wait"}


async def to_all_others(comm: torusim.Comm) -> None:
    receives = [await comm.irecv(source=rank) for rank in range(comm.size) if rank != comm.rank]
    for distance in range(1, comm.size):
        await comm.isend(torusim.Bytes(3000), dest=(comm.rank + distance) % comm.size)
    for receive in receives:
        await receive.wait()


def test_a_relay_waits_for_room_for_what_it_forwards(tmp_path: Path) -> None:
    node = {"injection_fifo_bytes": 256, "reception_fifo_bytes": 512}
    dead = [[0, 0], [1, 1], [2, 3]]
    machine = {"shape": [4, 4], "dead_nodes": dead, "without_clean_escape": "relay", "node": node}
    contents = []
    for engine in ("reference", "windowed"):
        path = tmp_path / f"{engine}.json"
        lines = torusim.Timeline(path, level="packets")
        torusim.run_program(to_all_others, ranks=13, machine=machine, timeline=lines, engine=engine)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    waits = [event for event in json.loads(contents[0])["traceEvents"] if event["name"] == "wait: forwarding"]
    assert waits
    assert all(event["args"].keys() == {"source", "number"} for event in waits)


def test_an_arrow_leads_from_the_first_packet_written_of_each_message_to_the_last_one_read(tmp_path: Path) -> None:
    events, _ = recorded(tmp_path / "halo.json")
    starts = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    assert starts.keys() == ends.keys()
    assert len(starts) == RANKS * 6 * 2
    assert all(starts[name]["ts"] < ends[name]["ts"] for name in starts)
    slices_by_start = {(event["tid"], event["ts"]): event for track in slices(events).values() for event in track}
    ranks = ranks_of_tracks(events)
    for start in starts.values():
        assert slices_by_start[start["tid"], start["ts"]]["args"]["source"] == ranks[start["tid"]]


def test_tracks_are_named_and_sorted_by_node(tmp_path: Path) -> None:
    scenario = {**HALO, "machine": {"shape": [4, 2], "node": {"cores": 2}}}
    events, _ = recorded(tmp_path / "halo.json", scenario)
    order = {event["tid"]: event["args"]["sort_index"] for event in events if event["name"] == "thread_sort_index"}
    assert order == {track: track for track in range(1, RANKS + 1)}
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    ranks = [rank for node in range(8) for rank in (node, node + 8)]
    expected = [f"rank {rank}, node {rank % 8}, core {rank // 8}" for rank in ranks]
    assert [names[track] for track in sorted(names)] == expected


def test_the_file_is_the_same_on_any_engine_and_the_run_is_that_without_it(tmp_path: Path) -> None:
    files = []
    for number, (engine, threads) in enumerate([("reference", 1), ("windowed", 1), ("windowed", 3)]):
        _, result = recorded(tmp_path / f"{number}.json", engine=engine, threads=threads)
        files.append((tmp_path / f"{number}.json").read_bytes())
    assert files[0] == files[1] == files[2]
    without = torusim.run(HALO).summary
    assert [result.summary[key] for key in ("digest", "operations_digest")] == [
        without[key] for key in ("digest", "operations_digest")
    ]


def test_a_compressed_file_has_the_same_content(tmp_path: Path) -> None:
    torusim.run(HALO, timeline=tmp_path / "halo.json")
    torusim.run(HALO, timeline=tmp_path / "halo.json.gz")
    assert gzip.decompress((tmp_path / "halo.json.gz").read_bytes()) == (tmp_path / "halo.json").read_bytes()


def test_an_excerpt_has_its_ranks_and_times(tmp_path: Path) -> None:
    whole = slices(recorded(tmp_path / "whole.json")[0])
    events, _ = recorded(tmp_path / "part.json", ranks=(3, 5), from_microseconds=2.0, until_microseconds=5.0)
    part = slices(events)
    assert sorted(part) == [3, 4, 5]
    for rank, track in part.items():
        assert is_contiguous(track)
        assert track[0]["ts"] == pytest.approx(2, abs=0.002)
        assert track[-1]["ts"] + track[-1]["dur"] == pytest.approx(5, abs=0.002)
        assert {event["ts"] for event in track[1:]} <= {event["ts"] for event in whole[rank]}


def test_ranks_beyond_the_last_are_left_out(tmp_path: Path) -> None:
    assert sorted(slices(recorded(tmp_path / "few.json", ranks=(14, 1000))[0])) == [14, 15]
    with pytest.raises(torusim.InputError, match="no rank 16: ranks are numbered from 0 to 15"):
        recorded(tmp_path / "none.json", ranks=(16, 20))
    assert not (tmp_path / "none.json").exists()


def test_a_rank_that_has_not_ended_waits_until_the_end_of_the_run(tmp_path: Path) -> None:
    scenario = {
        "machine": {"shape": [4]},
        "workload": {"kind": "ping-pong", "payload_bytes": 100_000},
        "run": {"time_limit_cycles": 5000},
    }
    events, result = recorded(tmp_path / "limited.json", scenario)
    for track in slices(events).values():
        assert track[0]["ts"] == 0
        assert is_contiguous(track)
        assert track[-1]["ts"] + track[-1]["dur"] == pytest.approx(1e6 * result.summary["seconds_simulated"], abs=2e-3)


@settings(max_examples=15, deadline=None)
@given(
    name=st.sampled_from(["ping-pong", "six-way-send", "six-way-receive", "halo-2d", "halo-3d"]),
    shape=st.lists(st.integers(2, 4), min_size=1, max_size=3),
    size=st.integers(0, 2000),
    messaging=st.sampled_from([{}, COSTS, {"costs": "none", "read_processor_cycles": 1}]),
)
def test_tracks_have_no_gaps_and_no_overlaps(
    tmp_path_factory: pytest.TempPathFactory, name: str, shape: list[int], size: int, messaging: dict[str, int]
) -> None:
    scenario = {
        "machine": {"shape": shape},
        "workload": {"kind": "kernel", "name": name, "bytes": size, "iterations": 2},
        "messaging": messaging,
    }
    path = tmp_path_factory.mktemp("timeline") / "any.json"
    for track in slices(recorded(path, scenario)[0]).values():
        assert track[0]["ts"] == 0
        assert is_contiguous(track)
        assert all(event["dur"] >= 0 for event in track)


def test_only_ranks_have_time_lines(tmp_path: Path) -> None:
    with pytest.raises(torusim.InputError, match=r'workload\.kind = "all-to-all": there are no ranks'):
        torusim.run(FINITE, timeline=tmp_path / "none.json")
    assert not (tmp_path / "none.json").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ranks": (5, 3)}, "ranks (5, 3)"),
        ({"ranks": (-1, 3)}, "ranks (-1, 3)"),
        ({"ranks": 3}, "the first and the last"),
        ({"from_microseconds": -1.0}, "from -1.0"),
        ({"from_microseconds": float("nan")}, "microseconds from 0"),
        ({"from_microseconds": 3.0, "until_microseconds": 3.0}, "ends at 3.0"),
        ({"level": "tasks"}, "'calls' or 'packets'"),
    ],
)
def test_impossible_excerpts_are_refused(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with refused(words):
        torusim.Timeline(tmp_path / "x.json", **options)


def test_paths_that_cannot_be_written_are_refused_before_the_run(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "x.json"):
        with pytest.raises(torusim.InputError, match="a folder that exists"):
            torusim.run(HALO, timeline=path)


class _Cut:
    """A run whose time lines are longer than what is kept."""

    def time_lines(self) -> dict[str, Any]:
        of_waits = ("peer", "bytes", "collective", "stage", "round")
        of_packets = ("activity", "call", "has_message", "source", "number", *of_waits, "start", "end")
        columns = ("rank", "node", "core", "coprocessor", *of_packets)
        return {
            "intervals": dict.fromkeys(columns, np.zeros(1, dtype=np.uint64)),
            "activities": ["write"],
            "collectives": [],
            "calls": [],
            "passages": {
                name: np.zeros(0, dtype=np.uint64) for name in ("rank", "source", "number", "is_sent", "time")
            },
            "microseconds_per_processor_cycle": 0.001,
            "cut_at_microseconds": 12.5,
        }


def test_a_file_that_is_cut_or_cannot_be_written_is_reported_and_the_run_is_kept(tmp_path: Path) -> None:
    warnings: list[str] = []
    run: Any = _Cut()
    torusim.Timeline(tmp_path / "cut.json").write(run, warnings.append)
    assert len(json.loads((tmp_path / "cut.json").read_text())["traceEvents"]) == 4
    (tmp_path / "gone").mkdir()
    gone = torusim.Timeline(tmp_path / "gone" / "x.json")
    (tmp_path / "gone").rmdir()
    gone.write(run, warnings.append)
    assert ["from 12.500 microseconds" in text for text in warnings] == [True, False, True]
    assert "cannot be written" in warnings[1]


def test_ranks_of_the_command() -> None:
    assert parse_ranks("0..63") == (0, 63)
    assert parse_ranks("7") == (7, 7)
    for text in ("", "..", "1..", "..3", "a..b", "1...3", "-1", "٣"):
        with pytest.raises(torusim.InputError, match=r"0\.\.63"):
            parse_ranks(text)


def test_the_command_writes_the_file_and_refuses_options_without_it(command: Command, tmp_path: Path) -> None:
    (tmp_path / "halo.json").write_text(json.dumps({"scenario": HALO}), encoding="utf-8")
    options = ("--timeline", "lines.json", "--timeline-ranks", "2..3", "--timeline-until", "4")
    succeeded(command("run", "halo.json", "--quiet", "--out", "out", *options))
    assert sorted(slices(json.loads((tmp_path / "lines.json").read_text())["traceEvents"])) == [2, 3]
    assert_one_message(command("run", "halo.json", "--timeline-ranks", "2..3"), "--timeline-ranks: needs --timeline")


async def halves(comm: torusim.Comm) -> None:
    """Computes 10 µs, exchanges two messages with a neighbor, reduces, and computes 5 µs."""
    await comm.compute(10e-6 * (1 + comm.rank))
    requests = [await comm.irecv(source=comm.rank ^ 1), await comm.isend(torusim.Bytes(5000), dest=comm.rank ^ 1)]
    for request in requests:
        await request.wait()
    await comm.allreduce(1.0)
    await comm.compute(5e-6)


CALLS_OF_HALVES = {"MPI_Irecv", "MPI_Isend", "MPI_Wait", "MPI_Allreduce", "MPI_Finalize", "call"}

MACHINES: list[dict[str, Any]] = [
    {"machine": {"shape": [4]}, "messaging": COSTS},
    {"machine": {"shape": [4]}, "messaging": {"costs": "none"}},
    {"machine": {"shape": [4]}, "messaging": {"costs": "october-2003"}},
    {"machine": {"preset": "bluegene-p", "shape": [4]}},
]


@pytest.mark.parametrize("options", MACHINES)
def test_the_first_level_shows_computation_and_calls(tmp_path: Path, options: dict[str, Any]) -> None:
    """Computation lasts as the program says, calls have their names in order, and there are no other intervals."""
    contents = []
    for engine in ("reference", "windowed"):
        path = tmp_path / f"{engine}.json"
        torusim.run_program(halves, ranks=4, timeline=path, engine=engine, **options)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    events = json.loads(contents[0])["traceEvents"]
    for rank, track in slices(events).items():
        assert is_contiguous(track)
        computed = [event["dur"] for event in track if event["name"] == "compute"]
        assert computed == pytest.approx([10 * (1 + rank), 5], abs=0.01)
        assert {event["cat"] for event in track} <= {"call", "compute"}
        names = [event["name"] for event in track]
        assert "MPI_Allreduce" in names
        assert "MPI_Wait" in names
        assert set(names) <= {*CALLS_OF_HALVES, "compute"}
        assert len(track) <= 12


@pytest.mark.parametrize("options", MACHINES)
@pytest.mark.parametrize("level", ["calls", "packets"])
def test_each_message_has_an_arrow_from_its_sender_to_its_receiver(
    tmp_path: Path, options: dict[str, Any], level: str
) -> None:
    async def pair(comm: torusim.Comm) -> None:
        if comm.rank == 0:
            await comm.compute(3e-6)
            await comm.send(torusim.Bytes(5000), dest=2)
            await comm.compute(30e-6)
        elif comm.rank == 2:
            await comm.recv(source=0)
            await comm.compute(1e-6)

    path = tmp_path / "one.json"
    lines = torusim.Timeline(path, level=level)
    torusim.run_program(pair, ranks=4, timeline=lines, **options)
    events = json.loads(path.read_text())["traceEvents"]
    ranks = ranks_of_tracks(events)
    ends = [(event["ph"], ranks[event["tid"]]) for event in events if event["ph"] in "sf"]
    assert sorted(ends) == [("f", 2), ("s", 0)]
    [start], [end] = ([event for event in events if event["ph"] == phase] for phase in "sf")
    assert 3 <= start["ts"] < end["ts"] < 60
    if level == "calls":
        [received] = [event for event in slices(events)[2] if event["name"] == "MPI_Recv" and event["dur"] > 1]
        assert received["ts"] <= end["ts"] <= received["ts"] + received["dur"]
