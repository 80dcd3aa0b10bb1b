"""The view in a notebook, by anywidget: it runs in Jupyter, JupyterLab, VS Code, Colab and marimo."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torusim.viewer.data import PageData
from torusim.viewer.page import content, viewer

WIDGET = "application/vnd.jupyter.widget-view+json"


def bundle(data: Sequence[PageData]) -> dict[str, Any]:
    """What a notebook needs to show the widget; nothing if anywidget is not installed."""
    shown = widget(data)
    if shown is None:
        return {}
    found, _ = shown._repr_mimebundle_()
    return {WIDGET: found[WIDGET]}


def widget(data: Sequence[PageData]) -> Any:  # noqa: ANN401 - a class that only exists with anywidget
    """The widget of runs or schedules; None if anywidget is not installed."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        return None

    class Widget(anywidget.AnyWidget):
        """The page without tables, and the tables by the number of what has them and their name."""

        _esm = viewer()
        page = traitlets.Unicode().tag(sync=True)
        tables = traitlets.Dict().tag(sync=True)

    without_tables = [replace(each, arrow={}) for each in data]
    tables = {str(number): each.tables for number, each in enumerate(data)}
    return Widget(page=content(without_tables, lambda *_: {}), tables=tables)
