"""Worlds: each is possible after all that a seat has been told, and whatever is possible is among them.

At the deal they are held against other deals, and after a decision against the worlds before it in which the seat is told the
same. What is compared are facts: pieces of what the other seats see of their own.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise

from games.core import STRIKE_OUT, Action, Event, Rng, State
from games.testing.game_checks import GameChecks
from games.testing.information import heard
from games.testing.random_play import begin, variants, walk

_DEALS = 600
_WORLDS = 200
_SOME = 60
"""Worlds of a deal that are enough unless they look wrong."""
_SHARE = 20
"""One in how many worlds of a deal has a fact that has to be possible."""
_ENOUGH = 120
"""How many deals or worlds show that what none of them has is impossible, if it were not rare."""
_TRIES = 1000
_FEW = 12
"""Worlds that are enough unless they look wrong."""
_STEPS = 120
"""Decisions of all matches together that are looked at."""

Path = tuple[object, ...]
Piece = tuple[Path, int]
Facts = frozenset[Piece]


class WorldChecks(GameChecks):
    """Tests of the worlds that `State.resample` draws."""

    def test_a_world_follows_from_what_its_seat_knows_and_the_random_numbers(self, some_players: int) -> None:
        """A seed, an order of hidden cards or the next draw of the real match would lead back to it."""
        for before, _ in self.steps(some_players, 3)[::5]:
            other = self.of_seed(before, 987_654_321)
            for seat in (None, *range(some_players)):
                world = before.resample(seat, Rng(5))
                assert world.setup.seed != before.setup.seed, "a world has the seed of the match"
                assert world.setup.seed != before.resample(seat, Rng(6)).setup.seed, "worlds have one seed"
                assert other.resample(seat, Rng(5)) == world, "a world depends on the seed"
                assert world.resample(seat, Rng(5)) == world, "a world depends on what its seat does not know"

    def test_worlds_of_a_deal_are_the_deals_that_show_the_seat_the_same(self, some_players: int) -> None:
        deals = [self.game.begin(players=some_players, seed=seed) for seed in range(_DEALS)]
        views = [[deal.view(seat) for seat in range(some_players)] for deal in deals]
        owns = [[facts_of(view["own"], seat) for seat, view in enumerate(each)] for each in views]
        for seat in (None, *range(some_players)):
            others = [other for other in range(some_players) if other != seat]
            seen = [
                json.dumps(deal.view(None) if seat is None else each[seat]) for deal, each in zip(deals, views, strict=True)
            ]
            often = Counter(seen).most_common(1)[0][0]
            state = deals[seen.index(often)]
            alike = [hidden(own, others) for own, view in zip(owns, seen, strict=True) if view == often]
            rng = Rng.of("deal", some_players, seat)
            drawn = (facts(state.resample(seat, rng), others) for _ in range(_WORLDS + _TRIES))
            worlds = list(islice(drawn, _SOME))
            is_one = len(set(worlds)) == 1
            varied = set(alike if len(alike) > 1 else (hidden(own, others) for own in owns)) if is_one else set()
            assert not is_one or len(varied) == 1, f"worlds of seat {seat} are all the same"
            missing = unmatched(alike, chain(worlds, drawn), 8)
            assert not missing, f"possible, and never in a world of seat {seat}"
            shared = common(worlds, 2 * _SHARE)
            for fact in () if seat is None else facts_of(state.view(seat)["own"], seat):
                with_it = [own for own in owns if fact in own[seat]]
                if len(with_it) >= _ENOUGH and without(shared, with_it, others):
                    worlds += islice(drawn, _WORLDS - len(worlds))
                    shared = common(worlds, _SHARE)
                    assert not without(shared, with_it, others), f"impossible when seat {seat} sees {fact[0][1:]}"

    def test_worlds_after_a_decision_are_those_before_it_that_lead_there(self) -> None:
        rng, compared = Rng(0), 0
        steps = min(16, _STEPS // max(1, len(variants(self.game))))
        for seed, variant in enumerate(variants(self.game)):
            players = self.game.players[-1 - seed % len(self.game.players)]
            if (state := begin(self.game, players, seed, variant)) is not None:
                states = list(islice(walk(state, random.Random(seed), strike_rate=0.1), 60))
                for before, after in list(pairwise(states[:-1]))[:: max(1, len(states) // steps)]:
                    compared += check_worlds(before, after, rng.choice((None, *range(players))), rng)
        assert compared


def check_worlds(before: State, after: State, seat: int | None, rng: Rng) -> bool:
    """Whether worlds of a seat on both sides of a decision could be compared. AssertionError when they do not agree."""
    others = [other for other in range(before.setup.players) if other != seat]
    watched = {rng.choice(others), rng.choice(others) if after.origin[1] == seat else after.origin[1]}
    later = (facts(after.resample(seat, rng), watched) for _ in range(_TRIES))
    led = (facts(state, watched) for state in continued(before, after, seat, rng))
    worlds, arrived = list(islice(later, _FEW)), list(islice(led, _FEW))
    if len(arrived) < _FEW:
        return False
    for more, share in ((_FEW, 3), (2 * _FEW, 8)):
        if not (unmatched(worlds, arrived, share) or unmatched(arrived, worlds, share)):
            return True
        worlds += islice(later, more)
        arrived += islice(led, more)
    missing = len(arrived) > 2 * _FEW and unmatched(arrived, chain(worlds, later), 6)
    assert not missing, f"worlds of seat {seat} lack what leads there"
    for share, enough in ((4, 40), (8, _ENOUGH)):
        impossible = unmatched(worlds, arrived, share)
        while impossible and (found := next(led, None)) is not None:
            arrived.append(found)
            impossible -= found
        assert not impossible or len(arrived) < enough, f"worlds of seat {seat} are impossible"
    return True


def continued(before: State, after: State, seat: int | None, rng: Rng) -> Iterator[State]:
    """Worlds of a seat before a decision, after one that it cannot tell from the decision that was made."""
    _, decider, move = after.origin
    told = after.view(seat), heard(after.events, seat)

    def fits(result: tuple[State, tuple[Event, ...]]) -> bool:
        state, events = result
        return heard(events, seat) == told[1] and state.view(seat) == told[0]

    def answers(action: Action) -> bool:
        return action.to_json() == answer

    answer = {} if move is STRIKE_OUT else before.answer_of(decider, move)
    some = [] if move is STRIKE_OUT or seat == decider else [before, *(before.resample(seat, rng) for _ in range(4))]
    is_secret = any(not answers(way) and fits(way.next_with_events()) for world in some for way in world.actions_of(decider))
    found = 0
    for tries in range(_TRIES):
        if tries > 60 + 40 * found:  # it would take too long
            return
        world = before.resample(seat, rng)
        if move is STRIKE_OUT:
            results = iter((world.strike_out_with_events(decider),))
        else:
            actions = world.actions_of(decider)
            ways = rng.shuffled(actions) if is_secret else filter(answers, actions)
            results = map(Action.next_with_events, ways)
        for state, _ in islice(filter(fits, results), 1):
            found += 1
            yield state


def facts(state: State, seats: Iterable[int]) -> Facts:
    """What some seats see of their own, piece by piece."""
    return frozenset(chain.from_iterable(facts_of(state.view(seat)["own"], seat) for seat in seats))


def facts_of(own: object, seat: int) -> Facts:
    """What a seat sees of its own, piece by piece: each value with its path and its number among equal ones. An index is no
    part of a path."""
    paths = _values(own, (seat,), [])
    if len(found := {(path, 0) for path in paths}) < len(paths):
        for path, count in Counter(paths).items():
            found.update((path, number) for number in range(1, count))
    return frozenset(found)


def hidden(own: Sequence[Facts], seats: Iterable[int]) -> Facts:
    """What these seats see of their own in a deal, in which each sees `own`."""
    return frozenset(chain.from_iterable(own[seat] for seat in seats))


def _values(data: object, path: Path, found: list[Path]) -> list[Path]:
    """The list with the values of a piece of data, each behind its path, added to it."""
    if isinstance(data, dict):
        for name, value in data.items():
            _values(value, (*path, name), found)
    elif isinstance(data, list):
        for value in data:
            if isinstance(value, dict | list):
                _values(value, path, found)
            else:
                found.append((*path, value))
    else:
        found.append((*path, data))
    return found


def common(sample: Sequence[Facts], share: int) -> Facts:
    """The facts that one in `share` of a sample has, and at least two."""
    counts = Counter(chain.from_iterable(sample))
    return frozenset(fact for fact, count in counts.items() if count >= max(2, len(sample) / share))


def without(found: Facts, deals: Iterable[Sequence[Facts]], seats: Sequence[int]) -> Facts:
    """What these seats see of their own in none of the deals, of the facts found."""
    for own in deals:
        if not found:
            break
        found = found.difference(*(own[seat] for seat in seats))
    return found


def unmatched(sample: Sequence[Facts], others: Iterable[Facts], share: int) -> Facts:
    """The facts that one in `share` of a sample has, and at least two, and none of the others."""
    found = common(sample, share)
    for other in others:
        if not found:
            break
        found -= other
    return found
