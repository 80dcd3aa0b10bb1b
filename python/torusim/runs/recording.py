"""Recordings: the calls of a program that has run, in a file that is a trace and a scenario.

program  --run-->  calls, scenario  --write-->  FILE  --resolve, with other machines or mappings-->  Scenario
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torusim import _core
from torusim._core import InputError
from torusim.common.files import as_path, open_to_read
from torusim.common.folder import write_atomically

BEGINNING = b"torusim recording "
"""The beginning of every recording."""


@dataclass(frozen=True)
class Recording:
    """The file to which the calls of a program are written, which is replaced.

    Attributes:
        path: The file.
    """

    path: Path

    def keep(
        self,
        outcome: str,
        calls: _core.ProgramCalls | None,
        scenario: _core.Scenario,
        warn: Callable[[str], object],
    ) -> None:
        """Writes the calls of a program that has completed; of another, it warns that there is no recording.

        Raises:
            InputError: If the file cannot be written.
        """
        if outcome != "completed" or calls is None:
            warn(
                f"{self.path}: is not written: the run ended as {outcome}, and only a program that completes can replay"
            )
            return
        content = json.loads(scenario.to_json())
        del content["workload"], content["mapping"]["ranks"]  # both are those of the trace
        of_run = json.dumps(content)
        write_atomically(self.path, lambda path: calls.write(path, of_run, scenario.processor_hertz))


def recording_of(path: str | os.PathLike[str] | None) -> Recording | None:
    """The recording of an option; none without a path.

    Raises:
        InputError: If the path cannot be that of a file.
    """
    if path is None:
        return None
    file = as_path(path, "record")
    if file.is_dir() or not file.parent.is_dir():
        raise InputError(f"{file}: has to be the path of a file in a folder that exists")
    return Recording(file)


def is_recording(path: Path) -> bool:
    """Whether the path is that of a recording."""
    with suppress(OSError), open_to_read(path) as file:
        return file.read(len(BEGINNING)) == BEGINNING
    return False


def scenario_of(path: Path) -> dict[str, Any] | None:
    """The scenario of a recording: that of its run, with the calls of the file; None if the file is no recording.

    Raises:
        InputError: If the file is damaged.
    """
    if not is_recording(path):
        return None
    with open_to_read(path) as file:
        file.readline()
        return {**_parsed(path, file.readline()), "workload": {"kind": "trace", "path": str(path.absolute())}}


def _parsed(path: Path, line: bytes) -> dict[str, Any]:
    with suppress(ValueError):
        if isinstance(content := json.loads(line), dict):
            return content
    raise InputError(f"{path}:2: the scenario of the recording is damaged; record the program again")
