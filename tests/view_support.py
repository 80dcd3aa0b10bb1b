"""Pages of `torusim view` in a browser: headless Chromium, driven by Playwright."""

import re
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

GRAPHICS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
"""WebGL without a graphics card."""

IS_READ = "() => performance.getEntriesByName('torusim: all data').length > 0"

LINK_AT = """(link) => {
    const { picture } = torusimView, { pieces } = picture.sceneries[0].stage.links, camera = picture.projections[0];
    const place = pieces.link.indexOf(link), end = (list) => camera.project(...list.slice(4 * place, 4 * place + 3));
    const [a, b] = [end(pieces.start), end(pieces.finish)], length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const { left, top } = picture.element.getBoundingClientRect(), aside = 3 / length;  // each direction has its side
    return [left + a[0] + 0.6 * (b[0] - a[0]) - aside * (b[1] - a[1]),
            top + a[1] + 0.6 * (b[1] - a[1]) + aside * (b[0] - a[0])];
}"""
"""Where on the screen a link is drawn, three fifths along it."""

STEPPED_AND_DRAWN = """(change) => {
    const { picture, store } = torusimView, { canvas } = picture;
    const pen = document.createElement("canvas").getContext("2d");
    const draw = (state) => {
        torusimView.measure(state);
        Object.assign(pen.canvas, { width: canvas.width, height: canvas.height });
        pen.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return { pixels, colored: picture.sceneries.map(({ stage }) => stage.recolored.mesh.visible) };
    };
    draw(change);
    const step = draw({ time: store.state.time + 1 }), again = draw({}), { camera } = store.state;
    draw({ camera: { ...camera, yaw: camera.yaw + 1 } });
    const whole = draw({ camera });
    const unlike = ({ pixels }) => pixels.filter((pixel, i) => pixel !== whole.pixels[i]).length;
    return {
        step: unlike(step), again: unlike(again), links: whole.pixels.filter((pixel) => pixel !== 0).length,
        isColored: again.colored.every(Boolean), isDrawn: !whole.colored.some(Boolean),
    };
}"""
"""After a change of state and a step of the slider: how many pixels are not as in the same picture drawn as a whole,
which it is when the camera has moved away and back; and whether both ways were taken."""


@contextmanager
def browser() -> "Iterator[Browser]":
    """A browser; tests are skipped without Chromium."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # The sandbox needs a user that is not root.
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *GRAPHICS])
        yield started
        started.close()


@contextmanager
def opened_schedule(browser: "Browser", address: str) -> "Iterator[Page]":
    """A page of schedules; see `opened`."""
    with opened(browser, address, is_read="() => globalThis.torusimView !== undefined") as page:
        yield page


@contextmanager
def opened(browser: "Browser", address: str, is_read: str = IS_READ) -> "Iterator[Page]":
    """A page, whose data have been read; it must report no error, and request nothing but itself."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    problems: list[str] = []
    requests: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address)
    page.wait_for_function(is_read)
    yield page
    page.close()
    assert not problems
    own = address.partition("#")[0]
    assert [url for url in requests if not url.startswith(("data:", "blob:", own))] == []


def address_of(path: Path, state: str = "") -> str:
    """The address of a page on the disk, with a state of the view."""
    return path.absolute().as_uri() + (f"#{state}" if state else "")


def open_details(page: "Page", summary: str) -> None:
    """Opens what is folded under a summary, and waits for its table: a page fills it in a task after the click."""
    page.locator("summary", has_text=summary).click()
    page.locator("details[open]", has_text=summary).locator("table").first.wait_for()


def value_under_pointer(page: "Page", link: int) -> tuple[str, float]:
    """What the page says where a link is drawn: the link's name, and its utilization, 0 to 1."""
    page.mouse.move(*page.evaluate(LINK_AT, link))
    page.evaluate("() => new Promise(requestAnimationFrame)")  # the page looks under the pointer once a frame
    text = page.locator(".tip").inner_text()
    found = re.match(r"(.*) → .*\n.*: ([\d.]+) %", text)
    assert found, text
    return found[1], float(found[2]) / 100


def state_of(page: "Page") -> dict[str, Any]:
    """The state of the view."""
    state: dict[str, Any] = page.evaluate("() => JSON.parse(JSON.stringify(torusimView.store.state))")
    return state
