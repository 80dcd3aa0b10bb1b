"""Axes of seconds of a job log, in a unit that suits their length."""

UNITS = ((3 * 86_400, 86_400, "days"), (2 * 3_600, 3_600, "hours"), (2 * 60, 60, "minutes"), (0, 1, "seconds"))
"""(shortest time in seconds that is drawn in it, its seconds, its name) of each unit."""


def time_axis(first: float, last: float) -> tuple[float, str]:
    """(units per second, name of the unit) for the seconds from first to last."""
    seconds, name = next((seconds, name) for least, seconds, name in UNITS if last - first >= least)
    return 1 / seconds, name
