"""Reads and checks the folder of a study."""

import difflib
import os
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from torusim._core import InputError
from torusim.pictures.figures import Figure
from torusim.runs.scenario import overrides_of_sections, resolve
from torusim.study import installed
from torusim.study.claim_file import SCALES, claims_of
from torusim.study.claims import Claim, Reading
from torusim.study.keys import NUMBER, Keys
from torusim.sweeps.points import FinishedPoint, Point, network_point
from torusim.sweeps.worker import module_of

T = TypeVar("T")

STUDY_FILE = "study.toml"
SCENARIO_FILE = "scenario.toml"
MODULE_FILE = "study.py"
NOTES_FILE = "notes.md"


@dataclass(frozen=True)
class Findings:
    """The results that a study derives from its points.

    Attributes:
        rows: The table: column headings, with units, and their values; each row has the same headings.
        numbers: The numbers to which the claims refer, by name.
        figure: The figure, as in the paper.
        lacks: Missing input files; claims whose numbers follow from them are not judged.
    """

    rows: Sequence[Mapping[str, Any]]
    numbers: Mapping[str, float]
    figure: Figure
    lacks: Sequence[str] = ()


@dataclass(frozen=True)
class Scale:
    """A scale at which a study runs.

    Attributes:
        name: "quick" or "paper".
        folder: Folder of the study.
        minutes: Approximate time on one core.
        values: Parameters of the study's module, such as the shape of the machine.
    """

    name: str
    folder: Path
    minutes: float
    values: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401
        """A value of this scale in study.toml."""
        return self.values[key]

    def point(self, labels: Mapping[str, Any], *, tables: Sequence[str] = (), **sections: Mapping[str, Any]) -> Point:
        """A point of the study: its scenario with some sections changed.

        Args:
            labels: The values that distinguish the point, such as {"variant": "deterministic", "load": 0.5}.
            tables: The tables of the run to keep, such as "series".
            **sections: Changes, such as machine={"shape": [8, 8, 8]}.

        Raises:
            InputError: If the study has no scenario, or the point's scenario is invalid.
        """
        if not (self.folder / SCENARIO_FILE).is_file():
            raise InputError(f"{self.folder}: has no {SCENARIO_FILE}, which runs of the network need")
        scenario = resolve(self.folder / SCENARIO_FILE, overrides_of_sections(sections))
        return network_point(labels, scenario, tables)

    def call(self, labels: Mapping[str, Any], function: str, arguments: Mapping[str, Any]) -> Point:
        """A point that calls a function of the study's module instead of running the network.

        Args:
            labels: The values that distinguish the point.
            function: The function's name. It receives the arguments and a callback for progress, and returns a dict
                of the same form as `torusim.sweeps.worker.run_network`.
            arguments: Plain data.
        """
        return Point(labels, arguments, f"{(self.folder / MODULE_FILE).resolve()}:{function}")


