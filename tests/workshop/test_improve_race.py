"""The race of `prompts improve`, with stand-ins for the player and the coach: what is dropped, chosen, and called better."""

from __future__ import annotations

from runner.workshop.exam.exam_results import Answered
from runner.workshop.exam.positions import AnswerGrade, Population, Position
from tools.campaigns.improve import Pool, StandIn, improved


def position(number: int) -> Position:
    """A decision between two answers, one of which gives up half of the win."""
    losses = 0.0, 0.5
    return Position(
        match=number,
        skipped=0,
        log=f"{number}.jsonl",
        at=1,
        seat=0,
        role="active_player",
        phase="phase",
        digest=str(number),
        weight=1.0,
        spread=0.25,
        graded=[AnswerGrade(answer={"action": str(one)}, choice="", share=0.5 - one, se=0.0, loss=one) for one in losses],
    )


def pool(decisions: int) -> Pool:
    found = Population(most=1, decisions=5.0, bound=1.0, scale=1.0)
    return Pool(found, [position(number) for number in range(3 * decisions)])


class Careless(StandIn):
    """A seat that gives the best answer unless the word is in its advice."""

    def answered(self, has_word: bool, name: str, position: Position) -> Answered:
        found = super().answered(True, name, position)
        return found._replace(grade=position["graded"][1]) if has_word else found


def test_a_word_that_helps_is_found_on_decisions_that_no_other_stage_had() -> None:
    stand_in = StandIn(pool(48), run=1, strength=1.0, hints=1.0)
    found = improved(stand_in, 48)
    assert (found["better"], found["has_word"]) == (True, True)
    assert found["test"]["low"] > 0
    search, choice, test = ({one["digest"] for one in own} for own in stand_in.stages.values())
    assert not search & choice
    assert not (search | choice) & test


def test_a_seat_that_ignores_its_prompts_shows_no_improvement() -> None:
    assert not improved(StandIn(pool(48), 1, 0.0, 1.0), 48)["better"]


def test_a_version_that_is_surely_worse_is_out() -> None:
    found = improved(Careless(pool(160), run=1, strength=1.0, hints=1.0), 160)
    assert {one["verdict"] for one in found["versions"][1:]} == {"surely gave up more than the unchanged pack"}
    assert (found["chosen"], found["better"]) == (None, False)
