"""Coup's table as a scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any

from games.core import View
from games.core.scene import (
    ACTIVE,
    BAD,
    DOWN,
    GOOD,
    LOST,
    OUT,
    PAGE,
    PAST,
    QUIET,
    UP,
    WINS,
    Card,
    CardRow,
    Column,
    Counter,
    Later,
    Owns,
    Part,
    Phrase,
    Pile,
    Player,
    Players,
    Row,
    Scene,
    Stack,
    Steps,
    Table,
    Word,
)
from games.core.sentence import Does, Who, named
from games.coup.actions import BLOCKERS, FORCED_COUP
from games.coup.belief.bluff_stats import bluff_stats
from games.coup.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CHARACTERS, CONTESSA, DUKE
from games.coup.drama import BEATS as BEATS
from games.coup.drama import LETTERS as LETTERS
from games.coup.drama import TITLES as TITLES
from games.coup.drama import asked as asked
from games.coup.drama import is_open as is_open
from games.coup.drama import told as told
from games.coup.phases import SETUP
from games.coup.position import PROVEN

SHOWN = frozenset({"introduction", "dealt", "picked", "pass", "replaced", "drawn"})
"""Kinds of events that the table shows."""

_FACES = {
    DUKE: ("violet", "♛"),
    ASSASSIN: ("slate", "†"),
    CAPTAIN: ("navy", "⚓"),
    AMBASSADOR: ("forest", "✉"),
    CONTESSA: ("crimson", "♥"),
}
_HAND, _ROWS = 23, 9
_TURN, _CHALLENGE, _BLOCK, _LOSS, _OPEN = "▶", "?", "■", "†", "…"
_VERDICTS = {"proven": ("shown ✓", GOOD), "false": ("false ✗", BAD), "conceded": ("not shown ✗", BAD)}
_SHORT = {"proven": "true", "false": "false", "conceded": "kept"}
_RESULTS = {"success": "done", "blocked": "blocked", "challenged_and_lost": "failed", "challenged_and_won": "no effect"}

Turn = Mapping[str, Any]
Claims = tuple[tuple[str, str | None], ...]
"""The characters that a player has claimed, each with the verdict of its challenge."""


def table(view: View, own: Owns, names: tuple[str, ...]) -> Scene:
    """Players, earlier turns, the current turn; at the start the rules in short, at the end bluff statistics."""
    seats = range(view["players"])
    players = Players(
        tuple(_player(view, own.get(seat), seat) for seat in seats),
        counters=("Coins",),
        cards="Cards (✗ turned up)",
        said="Claimed",
        hand_width=_HAND,
    )
    drawn = (part for seat, facts in own.items() for part in _drawn(view, seat, facts) if len(own) == 1)
    parts = [players, *drawn, *_before(view), *(_over(view) if view["winners"] else (_turn(view, own),))]
    standing = tuple(coins if alive else 0 for coins, alive in zip(view["coins"], view["alive"], strict=True))
    return Scene(names, tuple(parts), _RULES, standing, "Coins")


@cache
def _card(name: str | None, state: str = DOWN) -> Card:
    return Card(name, *_FACES.get(name or "", ("", "")), state)


# -- the players -----------------------------------------------------------------------------------------------------


def _player(view: View, own: Mapping[str, Any] | None, seat: int) -> Player:
    note: Phrase
    if seat in view["winners"]:
        state, note = WINS, (Does(seat, "win"),)
    else:
        is_active = seat == view["active"] and not view["winners"]
        state, note = OUT if not view["alive"][seat] else ACTIVE if is_active else "", _doing(view, seat)
    coins = view["coins"][seat] if view["alive"][seat] else None
    claims = tuple([(claim["character"], claim["verdict"]) for claim in view["claims"][seat]])
    who, shown = view.get("shown") or (None, None)
    down = tuple(_down(view, own, seat))
    return _panel(seat, state, note, coins, down, tuple(view["revealed"][seat]), claims, shown if who == seat else None)


@lru_cache(4096)
def _panel(
    seat: int,
    state: str,
    note: Phrase,
    coins: int | None,
    down: tuple[str | None, ...],
    lost: tuple[str, ...],
    claims: Claims,
    shown: str | None,
) -> Player:
    """A player, perhaps with a card `shown` to all. Few of them change from one view to the next, and a page has many views."""
    hand = [*map(_card, down)]
    if shown is not None:
        hand[next(place for place, name in enumerate(down) if name in (None, shown))] = _card(shown, UP)
    return Player(
        seat,
        state,
        note,
        () if coins is None else (Counter(coins, "coin"),),
        (*hand, *(_card(name, LOST) for name in lost)),
        _claimed(claims),
    )


def _down(view: View, own: Mapping[str, Any] | None, seat: int) -> Sequence[str | None]:
    """The face-down cards, None for a hidden one. At the end all hands are public."""
    if not view["hands"]:
        return [None] * view["hand_sizes"][seat] if own is None else [*own["cards"]]
    down = list(view["hands"][seat])
    for name in view["revealed"][seat]:
        down.remove(name)
    return down


def _drawn(view: View, seat: int, own: Mapping[str, Any]) -> Iterator[CardRow]:
    """The cards that an exchange has drawn, or of which one is taken in the draft, for the player whose view it is."""
    picks = CHARACTERS if view["phase"]["id"] == SETUP and own["picked"] is None else ()
    for names, verb in ((own["drawn"], "draw"), (picks, "choose from")):
        if names:
            stacks = tuple([Stack((Card(name, sign=_FACES[name][1], owner=seat),)) for name in names])
            yield CardRow(stacks, title=(Who(seat), Does(seat, verb)), use=PAGE)


def _claimed(claims: Claims) -> Phrase:
    """The characters a player has claimed, how often, and the result of the last challenge of each."""
    found: list[Card] = []
    for character in dict.fromkeys(name for name, _ in claims):
        verdicts = [verdict for name, verdict in claims if name == character]
        tests = ["✓" if verdict == PROVEN else "✗" for verdict in verdicts if verdict]
        name = " ".join([character, *([str(len(verdicts))] if len(verdicts) > 1 else []), *tests[-1:]])
        found.append(Card(name, _FACES[character][0]))
    return tuple(found)


def _doing(view: View, seat: int) -> Phrase:
    """A player's part in the turn, in short."""
    stake = view["stake"]
    if stake is None:
        return ()
    if seat == stake["blocker"]:
        return (Does(seat, f"say {stake['block']}"),)
    if seat == stake["actor"]:
        return (Does(seat, f"say {stake['claim']}") if stake["claim"] else str(stake["action"]),)
    if seat in (stake["challenger"], stake["block_challenger"]):
        return (Does(seat, "challenge"),)
    return ("target",) if seat == stake["target"] else ()


