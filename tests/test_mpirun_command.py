"""The command `torusim mpirun` and its surroundings: signals, limits, the environment of ranks, and the cache."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import torusim
from tests.mpi_support import MARK, compiled, processes_of, run
from tests.support import COMMAND, LIMIT_SECONDS, Finished, assert_one_message, wait_until
from torusim.processes import command_of

STARTS = pytest.mark.parametrize("start", ["fork", "exec"])


class Started:
    """A command that has been started.

    Attributes:
        mark: The value of the variable by which its processes are known.
    """

    def __init__(
        self,
        arguments: list[str | Path],
        folder: Path,
        variables: Mapping[str, str] | None = None,
        before: Callable[[], object] = lambda: None,
    ) -> None:
        """Starts the command in a folder; a variable with the value "-" is taken out of its environment."""
        self.mark = uuid.uuid4().hex
        environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", MARK: self.mark, **(variables or {})}
        for name in [name for name, value in environment.items() if value == "-"]:
            del environment[name]

        def prepare() -> None:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            before()

        self.process = subprocess.Popen(
            [COMMAND, "mpirun", *map(str, arguments)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=prepare,
        )

    def wait_for_ranks(self) -> None:
        """Waits until ranks run, and for a while."""
        wait_until(lambda: len(processes_of(self.mark)) > 1 or self.process.poll() is not None)
        time.sleep(1)
        assert self.process.poll() is None, self.process.communicate()

    def ended(self) -> Finished:
        """The command, which has ended, and has left no process."""
        output, errors = self.process.communicate(timeout=LIMIT_SECONDS)
        assert not processes_of(self.mark)
        assert not any(word in errors for word in ("Traceback", "panicked")), errors
        return Finished(self.process.args, self.process.returncode, output, errors)


def mpirun(*arguments: str | Path, folder: Path, **options: object) -> Finished:
    return Started(list(arguments), folder, **options).ended()  # type: ignore[arg-type]


@STARTS
@pytest.mark.parametrize("case", ["loop", "wait for nothing"])
def test_interrupt_keeps_the_result_so_far(case: str, start: str, tmp_path: Path) -> None:
    """A rank may compute for ever, or all of them wait for a simulation that takes long."""
    program: list[str | Path] = [compiled("ends"), "loop"] if case == "loop" else [compiled("halo"), "1000000"]
    command = Started(["-n", "4", "--out", "kept", "--start", start, *program], tmp_path)
    command.wait_for_ranks()
    begin = time.monotonic()
    command.process.send_signal(signal.SIGINT)
    finished = command.ended()
    assert time.monotonic() - begin < 5
    assert finished.returncode == 1
    assert "interrupted" in finished.stdout
    assert torusim.load(tmp_path / "kept").outcome == "interrupted"


SCRIPTS = {
    "none": "exec {}",
    "of the program": "{}; true",
    "of a script": "sh -c '{}; true'; true",
}
"""Scripts that start a program: the simulator's child is the program, its parent, or further away."""


@STARTS
@pytest.mark.parametrize("script", SCRIPTS)
def test_no_process_outlives_the_simulator(script: str, start: str, tmp_path: Path) -> None:
    """It may be killed in a way that it does not notice."""
    path = tmp_path / "script"
    loops = script != "of a script" or start == "fork"
    program = f"{compiled('ends')} {'loop' if loops else 'nothing'}" if loops else f"{compiled('halo')} 1000000"
    path.write_text("#!/bin/sh\n" + SCRIPTS[script].format(program) + "\n")
    path.chmod(0o755)
    command = Started(["-n", "3", "--start", start, path], tmp_path)
    command.wait_for_ranks()
    command.process.kill()
    command.process.communicate()
    wait_until(lambda: not processes_of(command.mark))
    assert not processes_of(command.mark)


