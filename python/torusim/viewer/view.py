"""The view of one or two runs: shown in a notebook, saved as a page."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torusim.common.files import as_path
from torusim.viewer import page
from torusim.viewer.data import RunData, data_of

if TYPE_CHECKING:
    from torusim.runs.result import Result


@dataclass(frozen=True)
class View:
    """The view of runs: notebooks show it as a widget; `save` writes it as a page.

    Attributes:
        runs: The data of the runs: one, or two that are compared.
    """

    runs: Sequence[RunData]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes one HTML file that needs no network, and returns its path.

        Raises:
            InputError: If the tables are too large for a page, or the file cannot be written.
        """
        file = as_path(path, "view")
        page.save(self.runs, file)
        return file

    def __repr__(self) -> str:
        """The names of the runs."""
        return f"<View of {page.title_of(self.runs)}>"

    def _repr_mimebundle_(self, **options: Any) -> Any:  # noqa: ANN401 - what notebooks ask of a widget
        from torusim.viewer.widget import widget  # only notebooks need it

        return widget(self.runs)._repr_mimebundle_(**options)


def view(result: "Result", other: "Result | None" = None) -> View:
    """The view of a run, or of two runs to compare.

    Raises:
        InputError: If a table of a result cannot be read.
    """
    return View([data_of(each) for each in (result, other) if each is not None])
