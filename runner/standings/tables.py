"""Standings tables: the standings as tables of text, for terminal, Markdown and HTML."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

from games.core import counted
from games.statistics import document_types as data
from games.statistics.columns import ColumnCell, FigureForm, columns_of, of, part, percent, rate_text
from runner.files import read_toml

rating_text, interval_text, share_text = FigureForm.RATING.plain, FigureForm.RATING.interval, FigureForm.SHARE.whole

Shown = TypeVar("Shown")
Columns = Sequence[tuple[str, Callable[[Shown], str]]]
"""The header of each column, and its cell of an entry of the document."""


class TextTable(NamedTuple):
    """A table: title, column headers, rows. The first `left` columns are left-aligned text, the others figures."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1


def text_table(title: str, columns: Columns[Shown], entries: Iterable[Shown], left: int = 1) -> TextTable:
    headers = tuple(header for header, _ in columns)
    return TextTable(title, headers, tuple(tuple(cell(entry) for _, cell in columns) for entry in entries), left)


def _wide(
    title: str, names: Iterable[str], rows: Iterable[tuple[str, Mapping[str, Any]]], form: Callable[[Any], str]
) -> TextTable:
    columns = [("Agent", of("agent")), *((name, of(name, form)) for name in names)]
    return text_table(title, columns, ({"agent": agent, **own} for agent, own in rows))


def _fields(*names: str) -> list[tuple[str, ColumnCell]]:
    return [*columns_of(data.AgentData, "agent", *names)]


def _within(field: str, kind: type) -> list[tuple[str, ColumnCell]]:
    """The columns of a field that is an entry of its own, and may be missing."""
    return [(header, of(field, cell)) for header, cell in columns_of(kind)]


_NAMED = ("unreadable", "illegal", "truncated")


REGRET, HONESTY, ANSWERS, MEASURES = "given_up", "honesty", "answers", "measures"
_TITLES = read_toml(files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))
_AGENT_TABLES: Mapping[str, Columns[Any]] = {
    REGRET: [
        *_fields(),
        ("Given up", of(REGRET, FigureForm.SMALL_SHARE.plain)),
        ("95 %", of(REGRET, FigureForm.SMALL_SHARE.interval)),
        *_within(REGRET, data.RegretData),
    ],
    "adjusted": [*_fields("win_share"), *_within("adjusted", data.AdjustedData)],
    "without_penalties": [
        *_fields(),
        ("All", of("rating", FigureForm.RATING.plain)),
        *_within("without_penalties", data.RatingData),
    ],
    "forfeits": [*_fields(), *_within("forfeits", data.ForfeitData)],
    ANSWERS: [
        *_fields("answers"),
        *((kind.capitalize(), of("rates", of(kind, rate_text))) for kind in _NAMED),
        ("Other", of("rates", lambda rates: rate_text(sum(rate for kind, rate in rates.items() if kind not in _NAMED)))),
        *_fields("mistake_rate", "penalties", "failures")[1:],
    ],
    "prompt_tokens": _fields("prompt_tokens", "completion_tokens", "cost", "cost_per_match", "latency", "longest_latency"),
    MEASURES: _fields(),
    HONESTY: [*_fields(), *_within(HONESTY, data.HonestyData)],
    "beliefs": [*_fields(), *_within("beliefs", data.BeliefData)],
}
"""Columns of the table of agents that is there if any of them has a field; measures have a column each."""

_POLICIES = [
    *_fields(),
    ("Could bluff", of(HONESTY, of("policies"))),
    ("Bluffs played", of(HONESTY, part("bluffed", "policies"))),
    ("by policy", of(HONESTY, of("bluff_chance", percent))),
    ("Labels", of(HONESTY, of("mass", percent))),
    ("Graded", of(REGRET, of("policies"))),
    ("Given up", of(REGRET, of("played", FigureForm.SMALL_SHARE.plain))),
    ("by policy", of(REGRET, of("expected", FigureForm.SMALL_SHARE.plain))),
]


def agent_table(field: str, agents: Sequence[data.AgentData]) -> TextTable:
    """The table of a field of agents. By regret, who gives up the smallest part of what the best answers are worth is first."""
    if field == REGRET:
        relative = {agent["agent"]: found["relative"]["value"] for agent in agents if (found := agent.get("given_up"))}
        agents = sorted(agents, key=lambda agent: relative.get(agent["agent"], math.inf))
    columns = _AGENT_TABLES[field]
    if field == MEASURES:
        names = dict.fromkeys(name for agent in agents for name in agent["measures"])
        columns = [*columns, *((name, of(MEASURES, of(name, _measure))) for name in names)]
    return text_table(_TITLES[field], columns, agents)


def _measure(measure: data.MeasureData) -> str:
    if measure["value"] is None:
        return "-"
    return percent(measure["value"]) if measure["is_share"] else f"{measure['value']:.1f}"


