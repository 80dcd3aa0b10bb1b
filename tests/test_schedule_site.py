"""Schedules at a site: sacct's logs, queues, advance reservations, dependencies, and files for other tools."""

import csv
import io
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import torusim
from tests.support import ROOT, Command, refused

SACCT = ROOT / "tests" / "data" / "sacct.txt"
"""The output of Slurm 22.05.8 on a machine of one node with two processors (--parsable2)."""

PARSABLE = ROOT / "tests" / "data" / "sacct-parsable.txt"
"""These jobs with other columns (--parsable)."""


def column(made: torusim.Schedule, name: str) -> list[Any]:
    """A column of the table of jobs."""
    values: list[Any] = made.table("jobs").column(name).to_pylist()
    return values


def remarks(made: torusim.Schedule) -> dict[str, int]:
    """The number of jobs of each remark."""
    return {remark["what"]: remark["jobs"] for remark in made.report["remarks"]}


def test_a_real_log_of_sacct() -> None:
    made = torusim.schedule(SACCT, nodes=2, dependencies=True)
    assert made.report["format"] == "sacct"
    assert made.report["zero"] == "2026-11-23T05:49:11"
    assert remarks(made) == {
        "no-run-time": 4,
        "runs-beyond-its-request": 1,
        "step-of-a-job": 15,
        "still-running": 1,
        "dependency-of-another-kind": 1,
    }
    # The tasks of array 6 have the numbers 17, 18 and 6; job 7 follows task 6_2, and jobs 1 and 3.
    assert column(made, "job") == [1, 3, 4, 5, 6, 7, 11, 13, 17, 18, 15, 16]
    ends = dict(zip(column(made, "job"), column(made, "end"), strict=True))
    arrivals = dict(zip(column(made, "job"), column(made, "submit"), strict=True))
    assert (arrivals[4], arrivals[7]) == (ends[1], max(ends[18], ends[1], ends[3]))
    assert column(made, "walltime")[:3] == [300, 600, 86400]
    other = torusim.schedule(PARSABLE, nodes=2)
    # Without JobIDRaw tasks have the number of their array, and another place in the order.
    assert sorted(column(other, "run")) == sorted(column(made, "run"))
    assert column(other, "job").count(6) == 3
    assert column(other, "user") == [1] * 12
    assert torusim.schedule(SACCT, nodes=2, arrival="eligible").summary["jobs_run"] == 12


HEADING = "JobID|Submit|Start|Elapsed|Timelimit|NNodes|State"
LINE = "7|2024-03-01T08:00:00|2024-03-01T08:00:03|00:10:00|01:00:00|4|COMPLETED"

BAD_LINES = {
    "time": (LINE.replace("2024-03-01T08:00:00", "2024-13-01T08:00:00"), ["column Submit", "2024-13-01", "Unknown"]),
    "duration": (LINE.replace("00:10:00", "10 min"), ["column Elapsed", "10 min", "1-02:03:04"]),
    "limit": (LINE.replace("01:00:00", "1h"), ["column Timelimit", "1h", "Partition_Limit"]),
    "state": (LINE.replace("COMPLETED", "COMPLETD"), ["column State", "COMPLETD", "did you mean COMPLETED"]),
    "nodes": (LINE.replace("|4|", "|four|"), ["column NNodes", "four", "4K"]),
    "number": (LINE.replace("7|", "seven|", 1), ["column JobID", "seven", "123_4"]),
    "fields": (LINE.rsplit("|", 1)[0], ["6 fields", "7 columns"]),
}


@pytest.mark.parametrize(("line", "expected"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_bad_lines_of_sacct(tmp_path: Path, line: str, expected: list[str]) -> None:
    (tmp_path / "bad.txt").write_text(f"{HEADING}\n{LINE}\n{line}\n")
    with refused("bad.txt:3: ", *expected):
        torusim.schedule(tmp_path / "bad.txt", nodes=10)


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("JobID|Start|Elapsed|NNodes", "no column Submit"),
        ("JobID|Submit|Elapsed", "no column NNodes"),
        ("JobID|JobID|Submit", "JobID occurs twice"),
        (LINE, "must be the heading of sacct"),
        ("JobID Submit Elapsed NNodes", "as sacct prints them for people: use --parsable2"),
    ],
)
def test_bad_headings_of_sacct(tmp_path: Path, heading: str, expected: str) -> None:
    (tmp_path / "bad.txt").write_text(f"{heading}\n{LINE}\n")
    with pytest.raises(torusim.InputError, match=f"bad.txt:1: .*{expected}"):
        torusim.schedule(tmp_path / "bad.txt", nodes=10, format="sacct")


