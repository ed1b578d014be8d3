"""Sentences to people: texts that know their players and verbs, so that each reader gets the right names and grammar."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import NamedTuple, Self

from games.core.event import Event, seat_name

WHOSE, ITS, OF, CALLS, NAME = "whose", "its", "of", "calls", "name"
"""Forms of a player: `P-0's` or `your`, `its` or `your`, ` of P-0` or nothing, `P-0, ` or nothing, the name for all readers."""
YOU = "you"
_SEAT = r"\bP-(\d+)\b"
_BEGIN = re.compile(r"^$|[.!?]\s+$")
_IRREGULAR = {"be": ("is", "are"), "have": ("has", "have"), "was": ("was", "were")}
_HISSES, _VOWELS = ("s", "x", "z", "ch", "sh", "o"), "aeiou"


class Who(NamedTuple):
    """A player: the name, in the player's colour, or `you` for the reader. `form`: WHOSE, ITS, OF, CALLS, NAME."""

    seat: int
    form: str = ""

    def said(self, name: str, is_reader: bool) -> tuple[str, str, str]:
        """The words before it, the name, or what the reader is called, and the words behind it."""
        if is_reader and self.form != NAME:
            return "", {WHOSE: "your", ITS: "your", OF: "", CALLS: ""}.get(self.form, YOU), ""
        before, after = {WHOSE: ("", "'s"), OF: (" of ", ""), CALLS: ("", ", ")}.get(self.form, ("", ""))
        return ("", "", "its") if self.form == ITS else (before, name, after)


class Does(NamedTuple):
    """What the player before it does, after a blank: a verb in its plain form (`be`, `claim`) or `was`, and what follows.
    `tone`: that of a scene."""

    seat: int
    verb: str
    tone: str = ""

    def said(self, is_reader: bool) -> str:
        """The verb for `you`, or in the third person."""
        rest = self.verb.lstrip(ascii_lowercase)
        verb = self.verb.removesuffix(rest)
        return f" {_IRREGULAR.get(verb, (third(verb), verb))[is_reader]}{rest}"


class Aside(str):
    """Words for players that are programs, such as the id of a card; people are not told them."""


SentencePiece = str | Who | Does
SentencePieces = tuple[SentencePiece, ...]


class Sentence(str):
    """A text in which every player has the name `P-0` and is spoken of; its pieces tell it to a reader."""

    pieces: SentencePieces

    def __new__(cls, *pieces: SentencePiece) -> Self:
        words = (piece if isinstance(piece, str) else _plain(piece) for piece in pieces)
        self = super().__new__(cls, "".join(words))
        self.pieces = tuple(one for piece in pieces for one in (piece.pieces if isinstance(piece, Sentence) else (piece,)))
        return self

    def __getnewargs__(self) -> SentencePieces:  # type: ignore[override]  # pickle passes them to __new__
        return self.pieces


def does(seat: int, verb: str) -> Sentence:
    """What a player does: the name, the verb and what follows."""
    return Sentence(Who(seat), Does(seat, verb))


def named(seats: Sequence[int], word: str = "and") -> tuple[str | Who, ...]:
    """The names of players, joined by a word."""
    between = [", "] * (len(seats) - 2) + [", " if word == "," else f" {word} "]
    return tuple(piece for place, seat in enumerate(seats) for piece in ([between[place - 1]] if place else []) + [Who(seat)])


def win(winners: Sequence[int], rest: str = ".") -> Sentence:
    """Who wins, or who share the win."""
    if len(winners) == 1:
        return does(winners[0], f"win{rest}")
    return Sentence(*named(winners), f" share the win{rest}")


def third(verb: str) -> str:
    """A regular verb in the third person: `passes`, `tries`, `plays`."""
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}{'es' if verb.endswith(_HISSES) else 's'}"


def told(
    text: str, names: Sequence[str] = (), you: int | None = None, written: Collection[str] = ()
) -> Iterator[tuple[str, int | None]]:
    """A text in parts, a name with its seat: with the names of players, and `you` for the reader's own seat. A text that is no
    Sentence has names alone; in it the texts that players have `written` stay as they are."""
    before, begins = "", False
    for piece in text.pieces if isinstance(text, Sentence) else _pieces(text, written):
        if isinstance(piece, Aside):
            continue
        if isinstance(piece, Who):
            name = names[piece.seat] if piece.seat < len(names) else seat_name(piece.seat)
            first, said, rest = piece.said(name, is_reader := piece.seat == you)
            if is_reader and piece.form != NAME and (begins or _BEGIN.search(before)):
                said, begins = said.capitalize(), not said
            parts: list[tuple[str, int | None]] = [(first, None), (said, piece.seat), (rest, None)]
        else:
            said = piece if isinstance(piece, str) else piece.said(piece.seat == you)
            parts, begins = [(said[:1].upper() + said[1:] if begins else said, None)], False
        yield from ((said, seat) for said, seat in parts if said)
        before = "".join([before, *(said for said, _ in parts)])[-3:]


def as_told(text: str, names: Sequence[str] = (), you: int | None = None, written: Collection[str] = ()) -> str:
    """The same as one text."""
    return "".join(said for said, _ in told(text, names, you, written))


@lru_cache(maxsize=1 << 12)
def _plain(piece: Who | Does) -> str:
    return "".join(piece.said(seat_name(piece.seat), False)) if isinstance(piece, Who) else piece.said(False)


def _pieces(text: str, written: Collection[str]) -> Iterator[SentencePiece]:
    """The pieces of a text that is no Sentence: a name alone is one for the reader, too."""
    pattern = re.compile("|".join([*map(re.escape, sorted(written, key=len, reverse=True)), _SEAT]))
    place = 0
    for found in pattern.finditer(text):
        yield text[place : found.start()]
        yield found[0] if found[1] is None else Who(int(found[1]), "" if found[0] == text else NAME)
        place = found.end()
    yield text[place:]


def with_names(text: str) -> Sentence:
    """A text as a sentence that knows the players in it."""
    return Sentence(*_pieces(text, ()))


def event_parts(event: Event, labels: Sequence[str] = (), you: int | None = None) -> Iterator[tuple[str, int | None]]:
    """The text of an event in parts, a label with its seat. What players wrote, which is in its data, stays as it is."""
    return told(event.text, labels, you, {text for text in _texts(event.data) if "P-" in text})


def labelled(event: Event, labels: Sequence[str]) -> str:
    """The text of an event with labels."""
    return "".join(said for said, _ in event_parts(event, labels))


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        yield from (text for value in data.values() for text in _texts(value))
    elif isinstance(data, list | tuple):
        yield from (text for value in data for text in _texts(value))


_SHOWN = 80


def quoted(value: object) -> str:
    """A value from outside as JSON, cut to a bounded length, for use in a refusal; what cannot be seen is escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in shown)


def listed(values: Sequence[object], last: str = "or") -> str:
    """Values in words: `"a", "b" or "c"`."""
    words = [json.dumps(value, ensure_ascii=False) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else "nothing"


def counted(number: float, noun: str) -> str:
    """A number with its noun: `1 token`, `2 tokens`, `1,500 matches`."""
    ending = "" if abs(number) == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,.0f} {noun}{ending}"
