"""The input boundary: turns any form of scenario that a user passes into a checked `Scenario`, or an `InputError`.

    path, TOML text, result.json, dict  +  overrides  -->  _core.Scenario

This module checks only what Rust cannot: that a path is a readable text file, and that Python values are plain data.
"""

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from torusim import _core
from torusim._core import InputError, Scenario
from torusim.common.files import as_path, open_to_read
from torusim.common.formatting import LENGTHS_NEEDED, in_one_line, lengths, shown
from torusim.runs import recording

SCENARIO_SIZE_LIMIT_BYTES = 64 << 20
"""Far above the size of any scenario or result.json; only devices and wrong files exceed it."""

DEPTH_LIMIT = 100
"""Far above the nesting of any scenario; only a dict that contains itself exceeds it."""

Override: TypeAlias = tuple[str, str, str]
"""A changed value: (path such as "machine.shape", value as JSON, origin for messages)."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """The scenario of a program, with the calls that the program made in a run.

    Attributes:
        content: The scenario as a dict, without the sections that overrides add.
        calls: The calls of its ranks.
    """

    content: Mapping[str, Any]
    calls: _core.ProgramCalls


ScenarioSource: TypeAlias = str | os.PathLike[str] | Mapping[str, Any] | Recorded
"""A path, the text of a scenario (a string of several lines), its content as a dict, or a program that has run."""


def resolve(source: ScenarioSource, overrides: list[Override], processes: tuple[int, int] = (1, 1)) -> Scenario:
    """The scenario of a path, a TOML text or a dict, with `overrides` applied.

    `processes` are the numbers of those that run it, and of those on this computer, whose parts have to fit here.

    Raises:
        InputError: If the source cannot be read, or does not describe a run.
    """
    if isinstance(source, Recorded):
        return _core.resolve_program(to_json(source.content, "program"), overrides, source.calls)
    if isinstance(source, Mapping):
        return _core.resolve_plain(to_json(source, "scenario"), overrides, processes)
    if isinstance(source, str) and "\n" in source:
        return _core.resolve(printable(source), "the scenario text", Path.cwd(), overrides, processes)
    if not isinstance(source, str | os.PathLike):
        raise InputError(f"scenario: is a path, a TOML text or a dict, not {shown(source)}")
    path = as_path(source, "scenario")
    if (content := recording.scenario_of(path)) is not None:
        return _core.resolve_plain(to_json(content, "recording"), overrides, processes)
    return _core.resolve(read_text(path), printable(str(path)), path.parent, overrides, processes)


def read_text(path: Path, kind: str = "a scenario") -> str:
    """The text of a file that should be a scenario or a result.json; `kind` names it in messages.

    Raises:
        InputError: If there is no such file, or it is not text.
    """
    content = _read_bytes(path, kind)
    if b"\0" in content:
        raise InputError(f"{path}:{_line(content, content.index(0))}: contains a NUL byte; {kind} is a text file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wrong = f"byte 0x{content[error.start]:02x} is not UTF-8"
        raise InputError(f"{path}:{_line(content, error.start)}: {wrong}; {kind} is a text file") from None


def override_of_option(text: str) -> Override:
    """The override of a command-line option such as `--set machine.shape=[8,8,4]`."""
    return _core.parse_override(printable(text))


def lengths_of_option(text: str) -> list[int]:
    """The lengths of the option `--shape`, such as 8x8x16, whose range is left to the machine's check.

    Raises:
        InputError: If the text is no shape.
    """
    try:
        return lengths(text)
    except ValueError:
        raise InputError(f"--shape {in_one_line(printable(text))}: {LENGTHS_NEEDED}") from None


def overrides_of_sections(sections: Mapping[str, object]) -> list[Override]:
    """The overrides of keyword arguments such as `machine={"shape": [8, 8, 4]}`: one for each value that is no dict."""
    overrides: list[Override] = []
    for section, values in sections.items():
        if not isinstance(values, Mapping):
            raise InputError(
                f"{section}: is no option of this function, and a section of the scenario is given as a dict, "
                f"such as {section}={{...}}, not {shown(values)}"
            )
        origin = f"run({section}=…)"
        overrides += ((path, to_json(value, path), origin) for path, value in _leaves(values, printable(section)))
    return overrides


def seed_override(seed: int, origin: str) -> Override:
    """The override that sets the seed."""
    return ("run.seed", to_json(seed, origin.split()[0]), origin)


PACKET_ENGINE = "windowed"
"""The engine of packets, unless another is named."""

ENGINES: dict[str, str] = dict(sorted(json.loads(_core.engines()), key=lambda pair: pair[0] != PACKET_ENGINE))
"""All engines, the usual one first, with their names in scenarios (`run.engine`)."""


def engine_overrides(engine: str, origin: str) -> list[Override]:
    """The override that sets the engine, if it is no packet engine."""
    return [] if _is_of_packets(engine) else [("run.engine", json.dumps(ENGINES[engine]), origin)]


def require_end(scenario: Scenario) -> None:
    """Checks that the time of a run follows from its workload, so that times can be compared.

    Raises:
        InputError: If the scenario states how long it measures.
    """
    if json.loads(scenario.to_json())["run"]["stop"] == "measured":
        raise InputError(
            'run.stop: "measured" states the time of the run; times are compared of workloads that end by themselves, '
            "and torusim curve compares others"
        )


def packet_engine(engine: str) -> str:
    """The packet engine that an option names, or else the usual one; the fluid engine is named by the scenario."""
    return engine if _is_of_packets(engine) else PACKET_ENGINE


def _is_of_packets(engine: str) -> bool:
    """Whether a name is that of a packet engine, or of no engine: that is refused when the run is set up."""
    of_packets = ENGINES[PACKET_ENGINE]
    return ENGINES.get(engine, of_packets) == of_packets


def to_json(value: object, place: str) -> str:
    """A Python value as JSON; tuples, paths and NumPy values are converted to plain data.

    Raises:
        InputError: If the value contains anything but plain data; the message names `place`.
    """
    try:
        return json.dumps(_plain(value, place))
    except RecursionError:
        raise InputError(f"{place}: is nested too deeply, or contains itself") from None


def printable(text: str) -> str:
    """The text with undecodable bytes (of a path or an argument) and half surrogates (of a string) replaced."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()


