"""Cat in the Box on screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from games.cat_in_the_box.phases import DISCARD, GAME_OVER, PLAY
from games.cat_in_the_box.scoring import TWO_PLAYER_BONUS_UP_TO
from games.core import seat_name
from runner.screen.palette import BAD, GOOD, QUIET, TITLE, points_text, seat_text
from runner.screen.perspective import Facts, VisibleState
from runner.screen.research_board import EMPTY, NEUTRAL, board, row_style
from runner.screen.responsive import ResponsiveLayout
from runner.screen.safe_text import clean, plain
from runner.screen.trick_table import LEADS, WINS, Trick, trick_table

COUNTS, LARGEST, IN_TRICK = "◆", "◇", "‹"
OPEN, COSTLY = "○", "◌"
INVALID = "!"
TURN = "▶"
_GAP = 2
_SHORTEST_NAME = 4
_LATEST = 2


SHOWN_BY_TABLE = frozenset({"hand"})
_BOARD, _COMPACT_BOARD = 8, 5
"""Lines of the board with and without borders."""


def table(seen: VisibleState) -> RenderableType:
    """The table: research board, players and tricks; after a round its points."""
    if not seen.has_menu:
        return _Layout(seen)
    return ResponsiveLayout([_Layout(seen, latest) for latest in range(_LATEST, -1, -1)])


@dataclass(frozen=True, slots=True)
class _Layout:
    """Board, seats and tricks: stacked, with the `latest` tricks only, or side by side if they fit.

    The board is compact where the terminal is narrow. With a story beside it the board is compact on a low one too, and as many
    tricks are shown as fit.
    """

    seen: VisibleState
    latest: int = _LATEST

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        seen = self.seen
        drawn, width = _round_shown(seen.view), options.max_width
        grid = _board(seen, drawn, False)

        def measured(part: RenderableType) -> int:
            return Measurement.get(console, options.update(width=1000), part).maximum

        left = measured(grid) + _GAP
        is_compact = left - _GAP > width or (seen.has_story and options.max_height < _least_height(seen.view))
        if is_compact:
            grid = _board(seen, drawn, True)
        longest = max(cell_len(clean(name)) for name in seen.names)
        bare = measured(_seats(seen, drawn, 0))
        beside = left + bare + _SHORTEST_NAME <= width and not is_compact
        room = (width - left if beside else width) - bare - 1
        name_width = min(longest, room) if room >= min(longest, _SHORTEST_NAME) else 0
        rows, notes = _seats(seen, drawn, name_width), [*_notes(seen, drawn)]
        if is_compact and seen.has_story:
            notes = notes[: max(0, options.max_height - _COMPACT_BOARD - seen.view["players"] - 1)]
        seats = Group(rows, *notes)
        if not beside:
            latest = self._latest(options.max_height - (_COMPACT_BOARD if is_compact else _BOARD) - len(notes))
            has_tricks = latest > 0 and seen.view["phase"]["id"] != DISCARD
            yield from (grid, seats, *(_tricks(seen.view, drawn, latest) if has_tricks else ()))
            return
        tricks = [*_tricks(seen.view, drawn, None)]
        middle = min(measured(seats), width - left)
        across = left + middle + sum(_GAP + measured(part) for part in tricks)
        line = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        line.add_column()
        line.add_column(width=middle)
        line.add_row(grid, seats, *(tricks if across <= width else []))
        yield line
        if across > width:
            yield from tricks

    def _latest(self, room: int) -> int:
        """How many tricks are shown in the room for seats and tricks."""
        return max(0, room - self.seen.view["players"] - 2) if self.seen.has_story else self.latest


def _least_height(view: Facts) -> int:
    """Lines from which the board has borders: with the seats, their heading, two notes, and the last trick with its own."""
    return _BOARD + int(view["players"]) + 1 + 2 + 2


@dataclass(frozen=True, slots=True)
class _Round:
    """The round on screen: the current one, or the last one while the next is prepared. `points` once it is over."""

    number: int
    facts: Facts
    points: list[int] | None

    @property
    def in_paradox(self) -> int | None:
        """The seat in a paradox."""
        return self.facts["paradox"]["seat"] if self.facts["paradox"] else None


def _round_shown(view: Facts) -> _Round:
    if view["results"] and view["phase"]["id"] in (DISCARD, GAME_OVER):
        done = view["results"][-1]
        return _Round(done["round"], done, done["points"])
    return _Round(view["round"], view, None)


# -- the board -------------------------------------------------------------------------------------------------------


def _board(seen: VisibleState, drawn: _Round, is_compact: bool) -> Table:
    signs = _signs_over(drawn) if drawn.points else _signs(seen)
    return board(f"Round {drawn.number}", drawn.facts["board"], signs, is_compact)


def _signs(seen: VisibleState) -> dict[tuple[str, int], str]:
    """The tokens of the current trick, and the cells that the seat to play may declare."""
    signs = {(play["colour"], play["rank"]): IN_TRICK for play in seen.view["trick"]}
    return signs | {(play["colour"], play["rank"]): COSTLY if play["gives_up"] else OPEN for play in _playable(seen)}


def _signs_over(drawn: _Round) -> dict[tuple[str, int], str]:
    """The largest group of each seat."""
    groups = zip(drawn.facts["largest_group"], drawn.facts["bonus"], strict=True)
    return {
        _cell_named(name): COUNTS if bonus else LARGEST
        for group, bonus in groups
        for name in group["cells"]
        if bonus or group["size"] > 1
    }


def _cell_named(name: str) -> tuple[str, int]:
    colour, rank = name.split()
    return colour, int(rank)


def _playable(seen: VisibleState) -> list[Facts]:
    """The legal plays of the seat to play, if the perspective may see them."""
    own = seen.owns.get(seen.view["turn"]) if seen.view["turn"] is not None else None
    return own["playable"] if own else []


def _notes(seen: VisibleState, drawn: _Round) -> Iterator[RenderableType]:
    """A paradox, and the legend of the signs."""
    paradox = drawn.facts["paradox"]
    if paradox is not None:
        hand = " ".join(map(str, paradox["hand"]))
        yield Rule(Text(f"PARADOX: {seat_name(paradox['seat'])} cannot play: {hand}", style=BAD), characters="━", style=BAD)
    if legend := " · ".join(_legend(seen, drawn)):
        yield Text(legend, style=QUIET)


def _legend(seen: VisibleState, drawn: _Round) -> Iterator[str]:
    view, plays = seen.view, _playable(seen)
    if drawn.points is not None:
        yield f"{COUNTS} largest group, counts"
        yield f"{LARGEST} no bonus"
        if drawn.facts["penalties"]:
            yield f"{INVALID} invalid answers"
    lost = {play["gives_up"] for play in plays}
    if None in lost:
        yield f"{OPEN} open to {seat_name(view['turn'])}"
    for colour in lost - {None}:
        yield f"{COSTLY} gives up {colour}"
    if view["trick"] and drawn.points is None:
        yield f"{IN_TRICK} now"
    if view["phase"]["id"] != DISCARD and (view["finished_tricks"] or view["trick"]):
        yield f"{LEADS} leads"
        yield f"{WINS} wins"
    if view["revealed"]:
        yield f"{NEUTRAL} neutral, turned up: {', '.join(map(str, view['revealed']))}"


# -- the seats -------------------------------------------------------------------------------------------------------


def _seats(seen: VisibleState, drawn: _Round, name_width: int) -> Table:
    """One line per seat; `name_width` 0 omits the names."""
    view, over = seen.view, drawn.points is not None
    rows = Table(box=None, padding=(0, 1, 0, 0), header_style=QUIET, pad_edge=False)
    rows.add_column("", no_wrap=True)
    rows.add_column("", no_wrap=True)
    if name_width:
        rows.add_column("", no_wrap=True, overflow="ellipsis", width=name_width)
    rows.add_column("Won", no_wrap=True)
    if over:
        rows.add_column("Points", no_wrap=True)
    else:
        rows.add_column("X", no_wrap=True)
        rows.add_column("Group", no_wrap=True, justify="right")
    if view["results"]:
        rows.add_column("Total", no_wrap=True, justify="right")
    title = "New hand" if over and view["phase"]["id"] == DISCARD else "Hand"
    rows.add_column(title, no_wrap=seen.has_story, overflow="ellipsis" if seen.has_story else "fold")
    for seat in range(view["players"]):
        turn = Text(TURN if seat == view["turn"] else " ", style=TITLE)
        name = [plain(seen.names[seat])] if name_width else []
        middle = [_sum(drawn, seat)] if over else [_x_tokens(view, seat), str(view["largest_group"][seat]["size"])]
        total = [str(view["scores"][seat])] if view["results"] else []
        rows.add_row(turn, seat_text(seat), *name, _won(drawn, seat), *middle, *total, _hand(seen, seat))
    return rows


def _won(drawn: _Round, seat: int) -> Text:
    """Tricks won and bid, and whether the bonus would be won now."""
    won, bid = drawn.facts["tricks_won"][seat], drawn.facts["bids"][seat]
    if len(drawn.facts["bids"]) == 2:
        text, is_right, is_over = f"{won} ", won <= TWO_PLAYER_BONUS_UP_TO, won > TWO_PLAYER_BONUS_UP_TO
    elif bid is None:
        return Text("no bid", style=QUIET)
    else:
        text, is_right, is_over = f"{won} of {bid} ", won == bid, won > bid
    is_over = is_over or seat == drawn.in_paradox
    return Text(text) + (Text("✗", style=BAD) if is_over else Text("✓" if is_right else " ", style=GOOD))


def _x_tokens(view: Facts, seat: int) -> Text:
    """One letter per colour that the seat may still declare."""
    text = Text()
    for colour in view["board"]:
        has = colour in view["x_tokens"][seat]
        text += Text(colour[0].upper() if has else EMPTY, style=row_style(colour) if has else QUIET)
    return text


def _sum(drawn: _Round, seat: int) -> Text:
    """The points of a round and their parts."""
    assert drawn.points is not None
    points, bonus = drawn.points[seat], drawn.facts["bonus"][seat]
    lost = sum(penalty["seat"] == seat for penalty in drawn.facts["penalties"])
    parts = [str(points - bonus + lost)]
    parts += [f"+{bonus}{COUNTS}"] * bool(bonus) + [f"-{lost}{INVALID}"] * bool(lost)
    return points_text(points) + Text(f" = {' '.join(parts)}" if len(parts) > 1 else "", style=QUIET)


def _hand(seen: VisibleState, seat: int) -> Text:
    """The cards if they may be shown, those without a free cell last; else their number."""
    view, own = seen.view, seen.owns.get(seat)
    if own is None:
        size = view["hand_sizes"][seat]
        return Text(f"{size} card{'s' * (size != 1)}", style=QUIET)
    alive = {rank for ranks in own["declarable"].values() for rank in ranks}
    text = Text(" ".join(str(rank) for rank in own["hand"] if rank in alive))
    dead = [str(rank) for rank in own["hand"] if rank not in alive]
    return text + Text(f"{' ' if len(text) else ''}✗ {' '.join(dead)}", style=QUIET) if dead else text


# -- the tricks ------------------------------------------------------------------------------------------------------


def _tricks(view: Facts, drawn: _Round, most: int | None) -> Iterator[Table]:
    """The last `most` tricks of the round."""
    tricks = [Trick(trick["plays"], trick["winner"], {}) for trick in drawn.facts["finished_tricks"]]
    if drawn.in_paradox is not None and view["phase"]["id"] != DISCARD:
        tricks.append(Trick(view["trick"], None, {drawn.in_paradox: Text(" PARADOX", style=BAD)}))
    elif view["phase"]["id"] == PLAY:
        doing = f" {TURN} {'plays' if view['trick'] else 'leads'}"
        tricks.append(Trick(view["trick"], None, {view["turn"]: Text(doing, style=QUIET)}))
    if tricks:
        yield trick_table(tricks, view["players"], view["tricks"], most or len(tricks))


# -- for newcomers ---------------------------------------------------------------------------------------------------

_RULES = (
    "Cards have ranks but no colours: who plays one declares its colour.",
    "Each pair of colour and rank is declared once; it takes that cell of the board.",
    "Another colour than the led one gives up the led colour for the round (X).",
    "The highest red wins the trick, or else the highest of the led colour.",
    "A trick is 1 point. Exactly the bid: also the largest group of cells.",
    "No legal play is a paradox: the round ends, and the tricks count against its player.",
)


def reference(seen: VisibleState) -> RenderableType:
    """The rules in short."""
    title = Rule(Text("Win what you bid, and never run out of legal plays", style=TITLE), align="left", style=QUIET)
    return Group(title, *(Text(rule, style=QUIET) for rule in _RULES))
