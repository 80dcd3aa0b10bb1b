"""What a page shows of a schedule: its measures, the room, and what is out of service, and the tables."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from torusim.queue.schedule import Schedule, second_of
from torusim.runs.storage import table_of
from torusim.viewer.data import PageData

if TYPE_CHECKING:
    from torusim.queue.room import MachineRoom

SCHEMA_VERSION = 1
"""Schema version of the facts; incremented when an older viewer would misread them."""

OF_SCHEDULE = ("jobs", "series", "partitions", "midplanes", "ended_runs")
"""The tables of a schedule that pages show, as far as it has them."""


def data_of_schedule(schedule: Schedule, name: str | None = None) -> PageData:
    """The data of the page of a schedule, named `name` or by its policy.

    Raises:
        InputError: If a table of the schedule, or the file of its room, cannot be read.
    """
    arrow = {table: schedule.table(table) for table in OF_SCHEDULE if table in schedule.tables}
    room = schedule.room() if schedule.profile else None
    if room is not None and "midplanes" not in arrow:  # cubes that switches join have no place
        arrow["midplanes"] = table_of({"midplane": list(room.midplanes), "place": [""] * len(room.midplanes)})
    facts = {
        "schema_version": SCHEMA_VERSION,
        "nodes": schedule.summary["machine_nodes"],
        "room": room and _facts_of(room),
        "outages": _outages(schedule, room),
    }
    return PageData("schedule", name or str(schedule.description["queue"]["policy"]), schedule.summary, facts, arrow)


def _facts_of(room: "MachineRoom") -> dict[str, Any]:
    places = [] if room.is_switched else room.dimensions
    numbers = _places(room.midplanes)
    return {
        "name": room.name,
        "description": room.description,
        "is_switched": room.is_switched,
        "dimensions": [{"name": each.name, "length": each.length} for each in places],
        "midplane_nodes": math.prod(room.midplane_shape),
        "cables": [_cable(cable, numbers) for cable in room.cables],
        "block": "cube" if room.is_switched else "midplane",
    }


def _outages(schedule: Schedule, room: "MachineRoom | None") -> list[dict[str, Any]]:
    """The outages of the description, with rows of midplanes and places of cables instead of their names."""
    midplanes, cables = (_places(names) for names in ((room.midplanes, room.cables) if room else ((), ())))

    def outage(part: Mapping[str, Any]) -> dict[str, Any]:
        until = part.get("until")
        return {
            "from": second_of(schedule, part["from"]),
            "until": None if until is None else second_of(schedule, until),
            "midplane": midplanes.get(part.get("midplane")),
            "cable": cables.get(part.get("cable")),
            "nodes": part.get("nodes"),
        }

    return [outage(part) for part in schedule.description["machine"].get("outages", [])]


def _places(names: Iterable[str]) -> dict[str | None, int]:
    return {name: place for place, name in enumerate(names)}


def _cable(name: str, numbers: dict[str | None, int]) -> dict[str, Any]:
    """A cable by its name: dimension, and two midplanes, whose names may have spaces."""
    dimension, *words = name.split(" ")
    splits = ((" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words)))
    first, last = next(pair for pair in splits if pair[0] in numbers and pair[1] in numbers)
    return {"dimension": dimension, "from": numbers[first], "to": numbers[last]}
