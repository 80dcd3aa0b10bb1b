"""Hot spot and hot regions: cubes of three sizes, with and without software overhead."""

from collections.abc import Iterator, Sequence

from torusim.pictures.figures import Axis, Dots, Level, Series
from torusim.study import Findings, FinishedPoint, Point, Scale

SIDES = (1, 2, 4)
SOFTWARE = {
    "one core, 60 + 196": {},
    "one core, 60 + 204": {"read_processor_cycles": 204},
    "none": {"write_processor_cycles": 0, "read_processor_cycles": 0},
}


def points(scale: Scale) -> Iterator[Point]:
    """One run for each cube and software cost."""
    for software, node in SOFTWARE.items():
        for side in SIDES:
            yield scale.point(
                {"software": software, "cube": f"{side}x{side}x{side}"},
                machine={"node": node},
                workload={"box": [side] * 3, "packets_per_pair": scale["packets_per_pair"]},
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of the peak of the entry links."""
    share = {(point.labels["software"], point.labels["cube"]): point.summary["percent_of_peak"] for point in points}
    cubes = list(dict.fromkeys(cube for _, cube in share))
    one, two, four = (share["one core, 60 + 196", cube] for cube in cubes)
    return Findings(
        rows=[{"cube": cube} | {f"{name} (%)": share[name, cube] for name in SOFTWARE} for cube in cubes],
        numbers={"one_node_percent": one, "two_cubed_percent": two, "four_cubed_percent": four},
        figure=[
            Dots(
                labels=cubes,
                series=[Series(f"software {name}", [share[name, cube] for cube in cubes]) for name in SOFTWARE],
                y=Axis("throughput (% of entry links' peak)", lowest=80, highest=100),
                x="box of receiving nodes",
                levels=[Level("measured, 1x1x1: 92 %", 92), Level("measured, 2x2x2 and 4x4x4: 95 %", 95)],
            )
        ],
    )
