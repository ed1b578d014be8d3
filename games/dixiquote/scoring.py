"""The points of a round (rules 6 to 8 and 11) and the winners of the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.dixiquote.options import BONUS, Options
from games.dixiquote.phases import OVER
from games.dixiquote.position import Position

CARD_POINTS = {"revised": {"some": 1, "none": 0, "all": -1}, "original": {"some": 2, "none": 1, "all": 0}}


def round_points(
    storyteller: int,
    owners: Mapping[int, int],
    votes: Sequence[int | None],
    options: Options,
) -> tuple[int, ...]:
    """Points of each seat for a round in which somebody else submitted and voted, before any floor.

    `owners` maps the played cards to seats, `votes` holds the card each seat voted for (None: no vote).
    """
    players = len(votes)
    points = [0] * players
    cast = [vote for vote in votes if vote is not None]
    every = len(cast) if options.all_votes == "cast" else players - (not options.blind_quote)
    for card, owner in owners.items():
        count = cast.count(card)
        share = "none" if count == 0 else "all" if count == every else "some"
        points[owner] += CARD_POINTS[options.scoring][share]
    own_card = next((card for card, owner in owners.items() if owner == storyteller), None)
    if _split(own_card, cast, options.scoring):
        points[storyteller] += BONUS[options.scoring]
    if options.scoring == "revised":
        for seat, vote in enumerate(votes):
            points[seat] += vote is not None and vote == own_card
    return tuple(points)


def all_skipped_points(players: int, storyteller: int, options: Options) -> tuple[int, ...]:
    """Points of each seat when everybody but the Storyteller was skipped (rule 11, D-C6)."""
    return tuple(options.skipped_bonus if seat == storyteller else 0 for seat in range(players))


def floored(score: int, gain: int, options: Options) -> int:
    """A score after a round: a loss takes it to the floor at most, and leaves it where it is when it is below the floor."""
    floor = options.score_floor
    return score + gain if floor is None or gain >= 0 else max(min(floor, score), score + gain)


def _split(own_card: int | None, cast: Sequence[int], scoring: str) -> bool:
    """Whether the Storyteller's bonus is earned: two cards voted for, under rule 7 the Storyteller's among them."""
    return len(set(cast)) >= 2 and (scoring == "original" or own_card in cast)


def winners(position: Position) -> tuple[int, ...]:
    """Every seat with the highest score; empty before the end (D-C10: a tie is shared)."""
    if position.phase_id != OVER:
        return ()
    return tuple(seat for seat, score in enumerate(position.scores) if score == max(position.scores))