def starts(made: torusim.Schedule) -> dict[int, int]:
    """The start of each job."""
    return dict(zip(column(made, "job"), column(made, "start"), strict=True))


SUBMIT_LINES = {
    1: "sbatch a.sh",
    2: "sbatch --dependency=afterok:1 b.sh",
    3: "sbatch --depend=afterok:1 b.sh",
    4: "sbatch -dafterok:1 b.sh",
    5: "sbatch --depend afterok:1 b.sh",
    6: "sbatch -d afterok:1 b.sh",
    7: 'sbatch "--dependency=afterok:1" b.sh',
    8: "sbatch b.sh -d afterok:1",
    9: "sbatch --dependency=after:1+5 b.sh",
    10: "sbatch --dependency=afterok:1,singleton b.sh",
    11: "sbatch --dependency afterany:1:99 b.sh",
    12: "sbatch --dependency=1 b.sh",
    13: "sbatch --dependency=expand:1 b.sh",
    14: "srun -N 1 -t 10 -d afterok:1 ./a.out -d after:2",
    15: "salloc --nodes 1 --exclusive -Qd afterok:1",
    16: "sbatch -n1 --wrap tool -d afterok:1",
}
"""Command lines of job 1, which runs for 1,000 s, and of jobs that are submitted one second after the other."""


def test_dependencies_in_all_spellings_of_slurm(tmp_path: Path) -> None:
    """Spellings that getopt_long accepts are followed; other kinds, and those that may be the script's, are counted."""
    lines = [
        f"{job}|2024-03-01T08:00:{job - 1:02}|{1000 if job == 1 else 10}|60|1|COMPLETED|{command}"
        for job, command in SUBMIT_LINES.items()
    ]
    heading = "JobID|Submit|ElapsedRaw|TimelimitRaw|NNodes|State|SubmitLine"
    (tmp_path / "log.txt").write_text("\n".join([heading, *lines]))
    made = torusim.schedule(tmp_path / "log.txt", nodes=20, dependencies=True)
    own = {job: job - 1 for job in (1, 8, 9, 12, 13, 16)}
    assert starts(made) == {job: own.get(job, 1000) for job in SUBMIT_LINES}
    assert remarks(made) == {"dependency-of-another-kind": 5, "job-before-is-missing": 1}


def test_a_job_that_is_refused_on_arrival_releases_others_before_the_pass(tmp_path: Path) -> None:
    """Job 2 arrives in the second in which job 1 proves too large, and is first in the queue of that second."""
    heading = "JobID|Submit|ElapsedRaw|TimelimitRaw|NNodes|State|SubmitLine"
    jobs = ["2|10|4|sbatch -d afterany:1 b.sh", "1|10|8|sbatch a.sh", "3|1000|4|sbatch c.sh"]
    rows = [
        (job, "2024-03-01T08:00:00", run, "60", nodes, "COMPLETED", line)
        for job, run, nodes, line in (job.split("|") for job in jobs)
    ]
    (tmp_path / "log.txt").write_text("\n".join([heading, *("|".join(row) for row in rows)]))
    made = torusim.schedule(tmp_path / "log.txt", nodes=4, dependencies=True)
    found = starts(made)
    assert (found[2], found[3]) == (0, 10)


