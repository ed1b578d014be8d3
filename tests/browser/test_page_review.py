"""The review on the exported page in a real browser: `make campaign` runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runner.export.page.match_page import match_page
from runner.record.reader import read_log
from runner.screen.seen_review import seen_review
from tests.browser.browser import Browser, installed
from tests.browser.test_page import complaints
from tests.record.hostile import hostile_log
from tests.screen.reviews import written_review

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]

MARKED = "Object.entries(data.reviews[state.eye].grades).filter(([, found]) => found.sign).map(([number]) => Number(number))"


@pytest.fixture
async def page(tmp_path: Path) -> Path:
    log = read_log(await hostile_log(tmp_path / "match.jsonl"))
    path = tmp_path / "page.html"
    path.write_text(match_page(log, "all", review=seen_review(log, written_review(log))), encoding="utf-8")
    return path


def step(browser: Browser) -> int:
    return int(browser.run("document.body.dataset.step"))


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_keys_and_clicks_lead_to_marked_decisions(width: int, scheme: str, page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile", width) as browser:
        browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.open(page)
        marked = browser.run(MARKED)
        for number in marked:
            browser.press("n")
            assert step(browser) == number
            assert browser.run("document.querySelectorAll('#grade .measure').length") == 2
        browser.press("m")
        assert step(browser) == marked[-1]
        browser.press("M")
        assert step(browser) == marked[-2]
        browser.run("document.querySelector('#worst button').click()")
        assert str(step(browser)) == browser.run("document.querySelector('#worst button').textContent")
        browser.run(
            "{ const box = at('chart').getBoundingClientRect();"
            " at('chart').dispatchEvent(new MouseEvent('click', { clientX: box.left + box.width / 2 })); }"
        )
        assert step(browser) == round(browser.run("(data.steps.length - 1) / 2"))
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run("window.harmed") is None
        assert not complaints(browser)


async def test_the_chart_has_a_line_for_each_seat_and_only_in_views_that_know_it(page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        assert browser.run("document.querySelectorAll('#chart .line').length") == 3
        assert browser.run("document.querySelectorAll('#legend .share').length") == 3
        browser.press("v")
        assert browser.run("at('review').hidden && at('worst').hidden")
        browser.press("v")
        assert browser.run("at('review').hidden")
        assert browser.run(MARKED) == browser.run(f"data.eyes[state.eye] === 'P-0' ? {MARKED} : []")
        browser.press("m")
        assert browser.run("data.steps[state.step].seat") == 0
