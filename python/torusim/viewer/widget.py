"""The view in a notebook, by anywidget: it runs in Jupyter, JupyterLab, VS Code, Colab and marimo."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torusim._core import InputError
from torusim.viewer.data import PageData
from torusim.viewer.page import content, viewer


def widget(runs: Sequence[PageData]) -> Any:  # noqa: ANN401 - a class that only exists with anywidget
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
        """The page without tables, and the tables by the number of their run and their name."""

        _esm = viewer()
        page = traitlets.Unicode().tag(sync=True)
        tables = traitlets.Dict().tag(sync=True)

    without_tables = [replace(run, arrow={}) for run in runs]
    tables = {str(number): run.tables for number, run in enumerate(runs)}
    return Widget(page=content(without_tables, lambda *_: {}), tables=tables)
