"""The lobby: what `tabletop` alone shows on a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from runner.cli.lobby import Lobby
from runner.record.log_summary import LogState, LogSummary
from tests.people.player import Player
from tests.screen.drawing import drawn
from tests.screen.terminal import Terminal

BOTS = ("human", "bot:search", "bot:steady", "offline")


def pressed(*keys: str, last: tuple[tuple[Path, LogSummary], ...] = ()) -> Lobby:
    found = Lobby(games.registered().games, BOTS, last)
    for key in keys:
        found.press(key)
    return found


def test_a_game_and_its_seats_are_chosen_by_keys() -> None:
    names = [game.name for game in games.registered().games]
    coup = str(names.index("coup") + 1)
    seats = ("--seat", "bot:search", "--seat", "bot:search", "--seat", "bot:steady")
    assert pressed(coup, "-", "a", "enter").words == ("play", "coup", *seats)
    assert len(pressed(coup, *"+" * 20).seats) == games.load("coup").players[-1]
    assert len(pressed(coup, *"-" * 20).seats) == games.load("coup").players[0]
    assert pressed("9", "h", "w", "k", "0").words is None
    assert pressed("q").words == ()


def test_arrows_change_games_seats_name_talk_and_speed() -> None:
    coup = [game.name for game in games.registered().games].index("coup")
    found = pressed(*["down"] * coup, "right")
    assert (found.game.name, len(found.seats)) == ("coup", 5)
    for key in ["down"] * (len(found.games) - coup + 1) + ["left", *"n", *"Ann", "enter", *["up"] * 4]:
        found.press(key)
    assert found.seats[1] == "human"
    found.press("right")
    assert found.chosen != coup or found.row < len(found.games) + len(found.seats)
    for key in ("t", "s", "enter"):
        found.press(key)
    assert found.words is not None
    assert found.words[:6] == ("play", found.game.name, "--seat", "Ann=human", "--seat", found.seats[1])
    assert found.words[-3:] == ("--talk", "--speed", "0.5")


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
def test_the_keys_are_always_in_sight(size: tuple[int, int]) -> None:
    text = drawn(pressed().page(), size[0], height=size[1])
    assert "Enter" in "".join(text.split("\n")[:2])


def test_the_last_matches_are_watched_or_continued() -> None:
    last = ((Path("a.jsonl"), LogSummary(LogState.RESUMABLE)), (Path("b.jsonl"), LogSummary(LogState.FINISHED)))
    assert pressed("w", last=last).words == ("replay", "b.jsonl")
    assert pressed("k", last=last).words == ("resume", "a.jsonl")


def test_the_lobby_opens_on_a_terminal_and_starts_a_match(tmp_path: Path) -> None:
    left = Terminal(folder=tmp_path, width=80, height=24)
    modes = left.modes_before
    left.wait_for("bot:search")
    left.type("q")
    assert left.ended() == 0
    assert left.modes() == modes
    player = Player(folder=tmp_path, width=80, height=24)
    player.wait_for("Enter play")
    player.type("2")
    player.wait_for("\u25b6 2")
    player.type("\r")
    player.wait_until(lambda: "action>" in player.text or "response>" in player.text)
    player.type("\x03")
    assert player.ended() == 3


def test_after_a_match_one_is_back_in_the_lobby_with_the_same_choices(tmp_path: Path) -> None:
    player = Player(folder=tmp_path, width=80, height=24)
    player.wait_for("Enter play")
    player.type("2-" + "-a" + "ssssss")
    player.wait_for("no pauses")
    player.type("\r")
    player.wait_until(lambda: "a P-0  bot:search" in player.text and "w watch: Coup" in player.text)
    assert "no pauses" in player.text
    player.type("q")
    assert player.ended() == 0