def test_a_job_that_is_queued_again(tmp_path: Path) -> None:
    """Each run of the job uses the machine, and its dependents wait for the last run."""
    text = """JobID|JobIDRaw|Submit|Start|End|ElapsedRaw|TimelimitRaw|NNodes|State|SubmitLine
1|1|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T08:05:00|300|60|4|REQUEUED|sbatch a.sh
1|1|2024-03-01T08:05:01|2024-03-01T08:07:00|2024-03-01T08:17:00|600|60|4|COMPLETED|sbatch a.sh
2|2|2024-03-01T08:00:10|Unknown|2024-03-01T08:17:00|0|60|4|REQUEUED|sbatch c.sh
3|3|2024-03-01T08:00:20|2024-03-01T08:17:00|2024-03-01T08:18:00|60|60|4|COMPLETED|sbatch -d afterok:1 b.sh
4_1|5|2024-03-01T08:00:30|2024-03-01T08:17:00|2024-03-01T08:18:00|60|60|4|NODE_FAIL|sbatch -a 1-2%1 c.sh
4_1|5|2024-03-01T08:18:01|2024-03-01T08:18:01|2024-03-01T08:19:01|60|60|4|COMPLETED|sbatch -a 1-2%1 c.sh
4_2|4|2024-03-01T08:00:30|2024-03-01T08:19:00|2024-03-01T08:19:30|30|60|4|COMPLETED|sbatch -a 1-2%1 c.sh
6|6|2024-03-01T08:00:40|2024-03-01T08:19:30|2024-03-01T08:19:40|10|60|4|COMPLETED|sbatch --depend=afterok:5 d.sh
7|7|2024-03-01T08:00:40|2024-03-01T08:19:30|2024-03-01T08:19:40|10|60|4|COMPLETED|sbatch --depend=afterok:4 d.sh
"""
    (tmp_path / "log.txt").write_text(text)
    made = torusim.schedule(tmp_path / "log.txt", nodes=100, dependencies=True)
    jobs = list(zip(*(column(made, name) for name in ("job", "start", "run")), strict=True))
    # The second run of job 1 arrives at 301 s and takes 600 s; the second one of task 4_1 at 1081 s.
    assert jobs == [
        *[(1, 0, 300), (3, 901, 60), (4, 30, 30), (5, 30, 60)],
        *[(6, 1141, 10), (7, 1141, 10), (1, 301, 600), (5, 1081, 60)],
    ]
    found = remarks(made)
    assert (found["queued-again"], found["no-run-time"]) == (1, 1)


OFFSETS = """JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|NNodes|State|User|Partition
1|2024-10-27T02:10:00+0200|2024-10-27T02:10:00+0200|2024-10-27T02:40:00+0100|5400|120|4|COMPLETED|ada|b
2|2024-10-27T02:30:00+0200|2024-10-27T02:40:00+0100|2024-10-27T03:10:00+0100|1800|60|4|COMPLETED|bob|b
3|2024-10-27T02:10:00+0100|2024-10-27T03:10:00+0100|2024-10-27T03:20:00+0100|600|60|4|COMPLETED|bob|b
"""
"""Jobs over the end of summer time."""


def reservation(date: str) -> dict[str, Any]:
    """Options that reserve the machine for nobody from a date on, for ten hours."""
    return {"reservations": [{"from": date, "until": date.replace("T0", "T1"), "nodes": 4}]}


