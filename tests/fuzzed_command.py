"""Runs the command on inputs that are almost right, one case after the other in one process.

    python -m tests.fuzzed_command KIND FIRST COUNT      cases FIRST to FIRST + COUNT - 1 of a kind of input

    case: seed (KIND, number) --> files, arguments --> torusim.cli --> status, stdout, stderr --> what must hold

Every case is a function of its kind and number, so that the numbers of a failure repeat it. The cases run in a separate
process, so that one that aborts, allocates without limit or never ends fails the test and does not end it.
"""

import faulthandler
import gzip
import io
import json
import os
import resource
import shutil
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TextIO, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
import typer

import torusim
from tests.mutation import damaged, mutated, mutated_text
from tests.support import ROOT, SMALL_SCENARIO
from torusim import _core
from torusim.cli import app, progress

LIMIT_SECONDS = 60
MEMORY_LIMIT_BYTES = 8 << 30

SMALL_NODES = 64
SMALL_BYTES = 1 << 26

OUTCOMES = (0, 1)
"""Exit statuses of commands that run the network: an outcome other than completed is 1."""

BAD_INPUT = 2

Files: TypeAlias = Mapping[str, bytes]


@dataclass(frozen=True)
class Finished:
    """The end of a command: its status and output."""

    status: int
    stdout: str
    stderr: str


