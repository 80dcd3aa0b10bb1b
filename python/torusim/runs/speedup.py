"""The predicted speed of a run on several computers.

    a window on P processes    C x greatest share of the load x (1 + imbalance)  +  swap

C is the time of a window on one thread. Packets come at random, so that the slowest of P parts has more to do than its
share: sqrt(2 ln P / packet-hops of a part in a window). The times of swaps are assumed: no network is measured.
"""

import math
from collections.abc import Mapping

NETWORKS: Mapping[str, tuple[float, float]] = {"remote memory access": (3, 1.7), "TCP": (20, 32)}
"""The microseconds of a swap, and those that each doubling of the processes adds: of the usual order."""


def swap_in_words(network: str) -> str:
    """What is assumed of a network."""
    swap, doubling = NETWORKS[network]
    return f"a swap of {swap:g} µs + {doubling:g} µs x log2 P"


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
    swap, doubling = NETWORKS[network]
    swap_seconds = (swap + doubling * math.log2(processes)) / 1e6
    return window_seconds / (window_seconds * greatest_share * (1 + imbalance) + swap_seconds)
