"""Games of OpenSpiel as games of ours. Its own library knows the rules; here is what play, logs and seats make of them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import games
from games.core import OptionError, Rng, State
from games.core.errors import GameFault
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.command import complaint, tabletop

pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")

PERFECT = ("breakthrough", "connect_four", "othello", "pig", "tic_tac_toe")
RESAMPLED = ("gin_rummy", "kuhn_poker", "leduc_poker")
HIDDEN = ("dark_hex", "euchre", "hanabi", "hearts", "liars_dice", "turn_based_goofspiel")
ALL = (*PERFECT, *RESAMPLED, *HIDDEN)


def play(name: str, seed: int) -> list[State]:
    """All states of a random match."""
    rng, states = Rng(seed), [games.load(f"openspiel:{name}").begin(seed=seed)]
    while not states[-1].has_ended:
        states.append(rng.choice(states[-1].actions).next_state)
    return states


@pytest.mark.parametrize("name", ALL)
def test_answers_read_as_the_moves_they_name_and_states_as_what_they_were_written_from(name: str) -> None:
    game = games.load(f"openspiel:{name}")
    for state in play(name, 3):
        assert game.from_json(state.to_json()) == state == pickle.loads(pickle.dumps(state))
        if (seat := state.actor) is not None:
            question = state.question(seat)
            assert [choice.answer for choice in question.choices] == [action.to_json() for action in state.actions]
            assert question.schema["properties"]["action"]["enum"] == [action.to_json()["action"] for action in state.actions]
            for action in state.actions:
                assert state.read(seat, action.to_json()) == action


@pytest.mark.parametrize("name", ALL)
def test_the_seed_settles_chance(name: str) -> None:
    assert play(name, 5) == play(name, 5)


def test_chance_differs_from_seed_to_seed() -> None:
    deals = {games.load("openspiel:leduc_poker").begin(seed=seed).view(0)["own"]["position"] for seed in range(20)}
    assert len(deals) > 2


@pytest.mark.parametrize("name", [*PERFECT, *RESAMPLED])
def test_a_seat_cannot_tell_a_world_from_the_state(name: str) -> None:
    assert games.load(f"openspiel:{name}").has_worlds
    for number, state in enumerate(play(name, 4)[:-1]):
        seat = state.actor
        world = state.resample(seat, Rng(number))
        assert world.view(seat) == state.view(seat)
        assert [action.move for action in world.actions] == [action.move for action in state.actions]
        assert world.actions[0].next_state.events


@pytest.mark.parametrize("name", HIDDEN)
def test_where_openspiel_draws_no_worlds_a_bot_gets_its_legal_moves_and_nothing_to_look_ahead_with(name: str) -> None:
    game = games.load(f"openspiel:{name}")
    assert (game.has_worlds, list(game.bots)) == (False, ["random"])
    state = play(name, 2)[2]
    seat = state.pending[0]
    world = state.resample(seat, Rng(1))
    assert game.bots["random"](world, seat, Rng(1)).to_json() in [action.to_json() for action in state.actions]
    assert world.view(seat) == state.view(seat)
    with pytest.raises(GameFault, match="draws no worlds"):
        _ = world.actions[0].next_state
    with pytest.raises(GameFault, match="draws no worlds"):
        world.to_json()


@pytest.mark.parametrize("name", [*RESAMPLED, *HIDDEN])
def test_what_is_hidden_reaches_no_other_seat_before_the_end(name: str) -> None:
    *before, last = play(name, 6)
    for state in before:
        assert state.view(None)["position"] == ""
        assert not any(name for _, name in state.view(None)["moves"])
        assert not any(state.scores)
        told = [event for event in state.events if event.kind == "move"]
        assert all(event.audience == (event.data["seat"],) for event in told)
    assert last.view(None)["position"]


def test_options_are_the_parameters() -> None:
    options = games.load("openspiel:connect_four").options
    assert (options["rows"].default, options["columns"].default) == (6, 7)
    small = games.load("openspiel:connect_four").begin(rows=3, columns=4)
    assert len(small.view(None)["position"].split()) == 3
    assert games.load("openspiel:go").begin(komi="0.5", board_size=5).setup.options.komi == "0.5"
    assert games.load("openspiel:kuhn_poker").begin(players=4).setup.players == 4


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("leduc", {}, 'OpenSpiel has no game "leduc": did you mean openspiel:leduc_poker?'),
        ("goofspiel", {}, "openspiel:turn_based_goofspiel is the same game in turns"),
        ("turn_based_chess", {}, "OpenSpiel has no game"),
        ("2048", {}, "it is for one player"),
        ("efg_game", {}, "it is made of another game or a file"),
        ("negotiation", {}, "no seed repeats its chance"),
        ("connect_four", {"row": 3}, 'There is no option "row"'),
        ("connect_four", {"rows": 10**9}, "rows cannot be 1000000000"),
        ("mnk", {"m": 9999, "n": 9999}, "has 99,980,001 moves with these options"),
        ("leduc_poker", {"players": 9}, "is for 2 to 8 players"),
        ("hanabi", {"observation_type": "x"}, "openspiel:hanabi does not take its options"),
        ("go", {"komi": "nan"}, "it takes a number from"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(name: str, options: dict[str, int], said: str, tmp_path: Path) -> None:
    words = [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    if name == "connect_four" and "row" in options:
        with pytest.raises(OptionError, match=said):
            games.load(f"openspiel:{name}").begin(**options)
        return
    done = tabletop(tmp_path, "play", f"openspiel:{name}", *words, "-q")
    assert (done.returncode, said in complaint(done)) == (2, True), done.stderr


@pytest.mark.parametrize("name", ["leduc_poker", "liars_dice", "tic_tac_toe"])
def test_a_match_of_the_offline_model_is_logged_resumed_forked_and_verified(name: str, tmp_path: Path) -> None:
    play = ("play", f"openspiel:{name}", "--seat", "offline", "--seat", "bot:random", "--seed", "4", "-q", "--log", "log.jsonl")
    assert tabletop(tmp_path, *play).returncode == 0
    whole = (tmp_path / "log.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    (tmp_path / "log.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    assert tabletop(tmp_path, "resume", "log.jsonl", "-q").returncode == 0
    assert verify(read_log(tmp_path / "log.jsonl")).has_ended
    assert tabletop(tmp_path, "fork", "log.jsonl", "--at", "1", "-q", "--log", "fork.jsonl").returncode == 0
    shown = tabletop(tmp_path, "prompts", "render", "log.jsonl", "--at", "1")
    assert "by the rules of OpenSpiel" in shown.stdout


def test_a_tournament_is_rated_and_its_matches_reviewed(tmp_path: Path) -> None:
    words = ("--game", "openspiel:tic_tac_toe", "--players", "2", "--seat", "bot:search:40,bot:random", "--deals", "2")
    assert tabletop(tmp_path, "tournament", *words, "-o", "t", "-q", "--workers", "1").returncode == 0
    rated = tabletop(tmp_path, "standings", "t")
    assert "openspiel:tic_tac_toe with 2 players: 4 matches on 2 deals" in rated.stdout
    log = next((tmp_path / "t").rglob("*.jsonl"))
    assert "Tic Tac Toe" in tabletop(tmp_path, "review", str(log), "--playouts", "20").stdout
    refused = tabletop(tmp_path, "play", "openspiel:liars_dice", "--seat", "bot:search")
    assert "of which no worlds can be drawn" in complaint(refused)


def test_lint_reads_the_prompts_of_a_game(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "prompts", "lint", "--game", "openspiel:tic_tac_toe", "--matches", "1")
    assert (done.returncode, "no faults" in done.stdout or "0 faults" in done.stdout) == (0, True), done.stdout


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    for module in ("games.openspiel.loading", "games.openspiel.lines"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # type: ignore[arg-type]  # as Python marks a module that is not there
    with pytest.raises(OptionError, match=r"pip install 'tabletop-runner\[openspiel\]'"):
        games.load("openspiel:nim")
