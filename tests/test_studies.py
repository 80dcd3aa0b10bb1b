"""Studies: the framework with a tiny study, the validity of all included studies, and `torusim verify`."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import markdown_it
import pytest

import torusim
from tests.support import COMMAND, ROOT, STUDIES, Command, assert_says, kept_points, refused, start, stop, wait_until
from torusim.study import (
    claims,
    description,
    execution,
    figures_in_texts,
    installed,
    page_text,
    pages,
    record,
    subjects,
)
from torusim.study.claim_file import SCALES, read_claims
from torusim.study.claims import Agreement, Band, Claim, Kind, Reading, Verdict, agreement
from torusim.study.description import Study, all_studies, find, read
from torusim.study.execution import Outcome
from torusim.sweeps.executors import Processes
from torusim.sweeps.points import FinishedPoint, Point
from torusim.sweeps.sources import code_of
from torusim_studies import measures

STUDY = """\
title = "Half and all of the load"
about = "Two points on a small torus."

[scales.quick]
minutes = 0.01
loads = [0.25, 0.5]

[scales.paper]
minutes = 0.01
loads = [0.25, 0.5, 0.75]
"""

CLAIMS = """\
[[claims]]
row = "T1"
study = "tiny-study"
kind = "published"
says = "twice the load keeps links twice as busy"
words = "Links are twice as busy at twice the load."

[[claims.readings]]
number = "ratio"
paper = 2
within_percent = 10
band_from = "chosen"

[[claims]]
row = "T2"
study = "tiny-study"
kind = "check"
says = "links are never idle"

[[claims.readings]]
number = "half"
test = "link utilization at half of the load"
at_least = 0.9
band_from = "chosen"
cause = "Half of the load was offered."

[[claims]]
row = "T3"
study = "tiny-study"
kind = "check"
says = "three quarters can be offered"

[[claims.readings]]
number = "three_quarters"
test = "link utilization at three quarters of the load"
at_least = 0.7
band_from = "chosen"
scales = ["paper"]
"""

SCENARIO = """\
machine.shape = [4, 4]
workload.kind = "uniform-random"
run = { warmup_cycles = 5_000, measure_cycles = 40_000, series_interval_cycles = 1_000 }
"""

MODULE = '''\
"""A tiny study."""

from torusim.pictures.figures import Axis, Curve, Curves
from torusim.study import Findings
from torusim_studies.measures import throughput


def points(scale):
    for load in scale["loads"]:
        yield scale.point({"load": load}, tables=["series"], workload={"load": load})
    yield scale.call({"load": 0.0}, "nothing", {"busy": 0.0})


def nothing(arguments, report):
    return {"summary": {"link_utilization_mean": arguments["busy"]}, "tables": {}}


def findings(points):
    busy = {point.labels["load"]: point.summary["link_utilization_mean"] for point in points}
    numbers = {"ratio": busy[0.5] / busy[0.25], "half": busy[0.5]}
    if 0.75 in busy:
        numbers["three_quarters"] = busy[0.75]
    assert throughput(points[0]).highest > 0
    loads = sorted(busy)
    curve = Curve("links", loads, [busy[load] for load in loads])
    return Findings(
        rows=[{"load": load, "busy": busy[load]} for load in loads],
        numbers=numbers,
        figure=[Curves(Axis("load"), Axis("busy"), [curve])],
    )
'''


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The folder of a study that takes almost no time."""
    folder = tmp_path / "tiny_study"
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY)
    (folder / "claims.toml").write_text(CLAIMS)
    (folder / "scenario.toml").write_text(SCENARIO)
    (folder / "study.py").write_text(MODULE)
    return folder


def test_points_of_unknown_time_share_that_of_the_study() -> None:
    study = description.find("mesh-applications")
    seconds = [point.seconds for point in study.points("quick")]
    assert len(set(seconds)) == 1
    assert sum(each or 0 for each in seconds) == pytest.approx(60 * study.scales["quick"].minutes)


