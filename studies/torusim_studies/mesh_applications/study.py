"""Communication skeletons of three applications on partitions as tori and as meshes, by their share of computation."""

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from random import Random
from typing import Any

from torusim.api import run_program
from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.programs import Bytes, Comm, Status, compute_dims
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim_studies.partitions import OF_ROOM, OPEN, TORUS, wraps

NEK5000, FLASH, GFMC, GFMC_MOVED = "NEK5000", "FLASH", "GFMC", "GFMC, servers in the middle"
OF_PAPER = (NEK5000, FLASH, GFMC)

FACE_BYTES, EDGE_BYTES, CORNER_BYTES = 8_192, 512, 32
"""NEK5000: the bytes that a process sends to a neighbor with a common face, edge and corner. Chosen."""

BLOCK_FACE_BYTES = 8_192
"""FLASH: a face of a block of 16x16 cells with four guard cells, in single precision. Chosen."""

WORK_BYTES, SOLUTION_BYTES, REQUEST_BYTES, STATUS_BYTES = 4_096, 4_096, 16, 256
"""GFMC: a package of work, its solution, the request for one, and the messages between servers. Chosen."""

PACKAGES = 3
"""GFMC: packages of work for each worker. Chosen."""

TAG_REQUEST, TAG_WORK = 1, 2

TARGET_PERCENT = 7.0
"""The paper's slowdown."""

JUDGED_SHARE = 0.8

Program = Callable[..., Coroutine[Any, Any, None]]
Slowdowns = Mapping[tuple[str, str, float], float]
"""Slowdowns in percent by application, wiring and share of computation."""


def points(scale: Scale) -> Iterator[Point]:
    """All wirings and shares of an application."""
    for application in (*OF_PAPER, GFMC_MOVED):
        arguments = {name: scale[name] for name in ("shape", "rounds", "shares")}
        labels = {"application": application}
        yield scale.call(labels, "times", labels | arguments)


def times(arguments: Mapping[str, Any], report: Report) -> Finished:
    """Time of the application for each wiring and share of computation, which is sized by the time on the torus."""
    shape, rounds = arguments["shape"], arguments["rounds"]
    program, per_round = applications(shape)[arguments["application"]]
    cases = list(product(wraps(shape).items(), [0.0, *arguments["shares"]]))
    found: dict[str, list[Any]] = {"wiring": [], "share": [], "time_us": []}
    for index, ((wiring, wrap), share) in enumerate(cases):
        report(index / len(cases))
        alone_us = found["time_us"][0] if found["time_us"] else 0.0  # on the torus, which is the first
        computed_us = alone_us / (rounds * per_round) * share / (1 - share)
        result = run_program(
            partial(program, rounds=rounds, computed=computed_us / 1e6),
            ranks=prod(shape),
            machine={"preset": "bluegene-p", "shape": shape, "wrap": wrap},
        )
        for column, value in zip(
            found.values(), (wiring, share, 1e6 * result.summary["seconds_simulated"]), strict=True
        ):
            column.append(value)
    return {"summary": {"communication_us": found["time_us"][0]}, "tables": {"times": found}}


