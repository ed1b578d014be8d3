"""Guess along, the board and the search of a match page in a real browser: `make campaign` runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runner.export.page.match_page import match_page
from runner.record.reader import read_log
from runner.screen.seen_review import SeenReview
from tests.browser.browser import Browser, installed
from tests.browser.pages import complaints, game_page, step, text_of
from tests.record.matches import SMALL, erring, played
from tests.screen.reviews import written_review

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]


@contextmanager
def opened(page: Path) -> Iterator[Browser]:
    """A browser that shows a page."""
    with Browser(page.parent / "profile") as browser:
        browser.open(page)
        yield browser


async def reviewed_page(folder: Path) -> Path:
    await played(folder / "match.jsonl", "coup", erring("coup", 3, 0.0), 3, max_turns=8)
    log, page = read_log(folder / "match.jsonl"), folder / "page.html"
    page.write_text(match_page(log, "all", SeenReview(log, written_review(log))), encoding="utf-8")
    return page


async def test_a_guess_comes_before_the_answer_and_is_graded(tmp_path: Path) -> None:
    page = await reviewed_page(tmp_path)
    with opened(page) as browser:
        browser.press("g")
        browser.press("ArrowRight")
        assert step(browser) == 0
        assert "What would you do as Erring 2?" in text_of(browser, "guessing")
        assert browser.run("[...document.querySelectorAll('.choices button')].map((one) => one.textContent)") == browser.run(
            "choicesOf(1)"
        )
        hidden = browser.run("document.querySelectorAll('#board .player.s2 .card.back').length")
        assert hidden == 2
        browser.run("document.querySelectorAll('.choices button')[choicesOf(1).indexOf(review().grades[1].better[0])].click()")
        assert step(browser) == 1
        assert "1" in text_of(browser, "guessing")
        assert "est found" in text_of(browser, "guessing") or "the same" in text_of(browser, "guessing")
        assert not complaints(browser)


async def test_a_mistake_is_tried_again_with_the_ending_hidden(tmp_path: Path) -> None:
    page = await reviewed_page(tmp_path)
    with opened(page) as browser:
        browser.press("End")
        browser.press("e")
        number = browser.run("(() => { go(0); toNext(1, isFault); return state.step; })()")
        browser.run("document.querySelector('.retry').click()")
        assert step(browser) == number - 1
        assert browser.run("state.blind")
        assert text_of(browser, "result") == ""
        assert browser.run("getComputedStyle(at('grade')).display") == "none"
        browser.run("document.querySelector('.skip').click()")
        assert step(browser) == number
        assert not complaints(browser)


async def test_a_page_of_one_seat_asks_for_its_own_decisions_alone(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "coup", 3, "P-1", max_turns=6)
    with opened(page) as browser:
        asked = browser.run("data.steps.flatMap(({ seat }, number) => choicesOf(number).length ? [seat] : [])")
        assert asked
        assert set(asked) == {1}


async def test_hands_of_words_are_folded_and_stay_as_they_are_put(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "dixiquote", 4, **SMALL)
    with Browser(tmp_path / "profile", 390) as browser:
        browser.open(page)
        hands = "[...document.querySelectorAll('#board details.held')].map((hand) => hand.open)"
        browser.run(f"while ({hands}.length < 3) go(state.step + 1)")
        folded = browser.run(hands)
        assert not any(folded)
        browser.run("document.querySelector('#board .held summary').click()")
        browser.run("draw()")
        assert browser.run(hands) == [True] * len(folded)


async def test_a_queue_is_one_line(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "oriflamme", 4)
    with Browser(tmp_path / "profile", 1280) as browser:
        browser.open(page)
        browser.run("go(Math.round(last / 2))")
        tops = browser.run("[...document.querySelectorAll('#board .scene > .queue > li:not(.gap)')].map((li) => li.offsetTop)")
        assert len(tops) > 3
        assert len(set(tops)) == 1


@pytest.mark.parametrize("width", [360, 390, 1280])
async def test_a_table_of_facts_fits_its_window(width: int, tmp_path: Path) -> None:
    page = await game_page(tmp_path, "oriflamme", 5)
    wide = "[...document.querySelectorAll('.panel')].filter((one) => one.scrollWidth > one.clientWidth).length"
    with Browser(tmp_path / "profile", width, 740) as browser:
        browser.open(page)
        browser.run("go(last)")
        assert browser.run("document.querySelectorAll('.panel .fact').length") > 3
        assert browser.run(wide) == 0


async def test_a_search_counts_its_hits_and_says_when_there_are_none(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "coup", 3, max_turns=6)
    with opened(page) as browser:
        for wanted, says in (("turn", "2 of "), ("zyxw", "not found")):
            browser.run(f"state.wanted = '{wanted}'; find()")
            assert text_of(browser, "hits").startswith(says)


async def test_what_moves_stands_still_for_readers_who_want_that(tmp_path: Path) -> None:
    page = await game_page(tmp_path, "coup", 3, max_turns=6)
    for wish, expected in (("reduce", False), ("no-preference", True)):
        with Browser(tmp_path / wish) as browser:
            browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": wish}])
            browser.open(page)
            count = "count += document.getAnimations().length"
            moved = f"(() => {{ let count = 0; while (state.step < last) {{ go(state.step + 1); {count}; }} return count; }})()"
            assert (browser.run(moved) > 0) == expected
