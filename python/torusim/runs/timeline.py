"""Time lines of ranks as a file in the Trace Event Format, drawn by Perfetto (ui.perfetto.dev) and speedscope.

    pid   0: the machine
    tid   a track, from 1: ranks by node and core, each before its co-processor; their names say which
    X     one after the other on a track: of the level "calls" the computation and the calls of the rank, by their
          names in MPI, of the category compute or call; of the level "packets" what its core does: compute, call,
          write, read, or "wait: " and what ends the wait, of the category up to the colon
    s, f  an arrow from where a rank sends a message (its first packet is written) to where it has arrived (its last one
          is read)

Perfetto takes track 0, and a track with the number of its process, for something else, sorts tracks by number, and
takes numbers alone for the ids of arrows. An interval ends where the next begins, or both viewers draw it wrongly:
Perfetto counts nanoseconds, and drops an interval that begins before the end of the previous one; speedscope adds start
and duration, and takes an interval that seems to begin earlier for a call within the previous one. So times are
microseconds of simulated time, rounded to nanoseconds, and these up to a binary fraction, so that sums are exact. The
format is described in https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
"""

import gzip
import io
import json
import math
import os
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from torusim import _core
from torusim._core import InputError
from torusim.common.files import as_path
from torusim.common.folder import write_atomically
from torusim.common.formatting import shown

DEFAULT_RANKS = (0, 63)
"""The first and the last rank of a time line: as many tracks as a screen shows."""

LEVELS = ("calls", "packets")
"""The levels of detail.

An interval is a call of a rank or computation; or a task of a core, such as a packet, or a wait.
"""

TICKS_PER_MICROSECOND = 2**16
"""Ticks of 15 ps: far less than a nanosecond; binary64 holds 38 hours of them exactly."""

TICKS_PER_NANOSECOND = -(-TICKS_PER_MICROSECOND // 1000)

PROCESS = {"pid": 0, "dur": 0, "ts": 0, "ph": "M"}


@dataclass(frozen=True)
class Timeline:
    """The selection of a run's time lines, and the file to which they are written.

    Attributes:
        path: The file, which is replaced; compressed with gzip if its name ends in .gz.
        ranks: The first and the last rank, from 0.
        from_microseconds: Start of the excerpt in simulated time.
        until_microseconds: End of the excerpt; None for the end of the run.
        level: "calls" for calls and computation, "packets" for every packet that a core reads or writes, and each wait.
    """

    path: str | os.PathLike[str]
    ranks: tuple[int, int] = DEFAULT_RANKS
    from_microseconds: float = 0.0
    until_microseconds: float | None = None
    level: str = LEVELS[0]

    def __post_init__(self) -> None:
        """Checks every value."""
        path = as_path(self.path, "timeline")
        if path.is_dir() or not path.parent.is_dir():
            raise InputError(f"{path}: has to be the path of a file in a folder that exists")
        first, last = self._checked_ranks()
        begin, end = self.from_microseconds, self.until_microseconds
        if not _is_time(begin) or not (end is None or _is_time(end)):
            raise InputError(f"timeline: from {shown(begin)} until {shown(end)}: have to be microseconds from 0")
        if self.level not in LEVELS:
            raise InputError(f"timeline: level {shown(self.level)} has to be {' or '.join(map(repr, LEVELS))}")
        if end is not None and end <= begin:
            raise InputError(f"timeline: ends at {shown(end)} microseconds, but begins at {shown(begin)}")
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "ranks", (first, last))

    def _checked_ranks(self) -> tuple[int, int]:
        ranks = self.ranks
        is_pair = isinstance(ranks, Sequence) and len(ranks) == 2
        if not is_pair or not all(isinstance(rank, int) and 0 <= rank < 2**32 for rank in ranks) or ranks[0] > ranks[1]:
            raise InputError(f"timeline: ranks {shown(ranks)} have to be the first and the last, such as (0, 63)")
        return ranks[0], ranks[1]

    def observe(self, scenario: _core.Scenario) -> _core.Scenario:
        """The scenario, changed so that a run keeps these time lines.

        Raises:
            InputError: If the scenario's workload has no ranks.
        """
        first, last = self.ranks
        has_packets = self.level == "packets"
        return scenario.with_time_lines(first, last, self.from_microseconds, self.until_microseconds, has_packets)

    def write(self, run: _core.RunResult, warn: Callable[[str], object]) -> None:
        """Writes the file. If it cannot be written, or lacks a part, a warning is given: the run is not lost.

        Args:
            run: The finished run.
            warn: Called with the message.
        """
        recorded = run.time_lines()
        if recorded is None:
            return
        path = Path(self.path)
        try:
            compressed = path.suffix == ".gz"
            write_atomically(path, lambda temporary: _write(temporary, _events(recorded), compressed=compressed))
        except InputError as error:
            warn(str(error))
        if (cut_at := recorded["cut_at_microseconds"]) is not None:
            warn(
                f"{path}: is not complete from {cut_at:.3f} microseconds on, where a rank had done more than is kept; "
                f"choose fewer ranks or a shorter time{'' if self.level == 'calls' else ', or the level calls'}"
            )


