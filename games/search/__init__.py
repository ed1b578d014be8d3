"""Search over worlds drawn from an information set, for every game."""

from games.search.evaluation import evaluate
from games.search.playouts import play_out
from games.search.policy import playing_policy
from games.search.worlds import worlds_of

__all__ = ["evaluate", "play_out", "playing_policy", "worlds_of"]
