"""Claim turns: turns with claims, challenges and blocks. The current turn line by line, earlier turns as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from rich.table import Table
from rich.text import Text

from games.core import seat_name
from runner.screen.palette import BAD, GOOD, QUIET, TITLE, seat_text
from runner.screen.perspective import Facts

TURN, DOUBT, BLOCK, LOSS, OPEN = "▶", "?", "■", "†", "…"
TRUE, UNTRUE = "✓", "✗"
_ENDS = {
    "proven": ("shown", TRUE, GOOD),
    "false": ("false", UNTRUE, BAD),
    "conceded": ("not shown", UNTRUE, BAD),
}
_SHORT = {"proven": "true", "false": "false", "conceded": "kept"}
_RESULTS = {"success": "done", "blocked": "blocked", "challenged_and_lost": "failed", "challenged_and_won": "no effect"}
_WITHOUT_LOSSES, _ROOM_FOR_LOSSES, _ROOM_FOR_RESULT = 60, 76, 94
_LONGEST_LOSSES, _RESULT = 30, 9


def claim_at_stake(turn: Facts) -> tuple[int, str] | None:
    """The seat and character of the last claim in a turn, if any."""
    if turn["block"]:
        return turn["blocker"], turn["block"]
    return (turn["actor"], turn["claim"]) if turn["claim"] else None


def listed_seats(seats: Sequence[int], word: str = "or") -> Text:
    """A list of seats, joined by `word`."""
    text = Text()
    for place, seat in enumerate(seats):
        text += Text("" if place == 0 else f" {word} " if place == len(seats) - 1 else ", ") + seat_text(seat)
    return text


# -- one turn --------------------------------------------------------------------------------------------------------


def turn_lines(turn: Facts) -> Iterator[Text]:
    """The turn so far, one line per step."""
    losses = list(turn["losses"])
    yield _line(TURN, seat_text(turn["actor"]), Text(" declares "), _action(turn), _claim(turn["claim"]))
    if turn["challenger"] is not None:
        yield _challenge(turn["challenger"], turn["actor"], turn["verdict"], losses)
    if turn["block"]:
        yield _line(BLOCK, seat_text(turn["blocker"]), Text(" blocks"), _claim(turn["block"]))
    if turn["block_challenger"] is not None:
        yield _challenge(turn["block_challenger"], turn["blocker"], turn["block_verdict"], losses)
    for loss in losses:
        yield _line(LOSS, _turned_up(loss))
    if turn["window"] == "loss" and not _is_loss_of_challenge(turn):
        yield _line(LOSS, seat_text(turn["target"]), Text(" has to turn up a card"))


def _is_loss_of_challenge(turn: Facts) -> bool:
    """Whether the influence is lost to a challenge and not to the action."""
    settled = (turn["verdict"] is not None) + (turn["block_verdict"] is not None)
    return len(turn["losses"]) < settled


def _challenge(challenger: int, claimant: int, verdict: str | None, losses: list[Facts]) -> Text:
    start = _line(DOUBT, seat_text(challenger), Text(" challenges"))
    if verdict is None:
        return start
    word, sign, style = _ENDS[verdict]
    line = start + Text(": ") + Text(f"{word} {sign}", style=style) + Text(", ")
    loser = challenger if verdict == "proven" else claimant
    return line + (_turned_up(losses.pop(0)) if losses else seat_text(loser) + Text(" has to turn up a card"))


def _turned_up(loss: Facts) -> Text:
    return seat_text(loss["seat"]) + Text(" turns up ") + Text(loss["card"], style=TITLE)


def _action(turn: Facts) -> Text:
    text = Text(turn["action"].title(), style=TITLE)
    return text if turn["target"] is None else text + Text(" against ", style="not bold") + seat_text(turn["target"])


def _claim(character: str | None) -> Text:
    return Text() if character is None else Text(" as ") + Text(character, style=TITLE)


def _line(sign: str, *parts: Text) -> Text:
    return Text.assemble((f"{sign} ", QUIET), *parts)


# -- the turns before ------------------------------------------------------------------------------------------------


def earlier_turns(turns: Sequence[Facts], most: int, width: int) -> Table:
    """The last `most` turns, one line each, with losses and results where they fit."""
    has_losses, has_result = width >= _ROOM_FOR_LOSSES, width >= _ROOM_FOR_RESULT
    rows = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=QUIET)
    rows.add_column("Turn", justify="right", no_wrap=True, width=4)
    rows.add_column("Action", no_wrap=True, width=19)
    rows.add_column("Challenge", no_wrap=True, width=9)
    rows.add_column("Block", no_wrap=True, width=14)
    rows.add_column("Challenge", no_wrap=True, width=9)
    if has_losses:
        room = width - _WITHOUT_LOSSES - (_RESULT + 1) * has_result
        rows.add_column("Lost", no_wrap=True, overflow="ellipsis", width=min(room, _LONGEST_LOSSES))
    if has_result:
        rows.add_column("Result", no_wrap=True, width=_RESULT)
    for turn in turns[-most:]:
        cells = [_short_action(turn), _test(turn["challenger"], turn["verdict"]), _block(turn)]
        cells.append(_test(turn["block_challenger"], turn["block_verdict"]))
        if has_losses:
            cells.append(_losses(turn["losses"]))
        if has_result:
            cells.append(Text(_RESULTS.get(turn["outcome"], "the end"), style=QUIET))
        rows.add_row(str(turn["turn"]), *cells)
    return rows


def _short_action(turn: Facts) -> Text:
    text = seat_text(turn["actor"]) + Text(f" {turn['action'].title()}")
    return text if turn["target"] is None else text + Text(" ") + seat_text(turn["target"])


def _test(challenger: int | None, verdict: str | None) -> Text:
    if challenger is None or verdict is None:
        return Text("")
    return seat_text(challenger) + Text(f" {_SHORT[verdict]}", style=_ENDS[verdict][2])


def _block(turn: Facts) -> Text:
    return seat_text(turn["blocker"]) + Text(f" {turn['block']}") if turn["block"] else Text("")


def _losses(losses: Sequence[Facts]) -> Text:
    text = Text()
    for place, loss in enumerate(losses):
        again = place and losses[place - 1]["seat"] == loss["seat"]
        text += Text(", " if place else "")
        text += Text(loss["card"]) if again else Text(f"{seat_name(loss['seat'])} {loss['card']}")
    return text


# -- bluffs -----------------------------------------------------------------------------------------------------------


class BluffFigures(Protocol):
    """Statistics of a player: claims, how many were true, false and caught; challenges, and how many were right."""

    @property
    def claims(self) -> int: ...
    @property
    def true(self) -> int: ...
    @property
    def false(self) -> int: ...
    @property
    def caught(self) -> int: ...
    @property
    def challenges(self) -> int: ...
    @property
    def right(self) -> int: ...


def bluff_rows(players: Sequence[BluffFigures]) -> Table:
    """One line per player. A claim that was never revealed counts as unknown."""
    rows = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=QUIET)
    rows.add_column("", no_wrap=True)
    for name in ("Claims", "true", "bluff", "caught", "unknown", "Challenges", "right"):
        rows.add_column(name, justify="right", no_wrap=True)
    for seat, one in enumerate(players):
        unknown = one.claims - one.true - one.false
        numbers = (one.claims, one.true, one.false, one.caught, unknown, one.challenges, one.right)
        rows.add_row(seat_text(seat), *(str(number) if number else "·" for number in numbers))
    return rows