# -- the turn --------------------------------------------------------------------------------------------------------


def _turn(view: View, own: Owns) -> Steps:
    limit = view["options"]["max_turns"]
    pile = _deck(view["deck_size"], tuple([card for cards in view["revealed"] for card in cards]))
    steps = [*_steps(view["stake"]), *_open(view, own)] if view["stake"] else [(_TURN, _to_declare(view))]
    return Steps(tuple(steps), pile, title=(f"Turn {view['turn']}{f' of {limit}' if limit else ''}",))


@lru_cache(1024)
def _deck(size: int, lost: tuple[str, ...]) -> Pile:
    return Pile("Court deck", size, tuple((_card(name), lost.count(name)) for name in CHARACTERS if name in lost))


def _to_declare(view: View) -> Phrase:
    if view["phase"]["id"] == SETUP:
        return ("Each player secretly takes one card of a set of five",)
    forced = f": from {FORCED_COUP} coins on only Coup" if view["coins"][view["active"]] >= FORCED_COUP else ""
    return Who(view["active"]), Does(view["active"], f"declare an action{forced}")


def _steps(turn: Turn) -> Iterator[tuple[str, Phrase]]:
    """The turn so far, one line per step."""
    losses = list(turn["losses"])
    against: Phrase = () if turn["target"] is None else (" against ", Who(turn["target"]))
    yield (
        _TURN,
        (Who(turn["actor"]), Does(turn["actor"], "declare "), Word(turn["action"].title()), *against, *_as(turn["claim"])),
    )
    if turn["challenger"] is not None:
        yield _CHALLENGE, _challenge(turn["challenger"], turn["actor"], turn["verdict"], losses)
    if turn["block"]:
        yield _BLOCK, (Who(turn["blocker"]), Does(turn["blocker"], "block"), *_as(turn["block"]))
    if turn["block_challenger"] is not None:
        yield _CHALLENGE, _challenge(turn["block_challenger"], turn["blocker"], turn["block_verdict"], losses)
    for loss in losses:
        yield _LOSS, _turns_up(loss)
    is_of_challenge = len(turn["losses"]) < (turn["verdict"] is not None) + (turn["block_verdict"] is not None)
    if turn["window"] == "loss" and not is_of_challenge:
        yield _LOSS, (Who(turn["target"]), Does(turn["target"], "have to turn up a card"))


def _challenge(challenger: int, claimant: int, verdict: str | None, losses: list[Turn]) -> Phrase:
    if verdict is None:
        return Who(challenger), Does(challenger, "challenge")
    loser = challenger if verdict == PROVEN else claimant
    loss: Phrase = _turns_up(losses.pop(0)) if losses else (Who(loser), Does(loser, "have to turn up a card"))
    return Who(challenger), Does(challenger, "challenge: "), Word(*_VERDICTS[verdict]), ", ", *loss


def _turns_up(loss: Turn) -> Phrase:
    return Who(loss["seat"]), Does(loss["seat"], "turn up "), _card(loss["card"])


def _as(character: str | None) -> Phrase:
    return (" as ", _card(character)) if character else ()


