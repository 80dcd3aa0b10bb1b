"""Formats summaries as text: labels, units and digits, the same for terminals and notebooks."""

import html
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any


def count(value: float) -> str:
    """An integer with thousands separators: 1,234,567."""
    return f"{value:,.0f}"


def number(value: float) -> str:
    """A number with four significant digits, or with all digits before the decimal point if it has more."""
    text = f"{value:.4g}"
    return f"{value:,.0f}" if abs(float(text)) >= 1000 else text


def share(value: float) -> str:
    """A share, 0 to 1, in percent."""
    return f"{100 * value:.2f} %"


def percent(value: float) -> str:
    """A percentage, 0 to 100."""
    return f"{value:.2f} %"


def cycles(value: float) -> str:
    """Network cycles: byte times of a link."""
    return f"{number(value)} cycles"


def bytes_per_node(value: float) -> str:
    """A rate of each node, in bytes of packets in memory."""
    return f"{number(value)} bytes per node per cycle"


PER_NODE = "bytes_per_node_per_cycle"
"""Ending of the keys of such rates; those in the machine's time end in `GIGABYTES`."""

GIGABYTES = "gigabytes_per_second"


def gigabytes_per_second(value: float) -> str:
    """A rate in the machine's time, in 10^9 bytes per second."""
    return f"{number(value)} GB/s"


def load_in_words(load: float, bound: str | None) -> str:
    """Of what an offered load is a share, and what it means if that is more than 1."""
    limit = "the bound of this traffic" if bound is None else f"the bound, which the {bound} sets"
    if load <= 1:
        return f"Load {number(load)} is a share of {limit}."
    return (
        f"Load {number(load)} is {number(load)} times {limit}: nodes offer more than the network can carry. Queues "
        "before injection grow for as long as the run lasts, and latencies with them; what is accepted is the "
        "throughput of the saturated network."
    )


def processor_cycles(value: float) -> str:
    """Cycles of a node's processor."""
    return f"{number(value)} processor cycles"


def byte_count(value: float) -> str:
    """A number of bytes, mostly below a hundred."""
    return f"{number(value)} bytes"


def megabytes_per_second(value: float) -> str:
    """A rate of data."""
    return f"{number(value)} MB/s"


def duration(seconds: float) -> str:
    """A time in a suitable unit, from nanoseconds to hours.

    It is rounded before it is divided into units, so that no part reaches the next one, as in 59 min 60 s.
    """
    for factor, unit, limit in ((1e9, "ns", 1000), (1e6, "µs", 1000), (1e3, "ms", 1000), (1.0, "s", 60)):
        shown = f"{seconds * factor:.4g}"
        if float(shown) < limit:
            return f"{shown} {unit}"
    if round(seconds) < HOUR_SECONDS:
        return "{} min {} s".format(*divmod(round(seconds), 60))
    return "{} h {} min".format(*divmod(round(seconds / 60), 60))


def long_duration(seconds: float) -> str:
    """A time in units from seconds to days; less than a second counts as none."""
    if seconds < 1:
        return "0 s"
    if 60 * round(seconds / 60) < DAY_SECONDS:
        return duration(seconds)
    return "{} d {} h".format(*divmod(round(seconds / HOUR_SECONDS), 24))


HOUR_SECONDS, DAY_SECONDS, YEAR_SECONDS = 3600, 86_400, 31_556_952


def about(seconds: float) -> str:
    """An estimated waiting time: "about 3 minutes"."""
    if seconds < 1:
        return "less than a second"
    unit_seconds, unit = next(each for each in WAITING_UNITS if round(seconds / each[0]) * each[0] < each[2])[:2]
    number_of_units = round(seconds / unit_seconds)
    return f"about {number_of_units:,} {unit}{'' if number_of_units == 1 else 's'}"


WAITING_UNITS = (
    (1, "second", 60),
    (60, "minute", HOUR_SECONDS),
    (HOUR_SECONDS, "hour", DAY_SECONDS),
    (DAY_SECONDS, "day", YEAR_SECONDS),
    (YEAR_SECONDS, "year", float("inf")),
)
"""Units of waiting times: seconds, name, and from how many seconds on the next one is used."""


