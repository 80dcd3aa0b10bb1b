"""The table "For every algorithm" of docs/models/collectives.md: `python tools/collective_table.py [SHAPE ...]`.

It prints percent of the bound, with free software and a FIFO for each direction, of 1,474,560 bytes (up to a multiple
of the ranks), for shapes that are unequal, odd, of two, and open. SHAPE is such as 4x8, or 6x6:co with an open second
dimension.
"""

import json
import math
import sys
from typing import Any

import torusim
from torusim import _core

BYTES = 1_474_560

SHAPES = ("2x6", "5x3", "3x4x5", "4x8", "6x6:co", "6x6:oo")

OPERATIONS = ("all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast")

ALGORITHMS = json.loads(_core.catalog())["algorithms"]

SEGMENTED = ("rectangle", "red-blue", "deposit")
"""Algorithms that are slow if messages are forwarded only as a whole; `auto` cuts their messages in the same way."""


def scenario(shape: str, operation: str, algorithm: str) -> dict[str, Any]:
    """A collective on a shape such as "6x6:co"."""
    lengths, _, wraps = shape.partition(":")
    sides = [int(length) for length in lengths.split("x")]
    nodes = math.prod(sides)
    workload = {
        "kind": "collective",
        "operation": operation,
        "algorithm": algorithm,
        "bytes": math.ceil(BYTES / nodes) * nodes,
    }
    if algorithm in SEGMENTED:
        workload["segment_bytes"] = 2_400
    return {
        "machine": {
            "shape": sides,
            "wrap": [mark == "c" for mark in wraps or "c" * len(sides)],
            "node": {"fifo_choice": "by-direction"},
        },
        "workload": workload,
        "messaging": {"costs": "none"},
    }


def percent(shape: str, operation: str, algorithm: str) -> str:
    """The share of the bound, or a dash where the algorithm does not suit the shape."""
    try:
        summary = torusim.run(scenario(shape, operation, algorithm)).summary
    except torusim.InputError:
        return "-"
    return f"{summary['percent_of_peak']:.1f}"


def main(shapes: list[str]) -> None:
    """Prints the table, row by row."""
    write_row("operation", "algorithm", *shapes)
    write_row(*["---"] * (2 + len(shapes)))
    for operation in OPERATIONS:
        for algorithm in ALGORITHMS[operation]:
            cells = [percent(shape, operation, algorithm) for shape in shapes]
            if set(cells) != {"-"}:
                write_row(operation, f"`{algorithm}`", *cells)


def write_row(*cells: str) -> None:
    """Prints a row of the table at once."""
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:] or list(SHAPES))