def _read_bytes(path: Path, kind: str) -> bytes:
    try:
        with open_to_read(path) as file:
            content = file.read(SCENARIO_SIZE_LIMIT_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        result = path / "result.json"
        hint = f"to repeat its run, name {result}" if result.is_file() else f"{kind} is a TOML file"
        raise InputError(f"{path}: is a folder; {hint}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > SCENARIO_SIZE_LIMIT_BYTES:
        raise InputError(f"{path}: is larger than {SCENARIO_SIZE_LIMIT_BYTES >> 20} MiB; {kind} is a small TOML file")
    return content


def _line(content: bytes, offset: int) -> int:
    return content.count(b"\n", 0, offset) + 1


def _leaves(values: Mapping[str, object], place: str, depth: int = 0) -> Iterator[tuple[str, object]]:
    if depth > DEPTH_LIMIT:
        raise InputError(f"{place[:80]}: is nested too deeply, or contains itself")
    for key, value in values.items():
        path = f"{place}.{_key(key, place)}"
        if isinstance(value, Mapping):
            yield from _leaves(value, path, depth + 1)
        else:
            yield path, value


def _plain(value: object, place: str) -> object:
    match value:
        case float() if not math.isfinite(value):
            raise InputError(f"{place}: {value} is not a finite number")
        case int() if not -(2**63) <= value < 2**64:
            raise InputError(f"{place}: {shown(value)} is beyond 64 bits")
        case str() if not _is_text(value):
            raise InputError(f"{place}: {shown(value)} is not text")
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {_key(key, place): _plain(item, f"{place}.{key}") for key, item in value.items()}
        case list() | tuple():
            return [_plain(item, f"{place}[{index}]") for index, item in enumerate(value)]
        case os.PathLike():
            return _plain(os.fspath(value), place)
    if isinstance(value, type):
        raise InputError(f"{place}: {shown(value)} is not plain data")
    if callable(as_list := getattr(value, "tolist", None)):
        return _plain(as_list(), place)
    if hasattr(value, "__arrow_c_stream__") and hasattr(value, "columns"):  # a data frame or a table
        import pyarrow as pa

        table = pa.table(value)
        if twice := [name for name in table.column_names if table.column_names.count(name) > 1]:
            raise InputError(f"{place}: there are two columns {in_one_line(twice[0])}")
        return _plain(table.to_pydict(), place)
    raise InputError(f"{place}: {shown(value)} is not plain data (numbers, strings, booleans, lists and dicts of them)")


def _is_text(value: str) -> bool:
    """Whether the string can be encoded; an unpaired surrogate cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _key(key: object, place: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"{place}: the key {shown(key)} has to be a string")
    return printable(key)
