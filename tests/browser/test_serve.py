"""`tabletop serve` in a real browser, two people and two models at a table, and a spectator: `make campaign` runs it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import games
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.browser.browser import Browser, installed
from tests.cli.command import environment
from tests.patience import PATIENCE

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]

PHONE, DESK = (360, 740), (1280, 800)
CODES = [
    (
        "http://192.168.1.20:8420/t/aaaabbbbccccddddeeeeffffgggghhhh",
        33,
        "477c714f9e8925480e2b4fce7109e8abb537c6997cf4975897233cb495eaccc8",
    ),
    ("x" * 213, 57, "f673820bb5ccd3f0f6035d879c98fa30d6d1f03153cace0b9a23da4e0a681a53"),
]
"""Texts, and the size and the SHA-256 of the modules of their codes, which the Python package qrcode draws alike."""

STEP = """(() => {
  if (seen === null) return "nothing";
  if (seen.over) return "over";
  if (!seen.turn || at("turn").hidden || state.sent === seen.turn.number) return "waits";
  const form = at("turn").querySelector("form");
  if (form) { form.querySelector("textarea").value = "A quiet evening by the sea."; form.requestSubmit(); return "wrote"; }
  const yes = at("turn").querySelector(".yes"), choices = at("turn").querySelectorAll("button.choice:has(kbd)");
  (yes || choices[seen.turn.number % choices.length]).click();
  return yes ? "decided" : "chose";
})()"""
"""What a person does who takes any choice; a page's own words for where it stands."""


class Served(str):
    """The address of a lobby, with the process that serves it."""

    process: int