class Sandbox:
    """A folder in which the command runs with stdout and stderr in files, and the checks of every command."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder the current one, and redirects the process's stdout and stderr."""
        self._streams = [os.open(folder / name, os.O_RDWR | os.O_CREAT) for name in ("stdout", "stderr")]
        for descriptor, stream in enumerate(self._streams, 1):
            os.dup2(stream, descriptor)
        self._command: Any = typer.main.get_command(app.app)  # made once: that takes longer than most cases
        self._folder = folder / "work"
        self._written: dict[str, bytes] = {}
        self.commands: list[Sequence[str]] = []
        self.statuses: Counter[int] = Counter()
        self.clear()

    def clear(self) -> None:
        """Removes the files of the previous case."""
        os.chdir(self._folder.parent)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        os.chdir(self._folder)
        self._written.clear()
        self.commands.clear()

    def write(self, name: str, content: bytes) -> None:
        """Writes a file of the user, which no command may change."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self._written[name] = content

    def run(self, *arguments: str, names: Sequence[str], outcomes: Sequence[int] = (0,)) -> Finished:
        """Runs the command; a message of bad input has to contain one of `names`."""
        self.commands.append(arguments)
        finished = self._execute(arguments)
        self._check(finished, names, outcomes)
        return finished

    def _execute(self, arguments: Sequence[str]) -> Finished:
        for stream in self._streams:
            os.ftruncate(stream, 0)
            os.lseek(stream, 0, os.SEEK_SET)
        sys.argv = ["torusim", *arguments]
        status = 0
        try:
            app.run_command(self._command)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        sys.stderr.flush()
        self.statuses[status] += 1
        return Finished(status, *map(_text, self._streams))

    def text(self) -> str:
        """The output of the last command."""
        return "\n".join(map(_text, self._streams))

    def _check(self, finished: Finished, names: Sequence[str], outcomes: Sequence[int]) -> None:
        if finished.status not in (*outcomes, BAD_INPUT):
            raise AssertionError(f"exit status {finished.status}")
        for word in ("Traceback", "panicked"):
            if word in finished.stderr:
                raise AssertionError(f"{word!r} on stderr")
        if finished.status == BAD_INPUT:
            _check_message(finished, names)
            self._check_folder()
        for name, content in self._written.items():
            if (self._folder / name).read_bytes() != content:
                raise AssertionError(f"{name} is not what it was")

    def _check_folder(self) -> None:
        hidden = [path for path in self._folder.rglob(".*") if str(path.relative_to(self._folder)) not in self._written]
        if hidden:
            raise AssertionError(f"{hidden[0]} is left behind")


def _text(stream: int) -> str:
    return os.pread(stream, os.fstat(stream).st_size, 0).decode("utf-8", "backslashreplace")


def _check_message(finished: Finished, names: Sequence[str]) -> None:
    if "╭─ Error" in finished.stderr and any(name in finished.stderr for name in names):
        return  # of the command line's own parser
    lines = finished.stderr.splitlines()
    if not lines or not all(line.startswith("torusim: ") for line in lines) or finished.stdout:
        raise AssertionError("not one message on stderr")
    if len(finished.stderr) > 20_000:
        raise AssertionError("a message too long to read")
    if not any(name in finished.stderr for name in names):
        raise AssertionError(f"the message names none of {', '.join(names)}")


@cache
def scenarios() -> list[bytes]:
    """The scenarios of the repository, and a template of each workload."""
    files = [path.read_bytes() for path in sorted((ROOT / "scenarios").glob("*.toml"))]
    kinds = [workload["kind"] for workload in json.loads(_core.catalog())["workloads"]]
    return [*files, *(_core.template(kind).encode() for kind in kinds), SMALL_SCENARIO.encode()]


@cache
def scenario_words() -> list[str]:
    """All keys, presets and kinds of workload, and some of their words."""
    catalog = json.loads(_core.catalog())
    keys = [parameter["key"] for parameter in catalog["parameters"]]
    names = [preset["name"] for preset in catalog["presets"]] + [workload["kind"] for workload in catalog["workloads"]]
    of_kinds = [parameter["name"] for workload in catalog["workloads"] for parameter in workload["parameters"]]
    words = ["drained", "measured", "dateline", "relay", "direction", "full", "high", "all", "x+", "[[0, 0, 0]]"]
    return [*keys, *(key.rpartition(".")[2] for key in keys), *names, *of_kinds, *words]


def scenario(sandbox: Sandbox, random: Random) -> None:
    """Checks a scenario, and runs it for a moment if it is small."""
    matrix = "traffic-matrix.csv"
    sandbox.write(matrix, (ROOT / "scenarios" / matrix).read_bytes())
    sandbox.write("fuzz.toml", mutated(random.choice(scenarios()), scenario_words(), random))
    check_and_run(sandbox, "fuzz.toml", names=["fuzz.toml", matrix])


def setting(sandbox: Sandbox, random: Random) -> None:
    """Tries values by --set and --seed."""
    sandbox.write("fuzz.toml", SMALL_SCENARIO.encode())
    genuine = ("machine.shape=[4,4]", "machine.preset=bluegene-p", "workload.payload_bytes=1_000", "run.seed=2")
    count = random.randint(1, 3)
    texts = [mutated_text(random.choice(genuine), scenario_words(), random) for _ in range(count)]
    options = [word for text in texts for word in ("--set", text)]
    if random.random() < 0.1:
        options += ["--seed", mutated_text("2", (), random)]
    # A value that does not fit another of the preset is reported at the place of that other value in the preset.
    names = ["--set", "--seed", "fuzz.toml", "machines/"]
    check_and_run(sandbox, "fuzz.toml", *options, names=names)


def check_and_run(sandbox: Sandbox, *arguments: str, names: Sequence[str]) -> None:
    """`torusim check`; if that finds a small machine, `torusim run` up to a few hundred cycles."""
    finished = sandbox.run("check", *arguments, "--json", names=names)
    if finished.status == 0 and is_small(json.loads(finished.stdout)):
        limit = ("--set", "run.time_limit_cycles=300")
        sandbox.run("run", *arguments, *limit, "--out", "out", names=names, outcomes=OUTCOMES)


def is_small(estimate: Mapping[str, int]) -> bool:
    """Whether a run of this estimate takes a moment."""
    return estimate["nodes"] <= SMALL_NODES and estimate["memory_bytes"] <= SMALL_BYTES


TRACE = ROOT / "crates" / "traces" / "tests" / "data" / "exchange"
TRACE_WORDS = ("MPI_Send", "MPI_Recv", "MPI_Bcast", "MPI_Allreduce", "MPI_Barrier", "MPI_Init", "MPI_Finalize", ":")


def trace(sandbox: Sandbox, random: Random) -> None:
    """A trace of which the file of one rank is damaged or missing."""
    sandbox.write("fuzz.toml", b'[machine]\nshape = [2, 2]\n[workload]\nkind = "trace"\npath = "trace"\n')
    files = {path.name: path.read_bytes() for path in sorted(TRACE.glob("pmpi-trace-rank-*.txt"))}
    name = random.choice(sorted(files))
    files[name] = mutated(files[name], TRACE_WORDS, random)
    if random.random() < 0.02:
        del files[name]
    for file, content in files.items():
        sandbox.write(f"trace/{file}", content)
    check_and_run(sandbox, "fuzz.toml", names=["fuzz.toml", "trace/"])


FLOWS: Sequence[bytes] = (
    b"source,target,bytes\n0,1,4096\n1,2,100\n2,0,9\n",
    b"source;target;bytes;start_ns\n0;1;4096;0\n1;2;100;1e3\n",
    b"source,target,bytes,phase,after\n0,1,4096,0,\n1,2,100,1,0\n2,3,8,2,0 1\n",
    b"0,1,2,3\n1,0,1,1\n9,9,0,9\n1,1,1,0\n",
    b",a,b\na,0,240\nb,1,0\n",
)
FLOW_WORDS = ("source", "bytes", "after", "-1", "1e400", "nan", "4294967296", '"', ",,", "\t", "#")


def flows(sandbox: Sandbox, random: Random) -> None:
    """A table or a matrix of flows that is damaged, at times as a binary file that it is not."""
    name = random.choice(("flows.csv", "flows.csv", "flows.csv", "flows.parquet", "flows.npy"))
    sandbox.write("fuzz.toml", f'machine.shape = [2, 2]\nworkload = {{ kind = "flows", path = "{name}" }}\n'.encode())
    sandbox.write(name, mutated(random.choice(FLOWS), FLOW_WORDS, random))
    check_and_run(sandbox, "fuzz.toml", names=["fuzz.toml", name])


SWF = b"""; MaxProcs: 64
1 0 0 100 6 -1 -1 6 100 -1 1 3 1 1 1 -1 -1 -1
2 1 5 50 10 -1 -1 10 50 -1 1 3 1 2 1 -1 -1 -1
3 2 -1 90 4 -1 -1 4 500 -1 1 4 1 1 1 -1 -1 -1
4 3 -1 60 4 -1 -1 4 60 -1 0 3 1 1 1 -1 -1 -1
"""
ARGONNE = b"job submit run nodes\n1 0 100 6\n2 1 50 10\n3 2 90 4\n4 3 60 4\n"
MIRA = b"".join(
    b"%d " % job + b" ".join(b"%d" % (job * 100 + column) for column in range(17)) + b"\n" for job in range(5)
)
SACCT = (ROOT / "tests" / "data" / "sacct.txt").read_bytes()
LOG_WORDS = (*("|", "Unknown", "UNLIMITED", "1-00:00:00", ".batch", "_[1-5]", "afterok:1:2_3", "RUNNING", "JobID"),
             "; MaxProcs: 64", "; MaxNodes: 4", "-1", " -1 -1 -1 ", "86400", ";", "\t", "1e9", "0x10")  # fmt: skip
COLUMN_MAP = "job=1,submit=2,run=4,nodes=5,walltime=6,user=12,application=14"
LOGS: Sequence[tuple[bytes, Sequence[str]]] = (
    (SWF, ()),
    (SWF, ("--format", "swf")),
    (SWF, ("--columns", COLUMN_MAP)),
    (ARGONNE, ()),
    (ARGONNE, ("--format", "argonne")),
    (MIRA, ("--columns", "mira")),
    (SACCT, ()),
    (SACCT, ("--format", "sacct", "--dependencies")),
)


def log(sandbox: Sandbox, random: Random) -> None:
    """A log in one of its formats, plain or compressed; seldom the compressed bytes are damaged."""
    content, options = random.choice(LOGS)
    if random.random() < 0.2:
        content = mutated(gzip.compress(content), LOG_WORDS, random)
    else:
        content = mutated(content, LOG_WORDS, random)
        content = gzip.compress(content) if random.random() < 0.1 else content
    sandbox.write("fuzz.swf", content)
    rule = random.choice(("none", "greedy", "easy", "conservative"))
    arguments = ("fuzz.swf", "--nodes", "64", "--backfill", rule, *options)
    sandbox.run("schedule", *arguments, "--out", "out", names=["fuzz.swf"])


QUEUE_OPTIONS = {
    "--policy": "(wait / walltime) ^ 2 * nodes",
    "--backfill": "easy",
    "--walltime": "kill",
    "--columns": COLUMN_MAP,
    "--format": "swf",
    "--nodes": "64",
    "--processors-per-node": "2",
    "--walltime-factor": "3",
    "--wfp-exponent": "3",
    "--slowdown": "1.05",
    "--torus-share": "0.5",
    "--torus-above": "1.1",
    "--load": "0.8",
    "--jobs": "3",
    "--skip-jobs": "1",
    "--resample-blocks": "2",
    "--cut-to-nodes": "32",
    "--seed": "2",
    "--room": "bluegene-p-2-racks",
    "--profile": "site",
    "--allocation": "first-fit",
    "--set": 'machine.outages=[{from=0, until=50, midplane="R00-M0"}]',
}
QUEUE_WORDS = (*("wait", "walltime", "nodes", "fcfs", "wfp", "sjf", "min", "max", "(", ")", "+", "*", "/", "^", "?"),
               *("log.sizes", "queue.drain_threshold", "queue.after_outage", "machine.slowdown_rules", "[[512, 0.6]]"),
               *("cobalt-2009-01", "cobalt-2009-03", "conservative", "mira", "argonne", "until", "R00-M1"))  # fmt: skip


def queue(sandbox: Sandbox, random: Random) -> None:
    """Options of a schedule, one or two of them damaged."""
    sandbox.write("fuzz.swf", SWF)
    chosen = random.sample(sorted(QUEUE_OPTIONS), random.randint(1, 4))
    options = []
    for option in chosen:
        text = QUEUE_OPTIONS[option]
        options += [option, mutated_text(text, QUEUE_WORDS, random) if random.random() < 0.6 else text]
    source = random.choice(("fuzz.swf", "fuzz.swf", "lublin"))
    sandbox.run(
        "schedule", source, *options, "--out", "out", names=["--", "fuzz.swf", "schedule: ", "machine.outages: "]
    )


ROOM_WORDS = ("[dimension.X]", "[profile.a]", "[boxes.a]", "torus", "mesh", "opens", "loops", "[[0, 1], [2, 3]]",
              "per_midplane", "names", "shape", "switched", "below_midplane", "all")  # fmt: skip
ROOMS = {"bluegene-p-2-racks": "R00-M0,R00-M1", "tpu-v4-pod": "cube-00,cube-09:torus:1x1x2"}


SITE = b"""[log]
path = "fuzz.swf"
dependencies = true
[machine]
nodes = 64
[[machine.reservations]]
name = "a"
from = 50
until = 200
nodes = 60
users = [3, "ada"]
queues = ["short"]
jobs = [4]
[[queues]]
name = "short"
match = { queue = [1], user = [3], max_walltime_seconds = 100, max_nodes = 8 }
priority = 2
max_running_jobs = 1
max_running_jobs_per_user = 1
max_queued_jobs_per_user = 1
[[queues]]
name = "1"
min_nodes = 4
max_walltime_seconds = 400
max_nodes_in_use = 10
"""
SITE_WORDS = (
    "2024-03-01T08:00:00",
    "midplanes",
    '["R00-M0"]',
    "partition",
    "-1",
    "0",
    "[]",
    "{}",
    "9223372036854775807",
)


def site(sandbox: Sandbox, random: Random) -> None:
    """The description of a site, or its log, damaged."""
    is_log = random.random() < 0.3
    sandbox.write("fuzz.swf", mutated(SWF, LOG_WORDS, random) if is_log else SWF)
    sandbox.write("fuzz.toml", SITE if is_log else mutated(SITE, SITE_WORDS, random))
    rule = random.choice(("none", "greedy", "easy", "conservative"))
    sandbox.run("schedule", "fuzz.toml", "--backfill", rule, "--out", "out", names=[""])


def room(sandbox: Sandbox, random: Random) -> None:
    """The file of a machine room, its partitions, and a schedule in it."""
    name = random.choice(sorted(ROOMS))
    content = (ROOT / "machine-rooms" / f"{name}.toml").read_bytes()
    partition = ROOMS[name]
    if random.random() < 0.8:
        content = mutated(content, ROOM_WORDS, random)
    else:
        partition = mutated_text(partition, ("R01-M0", "mesh", ":", ",", "2x1x1"), random)
    sandbox.write("fuzz.toml", content)
    arguments = ("fuzz.toml", "--partition", partition, "--show")
    finished = sandbox.run("room", *arguments, names=["fuzz.toml", "--partition"])
    if finished.status == 0 and random.random() < 0.2:
        sandbox.run("room", "fuzz.toml", "--profile", "site", names=["fuzz.toml", "site"])
        sandbox.write("fuzz.swf", SWF)
        options = ("--room", "fuzz.toml", "--cut-to-nodes", "512", "--out", "out")
        sandbox.run("schedule", "fuzz.swf", *options, names=["fuzz.toml", "fuzz.swf", "--room"])


@cache
def result_folder() -> Files:
    """A result of a run."""
    return _files_of(lambda out: torusim.run(SMALL_SCENARIO, out=out))


@cache
def schedule_folder() -> Files:
    """A schedule in a machine room, where some partitions are below a midplane."""
    room = "bluegene-p-2-racks"
    return _files_of(lambda out: torusim.schedule("lublin", room=room, jobs=20, seed=3, cut_to_nodes=1024, out=out))


@cache
def plain_schedule_folder() -> Files:
    """A schedule on a plain machine."""
    return _files_of(lambda out: torusim.schedule("lublin", nodes=64, jobs=20, seed=3, out=out))


@cache
def sweep_table_folder() -> Files:
    """A finished sweep."""
    over = {"workload.payload_bytes": [16, 240], "run.seed": [1, 2]}
    return {"sweep.parquet": _parquet(torusim.sweep(SMALL_SCENARIO, over, jobs=1).table)}


@cache
def curve_folder() -> Files:
    """A finished curve of two configurations."""
    ring = {"machine": {"shape": [4]}, "workload": {"kind": "uniform-random"}}
    return {"curve.parquet": _parquet(torusim.curve(ring, {"machine.wrap": [True, False]}, seeds=2, jobs=1).table)}


def _files_of(write: Callable[[Path], object]) -> Files:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "made")
        return {path.name: path.read_bytes() for path in sorted((Path(folder) / "made").iterdir())}


JSON_WORDS = ('"kind"', '"schedule"', '"schema_version"', '"summary"', '"outcome"', '"scenario"', '"words"', "null",
              "{}", '{"a": 1}', "completed", "stuck", "result", "description", '"outcome_detail"')  # fmt: skip


def result(sandbox: Sandbox, random: Random) -> None:
    """The result.json of a run: repeated, and compared with the genuine one."""
    sandbox.write("fuzz/result.json", mutated(result_folder()["result.json"], JSON_WORDS, random))
    sandbox.write("genuine/result.json", result_folder()["result.json"])
    check_and_run(sandbox, "fuzz/result.json", names=["fuzz/result.json"])
    sandbox.run("compare", *_shuffled(["fuzz", "genuine"], random), names=["fuzz/result.json", "compare: "])


def description(sandbox: Sandbox, random: Random) -> None:
    """The result.json of a schedule: repeated."""
    content = schedule_folder()["result.json"]
    if random.random() < 0.7:  # damages in the description itself, which is a small part of the file
        content = json.dumps({"schema_version": 1, "kind": "schedule", "versions": {}, "summary": {}, "report": {}}
                             | {"description": json.loads(content)["description"]}).encode()  # fmt: skip
    sandbox.write("fuzz/result.json", mutated(content, (*JSON_WORDS, *QUEUE_WORDS), random))
    names = ["fuzz/result.json", "schedule: ", "machine.outages: ", ": there is no such file", ": cannot be read: "]
    sandbox.run("schedule", "fuzz/result.json", "--out", "out", names=names)


def schedules(sandbox: Sandbox, random: Random) -> None:
    """Schedules, one with damaged tables or a damaged result.json: compared."""
    _write_damaged(sandbox, schedule_folder(), random.choice(("jobs", "jobs", "sizes", "result.json")), random)
    for name in ("result.json", "jobs.parquet"):
        sandbox.write(f"genuine/{name}", schedule_folder()[name])
    sandbox.run("compare", *_shuffled(["fuzz", "genuine"], random), names=["fuzz/", "compare: "])


def plotted_run(sandbox: Sandbox, random: Random) -> None:
    """The plots of a run with damaged tables or a damaged result.json."""
    _write_damaged(sandbox, result_folder(), random.choice(("links", "latency", "series", "result.json")), random)
    sandbox.run("plot", "fuzz", "--format", "svg", "--out", "plots", names=["fuzz"])


def hot(sandbox: Sandbox, random: Random) -> None:
    """The hot links of a run with a damaged table or a damaged result.json."""
    _write_damaged(sandbox, result_folder(), random.choice(("links", "result.json")), random)
    sandbox.run("hot", "fuzz", names=["fuzz", "scenario"])


MAPPED = b'[machine]\nshape = [2, 2]\n[workload]\nkind = "kernel"\nname = "halo-2d"\n[mapping]\nfile = "map.txt"\n'
PLACES = b"# x y t\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n"


def mapping(sandbox: Sandbox, random: Random) -> None:
    """A damaged mapping file: evaluated, and a search from it."""
    sandbox.write("fuzz.toml", MAPPED)
    sandbox.write("map.txt", mutated(PLACES, ("0 1 0", "2 0 0", "#", "\t", "-1", "1e3", "0 0 1"), random))
    arguments = ("map", "fuzz.toml", "--search", "anneal", "--steps", "100", "--out", "found.txt")
    sandbox.run(*arguments, names=["map.txt", "mapping", "fuzz.toml"])


def plotted_schedule(sandbox: Sandbox, random: Random) -> None:
    """The plots of a schedule with damaged tables or a damaged result.json."""
    is_of_a_room = random.random() < 0.7
    part = random.choice(("jobs", "sizes", "series", "result.json", *(["partitions", "midplanes"] * is_of_a_room)))
    _write_damaged(sandbox, schedule_folder() if is_of_a_room else plain_schedule_folder(), part, random)
    sandbox.run("plot", "fuzz", "--format", "svg", "--out", "plots", names=["fuzz", "room"])


def plotted_sweep(sandbox: Sandbox, random: Random) -> None:
    """The pictures of a sweep with a damaged table."""
    _write_damaged(sandbox, sweep_table_folder(), "sweep", random)
    chosen = random.choice(((), ("--x", "run.seed"), ("--y", "cycles"), ("--by", "run.seed", "--y", "percent_of_peak")))
    sandbox.run(
        "plot", "fuzz", "--format", "svg", "--out", "plots", *chosen, names=["fuzz", "x = ", "y = ", "by = ", "sweep"]
    )


def plotted_curve(sandbox: Sandbox, random: Random) -> None:
    """The picture of a curve with a damaged table."""
    _write_damaged(sandbox, curve_folder(), "curve", random)
    sandbox.run("plot", "fuzz", "--format", "svg", "--out", "plots", names=["fuzz", "curve"])


def _write_damaged(sandbox: Sandbox, files: Files, part: str, random: Random) -> None:
    """Writes the folder `fuzz`, with changes in one of its tables or in result.json."""
    changed = dict(files)
    if part == "result.json":
        changed[part] = mutated(files[part], JSON_WORDS, random)
    elif random.random() < 0.2:
        changed[f"{part}.parquet"] = mutated(files[f"{part}.parquet"], (), random)
    else:
        tables = [_table(content) for name, content in files.items() if name.endswith(".parquet")]
        changed[f"{part}.parquet"] = _parquet(damaged(_table(files[f"{part}.parquet"]), tables, random))
    for name, content in changed.items():
        sandbox.write(f"fuzz/{name}", content)


def _table(content: bytes) -> pa.Table:
    return pq.ParquetFile(io.BytesIO(content)).read(use_threads=False)


def _parquet(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def _shuffled(words: Sequence[str], random: Random) -> list[str]:
    return random.sample(words, len(words))


@cache
def checkpoint_bytes() -> bytes:
    """The first checkpoint of a small run."""
    scenario = _core.resolve(SMALL_SCENARIO, "small.toml", Path(), [])
    with tempfile.TemporaryDirectory() as folder:
        _core.Run(scenario, "windowed", 1).save(Path(folder) / "saved")
        return (Path(folder) / "saved").read_bytes()


def checkpoint(sandbox: Sandbox, random: Random) -> None:
    """A folder with one or two checkpoints, all damaged."""
    names = random.choice((["000000"], ["000000", "000001"], ["7", "99999999999999999999"]))
    for name in names:
        content = mutated(checkpoint_bytes(), (), random)
        content = content[:-1] if content == checkpoint_bytes() else content
        sandbox.write(f"fuzz/checkpoints/{name}.checkpoint", content)
    sandbox.run("resume", "fuzz", names=["fuzz"])


OVERS = (
    "run.seed=1..3",
    "machine.shape=[4,4],[2,2,2]",
    "workload.payload_bytes=240,1_000",
    "machine.preset=bluegene-p",
)


def sweep(sandbox: Sandbox, random: Random) -> None:
    """The values of a sweep. Its folder is not that of a sweep, so that no point is run."""
    sandbox.write("fuzz.toml", SMALL_SCENARIO.encode())
    sandbox.write("taken/file", b"")
    texts = [mutated_text(random.choice(OVERS), ("..", "1..9", *scenario_words()), random) for _ in range(2)]
    options = [word for text in texts for word in ("--over", text)]
    sandbox.run("sweep", "fuzz.toml", *options, "--out", "taken", names=["--over", "taken", "sweep has", "fuzz.toml"])


@cache
def sweep_folder() -> Files:
    """The finished point of a sweep."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzz.toml"
        path.write_text(SMALL_SCENARIO)
        torusim.sweep(path, {"run.seed": [1]}, out=Path(folder) / "made")
        return {f"points/{file.name}": file.read_bytes() for file in (Path(folder) / "made" / "points").iterdir()}


