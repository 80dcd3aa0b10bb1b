"""The view of runs or schedules: shown in a notebook, saved as a page."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim.common.files import as_path
from torusim.queue.schedule import Schedule
from torusim.viewer import page
from torusim.viewer.data import PageData
from torusim.viewer.groups import Groups, grouped
from torusim.viewer.run_data import data_of_run
from torusim.viewer.schedule_data import data_of_schedule

if TYPE_CHECKING:
    from torusim.runs.result import Result


@dataclass(frozen=True)
class View:
    """The view of runs, or of schedules: notebooks show it as a widget; `save` writes it as a page.

    Attributes:
        data: The data of one, or of two that are compared.
    """

    data: Sequence[PageData]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes one HTML file that needs no network, and returns its path.

        Raises:
            InputError: If the tables are too large for a page, or the file cannot be written.
        """
        file = as_path(path, "view")
        page.save(self.data, file)
        return file

    def __repr__(self) -> str:
        """The names of the runs."""
        return f"<View of {page.title_of(self.data)}>"

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:  # noqa: ANN401 - what notebooks ask of a widget
        """The widget, if anywidget is installed, and the page in a frame, for notebooks that nobody runs."""
        from torusim.viewer.widget import bundle  # only notebooks need it

        return {"text/plain": repr(self), "text/html": page.frame(self.data), **bundle(self.data)}


def data_of(thing: "Result | Schedule", name: str | None = None) -> PageData:
    """The data of the page of a run or a schedule, named `name` or by what it is.

    Raises:
        InputError: If a table cannot be read.
    """
    return data_of_schedule(thing, name) if isinstance(thing, Schedule) else data_of_run(thing, name)


def view(
    thing: "Result | Schedule", other: "Result | Schedule | None" = None, groups: Mapping[int, str] | None = None
) -> View:
    """The view of a run or a schedule, or of two of a kind to compare; `groups` are of the ranks of runs.

    Raises:
        InputError: If a table cannot be read, one is a run and the other a schedule, or groups are of no ranks.
    """
    data = [data_of(each) for each in (thing, other) if each is not None]
    page.require_one_kind(data)
    return View(data if groups is None else grouped(data, Groups(groups)))
