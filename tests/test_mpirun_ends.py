"""How programs of MPI can end, or hang: each end is noticed at once, has a name and words, and leaves no process."""

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.mpi_support import Ran, children, compiled, descriptors, run

SECONDS = 5.0
"""Every end is noticed within a second; the host may be slow."""


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    before = descriptors(), len(children())
    yield
    assert (descriptors(), len(children())) == before


def end(*arguments: str | int, program: str = "ends", **options: Any) -> Ran:  # noqa: ANN401
    """The end of a program, which is noticed in time."""
    begin = time.monotonic()
    ran = run(compiled(program), *arguments, **{"ranks": 3, **options})
    assert time.monotonic() - begin < SECONDS
    return ran


def assert_ends(ran: Ran, outcome: str, words: str, status: int = 1) -> None:
    assert ran.result.outcome == outcome, ran.words
    assert re.search(words, ran.words), ran.words
    assert ran.status == status


STARTS = pytest.mark.parametrize("start", ["fork", "exec"])


@STARTS
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL", "SIGFPE", "SIGABRT", "SIGBUS", "SIGTERM"])
def test_a_rank_that_is_killed(name: str, start: str) -> None:
    ran = end("kill", getattr(signal, name).value, start=start)
    assert_ends(ran, "rank-died", rf"^rank 1 was killed by {name} after MPI_Comm_size \(call 3\), at cycle \d+$")


@STARTS
@pytest.mark.parametrize("case", ["exit", "_exit"])
@pytest.mark.parametrize("status", [0, 3])
def test_a_rank_that_exits_without_finalize(case: str, status: int, start: str) -> None:
    words = rf"^rank 1 ended with status {status} and without MPI_Finalize after MPI_Comm_size \(call 3\)"
    assert_ends(end(case, status, start=start), "rank-died", words)


@STARTS
def test_all_ranks_exit_without_finalize(start: str) -> None:
    assert_ends(end("exit of all", 0, start=start), "rank-died", "^rank 0 ended with status 0 and without MPI_Finalize")


@pytest.mark.parametrize("case", ["send and exit", "isend and exit"])
@pytest.mark.parametrize("doubles", [1, 100_000])
def test_a_rank_exits_behind_its_calls(case: str, doubles: int) -> None:
    """Its simulated time does not depend on when the host notices its end."""
    ends = [end(case, doubles, start=start) for start in ("fork", "exec", "fork")]
    assert len({(ran.words, ran.digests) for ran in ends}) == 1
    assert_ends(ends[0], "rank-died", r"^rank 1 ended with status 0 .* after MPI_I?[sS]end \(call 4\)")


@STARTS
def test_a_program_without_mpi(start: str) -> None:
    words = (
        r"^rank 0 ended with status {} before MPI_Init \(it is no MPI program, has another MPI library, or has failed\)"
    )
    assert_ends(end("no init", 0, start=start), "rank-died", words.format(0))
    assert_ends(end("no init", 7, start=start), "rank-died", words.format(7))
    assert_ends(run("/bin/true", start=start), "rank-died", words.format(0))
    assert_ends(run("/bin/false", start=start), "rank-died", words.format(1))
    killed = end("kill before init", signal.SIGSEGV.value, start=start)
    assert_ends(killed, "rank-died", "^rank 0 was killed by SIGSEGV before MPI_Init, at cycle")
    early = end("call before init", start=start)
    assert_ends(early, "rank-died", "^rank 0 ended with status 1 before MPI_Init")
    assert "MPI_Barrier (call 1): it is called before MPI_Init" in early.errors


@STARTS
@pytest.mark.parametrize("case", ["loop", "loop before init", "stop"])
def test_a_rank_that_makes_no_call(case: str, start: str) -> None:
    ran = end(case, signal.SIGSTOP.value, rank_timeout=0.5, start=start)
    words = "^rank {} has made no call for 0.5 s of the host's time {}"
    if case == "loop before init":
        assert_ends(ran, "rank-timeout", words.format(0, "before MPI_Init has ended"))
    else:
        assert_ends(ran, "rank-timeout", words.format(1, r"after MPI_Comm_size \(call 3\)"))


