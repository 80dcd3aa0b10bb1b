"""Lossy links: the cost of retransmission in throughput and latency, compared with the formula."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings, FinishedPoint, Point, Scale
from torusim_studies.measures import by_label

RATES = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
"""Bit error rates. All workloads also run without errors (rate 0)."""

FRAME_BYTES = 270
"""Size of a full packet on the link, with its overhead (S5); a link needs as many cycles to send it."""

TIMEOUT_CYCLES = 600
"""The default of machine.link_errors."""

RING, RANDOM, ALL_TO_ALL = "saturated ring", "uniform random", "all-to-all"

PACKETS_A_PAIR = 10


def points(scale: Scale) -> Iterator[Point]:
    """One run for each of three workloads and each error rate, including 0."""
    for rate in (0.0, *RATES):
        link_errors = {"bit_error_rate": rate, "timeout_cycles": TIMEOUT_CYCLES}
        yield scale.point(
            {"workload": RING, "rate": rate},
            machine={"shape": [4], "link_errors": link_errors},
            workload={"kind": "shift", "offset": [1]},
            run={"stop": "measured", "warmup_cycles": 10_000, "measure_cycles": scale["ring_cycles"]},
        )
        yield scale.point(
            {"workload": RANDOM, "rate": rate},
            machine={"shape": scale["shape"], "link_errors": link_errors},
            workload={"kind": "uniform-random", "load": scale["load"]},
            run={"warmup_cycles": 10_000, "measure_cycles": scale["measure_cycles"]},
        )
        yield scale.point(
            {"workload": ALL_TO_ALL, "rate": rate},
            machine={"shape": scale["shape"], "link_errors": link_errors},
            workload={"kind": "all-to-all", "payload_bytes": 240 * PACKETS_A_PAIR},
        )


def predicted_loss(rate: float) -> float:
    """Share of its throughput that a saturated link loses (docs/models/link-errors.md)."""
    failure = 1 - (1 - rate) ** (8 * FRAME_BYTES)
    frames = ceil(TIMEOUT_CYCLES / FRAME_BYTES)
    return 1 - 1 / (1 + frames * failure / (1 - failure))


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Throughput losses measured and predicted, latencies, and lost or duplicated packets."""
    runs = {
        name: {point.labels["rate"]: point for point in group} for name, group in by_label(points, "workload").items()
    }
    crossed = {rate: point.summary["packet_hops"] for rate, point in runs[RING].items()}
    loss = {rate: 1 - crossed[rate] / crossed[0.0] for rate in RATES}
    delays = {rate: point.summary["latency_cycles_mean"] for rate, point in runs[RANDOM].items()}
    x = Axis("bit error rate", is_logarithmic=True)
    return Findings(
        rows=[
            {
                "bit error rate": f"{rate:g}",
                "throughput loss of the ring (%)": 100 * loss.get(rate, 0.0),
                "predicted (%)": 100 * predicted_loss(rate),
                "frames retransmitted": runs[RING][rate].summary["link_frames_sent_again"],
                "random: latency (cycles)": delays[rate],
                "all-to-all: % of peak": runs[ALL_TO_ALL][rate].summary["percent_of_peak"],
                "missing or duplicated": off(runs[ALL_TO_ALL][rate]),
            }
            for rate in sorted(delays)
        ],
        numbers={
            "off_at_1e_6_percent": 100 * abs(loss[1e-6] / predicted_loss(1e-6) - 1),
            "off_at_1e_5_percent": 100 * abs(loss[1e-5] / predicted_loss(1e-5) - 1),
            "off_at_1e_4_percent": 100 * abs(loss[1e-4] / predicted_loss(1e-4) - 1),
            "off_packets": float(sum(abs(off(point)) for point in runs[ALL_TO_ALL].values())),
            "damaged": float(sum(map(damaged, points))),
        },
        figure=[
            Curves(
                x,
                Axis("throughput lost (%)", is_logarithmic=True),
                [
                    Curve("simulated", *positive(loss)),
                    Curve("formula", RATES, [100 * predicted_loss(rate) for rate in RATES], has_marks=False),
                ],
                title="Saturated ring",
            ),
            Curves(
                x,
                Axis("mean packet latency (cycles)", is_logarithmic=True),
                [Curve("simulated", RATES, [delays[rate] for rate in RATES])],
                title="Uniform random traffic",
            ),
        ],
    )


def positive(loss: Mapping[float, float]) -> tuple[list[float], list[float]]:
    """Error rates and losses in percent, without those that a logarithmic axis cannot show."""
    shown = {rate: 100 * share for rate, share in loss.items() if share > 0}
    return list(shown), list(shown.values())


def off(point: FinishedPoint) -> int:
    """Number of packets of the all-to-all that arrived more than once or, if negative, did not arrive."""
    nodes = point.summary["nodes"]
    return int(point.summary["packets_delivered"] - PACKETS_A_PAIR * nodes * (nodes - 1))


def damaged(point: FinishedPoint) -> int:
    """Packets that differ from the sent ones, and links whose two ends have seen different packets."""
    return int(point.summary["packets_damaged"] + len(point.summary["link_checksums_differ"]))
