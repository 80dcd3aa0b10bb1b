"""The package of the studies, `torusim-studies`, where it is installed."""

from pathlib import Path

from torusim._core import InputError
from torusim.sweeps.sources import STUDIES, folder_of

HOW_TO_INSTALL = (
    "the studies are a separate package, which is not installed: pip install 'torusim[studies]', or in a copy of "
    "the repository pip install ./studies"
)


def folder() -> Path | None:
    """The folder of the studies; None if they are not installed."""
    return folder_of(STUDIES)


def required_folder() -> Path:
    """The folder of the studies.

    Raises:
        InputError: If they are not installed.
    """
    found = folder()
    if found is None:
        raise InputError(HOW_TO_INSTALL)
    return found
