"""An attack on programs of MPI: ranks that misbehave at random, and what must hold whatever they do.

`python -m tests.mpi_attack KIND FIRST LAST` runs the seeds of a kind, and prints those with a fault.
"""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.mpi_support import Ran, children, compiled, descriptors, libraries, run

KINDS = ("deed", "memory", "calls", "command")
RANK_TIMEOUT = 0.4
SECONDS = 5.0
"""An end is noticed within a second, or the rank's timeout; the host may be slow. This was once the limit of every
run, until 16 ranks that compute for ever on two cores took longer. `_seconds_allowed` has the limit of each now."""

_FOLDER = tempfile.TemporaryDirectory(prefix="torusim-attack-")
_RUST = Path(__file__).parent.parent / "crates/mpi-library/src/functions.rs"
_POINTERS = {
    "void": "pick_buffer()",
    "char": "pick_text()",
    "int": "pick_ints()",
    "MPI_Count": "(void *)pick_longs()",
    "MPI_Aint": "(void *)pick_longs()",
    "MPI_Offset": "(void *)pick_longs()",
    "MPI_Status": "pick_status()",
}
_NUMBERS = {"int": "pick_int()", "MPI_Count": "pick_long()", "MPI_Aint": "pick_long()", "MPI_Offset": "pick_long()"}
_FUNCTIONS = {
    "copy": "copy_attribute",
    "delete": "delete_attribute",
    "errhandler": "handle_error",
    "User": "operate",
    "query": "query_request",
    "free": "free_request",
    "cancel": "cancel_request",
}
_HANDLES = ["Comm", "Datatype", "Op", "Request", "Group", "Info", "Errhandler", "Message", "Session"]


def _argument(parameter: str, place: int) -> tuple[str, str, str]:
    """What is declared before a call, the argument, and what is kept after it."""
    parameter = re.sub(r"\bconst\b", "", parameter).strip()
    match = re.fullmatch(r"(\w+)\s*(\**)\s*(\w+)?((?:\[\d*\])*)", parameter)
    assert match, parameter
    kind, stars, _, brackets = match.groups()
    pointers = len(stars) + brackets.count("[")
    if "function" in kind or kind.endswith("_fn"):
        name = next((function for word, function in _FUNCTIONS.items() if word in kind), "NULL")
        return "", f"below(12) ? (void *){name} : NULL", ""
    handle = kind.removeprefix("MPI_")
    if handle in _HANDLES:
        if pointers == 0:
            return "", f"pick_{kind}()", ""
        if brackets:
            return "", f"pick_{kind}_array()", ""
        own = f"h{place}"
        return f"{kind} {own} = pick_{kind}();", f"below(40) ? &{own} : NULL", f"if (code == 0) keep_{kind}({own});"
    if pointers == 0:
        return "", _NUMBERS.get(kind, f"({kind})pick_long()"), ""
    if pointers == 1:
        return "", _POINTERS.get(kind, "pick_buffer()"), ""
    return "", "(void *)pick_texts()" if kind == "char" else "pick_pointers()", ""


def _call(name: str, parameters: str) -> str:
    parts = [] if parameters in ("void", "") else [part.strip() for part in parameters.split(",")]
    parts = ["int keyval" if re.search(r"int \w*keyval$", part) else part for part in parts]
    arguments = [_argument(part, place) for place, part in enumerate(parts) if part != "..."]
    values = ", ".join(
        "pick_keyval()" if part == "int keyval" else value
        for part, (_, value, _) in zip(parts, arguments, strict=False)
    )
    before = " ".join(declared for declared, _, _ in arguments if declared)
    after = " ".join(kept for _, _, kept in arguments if kept)
    return f"static int of_{name}(void) {{ {before} int code = (int)(long){name}({values}); {after} return code; }}"


@cache
def calls_header() -> Path:
    """A folder with a header that has a function of C for each function of MPI, which calls it with any arguments."""
    text = re.sub(r"/\*.*?\*/", "", (libraries() / "mpi.h").read_text(), flags=re.DOTALL)
    found = re.findall(r"^\w+ (MPI_\w+)\(([^;]*?)\);", text, flags=re.MULTILINE)
    missing = set(re.findall(r"^missing(?:_large)? (\w+) ", _RUST.read_text(), flags=re.MULTILINE))
    calls, rows = [], []
    for name, parameters in found:
        calls.append(_call(name, " ".join(parameters.split())))
        is_missing = name.removeprefix("MPI_").removesuffix("_c") in missing
        rows.append(f'    {{"{name}", of_{name}, {int(is_missing)}}},')
    table = "static const struct { const char *name; int (*call)(void); int is_missing; } all_calls[] = {"
    folder = Path(_FOLDER.name)
    (folder / "attack_calls.h").write_text("\n".join([*calls, table, *rows, "};", ""]))
    return folder


@cache
def program() -> Path:
    """The program that misbehaves."""
    return compiled("attack", f"-I{calls_header()}", "-Wno-infinite-recursion", "-Wno-nonnull", "-Wno-unused-function")


