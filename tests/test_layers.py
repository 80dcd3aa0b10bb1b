"""Dependencies point only to lower layers: of crates in Cargo.toml, of Python modules by rules in pyproject.toml."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests import rust_modules
from tests.support import ROOT
from torusim.cli.commands import COMMANDS

CRATES_FROM_THE_GROUND_UP = [
    "base",
    "input",
    "geometry",
    "machine-room",
    "network",
    "reference",
    "windowed",
    "sockets",
    "messaging",
    "mpi",
    "rank-wire",
    "rank-processes",
    "mpi-library",
    "mpi-abi",
    "mpi-mpich",
    "mpi-openmpi",
    "mpi-clocks",
    "traces",
    "workloads",
    "mapping",
    "fluid",
    "simulation",
    "scheduling",
    "bindings",
]


def test_every_crate_has_its_layer() -> None:
    assert {path.parent.name for path in ROOT.glob("crates/*/Cargo.toml")} == set(CRATES_FROM_THE_GROUND_UP)
    layers = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Layers")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", layers, re.MULTILINE) == CRATES_FROM_THE_GROUND_UP


@pytest.mark.parametrize("crate", CRATES_FROM_THE_GROUND_UP)
def test_crate_depends_only_on_lower_layers(crate: str) -> None:
    below = CRATES_FROM_THE_GROUND_UP[: CRATES_FROM_THE_GROUND_UP.index(crate)]
    above = set(own_dependencies(crate)) - set(below)
    assert not above, f"{crate} is below {sorted(above)}"


def test_mpi_knows_nothing_of_the_network() -> None:
    """`mpi` does not know it by itself, nor through a type that messaging, on which it is built, exports."""
    assert "network" not in own_dependencies("mpi")
    exports = re.compile(r"^pub (?:use|type)[^;]*\bnetwork\b[^;]*;", re.MULTILINE)
    sources = (ROOT / "crates" / "messaging" / "src").rglob("*.rs")
    assert not [found for source in sources for found in exports.findall(source.read_text(encoding="utf-8"))]


def test_traces_know_calls_and_sealed_frames_alone() -> None:
    assert own_dependencies("traces") == ["base", "mpi"]


READERS = {
    "machine-room",
    "sockets",
    "rank-wire",
    "rank-processes",
    "mpi-library",
    "traces",
    "simulation",
    "scheduling",
}


@pytest.mark.parametrize("crate", CRATES_FROM_THE_GROUND_UP)
def test_only_these_crates_read_files(crate: str) -> None:
    """The other crates get their input from their callers, and report to them."""
    io = re.compile(r"\bstd::(?:fs|net|process|env)\b|\be?print(?:ln)?!")
    sources = (ROOT / "crates" / crate / "src").rglob("*.rs")
    found = any(io.search(source.read_text(encoding="utf-8")) for source in sources)
    assert found == (crate in READERS)


@pytest.mark.parametrize("crate", CRATES_FROM_THE_GROUND_UP)
def test_modules_of_a_crate_are_without_circles(crate: str) -> None:
    """Modules that use each other are one module, spread over several files. Parents and tests do not count."""
    TopologicalSorter(rust_modules.uses(ROOT / "crates" / crate / "src")).prepare()


def own_dependencies(crate: str) -> list[str]:
    """The layers that a crate's Cargo.toml names, including dev-dependencies, by dependency or package name."""
    manifest = tomllib.loads((ROOT / "crates" / crate / "Cargo.toml").read_text())
    tables = [manifest, *manifest.get("target", {}).values()]
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    named = {
        name: entry.get("package", name) if isinstance(entry, dict) else name
        for table in tables
        for kind in kinds
        for name, entry in table.get(kind, {}).items()
    }
    short = {name.removeprefix("torusim-").replace("_", "-") for name in [*named, *named.values()]}
    return [layer for layer in CRATES_FROM_THE_GROUND_UP if layer in short]


def test_python_modules_import_only_lower_layers() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_python_modules_load_without_circles() -> None:
    """Imports within functions and for type checks alone are left out: they are made after loading, or never."""
    files = {module_name(path): path for path in (ROOT / "python" / "torusim").rglob("*.py")}
    TopologicalSorter({name: set(loaded_with(path)) & set(files) - {name} for name, path in files.items()}).prepare()


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT / "python").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def loaded_with(path: Path) -> Iterator[str]:
    """The modules that a file imports when it is loaded; of `from a import b`, a.b too, and a if it has a name b."""
    package = module_name(path).rpartition(".")[0]
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
            yield from names
            if statement.module != package:  # a module's own package is being loaded already
                yield statement.module


@pytest.mark.parametrize("heavy", ["matplotlib", "numpy", "pyarrow", "rich.progress"])
def test_heavy_libraries_are_imported_on_demand(heavy: str) -> None:
    """The rule keeps `import torusim` fast."""
    source = f"import sys, torusim, torusim.runs.scenario; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", source], check=False).returncode == 0


@pytest.mark.parametrize("words", [["--help"], [], ["--version"], ["no-such-command"]], ids=" ".join)
def test_the_list_of_commands_imports_none(words: list[str]) -> None:
    """The rule keeps `torusim --help` fast: what is left of its time is that of Typer and Rich."""
    finished = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "torusim", *words], capture_output=True, text=True, check=False
    )
    loaded = {
        line.rpartition("|")[2].strip() for line in finished.stderr.splitlines() if line.startswith("import time:")
    }
    assert "torusim.cli.app" in loaded
    assert not loaded & {"numpy", "pyarrow", "matplotlib", "rich.progress", "torusim.runs", "torusim.cli.options"}
    assert not loaded & {f"torusim.cli.{entry.module}" for entry in COMMANDS.values()}