@STARTS
def test_a_script_may_start_the_program(start: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(f"#!/bin/sh\necho begin\n{compiled('halo')}\n")
    path.chmod(0o755)
    ran = run(path, ranks=8, start=start)
    assert ran.digests == run(compiled("halo"), ranks=8).digests
    assert ran.output.count("begin") == (1 if start == "fork" else 8)
    path.write_text(f"#!/bin/sh\n{compiled('halo')}\n{compiled('halo')}\n")
    ran = run(path, ranks=2, start="exec")
    assert (ran.result.outcome, ran.status) == ("completed", 1)
    assert "this program calls MPI_Init, and is no rank" in ran.errors


def test_programs_that_cannot_be_started(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text("#!/no/such/interpreter\n")
    assert_one_message(mpirun("-n", "2", path, folder=tmp_path), "script: is not executable")
    path.chmod(0o755)
    for start in ("fork", "exec"):
        finished = mpirun("-n", "2", "--start", start, path, folder=tmp_path)
        assert_one_message(finished, "script cannot be started: No such file or directory")
    assert_one_message(mpirun("-n", "2", "no-such-program", folder=tmp_path), "there is no such program in PATH")
    path.write_bytes(compiled("halo").read_bytes()[:5000])
    assert mpirun("-n", "2", path, folder=tmp_path).returncode in (1, 2)


def test_a_quiet_command_says_why_it_has_failed(tmp_path: Path) -> None:
    ends = compiled("ends")
    finished = mpirun("-n", "2", "--quiet", ends, "nothing", folder=tmp_path)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")
    finished = mpirun("-n", "2", "--quiet", "--out", "killed", ends, "kill", "11", folder=tmp_path)
    assert (finished.returncode, finished.stdout) == (1, "")
    assert re.fullmatch(
        r"torusim: rank-died: rank 1 was killed by SIGSEGV after .*; the result is in killed\n", finished.stderr
    )


def test_scripts_in_python(tmp_path: Path) -> None:
    """They name their result, and need Python in front of them."""
    assert command_of([sys.executable, "-X", "utf8", "a folder/script.py", "other.py"]).name == "script"
    assert command_of([sys.executable, "-c", "pass"]).name.startswith("python")
    (tmp_path / "script.py").write_text("print(1)\n")
    for name in ("script.py", "./script.py"):
        finished = mpirun("-n", "2", name, folder=tmp_path)
        assert_one_message(finished, f"{name}: is not executable; name Python, too: python {name}")


def test_exit_statuses(tmp_path: Path) -> None:
    def status(*arguments: str | Path) -> int:
        return mpirun("-n", "2", *arguments, folder=tmp_path).returncode

    ends = compiled("ends")
    assert status(ends, "nothing") == 0
    assert status(ends, "end", "5") == 5
    assert status(ends, "abort", "7") == 7
    assert status(ends, "kill", "11") == 1
    assert status("--shape", "1x1x1", ends) == 2
    finished = mpirun("-n", "2", ends, "finalize and kill", "11", folder=tmp_path)
    assert finished.returncode == 128 + 11
    assert "rank 0 was killed by SIGSEGV after MPI_Finalize" in finished.stderr


def test_output_nobody_reads(tmp_path: Path) -> None:
    """As in `torusim mpirun … | head`."""
    command = Started(["-n", "2", compiled("ends"), "print of all", "50"], tmp_path)
    assert command.process.stdout is not None
    assert command.process.stdout.readline() == "x" * 1023 + "\n"
    command.process.stdout.close()
    command.process.stdout = None
    command.ended()


def test_standard_input_is_that_of_rank_0(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(f"#!/bin/sh\ncat\n{compiled('ends')} nothing\n")
    path.chmod(0o755)
    for start in ("fork", "exec"):
        finished = subprocess.run(
            [COMMAND, "mpirun", "-n", "2", "--quiet", "--start", start, path],
            cwd=tmp_path,
            input="given\n",
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert (finished.returncode, finished.stdout) == (0, "given\n"), finished.stderr


def test_the_environment_of_ranks(tmp_path: Path) -> None:
    others = ("SLURM_JOB_ID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MPICH_VERSION", "HYDRA_X")
    preloaded = next(iter(Path("/lib/x86_64-linux-gnu").glob("libm.so.6")), None)
    variables = dict.fromkeys(others, "7") | {"OMP_NUM_THREADS": "3", "OWN": "kept"}
    if preloaded is not None:
        variables["LD_PRELOAD"] = str(preloaded)
    for start in ("fork", "exec"):
        finished = mpirun(
            "-n", "2", "--start", start, compiled("ends"), "environment", folder=tmp_path, variables=variables
        )
        assert finished.returncode == 0
        environment = dict(line.split("=", 1) for line in finished.stdout.splitlines() if "=" in line)
        assert not set(others) & set(environment)
        assert (environment["OWN"], environment["OMP_NUM_THREADS"]) == ("kept", "3")
        assert environment["OPENBLAS_NUM_THREADS"] == "1"
        assert str(preloaded or "") in environment["LD_PRELOAD"]


def limited(number: int, limit: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(number, (limit, limit))


@pytest.mark.parametrize("gigabytes", [2, 4, 16])
def test_few_addresses(gigabytes: int, tmp_path: Path) -> None:
    before = limited(resource.RLIMIT_AS, gigabytes << 30)
    finished = mpirun("-n", "16", compiled("halo"), folder=tmp_path, before=before)
    if finished.returncode != 0:
        assert_one_message(finished, "the host has no room for the memory that 16 ranks share")
    else:
        assert "all data are right" in finished.stdout
        assert re.match(r"torusim: a rank has \d+ MiB for messages .* \(ulimit -v\)", finished.stderr)


@pytest.mark.parametrize("descriptors", [64, 100, 256])
def test_few_descriptors(descriptors: int, tmp_path: Path) -> None:
    before = limited(resource.RLIMIT_NOFILE, descriptors)
    for start in ("fork", "exec"):
        finished = mpirun("-n", "48", "--start", start, compiled("halo"), folder=tmp_path, before=before)
        assert finished.returncode == 0, finished.stderr
        assert "all data are right" in finished.stdout
    finished = mpirun("-n", "48", "--label", compiled("halo"), folder=tmp_path, before=before)
    assert_one_message(finished, "the output of 48 ranks", f"{descriptors} descriptors (ulimit -n)")


def test_ends_of_children_may_be_ignored(tmp_path: Path) -> None:
    def before() -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    finished = mpirun("-n", "3", compiled("ends"), "exit", "3", folder=tmp_path, before=before)
    assert finished.returncode == 1
    assert "rank 1 ended with status 3 and without MPI_Finalize" in finished.stdout


def test_the_cache_has_the_libraries_and_nothing_else(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for case in ("nothing", "kill"):
        mpirun("-n", "2", compiled("ends"), case, "9", folder=tmp_path, variables={"XDG_CACHE_HOME": str(cache)})
    [folder] = (cache / "torusim").iterdir()
    names = {path.name for path in folder.iterdir()}
    assert {"libmpi_abi.so.1", "libmpi.so.12", "libmpi.so.40", "libmpich.so.12", "mpi.h"} <= names
    assert all(path.is_symlink() or path.stat().st_size > 1000 for path in folder.glob("libmpi*"))


def test_folders_that_cannot_be_a_cache(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    for place in (file, Path("/proc")):
        finished = mpirun("-n", "2", compiled("halo"), folder=tmp_path, variables={"XDG_CACHE_HOME": str(place)})
        assert finished.returncode == 0, finished.stderr
    assert file.read_text() == "no folder"
    for variables in ({"HOME": "-"}, {"HOME": "-", "XDG_CACHE_HOME": "not/absolute"}):
        finished = mpirun("-n", "2", compiled("halo"), folder=tmp_path, variables=variables)
        assert finished.returncode == 0, finished.stderr


def test_a_cache_from_which_no_program_runs(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    command = f"{COMMAND} mpirun --quiet -n 2 {compiled('halo')}"
    script = f"mount -t tmpfs -o noexec none {cache} && XDG_CACHE_HOME={cache} {command}"
    finished = subprocess.run(
        ["unshare", "-m", "sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if "permi" in finished.stderr.lower():
        pytest.skip("no file system can be mounted here")
    assert (finished.returncode, finished.stdout) == (0, "all data are right\n"), finished.stderr


def test_a_user_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python knows no home folder of a user whom the host does not know."""

    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    assert run(compiled("halo")).status == 0


@pytest.mark.long
def test_a_gigabyte_of_output(tmp_path: Path) -> None:
    script = f"{COMMAND} mpirun --quiet -n 2 {compiled('ends')} 'print of all' 500 | md5sum"
    finished = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = "import sys\nfor _ in range(1000 * 1024):\n    sys.stdout.write('x' * 1023 + '\\n')\n"
    expected = subprocess.run(
        ["sh", "-c", f'{sys.executable} -c "$0" | md5sum', lines], capture_output=True, text=True, check=True
    )
    assert finished.stdout == expected.stdout