def point(sandbox: Sandbox, random: Random) -> None:
    """A finished point of a sweep with other values; where the file is damaged, the point is run again."""
    sandbox.write("fuzz.toml", SMALL_SCENARIO.encode())
    ((name, content),) = sweep_folder().items()
    whole = json.loads(content)
    values: list[object] = [None, 3, "x", [], {}, {"words": 3}, True, 1e308, 10**400]
    if random.random() < 0.9:
        whole["summary"][random.choice([*whole["summary"], "outcome_detail"])] = random.choice(values)
        whole["summary"].pop(random.choice([*whole["summary"]]) if random.random() < 0.3 else "", None)
    else:
        whole[random.choice(sorted(whole))] = random.choice(values)
    path = Path("swept") / name
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(whole))
    arguments = ("fuzz.toml", "--over", "run.seed=1", "--out", "swept", "--jobs", "1")
    sandbox.run("sweep", *arguments, names=["swept"], outcomes=OUTCOMES)


def shards(sandbox: Sandbox, random: Random) -> None:
    """The folder of a shard, with a damaged list of points."""
    ((name, content),) = sweep_folder().items()
    key = Path(name).stem
    listed = {"schema_version": 1, "torusim": "0.1.0", "points": [{"key": key, "labels": {"run.seed": 1}}]}
    sandbox.write("fuzz/sweep.json", mutated(json.dumps(listed).encode(), ("key", "labels", "{}", "[]"), random))
    sandbox.write(f"fuzz/{name}", content)
    sandbox.run("collect", "fuzz", "--out", "all", "--json", names=["fuzz", "all"], outcomes=OUTCOMES)


