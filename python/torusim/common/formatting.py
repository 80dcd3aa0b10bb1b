"""Formats summaries as text: labels, units and digits, the same for terminals and notebooks."""

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
"""The ending of the keys of such rates; keys of rates in the machine's time end in `GIGABYTES`."""

GIGABYTES = "gigabytes_per_second"


def gigabytes_per_second(value: float) -> str:
    """A rate in the machine's time, in 10^9 bytes per second."""
    return f"{number(value)} GB/s"


def gigabytes_per_node(value: float) -> str:
    """Such a rate of each node."""
    return f"{gigabytes_per_second(value)} a node"


def load_in_words(load: float, bound: str | None) -> str:
    """The quantity of which an offered load is a share, and the meaning of a load above 1."""
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
"""Units of waiting times: seconds, name, and the number of seconds from which the next unit is used."""


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
    """Nodes along each dimension; `m` marks a dimension without wraparound (mesh) if `wraps` is given: 8x16mx32."""
    pairs = zip(lengths, wraps or [True] * len(lengths), strict=True)
    return "x".join(f"{length}{'' if closed or length == 1 else 'm'}" for length, closed in pairs)


LENGTHS_NEEDED = "must be lengths of dimensions with x between them, such as 8x8x16"
"""The message about a text that is no shape."""


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
    """The share of each direction ("-" if it has none), one text line for each dimension."""
    lines: dict[str, list[str]] = {}
    for direction, value in values.items():
        lines.setdefault(direction[:-1], []).append(f"{direction} {'-' if value is None else share(value)}")
    return "\n".join("  ".join(line) for line in lines.values())


def by_name(values: Mapping[str, int]) -> str:
    """The count of each name, one after the other."""
    return ", ".join(f"{name} {count(value)}" for name, value in values.items())


def by_reason(values: Mapping[str, int]) -> str:
    """The count of each reason, before the reason."""
    return ", ".join(f"{count(value)} {reason}" for reason, value in values.items())


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

    Characters that move the cursor, change colors or reorder adjacent text are escaped, so that names of jobs, users,
    files or keys show their true characters. All that the command prints passes through here.
    """
    return text if text.isprintable() else "".join(map(_visible_character, text))


def _visible_character(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in UNSEEN:
        return character
    return character.encode("unicode_escape").decode()


UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of invisible characters: controls, formats, surrogates, separators."""


def in_one_line(option: str) -> str:
    """The text of an option as it appears in a message: shortened if long, escaped if it has control characters."""
    return option if option.isprintable() and len(option) <= SHOWN_CHARACTERS else shown(option)


def cause(detail: Mapping[str, Any]) -> str:
    """The cause of a run's outcome: a sentence, and a text line for each packet of a deadlock's ring, or stuck rank."""
    ring = [f"  {packet['words']}" for packet in detail.get("ring", [])]
    shown = ring[:RING_SHOWN]
    if len(ring) > len(shown):
        shown.append(f"  and {len(ring) - len(shown)} more, in result.json")
    # The sentence names the first one.
    waiting = detail.get("waiting", [])
    shown += [f"  {rank['words']}" for rank in waiting[1:]]
    if waiting and detail["ranks"] > len(waiting):
        shown.append(f"  and {detail['ranks'] - len(waiting)} more")
    return "\n".join([str(detail["words"]), *shown])


def lines(sentences: Sequence[str]) -> str:
    """Sentences, each on a text line."""
    return "\n".join(sentences)


RING_SHOWN = 12
"""Number of packets of a ring that are shown; a ring may pass through thousands of nodes."""


FORMATS: Mapping[str, Callable[[Any], str]] = {
    write.__name__: write
    for write in (
        *(by_direction, by_name, by_reason, byte_count, bytes_per_node, cause, correction, count, cycles, duration),
        *(lines, long_duration, megabytes_per_second, number, percent, processor_cycles, rate, share, size),
    )
} | {"text": str}
"""The function that writes a value of each format, by the name of the format in the tables of quantities."""


def shown_rows(quantities: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, str, Callable[[Any], str]], ...]:
    """(key, label, function that writes the value) of the quantities that a summary shows, in their order."""
    return tuple((known["key"], known["row"][1], FORMATS[known["row"][0]]) for known in quantities if known["row"])


def cell(value: Any) -> str:  # noqa: ANN401 - of a table of any kind
    """A value as a cell of a table of any kind."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return number(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def pairs_as_html(rows: Iterable[tuple[str, str]]) -> str:
    """(label, value) as an HTML table for notebooks."""
    import html  # its table of entities takes as long as all else that this module imports

    cells = (
        f"<tr><th style='text-align:left'>{html.escape(label)}</th>"
        f"<td style='text-align:left;white-space:pre-line'>{html.escape(value)}</td></tr>"
        for label, value in rows
    )
    return f"<table>{''.join(cells)}</table>"


def rows_as_html(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows with headings as an HTML table for notebooks."""
    import html  # its table of entities takes as long as all else that this module imports

    head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
    body = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{cells}</tr>' for cells in body)}</table>"
