"""stdout and stderr of the command, and the behavior when they cannot be written.

stdout    full disk, closed descriptor    one message, status of bad input
          its reader has gone             ends at once without a message, as other commands in a pipe do
stderr                                    the text is lost; a run does not end because its progress cannot be shown
"""

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from torusim._core import InputError
from torusim.cli.exits import EXIT_BY_CLOSED_PIPE

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDOUT, STDERR = 1, 2


def prepare() -> None:
    """Replaces `sys.stdout` and `sys.stderr`, before anything is written to them.

    The exception is raised where the text is written, as an error that the command-line libraries do not handle: they
    would exit with the status of a run that ended otherwise.
    """
    for descriptor in (STDOUT, STDERR):
        _open_if_closed(descriptor)
    sys.stdout = _text(_Stdout(STDOUT, "w", closefd=False), sys.stdout)
    sys.stderr = _text(_Stderr(STDERR, "w", closefd=False), sys.stderr)


def flush() -> None:
    """Writes the remaining text of stdout; at the interpreter's exit no message could be given."""
    sys.stdout.flush()


def _open_if_closed(descriptor: int) -> None:
    """Occupies a closed descriptor, so that a result file cannot receive its number; it still cannot be written."""
    try:
        os.fstat(descriptor)
    except OSError:
        opened = os.open(os.devnull, os.O_RDONLY)
        if opened != descriptor:
            os.dup2(opened, descriptor)
            os.close(opened)


def _text(raw: io.RawIOBase, before: TextIO | None) -> io.TextIOWrapper:
    """A text stream in the encoding of the previous one, which is None if its descriptor was closed."""
    encoding = "utf-8" if before is None else before.encoding
    is_seen_at_once = raw.isatty() or isinstance(raw, _Stderr)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, "backslashreplace", line_buffering=is_seen_at_once)


class _Stdout(io.FileIO):
    _is_lost = False

    def write(self, data: "ReadableBuffer", /) -> int:
        """Writes the text, and raises once if that fails; later text is dropped, because nobody can read it."""
        if self._is_lost:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except BrokenPipeError:
            self._is_lost = True
            sys.exit(EXIT_BY_CLOSED_PIPE)
        except OSError as error:
            self._is_lost = True
            raise InputError(f"stdout: cannot be written: {error.strerror}") from None


class _Stderr(io.FileIO):
    def write(self, data: "ReadableBuffer", /) -> int:
        """Writes the text, or drops it if it cannot be written."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes
