"""Traces of all formats, read by the package: their values in the summary, and the refusal of damaged ones."""

import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

import torusim
from tests import written_traces
from tests.golden_digests import TRACES
from tests.support import ROOT, Command
from torusim import InputError, _core

GIVEN = ROOT.parent / "shared" / "data" / "traces"

WORKLOADS = json.loads(_core.schema())["properties"]["workload"]["oneOf"]
FORMATS = next(
    [choice["const"] for choice in workload["properties"]["format"]["oneOf"]]
    for workload in WORKLOADS
    if workload["properties"]["kind"] == {"const": "trace"}
)
"""The formats in the schema of scenarios: "auto", and those with a reader."""

EXPECTED: Mapping[str, tuple[str, list[int], dict[str, int]]] = {
    "sweep3d-2x2": ("liballprof", [2, 2], {"MPI_Send": 4 * 1440, "MPI_Recv": 4 * 1440, "MPI_Allreduce": 4 * 32}),
    "dumpi": ("dumpi", [2, 2, 2], {"MPI_Isend": 7 * 84, "MPI_Irecv": 7 * 84, "MPI_Waitall": 7 * 14}),
    "goal": ("goal", [4, 4, 2], {"send": 31, "recv": 31}),
    "chakra/all_reduce_8": ("chakra", [2, 2, 2], {"COMM_COLL_NODE": 8}),
    "chakra/all_to_all_8": ("chakra", [2, 2, 2], {"COMM_COLL_NODE": 8}),
    "chakra/ring_allreduce_8": ("chakra", [2, 2, 2], {"COMM_SEND_NODE": 112, "COMM_RECV_NODE": 112, "COMP_NODE": 56}),
    "otf2-pingpong": ("otf2", [2], {}),
}
"""The format of each given trace (SOURCES.md in their folder), a machine for it, and counts of calls."""


def _run(path: Path, shape: list[int], engine: str = "windowed", threads: int = 1) -> torusim.Result:
    workload = {"kind": "trace", "path": str(path), "compute_scale": 0.01}
    return torusim.run({"machine": {"shape": shape}, "workload": workload}, engine=engine, threads=threads)


@pytest.mark.parametrize("name", EXPECTED)
def test_given_traces_complete(name: str) -> None:
    path = GIVEN / name
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    if name.startswith("otf2"):
        pytest.importorskip("otf2")
    trace_format, shape, calls = EXPECTED[name]
    result = _run(path, shape)
    assert result.outcome == "completed"
    assert result.summary["trace_format"] == trace_format
    assert calls.items() <= result.summary["trace_calls"].items()
    for engine, threads in (("windowed", 3), ("reference", 1)):
        other = _run(path, shape, engine=engine, threads=threads)
        for key in ("digest", "operations_digest", "cycles"):
            assert other.summary[key] == result.summary[key]


def test_a_copied_archive_is_read_by_any_of_its_files(tmp_path: Path) -> None:
    pytest.importorskip("otf2")
    if not GIVEN.exists():
        pytest.skip(f"{GIVEN} does not exist")
    archive = tmp_path / "archive"
    shutil.copytree(GIVEN / "otf2-pingpong", archive)
    events = archive / "traces" / "1.evt"
    events.chmod(0o644)
    for path in (archive, archive / "traces.otf2"):
        assert _run(path, [2]).summary["trace_calls"]["MpiSend"] > 0
    events.write_bytes(events.read_bytes()[:-200])
    with pytest.raises(InputError, match=r"1\.evt"):
        _run(archive, [2])
    (archive / "traces.def").unlink()
    with pytest.raises(InputError, match=r"traces\.(def|otf2)"):
        _run(archive, [2])


@pytest.mark.parametrize(
    ("format_name", "message"),
    [
        ("goal", "`goal`|holds no goal trace"),
        ("vampir", ".*".join(FORMATS)),
    ],
)
def test_another_format_is_refused(format_name: str, message: str) -> None:
    workload = {"kind": "trace", "path": str(TRACES / "calls"), "format": format_name}
    with pytest.raises(InputError, match=message):
        torusim.run({"machine": {"shape": [2, 2]}, "workload": workload})


