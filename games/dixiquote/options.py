"""What a match of DixiQuote can be told, and what no match under it can reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core import Options, option
from games.dixiquote.cards import SITUATIONS, Deck, deck_to_json, read_deck

HAND = 6
BONUS = {"revised": 1, "original": 3}


@dataclass(frozen=True, slots=True)
class DixiQuoteOptions(Options):
    """The options of the rules page, by the names it gives them."""

    scoring: str = option("revised", "the scoring of rule 7 (revised) or of rule 8 (original)", choices=("revised", "original"))
    target_score: int = option(20, "the score that ends the match", minimum=1, maximum=1000, synonyms=("target",))
    max_rounds: int = option(15, "the number of rounds after which the match ends", minimum=1, maximum=1000)
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
        "when the deck has run out: empty after a refill, or too short for one",
        choices=("empty", "cannot_refill"),
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


PRESETS: Mapping[str, Mapping[str, Any]] = {"revised": {}, "original": {"scoring": "original"}}


def deck_rounds(players: int, options: DixiQuoteOptions) -> int:
    """After how many rounds the deck runs out when nobody is skipped."""
    spare = len(options.deck) - HAND * players
    return max(1, -(-spare // players) if options.deck_end == "empty" else spare // players + 1)


def best_score(players: int, rounds: int, options: DixiQuoteOptions) -> int:
    """The most that the first seat can have after this many rounds: under both scorings the best card and the best vote, or
    the best card and the Storyteller's bonus, every round.
    """
    turns = -(-rounds // players)
    as_storyteller, otherwise = (2, 2) if options.scoring == "revised" else (5, 2)
    return turns * as_storyteller + (rounds - turns) * otherwise


def cautions(players: int, options: DixiQuoteOptions) -> tuple[str, ...]:
    """Sentences on settings that no match without skips can reach; max_rounds is one where it is not as ever."""
    said = []
    lasts = deck_rounds(players, options)
    if lasts < options.max_rounds != DixiQuoteOptions().max_rounds:
        said.append(
            f"The {len(options.deck)} cards of the deck run out after round {lasts} with {players} players,"
            f" so round {options.max_rounds} (max_rounds) will not be reached."
        )
    best = best_score(players, min(lasts, options.max_rounds), options)
    if best < options.target_score:
        said.append(
            f"Nobody can have more than {best} points after {_rounds(min(lasts, options.max_rounds))},"
            f" so the target score of {options.target_score} is out of reach."
        )
    return tuple(said)


def _rounds(number: int) -> str:
    return f"{number} round{'' if number == 1 else 's'}"
