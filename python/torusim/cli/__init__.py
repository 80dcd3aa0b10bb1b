"""The command `torusim`: a module for each of its commands. Only this folder knows the command-line libraries."""

import os
import signal
import sys

from torusim.cli.exits import EXIT_BY_CTRL_C, EXIT_BY_TERMINATION

TYPE_CHECKING = False  # as in `torusim`
if TYPE_CHECKING:
    from types import FrameType

__all__ = ["main", "run_mpicc", "run_mpicxx"]


def main() -> None:
    """Runs the command of the process's arguments."""
    handles_ctrl_c = signal.getsignal(signal.SIGINT) == signal.default_int_handler  # a background job ignores it
    if handles_ctrl_c:
        signal.signal(signal.SIGINT, _leave)
    from torusim.cli import app  # imported here, so that Ctrl-C is also handled during the import

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _terminate)
    try:
        if handles_ctrl_c:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        app.main()
    except KeyboardInterrupt:
        sys.exit(EXIT_BY_CTRL_C)
    finally:
        if handles_ctrl_c:
            signal.signal(signal.SIGINT, _leave)  # while the interpreter ends


def run_mpicc() -> None:
    """Runs `torusim mpicc`, for tools that know a compiler by one word: `torusim-mpicc`."""
    sys.argv = ["torusim", "mpicc", *sys.argv[1:]]
    main()


def run_mpicxx() -> None:
    """Runs `torusim mpicxx`, for tools that know a compiler by one word: `torusim-mpicxx`."""
    sys.argv = ["torusim", "mpicxx", *sys.argv[1:]]
    main()


def _leave(_number: int, _frame: "FrameType | None") -> None:
    """Ends the process at once; an exception in the middle of an import may be printed and forgotten."""
    os._exit(EXIT_BY_CTRL_C)


def _terminate(_number: int, _frame: "FrameType | None") -> None:
    """Ends the command by an exception, so that unfinished folders and worker processes are removed."""
    sys.exit(EXIT_BY_TERMINATION)
