"""Suite: all tests that every game has to pass, in one class."""

from __future__ import annotations

from games.core import Game
from games.testing.answers import AnswerChecks
from games.testing.bots import BotChecks
from games.testing.encodings import EncodingChecks
from games.testing.information import InformationChecks
from games.testing.recaps import RecapChecks
from games.testing.remarks import RemarkChecks
from games.testing.results import ResultChecks
from games.testing.scenes import SceneChecks
from games.testing.transitions import TransitionChecks
from games.testing.worlds import WorldChecks


class GameSuite(
    AnswerChecks,
    BotChecks,
    EncodingChecks,
    InformationChecks,
    RecapChecks,
    RemarkChecks,
    ResultChecks,
    SceneChecks,
    TransitionChecks,
    WorldChecks,
):
    """The tests. A subclass names the game."""


def suite(game: Game) -> type[GameSuite]:
    """A test class for a game. Assign it to a name that begins with `Test` in a test module: `TestNim = suite(GAME)`.

    The tests that take `players` run once for each number of players of the game.
    """
    return type("TestGame", (GameSuite,), {"game": game, "__module__": __name__})
