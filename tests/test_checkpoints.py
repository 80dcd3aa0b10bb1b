"""A run resumes from its newest checkpoint after any interruption, and gives the result of the uninterrupted run."""

import json
import os
import platform
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests import altered_checkpoints, golden_digests
from tests.support import (
    COMMAND,
    LIMIT_SECONDS,
    SMALL_SCENARIO,
    TIMED,
    Command,
    assert_one_message,
    assert_says,
    refusal,
    start,
    stop,
    succeeded,
    wait_until,
)
from torusim import _core
from torusim.runs import checkpoints as checkpoints_of
from torusim.runs import runner
from torusim.runs.checkpoints import Times
from torusim.runs.result import of_run
from torusim.sweeps.remaining import Remaining

BUSY = """\
machine.shape = [8, 8, 4]
workload = { kind = "all-to-all", payload_bytes = 4800 }
"""
"""Takes some seconds, so that it can be killed while it runs."""

CHECKPOINT_OFTEN = ["--checkpoint-every", "0.2s"]


KINDS: Mapping[str, Mapping[str, Any]] = {
    **golden_digests.SCENARIOS,
    "real FIFOs, both cores": {
        "machine": {"shape": [4, 4], "node": {"injection_fifo_bytes": 1024, "cores": 2}},
        "workload": {"kind": "uniform-random", "load": 0.9, "packet_bytes": [32, 256]},
        "run": {"warmup_cycles": 3_000, "measure_cycles": 9_000},
    },
}


def same(result: torusim.Result, expected: torusim.Result) -> None:
    """Asserts that both results are equal except for threads, times and memory."""
    assert {key: value for key, value in result.summary.items() if key not in TIMED} == {
        key: value for key, value in expected.summary.items() if key not in TIMED
    }
    assert result.scenario == expected.scenario
    for table in ("links", "latency", "series", "nodes"):
        assert result.table(table).equals(expected.table(table)), table


