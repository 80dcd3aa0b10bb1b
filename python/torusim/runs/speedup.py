"""The predicted speed of a run on several computers.

    a window on P processes    C x greatest share of the load x (1 + imbalance)  +  swap

C is the time of a window on one thread. Packets come at random, so that the slowest of P parts has more to do than its
share: sqrt(2 ln P / packet-hops of a part in a window). The times of swaps are assumed: no network is measured.
"""

import math
from collections.abc import Callable, Mapping

NETWORKS: Mapping[str, Callable[[int], float]] = {
    "remote memory access": lambda processes: 3e-6 + 1.7e-6 * math.log2(processes),
    "TCP": lambda processes: 20e-6 + 32e-6 * math.log2(processes),
}
"""The time of a swap among a number of processes, in seconds, by network: of the usual order of such networks."""

IN_WORDS: Mapping[str, str] = {
    "remote memory access": "a swap of 3 µs + 1.7 µs x log2 P",
    "TCP": "a swap of 20 µs + 32 µs x log2 P",
}
"""What `NETWORKS` assumes."""


def speedup(window_seconds: float, packet_hops: float, greatest_share: float, processes: int, network: str) -> float:
    """How many times as fast as on one thread a run is, on a thread of each of several computers.

    Args:
        window_seconds: The time of a window on one thread.
        packet_hops: The packet-hops of a window.
        greatest_share: The load of the process that has most, as a share of the whole.
        processes: The number of processes, at least 2.
        network: One of `NETWORKS`.
    """
    imbalance = math.sqrt(2 * math.log(processes) / (packet_hops / processes))
    return window_seconds / (window_seconds * greatest_share * (1 + imbalance) + NETWORKS[network](processes))
