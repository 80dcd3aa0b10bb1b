"""The part of the time axis that a picture shows."""

from dataclasses import dataclass

from torusim._core import InputError


@dataclass(frozen=True)
class Window:
    """An interval of time: cycles of a run, or seconds of a job log. None is the beginning, or the end.

    Raises:
        InputError: If it has no length.
    """

    first: int | None = None
    last: int | None = None

    def __post_init__(self) -> None:
        """Refuses an interval without length."""
        if self.first is not None and self.last is not None and self.first >= self.last:
            raise InputError(f"from {self.first:,} until {self.last:,}: the end has to be after the beginning")

    @property
    def is_everything(self) -> bool:
        """Whether neither end is given."""
        return self.first is None and self.last is None

    def within(self, first: float, last: float) -> tuple[float, float]:
        """The part of the interval first to last that is shown.

        Raises:
            InputError: If it is none.
        """
        start = first if self.first is None else max(first, self.first)
        end = last if self.last is None else min(last, self.last)
        if start >= end and not self.is_everything:
            raise InputError(f"nothing happened in this interval: there is something from {first:,.0f} to {last:,.0f}")
        return start, max(end, start + 1)


EVERYTHING = Window()
