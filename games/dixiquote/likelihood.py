"""How likely a Storyteller is to have given a quote for a card: what makes one vote better than another for who cannot know."""

from __future__ import annotations

from collections.abc import Callable

from games.dixiquote.bots import fit
from games.dixiquote.phases import VOTE
from games.dixiquote.position import Position

_DOUBT, _TRUST = 0.1, 3.0
"""A card is the Storyteller's with a probability in proportion to (1 + doubt - fit) to the power of -trust. Among matches of
`bot:steady` these numbers give the true card the highest probability, with three, four and six players."""


def likelihood(position: Position, seat: int | None) -> Callable[[Position], float]:
    """How likely, from 0 to 1, the quote is with the card that the Storyteller has on the table in a world, relative to the
    likeliest card there. The cards of the others tell nothing: each submits what fits best of a hand that is unknown."""
    if position.phase_id != VOTE or position.quote is None or seat == position.storyteller:
        return lambda world: 1.0
    quote, storyteller = position.quote, position.storyteller
    weights = {card: (1 + _DOUBT - fit(quote, position.card(card).text)) ** -_TRUST for card in position.table}
    most = max(weights.values())

    def judge(world: Position) -> float:
        card = world.submitted[storyteller]
        return 1.0 if card is None else weights[card] / most

    return judge
