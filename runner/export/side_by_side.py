"""Side by side: two logs of a game as tables: who played, where they first differ, and the answers that differ, with grades."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import games
from games.core import counted, seat_name
from games.scenes import Heading, in_words
from runner.errors import UsageError
from runner.export.table_pages import PageSection, TablePage
from runner.match.header import HeaderRecord
from runner.record.decisions import LoggedDecision, decisions
from runner.record.log_folder import summaries
from runner.record.log_paths import pack_of
from runner.record.log_summary import LogSummary, summarise
from runner.record.reader import Log
from runner.review.decision_review import DecisionEntry, grade_words
from runner.review.kept_reviews import kept_review
from runner.screen.safe_text import clean
from runner.standings.tables import TextTable

_DEAL = ("game", "rules_version", "rules", "options", "players", "seed")
_NONE, _COMPARISON = "–", "comparison.json"


class _Side(NamedTuple):
    """One of the logs: its decisions, and the grades of its review if one is kept."""

    log: Log
    summary: LogSummary
    made: Sequence[LoggedDecision]
    grades: Mapping[int, DecisionEntry]

    def words(self, place: int) -> str:
        """The answer of a decision in words, with its grade."""
        one = self.made[place]
        return answer_words(one) + grade_words(dict(self.grades.get(one.number, {}))) * (_action(one) is not None)


def answer_words(one: LoggedDecision) -> str:
    """The answer of a decision in words."""
    if one.seat is None or one.record is None or one.record["action"] is None:
        return "struck out"
    return in_words(one.asked or one.before, one.seat, one.record["action"])[0]


def side_by_side(a: Log, b: Log) -> TablePage:
    """Both logs as a page. UsageError for logs of different games."""
    if a.header["game"] != b.header["game"]:
        raise UsageError(
            f"{a.path} is a match of {a.header['game']}, {b.path} one of {b.header['game']}: name two of one game."
        )
    sides, game = (_side(a), _side(b)), games.load(a.header["game"])
    is_clear = a.path.name != b.path.name
    names = ", ".join(f"{one.path.name if is_clear else one.path} ({side})" for one, side in ((a, "A"), (b, "B")))
    tables = [table for table in (_players(*sides), _answers(*sides)) if table.rows]
    section = PageSection("matches", names, clean(_lead(*sides), 5000), [], tables, [*_notes(*sides)])
    return TablePage(f"{game.title}: two matches side by side", "", [], [section], [])


def same_deals(log: Path) -> list[Path]:
    """The other logs under one output with a log that have its deal, newest first; copies of it are none."""
    own, folder = summarise(log), _output_of(pack_of(log) or log.parent)
    others = summaries(folder).items() if own.seed is not None else ()
    found = [(one.created, folder / name) for name, one in others if _dealt(one) == _dealt(own) and one.first != own.first]
    return [path for _, path in sorted(found, reverse=True)]


def _output_of(folder: Path) -> Path:
    """The folder, a pack or not, with those beside it: that of its comparison, and its parent below the working directory."""
    folder = folder.parent if (folder.parent / _COMPARISON).exists() else folder
    return folder.parent if Path.cwd() in folder.parent.absolute().parents else folder


def _dealt(one: LogSummary) -> tuple[object, ...]:
    rules = (one.conditions.get("rules version"), one.conditions.get("rules"))
    return one.game, one.seed, len(one.seats), one.options, *rules


def _side(log: Log) -> _Side:
    review = kept_review(log)
    graded = {one["decision"]: one for one in review["decisions"]} if review else {}
    return _Side(log, summarise(log.path), [one for one in decisions(log) if one.number], graded)


def _lead(a: _Side, b: _Side) -> str:
    """Whether it is the same deal, and where the matches first differ."""
    deals = [deal_of(side.log.header) for side in (a, b)]
    other = [name for name in _DEAL if deals[0][name] != deals[1][name]]
    deal = "The same deal." if not other else f"Different deals ({', '.join(other)})."
    pairs = enumerate(zip_longest(a.made, b.made))
    first = next((at for at, (one, two) in pairs if one is None or two is None or one.state != two.state), None)
    if first is None:
        return f"{deal} All decisions are the same."
    if first >= min(len(a.made), len(b.made)):
        return f"{deal} One ends after decision {first}, and up to there they are the same."
    one = a.made[first]
    where = f"{seat_name(one.seat or 0)}, {Heading.of(one.before).phase}"
    return f"{deal} First difference: decision {one.number} ({where}): A {a.words(first)}, B {b.words(first)}."


def deal_of(header: HeaderRecord) -> Mapping[str, object]:
    """What two matches of one deal have in common: game, rules and seed."""
    return {name: value for name, value in header.items() if name in _DEAL}


def _players(a: _Side, b: _Side) -> TextTable:
    rows = []
    for number, side in (("A", a), ("B", b)):
        found, header = side.summary, side.log.latest_header
        for seat, (one, record) in enumerate(zip(found.seats, header["seats"], strict=True)):
            pack = (record.get("prompts") or header["prompts"] or {}).get("pack", "") if one.prompt_tokens else ""
            score = f"{found.scores[seat]}{' ★' * (seat in found.winners)}" if found.scores else _NONE
            tokens = f"{one.prompt_tokens + one.completion_tokens:,}"
            rows.append((number, seat_name(seat), one.name, pack, score, tokens, f"${one.cost:.4f}"))
    return TextTable("Players", ("", "seat", "player", "pack", "score", "tokens", "cost"), tuple(rows), 4)


def _answers(a: _Side, b: _Side) -> TextTable:
    """The decisions that stand at the same place of both matches and were answered differently."""
    rows = tuple(
        (
            str(a.made[i].number),
            str(b.made[j].number),
            seat_name(a.made[i].seat or 0),
            Heading.of(a.made[i].before).phase,
            *words,
        )
        for i, j in _aligned(a.made, b.made)
        if _action(a.made[i]) != _action(b.made[j])
        for words in [(("= " if a.made[i].before == b.made[j].before else "") + a.words(i), b.words(j))]
    )
    return TextTable("Answers that differ (=: in the same state)", ("A", "B", "seat", "phase", "answer A", "answer B"), rows, 6)


def _aligned(a: Sequence[LoggedDecision], b: Sequence[LoggedDecision]) -> Iterator[tuple[int, int]]:
    """The places of decisions of one seat in the same phase of the same round, in order."""
    first, second = ([(one.before.round, one.seat, one.before.phase_id) for one in made] for made in (a, b))
    for block in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        yield from ((block.a + place, block.b + place) for place in range(block.size))


def _action(one: LoggedDecision) -> object:
    return None if one.record is None else one.record["action"]


def _notes(a: _Side, b: _Side) -> Iterator[str]:
    aligned = sum(1 for _ in _aligned(a.made, b.made))
    yield f"{counted(aligned, 'decision')} of {len(a.made)} and {len(b.made)} stand at the same place of both matches."
    for side in (a, b):
        if not side.grades:
            yield f"{side.log.path} has no grades: `tabletop review {side.log.path}` makes them."
