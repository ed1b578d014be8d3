"""Coup: bluff, challenge, and be the last one with influence."""

from __future__ import annotations

from games.core import Action, Game
from games.coup.belief.readings import readings
from games.coup.bots import BOTS
from games.coup.claims import challenge_of, claim_of
from games.coup.encoding import Encoding
from games.coup.measures import MEASURES, counts
from games.coup.options import PRESETS, Options, cautions
from games.coup.phases import PHASES
from games.coup.propositions import propositions
from games.coup.questions import ROLES
from games.coup.recap import recap
from games.coup.remarks import HIGHLIGHTS, remarks
from games.coup.resample import likely_worlds
from games.coup.state import State
from games.coup.value import horizon, value

__all__ = ["GAME", "Action", "State"]

GAME = Game(
    name="coup",
    title="Coup",
    summary="Claim the characters you have, or do not have, and be the last one with influence.",
    players=range(2, 7),
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
    encoding=Encoding,
    round_word="turn",
    later_fields=frozenset({"strike_outs"}),
    undigested=frozenset({"draws", "strike_outs"}),
    readings=readings,
    likely_worlds=likely_worlds,
    remarks=remarks,
    recap=recap,
    claim=claim_of,
    doubt=challenge_of,
    propositions=propositions,
    highlight_kinds=HIGHLIGHTS,
    table="games.coup.table",
    value=value,
    horizon=horizon,
)
