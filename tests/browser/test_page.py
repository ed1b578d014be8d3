"""The exported page in a real browser: `make campaign` runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.browser import Browser, installed
from tests.browser.pages import complaints, game_page, hostile_page, step, text_of

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]

SWIPE = """((x) => { const target = at('board'), touch = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: 9 });
for (const [kind, at] of [['touchstart', 200], ['touchend', 200 + x]])
  target.dispatchEvent(new TouchEvent(kind, { changedTouches: [touch(at)], bubbles: true })); })"""


@pytest.fixture
async def page(tmp_path: Path) -> Path:
    return await hostile_page(tmp_path)


@pytest.mark.parametrize("width", [1200, 360])
async def test_a_hostile_match_is_stepped_through_with_keys(width: int, page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile", width) as browser:
        browser.open(page)
        last = browser.run("last")
        for number in range(1, last + 1):
            browser.press("ArrowRight")
            assert step(browser) == number
            assert browser.run("document.documentElement.scrollWidth") <= width
        assert "win" in text_of(browser, "result")
        assert browser.run("window.harmed") is None
        assert browser.run("document.querySelectorAll('main img, main script, main iframe, main a').length") == 0
        keys = (("Home", 0), ("ArrowDown", None), ("End", last), ("ArrowUp", None), ("Home", 0), ("ArrowRight", 1))
        for key, expected in keys:
            browser.press(key)
            assert expected is None or step(browser) == expected
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
            for _ in range(browser.run("last")):
                browser.press("ArrowRight")
                owner = browser.run("'P-' + data.steps[state.step].seat")
                shown = browser.run("document.querySelectorAll('#asked details, #told .thought').length")
                assert not shown or owner == seat
            browser.press("Home")


async def test_search_finds_a_text_and_swipes_turn_pages(page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile", 390) as browser:
        browser.open(page)
        browser.run("at('next').click()")
        assert step(browser) == 1
        browser.run("at('search').value = 'onerror'; state.wanted = 'onerror'; find()")
        assert browser.run("texts(state.step).some((text) => text.includes('onerror'))")
        found = step(browser)
        browser.run(f"{SWIPE}(-120)")
        assert step(browser) == found + 1
        browser.run(f"{SWIPE}(120)")
        assert step(browser) == found
        browser.run(f"{SWIPE}(20)")
        assert step(browser) == found


async def test_moves_are_filtered_by_seat_and_by_marks(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "coup", 3, max_turns=8)
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        browser.run("at('of').value = '1'; at('of').dispatchEvent(new Event('change'))")
        shown = browser.run("[...document.querySelectorAll('.move .count')].map((one) => Number(one.textContent))")
        assert shown == browser.run("data.steps.flatMap((step, number) => step.seat === 1 ? [number] : [])")
        browser.run("document.querySelector('.move').click()")
        assert step(browser) == shown[0]
        browser.press("e")
        browser.run("at('of').value = ''; at('marked').checked = true; at('marked').dispatchEvent(new Event('change'))")
        marked = browser.run("[...document.querySelectorAll('.move .count')].map((one) => Number(one.textContent))")
        assert marked
        assert browser.run(f"{marked}.every(isMarked)")
        browser.press("Home")
        browser.press("n")
        assert step(browser) == marked[0]


async def test_a_link_opens_its_decision_and_the_button_copies_it(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "oriflamme", 3)
    with Browser(tmp_path / "profile") as browser:
        browser.do("Page.navigate", url=f"{page.as_uri()}#d7")
        while browser.run("document.readyState") != "complete" or browser.run("location.hash") != "#d7":
            pass
        assert step(browser) == 7
        browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }; at('copy').click()")
        assert browser.run("window.copied") == f"{page.as_uri()}#d7"
        browser.run("navigator.clipboard.writeText = async () => { throw new Error(); }")
        assert (
            browser.do("Runtime.evaluate", expression="copyLink().then(() => at('link').value)", awaitPromise=True)["result"][
                "value"
            ]
            == f"{page.as_uri()}#d7"
        )


async def test_an_address_opens_a_decision_in_a_frame_and_the_title_names_winners_at_the_end(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "coup", 3)
    with Browser(tmp_path / "profile") as browser:
        browser.do("Page.navigate", url=f"{page.as_uri()}?embed&at=4")
        while browser.run("document.readyState") != "complete" or "embed" not in browser.run("location.href"):
            pass
        assert step(browser) == 4
        assert browser.run("getComputedStyle(at('moves')).display") == "none"
        assert browser.run("document.title") == "Coup: 3 × Erring"
        browser.press("End")
        assert browser.run("document.title").endswith(" won")
        assert not complaints(browser)


async def test_help_and_colours_are_one_key_or_click_away(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "cat_in_the_box", 3, "public")
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        browser.press("?")
        assert browser.run("at('help').open")
        browser.press("ArrowRight")
        assert step(browser) == 0
        browser.press("?")
        assert not browser.run("at('help').open")
        for scheme in ("light", "dark", "light dark"):
            browser.run("at('theme').click()")
            assert browser.run("document.documentElement.style.colorScheme") == scheme
        assert browser.run("at('view').hidden")
        assert not complaints(browser)


async def test_a_page_that_plays_shows_what_a_decision_brings_one_event_after_the_other(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "dixiquote", 4, "public", max_rounds=1)
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        votes = browser.run("data.steps.findIndex((step) => step.beats && step.beats[0].length > 3)")
        browser.run(f"go({votes - 1}); state.playing = -1; clearTimeout(state.playing)")
        browser.run(f"go({votes}, true)")
        told = []
        while browser.run("isMidway()"):
            told.append(browser.run("document.querySelectorAll('#told .event').length"))
            assert "win" not in text_of(browser, "result")
            browser.run("state.beat += 1; draw(true)")
        assert told == sorted(told)
        moving = "state.beat = 0, beats().filter(([, , , isMoving]) => isMoving).length"
        frames = browser.run("beats().length")
        assert (moves := browser.run(moving)), "points count"
        browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        assert not browser.run(moving)
        assert browser.run("beats().length") == frames - moves
        browser.run("state.beat = beats().length - 1")
        assert told[0] < browser.run("document.querySelectorAll('#told .event').length")
        browser.press("ArrowLeft")
        assert not browser.run("isMidway()")
        assert not complaints(browser)


@pytest.mark.parametrize("size", [(360, 740), (768, 1024), (1280, 800)])
async def test_a_thought_is_in_the_first_screen_and_the_table_stays_where_it_is(
    size: tuple[int, int], page: Path, tmp_path: Path
) -> None:
    top = "Math.round(at('board').getBoundingClientRect().top)"
    with Browser(tmp_path / "profile", *size) as browser:
        browser.open(page)
        at, seen = browser.run(top), 0
        for _ in range(browser.run("last") - 1):
            browser.press("ArrowRight")
            seen += (found := browser.run("document.querySelector('.thought')?.getBoundingClientRect().top")) is not None
            assert found is None or 0 < found < size[1] - 80
            assert browser.run(top) == at
        assert seen
        folder = Path(os.environ.get("TABLETOP_PICTURES", tmp_path))
        browser.picture(folder / f"thought-{size[0]}.png")
