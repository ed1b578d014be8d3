"""Costliest decision: the one decision of a seat that gave up most of the win, found within some seconds after a match."""

import time
from itertools import takewhile
from pathlib import Path
from typing import NotRequired

from typing_extensions import TypedDict

import games
from games.core.sentence import Sentence
from games.scenes import in_words
from games.search.grading import FAULTS, default_playouts, is_gradable
from games.search.playouts import shares_of
from games.telling import best_decision, made_again, skill_and_luck
from runner.errors import UsageError
from runner.record.reader import Log, read_log
from runner.review.decision_review import DecisionEntry, Natural, review_decision, review_jobs
from runner.review.review_document import SEED, SeatEntry, chances_before, seat_entry

_FEW, _TOLD = 100, 0.05
"""Playouts of a decision that was made again, and the part of the win that the best decision of a seat brings at least."""
_ROUNDS = ((16, SEED + 1, 4), (4, SEED + 2, 4), (1, SEED, 1))
"""Of each round the part of the last one's playouts, its seed, and the part of the decisions that it passes on."""


class CostliestDecision(TypedDict):
    """A decision with its grade, from what its seat knew, and both answers in the words of the menu."""

    entry: DecisionEntry
    round: Natural
    playouts: Natural
    played: str
    better: str


class Costliest(TypedDict):
    """What a seat can be told of its decisions. `decisions` of them were graded, those with more than one answer and no free
    text; without `worst`, none of these gave up 5 % of the win or more."""

    log: str
    seat: Natural
    decisions: Natural
    round_word: str
    worst: NotRequired[CostliestDecision]


def costliest(log: Log, seat: int, seconds: float) -> Costliest | None:
    """The costliest decision of the player who has a seat at the end, found in about `seconds`: all decisions with few
    playouts, then the worst of them with more (sequential halving, https://proceedings.mlr.press/v28/karnin13.html). With time
    enough the last round is the one of `tabletop review`, with the same figures. None where no decision was graded: free text,
    a game without a policy for playouts, no time. LogDamagedError at a decision that the rules do not lead to."""
    end = time.monotonic() + seconds
    since = _own_from(log, seat)
    try:
        own = [job for job in review_jobs(log)[0] if job.seat == seat and job.number >= since and job.answer is not None]
    except UsageError:
        return None
    jobs = [job for job in own if is_gradable(job.asked, seat)]
    game, number = games.load(log.header["game"]), {job.number: job for job in jobs}
    graded, is_whole = 0, bool(jobs)
    worst: tuple[DecisionEntry, int] | None = None
    for part, seed, kept in _ROUNDS:
        playouts = default_playouts(game) // part
        reviewed = [review_decision(job, playouts, seed) for job in takewhile(lambda _: time.monotonic() < end, jobs)]
        found = sorted(filter(None, (one.entry for one in reviewed)), key=lambda entry: -entry["given_up"])
        graded, is_whole = max(graded, len(found)), is_whole and len(found) == len(jobs)
        if is_whole or not worst:
            faults = [entry for entry in found if entry["grade"] in FAULTS]
            worst = (faults[0], playouts) if faults else None
        if not is_whole:
            break
        jobs = [number[entry["decision"]] for entry in found[: -(-len(found) // kept)]]
    if not worst and not is_whole:
        return None
    told: Costliest = {"log": log.path.name, "seat": seat, "decisions": graded, "round_word": game.round_word}
    if worst:
        (entry, playouts), asked = worst, number[worst[0]["decision"]].asked
        played, better = (in_words(asked, seat, entry[which])[0] for which in ("answer", "best"))
        told["worst"] = {"entry": entry, "round": asked.round, "playouts": playouts, "played": played, "better": better}
    return told


def again_of(log: Log, seat: int) -> Sentence | None:
    """Whether the decision with which a fork begins, if the seat made it, is better than in the match that it branches off;
    None where that match is not in the same folder."""
    if (fork := log.header.get("fork")) is None or not (path := log.path.with_name(Path(fork["file"]).name)).exists():
        return None
    parent, made = read_log(path), list[tuple[str, float]]()
    for job in (job for one in (parent, log) for job in review_jobs(one)[0] if job.number == fork["at"] and job.seat == seat):
        if (entry := review_decision(job, _FEW, SEED).entry) is not None:
            made.append((in_words(job.asked, seat, entry["answer"])[0], entry["share"]))
    return made_again(seat, fork["at"], *made) if len(made) == 2 and parent.first == fork["parent"] else None


def story_of(log: Log, seat: int, until: float) -> tuple[SeatEntry, list[Sentence]] | None:
    """The figures of a seat in `tabletop review`; its best decision, if one brought more than the usual play; skill and luck in
    words. None where they take longer than `until` on `time.monotonic`, and where the seat had another player before."""
    jobs, last = review_jobs(log)
    is_own, playouts = last.has_ended and _own_from(log, seat) == 1, default_playouts(games.load(log.header["game"]))
    own = [job for job in jobs if job.seat == seat and is_own]
    found = [review_decision(job, playouts, SEED) for job in takewhile(lambda _: time.monotonic() < until, own)]
    if not own or len(found) < len(own):
        return None
    start = chances_before(jobs, playouts, SEED)[0][seat]
    figures = seat_entry(seat, log.latest_header["seats"][seat]["name"], found, start, shares_of(last)[seat])
    gain, place = max((one.gain, place) for place, one in enumerate(found))
    (number, _, asked, *_), words = own[place], in_words(own[place].asked, seat, own[place].answer)[0]
    best = [best_decision(seat, f"{number}, {asked.game.round_word} {asked.round}", words, gain)] * (gain >= _TOLD)
    return figures, [*best, skill_and_luck(figures)]


def _own_from(log: Log, seat: int) -> int:
    """The first decision of the player who has a seat at the end: a fork has those of others before it, players change."""
    since, number, player = log.header.get("fork", {"at": 1})["at"], 0, log.header["seats"][seat]["spec"]
    for _, record in log.records:
        number += record["kind"] == "decision"
        if record["kind"] == "resumed" and "seats" in record and record["seats"][seat]["spec"] != player:
            since, player = number + 1, record["seats"][seat]["spec"]
    return since
