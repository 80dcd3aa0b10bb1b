"""Pages and recipes name what exists: paths, crates, functions, flags, commands, keys, and the targets of links."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import typer

from tests.support import ROOT
from torusim import _core
from torusim.cli.app import app
from torusim.runs.summary import QUANTITIES

PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
LEFT_BY_BUILDS = {
    ".git",
    ".hypothesis",
    ".venv",
    "target",
    "demo",
    "dist",
    "runs",
    "site",
    *(f".{tool}_cache" for tool in ("mypy", "pytest", "ruff")),
}
SOURCES = {".rs", ".h", ".py", ".pyi", ".ts", ".toml", ".yml", ".swf", ".sh", ""}
CARGO = {"test", "bench", "build", "clippy", "fmt", "check"}
FLAGS_OF_OTHERS = {
    *("--release", "--test", "--workspace", "--profile", "--ignored", "--cpus-per-task"),
    *("--parsable", "--dependency", "--depend", "--delimiter", "--duplicates", "--noconvert"),
}
NAMED_FROM_OUTSIDE = {
    *("multiprocessing", "num_ops", "tools/local_sim/simulator.xml", "packet_hops_dynamic_0"),
    *("pandas.DataFrame.from_arrow(sweep)", "KillWait", "log_directory", "tmux"),
    *("src/common/slurm_opt.c",),
    *("Workload.from_csv", "evalys.jobset.JobSet.from_csv", "evalys.workload.Workload.from_csv"),
    *("free_intervals", "mean_utilisation", "batsim_output_csv_to_swf.py"),
    *("swf_to_batsim_workload_compute_only.py", "swf_to_batsim_workload_delay.py"),
}
"""Names of Python, of the site's own simulator, of Slurm, evalys and Batsim, and a column whose name ends in the number
of a virtual channel."""

PLACEHOLDER = re.compile(r"\b[A-Z][A-Z_]*\b(?![a-z])|…|\.\.\.|\*|NAME")
FENCE = re.compile(r"^( *)```.*?^\1```", re.M | re.S)
LINK = re.compile(r"(?:\]\(|^\[\w+\]: )([^)\s]+)", re.M)
PATH = re.compile(r"\.?[\w.-]+(/[\w.-]+)*/?")
RUST_PATH = re.compile(r"\w+(::\w+)+")
CALL = re.compile(r"(?:\w+(?:\.|::))*([a-z]\w+)\([a-z_, ]*\)")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
DEFINED = r"\b(?:fn|struct|enum|trait|type|mod|const|static|macro_rules!|def|class)\s+{name}\b|^\s+{name}\b[,({{ =:]"


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@cache
def project_files() -> list[str]:
    """Paths of all files of the project, without files that builds and runs leave."""
    folders = (path for path in ROOT.iterdir() if path.is_dir() and path.name not in LEFT_BY_BUILDS)
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files = [path for path in files if "node_modules" not in path.parts]
    return [str(path.relative_to(ROOT)) for path in (*files, *ROOT.glob("*.*"), ROOT / "Makefile")]


@cache
def text_of(folder: str) -> str:
    """All sources below a folder of the repository; this file is none."""
    files = [ROOT / path for path in project_files() if path.startswith(folder) and path != "tests/test_pages.py"]
    return "\n".join(read(path) for path in files if path.suffix in SOURCES and path.is_file())


@cache
def options_by_command() -> dict[str, set[str]]:
    """The options of each command of torusim."""
    group = typer.main.get_command(app)
    commands = getattr(group, "commands", {})
    return {
        name: {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        | {"--help"}
        for name, command in commands.items()
    }


def exists_as_path(path: str) -> bool:
    """Whether it is the end of a project path, a folder's included, or a file that torusim itself writes."""
    end = "/" + path.strip("/")
    whole = (f"/{name}" for name in project_files())
    if any(name.endswith(end) or f"{end}/" in name for name in whole):
        return True
    written = path.removesuffix(".parquet")
    return f'"{written}"' in text_of("") or (ROOT / path).exists()


