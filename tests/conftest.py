"""Fixtures of the end-to-end tests: the command in a temporary folder, and scenarios."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import torusim
from tests.mpi_registries import Registries
from tests.support import COMMAND, LIMIT_SECONDS, LONG_SCENARIO, SMALL_SCENARIO, Command, Finished


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """The command `torusim`, run in the test's temporary folder, without a terminal; `paths` contain modules."""

    def run(*arguments: str | Path, paths: Sequence[Path] = ()) -> Finished:
        searched = os.pathsep.join([*map(str, paths), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.run(
            [COMMAND, *map(str, arguments)],
            cwd=tmp_path,
            env=os.environ | {"COLUMNS": "120", "NO_COLOR": "1", "PYTHONPATH": searched},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )

    return run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The file of a scenario that takes well under a second."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL_SCENARIO)
    return path


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """The file of a scenario that takes far longer than any test waits."""
    path = tmp_path / "long.toml"
    path.write_text(LONG_SCENARIO)
    return path


@pytest.fixture(scope="session")
def result() -> torusim.Result:
    """The result of the small scenario."""
    return torusim.run(SMALL_SCENARIO)


@pytest.fixture(scope="session")
def registries(pytestconfig: pytest.Config) -> Registries:
    """Packages of Debian and PyPI, which are kept between sessions."""
    assert pytestconfig.cache is not None
    return Registries(pytestconfig.cache.mkdir("torusim-packages"))