def test_study_writes_table_figure_data_and_verdicts(command: Command, tiny: Path, tmp_path: Path) -> None:
    finished = command("study", tiny, "--jobs", "1", "--out", "out")
    assert finished.returncode == 0, finished.stderr
    out = tmp_path / "out"
    names = {path.name for path in out.iterdir()}
    assert names == {"points", "points.parquet", "series.parquet", "findings.json", "figure.png", "figure.svg"}
    assert "Half and all of the load" in finished.stdout
    findings = json.loads((out / "findings.json").read_text())
    assert [verdict["row"] for verdict in findings["verdicts"]] == ["T1", "T2"]
    assert [verdict["agrees"] for verdict in findings["verdicts"]] == [True, False]
    assert findings["verdicts"][0]["ours"] == pytest.approx(2, rel=0.1)
    assert "does not agree because" not in finished.stdout
    assert "1 of 2 readings of claims agree." in finished.stdout
    explained = command("study", tiny, "--threads", "1", "--out", "out", "--explain")
    assert "T2 does not agree because: Half of the load was offered." in explained.stdout
    assert "Half and all of the load" in (out / "figure.svg").read_text()


@pytest.mark.parametrize(
    ("name", "meant"), [("S19", "figure-2"), ("figure2", "figure-2"), ("fig-3", "figure-3"), ("Stalls", "stalls")]
)
def test_a_study_may_be_meant(name: str, meant: str) -> None:
    with pytest.raises(torusim.InputError, match=f"did you mean .*{meant}"):
        description.find(name)


def test_what_has_changed_since_the_record_is_told(tiny: Path, tmp_path: Path) -> None:
    outcome = run(description.read(tiny), tmp_path / "out")
    [first, second] = outcome.verdicts

    def change(verdict: claims.Verdict, **recorded: Any) -> str:  # noqa: ANN401
        content = {"claims": {verdict.reading.number: {"ours": verdict.ours, "agrees": verdict.agrees} | recorded}}
        return record.change_of(outcome, verdict, {outcome.scale: {outcome.study.name: content}})

    assert change(first) == ""
    assert change(first, agrees=False) == "did not agree before"
    assert change(second, agrees=True) == "agreed before"
    assert change(first, ours=1.5) == "was 1.5"
    assert record.change_of(outcome, first, {}) == ""


def test_repeat_of_a_study_runs_nothing(command: Command, tiny: Path, tmp_path: Path) -> None:
    command("study", tiny, "--out", "out")
    points = kept_points(tmp_path / "out")
    first = (tmp_path / "out" / "figure.svg").read_bytes()
    assert command("study", tiny, "--out", "out").returncode == 0
    assert kept_points(tmp_path / "out") == points
    assert (tmp_path / "out" / "figure.svg").read_bytes() == first
    assert command("study", tiny, "--out", "out", "--scale", "paper").returncode == 0
    assert len(kept_points(tmp_path / "out")) == len(points) + 1


def test_points_are_keyed_by_all_code_that_they_run(tiny: Path) -> None:
    """A point of a function depends on the modules that its file imports, and on those that they import."""
    (tiny / "deeper.py").write_text("BUSY = 0.0\n")
    (tiny / "helper.py").write_text("from deeper import BUSY\n")
    changed(tiny, "study.py", "from torusim.pictures.figures", "import helper\nfrom torusim.pictures.figures")
    code = code_of(tiny / "study.py")
    assert {tiny / "study.py", tiny / "helper.py", tiny / "deeper.py"} <= set(code)
    assert {ROOT / "python" / "torusim" / "pictures" / "figures.py", STUDIES / "measures.py"} <= set(code)
    assert all(path.suffix == ".py" for path in code)


def test_interrupted_study_resumes(command: Command, tiny: Path, tmp_path: Path) -> None:
    changed(tiny, "scenario.toml", "40_000", "4_000_000")
    arguments: list[str | Path] = ["study", tiny, "--out", "out", "--jobs", "1"]
    process = start([COMMAND, *arguments], tmp_path)
    wait_until(lambda: kept_points(tmp_path / "out"))
    _, errors = stop(process)
    before = kept_points(tmp_path / "out")
    assert process.returncode == 130
    assert f"{len(before)} of 3 points are finished and kept in out/points" in errors
    assert command(*arguments).returncode == 0
    assert before.items() <= kept_points(tmp_path / "out").items()