@pytest.mark.parametrize("name", KINDS)
def test_every_workload_resumes(name: str, tmp_path: Path) -> None:
    """The run is saved at about every twentieth step, and resumed on another number of threads."""
    scenario = _core.resolve_plain(json.dumps(KINDS[name]), [])
    run = _core.Run(scenario, "windowed", 1)
    choose = random.Random(name)
    resumed = 0
    while not run.advance(0.0).done:
        if choose.random() < 0.05 or resumed == 0:
            run.save(tmp_path / "a.checkpoint")
            resumed += 1
            run = _core.Run.resume(tmp_path / "a.checkpoint", 1 + resumed % 3)
    assert resumed > 0
    same(of_run(run.finish(interrupted=False), scenario.seed), torusim.run(dict(KINDS[name])))


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the busy scenario."""
    path = tmp_path_factory.mktemp("scenario") / "busy.toml"
    path.write_text(BUSY)
    return path


@pytest.fixture(scope="module")
def uninterrupted(busy: Path) -> torusim.Result:
    """The result of the uninterrupted run of the busy scenario."""
    return torusim.run(busy)


def kill_until_done(scenario: Path, folder: Path, kills: int) -> torusim.Result:
    """Starts a run, kills and resumes it several times at random moments, and lets it finish."""
    choose = random.Random(kills)
    process = start([COMMAND, "run", scenario, "--out", "kept", *CHECKPOINT_OFTEN], folder)
    for _ in range(kills):
        wait_until(lambda: checkpoints(folder / "kept"))
        time.sleep(choose.uniform(0, 1.2))
        stop(process, signal.SIGKILL)
        if (folder / "kept" / "result.json").exists() and not (folder / "kept" / "checkpoints").exists():
            break
        process = start([COMMAND, "resume", "kept", *CHECKPOINT_OFTEN], folder)
    _, errors = process.communicate(timeout=LIMIT_SECONDS)
    assert "Traceback" not in errors
    return torusim.load(folder / "kept")


def test_killed_run_resumes(busy: Path, tmp_path: Path, uninterrupted: torusim.Result) -> None:
    same(kill_until_done(busy, tmp_path, kills=3), uninterrupted)
    assert not (tmp_path / "kept" / "checkpoints").exists()


@pytest.mark.long
@pytest.mark.parametrize("number", range(20))
def test_twenty_kills_give_twenty_equal_digests(
    number: int, busy: Path, tmp_path: Path, uninterrupted: torusim.Result
) -> None:
    same(kill_until_done(busy, tmp_path, kills=1 + number % 4), uninterrupted)


@pytest.fixture
def killed_run(busy: Path, tmp_path: Path) -> Path:
    """The folder of a run that was killed when it had two checkpoints."""
    process = start([COMMAND, "run", busy, "--out", "kept", *CHECKPOINT_OFTEN], tmp_path)
    wait_until(lambda: len(checkpoints(tmp_path / "kept")) >= 2)
    stop(process, signal.SIGKILL)
    return tmp_path / "kept"


def checkpoints(folder: Path) -> list[Path]:
    return sorted((folder / "checkpoints").glob("*.checkpoint"))


def test_damaged_checkpoint_is_named_and_the_previous_one_used(
    killed_run: Path, command: Command, uninterrupted: torusim.Result
) -> None:
    newest = checkpoints(killed_run)[-1]
    content = bytearray(newest.read_bytes())
    content[len(content) // 2] ^= 1
    newest.write_bytes(content)
    finished = succeeded(command("resume", "kept", "--quiet"))
    assert newest.name in finished.stderr
    assert "damaged" in finished.stderr
    same(torusim.load(killed_run), uninterrupted)


def test_damage_at_any_place_of_a_checkpoint_is_reported_with_its_file(tmp_path: Path) -> None:
    """Each frame is verified before it is read.

    Some bits of a compressed file have no effect: then the content is intact, and the run is resumed.
    """
    path = tmp_path / "000000.checkpoint"
    _core.Run(_core.resolve(SMALL_SCENARIO, "small.toml", Path(), []), "windowed", 1).save(path)
    whole, content = path.read_bytes(), altered_checkpoints.content_of(path)
    places = range(0, len(whole), 7)
    harmless = 0
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        problem = refusal(lambda: _core.Run.resume(path))
        assert problem.startswith(f"{path}: ") or altered_checkpoints.content_of(path) == content, place
        harmless += not problem
    assert harmless < len(places) / 20


def test_resume_fails_without_an_intact_checkpoint(killed_run: Path, command: Command) -> None:
    before = {path: path.read_bytes()[:-7] for path in checkpoints(killed_run)}
    for path, content in before.items():
        path.write_bytes(content)
    assert_says(command("resume", "kept"), *(path.name for path in before))
    assert {path: path.read_bytes() for path in checkpoints(killed_run)} == before, "nothing is lost"


ENDLESS = {"machine": {"shape": [4]}, "workload": {"kind": "uniform-random"}}


def test_altered_checkpoint_is_refused_whatever_its_checksum(tmp_path: Path) -> None:
    path = tmp_path / "a.checkpoint"
    run = _core.Run(_core.resolve_plain(json.dumps(ENDLESS), []), "windowed", 1)
    run.advance(0.0)
    run.save(path)
    content = altered_checkpoints.content_of(path)
    assert altered_checkpoints.sealed(list(altered_checkpoints.frames_of(content))) == content
    choose = random.Random(1)
    for _ in range(100):
        altered = bytearray(content)
        altered[choose.randrange(len(content))] ^= 1 << choose.randrange(8)
        altered_checkpoints.write(path, bytes(altered))
        with pytest.raises(torusim.InputError):
            _core.Run.resume(path)
    altered_checkpoints.write(path, content)
    assert _core.Run.resume(path).seed == run.seed


@pytest.fixture
def forged_run(tmp_path: Path) -> Path:
    """The folder of a run with one checkpoint, in which node 0 has nearly used up the numbers of its packets."""
    folder = tmp_path / "kept"
    path = folder / "checkpoints" / "000000.checkpoint"
    path.parent.mkdir(parents=True)
    _core.Run(_core.resolve_plain(json.dumps(ENDLESS), []), "windowed", 1).save(path)
    header, run, engine, node, *others = altered_checkpoints.frames_of(altered_checkpoints.content_of(path))
    previous_ready, taken, heads = b"\x00", b"\x06", b"\x3f\x3f"
    assert node.count(previous_ready + taken + heads) == 1
    before, after = previous_ready + taken + heads, previous_ready + b"\xff\xff\xff\xff\x0f" + heads
    of_node = [frame.replace(before, after) for frame in altered_checkpoints.frames_of(node)]
    forged = altered_checkpoints.sealed(of_node)
    altered_checkpoints.write(path, altered_checkpoints.sealed([header, run, engine, forged, *others]))
    return folder


@pytest.mark.parametrize("threads", ["1", "2"])
def test_forged_state_that_no_run_leads_to_is_an_input_error(forged_run: Path, command: Command, threads: str) -> None:
    assert_one_message(
        command("resume", forged_run.name, "--quiet", "--threads", threads),
        "000000.checkpoint: the run cannot go on from it: packets of a node are counted",
        "was altered, or this is a bug",
    )


def test_a_run_that_could_not_go_on_is_finished(forged_run: Path) -> None:
    run = _core.Run.resume(forged_run / "checkpoints" / "000000.checkpoint")
    with pytest.raises(torusim.InputError, match="cannot go on from it"):
        run.advance(10.0)
    with pytest.raises(RuntimeError, match="finished"):
        run.advance(0.0)


def test_interrupted_run_is_kept_and_resumes(busy: Path, tmp_path: Path, uninterrupted: torusim.Result) -> None:
    process = start([COMMAND, "run", busy, "--out", "kept", "--checkpoint-every", "1h"], tmp_path)
    wait_until(lambda: checkpoints(tmp_path / "kept"))
    time.sleep(0.3)
    stop(process)
    assert process.returncode == 1
    assert torusim.load(tmp_path / "kept").outcome == "interrupted"
    same(torusim.resume(tmp_path / "kept"), uninterrupted)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_run_interrupted_before_its_first_checkpoint_resumes(
    number: int, busy: Path, tmp_path: Path, uninterrupted: torusim.Result, command: Command
) -> None:
    process = start([COMMAND, "run", busy, "--out", "kept"], tmp_path)
    wait_until(lambda: any(tmp_path.glob(".kept.*")))
    time.sleep(0.5)
    stop(process, number)
    assert process.returncode == (1 if number == signal.SIGINT else 143)
    assert len(checkpoints(tmp_path / "kept")) == 1
    finished = succeeded(command("resume", "kept"))
    assert "Engine time is that of the whole run, wall time that of this process." in finished.stdout
    same(torusim.load(tmp_path / "kept"), uninterrupted)


def test_run_interrupted_without_checkpoints_says_how_to_repeat_it(
    busy: Path, tmp_path: Path, command: Command
) -> None:
    process = start([COMMAND, "run", busy, "--out", "kept", "--checkpoint-every", "never"], tmp_path)
    wait_until(lambda: any(tmp_path.glob(".kept.*")))
    time.sleep(0.5)
    stop(process)
    assert_says(
        command("resume", tmp_path / "kept"),
        "kept: was interrupted and has no checkpoints; torusim run ",
        "result.json --out ",
    )


def test_run_killed_before_its_first_checkpoint_is_named(command: Command, small: Path) -> None:
    (left := small.parent / ".kept.0a1b2c3d").mkdir()
    (small.parent / ".kept.else").mkdir()
    says = f"kept: there is no such folder, only {left.name}, of a run that has not written"
    assert_says(command("resume", "kept"), says)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["resume", "nowhere"], "nowhere: there is no such folder"),
        (["resume", "small.toml"], "small.toml: is a file; a run is resumed by the folder of its result"),
        (["resume", "."], "has no checkpoints: a run keeps some from its second minute on"),
        (["run", "small.toml", "--checkpoint-every", "soon"], 'has to be a time above 0, such as "90s"'),
        (["run", "small.toml", "--checkpoint-every", "0s"], "has to be a time above 0"),
    ],
)
def test_bad_arguments(arguments: list[str], says: str, small: Path, command: Command) -> None:
    assert_one_message(command(*arguments), says)
    assert small.exists()


def test_completed_run_is_not_resumed(small: Path, command: Command) -> None:
    assert command("run", small, "--out", "kept", *CHECKPOINT_OFTEN).returncode == 0
    assert_says(command("resume", "kept"), "this run is over")


def test_existing_result_is_replaced_only_with_force(small: Path, command: Command) -> None:
    again = ["run", small, "--out", "kept", *CHECKPOINT_OFTEN]
    assert command(*again).returncode == 0
    assert command(*again).returncode == 2
    assert command(*again, "--force").returncode == 0


def test_checkpoints_need_a_folder() -> None:
    with pytest.raises(torusim.InputError, match="name it with out="):
        torusim.run(BUSY, checkpoint_every=1.0)


LONG_WITHOUT_STEPS = {"machine": {"shape": [8, 8, 4]}, "workload": {"kind": "all-to-all", "payload_bytes": 4800}}


@pytest.fixture
def living_run(busy: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run with checkpoints that takes longer than the test."""
    longer = ["--set", "workload.payload_bytes=480000"]
    process = start([COMMAND, "run", busy, "--out", "kept", *longer, *CHECKPOINT_OFTEN], tmp_path)
    wait_until(lambda: checkpoints(tmp_path / "kept"))
    yield process
    stop(process, signal.SIGKILL)


