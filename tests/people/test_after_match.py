"""The end of a match for the people who played it: the costliest decision, the cards turned up, and keys for what is next."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import runner.cli.after_match as module
from runner.agents.environment import Environment
from runner.agents.spec import Human
from runner.cli.after_match import _End, after_match
from runner.record.reader import read_log
from runner.review import costliest as grading
from runner.review.costliest import costliest
from runner.session.match_spec import MatchSpec, ReadyMatch, ready
from runner.session.session import Forked, Source
from tests.people.player import GRADING, Player
from tests.review.logs import play

ALTERNATE_SCREEN_LEFT = b"\x1b[?1049l"


def ended(folder: Path, wait: str) -> Player:
    """A person who has taken over a seat at its last decision, played to the end, and sees these words then."""
    log = read_log(play(folder, "bots.jsonl", "coup", 4))
    made = enumerate((record for _, record in log.of_kind("decision")), 1)
    last = max(number for number, record in made if record["seat"] == 0 and record["how"] == "answer")
    words = ("fork", "bots.jsonl", "--at", str(last), "--seat", "P-0=human", "--log", "match.jsonl", "--speed", "0")
    player, rng = Player(*words, folder=folder, width=80, height=24), random.Random(1)
    while (prompt := player.prompt()) != GRADING:
        player.answer(prompt, rng, "")
    player.wait_for(wait)
    return player


@pytest.mark.parametrize("leave", ["q", "\r", "\x03", "\x04"])
def test_the_end_is_told_with_open_cards_and_any_way_to_leave_has_the_status_of_the_match(leave: str, tmp_path: Path) -> None:
    player = ended(tmp_path, "-- Enter: leave --")
    told = player.raw[player.raw.rindex(ALTERNATE_SCREEN_LEFT) :].decode("utf-8", "replace")
    assert "The match is over" in told
    assert "r review" in told
    assert "\u2592" not in told, "no card stays hidden"
    player.type(leave)
    assert player.ended() == 0, player.text
    assert player.modes() == player.modes_before


@pytest.mark.parametrize("leave", ["q\r", "\x03", "\x04"])
def test_nobody_waits_for_the_grading(leave: str, tmp_path: Path) -> None:
    player = ended(tmp_path, "Grading your decisions")
    player.type(leave)
    assert player.ended() == 0, player.text
    assert re.search("leave [^a-z]*q?[^a-z]*$", player.text), player.text
    assert player.modes() == player.modes_before


def test_the_same_table_again_has_new_cards(tmp_path: Path) -> None:
    player = ended(tmp_path, "-- Enter: leave --")
    player.type("x")
    player.type("\r")
    player.type("a")
    player.wait_until(lambda: "action>" in player.text or "response>" in player.text)
    player.type("\x03")
    assert player.ended() == 3
    (new,) = tmp_path.glob("coup-*.jsonl")
    headers = [read_log(path).header for path in (tmp_path / "match.jsonl", new)]
    assert headers[0]["seed"] != headers[1]["seed"]
    assert [seat["spec"] for seat in headers[0]["seats"]] == [seat["spec"] for seat in headers[1]["seats"]]


# -- what does not need a terminal -----------------------------------------------------------------------------------------


def match_of(*seats: str) -> ReadyMatch:
    spec = MatchSpec(game="cat_in_the_box", players=len(seats), seats=seats, seed=1)
    return ready(spec, Environment(), asks=(Human,))


def test_in_pipes_each_person_has_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "_IN_PIPES", 600.0)
    monkeypatch.setattr(grading, "default_playouts", lambda game: 16)
    assert after_match(match_of("bot:steady", "human", "Zoe=human"), play(tmp_path)) is None
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0].split(",")[0] for line in lines] == ["human", "Zoe"]


def test_the_costliest_decision_can_be_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "default_playouts", lambda game: 48)
    log = play(tmp_path)
    worst = next(one for seat in range(3) if (one := costliest(read_log(log), seat, 600.0)) is not None and "worst" in one)
    end = _End(match_of("human", "bot:steady", "bot:random"), log, True, worst)
    again, source = end.retry()
    assert again is end.match
    assert isinstance(source, Forked)
    source.open().close()
    fork = read_log(source.path)
    assert fork.header["fork"]["at"] == worst["worst"]["entry"]["decision"]
    fresh, new = end.begin_again()
    assert type(new) is Source
    assert fresh.config.setup.seed != end.match.config.setup.seed
    assert [seat.name for seat in fresh.config.seats] == [seat.name for seat in end.match.config.seats]