def exists_in_rust(path: str) -> bool:
    """Whether each name of `a::b::c` is defined, in the crate that comes first if it is one of ours."""
    first, *others = path.split("::")
    crate = f"crates/{first.replace('_', '-')}/"
    is_crate = any(name.startswith(crate) for name in project_files())
    names = others if is_crate else [first, *others]
    text = text_of(crate if is_crate else "crates/")
    return all(re.search(DEFINED.format(name=name), text, re.M) for name in names)


def unknown_flags(words: list[str], known: set[str]) -> list[str]:
    flags = [word.split("=")[0] for word in words if word.startswith("--") and len(word) > 2]
    return [flag for flag in flags if flag not in known]


def is_true_of_command(code: str) -> bool:
    """Whether the command that `torusim ...` names exists and has the options that are given."""
    words = code.split()[1:]
    name = next((word for word in words if not word.startswith("-")), None)
    options = options_by_command()
    if name is None or PLACEHOLDER.fullmatch(name):
        return True
    return name in options and not unknown_flags(words, options[name])


def is_true_of_make(code: str) -> bool:
    makefile = read(ROOT / "Makefile")
    targets = [word for word in code.split() if "=" not in word and word != "make"]
    return all(re.search(rf"^{re.escape(target)}:", makefile, re.M) for target in targets)


def is_known_flag(code: str) -> bool:
    known = set().union(*options_by_command().values()) | FLAGS_OF_OTHERS
    return not unknown_flags(code.split()[:1], known)


def is_known_name(code: str) -> bool:
    return code.split(".")[-1] in known_names()


@cache
def known_names() -> set[str]:
    """All words of the sources, and their parts after an underscore."""
    text = text_of("")
    words = re.findall(r"\w+", text)
    ends = {word[at + 1 :] for word in set(words) for at, letter in enumerate(word) if letter == "_"}
    return {*re.findall(r"[\w-]+", text), *ends}


def rule_for(code: str) -> Callable[[str], bool] | None:
    """The rule that a piece of code in a sentence has to meet; None if there is no rule for it."""
    if code.startswith("torusim "):
        return is_true_of_command
    if re.match(r"(\w+=\w+ )?make\b", code):
        return is_true_of_make
    if code.startswith("--"):
        return is_known_flag
    if code.startswith("cargo "):
        return lambda command: command.split()[1] in CARGO
    if PLACEHOLDER.search(code) or code.startswith(("/", "_", "-")) or code in NAMED_FROM_OUTSIDE:
        return None
    if RUST_PATH.fullmatch(code):
        return exists_in_rust
    if call := CALL.fullmatch(code):
        name = call.group(1)
        return lambda _: re.search(DEFINED.format(name=name), text_of(""), re.M) is not None
    if PATH.fullmatch(code) and ("/" in code or re.search(r"\.(rs|py|md|toml|txt|json|swf|parquet)$", code)):
        return exists_as_path
    if NAME.fullmatch(code) and len(code) > 2:
        return is_known_name
    return None


def unknown_in(text: str) -> list[str]:
    """Names between backticks in a text, outside its examples, that do not exist."""
    named = sorted(set(re.findall(r"`([^`\n]+)`", FENCE.sub("", text))))
    return [code for code in named if (rule := rule_for(code)) is not None and not rule(code)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page: Path) -> None:
    unknown = unknown_in(read(page))
    assert not unknown, f"{page.relative_to(ROOT)} names what does not exist: {unknown}"


def recipes() -> list[tuple[str, str]]:
    """The recipes in the heads of modules, `# To add ...`: the path of the module, and the steps as one line."""
    found = []
    for path in project_files():
        if path.startswith("crates/") and path.endswith(".rs"):
            head = "\n".join(line[3:] for line in read(ROOT / path).splitlines() if line.startswith("//!"))
            found += [(path, " ".join(recipe.split())) for recipe in head.split("\n # To add ")[1:]]
    return found


