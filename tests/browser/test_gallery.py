"""The gallery in a real browser: filters, order, links, keys; `make campaign` runs it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.export.gallery.build_site import SiteFacts, site_pages
from runner.export.gallery.match_files import INDEX
from tests.browser.browser import Browser, installed
from tests.browser.test_page import complaints
from tests.export.galleries import build, make_logs

AXE = os.environ.get("TABLETOP_AXE", "")
"""The path of axe.min.js of the npm package axe-core, for the check of accessibility."""

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]
SHOWN = "[...document.querySelectorAll('#list tbody tr:not([hidden]) .name .log')].map((cell) => cell.textContent)"
WIDTHS, SCHEMES = (390, 800, 1600), ("light", "dark")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    build(make_logs(folder / "logs"), folder / "site")
    return folder / "site"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as browser:
        yield browser


def choose(browser: Browser, name: str, value: str) -> list[str]:
    """Set a filter as a reader does; the matches that are shown."""
    browser.run(
        f"{{ const field = document.forms.filters.elements.{name}; field.value = {json.dumps(value)};"
        " field.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    return [str(name) for name in browser.run(SHOWN)]


def test_filters_show_what_fits_and_stand_in_the_address(site: Path, browser: Browser) -> None:
    browser.open(site / "index.html")
    everything = {"coup1", "coup2", "deep/paused"}
    assert {*browser.run(SHOWN)} == everything
    assert choose(browser, "result", "unfinished") == ["deep/paused"]
    assert browser.run("document.getElementById('count').textContent") == "1 of 3 matches"
    assert choose(browser, "result", "reviewed") == ["coup1"]
    assert browser.run("location.hash") == "#result=reviewed"
    assert choose(browser, "text", "coup2") == []
    assert not browser.run("document.getElementById('none').hidden")
    assert choose(browser, "result", "") == ["coup2"]
    browser.press("/")
    browser.press("Escape")
    browser.run("new Promise((done) => setTimeout(done))")
    assert {*browser.run(SHOWN)} == everything
    assert browser.run("location.hash") == ""
    assert not complaints(browser)


def test_a_link_with_filters_shows_them(site: Path, browser: Browser) -> None:
    browser.do("Page.navigate", url=(site / "index.html").as_uri() + "#game=coup&result=finished&sort=-log")
    while browser.run("document.readyState") != "complete" or not browser.run("location.href.includes('index.html')"):
        pass
    assert browser.run(SHOWN) == ["coup2", "coup1"]
    assert browser.run("document.querySelector('[aria-sort]').textContent") == "Match"
    browser.run("document.querySelector('[data-sort=decisions]').click()")
    found = browser.run(
        "[...document.querySelectorAll('#list tbody tr:not([hidden]) [data-word=decisions]')].map((cell) => +cell.textContent)"
    )
    assert found == sorted(found)


def test_won_and_lost_are_meant_for_the_player(site: Path, browser: Browser) -> None:
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((site / "players").glob("*.json"))]
    browser.open(site / next(one["page"] for one in documents if len(one["games"]) == 1))
    won, lost = (set(choose(browser, "result", result)) for result in ("won", "lost"))
    assert not won & lost
    assert won | lost == {"coup1", "coup2"}


def test_winners_and_scores_are_hidden_until_somebody_wants_them(site: Path, browser: Browser) -> None:
    browser.open(site / "index.html")
    row = "document.querySelector('#list tbody tr:has(.ending b) .players')"
    assert browser.run(f"getComputedStyle({row}, '::before').content") == '"hidden "'
    assert "★" not in browser.run(f"{row}.innerText")
    browser.run("document.getElementById('results').click()")
    assert "★" in browser.run(f"{row}.innerText")
    assert browser.run(f"getComputedStyle({row}, '::before').content") == "none"


def test_keys_and_links_lead_to_a_decision(site: Path, browser: Browser) -> None:
    browser.open(site / "index.html")
    browser.press("/")
    assert browser.run("document.activeElement.name") == "text"
    target = browser.run("document.querySelector('.card .text a').href")
    browser.run("document.querySelector('.card .text a').click()")
    while browser.run("location.href") != target or browser.run("document.readyState") != "complete":
        pass
    assert browser.run("document.body.dataset.step") == target.rpartition("#d")[2]
    fetched = {event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"}
    pages = {url.partition("#")[0] for url in fetched if not url.endswith(".preview.svg")}
    assert pages == {(site / "index.html").as_uri(), target.partition("#")[0]}
    assert all(url.startswith(site.as_uri()) for url in fetched)
    assert not complaints(browser)


def test_a_long_list_shows_its_first_matches_and_the_rest_when_asked(site: Path, browser: Browser, tmp_path: Path) -> None:
    matches = json.loads((site / "index.json").read_text(encoding="utf-8"))["matches"]
    many = [matches[0] | {"log": f"m{number:04}.jsonl", "decisions": number} for number in range(1000)]
    page = tmp_path / "index.html"
    _, text = next(site_pages(SiteFacts(tmp_path / "many", many, {}, [])))
    page.write_text(text, encoding="utf-8")
    browser.open(page)
    assert len(browser.run(SHOWN)) == 200
    assert choose(browser, "sort", "-decisions")[0] == "m0999"
    browser.run("document.getElementById('more').click()")
    assert len(browser.run(SHOWN)) == 1000
    assert browser.run("document.activeElement.parentElement.querySelector('.log').textContent") == "m0800"
    assert choose(browser, "least", "990") == [f"m{number:04}" for number in range(999, 989, -1)]
    assert browser.run("document.getElementById('more').hidden")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_page_fits_its_window_and_has_no_serious_fault(width: int, scheme: str, site: Path, tmp_path: Path) -> None:
    pages = [site / "index.html", site / "standings.html", next((site / "players").glob("*.html"))]
    with Browser(tmp_path / "profile", width) as browser:
        browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.do("Page.setBypassCSP", enabled=bool(AXE))
        for page in pages:
            browser.open(page)
            assert browser.run("document.documentElement.scrollWidth") <= width
            assert faults(browser) == []
    assert (site / INDEX).is_file()


def faults(browser: Browser) -> list[str]:
    """The serious and critical faults that axe-core finds; none without it."""
    if not AXE:
        return []
    browser.run(Path(AXE).read_text(encoding="utf-8"))
    serious = "['serious', 'critical'].includes(one.impact)"
    script = f"axe.run().then((found) => found.violations.filter((one) => {serious}).map((one) => one.id))"
    return list(browser.do("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)["result"]["value"])