def test_folder_of_a_living_run_is_locked(living_run: subprocess.Popen[str], small: Path, command: Command) -> None:
    says = f"torusim: kept: process {living_run.pid} on {platform.node()} is running it"
    for arguments in (["resume", "kept"], ["run", small, "--out", "kept", "--force"]):
        finished = command(*arguments)
        assert finished.returncode == 2
        assert finished.stderr.startswith(says)
        assert living_run.poll() is None


def test_lock_vanishes_with_its_process(living_run: subprocess.Popen[str], small: Path, command: Command) -> None:
    stop(living_run, signal.SIGKILL)
    assert command("run", small, "--out", "kept", "--force").returncode == 0


def test_lock_is_released_at_the_end_of_a_run(tmp_path: Path) -> None:
    """A process can resume a run that it has interrupted; its own lock, if still held, would refuse it."""

    def interrupt(progress: _core.Progress) -> None:
        assert not progress.done
        signal.raise_signal(signal.SIGINT)

    scenario = _core.resolve_plain(json.dumps(LONG_WITHOUT_STEPS), [])
    options = runner.Options(checkpoints=Times(0.0, 3600.0))
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert runner.execute(scenario, options, interrupt, tmp_path / "kept").outcome == "interrupted"
    finally:
        signal.signal(signal.SIGINT, previous)
    assert torusim.resume(tmp_path / "kept").outcome == "completed"