@pytest.mark.parametrize(("path", "recipe"), recipes(), ids=[path for path, _ in recipes()])
def test_a_recipe_names_what_exists_in_at_most_five_steps(path: str, recipe: str) -> None:
    unknown = unknown_in(recipe)
    assert not unknown, f"{path} names what does not exist: {unknown}"
    assert 1 <= len(re.findall(r" \d\. ", recipe)) <= 5


def test_the_architecture_page_leads_to_recipes() -> None:
    page = read(ROOT / "ARCHITECTURE.md").partition("## Where the recipes are")[2]
    modules = [f"crates/{module}" for module in re.findall(r"\| `([\w/-]+\.rs)` \|", page)]
    assert {path for path, _ in recipes()} == set(modules)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = [target for target in LINK.findall(read(page)) if not leads_somewhere(page, target)]
    assert not broken, f"{page.relative_to(ROOT)} links to what does not exist: {broken}"


def leads_somewhere(page: Path, target: str) -> bool:
    if re.match(r"[a-z]+:", target):
        return True
    path, _, anchor = target.partition("#")
    linked = (page.parent / path).resolve() if path else page
    if not linked.exists():
        return False
    return not anchor or linked.is_dir() or anchor in anchors(linked)


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page: its own, and those of its headings as the common hosts of repositories form them."""
    text = FENCE.sub("", read(page))
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in re.findall(r"^#+ +(.+)$", text, re.M))
    return {heading.replace(" ", "-") for heading in kept} | set(re.findall(r'<a id="(\w+)"></a>', text))


def test_every_workload_kernel_preset_algorithm_and_key_is_explained() -> None:
    """A new one has a row or a sentence in a page, so that its recipe cannot be followed without."""
    catalog = json.loads(_core.catalog())
    names = [workload["kind"] for workload in catalog["workloads"]]
    names += [entry["name"] for part in ("kernels", "presets") for entry in catalog[part]]
    names += [parameter["key"].rpartition(".")[2] for parameter in catalog["parameters"]]
    names += [name for algorithms in catalog["algorithms"].values() for name in algorithms]
    assert not [name for name in names if not is_explained(name)]


def test_every_word_of_a_key_is_explained() -> None:
    assert not [word for word in words_of(json.loads(_core.schema())) if not is_explained(word)]


def is_explained(name: str) -> bool:
    """Whether a page has a name as a word."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", all_pages()) is not None


@cache
def all_pages() -> str:
    return "\n".join(map(read, PAGES))


def words_of(schema: object) -> Iterator[str]:
    """The words that are values of keys."""
    if isinstance(schema, dict):
        yield from [word for word in [schema.get("const"), *schema.get("enum", [])] if isinstance(word, str)]
    if isinstance(schema, dict | list):
        for part in schema.values() if isinstance(schema, dict) else schema:
            yield from words_of(part)


def test_every_key_of_a_summary_is_explained() -> None:
    """A key is explained by its name, or after another as `_` and its end: `one_way_cycles_min`, `_mean`."""
    pages = "\n".join(map(read, PAGES))
    for key in (quantity["key"] for quantity in QUANTITIES):
        cuts = [cut for cut in range(1, len(key)) if key[cut] == "_"]
        ends = [rf"`{key[:cut]}_\w+`(, `_\w+`)*, `{key[cut:]}`" for cut in cuts]
        assert f"`{key}`" in pages or any(re.search(end, pages) for end in ends), key


@pytest.mark.parametrize(
    ("code", "is_true"),
    [
        ("torusim run SCENARIO", True),
        ("torusim walk SCENARIO", False),
        ("torusim run --fast-forward", False),
        ("make test", True),
        ("make coffee", False),
        ("--threads N", True),
        ("--thread-count N", False),
        ("windowed/src/visit.rs", True),
        ("windowed/src/slab.rs", False),
        ("windowed::supports", False),
        ("network::Engine", True),
        ("advance(until)", True),
        ("recede(until)", False),
        ("hop_latency_cycles", True),
        ("hop_latency_furlongs", False),
    ],
)
def test_rules_tell_true_from_false(code: str, is_true: bool) -> None:
    rule = rule_for(code)
    assert rule is not None
    assert rule(code) is is_true
