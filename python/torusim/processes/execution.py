"""The run of a command whose processes are the ranks."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torusim import _core
from torusim.processes.command import Command
from torusim.processes.libraries import libraries
from torusim.processes.output import Output, Plain
from torusim.runs import runner
from torusim.runs.result import Result
from torusim.runs.scenario import printable

RANK_TIMEOUT = 600.0
"""Seconds of the host's time without a call after which a rank is given up."""

FORK, EXEC = STARTS = ("fork", "exec")
"""How ranks become processes: the program is started once and forked, or started once for each rank."""


@dataclass(frozen=True)
class ProcessOptions:
    """How the processes of ranks run; nothing here changes simulated time.

    Attributes:
        start: "fork" or "exec".
        rank_timeout: Seconds of the host's time without a call after which a rank is given up.
        output: Where the output of ranks goes.
        variables: Further variables of the environment of ranks.
    """

    start: str = FORK
    rank_timeout: float = RANK_TIMEOUT
    output: Output = field(default_factory=Plain)
    variables: Mapping[str, str] = field(default_factory=dict)


def scenario_of(command: Command) -> dict[str, Any]:
    """The scenario of a command, without the machine and the ranks that sections add."""
    words = [printable(word) for word in command.words]
    return {"workload": {"kind": "program", "name": printable(command.path.name), "command": words}}


class ProcessProgram:
    """The processes of a command, as the program of a run.

    Attributes:
        recorded_ranks: The number of ranks whose calls are recorded: all, or none.
        recorded: The recorded calls, once the run has ended.
        exit_status: The status of the first rank that has ended with another status than 0.
    """

    def __init__(self, command: Command, ranks: int, options: ProcessOptions, folder: Path) -> None:
        """Creates the processes of a command; the MPI libraries are in `folder`."""
        self._command, self._ranks, self._options, self._folder = command, ranks, options, folder
        self._interrupted: threading.Event | None = None
        self.recorded_ranks = 0
        self.recorded: _core.ProgramCalls | None = None
        self.exit_status = 0
        self._processes: _core.Processes | None = None

    def start(
        self, scenario: _core.Scenario, engine: str, threads: int, interrupted: threading.Event
    ) -> _core.Run:
        """Starts the processes, and returns their run.

        Raises:
            InputError: If the program cannot be started.
        """
        self._interrupted = interrupted
        options = self._options
        preloaded = [] if self._command.library is None else [self._folder / self._command.library]
        places = _core.PlacedRanks(scenario)
        self._processes = _core.Processes(
            [str(self._command.path), *self._command.words[1:]],
            self._ranks,
            options.start == FORK,
            self._folder,
            preloaded,
            list(options.variables.items()),
            options.rank_timeout,
            [places.place(rank)[0] for rank in range(self._ranks)],
            scenario.processor_hertz,
            self,
        )
        return _core.Run.with_processes(scenario, engine, threads, self._processes, self.recorded_ranks)

    def finish(self, run: _core.Run) -> None:
        """Keeps what the run, which has ended, has recorded, and how processes have ended."""
        self.recorded = run.take_recorded()
        self._options.output.close()
        assert self._processes is not None
        _, self.exit_status = self._processes.first_nonzero_exit() or (0, 0)

    def write(self, rank: int, is_error: bool, data: bytes) -> None:  # noqa: FBT001 - called from Rust
        """Passes output of a rank on."""
        self._options.output.write(rank, is_error, data)

    def is_interrupted(self) -> bool:
        """Whether the user has stopped the run."""
        return self._interrupted is not None and self._interrupted.is_set()


def run_command(
    command: Command,
    resolved: _core.Scenario,
    options: runner.Options,
    processes: ProcessOptions,
    report: Callable[[_core.Progress], None],
    folder: Path | None = None,
    *,
    records: bool = False,
    warn: Callable[[str], object] | None = None,
    replace_out: bool = False,
) -> tuple[Result, ProcessProgram]:
    """The result of a command, and its processes, which have ended.

    Raises:
        InputError: If the program cannot be started, or the folder cannot be used.
    """
    ranks = json.loads(resolved.to_json())["mapping"]["ranks"]
    with libraries() as unpacked:
        program = ProcessProgram(command, ranks, processes, unpacked)
        program.recorded_ranks = ranks if records else 0
        more: dict[str, Any] = {} if warn is None else {"warn": warn}
        result = runner.execute(
            resolved, options, report, folder, program=program, replace_out=replace_out, **more
        )
    return result, program
