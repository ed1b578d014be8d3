"""The exported page in a real browser: `make campaign` runs it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from runner.export.page.match_page import match_page
from runner.record.reader import read_log
from tests.browser.browser import Browser, installed
from tests.record.hostile import HOSTILE, hostile_log

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]


@pytest.fixture
async def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(
        match_page(read_log(await hostile_log(tmp_path / "match.jsonl")), "all", has_thoughts=True), encoding="utf-8"
    )
    return path


def complaints(browser: Browser) -> list[dict[str, Any]]:
    return [event for event in browser.events if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]


@pytest.mark.parametrize("width", [1200, 360])
async def test_a_hostile_match_is_stepped_through_with_keys(width: int, page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile", width) as browser:
        browser.open(page)
        last = browser.run("data.steps.length - 1")
        browser.press("t")
        for step in range(1, last + 1):
            browser.press("ArrowRight")
            assert browser.run("document.body.dataset.step") == str(step)
        assert browser.run("document.getElementById('where').textContent.includes('win')")
        assert browser.run("window.harmed") is None
        assert browser.run("document.querySelectorAll('main img, main script, main iframe, main a').length") == 0
        assert browser.run("document.documentElement.scrollWidth") <= width
        browser.press("Home")
        assert browser.run("document.body.dataset.step") == "0"
        for key, step in (
            ("ArrowDown", None),
            ("End", str(last)),
            ("ArrowUp", None),
            ("Home", "0"),
            (" ", "1"),
            ("ArrowLeft", "0"),
        ):
            browser.press(key)
            assert step is None or browser.run("document.body.dataset.step") == step
        fetched = [
            event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"
        ]
        assert fetched == [page.as_uri()]
        assert not complaints(browser)


async def test_a_seat_sees_no_other_seats_prompts(page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        for eye in range(1, browser.run("data.eyes.length")):
            browser.press("v")
            seat = browser.run(f"data.eyes[{eye}]")
            for _ in range(browser.run("data.steps.length - 1")):
                browser.press("ArrowRight")
                owner = browser.run("'P-' + data.steps[state.step].seat")
                shown = browser.run("document.querySelectorAll('#asked details').length")
                assert not shown or owner == seat
            browser.press("Home")


async def test_mouse_and_search_work(page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        browser.run("document.getElementById('next').click()")
        assert browser.run("document.body.dataset.step") == "1"
        browser.run("document.getElementById('search').value = 'onerror'; state.wanted = 'onerror'; find()")
        assert browser.run("texts(data.steps[state.step]).some((text) => text.includes('onerror'))")
        assert HOSTILE
