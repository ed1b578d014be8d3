"""The review on a terminal: it fits every width, says what was known, played and better, and is safe whatever names hold."""

from __future__ import annotations

import asyncio
from io import BytesIO, TextIOWrapper

import pytest
from rich.console import Console

from games.core.drama import Script
from games.scenes import asked_of
from runner.record.decisions import decisions
from runner.record.reader import Log, read_log
from runner.review.review_document import ReviewDocument
from runner.screen.consoles import use_ascii_fallback
from runner.screen.seat_labels import labels_of
from runner.screen.seen_review import ShareChart, review_screen, share_bars
from tests.games.coup.positions import blocks, does, passes, play, position
from tests.record.hostile import HOSTILE
from tests.record.matches import erring, played
from tests.screen.drawing import drawn, widest
from tests.screen.reviews import written_review

WIDTHS = (60, 84, 110, 200)
NAMES = [f"gpt-5-mini {number}" for number in range(1, 9)]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    path = tmp_path_factory.mktemp("review") / "match.jsonl"
    asyncio.run(played(path, "coup", erring("coup", 4, 0.1), 2))
    return read_log(path)


@pytest.fixture
def document(log: Log) -> ReviewDocument:
    return written_review(log)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_has_the_seats_the_chart_and_the_worst_decisions(log: Log, document: ReviewDocument, width: int) -> None:
    text = drawn(review_screen(document, log, None, 5), width)
    assert widest(text) <= width
    worst = [one for one in document["decisions"] if one["grade"] == "blunder"][:5]
    asked = {one.number: asked_of(one.before, one.seat) for one in decisions(log) if one.seat is not None}
    for entry in worst:
        line = next(
            line
            for line in text.splitlines()
            if line.split()[:1] == [str(entry["decision"])] and labels_of(log.header["seats"])[entry["seat"]] in line
        )
        assert "?? " in line
        assert "40 % ± 1 %" in line
        assert asked[entry["decision"]] in line
    assert text.count("40 % ± 1 %") == len(worst)
    assert "below: from what each seat knew when it decided; above: all cards known" in " ".join(text.split())


@pytest.mark.parametrize("width", WIDTHS)
def test_hostile_names_break_no_line(log: Log, document: ReviewDocument, width: int) -> None:
    tame = drawn(review_screen(document, log, None, 3), width).count("\n")
    for seat, name in zip(document["seats"], HOSTILE, strict=False):
        seat["player"] = name * 9
    text = drawn(review_screen(document, log, None, 3), width)
    assert widest(text) <= width
    assert text.count("\n") == tame
    assert all(letter == "\n" or letter.isprintable() for letter in text)


def test_an_answer_that_the_rules_refuse_is_shown_by_its_values(log: Log, document: ReviewDocument) -> None:
    entry = next(one for one in document["decisions"] if one["grade"] == "blunder")
    entry["best"] = {"action": "\x1b[2Jfly away"}
    assert "fly away" in drawn(review_screen(document, log, entry["seat"], 99), 200)


def test_one_seat_alone_and_no_list(log: Log, document: ReviewDocument) -> None:
    own = drawn(review_screen(document, log, 1, 99), 200)
    faults = sum(one["seat"] == 1 and one["given_up"] >= 0.05 for one in document["decisions"])
    assert sum(" ± " in line for line in own.splitlines()) == faults + 1
    assert " ± " not in drawn(review_screen(document, log, None, 0), 200)


def test_the_chart_takes_the_width_of_a_terminal() -> None:
    chances = [[step / 50, 1 - step / 50] for step in range(50)]
    names = ("ada", "steady")
    lengths = [widest(drawn(ShareChart(chances, names), width, colour=False)) for width in (40, 60, 120)]
    assert lengths[0] == 40
    assert lengths[1] == lengths[2] == 50 + len("steady ") + len(" 100 %")
    console = Console(width=230, force_terminal=True, color_system=None)
    with console.capture() as capture:
        console.print(ShareChart(chances, names))
    assert max(map(len, capture.get().splitlines())) == 4 * 50 + len("steady  100 %")


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_bars_of_all_seats_fit(players: int, width: int) -> None:
    rows = share_bars([1 / players] * players, NAMES, width)
    assert all(row.cell_len <= width for row in rows)
    assert "".join(row.plain for row in rows).count(f"{100 / players:.0f} %") == players


def test_bars_stay_apart_without_unicode() -> None:
    written = BytesIO()
    file = TextIOWrapper(written, encoding="ascii")
    use_ascii_fallback(file)
    file.write("▁▂▃▄▅▆▇█")
    file.flush()
    assert len(set(written.getvalue())) == 8
    assert b"?" not in written.getvalue()


def test_a_decision_is_named_by_what_its_seat_was_asked_and_by_its_phase_where_a_game_does_not_say_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = position("3 As (Du)", "2 Co Ca", actor=0)
    claimed = play(begun, does(0, "assassinate", 1))
    passed = play(claimed, *passes(1))
    states = (begun, 0), (claimed, 1), (passed, 1), (play(passed, blocks(1, "Contessa")), 0)
    words = ["declares an action", "may challenge the Assassin", "may block as Contessa", "may challenge the Contessa"]
    assert [asked_of(state, seat) for state, seat in states] == words
    monkeypatch.setattr("games.scenes.script_of", lambda game: Script())
    assert asked_of(claimed, 1) == "Action Challenge Window"
