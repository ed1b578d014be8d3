"""Grading: the name of what an answer gives up, from what its seat knew."""

from typing import Literal

from games.core import Action, Game, Rng, State
from games.search.comparison import CHANCES, FOLDS, Comparison, PairedComparison, compared
from games.search.evaluation import chances
from games.search.policy import playing_policy, second_policy
from games.search.samples import mean_of
from games.search.worlds import worlds_of

GradeName = Literal["best", "good", "inaccuracy", "mistake", "blunder", "unsure", "forced"]
FAULTS: tuple[GradeName, ...] = ("inaccuracy", "mistake", "blunder")

_BOUNDS: tuple[tuple[float, GradeName], ...] = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""From which share of the win on a decision has a name. They are those of lichess, whose scale from -1 to 1 is twice as wide:
0.1, 0.2 and 0.3 (https://github.com/lichess-org/lila, modules/tree/src/main/Advice.scala)."""

_SURE = 2.0
"""Standard errors by which a decision has to be behind the best one to be called a fault."""


def grade_of(behind: float, error: float) -> GradeName:
    """The name of a decision that is this share of the win behind the best one, give or take an error; never `forced`."""
    if behind <= 0:
        return "best"
    if behind < _SURE * error:
        return "good"
    return next((name for bound, name in _BOUNDS if behind >= bound), "good")


PLAYOUTS = 400
"""Playouts of a decision, by default; a close decision gets more."""

PLAYOUTS_AHEAD = 200
"""The same where playouts stop before the end: a difference of two answers varies half as much there."""

PLAYOUTS_OF_TEXT = 150
"""The same in a game with answers of free text, whose bots compare words: a playout takes ten times as long there."""


def default_playouts(game: Game) -> int:
    """The playouts of a decision where nobody names a number."""
    return PLAYOUTS_OF_TEXT if game.free_text else PLAYOUTS_AHEAD if game.horizon else PLAYOUTS


def free_field(state: State, seat: int) -> str | None:
    """The first field of a question that takes free text, whose alternatives cannot be enumerated; None without one."""
    free = state.game.free_text
    return next((name for name in state.question(seat).schema["properties"] if name in free), None) if free else None


def is_gradable(state: State, seat: int) -> bool:
    """Whether a decision has alternatives that can be compared: more than one answer, and none of free text."""
    return len(state.actions_of(seat)) > 1 and free_field(state, seat) is None


def graded(action: Action, playouts: int, *keys: object) -> tuple[PairedComparison, GradeName]:
    """What an answer is worth, and its grade. A fault under one policy of the playouts that is none under the second one is
    `unsure`. `keys` are those of the random numbers."""
    state, policy = action.state, playing_policy(action.state.game)
    if len(state.actions_of(action.seat)) == 1:
        worlds, rng = worlds_of(state, action.seat), Rng.of(*keys, 0)
        expected = chances(worlds, rng, max(1, playouts // CHANCES), policy)[action.seat]
        return PairedComparison(expected, action, expected), "forced"
    pair = compared(state, action, policy, playouts, *keys)
    grade = grade_of(max(0.0, pair.behind), pair.error)
    return pair, grade if grade not in FAULTS or _is_fault_again(pair, action, playouts, *keys) else "unsure"


def _is_fault_again(pair: PairedComparison, action: Action, playouts: int, *keys: object) -> bool:
    found, rng = Comparison(action, [pair.rival]), Rng.of(*keys, "second")
    worlds = worlds_of(action.state, action.seat, is_adapting=True)
    policy, (least, _) = second_policy(action.state.game), _BOUNDS[-1]
    for _ in range(max(FOLDS, playouts // 2)):
        found.play(worlds, rng, policy, with_usual=False)
    return mean_of(found.differences()) >= least
