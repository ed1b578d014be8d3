"""Cat in the Box: a trick-taking game in which a card has no colour until it is played."""

from games.cat_in_the_box.bots import BOTS
from games.cat_in_the_box.encoding import CatEncoding
from games.cat_in_the_box.measures import MEASURES, counts
from games.cat_in_the_box.options import PRESETS, Options, cautions
from games.cat_in_the_box.phases import PHASES
from games.cat_in_the_box.propositions import propositions
from games.cat_in_the_box.questions import ROLES
from games.cat_in_the_box.readings import readings
from games.cat_in_the_box.recap import recap
from games.cat_in_the_box.remarks import HIGHLIGHTS, remarks
from games.cat_in_the_box.state import State
from games.core import Action, Game

GAME = Game(
    name="cat_in_the_box",
    title="Cat in the Box",
    summary="Declare the colour of each card as you play it, win as many tricks as you bid, and avoid the paradox.",
    players=range(2, 6),
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
    readings=readings,
    propositions=propositions,
    highlight_kinds=HIGHLIGHTS,
    encoding=CatEncoding,
    placing="scores",
    table="games.cat_in_the_box.table",
)

__all__ = ["GAME", "Action", "State"]
