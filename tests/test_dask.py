"""`--executor dask`: the table of local processes. Skipped where the optional packages are not installed."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.support import Command, assert_says, succeeded
from tests.test_many_runs import OVER_OPTIONS, rows_of


def test_without_dask_a_message_says_how_to_install_it(command: Command, small: Path, tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ImportError")
    finished = command("sweep", small, "--over", "run.seed=1", "--executor", "dask", paths=[tmp_path])
    says = "torusim: --executor dask: the package distributed is not installed; pip install 'torusim[dask]'"
    assert_says(finished, says)


@pytest.mark.long  # Dask takes seconds to start and to end
def test_two_workers_of_dask_give_the_table_of_local_processes(command: Command, small: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra: pip install 'torusim[dask]'")
    succeeded(command("sweep", small, *OVER_OPTIONS, "--executor", "dask", "--jobs", "2", "--out", "dask"))
    assert command("sweep", small, *OVER_OPTIONS, "--jobs", "2", "--out", "local").returncode == 0
    dask, local = (rows_of(pq.read_table(tmp_path / name / "sweep.parquet")) for name in ("dask", "local"))
    assert dask == local


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cluster", "slrum"], "--cluster slrum: must be one of local, slurm"),
        (["--cluster", "slurm"], "--jobs: is needed for --cluster slurm"),
        (
            ["--cluster", "tcp://127.0.0.1:1", "--jobs", "2"],
            "--jobs: the workers of tcp://127.0.0.1:1",
        ),
    ],
)
def test_bad_cluster(command: Command, small: Path, options: list[str], words: str) -> None:
    pytest.importorskip("distributed", reason="needs the extra: pip install 'torusim[dask]'")
    assert_says(command("sweep", small, "--over", "run.seed=1", "--executor", "dask", *options), words)
