"""Schedules: compared with a reference implementation and with the definitions; messages for bad input."""

import gzip
import inspect
import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import torusim
from tests.easy_reference import Job, easy_starts
from tests.support import ROOT, Command, assert_one_message, assert_says, succeeded
from torusim._core import rules_of_schedules
from torusim.cli.schedule import Options as command_options  # noqa: N813 - a table of types
from torusim.queue.options import KEYS

JOBLOGS = ROOT.parent / "shared" / "data" / "joblogs"
KTH = JOBLOGS / "KTH-SP2-1996-2.swf.gz"
MIRA = JOBLOGS / "mira.swf.gz"
INTREPID = JOBLOGS / "anl-intrepid-first3000-simplified.swf"

needs_joblogs = pytest.mark.skipif(not JOBLOGS.is_dir(), reason="the real job logs are not next to the repository")

FOUR_JOBS = [Job(0, 1, 100, 6, 100), Job(1, 2, 50, 10, 50), Job(2, 3, 90, 4, 500), Job(3, 4, 60, 4, 60)]
"""A case on 10 processors that two popular simulators get wrong."""


def swf_line(job: Job) -> str:
    """A line of the Standard Workload Format."""
    return (
        f"{job.number} {job.submit} -1 {job.run} {job.nodes} -1 -1 {job.nodes} {job.estimate} -1 1 1 1 -1 -1 -1 -1 -1"
    )


def write_log(path: Path, jobs: list[Job]) -> Path:
    """Writes a log of these jobs in this order."""
    path.write_text("; MaxProcs: 10\n" + "".join(f"{swf_line(job)}\n" for job in jobs))
    return path


def starts(made: torusim.Schedule) -> dict[int, int]:
    """The start time of each job, by job number."""
    table = made.table("jobs")
    pairs = zip(table.column("job").to_pylist(), table.column("start").to_pylist(), strict=True)
    return {job: start for job, start in pairs if start is not None}


@pytest.mark.parametrize(
    ("backfill", "expected"),
    [
        ("none", {1: 0, 2: 100, 3: 150, 4: 150}),
        ("easy", {1: 0, 2: 100, 3: 150, 4: 3}),
        ("conservative", {1: 0, 2: 100, 3: 150, 4: 3}),
    ],
)
def test_four_jobs(tmp_path: Path, backfill: str, expected: dict[int, int]) -> None:
    made = torusim.schedule(write_log(tmp_path / "four.swf", FOUR_JOBS), nodes=10, backfill=backfill)
    assert starts(made) == expected


def test_reference_schedules_the_four_jobs_correctly() -> None:
    assert easy_starts(FOUR_JOBS, 10) == {1: 0, 2: 100, 3: 150, 4: 3}


small_jobs = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 40), st.integers(1, 12), st.integers(1, 40)), min_size=1, max_size=30
)


# A job larger than the machine arrives while another overruns its requested time: no job starts because of it.
@example(rows=[(0, 16, 1, 1), (14, 2, 2, 2), (14, 0, 8, 1), (14, 0, 1, 2), (15, 0, 11, 1)], kill=False)
@given(rows=small_jobs, kill=st.booleans())
@settings(max_examples=300, deadline=None)
def test_small_logs_equal_the_reference(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int, int, int]], kill: bool
) -> None:
    jobs = [Job(submit, number, run, nodes, estimate) for number, (submit, run, nodes, estimate) in enumerate(rows, 1)]
    path = write_log(tmp_path_factory.getbasetemp() / "random.swf", jobs)
    made = torusim.schedule(path, nodes=10, backfill="easy", walltime="kill" if kill else "keep")
    assert starts(made) == easy_starts(jobs, 10, kill=kill)


def kth_jobs() -> list[Job]:
    """The jobs of KTH's log, with requested processors and times, which every line has."""
    with gzip.open(KTH, "rt") as file:
        rows = [list(map(int, line.split())) for line in file if not line.startswith(";")]
    return [Job(row[1], row[0], row[3], row[7], row[8]) for row in rows]


