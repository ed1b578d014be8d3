"""Scenes on a web page: the parts of a game's table as elements. Equal parts are drawn once."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from games.core import scene
from games.core.sentence import YOU, Does, Who
from runner.screen.safe_text import clean

SEAT_COLOURS = 10
_MOST_COLUMNS = 7
"""Columns from which a table of players has a column for each of them instead."""
_LONGEST_TEXT = 2000
_AS_TEXT = "\ufe0e"
"""Makes a sign a letter, and not the picture that some fonts have of it."""
_NOT_A_WORD = re.compile("[^a-z0-9]+")

_Key = tuple[str, tuple[tuple[str, str | float], ...], tuple["Child", ...]]
Child = int | str | None
"""The number of an element, or a text; None is left out."""


def seat_class(seat: int) -> str:
    """The class that gives an element the accent colour of a seat."""
    return f"s{seat % SEAT_COLOURS}"


class Tables:
    """The tables of a page as elements by number. Each different element is stored once, however many positions have it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._numbers: dict[_Key, int] = {}
        # Equal parts are drawn once: few of them change from one position or view to the next.
        self._parts, self._panels, self._pieces = cache(self._part), cache(self._panel), cache(self._piece)
        self._cards, self._stacks, self._cells = cache(self._card), cache(self._stack), cache(self._cell)
        self._heads, self._trs, self._tds = cache(self._head_cells), cache(self._tr), cache(self._td)
        self._rows = cache(self._row_cells)

    def table(self, of: scene.Scene) -> int:
        """The number of the table of a scene."""
        return self.el("div.scene", *map(self._parts, of.shown((scene.PAST, scene.SCREEN))))

    @property
    def data(self) -> list[list[object]]:
        """The elements as JSON: the tag with its classes, the attributes if there are any, and the children: a number for an
        element, a text for a text. A page draws them with text nodes alone."""
        return [_data(*key) for key in self._numbers]

    def el(self, spec: str, *children: Child, **attributes: str | float) -> int:
        """An element, such as `li.card.duke`. `aria_label` is the attribute `aria-label`; `css_n` is the CSS property `--n`."""
        there = tuple([child for child in children if child is not None]) if None in children else children
        return self._numbers.setdefault((spec, tuple(attributes.items()), there), len(self._numbers))

    def _part(self, part: scene.Part) -> Child:
        match part:
            case scene.Players() if part.cards:
                return self.el("div.players", *(self._panels(row, part.said) for row in part.rows))
            case scene.Players():
                return self.el("ul.scores", *map(self._score, part.rows), aria_label="scores")
            case scene.Table():
                return self._table(part)
            case scene.CardRow():
                return self._row(part)
            case scene.Grid():
                return self._grid(part)
            case scene.Texts():
                return self._texts(part)
            case scene.Quote(seat, text):
                title = self.el(
                    "h3", *self._words((*part.title, *([" · "] if part.title else []), Who(seat), Does(seat, "say")))
                )
                return self.el(f"section.quote.{seat_class(seat)}", title, self.el("p", f"“{text}”" if text else part.instead))
            case scene.Steps():
                return self._steps(part)
            case scene.Banner(words):
                return self.el("p.banner", *self._words(words))
            case scene.Legend(signs):
                lines = (self.el("span", self.el("b", sign), " ", *self._words(words)) for sign, words in signs)
                return self.el("p.legend", *lines)
        return None

    # -- words ----

    def _words(self, phrase: scene.Phrase) -> Iterator[Child]:
        """The pieces of a phrase as children; without a name before it, it begins with the verb."""
        for place, piece in enumerate(phrase):
            child = self._pieces(piece)
            yield child.lstrip() if not place and isinstance(child, str) and isinstance(piece, Does) else child

    def _piece(self, piece: scene.Piece) -> Child:
        match piece:
            case str():
                return piece
            case Who(seat, form):
                name, rest = piece.said(self._names[seat], self._names[seat] == YOU)
                badge = self.el(f"b.seat.{seat_class(seat)}", name)
                return self.el("span", badge, rest) if form else badge
            case Does(seat, _, tone):
                said = piece.said(self._names[seat] == YOU)
                return self._word(said, tone) if tone else said
            case scene.Word(text, tone):
                return self._word(text, tone)
            case scene.Dot(name, tone, is_there):
                gone = "" if is_there else ".gone"
                return self.el(f"span.dot{_tone(tone)}{gone}", self.el("span.sr", f"{name} " if is_there else f"no {name} "))
            case scene.Counter():
                return self._counter(piece)
            case scene.Card(state=state) if state == scene.DEAD:
                return self.el("span.rank.dead", piece.name, self.el("span.sr", " unplayable"))
            case scene.Card(tone="", short="", name=name):
                return self.el("span.rank", name or "?")
            case scene.Card(name, tone, short=short):
                words: list[Child] = [short, self.el("span.sr", f" {name}")] if short else [name]
                return self.el(f"span.chip{_tone(tone)}", *words)

    def _badge(self, seat: int) -> Child:
        return self.el(f"b.seat.{seat_class(seat)}", self._names[seat])

    # -- players ----

    def _panel(self, row: scene.Player, said: str) -> Child:
        now: scene.Phrase = row.note or ((row.state,) if row.state not in ("", scene.ACTIVE) else ())
        note = self.el("small", *self._words(now)) if now else None
        return self.el(
            f"section.player.{seat_class(row.seat)}.{row.state or 'in'}",
            self.el("h3", self._badge(row.seat), note),
            *map(self._pieces, row.counters),
            self.el("ul.hand", *map(self._cards, row.cards), aria_label="cards"),
            self.el("p.claims", self.el("small", f"{said.lower()} "), *self._words(row.said)) if row.said else None,
        )

    def _score(self, row: scene.Player) -> Child:
        """A player without cards: a bar for each counter."""
        said: scene.Phrase = row.note or (("wins",) if row.state == scene.WINS else ())
        note = self.el("small", " ★ ", *self._words(said)) if said else None
        counters: list[Child] = []
        for counter in row.counters:
            of = None if counter.of is None else self.el("small", f" of {counter.of}")
            share = 0.0 if not counter.of else round(max(0.0, min(1.0, counter.value / counter.of)), 3)
            counters.append(self.el("span", self.el("strong", str(counter.value)), of))
            if of is not None:
                counters.append(self.el(f"span.bar.{seat_class(row.seat)}", css_share=share, aria_hidden="true"))
        return self.el("li", self.el("span", self._badge(row.seat), note), *counters)

    # -- cards ----

    def _card(self, card: scene.Card) -> Child:
        if card.name is None:
            return self.el("li.card.back", self.el("span.sr", "hidden card"))
        lost = self.el("span.sr", " (lost)") if card.state == scene.LOST else None
        return self.el(f"li.card.{card.state}{_tone(card.tone)}", self._sign(card), self.el("span.face", card.name), lost)

    def _row(self, part: scene.CardRow) -> Child:
        """Stacks of cards from left to right. Cards with a place are a queue, others what has been played."""
        stacks = list(map(self._stacks, part.stacks))
        note = [self.el("li.waits", *self._words(part.note))] if part.note else []
        queue = self.el("ol.queue", *stacks, *note, tabindex=0) if stacks or note else self.el("p.empty", part.empty)
        return self.el("section.trick", self.el("h3", *self._words(part.title)), queue) if part.title else queue

    def _stack(self, stack: scene.Stack) -> Child:
        place = self.el("span.place", stack.place + (" ▶" if stack.is_current else "")) if stack.place else None
        cards = (self._owned(card, depth > 0) for depth, card in enumerate(stack.cards))
        return self.el(f"li.stack{'.current' if stack.is_current else ''}", place, *cards)

    def _owned(self, card: scene.Card, is_covered: bool) -> Child:
        owner = None if card.owner is None else self._badge(card.owner)
        tokens = self._counter(scene.Counter(card.tokens, "token")) if card.tokens else None
        if card.tone:
            return self.el(
                f"div.card.number{_tone(card.tone)}",
                self.el("span.face", card.name, self.el("small", card.sign)),
                owner,
                tokens,
            )
        state = ".back" if card.name is None else ".peek" if card.state == scene.DOWN else ""
        covered = ".covered" if is_covered else ""
        return self.el(
            f"div.card.owned.{seat_class(card.owner or 0)}{state}{covered}",
            None if is_covered else self._sign(card),
            self.el("span.face", card.name or "hidden"),
            owner,
            self.el("small", "hidden") if card.name and card.state == scene.DOWN else None,
            tokens,
        )

    # -- boards and tables ----

    def _grid(self, part: scene.Grid) -> Child:
        body = (
            self.el(
                f"tr{_tone(name.tone)}",
                self.el("th", name.text, scope="row"),
                *map(self._cells, cells),
            )
            for name, cells in part.rows
        )
        head = self._head([self.el("span.sr", "Row"), *part.columns])
        title = self.el("caption", *self._words(part.title))
        table = self.el("table.board", title, head, self.el("tbody", *body), css_columns=len(part.columns))
        return self.el("div.scroller", table, role="region", aria_label="board", tabindex=0)

    def _cell(self, cell: scene.Cell) -> Child:
        mark, kind = cell.mark, f".{_css_name(cell.mark.kind)}" if cell.mark else ""
        if cell.is_blocked:
            return self.el("td.blocked", self.el("span.sr", "blocked"))
        sign = [self.el("span.sign", mark.sign, aria_hidden="true"), self.el("span.sr", f" {mark.words}")] if mark else []
        if cell.owner is None:
            return self.el(f"td{kind}", *sign)
        name = self._names[cell.owner]
        letter = self.el("span.letter", name.removeprefix("P-")[:1].upper() or "?", aria_hidden="true")
        return self.el(f"td{kind}", self.el(f"span.token.{seat_class(cell.owner)}", letter, self.el("span.sr", name)), *sign)

    def _table(self, part: scene.Table) -> Child:
        """A table; players of a wide one have a column each."""
        title = self.el("caption", *self._words(part.title)) if part.title else None
        seats = [row.seat for row in part.rows if row.seat is not None]
        kinds = tuple(["td.text" if column.is_text else "td" for column in part.columns])
        if seats and len(part.columns) > _MOST_COLUMNS:
            head = [self._head([self.el("span.sr", "Facts"), *map(self._badge, seats)])]
            cells = zip(*(self._rows(kinds, row.cells) for row in part.rows), strict=True)
            facts = zip(self._heads(part.columns, True), cells, strict=True)
            body: list[Child] = [self.el("tr", name, *of) for name, of in facts]
        else:
            has_head = any(column.title for column in part.columns)
            heads = self._heads(part.columns, False)
            head = [self._head([self.el("span.sr", "Seat"), *heads] if seats else heads)] if has_head else []
            body = [self._trs(kinds, row) for row in part.rows]
        table = self.el("table", title, *head, self.el("tbody", *body))
        return self.el("div.scroller.panel", table, role="region", aria_label="table", tabindex=0)

    def _head_cells(self, columns: tuple[scene.Column, ...], is_wide: bool) -> tuple[Child, ...]:
        """The titles of columns; of a wide table they begin its rows."""
        titles = (self.el("span", *self._words(column.title)) for column in columns)
        return tuple(self.el("th.fact", title, scope="row") if is_wide else title for title in titles)

    def _tr(self, kinds: tuple[str, ...], row: scene.Row) -> Child:
        cells = self._rows(kinds, row.cells)
        if row.seat is None:
            return self.el("tr", *cells)
        star = " ★" if row.state == scene.WINS else None
        state = ".active" if row.state == scene.ACTIVE else ""
        return self.el(f"tr.{seat_class(row.seat)}{state}", self.el("th", self._badge(row.seat), star, scope="row"), *cells)

    def _row_cells(self, kinds: tuple[str, ...], cells: tuple[scene.Phrase, ...]) -> tuple[Child, ...]:
        return tuple(map(self._tds, kinds, cells))

    def _td(self, kind: str, cell: scene.Phrase) -> Child:
        is_hand = len(cell) > 1 and all(isinstance(piece, scene.Card) for piece in cell)
        return self.el(kind, self.el("span.ranks" if is_hand else "span", *self._words(cell)))

    # -- texts ----

    def _texts(self, part: scene.Texts) -> Child:
        small = ".small" if part.holder is not None else ""
        cards = self.el("ol.situations", *(self._text(card, small) for card in part.cards))
        if part.holder is not None:
            return self.el(f"details.held.{seat_class(part.holder)}", self.el("summary", *self._words(part.title)), cards)
        foot = self.el("p.points", *self._words(part.foot)) if part.foot else None
        return self.el("section.texts", cards, foot)

    def _text(self, card: scene.TextCard, small: str) -> Child:
        owned = f".owned.{seat_class(card.owner)}" if card.owner is not None else ""
        by = None if card.owner is None else self.el("span", "by ", self._badge(card.owner), " ★" if card.is_marked else None)
        voters = [child for seat in card.voters for child in (self._badge(seat), " ")]
        votes = self.el("span.votes", "✓ ", *voters[:-1]) if voters else None
        note = self.el("span", card.note) if card.note else None
        foot = self.el("p.foot", by, votes, note) if card.owner is not None or voters or card.note else None
        marked = f"{'.teller' if card.is_marked else ''}{'.picked' if card.note else ''}"
        return self.el(f"li.situation{small}{owned}{marked}", self.el("p", card.text), foot)

    def _steps(self, part: scene.Steps) -> Child:
        """A turn step by step with its pile beside it, or what is to be decided."""
        if not part.title:
            lines = (self.el("p.task", f"{sign} " if sign == "★" else None, *self._words(words)) for sign, words in part.steps)
            return self.el("div.tasks", *lines)
        steps = (
            self.el("li", self.el("span.step", sign, aria_hidden="true"), *self._words(words)) for sign, words in part.steps
        )
        turn = self.el(
            "section.turn", self.el("h3", *self._words(part.title)), self.el("ul.steps", *steps) if part.steps else None
        )
        if (pile := part.pile) is None:
            return turn
        lost = [self.el(f"span.chip{_tone(card.tone)}", f"{card.name} {count}") for card, count in pile.lost]
        deck = self.el("p", self.el("span.pile", aria_hidden="true"), f"{pile.name}: {pile.size}")
        return self.el(
            "div.middle",
            turn,
            self.el("section.deck", deck, self.el("p.claims", self.el("small", "lost "), *lost) if lost else None),
        )

    # -- small parts ----

    def _head(self, titles: Iterable[Child]) -> Child:
        return self.el("thead", self.el("tr", *(self.el("th", title, scope="col") for title in titles)))

    def _word(self, text: str, tone: str) -> Child:
        if tone.startswith("seat "):
            return self.el(f"span.mine.{seat_class(int(tone.removeprefix('seat ')))}", text)
        return self.el(_WORDS.get(tone, f"span{_tone(tone)}"), text)

    def _sign(self, card: scene.Card) -> Child:
        return self.el("span.sign", card.sign, aria_hidden="true") if card.sign else None

    def _counter(self, counter: scene.Counter) -> Child:
        things = f" {counter.name}{'' if counter.value == 1 else 's'}"
        discs = self.el("span.discs", css_n=counter.value, aria_hidden="true") if counter.value > 0 else None
        return self.el("span.coins", discs, self.el("span.count", str(counter.value)), self.el("span.sr", things))


_WORDS = {scene.STRONG: "strong", scene.QUIET: "small", scene.GOOD: "span.right", scene.BAD: "span.over", scene.CODE: "code"}


def _tone(tone: str) -> str:
    return f".{tone}" if tone in scene.TONES else ""


def _css_name(words: str) -> str:
    """Words as the name of a class: `royal-decree` for Royal Decree."""
    return _NOT_A_WORD.sub("-", words.lower()).strip("-")


def _data(spec: str, attributes: Iterable[tuple[str, object]], children: Iterable[Child]) -> list[object]:
    facts = {_attribute(name): _cleaned(value) for name, value in attributes}
    drawn_as = _AS_TEXT if spec == "span.sign" else ""
    texts = [f"{_cleaned(child)}{drawn_as}" if isinstance(child, str) else child for child in children]
    return [spec, *([facts] if facts else []), *texts]


def _attribute(name: str) -> str:
    return f"--{name[4:]}" if name.startswith("css_") else name.replace("_", "-")


def _cleaned(value: object) -> object:
    return clean(value, _LONGEST_TEXT) if isinstance(value, str) else value
