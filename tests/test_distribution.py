"""Distributed files: the source distribution and the wheel hold all that they must, and the citation file is right."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
SCENARIOS = {path.name for path in (ROOT / "scenarios").iterdir()}


def built(folder: Path, *arguments: str) -> Path:
    """The file that maturin builds."""
    finished = subprocess.run(
        [sys.executable, "-m", "maturin", *arguments, "--out", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    (file,) = folder.iterdir()
    return file


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a source distribution is made of a repository")
def test_source_distribution_has_every_file_of_the_repository(tmp_path: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    link = "python/torusim/scenarios"
    expected = {f"{link}/{name}" for name in SCENARIOS} | set(tracked.strip("\0").split("\0")) - {link}
    with tarfile.open(built(tmp_path, "sdist")) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    assert names == expected | {"PKG-INFO"}


@pytest.mark.long
def test_wheel_has_the_scenarios_and_no_source(tmp_path: Path) -> None:
    wheel = built(tmp_path, "build", "--profile", "checked", "--interpreter", sys.executable)
    assert wheel.name.startswith(f"torusim-{VERSION}-cp311-abi3-")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"torusim/scenarios/{name}" for name in SCENARIOS} <= names
    assert "torusim/_core.abi3.so" in names
    assert "torusim/runs/fluid_errors.json" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"torusim"}
    assert not [name for name in names if name.endswith(".rs")]


def test_studies_are_of_the_same_version() -> None:
    studies = tomllib.loads((ROOT / "studies" / "pyproject.toml").read_text())["project"]
    assert studies["version"] == VERSION
    assert studies["dependencies"] == [f"torusim=={VERSION}"]
    assert PROJECT["optional-dependencies"]["studies"] == [studies["name"]]
    assert studies["requires-python"] == PROJECT["requires-python"]


def test_citation_agrees_with_the_metadata() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["title"] == PROJECT["name"]
    assert citation["abstract"] == PROJECT["description"]
    assert citation["version"] == VERSION
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]
    assert citation["authors"] == PROJECT["authors"]
    for work in citation["references"]:
        assert {"type", "title", "authors", "year"} <= set(work)
