"""Recaps: what each game tells a player of the past, and that words of players stay in their quotes."""

from __future__ import annotations

import games
from games.core import Event
from games.core.recap import LATEST, latest_events
from games.coup import GAME as COUP
from games.search.cases import HOSTILE
from runner.agents.own_fields import prompt_options
from runner.prompting.pack import PromptPack, prompt_context
from runner.prompting.renderer import fence
from runner.workshop.case_prompts import HOSTILE_CORE
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows


def test_coup_tells_claims_and_their_fates_by_player() -> None:
    state = play(position("3 As Du", "2 Ca Am", "2 Co Co"), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"))
    state = play(state, challenges(2), shows(1, "Captain"), loses(2, "Contessa"), does(1, "income"), does(2, "tax"))
    state = play(state, challenges(0), loses(2, "Contessa"), does(0, "tax"))
    assert list(COUP.recap(state.view(1), ())) == [
        "P-0: claimed Captain once, last in turn 1; claimed Duke once, last in turn 4; aimed Steal at P-1 once;"
        " challenged Duke of P-2 rightly in turn 3",
        "P-1 (you): claimed Captain once, last in turn 1, proven in turn 1; Income once",
        "P-2: claimed Duke once, last in turn 3, false in turn 3; challenged Captain of P-1 wrongly in turn 1",
    ]


def test_dixiquote_tells_quotes_in_quotes_that_they_cannot_leave() -> None:
    state = games.load("dixiquote").begin(players=3, seed=2)
    state = state.actions[0].next_state
    state = state.read(state.pending[0], {"quote": HOSTILE}).next_state
    while not state.view(1)["history"]:
        state = state.actions[0].next_state
    while 1 not in state.pending:
        state = state.actions[0].next_state
    lines = list(state.game.recap(state.view(1), ()))
    assert len(lines) == 1
    assert "Round 1: P-0 gave" in lines[0]
    assert "voted for" in lines[0]
    question = state.question(1)
    context = prompt_context(state.view(1), question, prompt_options(state.setup), False, recap=lines)
    text = PromptPack().render("dixiquote", question.role, context)[1]["content"]
    assert fence(HOSTILE.strip()) in text
    assert HOSTILE_CORE not in text.replace(fence(HOSTILE.strip()), "")
    assert "## Earlier rounds" not in text
    assert text.replace("\n", "").isprintable()


def test_a_game_without_a_recap_tells_the_latest_events() -> None:
    told = [Event("draw", f"P-1 draws <b>{number}", {}) for number in range(LATEST + 5)]
    lines = list(latest_events({}, [Event("phase", "Round 1.", {"to": 1}), *told]))
    assert len(lines) == LATEST
    assert lines[-1] == f'"P-1 draws <b>{LATEST + 4}"'
