"""Summaries in words: labels, units and digits, the same for terminals and notebooks."""

import html
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


def count(value: float) -> str:
    """A whole number with thousands apart: 1,234,567."""
    return f"{value:,.0f}"


def number(value: float) -> str:
    """A number with four significant digits, or all of those before the point."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def share(value: float) -> str:
    """A share of 0 to 1 in percent."""
    return f"{100 * value:.2f} %"


def percent(value: float) -> str:
    """A number of 0 to 100 as percent."""
    return f"{value:.2f} %"


def cycles(value: float) -> str:
    """Network cycles: byte times of a link."""
    return f"{number(value)} cycles"


def duration(seconds: float) -> str:
    """A time in the unit that suits it, from nanoseconds to hours."""
    if seconds >= 60:
        minutes, rest = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
    factor, unit = time_unit(seconds)
    return f"{seconds * factor:.4g} {unit}"


def about(seconds: float) -> str:
    """A time that is only roughly known, to be waited for: "about 3 minutes"."""
    if seconds < 1:
        return "less than a second"
    unit_seconds, unit = next((size, unit) for size, unit in WAITING_UNITS if seconds >= size)
    number_of_units = round(seconds / unit_seconds)
    return f"about {number_of_units:,} {unit}{'' if number_of_units == 1 else 's'}"


WAITING_UNITS = ((31_556_952, "year"), (86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def time_unit(seconds: float) -> tuple[float, str]:
    """The unit in which a time below a minute reads well, and how many of it are in a second."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return factor, unit
    return 1e9, "ns"


def size(value_bytes: float) -> str:
    """A size in memory, in the binary unit that suits it."""
    value = float(value_bytes)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.4g} {unit}"
        value /= 1024
    return f"{value:.4g} TiB"


def shape(lengths: Sequence[int], wraps: Sequence[bool]) -> str:
    """Nodes along each dimension, with `m` behind those of an open one: 8x16mx32."""
    pairs = zip(lengths, wraps, strict=True)
    return "x".join(f"{length}{'' if closed or length == 1 else 'm'}" for length, closed in pairs)


def rate(per_second: float) -> str:
    """Packet-hops a second, in millions."""
    return f"{per_second / 1e6:.2f} M packet-hops/s"


def by_direction(values: Mapping[str, float | None]) -> str:
    """A share for each direction, if there is one, a line for each dimension."""
    lines: dict[str, list[str]] = {}
    for direction, value in values.items():
        lines.setdefault(direction[:-1], []).append(f"{direction} {'-' if value is None else share(value)}")
    return "\n".join("  ".join(line) for line in lines.values())


def flat(values: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Any]]:
    """(key, value) of all that is not a dict, a key within a dict after the dict's own: "by_direction.x+"."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{place}{key}.")
        else:
            yield f"{place}{key}", value


def plain(value: object) -> str:
    """Words as they are, other data as JSON."""
    return value if isinstance(value, str) else json.dumps(value, indent=2)


def cause(detail: Mapping[str, Any]) -> str:
    """Why a run ended as it did: a sentence, and a line for each packet of a ring of waiting ones."""
    ring = [f"  {packet['words']}" for packet in detail.get("ring", [])]
    shown = ring[:RING_SHOWN]
    if len(ring) > len(shown):
        shown.append(f"  and {len(ring) - len(shown)} more, in result.json")
    return "\n".join([str(detail["words"]), *shown])


RING_SHOWN = 12
"""So many packets of a ring are shown; a ring may go through thousands of nodes."""

SUMMARY_ROWS: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    ("outcome", "Outcome", str),
    ("outcome_detail", "Because", cause),
    ("steadiness", "Steadiness", plain),
    ("seconds_simulated", "Simulated time", duration),
    ("cycles", "Cycles", count),
    ("measured_cycles", "Cycles measured", count),
    ("packets_injected", "Packets injected", count),
    ("packets_delivered", "Packets delivered", count),
    ("nodes_without_injection", "Nodes that sent nothing", count),
    ("dead_nodes", "Dead nodes", count),
    ("dead_links", "Dead links", count),
    ("packets_relayed", "Packets relayed", count),
    ("pairs_share_minimal", "Pairs served as ever", share),
    ("pairs_share_around", "Pairs served by other hint bits", share),
    ("pairs_share_dynamic_only", "Pairs served without escape", share),
    ("pairs_share_relayed", "Pairs served by a relay", share),
    ("packet_hops", "Packet hops", count),
    ("mean_hops", "Hops of a packet, mean", number),
    ("percent_of_peak", "Percent of peak", percent),
    ("percent_of_peak_kind", "Peak is set by", str),
    ("link_utilization_mean", "Link utilization, mean", share),
    ("link_utilization_by_direction", "Link utilization", by_direction),
    ("payload_utilization", "Payload utilization", share),
    ("latency_cycles_mean", "Latency, mean", cycles),
    ("latency_cycles_p99", "Latency, 99th percentile", cycles),
    ("latency_cycles_max", "Latency, longest", cycles),
    ("one_way_cycles_min", "One way, least", cycles),
    ("one_way_cycles_mean", "One way, mean", cycles),
    ("longest_wait_cycles", "Longest wait", cycles),
    ("escape_share", "Traffic on the escape channel", share),
    ("link_frames", "Frames sent", count),
    ("link_frames_corrupted", "Frames with wrong bits", count),
    ("link_frames_sent_again", "Frames sent again", count),
    ("link_errors_escaped", "Errors no checksum saw", count),
    ("packets_damaged", "Packets damaged", count),
    ("injection_checksum", "Checksum of injection", str),
    ("digest", "Digest", str),
    ("engine_seconds", "Engine time", duration),
    ("wall_seconds", "Wall time", duration),
    ("packet_hops_per_second", "Speed", rate),
    ("peak_memory_bytes", "Memory of the simulation", size),
    ("process_peak_memory_bytes", "Memory of the process", size),
)
"""What is shown of a summary, in this order: (key, label, words for a value)."""


def summary_as_rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(label, value in words) of everything in the summary that is shown and known."""
    return [
        (label, in_words(summary[key]))
        for key, label, in_words in SUMMARY_ROWS
        if summary.get(key) not in (None, {}, "")
    ]


def unreadable_key(summary: Mapping[str, Any]) -> str | None:
    """The first key whose value cannot be put into words, as in a damaged file; None if there is none."""
    for key, _, in_words in SUMMARY_ROWS:
        if (value := summary.get(key)) is not None and not _is_right(value, in_words):
            return key
    return None


def _is_right(value: object, in_words: Callable[[Any], str]) -> bool:
    if in_words in (str, plain):
        return isinstance(value, str)
    if in_words is by_direction:
        return isinstance(value, Mapping) and all(_is_number(item) for item in value.values())
    if in_words is cause:
        ring = value.get("ring", []) if isinstance(value, Mapping) else None
        return isinstance(ring, list) and all(isinstance(item, Mapping) and "words" in item for item in [value, *ring])
    return _is_number(value)


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def summary_as_html(summary: Mapping[str, Any]) -> str:
    """The summary as a table for notebooks."""
    rows = (
        f"<tr><th style='text-align:left'>{html.escape(label)}</th>"
        f"<td style='text-align:left;white-space:pre-line'>{html.escape(value)}</td></tr>"
        for label, value in summary_as_rows(summary)
    )
    return f"<table>{''.join(rows)}</table>"
