"""What holds for every game, seat count, variant and seed."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import subprocess
import sys
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import games
from games.core import Game, IllegalAction, OptionError, Rng, State
from runner.prompting.loader import built_in_folder
from tests.play import begin, variants, walk

SEEDS = range(4)
SECOND_PERSON = re.compile(r"\b(you|your|yours|yourself)\b", re.IGNORECASE)
GAMES = [games.load(name) for name in games.names()]
TABLES = [pytest.param(game, players, id=f"{game.name}-{players}") for game in GAMES for players in game.players]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_table = pytest.mark.parametrize(("game", "players"), TABLES)


def matches(game: Game, players: int, strike_rate: float = 0.05) -> list[list[State]]:
    """A match for each seed, the variants taken in turn."""
    ways = variants(game)
    found = []
    for seed in SEEDS:
        variant = ways[(players * len(SEEDS) + seed) % len(ways)]
        state = begin(game, players, seed, variant) or game.begin(players=players, seed=seed)
        found.append(list(walk(state, random.Random(seed), strike_rate)))
    return found


def sampled(states: list[State], most: int = 25) -> list[State]:
    return states[:: max(1, len(states) // most)]


@each_game
def test_a_game_is_complete(game: Game) -> None:
    assert game.name in games.names()
    assert files(f"games.{game.name}").joinpath("RULES.md").is_file()
    for role in game.roles:
        assert (built_in_folder() / game.name / f"{role}.j2").is_file(), role
    assert files("runner.screen").joinpath(f"{game.name}.py").is_file()
    assert {"random", "steady"} <= set(game.bots)
    assert game.default_players in game.players
    for variant in variants(game):
        assert any(begin(game, players, 0, variant) for players in game.players), variant


@each_table
def test_a_match_ends_with_a_result(game: Game, players: int) -> None:
    for seed in range(12):
        for variant in variants(game)[seed % 3 :: 3]:
            state = begin(game, players, seed, variant)
            if state is None:
                continue
            *_, last = walk(state, random.Random(seed), strike_rate=0.1 * (seed % 2))
            assert last.actor is None
            assert len(last.actions) == 0
            assert len(last.scores) == players
            assert last.winners == tuple(sorted(set(last.winners)))
            assert last.winners
            assert last.ending


@each_table
def test_pending_seats_have_distinct_legal_actions(game: Game, players: int) -> None:
    for states in matches(game, players):
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


@each_table
def test_an_old_state_stays_as_it_was(game: Game, players: int) -> None:
    for states in matches(game, players):
        for state in sampled(states[:-1], 10):
            before, actions = json.dumps(state.to_json()), [action.to_json() for action in state.actions]
            for seat in state.pending:
                for action in state.actions_of(seat)[:20]:
                    _ = action.next_state
                state.strike_out(seat)
            _ = state.events
            assert json.dumps(state.to_json()) == before
            assert [action.to_json() for action in state.actions] == actions
            with pytest.raises(AttributeError):
                state.phase_id = 1  # type: ignore[misc]  # wrong on purpose: states are immutable


@each_table
def test_a_state_goes_through_json_and_compares_by_value(game: Game, players: int) -> None:
    for states in matches(game, players):
        for state in sampled(states):
            again = game.from_json(json.loads(json.dumps(state.to_json())))
            assert again == state
            assert hash(again) == hash(state)
            assert again.to_json() == state.to_json()
            assert again.pending == state.pending
            assert [action.to_json() for action in again.actions] == [action.to_json() for action in state.actions]
        assert len(set(states)) > len(states) // 2
        assert states[0] != states[-1]


@each_table
def test_a_transition_gives_the_same_state_every_time(game: Game, players: int) -> None:
    for states in matches(game, players, strike_rate=0.0):
        for state in sampled(states[:-1], 10):
            restored = game.from_json(state.to_json())
            for action, other in zip(state.actions[:10], restored.actions[:10], strict=True):
                assert action.next_state == other.next_state
            assert state.strike_out(state.pending[-1]) == restored.strike_out(state.pending[-1])


def is_free(field: dict[str, Any]) -> bool:
    """Whether a field of an answer takes any text."""
    return field.get("type") == "string" and "enum" not in field


@each_table
def test_every_offered_action_reads_back_and_fits_the_schema(game: Game, players: int) -> None:
    for states in matches(game, players):
        for state in sampled(states[:-1]):
            for seat in state.pending:
                question = state.question(seat)
                assert question.role in game.roles
                assert question.text
                check_strict(question.schema)
                written = {name for name, field in question.schema["properties"].items() if is_free(field)}
                assert written <= set(game.free_text)
                validator = jsonschema.Draft202012Validator(question.schema)
                for action in state.actions_of(seat)[:40]:
                    answer = json.loads(json.dumps(action.to_json()))
                    validator.validate(answer)
                    assert state.read(seat, answer) == action


@each_table
def test_the_words_of_a_choice_tell_it_apart_and_tell_no_secret(game: Game, players: int) -> None:
    for states in matches(game, players):
        for index, state in enumerate(sampled(states[:-1])):
            for seat in state.pending:
                actions = state.actions_of(seat)
                names = [tuple(step.name for step in action.steps) for action in actions]
                assert all(len(names_of) in range(1, 4) for names_of in names)
                assert not set(names) & {path[:depth] for path in names for depth in range(len(path))}
                assert len(set(names)) == len(names)
                asked = {
                    (path[:depth], action.steps[depth].what)
                    for path, action in zip(names, actions, strict=True)
                    for depth in range(len(path))
                }
                assert len({before for before, _ in asked}) == len(asked), "after the same choices the same is asked"
                other = state.resample(seat, Rng(index))
                assert [action.steps for action in other.actions_of(seat)] == [action.steps for action in actions]


def check_strict(schema: dict[str, object]) -> None:
    """The dialect that strict structured output takes: flat, closed, everything required, no unions or ranges."""
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert schema["required"] == list(properties)
    for field in properties.values():
        assert set(field) <= {"type", "enum", "description"}
        assert field["type"] in ("string", "integer", "boolean")
        assert len(field.get("enum", ["x"])) == len(set(field.get("enum", ["x"]))) > 0


@each_table
def test_what_a_seat_cannot_know_never_changes_its_view(game: Game, players: int) -> None:
    changed = 0
    for states in matches(game, players):
        for index, state in enumerate(sampled(states)):
            for seat in (None, *range(players)):
                other = state.resample(seat, Rng(index))
                assert other.view(seat) == state.view(seat)
                assert other.pending == state.pending
                changed += other != state
                if seat in state.pending:
                    assert other.question(seat) == state.question(seat)
                    assert [a.to_json() for a in other.actions_of(seat)] == [a.to_json() for a in state.actions_of(seat)]
    assert changed


@each_table
def test_a_view_is_json_and_marks_whose_it_is(game: Game, players: int) -> None:
    for states in matches(game, players):
        for state in sampled(states, 10):
            for seat in (None, *range(players)):
                view = state.view(seat)
                assert json.loads(json.dumps(view)) == view
                assert view["game"] == game.name
                assert view["seat"] == seat
                assert (view["own"] is None) == (seat is None)
                assert view["phase"] == {"id": state.phase_id, "name": state.phase.name}


@each_table
def test_events_reach_only_those_who_may_know(game: Game, players: int) -> None:
    """An event a seat hears is the same whatever that seat cannot know before and after the transition."""
    for states in matches(game, players, strike_rate=0.0):
        for before, after in itertools.pairwise(states):
            _, seat, move = after.origin
            for event in after.events:
                assert event.kind == "quote" or not SECOND_PERSON.search(event.text), "others and logs read it too"
                assert event.text
                assert "\n" not in event.text or "quote" in event.kind
                json.dumps(event.data)
                assert event.audience is None or set(event.audience) <= set(range(players))
            other = before.resample(seat, Rng(7))
            answer = before.answer_of(seat, move)
            assert other.read(seat, answer).to_json() == answer


@each_table
def test_a_strike_out_always_goes_on(game: Game, players: int) -> None:
    for states in matches(game, players):
        for state in sampled(states[:-1]):
            for seat in state.pending:
                after = state.strike_out(seat)
                penalties = [event for event in after.events if event.kind == "penalty"]
                assert [event.data["seat"] for event in penalties] == [seat]
                assert seat not in after.pending or after.path
            for seat in set(range(players)) - set(state.pending):
                with pytest.raises(ValueError, match="owes no decision"):
                    state.strike_out(seat)


@each_game
def test_every_transition_is_an_edge_and_every_edge_happens(game: Game) -> None:
    edges = {(phase.id, edge.to) for phase in game.phases for edge in phase.edges}
    assert {to for _, to in edges} <= {phase.id for phase in game.phases}
    taken: set[tuple[int, int]] = set()
    ways = variants(game)
    for seed in range(1500):
        variant = ways[seed % len(ways)] if seed % 2 else {}
        state = begin(game, game.players[seed % len(game.players)], seed, variant)
        if state is None:
            continue
        at = game.phases[0].id
        for step in walk(state, random.Random(seed), strike_rate=0.1 if seed % 5 == 0 else 0.0):
            for to in step.path:
                taken.add((at, to))
                at = to
            assert at == step.phase_id
        assert taken <= edges, taken - edges
        if taken == edges and seed > 100:
            return
    assert edges - taken == set()


PLAYED_ELSEWHERE = """
import hashlib, json, random, games
for name in games.names():
    game = games.load(name)
    digest = hashlib.sha256()
    for players in game.players:
        state, rng = game.begin(players=players, seed=11), random.Random(5)
        while not state.has_ended:
            state = rng.choice(state.actions).next_state
            digest.update(json.dumps([state.to_json(), state.view(0), state.view(None)]).encode())
    print(name, digest.hexdigest())