LINES: Sequence[Sequence[str]] = (
    ("check", "fuzz.toml", "--json", "--seed", "2"),
    ("run", "fuzz.toml", "--threads", "2", "--engine", "reference", "--out", "out", "--checkpoint-every", "10min"),
    ("run", "fuzz.toml", "--quiet", "--force", "--set", "machine.shape=[2,2]"),
    ("resume", "fuzz", "--threads", "2", "--checkpoint-every", "90s"),
    ("sweep", "fuzz.toml", "--over", "run.seed=1..2", "--jobs", "0"),
    ("curve", "fuzz.toml", "--over", "machine.wrap=true,false", "--seeds", "3", "--jobs", "0"),
    ("map", "fuzz.toml", "--search", "greedy", "--steps", "9", "--from", "random", "--out", "map.txt", "--json"),
    ("hot", "fuzz", "--links", "3", "--flows", "2", "--json"),
    ("sweep", "fuzz.toml", "--over", "run.seed=1..2", "--shard", "1/3", "--executor", "processes", "--jobs", "0"),
    ("collect", "fuzz", "--out", "out", "--json"),
    ("init", "new.toml", "--kind", "tornado", "--force"),
    ("init", "--example", "four-jobs", "--force"),
    ("list", "presets", "--json"),
    ("list", "parameters"),
    ("schema",),
    ("plot", "fuzz", "--format", "svg", "--at", "10"),
    ("compare", "fuzz", "fuzz", "--json"),
    ("room", "bluegene-p-2-racks", "--show", "--partition", "R00-M0,R00-M1:mesh", "--picture", "map.svg"),
    ("room", "--json"),
    ("room", "tpu-v4-pod", "--profile", "site"),
    ("schedule", "fuzz.swf", "--nodes", "64", "--policy", "wfp", "--out", "out", "--json"),
    ("schedule", "lublin", "--nodes", "64", "--jobs", "10", "--load", "0.5", "--seed", "3"),
    ("study", "--list"),
    ("study", "no-study", "--scale", "quick", "--jobs", "1"),
    ("verify", "--scale", "none"),
    ("bench", "--shape", "0x4", "--load", "0.5", "--threads", "1", "--seconds", "0.01"),
    ("--version",),
    ("--help",),
    ("run", "--help"),
)
"""Genuine arguments, and almost genuine ones for commands that take long."""