def time_unit(seconds: float) -> tuple[float, str]:
    """(units per second, unit) suitable for a time below a minute."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return factor, unit
    return 1e9, "ns"


def size(value_bytes: float) -> str:
    """A size in memory in a suitable binary unit."""
    value = float(value_bytes)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if float(f"{value:.4g}") < 1024:
            return f"{value:.4g} {unit}"
        value /= 1024
    return f"{value:.4g} TiB"


def shape(lengths: Sequence[int], wraps: Sequence[bool] | None = None) -> str:
    """Nodes along each dimension; `m` marks a dimension without wraparound (mesh), if `wraps` tells: 8x16mx32."""
    pairs = zip(lengths, wraps or [True] * len(lengths), strict=True)
    return "x".join(f"{length}{'' if closed or length == 1 else 'm'}" for length, closed in pairs)


LENGTHS_NEEDED = "must be lengths of dimensions with x between them, such as 8x8x16"
"""What is said of a text that is no shape."""


def lengths(text: str) -> list[int]:
    """Nodes along each dimension of a shape without marks, the inverse of `shape`: [8, 8, 16] of 8x8x16.

    Raises:
        ValueError: If the text is no such shape.
    """
    words = text.lower().split("x")
    if not all(word.isascii() and word.isdecimal() for word in words):
        raise ValueError(f"{shown(text)} {LENGTHS_NEEDED}")
    return [int(word) for word in words]


def rate(per_second: float) -> str:
    """Packet-hops per second, in millions."""
    return f"{per_second / 1e6:.2f} M packet-hops/s"


def correction(is_corrected: bool) -> str:
    """Whether the fluid engine's time is corrected for blocking."""
    return "yes" if is_corrected else "no, not for this kind of traffic"


def by_direction(values: Mapping[str, float | None]) -> str:
    """The share of each direction ("-" if it has none), one line for each dimension."""
    lines: dict[str, list[str]] = {}
    for direction, value in values.items():
        lines.setdefault(direction[:-1], []).append(f"{direction} {'-' if value is None else share(value)}")
    return "\n".join("  ".join(line) for line in lines.values())


def by_name(values: Mapping[str, int]) -> str:
    """The count of each name, one after the other."""
    return ", ".join(f"{name} {count(value)}" for name, value in values.items())


def flat(values: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Any]]:
    """(path, value) of every value that is not a dict; the keys of a path are joined by dots: "by_direction.x+"."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{place}{key}.")
        else:
            yield f"{place}{key}", value


def plain(value: object) -> str:
    """Strings unchanged, other data as JSON."""
    return value if isinstance(value, str) else json.dumps(value, indent=2)


def shown(value: object) -> str:
    """A value of a caller as it appears in a message: its representation, shortened if it is long."""
    try:
        text = repr(value)
    except Exception:  # an integer of more than 4,300 digits, or any class of the caller's
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


SHOWN_CHARACTERS = 200


def visible(text: str) -> str:
    """Text from the input as it may go to a terminal.

    Characters that move the cursor, change colors or reorder what stands beside them are escaped, so that names of
    jobs, users, files or keys show what is there. All that the command prints passes through here.
    """
    return text if text.isprintable() else "".join(map(_visible_character, text))


def _visible_character(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in UNSEEN:
        return character
    return character.encode("unicode_escape").decode()


UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of characters that are not seen themselves: controls, formats, surrogates, separators."""


def in_one_line(option: str) -> str:
    """The text of an option as it appears in a message: shortened if long, escaped if it has control characters."""
    return option if option.isprintable() and len(option) <= SHOWN_CHARACTERS else shown(option)


def cause(detail: Mapping[str, Any]) -> str:
    """The cause of a run's outcome: a sentence, and a line for each packet of a deadlock's ring, or stuck rank."""
    ring = [f"  {packet['words']}" for packet in detail.get("ring", [])]
    shown = ring[:RING_SHOWN]
    if len(ring) > len(shown):
        shown.append(f"  and {len(ring) - len(shown)} more, in result.json")
    # The sentence has the first.
    waiting = detail.get("waiting", [])
    shown += [f"  {rank['words']}" for rank in waiting[1:]]
    if waiting and detail["ranks"] > len(waiting):
        shown.append(f"  and {detail['ranks'] - len(waiting)} more")
    return "\n".join([str(detail["words"]), *shown])


def lines(sentences: Sequence[str]) -> str:
    """Sentences, each on a line."""
    return "\n".join(sentences)


OF_SETTLED_PACKETS = {
    "mean_hops",
    "latency_cycles_mean",
    "latency_cycles_batch_half_width",
    "latency_cycles_p99",
}
"""Keys that say nothing where most packets counted have not gone their whole way within the measurement."""

