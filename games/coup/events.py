"""Events of a transition, in words and as data, each with its audience. Transitions add them: `events += told.NAME(...)`."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import OF, PENALTY, PHASE, WHOSE, Does, Event, Sentence, SentencePieces, Who, counted, does, named, win
from games.coup.actions import (
    ASSASSINATE,
    BLOCKERS,
    CLAIM,
    COST,
    EXCHANGE,
    FORCED_COUP,
    GAIN,
    LOOT,
    STEAL,
    TARGETED,
    TAX,
    TITLE,
)
from games.coup.cards import CHARACTERS, Cards, Hand
from games.coup.phases import PHASES
from games.coup.position import NOBODY

_DOES = {
    TAX: f"take {counted(GAIN[TAX], 'coin')}",
    ASSASSINATE: f"pay {counted(COST[ASSASSINATE], 'coin')}, the target loses an influence",
    STEAL: f"take up to {counted(LOOT, 'coin')} from the target",
    EXCHANGE: "draw two cards, return two",
}
_ACTION_OF = {character: action for action, character in CLAIM.items()}
INTRODUCED = tuple(
    (
        character,
        f"{TITLE[_ACTION_OF[character]]} ({_DOES[_ACTION_OF[character]]})" if character in _ACTION_OF else "",
        tuple(action for action, blockers in BLOCKERS.items() if character in blockers),
    )
    for character in CHARACTERS
)
"""Each character with what it does and which actions it blocks."""
ORDER_OF_A_TURN = (
    "a declaration",
    "challenges to its claim",
    "blocks",
    "challenges to the block",
    "the effect",
    "the check who is still in",
)


def phase(before: int, entered: int) -> Iterator[Event]:
    """A phase is entered."""
    yield Event(PHASE, f"Phase {entered}: {PHASES.by_id(entered).name}.", {"to": entered, "from": before})


def introduction(players: int) -> Iterator[Event]:
    """Phase 0: who plays, the aim, what each character does and blocks, and the order of a turn."""
    aim = f"Coup for {players} players, ", *named(range(players)), ": the last one with influence wins."
    characters = [{"name": name, "does": does, "blocks": list(blocks)} for name, does, blocks in INTRODUCED]
    words = [f"{name}: {_abilities(does, blocks)}" for name, does, blocks in INTRODUCED]
    data = {"players": players, "characters": characters, "turn": list(ORDER_OF_A_TURN)}
    yield Event("introduction", Sentence(*aim, f" {'. '.join(words)}. A turn: {', '.join(ORDER_OF_A_TURN)}."), data)


def _abilities(does: str, blocks: tuple[str, ...]) -> str:
    return ", ".join([*([does] if does else []), *(f"blocks {TITLE[action]}" for action in blocks)])


def setup(start: int, coins: tuple[int, ...]) -> Iterator[Event]:
    """Coins are handed out and the starting player is drawn."""
    text = Sentence("The cards are shuffled, and ", does(start, "be drawn as the starting player."))
    yield Event("setup", text, {"start": start, "coins": list(coins)})


def dealt(seat: int, cards: Cards) -> Iterator[Event]:
    """A player sees the cards to start with."""
    yield Event("dealt", does(seat, f"start with {' and '.join(cards)}."), {"seat": seat, "cards": list(cards)}, (seat,))


def pick(seat: int, card: str) -> Iterator[Event]:
    """A player drafts a card."""
    yield Event("pick", does(seat, "have chosen a card."), {"seat": seat})
    yield Event("picked", does(seat, f"take {card}."), {"seat": seat, "card": card}, (seat,))


def turn(number: int, seat: int, coins: int) -> Iterator[Event]:
    """A turn begins."""
    forced = (", and", Does(seat, "have to make a coup.")) if coins >= FORCED_COUP else (".",)
    text = Sentence(f"Turn {number}: ", does(seat, f"have {counted(coins, 'coin')}"), *forced)
    yield Event("turn", text, {"number": number, "seat": seat, "coins": coins})


def declaration(seat: int, action: str, target: int) -> Iterator[Event]:
    """An action is declared and paid for."""
    parts = [Does(seat, f"claim {CLAIM[action]}")] if action in CLAIM else []
    parts += [Does(seat, f"pay {counted(COST[action], 'coin')}")] if action in COST else []
    before: SentencePieces = (*parts[:1], *(piece for part in parts[1:] for piece in (",", part)), *([" and"] if parts else []))
    aim = (" against ", Who(target)) if action in TARGETED else ()
    text = Sentence(Who(seat), *before, Does(seat, f"declare {TITLE[action]}"), *aim, ".")
    data = {"seat": seat, "action": action, "target": None if target == NOBODY else target, "claim": CLAIM.get(action)}
    yield Event("declaration", text, data)


def passed(seat: int) -> Iterator[Event]:
    """A player passes while others still decide. Only the player knows, so that their answers cannot depend on it."""
    yield Event("pass", does(seat, "pass."), {"seat": seat}, (seat,))


def unchallenged(claimant: int, character: str) -> Iterator[Event]:
    """Nobody challenges a claim."""
    text = Sentence("Nobody challenges ", Who(claimant, WHOSE), f" claim of {character}.")
    yield Event("unchallenged", text, {"claimant": claimant, "character": character})


def unblocked(actor: int, action: str) -> Iterator[Event]:
    """Nobody blocks an action."""
    text = Sentence("Nobody blocks ", Who(actor, WHOSE), f" {TITLE[action]} as {' or '.join(BLOCKERS[action])}.")
    yield Event("unblocked", text, {"actor": actor, "action": action})


def challenge(seat: int, claimant: int, character: str) -> Iterator[Event]:
    """A claim is challenged."""
    text = Sentence(Who(seat), Does(seat, "challenge "), Who(claimant, WHOSE), f" claim of {character}.")
    yield Event("challenge", text, {"seat": seat, "claimant": claimant, "character": character})


def false_claim(claimant: int, character: str) -> Iterator[Event]:
    """A challenged claim is false."""
    text = does(claimant, f"do not have {character}.")
    yield Event("false_claim", text, {"claimant": claimant, "character": character})


def concession(claimant: int, character: str) -> Iterator[Event]:
    """A challenged player declines to prove a claim."""
    text = does(claimant, f"decline to show {character}.")
    yield Event("concession", text, {"claimant": claimant, "character": character})


def proof(seat: int, card: str) -> Iterator[Event]:
    """A challenged claim is proven."""
    yield Event("proof", does(seat, f"show {card}: the claim is true."), {"seat": seat, "card": card})


def replacement(seat: int, card: str, drawn: str) -> Iterator[Event]:
    """A shown card is exchanged with the deck."""
    yield Event(
        "replacement",
        Sentence(f"{card} goes into the Court deck, and ", does(seat, "have a new card.")),
        {"seat": seat, "card": card},
    )
    yield Event("replaced", does(seat, f"have drawn {drawn}."), {"seat": seat, "card": drawn}, (seat,))


def block(seat: int, actor: int, action: str, character: str) -> Iterator[Event]:
    """An action is blocked."""
    claims = does(seat, f"claim {character} and")
    text = Sentence(claims, Does(seat, "block "), Who(actor, WHOSE), f" {TITLE[action]}.")
    yield Event("block", text, {"seat": seat, "actor": actor, "action": action, "character": character})


def blocked(blocker: int, action: str) -> Iterator[Event]:
    """A block stands."""
    text = Sentence("The block", Who(blocker, OF), f" stands: {TITLE[action]} has no effect.")
    yield Event("blocked", text, {"blocker": blocker, "action": action})


def loss(seat: int, card: str) -> Iterator[Event]:
    """An influence is lost."""
    yield Event("loss", does(seat, f"turn up {card}."), {"seat": seat, "card": card})


def out(seat: int, coins: int) -> Iterator[Event]:
    """A player has no influence left."""
    text = Sentence(does(seat, "have no influence left and"), Does(seat, "be out."))
    yield Event("out", text, {"seat": seat, "coins": coins})


def no_effect(target: int) -> Iterator[Event]:
    """An assassination has no effect because its target is already out."""
    text = does(target, "be out already, so the assassination has no effect.")
    yield Event("fizzle", text, {"target": target})


def refund(seat: int, amount: int) -> Iterator[Event]:
    """A failed claim's cost is paid back."""
    yield Event("refund", does(seat, f"get {counted(amount, 'coin')} back."), {"seat": seat, "coins": amount})


