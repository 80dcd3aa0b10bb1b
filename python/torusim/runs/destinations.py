"""Tables of weights for the workload `destination-matrix`, from a function that gives the targets of a node."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from torusim._core import InputError
from torusim.common.checks import require_integer

Weights: TypeAlias = "Mapping[int, float] | Sequence[float]"
"""The weights of one node: by target, or one for each node of the machine, also as an array."""


def destination_table(
    shape: Sequence[int], weights: Callable[[int, tuple[int, ...]], Weights]
) -> dict[str, list[int] | list[float]]:
    """Tabulates a function for the key `table` of the workload `destination-matrix`.

        >>> import torusim
        >>> def to_a_neighbor(node, place):
        ...     return {(node + 1) % 16: 3, (node - 1) % 16: 1}
        >>> table = torusim.destination_table([16], to_a_neighbor)
        >>> workload = {"kind": "destination-matrix", "table": table, "load": 0.4}

    Args:
        shape: The lengths of the machine.
        weights: Called with the number of each node and its coordinates, x first. Returns the relative weights of the
            targets to which the node sends: by target, or one for each node. Nothing, or zeros alone, means that it
            sends nothing.

    Raises:
        InputError: If the shape is no list of lengths, or the function returns neither.
    """
    lengths = [require_integer(f"shape[{place}]", length, 1, 2**20) for place, length in enumerate(shape)]
    table: dict[str, list[Any]] = {"source": [], "target": [], "weight": []}
    nodes = product(*(range(length) for length in reversed(lengths)))
    for source, reversed_place in enumerate(nodes):
        for target, weight in _pairs(weights(source, reversed_place[::-1]), source):
            if weight != 0:
                table["source"].append(source)
                table["target"].append(target)
                table["weight"].append(weight)
    return table


def _pairs(found: Any, source: int) -> list[tuple[int, float]]:  # noqa: ANN401
    """The targets of a node, with their weights."""
    listed = found.items() if isinstance(found, Mapping) else enumerate([] if found is None else found)
    try:
        return [(int(target), float(weight)) for target, weight in listed]
    except (TypeError, ValueError):
        raise InputError(f"weights: those of node {source} are no numbers") from None