def _open(view: View, own: Owns) -> Iterator[tuple[str, Phrase]]:
    """The current decision and its seats, if the steps of the turn do not show them."""
    stake = view["stake"]
    claimant, character = (stake["blocker"], stake["block"]) if stake["block"] else (stake["actor"], stake["claim"])
    challenger, verdict = ("block_challenger", "block_verdict") if stake["block"] else ("challenger", "verdict")
    if stake[challenger] is not None and stake[verdict] is None:
        yield _OPEN, (Who(claimant), Does(claimant, f"turn up {character}?"))
        return
    alive = [seat for seat, is_in in enumerate(view["alive"]) if is_in]
    match stake["window"]:
        case "challenge":
            others = [seat for seat in alive if seat != claimant]
            yield _OPEN, (*named(others, "or"), " may challenge ", _card(character))
        case "block":
            asked = [seat for seat in alive if seat != stake["actor"]] if stake["target"] is None else [stake["target"]]
            yield _OPEN, (*named(asked, "or"), f" may block as {' or '.join(BLOCKERS[stake['action']])}")
        case "exchange":
            drawn = " and ".join(own[stake["actor"]]["drawn"]) if stake["actor"] in own else "two cards"
            yield (
                _OPEN,
                (Who(stake["actor"]), Does(stake["actor"], f"have drawn {drawn}, and"), Does(stake["actor"], "return two")),
            )


# -- before and after ------------------------------------------------------------------------------------------------


_PAST = (
    Column(("Turn",), width=4, is_right=True),
    Column(("Action",), width=19),
    Column(("Challenge",), width=9),
    Column(("Block",), width=14),
    Column(("Challenge",), width=9),
    Column(("Lost",), width=30, least=16, rank=1),
    Column(("Result",), width=9, rank=2),
)


def _before(view: View) -> tuple[Part, ...]:
    """The earlier turns, or at the start the rules."""
    if view["history"]:
        return (Later(partial(_earlier, view["history"], max(1, _ROWS - view["players"])), use=PAST),)
    return _START if view["stake"] is None else ()


def _earlier(history: Sequence[Turn], latest: int) -> Table:
    return Table(_PAST, tuple(map(_record, history)), latest, use=PAST, rank=3, column=1)


def _record(turn: Turn) -> Row:
    target: Phrase = () if turn["target"] is None else (" ", Who(turn["target"]))
    return Row(
        (
            (str(turn["turn"]),),
            (Who(turn["actor"]), f" {turn['action'].title()}", *target),
            _test(turn["challenger"], turn["verdict"]),
            (Who(turn["blocker"]), f" {turn['block']}") if turn["block"] else (),
            _test(turn["block_challenger"], turn["block_verdict"]),
            tuple(_losses(turn["losses"])),
            (Word(_RESULTS.get(turn["outcome"], "the end"), QUIET),),
        )
    )


def _test(challenger: int | None, verdict: str | None) -> Phrase:
    if challenger is None or verdict is None:
        return ()
    return Who(challenger), " ", Word(_SHORT[verdict], _VERDICTS[verdict][1])


def _losses(losses: Sequence[Turn]) -> Iterator[str | Who]:
    for place, loss in enumerate(losses):
        yield ", " if place else ""
        if not place or losses[place - 1]["seat"] != loss["seat"]:
            yield Who(loss["seat"])
            yield " "
        yield loss["card"]


def _over(view: View) -> tuple[Steps, Table]:
    """The winners, and how everybody bluffed. A claim that was never revealed counts as unknown."""
    winners = view["winners"]
    is_draw = len(winners) > 1
    won: Phrase = (
        ("★ Turn limit reached: all remaining players win",)
        if is_draw
        else ("★ ", Who(winners[0]), Does(winners[0], f"win in turn {view['turn']}"))
    )
    heads = ("Claims", "true", "bluff", "caught", "unknown", "Challenges", "right")
    rows = tuple(
        Row(tuple((str(number or "·"),) for number in (*one[:4], one.claims - one.true - one.false, *one[4:])), seat)
        for seat, one in enumerate(bluff_stats(view))
    )
    return Steps(title=won), Table(tuple(Column((head,), is_right=True) for head in heads), rows)


_CHARACTERS = (
    (DUKE, "Tax: take 3 coins", "Foreign Aid"),
    (ASSASSIN, "Assassinate (3): target loses a card", ""),
    (AMBASSADOR, "Exchange: draw 2 cards, return 2", "Steal"),
    (CAPTAIN, "Steal: take 2 coins from target", "Steal"),
    (CONTESSA, "", "Assassinate"),
    ("anyone", "Income: 1 coin; Foreign Aid: 2 coins", ""),
    ("", "Coup (7): target loses a card", ""),
)
_IN_SHORT = (
    "A turn: declare → challenge? → block? → challenge? → effect",
    "Claim any character. A caught bluff or a wrong challenge",
    "costs a card. No cards: you are out. 10 coins: only Coup.",
)


def _characters(rank: int) -> Table:
    """What each character can do."""
    columns = tuple(Column((head,)) for head in ("Claim of", "Action", "Blocks"))
    rows = tuple(Row(((Word(name),), (action,), (blocks,))) for name, action, blocks in _CHARACTERS)
    use = PAST if rank else ""
    return Table(columns, rows, title=("Bluff, and be the last player in",), rank=rank, use=use, column=1 if rank else 0)


_RULES = (_characters(0),)
_START = (_characters(4), Steps(tuple(("", (line,)) for line in _IN_SHORT), use=PAST, rank=5, column=1))
