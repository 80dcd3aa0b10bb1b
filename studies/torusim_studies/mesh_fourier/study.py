"""A three-dimensional Fourier transform on pencils, on partitions as tori and as meshes."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from torusim.pictures.figures import Axis, Bars, Level
from torusim.programs import compute_dims
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.partitions import OF_ROOM, OPEN, OPEN_IN_Z, TORUS, each_wiring

Cycles = Mapping[tuple[str, str], float]
"""Processor cycles of a transform by shape and wiring."""


def points(scale: Scale) -> Iterator[Point]:
    """A transform for each shape and different wiring."""
    for labels, machine in each_wiring(scale["shapes"]):
        grid = compute_dims(prod(machine["shape"]), 2)
        yield scale.point(labels, machine=machine, workload={"n": [scale["points"]] * 3, "grid": grid})


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Times and slowdowns by shape and wiring."""
    of = {
        (point.labels["shape"], point.labels["wiring"]): float(point.summary["iteration_processor_cycles"])
        for point in points
    }
    meshes = [key for key in of if key[1] != TORUS]
    return Findings(
        rows=[row(point, of) for point in points],
        numbers={
            "p3dfft_percent": min(slowdown(of, *key) for key in meshes if key[1] == OPEN),
            "p3dfft_room_percent": slowdown(of, OPEN_IN_Z, OF_ROOM),
        },
        figure=[
            Bars(
                labels=[f"{shape}, {wiring}" for shape, wiring in meshes],
                heights=[("torusim", [slowdown(of, *key) for key in meshes])],
                y=Axis("slowdown (%)", lowest=0),
                levels=[Level("paper: starting at 50 %", 50)],
            )
        ],
    )


def slowdown(of: Cycles, shape: str, wiring: str) -> float:
    """T_mesh / T_torus - 1 in percent."""
    return 100 * (of[shape, wiring] / of[shape, TORUS] - 1)


def row(point: FinishedPoint, of: Cycles) -> dict[str, Any]:
    """A shape and wiring as a row of the table."""
    shape, wiring = point.labels["shape"], point.labels["wiring"]
    return {
        "shape": shape,
        "wiring": wiring,
        "time (ms)": 1e3 * float(point.summary["seconds_simulated"]),
        "% of bound": point.summary["percent_of_peak"],
        "slowdown (%)": slowdown(of, shape, wiring),
    }
