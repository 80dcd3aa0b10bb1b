"""The package of the studies, `torusim-studies`, where it is installed."""

from importlib.util import find_spec
from pathlib import Path

from torusim._core import InputError

PACKAGE = "torusim_studies"

HOW_TO_INSTALL = (
    "the studies are a package of their own, which is not installed: pip install 'torusim[studies]', or in a copy of "
    "the repository pip install ./studies"
)


def folder() -> Path | None:
    """The folder of the studies; None if they are not installed."""
    found = find_spec(PACKAGE)
    return None if found is None or found.origin is None else Path(found.origin).parent


def required_folder() -> Path:
    """The folder of the studies.

    Raises:
        InputError: If they are not installed.
    """
    found = folder()
    if found is None:
        raise InputError(HOW_TO_INSTALL)
    return found