def test_run_keeps_checkpoints_by_itself_once_it_is_not_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder appears with the first checkpoint; the result is that of a run without checkpoints."""
    monkeypatch.setattr(checkpoints_of, "AUTOMATIC_FIRST_SECONDS", 0.2)
    times = checkpoints_of.parse_times("auto")
    assert times == Times(0.2, 600.0)
    target = tmp_path / "kept"
    seen: list[bool] = []

    def interrupt(progress: _core.Progress) -> None:
        assert not progress.done
        seen.append(bool(checkpoints(target)))
        if seen[-1]:
            signal.raise_signal(signal.SIGINT)

    scenario = _core.resolve_plain(json.dumps(LONG_WITHOUT_STEPS), [])
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupted = runner.execute(scenario, runner.Options(checkpoints=times), interrupt, target)
    finally:
        signal.signal(signal.SIGINT, previous)
    assert interrupted.outcome == "interrupted"
    assert seen == [False] * (len(seen) - 1) + [True]
    resumed = torusim.resume(target)
    assert resumed.summary["digest"] == torusim.run(LONG_WITHOUT_STEPS).summary["digest"]
    assert not (target / "checkpoints").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["kept"], "nothing is left under a temporary name"


def test_short_run_writes_no_checkpoints(tmp_path: Path) -> None:
    times = checkpoints_of.parse_times("auto")
    assert times is not None
    with checkpoints_of.keeper_of(tmp_path / "kept", times, pytest.fail, replace=False) as keeper:
        assert not keeper.is_due
        assert not keeper.has_begun
        keeper.keep(torusim.run(SMALL_SCENARIO))
        assert not (tmp_path / "kept").exists(), "the folder appears when it is complete"
    assert torusim.load(tmp_path / "kept").outcome == "completed"
    assert not (tmp_path / "kept" / "checkpoints").exists()


def test_first_checkpoint_that_cannot_be_written_does_not_end_the_run(tmp_path: Path) -> None:
    run = _core.Run(_core.resolve_plain(json.dumps(LONG_WITHOUT_STEPS), []), "windowed", 1)
    said: list[str] = []
    with checkpoints_of.keeper_of(tmp_path / "kept", Times(1e-9, 1e-9), said.append, replace=False) as keeper:
        run.advance(0.3)
        with no_room_for_checkpoints():
            keeper.save(run)
        assert len(said) == 1
        assert "the run goes on" in said[0]
        assert not keeper.has_begun
        keeper.save(run)
        assert keeper.has_begun
    assert len(checkpoints(tmp_path / "kept")) == 1


@pytest.mark.parametrize("every", [None, "never"])
def test_no_checkpoints_on_request(every: str | None) -> None:
    assert checkpoints_of.parse_times(every) is None


@contextmanager
def no_room_for_checkpoints() -> Iterator[None]:
    """Limits files of this process to 4096 bytes, as on a disk that is nearly full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_checkpoint_that_cannot_be_written_is_reported_and_the_run_goes_on(tmp_path: Path) -> None:
    scenario = _core.resolve_plain(json.dumps(LONG_WITHOUT_STEPS), [])
    run = _core.Run(scenario, "windowed", 1)
    said: list[str] = []
    with checkpoints_of.keeper_of(tmp_path / "kept", Times(0.0, 1e-9), said.append, replace=False) as keeper:
        keeper.begin(run)
        first = {path: path.read_bytes() for path in checkpoints(tmp_path / "kept")}
        run.advance(0.3)
        with no_room_for_checkpoints():
            assert keeper.is_due
            keeper.save(run)
        assert {path: path.read_bytes() for path in checkpoints(tmp_path / "kept")} == first
        assert len(said) == 1
        assert "cannot write the checkpoint: File too large" in said[0]
        assert "the run goes on" in said[0]
        keeper.save(run)
        assert len(checkpoints(tmp_path / "kept")) == 2, "the next one is written again"
    assert sorted(path.suffix for path in (tmp_path / "kept" / "checkpoints").iterdir()) == ["", *[".checkpoint"] * 2]


