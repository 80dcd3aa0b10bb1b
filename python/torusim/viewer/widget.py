"""The view in a notebook, by anywidget: it runs in Jupyter, JupyterLab, VS Code, Colab and marimo."""

from collections.abc import Sequence
from typing import Any

from torusim._core import InputError
from torusim.viewer.data import RunData
from torusim.viewer.page import content, viewer


def widget(runs: Sequence[RunData]) -> Any:  # noqa: ANN401 - a class that only exists with anywidget
    """The widget of runs.

    Raises:
        InputError: If anywidget is not installed.
    """
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise InputError("view: notebooks show it with anywidget: pip install 'torusim[notebook]'") from None

    class Widget(anywidget.AnyWidget):
        """The page in `page`, and the tables of runs by their number and name, such as "0/links"."""

        _esm = viewer()
        page = traitlets.Unicode().tag(sync=True)
        tables = traitlets.Dict().tag(sync=True)

    tables = {f"{number}/{name}": data for number, run in enumerate(runs) for name, data in run.tables.items()}
    return Widget(page=content(runs, lambda number, name, _data: {"name": f"{number}/{name}"}), tables=tables)
