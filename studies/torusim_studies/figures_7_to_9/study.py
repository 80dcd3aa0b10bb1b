"""Figures 7 to 9: bubble and dateline pairs as escape VCs, under a hot region."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from torusim.pictures.figures import Axis, Curve, Curves, Grid
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import Floats, Throughput, columns, throughput

ESCAPES = {
    "bubble of 2 KB": {"escape": "bubble", "escape_channel_bytes": 2048},
    "pair of 1 KB each": {"escape": "dateline", "escape_channel_bytes": 1024},
    "pair of 2 KB each": {"escape": "dateline", "escape_channel_bytes": 2048},
}
"""The papers say "2-KB escape buffers"; for a pair this may mean both together or each."""


def points(scale: Scale) -> Iterator[Point]:
    """One run for each escape and order."""
    for escape, router in ESCAPES.items():
        for order in scale["orders"]:
            yield scale.point(
                {"escape": escape, "order": order},
                tables=["series"],
                machine={"shape": scale["shape"], "router": {**router, "escape_order": order}},
                run={"measure_cycles": scale["cycles"]},
            )


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The oscillation of throughput, and its correlation with the unblocking of head packets."""
    runs = {(point.labels["escape"], point.labels["order"]): point for point in points}
    flows = {name: throughput(point) for name, point in runs.items()}
    shares = {name: columns(point, "series")["unblocking_share"] for name, point in runs.items()}
    rates = {name: shares[name] * returns(point) for name, point in runs.items()}
    swings = {name: swing(flow.values, rates[name]) for name, flow in flows.items()}
    bubble, small, large = ((escape, "dimension") for escape in ESCAPES)
    return Findings(
        rows=[
            {
                "escape": escape,
                "order": order,
                "highest (bytes/cycle/node)": flow.highest,
                "last quarter": flow.steady,
                "waves": flow.oscillation,
                "on the escape VC (%)": 100 * runs[escape, order].summary["escape_share"],
                "r, share": correlation(flow.values, shares[escape, order]),
                "r, rate": correlation(flow.values, rates[escape, order]),
                "swing, share": swing(flow.values, shares[escape, order]),
                "swing, rate": swings[escape, order],
            }
            for (escape, order), flow in flows.items()
        ],
        numbers={
            "small_pair_waves_ratio": flows[small].oscillation / flows[bubble].oscillation,
            "large_pair_waves_ratio": flows[large].oscillation / flows[bubble].oscillation,
            "small_pair_rate_correlation": correlation(flows[small].values, rates[small]),
            "large_pair_rate_correlation": correlation(flows[large].values, rates[large]),
            "small_pair_share_correlation": correlation(flows[small].values, shares[small]),
            "large_pair_share_correlation": correlation(flows[large].values, shares[large]),
            "bubble_rate_swing": swings[bubble],
            "bubble_share_swing": swing(flows[bubble].values, shares[bubble]),
            "rate_swing_ratio": min(swings[small], swings[large]) / swings[bubble],
        },
        figure=Grid(
            [
                [panel(escape, label, flows, values, has_title=row == 0) for escape in ESCAPES]
                for row, (label, values) in enumerate(
                    (
                        ("throughput\n(bytes/node/cycle)", {name: flow.values for name, flow in flows.items()}),
                        ("unblocking returns\n(% of returns)", {name: 100 * share for name, share in shares.items()}),
                        (
                            "unblocking returns\n(per node per 1000 cycles)",
                            {key: 1000 * rate for key, rate in rates.items()},
                        ),
                    )
                )
            ]
        ),
    )


def panel(
    escape: str,
    label: str,
    flows: Mapping[tuple[str, str], Throughput],
    values: Mapping[tuple[str, str], Floats],
    *,
    has_title: bool,
) -> Curves:
    """A quantity over time with one escape, a line for each order of routing."""
    return Curves(
        x=Axis("time (thousand cycles)", lowest=0),
        y=Axis(label, lowest=0),
        curves=[
            Curve(f"{order} order", flows[name].cycles / 1000, values[name], has_marks=False)
            for name in flows
            if name[0] == escape
            for order in [name[1]]
        ],
        title=escape if has_title else "",
    )


def returns(point: FinishedPoint) -> Floats:
    """Credit returns per node per cycle in each interval: one for each hop."""
    series = columns(point, "series")
    hops = np.sum([values for name, values in series.items() if name.startswith("packet_hops_")], axis=0)
    rate: Floats = hops / (series["end_cycle"] - series["start_cycle"]) / point.summary["nodes"]
    return rate


def first_minimum(values: Floats) -> int:
    """The interval of the first minimum of throughput after its maximum."""
    top = int(values.argmax())
    rises = np.flatnonzero(np.diff(values[top:]) > 0)
    return top + int(rises[0]) if len(rises) else len(values) - 1


def correlation(flow: Floats, unblocking: Floats) -> float:
    """Correlation of throughput and unblocking (Pearson's r), from the first minimum of throughput on."""
    start = first_minimum(flow)
    return float(np.corrcoef(flow[start:], unblocking[start:])[0, 1])


def swing(flow: Floats, unblocking: Floats) -> float:
    """(max - min) / mean of unblocking, from the first minimum of throughput on."""
    later = unblocking[first_minimum(flow) :]
    return float((later.max() - later.min()) / later.mean())
