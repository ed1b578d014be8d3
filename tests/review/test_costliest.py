"""The costliest decision of a seat, found within some seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from games.core import as_told
from games.telling import best_decision, made_again, skill_and_luck
from runner.record.reader import Log, read_log
from runner.review import costliest as module
from runner.review.costliest import Costliest, again_of, costliest, story_of
from runner.review.review_document import ReviewDocument, review_log
from runner.screen.result import costliest_line
from tests.cli.command import tabletop
from tests.review.logs import play

PLAYOUTS = 8
LONG = 600.0
"""Seconds that are never needed."""


@pytest.fixture(scope="module", autouse=True)
def _few_playouts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "default_playouts", lambda game: PLAYOUTS)
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return read_log(play(tmp_path_factory.mktemp("played")))


@pytest.fixture(scope="module")
def review(played: Log) -> ReviewDocument:
    return review_log(played, PLAYOUTS)


@pytest.fixture(scope="module")
def found(played: Log) -> list[Costliest | None]:
    """The costliest decision of each seat."""
    return [costliest(played, seat, LONG) for seat in range(3)]


@pytest.fixture
def log(played: Log, tmp_path: Path) -> Log:
    """A copy of the match, in a folder of its own."""
    (tmp_path / played.path.name).write_bytes(played.path.read_bytes())
    return read_log(tmp_path / played.path.name)


def test_with_enough_time_it_is_a_fault_with_the_figures_of_the_review(
    found: list[Costliest | None], review: ReviewDocument
) -> None:
    worst = [one["worst"] for one in found if one is not None and "worst" in one]
    assert worst, "random players make mistakes"
    for one in worst:
        assert one["entry"] in review["decisions"]
        assert one["entry"]["given_up"] >= 0.05
        assert one["playouts"] == PLAYOUTS
        assert one["played"] != one["better"]
    assert [one["decisions"] for one in found if one] == [seat["decisions"] for seat in review["seats"]]


def test_skill_and_luck_are_those_of_the_review_and_told_in_a_sentence(log: Log, review: ReviewDocument) -> None:
    for seat in review["seats"]:
        told = story_of(log, seat["seat"], monotonic() + LONG)
        assert told is not None
        figures, sentences = told
        assert figures == seat
        *best, last = [as_told(one, ("ann", "bob", "cy"), seat["seat"]) for one in sentences]
        assert all(one.startswith("Your best decision brought ") for one in best)
        assert figures["result"] is not None
        assert last.startswith("Your decisions were ")
    assert as_told(
        skill_and_luck({"seat": 2, "skill": 0.042, "luck": -0.2, "start": 0.3, "result": 0.142}), ["ann", "bob", "cy"]
    ) == (
        "cy's decisions were about 4 points better than the play of bot:steady, cards and the others brought about 20 points"
        " less than the deal promised: from 30 % of the win to 14 %."
    )


def test_an_answer_that_was_given_again_is_told_beside_the_one_before() -> None:
    told = [
        made_again(0, 7, ("Steal, P-2", 0.3), now)
        for now in (("Tax", 0.42), ("Income", 0.3), ("Tax", 0.2), ("Steal, P-2", 0.3))
    ]
    assert [as_told(one, ("ann", "bob", "cy"), 0) for one in told] == [
        "Decision 7 again: “Tax” is better than “Steal, cy”: 42 % of the win, not 30 %, from what you knew.",
        "Decision 7 again: “Income” is as good as “Steal, cy”: 30 % of the win, not 30 %, from what you knew.",
        "Decision 7 again: “Tax” is worse than “Steal, cy”: 20 % of the win, not 30 %, from what you knew.",
        "Decision 7 again: “Steal, cy”, as before.",
    ]


def test_a_card_of_words_is_quoted_once() -> None:
    card = "“A door is closed.”"
    assert str(made_again(0, 7, (card, 0.3), (card, 0.3))) == "Decision 7 again: “A door is closed.”, as before."
    assert str(best_decision(0, "11, round 2", card, 0.07)).endswith("round 2, “A door is closed.”.")


def test_without_time_nothing_is_said(log: Log) -> None:
    assert costliest(log, 1, 0.0) is None
    assert story_of(log, 1, 0.0) is None


def test_free_text_and_games_without_a_policy_have_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ("--max-rounds", "3", "--target-score", "50")
    log = read_log(play(tmp_path, "quotes.jsonl", "dixiquote", 2, *rules))
    found, review = costliest(log, 0, LONG), review_log(log, PLAYOUTS)
    assert found is not None
    assert found["decisions"] == review["seats"][0]["decisions"], "quotes have no grade"
    monkeypatch.setattr("runner.review.decision_review.has_playing_policy", lambda game: False)
    assert costliest(log, 0, LONG) is None


def test_the_sentence_names_decision_loss_and_the_better_answer(found: list[Costliest | None]) -> None:
    told = next(one for one in found if one is not None and "worst" in one).copy()
    worst = told["worst"]
    text = costliest_line(told, ["ann", "bob", "cy"]).plain
    assert text.startswith(f"Your costliest decision: {worst['entry']['decision']}, {told['round_word']} {worst['round']}.")
    assert f"cost you {100 * worst['entry']['given_up']:.0f} % of the win" in text
    assert worst["better"] in text
    assert costliest_line(told, ["ann", "bob", "cy"], who="bob").plain.startswith("bob: costliest decision")
    del told["worst"]
    assert "gave up 5 % of the win or more" in costliest_line(told, []).plain


def test_the_decisions_of_another_player_before_a_fork_do_not_count(log: Log, tmp_path: Path) -> None:
    at = len([*log.of_kind("decision")]) // 2
    done = tabletop(tmp_path, "fork", "match.jsonl", "--at", str(at), "--log", "fork.jsonl", "--quiet")
    assert done.returncode == 0, done.stderr
    fork = read_log(tmp_path / "fork.jsonl")
    assert story_of(fork, 1, monotonic() + LONG) is None
    again = [found for seat in range(3) if (found := again_of(fork, seat)) is not None]
    assert [told.partition(" again: “")[0] for told in again] == [f"Decision {at}"], "of the seat that made it"
    assert not any(again_of(log, seat) for seat in range(3)), "a match that is no fork"
    found, review = costliest(fork, 1, LONG), review_log(fork, PLAYOUTS)
    own = [one for one in review["decisions"] if one["seat"] == 1 and one["decision"] >= at and one["grade"] != "forced"]
    assert found is not None
    assert 0 < found["decisions"] == len(own) < review["seats"][1]["decisions"]


def test_a_player_who_takes_over_is_told_of_its_own_decisions(log: Log, tmp_path: Path) -> None:
    lines = log.path.read_bytes().splitlines(keepends=True)
    (tmp_path / "half.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    played = len([*read_log(tmp_path / "half.jsonl").of_kind("decision")])
    done = tabletop(tmp_path, "resume", "half.jsonl", "--seat", "P-1=bot:steady", "--quiet")
    assert done.returncode == 0, done.stderr
    whole = read_log(tmp_path / "half.jsonl")
    assert module._own_from(whole, 1) == played + 1
    assert module._own_from(whole, 0) == 1