@STARTS
def test_a_rank_that_hands_over_without_a_call(start: str) -> None:
    nothing = end("hand over nothing", rank_timeout=0.5, start=start)
    assert_ends(nothing, "rank-died", r"^rank 1 handed nothing over after MPI_Comm_size \(call 3\)")
    no_call = end("hand over no call", rank_timeout=0.5, start=start)
    words = r"^rank 1 has made no call for 0.5 s of the host's time after MPI_Comm_size \(call 3\)"
    assert_ends(no_call, "rank-timeout", words)


@STARTS
@pytest.mark.parametrize("process", [0, 1, 2, 2**31 - 1, -1])
def test_a_rank_that_says_it_is_another_process(process: int, start: str) -> None:
    assert end("exchange", process, start=start).status == 0


@STARTS
def test_abort(start: str) -> None:
    for code in (1, 7, 255):
        assert_ends(end("abort", code, start=start), "aborted", f"^rank 1 .*{code}", code)
    assert_ends(end("abort", 0, start=start), "aborted", "^rank 1 ")
    assert_ends(end("abort", 256, start=start), "aborted", "^rank 1 .*256")
    assert_ends(end("abort", -1, start=start), "aborted", "^rank 1 .*-1", 255)
    assert_ends(end("abort of all", 9, start=start), "aborted", "^rank 0 .*9", 9)


@STARTS
def test_ends_after_finalize(start: str) -> None:
    assert end("end", 5, start=start).status == 5
    with pytest.warns(UserWarning, match="^rank 0 was killed by SIGSEGV after MPI_Finalize$"):
        killed = end("finalize and kill", signal.SIGSEGV.value, start=start)
    assert (killed.result.outcome, killed.status) == ("completed", 128 + signal.SIGSEGV)
    with pytest.warns(UserWarning, match="^rank 0 had not ended 0.5 s after MPI_Finalize$"):
        looping = end("finalize and loop", rank_timeout=0.5, start=start)
    assert (looping.result.outcome, looping.status) == ("completed", 1)


def test_calls_out_of_order() -> None:
    for case in ("finalize twice", "call after finalize"):
        ran = end(case)
        assert (ran.result.outcome, ran.status) == ("completed", 1)
        assert "it is called after MPI_Finalize" in ran.errors
    twice = r"^rank 1 failed in MPI_Init \(call 4\): a program initializes MPI once"
    assert_ends(end("init twice"), "aborted", twice, 16)


def test_a_rank_that_waits_for_nothing() -> None:
    assert_ends(end("wait for nothing"), "stuck", "rank 0 has waited since cycle")


@STARTS
def test_closed_descriptors_do_not_matter(start: str) -> None:
    assert end("close", start=start).status == 0


def test_ranks_cannot_truncate_the_memory() -> None:
    ran = end("truncate")
    assert (ran.status, ran.output) == (0, "")


@STARTS
def test_a_child_of_a_rank_is_no_rank(start: str) -> None:
    ran = end("call in child", start=start)
    assert (ran.status, ran.output) == (0, "the child has ended with status 1\n")
    assert "a process that a rank has forked off calls it, and is no rank" in ran.errors
    ran = end("start in child", start=start)
    assert (ran.status, ran.output) == (0, "the child has ended with status 1\n")
    assert "start it with `torusim mpirun -n RANKS PROGRAM`" in ran.errors


@STARTS
@pytest.mark.parametrize(
    "case",
    [
        "leave child",
        "leave orphan",
        "leave group",
        "leave chain",
        "leave orphan that prints",
        "leave orphan without variables",
    ],
)
def test_no_process_of_ranks_is_left(case: str, start: str) -> None:
    assert end(case, start=start).status == 0
    assert_none_is_left()


@STARTS
def test_no_process_without_the_mapped_memory_is_left(start: str) -> None:
    assert end("leave orphan without variables", 1, start=start).status == 0
    assert_none_is_left()


def assert_none_is_left() -> None:
    program = str(compiled("ends"))
    running = [path for path in Path("/proc").glob("[0-9]*") if _target(path / "exe") == program]
    assert not running


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # it has ended, or is another user's
        return ""