@dataclass(frozen=True)
class Study:
    """A published figure, or a group of claims: the runs, and the papers' statements about them.

    Attributes:
        name: The name of its folder, with hyphens.
        folder: The folder of the study.
        title: The subject.
        figure: The figure of the papers, "" if none.
        about: Description of the runs and of the papers' results.
        scales: The scales at which it runs.
        claims: The papers' claims.
    """

    name: str
    folder: Path
    title: str
    figure: str
    about: str
    scales: Mapping[str, Scale]
    claims: Sequence[Claim]

    @property
    def readings(self) -> list[tuple[Claim, Reading]]:
        """All readings of its claims."""
        return [(claim, reading) for claim in self.claims for reading in claim.readings]

    @property
    def rows(self) -> list[str]:
        """The rows of docs/claims.md that it tests, each once."""
        return list(dict.fromkeys(claim.row for claim in self.claims))

    @property
    def notes(self) -> str:
        """The text of notes.md; "" if there is none."""
        path = self.folder / NOTES_FILE
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def points(self, scale: str) -> list[Point]:
        """The points to run at a scale. Points of unknown time share the rest of the study's time equally.

        Raises:
            InputError: If the study's module or one of its scenarios is invalid.
        """
        points: list[Point] = list(self._call("points", self.scales[scale]))
        unknown = sum(point.seconds is None for point in points)
        left = 60 * self.scales[scale].minutes - sum(point.seconds or 0.0 for point in points)
        share = max(left, 0.0) / max(unknown, 1)
        return [replace(point, seconds=share) if point.seconds is None else point for point in points]

    def findings(self, points: Sequence[FinishedPoint]) -> Findings:
        """Table, numbers and figure.

        Raises:
            InputError: If the study's module is invalid.
        """
        findings: Findings = self._call("findings", points)
        return findings

    def keep(self, scale: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Calls the module's `keep(scale, rows)`, if any: it writes the part of the recorded table that torusim reads.

        Raises:
            InputError: If the module is invalid.
        """
        path = self.folder / MODULE_FILE

        def call() -> None:
            module = module_of(path)
            if hasattr(module, "keep"):
                module.keep(scale, rows)

        _with_location(path, "keep", call)

    def _call(self, function: str, argument: object) -> Any:  # noqa: ANN401
        path = self.folder / MODULE_FILE

        def call() -> Any:  # noqa: ANN401
            result = getattr(module_of(path), function)(argument)
            return list(result) if isinstance(result, Iterable) else result

        return _with_location(path, function, call)


def all_studies() -> list[Study]:
    """The installed studies: figures by number, then the others by name.

    Raises:
        InputError: If they are not installed, or one is invalid.
    """
    found = (path.parent for path in installed.required_folder().glob(f"*/{STUDY_FILE}"))
    return [read(folder) for folder in sorted(found, key=_order)]


def find(name: str) -> Study:
    """The installed study with this name, or the one in this folder.

    Raises:
        InputError: If no such study exists, its folder is invalid, or the name is no folder and no studies are
            installed.
    """
    among = installed.folder()
    if among is not None and name and "/" not in name and "." not in name:
        own = among / name.replace("-", "_")
        if os.path.isfile(own / STUDY_FILE):
            return read(own)
    if os.path.isfile(Path(name) / STUDY_FILE):
        return read(Path(name))
    studies = all_studies()
    if close := _close(name, studies):
        hint = f"did you mean {' or '.join(close)}?"
    else:
        hint = f"known are {', '.join(study.name for study in studies)}"
    raise InputError(f"{name}: there is no such study, nor a folder with a {STUDY_FILE}; {hint}")


def _close(name: str, studies: Sequence[Study]) -> list[str]:
    """The studies that test a row of this label, or whose names are similar: equal in letters and digits, or nearly."""
    plain = _letters(name)
    of_row = [study.name for study in studies if plain in map(_letters, study.rows)]
    alike = {_letters(study.name): study.name for study in studies}
    if of_row or plain in alike:
        return of_row or [alike[plain]]
    near = difflib.get_close_matches(plain, alike, n=3, cutoff=0.7)
    return [alike[each] for each in near]


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def read(folder: Path) -> Study:
    """Reads the study of a folder.

    Raises:
        InputError: If a file is missing or invalid; the message names the file and the expected content.
    """
    for name in (STUDY_FILE, MODULE_FILE):
        if not (folder / name).is_file():
            raise InputError(
                f"{folder}: has no {name}; a study has {STUDY_FILE}, {MODULE_FILE} and mostly {SCENARIO_FILE}"
            )
    path = folder / STUDY_FILE
    keys = Keys.of_file(path)
    name = folder.resolve().name.replace("_", "-")
    study = Study(
        name=name,
        folder=folder,
        title=keys.take("title", str),
        figure=keys.take("figure", str, ""),
        about=keys.text("about"),
        scales=_scales(keys.take("scales", dict), folder),
        claims=claims_of(folder, name),
    )
    keys.refuse_others()
    return study


def _scales(content: dict[str, Any], folder: Path) -> dict[str, Scale]:
    place = f"{folder / STUDY_FILE}: scales"
    keys = Keys(content, place)
    scales = {}
    for name in SCALES:
        own = Keys(keys.take(name, dict), f"{place}.{name}")
        scales[name] = Scale(name, folder, float(own.take("minutes", NUMBER)), own.rest)
    keys.refuse_others()
    return scales


def _order(folder: Path) -> list[tuple[bool, int, str]]:
    """Sort key: figures by number, before all other studies."""
    return [
        (not part.isdecimal() and part != "figure", int(part) if part.isdecimal() else 0, part)
        for part in folder.name.split("_")
    ]


def _with_location(path: Path, function: str, call: Callable[[], T]) -> T:
    """The result of a call into a study's module; an exception becomes an InputError with file and line."""
    try:
        return call()
    except (InputError, KeyboardInterrupt):
        raise
    except SyntaxError as error:
        raise InputError(f"{error.filename}:{error.lineno}: {error.msg}") from None
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = f":{lines[-1]}" if lines else ""
        raise InputError(f"{path}{line}: {function}: {type(error).__name__}: {error}") from None
