"""Decisions by touching the table: what is touched stays in view, and what may follow stands beside it: `make campaign`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

import games
from tests.browser.browser import Browser, installed
from tests.browser.test_seat import ASKED, begun
from tests.browser.test_serve import DESK, PHONE, at_table, fits, lobby, until

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]

TOUCHED = """(() => {
  const parts = [...at("board").querySelectorAll(".can")].filter(({ offsetWidth }) => offsetWidth);
  const part = parts[seen.turn.number % parts.length];
  if (!part) return "nothing can be touched";
  part.scrollIntoView({ block: "center", inline: "center" });
  const { left, top, width, height } = part.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 12));
  if (!part.contains(hit)) return `${part.dataset.on} is covered by ${hit?.outerHTML.slice(0, 80)}`;
  hit.click();
  return "";
})()"""
"""Touch an element of the table; what is wrong with that, empty for nothing."""

BESIDE = """(() => {
  const box = at("beside"), part = at("board").querySelector(".touched");
  if (box.hidden || !part) return "nothing is said beside it";
  const said = box.getBoundingClientRect(), on = part.getBoundingClientRect();
  const isBeside = said.top >= on.bottom || said.bottom <= on.top || said.left >= on.right || said.right <= on.left;
  if (!isBeside) return "it is covered";
  if (said.left < 0 || said.right > innerWidth) return "it is cut off";
  return "";
})()"""
"""What is wrong with what stands beside a touched element."""

CHOSEN = """(() => {
  const yes = at("beside").querySelector(".yes");
  (yes || at("beside").querySelector(".choice")).click();
  return yes !== null;
})()"""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Browser]:
    """The lobby of a server, open in a browser."""
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *DESK) as page:
        page.open(address)
        until(lambda: page.run("data !== null"))
        yield page


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("game", games.names())
def test_a_match_is_played_by_touching_the_table(game: str, size: tuple[int, int], host: Browser, tmp_path: Path) -> None:
    page = at_table(host, begun(host, game, "ann=human", "bot:steady", "bot:steady", "bot:steady")["0"], size)
    pictures = Path(os.environ.get("TABLETOP_PICTURES", tmp_path))
    for turn in range(8):
        until(lambda: page.run(f"seen?.over || ({ASKED})"))
        if page.run("seen.over !== null"):
            break
        number = page.run("seen.turn.number")
        if page.run("at('ask').querySelector('textarea') !== null"):
            page.run("at('ask').querySelector('textarea').value = 'A quiet evening'")
            page.run("at('ask').querySelector('form').requestSubmit()")
        else:
            assert page.run(TOUCHED) == ""
            assert page.run(BESIDE) == ""
            page.picture(pictures / f"{game}-{size[0]}-{turn}.png")
            assert fits(page)
            for _ in range(6):
                if page.run(CHOSEN):
                    break
                assert page.run(BESIDE) == ""
        until(lambda number=number: page.run(f"seen.turn === null || seen.turn.number > {number}"))
    assert not [event for event in page.events if event.get("method") == "Runtime.exceptionThrown"]


def test_what_is_beside_an_element_goes_when_the_question_is_decided_elsewhere_which_is_said(host: Browser) -> None:
    link = begun(host, "coup", "ann=human", "bot:steady", "bot:steady")["0"]
    ann, phone = at_table(host, link, DESK), at_table(host, link, PHONE)
    for page in (ann, phone):
        until(lambda page=page: page.run(ASKED))
        assert page.run(TOUCHED) == ""
    number = ann.run("seen.turn.number")
    while not ann.run(CHOSEN):
        pass
    until(lambda: phone.run(f"seen.turn === null || seen.turn.number > {number}"))
    assert "did not count" in phone.run("at('notice').textContent")
    assert phone.run("at('beside').hidden && !document.body.classList.contains('beside')")


def test_back_and_escape_leave_the_table_as_it_was(host: Browser) -> None:
    ann = at_table(host, begun(host, "cat_in_the_box", "ann=human", "bot:steady", "bot:steady")["0"], DESK)
    until(lambda: ann.run(ASKED))
    for leave in ("at('beside').querySelector('.choice:last-child').click()", None):
        assert ann.run(TOUCHED) == ""
        ann.run(leave) if leave else ann.press("Escape")
        assert ann.run("at('beside').hidden && state.path.length === 0 && at('board').querySelector('.touched') === null")
