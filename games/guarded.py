"""Guard around the game of another package: whatever one of its hooks does wrong is a fault of that game, and of nobody else.

Own games pay nothing for it: `registry` guards what it loads from other packages alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from types import FrameType
from typing import Any

from games.core import (
    PENALTY,
    PHASE,
    Action,
    Claim,
    Count,
    Doubt,
    Encoding,
    Event,
    Game,
    IllegalAction,
    OptionError,
    Question,
    Remark,
    State,
    Step,
)
from games.core.errors import GameFault
from games.core.reading import Reading

Wrong = Callable[[Any, Any], str]
"""What is wrong with a value that a hook of a state (or of a class of states) gave, as a clause; empty for nothing."""

Reduce = Callable[[Any], tuple[Any, ...]]
"""How a state is pickled."""

_OWN_ERRORS: Mapping[str, type[Exception]] = {
    "parse_answer": IllegalAction,
    "read": IllegalAction,
    "deal": OptionError,
    "begin": OptionError,
    "from_json": OptionError,
    **dict.fromkeys(("view", "question", "strike_out", "strike_out_with_events"), ValueError),
}
"""What a hook may raise by its contract."""


def guarded(game: Game, reduce: Reduce) -> Game:
    """The game with a guard around each of its hooks: GameFault for anything that one raises, and for what is of a wrong type.

    The class of its states is changed in place, so that its own code is guarded too. `reduce` pickles its states, so that they
    are guarded again in a process that has not loaded the game yet.
    """
    if vars(game.state_type).get("__reduce__") is not reduce:
        _guard_states(game.state_type, game.name)
        _guard_options(game)
        setattr(game.state_type, "__reduce__", reduce)  # noqa: B010 -- a method of all states, replaced in this class
    guard = partial(_guard, game.name)
    encoding, likelihood, value, readings, horizon = game.encoding, game.likelihood, game.value, game.readings, game.horizon
    return replace(
        game,
        bots={name: guard(f"bots.{name}", policy, _is(Action)) for name, policy in game.bots.items()},
        cautions=guard("cautions", game.cautions, _each(str)),
        counts=guard("counts", _listed(game.counts), _each(Count)),
        remarks=guard("remarks", _listed(game.remarks), _each(Remark)),
        recap=guard("recap", _listed(game.recap), _each(str)),
        claim=guard("claim", game.claim, _is(Claim, type(None))),
        doubt=guard("doubt", game.doubt, _is(Doubt, type(None))),
        encoding=encoding and guard("encoding", encoding, _is(Encoding)),
        value=value and guard("value", value, _is(float, int)),
        horizon=horizon and guard("horizon", horizon, _is(int, type(None))),
        readings=readings and _guarded_readings(game.name, readings),
        likelihood=likelihood and guard("likelihood", _guarded_likelihood(game.name, likelihood)),
    )


def _guard_states(states: type[State], game: str) -> None:
    """Put a guard around everything that a class of states has in place of what `State` has, and around the fields that stand
    for its properties."""
    for name in {*_FIELDS, *(name for name in dir(State) if not name.startswith("_"))}:
        own = _defined(states, name)
        if own is not _defined(State, name) or getattr(own, "__isabstractmethod__", name in _FIELDS):
            setattr(states, name, _guarded_attribute(game, name, own))


def _defined(states: type[Any], name: str) -> Any:
    """What a class has under a name, a method or property as it was written; None where there is nothing."""
    return next((vars(kind)[name] for kind in states.__mro__ if name in vars(kind)), None)


def _guarded_attribute(game: str, name: str, own: Any) -> Any:
    guard = partial(_guard, game, name, wrong=_WRONG.get(name))
    if isinstance(own, classmethod):
        return classmethod(guard(own.__func__))
    if isinstance(own, staticmethod):
        return staticmethod(guard(own.__func__))
    if callable(own):
        return guard(own)
    return property(guard(_missing if own is None else own.__get__))


def _missing(state: State) -> None:
    raise AttributeError("the state has no such property")


def _guard(game: str, hook: str, function: Callable[..., Any], wrong: Wrong | None = None) -> Callable[..., Any]:
    """The function of a hook, whose first argument is the state for hooks of states."""
    allowed = _OWN_ERRORS.get(hook, GameFault)
    has_events = hook in _TRANSITIONS

    # Without its attributes: `choose` of a policy would be called past the guard.
    @wraps(function, updated=())
    def call(*given: Any, **named: Any) -> Any:
        try:
            found = function(*given, **named)
            clause = wrong(found, given[0]) if wrong is not None else ""
            if hook == "legal_moves" and not clause and not len(found) and given[0].owes(given[-1]):
                clause = f"it gives no move, and seat {given[-1]} owes a decision"
            if has_events and not clause:
                clause = _wrong_events(named.get("events", given[-1]), given[0])
        except (GameFault, MemoryError, allowed):
            raise
        except (Exception, SystemExit) as error:
            raise GameFault.of(game, hook, error) from error
        if clause:
            raise GameFault(game, hook, clause)
        return found

    return call


def running_hook(frame: FrameType | None) -> tuple[str, str] | None:
    """The game and the hook whose code runs in a frame or in what it calls; None outside of all hooks."""
    while frame is not None:
        if frame.f_code.co_qualname == "_guard.<locals>.call":
            return frame.f_locals["game"], frame.f_locals["hook"]
        frame = frame.f_back
    return None


# -- hooks of the game -----------------------------------------------------------------------------------------------------


def _listed(function: Callable[..., Iterable[Any]]) -> Callable[..., tuple[Any, ...]]:
    """The function of a hook that may be a generator, whose code would run after the guard."""
    return lambda *given: tuple(function(*given))


def _guarded_likelihood(game: str, likelihood: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: _guard(game, "likelihood", likelihood(*given), _is(float, int))


def _guarded_readings(game: str, readings: Callable[..., Any]) -> Callable[..., Any]:
    """Readings whose explanations, and the policies of whose styles, are guarded too."""
    guard = partial(_guard, game, "readings")
    read = guard(readings, _each(Reading))

    def adapted(adapt: Callable[[Any], Any]) -> Callable[[Any], Any]:
        adapting = guard(adapt, lambda found, _: "" if callable(found) else f"a style gives {_shown(found)}, and not a policy")
        return lambda playing: guard(adapting(playing), _is(Action))

    def guarded(one: Reading) -> Reading:
        styles = [style._replace(adapt=style.adapt and adapted(style.adapt)) for style in one.styles]
        return one._replace(styles=styles, explain=guard(one.explain, lambda found, _: _wrong_numbers(found, len(styles))))

    return lambda *given: [guarded(one) for one in read(*given)]


def _wrong_numbers(found: object, number: int) -> str:
    if wrong := _wrong_sequence(found, _is_number, f"{number} numbers"):
        return wrong
    assert isinstance(found, Sequence)
    return "" if len(found) == number else f"it gives {_shown(found)}, and not {number} numbers"


def _guard_options(game: Game) -> None:
    """Put a guard around what turns values of options into data and back."""
    guard = partial(_guard, game.name)
    known = {
        name: one._replace(convert=one.convert and guard("convert", one.convert), dump=one.dump and guard("dump", one.dump))
        for name, one in game.options.items()
    }
    if any(one.convert or one.dump for one in known.values()):
        setattr(game.options_type, "_known", classmethod(lambda cls: known))  # noqa: B010 -- private to the class


# -- types -----------------------------------------------------------------------------------------------------------------


def _is(*kinds: type) -> Wrong:
    names = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
    return lambda found, _: "" if isinstance(found, kinds) else f"it gives {_shown(found)}, and not {names}"


def _each(kind: type) -> Wrong:
    return lambda found, _: _wrong_sequence(found, lambda one: isinstance(one, kind), f"{kind.__name__} values")


def _wrong_sequence(found: object, is_right: Callable[[Any], bool], what: str) -> str:
    """Whether a value is a sequence of the right values; text is none."""
    if isinstance(found, Sequence) and not isinstance(found, (str, bytes)) and all(map(is_right, found)):
        return ""
    return f"it gives {_shown(found)}, and not a sequence of {what}"


def _shown(found: object) -> str:
    try:
        text = repr(found)
    except Exception:  # of its own text
        text = ""
    return text if 0 < len(text) <= 80 else f"a value of type {type(found).__name__}"


def _seats(found: object, state: State) -> str:
    wrong = _wrong_sequence(found, lambda seat: type(seat) is int and 0 <= seat < state.setup.players, "seats")
    if wrong:
        return wrong
    assert isinstance(found, Sequence)
    return "" if len(set(found)) == len(found) else f"it gives {_shown(found)}, a seat twice"


def _scores(found: object, state: State) -> str:
    what = f"{state.setup.players} numbers"
    if wrong := _wrong_sequence(found, _is_number, what):
        return wrong
    assert isinstance(found, Sequence)
    return "" if len(found) == state.setup.players else f"it gives {_shown(found)}, and not {what}"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _phase_id(found: object, state: State) -> str:
    return "" if _is_phase(found, state) else f"it gives {_shown(found)}, and not the id of a phase"


def _is_phase(found: object, state: State) -> bool:
    return type(found) is int and any(phase.id == found for phase in state.game.phases)


def _moves(found: object, _: State) -> str:
    return _wrong_sequence(found, lambda move: True, "moves")


def _state(found: object, state: State | type[State]) -> str:
    kind = state if isinstance(state, type) else type(state)
    return "" if isinstance(found, kind) else f"it gives {_shown(found)}, and not a state"


def _json(found: object, _: Any) -> str:
    if not isinstance(found, dict):
        return f"it gives {_shown(found)}, and not a dict"
    try:
        json.dumps(found, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return f"what it gives is no JSON data: {error}"
    return ""


def _question(found: object, state: State) -> str:
    if not isinstance(found, Question):
        return f"it gives {_shown(found)}, and not a Question"
    if not (isinstance(found.text, str) and isinstance(found.consequences, str) and isinstance(found.role, str)):
        return "the text, the consequences or the role of its Question is no text"
    if not isinstance(found.schema, dict) or not isinstance(found.schema.get("properties"), dict):
        return "the schema of its Question is not that of an object with properties"
    return _json(found.schema, state)


def _wrong_events(events: list[Any] | None, state: State | type[State]) -> str:
    """What is wrong with the events of a transition; those that an inner one has appended are checked again."""
    return next((wrong for event in events or () if (wrong := _wrong_event(event, state.game.phases))), "")


def _wrong_event(event: object, phases: Any) -> str:
    if not isinstance(event, Event):
        return f"it tells {_shown(event)}, and not an Event"
    kind, text, data, audience = event
    if not (isinstance(kind, str) and isinstance(text, str) and isinstance(data, dict)):
        return f"the kind, the text or the data of its event {_shown(event)} is of a wrong type"
    if audience is not None and _wrong_sequence(audience, lambda seat: type(seat) is int, "seats"):
        return f"the audience of its event {_shown(kind)} is {_shown(audience)}, and neither seats nor None"
    if kind == PHASE and not any(phase.id == data.get("to") for phase in phases):
        return f"its event of a phase leads to {_shown(data.get('to'))}, which is none"
    if kind == PENALTY and type(data.get("seat")) is not int:
        return f"its event of a penalty has the seat {_shown(data.get('seat'))}, which is none"
    return _json(data, None)


_FIELDS = ("pending", "phase_id", "round", "scores", "ending")
"""Properties that a state gives as fields or properties; `State` declares them for type checkers alone."""

_TRANSITIONS = ("deal", "apply", "apply_strike_out")

_WRONG: Mapping[str, Wrong] = {
    "pending": _seats,
    "winners": _seats,
    "has_ended": _is(bool),
    "actor": _is(int, type(None)),
    "phase_id": _phase_id,
    "round": _is(int),
    "scores": _scores,
    "ending": _each(str),
    "legal_moves": _moves,
    "known_values": _is(Collection),
    "answer_of": _json,
    "describe_move": _each(Step),
    "build_question": _question,
    **dict.fromkeys(_TRANSITIONS, _state),
    "from_json": _state,
    "resample": _state,
    "build_view": _json,
    "to_json": _json,
}
