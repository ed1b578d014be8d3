"""Seat tallies: what each seat has done, cost and got wrong, its present player apart from those before, and strike-outs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import cast

from games.core import counted, seat_name
from runner.errors import HopelessError, PausedError
from runner.match.header import HeaderRecord, SeatRecord
from runner.match.records import AttemptRecord, DecisionRecord, EarlierPlayer, Record


@dataclass(slots=True)
class Tally:
    """Counts of one seat. `cost` in USD, `seconds` of waiting for replies."""

    decisions: int = 0
    forced: int = 0
    mistakes: int = 0
    penalties: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def add_attempt(self, record: AttemptRecord) -> None:
        self.failures += record["outcome"] in ("infrastructure", "configuration")
        self.mistakes += record["outcome"] == "mistake"
        reply = record.get("reply") or {}
        usage = reply.get("usage") or {}
        self.prompt_tokens += usage.get("prompt_tokens", 0)
        self.completion_tokens += usage.get("completion_tokens", 0)
        self.cost += reply.get("cost") or 0.0
        self.seconds += reply.get("latency") or 0.0

    def add_decision(self, record: DecisionRecord) -> None:
        is_penalty = record["how"] == "strike_out"
        self.penalties += is_penalty
        self.decisions += not is_penalty
        self.forced += record["how"] == "forced"

    def to_json(self) -> dict[str, float]:
        """The counts that are the same whenever the same answers are given; seconds are not among them."""
        return {name: count for name, count in asdict(self).items() if name != "seconds"}


def charged_tokens(attempt: AttemptRecord) -> int:
    """The tokens a logged attempt took out of the budget; those of its reply where it does not say."""
    usage = (attempt.get("reply") or {}).get("usage") or {}
    used = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    return int(attempt.get("charged_tokens", used))


class SeatTallies:
    """Counts of a match, a record at a time. A player leaves its seat where a fork or a resumption names another SPEC.

    `seats` are the present players, `earlier` those before them who made attempts. `tallies` has the attempts of the present
    ones alone, `whole` those of all; both have every decision of the seat.
    """

    def __init__(self, header: HeaderRecord) -> None:
        players, fork = header["players"], header.get("fork")
        self._copied = fork["lines"] if fork else -1
        self.seats: Sequence[SeatRecord] = fork["seats"] if fork else header["seats"]
        self._own = header["seats"]
        self._attempts = [0] * players
        self.tallies = [Tally() for _ in range(players)]
        self.whole = [*self.tallies]
        self.earlier: list[list[EarlierPlayer]] = [[] for _ in range(players)]

    def add(self, record: Record) -> Sequence[int]:
        """Count a record, of any kind but shared values; the seats that have another player now."""
        if self._copied > 0:
            self._copied -= 1
        match record["kind"]:
            case "attempt":
                self._attempts[record["seat"]] += 1
                for tally in self._counting(record["seat"]):
                    tally.add_attempt(record)
            case "decision":
                for tally in self._counting(record["seat"]):
                    tally.add_decision(record)
            case "resumed" if "seats" in record:
                return self._change(record["seats"])
        return ()

    def _counting(self, seat: int) -> tuple[Tally, ...]:
        """The tallies of a seat: one until it has another player."""
        own, whole = self.tallies[seat], self.whole[seat]
        return (own,) if own is whole else (own, whole)

    @property
    def is_copied(self) -> bool:
        return self._copied > 0

    @property
    def has_copied_all(self) -> bool:
        return self._copied == 0

    def end_copied(self) -> list[int]:
        """Seat the fork's own players, as all that it copied is counted; the seats that have another player now."""
        self._copied = -1
        return self._change(self._own)

    def _change(self, seats: Sequence[SeatRecord]) -> list[int]:
        left = [number for number, (old, new) in enumerate(zip(self.seats, seats, strict=True)) if old["spec"] != new["spec"]]
        for number in left:
            self._leave(number, self.seats[number])
        self.seats = seats
        return left

    def _leave(self, number: int, seat: SeatRecord) -> None:
        tally = self.tallies[number]
        if self._attempts[number]:
            counts = {name: count for name, count in tally.to_json().items() if name in EarlierPlayer.__annotations__}
            self.earlier[number].append(cast(EarlierPlayer, {"spec": seat["spec"], "name": seat["name"], **counts}))
        self._attempts[number] = 0
        self.tallies[number] = Tally(decisions=tally.decisions, forced=tally.forced, penalties=tally.penalties)


DEFAULT_HOPELESS = 5
"""Strike-outs in a row that make a seat hopeless."""

MOST_STRIKE_OUTS = 250
"""Strike-outs in a row, of all seats together, after which a match pauses: some games never end on penalties alone."""


class HopelessSeatError(PausedError):
    """A seat gives no valid answers. Another player, or more of the same, is for the user to decide."""


class StrikeOuts:
    """Strike-outs in a row without a valid answer, of each seat and of all together. A forced decision is no answer.

    `hopeless` of them make a seat hopeless, 0: no number does. Where the match `pauses`, it does so then, and each time that
    the seat has as many again; otherwise such a seat is asked once a decision.
    """

    def __init__(self, seats: int) -> None:
        self._of_seat = [0] * seats
        self._of_all = 0
        self._new: list[int] = []

    def strikes(self, seat: int, usual: int, hopeless: int, pauses: bool) -> int:
        """The invalid answers in a row that strike a seat out; `usual` where the seat is not hopeless."""
        return 1 if 0 < hopeless <= self._of_seat[seat] and not pauses else usual

    def add(self, seat: int) -> None:
        """Count a strike-out."""
        self._of_seat[seat] += 1
        self._of_all += 1
        self._new.append(seat)

    def clear(self, seat: int) -> None:
        """The seat gave a valid answer."""
        self._of_seat[seat] = self._of_all = 0

    def restart(self) -> None:
        """The match was resumed: the strike-outs before pause nothing."""
        self._of_all = 0
        self._new.clear()

    def check(self, hopeless: int, pauses: bool) -> None:
        """HopelessSeatError when a seat has become hopeless, HopelessError when no seat at all answers."""
        if self._of_all >= MOST_STRIKE_OUTS:
            raise HopelessError(f"{MOST_STRIKE_OUTS} decisions in a row, of all seats together, brought no valid answer.")
        new, self._new = self._new, []
        due = [seat for seat in new if pauses and hopeless and self._of_seat[seat] % hopeless == 0]
        if due:
            times = counted(self._of_seat[due[-1]], "decision")
            raise HopelessSeatError(f"{seat_name(due[-1])} gave no valid answer in {times} in a row.", seat=due[-1])
