"""Archives of OTF2 that this file writes: non-blocking transfers, collectives, communicators."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.support import ROOT
from torusim import InputError

otf2 = pytest.importorskip("otf2")
RANKS = 4
KILOBYTE = 1024


@dataclass(frozen=True)
class Rank:
    """A rank, the writer of its events, its communicators (of all, its pair, itself), a window; OTF2 has no types."""

    number: int
    events: Any
    world: Any
    pair: Any
    own: Any
    window: Any

    def collect(self, time: int, operation: Any, comm: Any, sent: int, received: int, root: Any = None) -> None:  # noqa: ANN401
        """Writes a collective of the given bytes."""
        root = otf2.CollectiveRoot.NONE if root is None else root
        self.events.mpi_collective_begin(time)
        self.events.mpi_collective_end(time + 1, operation, comm, root, sent, received)


Record = Callable[[Rank], None]
"""Records the calls of a rank."""


def _archive(path: Path, record: Record) -> Path:
    """An archive of `RANKS` ranks, whose pairs 0, 1 and 2, 3 have separate communicators."""
    mpi = otf2.Paradigm.MPI
    with otf2.writer.open(str(path), timer_resolution=1_000_000) as archive:
        definitions = archive.definitions
        node = definitions.system_tree_node("node")
        locations = [
            definitions.location(
                f"rank {rank}", group=definitions.location_group(f"rank {rank}", system_tree_parent=node)
            )
            for rank in range(RANKS)
        ]
        everybody = definitions.group("all", otf2.GroupType.COMM_LOCATIONS, mpi, otf2.GroupFlag.NONE, locations)
        world = definitions.comm("MPI_COMM_WORLD", everybody)
        pairs = [
            definitions.comm(
                f"pair {first}",
                definitions.group(
                    f"pair {first}",
                    otf2.GroupType.COMM_GROUP,
                    mpi,
                    otf2.GroupFlag.GLOBAL_MEMBERS,
                    locations[first : first + 2],
                ),
            )
            for first in range(0, RANKS, 2)
        ]
        none = otf2.GroupFlag.NONE
        own = definitions.comm("own", definitions.group("own", otf2.GroupType.COMM_SELF, mpi, none, []))
        window = definitions.rma_win("window", world, otf2.RmaWinFlag.NONE)
        region = definitions.region("MPI", paradigm=mpi)
        for rank, location in enumerate(locations):
            events = archive.event_writer_from_location(location)
            events.enter(1, region)
            record(Rank(rank, events, world, pairs[rank // 2], own, window))
            events.leave(1000, region)
    return path


def _run(path: Path, threads: int = 1, engine: str = "windowed") -> torusim.Result:
    scenario = {"machine": {"shape": [2, 2]}, "workload": {"kind": "trace", "path": str(path)}}
    return torusim.run(scenario, threads=threads, engine=engine)


def _exchange(rank: Rank) -> None:
    """A ring of messages, in which each rank waits for the receive before the send, and a receive that is cancelled."""
    events, partner = rank.events, 1 - rank.number % 2
    events.mpi_irecv_request(2, 1)
    events.mpi_irecv_request(3, 2)
    events.mpi_isend(4, (rank.number + 1) % RANKS, rank.world, 7, 3 * KILOBYTE, 3)
    events.mpi_request_test(5, 1)
    events.mpi_irecv(6, (rank.number - 1) % RANKS, rank.world, 7, 3 * KILOBYTE, 1)
    events.mpi_isend_complete(7, 3)
    events.mpi_request_cancelled(8, 2)
    # Within the pair, ranks are numbered anew.
    events.mpi_isend(9, partner, rank.pair, 0, KILOBYTE, 4)
    events.mpi_recv(10, partner, rank.pair, 0, KILOBYTE)
    events.mpi_isend_complete(11, 4)


def _collect(rank: Rank) -> None:
    """Collectives of all kinds of sizes, as Score-P counts them."""
    operations, world, pair = otf2.CollectiveOp, rank.world, rank.pair
    in_pair = rank.number % 2
    rank.collect(2, operations.BARRIER, world, 0, 0)
    rank.collect(4, operations.BCAST, world, RANKS * KILOBYTE if rank.number == 1 else 0, KILOBYTE, root=1)
    rank.collect(6, operations.ALLREDUCE, world, RANKS * KILOBYTE, RANKS * KILOBYTE)
    rank.collect(8, operations.ALLTOALLV, world, RANKS * (rank.number + 1) * KILOBYTE, 10 * KILOBYTE)
    rank.collect(10, operations.REDUCE, pair, KILOBYTE, 0 if in_pair else 2 * KILOBYTE, root=0)
    rank.collect(12, operations.SCAN, pair, 2 * KILOBYTE, (1 + in_pair) * KILOBYTE)


@pytest.mark.parametrize(
    ("record", "calls", "packets"),
    [
        (
            _exchange,
            {"MpiIsend": 8, "MpiIrecv": 4, "MpiIrecvRequest": 8, "MpiRecv": 4, "MpiRequestCancelled": 4},
            RANKS * (13 + 5),
        ),
        (
            _collect,
            dict.fromkeys(("MPI_Barrier", "MPI_Bcast", "MPI_Allreduce", "MPI_Alltoallv", "MPI_Reduce"), 4),
            None,
        ),
    ],
)
def test_archives_complete_with_their_calls_and_packets(
    tmp_path: Path, record: Record, calls: dict[str, int], packets: int | None
) -> None:
    """A message of 3 KiB has 13 packets of 240 bytes, one of 1 KiB five."""
    archive = _archive(tmp_path / "archive", record)
    result = _run(archive)
    assert result.outcome == "completed"
    assert calls.items() <= result.summary["trace_calls"].items()
    assert packets in (None, result.summary["packets_delivered"])
    for engine, threads in (("windowed", 3), ("reference", 1)):
        assert _run(archive, threads, engine).summary["operations_digest"] == result.summary["operations_digest"]


def test_the_end_of_what_has_not_begun_is_refused(tmp_path: Path) -> None:
    def record(rank: Rank) -> None:
        rank.events.mpi_irecv(6, (rank.number - 1) % RANKS, rank.world, 7, KILOBYTE, 1)

    with pytest.raises(InputError, match="request 1 ends, which has not begun"):
        _run(_archive(tmp_path / "archive", record))


def test_members_that_call_different_collectives_are_refused(tmp_path: Path) -> None:
    def record(rank: Rank) -> None:
        operation = otf2.CollectiveOp.BARRIER if rank.number else otf2.CollectiveOp.ALLREDUCE
        rank.collect(2, operation, rank.world, KILOBYTE, KILOBYTE)

    with pytest.raises(InputError, match=r"MPI_Barrier|MPI_Allreduce"):
        _run(_archive(tmp_path / "archive", record))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("rma_win_create", ()),
        ("rma_put", (1, KILOBYTE, 1)),
        ("rma_get", (1, KILOBYTE, 1)),
        ("rma_atomic", (1, otf2.RmaAtomicType.ACCUMULATE, KILOBYTE, 0, 1)),
        ("rma_wait_change", ()),
        ("rma_sync", (1, otf2.RmaSyncType.MEMORY)),
        ("rma_acquire_lock", (1, 1, otf2.LockType.EXCLUSIVE)),
        ("rma_release_lock", (1, 1)),
    ],
)
def test_one_sided_calls_are_refused(tmp_path: Path, name: str, arguments: tuple[Any, ...]) -> None:
    def record(rank: Rank) -> None:
        if rank.number == 1:
            getattr(rank.events, name)(2, rank.window, *arguments)

    words = "".join(word.capitalize() for word in name.split("_"))
    with pytest.raises(InputError, match=rf"1\.evt, record 2: {words}, of a one-sided call: calls that both"):
        _run(_archive(tmp_path / "archive", record))


def test_messages_within_a_rank_alone_are_sent_to_itself(tmp_path: Path) -> None:
    def record(rank: Rank) -> None:
        rank.events.mpi_irecv_request(2, 1)
        rank.events.mpi_send(3, 0, rank.own, 7, KILOBYTE)
        # One of the same tag, among all, is another.
        rank.events.mpi_send(4, (rank.number + 1) % RANKS, rank.world, 7, 3 * KILOBYTE)
        rank.events.mpi_recv(5, (rank.number - 1) % RANKS, rank.world, 7, 3 * KILOBYTE)
        rank.events.mpi_irecv(6, 0, rank.own, 7, KILOBYTE, 1)

    result = _run(_archive(tmp_path / "archive", record))
    assert (result.outcome, result.summary["packets_delivered"]) == ("completed", RANKS * 13)


NONE = otf2.CollectiveRoot.NONE


@pytest.mark.parametrize(
    ("name", "of_first", "of_others", "message"),
    [
        ("BCAST", (0, 8, 1), (0, 9, 1), r"2\.evt, record 3: rank 2 has 9 bytes in MPI_Bcast: 8, as rank 0 has"),
        ("REDUCE", (8, 0, 1), (9, 0, 1), r"2\.evt, record 3: rank 2 has 9 bytes in MPI_Reduce: 8, as rank 0 has"),
        (
            "ALLREDUCE",
            (32, 32, NONE),
            (64, 64, NONE),
            "1.evt, record 3: rank 1 has 16 bytes in MPI_Allreduce: 8, as rank 0",
        ),
        (
            "ALLGATHER",
            (32, 32, NONE),
            (64, 64, NONE),
            "1.evt, record 3: rank 1 has 16 bytes in MPI_Allgather: 8, as rank 0",
        ),
        (
            "GATHERV",
            (8, 31, 0),
            (8, 0, 0),
            "0.evt, record 3: rank 0 has 31 bytes in MPI_Gatherv as its root: 32, as all",
        ),
        (
            "SCATTERV",
            (33, 8, 0),
            (0, 8, 0),
            "0.evt, record 3: rank 0 has 33 bytes in MPI_Scatterv as its root: 32, as all",
        ),
        ("ALLTOALLV", (40, 40, NONE), (40, 44, NONE), "ranks together send 160 bytes in MPI_Alltoallv: 172, as they"),
    ],
)
def test_collectives_of_lengths_that_disagree_are_refused(
    name: str, of_first: tuple[int, int, Any], of_others: tuple[int, int, Any], message: str, tmp_path: Path
) -> None:
    def record(rank: Rank) -> None:
        sent, received, root = of_others if rank.number else of_first
        rank.collect(2, getattr(otf2.CollectiveOp, name), rank.world, sent, received, root)

    with pytest.raises(InputError, match=message):
        _run(_archive(tmp_path / "archive", record))


def test_a_given_archive_computes_as_long_as_it_is_outside_mpi() -> None:
    """The time outside of MPI's regions, from MPI_Init to MPI_Finalize, is added up by OTF2's own Python reader."""
    path = ROOT.parent / "shared" / "data" / "traces" / "otf2-pingpong"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    ticks, before_first, is_inside, last = dict[int, int](), dict[int, int](), dict[int, bool](), dict[int, int]()
    with otf2.reader.open(str(path / "traces.otf2")) as archive:
        second = archive.definitions.clock_properties.timer_resolution
        for location, event in archive.events:
            rank, kind = int(location.group.name.split()[-1]), type(event).__name__
            if not is_inside.get(rank, True):
                ticks[rank] = ticks.get(rank, 0) + event.time - last[rank]
            last[rank] = event.time
            if kind in ("Enter", "Leave") and event.region.name.startswith("MPI_"):
                name = event.region.name
                is_inside[rank] = kind == "Enter" or name == "MPI_Finalize"
                if kind == "Leave" and name == "MPI_Init":
                    ticks[rank] = 0
            elif kind in ("MpiSend", "MpiRecv"):
                before_first.setdefault(rank, ticks[rank])
    assert [round(before_first[rank] / second * 1e6, 2) for rank in (0, 1)] == [22.43, 30.94]
    computed = _run(path).summary["trace_compute_seconds"]
    assert computed == pytest.approx(sum(ticks.values()) / second, abs=1e-9)
