"""Answers: one source of legality for the offered actions, the questions with their schemas, and the reader."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from games.core import IllegalAction, Rng, State
from games.core.question import Steps
from games.testing.game_checks import GameChecks, refusal, sampled

_ODD: tuple[Any, ...] = (None, True, 0, -1, 2.5, 10**30, "", "x", "P-0", "\x00", [], [1], {}, {"x": {"x": []}})
"""Values of JSON of every type."""


class AnswerChecks(GameChecks):
    """Tests of what seats are asked and may answer."""

    def test_pending_seats_have_distinct_legal_actions(self, players: int) -> None:
        for states in self.matches(players):
            for state in states[:-1]:
                assert state.actor == state.pending[0]
                assert state.phase.decides
                for seat in state.pending:
                    actions = state.actions_of(seat)
                    answers = [json.dumps(action.to_json(), sort_keys=True) for action in actions]
                    assert answers
                    assert len(set(answers)) == len(answers)
                    assert all(action.seat == seat for action in actions)
                for seat in set(range(players)) - set(state.pending):
                    assert not state.actions_of(seat)

    def test_every_offered_action_reads_back_and_fits_the_schema(self, players: int) -> None:
        for states in self.matches(players):
            for state in sampled(states[:-1]):
                for seat in state.pending:
                    question = state.question(seat)
                    assert question.role in self.game.roles
                    assert question.text
                    check_strict(question.schema)
                    written = {name for name, field in question.schema["properties"].items() if is_free(field)}
                    assert written <= set(self.game.free_text)
                    for action in state.actions_of(seat)[:40]:
                        answer = json.loads(json.dumps(action.to_json()))
                        assert fits(answer, question.schema), answer
                        assert state.read(seat, answer) == action

    def test_a_schema_offers_only_values_of_legal_answers(self, players: int) -> None:
        for states in self.matches(players):
            for state in sampled(states[:-1]):
                for seat in state.pending:
                    answers = [action.to_json() for action in state.actions_of(seat)]
                    assert not list(never_legal(state.question(seat).schema, answers))

    def test_the_words_of_a_choice_tell_it_apart_and_tell_no_secret(self, players: int) -> None:
        for states in self.matches(players):
            for index, state in enumerate(sampled(states[:-1], 15)):
                for seat in state.pending:
                    ways = [action.steps for action in state.actions_of(seat)]
                    check_words(ways)
                    assert [action.steps for action in state.resample(seat, Rng(index)).actions_of(seat)] == ways

    def test_no_answer_whatever_breaks_the_reader(self) -> None:
        rng = random.Random(0)
        for states in self.matches(self.game.default_players):
            for state in sampled(states[:-1], 8):
                seat = state.pending[0]
                fields = list(state.question(seat).schema["properties"])
                world = state.resample(seat, Rng(3))
                for answer in (*_ODD, *({name: rng.choice(_ODD) for name in fields} for _ in range(8))):
                    check_refused_or_read((state, world), seat, answer)

    def test_a_seat_that_owes_nothing_is_asked_nothing_and_decides_nothing(self, some_players: int) -> None:
        for seed in range(3):
            for before, after in self.steps(some_players, seed)[::3]:
                legal = [action.to_json() for action in before.actions[:3]]
                for state in (before, after):
                    for seat in {*range(some_players), -1, some_players, 99, True, False, "0", None} - set(state.pending) | {
                        True,
                        False,
                    }:
                        check_owes_nothing(state, seat, legal)


def is_free(field: dict[str, Any]) -> bool:
    """Whether a field of an answer takes any text."""
    return field.get("type") == "string" and "enum" not in field


def never_legal(schema: dict[str, Any], answers: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What a schema offers beside free text and no legal answer has, in words. A model that follows the schema would err."""
    for name, field in schema["properties"].items():
        if field["type"] == "integer" and "enum" not in field:
            yield f"{name}: the schema takes every integer; list the legal ones as its enum"
        elif not is_free(field):
            legal = [answer[name] for answer in answers]
            yield from (
                f"{name}: no legal answer has {value!r}" for value in field.get("enum", (False, True)) if value not in legal
            )


def fits(answer: object, schema: dict[str, Any]) -> bool:
    """Whether an answer fits a schema of the dialect that `check_strict` allows."""
    types: dict[str, type] = {"string": str, "integer": int, "boolean": bool}
    fields = schema["properties"]
    return (
        isinstance(answer, dict)
        and set(answer) == set(fields)
        and all(
            type(answer[name]) is types[field["type"]] and answer[name] in field.get("enum", [answer[name]])
            for name, field in fields.items()
        )
    )


def check_strict(schema: dict[str, Any]) -> None:
    """The dialect that strict structured output takes: flat, closed, everything required, no unions or ranges."""
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])
    for field in schema["properties"].values():
        assert set(field) <= {"type", "enum", "description"}
        assert field["type"] in ("string", "integer", "boolean")
        assert len(field.get("enum", ["x"])) == len(set(field.get("enum", ["x"]))) > 0


def check_words(ways: Sequence[Steps]) -> None:
    """The steps of the choices of a seat lead to each of them by names that differ."""
    names = [tuple(step.name for step in steps) for steps in ways]
    assert all(len(names_of) in range(1, 4) for names_of in names)
    assert not set(names) & {path[:depth] for path in names for depth in range(len(path))}
    assert len(set(names)) == len(names)
    asked = {(path[:depth], steps[depth].what) for path, steps in zip(names, ways, strict=True) for depth in range(len(path))}
    assert len({before for before, _ in asked}) == len(asked), "after the same choices the same is asked"


def check_refused_or_read(worlds: Sequence[State], seat: int, answer: object) -> None:
    """An answer is read as a legal action, or refused in a sentence that tells nothing the seat may not know: in a state and
    a world of the seat."""
    sentences, actions = [], []
    for world in worlds:
        try:
            actions.append(world.read(seat, answer))
        except IllegalAction as error:
            sentences.append(str(error))
    assert len(sentences) in (0, 2)
    assert len(set(sentences)) <= 1, "a refusal tells what the seat may not know"
    assert all(0 < len(sentence) < 3000 for sentence in sentences)
    assert all(action.next_state != action.state for action in actions)


def check_owes_nothing(state: State, seat: Any, answers: list[dict[str, Any]]) -> None:
    """Whatever a seat answers that owes nothing is refused, and there is no question for it."""
    for answer in (*answers, None):
        assert "You owe no decision now" in refusal(IllegalAction, state.read, seat, answer)
    assert "owes no decision" in refusal(ValueError, state.question, seat)
    assert "owes no decision" in refusal(ValueError, state.strike_out, seat)
