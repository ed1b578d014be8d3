"""Cat in the Box's table as a scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from games.cat_in_the_box.drama import BEATS as BEATS
from games.cat_in_the_box.drama import LETTERS as LETTERS
from games.cat_in_the_box.drama import TITLES as TITLES
from games.cat_in_the_box.drama import asked as asked
from games.cat_in_the_box.drama import moves as moves
from games.cat_in_the_box.drama import told as told
from games.cat_in_the_box.phases import DISCARD, GAME_OVER, PLAY, SCORING
from games.cat_in_the_box.scoring import TWO_PLAYER_BONUS_UP_TO
from games.core import View, counted
from games.core.scene import (
    ACTIVE,
    BAD,
    DEAD,
    GOOD,
    PAGE,
    QUIET,
    UP,
    Banner,
    Card,
    CardRow,
    Cell,
    Column,
    Dot,
    Grid,
    Legend,
    Mark,
    Owns,
    Part,
    Phrase,
    Row,
    Scene,
    Stack,
    Steps,
    Table,
    Word,
)
from games.core.sentence import Who

SHOWN = frozenset({"hand"})
"""Kinds of events that the table shows."""

_NOW = Mark("now", "‹", "now")
_GROUP, _BEST = Mark("group", "◇", "no bonus"), Mark("best", "◆", "largest group, counts")
_LEADS, _WINS, _INVALID, _NEUTRAL = "›", "★", "!", "▒▒▒"
_RULES = (
    "Cards have ranks but no colours: who plays one declares its colour.",
    "Each pair of colour and rank is declared once; it takes that cell of the board.",
    "Another colour than the led one gives up the led colour for the round (X).",
    "The highest red wins the trick, or else the highest of the led colour.",
    "A trick is 1 point. Exactly the bid: also the largest group of cells.",
    "No legal play is a paradox: the round ends, and the tricks count against its player.",
)
_IN_SHORT = (
    Steps(tuple(("", (Word(rule, QUIET),)) for rule in _RULES), title=("Win what you bid, and never run out of legal plays",)),
)

Facts = Mapping[str, Any]


class _Round(NamedTuple):
    """The round on the table: the current one, or the last one while the next is prepared. `points` once it is over."""

    number: int
    facts: Facts
    points: Sequence[int] | None

    @property
    def in_paradox(self) -> int | None:
        """The seat in a paradox."""
        return self.facts["paradox"]["seat"] if self.facts["paradox"] else None


def table(view: View, own: Owns, names: tuple[str, ...]) -> Scene:
    """The research board, the players and the tricks; after a round its points."""
    is_between = view["phase"]["id"] in (SCORING, DISCARD, GAME_OVER)
    done = view["results"][-1] if view["results"] and is_between else None
    drawn = _Round(done["round"], done, done["points"]) if done else _Round(view["round"], view, None)
    playable = own[view["turn"]]["playable"] if view["turn"] in own else []
    parts: list[Part] = [_board(drawn, view, playable), *_trick(view), _seats(view, own, drawn)]
    if drawn.in_paradox is not None:
        hand = " ".join(map(str, drawn.facts["paradox"]["hand"]))
        parts.append(Banner(("PARADOX: ", Who(drawn.in_paradox), f" cannot play: {hand}"), rank=1, column=1))
    if signs := tuple(_legend(view, drawn, playable)):
        parts.append(Legend(signs, rank=3, column=1))
    standing = [score + (0 if is_between else won) for score, won in zip(view["scores"], view["tricks_won"], strict=True)]
    return Scene(names, (*parts, *_tricks(view, drawn)), _IN_SHORT, tuple(standing), "Points")


# -- the board -------------------------------------------------------------------------------------------------------


def _board(drawn: _Round, view: View, playable: Sequence[Facts]) -> Grid:
    board = drawn.facts["board"]
    marks = dict(_marks(view, playable) if drawn.points is None else _groups(drawn))
    rows = tuple(
        (Word(colour, colour), tuple([_cell(holder, marks.get((colour, rank))) for rank, holder in enumerate(row, 1)]))
        for colour, row in board.items()
    )
    ranks = len(next(iter(board.values())))
    return Grid(tuple(map(str, range(1, ranks + 1))), rows, title=(f"Round {drawn.number}",), rank=2)


@cache
def _cell(holder: int | str | None, mark: Mark | None) -> Cell:
    return Cell(holder if isinstance(holder, int) else None, mark, isinstance(holder, str))


def _marks(view: View, playable: Sequence[Facts]) -> Iterator[tuple[tuple[str, int], Mark]]:
    """The tokens of the current trick, and the cells that the seat to play may declare."""
    for play in view["trick"]:
        yield (play["colour"], play["rank"]), _NOW
    for play in playable:
        yield (play["colour"], play["rank"]), _may_declare(play["gives_up"])


@cache
def _may_declare(lost: str | None) -> Mark:
    return Mark("costly", "◌", f"gives up {lost}") if lost else Mark("open", "○", "open")


def _groups(drawn: _Round) -> Iterator[tuple[tuple[str, int], Mark]]:
    """The largest group of each seat."""
    for group, bonus in zip(drawn.facts["largest_group"], drawn.facts["bonus"], strict=True):
        for colour, rank in map(str.split, group["cells"] if bonus or group["size"] > 1 else ()):
            yield (colour, int(rank)), _BEST if bonus else _GROUP


def _legend(view: View, drawn: _Round, playable: Sequence[Facts]) -> Iterator[tuple[str, Phrase]]:
    if drawn.points is not None:
        yield _BEST.sign, (_BEST.words,)
        yield _GROUP.sign, (_GROUP.words,)
        if drawn.facts["penalties"]:
            yield _INVALID, ("invalid answers",)
    lost = {play["gives_up"] for play in playable}
    if None in lost:
        yield "○", ("open to ", Who(view["turn"]))
    for colour in lost - {None}:
        yield "◌", (f"gives up {colour}",)
    if view["trick"] and drawn.points is None:
        yield _NOW.sign, (_NOW.words,)
    if view["phase"]["id"] != DISCARD and (view["finished_tricks"] or view["trick"]):
        yield _LEADS, ("leads",)
        yield _WINS, ("wins",)
    if view["revealed"]:
        yield _NEUTRAL, (f"neutral, turned up: {', '.join(map(str, view['revealed']))}",)


# -- the seats -------------------------------------------------------------------------------------------------------


def _seats(view: View, own: Owns, drawn: _Round) -> Table:
    over = drawn.points is not None
    middle = [Column(("Points",))] if over else [Column(("X",)), Column(("Group",))]
    total = [Column(("Total",))] if view["results"] else []
    hand = Column(("New hand" if over and view["phase"]["id"] == DISCARD else "Hand",), is_text=True)
    rows = tuple(_seat(view, own.get(seat), drawn, seat) for seat in range(view["players"]))
    return Table((Column(("Won",)), *middle, *total, hand), rows, column=1)


def _seat(view: View, own: Facts | None, drawn: _Round, seat: int) -> Row:
    group = str(view["largest_group"][seat]["size"])
    middle = (
        [_x_tokens(tuple(view["board"]), tuple(view["x_tokens"][seat])), (group,)]
        if drawn.points is None
        else [tuple(_points(drawn, seat))]
    )
    total: list[Phrase] = [(str(view["scores"][seat]),)] if view["results"] else []
    hand: Phrase = (Word(counted(view["hand_sizes"][seat], "card"), QUIET),) if own is None else tuple(_hand(own))
    return Row((_won(drawn, seat), *middle, *total, hand), seat, ACTIVE if seat == view["turn"] else "")


def _won(drawn: _Round, seat: int) -> Phrase:
    """Tricks won and bid, and whether the bonus would be won now."""
    won, bid = drawn.facts["tricks_won"][seat], drawn.facts["bids"][seat]
    if len(drawn.facts["bids"]) == 2:
        text, is_right, is_over = f"{won} ", won <= TWO_PLAYER_BONUS_UP_TO, won > TWO_PLAYER_BONUS_UP_TO
    elif bid is None:
        return (Word("no bid", QUIET),)
    else:
        text, is_right, is_over = f"{won} of {bid} ", won == bid, won > bid
    if is_over or seat == drawn.in_paradox:
        return text, Word("✗", BAD)
    return text, Word("✓" if is_right else " ", GOOD)


@cache
def _x_tokens(colours: tuple[str, ...], left: tuple[str, ...]) -> Phrase:
    """A dot for each colour: there while the seat may still declare it."""
    return tuple(Dot(colour, colour, colour in left) for colour in colours)


def _points(drawn: _Round, seat: int) -> Iterator[str | Word]:
    """The points of a round and their parts."""
    points, bonus = (drawn.points or ())[seat], drawn.facts["bonus"][seat]
    lost = sum(penalty["seat"] == seat for penalty in drawn.facts["penalties"])
    parts = [str(points - bonus + lost), *[f"+{bonus}{_BEST.sign}"] * bool(bonus), *[f"-{lost}{_INVALID}"] * bool(lost)]
    yield Word(f"{points:+d}", GOOD if points > 0 else BAD if points < 0 else QUIET)
    if len(parts) > 1:
        yield Word(f" = {' '.join(parts)}", QUIET)


def _hand(own: Facts) -> Iterator[Card]:
    """The cards, those without a free cell last."""
    alive = {rank for ranks in own["declarable"].values() for rank in ranks}
    for rank in sorted(own["hand"], key=lambda rank: rank not in alive):
        yield _held(rank, rank in alive)


@cache
def _held(rank: int, is_alive: bool) -> Card:
    return Card(str(rank), state=UP if is_alive else DEAD)


# -- the tricks ------------------------------------------------------------------------------------------------------


_NO_CELLS: Mapping[int, Phrase] = {}


def _trick(view: View) -> Iterator[CardRow]:
    """The current trick."""
    if view["phase"]["id"] != PLAY:
        return
    words = [f"{view['led_colour']} led"] * bool(view["led_colour"]) + ["red not broken"] * (not view["red_broken"])
    title = f"Trick {len(view['finished_tricks']) + 1} of {view['tricks']} ", Word(", ".join(words), QUIET)
    stacks = tuple(
        Stack((Card(str(play["rank"]), play["colour"], play["colour"], owner=play["seat"]),)) for play in view["trick"]
    )
    note = () if view["turn"] is None else (Who(view["turn"]), Word(" to play", QUIET))
    yield CardRow(stacks, note=note, title=title, use=PAGE, rank=5, column=1)


def _tricks(view: View, drawn: _Round) -> Iterator[Table]:
    """The tricks of the round, and the current one."""
    seats = range(view["players"])
    tricks = enumerate(drawn.facts["finished_tricks"], 1)
    rows = [_row(number, view, trick["plays"], trick["winner"]) for number, trick in tricks]
    current: dict[int, Phrase] = {}
    if drawn.in_paradox is not None and view["phase"]["id"] != DISCARD:
        current = {drawn.in_paradox: (Word(" PARADOX", BAD),)}
    elif view["phase"]["id"] == PLAY and view["turn"] is not None:
        current = {view["turn"]: (Word(f" ▶ {'plays' if view['trick'] else 'leads'}", QUIET),)}
    if current:
        rows.append(_row(len(rows) + 1, view, view["trick"], cells=current))
    if rows:
        columns = (Column(("Trick",)), *(Column((Who(seat),)) for seat in seats))
        is_told_below = drawn.in_paradox is not None and not current  # the line of the paradox takes the room of a trick
        yield Table(columns, tuple(rows), latest=1 if is_told_below else 2, rank=4, column=2)


def _row(
    number: int, view: View, plays: Sequence[Facts], winner: int | None = None, cells: Mapping[int, Phrase] = _NO_CELLS
) -> Row:
    found = dict(cells)
    for place, play in enumerate(plays):
        found[play["seat"]] = _play(play["colour"], play["rank"], not place, play["seat"] == winner)
    return Row(((f"{number} of {view['tricks']}",), *[found.get(seat, ()) for seat in range(view["players"])]))


@cache
def _play(colour: str, rank: int, leads: bool, wins: bool) -> Phrase:
    card = Card(f"{colour} {rank}", colour, short=str(rank))
    return Word(_LEADS if leads else " ", QUIET), card, *([Word(_WINS)] if wins else [])