def gain(seat: int, action: str, target: int, amount: int) -> Iterator[Event]:
    """An action brings coins."""
    source = (" from ", Who(target)) if action == STEAL else ()
    data = {"seat": seat, "action": action, "target": None if target == NOBODY else target, "coins": amount}
    yield Event("gain", Sentence(does(seat, f"take {counted(amount, 'coin')}"), *source, "."), data)


def exchange_draw(seat: int, drawn: Cards) -> Iterator[Event]:
    """Two cards are drawn for an exchange."""
    yield Event("exchange", does(seat, f"draw two cards for an {TITLE[EXCHANGE]}."), {"seat": seat})
    yield Event("drawn", does(seat, f"have drawn {' and '.join(drawn)}."), {"seat": seat, "cards": list(drawn)}, (seat,))


def exchange_end(seat: int, kept: Cards, returned: Cards) -> Iterator[Event]:
    """Two cards go back to the deck."""
    data = {"seat": seat, "kept": list(kept), "returned": list(returned)}
    text = Sentence(does(seat, f"keep {' and '.join(kept)} and"), Does(seat, f"return {' and '.join(returned)}."))
    yield Event("exchanged", does(seat, "return two cards to the Court deck."), {"seat": seat})
    yield Event("kept", text, data, (seat,))


def penalty(seat: int, amount: int) -> Iterator[Event]:
    """A player has given too many invalid answers."""
    cost = f"it costs {counted(amount, 'coin')}, and the harmless answer is taken"
    text = does(seat, f"have given too many invalid answers: {cost}.")
    yield Event(PENALTY, text, {"seat": seat, "coins": amount})


def end(winners: tuple[int, ...], reasons: tuple[str, ...], hands: tuple[Hand, ...]) -> Iterator[Event]:
    """The match is over, and every hand is shown."""
    data = {"winners": list(winners), "hands": [list(hand.slots) for hand in hands]}
    text = Sentence(f"The match is over: {', '.join(reasons)}. ", win(winners))
    yield Event("end", text, data)
