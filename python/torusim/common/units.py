"""Units in which people read times and rates: cycles of the network, or nanoseconds and GB/s.

    latency_cycles_mean = 13048     its twin:     latency_ns_mean = 130.48

A key that counts cycles has a twin in physical units, whose name and value follow from its own. Files of physical runs
hold both; screens and pictures show one, under the key that `Units.key` gives.

To add a part of keys that counts cycles, add a row to `RULES`, and a line to `KEYS` in `tests/test_physical_units.py`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from torusim._core import InputError
from torusim.common import formatting

if TYPE_CHECKING:
    import pyarrow as pa

KEY = "units"
"""The key of summaries and estimates that names the units; missing for cycles."""

TIME = "time_ns"
"""The twin of keys that are nothing but "cycle" or "cycles"."""

Row: TypeAlias = tuple[str, str, Callable[[Any], str]]
"""A row of a table: key, label, and the function that writes the value."""


class Units(StrEnum):
    """The unit of times and rates where people read them."""

    CYCLES = "cycles"
    PHYSICAL = "physical"

    @classmethod
    def of(cls, *summaries: Mapping[str, Any]) -> "Units":
        """The units of summaries: cycles only if all have them, since those of two machines may differ in length."""
        return cls.PHYSICAL if any(summary.get(KEY) == cls.PHYSICAL for summary in summaries) else cls.CYCLES

    def key(self, key: str) -> str:
        """The key of the same quantity in these units."""
        return (twin(key) or key) if self is Units.PHYSICAL else key

    def keys(self, keys: Iterable[str]) -> list[str]:
        """The keys, of which of two twins only the one in these units is left."""
        twins = {key: twin(key) for key in keys}
        others = twins.values() if self is Units.CYCLES else [key for key, other in twins.items() if other in twins]
        return [key for key in twins if key not in others]

    def row(self, row: Row) -> Row:
        """A row in these units. A label that ends in the unit, as "Alone, cycles", loses it."""
        key, label, _ = row
        rule = _rule(key) if self is Units.PHYSICAL else None
        return row if rule is None else (self.key(key), label.removesuffix(", cycles"), rule.write)

    def time_axis(self, longest: float) -> tuple[float, str]:
        """(factor, unit) of an axis of times, the longest of which is given in cycles, or in ns."""
        if self is Units.CYCLES:
            return 1.0, "cycles"
        factor, unit = formatting.time_unit(longest / NANOSECONDS)
        return factor / NANOSECONDS, unit


def units_of(text: str) -> Units:
    """The units that a caller names.

    Raises:
        InputError: If there are no such units.
    """
    if text not in list(Units):
        raise InputError(f'units: {formatting.shown(text)} has to be "cycles" or "physical"')
    return Units(text)


@dataclass(frozen=True)
class Clock:
    """The clocks of a machine.

    Attributes:
        hertz: Cycles of the network in a second.
        processor_hertz: Cycles of a processor in a second; None if they are not known.
    """

    hertz: float
    processor_hertz: float | None = None

    @classmethod
    def of_scenario(cls, scenario: Mapping[str, Any]) -> "Clock | None":
        """The clocks of a resolved scenario; None if it lacks them, as in a damaged file."""
        try:
            machine = scenario["machine"]
            hertz = 1e6 * machine["link"]["megabytes_per_second"]
            ratio = machine["node"]["processor_cycles_per_cycle"]
            processor_hertz = hertz * (ratio[0] / ratio[1] if isinstance(ratio, list) else ratio)
            return cls(hertz, processor_hertz) if hertz > 0 else None
        except (LookupError, TypeError, ArithmeticError):
            return None

    @classmethod
    def of_summary(cls, summary: Mapping[str, Any]) -> "Clock | None":
        """The clock of a run's network; None if the run took no time."""
        cycles, seconds = summary.get("cycles"), summary.get("seconds_simulated")
        are_numbers = isinstance(cycles, int | float) and isinstance(seconds, int | float)
        return cls(cycles / seconds) if are_numbers and cycles and seconds else None


NANOSECONDS = 1e9
"""Nanoseconds in a second, and bytes of a gigabyte."""


@dataclass(frozen=True)
class _Rule:
    """What counts cycles, and its twin.

    Attributes:
        part: The part of a key that says so.
        twin: The part of the twin's key.
        scale: The twin's value where that of the key is 1; None if the clock does not know it.
        write: Writes the twin.
        power: The power of the value to which the twin is proportional; 0 for a twin that the clock gives alone.
    """

    part: str
    twin: str
    scale: Callable[[Clock], float | None]
    write: Callable[[float], str]
    power: int = 1


def nanoseconds(value: float) -> str:
    """A time in nanoseconds, written in a suitable unit."""
    return formatting.duration(value / NANOSECONDS)


def _network_rate(clock: Clock) -> float:
    return clock.hertz / NANOSECONDS


def _network_time(clock: Clock) -> float:
    return NANOSECONDS / clock.hertz


def _processor_rate(clock: Clock) -> float | None:
    return clock.processor_hertz and clock.processor_hertz / NANOSECONDS


def _processor_time(clock: Clock) -> float | None:
    return clock.processor_hertz and NANOSECONDS / clock.processor_hertz


GIGABYTES = formatting.GIGABYTES

