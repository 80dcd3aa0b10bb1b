"""A picture: a figure with a name, which notebooks show and which becomes a file."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from torusim._core import InputError
from torusim.common.files import as_path
from torusim.common.folder import writing
from torusim.common.formatting import shown
from torusim.pictures.plots.style import in_style
from torusim.pictures.plots.window import Window

Things = TypeVar("Things")

FORMATS = ("png", "svg", "pdf")
"""The file formats of pictures."""

METADATA: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
"""No times: equal pictures give bit-identical files."""


@dataclass(frozen=True)
class Picture:
    """A picture.

    Attributes:
        name: The subject, such as "utilization-over-time", which is also the name of the file.
        figure: The figure of matplotlib, to be changed before it is saved.
    """

    name: str
    figure: Figure

    @in_style
    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the picture to a file, in the format of its suffix: .png, .svg or .pdf.

        Raises:
            InputError: If the suffix is none of these, or the file cannot be written.
        """
        target = as_path(path, "path")
        file_format = target.suffix.removeprefix(".")
        if file_format not in FORMATS:
            raise InputError(f"{target}: must end in {', '.join(f'.{name}' for name in FORMATS)}")
        with writing(target):
            self.figure.savefig(target, metadata=METADATA.get(file_format))
        return target

    @in_style
    def _repr_png_(self) -> bytes:
        file = BytesIO()
        self.figure.savefig(file, format="png", dpi="figure")
        return file.getvalue()

    def __repr__(self) -> str:
        """The name and size of the picture."""
        width, height = self.figure.get_size_inches()
        return f"<Picture {self.name}, {2.54 * width:.1f} x {2.54 * height:.1f} cm>"


def chosen(
    pictures: Mapping[str, Callable[[Things, Window], Axes | None]], things: Things, window: Window, only: str | None
) -> list[Picture]:
    """The pictures for which there is something to draw, or only one of them."""
    drawn = ((name, draw(things, window)) for name, draw in pictures.items() if only in (None, name))
    return [Picture(name, axes.figure) for name, axes in drawn if axes is not None]  # type: ignore[arg-type]


def require_known(only: str | None, known: Iterable[str], whose: str) -> None:
    """Checks the name of the one picture to draw.

    Raises:
        InputError: If it is no known name.
    """
    if only is not None and only not in (names := list(known)):
        raise InputError(f"{shown(only)} is no picture of {whose}; there are {', '.join(names)}")


def save_all(pictures: Iterable[Picture], folder: Path, file_format: str) -> list[Path]:
    """Writes pictures to files of a folder, which exists, and returns the files."""
    return [picture.save(folder / f"{picture.name}.{file_format}") for picture in pictures]
