"""Events of a transition, in words and as data, each with its audience: one function an event."""

from __future__ import annotations

from games.core import PENALTY, PHASE, Event, counted, seat_name, seat_names
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

Pair = tuple[Event, Event]

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


def phase(before: int, entered: int) -> Event:
    """A phase is entered."""
    return Event(PHASE, f"Phase {entered}: {PHASES.by_id(entered).name}.", {"to": entered, "from": before})


def introduction(players: int) -> Event:
    """Phase 0: who plays, the aim, what each character does and blocks, and the order of a turn."""
    aim = f"Coup for {players} players, {seat_names(range(players))}: the last one with influence wins."
    characters = [{"name": name, "does": does, "blocks": list(blocks)} for name, does, blocks in INTRODUCED]
    words = [f"{name}: {_abilities(does, blocks)}" for name, does, blocks in INTRODUCED]
    data = {"players": players, "characters": characters, "turn": list(ORDER_OF_A_TURN)}
    return Event("introduction", f"{aim} {'. '.join(words)}. A turn: {', '.join(ORDER_OF_A_TURN)}.", data)


def _abilities(does: str, blocks: tuple[str, ...]) -> str:
    return ", ".join([*([does] if does else []), *(f"blocks {TITLE[action]}" for action in blocks)])


def setup(start: int, purses: tuple[int, ...]) -> Event:
    """Coins are handed out and the starting player is drawn."""
    text = f"The cards are shuffled, and {seat_name(start)} is drawn as the starting player."
    return Event("setup", text, {"start": start, "coins": list(purses)})


def dealt(seat: int, cards: Cards) -> Event:
    """A player sees the cards to start with."""
    return Event(
        "dealt", f"{seat_name(seat)} starts with {' and '.join(cards)}.", {"seat": seat, "cards": list(cards)}, (seat,)
    )


def pick(seat: int, card: str) -> Pair:
    """A player drafts a card."""
    return (
        Event("pick", f"{seat_name(seat)} has chosen a card.", {"seat": seat}),
        Event("picked", f"{seat_name(seat)} takes {card}.", {"seat": seat, "card": card}, (seat,)),
    )


def turn(number: int, seat: int, purse: int) -> Event:
    """A turn begins."""
    forced = ", and has to make a coup" if purse >= FORCED_COUP else ""
    text = f"Turn {number}: {seat_name(seat)} has {counted(purse, 'coin')}{forced}."
    return Event("turn", text, {"number": number, "seat": seat, "coins": purse})


def declaration(seat: int, action: str, target: int) -> Event:
    """An action is declared and paid for."""
    parts = [f"claims {CLAIM[action]}"] if action in CLAIM else []
    parts += [f"pays {counted(COST[action], 'coin')}"] if action in COST else []
    before = f"{', '.join(parts)} and " if parts else ""
    aim = f" against {seat_name(target)}" if action in TARGETED else ""
    data = {"seat": seat, "action": action, "target": None if target == NOBODY else target, "claim": CLAIM.get(action)}
    return Event("declaration", f"{seat_name(seat)} {before}declares {TITLE[action]}{aim}.", data)


def passed(seat: int) -> Event:
    """A player passes while others still decide. Only the player knows, so that their answers cannot depend on it."""
    return Event("pass", f"{seat_name(seat)} passes.", {"seat": seat}, (seat,))


def unchallenged(claimant: int, character: str) -> Event:
    """Nobody challenges a claim."""
    text = f"Nobody challenges {seat_name(claimant)}'s claim of {character}."
    return Event("unchallenged", text, {"claimant": claimant, "character": character})


def unblocked(actor: int, action: str) -> Event:
    """Nobody blocks an action."""
    text = f"Nobody blocks {seat_name(actor)}'s {TITLE[action]} as {' or '.join(BLOCKERS[action])}."
    return Event("unblocked", text, {"actor": actor, "action": action})


def challenge(seat: int, claimant: int, character: str) -> Event:
    """A claim is challenged."""
    text = f"{seat_name(seat)} challenges {seat_name(claimant)}'s claim of {character}."
    return Event("challenge", text, {"seat": seat, "claimant": claimant, "character": character})


def false_claim(claimant: int, character: str) -> Event:
    """A challenged claim is false."""
    text = f"{seat_name(claimant)} does not have {character}."
    return Event("false_claim", text, {"claimant": claimant, "character": character})