def run(study: Study, out: Path) -> Outcome:
    return execution.run(study, "quick", study.points("quick"), out, Processes(1), lambda _: None)


def changed(tiny: Path, file: str, old: str, new: str) -> None:
    path = tiny / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


BAD_STUDIES = {
    "no TOML": ("study.toml", 'title = "', "title = ", ["study.toml", "not TOML", "line 1"]),
    "no title": ("study.toml", "title =", "titel =", ["study.toml", "title is missing"]),
    "title of another kind": ("study.toml", '"Half and all of the load"', "3", ["title = 3", "a string"]),
    "unknown key": ("study.toml", "[scales.quick]", "[extra]\n[scales.quick]", ["extra", "no such key", "scales"]),
    "scale missing": ("study.toml", "[scales.paper]", "[scales.full]", ["scales", "paper is missing"]),
    "scale without minutes": ("study.toml", "minutes = 0.01", "", ["scales.quick", "minutes is missing"]),
    "claims that are no TOML": ("claims.toml", 'row = "T1"', "row = ", ["claims.toml", "not TOML", "line 2"]),
    "claims of other studies": ("claims.toml", '"tiny-study"', '"other"', ["claims.toml", "no claim", "tiny-study"]),
    "claim without a band": ("claims.toml", "at_least = 0.9", "", ["claims[1].readings[0]", "at_least"]),
    "claim without a test": ("claims.toml", 'test = "link utilization at half of the load"', "", ["claims[1]", "test"]),
    "claim without words": ("claims.toml", "words =", "source =", ["claims[0]", "words are missing"]),
    "claim of an unknown kind": (
        "claims.toml",
        '"published"',
        '"proven"',
        ["claims[0]", "'proven'", "published, stated"],
    ),
    "claim without readings": (
        "claims.toml",
        "[[claims.readings]]",
        "[[claims.texts]]",
        ["claims[0]", "readings is missing"],
    ),
    "band from nowhere": ("claims.toml", 'band_from = "chosen"', "", ["claims[0].readings[0]", "band_from is missing"]),
    "claim at an unknown scale": ("claims.toml", '["paper"]', '["huge"]', ["claims[2]", "huge"]),
    "number that is none": ("claims.toml", 'number = "half"', 'number = "third"', ["T2", "'third'", "ratio, half"]),
    "placeholder of no number": (
        "claims.toml",
        'cause = "Half',
        'cause = "{quarter} of half',
        ["{quarter}", "T2", "no number"],
    ),
    "memory that is a word": ("claims.toml", 'row = "T1"', 'row = "T1"\nfrom_memory = "yes"', ["true or false"]),
    "number twice": ("claims.toml", 'number = "half"', 'number = "ratio"', ["claims.toml", "'ratio'", "twice"]),
    "scenario with an error": ("scenario.toml", "shape = [4, 4]", "shape = [4, 0]", ["scenario.toml:1", "[4, 0]"]),
    "module that is none": ("study.py", "def points(scale):", "def points(scale)", ["study.py:8", "expected ':'"]),
    "module without points": ("study.py", "def points", "def dots", ["study.py", "points", "AttributeError"]),
    "setting that is not there": ("study.py", '"loads"', '"load"', ["study.py:9", "points", "'load'"]),
    "error in findings": ("study.py", "busy[0.5] / busy[0.25]", "busy[9]", ["study.py:20", "findings", "KeyError: 9"]),
}


@pytest.mark.parametrize(("file", "old", "new", "words"), BAD_STUDIES.values(), ids=BAD_STUDIES.keys())
def test_bad_study(tiny: Path, tmp_path: Path, file: str, old: str, new: str, words: list[str]) -> None:
    changed(tiny, file, old, new)
    with refused(*words):
        run(read(tiny), tmp_path / "out")


