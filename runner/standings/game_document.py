"""Game document: the standings of one pool of matches as JSON, with notes on what its ratings rest on."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import add
from sys import intern
from typing import cast

import games
from games.core import counted
from games.statistics.deal_sums import DealSums, Parts, RatedMatch, placing_of, rated_match, ratio
from games.statistics.document_types import (
    AgentData,
    BiasData,
    FitData,
    ForfeitData,
    GameData,
    MeasureData,
    RatedAgent,
    RatingData,
    SkinData,
    SpreadData,
)
from games.statistics.figures import FEWEST_FREE, rescaled
from games.statistics.fit_quality import gap_points, pairing_effects, pairing_effects_notes
from games.statistics.pair_ratings import ESTABLISHED
from games.statistics.strengths import GUESSED_SPREAD, Anchor, Rating
from runner.agents.spec import Human, parse_spec
from runner.record.log_summary import KINDS, OWN_WORDS, LogSummary, SeatSummary
from runner.standings.comparability import Pool
from runner.standings.rating import rate

FEW_DEALS = 10
"""With fewer deals, intervals hold less often than they say: `make campaign` measures it."""

_MOST_NAMED = 8


def game_notes(rating: Rating, matches: Sequence[RatedMatch], anchor: Anchor | None, held: Anchor | None) -> Iterator[str]:
    if winners := sorted({match.kind for match in matches if match.placing == "winners"}):
        yield f"Ratings of {', '.join(winners)} count who wins, not the order of the others."
    if rating.free < FEWEST_FREE:
        yield f"Too few deals for intervals: {rating.deals}; at least {FEWEST_FREE + 1} of one kind are needed."
    elif rating.deals < FEW_DEALS:
        yield f"Few deals: {rating.deals}. With fewer than {FEW_DEALS}, intervals are rough and may be too narrow."
    if unknown := [" over ".join(pair["agents"]) for pair in rating.pairs if not pair["is_established"]]:
        more = f"; and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
        shown = "; ".join(unknown[:_MOST_NAMED]) + more
        yield f"Not established (chance alone brings one such difference more often than {ESTABLISHED:.0%}): {shown}."
    if rating.free >= FEWEST_FREE:
        unchecked = f"Fit: not checked. That needs line-ups that differ, each on {FEWEST_FREE + 1} deals or more."
        yield _fit(rating.fit) if rating.fit else unchecked
    if rating.kinds:
        yield _combined(rating.kinds)
    if any(match.struck for match in matches):
        yield (
            "Ratings given that no seat was struck out condition on an outcome of the match: they favour an agent that is"
            " struck out when it is losing. Rank by the ratings of all matches."
        )
    if _is_unbalanced(matches):
        yield "Not all agents had all seats equally often, so seat advantages may favour some of them."
    if anchor and not held:
        yield f"{anchor[0]} did not play here, so the mean rating is 1500."


def _fit(found: FitData) -> str:
    worst = found["worst"]
    gap = f"{worst['agent']} at {', '.join(worst['lineup'])} wins {worst['observed']:.0%}, predicted {worst['expected']:.0%}"
    percent = f"{found['mean_gap'] * 100:.1f} percentage points"
    size = f"win shares at {counted(found['lineups'], 'line-up')} differ from the predicted ones by {percent} on average"
    if found["is_poor"]:
        points = abs(gap_points(worst["observed"], worst["expected"]))
        depends = f"Strength depends on who else is at the table: {points:.0f} points there"
        return f"Warning: poor fit. {gap}. {depends}; {size}."
    return f"Fit: {size}; largest for its error: {gap} (probability by chance {found['chance']:.2f})."


def _combined(found: SpreadData) -> str:
    kinds = f"Combined over {', '.join(found['kinds'])}."
    if found["spread"] is None:
        guess = f"{GUESSED_SPREAD:.0f} points"
        return f"{kinds} Too few deals show how agents differ between these; a deviation of {guess} is assumed."
    return (
        f"{kinds} Agents differ between these with a standard deviation of {found['spread']:.0f} points;"
        " the rating in each is shrunk towards the agent's mean accordingly."
    )


def _is_unbalanced(matches: Iterable[RatedMatch]) -> bool:
    sat: dict[tuple[str, str], list[int]] = {}
    for match in matches:
        for seat, agent in enumerate(match.agents):
            sat.setdefault((match.kind, agent), [0] * len(match.agents))[seat] += 1
    return any(len(set(times)) > 1 for times in sat.values())


def measure_kinds(names: Collection[str]) -> dict[str, bool]:
    """Whether each measure of these games is a share; none of a game that is not installed."""
    known = [game for game in games.registered().games if game.name in names]
    return {measure.name: measure.is_share for game in known for measure in game.measures}


_MATCHES, _WINS, _ANSWERS, _INVALID = range(4)


def forfeits(matches: Sequence[RatedMatch]) -> dict[str, ForfeitData]:
    sums = DealSums[tuple[str, bool]](2)
    for match in matches:
        struck = {match.agents[seat] for seat in match.struck}
        for agent, wins in zip(match.agents, match.wins, strict=True):
            sums.add((match.kind, match.deal), (agent, bool(struck - {agent})), 1, wins)
    blocks, found = sums.blocks(), dict[str, ForfeitData]()
    for agent in {agent for agent, _ in sums.keys}:
        own, others = (sums.parts((agent, has_forfeit), blocks) for has_forfeit in (True, False))
        both = Parts([list(map(add, *rows)) for rows in zip(own.rows, others.rows, strict=True)], blocks)
        earned = both.difference(others, _WINS, _MATCHES)[0] if own.sums[_MATCHES] and others.sums[_MATCHES] else None
        found[agent] = {"matches": round(own.sums[_MATCHES]), "wins": own.sums[_WINS], "earned": earned}
    return found


def deal_of(log: LogSummary) -> tuple[str, str]:
    """The kind of a match, and its deal: the same game, number of players, rules, options and seed, in whatever words."""
    conditions = {name: value for name, value in log.conditions.items() if name != "skin"}
    deal = f"{log.game} {conditions} {sorted(log.options.items())} {log.seed}"
    return intern(f"{log.game} with {len(log.seats)}"), intern(deal)


def rated(log: LogSummary) -> RatedMatch:
    struck = (number for number, seat in enumerate(log.seats) if seat.penalties)
    return rated_match(deal_of(log), log.names, log.scores, log.winners, struck, placing_of(log.game))


def game_document(pool: Pool, anchor: Anchor | None, draws: int, is_sequential: bool) -> GameData:
    matches = [rated(log) for log in pool.logs]
    held = _held(anchor, matches)
    rating, clean = rate(matches, draws, held, is_sequential), [match for match in matches if not match.struck]
    has_struck = len(clean) < len(matches)
    without = rate(clean, 0, _held(anchor, clean)).agents if has_struck and clean else []
    earned = forfeits(matches) if has_struck else {}
    around, shares = pairing_effects(matches), measure_kinds({log.game for log in pool.logs})
    seats: dict[str, list[SeatSummary]] = {}
    for seat in (seat for log in pool.logs for seat in log.seats):
        seats.setdefault(seat.name, []).append(seat)
    fair: dict[str, RatingData] = {one["agent"]: {"rating": one["rating"], "matches": one["matches"]} for one in without}
    return {
        "game": pool.game,
        "players": pool.players,
        "matches": rating.matches,
        "deals": rating.deals,
        "matches_with_penalties": len(matches) - len(clean),
        "agents": [_agent(one, seats[one["agent"]], shares, without_penalties=fair, forfeits=earned) for one in rating.agents],
        "meetings": rating.pairs,
        "seats": rating.seats,
        "fit": rating.fit,
        "kinds": rating.kinds,
        "company": around,
        "skins": [*skin_effects(zip(matches, pool.logs, strict=True))],
        "position_bias": [*position_bias(zip(matches, pool.logs, strict=True))],
        "notes": [*pool.notes, *game_notes(rating, matches, anchor, held), *pairing_effects_notes(around)],
    }


def _held(anchor: Anchor | None, matches: Sequence[RatedMatch]) -> Anchor | None:
    return anchor if anchor and any(anchor[0] in match.agents for match in matches) else None


_SUMMED = ("decisions", "answers", "penalties", "failures", "prompt_tokens", "completion_tokens", "cost", "seconds")


def _agent(
    found: RatedAgent, seats: Sequence[SeatSummary], shares: Mapping[str, bool], **more: Mapping[str, object]
) -> AgentData:
    """The entry of an agent; `seats` are all that it had, `more` has further figures by agent."""
    mistakes = Counter[str]()
    for seat in seats:
        mistakes.update(seat.mistakes)
    sums = {name: sum(getattr(seat, name) for seat in seats) for name in _SUMMED}
    answers = sums["answers"]
    figures = sums | {
        "is_person": any(isinstance(parse_spec(seat.spec), Human) for seat in seats),
        "mistakes": mistakes.total(),
        "mistake_kinds": dict(sorted(mistakes.items())),
        "rates": {kind: count / answers for kind, count in sorted(mistakes.items())},
        "mistake_rate": mistakes.total() / answers if answers else 0.0,
        "cost_per_match": sums["cost"] / len(seats),
        "latency": sums["seconds"] / answers if answers else 0.0,
        "longest_latency": max((seat.longest for seat in seats), default=0.0),
        "measures": measures(seats, shares),
    }
    return cast(AgentData, found | figures | {name: of.get(found["agent"]) for name, of in more.items()})


def measures(seats: Iterable[SeatSummary], shares: Mapping[str, bool]) -> dict[str, MeasureData]:
    """The game's measures over some seats; `shares` tells which are shares, the others are amounts per match that has them."""
    counts: dict[str, list[list[int]]] = {}
    for seat in seats:
        for name, hits_and_chances in seat.measures.items():
            counts.setdefault(name, []).append(hits_and_chances)
    found: dict[str, MeasureData] = {}
    for name, some in counts.items():
        (hits, chances), is_share = map(sum, zip(*some, strict=True)), shares.get(name, True)
        out_of = chances if is_share else len(some)
        found[name] = {"value": hits / out_of if out_of else None, "hits": hits, "out_of": out_of, "is_share": is_share}
    return found