def test_times_with_an_offset(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(OFFSETS)
    made = torusim.schedule(tmp_path / "log.txt", nodes=4)
    assert (column(made, "submit"), column(made, "start")) == ([0, 1200, 3600], [0, 5400, 7200])
    assert made.report["zero"] == "2024-10-27T02:10:00+0200"
    kept = torusim.schedule(tmp_path / "log.txt", nodes=4, **reservation("2024-10-27T03:00:00+0100"))
    assert column(kept, "start")[0] > 6600
    with pytest.raises(torusim.InputError, match=r"reservations\[0\].*have an offset from UTC: give one"):
        torusim.schedule(tmp_path / "log.txt", nodes=4, **reservation("2024-10-27T03:00:00"))
    (tmp_path / "log.txt").write_text(OFFSETS.replace("02:10:00+0100", "02:10:00"))
    with pytest.raises(torusim.InputError, match=r"log.txt:4: .*some times of the log have an offset"):
        torusim.schedule(tmp_path / "log.txt", nodes=4)


def test_dates_of_swf(tmp_path: Path) -> None:
    """With UnixStartTime in its header a log takes dates, of UTC or with an offset."""
    row = "1 3600 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n"
    log = tmp_path / "log.swf"
    log.write_text(f"; UnixStartTime: 1709280000\n; MaxProcs: 4\n{row}")
    for date in ("2024-03-01T08:30:00", "2024-03-01T09:30:00+0100", "2024-03-01T08:30:00Z"):
        made = torusim.schedule(log, **reservation(date))
        assert column(made, "start")[0] > 5400, date
        assert made.report["zero"] == "2024-03-01T08:00:00+0000"
    for header in ("", "; UnixStartTime: 0\n"):
        log.write_text(f"{header}; MaxProcs: 4\n{row}")
        with pytest.raises(torusim.InputError, match=r"dates need a log that has dates.*UnixStartTime"):
            torusim.schedule(log, **reservation("2024-03-01T08:30:00"))


def test_sacct_without_a_heading(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("1|2024-10-27T02:10:00|5400|120|4|COMPLETED\n")
    names = "JobID|Submit|ElapsedRaw|TimelimitRaw|NNodes|State"
    made = torusim.schedule(tmp_path / "log.txt", nodes=4, columns=names)
    assert (column(made, "run"), column(made, "walltime")) == ([5400], [7200])
    bad: list[dict[str, Any]] = [{}, {"columns": "job=1,submit=2,run=3,nodes=5"}, {"format": "swf"}]
    for options in bad:
        with pytest.raises(torusim.InputError, match=r"log.txt:1: .*sacct.*--noheader.*--columns 'JobID"):
            torusim.schedule(tmp_path / "log.txt", nodes=4, **options)
    (tmp_path / "log.txt").write_text("       JobID   Submit\n------- --------\n1 2\n")
    with pytest.raises(torusim.InputError, match=r"log.txt:\d: .*sacct.*"):
        torusim.schedule(tmp_path / "log.txt", nodes=4)


def test_columns_below_a_heading(tmp_path: Path) -> None:
    """Names above the first job are skipped, and empty cells do not move the others."""
    (tmp_path / "log.csv").write_text("job,queue,submit,run,nodes\n7,,0,60,4\n8,,,60,4\n9,x,5,60,4\n")
    made = torusim.schedule(tmp_path / "log.csv", nodes=4, columns="job=1,submit=3,run=4,nodes=5")
    assert column(made, "job") == [7, 9]
    assert remarks(made)["no-submit-time"] == 1


def test_the_report_is_about_the_chosen_jobs(tmp_path: Path) -> None:
    """With --jobs and --skip-jobs only these, and the lines that are dropped between them."""
    missing = "0 {} -1 -1 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1"
    late = "{0} {0} -1 {1} 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1"
    lines = [late.format(job, 90 if job % 2 else 30) for job in range(1, 21)]
    lines = [line for pair in zip(lines, (missing.format(job) for job in range(20)), strict=True) for line in pair]
    (tmp_path / "log.swf").write_text("\n".join(lines))

    def found(**options: Any) -> tuple[int, ...]:  # noqa: ANN401
        report = torusim.schedule(tmp_path / "log.swf", nodes=4, **options).report
        counts = {remark["what"]: remark["jobs"] for remark in report["remarks"]}
        return report["jobs"], counts["runs-beyond-its-request"], counts["no-run-time"]

    assert found() == (20, 10, 20)
    assert found(jobs=4) == (4, 2, 3)
    assert found(skip_jobs=6, jobs=3) == (3, 2, 2)
    assert found(skip_jobs=16) == (4, 2, 4)


SWF_ODD = """; Version: 2.2
; Computer: Großrechner
;MaxProcs:  16 (all)
1 0 -1 100 8 -1 -1 8 100 -1 1 1 1 1 1 -1 -1 -1
; a comment in the middle
3 50 -1 0 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1
2 10 -1 90.5 16 -1 -1 16 50 -1 1 1 1 1 1 -1 -1 -1

4 20 -1 30 4 -1 -1 -1 -1 -1 1 1 1 1 1 -1 -1 -1
6 25 -1 40 17 -1 -1 17 60 -1 1 1 1 1 1 -1 -1 -1
8 35 -1 20 8 -1 -1 8 20 -1 2 1 1 1 1 -1 -1 -1
9 40 -1 20 8 -1 -1 8 20 -1 1 1 1 1 1 -1 -1 -1"""


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (SWF_ODD.encode(), ""),
        (SWF_ODD.replace("\n", "\r\n").encode(), ""),
        (SWF_ODD.replace("\n", "\r\n").encode("latin-1"), ""),
        (SWF_ODD.encode("utf-8-sig"), ""),
        (SWF_ODD.encode("utf-16"), ":1: text in UTF-16"),
        (SWF_ODD.encode("utf-16-le"), ":1: NUL bytes"),
        (SWF_ODD.replace("\n", "\r").encode(), r":1: a carriage return \(CR\) within a line"),
    ],
    ids=["lf", "crlf", "latin-1", "bom", "utf-16", "utf-16-le", "cr"],
)
def test_encodings_and_ends_of_lines(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "log.swf").write_bytes(content)
    if problem:
        with pytest.raises(torusim.InputError, match=problem):
            torusim.schedule(tmp_path / "log.swf")
        return
    made = torusim.schedule(tmp_path / "log.swf")
    assert starts(made) == {1: 0, 2: 100, 4: 20, 6: None, 9: 50, 3: 191} | {3: starts(made)[3]}