@contextmanager
def lobby(folder: Path) -> Iterator[Served]:
    """The lobby of a server on a free port, which is stopped in the end."""
    words = [sys.executable, "-m", "runner", "serve", "logs", "--port", "0"]
    process = subprocess.Popen(
        words, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        served = Served(process.stdout.readline().split()[1])
        served.process = process.pid
        yield served
    finally:
        process.terminate()
        process.communicate()


def until(holds: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end
    return found


def begin(host: Browser, game: str) -> dict[str, Any]:
    """Begin a match by the form of the lobby: its links."""
    until(lambda: host.run("data !== null"))
    host.run(f"""(() => {{ document.querySelector('[name=game][value={game}]').click();
      state.seats = ["link", "link", "offline", "offline"]; state.names = ["ann", "Bob"]; drawSeats();
      at("gathers").checked = false;
      at("new").requestSubmit(); }})()""")
    until(lambda: host.run("data.tables.length"))
    return dict(json.loads(host.run("JSON.stringify(data.tables[0])")))


def at_table(host: Browser, address: str, size: tuple[int, int]) -> Browser:
    """Somebody else at the address of a table, who sees everything at once."""
    page = host.somebody_else(*size)
    page.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    page.open(address)
    return page


def fits(page: Browser) -> bool:
    return bool(page.run("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("game", ["coup", "dixiquote"])
def test_two_people_two_models_and_a_spectator_see_a_match_to_its_end(game: str, tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *DESK) as host:
        host.open(address)
        table, base = begin(host, game), address.partition("/h/")[0]
        links = [f"{base}/t/{seat['link']}" for seat in table["seats"] if seat["link"]]
        ann, bob, watcher = (
            at_table(host, link, size)
            for link, size in zip((*links, f"{base}/t/{table['watch']}"), (PHONE, DESK, DESK), strict=True)
        )
        decided, offline = 0, False

        def step() -> bool:
            nonlocal ann, decided, offline
            done = [page.run(STEP) for page in (ann, bob)]
            decided += sum(one in ("decided", "wrote") for one in done)
            if decided == 3:
                ann.do("Page.reload")
                decided += 1
            elif decided == 6 and not offline:
                offline = True
                ann.do("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
                ann.run(STEP)
                ann.do("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
                decided += 1
            elif decided == 9:
                ann.leave()
                ann = at_table(host, links[0], PHONE)  # another device
                decided += 1
            return done == ["over", "over"]

        until(step)
        until(lambda: watcher.run("seen.over !== null"))
        assert fits(ann)
        assert fits(bob)
        ends = {page.run("at('turn').querySelector('h2').textContent") for page in (ann, bob, watcher)}
        assert len(ends) == 1
        assert ann.run("document.querySelectorAll('.card.back').length") == 0
        wrong = [event for event in host.events if event.get("method") == "Runtime.exceptionThrown"]
        assert not wrong, wrong[0]
    log = read_log(next((tmp_path / "logs").glob("*.jsonl")))
    verify(log)
    assert log.result is not None


def test_a_seat_is_played_by_keys_alone_and_nothing_moves_sideways_on_a_phone(tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *PHONE) as host:
        host.open(address)
        table, base = begin(host, "oriflamme"), address.partition("/h/")[0]
        assert fits(host)
        links = [f"{base}/t/{seat['link']}" for seat in table["seats"] if seat["link"]]
        people = [at_table(host, link, PHONE) for link in links]

        def asked() -> Browser | None:
            return next(
                (page for page in people if page.run("seen !== null && seen.turn !== null && !at('turn').hidden")), None
            )

        for _ in range(3):
            page = until(asked)
            number = page.run("seen.turn.number")
            assert fits(page)
            for _ in range(10):
                page.press("Enter" if page.run("at('turn').querySelector('.yes') !== null") else "1")
                if page.run("state.sent === seen.turn?.number || at('turn').hidden"):
                    break
            until(lambda page=page, number=number: page.run(f"seen.turn === null || seen.turn.number > {number}"))


def seat_all(host: Browser, game: str, words: str) -> None:
    """Choose a game and one of its ready tables."""
    host.run(f"""document.querySelector('[name=game][value={game}]').click();
      [...document.querySelectorAll('#ready button')].find((one) => one.textContent === '{words}').click()""")


def said(page: Browser) -> str:
    return str(page.run("document.getElementById('said')?.textContent ?? ''"))


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_lobby_says_beside_the_button_what_is_wrong_until_it_is_right(size: tuple[int, int], tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *size) as host:
        host.open(address)
        until(lambda: host.run("data !== null"))
        assert host.run("[...document.querySelectorAll('#games .picture')].every((one) => one.childElementCount > 4)")
        assert host.run("document.querySelectorAll('#games .picture').length") == len(games.names())
        host.picture(Path(os.environ.get("TABLETOP_PICTURES", tmp_path)) / f"lobby-{size[0]}.png")
        seat_all(host, "coup", "You, a friend and two bots")
        host.run("""for (const name of document.querySelectorAll('#sit li:nth-child(-n+2) [placeholder=name]'))
            { name.value = 'Ann'; name.dispatchEvent(new Event('input', { bubbles: true })); }""")
        assert host.run("document.activeElement.id") == "begin"
        host.run("at('begin').click()")
        assert "Two players are called" in until(lambda: said(host))
        where = host.run("(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(at('said').getBoundingClientRect())")
        assert where, "the sentence is in view"
        assert host.run("at('said').parentElement === at('begin').parentElement")
        host.run("""(() => { const name = document.querySelectorAll('#sit [placeholder=name]')[1];
          name.value = 'Bob'; name.dispatchEvent(new Event('input', { bubbles: true })); })()""")
        assert said(host) == ""
        assert fits(host)


def test_the_lobby_forgets_that_the_server_did_not_answer_when_it_does(tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *PHONE) as host:
        host.open(address)
        until(lambda: host.run("data !== null"))
        off = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        host.do("Network.emulateNetworkConditions", offline=True, **off)
        host.run("at('begin').click()")
        until(lambda: "did not get this" in said(host))
        assert "does not answer" in host.run("at('notice').textContent")
        host.do("Network.emulateNetworkConditions", offline=False, **off)
        host.run("refresh()")
        assert host.run("at('notice').textContent") == ""
        assert said(host) == ""


def test_a_link_is_shown_as_a_code_where_a_phone_can_reach_it(tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *PHONE) as host:
        host.open(address)
        begin(host, "coup")
        codes = "document.querySelector('.linked .shows').click(), document.querySelectorAll('svg.code').length"
        assert host.run(codes) == 0
        assert "No phone reaches this address" in said(host)
        host.run("isAlone = () => false")
        assert host.run(codes) == 1
        assert host.run("document.querySelector('.shows').getAttribute('aria-expanded')") == "true"
        assert fits(host)
        host.picture(Path(os.environ.get("TABLETOP_PICTURES", tmp_path)) / "code.png")
        host.run("state.shown = ''; undefined")
        host.run("refresh()")
        assert host.run("document.querySelectorAll('svg.code').length") == 1, "it stays when the lobby is drawn again"
        assert host.run(codes) == 0


@pytest.mark.parametrize(("text", "size", "digest"), CODES)
def test_a_code_is_that_of_another_encoder(text: str, size: int, digest: str, tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *PHONE) as host:
        host.open(address)
        until(lambda: host.run("data !== null"))
        rows = host.run(f"qr({json.dumps(text)}).map((row) => row.map(Number).join(''))")
        assert len(rows) == size
        assert hashlib.sha256("".join(rows).encode()).hexdigest() == digest
        assert host.run("qr('x'.repeat(214))") is None


def test_a_match_that_has_ended_leaves_the_tables_with_its_winner_and_its_page(tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *PHONE) as host:
        host.open(address)
        until(lambda: host.run("data !== null"))
        seat_all(host, "cat_in_the_box", "Three bots, to watch")
        host.run("at('begin').click()")
        until(lambda: host.run("refresh().then(() => data.over.length)"))
        assert host.run("document.querySelectorAll('#tables .panel').length") == 0
        words = host.run("at('over').textContent")
        assert words.startswith("Cat in the Box · ")
        assert "won by P-" in words
        assert "Copy link" not in words
        assert fits(host)
        host.open(address.partition("/h/")[0] + host.run("document.querySelector('#over a').getAttribute('href')"))
        until(lambda: host.run("document.title.startsWith('Cat in the Box')"))


def test_after_a_restart_a_link_shows_its_match_and_the_gallery_works_without_an_origin(tmp_path: Path) -> None:
    played = subprocess.run(
        [sys.executable, "-c", _PLAYED], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    begun = json.loads(played.stdout)
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *PHONE) as host:
        base = address.partition("/h/")[0]
        host.open(f"{base}/t/{begun['seats']['0']}")
        until(lambda: host.run("at('page').clientHeight > 400"))
        assert fits(host)
        host.run("at('again').click()")
        until(lambda: host.run("location.pathname.startsWith('/t/') && typeof seen !== 'undefined' && seen !== null"))
        page = host.somebody_else(*DESK)
        page.open(f"{base}/t/{begun['watch']}/page")
        until(lambda: page.run("document.querySelector('main') !== null && document.title.startsWith('Coup')"))
        assert page.run("origin") == "null"
        page.open(f"{address}/site/index.html")
        until(lambda: page.run("document.querySelectorAll('td a').length"))
        assert until(lambda: page.run("[...document.images].every((one) => one.naturalWidth > 0) && document.images.length"))
        page.run("document.querySelector('td a').click()")
        until(lambda: page.run("document.title.startsWith('Coup') && document.querySelector('main') !== null"))
        wrong = [event for event in page.events if event.get("method") == "Runtime.exceptionThrown"]
        assert not wrong, wrong[0]


_PLAYED = """
import asyncio, json
from pathlib import Path
from tests.serve.webs import web
async def main():
    async with web(Path("logs")) as server:
        begun = await server.begin("coup", "ann=human", "bot:steady", "bot:steady")
        await server.viewer(begun["seats"]["0"]).play()
        print(json.dumps(begun))
asyncio.run(main())
"""
"""A match that a person of a browser has played."""


NARROW, LARGE = (390, 844), (1920, 1080)
SIZES = (PHONE, NARROW, DESK, LARGE)
PEOPLE = """{ state.seats = ["you", "link", "bot:steady"]; drawSeats(); at("new").requestSubmit(); }"""


def shots(page: Browser, name: str, tmp_path: Path) -> None:
    """Pictures of a page in the sizes and colours that people have, where they are asked for."""
    folder = Path(os.environ.get("TABLETOP_PICTURES", tmp_path))
    for width, height in SIZES:
        page.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        for colours in ("light", "dark"):
            page.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
            page.picture(folder / f"{name}-{width}-{colours}.png")
            assert fits(page), (name, width)


def test_people_sit_down_under_their_own_names_and_are_asked_once(tmp_path: Path) -> None:
    with lobby(tmp_path) as address, Browser(tmp_path / "browser", *PHONE) as host:
        host.open(address)
        until(lambda: host.run("data !== null"))
        host.run(PEOPLE)
        until(lambda: host.run("location.pathname.startsWith('/t/') && !at('sitting').hidden"))
        assert host.run("document.activeElement.id") == "called"
        host.run("at('called').value = 'Ann'; at('consent').checked = true; at('sit-down').requestSubmit()")
        until(lambda: host.run("at('sitters').textContent.includes('Ann sits here')"))
        shots(host, "sit-down", tmp_path)
        other = host.another_tab()
        other.open(address)
        until(lambda: other.run("data !== null && data.tables.length"))
        shots(other, "lobby-gathers", tmp_path)
        other.run("document.querySelectorAll('#tables details')[1].open = true")
        link = other.run("data.tables[0].seats[1].link")
        friend = at_table(host, f"{address.partition('/h/')[0]}/t/{link}", DESK)
        until(lambda: friend.run("!at('sitting').hidden"))
        friend.run("at('called').value = '<b>'; at('sit-down').requestSubmit()")
        until(lambda: "cannot be called" in friend.run("at('notice').textContent"))
        friend.run("at('called').value = 'Bob'; at('sit-down').requestSubmit()")
        for page in (host, friend):
            until(lambda page=page: page.run("seen !== null && at('sitting').hidden"))
            assert page.run("seen.seats.map(({ name }) => name)")[:2] == ["Ann", "Bob"]
        other.open(address)
        until(lambda: other.run("data !== null && data.tables.length"))
        other.run(PEOPLE)
        until(lambda: other.run("location.pathname.startsWith('/t/') && !at('sitting').hidden"))
        assert other.run("[at('called').value, at('consent').checked, document.activeElement.textContent]") == [
            *("Ann", True, "Sit down")
        ]
        wrong = [event for event in host.events if event.get("method") == "Runtime.exceptionThrown"]
        assert not wrong, wrong[0]
