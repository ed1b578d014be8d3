"""The review on the exported page in a real browser: `make campaign` runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.browser import Browser, installed
from tests.browser.pages import complaints, hostile_page, step

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]

MARKED = "data.steps.map((_, step) => step).filter(isFault)"


@pytest.fixture
async def page(tmp_path: Path) -> Path:
    return await hostile_page(tmp_path, has_review=True)


@pytest.mark.parametrize("width", [1600, 800, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_keys_and_clicks_lead_to_marked_decisions(width: int, scheme: str, page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile", width) as browser:
        browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.open(page)
        browser.press("e")
        marked = browser.run(MARKED)
        for number in marked:
            browser.press("m")
            assert step(browser) == number
            assert browser.run("document.querySelectorAll('#grade .measure').length") == 2
        browser.press("M")
        assert step(browser) == marked[-2]
        browser.run("document.querySelector('#worst button').click()")
        assert str(step(browser)) == browser.run("document.querySelector('#worst button').textContent")
        browser.run(
            "{ const box = at('chart').querySelector('svg').getBoundingClientRect();"
            " at('chart').dispatchEvent(new MouseEvent('click', { clientX: box.left + box.width / 2 })); }"
        )
        assert step(browser) == round(browser.run("last / 2"))
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run("window.harmed") is None
        assert not complaints(browser)


async def test_the_chart_has_a_line_for_each_seat_and_shares_only_in_views_that_know_them(page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        browser.press("e")
        assert browser.run("document.querySelectorAll('#chart .line').length") == 3
        assert browser.run("at('chart-name').textContent.startsWith('Win share')")
        assert browser.run("document.querySelectorAll('#seats .value').length") == 3
        for _ in range(2):
            browser.press("v")
            assert browser.run("at('chart-name').textContent.startsWith('Points')")
        assert browser.run("at('worst').hidden") is False
        assert browser.run("Object.values(review().grades).every((found) => found.seat === 0)")
