"""The part of the time axis that a picture shows."""

from contextlib import suppress
from dataclasses import dataclass, replace

from torusim._core import InputError
from torusim.common.formatting import duration, in_one_line
from torusim.common.quantities import quantity


@dataclass(frozen=True)
class Window:
    """An interval of time: cycles of a run, or seconds of a job log. None is the beginning, or the end.

    Attributes:
        first: The beginning.
        last: The end.
        is_time: Whether the interval is in seconds for runs too.
        cycle_seconds: Seconds of a cycle, for messages about an interval of a run that was given in seconds.

    Raises:
        InputError: If it has no length.
    """

    first: float | None = None
    last: float | None = None
    is_time: bool = False
    cycle_seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuses an interval without length."""
        if self.first is not None and self.last is not None and self.first >= self.last:
            raise InputError(f"from {self.first:,} until {self.last:,}: the end has to be after the beginning")

    @property
    def is_everything(self) -> bool:
        """Whether neither end is given."""
        return self.first is None and self.last is None

    def in_cycles(self, cycle_seconds: float) -> "Window":
        """The interval in cycles of a run."""
        if not self.is_time or not cycle_seconds:
            return self
        first, last = (None if end is None else end / cycle_seconds for end in (self.first, self.last))
        return replace(self, first=first, last=last, is_time=False, cycle_seconds=cycle_seconds)

    def _ends_in_words(self, first: float, last: float) -> str:
        if self.cycle_seconds is None:
            return f"{first:,.0f} to {last:,.0f}"
        return f"{duration(first * self.cycle_seconds)} to {duration(last * self.cycle_seconds)}"

    def within(self, first: float, last: float) -> tuple[float, float]:
        """The part of the interval first to last that is shown.

        Raises:
            InputError: If it is none.
        """
        start = first if self.first is None else max(first, self.first)
        end = last if self.last is None else min(last, self.last)
        if start >= end and not self.is_everything:
            ends = self._ends_in_words(first, last)
            raise InputError(f"nothing happened in this interval: there is something from {ends}")
        return start, max(end, start + 1)


def window_of(first: str | None, last: str | None) -> Window:
    """The interval between two texts: whole numbers of cycles or seconds, or times with a unit, such as "50 ns".

    Raises:
        InputError: If a text is neither, only one of them has a unit, or the interval has no length.
    """
    (first_is_time, start), (last_is_time, end) = _end("--from", first), _end("--until", last)
    if first is not None and last is not None and first_is_time != last_is_time:
        raise InputError(f"--from {first} --until {last}: either both have a unit, or none")
    return Window(start, end, is_time=first_is_time or last_is_time)


def _end(option: str, text: str | None) -> tuple[bool, float | None]:
    """(whether a text is a time with a unit, its number)."""
    if text is None:
        return False, None
    with suppress(ValueError):
        return False, int(text)
    found = quantity(text)
    if found is None or found.measure != "time":
        raise InputError(
            f"{option} {in_one_line(text)}: must be a whole number (of cycles, or of seconds of schedules), or a time "
            'such as "50 ns"'
        )
    return True, int(found.value) if found.value.is_integer() else found.value


EVERYTHING = Window()
