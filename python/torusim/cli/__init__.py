"""The command `torusim`: a module for each of its commands. Only this folder knows the command-line libraries."""

import sys

__all__ = ["main"]

EXIT_BY_CTRL_C = 130


def main() -> None:
    """Runs the command of the process's arguments."""
    try:
        from torusim.cli import app  # imported here, so that Ctrl-C is also handled during the import
    except KeyboardInterrupt:
        sys.exit(EXIT_BY_CTRL_C)
    app.main()