def write_log(path: Path, rows: list[list[int]]) -> Path:
    """A log in SWF: number, submit, run, nodes, walltime, user, queue, preceding job, think time."""
    lines = (
        f"{job} {submit} -1 {run} {nodes} -1 -1 {nodes} {walltime} -1 1 {user} -1 -1 {queue} -1 {before} {think}\n"
        for job, submit, run, nodes, walltime, user, queue, before, think in rows
    )
    path.write_text("".join(lines))
    return path


def test_queues_of_swf(tmp_path: Path) -> None:
    """Queue 1 runs one job at a time and refuses long ones; queue 2 comes first."""
    rows = [
        [1, 0, 100, 4, 100, 1, 1, -1, -1],
        [2, 1, 50, 4, 50, 1, 1, -1, -1],
        [3, 2, 10, 4, 10, 2, 7, -1, -1],
        [4, 3, 10, 8, 500, 2, 1, -1, -1],
        [5, 4, 20, 10, 20, 2, 7, -1, -1],
        [6, 5, 30, 10, 30, 2, 2, -1, -1],
    ]
    queues: list[dict[str, Any]] = [
        {"name": "batch", "match": {"queue": [1]}, "max_running_jobs": 1, "max_walltime_seconds": 200},
        {"name": "2", "priority": 3},
        {"name": "unused", "match": {"partition": ["none"], "user": [1, "ada"]}},
    ]
    made = torusim.schedule(write_log(tmp_path / "log.swf", rows), nodes=10, queues=queues)
    # Job 6 comes first at 100, then job 2, then job 5, which nothing has let pass.
    assert column(made, "start") == [0, 130, 2, None, 180, 100]
    assert column(made, "queue") == ["batch", "batch", "", "batch", "", "2"]
    assert made.summary["jobs_not_run"] == {"longer than its queue allows": 1}
    table = made.table("queues").to_pydict()
    assert (table["queue"], table["jobs"], table["jobs_run"]) == (
        ["batch", "2", "unused", ""],
        [3, 1, 0, 2],
        [2, 1, 0, 2],
    )
    assert table["wait_seconds_mean"][0] == (0 + 129) / 2
    assert table["allocated"][1] == pytest.approx(30 * 10 / (10 * 200))
    assert remarks(made) == {"queue-without-jobs": 0}
    assert torusim.schedule(tmp_path / "log.swf", nodes=10).description.keys() == {
        "schema_version",
        "log",
        "machine",
        "queue",
    }


