"""Match rows: the rows of a log in the tables of matches and of seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runner.digest import canonical, digest_of
from runner.export.attempt_sums import Row, attempt_sums
from runner.match.header import HeaderRecord, SeatRecord
from runner.match.records import AttemptRecord, ResultRecord
from runner.prompting.pack import PromptsRecord
from runner.record.log_summary import Measures, own_measures
from runner.record.reader import Log

_LONGEST_OPTION = 200
"""Characters of an option's value as JSON; a longer one, such as a deck, is given by its digest."""

_HEADER = ("match", "rules", "rules_version", "players", "ask", "ask_forced", "skin", "package", "created")
_SEAT = ("spec", "kind", "model", "base_url", "persona", "advice", "rated")
_ELSEWHERE = {*_SEAT, "name", "prompts"}


def match_row(log: Log, attempts: Sequence[AttemptRecord], decisions: Sequence[Row]) -> Row:
    """The row of a log in the table of matches. `attempts` and `decisions` are those that count: without what a fork copied."""
    header, result = log.latest_header, log.result
    fields: Mapping[str, object] = header
    row: Row = {name: fields.get(name) for name in _HEADER}
    row |= {"talk": header.get("talk", False), "options": _options(header), "ended": _ended(log)}
    row |= _prompts(header["prompts"]) | _counts(decisions) | attempt_sums(attempts) | _fork(header)
    row["playback"] = header["playback"]["file"] if "playback" in header else None
    row["templates"] = canonical(header["prompts"]["templates"]) if "templates" in header["prompts"] else None
    row["charged"] = round(sum(attempt.get("charged") or 0.0 for attempt in attempts), 8)
    return row | (_outcome(log, result) if result else {})


def _fork(header: HeaderRecord) -> Row:
    fork = header.get("fork")
    return {"fork_of": fork["file"], "fork_match": fork.get("match"), "fork_at": fork["at"]} if fork else {}


def _outcome(log: Log, result: ResultRecord) -> Row:
    return {
        "rounds": result["rounds"],
        "scores": canonical(result["scores"]),
        "winners": canonical(result["winners"]),
        "ending": "; ".join(result["ending"]),
        "digest": log.last,
    }


def _options(header: HeaderRecord) -> str:
    texts = {name: canonical(value) for name, value in header["options"].items()}
    short = {
        name: header["options"][name] if len(text) <= _LONGEST_OPTION else {"digest": digest_of(text)}
        for name, text in texts.items()
    }
    return canonical(short)


def _ended(log: Log) -> str | None:
    """The last time in the log."""
    times = (record.get("at") for _, record in reversed(log.records))
    return next((str(at) for at in times if at), None)


def _counts(decisions: Sequence[Row]) -> Row:
    how = [row["how"] for row in decisions]
    struck = how.count("strike_out")
    return {"decisions": len(how) - struck, "forced": how.count("forced"), "penalties": struck}


def _prompts(prompts: PromptsRecord) -> Row:
    """The name of a prompt pack and one digest of all its templates."""
    templates = prompts.get("templates")
    return {"prompts": prompts.get("pack"), "prompts_digest": digest_of(canonical(templates)) if templates else None}


def seat_rows(log: Log, attempts: Sequence[Sequence[AttemptRecord]], decisions: Sequence[Sequence[Row]]) -> list[Row]:
    """The rows of a log in the table of seats. `attempts` and `decisions` are those of each seat's last player that count."""
    header, result, measures = log.latest_header, log.result, own_measures(log)
    rows = []
    for number, seat in enumerate(header["seats"]):
        row: Row = {"seat": number, "player": seat["name"], **_seat_facts(seat, header)} | _fork(header)
        row |= _counts(decisions[number]) | attempt_sums(attempts[number])
        rows.append(row | (_seat_outcome(number, result, measures[number]) if result else {}))
    return rows


def _seat_facts(seat: SeatRecord, header: HeaderRecord) -> Row:
    fields: Mapping[str, object] = seat
    row: Row = {name: fields.get(name) for name in _SEAT}
    row["rated"] = bool(seat.get("rated", False))
    row["skin"] = header.get("skin") if seat["kind"] in ("model", "offline") else None
    further = {name: value for name, value in fields.items() if name not in _ELSEWHERE}
    row["settings"] = canonical(further) if further else None
    own = seat.get("prompts") or (header["prompts"] if seat["kind"] in ("model", "offline") else {})
    return row | _prompts(own)


def _seat_outcome(number: int, result: ResultRecord, measures: Measures) -> Row:
    winners = result["winners"]
    won = number in winners
    return {
        "score": result["scores"][number],
        "won": won,
        "win_share": 1 / len(winners) if won else 0.0,
        "measures": canonical(measures),
    }