LINE_WORDS = ("--json", "--out", "--force", "--set", "-f", "-q", "-h", "--", "fuzz", "fuzz.toml", "small", "runs", "-")


def arguments(sandbox: Sandbox, random: Random) -> None:
    """Arguments that are removed, repeated, exchanged or changed."""
    sandbox.write("fuzz.toml", SMALL_SCENARIO.encode())
    sandbox.write("fuzz.swf", SWF)
    sandbox.write("fuzz/result.json", result_folder()["result.json"])
    words = list(random.choice(LINES))
    for _ in range(random.randint(1, 3)):
        at = random.randrange(1, len(words) + 1)
        match random.randrange(5):
            case 0:
                del words[at:][:1]
            case 1:
                words.insert(at, random.choice(random.choice(LINES)))
            case 2:
                words.insert(at, random.choice(LINE_WORDS))
            case _ if at < len(words):
                words[at] = _within(mutated_text(words[at], LINE_WORDS, random))
    if _takes_long(words):
        return
    any_name = [""]  # the wrong argument is not known here
    sandbox.run(*words, names=any_name, outcomes=OUTCOMES)


def _within(argument: str) -> str:
    """The argument without line breaks, and without parts that could name a file outside the sandbox."""
    return " ".join(argument.replace("/", "_").replace("..", "__").splitlines())


