"""The completion of shells: names of studies, rooms and kinds of workload, keys of scenarios, and their legal values.

`torusim --install-completion` installs it. Bash breaks words at `=`, so that Typer would not see that a value
belongs to `--set`: `answer_bash` answers instead.
"""

import os
from collections.abc import Iterator, Mapping

from torusim import _core
from torusim.cli.vocabulary import catalog, legal_values, meanings

BASH = "complete_bash"

SETTINGS = ("--set", "--over")
"""The options whose values are KEY=VALUE."""


def answer_bash(environment: Mapping[str, str] = os.environ) -> list[str] | None:
    """Completions of the text after the `=` of a setting, if bash asks for them; only this text is replaced.

    To bash, `--set machine.wrap=tr` are the words `--set`, `machine.wrap`, `=` and `tr`.
    """
    if environment.get("_TORUSIM_COMPLETE") != BASH:
        return None
    words = environment.get("COMP_WORDS", "").split()[: int(environment.get("COMP_CWORD", "0")) + 1]
    if words[-1:] == ["="]:
        words.append("")
    *_, option, key, equals, value = ["", "", "", "", *words]
    if option not in SETTINGS or equals != "=":
        return None
    return _values(key, value)


def studies(incomplete: str) -> Iterator[tuple[str, str]]:
    """Studies, with their titles."""
    from torusim.study import installed
    from torusim.study.description import all_studies

    known = all_studies() if installed.folder() is not None else []
    return ((study.name, study.title) for study in known if study.name.startswith(incomplete))


def rooms(incomplete: str) -> list[str]:
    """Machine rooms."""
    return [room for room in _core.known_rooms() if room.startswith(incomplete)]


def kinds(incomplete: str) -> Iterator[tuple[str, str]]:
    """Kinds of workload, with their descriptions."""
    entries = ((entry["kind"], entry["description"]) for entry in catalog()["workloads"])
    return (entry for entry in entries if entry[0].startswith(incomplete))


def settings(incomplete: str) -> list[tuple[str, str]]:
    """Keys of a scenario, with their meanings; after KEY= its legal values."""
    key, equals, value = incomplete.partition("=")
    if not equals:
        return [(name, meaning.partition(";")[0]) for name, meaning in meanings().items() if name.startswith(key)]
    return [(f"{key}={word}", "") for word in _values(key, value)]


def _values(key: str, value: str) -> list[str]:
    """The legal values that begin with the given text; in a list, as for `--over`, with its last value."""
    listed, comma, last = value.rpartition(",")
    return [f"{listed}{comma}{word}" for word in legal_values().get(key, ()) if word.startswith(last)]
