"""The command from end to end: its output, its files, and its exit status."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

import torusim
from tests.support import ROOT, Command, assert_one_message, assert_says, succeeded
from torusim.cli.app import app
from torusim.cli.commands import COMMANDS
from torusim.common.folder import new_folder


def test_help_lists_every_command_in_order(command: Command) -> None:
    finished = succeeded(command("--help"))
    lines = finished.stdout.partition("Commands")[2].splitlines()
    assert [line.split()[1] for line in lines if re.match("│ \\w", line)] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_list_of_commands_says_the_first_line_of_each_help(name: str) -> None:
    """The list is a table of its own, so that `torusim --help` imports no command."""
    own = typer.main.get_group(app).commands[name]
    assert own.name == name
    assert own.help is not None
    assert own.help.splitlines()[0] == COMMANDS[name].summary


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command_shows_an_example(command: Command, name: str) -> None:
    finished = succeeded(command(name, "--help"))
    assert f"torusim {name} " in finished.stdout


def test_version_equals_the_package_version(command: Command) -> None:
    assert command("--version").stdout.strip() == f"torusim {torusim.__version__}"


def test_run_prints_a_table_and_writes_a_folder(command: Command, small: Path, tmp_path: Path) -> None:
    finished = succeeded(command("run", small))
    assert "completed" in finished.stdout
    folder = tmp_path / "runs" / "small-1"
    content = json.loads((folder / "result.json").read_text())
    assert content["summary"]["outcome"] == "completed"
    assert content["seed"] == 1
    assert content["scenario"]["machine"]["shape"] == [4, 4, 4]
    assert {path.stem for path in folder.glob("*.parquet")} >= {"links", "latency", "series", "nodes"}
    assert [path.name for path in folder.parent.iterdir()] == ["small-1"], "no temporary folder is left"


def test_run_rejects_an_existing_folder_without_force(command: Command, small: Path) -> None:
    assert command("run", small, "--out", "kept").returncode == 0
    assert_says(command("run", small, "--out", "kept"), "kept: exists already", "--force")
    assert command("run", small, "--out", "kept", "--force").returncode == 0


def test_force_does_not_replace_other_folders(command: Command, small: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("years of work")
    assert_says(command("run", small, "--out", "thesis", "--force"), "thesis: is not a result folder")
    assert (tmp_path / "thesis" / "chapter.tex").exists()


def test_stdout_has_only_json(command: Command, small: Path) -> None:
    finished = command("run", small, "--json")
    summary = json.loads(finished.stdout)
    assert summary["outcome"] == "completed"
    assert summary["packets_delivered"] == 64 * 63


def test_quiet_prints_nothing(command: Command, small: Path) -> None:
    finished = command("run", small, "--quiet")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


def test_set_and_seed_change_the_scenario(command: Command, small: Path, tmp_path: Path) -> None:
    command("run", small, "--set", "machine.shape=[4,4,2]", "--set", "workload.payload_bytes=480", "--seed", "7")
    scenario = json.loads((tmp_path / "runs" / "small-7" / "result.json").read_text())["scenario"]
    assert scenario["machine"]["shape"] == [4, 4, 2]
    assert scenario["workload"]["payload_bytes"] == 480
    assert scenario["run"]["seed"] == 7


def test_rerun_of_a_result_gives_the_same_digest(command: Command, small: Path, tmp_path: Path) -> None:
    command("run", small, "--seed", "7", "--out", "first")
    succeeded(command("run", tmp_path / "first" / "result.json", "--out", "second", "--engine", "reference"))
    assert torusim.load(tmp_path / "first").summary["digest"] == torusim.load(tmp_path / "second").summary["digest"]


@pytest.mark.parametrize("change", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")])
def test_byte_order_mark_and_crlf_are_accepted(
    command: Command, small: Path, tmp_path: Path, change: Callable[[str], str]
) -> None:
    (tmp_path / "other.toml").write_bytes(change(small.read_text()).encode())
    assert command("check", "other.toml").returncode == 0


def test_folder_may_have_any_valid_file_name(command: Command, small: Path, tmp_path: Path) -> None:
    name = os.fsdecode(b"hdfs:\xff\n$\\frac$")
    assert command("run", small, "--out", name).returncode == 0
    assert torusim.load(tmp_path / name).table("links").num_rows == 64 * 6
    assert command("plot", name).returncode == 0


def test_parent_folders_are_created_only_for_a_run(command: Command, small: Path, tmp_path: Path) -> None:
    (tmp_path / "trace.toml").write_text('[workload]\nkind = "trace"\npath = "nowhere"\n')
    assert command("run", "trace.toml", "--out", "a/b/c").returncode == 2
    assert not (tmp_path / "a").exists()
    assert command("run", small, "--out", "a/b/c").returncode == 0


def test_second_of_two_runs_into_a_folder_keeps_its_result(tmp_path: Path) -> None:
    def run_beside_another() -> None:
        with new_folder(tmp_path / "kept") as temporary:
            (temporary / "result.json").write_text("{}")
            (tmp_path / "kept").mkdir()
            (tmp_path / "kept" / "result.json").write_text("{}")

    with pytest.raises(torusim.InputError, match="another run has written its result there") as raised:
        run_beside_another()
    (temporary,) = tmp_path.glob(".kept.*")
    assert str(temporary) in str(raised.value)
    assert (temporary / "result.json").exists()


def test_deadlock_output_names_the_ring(command: Command) -> None:
    finished = command("run", ROOT / "scenarios" / "deadlock-true-size-bubble.toml")
    assert finished.returncode == 1
    assert "deadlocked" in finished.stdout
    words = " ".join(finished.stdout.split())
    assert re.search(r"\(\d+ credits? left, (8|16) needed\)", words)
    assert "wait for one another in a ring" in words
    assert "node 0, receiver" in finished.stdout
    folder = "runs/deadlock-true-size-bubble-1"
    compared = command("compare", folder, folder).stdout
    assert "node 0, receiver" in compared
    assert "'words'" not in compared


def test_init_writes_a_scenario_that_runs(command: Command, tmp_path: Path) -> None:
    assert command("init").returncode == 0
    text = (tmp_path / "scenario.toml").read_text()
    assert tomllib.loads(text)
    assert text.count("#") >= 1, "the scenario explains itself"
    assert command("check", "scenario.toml").returncode == 0


def test_init_writes_every_kind_of_workload(command: Command, tmp_path: Path) -> None:
    known = json.loads(command("list", "workloads", "--json").stdout)["workloads"]
    for workload in known:
        succeeded(command("init", f"{workload['kind']}.toml", "--kind", workload["kind"]))
        content = tomllib.loads((tmp_path / f"{workload['kind']}.toml").read_text())
        assert content["workload"]["kind"] == workload["kind"]


def test_init_copies_every_example(command: Command, tmp_path: Path) -> None:
    known = json.loads(command("list", "examples", "--json").stdout)["examples"]
    files = (path for path in (ROOT / "scenarios").iterdir() if path.suffix != ".csv")
    assert {entry["name"] for entry in known} == {path.stem for path in files}
    for entry in known:
        assert entry["description"].endswith(".")
        succeeded(command("init", "--example", entry["name"]))
        (original,) = (ROOT / "scenarios").glob(f"{entry['name']}.*")
        assert (tmp_path / original.name).read_bytes() == original.read_bytes()


def test_init_names_the_command_for_an_example(command: Command) -> None:
    written = command("init", "mine.swf", "--example", "four-jobs").stdout
    assert written == "mine.swf is written; torusim schedule mine.swf runs it.\n"
    assert command("schedule", "mine.swf").returncode == 0
    written = command("init", "--example", "uniform-random-4x4x4").stdout
    assert "torusim run uniform-random-4x4x4.toml runs it" in written
    assert command("check", "uniform-random-4x4x4.toml").returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--example", "four-job"), "--example: 'four-job' is not known; it can be all-to-all-mesh-4x4x4, "),
        (("--example", "../secret"), "--example: '../secret' is not known; it can be "),
        (("--example", ""), "--example: '' is not known; it can be "),
        (("--example", "four-jobs", "--kind", "tornado"), "leave out --kind or --example"),
        (("q.toml", "--example", "four-jobs"), "q.toml: four-jobs is a log of jobs; name it four-jobs.swf"),
        (("", "--example", "four-jobs"), ".: four-jobs is a log of jobs; name it four-jobs.swf"),
        (("q.swf", "--example", "two-jobs-8x4x4"), "q.swf: two-jobs-8x4x4 is a scenario; name it two-jobs-8x4x4.toml"),
    ],
)
def test_init_refuses_other_examples(command: Command, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    assert_one_message(command("init", *options), message)
    assert list(tmp_path.iterdir()) == []


def test_init_keeps_an_existing_file(command: Command, tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_text("mine")
    assert_says(command("init"), "scenario.toml: exists already")
    assert (tmp_path / "scenario.toml").read_text() == "mine"
    assert command("init", "--force").returncode == 0


def test_check_estimates_packets_and_memory(command: Command, small: Path) -> None:
    estimate = json.loads(command("check", small, "--json").stdout)
    assert estimate["nodes"] == 64
    assert estimate["packets"] == 64 * 63
    assert estimate["memory_bytes"] > 0
    shown = succeeded(command("check", small))
    assert "4,032" in shown.stdout


def test_check_refuses_what_run_refuses(command: Command, tmp_path: Path) -> None:
    (tmp_path / "sampled.toml").write_text('machine.shape = [4]\nworkload.kind = "ping-pong"\nrun.stop = "sampled"\n')
    checked, run = (command(name, "sampled.toml") for name in ("check", "run"))
    assert (checked.returncode, checked.stderr) == (run.returncode, run.stderr)
    assert_says(checked, "not known in advance")


def test_check_estimates_run_time(command: Command, small: Path, long: Path, tmp_path: Path) -> None:
    assert "less than a second on one thread" in command("check", small).stdout
    assert "about 56 minutes on one thread" in command("check", long).stdout
    estimate = json.loads(command("check", small, "--json").stdout)
    assert estimate["packet_hops"] == torusim.run(small).summary["packet_hops"]
    assert 0 < estimate["one_thread_seconds"] < 1
    (tmp_path / "ping-pong.toml").write_text('[machine]\nshape = [4, 4]\n[workload]\nkind = "ping-pong"\n')
    assert "unknown" in command("check", "ping-pong.toml").stdout
    assert json.loads(command("check", "ping-pong.toml", "--json").stdout)["one_thread_seconds"] is None


@pytest.mark.parametrize("topic", ["presets", "workloads", "kernels", "parameters", "examples"])
def test_list_shows_every_entry_of_its_json(command: Command, topic: str) -> None:
    entries = json.loads(command("list", topic, "--json").stdout)[topic]
    shown = command("list", topic).stdout
    assert entries
    for entry in entries:
        assert (entry.get("name") or entry.get("kind") or entry.get("key")) in shown


def test_schema_is_a_json_schema(command: Command) -> None:
    assert json.loads(command("schema").stdout)["type"] == "object"


@pytest.mark.parametrize("file_format", ["png", "svg", "pdf"])
def test_plot_writes_all_plots(command: Command, small: Path, tmp_path: Path, file_format: str) -> None:
    command("run", small, "--out", "kept")
    finished = succeeded(command("plot", "kept", "--format", file_format, "--out", "pictures"))
    names = {
        f"utilization-by-direction.{file_format}",
        f"utilization-over-time.{file_format}",
        f"utilization-map.{file_format}",
        f"latency.{file_format}",
    }
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == names
    assert all(name in finished.stdout for name in names)


def test_compare_shows_differences_and_digests(command: Command, small: Path) -> None:
    command("run", small, "--out", "first")
    command("run", small, "--out", "same")
    command("run", small, "--out", "other", "--seed", "2")
    same = succeeded(command("compare", "first", "same"))
    assert "digests are equal" in same.stdout
    other = command("compare", "first", "other")
    assert "digests are not equal" in other.stdout
    assert "run.seed" in other.stdout
    assert json.loads(command("compare", "first", "other", "--json").stdout)["same_digest"] is False


def test_second_run_has_a_folder_of_its_own(command: Command, small: Path, tmp_path: Path) -> None:
    for folder in ("small-1", "small-1-2", "small-1-3"):
        finished = succeeded(command("run", small))
        assert f"The result is in runs/{folder};" in finished.stdout
    digests = {torusim.load(folder).summary["digest"] for folder in (tmp_path / "runs").iterdir()}
    assert len(digests) == 1
    assert command("run", small, "--force").returncode == 0
    assert len(list((tmp_path / "runs").iterdir())) == 3, "--force replaces the first"


def test_run_beside_one_that_is_not_complete_says_how_to_continue_it(
    command: Command, small: Path, tmp_path: Path
) -> None:
    (tmp_path / "runs" / "small-1" / "checkpoints").mkdir(parents=True)
    (tmp_path / "runs" / "small-1" / "checkpoints" / "000000.checkpoint").touch()
    finished = command("run", small)
    assert "runs/small-1 holds a run that is not complete; torusim resume runs/small-1 continues it" in finished.stderr
    assert "The result is in runs/small-1-2;" in finished.stdout


def test_second_schedule_has_a_folder_of_its_own(command: Command, tmp_path: Path) -> None:
    for _ in range(2):
        assert command("schedule", "lublin", "--nodes", "64", "--jobs", "20").returncode == 0
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {"lublin-fcfs-easy", "lublin-fcfs-easy-2"}


# ---- the folder where the command starts, and its output of input texts


@pytest.mark.parametrize(
    "words",
    [["run", "a.toml"], ["init", "a.toml"], ["list", "machines"], ["schedule", "log.swf"], ["verify"], ["bench"]],
    ids=" ".join,
)
def test_a_deleted_folder_is_one_message(tmp_path: Path, words: list[str]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$1"; rmdir "$1"; shift; exec "$@"'
    program = Path(sys.executable).with_name("torusim")
    finished = subprocess.run(
        ["/bin/sh", "-c", script, "sh", gone, program, *words], capture_output=True, text=True, check=False
    )
    assert finished.stderr.startswith("torusim: the current folder was deleted"), finished.stderr
    assert_one_message(finished)


EVIL = "e\x1b[31mv\u202ei\u2066l\u2028\x9b"
"""A name that would color the following text, reverse its order, and begin a text line."""


def swf_of(folder: Path) -> str:
    """A log whose name is evil."""
    name = f"{EVIL}.swf"
    (folder / name).write_text("1 0 -1 60 4 -1 -1 4 6 -1 1 1 1 1 1 -1 -1 -1\n")
    return name


def queues_of(folder: Path) -> str:
    """A schedule whose queues, users and reservations have evil names."""
    (folder / "log.txt").write_text(
        f"JobID|Submit|ElapsedRaw|NNodes|User|QOS\n1|2024-03-01T08:00:00|60|4|{EVIL}|{EVIL}\n", encoding="utf-8"
    )
    name = json.dumps(EVIL)
    (folder / "queues.toml").write_text(
        f'queues = [{{ name = {name}, max_nodes = 2 }}, {{ name = "other" }}]\n[log]\npath = "log.txt"\n'
        "[machine]\nnodes = 8\n",
        encoding="utf-8",
    )
    return "queues.toml"


def key_of(folder: Path) -> str:
    """A scenario with an evil key."""
    (folder / "key.toml").write_text(f"[machine]\n{json.dumps(EVIL)} = 1\n", encoding="utf-8")
    return "key.toml"


@pytest.mark.parametrize(
    ("words", "make"),
    [
        (["schedule", "--nodes", "8"], swf_of),
        (["schedule"], queues_of),
        (["run"], key_of),
        (["check"], key_of),
        (["run"], lambda _: EVIL),
        (["plot"], lambda _: EVIL),
        (["schedule", "--nodes"], lambda _: EVIL),
        (["advise", "a.toml", "--shape"], lambda _: EVIL),
        ([], lambda _: EVIL),
        (["room", "intrepid", f"--{EVIL}"], lambda _: EVIL),
        (["list"], lambda _: EVIL),
    ],
)
def test_names_never_reach_the_terminal_raw(
    command: Command, tmp_path: Path, words: list[str], make: Callable[[Path], str]
) -> None:
    """Names of files, jobs, users and keys, and wrong arguments, are printed with their escapes shown."""
    finished = command(*words, make(tmp_path))
    for stream in (finished.stdout, finished.stderr):
        assert not set("\x1b\u202e\u2066\u2028\x9b") & set(stream), repr(stream)
    assert "v" in finished.stdout + finished.stderr


@pytest.mark.parametrize("words", [["check"], ["init", "--example", "four-jobs"]])
def test_a_name_with_a_line_break_leaves_a_message_in_one_line(command: Command, words: list[str]) -> None:
    finished = command(*words, "two\nlines.toml")
    assert finished.stderr.startswith("torusim: two\\nlines.toml: ")
    assert_one_message(finished)


def test_all_prints_every_row_of_a_sweep(command: Command, tmp_path: Path) -> None:
    scenario = tmp_path / "small.toml"
    scenario.write_text(
        '[machine]\nshape = [2, 2, 1]\n[workload]\nkind = "all-to-all"\npayload_bytes = 240\n', encoding="utf-8"
    )
    words = ("sweep", "small.toml", "--over", "workload.payload_bytes=1..45", "--out", "swept")
    short, whole = command(*words), command(*words, "--all")
    assert "and 5 more rows; --all prints them" in short.stdout, short.stderr
    assert "more rows" not in whole.stdout
    assert whole.stdout.count("completed") == 45 == short.stdout.count("completed") + 5
