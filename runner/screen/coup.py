"""Coup on screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from games.core import View, seat_name
from games.coup.actions import BLOCKERS, FORCED_COUP
from games.coup.bluff_stats import bluff_stats
from games.coup.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE
from games.coup.phases import EVALUATIONS, SETUP
from games.coup.position import PROVEN
from runner.screen.claim_turns import (
    OPEN,
    TRUE,
    TURN,
    UNTRUE,
    bluff_rows,
    claim_at_stake,
    earlier_turns,
    listed_seats,
    turn_lines,
)
from runner.screen.influence_rows import Player, player_rows
from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.perspective import Facts, VisibleState
from runner.screen.responsive import ResponsiveLayout

_BESIDE = 119
_LEFT = 59
_GAP = 1
_ROWS_OF_SEATS_AND_TURNS = 9
_ROWS_BESIDE = 7


SHOWN_BY_TABLE = frozenset({"introduction", "dealt", "picked", "pass", "replaced", "drawn"})


def table(seen: VisibleState) -> RenderableType:
    """The table: players, current turn and earlier turns; at the start the rules in short, at the end bluff statistics.

    With a story beside it, the earlier turns and the rules are left out.
    """
    if seen.has_story:
        return _Layout(seen)
    layouts = [_Layout(seen), _Layout(seen, has_rules=False)]
    return ResponsiveLayout([*layouts, _Layout(seen, has_introduction=False)] if seen.has_menu else layouts)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Players, earlier turns and the current turn; on a wide terminal the earlier turns, or the rules, are on the right."""

    seen: VisibleState
    has_rules: bool = True
    has_introduction: bool = True

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        view, width = self.seen.view, options.max_width
        is_wide = width >= _BESIDE and not self.seen.has_story
        left = max(_LEFT, width // 2 - _GAP) if is_wide else width
        seats = player_rows([_player(self.seen, seat) for seat in range(view["players"])], left)
        if is_wide:
            most = _ROWS_BESIDE + view["players"]
            grid = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
            grid.add_column(width=left)
            grid.add_column(width=width - left - _GAP)
            grid.add_row(Group(seats, *self._now()), Group(*self._before(most, width - left - _GAP)))
            yield grid
            return
        yield seats
        if not self.seen.has_story and (view["history"] or view["stake"] is None):
            yield from self._before(_ROWS_OF_SEATS_AND_TURNS - view["players"], width)
        rows = [*self._now()]
        room = options.max_height - view["players"] - 1
        yield from rows if not self.seen.has_story or view["winners"] else _fitted(rows, room)

    def _before(self, most: int, width: int) -> Iterator[RenderableType]:
        """The earlier turns, or at the start the rules."""
        history = self.seen.view["history"]
        if history:
            yield earlier_turns(history, most, width)
        elif self.has_introduction:
            yield from _introduction(self.has_rules)

    def _now(self) -> Iterator[RenderableType]:
        """The current turn, or at the end the winner and bluff statistics."""
        view = self.seen.view
        if view["winners"]:
            yield _title(_won(view))
            yield bluff_rows(bluff_stats(view))
            return
        deck = f"Court deck {view['deck_size']} card{'s' * (view['deck_size'] != 1)}"
        yield _title(f"Turn {view['turn']}{_limit(view)} · {deck}")
        if view["stake"] is None:
            yield Text.assemble((f"{TURN} ", QUIET), _to_declare(view))
            return
        yield from turn_lines(view["stake"])
        yield from _open_step(self.seen)


def _fitted(rows: list[RenderableType], room: int) -> Iterator[RenderableType]:
    """The lines of the turn, each cut to one line: its title, what was declared, and the newest that fit."""
    kept = rows if len(rows) <= room else [*rows[:2], *rows[2 - room :]] if room > 2 else rows[:room]
    for row in kept:
        if isinstance(row, Text):
            row.no_wrap, row.overflow = True, "ellipsis"
        yield row


def _title(text: str) -> Rule:
    return Rule(Text(text, style=TITLE), align="left", style=QUIET)


def _limit(view: View) -> str:
    limit = view["options"]["max_turns"]
    return f" of {limit}" if limit else ""


# -- the players -----------------------------------------------------------------------------------------------------


def _player(seen: VisibleState, seat: int) -> Player:
    view, own = seen.view, seen.owns.get(seat)
    is_out = not view["alive"][seat]
    return Player(
        name=seen.names[seat],
        coins=view["coins"][seat],
        down=_hand_at_the_end(view, seat) if view["hands"] else own["cards"] if own else [None] * view["hand_sizes"][seat],
        lost=view["revealed"][seat],
        now="wins" if seat in view["winners"] else _doing(view, seat),
        is_active=seat == view["active"] and not view["winners"],
        is_out=is_out,
        wins=seat in view["winners"],
        claimed=_claimed(view, seat),
    )


def _hand_at_the_end(view: View, seat: int) -> list[str]:
    down = list(view["hands"][seat])
    for card in view["revealed"][seat]:
        down.remove(card)
    return down


def _claimed(view: View, seat: int) -> str:
    """The characters a player has claimed, how often, and the result of the last challenge of each."""
    claims = view["claims"][seat]
    words = []
    for character in dict.fromkeys(claim["character"] for claim in claims):
        verdicts = [claim["verdict"] for claim in claims if claim["character"] == character]
        tests = [TRUE if verdict == PROVEN else UNTRUE for verdict in verdicts if verdict]
        words.append(character + f" {len(verdicts)}" * (len(verdicts) > 1) + f" {''.join(tests[-1:])}" * bool(tests))
    return ", ".join(words)


def _doing(view: View, seat: int) -> str:
    """A player's part in the turn, in short."""
    stake = view["stake"]
    if stake is None:
        return ""
    if seat == stake["blocker"]:
        return f"says {stake['block']}"
    if seat == stake["actor"]:
        return f"says {stake['claim']}" if stake["claim"] else stake["action"]
    if seat in (stake["challenger"], stake["block_challenger"]):
        return "challenges"
    return "target" if seat == stake["target"] else ""


# -- the turn --------------------------------------------------------------------------------------------------------


def _to_declare(view: View) -> Text:
    if view["phase"]["id"] == SETUP:
        return Text("Each player secretly takes one card of a set of five")
    forced = f": from {FORCED_COUP} coins on only Coup" if view["coins"][view["active"]] >= FORCED_COUP else ""
    return Text.assemble(seat_text(view["active"]), f" declares an action{forced}")


def _open_step(seen: VisibleState) -> Iterator[Text]:
    """The current decision and its seats, if the lines of the turn do not show them."""
    stake = seen.view["stake"]
    steps = {"challenge": _challenge_window, "block": _block_window, "proof": _proof, "exchange": _exchange}
    if stake["window"] in steps:
        yield Text.assemble((f"{OPEN} ", QUIET), steps[stake["window"]](seen, stake))


def _challenge_window(seen: VisibleState, stake: Facts) -> Text:
    claimant, character = claim_at_stake(stake) or (None, "")
    others = [seat for seat, alive in enumerate(seen.view["alive"]) if alive and seat != claimant]
    return listed_seats(others) + Text(f" may challenge {character}")


def _block_window(seen: VisibleState, stake: Facts) -> Text:
    alive = [seat for seat, is_in in enumerate(seen.view["alive"]) if is_in and seat != stake["actor"]]
    asked = alive if stake["target"] is None else [stake["target"]]
    return listed_seats(asked) + Text(f" may block as {' or '.join(BLOCKERS[stake['action']])}")


def _proof(seen: VisibleState, stake: Facts) -> Text:
    claimant, character = claim_at_stake(stake) or (0, "")
    decides = seen.view["phase"]["id"] in EVALUATIONS
    does = f" has {character}: shows it, or concedes" if decides else f" has {character} and shows it"
    return Text.assemble(seat_text(claimant), does)


def _exchange(seen: VisibleState, stake: Facts) -> Text:
    own = seen.owns.get(stake["actor"])
    drawn = " and ".join(own["drawn"]) if own else "two cards"
    return Text.assemble(seat_text(stake["actor"]), f" has drawn {drawn}, and returns two")


# -- the start -------------------------------------------------------------------------------------------------------

_CHARACTERS = (
    (DUKE, "Tax: take 3 coins", "Foreign Aid"),
    (ASSASSIN, "Assassinate (3): target loses a card", ""),
    (AMBASSADOR, "Exchange: draw 2 cards, return 2", "Steal"),
    (CAPTAIN, "Steal: take 2 coins from target", "Steal"),
    (CONTESSA, "", "Assassinate"),
    ("anyone", "Income: 1 coin; Foreign Aid: 2 coins", ""),
    ("", "Coup (7): target loses a card", ""),
)
_RULES = (
    "A turn: declare → challenge? → block? → challenge? → effect",
    "Claim any character. A caught bluff or a wrong challenge",
    "costs a card. No cards: you are out. 10 coins: only Coup.",
)


def reference(seen: VisibleState) -> RenderableType:
    """What each character can do."""
    return Group(*_introduction(has_rules=False))


def _introduction(has_rules: bool) -> Iterator[RenderableType]:
    """What each character can do; with `has_rules` also the rules in short."""
    rows = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=QUIET)
    rows.add_column("Claim of", no_wrap=True, style=TITLE)
    rows.add_column("Action", no_wrap=True)
    rows.add_column("Blocks", no_wrap=True)
    for row in _CHARACTERS:
        rows.add_row(*row)
    yield _title("Bluff, and be the last player in")
    yield rows
    yield from map(Text, _RULES if has_rules else ())


# -- the end ---------------------------------------------------------------------------------------------------------


def _won(view: View) -> str:
    if len(view["winners"]) > 1:
        return "★ Turn limit reached: all remaining players win"
    return f"★ {seat_name(view['winners'][0])} wins in turn {view['turn']}"
