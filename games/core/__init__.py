"""What every game is made of."""

from games.core.action import Action, Actions
from games.core.errors import IllegalAction, OptionError
from games.core.event import PENALTY, PHASE, Event, seat_name
from games.core.game import Answer, Bot, Game
from games.core.measure import Count, Measure
from games.core.option import Option, Options, option
from games.core.phase import Edge, Phase, Phases
from games.core.question import Question, Schema, answer_schema, free_text, one_of
from games.core.reading import chosen, counted, fields, listed, quoted
from games.core.rng import Rng
from games.core.state import OPENING, STRIKE_OUT, Origin, Setup, State, View
from games.core.step import Step, Steps

__all__ = [
    "OPENING",
    "PENALTY",
    "PHASE",
    "STRIKE_OUT",
    "Action",
    "Actions",
    "Answer",
    "Bot",
    "Count",
    "Edge",
    "Event",
    "Game",
    "IllegalAction",
    "Measure",
    "Option",
    "OptionError",
    "Options",
    "Origin",
    "Phase",
    "Phases",
    "Question",
    "Rng",
    "Schema",
    "Setup",
    "State",
    "Step",
    "Steps",
    "View",
    "answer_schema",
    "chosen",
    "counted",
    "fields",
    "free_text",
    "listed",
    "one_of",
    "option",
    "quoted",
    "seat_name",
]
