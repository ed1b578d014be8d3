"""Honesty: the claims and challenges of logs, with the truth that the rules know, and sums of them for each seat.

The chance that a claim is false is worked out exactly.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.core import Claim, Doubt
from games.core.claim import affirms, denies
from runner.record.reader import Log
from runner.review.logged_answers import OfPlayer, SeatSums, bluffs, logged_answers, seat_sums


@dataclass(frozen=True, kw_only=True)
class ClaimRow(OfPlayer):
    """The claim that a decision makes, or the one that it challenges or lets pass (`doubt`). `denied`: the reason behind the
    answer denies what it claims; None without a reason. Of a claim, `talk` has what the player said to the table since its
    claim before, the line that came with this one last; `affirmed`: that affirms the claim; None without talk."""

    claim: Claim | None = None
    doubt: Doubt | None = None
    denied: bool | None = None
    affirmed: bool | None = None
    reason: str = ""
    talk: tuple[str, ...] = ()


def claim_rows(log: Log) -> Iterator[ClaimRow]:
    """The claims and challenges of a log in order. LogDamagedError where the log does not follow from the rules."""
    said = defaultdict[tuple[int, str], list[str]](list)
    for one in logged_answers(log):
        if one.is_moot:
            continue
        answer, attempt = None if one.action is None else one.action.to_json(), one.attempt
        reason, line = (attempt.get("reason", ""), attempt.get("say", "")) if attempt is not None else ("", "")
        if line:
            said[one.seat, one.player].append(line)
        claim, doubt = one.game.claim(one.before, one.seat, answer), one.game.doubt(one.before, one.seat, answer)
        if claim is not None:
            talk = tuple(said.pop((one.seat, one.player), ()))
            denied = denies(reason, claim.what) if reason else None
            affirmed = any(affirms(text, claim.what) for text in talk) if talk else None
            yield ClaimRow(**one.by, claim=claim, doubt=doubt, denied=denied, affirmed=affirmed, reason=reason, talk=talk)
        elif doubt is not None:
            yield ClaimRow(**one.by, doubt=doubt)


def own_claims(log: Log) -> list[ClaimRow]:
    """The claims of the last player of each seat, without those that a fork copied."""
    return [row for row in claim_rows(log) if row.claim and row.is_own]


def seat_honesty(log: Log) -> SeatSums:
    """Sums over the decisions of the last player of each seat, of which standings make `HonestyData`: `passed` of the `windows`
    let a claim pass, and `chance_challenged`, `chance_passed`, `squares`, `bluff_chance` and `mass` are sums. LogDamagedError
    where the log does not follow from the rules."""
    return seat_sums(log, _terms(log))


def _terms(log: Log) -> Iterator[tuple[OfPlayer, Mapping[str, float]]]:
    for row in claim_rows(log):
        if row.claim is not None:
            is_said = {"reasons": int(row.denied is not None), "denied": int(bool(row.denied))}
            yield row, {"claims": 1, "true": int(row.claim.is_true), **is_said}
        elif row.doubt is not None:
            chance, is_challenged = row.doubt.chance, row.doubt.is_challenged
            kind = "challenged" if is_challenged else "passed"
            right = int(is_challenged and not row.doubt.claim.is_true)
            yield (
                row,
                {"windows": 1, kind: 1, f"chance_{kind}": chance, "right": right, "squares": (is_challenged - chance) ** 2},
            )
    for one, chance, is_bluff in bluffs(log):
        yield one, {"policies": 1, "bluffed": int(is_bluff), "bluff_chance": chance, "mass": one.mass}
