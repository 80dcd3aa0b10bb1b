"""Values that users have written with their unit, such as "50 ns", as numbers on an axis.

The models read such values exactly (`crates/input/src/quantity.rs`); this reads them for pictures alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Scale: TypeAlias = Sequence[tuple[float, str]]

SCALES: Mapping[str, Scale] = {
    "time": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")),
    "size": ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1.0, "bytes")),
    "rate": ((1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s")),
    "frequency": ((1e9, "GHz"), (1e6, "MHz")),
}
"""Units of axes for each measure, in base units, in descending order."""


@dataclass(frozen=True)
class Quantity:
    """A value that a user has written with its unit, in the base unit of its measure: s, bytes, bytes/s or Hz."""

    measure: str
    value: float


QUANTITY = re.compile(r"\s*\+?([\d_]*\.?[\d_]+(?:[eE][-+]?\d+)?)\s*([A-Za-zµμ/]+)\s*")

TIMES = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}

PREFIXES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} | {
    f"{prefix}i": 2.0 ** (10 * power) for power, prefix in enumerate("KMGT", 1)
}

ENDINGS = {"B/s": ("rate", 1.0), "b/s": ("rate", 1 / 8), "bit/s": ("rate", 1 / 8), "bps": ("rate", 1 / 8)} | {
    "B": ("size", 1.0),
    "Hz": ("frequency", 1.0),
}


def quantity(text: object) -> Quantity | None:
    """The quantity of a text such as "50 ns" or "100 GB/s"; None if it is none."""
    found = QUANTITY.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    try:
        number, unit = float(found[1]), found[2]
    except ValueError:  # an underscore too many
        return None
    if unit in TIMES:
        return Quantity("time", number * TIMES[unit])
    for ending, (measure, size) in ENDINGS.items():
        if unit.endswith(ending) and (prefix := unit.removesuffix(ending)) in PREFIXES:
            return Quantity(measure, number * size * PREFIXES[prefix])
    return None


def axis_of(texts: Iterable[object]) -> tuple[list[float], str] | None:
    """(numbers, unit) of texts that are all quantities of one measure, in a unit that suits the largest; else None."""
    found = [quantity(text) for text in texts]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found) or len({each.measure for each in known}) > 1:
        return None
    scale = SCALES[known[0].measure]
    largest = max(each.value for each in known)
    size, unit = next((each for each in scale if largest >= each[0]), scale[-1])
    return [float(f"{each.value / size:.12g}") for each in known], unit
