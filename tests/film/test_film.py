"""The film: every new fact of a table is told by its frame or an earlier one, and nothing is shown that a later line tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import NamedTuple

import pytest

import games
from games.core import PHASE, Event, Rng, State
from games.core.drama import ACT, BEATS, BREATH, ELIMINATION, FINALE, REVEAL, ROUTINE, SECONDS, VOTE, Script, Stage
from games.core.scene import Players, Texts
from games.highlights import remarks_on
from runner.film import film as filming
from runner.film.film import Film, Frame
from runner.film.perspective import Perspective
from tests.film.facts import TOLD_BY, Fact, facts

EYES = (Perspective(sees_all=True), Perspective(), Perspective(seat=1))
NAMES = ("ada", "bo", "cy", "di")
PLAYERS = len(NAMES)
MATCHES = 2
"""Of each game, those that are looked at."""
MIXED = {"dixiquote": {"max_rounds": 2}}
Cut = tuple[State, Sequence[Event], State, list[Frame]]


@cache
def decided(game: str, seed: int) -> list[tuple[State, Sequence[Event], State]]:
    """Each decision of a match: the state before it, its events, the state after it."""
    known, found = games.load(game), list[tuple[State, Sequence[Event], State]]()
    state, rng = known.begin(PLAYERS, seed, **MIXED.get(game, {})), Rng(seed)
    bots = [known.bots["random" if (seat + seed) % 3 == 0 else "steady"] for seat in range(PLAYERS)]
    while not state.has_ended:
        assert state.actor is not None
        after, events = bots[state.actor](state, state.actor, rng).next_with_events()
        found.append((state, events, after))
        state = after
    return found


def filmed(game: str, eye: Perspective, seed: int, has_motion: bool = False) -> list[Cut]:
    """Each decision of a match, with its frames."""
    film = Film(games.load(game), eye, NAMES, has_motion=has_motion)
    return [
        (before, events, after, film.cut(before, after, events, remarks_on(after, events)))
        for before, events, after in decided(game, seed)
    ]


_reel = cache(filmed)


def cuts(game: str, eye: Perspective, matches: int = MATCHES, has_motion: bool = False) -> Iterator[Cut]:
    """Each decision of a few matches, with its frames, which are made once."""
    for seed in range(1, matches + 1):
        yield from _reel(game, eye, seed, has_motion)


class Look(NamedTuple):
    """Of a frame the kinds of the events that it tells, its beat, and the facts that it shows."""

    told: frozenset[str]
    beat: str
    shown: Counter[Fact]


@cache
def looks(game: str, eye: Perspective, seed: int, has_motion: bool = False) -> list[tuple[Counter[Fact], list[Look]]]:
    """Each decision of a match: the facts of the table before it, and its frames."""
    film = Film(games.load(game), eye, NAMES)
    return [
        (Counter(facts(game, film.scene(before))), [_look(game, frame) for frame in frames])
        for before, _, _, frames in _reel(game, eye, seed, has_motion)
    ]


def _look(game: str, frame: Frame) -> Look:
    told = frozenset(event.kind for line in frame.lines for event, _ in line.told)
    return Look(told, frame.beat, Counter(facts(game, frame.scene)))


def untold(game: str, known: Counter[Fact], frames: Sequence[Look]) -> Iterator[tuple[Fact, int]]:
    """The facts that are shown before anything told them, with the number of their frame; `known` are those of before."""
    told, tellers = frozenset[str](), TOLD_BY[game]
    for number, frame in enumerate(frames):
        told |= frame.told | ({"vote"} if frame.beat == VOTE else set())
        for fact in frame.shown - known:
            if fact.kind in tellers and not tellers[fact.kind] & told:
                yield fact, number
        known = known | frame.shown


@pytest.mark.parametrize("eye", EYES, ids=lambda eye: eye.name)
@pytest.mark.parametrize("game", games.names())
def test_every_new_fact_is_told_by_its_frame_or_an_earlier_one(game: str, eye: Perspective) -> None:
    seen = set[str]()
    for known, frames in (one for seed in range(1, MATCHES + 1) for one in looks(game, eye, seed, has_motion=True)):
        assert not [*untold(game, known, frames)], frames
        seen.update(fact.kind for frame in frames for fact in frame.shown)
    never_seen = TOLD_BY[game].keys() - seen
    assert never_seen <= {"verdict"}, "the facts are read from the tables"


@pytest.mark.parametrize("game", games.names())
def test_the_heading_changes_with_the_last_event_alone(game: str) -> None:
    for before, _, after, frames in cuts(game, Perspective(), has_motion=True):
        moving = len([*takewhile(lambda frame: frame.is_moving, reversed(frames[:-1]))])  # of what the last event tells
        earlier = [frame.header for frame in frames[: -1 - moving]]
        last = [frame.header for frame in frames[-1 - moving :]]
        assert all((one.round, one.round_word) == (before.round, before.game.round_word) for one in earlier)
        assert last[-1].round == after.round
        assert all(one == earlier[0] for one in earlier)
        assert all(one == last[0] for one in last)


@pytest.mark.parametrize("eye", EYES, ids=lambda eye: eye.name)
@pytest.mark.parametrize("game", games.names())
def test_frames_tell_all_that_is_seen_once_and_in_its_order(game: str, eye: Perspective) -> None:
    for _, events, after, frames in cuts(game, eye, has_motion=True):
        told = [one for frame in frames for line in frame.lines for one in line.told]
        seen = eye.visible_remarks(events, remarks_on(after, events))
        assert told == [one for one in seen if one[0].kind != PHASE]
        assert [frame.is_last for frame in frames] == [False] * (len(frames) - 1) + [True]
        then = Film(after.game, eye, NAMES).scene(after)
        assert frames[-1].scene.shown(()) == then.shown(())


@pytest.mark.parametrize("eye", EYES, ids=lambda eye: eye.name)
def test_a_royal_decree_is_discarded_from_below_a_card_that_it_moves_onto_itself(eye: Perspective) -> None:
    game, rng = games.load("oriflamme"), Rng(16)
    state, film, covered = game.begin(4, 16), Film(game, eye, NAMES), 0
    while not state.has_ended:
        assert state.actor is not None
        for after, events in (action.next_with_events() for action in state.actions) if "Decree" in state.phase.name else ():
            decree = next(at for at, stack in enumerate(state.view(None)["queue"], 1) if stack[0]["card"] == "Royal Decree")
            covered += any(one.kind == "moved" and one.data["to"] == f"on position {decree}" for one in events)
            frames = film.cut(state, after, events, remarks_on(after, events))
            assert frames[-1].scene.shown(()) == film.scene(after).shown(())
        state = game.bots["random"](state, state.actor, rng).next_with_events()[0]
    assert covered


# -- the test bites ---------------------------------------------------------------------------------------------------


def one_event(game: str, is_early: bool) -> set[str]:
    """The kinds of facts that the test finds where each scene comes one frame too early, or each line one frame too late."""
    found = set[str]()
    for known, frames in (one for eye in EYES for seed in range(1, MATCHES + 1) for one in looks(game, eye, seed)):
        earlier, later = [Look(NOTHING, "", known), *frames[:-1]], [*frames[1:], frames[-1]]
        shifted = (
            [one._replace(shown=then.shown) for one, then in zip(frames, later, strict=True)]
            if is_early
            else [one._replace(told=before.told) for before, one in zip(earlier, frames, strict=True)]
        )
        found |= {fact.kind for fact, _ in untold(game, known, shifted)}
    return found


NOTHING = frozenset[str]()
EARLY = {
    "coup": {"coin", "out", "verdict", "winner", "wins"},
    "cat_in_the_box": {"banner", "points", "won"},
    "dixiquote": {"point", "star", "storyteller", "wins"},
    "oriflamme": {"gone", "point", "winner", "wins"},
}
"""What is news in some frame that is not the first of its decision: what a scene that comes early gives away."""
LATE = {
    "coup": {"coin", "lost", "out", "verdict", "winner", "wins"},
    "cat_in_the_box": {"banner", "points", "token", "won"},
    "dixiquote": {"point", "quote", "star", "storyteller", "voter", "wins"},
    "oriflamme": {"faced", "gone", "point", "winner", "wins"},
}


@pytest.mark.parametrize("game", games.names())
def test_a_scene_that_comes_one_event_early_is_found(game: str) -> None:
    assert one_event(game, is_early=True) >= EARLY[game]


@pytest.mark.parametrize("game", games.names())
def test_a_line_that_comes_one_event_late_is_found(game: str) -> None:
    assert one_event(game, is_early=False) >= LATE[game]


# -- a table keeps up with its lines ----------------------------------------------------------------------------------


def shown_late(game: str, kind: str, fact: str) -> int:
    """How many frames after its event a fact of that seat is shown at the latest, over some matches."""
    late, seen = [0], (one for seed in range(1, MATCHES + 1) for one in looks(game, Perspective(), seed))
    for (_, _, _, frames), (base, shown) in zip(cuts(game, Perspective()), seen, strict=True):
        for number, frame in enumerate(frames):
            seats = {event.data.get("seat") for line in frame.lines for event, _ in line.told if event.kind == kind}
            for seat in seats:
                new = [
                    place
                    for place, later in enumerate(shown[number:])
                    if any(one.kind == fact and one.seat == seat for one in later.shown - base)
                ]
                late += new[:1]
    assert len(late) > 1, "it has happened"
    return max(late)


@pytest.mark.parametrize(
    ("game", "kind", "fact"),
    [
        ("coup", "loss", "lost"),
        ("coup", "out", "out"),
        ("coup", "gain", "coin"),
        ("cat_in_the_box", "play", "token"),
        ("cat_in_the_box", "trick", "won"),
        ("cat_in_the_box", "score", "points"),
        ("oriflamme", "revealed", "faced"),
        ("oriflamme", "gained", "point"),
        ("oriflamme", "discarded", "gone"),
    ],
)
def test_what_is_told_is_on_the_table_at_once(game: str, kind: str, fact: str) -> None:
    assert shown_late(game, kind, fact) == 0


def test_a_challenge_looks_the_same_until_the_card_is_turned() -> None:
    found = dict[bool, set[tuple[str, str, tuple[str, ...]]]]()
    for _, events, _, frames in cuts("coup", Perspective(), matches=6):
        challenge = next((event for event in events if event.kind == "challenge"), None)
        if challenge is None:
            continue
        frame = frames[0]
        steps = next(part for part in frame.scene.parts if hasattr(part, "pile"))
        words = tuple(" ".join(str(piece) for piece in phrase[2:] if isinstance(piece, str)) for _, phrase in steps.steps)
        is_false = any(event.kind == "false_claim" for event in events)
        assert not any("has" in one or "false" in one or "shown" in one for one in words)
        found.setdefault(is_false, set()).add((frame.beat, steps.steps[-1][1][1].verb.split()[0], ()))
    assert found[True] == found[False] == {(BREATH, "turn", ())}


# -- votes ------------------------------------------------------------------------------------------------------------


def test_votes_are_turned_up_one_by_one_and_points_come_before_the_next_round() -> None:
    frames = next(frames for _, events, _, frames in cuts("dixiquote", Perspective()) if any(e.kind == "score" for e in events))
    counts = [
        (sum(len(card.voters) for card in part.cards), all(card.owner is not None for card in part.cards))
        for frame in frames
        for part in frame.scene.parts
        if isinstance(part, Texts)
    ]
    assert [*dict.fromkeys(counts)] == [(0, False), (1, False), (2, False), (3, False), (3, True)]
    *_, score, after = frames
    assert [line.told[0][0].kind for line in score.lines] == ["score"]
    assert _points(score) == _points(after) != _points(frames[0])


def _points(frame: Frame) -> list[int]:
    return [row.counters[0].value for part in frame.scene.parts if isinstance(part, Players) for row in part.rows]


# -- a game of its own ------------------------------------------------------------------------------------------------


def test_a_game_that_says_nothing_changes_its_table_with_its_last_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filming, "script_of", lambda game: Script())
    for before, _, _, frames in filmed("oriflamme", Perspective(), 1):
        start = Film(before.game, Perspective(), NAMES).scene(before)
        assert all(frame.scene == start for frame in frames[:-1])
        assert {frame.beat for frame in frames} <= {ACT, ROUTINE}


def test_a_game_may_say_what_an_event_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(stage: Stage, event: Event) -> None:
        if event.kind == "gained":
            stage.add("points", event.data["seat"], event.data["points"])

    monkeypatch.setattr(filming, "script_of", lambda game: Script(told=told, beats={"gained": REVEAL}))
    changes = 0
    for _, _, _, frames in filmed("oriflamme", Perspective(), 1):
        for one, then in pairwise(frames):
            new = Counter(facts("oriflamme", then.scene)) - Counter(facts("oriflamme", one.scene))
            is_told = any(event.kind == "gained" for line in then.lines for event, _ in line.told)
            assert (then.beat == REVEAL) == is_told or then.is_last
            if not then.is_last:
                assert {fact.kind for fact in new} <= ({"point"} if is_told else set())
                changes += bool(new)
    assert changes


# -- how long ---------------------------------------------------------------------------------------------------------


def seconds(matches: int = 6) -> dict[str, list[float]]:
    """By kind of event, how long the frames of Coup are shown that tell it."""
    found = dict[str, list[float]]()
    for _, _, _, frames in cuts("coup", Perspective(), matches=matches):
        for frame in frames:
            for kind in {event.kind for line in frame.lines for event, _ in line.told}:
                found.setdefault(kind, []).append(frame.weight)
    return found


def test_eliminations_and_the_end_are_the_longest_frames_and_incomes_the_shortest() -> None:
    found = seconds()
    assert min(found["out"]) > max(max(times) for kind, times in found.items() if kind not in ("out", "end"))
    assert min(found["end"]) > max(found["out"])
    assert max(found["gain"]) == min(map(min, found.values())) == SECONDS[ROUTINE]
    assert SECONDS[FINALE] > SECONDS[ELIMINATION] > SECONDS[BREATH] > SECONDS[REVEAL] > SECONDS[ACT] > SECONDS[ROUTINE]


def test_a_match_of_thirty_turns_is_over_in_time_at_half_a_second() -> None:
    units, turns = 0.0, 0
    for before, _, after, frames in cuts("coup", Perspective(), matches=6):
        units += sum(frame.weight for frame in frames)
        turns += after.round - before.round
    assert 0.5 * units * 30 / turns < 150


def test_an_income_is_one_short_line_beside_the_next_turn() -> None:
    cut = next(c for c in cuts("coup", Perspective()) if any(e.data.get("action") == "income" for e in c[1]))
    (frame,) = cut[3]
    assert frame.beat == ROUTINE
    assert [[event.kind for event, _ in line.told] for line in frame.lines] == [["declaration", "gain"], ["turn"]]


def test_the_document_has_the_seconds_of_each_beat() -> None:
    text = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    rows = (line.strip("| ").split(" | ") for line in text.split("| beat |")[1].split("\n\n")[0].splitlines()[2:])
    told = {beat: seconds for beat, _, seconds in rows}
    assert [*told] == [*BEATS]
    assert {beat: float(seconds) for beat, seconds in told.items() if beat != FINALE} == {
        beat: SECONDS[beat] for beat in BEATS if beat != FINALE
    }
    assert told[FINALE] == "until a key, at most 60"