def test_bad_study_ends_the_command_with_one_message(command: Command, tiny: Path) -> None:
    changed(tiny, "study.toml", "title =", "titel =")
    finished = command("study", tiny, "--out", "out")
    assert finished.returncode == 2
    assert finished.stderr == f"torusim: {tiny}/study.toml: title is missing\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["study"], ["--list"]),
        (["study", "figure-99"], ["figure-99: there is no such study", "did you mean figure-"]),
        (["study", "."], [".: there is no such study"]),
        (["study", "figure-3", "--scale", "huge"], ["--scale", "quick", "paper"]),
        (["study", "figure-3", "--jobs", "0"], ["--jobs"]),
        (["study", "figure-10", "--out", "."], [".: exists already", "study"]),
        (["verify", "--scale", "huge"], ["--scale"]),
    ],
    ids=" ".join,
)
def test_bad_arguments(command: Command, tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    (tmp_path / "something").touch()
    assert_says(command(*arguments), *words)


@pytest.mark.parametrize("file", ["study.toml", "scenario.toml", "study.py"])
def test_study_without_a_file_is_rejected(tiny: Path, file: str) -> None:
    (tiny / file).unlink()
    with pytest.raises(torusim.InputError, match=f"has no {file}"):
        read(tiny).points("quick")


def test_study_without_runs_of_the_network_needs_no_scenario(tiny: Path) -> None:
    (tiny / "scenario.toml").unlink()
    changed(tiny, "study.py", 'in scale["loads"]', "in []")
    assert [point.labels for point in read(tiny).points("paper")] == [{"load": 0.0}]


@pytest.mark.parametrize(
    ("claim", "ours", "agrees", "paper", "difference"),
    [
        ({"paper": 96.0, "within": 3.0, "unit": "%"}, 98.4, True, "96 % ± 3", "+2.4"),
        ({"paper": 96.0, "within": 3.0, "unit": "%"}, 99.5, False, "96 % ± 3", "+3.5"),
        ({"paper": 20.0}, 19.0, True, "20 ± 1", "-1"),
        ({"paper": 20.0, "within_percent": 10.0}, 17.9, False, "20 ± 2", "-2.1"),
        ({"at_least": 98.0, "unit": "%"}, 98.5, True, "at least 98 %", ""),
        ({"at_least": 98.0}, 97.0, False, "at least 98", "-1"),
        ({"at_most": 5.0}, 7.0, False, "at most 5", "+2"),
        ({"at_least": 0.0, "at_most": 6.0}, 3.0, True, "0 to 6", ""),
    ],
)
def test_verdict(claim: dict[str, Any], ours: float, agrees: bool, paper: str, difference: str) -> None:
    unit = claim.pop("unit", "")
    reading = Reading("number", Band(**claim), unit=unit)
    verdict = Verdict(Claim("S0", "study", Kind.PUBLISHED, "something", (reading,)), reading, ours)
    assert verdict.agrees == agrees
    assert reading.band.text(unit) == paper
    assert verdict.difference_text == difference


def flow(values: list[float]) -> measures.Throughput:
    """Throughput of one node: bytes per cycle in each interval of 100 cycles."""
    ends = [100 * (index + 1) for index in range(len(values))]
    series: dict[str, list[Any]] = {
        "start_cycle": [end - 100 for end in ends],
        "end_cycle": ends,
        "packets_delivered": [value * 100 / 256 for value in values],
    }
    return measures.throughput(FinishedPoint({}, {"nodes": 1}, {"series": series}))


def test_measures_of_throughput() -> None:
    falling = flow([0.5, 1.0, 0.9, 0.7, 0.6, 0.6, 0.6, 0.6])
    assert falling.highest == pytest.approx(1)
    assert falling.steady == pytest.approx(0.6)
    assert falling.decline_start == pytest.approx(230)
    assert falling.first_below(0.8) == pytest.approx(350)
    assert falling.first_below(0.5) == 800
    assert flow([0.5, 1.0, 0.4, 0.8, 0.4, 0.8]).oscillation == pytest.approx(0.4 / 0.6)
    assert flow([0.5, 1.0, 0.6, 0.6, 0.6]).oscillation == 0


def test_record_detects_claims_that_no_longer_agree(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "folder", lambda: tmp_path)
    study = description.all_studies()[0]
    assert study.name == "tiny-study"
    outcome = run(study, tmp_path / "out")
    kept, bands = tmp_path / "verdicts.json", tmp_path / "bands.json"
    assert record.no_longer_agreeing([outcome], record.read_record(kept)) == []
    record.write_record([outcome], kept, bands)
    assert record.read_record(kept)["quick"]["tiny-study"]["claims"]["ratio"]["agrees"]
    changed(tiny, "claims.toml", "paper = 2", "paper = 3")
    study = description.all_studies()[0]
    outcome = run(study, tmp_path / "out")
    assert record.no_longer_agreeing([outcome], record.read_record(kept)) == [("tiny-study", "ratio")]
    kept.write_text('{"quick": {"tiny-study": []}}')
    with pytest.raises(torusim.InputError, match="not a record"):
        record.read_record(kept)


HISTORY = """\
[[claims.readings.history]]
paper = 2
within_percent = 10
changed = "today"
verdict = "agreed"
why = "a better idea"
"""


def test_band_that_moves_leaves_its_history(tiny: Path, tmp_path: Path) -> None:
    kept, bands = tmp_path / "verdicts.json", tmp_path / "bands.json"
    record.write_record([run(read(tiny), tmp_path / "out")], kept, bands)
    assert record.undocumented([read(tiny)], record.read_bands(bands)) == []
    changed(tiny, "claims.toml", "within_percent = 10", "within_percent = 20")
    assert "'ratio' differs" in record.undocumented([read(tiny)], record.read_bands(bands))[0]
    with pytest.raises(torusim.InputError, match="add the old one to its history"):
        record.write_record([run(read(tiny), tmp_path / "out")], kept, bands)
    changed(
        tiny,
        "claims.toml",
        'band_from = "chosen"\n\n[[claims]]\nrow = "T2"',
        f'band_from = "chosen"\n\n{HISTORY}\n[[claims]]\nrow = "T2"',
    )
    record.write_record([run(read(tiny), tmp_path / "out")], kept, bands)
    assert len(record.read_bands(bands)["tiny-study"]["ratio"]) == 2
    changed(tiny, "claims.toml", 'number = "ratio"', 'number = "half"\nscales = ["paper"]')
    changed(tiny, "claims.toml", 'number = "half"\ntest', 'number = "three_quarters_of_half"\ntest')
    assert any(
        "'ratio' is missing" in problem for problem in record.undocumented([read(tiny)], record.read_bands(bands))
    )


ALL = all_studies()


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_every_study_is_valid(study: Study) -> None:
    """A study has complete files, scenarios that resolve at both scales, and claims with rows in docs/claims.md."""
    rows = (ROOT / "docs" / "claims.md").read_text()
    assert all(re.search(rf"\b{row}\b", rows) for row in study.rows)
    for scale in SCALES:
        keys = [point.key for point in study.points(scale)]
        assert len(set(keys)) == len(keys)


def recorded(study: Study, scale: str) -> dict[str, Any]:
    verdicts: dict[str, Any] = record.read_record().get(scale, {}).get(study.name, {}).get("claims", {})
    return verdicts


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_every_reading_was_run_or_says_why_not(study: Study) -> None:
    """No reading is left without a number of ours unnoticed."""
    for claim, reading in study.readings:
        was_run = any(reading.number in recorded(study, scale) for scale in reading.scales)
        assert was_run != bool(reading.not_run), (claim.row, reading.number)


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_every_disagreement_has_a_cause(study: Study) -> None:
    for claim, reading in study.readings:
        for scale in reading.scales:
            verdict = recorded(study, scale).get(reading.number)
            if verdict is not None:
                assert reading.band.contains(verdict["ours"]) is verdict["agrees"], (claim.row, reading.number)
                assert verdict["agrees"] or reading.cause, (claim.row, reading.number)


def test_every_recorded_band_is_documented() -> None:
    """A test or band that differs from a recorded one has an entry in its history, and no reading was dropped."""
    assert record.undocumented(ALL, record.read_bands()) == []


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_every_present_band_is_recorded(study: Study) -> None:
    recorded_bands = record.read_bands().get(study.name, {})
    for reading in (reading for _, reading in study.readings if not reading.not_run):
        present = {key: value for key, value in asdict(reading.band).items() if value is not None}
        assert recorded_bands[reading.number][-1] == present


def test_every_claim_belongs_to_a_study() -> None:
    named = {claim.study for claim in read_claims(STUDIES / "claims.toml", 0)}
    assert named == {study.name for study in ALL}


def test_record_has_only_existing_claims() -> None:
    numbers = {study.name: {reading.number for _, reading in study.readings} for study in ALL}
    for studies in record.read_record().values():
        for name, content in studies.items():
            assert set(content["claims"]) <= numbers[name]


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_every_claim_that_does_not_agree_says_why_in_a_sentence(study: Study) -> None:
    for claim in study.claims:
        assert claim.in_short or agreement(last_verdicts(study, claim)) is Agreement.AGREES, (claim.row, claim.says)
        assert len(claim.in_short.split()) <= 20, claim.in_short


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_results_in_the_sentence_of_a_claim_are_from_the_record(study: Study) -> None:
    """A decimal is a result, and has a placeholder; whole numbers may be settings."""
    for claim in study.claims:
        assert not re.search(r"\d\.\d", claim.in_short), claim.in_short


def last_verdicts(study: Study, claim: Claim) -> list[Verdict]:
    recorded_at = (record.recorded_verdicts(study, claim, reading, record.read_record()) for reading in claim.readings)
    return [verdicts[-1] for verdicts in recorded_at if verdicts]


def test_claims_from_memory_are_those_whose_source_is_so_in_the_list_of_rows() -> None:
    rows = (ROOT / "docs" / "claims.md").read_text()
    sources = {row: line for line in rows.splitlines() for row in re.findall(r"</a>(\w+)", line)}
    for claim in (claim for study in ALL for claim in study.claims):
        if claim.from_memory:
            assert "from memory" in sources[claim.row], claim.row
        if sources[claim.row].endswith("| from memory |"):
            assert claim.from_memory, (claim.row, claim.says)


@cache
def generated() -> Mapping[str, str]:
    return pages.pages(ROOT / "docs")


def in_docs() -> list[str]:
    """The pages in docs that say that they are generated."""
    docs = ROOT / "docs"
    return [path.relative_to(docs).as_posix() for path in docs.rglob("*.md") if page_text.WRITTEN in path.read_text()]


@pytest.mark.parametrize("name", in_docs())
def test_generated_pages_are_up_to_date(name: str) -> None:
    """`python -m torusim.study.pages docs` regenerates them."""
    assert (ROOT / "docs" / name).read_text() == generated()[name]


def test_every_study_has_its_page() -> None:
    assert set(in_docs()) == set(generated())
    assert {f"validation/{study.name}.md" for study in ALL} <= set(in_docs())


@pytest.mark.parametrize("name", in_docs())
def test_no_generated_page_is_too_long_to_load(name: str) -> None:
    assert (ROOT / "docs" / name).stat().st_size <= 60_000


def test_verdicts_are_read_in_ten_minutes() -> None:
    """At 250 words a minute; numbers count as words, the targets of links do not."""
    text = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", (ROOT / "docs" / "validation.md").read_text())
    assert len([word for word in text.split() if re.search(r"\w", word)]) <= 10 * 250


def test_verdicts_have_a_row_for_each_claim_that_leads_to_it() -> None:
    listed = [
        row for name in ("validation.md", "validation/fitted-and-checks.md") for row in rows_of(generated()[name])
    ]
    assert len(listed) == sum(len(study.claims) for study in ALL)
    assert len(set(listed)) == len(listed)


def rows_of(page: str) -> list[str]:
    """The targets of the first column, from the folder of the studies' pages."""
    return [target.removeprefix("validation/") for target in re.findall(r"^\| \[\w+\]\(([^)]+)\) \|", page, re.M)]


def test_text_takes_its_numbers_from_the_record() -> None:
    study = find("figure-3")
    numbers = {"entry_utilization_512_percent": {"ours": 90.9394}}
    recorded_there = {"paper": {"figure-3": {"claims": numbers, "rows": []}}}
    text = "Links are {entry_utilization_512_percent} busy, quickly {entry_utilization_512_percent@quick}."
    assert record.with_numbers(text, study, recorded_there) == "Links are 90.9 % busy, quickly (not recorded)."
    with refused("{entry_utilization}", "is no number"):
        record.with_numbers("{entry_utilization}", study, recorded_there)


@pytest.mark.parametrize("number", ["2.", "-", "1234."])
def test_a_wrapped_number_begins_no_list(number: str) -> None:
    """At every place in a line, and in an item of a list."""
    for length in range(90, 125):
        text = f"- {'x' * length} {number} Next, {'y' * 100}"
        rendered = markdown_it.MarkdownIt("commonmark").render(page_text.filled(text, indent="  "))
        assert rendered.count("<li>") == 1
        assert f"{number} Next" in " ".join(rendered.split())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("subjects = []", ["has no subject with the study"]),
        (
            'subjects = [{ title = "a", about = "b", studies = ["figure-99"] }]',
            ["subjects[0]", "figure-99 is no study"],
        ),
        (
            'subjects = [{ title = "a", about = "b", studies = ["figure-2", "figure-2"] }]',
            ["subjects[0]", "figure-2", "two places"],
        ),
        ('subjects = [{ title = "a", studies = [] }]', ["subjects[0]", "about is missing"]),
    ],
)
def test_bad_subjects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, words: list[str]) -> None:
    (tmp_path / "subjects.toml").write_text(content)
    monkeypatch.setattr(subjects, "all_studies", lambda: ALL)
    monkeypatch.setattr(installed, "folder", lambda: tmp_path)
    with refused(*words):
        subjects.all_subjects()