"""


def test_the_same_seed_gives_the_same_match_in_any_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PLAYED_ELSEWHERE],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "4242")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(GAMES)


@each_game
def test_seeds_make_a_difference(game: Game) -> None:
    assert len({json.dumps(game.begin(seed=seed).to_json()) for seed in range(-5, 20)}) == 25


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@each_game
@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_answer_whatever_breaks_the_reader(game: Game, data: st.DataObject) -> None:
    states = list(walk(game.begin(seed=data.draw(st.integers(0, 50))), random.Random(1)))[:-1]
    state = data.draw(st.sampled_from(states))
    seat = state.pending[0]
    fields = list(state.question(seat).schema["properties"])
    answer = data.draw(st.one_of(json_values, st.fixed_dictionaries(dict.fromkeys(fields, json_values))))
    try:
        action = state.read(seat, answer)
    except IllegalAction as refusal:
        sentence = str(refusal)
        assert sentence
        assert len(sentence) < 3000
        other = state.resample(seat, Rng(3))
        with pytest.raises(IllegalAction) as again:
            other.read(seat, answer)
        assert str(again.value) == sentence, "a refusal tells what the seat may not know"
    else:
        assert action.next_state != state


@each_game
def test_wrong_settings_get_one_sentence(game: Game) -> None:
    for wrong in (
        {"players": game.players[0] - 1},
        {"players": game.players[-1] + 1},
        {"players": "3"},
        {"seed": "x"},
        {"rules": "nonesuch"},
        {"no_such_option": 1},
        {"strikes": 0},
        {"strikes": True},
    ):
        with pytest.raises(OptionError) as refusal:
            game.begin(**wrong)  # type: ignore[arg-type]  # wrong on purpose
        assert str(refusal.value).count("\n") == 0
        assert len(str(refusal.value)) > 20


@each_game
def test_bots_give_legal_answers_from_what_the_seat_knows(game: Game) -> None:
    for name, bot in game.bots.items():
        for players in game.players:
            state, turn = game.begin(players=players, seed=players), 0
            while not state.has_ended:
                seat = state.pending[0]
                action = bot(state, seat, Rng.of(name, turn))
                assert action.is_exactly(state.read(seat, action.to_json()).to_json())
                assert bot(state.resample(seat, Rng(turn)), seat, Rng.of(name, turn)).to_json() == action.to_json()
                state, turn = action.next_state, turn + 1
                assert turn < 5000
