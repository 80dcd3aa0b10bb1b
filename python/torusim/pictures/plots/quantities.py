"""The field's names for the keys of summaries and scenarios on an axis, with their units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torusim.common.formatting import time_unit
from torusim.common.units import twin
from torusim.runs import summary


@dataclass(frozen=True)
class Quantity:
    """A quantity on an axis.

    Attributes:
        label: The name, with the unit in parentheses.
        factor: The factor that converts a value of the key to this unit.
    """

    label: str
    factor: float = 1.0


FACTORS = {"share": 100.0, "rate": 1e-6, "size": 2.0**-20}
"""The factors of values of a format on an axis: shares in percent, rates in millions, sizes in MiB."""

OF_SUMMARIES = {
    known["key"]: Quantity(known["axis"], FACTORS.get(known["row"][0], 1.0))
    for known in summary.QUANTITIES
    if known["axis"]
}

IN_NS = {
    other: Quantity(known.label.replace("(cycles)", "(ns)"))
    for key, known in OF_SUMMARIES.items()
    if (other := twin(key)) is not None
}

QUANTITIES = (
    OF_SUMMARIES
    | IN_NS
    | {
        "offered_gigabytes_per_second": Quantity("offered (GB/s a node)"),
        "accepted_gigabytes_per_second": Quantity("accepted (GB/s a node)"),
        "machine.link.rate": Quantity("rate of links"),
        "machine.wrap": Quantity("topology"),
        "workload.load": Quantity("offered load (share of peak)"),
        "workload.payload": Quantity("message size"),
        "workload.payload_bytes": Quantity("message size (bytes)"),
        "workload.compute_scale": Quantity("scale of computation"),
        "run.seed": Quantity("seed"),
    }
)
"""The quantities whose names do not follow from their keys."""

UNITS = ("cycles", "ns", "bytes", "seconds", "packets", "chunks")

BY_DIRECTION = "link_utilization_by_direction."


def quantity(key: str) -> Quantity:
    """The name of a key on an axis: `machine.router.token_latency_cycles` is "token latency (cycles)"."""
    if (known := QUANTITIES.get(key)) is not None:
        return known
    if key.startswith(BY_DIRECTION):
        return Quantity(f"link utilization, {key.removeprefix(BY_DIRECTION)} (%)", FACTORS["share"])
    words = short_name(key).split()
    unit = next((word for word in words if word in UNITS and len(words) > 1), None)
    if unit is None:
        return Quantity(" ".join(words))
    return Quantity(f"{' '.join(word for word in words if word != unit)} ({unit})")


def quantity_up_to(key: str, largest: float) -> Quantity:
    """The name of a key on an axis that ends at a value; a time in ns gets the unit that suits this value."""
    known = quantity(key)
    if not known.label.endswith("(ns)"):
        return known
    factor, unit = time_unit(largest / 1e9)
    return Quantity(known.label.replace("(ns)", f"({unit})"), factor / 1e9)


def quantity_in(key: str, unit: str) -> Quantity:
    """The name of a key on an axis whose values users have written with units, in this unit."""
    return Quantity(f"{quantity(key).label.partition(' (')[0]} ({unit})")


def short_name(key: str) -> str:
    """The last part of a key, in words."""
    return key.rsplit(".", 1)[-1].replace("_", " ")


NAMES = {("machine.wrap", "true"): "torus", ("machine.wrap", "false"): "mesh"}
"""The field's words for values, by key and value."""

NAMED_BY_THEMSELVES = ("machine.preset", "workload.kind", "machine.shape")
"""Keys whose values need no name of the key."""


def name_of(key: str, value: str) -> str:
    """The field's name for a value of a key; the value itself if it has no other name."""
    return NAMES.get((key, value), value)


def value_in_words(key: str, value: str) -> str:
    """A value, in words, with the name of its key: "hop latency cycles 12"."""
    if (name := name_of(key, value)) != value:
        return name
    return value if key in NAMED_BY_THEMSELVES else f"{short_name(key)} {value}"


def label_of(values: Mapping[str, Any]) -> str:
    """The label that distinguishes a line of a picture, from its values of the swept keys: "torus, load 0.5"."""
    return ", ".join(value_in_words(key, in_words(value)) for key, value in values.items())


def in_words(value: Any) -> str:  # noqa: ANN401 - any value of a scenario
    """A value of a swept key in a legend or on an axis: a list of lengths is a shape, 8x8x4."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "x".join(map(in_words, value)) if value else "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
