"""The studies by subject, as subjects.toml orders them for the pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torusim._core import InputError
from torusim.study import installed
from torusim.study.description import Study, all_studies
from torusim.study.keys import Keys

SUBJECTS_FILE = "subjects.toml"
"""A file in the folder of the installed studies."""


@dataclass(frozen=True)
class Subject:
    """Studies about one machine or question.

    Attributes:
        title: The heading.
        about: The papers, in short.
        studies: The studies, in the order of the pages.
    """

    title: str
    about: str
    studies: Sequence[Study]


def all_subjects() -> list[Subject]:
    """The subjects with all installed studies.

    Raises:
        InputError: If the file is invalid, or a study is in none of them, in two, or not installed.
    """
    path = installed.required_folder() / SUBJECTS_FILE
    keys = Keys.of_file(path)
    left = {study.name: study for study in all_studies()}
    subjects = []
    for index, content in enumerate(keys.take("subjects", list)):
        own = Keys(content, f"{path}: subjects[{index}]")
        title, about = own.text("title"), own.text("about")
        subjects.append(Subject(title, about, list(_taken(own.take("studies", list), left, own.place))))
        own.refuse_others()
    keys.refuse_others()
    if left:
        raise InputError(f"{path}: has no subject with the study {next(iter(left))}")
    return subjects


def _taken(names: Sequence[str], left: dict[str, Study], place: str) -> Iterator[Study]:
    """The named studies, which are no longer among those left."""
    for name in names:
        if name not in left:
            raise InputError(f"{place}: studies: {name} is no study, or is in two places")
        yield left.pop(name)