@needs_joblogs
@pytest.mark.parametrize("walltime", ["keep", "kill"])
def test_kth_equals_the_reference_job_by_job(walltime: str) -> None:
    made = torusim.schedule(KTH, nodes=100, policy="fcfs", backfill="easy", walltime=walltime)
    assert starts(made) == easy_starts(kth_jobs(), 100, kill=walltime == "kill")


def test_schedule_does_not_depend_on_the_order_of_lines(tmp_path: Path) -> None:
    generator = random.Random(1)
    jobs = [
        Job(generator.randrange(20), number, generator.randrange(50), generator.randrange(1, 11), 60)
        for number in range(60)
    ]
    shuffled = sorted(jobs, key=lambda job: (job.submit, generator.random()))
    orders: list[dict[str, Any]] = [{"policy": name} for name in ("wfp", "sjf", "nodes")]
    for options in (*orders, {"backfill": "conservative"}):
        first = torusim.schedule(write_log(tmp_path / "first.swf", jobs), nodes=10, **options)
        second = torusim.schedule(write_log(tmp_path / "second.swf", shuffled), nodes=10, **options)
        assert first.table("jobs") == second.table("jobs")
        assert first.table("jobs") == torusim.schedule(tmp_path / "first.swf", nodes=10, **options).table("jobs")


LINE = swf_line(FOUR_JOBS[0])

BAD_LOGS = {
    "empty": ("", ["bad.swf", "no job"]),
    "only a header": ("; MaxProcs: 10\n", ["bad.swf", "no job"]),
    "17 columns": (f"{LINE}\n{LINE.rsplit(' ', 1)[0]}\n", ["bad.swf:2", "17 columns", "18"]),
    "19 columns": (f"{LINE} -1\n", ["bad.swf:1", "19 columns"]),
    "letters": (LINE.replace("100", "1o0", 1) + "\n", ["bad.swf:1", "column 4", "1o0", "number"]),
    "letters in a column that is not used": (LINE[:-2] + "x\n", ["bad.swf:1", "column 18"]),
    "no run times": (f"{LINE.replace(' 100 ', ' -1 ', 1)}\n", ["bad.swf", "none of its 1 jobs"]),
    "not text": ("\0\1\2\n", ["bad.swf:1"]),
    "no number": (LINE.replace("100", "nan", 1) + "\n", ["bad.swf:1", "column 4", "nan", "number"]),
    "only line breaks": ("\n" * (1 << 24) + "\n", ["bad.swf:16777217", "16 MiB", "empty lines"]),
}


@pytest.mark.parametrize(("text", "expected"), BAD_LOGS.values(), ids=BAD_LOGS.keys())
def test_bad_logs(command: Command, tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "bad.swf").write_text(text)
    finished = command("schedule", "bad.swf", "--nodes", "10", "--quiet")  # it reads the last for two seconds
    assert_one_message(finished, *expected)
    assert not (tmp_path / "runs").exists()


