"""Runs in packets that can be paused, so that those behind the others can end early.

    iteration   1     2     3
    A        |=====|=====|=====|=====...
    B        |=====|=====|  behind
    C        |=====  behind

Runs are compared by the time until all ranks together have received the messages of a number of iterations. No mapping
changes how many these are. This time says more than that of the last rank, which depends on few messages.

Nothing is simulated twice. A run stops at cycles that depend on the scenario alone, never on wall time.
"""

from bisect import bisect_left
from math import ceil, inf

from torusim import _core
from torusim.runs.result import Result, of_run

SLICE_SECONDS = 0.1
"""Wall time between two checks for Ctrl-C."""

FIRST_CYCLES = 1024
"""The cycles of the first stop: some packet times."""

SMALLEST_STEP = 1 / 64
"""The least distance between two stops, as a share of the run's cycles; between stops, counts are interpolated."""


class Contender:
    """A run in packets that takes part in a race."""

    def __init__(self, scenario: _core.Scenario) -> None:
        """Sets up the run, at cycle 0."""
        self._run = _core.Run(scenario, "windowed", 1)
        self._seed = self._run.seed
        self._stops = [(0, 0)]
        self._progress: _core.Progress | None = None
        self._result: Result | None = None

    @property
    def packet_hops(self) -> int:
        """The packet-hops that have been simulated."""
        return 0 if self._progress is None else self._progress.packet_hops

    @property
    def has_ended(self) -> bool:
        """Whether the run is at its end."""
        return self._progress is not None and self._progress.done

    @property
    def hertz(self) -> float:
        """Network cycles in a second."""
        assert self._progress is not None, "a run that has begun"
        return self._progress.cycle / self._progress.seconds_simulated

    def cycles_until(self, messages: int, limit: float = inf) -> float | None:
        """The cycles until ranks have received `messages` messages, or the run has ended; None if more than `limit`."""
        while not self.has_ended and self._stops[-1][1] < messages:
            cycle, _ = self._stops[-1]
            if cycle >= limit:
                return None
            self.go_on(min(self._next_stop(messages), limit))
        cycles = self._interpolated(messages)
        return cycles if cycles <= limit else None

    def finish(self) -> Result:
        """Ends the race for this run, and returns its result: "interrupted", if it is not at its end."""
        if self._result is None:
            self._result = of_run(self._run.finish(interrupted=not self.has_ended), self._seed)
        return self._result

    def go_on(self, until: float = inf) -> None:
        """Continues the run to a cycle, or to the end."""
        stop = None if until == inf else ceil(until)
        while True:
            self._progress = self._run.advance(SLICE_SECONDS, stop)
            if self._progress.done or self._progress.cycle == stop:
                break
        self._stops.append((self._progress.cycle, self._run.messages_received()))

    def _next_stop(self, messages: int) -> float:
        """The cycle at which `messages` messages are expected, if they keep arriving at the present rate."""
        cycle, received = self._stops[-1]
        if not received:
            return max(FIRST_CYCLES, 2 * cycle)
        return cycle * min(max(messages / received, 1 + SMALLEST_STEP), 2)

    def _interpolated(self, messages: int) -> float:
        """The cycles until `messages` messages, between two stops; the last stop, if the run has ended with fewer."""
        after = bisect_left(self._stops, messages, key=lambda stop: stop[1])
        if after == len(self._stops):
            return self._stops[-1][0]
        if after == 0:
            return 0.0
        (start, few), (end, many) = self._stops[after - 1 : after + 1]
        return start + (end - start) * (messages - few) / (many - few)