def options_of(seed: int) -> dict[str, Any]:
    """How a seed is run: its number of ranks, start and threads."""
    return {
        "ranks": (1, 2, 3, 4, 7, 16)[seed % 6],
        "start": ("fork", "exec")[seed // 6 % 2],
        "threads": (1, 2)[seed // 12 % 4 == 3],
    }


def _seconds_allowed(ranks: int) -> float:
    """How long a run may last on this host now. Ranks that compute forever share its cores with the run."""
    return (SECONDS + ranks) * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _left(seed: int) -> list[str]:
    """The processes of the attack that are left, in words."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            target = str((folder / "exe").readlink())
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended
            continue
        if target.removesuffix(" (deleted)") == str(program()) or f"98765.{seed}" in words:
            found.append(f"{folder.name}: {words}")
    return found


def faults_of(kind: str, seed: int) -> list[str]:
    """What is wrong with the end of a seed, in words: nothing."""
    before = descriptors(), len(children())
    begin = time.monotonic()
    options = options_of(seed)
    faults: list[str] = []
    ran: Ran | None = None
    with pytest.MonkeyPatch.context() as environment, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if options["start"] == "fork":
            environment.setenv("ATTACK_FORKED", "1")
        try:
            ran = run(program(), kind, seed, rank_timeout=RANK_TIMEOUT, **options)
        except BaseException as error:  # a panic of Rust is none of Exception
            if isinstance(error, KeyboardInterrupt):
                raise
            faults.append("".join(traceback.format_exception(error)))
    seconds = time.monotonic() - begin
    if seconds > _seconds_allowed(options["ranks"]):
        faults.append(f"it took {seconds:.1f} s")
    if (descriptors(), len(children())) != before:
        faults.append(f"descriptors and children: {before}, then {(descriptors(), children())}")
    faults += [f"process {words}" for words in _left(seed)]
    return faults if ran is None else faults + _faults_of_end(kind, ran)


def _faults_of_end(kind: str, ran: Ran) -> list[str]:
    outcome, faults = ran.result.outcome, []
    if outcome not in ("completed", "rank-died", "rank-timeout", "aborted", "stuck"):
        faults.append(f"outcome {outcome}")
    if outcome in ("rank-died", "rank-timeout", "aborted") and not re.search(r"^rank \d+ .* at cycle \d+", ran.words):
        faults.append(f"words: {ran.words}")
    if kind == "calls" and "damaged record" in ran.words:
        faults.append(f"words: {ran.words}")
    for rank, text in ran.kept.errors.items():
        last = bytes(text[-20_000:])
        faults += [
            f"rank {rank}: {line!r}"
            for line in last.splitlines()
            if re.search(b"^thread .* panicked|the library is damaged", line)
        ]
    return faults


def _is_fault(errors: bytes) -> bool:
    """Whether errors are those of a fault. The interpreter says of Ctrl-C where it was, until the command has begun."""
    return b"panicked" in errors or (b"Traceback" in errors and b"KeyboardInterrupt" not in errors)


def _handle_signals() -> None:
    """Lets a command in the background hear signals that jobs there ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def faults_of_command(seed: int) -> list[str]:
    """What is wrong with the end of the command, which a signal ends at any time: nothing."""
    draws = random.Random(seed)
    number = draws.choice([signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
    # What has left its parent outlives a command that cannot do anything any more.
    kind = "endless" if number == signal.SIGKILL else draws.choice(["endless", "deed", "memory"])
    options = options_of(seed)
    faults = []
    with tempfile.TemporaryDirectory(prefix="torusim-attack-") as folder:
        words = ["-n", options["ranks"], "--start", options["start"], "--threads", options["threads"]]
        words += ["--machine", "bluegene-l", "--shape", "4x4x4", "--rank-timeout", RANK_TIMEOUT, "--out", "out"]
        command = ["-m", "torusim", "mpirun", *words, program(), kind, seed]
        environment = {key: value for key, value in os.environ.items() if key != "ATTACK_FORKED"} | {"TMPDIR": folder}
        process = subprocess.Popen(
            [sys.executable, *map(str, command)],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=_handle_signals,
        )
        time.sleep(draws.random() * 2)
        process.send_signal(number)
        begin = time.monotonic()
        _, errors = process.communicate()
        allowed = _seconds_allowed(options["ranks"])
        if time.monotonic() - begin > allowed:
            faults.append(f"it took {time.monotonic() - begin:.1f} s after {number.name}")
        if process.returncode in (101, 134, -6, -11) or _is_fault(errors):
            faults.append(f"{number.name}: {process.returncode}, {errors[-3000:].decode(errors='replace')}")
        while _left(seed) and time.monotonic() - begin < allowed:
            time.sleep(0.1)
        faults += [f"{number.name}: process {words}" for words in _left(seed)]
        faults += [
            f"{number.name}: file {path}"
            for path in Path(folder).iterdir()
            if number != signal.SIGKILL and path.name != "out"
        ]
    return faults


def faults_of_seed(kind: str, seed: int) -> list[str]:
    """What is wrong with the end of a seed of any kind, in words: nothing."""
    program()  # it is compiled before the clock runs
    return faults_of_command(seed) if kind == "command" else faults_of(kind, seed)


def main(kind: str, first: str, last: str) -> None:
    """Runs seeds, and prints those with faults."""
    outcomes: dict[str, int] = {}
    for seed in range(int(first), int(last)):
        faults = faults_of_seed(kind, seed)
        for words in faults:
            sys.stdout.write(f"{kind} {seed} {options_of(seed)}: {words}\n")
        name = "fault" if faults else "fine"
        outcomes[name] = outcomes.get(name, 0) + 1
        if seed % 100 == 99:
            sys.stdout.write(f"# {kind} {seed + 1}: {outcomes}\n")
        sys.stdout.flush()
    sys.stdout.write(f"# {kind} end: {outcomes}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
