"""DixiQuote: a storytelling game of situations, quotes and votes."""

from games.core import Action, Game
from games.dixiquote.bots import BOTS
from games.dixiquote.encoding import DixiQuoteEncoding
from games.dixiquote.likelihood import likelihood
from games.dixiquote.measures import MEASURES, counts
from games.dixiquote.options import PRESETS, Options, cautions
from games.dixiquote.phases import PHASES
from games.dixiquote.propositions import propositions
from games.dixiquote.questions import ROLES
from games.dixiquote.recap import recap
from games.dixiquote.remarks import HIGHLIGHTS, remarks
from games.dixiquote.state import State

GAME = Game(
    name="dixiquote",
    title="DixiQuote",
    summary="Quote a situation so that some, but not all, can tell which one was meant.",
    players=range(3, 9),
    default_players=4,
    phases=PHASES,
    roles=ROLES,
    options_type=Options,
    presets=PRESETS,
    rules_version="1",
    state_type=State,
    bots=BOTS,
    cautions=cautions,
    measures=MEASURES,
    counts=counts,
    remarks=remarks,
    recap=recap,
    propositions=propositions,
    highlight_kinds=HIGHLIGHTS,
    encoding=DixiQuoteEncoding,
    free_text=("quote",),
    later_fields=frozenset({"skipped"}),
    likelihood=likelihood,
    placing="scores",
    table="games.dixiquote.table",
)

__all__ = ["GAME", "Action", "State"]
