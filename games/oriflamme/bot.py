from games.core import *


def random_bot(view, answers, rng):
    """Any legal answer."""
    return rng.choice(answers)


steady_bot = random_bot