def _has_policies(agent: data.AgentData) -> bool:
    return any(found and found["policies"] for found in (agent.get("honesty"), agent.get("given_up")))


def game_title(game: data.GameData) -> str:
    struck = game["matches_with_penalties"]
    penalties = f", {struck} of them with penalties" if struck else ""
    matches = counted(game["matches"], "match")
    players = f" with {game['players']} players" if game["players"] else ""
    return f"{game['game']}{players}: {matches} on {counted(game['deals'], 'deal')}{penalties}"


def tables(game: data.GameData) -> Iterator[TextTable]:
    agents = game["agents"]
    yield from _result_tables(game)
    for field in _AGENT_TABLES:
        if any(agent.get(field) for agent in agents):
            yield agent_table(field, agents)
    if known := [agent for agent in agents if _has_policies(agent)]:
        yield text_table(_TITLES["policies"], _POLICIES, known)
    for found in game.get("judged", ()):
        yield from judged_tables(found)


_COMPANY = [
    *columns_of(data.OwnPairingData, "agent", "kind", "alone"),
    *_within("alone", data.PairingShareData),
    *columns_of(data.OwnPairingData, "with_own"),
    *_within("with_own", data.PairingShareData),
]


def _result_tables(game: data.GameData) -> Iterator[TextTable]:
    agents, seats = game["agents"], game["seats"]
    of_agents = _fields("rating", "win_share", "mean_score", "matches")
    of_seats = [*columns_of(data.SeatData, "kind", "seat", "win_share", "mean_score")]
    people = [agent for agent in agents if agent["is_person"]]
    ranked = [agent for agent in agents if not agent["is_person"]]
    for title, entries in (("Ratings, with 95 % intervals over deals", ranked), ("People, for reference", people)):
        if entries:
            yield text_table(title, _unrepeated(of_agents, agents), entries)
    if any(agent["ranks"] for agent in agents):
        names = [str(rank) for rank in range(1, len(agents) + 1)]
        ranks = ((agent["agent"], dict(zip(names, agent["ranks"], strict=False))) for agent in agents)
        yield _wide("Probability of each rank", names, ranks, _rank)
    if game["kinds"]:
        kinds = game["kinds"]["kinds"]
        yield _wide(_TITLES["kinds"], kinds, ((agent["agent"], agent["by_kind"]) for agent in agents), "{:.0f}".format)
    yield text_table(_TITLES["meetings"], [*columns_of(data.MeetingData)], game["meetings"], 2)
    yield text_table("Seats", _unrepeated(of_seats, seats), seats, 2)
    if own := game["company"]["own"]:
        yield text_table(_TITLES["company"], _COMPANY, own, 2)
    if game["skins"]:
        yield text_table(_TITLES["skins"], [*columns_of(data.SkinData)], game["skins"], 2)
    if game["position_bias"]:
        yield text_table(_TITLES["position_bias"], [*columns_of(data.BiasData)], game["position_bias"], 2)


def _rank(probability: float) -> str:
    """The probability of a rank; a dot for one that never came up."""
    return "·" if probability < 0.0005 else ">99 %" if 0.995 <= probability < 1 else percent(probability)


def _unrepeated(columns: Columns[Any], entries: Sequence[Mapping[str, Any]]) -> Columns[Any]:
    """The columns without that of scores where they are the wins."""
    is_repeated = all(entry["mean_score"] == entry["win_share"] for entry in entries)
    return [column for column in columns if column[0] != "Score" or not is_repeated]


_SAID = [
    *_fields(),
    ("Bluffs", of("bluffs", of("claims"))),
    ("admitted", of("bluffs", part("admitted", "reasons"))),
    ("affirmed", of("bluffs", part("affirmed", "talked"))),
    ("True", of("true", of("claims"))),
    ("admitted", of("true", part("admitted", "reasons"))),
    ("affirmed", of("true", part("affirmed", "talked"))),
]
_AUROC = _fields()
for _header, _source in (("Reasons", "reason"), ("Talk", "talk"), ("Both", "both")):
    _AUROC.append((_header, of("auroc", of(_source, of("figure", FigureForm.RATIO.whole)))))
    _AUROC.append(("claims", of("auroc", of(_source, of("claims")))))


def judged_tables(found: data.JudgedData) -> Iterator[TextTable]:
    """What players wrote and said about their claims, and how well a judge told bluffs from true ones by that."""
    rows = [{"agent": "(all)", **found["all"]}, *({"agent": name, **own} for name, own in found["players"].items())]
    yield text_table(_TITLES["judged"], _SAID, rows)
    failed = f"; {found['failed']} of {found['verdicts']} answers could not be read" if found["failed"] else ""
    title = f"AUROC of bluff by {found['judge']}, with 95 % intervals over deals; claims judged{failed}"
    yield text_table(title, _AUROC, rows)
