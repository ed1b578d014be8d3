"""Faults to put into the rules: leaks of hidden information, and rules that are broken."""

from __future__ import annotations

from typing import NamedTuple

LEAK = "leak"
RULE = "rule"


class Mutation(NamedTuple):
    """A fault: `old` stands once in the file `games/<game>/<module>.py`, and `new` takes its place."""

    kind: str
    game: str
    about: str
    module: str
    old: str
    new: str


def _leak(game: str, about: str, module: str, old: str, new: str) -> Mutation:
    return Mutation(LEAK, game, about, module, old, new)


def _rule(game: str, about: str, module: str, old: str, new: str) -> Mutation:
    return Mutation(RULE, game, about, module, old, new)


CAT, COUP, QUOTE, QUEUE = "cat_in_the_box", "coup", "dixiquote", "oriflamme"

LEAKS = (
    _leak(CAT, "a view shows who has removed a card", "view", "if position.phase_id == DISCARD:", "if False:"),
    _leak(CAT, "the removed card is told to all", "events", '"rank": rank}, (seat,))', '"rank": rank})'),
    _leak(CAT, "the hands of a new round are told to all", "events", '"hand": ranks}, (seat,)', '"hand": ranks}'),
    _leak(COUP, "a pass in an open window is told to all", "events", '{"seat": seat}, (seat,))', '{"seat": seat})'),
    _leak(COUP, "a card drawn for a proof is told to all", "events", '"card": drawn}, (seat,))', '"card": drawn})'),
    _leak(COUP, "a view shows every hand", "view", "if not position.pending else None", "if position else None"),
    _leak(COUP, "a view shows what others returned", "view", "if turn.actor == seat and turn.returned", "if turn.returned"),
    _leak(COUP, "a view shows the seed", "view", '"players": position.setup.players,', '"players": position.setup.seed,'),
    _leak(
        COUP, "a believed bluff is a public remark", "remarks", "_worth_of_belief(before))", "_worth_of_belief(before), True)"
    ),
    _leak(QUOTE, "a view shows who has submitted", "view", "on_table = position.phase_id == VOTE", "on_table = True"),
    _leak(QUOTE, "a vote is told to all", "events", "position.card(card).id}, (seat,))", "position.card(card).id})"),
    _leak(
        QUOTE,
        "the cards drawn are told to all",
        "events",
        "_named(position, *cards)), data, (seat,))",
        "_named(position, *cards)), data)",
    ),
    _leak(QUEUE, "a view shows hidden cards", "view", "card.revealed or card.owner == seat\n", "True\n"),
    _leak(QUEUE, "a card placed face down is told to all", "events", '"card": name}, (seat,))', '"card": name})'),
    _leak(
        QUEUE,
        "a view shows the removed cards",
        "view",
        "[cards.bit_count() for cards in position.removed]",
        "[*position.removed]",
    ),
)

RULES = (
    _rule(CAT, "red never beats the led colour", "scoring", "if not 1 << best & RED:", "if True:"),
    _rule(CAT, "a paradox takes no points", "scoring", "points[context.paradox] *= -1", "points[context.paradox] *= 1"),
    _rule(CAT, "red may be led at once", "actions", "return open_now & NOT_RED or open_now", "return open_now"),
    _rule(COUP, "nine coins force a coup", "actions", "FORCED_COUP = 10", "FORCED_COUP = 9"),
    _rule(COUP, "a theft takes three coins", "actions", "LOOT = 2", "LOOT = 3"),
    _rule(COUP, "a failed claim costs its coins", "bluffs", "builder.pay(seat, cost)", "builder.pay(seat, 0)"),
    _rule(QUOTE, "a vote for the own card counts", "actions", "if card != own])", "])"),
    _rule(QUOTE, "a card with all votes costs nothing", "scoring", '"none": 0, "all": -1', '"none": 0, "all": 0'),
    _rule(QUOTE, "the deck ends a cycle early", "round_end", "position.round % players and", "False and"),
    _rule(QUEUE, "an Ambush pays three points", "cards/ambush", "return 4, True", "return 3, True"),
    _rule(QUEUE, "a Conspiracy pays its tokens once", "cards/conspiracy", "payout = 2", "payout = 1"),
    _rule(QUEUE, "an own Spy can be spied upon", "cards/spy", "(owner != own or rules.spy_may_pick_self)", "True"),
)
