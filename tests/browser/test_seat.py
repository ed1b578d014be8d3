"""A seat in a real browser: its panel, its keys, and what the others do meanwhile: `make campaign` runs it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import games
from tests.browser.browser import Browser, installed
from tests.browser.test_serve import DESK, PHONE, Served, at_table, fits, lobby, until

pytestmark = [
    pytest.mark.skipif("TABLETOP_CAMPAIGN" not in os.environ, reason="a browser takes long: make campaign"),
    pytest.mark.skipif(installed() is None, reason="no Chromium is installed"),
]

ASKED = "seen !== null && seen.turn !== null && !at('turn').hidden && at('ask').childElementCount > 0"
TO_THE_LAST_STEP = "at('ask').querySelector('.yes') !== null || (at('ask').querySelector('.choice')?.click(), false)"

UNCOVERED = """(() => {
  const picked = at("ask").querySelector("textarea") && at("board").querySelector(".picked");
  const subject = picked || at("board").querySelector(":is(.quote, .current):not(.past, .past ~ *, .past ~ * *)");
  if (!subject) return true;
  const { top, bottom, left, right } = subject.getBoundingClientRect(), panel = at("turn").getBoundingClientRect();
  return top >= 0 && left >= 0 && right <= innerWidth && (bottom <= panel.top + 1 || right <= panel.left + 1);
})()"""
"""Whether what the question is about can be seen."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server."""
    with lobby(tmp_path) as served:
        yield served