def test_dependencies_of_swf(tmp_path: Path) -> None:
    rows = [
        [1, 0, 100, 4, 100, 1, -1, -1, -1],
        [2, 10, 10, 4, 10, 1, -1, 1, 50],
        [3, 500, 10, 4, 10, 1, -1, 1, 5],
        [4, 20, 10, 4, 10, 1, -1, 99, 5],
        [5, 21, 10, 2, 10, 1, -1, 6, 0],
        [6, 22, 10, 2, 10, 1, -1, 5, 0],
    ]
    path = write_log(tmp_path / "log.swf", rows)
    made = torusim.schedule(path, nodes=10, dependencies=True)
    start = dict(zip(column(made, "job"), column(made, "start"), strict=True))
    # The cycle is cut at job 6, whose dependency closes it.
    assert start == {1: 0, 2: 150, 3: 500, 4: 20, 6: 22, 5: 32}
    assert made.summary["wait_seconds_max"] == 0
    assert sorted(column(made, "logged_submit")) == [0, 10, 20, 21, 22, 500]
    assert remarks(made) == {
        "submitted-before-the-line-above": 1,
        "job-before-is-missing": 1,
        "dependencies-in-a-cycle": 1,
    }
    assert [remark["done"] for remark in made.report["remarks"]][-2:] == [
        "dependency ignored: job 4",
        "the one that closes it is ignored: job 6",
    ]
    assert "logged_submit" not in torusim.schedule(path, nodes=10).table("jobs").column_names
    with pytest.raises(torusim.InputError, match=r"resampled"):
        torusim.schedule(path, nodes=10, dependencies=True, resample_blocks=2)


def test_a_description_in_toml(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are relative to the file; dates are those of the log; messages name the line."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "log.txt").write_text(f"{HEADING}\n{LINE}\n")
    text = """\
[log]
path = "log.txt"
[machine]
nodes = 6
[[machine.reservations]]
from = "2024-03-01T08:30:00"
until = "2024-03-01T10:00:00"
nodes = 3
"""
    (folder / "site.toml").write_text(text)
    assert command("schedule", "site/site.toml", "--out", "made", "--quiet").returncode == 0
    assert column(torusim.load_schedule(tmp_path / "made"), "start") == [7200]
    assert column(torusim.schedule(folder / "site.toml", reservations=[]), "start") == [0]
    monkeypatch.chdir(tmp_path)
    assert column(torusim.schedule("made/result.json"), "start") == [7200]
    for wrong, expected in [
        (text.replace("nodes = 3", "nodes = 7"), ["site.toml:", "machine.reservations[0]", "7 nodes"]),
        (text.replace("nodes = 3", "nods = 3"), ["site.toml:8", "nods", "did you mean nodes"]),
        (text.replace("2024-03-01T08", "2024-03-41T08"), ["site.toml:", "no date"]),
    ]:
        (folder / "site.toml").write_text(wrong)
        with refused(*expected):
            torusim.schedule(folder / "site.toml")


BAD_SITES: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"queues": [{"priority": 1}]}, r"queues\[0\]\.name.*is missing"),
    "names": ({"queues": [{"name": "a"}, {"name": "a"}]}, r"queues\[1\]\.name.*differ"),
    "key": ({"queues": [{"name": "a", "max_node": 3}]}, r"queues\[0\]\.max_node.*did you mean max_nodes"),
    "match": ({"queues": [{"name": "a", "match": {"size": 3}}]}, r"queues\[0\]\.match.*no such key"),
    "limit": ({"queues": [{"name": "a", "max_running_jobs": 0}]}, r"max_running_jobs.*at least 1"),
    "sizes": ({"queues": [{"name": "a", "min_nodes": 9, "max_nodes": 8}]}, r"min_nodes.*at most max_nodes"),
    "users": ({"queues": [{"name": "a", "max_running_jobs_per_user": 1}]}, r"max_running_jobs_per_user.*no users"),
    "midplanes": ({"queues": [{"name": "a", "midplanes": ["R00-M0"]}]}, r"midplanes.*room"),
    "no list": ({"queues": {"name": "a"}}, r"queues.*list of tables"),
    "two parts": ({"reservations": [{"from": 0, "nodes": 2, "partition": "x"}]}, r"reservations\[0\].*one thing"),
    "times": ({"reservations": [{"from": 5, "until": 5, "nodes": 2}]}, r"until must be later than from"),
    "date": ({"reservations": [{"from": "2024-03-01T08:00:00", "nodes": 2}]}, r"dates need a log"),
    "queue": ({"reservations": [{"from": 0, "nodes": 2, "queues": ["b"]}]}, r"no queue .b."),
    "too many": ({"reservations": [{"from": 0, "nodes": 60}, {"from": 9, "nodes": 5}]}, r"reservations\[1\].*65 nodes"),
    "arrival": ({"arrival": "start"}, r"arrival.*submit.*eligible"),
}