def test_list_names_every_study(command: Command) -> None:
    listed = command("study", "--list").stdout
    for study in ALL:
        assert study.name in listed


@pytest.mark.parametrize("arguments", ["study figure-10", "study --list", "verify"])
def test_studies_that_are_not_installed(arguments: str) -> None:
    """One message says how to install them."""
    without = f"""
import sys
from torusim.cli import main
from torusim.sweeps import sources
sources.find_spec = lambda name: None
sys.argv = ["torusim", *{arguments.split()!r}]
main()
"""
    finished = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == f"torusim: {installed.HOW_TO_INSTALL}\n"


def test_own_study_needs_no_others(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "folder", lambda: None)
    assert run(find(str(tiny)), tmp_path / "out").rows
    assert record.read_record() == {}
    with pytest.raises(torusim.InputError, match="not installed"):
        record.write_record([])


def test_smallest_study(command: Command, tmp_path: Path) -> None:
    """Rows M6 and S39, as in `torusim verify`."""
    finished = command("study", "figure-10", "--out", "out")
    assert finished.returncode == 0, finished.stderr
    findings = json.loads((tmp_path / "out" / "findings.json").read_text())
    assert all(verdict["agrees"] for verdict in findings["verdicts"])


def _changes(**means: float) -> dict[str, Any]:
    """A row of the study of meshes and tori, with these means and no changes otherwise."""
    names = ("utilization", "useful", "wait", "response", "512", "1024", "2048", "4096")
    row: dict[str, Any] = {"torus_utilization": 80.0, "lost_to_cables": 2.0, "meshed_share": 30.0}
    for name in names:
        row |= {name: means.get(name, 0.0), f"{name}_half_width": 1.0, f"{name}_count": 4}
    return row


