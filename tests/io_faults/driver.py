"""Runs a command again and again in forked processes, each with a fault at a later file operation.

python driver.py LIBRARY ERROR STRIDE BASE TEMPLATE COMMAND...     {} in the command is the folder of the attempt

The first attempt has its fault at the first operation, the next one STRIDE operations later, and so on.

Each attempt starts with a copy of TEMPLATE, and prints a text line of JSON: its folder, exit status and output. The
last attempt had fewer operations, and so no fault.
"""

import ctypes
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pyarrow.parquet  # loaded once, before the forks

from torusim.cli import app
from torusim.runs import runner

assert pyarrow.parquet

SLICE_SECONDS = 0.002
"""Shorter than usual, so that a short run writes several checkpoints."""

LIMIT_SECONDS = 60


def main() -> None:
    """Attempts the command with each fault."""
    library, error, stride, base, template, *command = sys.argv[1:]
    faults = ctypes.CDLL(library)
    runner.SLICE_SECONDS = SLICE_SECONDS
    number = 1
    happened = True
    while happened:
        folder = Path(base) / str(number)
        shutil.copytree(template, folder)
        status, happened = attempt(faults, folder, number, int(error), [part.format(folder) for part in command])
        print(json.dumps({"folder": str(folder), "status": status, "errors": (folder / "errors").read_text()}))  # noqa: T201
        (folder / "errors").unlink()
        number += int(stride)


def attempt(faults: ctypes.CDLL, folder: Path, number: int, error: int, command: list[str]) -> tuple[int, bool]:
    """Runs one attempt; returns the exit status, and whether the fault happened."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(LIMIT_SECONDS)
        os.dup2(os.open(folder / "errors", os.O_WRONLY | os.O_CREAT), 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = run(faults, folder, number, error, command)
        os.write(tell, bytes([faults.fault_happened()]))
        os._exit(status)
    os.close(tell)
    _, status = os.waitpid(child, 0)
    with os.fdopen(told, "rb") as answer:
        return os.waitstatus_to_exitcode(status), answer.read() == b"\1"


def run(faults: ctypes.CDLL, folder: Path, number: int, error: int, command: list[str]) -> int:
    """Runs the command with a fault, and returns its exit status."""
    sys.argv = ["torusim", *command]
    faults.fault_arm(str(folder).encode(), ctypes.c_long(number), error)
    try:
        app.main()
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 99
    return 0


main()
