"""The table "Auto" of docs/models/collectives.md: `python tools/choice_table.py [OPERATION ...]`.

It runs "auto" and each algorithm that can be named on ten shapes, with lengths from 1 KB to 16 MB by 4, with no costs
and those of October 2003, with no dead node and one, and prints how much longer "auto" takes than the best of all. An
algorithm is stopped when it has taken as long as "auto". All of it takes about an hour.
"""

import itertools
import json
import math
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import torusim
from torusim import _core

SHAPES = ("8", "4x4", "4x8", "5x3", "2x6", "8x8:co", "6x6:oo", "4x4x4", "3x4x5", "4x4x8")

LENGTHS = [1024 * 4**power for power in range(8)]

OPERATIONS = ("all-reduce", "reduce-scatter", "all-gather")

ALGORITHMS = json.loads(_core.catalog())["algorithms"]


class Cell(NamedTuple):
    """A cell of the table: the run that "auto" and all algorithms make."""

    operation: str
    length_bytes: int
    shape: str
    dead_nodes: int
    costs: str


def cells(operations: list[str]) -> Iterator[Cell]:
    """All cells, the shortest first."""
    known = itertools.product(operations, LENGTHS, SHAPES, (0, 1), ("none", "october-2003"))
    return itertools.starmap(Cell, known)


def scenario(cell: Cell, algorithm: str) -> dict[str, Any]:
    """A collective on a shape such as "6x6:co", whose second dimension is open."""
    lengths, _, wraps = cell.shape.partition(":")
    sides = [int(length) for length in lengths.split("x")]
    ranks = math.prod(sides) - cell.dead_nodes
    machine = {
        "shape": sides,
        "wrap": [mark == "c" for mark in wraps or "c" * len(sides)],
        "node": {"fifo_choice": "by-direction"},
        "dead_nodes": [[side // 2 for side in sides]] * cell.dead_nodes,
    }
    workload = {
        "kind": "collective",
        "operation": cell.operation,
        "algorithm": algorithm,
        "bytes": math.ceil(cell.length_bytes / ranks) * ranks,
    }
    return {"machine": machine, "workload": workload, "messaging": {"costs": cell.costs}}


def cycles(cell: Cell, algorithm: str, limit_cycles: float = math.inf) -> float:
    """Network cycles, or infinity if the algorithm does not suit the shape or takes longer than a limit."""
    limit = {} if limit_cycles == math.inf else {"run": {"time_limit_cycles": int(limit_cycles)}}
    try:
        summary = torusim.run(scenario(cell, algorithm) | limit).summary
    except torusim.InputError:
        return math.inf
    return summary["collective_cycles_max"] if summary["outcome"] == "completed" else math.inf


def loss_percent(cell: Cell) -> float:
    """How much longer "auto" takes than the best."""
    chosen = cycles(cell, "auto")
    others = (cycles(cell, algorithm, chosen) for algorithm in ALGORITHMS[cell.operation])
    return 100 * (chosen / min(chosen, *others) - 1)


def main() -> None:
    """Prints a text line for each cell, then the table."""
    operations = sys.argv[1:] or list(OPERATIONS)
    losses: dict[tuple[str, str, int], list[float]] = {}
    for cell in cells(operations):
        loss = loss_percent(cell)
        losses.setdefault((cell.operation, cell.costs, cell.dead_nodes), []).append(loss)
        sys.stderr.write(f"{' '.join(map(str, cell))} {loss:.1f}\n")
    sys.stdout.write("| operation | costs | dead nodes | cells | within 5 % | worst |\n|---|---|---|---|---|---|\n")
    for (operation, costs, dead_nodes), all_losses in losses.items():
        within = sum(loss <= 5 for loss in all_losses)
        row = (operation, costs, dead_nodes, len(all_losses), within, f"{max(all_losses):.0f} %")
        sys.stdout.write(f"| {' | '.join(map(str, row))} |\n")


if __name__ == "__main__":
    main()
