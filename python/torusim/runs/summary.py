"""Summaries as text: the rows that screens and notebooks show, by the table of quantities that the models declare."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from torusim import _core
from torusim.common import formatting
from torusim.common.units import Row, Units, twin

QUANTITIES: tuple[Mapping[str, Any], ...] = tuple(json.loads(_core.quantities()))
"""Every key of a summary: `key`; `row`, the format and the label of its row if it is shown; `axis`, the label of an
axis if that does not follow from the key."""

SUMMARY_ROWS = formatting.shown_rows(QUANTITIES)
"""The displayed values of a summary, in this order: (key, label, formatter of the value)."""

PHYSICAL_LABELS = {
    "cycles": None,
    "measured_cycles": "Time measured",
    "extrapolated_cycles": "Time of the whole, extrapolated",
    "extrapolated_cycles_half_width": "Half of its 95 % interval",
    "extrapolated_seconds": None,
    "settled_cycles": "Settled, by MSER-5, after",
    "fluid_uncorrected_cycles": "Time without the correction",
    "payload_bytes_per_processor_cycle": "Rate of the payload",
    "fifo_bytes_per_processor_cycle": "Rate of FIFOs",
}
"""Labels that differ in physical units; None for rows that say what another says."""


def _in_physical_units() -> Iterator[Row]:
    for key, label, write in SUMMARY_ROWS:
        physical = PHYSICAL_LABELS.get(key, label)
        if physical is not None:
            yield Units.PHYSICAL.row((key, physical, write))


ROWS = {Units.CYCLES: SUMMARY_ROWS, Units.PHYSICAL: tuple(_in_physical_units())}
"""The displayed values of a summary in each unit."""

OF_SETTLED_PACKETS = {
    name
    for key in ("mean_hops", "latency_cycles_mean", "latency_cycles_batch_half_width", "latency_cycles_p99")
    for name in (key, twin(key))
}
"""Keys that mean nothing where most of the counted packets did not travel their whole route within the measurement."""


def summary_as_rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(label, formatted value) of each displayed value that the summary has, in its units."""
    return [
        (label, formatted(summary[key]) + _in_machine_time(summary, key, formatted))
        for key, label, formatted in ROWS[Units.of(summary)]
        if summary.get(key) is not None and summary[key] not in ({}, "") and not _is_unsettled(summary, key)
    ]


def _is_unsettled(summary: Mapping[str, Any], key: str) -> bool:
    return key in OF_SETTLED_PACKETS and summary.get("steadiness") == "too short"


def _in_machine_time(summary: Mapping[str, Any], key: str, formatted: Callable[[Any], str]) -> str:
    """The value in seconds, or per second, that follows the value in cycles: " (3.4 µs)"."""
    if formatted is formatting.bytes_per_node:
        gigabytes = summary.get(key.removesuffix(formatting.PER_NODE) + formatting.GIGABYTES)
        return f" ({formatting.gigabytes_per_second(gigabytes)})" if isinstance(gigabytes, int | float) else ""
    if formatted is formatting.cycles and summary.get("cycles") and summary.get("seconds_simulated"):
        return f" ({formatting.duration(summary[key] * summary['seconds_simulated'] / summary['cycles'])})"
    return ""


def unreadable_key(summary: Mapping[str, Any]) -> str | None:
    """The first key whose value cannot be formatted, as in a damaged file; None if there is none."""
    for key, _, formatted in [*SUMMARY_ROWS, *ROWS[Units.PHYSICAL]]:
        if (value := summary.get(key)) is not None and not _is_right(value, formatted):
            return key
    return None


def _is_right(value: object, formatted: Callable[[Any], str]) -> bool:
    if formatted is formatting.correction:
        return isinstance(value, bool)
    if formatted is str:
        return isinstance(value, str)
    if formatted in (formatting.by_direction, formatting.by_name):
        return isinstance(value, Mapping) and all(_is_number(item) for item in value.values())
    if formatted is formatting.cause:
        return _is_cause(value)
    if formatted is formatting.lines:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return _is_number(value)


def _is_cause(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    lists = [value.get("ring", []), value.get("waiting", [])]
    if not all(isinstance(items, list) for items in lists) or (lists[1] and not isinstance(value.get("ranks"), int)):
        return False
    return all(isinstance(item, Mapping) and "words" in item for item in [value, *lists[0], *lists[1]])


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