@pytest.fixture
def stopped(server: Served) -> Callable[[], AbstractContextManager[None]]:
    """Has the server hang for a while, as a network that loses everything."""

    @contextmanager
    def hanging() -> Iterator[None]:
        os.kill(server.process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(server.process, signal.SIGCONT)

    return hanging


@pytest.fixture
def host(tmp_path: Path, server: Served) -> Iterator[Browser]:
    """The lobby of a server, open in a browser."""
    with Browser(tmp_path / "browser", *DESK) as page:
        page.open(server)
        until(lambda: page.run("data !== null"))
        yield page


def begun(host: Browser, game: str, *seats: str, rules: dict[str, Any] | None = None, **match: Any) -> dict[str, str]:
    """Begin a match from the lobby: the addresses of its seats by number, and `watch`."""
    body = {"match": {"game": game, "seats": list(seats), "seed": 5, **match}, "rules": rules or {}}
    found = host.run(f"ask('tables', {json.dumps(body)}).then(JSON.stringify)")
    links = json.loads(found)
    base = host.run("location.origin")
    return {seat: f"{base}/t/{link}" for seat, link in {**links["seats"], "watch": links["watch"]}.items()}


@pytest.mark.parametrize("size", [DESK, (1920, 1080)])
def test_the_question_beside_the_table_never_covers_the_story(size: tuple[int, int], host: Browser) -> None:
    page = at_table(host, begun(host, "oriflamme", "human", *["bot:steady"] * 3)["0"], size)
    until(lambda: page.run(ASKED))
    covered = "at('turn').getBoundingClientRect().bottom > at('now').getBoundingClientRect().top"
    for place in (0, 150, 400, 5000):
        page.run(f"scrollTo(0, {place})")
        assert not page.run(covered)
        assert page.run("at('turn').getBoundingClientRect().top") >= 0
        assert page.run("at('side').getBoundingClientRect().bottom <= innerHeight")


def typed(page: Browser, words: str) -> None:
    for letter in words:
        page.press(letter)


def answered(page: Browser) -> None:
    """Take the first choice, step by step, and see it count."""
    number = page.run("seen.turn.number")
    until(lambda: page.run(TO_THE_LAST_STEP))
    page.run("at('ask').querySelector('.yes').click()")
    until(lambda: page.run(f"seen.turn === null || seen.turn.number > {number}"))


def test_what_somebody_types_stays_whatever_others_do_and_its_digits_choose_nothing(host: Browser) -> None:
    links = begun(host, "dixiquote", "ann=human", "bob=human", "cat=human", talk=True)
    people = [at_table(host, links[seat], DESK) for seat in "012"]
    teller = until(lambda: next((one for one in people if one.run(ASKED)), None))
    answered(teller)
    until(lambda: teller.run(f"({ASKED}) && at('ask').querySelector('textarea') !== null"))
    teller.run("at('ask').querySelector('textarea').value = 'A quiet evening'; at('ask').querySelector('form').requestSubmit()")
    ann, bob = (one for one in people if one is not teller)
    for one in (ann, bob):
        until(lambda one=one: one.run(ASKED))
    ann.run("at('say').focus()")
    typed(ann, "I like number")
    version = ann.run("seen.version")
    answered(bob)
    until(lambda: ann.run(f"seen.version > {version}"))
    typed(ann, " 2")
    assert ann.run("at('say').value") == "I like number 2"
    assert ann.run("document.activeElement.id") == "say"
    assert ann.run("state.path.length") == 0


def test_after_a_step_the_focus_is_on_the_next_one_which_is_heard(host: Browser) -> None:
    ann = at_table(host, begun(host, "coup", "ann=human", "bot:steady", "bot:steady")["0"], DESK)
    until(lambda: ann.run(ASKED))
    ann.run("at('theme').focus()")
    ann.press("1")
    assert ann.run("state.path.length") == 0, "digits choose only when nothing else has the focus"
    ann.run("document.activeElement.blur()")
    ann.press("1")
    assert ann.run("state.path.length") > 0
    ann.run("back(); [...at('ask').querySelectorAll('.choice')].find((one) => one.textContent.includes('Income')).focus()")
    ann.run("document.activeElement.click()")
    assert ann.run("document.activeElement.textContent") == "Do it"
    assert "Income" in ann.run("at('heard').textContent")


def test_after_an_answer_the_next_question_has_the_focus_and_is_heard_and_nothing_is_chosen_by_a_space(host: Browser) -> None:
    ann = at_table(host, begun(host, "cat_in_the_box", "ann=human", "bot:steady", "bot:steady")["0"], DESK)
    until(lambda: ann.run(ASKED))
    number = ann.run("seen.turn.number")
    ann.press("1")
    ann.press("Enter")
    until(lambda: ann.run(f"({ASKED}) && seen.turn.number > {number}"))
    assert ann.run("document.activeElement.matches('#ask h2')")
    assert ann.run("document.activeElement.textContent") in ann.run("at('heard').textContent")
    assert ann.run("at('heard').closest('[hidden]') === null && !at('turn').contains(at('heard'))"), "it is there before"
    ann.press(" ")
    assert ann.run("state.path.length") == 0
    ann.run("at('theme').focus()")
    answered(ann)
    until(lambda: ann.run(f"seen.turn === null || seen.turn.number > {number}"))
    assert ann.run("document.activeElement.id") == "theme", "the focus is taken from nothing else"


def test_an_answer_under_way_is_shown_and_one_that_comes_too_late_is_told(host: Browser) -> None:
    links = begun(host, "coup", "ann=human", "bot:steady", "bot:steady")
    ann, phone = at_table(host, links["0"], DESK), at_table(host, links["0"], DESK)
    for page in (ann, phone):
        until(lambda page=page: page.run(ASKED))
        page.run("take = () => {}") if page is phone else None
    answered(ann)
    until(lambda: phone.run(TO_THE_LAST_STEP))
    assert phone.run("at('ask').querySelector('.yes').click(), at('ask').querySelector('.yes').textContent") == "Sending …"
    until(lambda: "did not count" in phone.run("at('notice').textContent"))
    assert phone.run("at('ask').querySelector('.yes').textContent") == "Do it"


def test_seven_tabs_of_one_browser_have_one_connection_and_all_work(host: Browser) -> None:
    links = [begun(host, "coup", "ann=human", "bot:steady", "bot:steady")["0"] for _ in range(7)]
    tabs = [host.another_tab() for _ in links]
    for tab, link in zip(tabs, links, strict=True):
        tab.open(link)
    for tab in tabs:
        until(lambda tab=tab: tab.run(ASKED))
        answered(tab)
    host.open(links[0])
    until(lambda: host.run("seen !== null"))


def test_a_silent_server_is_noticed_and_the_page_comes_back_by_itself(
    host: Browser, stopped: Callable[[], AbstractContextManager[None]]
) -> None:
    ann = at_table(host, begun(host, "coup", "ann=human", "bot:steady", "bot:steady")["0"], DESK)
    until(lambda: ann.run(ASKED))
    with stopped():
        until(lambda: ann.run("document.body.classList.contains('lost')"))
        assert "connection is lost" in ann.run("at('notice').textContent")
    until(lambda: not ann.run("document.body.classList.contains('lost')"))
    assert ann.run("at('notice').textContent") == ""
    answered(ann)


def test_a_question_is_at_most_two_seconds_behind_and_the_match_is_looked_back_on_meanwhile(host: Browser) -> None:
    ann = host.somebody_else(*DESK)
    ann.open(begun(host, "coup", "ann=human", "bot:steady", "bot:steady", "bot:steady", rules={"seconds": 600})["0"])
    until(lambda: ann.run(ASKED))
    assert (
        ann.run("at('clock').textContent").startswith("You have 9:") or ann.run("at('clock').textContent") == "You have 10:00."
    )
    for _ in range(4):
        answered(ann)
        if ann.run("seen.over !== null"):
            break
        until(lambda: ann.run("seen.turn !== null || seen.over !== null"))
        assert ann.run("state.due - performance.now() <= 2000"), "what is played has an end"
        until(lambda: ann.run(f"seen.over !== null || ({ASKED})"))
    ann.run("at('frame').value = 0; at('frame').dispatchEvent(new Event('input'))")
    assert ann.run("state.shown") == 0
    assert ann.run("at('skip').textContent") == "Live"
    ann.run("at('skip').click()")
    assert ann.run("state.shown === null && data === seen")


def test_a_person_who_looks_elsewhere_is_called_when_it_is_their_turn(host: Browser) -> None:
    ann = at_table(host, begun(host, "coup", "ann=human", "bot:steady", "bot:steady")["0"], DESK)
    until(lambda: ann.run(ASKED))
    ann.run("""(() => { globalThis.called = [];
      globalThis.Notification = class {
        static permission = "granted";
        constructor(...facts) { called.push(facts); }
        addEventListener() {}
      };
      Object.defineProperty(document, "hidden", { get: () => true }); })()""")
    ann.run("callPerson('Pass?')")
    assert ann.run("called.length") == 0, "nobody is called who has not asked for it"
    ann.run("at('sound').click(); callPerson('Pass?')")
    assert ann.run("called[0][0]") == "Coup: your turn"
    assert ann.run("called[0][1].body") == "Pass?"


@pytest.mark.parametrize("is_calm", [False, True])
def test_a_reaction_by_keys_stands_for_a_moment_beside_the_name_of_its_sender(is_calm: bool, host: Browser) -> None:
    links = begun(host, "coup", "ann=human", "bot:steady", "bot:steady")
    ann, watcher = at_table(host, links["0"], DESK), at_table(host, links["watch"], PHONE)
    calm = [{"name": "prefers-reduced-motion", "value": "reduce" if is_calm else "no-preference"}]
    for page in (ann, watcher):
        page.do("Emulation.setEmulatedMedia", features=calm)
        until(lambda page=page: page.run("seen !== null && seen.watching === 1 && at('players').childElementCount === 4"))
    watcher.run("""globalThis.moved = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        moved += this.matches(".reaction");
        return animate.apply(this, how);
      };""")
    ann.run("at('reactions').querySelector('button').focus()")
    ann.press(" ")
    shown = "[...at('players').children].map((one) => one.querySelector('.reaction')?.textContent ?? '')"
    for page in (ann, watcher):
        until(lambda page=page: page.run(shown) == ["Bravo!", "", "", ""])
    assert watcher.run("moved") == (0 if is_calm else 1)
    watcher.run("at('reactions').querySelectorAll('button')[1].click()")
    until(lambda: ann.run(shown) == ["Bravo!", "", "", "Ha ha!"])
    until(lambda: ann.run(shown) == [""] * 4)
    assert fits(watcher)


def test_a_table_can_be_installed_where_it_begins_and_its_spectators_are_counted(host: Browser) -> None:
    links = begun(host, "coup", "ann=human", "bot:steady", "bot:steady")
    ann, watchers = host.another_tab(), [at_table(host, links["watch"], PHONE) for _ in range(2)]
    ann.open(links["0"])
    assert ann.do("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert ann.run("""fetch(document.querySelector("link[rel=manifest]").href).then((found) => found.json())
      .then(({ start_url }) => fetch(new URL(start_url, `${location.href}/app.json`)))
      .then((found) => found.ok && found.url.replace(/\\/$/, "") === location.href)""")
    for count in (2, 1):
        until(lambda count=count: ann.run("at('players').lastElementChild?.textContent") == f"{count} watching")
        watchers.pop().leave()


def test_a_long_name_makes_no_phone_scroll_sideways(host: Browser) -> None:
    links = begun(host, "cat_in_the_box", f"{'W' * 18}=human", *["bot:steady"] * 4)
    page = at_table(host, links["0"], (390, 844))
    until(lambda: page.run(ASKED))
    assert fits(page)


def test_a_table_of_bots_is_played_from_its_beginning(host: Browser) -> None:
    watcher = host.somebody_else(*DESK)
    watcher.open(begun(host, "coup", "bot:steady", "bot:steady", "bot:steady")["watch"])
    until(lambda: watcher.run("seen !== null && seen.over !== null && state.queue.length > 5"))
    assert watcher.run("at('skip').textContent") == "Skip"
    assert watcher.run("at('turn').hidden"), "the end is not told before"
    watcher.run("at('skip').click()")
    assert watcher.run("!at('turn').hidden")


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("game", games.names())
def test_every_choice_is_in_view_without_scrolling_and_the_quote_or_the_active_card_is_not_covered(
    game: str, size: tuple[int, int], host: Browser
) -> None:
    page = at_table(host, begun(host, game, "ann=human", "bot:steady", "bot:steady", "bot:steady")["0"], size)
    for _ in range(5):
        until(lambda: page.run(f"seen?.over || ({ASKED})"))
        if page.run("seen.over !== null"):
            break
        assert page.run("at('turn').scrollHeight - at('turn').clientHeight") <= 1
        assert size == PHONE or page.run("at('ask').scrollWidth - at('ask').clientWidth") <= 1
        assert page.run("at('turn').getBoundingClientRect().bottom <= innerHeight + 1")
        assert page.run(UNCOVERED)
        assert page.run(
            "[...document.querySelectorAll('.player .hand > :nth-child(2)')]"
            ".every((card) => card.offsetTop === card.previousSibling.offsetTop)"
        )
        for width, height in (DESK, PHONE) if size == PHONE else ():
            page.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
            until(lambda: page.run(UNCOVERED))
        number = page.run("seen.turn.number")
        if page.run("at('ask').querySelector('textarea') !== null"):
            page.run(
                "at('ask').querySelector('textarea').value = 'A quiet evening'; at('ask').querySelector('form').requestSubmit()"
            )
            until(lambda number=number: page.run(f"seen.turn === null || seen.turn.number > {number}"))
        else:
            until(lambda: page.run(TO_THE_LAST_STEP))
            assert page.run("at('turn').scrollHeight - at('turn').clientHeight") <= 1, page.run("at('ask').innerText")
            assert page.run(UNCOVERED), "what is chosen is seen until it is done"
            answered(page)


AMONG = """(() => {
  const { left, depth } = options(), names = new Set(left.flatMap(({ steps }) => steps[depth][3]));
  const boxes = [...at("board").querySelectorAll("[data-on]")].filter((one) => one.offsetWidth && names.has(one.dataset.on))
    .map((one) => one.getBoundingClientRect()), panel = at("turn").getBoundingClientRect();
  const isFree = ({ bottom, right }) => bottom <= panel.top + 1 || (right <= panel.left + 1 && bottom <= innerHeight);
  return boxes.map((box) => box.top >= 0 && isFree(box));
})()"""
"""Whether each element of the table among which the question chooses is in view and not covered."""


@pytest.mark.parametrize("size", [PHONE, (390, 844), DESK])
@pytest.mark.parametrize("game", ["cat_in_the_box", "oriflamme", "dixiquote"])
def test_the_question_covers_no_card_of_the_hand_among_which_it_chooses(
    game: str, size: tuple[int, int], host: Browser, tmp_path: Path
) -> None:
    page = at_table(host, begun(host, game, "ann=human", "bot:steady", "bot:steady")["0"], size)
    until(lambda: page.run(ASKED))
    page.picture(Path(os.environ.get("TABLETOP_PICTURES", tmp_path)) / f"hand-{game}-{size[0]}.png")
    among = page.run(AMONG)
    assert len(among) > 4
    assert all(among), page.run("at('turn').className")
    assert page.run("at('turn').getBoundingClientRect().bottom <= innerHeight + 1")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
