"""All-to-alls within lines and within planes."""

from collections.abc import Iterator, Sequence

from torusim.study import Findings, FinishedPoint, Point, Scale

KINDS = {"lines": ("line-all-to-all", [0]), "planes": ("plane-all-to-all", [0, 1])}


def points(scale: Scale) -> Iterator[Point]:
    """Lines along x, planes of x and y."""
    for name, (kind, dimensions) in KINDS.items():
        payload = scale["line_payload_bytes" if name == "lines" else "plane_payload_bytes"]
        yield scale.point(
            {"within": name},
            machine={"shape": scale["shape"]},
            workload={"kind": kind, "dimensions": dimensions, "payload_bytes": payload},
        )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Shares of the peak."""
    share = {point.labels["within"]: point.summary["percent_of_peak"] for point in points}
    return Findings(
        rows=[
            {
                "within": point.labels["within"],
                "shape": point.summary["shape"],
                "cycles": point.summary["cycles"],
                "% of peak": point.summary["percent_of_peak"],
            }
            for point in points
        ],
        numbers={"line_percent": share["lines"], "plane_percent": share["planes"]},
        figure=[],
    )