def applications(shape: Sequence[int]) -> Mapping[str, tuple[Program, int]]:
    """The program of each application, and how often a process computes in a round."""
    side, middle = (server_plane(shape, place) for place in (0, shape[-1] // 2))
    return {
        NEK5000: (nek5000, 1),
        FLASH: (flash, 1),
        GFMC: (partial(gfmc, servers=side), PACKAGES),
        GFMC_MOVED: (partial(gfmc, servers=middle), PACKAGES),
    }


def server_plane(shape: Sequence[int], place: int) -> list[int]:
    """The ranks of the plane at a place along the last dimension; ranks are placed x first."""
    plane = prod(shape[:-1])
    return list(range(place * plane, (place + 1) * plane))


async def nek5000(comm: Comm, rounds: int, computed: float) -> None:
    """Neighbors in a grid of processes that is not periodic, then two sums over all."""
    messages = box_neighbors(comm.rank, compute_dims(comm.size, 3))
    for _ in range(rounds):
        await exchange(comm, messages)
        await compute(comm, computed)
        for _ in range(2):
            await comm.allreduce(1.0)


def box_neighbors(rank: int, grid: Sequence[int]) -> list[tuple[int, int]]:
    """(rank, bytes) of the neighbors in a box whose first dimension varies fastest."""
    strides = [prod(grid[:place]) for place in range(len(grid))]
    place = [rank // stride % length for stride, length in zip(strides, grid, strict=True)]
    found = []
    for step in product((-1, 0, 1), repeat=len(grid)):
        there = [at + by for at, by in zip(place, step, strict=True)]
        distance = sum(map(abs, step))
        if distance > 0 and all(0 <= at < length for at, length in zip(there, grid, strict=True)):
            size = (FACE_BYTES, EDGE_BYTES, CORNER_BYTES)[distance - 1]
            found.append((sum(at * stride for at, stride in zip(there, strides, strict=True)), size))
    return found


async def flash(comm: Comm, rounds: int, computed: float) -> None:
    """Neighbors in space of processes in the order of a Morton curve, then the least time step."""
    messages = morton_neighbors(comm.rank, comm.size)
    for _ in range(rounds):
        await exchange(comm, messages)
        await compute(comm, computed)
        await comm.allreduce(1.0, op=min)


def morton_neighbors(rank: int, ranks: int) -> list[tuple[int, int]]:
    """(rank, bytes) of those of the six neighbors in space that are in the domain."""
    place = morton_place(rank)
    found = []
    for dimension, step in product(range(len(place)), (-1, 1)):
        there = list(place)
        there[dimension] += step
        if min(there) >= 0 and (other := morton_rank(there)) < ranks:
            found.append((other, BLOCK_FACE_BYTES))
    return found


def morton_place(rank: int) -> list[int]:
    """Coordinates of a place on the Morton curve: every third bit."""
    bits = range(rank.bit_length())
    return [sum((rank >> bit & 1) << bit // 3 for bit in bits if bit % 3 == dimension) for dimension in range(3)]


def morton_rank(place: Sequence[int]) -> int:
    """The rank at coordinates in space: the inverse of `morton_place`."""
    return sum(
        (at >> bit & 1) << 3 * bit + dimension for dimension, at in enumerate(place) for bit in range(at.bit_length())
    )


async def exchange(comm: Comm, messages: Sequence[tuple[int, int]]) -> None:
    """Sends to neighbors and receives as much from each, without blocking."""
    requests = [await comm.irecv(source=other) for other, _ in messages]
    requests += [await comm.isend(Bytes(size), dest=other) for other, size in messages]
    await comm.waitall(requests)


async def compute(comm: Comm, seconds: float) -> None:
    """Computes, if there is anything to compute."""
    if seconds > 0:
        await comm.compute(seconds)


async def gfmc(comm: Comm, servers: Sequence[int], rounds: int, computed: float) -> None:
    """Workers ask servers for work; servers answer, and notify the next server of pending work."""
    workers = [rank for rank in range(comm.size) if rank not in set(servers)]
    packages = rounds * PACKAGES
    if comm.rank in servers:
        place = servers.index(comm.rank)
        served = len(range(place, len(workers), len(servers))) * packages
        await serve(comm, served, servers[(place + 1) % len(servers)])
    else:
        server = servers[workers.index(comm.rank) % len(servers)]
        await work(comm, server, packages, computed)


async def serve(comm: Comm, requests: int, next_server: int) -> None:
    """Answers requests in the order in which they come, each of which returns a solution."""
    status = Status()
    for _ in range(requests):
        await comm.recv(tag=TAG_REQUEST, status=status)
        await comm.send(Bytes(WORK_BYTES), dest=status.source, tag=TAG_WORK)
    await comm.waitall([await comm.isend(Bytes(STATUS_BYTES), dest=next_server), await comm.irecv(tag=0)])


async def work(comm: Comm, server: int, packages: int, computed: float) -> None:
    """Asks for work, computes for a random time, and returns the solution with the next request."""
    draws = Random(comm.rank)
    size = REQUEST_BYTES
    for _ in range(packages):
        await comm.send(Bytes(size), dest=server, tag=TAG_REQUEST)
        await comm.recv(source=server, tag=TAG_WORK)
        await compute(comm, computed * draws.uniform(0.5, 1.5))
        size = SOLUTION_BYTES


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Slowdowns over the share of computation, and the share at which they fall below the paper's."""
    of = {
        (point.labels["application"], wiring, share): time
        for point in points
        for wiring, share, time in zip(*point.tables["times"].values(), strict=True)
    }
    slowdowns = {
        (application, wiring, share): 100 * (time / of[application, TORUS, share] - 1)
        for (application, wiring, share), time in of.items()
        if wiring != TORUS
    }
    return Findings(
        rows=[
            row(slowdowns, application, wiring) for application in (*OF_PAPER, GFMC_MOVED) for wiring in (OPEN, OF_ROOM)
        ],
        numbers={
            "largest_at_80_percent": max(slowdowns[application, OPEN, JUDGED_SHARE] for application in OF_PAPER),
            "largest_at_80_room_percent": max(
                slowdowns[application, OF_ROOM, JUDGED_SHARE] for application in OF_PAPER
            ),
            **{f"{name.lower()}_share_percent": share_below(slowdowns, name, OPEN) for name in OF_PAPER},
            "moved_servers_gain": of[GFMC, OPEN, 0.0] / of[GFMC_MOVED, OPEN, 0.0],
            "off_sum_points": max(
                abs(slowdown - (1 - share) * slowdowns[application, wiring, 0.0])
                for (application, wiring, share), slowdown in slowdowns.items()
            ),
        },
        figure=[panel(slowdowns, wiring) for wiring in (OPEN, OF_ROOM)],
    )


def curve(slowdowns: Slowdowns, application: str, wiring: str) -> dict[float, float]:
    """Slowdown by share of computation, the smallest share first."""
    return {share: value for (*names, share), value in sorted(slowdowns.items()) if names == [application, wiring]}


def share_below(slowdowns: Slowdowns, application: str, wiring: str) -> float:
    """The share of computation in percent at which the slowdown falls below the paper's, between two that were run.

    Beyond the last share, times are taken to add up.
    """
    of = [*curve(slowdowns, application, wiring).items(), (1.0, 0.0)]
    if of[0][1] < TARGET_PERCENT:
        return 0.0
    after = next(index for index, (_, slowdown) in enumerate(of) if slowdown < TARGET_PERCENT)
    (share, slowdown), (next_share, next_slowdown) = of[after - 1], of[after]
    return 100 * (share + (slowdown - TARGET_PERCENT) / (slowdown - next_slowdown) * (next_share - share))


def row(slowdowns: Slowdowns, application: str, wiring: str) -> dict[str, Any]:
    """An application and wiring as a row of the table."""
    return {
        "application": application,
        "wiring": wiring,
        **{
            f"slowdown, {100 * share:.0f} % computation (%)": slowdown
            for share, slowdown in curve(slowdowns, application, wiring).items()
        },
        "below 7 % from (% computation)": share_below(slowdowns, application, wiring),
    }


def panel(slowdowns: Slowdowns, wiring: str) -> Curves:
    """Slowdown by share of computation."""
    return Curves(
        x=Axis("computation (% of computation and communication)", lowest=0, highest=100),
        y=Axis("slowdown (%)"),
        curves=[
            Curve(application, [100 * share for share in of], list(of.values()))
            for application in (*OF_PAPER, GFMC_MOVED)
            for of in [curve(slowdowns, application, wiring)]
        ],
        levels=[Level("paper: less than 7 %", TARGET_PERCENT)],
        title=wiring,
    )
