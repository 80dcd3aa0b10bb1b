"""The completion of shells, and the legal values in `torusim list`."""

import json
import os
import subprocess

import pytest

from tests.support import COMMAND, LIMIT_SECONDS, Command, refusal
from torusim import _core
from torusim.cli.completion import answer_bash
from torusim.cli.vocabulary import catalog, legal_values, meanings


def completions(shell: str, *words: str) -> list[str]:
    """The words that a shell offers for the last word."""
    of_shell = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    if shell == "zsh":
        of_shell = {"_TYPER_COMPLETE_ARGS": " ".join(words)}
    finished = subprocess.run(
        [COMMAND],
        env=os.environ | of_shell | {"_TORUSIM_COMPLETE": f"complete_{shell}"},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    assert finished.stderr == ""
    return finished.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("torusim", "study", "figure-1"), ["figure-10", "figure-11"]),
        (("torusim", "room", "mi"), ["mira"]),
        (("torusim", "schedule", "lublin", "--room", "int"), ["intrepid"]),
        (("torusim", "init", "--kind", "torn"), ["tornado"]),
        (("torusim", "list", "pre"), ["presets"]),
        (("torusim", "run", "a.toml", "--set", "machine.router.escape_o"), ["machine.router.escape_order"]),
        (("torusim", "check", "a.toml", "--set", "workload.packet_b"), ["workload.packet_bytes"]),
        (("torusim", "run", "a.toml", "--set", "machine.router.escape", "=", "d"), ["dateline"]),
        (
            ("torusim", "run", "a.toml", "--set", "machine.preset", "="),
            [
                *("bluegene-l", "bluegene-l-early", "bluegene-p", "generic"),
                *("tofu-d", "tpu-7x", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "trainium2"),
            ],
        ),
        (("torusim", "sweep", "a.toml", "--over", "machine.wrap", "=", "true,f"), ["true,false"]),
        (("torusim", "run", "a.toml", "--set", "machine.shape", "=", "4"), []),
    ],
)
def test_bash(words: tuple[str, ...], expected: list[str]) -> None:
    assert completions("bash", *words) == expected


def test_zsh_offers_whole_words_with_their_meanings() -> None:
    assert "machine.router.escape=dateline" in " ".join(
        completions("zsh", "torusim", "run", "a.toml", "--set", "machine.router.escape=d")
    )
    (told,) = [" ".join(completions("zsh", "torusim", "study", "figure-10"))]
    assert "Ping-pong" in told


@pytest.mark.parametrize("words", [[], [""], ["torusim"], ["torusim", "="], ["--set", "="], ["a", "=", "=", "="]])
def test_words_of_bash_that_are_no_setting(words: list[str]) -> None:
    environment = {"_TORUSIM_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words))}
    assert answer_bash(environment) is None


def refusal_of(key: str, value: str) -> str:
    """The message with which a value is refused; empty if it is accepted."""
    text = value if value in ("true", "false") else json.dumps(value)
    machine: dict[str, object] = {"shape": [4, 4, 8], "twist": "auto"} if key.startswith("machine.twist") else {}
    if key == "machine.assumed_router":
        machine = {"preset": "tpu-v4"}  # the default preset has a router
    scenario = json.dumps({"machine": machine, "workload": {"kind": "ping-pong"}})
    return refusal(lambda: _core.resolve_plain(scenario, [(key, text, "here")]))


@pytest.mark.parametrize(
    "key", [key for key in legal_values() if not key.startswith("workload.") and key != "machine.mode"]
)
def test_legal_values_are_words_that_a_scenario_may_have(key: str) -> None:
    """Values of workloads and modes are left out: the legal ones depend on the kind of workload, and on the machine."""
    message = refusal_of(key, "no such word")
    for value in legal_values()[key]:
        assert refusal_of(key, value) == ""
        assert value in message, "the message names what is legal"


def test_list_names_legal_values(command: Command) -> None:
    printed = command("list", "parameters").stdout
    assert "machine.router.escape  (one of bubble, dateline; default " in printed
    assert "a number or infinite" in printed
    listed = json.loads(command("list", "workloads", "--json").stdout)["workloads"]
    (order,) = (
        parameter
        for entry in listed
        if entry["kind"] == "all-to-all"
        for parameter in entry["parameters"]
        if parameter["name"] == "order"
    )
    assert order["values"] == ["random", "rotating", "common", "identity"]
    assert not order["takes_numbers"]


def test_vocabulary_is_complete() -> None:
    assert set(legal_values()) <= set(meanings()) | {"workload.name"}
    assert legal_values()["workload.kind"] == tuple(entry["kind"] for entry in catalog()["workloads"])


def test_every_kernel_is_a_legal_name() -> None:
    [kernel] = [entry for entry in catalog()["workloads"] if entry["kind"] == "kernel"]
    assert kernel["parameters"][0]["values"] == [entry["name"] for entry in catalog()["kernels"]]