@pytest.mark.parametrize(("options", "expected"), BAD_SITES.values(), ids=BAD_SITES.keys())
def test_bad_sites(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(torusim.InputError, match=expected) as caught:
        torusim.schedule("lublin", nodes=64, jobs=10, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("reservation", "expected"),
    [({"midplanes": ["R99"]}, r"no midplane .R99.*R00-M0"), ({"partition": "x"}, r"no partition .x.")],
)
def test_unknown_parts_of_a_room(reservation: dict[str, Any], expected: str) -> None:
    with pytest.raises(torusim.InputError, match=rf"machine\.reservations\[0\].*{expected}"):
        torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=10, reservations=[{"from": 0, **reservation}])
    queues = [{"name": "a", "match": {}, "midplanes": ["R99"]}]
    with pytest.raises(torusim.InputError, match=r"queues\[0\]\.midplanes.*R99"):
        torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=10, queues=queues)


def test_a_queue_of_some_midplanes() -> None:
    queues = [{"name": "small", "match": {"max_nodes": 1024}, "midplanes": ["R01-M0", "R01-M1"]}]
    made = torusim.schedule("lublin", room="bluegene-p-2-racks", jobs=60, load=0.8, queues=queues)
    used = {row["partition"]: row["midplanes"].split() for row in made.table("partitions").to_pylist()}
    names = made.table("midplanes").column("midplane").to_pylist()
    partitions = [row["partition"] for row in made.table("jobs").to_pylist() if row["queue"] == "small"]
    assert partitions
    for partition in partitions:
        assert {names[int(index)] for index in used[partition]} <= {"R01-M0", "R01-M1"}


def processors(text: str) -> set[int]:
    """The numbers of `0-3 7`."""
    ranges = ([int(end) for end in part.split("-")] for part in text.split())
    return {number for ends in ranges for number in range(ends[0], ends[-1] + 1)}


@pytest.mark.parametrize("machine", [{"nodes": 64}, {"room": "bluegene-p-2-racks"}], ids=["plain", "room"])
def test_jobs_csv_has_the_processors_of_each_job(machine: dict[str, Any]) -> None:
    """No two jobs share a processor, and each has as many as the machine allocated."""
    made = torusim.schedule("lublin", jobs=80, load=0.9, **machine)
    rows = list(csv.DictReader(io.StringIO(made.jobs_csv)))
    assert [int(row["job_id"]) for row in rows] == column(made, "job")
    assert [int(row["starting_time"]) for row in rows] == column(made, "start")
    jobs = [
        (int(row["starting_time"]), int(row["finish_time"]), processors(row["allocated_resources"])) for row in rows
    ]
    assert [len(job[2]) for job in jobs] == column(made, "granted_nodes")
    assert max(max(job[2]) for job in jobs) < made.summary["machine_nodes"]
    for index, (start, end, own) in enumerate(jobs):
        assert all(other[0] >= end or other[1] <= start or not own & other[2] for other in jobs[:index])
    assert pickle.loads(pickle.dumps(made)).jobs_csv == made.jobs_csv


def test_schedule_swf_has_all_that_is_known(tmp_path: Path) -> None:
    made = torusim.schedule(SACCT, nodes=2, out=tmp_path / "made")
    lines = [line.split() for line in made.swf.splitlines() if not line.startswith(";")]
    assert all(len(line) == 18 for line in lines)
    assert "; Partition: 1 batch\n; Partition: 2 debug\n" in made.swf
    assert "; Queue: 1 high\n; Queue: 2 normal\n" in made.swf
    by_number = {line[0]: line for line in lines}
    assert by_number["3"][14:16] == ["2", "2"]
    assert by_number["4"][16:] == ["1", "0"]
    assert made.jobs_csv == (tmp_path / "made" / "jobs.csv").read_text()
    assert json.loads((tmp_path / "made" / "result.json").read_text())["report"]["zero"] == made.report["zero"]
