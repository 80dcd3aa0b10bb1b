"""Runs that stop and continue."""

from itertools import pairwise

import pytest

import torusim
from torusim import _core
from torusim.runs.race import Contender
from torusim.runs.scenario import resolve

HALO = {
    "machine": {"shape": [4, 4, 2]},
    "workload": {"kind": "kernel", "name": "halo-3d", "bytes": 2000, "iterations": 4},
}


def contender() -> Contender:
    return Contender(resolve(HALO, []))


def messages() -> int:
    known = _core.messages(resolve(HALO, []))
    assert known
    return known


def test_messages_arrive_in_order_of_their_number() -> None:
    racing, all_messages = contender(), messages()
    cycles = [racing.cycles_until(all_messages * quarter // 4) for quarter in range(1, 5)]
    assert all(one is not None and other is not None and one < other for one, other in pairwise(cycles))
    assert racing.packet_hops > 0


def test_what_is_asked_before_changes_nothing() -> None:
    half, again = messages() // 2, contender()
    straight = contender().cycles_until(half)
    assert straight is not None
    again.cycles_until(half // 2)
    assert again.cycles_until(half) == pytest.approx(straight, rel=0.1)  # interpolated between other stops
    assert again.cycles_until(half // 2) == contender().cycles_until(half // 2)
    assert again.cycles_until(0) == 0


def test_a_run_that_is_later_than_a_limit_stops_there() -> None:
    racing, half = contender(), messages() // 2
    cycles = contender().cycles_until(half)
    assert cycles is not None
    assert racing.cycles_until(half, cycles / 2) is None
    hops = racing.packet_hops
    assert racing.cycles_until(half, cycles / 2) is None
    assert racing.packet_hops == hops, "it is there already"
    assert racing.cycles_until(half, 1.1 * cycles) == pytest.approx(cycles, rel=0.01)


def test_a_run_that_goes_on_ends_as_any_other() -> None:
    racing = contender()
    racing.cycles_until(messages() // 3)
    assert not racing.has_ended
    racing.go_on()
    assert racing.has_ended
    summary, other = racing.finish().summary, torusim.run(HALO).summary
    assert [summary[key] for key in ("outcome", "digest", "cycles")] == [
        other[key] for key in ("outcome", "digest", "cycles")
    ]
    assert racing.cycles_until(10 * messages()) == pytest.approx(summary["cycles"], rel=0.01), "no more will arrive"


def test_a_run_may_leave_before_its_end() -> None:
    racing = contender()
    racing.cycles_until(messages() // 3)
    result = racing.finish()
    assert result.outcome == "interrupted"
    assert racing.finish() is result
    assert racing.hertz == pytest.approx(result.summary["cycles"] / result.summary["seconds_simulated"])
