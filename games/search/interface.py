"""Interface: what programs and bots meet of a game, found by playing it: views, questions and answers, events."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.core import Event, Game, OptionError, Question, Rng, State
from games.search.cases import variants
from games.search.fields import RoleReach, Variable

_MATCHES = 24
_MOST_DECISIONS = 400
_STRIKE_RATE = 0.02
_VIEW_EVERY = 4
"""Questions to a view that is looked at: neighbours are alike."""
_MOST_VALUES = 40
_LONGEST = 160


@dataclass
class _Asked:
    """The questions of a phase and role with the same fields: the first one, an answer to it, and the values of each field."""

    question: Question
    answer: Mapping[str, Any]
    values: dict[str, dict[object, None]] = field(default_factory=dict)

    def add(self, question: Question) -> None:
        for name, part in question.schema["properties"].items():
            self.values.setdefault(name, {}).update(dict.fromkeys(part.get("enum", ())))


@dataclass
class _Met:
    """What the matches have shown."""

    questions: int = 0
    views: RoleReach = field(default_factory=RoleReach)
    asked: dict[tuple[str, ...], _Asked] = field(default_factory=dict)
    events: dict[str, tuple[Event, dict[str, None]]] = field(default_factory=dict)

    def add(self, state: State) -> None:
        for event in state.events:
            self.events.setdefault(event.kind, (event, {}))[1].update(dict.fromkeys(event.data))
        for seat in state.pending[:1]:
            question = state.question(seat)
            if self.questions % _VIEW_EVERY == 0:
                self.views.add(state.view(seat))
            self.questions += 1
            key = (state.phase.name, question.role, *question.schema["properties"])
            if key not in self.asked:
                self.asked[key] = _Asked(question, state.actions_of(seat)[-1].to_json())
            self.asked[key].add(question)


def interface_page(game: Game) -> str:
    met = _Met()
    for state in _states(game):
        met.add(state)
    return "\n".join(_lines(game, met)) + "\n"


def _states(game: Game) -> Iterator[State]:
    ways, counts = variants(game), list(game.players)
    for match in range(max(_MATCHES, len(ways))):
        chance = Rng.of("interface", match)
        try:
            state = game.begin(counts[match % len(counts)], match, **ways[match % len(ways)])
        except OptionError:
            continue
        for _ in range(_MOST_DECISIONS):
            yield state
            if state.has_ended:
                break
            seat = chance.choice(state.pending)
            strikes = chance.random() < _STRIKE_RATE
            state = state.strike_out(seat) if strikes else chance.choice(state.actions_of(seat)).next_state


def _lines(game: Game, met: _Met) -> Iterator[str]:
    yield f"# {game.title}: views, questions, answers, events"
    yield ""
    yield f"What a seat of `{game.name}` gets and gives, found by playing with every preset, option and number of players."
    yield "Answers repeat values as they are written here. A question's own `schema` has the values that are legal."
    yield from ("", "## View", "", "| field | value | example |", "|---|---|---|")
    for one in met.views.in_order():
        yield _row(f"`{one.name}`", _kind(one, met.views.cases), "" if one.example is None else _code(one.example))
    yield from ("", "## Questions and answers")
    for (phase, role, *_), asked in met.asked.items():
        yield from ("", f"### {phase}, asked as {role}", "", f"> {' '.join(asked.question.text.split())}", "")
        yield from ("| field | values |", "|---|---|")
        for name, values in asked.values.items():
            yield _row(f"`{name}`", _values(asked.question.schema["properties"][name], list(values)))
        yield from ("", f"An answer: {_code(asked.answer)}")
    yield from ("", "## Events", "", "| kind | data | example |", "|---|---|---|")
    for kind, (event, names) in met.events.items():
        yield _row(f"`{kind}`", ", ".join(f"`{name}`" for name in names), event.text)
    if game.measures:
        yield from ("", "## Measures", "", "| measure | of | meaning |", "|---|---|---|")
        for measure in game.measures:
            yield _row(measure.name, "share" if measure.is_share else "amount", measure.about)


def _kind(one: Variable, cases: int) -> str:
    found = one.to_json(cases)
    return f"{found['kind']}{'' if found['always'] else ', not always'}"


def _values(part: Mapping[str, Any], values: list[object]) -> str:
    if not values:
        bounds = [f"{name} {part[name]}" for name in ("minimum", "maximum", "minLength", "maxLength") if name in part]
        return ", ".join([str(part.get("type", "text")), *bounds])
    more = f" and {len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else ""
    return ", ".join(map(_code, values[:_MOST_VALUES])) + more


def _code(value: object) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _row(*cells: str) -> str:
    short = (cell if cell.startswith("`") or len(cell) <= _LONGEST else f"{cell[:_LONGEST]}…" for cell in cells)
    return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in short)} |"
