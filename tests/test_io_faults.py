"""A command meets a fault at each of its file operations in turn, as a full or a broken disk gives them.

It ends with one clear message or with a complete result. Nothing that was there before is lost, and no hidden folder is
left unless the message names it.
"""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import torusim
from tests.support import Command, succeeded
from torusim import _core
from torusim.runs import checkpoints
from torusim.runs.checkpoints import Times

SCENARIO = """\
machine.shape = [4, 4, 2]
workload = { kind = "all-to-all", payload_bytes = 2400 }
"""
"""Takes some tens of milliseconds: several slices of the driver."""

HERE = Path(__file__).parent / "io_faults"
LIMIT_SECONDS = 600
OFTEN = ["--checkpoint-every", "0.001s"]


@dataclass(frozen=True)
class Faults:
    """The operations that fail.

    Attributes:
        error: The error number.
        stride: From one attempt to the next, the fault is `stride` operations later.
    """

    error: int
    stride: int = 1

    def __str__(self) -> str:
        """The name of a test with these faults."""
        return f"{errno.errorcode[self.error]} at {'each operation' if self.stride == 1 else 'some operations'}"


FULL, FULL_AT_SOME = Faults(errno.ENOSPC), Faults(errno.ENOSPC, 7)
ALL_LONG = [pytest.param(Faults(error), marks=pytest.mark.long) for error in (errno.ENOSPC, errno.EIO)]


@dataclass(frozen=True)
class Attempt:
    """The state that a command with a fault has left behind."""

    folder: Path
    status: int
    errors: str


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes file operations fail."""
    if sys.platform != "linux" or (compiler := shutil.which("gcc") or shutil.which("cc")) is None:
        pytest.skip("faults are injected by a preloaded library: this needs Linux and a C compiler")
    path = tmp_path_factory.mktemp("library") / "faults.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", path, HERE / "faults.c", "-ldl"], check=True)
    return path


@pytest.fixture(scope="module")
def digest() -> str:
    """The digest of the scenario's result."""
    return str(torusim.run(SCENARIO).summary["digest"])


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """The initial folder of each attempt, with the scenario."""
    folder = tmp_path / "template"
    folder.mkdir()
    (folder / "scenario.toml").write_text(SCENARIO)
    return folder


def attempts(library: Path, template: Path, faults: Faults, *command: str) -> Iterator[Attempt]:
    """The command with a fault at each of these operations, and once without."""
    base = template.with_name("attempts")
    base.mkdir()
    finished = subprocess.run(
        [sys.executable, HERE / "driver.py", library, str(faults.error), str(faults.stride), base, template, *command],
        env=os.environ | {"LD_PRELOAD": str(library)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=LIMIT_SECONDS,
        check=True,
    )
    lines = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(lines) * faults.stride > 10, "the library sees the operations"
    assert lines[-1]["status"] == 0, lines[-1]
    for line in lines:
        yield Attempt(Path(line["folder"]), line["status"], line["errors"])


def ends_clearly(attempt: Attempt) -> None:
    """Asserts a good status or one message, and no hidden file that no message names."""
    assert "Traceback" not in attempt.errors, attempt
    assert attempt.status in (0, 2), attempt
    if attempt.status == 2:
        assert attempt.errors.splitlines()[-1].startswith("torusim: "), attempt
    for hidden in attempt.folder.glob(".*"):
        assert hidden.name in attempt.errors, attempt


def complete(folder: Path, digest: str) -> bool:
    """Whether the folder holds a complete result, all of whose tables can be read."""
    try:
        result = torusim.load(folder)
        tables = [result.table(name) for name in result.tables]
    except torusim.InputError:
        return False
    return result.summary["digest"] == digest and len(tables) >= 4


EACH = pytest.mark.parametrize("faults", [FULL, ALL_LONG[1]], ids=str)
SOME = pytest.mark.parametrize("faults", [FULL_AT_SOME, *ALL_LONG], ids=str)


@EACH
def test_run(faults: Faults, library: Path, template: Path, digest: str) -> None:
    for attempt in attempts(library, template, faults, "run", "{}/scenario.toml", "--out", "{}/kept"):
        ends_clearly(attempt)
        saved = [attempt.folder / "kept", *attempt.folder.glob(".kept.*")]
        assert attempt.status == 2 or complete(saved[0], digest), attempt
        if "this result is in" in attempt.errors:
            assert complete(saved[1], digest), attempt


@SOME
def test_run_with_checkpoints(faults: Faults, library: Path, template: Path, digest: str) -> None:
    for attempt in attempts(library, template, faults, "run", "{}/scenario.toml", "--out", "{}/kept", *OFTEN):
        ends_clearly(attempt)
        kept = attempt.folder / "kept"
        if attempt.status == 0:
            assert complete(kept, digest), attempt
        elif kept.exists():
            assert torusim.resume(kept).summary["digest"] == digest, attempt
            assert complete(kept, digest)


@pytest.mark.long
@EACH
def test_resume(faults: Faults, library: Path, template: Path, digest: str) -> None:
    """The folder of a run that was killed when it had two checkpoints."""
    run = _core.Run(_core.resolve_plain(json.dumps(_as_dict()), []), "windowed", 1)
    with checkpoints.keeper_of(template / "kept", Times(0.0, 1.0), pytest.fail, replace=False) as keeper:
        keeper.begin(run)
        run.advance(0.0)
        checkpoints.write_next(template / "kept", run)
    for attempt in attempts(library, template, faults, "resume", "{}/kept", *OFTEN):
        ends_clearly(attempt)
        kept = attempt.folder / "kept"
        if attempt.status == 2 and checkpoints.has_checkpoints(kept):
            torusim.resume(kept)
        assert complete(kept, digest), attempt


def _as_dict() -> dict[str, object]:
    return {
        "machine": {"shape": [4, 4, 2]},
        "workload": {"kind": "all-to-all", "payload_bytes": 2400},
    }


@pytest.mark.long
@EACH
@pytest.mark.parametrize("options", [[], OFTEN], ids=["plain", "checkpoints"])
def test_force_loses_no_result(options: list[str], faults: Faults, library: Path, template: Path, digest: str) -> None:
    """The earlier result or the new one is in its place, or in the folder that the message names."""
    before = torusim.run(SCENARIO, seed=2, out=template / "kept").summary["digest"]
    again = ["run", "{}/scenario.toml", "--out", "{}/kept", "--force", *options]
    for attempt in attempts(library, template, faults, *again):
        ends_clearly(attempt)
        places = [attempt.folder / "kept", *attempt.folder.glob(".kept.*")]
        if attempt.status == 0:
            assert complete(places[0], digest), attempt
        elif options and checkpoints.has_checkpoints(places[0]):
            assert torusim.resume(places[0]).summary["digest"] == digest, attempt
        else:
            assert any(complete(place, str(one)) for place in places for one in (before, digest)), attempt


@SOME
def test_sweep(faults: Faults, library: Path, template: Path, command: Command) -> None:
    """The points that are kept are not damaged: the same command completes the sweep."""
    arguments = ["sweep", "{}/scenario.toml", "--over", "run.seed=1..2", "--jobs", "1", "--out", "{}/kept"]
    tables = set()
    for attempt in attempts(library, template, faults, *arguments):
        ends_clearly(attempt)
        assert not list(attempt.folder.rglob(".*")), attempt
        if attempt.status == 2:
            succeeded(command(*(part.format(attempt.folder) for part in arguments), "--quiet"))
        tables.add((attempt.folder / "kept" / "sweep.parquet").exists())
    assert tables == {True}
