"""Missing prerequisites of the build are named."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support import ROOT

GOOD_PYTHON = "exit 0"
GOOD_CARGO = "echo cargo 1.95.0"
FOUND = {"python3": GOOD_PYTHON, "cargo": GOOD_CARGO, "cc": "exit 0"}
OLDEST_RUST = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
UTILITIES = ("dirname", "sed", "sort", "tail", "sh")


def prerequisites(folder: Path, programs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs the check with a PATH that has only these programs, as shell scripts."""
    for utility in UTILITIES:
        (folder / utility).symlink_to(str(shutil.which(utility)))
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return subprocess.run(
        [ROOT / "tools" / "prerequisites"],
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_found(tmp_path: Path) -> None:
    finished = prerequisites(tmp_path, FOUND)
    assert (finished.returncode, finished.stdout.strip()) == (0, str(tmp_path / "python3")), finished.stderr


def test_newer_python_under_its_own_name_is_found(tmp_path: Path) -> None:
    finished = prerequisites(tmp_path, FOUND | {"python3": "exit 1", "python3.12": GOOD_PYTHON})
    assert finished.stdout.strip() == str(tmp_path / "python3.12")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"python3": None}, "Python 3.11 or newer is missing"),
        ({"python3": "exit 1"}, "Python 3.11 or newer is missing"),
        ({"python3": 'case "$2" in *ensurepip*) exit 1;; esac'}, "venv"),
        ({"cargo": None}, f"cargo (Rust {OLDEST_RUST} or newer) is missing"),
        ({"cargo": "echo cargo 1.63.0"}, f"cargo {OLDEST_RUST} or newer (found: 1.63.0) is missing"),
        ({"cargo": "exit 1"}, "(found: none) is missing"),
        ({"cc": None}, "C compiler (cc) is missing"),
    ],
    ids=str,
)
def test_missing_prerequisite_is_named(tmp_path: Path, changed: dict[str, str | None], words: str) -> None:
    programs = {name: script for name, script in (FOUND | changed).items() if script is not None}
    finished = prerequisites(tmp_path, programs)
    assert finished.returncode == 1
    assert words in finished.stderr
    assert len(finished.stderr.splitlines()) == 2, "what is missing, and how to get it"
