"""Pages of `torusim view` as readers see them, in headless Chromium: numbers, slider, slices, answers, pictures."""

import hashlib
import io
import json
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html import escape
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import torusim
from tests.support import ROOT
from tests.view_support import (
    STEPPED_AND_DRAWN,
    address_of,
    browser,
    open_details,
    opened,
    opened_schedule,
    state_of,
    value_under_pointer,
)
from torusim.runs.timeline import Timeline
from torusim.viewer.groups import Groups, grouped
from torusim.viewer.page import save, viewer
from torusim.viewer.serving import address_of as served_at
from torusim.viewer.serving import serving
from torusim.viewer.view import data_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

HOSTILE = "</script><img src=x onerror=alert(1)>"

FLAT: dict[str, Any] = {
    "machine": {"shape": [8, 8]},
    "workload": {"kind": "all-to-all", "payload_bytes": 9600},
    "run": {"link_series": True, "observe_buffers": True},
}

HALF_A_STEP = 0.5 / 255
AS_WRITTEN = 0.0005
"""Percents on the page have one decimal."""

FIRST_PICTURE = "() => performance.getEntriesByName('torusim: first picture')[0].startTime"


@pytest.fixture(scope="module")
def chromium() -> "Iterator[Browser]":
    """A browser for all tests of this file."""
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of several runs."""
    folder = tmp_path_factory.mktemp("pages")
    flat, other = torusim.run(FLAT, out=folder / "flat"), torusim.run(FLAT, run={"seed": 2})
    save([data_of(flat)], folder / "flat.html")
    save([data_of(flat, "torus"), data_of(other, HOSTILE)], folder / "both.html")
    scenario = "scenarios/deadlock-true-size-bubble.toml"
    save([data_of(torusim.run(scenario, run={"link_series": True}))], folder / "deadlock.html")
    halo = {"machine": {"shape": [4, 4, 4]}, "workload": {"kind": "kernel", "name": "halo-3d", "iterations": 3}}
    lines = Timeline(folder / "calls.json")
    cube = torusim.run(halo, machine={"dead_nodes": [[1, 1, 1]]}, mapping={"ranks": 60}, run={"link_series": True})
    save([data_of(cube)], folder / "faults.html")
    save([data_of(torusim.run(halo, timeline=lines, run={"link_series": True}))], folder / "cube.html")
    return folder


@pytest.fixture(scope="module")
def flat(folder: Path) -> torusim.Result:
    """The run of the first page."""
    return torusim.load(folder / "flat")


def link_name(flat: torusim.Result, link: int) -> str:
    row = flat.links().slice(link, 1).to_pylist()[0]
    return f"({row['x']},{row['y']}) {row['direction']}"


def slide(page: "Page", row: int) -> None:
    """Moves the slider to a row of the series."""
    page.locator(".time-slider input").fill(str(row))


def test_the_number_under_the_pointer_is_that_of_the_table(
    chromium: "Browser", folder: Path, flat: torusim.Result
) -> None:
    series, links = flat.table("link_series"), flat.links()
    draw = random.Random(1)
    with opened(chromium, address_of(folder / "flat.html", "wraps=hidden")) as page:
        inner = [number for number, wrap in enumerate(data_of(flat).arrow["wires"]["is_wrap"].to_pylist()) if not wrap]
        for link in draw.sample(inner, 10):
            for row in draw.sample(range(series.num_rows), 10):
                slide(page, row)
                name, value = value_under_pointer(page, link)
                full = series["full"][row].as_py()
                exact = series["bytes"][row].as_py()[link] / 255 * full
                assert name == link_name(flat, link)
                assert abs(value - exact) <= HALF_A_STEP * full + AS_WRITTEN
            page.get_by_role("button", name="Whole run").click()
            assert abs(value_under_pointer(page, link)[1] - links["utilization"][link].as_py()) <= AS_WRITTEN


def test_the_hottest_link_is_found_by_a_click(chromium: "Browser", folder: Path, flat: torusim.Result) -> None:
    hottest = torusim.hot_links(flat, links=1).busiest[0]
    name = f"({','.join(map(str, hottest.coordinates))}) {hottest.direction}"
    with opened(chromium, address_of(folder / "flat.html")) as page:
        first = page.get_by_role("region", name="Hottest links").locator("tbody tr").first
        assert first.locator("td").nth(0).inner_text() == name
        first.get_by_role("button").first.click()
        answer = page.get_by_role("region", name="Ask a node or a link").inner_text()
        assert name in answer
        assert f"{100 * hottest.utilization:.1f} %" in answer
        assert state_of(page)["selection"] is not None


def test_what_is_typed_is_answered(chromium: "Browser", folder: Path, flat: torusim.Result) -> None:
    with opened(chromium, address_of(folder / "flat.html")) as page:
        asked = page.get_by_role("region", name="Ask a node or a link")
        for text, node in (("12", 12), ("(4,1)", 12)):
            asked.get_by_role("textbox").fill(text)
            page.keyboard.press("Enter")
            assert state_of(page)["selection"] == {"node": node}
        asked.get_by_role("textbox").fill("(4,1) y-")
        page.keyboard.press("Enter")
        link = state_of(page)["selection"]["link"]
        row = flat.links().slice(link, 1).to_pylist()[0]
        assert (row["node"], row["direction"]) == (12, "y-")
        for channel in ("dynamic_0", "escape"):
            assert str(row[f"packets_{channel}"]) in asked.inner_text().replace(",", "")
        asked.get_by_role("textbox").fill("(9,9)")
        page.keyboard.press("Enter")
        assert asked.get_by_role("alert").inner_text()


def test_the_address_keeps_what_is_seen(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "flat.html")) as page:
        slide(page, 7)
        page.get_by_role("button", name="The next plane in x").click()
        page.locator(".controls select").first.select_option("stalled_cycles")
        page.mouse.move(600, 300)
        page.mouse.wheel(0, -300)
        page.wait_for_timeout(500)  # the address follows the camera when it rests
        seen, address = state_of(page), page.url
    with opened(chromium, address) as page:
        found = state_of(page)
    assert (found["time"], found["slice"], found["quantity"]) == (7, seen["slice"], "stalled_cycles")
    assert found["camera"]["zoom"] == pytest.approx(seen["camera"]["zoom"], rel=0.01)


def test_two_runs_are_shown_and_subtracted(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "both.html")) as page:
        assert page.locator("h1").inner_text().count(HOSTILE) == 1
        assert page.locator("img").count() == 0
        page.locator(".controls select").first.select_option("difference")
        assert "second run minus first" in page.locator(".legend").inner_text()
        assert state_of(page)["compare"] == "difference"


def test_the_legend_has_the_colors_of_links(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "flat.html", "scale=full")) as page:
        ticks = page.locator(".legend .ticks").inner_text().split()
        background = page.locator(".legend .bar").evaluate("(bar) => getComputedStyle(bar).backgroundImage")
        assert ticks == ["0", "25", "50", "75", "100"]
        assert background.count("rgb(") == 11
        # Cividis and viridis rise or fall in lightness: no two stops look alike to the colour-blind.
        colors = [[int(part) for part in stop.split(",")] for stop in _stops(background)]
        light = [0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in colors]
        assert light == sorted(light) or light == sorted(light, reverse=True)


def _stops(background: str) -> list[str]:
    return [part.split(")")[0] for part in background.split("rgb(")[1:]]


def test_a_deadlock_is_drawn_and_told(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "deadlock.html")) as page:
        told = page.get_by_role("region", name="Deadlock")
        assert told.locator("tbody tr").count() == 4
        assert "4 head packets can never move" in told.inner_text()
        assert state_of(page)["ring"] is True


def test_routes_lead_round_what_is_dead(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "faults.html", "route=(0,1,1)-(2,1,1)")) as page:
        told = page.get_by_role("region", name="Routes of a pair").inner_text()
        assert "dead" in page.locator(".legend").inner_text()
        routes = page.evaluate("() => torusimView.context.run.facts.routes")
        detour = next(pair for pair in routes["detours"] if (pair["source"], pair["target"]) == (20, 22))
        assert [way[0]["hops"] for way in detour["ways"]] == [[-2, 0, 0]]
        assert "2 x-" in told


def test_calls_and_ranks_are_shown(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "cube.html", "nodes=rank&messages=now&t=3")) as page:
        state = state_of(page)
        assert (state["nodes"], state["messages"], state["time"]) == ("rank", "now", 3)
        asked = page.get_by_role("region", name="Ask a node or a link")
        asked.get_by_role("textbox").fill("rank 5")
        page.keyboard.press("Enter")
        assert state_of(page)["selection"] == {"node": 5}


def saved_picture(page: "Page", kind: str, folder: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=kind, exact=True).click()
    download.value.save_as(folder / kind)
    return (folder / kind).read_bytes()


def test_jobs_are_told(chromium: "Browser", tmp_path: Path) -> None:
    both = torusim.run("scenarios/two-jobs-8x4x4.toml")
    save([data_of(both)], tmp_path / "jobs.html")
    with opened(chromium, address_of(tmp_path / "jobs.html")) as page:
        rows = page.get_by_role("region", name="Jobs").locator("tbody tr").all()
        told = [row.locator("td").all_inner_texts() for row in rows]
    known = both.summary["jobs"]
    assert [row[0] for row in told] == [job["job"] for job in known]
    assert [float(row[-1]) for row in told] == pytest.approx([job["slowdown"] for job in known], rel=1e-3)


def test_an_address_of_another_run_chooses_what_there_is(chromium: "Browser", folder: Path) -> None:
    """Ranks and a second run are not of this page."""
    with opened(chromium, address_of(folder / "deadlock.html", "nodes=group&compare=difference&t=0")) as page:
        state = state_of(page)
        assert (state["nodes"], state["compare"], state["time"]) == ("plain", "both", 0)
        assert page.get_by_label("Color nodes by").input_value() == "plain"


def test_pictures_are_saved(chromium: "Browser", folder: Path, tmp_path: Path) -> None:
    with opened(chromium, address_of(folder / "flat.html")) as page:
        assert saved_picture(page, "PNG", tmp_path).startswith(b"\x89PNG")
        drawn = saved_picture(page, "SVG", tmp_path).decode()
        assert drawn.startswith("<svg")
        assert drawn.count("<path") + drawn.count("<polygon") + drawn.count("<line") > 100


def test_tables_and_keys_serve_those_who_see_no_picture(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "flat.html")) as page:
        open_details(page, "Values as tables")
        assert page.locator("details table caption").count() >= 1
        page.locator(".picture").focus()
        before = state_of(page)
        for key in (",", "+", "ArrowLeft"):
            page.keyboard.press(key)
        after = state_of(page)
        assert after["time"] != before["time"]
        assert after["camera"] != before["camera"]
        unnamed = page.evaluate(
            "() => [...document.querySelectorAll('button, input, select')].filter((each) => !each.textContent.trim()"
            " && !each.getAttribute('aria-label') && !each.labels?.length && !each.title).map((each) => each.outerHTML)"
        )
        assert unnamed == []


def test_an_answer_has_stalls_as_a_share_of_the_measured_time(
    chromium: "Browser", folder: Path, flat: torusim.Result
) -> None:
    window = data_of(flat).facts["measured"]
    stalled = flat.links()["stalled_cycles"].to_numpy()
    link = int(stalled.argmax())
    share = 100 * stalled[link] / (window["end_cycle"] - window["start_cycle"])
    with opened(chromium, address_of(folder / "flat.html")) as page:
        page.evaluate("(link) => torusimView.context.select({ link })", link)
        rows = page.get_by_role("region", name="Ask a node or a link").locator("table.facts tr")
        told = {row.locator("td").first.inner_text(): row.locator("td").last.inner_text() for row in rows.all()[1:]}
        assert told["Stalled time"] == f"{stalled[link]:,} cycles"
        assert float(told["Stalled time as a share"].removesuffix(" %")) == pytest.approx(share, abs=0.05)


def test_packets_that_wait_at_the_end_are_not_of_the_whole_run(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "deadlock.html", "q=waiting&t=1")) as page:
        assert page.locator(".legend .when").inner_text() == "at the end"
        assert "whole run" not in page.locator(".controls").inner_text()


def test_dead_links_have_no_mean(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "faults.html")) as page:
        page.evaluate("() => torusimView.context.select({ link: [...torusimView.context.run.deadLinks][0] })")
        assert "dead" in page.get_by_role("region", name="Ask a node or a link").inner_text()
        assert "NaN" not in page.locator("body").inner_text()


def test_tables_of_differences_do_not_depend_on_whose_lists_are_shown(chromium: "Browser", folder: Path) -> None:
    values = []
    for run in (0, 1):
        with opened(chromium, address_of(folder / "both.html", f"compare=difference&q=packets&run={run}")) as page:
            open_details(page, "Values as tables")
            values.append(page.locator("details.tables tbody").first.inner_text())
    assert values[0] == values[1]


def test_nodes_have_the_colors_of_groups_that_are_given(chromium: "Browser", tmp_path: Path) -> None:
    cube = data_of(torusim.run({"machine": {"shape": [2, 2, 2]}, "workload": {"kind": "kernel", "name": "halo-3d"}}))
    page_of_groups = tmp_path / "groups.html"
    groups = Groups({rank: f"stage {rank // 4}{HOSTILE}" for rank in range(8)})
    save(grouped([cube], groups), page_of_groups)
    with opened(chromium, address_of(page_of_groups)) as page:
        assert page.locator(".legend .item").all_inner_texts() == [f" stage {stage}{HOSTILE}" for stage in (0, 1)]
        asked = page.get_by_role("region", name="Ask a node or a link")
        for text, answer in (("rank 5", "Node 5"), ("rank 8", '"rank 7" is the last'), ("five", "A rank is rank 3.")):
            asked.locator("input").fill(text)
            asked.get_by_role("button", name="Ask").click()
            assert answer in asked.inner_text()
        assert "Node 5" not in asked.locator("h3").all_inner_texts()
        drawn = saved_picture(page, "SVG", tmp_path).decode()
        for stage in (0, 1):
            assert f">stage {stage}{escape(HOSTILE)}<" in drawn


def test_colors_of_differences_end_at_the_largest_difference(
    chromium: "Browser", folder: Path, flat: torusim.Result
) -> None:
    other = torusim.run(FLAT, run={"seed": 2})
    packets = [np.array(each.links()["packets"], dtype=int) for each in (flat, other)]
    largest = int(np.abs(packets[1] - packets[0]).max())
    with opened(chromium, address_of(folder / "both.html", "compare=difference&q=packets")) as page:
        scale = page.evaluate("() => torusimView.context.scale")
        assert scale["low"] == -scale["high"]
        assert largest <= scale["high"] <= 1.1 * largest + 1 < packets[0].max()


def test_keys_walk_the_hottest_links_from_the_one_that_is_selected(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "flat.html")) as page:
        rows = page.get_by_role("region", name="Hottest links").locator("tbody tr")
        names = [row.get_by_role("button").first.inner_text() for row in rows.all()]
        rows.nth(3).get_by_role("button").first.click()
        page.locator(".picture").focus()
        walked = []
        for key in ("n", "p", "p"):
            page.keyboard.press(key)
            walked.append(page.get_by_role("region", name="Ask a node or a link").locator("h3").inner_text())
        assert [text.split("\n")[0] for text in walked] == [names[4], names[3], names[2]]


def test_playing_ends_with_the_series(chromium: "Browser", folder: Path, flat: torusim.Result) -> None:
    last = flat.table("link_series").num_rows - 1
    with opened(chromium, address_of(folder / "flat.html", f"t={last - 2}")) as page:
        page.get_by_role("button", name="Play").click()
        page.get_by_role("button", name="Pause").wait_for()
        page.get_by_role("button", name="Play").wait_for()
        assert state_of(page)["time"] == last


def test_a_view_that_is_removed_does_nothing_more(chromium: "Browser", folder: Path) -> None:
    with opened(chromium, address_of(folder / "flat.html", "t=1")) as page:
        page.get_by_role("button", name="Play").click()
        page.evaluate("() => torusimView.dispose()")
        time, address = state_of(page)["time"], page.url
        page.emulate_media(color_scheme="dark")
        page.emulate_media(color_scheme="light")
        page.wait_for_timeout(500)  # the next steps, and the address, would come by then
        assert (state_of(page)["time"], page.url) == (time, address)
        assert page.locator(".torusim > *").count() == 0


def test_a_served_page_reads_its_tables(chromium: "Browser", flat: torusim.Result) -> None:
    with serving([data_of(flat)]) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with opened(chromium, served_at(server)) as page:
            assert page.locator("h1").inner_text()
        server.shutdown()


def test_a_page_of_the_usual_size_is_small(tmp_path: Path) -> None:
    assert len(viewer()) <= 1_200_000
    usual = torusim.run(
        {
            "machine": {"shape": [8, 8, 8]},
            "workload": {"kind": "uniform-random"},
            "run": {"warmup_cycles": 0, "measure_cycles": 51_200, "link_series": True},
        }
    )
    assert usual.table("link_series").num_rows == 200
    assert usual.view().save(tmp_path / "usual.html").stat().st_size <= 4_000_000


def test_the_built_file_is_that_of_its_sources() -> None:
    web = ROOT / "web"
    files = [path for path in (web / "src").rglob("*") if path.is_file() and not path.name.endswith(".test.ts")]
    digest = hashlib.sha256()
    for name in sorted([path.relative_to(web).as_posix() for path in files] + ["package-lock.json"]):
        digest.update(f"{name}\n".encode() + (web / name).read_bytes())
    assert digest.hexdigest() in viewer().partition("\n")[0], "run `npm ci && npm run build` in web/"


@pytest.mark.long
def test_the_built_file_can_be_built_again(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("needs Node")
    shutil.copytree(ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    for command in (["npm", "ci"], ["npm", "run", "check"], ["npm", "test"], ["npm", "run", "build"]):
        subprocess.run(command, cwd=tmp_path / "web", check=True, capture_output=True)
    built = Path("python/torusim/viewer/viewer.js")
    assert (tmp_path / built).read_bytes() == (ROOT / built).read_bytes()


@pytest.mark.long
def test_a_large_torus_is_shown_and_moved_through(chromium: "Browser", tmp_path: Path) -> None:
    large = torusim.run(
        {
            "machine": {"shape": [32, 32, 32]},
            "workload": {"kind": "uniform-random", "load": 0.3},
            "run": {"warmup_cycles": 0, "measure_cycles": 60_000, "link_series": True},
        }
    )
    save([data_of(large)], tmp_path / "large.html")
    with opened(chromium, address_of(tmp_path / "large.html")) as page:
        first = page.evaluate(FIRST_PICTURE)
        steps = [page.evaluate(f"() => torusimView.measure({{ time: {row} }})") for row in range(5, 16)]
        sys.stdout.write(f"first picture {first:.0f} ms, slider step {np.median(steps):.0f} ms\n")
        assert page.evaluate("() => torusimView.context.run.machine.links") == 196_608


def test_links_that_are_only_colored_again_look_as_if_drawn(chromium: "Browser", tmp_path: Path) -> None:
    many = {
        "machine": {"shape": [22, 22, 22], "dead_nodes": [[0, 0, 0], [3, 21, 2]]},
        "workload": {"kind": "uniform-random", "load": 0.03},
        "run": {"warmup_cycles": 0, "measure_cycles": 1_000, "link_series": True},
    }
    save([data_of(torusim.run(many, run={"seed": seed})) for seed in (1, 2)], tmp_path / "many.html")
    changes: list[dict[str, Any]] = [
        {"time": 0, "selection": {"link": 40}},
        {"time": 1, "compare": "difference", "theme": "light"},
        {"time": 0, "compare": "second", "hide": 0.3},
        {"time": 1, "hide": 0, "nodes": "hidden", "slice": [[0, 20], None, None]},
        {"time": 0, "nodes": "plain", "camera": {"yaw": -1, "pitch": 0.4, "zoom": 0.3, "shift": [0, 0, 0]}},
    ]
    with opened(chromium, address_of(tmp_path / "many.html")) as page:
        page.evaluate("() => torusimView.picture.drawFinely(2, () => {})")  # as saving does
        for change in changes:
            seen = page.evaluate(STEPPED_AND_DRAWN, change)
            assert seen["isColored"], change
            assert seen["isDrawn"], change
            # Of two links at the same depth either may be seen.
            assert max(seen["step"], seen["again"]) < 0.001 * seen["links"], (change, seen)


def test_the_widget_shows_what_the_page_does(chromium: "Browser", flat: torusim.Result, tmp_path: Path) -> None:
    pytest.importorskip("anywidget")
    from torusim.viewer.widget import widget

    shown = widget([data_of(flat)])
    (tmp_path / "empty.html").write_text("<!doctype html><link rel=icon href=data:,><div id=cell></div>")
    page = chromium.new_page()
    page.goto(address_of(tmp_path / "empty.html"))
    tables = {run: {name: list(data) for name, data in of_run.items()} for run, of_run in shown.tables.items()}
    canvases = page.evaluate(
        """async ([module, page, tables]) => {
            const file = new Blob([module], { type: "text/javascript" });
            const { default: widget } = await import(URL.createObjectURL(file));
            for (const of_run of Object.values(tables))
                for (const name in of_run) of_run[name] = new DataView(Uint8Array.from(of_run[name]).buffer);
            const el = document.getElementById("cell"), values = { page, tables };
            await widget.render({ model: { get: (name) => values[name] }, el });
            return el.querySelectorAll("canvas").length;
        }""",
        [viewer(), shown.page, tables],
    )
    assert canvases >= 1
    assert json.loads(shown.page)["runs"][0]["tables"] == {}
    page.close()


def test_a_result_without_series_has_a_page_too(chromium: "Browser", tmp_path: Path) -> None:
    plain = torusim.run(FLAT, run={"link_series": False, "observe_buffers": False})
    save([data_of(plain)], tmp_path / "plain.html")
    with opened(chromium, address_of(tmp_path / "plain.html")) as page:
        assert page.get_by_role("region", name="Hottest links").locator("tbody tr").count() > 0
    assert io.BytesIO(data_of(plain).tables["links"]).read(4) == b"PAR1"


def test_a_page_in_the_frame_of_a_notebook_works(chromium: "Browser", flat: torusim.Result, tmp_path: Path) -> None:
    shown = flat.view()._repr_mimebundle_()["text/html"]
    (tmp_path / "cell.html").write_text(f"<!doctype html><link rel=icon href=data:,>{shown}", encoding="utf-8")
    page = chromium.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(address_of(tmp_path / "cell.html"))
    frame = page.frame_locator("iframe")
    frame.get_by_role("region", name="Hottest links").locator("tbody button").first.click()
    page.wait_for_timeout(300)  # the address would be written by then
    assert frame.locator("canvas").count() >= 1
    assert not problems
    page.close()


def test_schedules_are_shown_with_one_cursor(chromium: "Browser", tmp_path: Path) -> None:
    log: dict[str, Any] = {"log": "lublin", "room": "intrepid", "jobs": 300, "load": 0.95}
    first, second = (torusim.schedule(**log, policy=policy) for policy in ("fcfs", "wfp"))
    save([data_of(first, "fcfs"), data_of(second, HOSTILE)], tmp_path / "queue.html")
    jobs = [job for job in first.table("jobs").to_pylist() if job["start"] is not None]
    late = max(jobs, key=lambda job: job["start"] - job["submit"])
    with opened_schedule(chromium, address_of(tmp_path / "queue.html")) as page:
        assert page.locator("img").count() == 0
        assert HOSTILE in page.locator("body").inner_text()
        time = (late["submit"] + late["start"]) // 2
        page.evaluate("(time) => torusimView.store.set({ time })", time)
        running = [job for job in jobs if job["start"] <= time < job["end"]]
        told = page.locator("body").inner_text()
        assert f"{len(running)} jobs" in told or f"{len(running)} running" in told or str(len(running)) in told
        assert str(late["job"]) in told
        assert state_of(page)["time"] == time


OVERLAPS = """() => [...document.querySelectorAll(".room-stage svg")].flatMap((room) => {
    const boxes = [...room.querySelectorAll("text:not([data-job])")].map((text) => text.getBoundingClientRect());
    return boxes.filter((a, i) => boxes.slice(i + 1).some((b) =>
        a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)).map((box) => box.left);
})"""
"""Where labels of racks and rows overlap others. Lines of text may touch."""

IS_CUT = """() => [...document.querySelectorAll(".chart-key, .room-head > :first-child")]
    .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth)
    .map((each) => each.textContent)"""
"""Texts that have less room than they need."""


def test_two_rooms_have_room_for_their_texts(chromium: "Browser", tmp_path: Path) -> None:
    log: dict[str, Any] = {"log": "lublin", "room": "intrepid", "jobs": 100, "load": 0.9}
    two = [data_of(torusim.schedule(**log, policy=policy), policy) for policy in ("fcfs", "wfp")]
    save(two, tmp_path / "two.html")
    for place in ("racks", "places"):
        with opened_schedule(chromium, address_of(tmp_path / "two.html", f"arrangement={place}")) as page:
            for size in ((1280, 800), (1024, 700)):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                page.wait_for_timeout(200)  # drawn again in the next frames
                assert page.locator(".room-stage svg text").count() > 20
                assert page.evaluate(OVERLAPS) == [], (place, size)
                assert page.evaluate(IS_CUT) == [], (place, size)


def test_what_is_out_of_service_looks_so(chromium: "Browser", tmp_path: Path) -> None:
    log: dict[str, Any] = {"log": "lublin", "room": "intrepid", "jobs": 60, "load": 0.9}
    outages = [
        {"from": 7200, "until": 90000, "midplane": "R21-M1"},
        {"from": 3600, "cable": "X R00-M0 R10-M1"},
    ]
    two = [data_of(torusim.schedule(**log), "whole"), data_of(torusim.schedule(**log, outages=outages), "broken")]
    out = two[1].facts["outages"][0]["midplane"]
    save(two, tmp_path / "two.html")
    with opened_schedule(chromium, address_of(tmp_path / "two.html", "t=7200&ask=midplane:R21-M1&run=1")) as page:
        whole, broken = page.get_by_role("region", name="whole"), page.get_by_role("region", name="broken")
        assert (whole.locator("[data-out]").count(), broken.locator("[data-out]").count()) == (0, 1)
        assert "1 midplane and 1 cable out of service" in broken.inner_text()
        assert "out of service" not in whole.inner_text()
        assert "out of service" in page.locator(".toolbar").inner_text()
        answer = page.get_by_role("region", name="Ask").inner_text()
        assert "Now out of service from day 1, 02:00 until day 2, 01:00." in answer
        broken.locator(f"rect[data-unit='{out}']").first.hover()
        assert "R21-M1 (X 2, Y 0, Z 3): out of service from" in page.locator(".tip").inner_text()
        open_details(page, "The machine now, as tables")
        tables = page.locator(".tables").inner_text()
        assert "out of service from day 1, 01:00 on, for good" in tables
        assert "out of service from day 1, 02:00 until" in tables
        broken.locator("[data-cable]").hover()
        assert page.locator(".tip").inner_text().startswith("Cable X R00-M0 R10-M1: out of service from day 1, 01:00")
        page.evaluate("() => torusimView.store.set({ time: 90000 })")
        assert broken.locator("[data-out]").count() == 0
        assert {3600, 7200, 90000} <= set(page.evaluate("() => [...torusimView.context.runs[1].events]"))


def test_jobs_that_an_outage_ended_have_all_their_runs(chromium: "Browser", tmp_path: Path) -> None:
    log: dict[str, Any] = {"log": "lublin", "room": "intrepid", "jobs": 60, "load": 0.9}
    whole = torusim.schedule(**log)
    jobs = [job for job in whole.table("jobs").to_pylist() if job["start"] is not None]
    ended = max(jobs, key=lambda job: job["end"] - job["start"])
    places = {row["partition"]: row["midplanes"] for row in whole.table("partitions").to_pylist()}
    midplane = whole.room().midplanes[int(places[ended["partition"]].split()[0])]
    broken = (ended["start"] + ended["end"]) // 2
    # Nothing differs before the outage.
    made = torusim.schedule(**log, outages=[{"from": broken, "until": broken + 600, "midplane": midplane}])
    again = made.table("jobs").to_pylist()[made.table("jobs")["job"].to_pylist().index(ended["job"])]
    assert again["restarts"] == 1
    run = {"end": broken, **{name: ended[name] for name in ("job", "start", "partition", "granted_nodes")}}
    data = data_of(made)
    tables = {**data.arrow, "ended_runs": pa.Table.from_pylist([run])}
    save([replace(data, arrow=tables)], tmp_path / "again.html")
    with opened_schedule(
        chromium, address_of(tmp_path / "again.html", f"t={broken - 60}&ask=job:{ended['job']}")
    ) as page:
        answer = page.get_by_role("region", name="Ask")
        assert "Runs, until an outage ends it in 1 min." in answer.inner_text()
        assert re.search(r"✕ ended by an outage\n.* to ", answer.inner_text())
        page.evaluate("(time) => torusimView.store.set({ time })", broken + 1)
        if again["start"] > broken + 1:
            assert "An outage ended its run. Waits" in answer.inner_text()
            assert str(ended["job"]) in page.get_by_role("region", name="Queue").inner_text()
        page.evaluate("(time) => torusimView.store.set({ time })", again["start"])
        assert "to go." in answer.inner_text()


AT_END = """() => {
    const { context } = torusimView;
    const box = document.querySelector(".gantt").getBoundingClientRect();
    const stay = context.run.stays.flat().find(({ isEnded }) => isEnded);
    const { from, to } = context.state;
    const [piece] = stay.pieces;
    // The margins of the chart are where its slider ends.
    const slider = document.querySelector(".time-slider");
    const [left, right] = ["marginLeft", "marginRight"].map((side) => parseFloat(getComputedStyle(slider)[side]));
    const x = (second) => box.x + left + ((second - from) / (to - from)) * (box.width - left - right);
    const y = (unit) => box.y + 1 + (unit / context.run.units) * (box.height - 2);
    const out = y(context.run.outages[0].unit + 0.5);
    return { job: context.run.jobs.id[stay.row], x: x(stay.end), y: y((piece.from + piece.to) / 2), out };
}"""
"""The first run that an outage ended: its job, where its cross is, and the row of the first outage."""


def test_what_outages_did_is_told(chromium: "Browser", tmp_path: Path) -> None:
    log: dict[str, Any] = {"log": "lublin", "room": "intrepid", "jobs": 200, "load": 0.9}
    outages = [{"from": 55000, "until": 100000, "midplane": "R20-M0"}]
    made = torusim.schedule(**log, outages=outages)
    ended = [job["job"] for job in made.table("jobs").to_pylist() if job["restarts"] > 0]
    assert ended
    assert made.summary["restarts"] == len(ended)
    save([data_of(made)], tmp_path / "broken.html")
    with opened_schedule(chromium, address_of(tmp_path / "broken.html", "t=56000")) as page:
        measures = page.locator(".measured").inner_text()
        assert f"Restarts after outages\t{len(ended)}" in measures
        assert "Lost to outages" in measures
        open_details(page, "Outages")
        cells = page.locator(".outages tbody td").all_inner_texts()
        assert cells[0] == "R20-M0"
        assert cells[3] == ", ".join(map(str, ended))
        waits = page.get_by_role("region", name="Queue").locator("tbody tr", has_text=str(ended[0]))
        assert re.search(r"jobs?.*, R20-M0", waits.inner_text())
        assert "R20-M0 is in service again" in (waits.locator("td:nth-child(4) span").get_attribute("title") or "")
        assert "✕ an outage ended the run" in page.locator(".toolbar").inner_text()
        cross = page.evaluate(AT_END)
        page.mouse.move(cross["x"] + 2, cross["y"])
        assert page.locator(".tip").inner_text().startswith(f"Job {cross['job']}:")
        assert "An outage ended this run" in page.locator(".tip").inner_text()
        page.mouse.click(cross["x"] + 2, cross["y"])
        assert state_of(page)["asked"] == {"job": cross["job"]}
        page.get_by_label("Job, midplane or partition").press("Escape")
        assert state_of(page)["asked"] is None
        page.mouse.click(cross["x"] + 30, cross["out"])
        assert state_of(page)["asked"] == {"midplane": "R20-M0"}


def test_nodes_out_of_service_are_counted(chromium: "Browser", tmp_path: Path) -> None:
    outages = [{"from": 0, "nodes": 3}]
    save([data_of(torusim.schedule(log="lublin", nodes=64, jobs=20, outages=outages))], tmp_path / "plain.html")
    with opened_schedule(chromium, address_of(tmp_path / "plain.html")) as page:
        assert "3 nodes out of service" in page.locator(".room-head").inner_text()
        assert "only counted" in (page.locator(".note").get_attribute("title") or "")


def test_an_address_that_is_typed_keeps_within_the_log(chromium: "Browser", tmp_path: Path) -> None:
    save([data_of(torusim.schedule(log="lublin", room="intrepid", jobs=20))], tmp_path / "log.html")
    with opened_schedule(chromium, address_of(tmp_path / "log.html")) as page:
        page.evaluate("() => { location.hash = '#t=99999999&show=900-99999999' }")
        page.wait_for_function("() => torusimView.store.state.time !== torusimView.start.time")
        state, last = state_of(page), page.evaluate("() => torusimView.context.span[1]")
        assert (state["time"], state["from"], state["to"]) == (last, 900, last)