RING_SHOWN = 12
"""Number of packets of a ring that are shown; a ring may pass through thousands of nodes."""

SUMMARY_ROWS: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    ("outcome", "Outcome", str),
    ("outcome_detail", "Cause", cause),
    ("steadiness", "Steadiness", plain),
    ("warnings", "Warnings", lines),
    ("seconds_simulated", "Simulated time", duration),
    ("cycles", "Cycles", count),
    ("measured_cycles", "Cycles measured", count),
    ("extrapolated_cycles", "Cycles of the whole, extrapolated", count),
    ("extrapolated_cycles_half_width", "Half of their 95 % interval", count),
    ("extrapolated_seconds", "Time of the whole, extrapolated", duration),
    ("sampled_share", "Packets sampled", share),
    ("settled_cycles", "Settled, by MSER-5, from cycle", count),
    ("fluid_kind", "Kind of traffic", str),
    ("fluid_corrected", "Corrected for blocking", correction),
    ("fluid_uncorrected_cycles", "Cycles without the correction", count),
    ("fluid_error_median_percent", "Error against packets, median", percent),
    ("fluid_error_worst_percent", "Error against packets, worst", percent),
    ("fluid_error_cases", "Measured cases of this kind", count),
    ("packets_injected", "Packets injected", count),
    ("packets_delivered", "Packets delivered", count),
    ("nodes_without_injection", "Nodes that sent nothing", count),
    ("dead_nodes", "Dead nodes", count),
    ("dead_links", "Dead links", count),
    ("packets_relayed", "Packets relayed", count),
    ("pairs_share_minimal", "Pairs served on minimal routes", share),
    ("pairs_share_around", "Pairs served by other hint bits", share),
    ("pairs_share_dynamic_only", "Pairs served by adaptive VCs only", share),
    ("pairs_share_relayed", "Pairs served by a relay", share),
    ("packet_hops", "Packet hops", count),
    ("mean_hops", "Hops of a packet, mean", number),
    ("offered_bytes_per_node_per_cycle", "Offered", bytes_per_node),
    ("accepted_bytes_per_node_per_cycle", "Accepted", bytes_per_node),
    ("percent_of_peak", "Percent of peak", percent),
    ("percent_of_peak_kind", "Peak is set by", str),
    ("link_utilization_mean", "Link utilization, mean", share),
    ("link_utilization_by_direction", "Link utilization", by_direction),
    ("payload_utilization", "Payload utilization", share),
    ("token_stalls_by_dimension", "Stalls for tokens", by_name),
    ("latency_cycles_mean", "Latency, mean", cycles),
    ("latency_cycles_batch_half_width", "Latency, half of its 95 % interval", cycles),
    ("latency_cycles_p99", "Latency, 99th percentile", cycles),
    ("latency_cycles_max", "Latency, maximum", cycles),
    ("one_way_cycles_min", "One way, minimum", cycles),
    ("one_way_cycles_mean", "One way, mean", cycles),
    ("mpi_operations", "MPI operations", count),
    ("trace_format", "Trace", str),
    ("trace_calls", "Calls in the trace", by_name),
    ("trace_compute_seconds", "Computation in the trace", duration),
    ("trace_call_seconds", "Time inside its calls", duration),
    ("iteration_processor_cycles", "Iteration, mean", processor_cycles),
    ("half_round_trip_processor_cycles", "Half a round trip, mean", processor_cycles),
    ("payload_bytes_per_processor_cycle", "Payload in a processor cycle", byte_count),
    ("fifo_bytes_per_processor_cycle", "Bytes of FIFOs in a processor cycle", byte_count),
    ("payload_share_of_links", "Payload rate, of the links'", share),
    ("b_eff_megabytes_per_second", "Effective bandwidth", megabytes_per_second),
    ("b_eff_megabytes_per_second_per_rank", "Effective bandwidth of a rank", megabytes_per_second),
    ("b_eff_ring_megabytes_per_second", "Of rings", megabytes_per_second),
    ("b_eff_random_megabytes_per_second", "Of random rings", megabytes_per_second),
    ("b_eff_at_longest_megabytes_per_second", "With the longest messages", megabytes_per_second),
    ("algorithm", "Algorithm", str),
    ("collective_cycles_mean", "Collective, mean of ranks", cycles),
    ("collective_cycles_max", "Collective, slowest rank", cycles),
    ("bound_cycles", "Bound of a collective", cycles),
    ("algorithm_megabytes_per_second", "Rate of the data", megabytes_per_second),
    ("bus_megabytes_per_second", "Rate of the bus", megabytes_per_second),
    ("steps", "Rounds", count),
    ("busiest_link_bytes", "Bytes on the busiest link", size),
    ("tree_packets_injected", "Packets written to the tree network", count),
    ("tree_packets_delivered", "Packets received from the tree network", count),
    ("tree_packet_hops", "Hops on the tree network", count),
    ("tree_stalls", "Stalls of the tree network", count),
    ("interrupt_barriers", "Barriers by the global interrupts", count),
    ("longest_wait_cycles", "Longest wait", cycles),
    ("escape_share", "Traffic on the escape VC", share),
    ("link_frames", "Frames sent", count),
    ("link_frames_corrupted", "Frames corrupted", count),
    ("link_frames_sent_again", "Frames retransmitted", count),
    ("link_errors_escaped", "Errors undetected by checksums", count),
    ("packets_damaged", "Packets damaged", count),
    ("injection_checksum", "Checksum of injection", str),
    ("digest", "Digest", str),
    ("operations_digest", "Digest of operations", str),
    ("engine_seconds", "Engine time", duration),
    ("wall_seconds", "Wall time", duration),
    ("packet_hops_per_second", "Speed", rate),
    ("peak_memory_bytes", "Memory of the simulation", size),
    ("process_peak_memory_bytes", "Memory of the process", size),
)
"""The displayed values of a summary, in this order: (key, label, formatter of the value)."""


