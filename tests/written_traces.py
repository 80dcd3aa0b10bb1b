"""Programs of ranks, written as traces in all formats.

Each rank makes calls one after another, and a trace has their times. GOAL and Chakra are graphs: GOAL has no
collectives, and neither has calls that involve no other rank.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

Kind = Literal["compute", "local", "send", "recv", "isend", "irecv", "wait", "barrier", "bcast", "allreduce"]
COLLECTIVES = ("barrier", "bcast", "allreduce")


@dataclass(frozen=True)
class Step:
    """An activity of a rank for `microseconds`; a `peer` that is the rank itself is one in MPI_COMM_SELF."""

    kind: Kind
    microseconds: int
    peer: int = 0
    tag: int = 0
    byte_count: int = 0

    @property
    def is_computation(self) -> bool:
        """Whether the step is computation and not a call."""
        return self.kind == "compute"


@dataclass(frozen=True)
class Rank:
    """A rank, with the time of its clock at the end of MPI_Init."""

    number: int
    begin: int
    steps: Sequence[Step]

    def timed(self) -> Iterator[tuple[int, int, Step]]:
        """The calls, with their begin and end."""
        time = self.begin
        for step in self.steps:
            begin, time = time, time + step.microseconds
            if not step.is_computation:
                yield begin, time, step

    @property
    def end(self) -> int:
        """The time of the rank's clock at MPI_Finalize."""
        return self.begin + sum(step.microseconds for step in self.steps)


Program = Sequence[Rank]
"""The ranks of a program, in order."""


def liballprof(path: Path, program: Program) -> None:
    """One file of text lines for each rank."""
    path.mkdir()
    for rank in program:
        (path / f"pmpi-trace-rank-{rank.number}.txt").write_text("\n".join(_lines(rank, len(program))) + "\n")


def _lines(rank: Rank, ranks: int) -> Iterator[str]:
    world = f"0,{rank.number},{ranks}"
    yield f"MPI_Init:-:0:0:{rank.begin}"
    pending = 0
    for begin, end, step in rank.timed():
        peer, comm = (0, "77,0,1") if step.peer == rank.number else (step.peer, world)
        message = f"{begin}:0:{step.byte_count}:1,1,0:{peer}:{step.tag}:{comm}"
        request = 8 * (pending + 1)
        pending = {"isend": pending + 1, "irecv": pending + 1, "wait": 0}.get(step.kind, pending)
        yield {
            "local": f"MPI_Comm_rank:{begin}:{world}:{end}",
            "send": f"MPI_Send:{message}:{end}",
            "recv": f"MPI_Recv:{message}:0:{end}",
            "isend": f"MPI_Isend:{message}:{request}:{end}",
            "irecv": f"MPI_Irecv:{message}:{request}:{end}",
            "wait": f"MPI_Waitall:{begin}:{request // 8 - 1}:8:0:{end}",
            "barrier": f"MPI_Barrier:{begin}:{world}:{end}",
            "bcast": f"MPI_Bcast:{begin}:0:{step.byte_count}:1,1,0:0:{world}:{end}",
            "allreduce": f"MPI_Allreduce:{begin}:0:0:{step.byte_count}:1,1,0:0:{world}:{end}",
        }[step.kind]
    yield f"MPI_Finalize:{rank.end}:-"


DUMPI_CALLS = {"send": 0, "recv": 1, "isend": 8, "irecv": 12, "wait": 18, "barrier": 52, "bcast": 53}
DUMPI_CALLS |= {"allreduce": 65, "local": 82, "init": 124, "finalize": 125}


def dumpi(path: Path, program: Program) -> None:
    """One binary file for each rank, of records, a footer that counts them, and an index of both."""
    path.mkdir()
    for rank in program:
        (path / f"t-{rank.number:04}.bin").write_bytes(_dumpi_file(rank))


