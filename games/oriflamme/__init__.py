"""Oriflamme: a queue of hidden cards, resolved one after the other, for 3 to 5 players."""

from games.core import Action, Game
from games.oriflamme.bots import BOTS
from games.oriflamme.encoding import OriflammeEncoding
from games.oriflamme.measures import MEASURES, counts
from games.oriflamme.options import PRESETS, Options
from games.oriflamme.phases import PHASES
from games.oriflamme.propositions import propositions
from games.oriflamme.questions import ROLES
from games.oriflamme.readings import likely_worlds, readings
from games.oriflamme.recap import recap
from games.oriflamme.remarks import HIGHLIGHTS, remarks
from games.oriflamme.state import State

GAME = Game(
    name="oriflamme",
    title="Oriflamme",
    summary="Families line up hidden cards in a queue, then reveal, eliminate and hoard their way to the most influence.",
    players=range(3, 6),
    default_players=3,
    phases=PHASES,
    roles=ROLES,
    options_type=Options,
    presets=PRESETS,
    rules_version="1",
    state_type=State,
    undigested=frozenset({"placed"}),
    bots=BOTS,
    readings=readings,
    likely_worlds=likely_worlds,
    measures=MEASURES,
    counts=counts,
    remarks=remarks,
    recap=recap,
    propositions=propositions,
    highlight_kinds=HIGHLIGHTS,
    encoding=OriflammeEncoding,
    placing="scores",
    table="games.oriflamme.table",
)

__all__ = ["GAME", "Action", "State"]
