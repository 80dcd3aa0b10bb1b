"""Clocks, sleeps, waits and computing of programs in C are in simulated time."""

from tests.mpi_support import compiled, run


def test_times_are_those_that_the_program_asks_for() -> None:
    ran = run(compiled("clocks"))
    assert (ran.result.outcome, ran.status) == ("completed", 0), ran.errors
    assert 3603 < ran.result.summary["seconds_simulated"] < 3604


def test_a_time_to_compute_is_not_negative() -> None:
    ran = run(compiled("clocks"), "wrong")
    assert ran.result.outcome == "aborted"
    assert "torusim_compute" in ran.words
    assert "seconds = -1: it is a number of seconds from 0" in ran.words
