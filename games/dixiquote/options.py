"""What a match of DixiQuote can be told, and what no match under it can reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from games import core
from games.core import counted, option, seat_name
from games.dixiquote.cards import SITUATIONS, Deck, deck_to_json, read_deck

HAND = 6
BONUS = {"revised": 1, "original": 3}


@dataclass(frozen=True, slots=True)
class Options(core.Options):
    """The options of the rules page, by the names it gives them."""

    scoring: str = option("revised", "the scoring of rule 7 (revised) or of rule 8 (original)", choices=("revised", "original"))
    target_score: int = option(20, "the score that ends the match", minimum=1, maximum=1000, synonyms=("target",))
    max_rounds: int = option(
        15, "the number of rounds after which the match ends", minimum=1, maximum=1000, synonyms=("rounds",)
    )
    all_votes: str = option(
        "cast",
        "what counts as all votes: all cast, or those of everybody entitled to one",
        choices=("cast", "eligible"),
    )
    score_floor: int | None = option(0, "the score below which lost points take nobody (none: no floor)", choices=(0, None))
    all_skipped_bonus: int | None = option(
        None,
        "the Storyteller's points when all others were skipped (none: the bonus of the scoring)",
        choices=(None,),
        minimum=0,
        maximum=20,
    )
    skip_scope: str = option("phase", "how long a struck-out player is skipped", choices=("phase", "round"))
    storyteller_skip: str = option(
        "forfeit",
        "what a struck-out Storyteller leaves: a forfeited round, or a random card and no quote",
        choices=("forfeit", "random_card"),
    )
    deck_end: str = option(
        "empty",
        "when the deck ends the match: empty after a refill, too short for one, at the end of a whole cycle of Storytellers,"
        " or never, as the cards played are reshuffled",
        choices=("empty", "cannot_refill", "whole_cycle", "reshuffle"),
    )
    refill_from: str = option("seat0", "who draws first at the end of a round", choices=("seat0", "new_storyteller"))
    blind_quote: bool = option(False, "the Storyteller quotes before picking, then submits and votes like the others")
    max_quote_lines: int = option(1, "how many lines a quote may have (2: Long Quote)", minimum=1, maximum=2)
    genre: str | None = option(None, "a genre in which everybody has to imagine the situations", choices=(None,), text=True)
    deck: Deck = option(SITUATIONS, "the situation cards", convert=read_deck, dump=deck_to_json)

    @property
    def skipped_bonus(self) -> int:
        """The Storyteller's points when all others were skipped (D-C4)."""
        return BONUS[self.scoring] if self.all_skipped_bonus is None else self.all_skipped_bonus


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "revised": {},
    "original": {"scoring": "original"},
    "fair": {"deck_end": "whole_cycle"},
}


def last_round_by_options(players: int, options: Options) -> int:
    """The round after which a match ends whatever is left of the deck; with whole cycles the last one of a cycle."""
    if options.deck_end != "whole_cycle":
        return options.max_rounds
    return options.max_rounds // players * players or options.max_rounds


def deck_rounds(players: int, options: Options) -> float:
    """After how many rounds the deck ends the match when nobody is skipped; infinite with reshuffling."""
    spare = len(options.deck) - HAND * players
    if options.deck_end == "reshuffle":
        return inf
    if options.deck_end == "cannot_refill":
        return spare // players + 1
    empty = max(1, -(-spare // players))
    return empty if options.deck_end == "empty" else min(-(-empty // players) * players, len(options.deck) // players)


def last_round(players: int, options: Options) -> int:
    """The round after which a match ends at the latest when nobody is skipped."""
    return int(min(deck_rounds(players, options), last_round_by_options(players, options)))


def best_score(players: int, rounds: int, options: Options) -> int:
    """The most that the first seat can have after this many rounds: under both scorings the best card and the best vote, or
    the best card and the Storyteller's bonus, every round.
    """
    turns = -(-rounds // players)
    as_storyteller, otherwise = (2, 2) if options.scoring == "revised" else (5, 2)
    return turns * as_storyteller + (rounds - turns) * otherwise


def cautions(players: int, options: Options) -> tuple[str, ...]:
    """Sentences on settings that no match without skips can reach, and on seats that are Storyteller less often than others."""
    return (*_unreached_rounds(players, options), *_unreached_target(players, options), *_unequal_seats(players, options))


def _unreached_rounds(players: int, options: Options) -> Iterator[str]:
    """Said of a max_rounds that was chosen; the default is out of reach with many players."""
    lasts = deck_rounds(players, options)
    if lasts < options.max_rounds != Options().max_rounds:
        yield (
            f"Unless seats are skipped, the {len(options.deck)} cards of the deck run out after round {lasts}"
            f" with {players} players, so round {options.max_rounds} (max_rounds) will not be reached."
        )


def _unreached_target(players: int, options: Options) -> Iterator[str]:
    last = last_round(players, options)
    best = best_score(players, last, options)
    if best < options.target_score:
        yield (
            f"Unless seats are skipped, nobody can have more than {best} points after {counted(last, 'round')},"
            f" so the target score of {options.target_score} is out of reach."
        )


def _unequal_seats(players: int, options: Options) -> Iterator[str]:
    last = last_round(players, options)
    if ahead := last % players:
        joined = " and " if ahead == 2 else " to "
        some = seat_name(0) if ahead == 1 else f"{seat_name(0)}{joined}{seat_name(ahead - 1)}"
        yield (
            f"Seats are not equal: if no seat is skipped and the match lasts until round {last}, {some}"
            f" {'is' if ahead == 1 else 'are'} Storyteller once more than the others. {_remedy(players, options)}"
        )


def _remedy(players: int, options: Options) -> str:
    if options.max_rounds < players:
        return f"To avoid it, play at least {players} rounds (max_rounds) with --rules fair."
    if options.deck_end == "whole_cycle":
        return f"To avoid it, use a deck of at least {players * players} cards or deck_end=reshuffle."
    if options.deck_end == "reshuffle":
        return f"To avoid it, set max_rounds to {options.max_rounds // players * players}."
    return "To avoid it, use --rules fair (deck_end=whole_cycle)."