def concession(claimant: int, character: str) -> Event:
    """A challenged player declines to prove a claim."""
    text = f"{seat_name(claimant)} declines to show {character}."
    return Event("concession", text, {"claimant": claimant, "character": character})


def proof(seat: int, card: str) -> Event:
    """A challenged claim is proven."""
    return Event("proof", f"{seat_name(seat)} shows {card}: the claim is true.", {"seat": seat, "card": card})


def replacement(seat: int, card: str, drawn: str) -> Pair:
    """A shown card is exchanged with the deck."""
    return (
        Event(
            "replacement",
            f"{card} goes into the Court deck, and {seat_name(seat)} has a new card.",
            {"seat": seat, "card": card},
        ),
        Event("replaced", f"{seat_name(seat)} has drawn {drawn}.", {"seat": seat, "card": drawn}, (seat,)),
    )


def block(seat: int, actor: int, action: str, character: str) -> Event:
    """An action is blocked."""
    text = f"{seat_name(seat)} claims {character} and blocks {seat_name(actor)}'s {TITLE[action]}."
    return Event("block", text, {"seat": seat, "actor": actor, "action": action, "character": character})


def blocked(blocker: int, action: str) -> Event:
    """A block stands."""
    text = f"The block of {seat_name(blocker)} stands: {TITLE[action]} has no effect."
    return Event("blocked", text, {"blocker": blocker, "action": action})


def loss(seat: int, card: str) -> Event:
    """An influence is lost."""
    return Event("loss", f"{seat_name(seat)} turns up {card}.", {"seat": seat, "card": card})


def out(seat: int, purse: int) -> Event:
    """A player has no influence left."""
    text = f"{seat_name(seat)} has no influence left and is out."
    return Event("out", text, {"seat": seat, "coins": purse})


def fizzle(target: int) -> Event:
    """An assassination has no effect because its target is already out."""
    text = f"{seat_name(target)} is out already, so the assassination has no effect."
    return Event("fizzle", text, {"target": target})


def refund(seat: int, amount: int) -> Event:
    """A failed claim's cost is paid back."""
    return Event("refund", f"{seat_name(seat)} gets {counted(amount, 'coin')} back.", {"seat": seat, "coins": amount})


def gain(seat: int, action: str, target: int, amount: int) -> Event:
    """An action brings coins."""
    source = f" from {seat_name(target)}" if action == STEAL else ""
    data = {"seat": seat, "action": action, "target": None if target == NOBODY else target, "coins": amount}
    return Event("gain", f"{seat_name(seat)} takes {counted(amount, 'coin')}{source}.", data)


def exchange_draw(seat: int, drawn: Cards) -> Pair:
    """Two cards are drawn for an exchange."""
    return (
        Event("exchange", f"{seat_name(seat)} draws two cards for an {TITLE[EXCHANGE]}.", {"seat": seat}),
        Event("drawn", f"{seat_name(seat)} has drawn {' and '.join(drawn)}.", {"seat": seat, "cards": list(drawn)}, (seat,)),
    )


def exchange_end(seat: int, kept: Cards, returned: Cards) -> Pair:
    """Two cards go back to the deck."""
    data = {"seat": seat, "kept": list(kept), "returned": list(returned)}
    text = f"{seat_name(seat)} keeps {' and '.join(kept)} and returns {' and '.join(returned)}."
    return (
        Event("exchanged", f"{seat_name(seat)} returns two cards to the Court deck.", {"seat": seat}),
        Event("kept", text, data, (seat,)),
    )


def penalty(seat: int, amount: int) -> Event:
    """A player has given too many invalid answers."""
    cost = f"it costs {counted(amount, 'coin')}, and the harmless answer is taken"
    text = f"{seat_name(seat)} has given too many invalid answers: {cost}."
    return Event(PENALTY, text, {"seat": seat, "coins": amount})


def end(winners: tuple[int, ...], reasons: tuple[str, ...], hands: tuple[Hand, ...]) -> Event:
    """The match is over, and every hand is shown."""
    data = {"winners": list(winners), "hands": [list(hand.slots) for hand in hands]}
    text = f"The match is over: {', '.join(reasons)}. {seat_names(winners)} {'wins' if len(winners) == 1 else 'share the win'}."
    return Event("end", text, data)
