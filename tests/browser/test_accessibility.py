"""Match pages under axe-core. It is not part of the project: `TABLETOP_AXE=axe.min.js make campaign` runs these tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import games
from tests.browser.browser import Browser, installed
from tests.browser.pages import game_page, hostile_page
from tests.browser.test_serve import PHONE, at_table, begin, lobby, until
from tests.export.galleries import build, make_logs
from tests.record.matches import short

AXE = os.environ.get("TABLETOP_AXE", "")
FINDINGS = """axe.run().then(({ violations }) => violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((one) => `${one.html.slice(0, 160)} ${one.failureSummary}`)}`))"""

pytestmark = pytest.mark.skipif(not (AXE and installed()), reason="TABLETOP_AXE names no axe.min.js, or there is no Chromium")


def findings(browser: Browser) -> list[str]:
    """What axe-core finds on the page, serious and critical findings alone."""
    browser.run(Path(AXE).read_text(encoding="utf-8") + "; undefined")
    found = browser.do("Runtime.evaluate", expression=FINDINGS, awaitPromise=True, returnByValue=True)
    return list(found["result"]["value"])


@pytest.mark.parametrize("width", [390, 800, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", [*games.names(), "hostile"])
async def test_nothing_serious_is_found(game: str, scheme: str, width: int, tmp_path: Path) -> None:
    page = await (hostile_page(tmp_path, True) if game == "hostile" else game_page(tmp_path, game, 4, **short(game)))
    with Browser(tmp_path / "profile", width) as browser:
        browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.open(page)
        assert findings(browser) == []
        browser.press("e")
        for share in (0.3, 0.7, 1):
            browser.run(f"go(Math.round(last * {share}))")
            assert findings(browser) == []


@pytest.mark.parametrize("width", [390, 800, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_is_found_in_a_gallery(scheme: str, width: int, tmp_path: Path) -> None:
    build(make_logs(tmp_path / "logs"), tmp_path / "site")
    with Browser(tmp_path / "profile", width) as browser:
        browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for name in ("index.html", "standings.html", next((tmp_path / "site" / "players").glob("*.html"))):
            browser.open(tmp_path / "site" / name)
            assert findings(browser) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_nothing_serious_is_found_in_the_lobby_and_at_a_table(scheme: str, size: tuple[int, int], tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "profile", *size) as host:
        host.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        host.open(address)
        table = begin(host, "coup")
        assert findings(host) == []
        for seat in table["seats"][:2]:
            page = at_table(host, f"{address.partition('/h/')[0]}/t/{seat['link']}", size)
            page.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            until(lambda page=page: page.run("seen !== null"))
            assert findings(page) == []