def test_a_trace_that_cannot_complete_is_stuck(tmp_path: Path) -> None:
    (tmp_path / "waits.goal").write_text("num_ranks 2\nrank 0 {\nrecv 8b from 1 tag 3\n}\nrank 1 {\ncalc 5\n}\n")
    result = _run(tmp_path, [2])
    assert result.outcome == "stuck"
    assert "rank 0" in result.summary["outcome_detail"]["words"]
    assert "rank 1 with tag 3" in result.summary["outcome_detail"]["words"]


def test_all_stuck_ranks_are_named_with_what_they_wait_for(tmp_path: Path, command: Command) -> None:
    ranks = [f"rank {rank} {{\nrecv 8b from {(rank + 1) % 3} tag {rank + 5}\n}}\n" for rank in range(3)]
    (tmp_path / "waits.goal").write_text("num_ranks 3\n" + "".join(ranks))
    detail = _run(tmp_path / "waits.goal", [3]).summary["outcome_detail"]
    assert detail["ranks"] == 3
    assert [waiting["rank"] for waiting in detail["waiting"]] == [0, 1, 2]
    for rank, waiting in enumerate(detail["waiting"]):
        assert f"rank {(rank + 1) % 3} with tag {rank + 5}" in waiting["waiting_for"]
        assert waiting["words"] == f"rank {rank} has waited since cycle {waiting['cycle']} for {waiting['waiting_for']}"
    scenario = '[machine]\nshape = [3]\n[workload]\nkind = "trace"\npath = "waits.goal"\n'
    (tmp_path / "waits.toml").write_text(scenario)
    printed = " ".join(command("run", "waits.toml", "--out", "stuck").stdout.split())
    assert "3 ranks are blocked forever; rank 0 has waited" in printed
    for rank in (1, 2):
        assert f"rank {rank} has waited since cycle" in printed


def test_every_format_is_documented_and_written() -> None:
    """A format is declared in one place, from which the schema has it."""
    formats = sorted(FORMATS[1:])
    page = (ROOT / "docs" / "models" / "messages.md").read_text(encoding="utf-8")
    rows = page.split("| `format` |")[1].split("\n\n")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)) == formats
    # Only torusim writes recordings (tests/test_recordings.py).
    assert sorted([*written_traces.FORMATS, "recording"]) == formats


@pytest.mark.parametrize("format_name", FORMATS)
def test_what_is_no_trace_is_refused_at_once(format_name: str, tmp_path: Path) -> None:
    """Some files of /proc wait for data, as pipes do; devices never end; a folder may have very many files."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty.goal").touch()
    many = tmp_path / "many"
    many.mkdir()
    for number in range(1500):
        (many / "".join(chr(ord("a") + int(digit)) for digit in str(number))).write_text("nothing")
    for path in (Path("/proc"), Path("/proc/kmsg"), Path("/dev/zero"), tmp_path / "pipe", tmp_path, many):
        if not path.exists():
            continue
        workload = {"kind": "trace", "path": str(path), "format": format_name}
        with pytest.raises(
            InputError, match=r"is not a file|holds|is no trace|the file is empty|is in no OTF2 archive"
        ):
            torusim.run({"machine": {"shape": [2, 2]}, "workload": workload})


@pytest.mark.parametrize("format_name", ["auto", "liballprof"])
def test_files_of_liballprof_with_other_names_are_refused_with_those_that_are_expected(
    format_name: str, tmp_path: Path
) -> None:
    for rank in range(2):
        (tmp_path / f"rank-{rank}.txt").write_text("MPI_Init:-:0:0:0\nMPI_Finalize:3:-\n")
    message = r"other names \(`rank-0\.txt`\): files pmpi-trace-rank-0\.txt, pmpi-trace-rank-1\.txt and so on"
    for path in (tmp_path, tmp_path / "rank-1.txt"):
        workload = {"kind": "trace", "path": str(path), "format": format_name}
        with pytest.raises(InputError, match=message):
            torusim.run({"machine": {"shape": [2, 2]}, "workload": workload})