def parse_ranks(text: str) -> tuple[int, int]:
    """The first and the last rank of a text such as "0..63" or "5".

    Raises:
        InputError: If the text is no range of ranks.
    """
    first, _, last = text.partition("..")
    if not all(part.isdecimal() and part.isascii() for part in (first, last or first)) or text.endswith("."):
        raise InputError(f"timeline: ranks {shown(text)} have to be a range such as 0..63, or one rank")
    return int(first), int(last or first)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _write(path: Path, events: Iterable[Mapping[str, Any]], *, compressed: bool) -> None:
    with path.open("wb") as raw:
        # Without a name and a time in its header, equal time lines give bit-identical files.
        binary: Any = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if compressed else raw
        with io.TextIOWrapper(binary, encoding="utf-8", write_through=False) as file:
            _write_events(file, events)
            file.flush()
            if compressed:
                binary.close()


def _write_events(file: IO[str], events: Iterable[Mapping[str, Any]]) -> None:
    file.write('{"displayTimeUnit": "ns", "traceEvents": [')
    for index, event in enumerate(events):
        file.write(",\n" if index else "\n")
        file.write(json.dumps(event))
    file.write("\n]}\n")


def _events(recorded: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """All events: the names of tracks, then the intervals in order of time, with the arrows of their messages."""
    columns = {name: values.tolist() for name, values in recorded["intervals"].items()}
    yield {**PROCESS, "tid": 0, "name": "process_name", "args": {"name": "ranks"}}
    tracks = _tracks(columns)
    yield from _names(tracks)
    nanoseconds = recorded["microseconds_per_processor_cycle"] * 1000
    lines = [_Line(*row) for row in zip(*(columns[name] for name in _Line._fields), strict=True)]
    details = zip(*(columns[name] for name in ("peer", "bytes", "collective", "stage", "round")), strict=True)
    arrows = _arrows(lines, recorded)
    for index, (line, known) in enumerate(zip(lines, details, strict=True)):
        name = _name(line, recorded)
        begin, end = _ticks(line.start * nanoseconds), _ticks(line.end * nanoseconds)
        place = {"ts": begin / TICKS_PER_MICROSECOND, "pid": 0, "tid": tracks[line.rank, line.coprocessor].number}
        message = {"source": line.source, "number": line.number} if line.has_message else {}
        args = {**message, **_details(known, recorded["collectives"])}
        category = recorded["activities"][line.activity].partition(":")[0]
        duration = (end - begin) / TICKS_PER_MICROSECOND
        yield {"ph": "X", **place, "dur": duration, "name": name, "cat": category, **({"args": args} if args else {})}
        for arrow in arrows[index]:
            # An arrow has to lie within its slice, which ends before the tick of its end.
            at = max(begin, min(_ticks(arrow.time * nanoseconds), end - TICKS_PER_NANOSECOND))
            enclosing = {"bp": "e"} if arrow.phase == "f" else {}  # the arrow ends at the slice that encloses it
            named = {"name": "message", "cat": "message", "id": arrow.number}
            yield {"ph": arrow.phase, **place, "ts": at / TICKS_PER_MICROSECOND, "dur": 0, **named, **enclosing}


class _Line(NamedTuple):
    """An interval of a time line."""

    rank: int
    coprocessor: int
    activity: int
    call: int
    has_message: int
    source: int
    number: int
    start: int
    end: int


def _name(line: _Line, recorded: Mapping[str, Any]) -> str:
    """The name of the call, if the interval is one, or else of the core's activity."""
    name: str = recorded["calls"][line.call - 1] if line.call else recorded["activities"][line.activity]
    return name


def _ticks(nanoseconds: float) -> int:
    """The first tick that is not before the whole nanosecond next to a time."""
    return -(-round(nanoseconds) * TICKS_PER_MICROSECOND // 1000)


def _details(known: tuple[int, ...], collectives: Sequence[str]) -> dict[str, Any]:
    """The details of a wait, by name. Each number in `known` is 1 more than its meaning; 0 stands for nothing."""
    peer, length, collective, stage, round_number = known
    values = {
        "peer": peer and peer - 1,
        "bytes": length and length - 1,
        "collective": collective and collectives[collective - 1],
        "stage": stage and stage - 1,
        "round": round_number and round_number - 1,
    }
    return {name: values[name] for name, value in zip(values, known, strict=True) if value}


@dataclass(frozen=True)
class _Track:
    """A track, with its number and name."""

    number: int
    name: str


def _tracks(columns: Mapping[str, list[int]]) -> dict[tuple[int, int], _Track]:
    """The tracks by rank and whether they are those of co-processors, numbered in the order in which they are drawn."""
    names = ("node", "core", "coprocessor", "rank")
    places = sorted(set(zip(*(columns[name] for name in names), strict=True)))
    tracks = {}
    for number, (node, core, coprocessor, rank) in enumerate(places, start=1):
        processor = "co-processor" if coprocessor else f"core {core}"
        tracks[rank, coprocessor] = _Track(number, f"rank {rank}, node {node}, {processor}")
    return tracks


def _names(tracks: Mapping[tuple[int, int], _Track]) -> Iterator[dict[str, Any]]:
    for track in tracks.values():
        event = {**PROCESS, "tid": track.number}
        yield {**event, "name": "thread_name", "args": {"name": track.name}}
        yield {**event, "name": "thread_sort_index", "args": {"sort_index": track.number}}


class _Arrow(NamedTuple):
    """One end of an arrow: its kind (s or f), its processor cycle, and the number of the arrow."""

    phase: str
    time: int
    number: int


def _arrows(lines: Sequence[_Line], recorded: Mapping[str, Any]) -> dict[int, list[_Arrow]]:
    """The ends of arrows at each interval.

    An arrow begins at the first packet written of a message, or where the rank sends the message if packets are not
    recorded or its own core does not write them. It ends at the last packet that the receiver's core reads, or where
    the message has arrived.
    """
    tasks = _packets(lines, recorded["activities"])
    columns = {name: values.tolist() for name, values in recorded["passages"].items()}
    passages = list(zip(*(columns[name] for name in ("source", "number", "rank", "is_sent", "time")), strict=True))
    sent = {(source, number): time for source, number, _, is_sent, time in passages if is_sent}
    tracks: dict[int, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        if not line.coprocessor:
            tracks[line.rank].append(index)
    arrows: dict[int, list[_Arrow]] = defaultdict(list)
    count = 0
    for source, number, rank, is_sent, time in passages:
        if is_sent or (source, number) not in sent:
            continue
        start = tasks.get(("write", source, number, source)) or _at(sent[source, number], lines, tracks[source])
        end = tasks.get(("read", source, number, rank)) or _before(time, lines, tracks[rank])
        if start is not None and end is not None:
            count += 1
            arrows[start[0]].append(_Arrow("s", start[1], count))
            arrows[end[0]].append(_Arrow("f", end[1], count))
    return arrows


def _packets(lines: Sequence[_Line], activities: Sequence[str]) -> dict[tuple[str, int, int, int], tuple[int, int]]:
    """The interval and time of the first packet written and the last packet read of each message, by its rank."""
    found: dict[tuple[str, int, int, int], tuple[int, int]] = {}
    for index, line in enumerate(lines):
        key = activities[line.activity], line.source, line.number, line.rank
        if line.has_message and (key[0] == "read" or key not in found):
            found[key] = index, line.start
    return found


def _at(time: int, lines: Sequence[_Line], track: Sequence[int]) -> tuple[int, int] | None:
    """The interval of a track to which a beginning at `time` belongs: the last one that has begun by then."""
    place = bisect_right(track, time, key=lambda index: lines[index].start) - 1
    return None if place < 0 else (track[place], time)


def _before(time: int, lines: Sequence[_Line], track: Sequence[int]) -> tuple[int, int] | None:
    """The interval of a track to which an end at `time` belongs: the first one that has not ended before."""
    place = bisect_left(track, time, key=lambda index: lines[index].end)
    return None if place == len(track) else (track[place], time)