def position_bias(matches: Iterable[tuple[RatedMatch, LogSummary]]) -> Iterator[BiasData]:
    """How much more often than chance would each agent whose choices were shuffled takes the first, the last, the shortest."""
    sums = DealSums[tuple[str, str]](3)
    for match, log in matches:
        for seat in log.seats:
            for kind, terms in seat.places.items():
                sums.add((match.kind, match.deal), (seat.name, kind), *terms)
    for agent, kind in sorted(sums.keys, key=lambda key: (key[0], KINDS.index(key[1]))):
        parts = sums.parts((agent, kind))
        answers, taken, expected = parts.sums
        yield {
            "agent": agent,
            "place": kind,
            "answers": round(answers),
            "taken": taken / answers,
            "expected": expected / answers,
            "excess": rescaled(parts.share(1, 0), plus=-expected / answers),
        }


def skin_effects(matches: Iterable[tuple[RatedMatch, LogSummary]]) -> Iterator[SkinData]:
    """Each model with each skin that it played with, beside the same model with the game's own words; none without those."""
    sums = DealSums[tuple[str, str]](4)
    for match, log in matches:
        for seat, wins in zip(log.seats, match.wins, strict=True):
            if seat.prompt_tokens:
                invalid = sum(seat.mistakes.values())
                sums.add((match.kind, match.deal), (seat.name, str(log.conditions["skin"])), 1, wins, seat.answers, invalid)
    blocks = sums.blocks()
    for agent, skin in sorted(sums.keys):
        if skin == OWN_WORDS or (agent, OWN_WORDS) not in sums.keys:
            continue
        there, here = (sums.parts((agent, words), blocks) for words in (skin, OWN_WORDS))
        yield {
            "agent": agent,
            "skin": skin,
            "matches": round(there.sums[_MATCHES]),
            "own_matches": round(here.sums[_MATCHES]),
            "win_share": there.share(_WINS, _MATCHES),
            "own_win_share": here.share(_WINS, _MATCHES),
            "difference": there.difference(here, _WINS, _MATCHES)[0],
            "mistake_rate": ratio(there.sums, _INVALID, _ANSWERS),
            "own_mistake_rate": ratio(here.sums, _INVALID, _ANSWERS),
            "mistake_difference": there.difference(here, _INVALID, _ANSWERS, are_shares=False)[0],
        }
