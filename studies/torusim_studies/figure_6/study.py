"""Figure 6: the effect of VCs and routing on an all-to-all."""

from collections.abc import Iterator, Sequence

from torusim.pictures.figures import Axis, Bars, Level
from torusim.study import Findings, FinishedPoint, Point, Scale

VARIANTS = {
    "deterministic": {"dynamic_channels": 0, "escape_channel_bytes": 3072},
    "1 dynamic": {"dynamic_channels": 1, "dynamic_channel_bytes": 2048, "escape_channel_bytes": 1024},
    "2 dynamic": {"dynamic_channels": 2, "dynamic_channel_bytes": 1024, "escape_channel_bytes": 1024},
}
"""Routers with 3 KB of buffers per receiver."""


def points(scale: Scale) -> Iterator[Point]:
    """A steady measurement window for each variant; one adaptive VC needs the longest warm-up."""
    for variant, router in VARIANTS.items():
        warmup = scale["warmup_cycles"] if variant == "2 dynamic" else scale["one_dynamic_warmup_cycles"]
        yield scale.point(
            {"variant": variant},
            machine={"shape": scale["shape"], "router": router},
            workload={"routing": "deterministic" if variant == "deterministic" else "adaptive"},
            run={"warmup_cycles": warmup, "measure_cycles": scale["measure_cycles"]},
        )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Link utilization."""
    fixed, one, two = (100 * point.summary["link_utilization_mean"] for point in points)
    variants = [point.labels["variant"] for point in points]
    payload = [100 * point.summary["payload_utilization"] for point in points]
    escape = [100 * point.summary["escape_share"] for point in points]
    return Findings(
        rows=[
            {
                "variant": point.labels["variant"],
                "links busy (%)": 100 * point.summary["link_utilization_mean"],
                "payload (%)": 100 * point.summary["payload_utilization"],
                "on the escape VC (%)": 100 * point.summary["escape_share"],
                "steadiness": point.summary["steadiness"],
            }
            for point in points
        ],
        numbers={
            "two_dynamic_percent": two,
            "payload_percent": payload[2],
            "dynamic_above_deterministic_points": one - fixed,
            "second_channel_adds_points": two - one,
            "escape_percent": escape[2],
        },
        figure=[
            Bars(
                labels=[
                    f"{name} VC{'s' if name[0] == '2' else ''}" if name[0].isdigit() else name for name in variants
                ],
                heights=[("links busy", [fixed, one, two]), ("payload", payload)],
                y=Axis("link utilization (%)", lowest=0, highest=105),
                levels=[Level("papers: links 98 %", 98), Level("papers: payload 87 %", 87)],
            )
        ],
    )
