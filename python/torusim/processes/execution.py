"""The run of a command whose processes are the ranks."""

import json
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from torusim import _core
from torusim.processes.command import Command
from torusim.processes.computing import NO_COMPUTING, Computing
from torusim.processes.environment import variables
from torusim.processes.libraries import CLOCKS, libraries
from torusim.processes.output import Output, Plain
from torusim.programs.payload import MESSAGE_BYTES_LIMIT
from torusim.runs import runner
from torusim.runs.recording import Recording
from torusim.runs.result import Result
from torusim.runs.scenario import Override, printable, to_json

RANK_TIMEOUT = 600.0
"""Seconds of the host's time without a call after which a rank is given up."""

FORK, EXEC = STARTS = ("fork", "exec")
"""How ranks become processes: the program is started once and forked, or started once for each rank."""


@dataclass(frozen=True)
class ProcessOptions:
    """How the processes of ranks run.

    Attributes:
        start: "fork" or "exec".
        rank_timeout: Seconds of the host's time without a call after which a rank is given up.
        output: Where the output of ranks goes.
        computing: How the time is simulated that ranks compute between calls: the only option that changes simulated
            time.
        variables: Further variables of the environment of ranks.
    """

    start: str = FORK
    rank_timeout: float = RANK_TIMEOUT
    output: Output = field(default_factory=Plain)
    computing: Computing = field(default_factory=Computing)
    variables: Mapping[str, str] = field(default_factory=dict)


def scenario_of(command: Command, compute: str = NO_COMPUTING) -> dict[str, Any]:
    """The scenario of a command, without the machine and the ranks that sections add."""
    words = [printable(word) for word in command.words]
    workload = {"kind": "program", "name": printable(command.name), "command": words, "compute": compute}
    return {"workload": workload}


def resolve_command(
    command: Command,
    ranks: int,
    machine: str | Mapping[str, Any] | None,
    shape: Sequence[int] | None,
    mapping: str | Mapping[str, Any] | None,
    overrides: Sequence[Override],
    compute: str = NO_COMPUTING,
) -> _core.Scenario:
    """The scenario of a command on a machine. Without a shape, the machine is that of its preset if the ranks fit.

    Raises:
        InputError: If the sections describe no machine, or the ranks do not fit.
    """
    of_machine: dict[str, Any] = {"preset": machine} if isinstance(machine, str) else dict(machine or {})
    if shape is not None:
        of_machine["shape"] = list(shape)
    of_mapping = {"order": mapping} if isinstance(mapping, str) else dict(mapping or {})
    content = {
        **scenario_of(command, compute),
        "machine": of_machine,
        "mapping": {**of_mapping, "ranks": ranks},
        "run": {"name": printable(command.name)},
    }
    return _core.resolve_program(to_json(content, "mpirun"), list(overrides))


class ProcessProgram:
    """The processes of a command, as the program of a run.

    Attributes:
        recorded_ranks: The number of ranks whose calls are recorded: all, or none.
        recorded: The recorded calls, once the run has ended.
        exit_status: The status of the first rank that has ended with another status than 0; 128 and its number for a
            signal.
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
        self,
        scenario: _core.Scenario,
        engine: str,
        threads: int,
        interrupted: threading.Event,
        peers: _core.Peers | None,
    ) -> _core.Run:
        """Starts the processes, and returns their run.

        Raises:
            InputError: If the program cannot be started.
        """
        self._interrupted = interrupted
        options = self._options
        # A program that loads its MPI library later, or starts others that have one, gets its clocks from the start.
        preloaded = [self._folder / (self._command.library or CLOCKS)]
        further = {**variables(self._folder), **options.variables}
        self._processes = _core.Processes(
            [str(self._command.path), *self._command.words[1:]],
            self._ranks,
            options.start == FORK,
            self._folder,
            preloaded,
            list(further.items()),
            options.rank_timeout,
            not isinstance(options.output, Plain),
            "measured" if options.computing.is_measured else options.computing.kind,
            options.computing.scale,
            options.computing.replayed(),
            scenario,
            self,
        )
        return _core.Run.with_processes(scenario, engine, threads, self._processes, self.recorded_ranks, peers)

    def finish(self, run: _core.Run) -> None:
        """Keeps what the run, which has ended, has recorded, and how processes have ended."""
        self.recorded = run.take_recorded()
        self._options.output.close()
        assert self._processes is not None
        self._options.computing.write(self._processes.take_measured())
        _, self.exit_status = self._processes.first_nonzero_exit() or (0, 0)

    def check_ends(self, warn: Callable[[str], object]) -> None:
        """Warns of a rank that was killed, or had not ended, after all of them had called MPI_Finalize."""
        assert self._processes is not None
        if (killed := self._processes.first_killed()) is not None:
            rank, words = killed
            warn(f"rank {rank} {words} after MPI_Finalize")
        elif (left := self._processes.first_ended()) is not None:
            self.exit_status = 1
            warn(f"rank {left} had not ended {self._options.rank_timeout:g} s after MPI_Finalize")

    def check_room(self, warn: Callable[[str], object]) -> None:
        """Warns if the host has limited the memory for messages to less than that of the longest."""
        assert self._processes is not None
        if self._processes.room < MESSAGE_BYTES_LIMIT:
            warn(
                f"a rank has {self._processes.room >> 20} MiB for messages that have not been received: the limit of "
                "addresses (ulimit -v) or the number of ranks leaves no more"
            )

    def write(self, rank: int, is_error: bool, data: bytes) -> None:
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
    record: Recording | None = None,
    warn: Callable[[str], object] = warnings.warn,
    replace_out: bool = False,
) -> tuple[Result, ProcessProgram]:
    """The result of a command, and its processes, which have ended.

    Raises:
        InputError: If the program cannot be started, or the folder cannot be used.
    """
    ranks = json.loads(resolved.to_json())["mapping"]["ranks"]
    with libraries() as unpacked:
        program = ProcessProgram(command, ranks, processes, unpacked)
        program.recorded_ranks = ranks if record is not None else 0
        result = runner.execute(resolved, options, report, folder, program=program, replace_out=replace_out, warn=warn)
    program.check_room(warn)
    if result.outcome == "completed":
        program.check_ends(warn)
    if record is not None:
        record.keep(result.outcome, program.recorded, resolved, warn)
    return replace(result, exit_status=program.exit_status), program
