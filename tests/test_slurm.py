"""The scripts of docs/slurm.md on a real Slurm; skipped where none answers. One node with two cores is enough."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import torusim
from tests.support import LONG_SCENARIO, ROOT, succeeded, wait_until
from tests.test_many_runs import rows_of

PAGE = ROOT / "docs" / "slurm.md"


def has_slurm() -> bool:
    """Whether a controller of Slurm answers."""
    return shutil.which("sbatch") is not None and run("scontrol ping").returncode == 0


def run(command: str, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """A command of a shell, with the command `torusim` of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, shell=True, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not has_slurm(), reason="needs Slurm: no controller answers"),
]


def block(words: str) -> str:
    """The fenced block of the page that contains these words."""
    (found,) = (text for text in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL) if words in text)
    return str(found)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that links to the scenarios."""
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    return tmp_path


@pytest.fixture(scope="module")
def local() -> list[dict[str, Any]]:
    """The sweep of the page, in processes of this host."""
    over = {"workload.load": [0.2, 0.4, 0.6, 0.8], "run.seed": range(1, 4)}
    return rows_of(torusim.sweep(ROOT / "scenarios" / "uniform-random-4x4x4.toml", over, jobs=2).table)


def wait_for_jobs() -> None:
    wait_until(lambda: not run("squeue --noheader").stdout.strip())


def test_array_job_gives_the_table_of_local_processes(folder: Path, local: list[dict[str, Any]]) -> None:
    (folder / "loads.sh").write_text(block("--array"))
    succeeded(run(block("sbatch --parsable"), folder))
    wait_for_jobs()
    logs = "".join(path.read_text() for path in folder.glob("*.log"))
    assert (folder / "runs" / "loads" / "sweep.parquet").exists(), logs
    assert rows_of(pq.read_table(folder / "runs" / "loads" / "sweep.parquet")) == local


@pytest.mark.skipif(find_spec("dask_jobqueue") is None, reason="needs the extra: pip install 'torusim[dask]'")
def test_dask_gives_the_table_of_local_processes(folder: Path, local: list[dict[str, Any]]) -> None:
    succeeded(run(block("--executor dask"), folder))
    assert rows_of(pq.read_table(folder / "runs" / "loads-dask" / "sweep.parquet")) == local


def test_long_run_continues(folder: Path) -> None:
    scenario = LONG_SCENARIO.replace("[16, 16, 16]", "[8, 8, 8]").replace("24000", "4800")
    (folder / "long.toml").write_text(scenario)
    (folder / "long.sh").write_text(block("torusim resume"))
    job = run("sbatch --parsable long.sh", folder).stdout.strip()
    wait_until(lambda: (folder / "runs" / "long" / "checkpoints").is_dir())
    assert run(f"scancel --signal=TERM {job}").returncode == 0
    wait_for_jobs()
    assert torusim.load(folder / "runs" / "long").outcome == "interrupted"
    assert run("sbatch --parsable long.sh", folder).returncode == 0
    wait_for_jobs()
    finished = torusim.load(folder / "runs" / "long")
    assert finished.outcome == "completed", (folder / "long.log").read_text()
    assert not (folder / "runs" / "long" / "checkpoints").exists()