def summary_as_rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(label, formatted value) of each displayed value that the summary has."""
    return [
        (label, formatted(summary[key]) + _in_machine_time(summary, key, formatted))
        for key, label, formatted in SUMMARY_ROWS
        if summary.get(key) is not None and summary[key] not in ({}, "") and not _is_unsettled(summary, key)
    ]


def _is_unsettled(summary: Mapping[str, Any], key: str) -> bool:
    return key in OF_SETTLED_PACKETS and summary.get("steadiness") == "too short"


def _in_machine_time(summary: Mapping[str, Any], key: str, formatted: Callable[[Any], str]) -> str:
    """The value in seconds, or per second, behind that in cycles: " (3.4 µs)"."""
    if formatted is bytes_per_node:
        gigabytes = summary.get(key.removesuffix(PER_NODE) + GIGABYTES)
        return f" ({gigabytes_per_second(gigabytes)})" if isinstance(gigabytes, int | float) else ""
    if formatted is cycles and summary.get("cycles") and summary.get("seconds_simulated"):
        return f" ({duration(summary[key] * summary['seconds_simulated'] / summary['cycles'])})"
    return ""


def unreadable_key(summary: Mapping[str, Any]) -> str | None:
    """The first key whose value cannot be formatted, as in a damaged file; None if there is none."""
    for key, _, formatted in SUMMARY_ROWS:
        if (value := summary.get(key)) is not None and not _is_right(value, formatted):
            return key
    return None


def _is_right(value: object, formatted: Callable[[Any], str]) -> bool:
    if formatted is correction:
        return isinstance(value, bool)
    if formatted in (str, plain):
        return isinstance(value, str)
    if formatted in (by_direction, by_name):
        return isinstance(value, Mapping) and all(_is_number(item) for item in value.values())
    if formatted is cause:
        return _is_cause(value)
    if formatted is lines:
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


def cell(value: Any) -> str:  # noqa: ANN401 - of a table of any kind
    """A value as a cell of a table of any kind."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return number(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def summary_as_html(summary: Mapping[str, Any]) -> str:
    """The summary as an HTML table for notebooks."""
    return pairs_as_html(summary_as_rows(summary))


def pairs_as_html(rows: Iterable[tuple[str, str]]) -> str:
    """(label, value) as an HTML table for notebooks."""
    cells = (
        f"<tr><th style='text-align:left'>{html.escape(label)}</th>"
        f"<td style='text-align:left;white-space:pre-line'>{html.escape(value)}</td></tr>"
        for label, value in rows
    )
    return f"<table>{''.join(cells)}</table>"


def rows_as_html(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows with headings as an HTML table for notebooks."""
    head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
    body = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{cells}</tr>' for cells in body)}</table>"
