"""Pages of small matches for browser tests, and what a test reads of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runner.export.page.match_page import match_page
from runner.record.reader import read_log
from runner.screen.seen_review import SeenReview
from tests.browser.browser import Browser
from tests.record.hostile import hostile_log
from tests.record.matches import erring, played
from tests.screen.reviews import written_review


async def game_page(folder: Path, game: str, players: int, view: str = "all", **options: Any) -> Path:
    """The page of a match of bots."""
    await played(folder / "match.jsonl", game, erring(game, players, 0.1), 3, **options)
    page = folder / "page.html"
    page.write_text(match_page(read_log(folder / "match.jsonl"), view), encoding="utf-8")
    return page


async def hostile_page(folder: Path, has_review: bool = False) -> Path:
    """The page of a match full of hostile text."""
    log = read_log(await hostile_log(folder / "match.jsonl"))
    page = folder / "page.html"
    review = SeenReview(log, written_review(log)) if has_review else None
    page.write_text(match_page(log, "all", review, has_thoughts=True), encoding="utf-8")
    return page


def step(browser: Browser) -> int:
    """The decision that the page shows."""
    return int(browser.run("document.body.dataset.step"))


def text_of(browser: Browser, name: str) -> str:
    """The text of an element by its id."""
    return str(browser.run(f"at('{name}').innerText"))


def complaints(browser: Browser) -> list[dict[str, Any]]:
    """The errors that the browser reports: exceptions, and what its policy refused."""
    return [event for event in browser.events if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]