def test_result_is_on_the_disk_before_its_checkpoints_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: set[int] = set()
    removed: list[str] = []
    fsync, rmtree = os.fsync, shutil.rmtree
    target = tmp_path / "kept"

    def record_sync(descriptor: int) -> None:
        synced.add(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def check_and_remove(path: Path, **options: Any) -> None:  # noqa: ANN401
        if path == target / "checkpoints":
            removed.append("checkpoints")
            assert {file.name for file in target.iterdir()} > {"result.json", "links.parquet"}
            files = [target, *(file for file in target.iterdir() if file.is_file())]
            assert all(file.stat().st_ino in synced for file in files)
        rmtree(path, **options)

    monkeypatch.setattr(os, "fsync", record_sync)
    monkeypatch.setattr(shutil, "rmtree", check_and_remove)
    torusim.run(SMALL_SCENARIO, out=target, checkpoint_every=3600)
    assert removed == ["checkpoints"]


@pytest.mark.parametrize("options", [[], CHECKPOINT_OFTEN], ids=["plain", "checkpoints"])
def test_force_replaces_the_folder_behind_a_link(
    small: Path, command: Command, tmp_path: Path, options: list[str]
) -> None:
    (tmp_path / "disk").mkdir()
    assert command("run", small, "--out", "disk/kept", "--seed", "1").returncode == 0
    (tmp_path / "link").symlink_to("disk/kept")
    succeeded(command("run", small, "--out", "link", "--seed", "2", "--force", *options))
    assert (tmp_path / "link").is_symlink()
    assert torusim.load(tmp_path / "link").seed == 2
    assert torusim.load(tmp_path / "disk" / "kept").seed == 2
    assert not list(tmp_path.rglob(".*"))


def test_force_makes_the_folder_that_a_link_names(small: Path, command: Command, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    assert command("run", small, "--out", "link").returncode == 2
    assert command("run", small, "--out", "link", "--force").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert torusim.load(tmp_path / "nowhere").outcome == "completed"


def test_interrupted_run_says_how_it_continues(busy: Path, tmp_path: Path) -> None:
    process = start([COMMAND, "run", busy, "--out", "a b", "--checkpoint-every", "1h"], tmp_path)
    wait_until(lambda: checkpoints(tmp_path / "a b"))
    output, _ = stop(process)
    assert output.splitlines()[-1] == "torusim resume 'a b' continues the run."


def test_remaining_time_of_a_resumed_run_follows_from_its_own_speed() -> None:
    """A run that resumes at 90 % and does 1 % in a second takes nine seconds more; the first run's speed is ignored."""
    remaining = Remaining()
    assert remaining.seconds(0.90, 100.0) is None
    assert remaining.seconds(0.91, 101.0) == pytest.approx(9.0)
    assert Remaining().seconds(None, 1.0) is None


def test_remaining_time_of_a_new_run() -> None:
    remaining = Remaining()
    remaining.seconds(0.0, 0.0)
    assert remaining.seconds(0.25, 10.0) == pytest.approx(30.0)


def test_a_changed_trace_is_not_resumed(tmp_path: Path) -> None:
    trace = tmp_path / "exchange.goal"
    trace.write_text(
        "num_ranks 2\nrank 0 {\nl1: calc 5000\nl2: send 64b to 1\nl2 requires l1\n}\nrank 1 {\nl1: recv 64b from 0\n}\n"
    )
    scenario = {"machine": {"shape": [2]}, "workload": {"kind": "trace", "path": str(trace)}}
    run = _core.Run(_core.resolve_plain(json.dumps(scenario), []), "windowed", 1)
    run.advance(0.0)
    run.save(tmp_path / "a.checkpoint")
    assert not refusal(lambda: _core.Run.resume(tmp_path / "a.checkpoint"))
    trace.write_text(trace.read_text().replace("calc 5000", "calc 6000"))
    said = refusal(lambda: _core.Run.resume(tmp_path / "a.checkpoint"))
    assert "a.checkpoint: cannot be resumed: the files of its workload have changed" in said