def _finished(point: Point, rows: Sequence[Mapping[str, Any]]) -> FinishedPoint:
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    columns["slowdown"] = [1.0, 1.05, 1.2]
    return FinishedPoint(point.labels, {}, {"changes": columns})


def test_mesh_or_torus_without_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The public logs are not in torusim: without them the synthetic jobs are run, and nothing is judged."""
    study = find("mesh-or-torus")
    monkeypatch.setenv("TORUSIM_JOB_LOGS", str(tmp_path))
    for scale in SCALES:
        points = study.points(scale)
        assert {point.labels["source"] for point in points} == {"synthetic"}
    findings = study.findings([_finished(point, [_changes()] * 3) for point in points])
    assert {row["jobs"] for row in findings.rows} == {"synthetic"}
    assert [name.split(" ")[1] for name in findings.lacks] == ["(intrepid)", "(mira)"]
    assert execution.judge(study, "quick", findings) == []
    record.write_record([execution.Outcome(study, "quick", findings.rows, [], lacks=findings.lacks)], tmp_path / "kept")
    assert record.read_record(tmp_path / "kept") == {}


def test_mesh_or_torus_judges_the_earlier_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = find("mesh-or-torus")
    monkeypatch.setenv("TORUSIM_JOB_LOGS", str(tmp_path))
    for name in ("anl-intrepid-first3000-simplified.swf", "mira.swf.gz"):
        (tmp_path / name).write_text("")
    rows = {
        "fcfs": [_changes(), _changes(utilization=3, wait=-30, **{"4096": -38}), _changes(utilization=7, wait=5)],
        "wfp": [_changes(), _changes(utilization=4, response=-9, **{"4096": -12}), _changes(response=2)],
    }
    points = study.points("quick")
    assert len(points) == 3 * 2 * 2
    nothing = [_changes()] * 3
    findings = study.findings(
        [
            _finished(point, rows[point.labels["policy"]] if point.labels["backfill"] == "cobalt-2009-01" else nothing)
            for point in points
        ]
    )
    numbers = findings.numbers
    assert (numbers["mira_utilization_5"], numbers["mira_utilization_20"]) == (3, 0)
    assert (numbers["mira_wait_beyond_utilization_5"], numbers["mira_wait_beyond_utilization_20"]) == (-4, -12)
    assert (numbers["mira_gain_4096_5"], numbers["mira_loss_4096_5"]) == (12, -38)
    assert (numbers["mira_wfp_shrinks"], numbers["mira_wfp_worse"], numbers["mira_largest_gain"]) == (11, 2, 38)
    assert len(execution.judge(study, "quick", findings)) == len(study.readings)


@pytest.mark.long
def test_verify(tmp_path: Path) -> None:
    """Every claim that agreed before still does."""
    finished = subprocess.run([COMMAND, "verify"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "claims:" in finished.stdout.splitlines()[-1]


def test_default_tolerance_is_5_percent() -> None:
    assert claims.DEFAULT_WITHIN_PERCENT == 5


def test_gallery_names_the_command_that_drew_a_picture(tiny: Path, tmp_path: Path) -> None:
    run(description.read(tiny), tmp_path / "out")
    assert pages.scale_of_picture(tmp_path / "out" / "figure.png") == "quick"
    (tmp_path / "other.png").write_bytes(b"")
    assert pages.scale_of_picture(tmp_path / "other.png") is None


@pytest.mark.parametrize("study", all_studies(), ids=lambda study: study.name)
def test_figures_in_texts_are_those_of_the_record(study: Study) -> None:
    """Others are listed as of other runs, and no longer than they are in a text."""
    found = figures_in_texts.unrecorded(study, record.read_record())
    assert found == figures_in_texts.other_figures().get(study.name, [])


@pytest.mark.parametrize(
    ("figure", "value", "is_shown"),
    [
        ("70.7 %", 70.6661, True),
        ("70.7 %", 0.706661, True),
        ("3.4 %", 1.034, True),
        ("5,657.3", 5657.26, True),
        ("70.7 %", 71.3, False),
        ("2 times", 2.4, True),
        ("2 times", 2.6, False),
    ],
)
def test_a_figure_shows_a_value_to_its_digits(figure: str, value: float, is_shown: bool) -> None:
    assert figures_in_texts.shows(figure, value) is is_shown