def _takes_long(words: Sequence[str]) -> bool:
    return words[0] in ("verify", "bench") and len(words) < 2


KINDS: Mapping[str, Callable[[Sandbox, Random], None]] = {
    kind.__name__: kind
    for kind in (
        *(scenario, setting, trace, flows, log, queue, site, room, result, description, schedules, plotted_run, hot),
        *(mapping, plotted_schedule, plotted_sweep, plotted_curve, checkpoint, sweep, point, shards, arguments),
    )
}


def main() -> None:
    """Runs cases, and reports each fault with its commands, their output, and how to repeat it."""
    kind, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    report = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    warnings.simplefilter("error")
    progress.SHOWN_AFTER_SECONDS = 3600.0  # on a busy host, any command may take two seconds
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"COLUMNS": "120", "NO_COLOR": "1", "HOME": folder}
        sandbox = Sandbox(Path(folder))
        for number in range(first, first + count):
            print(f"case {number}", file=report)
            faults += not _holds(sandbox, kind, number, report)
            if faults == FAULTS_SHOWN:
                break
        os.chdir("/")
    print(f"{kind}: {dict(sandbox.statuses)}", file=report)
    sys.exit(faults > 0)


FAULTS_SHOWN = 10


def _holds(sandbox: Sandbox, kind: str, number: int, report: TextIO) -> bool:
    """Whether a case shows no fault; a case that does not end stops the process, with the place where it hangs."""
    faulthandler.dump_traceback_later(LIMIT_SECONDS, exit=True, file=report)
    sandbox.clear()
    try:
        KINDS[kind](sandbox, Random(f"{kind} {number}"))
    except BaseException:  # a panic of Rust is no Exception
        print(traceback.format_exc(), *sandbox.commands, sandbox.text(), sep="\n", file=report)
        print(f"repeat: python -m tests.fuzzed_command {kind} {number} 1\n", file=report)
        return False
    finally:
        faulthandler.cancel_dump_traceback_later()
    return True


if __name__ == "__main__":
    main()
