"""Pages under axe-core. It is not part of the project: `TABLETOP_AXE=axe.min.js make campaign` runs these tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import games
from runner.export.pages import rules_page
from tests.browser.browser import Browser, installed
from tests.browser.pages import game_page, hostile_page
from tests.browser.test_seat import begun
from tests.browser.test_serve import DESK, PHONE, at_table, lobby, until
from tests.export.galleries import build, make_logs
from tests.record.matches import short

AXE = os.environ.get("TABLETOP_AXE", "")
FINDINGS = """axe.run().then(({ violations }) => violations
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((one) => `${one.html.slice(0, 160)} ${one.failureSummary}`)}`))"""
SEEN = pytest.mark.parametrize(
    ("size", "scheme"), [(size, scheme) for size in (PHONE, DESK) for scheme in ("light", "dark")], ids=lambda of: str(of)
)
"""The windows and colours in which pages are looked at."""

pytestmark = pytest.mark.skipif(not (AXE and installed()), reason="TABLETOP_AXE names no axe.min.js, or there is no Chromium")


def findings(browser: Browser) -> list[str]:
    """What axe-core finds on the page."""
    browser.run(Path(AXE).read_text(encoding="utf-8") + "; undefined")
    found = browser.do("Runtime.evaluate", expression=FINDINGS, awaitPromise=True, returnByValue=True)
    return list(found["result"]["value"])


def coloured(page: Browser, scheme: str) -> Browser:
    """A page in the colours of a scheme, on which nothing moves."""
    media = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    page.do("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in media.items()])
    return page


@SEEN
@pytest.mark.parametrize("game", [*games.names(), "hostile"])
async def test_nothing_is_found_in_the_page_of_a_match(game: str, size: tuple[int, int], scheme: str, tmp_path: Path) -> None:
    page = await (hostile_page(tmp_path, True) if game == "hostile" else game_page(tmp_path, game, 4, **short(game)))
    with Browser(tmp_path / "profile", *size) as browser:
        coloured(browser, scheme).open(page)
        assert findings(browser) == []
        browser.run("guessAlong(), go(2), go(3)")
        assert findings(browser) == []
        browser.run("guessAlong()")
        browser.press("e")
        for share in (0.3, 0.7, 1):
            browser.run(f"go(Math.round(last * {share}))")
            assert findings(browser) == []


@SEEN
def test_nothing_is_found_in_a_gallery_and_in_rules(size: tuple[int, int], scheme: str, tmp_path: Path) -> None:
    build(make_logs(tmp_path / "logs"), tmp_path / "site")
    rules = [tmp_path / f"{name}.html" for name in games.names()]
    for file in rules:
        file.write_text(rules_page(games.load(file.stem)), encoding="utf-8")
    site = [tmp_path / "site" / name for name in ("index.html", "standings.html")]
    with Browser(tmp_path / "profile", *size) as browser:
        for page in (*site, *(tmp_path / "site" / "players").glob("*.html"), *rules):
            coloured(browser, scheme).open(page)
            assert findings(browser) == [], page.name


@SEEN
def test_nothing_is_found_in_the_lobby_and_at_tables(size: tuple[int, int], scheme: str, tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "profile", *size) as host:
        coloured(host, scheme).open(address)
        until(lambda: host.run("data !== null"))
        for game in games.names():
            seats = ("ann=human", "bob=human", "bot:steady", "offline")
            links = begun(host, game, *seats, talk=True, rules={"seconds": 600})
            over = begun(host, game, *["bot:steady"] * 3)
            for link, holds in (
                *((links[seat], "seen !== null") for seat in ("0", "watch")),
                (over["watch"], "seen?.over && !at('turn').hidden"),
            ):
                page = coloured(at_table(host, link, size), scheme)
                until(lambda page=page, holds=holds: page.run(holds))
                assert findings(page) == [], game
                page.leave()
        sitting = coloured(
            at_table(host, begun(host, "coup", "human", "bot:steady", rules={"gathers": True})["0"], size), scheme
        )
        until(lambda: sitting.run("!at('sitting').hidden"))
        assert findings(sitting) == []
        host.open(address)
        until(lambda: host.run("data !== null && data.tables.length && data.over.length"))
        assert findings(host) == []