@STARTS
def test_a_rank_that_has_left_its_group_is_ended(start: str) -> None:
    assert end("leave group and loop", rank_timeout=0.5, start=start).result.outcome == "rank-timeout"


@STARTS
def test_output_of_ranks_is_complete(start: str) -> None:
    ran = end("print of all", 20, start=start)
    line = b"x" * 1023 + b"\n"
    assert ran.status == 0
    assert all(ran.kept.output[rank] == line * 1024 * 20 for rank in range(3))


@pytest.mark.parametrize("how", range(5))
def test_an_operation_that_ends_a_rank(how: int) -> None:
    """Other ranks wait for the result that it computes. One of them takes its place."""
    ran = end("operation", how, rank_timeout=0.5 if how == 4 else 60.0)
    outcome, words, status = [
        ("rank-died", r"^rank 1 was killed by SIGSEGV after MPI_Allreduce \(call 5\)", 1),
        ("rank-died", r"^rank 1 ended with status 4 and without MPI_Finalize after MPI_Allreduce", 1),
        ("aborted", "^rank 1 called MPI_Abort with code 6", 6),
        ("aborted", r"^rank 1 failed in MPI_Barrier \(call 6\): comm is MPI_COMM_NULL", 5),
        ("rank-timeout", r"has made no call for 0.5 s of the host's time after MPI_Allreduce \(call 5\)", 1),
    ][how]
    assert_ends(ran, outcome, words, status)


@pytest.mark.parametrize("part", range(32))
def test_a_rank_that_overwrites_the_shared_memory(part: int) -> None:
    """It can damage its data and those of other ranks, and not the simulator."""
    for case in ("overwrite", "overwrite of all"):
        ran = end(case, part, rank_timeout=0.5)
        assert ran.result.outcome in ("completed", "rank-died", "rank-timeout", "aborted", "stuck")


def test_calls_in_two_threads() -> None:
    """The process ends while its first thread waits. The others would wait for ever."""
    ran = run(compiled("ends"), "two threads", ranks=3)
    assert ran.result.outcome == "rank-died", ran.words
    assert "MPI_Barrier: it is called while MPI_Recv runs, by another thread or after a signal" in ran.errors


def test_threads_before_init_need_exec() -> None:
    ran = end("thread")
    assert_ends(ran, "rank-died", "^rank 0 ended with status 1 before MPI_Init")
    assert "torusim mpirun --start exec" in ran.errors
    assert end("thread", start="exec").status == 0


@STARTS
@pytest.mark.parametrize("case", ["call in handler", "call in thread", "jump out of call"])
def test_a_call_while_another_one_runs(case: str, start: str) -> None:
    ran = end(case, start=start)
    assert_ends(ran, "rank-died", r"^rank 1 ended with status 1 and without MPI_Finalize after MPI_Recv \(call 4\)")
    words = "MPI_Barrier: it is called while MPI_Recv runs, by another thread or after a signal: MPI_THREAD_FUNNELED"
    assert ran.errors.startswith(words)


def test_a_clock_is_read_while_a_call_runs() -> None:
    assert end("read clock in handler").status == 0


@STARTS
def test_a_program_that_ignores_its_children(start: str) -> None:
    """The end of a rank is noticed by the process that has forked it."""
    ran = end("ignore children", signal.SIGKILL.value, start=start)
    assert_ends(ran, "rank-died", r"^rank 1 was killed by SIGKILL after MPI_Comm_size \(call 3\)")


def test_a_timer_of_the_program_ends_no_rank() -> None:
    """Copies of a process do not have its timers."""
    assert end("timer").status == 0


@STARTS
def test_who_ignores_children_cannot_wait_for_ranks(start: str) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(torusim.InputError, match="ignores the signal SIGCHLD"):
            end("nothing", start=start)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_call_that_fails_leaves_the_library_in_order() -> None:
    assert end("go on after error").status == 0


@STARTS
def test_a_rank_that_is_killed_while_it_waits_for_ever(start: str) -> None:
    ran = end("killed while waiting", start=start)
    assert_ends(ran, "rank-died", r"^rank 1 was killed by SIGALRM after MPI_Recv \(call 4\)")
