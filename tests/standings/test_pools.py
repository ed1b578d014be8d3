"""Pools: each game and number of players has ratings of its own unless they are combined."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import UsageError
from runner.standings.comparability import pooled
from runner.standings.document import folder_matches, standings
from runner.standings.tables import game_title, tables
from tests.cli.command import tabletop

PLAN = """
deals = 2
seed = 1
agents = ["bot:steady", "bot:random"]
[[games]]
name = "coup"
players = [2, 3]
[[games]]
name = "oriflamme"
players = 3
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Coup with two and with three players, and Oriflamme."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "plan.toml").write_text(PLAN)
    done = tabletop(folder, "tournament", "plan.toml", "-o", "t", "-q", "--workers", "1")
    assert done.returncode == 0, done.stderr
    return folder / "t"


def test_each_number_of_players_has_a_table(played: Path) -> None:
    found = standings(folder_matches(played))["games"]
    assert [(game["game"], game["players"]) for game in found] == [("coup", 2), ("coup", 3), ("oriflamme", 3)]
    assert [game_title(game).partition(":")[0] for game in found] == [
        "coup with 2 players",
        "coup with 3 players",
        "oriflamme with 3 players",
    ]
    assert all(game["kinds"] is None for game in found)
    assert any("count who wins" in note for note in found[0]["notes"])
    assert not any("count who wins" in note for note in found[2]["notes"])


def test_numbers_of_players_are_combined_when_asked(played: Path) -> None:
    coup, oriflamme = standings(folder_matches(played, pooled(["players"])))["games"]
    assert coup["kinds"] is not None
    assert coup["kinds"]["kinds"] == ["coup with 2", "coup with 3"]
    assert any(note.startswith("Combined over coup with 2, coup with 3") for note in coup["notes"])
    assert any(table.title.startswith("Ratings by kind of match") for table in tables(coup))
    assert (coup["players"], oriflamme["players"], oriflamme["kinds"]) == (None, 3, None)


def test_all_games_are_combined_when_asked(played: Path) -> None:
    (found,) = standings(folder_matches(played, pooled(["games"])))["games"]
    assert found["game"] == "all games"
    assert all(set(agent["by_kind"]) == {"coup with 2", "coup with 3", "oriflamme with 3"} for agent in found["agents"])


def test_an_anchor_holds_in_every_table_that_it_played_in(played: Path) -> None:
    for game in standings(folder_matches(played, anchor=("bot:random", 1000.0)))["games"]:
        (rating,) = (agent["rating"] for agent in game["agents"] if agent["agent"] == "bot:random")
        assert rating["value"] == 1000.0


SKINS = 'deals = 5\nseed = 1\nagents = {{ada = "offline", bob = "bot:random"}}\ngames = [{{name = "coup", players = 2}}]\n{}\n'


@pytest.fixture(scope="module")
def in_both_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same deals with a skin and without."""
    folder = tmp_path_factory.mktemp("words")
    for name, skin in (("own", ""), ("other", 'skin = "neutral"')):
        (folder / f"{name}.toml").write_text(SKINS.format(skin))
        done = tabletop(folder, "tournament", f"{name}.toml", "-o", f"t/{name}", "-q", "--workers", "1")
        assert done.returncode == 0, done.stderr
    return folder / "t"


def test_matches_with_a_skin_are_pooled_only_when_asked(in_both_words: Path) -> None:
    with pytest.raises(UsageError, match=r"different skin: neutral .* in 10 matches, none in 10 matches.* --pool skin"):
        folder_matches(in_both_words)


def test_a_model_is_compared_with_itself_in_other_words(in_both_words: Path) -> None:
    (game,) = standings(folder_matches(in_both_words, pooled(["skin"])))["games"]
    (found,) = game["skins"]
    assert game["deals"] == 5
    assert (found["agent"], found["matches"], found["own_matches"]) == ("ada", 10, 10)
    assert found["difference"]["low"] < found["difference"]["value"] == 0 < found["difference"]["high"]
    assert found["mistake_difference"] == {"value": 0.0, "low": None, "high": None}
    assert found["win_share"]["value"] == found["own_win_share"]["value"]
    assert any(table.title.startswith("Skins: ") for table in tables(game))