def test_truncated_gzip(command: Command, tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"{swf_line(Job(i, i, 10, 1, 10))}\n" for i in range(5000)).encode())
    (tmp_path / "bad.swf.gz").write_bytes(whole[: len(whole) // 2])
    finished = command("schedule", "bad.swf.gz", "--nodes", "10")
    assert finished.stderr.startswith("torusim: bad.swf.gz:")
    assert_one_message(finished, "is truncated")


def test_gigabytes_of_line_breaks_are_not_read(command: Command, tmp_path: Path) -> None:
    """A file of 2 MB that holds 2 GB."""
    member = gzip.compress(b"\n" * (1 << 24))
    (tmp_path / "bad.swf.gz").write_bytes(gzip.compress(f"{LINE}\n".encode()) + member * 128)
    finished = command("schedule", "bad.swf.gz", "--nodes", "10")
    assert finished.returncode == 2
    # A busy host takes long enough for progress.
    [message] = [line for line in finished.stderr.splitlines() if line.startswith("torusim:")]
    assert "16 MiB of comments and empty lines" in message


LARGEST = 2**63 - 1

LARGE_TIMES = {
    "submit": [f"2 {time} -1 10 4 -1 -1 4 20 -1 1 1 1 1 -1 -1 -1 -1" for time in (LARGEST, 2**53 + 1, "1e30")],
    "run": [f"2 50 -1 {time} 4 -1 -1 4 20 -1 1 1 1 1 -1 -1 -1 -1" for time in (LARGEST, 2**32 + 1, 2**63)],
    "request": [f"2 50 -1 10 4 -1 -1 4 {time} -1 1 1 1 1 -1 -1 -1 -1" for time in (LARGEST, 2**32 + 1, 2**64)],
}


@pytest.mark.parametrize("lines", LARGE_TIMES.values(), ids=LARGE_TIMES.keys())
def test_times_that_could_overflow_are_dropped_and_counted(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "large.swf").write_text("\n".join([LINE, *lines]) + "\n")
    for backfill in ("easy", "conservative"):
        made = torusim.schedule(tmp_path / "large.swf", nodes=10, backfill=backfill)
        remarks = {remark["what"]: (remark["jobs"], remark["lines"]) for remark in made.report["remarks"]}
        assert remarks["time-out-of-range"] == (3, [2, 3, 4])
        assert starts(made) == {1: 0}


def test_fair_share_needs_users(command: Command) -> None:
    assert_says(
        command("schedule", "lublin", "--nodes", "16", "--jobs", "10", "--policy", "fair-share"),
        "--policy",
        "needs the users of jobs",
    )


def test_every_rule_is_in_the_help_and_on_the_page_of_the_model(command: Command) -> None:
    page = (ROOT / "docs" / "models" / "queue.md").read_text()
    options = command("schedule", "--help").stdout
    for kind, names in rules_of_schedules().items():
        assert f"--{kind}" in options
        for name in names:
            assert f"`{name}`" in page, f"{kind} {name} is not in docs/models/queue.md"
            assert name in options


@pytest.mark.parametrize("backfill", ["none", "greedy", "easy", "conservative"])
def test_the_largest_times_do_not_overflow(tmp_path: Path, backfill: str) -> None:
    largest = [Job(2**53 - 10 + number, number, 2**32, 10, 2**32 - 5) for number in range(1, 6)]
    made = torusim.schedule(write_log(tmp_path / "large.swf", largest), nodes=10, backfill=backfill)
    first = 2**53 - 9
    assert starts(made) == {number: first + (number - 1) * 2**32 for number in range(1, 6)}
    assert made.summary["utilization"] == pytest.approx(1)
    assert made.summary["loss_of_capacity"] == 0


BAD_OPTIONS = {
    "unknown policy": (["--policy", "wpf"], ["--policy", "wpf", "fcfs", "wfp"]),
    "half-life": (
        ["--set", "queue.fair_share_half_life_seconds=0"],
        ["queue.fair_share_half_life_seconds", "from 1 to"],
    ),
    "share of nothing": (["--set", "queue.user_shares=[[1, 0]]"], ["queue.user_shares[0]", "above 0"]),
    "two shares": (["--set", "queue.user_shares=[[1, 2], [1, 3]]"], ["queue.user_shares[1]", "each once"]),
    "broken expression": (["--policy", "wait *"], ["--policy", "character 7", "missing"]),
    "no such room": (["--room", "intrepit"], ["--room", "intrepid"]),
    "no such profile": (["--room", "intrepid", "--profile", "papr-2009"], ["--profile", "paper-2009"]),
    "room and nodes": (["--room", "intrepid", "--nodes", "3"], ["--nodes"]),
    "drain without a room": (["--nodes", "10", "--backfill", "drain"], ["--backfill", "room"]),
    "Cobalt without a room": (["--nodes", "10", "--backfill", "cobalt-2009-01"], ["--backfill", "room"]),
    "unknown rule": (["--backfill", "cobalt"], ["--backfill", "cobalt", "cobalt-2009-01"]),
    "blocks of nothing": (["--resample-blocks", "0"], ["--resample-blocks", "at least 1"]),
    "blocks of too many": (["--resample-blocks", "5"], ["--resample-blocks", "at most 4"]),
    "outage beyond all times": (
        ["--nodes", "10", "--set", "machine.outages=[{from=0, until=9223372036854775806, nodes=1}]"],
        ["machine.outages", "2^53"],
    ),
    "no nodes": (["--nodes", "0"], ["--nodes", "at least 1"]),
    "slowdown without a room": (["--slowdown", "1.05"], ["--slowdown", "room"]),
    "slowdown of nothing": (["--room", "intrepid", "--slowdown", "0"], ["--slowdown", "0.01"]),
    "tori without a choice": (["--room", "intrepid", "--torus-above", "1.07"], ["--torus-above", "machine.hybrid"]),
    "tori above nothing": (["--room", "intrepid", "--hybrid", "--torus-above", "0"], ["--torus-above", "0.01"]),
    "tori without a room": (["--nodes", "10", "--hybrid", "--torus-above", "1.1"], ["--torus-above", "room"]),
    "load": (["--load", "-1"], ["--load", "0.001"]),
    "column map": (["--columns", "job=1,submit=2"], ["--columns", "run", "nodes"]),
    "unknown column": (["--columns", "jib=1"], ["--columns", "jib", "job"]),
    "no such midplane": (
        ["--room", "intrepid", "--set", 'machine.outages=[{from=0, midplane="R99-M0"}]'],
        ["machine.outages: ", "R99-M0", "R00-M0"],
    ),
    "unknown key": (["--set", "queue.polcy=wfp"], ["queue.polcy", "policy"]),
}


@pytest.mark.parametrize(("options", "expected"), BAD_OPTIONS.values(), ids=BAD_OPTIONS.keys())
def test_bad_options(command: Command, tmp_path: Path, options: list[str], expected: list[str]) -> None:
    write_log(tmp_path / "four.swf", FOUR_JOBS)
    assert_one_message(command("schedule", "four.swf", *options), *expected)


DIRTY = """\
; MaxNodes: 12
1 50 -1 10 4 -1 -1 4 20 -1 1 1 1 1 -1 -1 -1 -1
2 40 -1 10 4 -1 -1 -1 -1 -1 1 1 1 1 -1 -1 -1 -1
3 60 -1 -1 4 -1 -1 4 20 -1 5 1 1 1 -1 -1 -1 -1
4 60 -1 5 -1 -1 -1 -1 20 -1 1 1 1 1 -1 -1 -1 -1
5 60 -1 0 4 -1 -1 4 20 -1 1 1 1 1 -1 -1 -1 -1
6 61 -1 30 4 -1 -1 4 20 -1 5 1 1 1 -1 -1 -1 -1
7 62 -1 30 64 -1 -1 64 40 -1 1 1 1 1 -1 -1 -1 -1
7 63 -1 30 4 -1 -1 4 40 -1 2 1 1 1 -1 -1 -1 -1
8 -1 -1 30 4 -1 -1 4 40 -1 1 1 1 1 -1 -1 -1 -1
8 64.4 -1 30 4 0.5 -1 4 40 -1 1 1 1 1 -1 -1 -1 -1
"""


def test_report_lists_the_defects_of_a_log(tmp_path: Path) -> None:
    (tmp_path / "dirty.swf").write_text(DIRTY)
    made = torusim.schedule(tmp_path / "dirty.swf")
    reports = {remark["what"]: (remark["jobs"], remark["lines"]) for remark in made.report["remarks"]}
    assert reports == {
        "no-submit-time": (1, [10]),
        "no-run-time": (1, [4]),
        "no-processors": (1, [5]),
        "part-of-a-job": (1, [9]),
        "cancelled-after-start": (1, [7]),
        "no-requested-processors": (1, [3]),
        "no-requested-time": (1, [3]),
        "runs-beyond-its-request": (1, [7]),
        "submitted-before-the-line-above": (1, [3]),
        "fraction": (1, [11]),
    }
    assert made.report["jobs"] == 6
    assert made.summary["jobs_not_run"] == {"larger than the machine": 1}
    row = made.table("jobs").filter(made.table("jobs").column("job").to_numpy() == 7).to_pylist()[0]
    assert (row["start"], row["end"], row["reason"]) == (None, None, "larger than the machine")


@needs_joblogs
def test_logs_of_argonne() -> None:
    made = torusim.schedule(INTREPID, room="intrepid", policy="wfp", backfill="drain", walltime_factor=4)
    assert made.report["format"] == "argonne"
    assert made.summary["jobs_run"] == 3000
    made = torusim.schedule(MIRA, columns="mira", room="mira", jobs=2000)
    assert made.summary["jobs_run"] == 2000


@needs_joblogs
def test_drained_partitions_are_no_promises() -> None:
    """Cobalt's rule of March 2009 delays reservations, by up to three days, though no job outlasts its request."""
    made = torusim.schedule(
        MIRA,
        columns="mira",
        room="intrepid",
        profile="paper-2009",
        backfill="cobalt-2009-03",
        cut_to_nodes=40960,
        slowdown=1.05,
        walltime="kill",
    )
    rows = made.table("jobs").to_pylist()
    delays = [row["start"] - row["promised"] for row in rows if row["promised"] is not None]
    delayed = [delay for delay in delays if delay > 0]
    assert made.summary["broken_promises"] == len(delayed)
    assert (len(delays), len(delayed), round(max(delayed) / 3600, 1)) == (8977, 319, 68.6)


def test_former_names_of_rules() -> None:
    options: dict[str, Any] = {"room": "intrepid", "jobs": 300, "load": 2.0}
    one, other = (torusim.schedule("lublin", backfill=name, **options) for name in ("drain", "cobalt-2009-03"))
    assert one.description == other.description
    assert one.table("jobs") == other.table("jobs")


def test_resampled_logs(tmp_path: Path) -> None:
    """Blocks of consecutive jobs, with the times between them, as many as requested, as the seed says."""
    generator = random.Random(3)
    submits = sorted(generator.sample(range(100_000), 50))
    jobs = [Job(submit, number, 10 + number, 1, 100) for number, submit in enumerate(submits)]
    write_log(tmp_path / "log.swf", jobs)

    def resampled(**options: Any) -> list[tuple[int, int]]:  # noqa: ANN401
        """(number in the log, submit time); the number follows from the run time."""
        table = torusim.schedule(tmp_path / "log.swf", nodes=10, resample_blocks=7, **options).table("jobs")
        pairs = zip(table.column("run").to_pylist(), table.column("submit").to_pylist(), strict=True)
        return [(run - 10, submit) for run, submit in pairs]

    drawn = resampled(jobs=100)
    assert len(drawn) == 100
    assert len(resampled()) == 50
    assert drawn == resampled(jobs=100)
    assert drawn != resampled(jobs=100, seed=2)
    for first in range(0, 100, 7):
        block = drawn[first : first + 7]
        source = block[0][0]
        assert [number for number, _ in block] == list(range(source, source + len(block)))
        gaps = [later[1] - earlier[1] for earlier, later in pairwise(block)]
        assert gaps == [submits[number + 1] - submits[number] for number, _ in block[:-1]]
    assert all(number >= 20 for number, _ in resampled(skip_jobs=20))
    made = torusim.schedule(tmp_path / "log.swf", nodes=10, resample_blocks=7, jobs=100, load=0.5)
    assert made.summary["offered_load"] == pytest.approx(0.5, rel=0.02)


def test_runs_that_outages_end_are_a_table(tmp_path: Path) -> None:
    log = write_log(tmp_path / "four.swf", FOUR_JOBS)
    assert "ended_runs" not in torusim.schedule(log, nodes=10).tables
    made = torusim.schedule(log, nodes=10, outages=[{"from": 30, "until": 40, "nodes": 10}])
    (ended,) = [run for run in made.table("ended_runs").to_pylist() if run["job"] == 1]
    assert (ended["start"], ended["end"]) == (0, 30)
    assert (ended["granted_nodes"], ended["partition"]) == (6, "")
    assert made.table("ended_runs").num_rows == made.summary["restarts"]


@pytest.mark.parametrize("after_outage", ["restart", "drop"])
@pytest.mark.parametrize("machine", [{"nodes": 256}, {"room": "intrepid"}])
def test_series_are_of_all_runs(after_outage: str, machine: dict[str, Any]) -> None:
    """In each interval every run has its nodes, and a job waits while it does not run: at first, and after outages."""
    lost = {"midplane": "R20-M0"} if "room" in machine else {"nodes": 200}
    outages = [{"from": 55_000, "until": 100_000, **lost}, {"from": 150_000, **lost}]
    log: dict[str, Any] = {"log": "lublin", "jobs": 200, "load": 0.9, **machine}
    made = torusim.schedule(**log, outages=outages, after_outage=after_outage)
    jobs, ended = made.table("jobs").to_pylist(), made.table("ended_runs").to_pylist()
    assert ended
    runs = [*ended, *(job for job in jobs if job["start"] is not None)]
    last = max(run["end"] for run in runs)
    waits: list[tuple[int, int]] = []
    for job in jobs:
        of_job = sorted((run["start"], run["end"]) for run in runs if run["job"] == job["job"])
        begins = [job["submit"], *(end for _, end in of_job)]
        waits += zip(begins, (start for start, _ in of_job), strict=False)
        if job["reason"] == "what it needs is out of service":
            waits.append((begins[-1], last))
    for row in made.table("series").to_pylist():
        seconds = row["end"] - row["start"]

        def within(start: int, end: int, begin: int = row["start"], stop: int = row["end"]) -> int:
            return max(0, min(end, stop) - max(start, begin))

        held = sum(within(run["start"], run["end"]) * run["granted_nodes"] for run in runs)
        assert row["allocated"] == pytest.approx(held / seconds / machine.get("nodes", 40_960))
        assert row["waiting_jobs"] == pytest.approx(sum(within(*wait) for wait in waits) / seconds)


def test_result_folder_and_rerun(command: Command, tmp_path: Path) -> None:
    write_log(tmp_path / "four.swf", FOUR_JOBS)
    finished = succeeded(command("schedule", "four.swf", "--policy", "wfp", "--out", "made"))
    assert "Utilization" in finished.stdout
    assert command("schedule", "made/result.json", "--out", "again").returncode == 0
    one, other = (torusim.load_schedule(tmp_path / name) for name in ("made", "again"))
    assert one.table("jobs") == other.table("jobs")
    assert one.description == other.description
    content = json.loads((tmp_path / "made" / "result.json").read_text())
    assert (content["kind"], content["schema_version"]) == ("schedule", 1)
    # The written schedule.swf can be read as a log and gives the same start times.
    repeated = torusim.schedule(tmp_path / "made" / "schedule.swf", policy="wfp")
    assert starts(repeated) == starts(one)
    with pytest.raises(torusim.InputError, match="schedule"):
        torusim.load(tmp_path / "made")


def test_measures_computed_by_hand(tmp_path: Path) -> None:
    """The four jobs under EASY: waits 0, 99, 148, 0; runs 100, 50, 90, 60; 1,700 of 2,400 node-seconds."""
    summary = torusim.schedule(write_log(tmp_path / "four.swf", FOUR_JOBS)).summary
    assert summary["span_seconds"] == 240
    assert summary["utilization"] == pytest.approx((600 + 500 + 360 + 240) / 2400)
    assert summary["wait_seconds_mean"] == pytest.approx((99 + 148) / 4)
    assert summary["response_seconds_mean"] == pytest.approx((100 + 149 + 238 + 60) / 4)
    assert summary["bounded_slowdown_max"] == pytest.approx(149 / 50)
    # Idle nodes while job 3 (4 nodes) waits: 4 from 2 to 3, and 4 from 63 to 100.
    assert summary["loss_of_capacity"] == pytest.approx((4 * 1 + 4 * 37) / 2400)
    assert summary["overtaken_share"] == pytest.approx(2 / 4)


def test_every_key_of_a_description_is_an_argument() -> None:
    arguments = inspect.signature(torusim.schedule).parameters
    assert set(arguments) == {"log", "out", *KEYS}
    assert all(argument.annotation is not inspect.Parameter.empty for argument in arguments.values())


def test_options_are_those_of_the_table() -> None:
    options: dict[str, Any] = {"node": 4}
    with pytest.raises(TypeError, match=r"schedule\(\) got an unexpected keyword argument 'node'"):
        torusim.schedule("lublin", **options)
    assert command_options.__annotations__.keys() - KEYS.keys() == {"application"}