RULES = (
    _Rule("bytes_per_node_per_cycle", GIGABYTES, _network_rate, formatting.gigabytes_per_node),
    _Rule("bytes_per_cycle", GIGABYTES, _network_rate, formatting.gigabytes_per_second),
    _Rule("bytes_per_processor_cycle", GIGABYTES, _processor_rate, formatting.gigabytes_per_second),
    _Rule("processor_cycles_per_cycle", "processor_gigahertz", _processor_rate, formatting.number, power=0),
    _Rule("packets_per_cycle", "packets_per_second", lambda clock: clock.hertz, formatting.number),
    _Rule("processor_cycles", "ns", _processor_time, nanoseconds),
    _Rule("cycles_per_byte", GIGABYTES, _network_rate, formatting.gigabytes_per_second, power=-1),
    _Rule("cycles", "ns", _network_time, nanoseconds),
    _Rule("cycle$", "ns", _network_time, nanoseconds),
)
"""What counts cycles in keys; of several rules that fit a key, the first counts."""


@cache
def _rule(key: str) -> _Rule | None:
    name = key.rpartition(".")[2]
    return next((rule for rule in RULES if re.search(_pattern(rule), name)), None)


def _pattern(rule: _Rule) -> str:
    return rf"(?<![^_]){rule.part}(?![^_])"


@cache
def twin(key: str) -> str | None:
    """The key of the same quantity in physical units; None if the key counts no cycles."""
    rule = _rule(key)
    if rule is None:
        return None
    place, dot, name = key.rpartition(".")
    return place + dot + (TIME if name in ("cycle", "cycles") else re.sub(_pattern(rule), rule.twin, name))


def with_twins(values: Mapping[str, Any], clock: Clock | None, leave: Sequence[str] = ()) -> dict[str, Any]:
    """Plain data, in which each key that counts cycles is followed by its twin, and sentences have times.

    Args:
        values: Plain data; tables and lists in it are converted too.
        clock: The clock of the machine; without one there are no twins.
        leave: Keys without a twin.
    """
    if clock is None:
        return dict(values)
    converted: dict[str, Any] = {}
    for key, value in values.items():
        converted[key] = _in_words(value, clock) if key in SENTENCES else _with_inner_twins(value, clock)
        rule, other = _rule(key), twin(key)
        if rule is not None and other is not None and other not in values and key not in leave:
            scale = rule.scale(clock)
            if scale is not None:
                converted[other] = _scaled(value, scale, rule)
    return converted


def table_with_twins(table: "pa.Table", clock: Clock | None) -> "pa.Table":
    """A table of numbers, in which each column that counts cycles is followed by its twin.

    Args:
        table: The table; twins that it has already are kept.
        clock: The clock of the machine; without one there are no twins.
    """
    import pyarrow.compute as pc

    for name in table.column_names if clock is not None else ():
        rule, other = _rule(name), twin(name)
        scale = rule.scale(clock) if rule is not None and rule.power == 1 and clock is not None else None
        if scale is not None and other is not None and other not in table.column_names:
            values = pc.multiply(table.column(name).cast("float64", safe=False), scale)
            table = table.add_column(table.column_names.index(name) + 1, other, values)
    return table


def _with_inner_twins(value: Any, clock: Clock) -> Any:  # noqa: ANN401 - plain data
    if isinstance(value, Mapping):
        return with_twins(value, clock)
    return [_with_inner_twins(item, clock) for item in value] if isinstance(value, list) else value


def _scaled(value: Any, scale: float, rule: _Rule) -> Any:  # noqa: ANN401 - plain data
    """A number, or all numbers of a list or table, in the twin's unit; None for what is no number."""
    if rule.power == 0:
        return scale
    if isinstance(value, Mapping):
        return {key: _scaled(item, scale, rule) for key, item in value.items()}
    if isinstance(value, list):
        return [_scaled(item, scale, rule) for item in value]
    try:
        number = float(Fraction(value) if isinstance(value, str) else value)  # rates are fractions such as "4/3"
        return scale / number if rule.power < 0 else scale * number
    except (TypeError, ValueError, ArithmeticError):
        return None


SENTENCES = ("words", "warnings")
"""Keys of plain data whose texts are sentences."""

TIMES_IN_SENTENCES = re.compile(r"\bcycle (\d{1,20})\b|\b(\d{1,20}) cycles\b")

KEYS_IN_SENTENCES = re.compile(r"\b[a-z_.]+\.[a-z_]*cycles[a-z_]*")


def _in_words(value: Any, clock: Clock) -> Any:  # noqa: ANN401 - plain data
    """Sentences with times instead of cycles, "found at 1.2 µs", and with the names of keys that take a unit."""
    if isinstance(value, list):
        return [_in_words(item, clock) for item in value]
    if not isinstance(value, str):
        return value
    timed = TIMES_IN_SENTENCES.sub(lambda found: formatting.duration(int(found[1] or found[2]) / clock.hertz), value)
    return KEYS_IN_SENTENCES.sub(lambda found: name_with_unit(found[0]), timed)


def name_with_unit(key: str) -> str:
    """The name of a scenario's key for values that state their unit (`torusim list parameters` shows both)."""
    if key.endswith("processor_cycles_per_cycle"):
        return key.replace("cycles_per_cycle", "clock")
    return key.replace("processor_cycles", "time").removesuffix("_cycles")
