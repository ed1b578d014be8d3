"""Keys, links and the hidden ending of a match page: one match, where a browser is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.browser import Browser, installed
from tests.browser.pages import complaints, game_page, step, text_of

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium is installed")


async def test_keys_links_and_the_ending(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "coup", 3, max_turns=6)
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        last, result = browser.run("last"), browser.run("data.result.text")
        assert result not in text_of(browser, "result")
        assert browser.run("document.querySelectorAll('.move.ahead').length") == last
        for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
            browser.press(key)
            assert step(browser) == expected
        assert browser.run("location.hash") == "#d0"
        browser.run("location.hash = '#d5'; fromLink()")
        assert step(browser) == 5
        assert browser.run("document.querySelector('[aria-current]').firstChild.textContent") == "5"
        assert browser.run("document.querySelectorAll('.move.ahead').length") == last - 5
        browser.press("e")
        assert text_of(browser, "result") == result
        assert browser.run("document.querySelectorAll('.move.ahead').length") == 0
        browser.press("e")
        browser.press("End")
        assert step(browser) == last
        assert text_of(browser, "result") == result
        assert not complaints(browser)
