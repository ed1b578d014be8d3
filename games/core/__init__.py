"""What every game is made of."""

from games.core.claim import Claim, Doubt
from games.core.definition import Definition, View
from games.core.encoding import Encoding, Segment, lay_out
from games.core.errors import GameFault, IllegalAction, OptionError
from games.core.event import PENALTY, PHASE, Event, seat_name, seat_names
from games.core.game import Game, Placing
from games.core.measure import Count, Measure
from games.core.option import Option, Options, Setup, option
from games.core.phase import Edge, Phase, Phases
from games.core.policy import Policy, policy, random_policy
from games.core.proposition import Proposition
from games.core.question import (
    Answer,
    Choice,
    Choices,
    Question,
    Schema,
    Step,
    Steps,
    answer_schema,
    chosen,
    fields,
    free_text,
    one_of,
)
from games.core.remark import Remark, overtaker
from games.core.rng import Rng
from games.core.sentence import (
    CALLS,
    ITS,
    WHOSE,
    Aside,
    Does,
    Sentence,
    SentencePieces,
    Who,
    as_told,
    counted,
    does,
    listed,
    named,
    quoted,
    told,
    win,
)
from games.core.state import OPENING, STRIKE_OUT, Action, Actions, Origin, State

__all__ = [
    "CALLS",
    "ITS",
    "OPENING",
    "PENALTY",
    "PHASE",
    "STRIKE_OUT",
    "WHOSE",
    "Action",
    "Actions",
    "Answer",
    "Aside",
    "Choice",
    "Choices",
    "Claim",
    "Count",
    "Definition",
    "Does",
    "Doubt",
    "Edge",
    "Encoding",
    "Event",
    "Game",
    "GameFault",
    "IllegalAction",
    "Measure",
    "Option",
    "OptionError",
    "Options",
    "Origin",
    "Phase",
    "Phases",
    "Placing",
    "Policy",
    "Proposition",
    "Question",
    "Remark",
    "Rng",
    "Schema",
    "Segment",
    "Sentence",
    "SentencePieces",
    "Setup",
    "State",
    "Step",
    "Steps",
    "View",
    "Who",
    "answer_schema",
    "as_told",
    "chosen",
    "counted",
    "does",
    "fields",
    "free_text",
    "lay_out",
    "listed",
    "named",
    "one_of",
    "option",
    "overtaker",
    "policy",
    "quoted",
    "random_policy",
    "seat_name",
    "seat_names",
    "told",
    "win",
]