def _dumpi_file(rank: Rank) -> bytes:
    counts = [0] * 291
    body = bytearray(b"\xff\xaa\xddDUMPI" + bytes(8))

    def record(name: str, begin: int, end: int, fields: bytes) -> None:
        counts[DUMPI_CALLS[name]] += 1
        body.extend(DUMPI_CALLS[name].to_bytes(2) + bytes([1 << 3 | 1 << 6, 0, 0]))
        for time in (begin, end):
            body.extend((time // 1_000_000).to_bytes(2) + (time % 1_000_000 * 1000).to_bytes(4))
        body.extend(fields)

    record("init", 0, rank.begin, _int(0))
    pending = 0
    for begin, end, step in rank.timed():
        peer, comm = (0, 3) if step.peer == rank.number else (step.peer, 2)
        data = _int(step.byte_count) + (2).to_bytes(2)
        message = data + _int(peer) + _int(step.tag) + comm.to_bytes(2)
        listed = b"".join(_int(10 + number) for number in range(pending))
        fields = {
            "local": (2).to_bytes(2) + _int(rank.number),
            "send": message,
            "recv": message,
            "isend": message + _int(10 + pending),
            "irecv": message + _int(10 + pending),
            "wait": _int(pending) + _int(pending) + listed,
            "barrier": (2).to_bytes(2),
            "bcast": data + _int(0) + (2).to_bytes(2),
            "allreduce": data + bytes([3]) + (2).to_bytes(2),
        }[step.kind]
        pending = {"isend": pending + 1, "irecv": pending + 1, "wait": 0}.get(step.kind, pending)
        record(step.kind, begin, end, fields)
    record("finalize", rank.end, rank.end + 1, b"")
    body.extend((293).to_bytes(2))
    header = len(body)
    body.extend(bytes([1, 1, 0]) + bytes(20))
    footer = len(body)
    body.extend((0xF007FEE7).to_bytes(8) + b"".join(_int(count) for count in counts) + bytes(4 * 291))
    keyval = len(body)
    body.extend(bytes(4) + b"\xff\xaa\xddDUMPI")
    body.extend(b"".join(place.to_bytes(8) for place in (0, 0, 0, header, 8, footer, keyval)))
    return bytes(body)


def _int(value: int) -> bytes:
    return value.to_bytes(4)


def otf2(path: Path, program: Program) -> None:
    """An archive, with a region of the program around all others."""
    library = importlib.import_module("otf2")  # an extra, which need not be there
    mpi = library.Paradigm.MPI
    with library.writer.open(str(path), timer_resolution=1_000_000) as archive:
        definitions = archive.definitions
        node = definitions.system_tree_node("node")
        groups = [definitions.location_group(f"rank {rank.number}", system_tree_parent=node) for rank in program]
        locations = [definitions.location(f"rank {number}", group=group) for number, group in enumerate(groups)]
        kinds, no_flag = library.GroupType, library.GroupFlag.NONE
        everybody = definitions.group("all", kinds.COMM_LOCATIONS, mpi, no_flag, locations)
        world = definitions.comm("MPI_COMM_WORLD", everybody)
        own = definitions.comm("MPI_COMM_SELF", definitions.group("self", kinds.COMM_SELF, mpi, no_flag, []))
        regions: dict[str, Any] = {
            name: definitions.region(name, paradigm=mpi) for name in ("MPI_Init", "MPI_Finalize", "MPI_Call")
        }
        main = definitions.region("main", paradigm=library.Paradigm.USER)
        for rank, location in zip(program, locations, strict=True):
            events = archive.event_writer_from_location(location)
            events.enter(0, main)
            events.enter(rank.begin // 2, regions["MPI_Init"])
            events.leave(rank.begin, regions["MPI_Init"])
            _otf2_calls(events, rank, (world, own, regions["MPI_Call"]), len(program))
            events.enter(rank.end, regions["MPI_Finalize"])
            events.leave(rank.end + 5, regions["MPI_Finalize"])
            events.leave(rank.end + 50, main)


def _otf2_calls(events: Any, rank: Rank, defined: tuple[Any, Any, Any], ranks: int) -> None:  # noqa: ANN401
    library = importlib.import_module("otf2")
    world, own, region = defined
    pending: list[tuple[int, Step]] = []
    next_request = 1
    for begin, end, step in rank.timed():
        peer, comm = (0, own) if step.peer == rank.number else (step.peer, world)
        size, message = step.byte_count, (peer, comm, step.tag, step.byte_count)
        events.enter(begin, region)
        match step.kind:
            case "send":
                events.mpi_send(begin, *message)
            case "recv":
                events.mpi_recv(end, *message)
            case "isend":
                events.mpi_isend(begin, *message, next_request)
            case "irecv":
                events.mpi_irecv_request(begin, next_request)
            case "wait":
                for request, begun in pending:
                    source, of = (0, own) if begun.peer == rank.number else (begun.peer, world)
                    if begun.kind == "isend":
                        events.mpi_isend_complete(end, request)
                    else:
                        events.mpi_irecv(end, source, of, begun.tag, begun.byte_count, request)
            case "barrier" | "bcast" | "allreduce":
                operation = getattr(library.CollectiveOp, step.kind.upper())
                # Sizes as Score-P counts them: a message of each rank to each that gets something of its data.
                sent, received, root = {
                    "barrier": (0, 0, library.CollectiveRoot.NONE),
                    "bcast": (0 if rank.number else ranks * size, size, 0),
                    "allreduce": (ranks * size, ranks * size, library.CollectiveRoot.NONE),
                }[step.kind]
                events.mpi_collective_begin(begin)
                events.mpi_collective_end(end, operation, world, root, sent, received)
        if step.kind in ("isend", "irecv"):
            pending.append((next_request, step))
            next_request += 1
        elif step.kind == "wait":
            pending = []
        events.leave(end, region)


@dataclass(frozen=True)
class Operation:
    """A node of a rank's graph, and the numbers of those whose end it waits for."""

    number: int
    step: Step
    after: Sequence[int]


def _graph(rank: Rank) -> Iterator[Operation]:
    """The steps of a rank without local ones. Each waits for the previous one, unless that is non-blocking."""
    last: list[int] = []
    pending: list[int] = []
    for number, step in enumerate(step for step in rank.steps if step.kind != "local"):
        yield Operation(number, step, last + (pending if step.kind == "wait" else []))
        if step.kind in ("isend", "irecv"):
            pending.append(number)
        else:
            last = [number]
        if step.kind == "wait":
            pending = []


def goal(path: Path, program: Program) -> None:
    """A schedule."""
    path.mkdir()
    lines = [f"num_ranks {len(program)}"]
    for rank in program:
        lines.append(f"rank {rank.number} {{")
        for operation in _graph(rank):
            step = operation.step
            lines.append(f"l{operation.number}: {_goal_operation(step)}")
            lines += [f"l{operation.number} requires l{before}" for before in operation.after]
        lines.append("}")
    (path / "program.goal").write_text("\n".join(lines) + "\n")


def _goal_operation(step: Step) -> str:
    match step.kind:
        case "compute":
            return f"calc {step.microseconds * 1000}"
        case "wait":
            return "calc 0"
        case "send" | "isend":
            return f"send {step.byte_count}b to {step.peer} tag {step.tag}"
        case "recv" | "irecv":
            return f"recv {step.byte_count}b from {step.peer} tag {step.tag}"
        case kind:
            raise AssertionError(f"GOAL has no {kind}")


def chakra(path: Path, program: Program) -> None:
    """One file of nodes for each rank."""
    path.mkdir()
    for rank in program:
        nodes = [_node(operation) for operation in _graph(rank)]
        (path / f"t.{rank.number}.et").write_bytes(_delimited(_block(1, b"0.0.4")) + b"".join(nodes))


NODE_TYPES = {"compute": 4, "wait": 4, "send": 5, "isend": 5, "recv": 6, "irecv": 6}
COMM_TYPES = {"allreduce": 0, "bcast": 5, "barrier": 9}


def _node(operation: Operation) -> bytes:
    step = operation.step
    attributes: dict[str, int] = {}
    if step.kind in COLLECTIVES:
        attributes = {"comm_type": COMM_TYPES[step.kind], "comm_size": step.byte_count}
    elif step.kind not in ("compute", "wait"):
        peer = "comm_dst" if step.kind.endswith("send") else "comm_src"
        attributes = {peer: step.peer, "comm_tag": step.tag, "comm_size": step.byte_count}
    duration = 0 if step.kind == "wait" else step.microseconds
    after = b"".join(_varint(number) for number in operation.after)
    kind = NODE_TYPES.get(step.kind, 7)
    content = _number(1, operation.number) + _number(3, kind) + _block(5, after) + _number(7, duration)
    return _delimited(content + b"".join(attribute(name, _number(9, value)) for name, value in attributes.items()))


def node(number: int, kind: int, fields: bytes = b"", name: bytes = b"n") -> bytes:
    """A node of Chakra with further fields, such as attributes."""
    return _delimited(_number(1, number) + _block(2, name) + _number(3, kind) + fields)


def attribute(name: str, value: bytes) -> bytes:
    """An attribute of a node, whose value is a field: 7 is int32, 9 int64, 27 bool, 28 a list of them, 29 text."""
    return _block(10, _block(1, name.encode()) + value)


def metadata() -> bytes:
    """The first message of a file."""
    return _delimited(_block(1, b"0.0.4"))


def duration(microseconds: int) -> bytes:
    """The duration of a node."""
    return _number(7, microseconds)


def _varint(value: int) -> bytes:
    head = bytearray()
    while value > 127:
        head.append(value & 127 | 128)
        value >>= 7
    return bytes([*head, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _block(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _delimited(content: bytes) -> bytes:
    return _varint(len(content)) + content


number_field, block_field = _number, _block


class Format(NamedTuple):
    """A format: its writer, how an error names a place in the file of rank 1, and the calls whose time it lacks."""

    write: Callable[[Path, Program], None]
    place: str
    is_graph: bool
    left_out: Sequence[Kind]


FORMATS: Mapping[str, Format] = {
    "liballprof": Format(liballprof, r"pmpi-trace-rank-1\.txt:{line}:", is_graph=False, left_out=()),
    "dumpi": Format(dumpi, r"t-0001\.bin, byte \d+:", is_graph=False, left_out=()),
    "otf2": Format(otf2, r"1\.evt, record \d+:", is_graph=False, left_out=()),
    "goal": Format(goal, r"program\.goal:\d+:", is_graph=True, left_out=get_args(Kind)),
    "chakra": Format(chakra, r"t\.1\.et, byte \d+:", is_graph=True, left_out=("local", "wait")),
}
