"""Standings tables: the standings as tables of text, for terminal, Markdown and HTML."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

from games.core import counted
from runner.standings import document_types as data

Row = TypeVar("Row")
Columns = Sequence[tuple[str, Callable[[Row], str]]]
"""The header of each column, and its cell of a row."""


class TextTable(NamedTuple):
    """A table: title, column headers, rows. The first `left` columns are left-aligned text, the others figures."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1


def text_table(title: str, columns: Columns[Row], rows: Iterable[Row], left: int = 1) -> TextTable:
    """A table of these columns."""
    headers = tuple(header for header, _ in columns)
    return TextTable(title, headers, tuple(tuple(cell(row) for _, cell in columns) for row in rows), left)


def _own_table(title: str, columns: Columns[Row], rows: Iterable[tuple[str, Row | None]], unknown: str = "-") -> TextTable:
    """A table of what is known of each agent. `unknown` has the cell of an agent of which nothing is known, or one a column."""
    cells = [unknown] * len(columns) if len(unknown) == 1 else unknown
    known = ((name, *(cell(row) for _, cell in columns)) if row else (name, *cells) for name, row in rows)
    return TextTable(title, ("Agent", *(header for header, _ in columns)), tuple(known))


def rating_text(figure: data.FigureData) -> str:
    """A rating: `1532`."""
    return f"{figure['value']:.0f}"


def interval_text(figure: data.FigureData) -> str:
    """The interval of a rating: `1497 to 1570`, or a dash."""
    return _interval(figure, "{:.0f} to {:.0f}") or "-"


def share_text(figure: data.FigureData) -> str:
    """A share with its interval: `31 % (25-38)`."""
    return f"{figure['value'] * 100:.0f} %{_interval(figure, ' ({:.0f}-{:.0f})', 100)}"


def rate_text(rate: float) -> str:
    """A rate of invalid answers."""
    return "-" if not rate else f"{rate * 100:.1f} %"


def _points(figure: data.FigureData) -> str:
    """A small share: `2.3 %`."""
    return f"{figure['value'] * 100:.1f} %"


def _bounds(figure: data.FigureData) -> str:
    """The interval of a small share: `1.9 to 2.8`, or a dash."""
    return _interval(figure, "{:.1f} to {:.1f}", 100) or "-"


def _score(figure: data.FigureData) -> str:
    """A mean score with its interval: `3.4 (2.9 to 3.8)`."""
    return f"{figure['value']:.1f}{_interval(figure, ' ({:.1f} to {:.1f})')}"


def _interval(figure: data.FigureData, form: str, scale: float = 1) -> str:
    """The interval in this form; empty without one."""
    low, high = figure["low"], figure["high"]
    return "" if low is None or high is None else form.format(low * scale, high * scale)


def _rank(probability: float) -> str:
    """The probability of a rank; a dot for one that never came up."""
    return "·" if probability < 0.0005 else ">99 %" if 0.995 <= probability < 1 else f"{probability * 100:.0f} %"


def _measure(measure: data.MeasureData) -> str:
    if measure["value"] is None:
        return "-"
    return f"{measure['value'] * 100:.0f} %" if measure["is_share"] else f"{measure['value']:.1f}"


def _chance(chance: float | None) -> str:
    """A probability: `31 %`, or a dash."""
    return "-" if chance is None else f"{chance * 100:.0f} %"


def _part(number: int, total: int) -> str:
    """A part of a total: `31 %`, or a dash where there is no total."""
    return _chance(number / total if total else None)


def game_title(game: data.GameData) -> str:
    """A game's name, with the numbers of players, matches and deals."""
    struck = game["matches_with_penalties"]
    penalties = f", {struck} of them with penalties" if struck else ""
    matches = counted(game["matches"], "match")
    players = f" with {game['players']} players" if game["players"] else ""
    return f"{game['game']}{players}: {matches} on {counted(game['deals'], 'deal')}{penalties}"


def tables(game: data.GameData) -> Iterator[TextTable]:
    """All tables of a game's standings."""
    agents = game["agents"]
    yield text_table("Ratings, with 95 % intervals over deals", _RATINGS, agents)
    if any(agent["ranks"] for agent in agents):
        yield _ranks(game)
    if game["kinds"]:
        yield _kinds(game, game["kinds"]["kinds"])
    yield text_table("Pairs: places at the same table, with 95 % intervals that hold together", _MEETINGS, game["meetings"], 2)
    yield text_table("Seats", _SEATS, game["seats"], 2)
    if game["company"]["own"]:
        yield _pairing_effects(game)
    if game["skins"]:
        title = "Skins: wins and invalid answers in other words, and what those add to the figures in the game's own"
        yield text_table(title, _SKINS, game["skins"], 2)
    if game["position_bias"]:
        title = "Position bias: choices taken by their place in a shuffled order, and by chance, with 95 % intervals over deals"
        yield text_table(title, _BIAS, game["position_bias"], 2)
    if any(agent.get("given_up") for agent in agents):
        yield regret_table(agents)
    if any(agent.get("adjusted") for agent in agents):
        yield text_table("Win shares adjusted for luck", _ADJUSTED, agents)
    if game["matches_with_penalties"]:
        yield text_table("Ratings given that no seat was struck out", _WITHOUT_PENALTIES, agents)
        title = "Forfeits: wins with another agent struck out, and the win share earned by that"
        yield _own_table(title, _FORFEITS, [(agent["agent"], agent["forfeits"]) for agent in agents if agent["forfeits"]])
    if any(agent["answers"] for agent in agents):
        yield answers_table(agents)
    if any(agent["cost"] or agent["prompt_tokens"] for agent in agents):
        yield text_table("Tokens, cost, latency", _COSTS, agents)
    if any(agent["measures"] for agent in agents):
        yield measures_table(agents)
    if any(agent.get("honesty") for agent in agents):
        yield honesty_table(agents)
    if known := [agent for agent in agents if _policies(agent)]:
        title = "Policies: bluffs and the win share given up as played, and by the probabilities of all legal answers"
        yield text_table(title, _POLICIES, known)
    if any(agent.get("beliefs") for agent in agents):
        yield belief_table(agents)
    for found in game.get("judged", ()):
        yield from judged_tables(found)


def _agent(agent: data.AgentData) -> str:
    return agent["agent"]


_RATINGS: Columns[data.AgentData] = (
    ("Agent", _agent),
    ("Rating", lambda agent: rating_text(agent["rating"])),
    ("95 %", lambda agent: interval_text(agent["rating"])),
    ("Wins", lambda agent: share_text(agent["win_share"])),
    ("Score", lambda agent: _score(agent["mean_score"])),
    ("Played", lambda agent: str(agent["matches"])),
)
_MEETINGS: Columns[data.MeetingData] = (
    ("Better", lambda pair: pair["agents"][0]),
    ("Than", lambda pair: pair["agents"][1]),
    ("Ahead", lambda pair: f"{pair['wins']:.0f}"),
    ("Level", lambda pair: f"{pair['ties']:.0f}"),
    ("Behind", lambda pair: f"{pair['losses']:.0f}"),
    ("Points", lambda pair: f"{pair['difference']['value']:+.0f}"),
    ("95 %", lambda pair: interval_text(pair["difference"])),
    ("Difference", lambda pair: "established" if pair["is_established"] else "not established"),
)
_SEATS: Columns[data.SeatData] = (
    ("Matches of", lambda seat: seat["kind"]),
    ("Seat", lambda seat: f"P-{seat['seat']}"),
    ("Wins", lambda seat: share_text(seat["win_share"])),
    ("Score", lambda seat: _score(seat["mean_score"])),
)
_BIAS: Columns[data.BiasData] = (
    ("Agent", lambda found: found["agent"]),
    ("Place", lambda found: found["place"]),
    ("Answers", lambda found: f"{found['answers']:,}"),
    ("Taken", lambda found: _chance(found["taken"])),
    ("By chance", lambda found: _chance(found["expected"])),
    ("Difference", lambda found: f"{found['excess']['value'] * 100:+.1f} %"),
    ("95 %", lambda found: _bounds(found["excess"])),
)
_SKINS: Columns[data.SkinData] = (
    ("Agent", lambda found: found["agent"]),
    ("Skin", lambda found: found["skin"]),
    ("Matches", lambda found: f"{found['matches']} + {found['own_matches']}"),
    ("Wins", lambda found: share_text(found["win_share"])),
    ("own words", lambda found: share_text(found["own_win_share"])),
    ("Difference", lambda found: f"{found['difference']['value'] * 100:+.0f} %"),
    ("95 %", lambda found: _bounds(found["difference"])),
    ("Invalid", lambda found: rate_text(found["mistake_rate"])),
    ("own words", lambda found: rate_text(found["own_mistake_rate"])),
    ("95 % of difference", lambda found: _bounds(found["mistake_difference"])),
)
_ADJUSTED: Columns[data.AgentData] = (
    ("Agent", _agent),
    ("Wins", lambda agent: share_text(agent["win_share"])),
    ("Adjusted", lambda agent: share_text(found["win_share"]) if (found := agent.get("adjusted")) else "-"),
    ("Variance saved", lambda agent: _chance(found["saved"]) if (found := agent.get("adjusted")) else "-"),
)
_WITHOUT_PENALTIES: Columns[data.AgentData] = (
    ("Agent", _agent),
    ("All", lambda agent: rating_text(agent["rating"])),
    ("Without", lambda agent: rating_text(found["rating"]) if (found := agent["without_penalties"]) else "-"),
    ("95 %", lambda agent: interval_text(found["rating"]) if (found := agent["without_penalties"]) else "-"),
    ("Matches", lambda agent: str(found["matches"]) if (found := agent["without_penalties"]) else "0"),
)
_FORFEITS: Columns[data.ForfeitData] = (
    ("Matches", lambda found: str(found["matches"])),
    ("Wins there", lambda found: f"{found['wins']:.1f}"),
    ("Earned", lambda found: f"{found['earned']['value'] * 100:+.1f} %" if found["earned"] else "-"),
    ("95 %", lambda found: _bounds(found["earned"]) if found["earned"] else "-"),
)
_COSTS: Columns[data.AgentData] = (
    ("Agent", _agent),
    ("Tokens in", lambda agent: f"{agent['prompt_tokens']:,}"),
    ("Tokens out", lambda agent: f"{agent['completion_tokens']:,}"),
    ("Cost", lambda agent: f"${agent['cost']:.4f}"),
    ("a match", lambda agent: f"${agent['cost_per_match']:.5f}"),
    ("Latency", lambda agent: f"{agent['latency']:.2f} s"),
    ("longest", lambda agent: f"{agent['longest_latency']:.1f} s"),
)
_REGRETS: Columns[data.RegretData] = (
    ("Given up", _points),
    ("95 %", _bounds),
    ("Decisions", lambda found: str(found["decisions"])),
    ("Narrower", lambda found: "-" if found["narrower"] is None else f"{found['narrower']:.1f} times"),
    ("Relative", lambda found: _points(found["relative"])),
    ("95 %", lambda found: _bounds(found["relative"])),
)
_HONESTY: Columns[data.HonestyData] = (
    ("Claims", lambda own: str(own["claims"])),
    ("True", lambda own: _part(own["true"], own["claims"])),
    ("Denied", lambda own: _part(own["denied"], own["reasons"])),
    ("Challenged", lambda own: _part(own["challenged"], own["windows"])),
    ("Right", lambda own: _part(own["right"], own["challenged"])),
    ("Chance", lambda own: _chance(own["chance_challenged"])),
    ("Passed", lambda own: _chance(own["chance_passed"])),
    ("Loss", lambda own: "-" if own["loss"] is None else f"{own['loss']:.2f}"),
)


def _policies(agent: data.AgentData) -> int:
    """The decisions with a logged policy."""
    own, lost = agent.get("honesty"), agent.get("given_up")
    return max(own["policies"] if own else 0, lost["policies"] if lost else 0)


def _bluffs(agent: data.AgentData) -> data.HonestyData | None:
    return own if (own := agent.get("honesty")) and own["policies"] else None


def _regret_of(agent: data.AgentData, kind: Literal["expected", "played"]) -> str:
    return _points(found) if (lost := agent.get("given_up")) and (found := lost[kind]) else "-"


_POLICIES: Columns[data.AgentData] = (
    ("Agent", _agent),
    ("Could bluff", lambda agent: str(own["policies"]) if (own := _bluffs(agent)) else "-"),
    ("Bluffs played", lambda agent: _part(own["bluffed"], own["policies"]) if (own := _bluffs(agent)) else "-"),
    ("by policy", lambda agent: _chance(own["bluff_chance"]) if (own := _bluffs(agent)) else "-"),
    ("Labels", lambda agent: _chance(own["mass"]) if (own := _bluffs(agent)) else "-"),
    ("Graded", lambda agent: str(lost["policies"]) if (lost := agent.get("given_up")) else "-"),
    ("Given up", lambda agent: _regret_of(agent, "played")),
    ("by policy", lambda agent: _regret_of(agent, "expected")),
)
_BELIEFS: Columns[data.BeliefData] = (
    ("Asked", lambda own: str(own["asked"])),
    ("Missing", lambda own: _part(own["missing"], own["asked"])),
    ("Unsummed", lambda own: _part(own["unsummed"], own["groups"])),
    ("Brier", lambda own: _three_digits(own["brier"])),
    ("95 %", lambda own: "-" if own["interval"] is None else " to ".join(map(_three_digits, own["interval"]))),
    ("Chance's", lambda own: _three_digits(own["chance_brier"])),
    ("Gap", lambda own: _three_digits(own["gap"])),
    ("Log", lambda own: _three_digits(own["log"])),
    ("Choices", lambda own: str(own["choices"])),
    ("Loss", lambda own: _three_digits(own["loss"])),
)
_SAID: Columns[data.SayingData] = (
    ("Bluffs", lambda own: str(own["bluffs"]["claims"])),
    ("admitted", lambda own: _part(own["bluffs"]["admitted"], own["bluffs"]["reasons"])),
    ("affirmed", lambda own: _part(own["bluffs"]["affirmed"], own["bluffs"]["talked"])),
    ("True", lambda own: str(own["true"]["claims"])),
    ("admitted", lambda own: _part(own["true"]["admitted"], own["true"]["reasons"])),
    ("affirmed", lambda own: _part(own["true"]["affirmed"], own["true"]["talked"])),
)


def _auroc(found: data.AurocData) -> tuple[str, str]:
    """An AUROC with its interval, `0.84 (0.71-0.93)`, or a dash; and its claims."""
    figure = found["figure"]
    shown = "-" if figure is None else f"{figure['value']:.2f}{_interval(figure, ' ({:.2f}-{:.2f})')}"
    return shown, str(found["claims"])


def _three_digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


_MISTAKE_KINDS = ("unreadable", "illegal", "truncated")


def regret_table(agents: Sequence[data.AgentData]) -> TextTable:
    """The agent that gives up the smallest part of what its best answers are worth is first."""
    found = [(agent["agent"], agent.get("given_up")) for agent in agents]
    found.sort(key=lambda entry: entry[1]["relative"]["value"] if entry[1] else math.inf)
    return _own_table("Win share given up a decision by review, the smallest relative part first", _REGRETS, found, "--0---")


def honesty_table(agents: Sequence[data.AgentData]) -> TextTable:
    """Claims and challenges of each agent."""
    title = (
        "Honesty: claims, reasons that deny them, challenges, and the mean chance that challenged and passed claims were false"
    )
    return _own_table(title, _HONESTY, [(agent["agent"], agent.get("honesty")) for agent in agents])


def belief_table(agents: Sequence[data.AgentData]) -> TextTable:
    """What each agent stated of what it could not know."""
    title = (
        "Beliefs: Brier score against the truth, that of the exact chance, the squared gap between both, and the win share"
        " that choices gave up by the agent's own probability"
    )
    return _own_table(title, _BELIEFS, [(agent["agent"], agent.get("beliefs")) for agent in agents])


def judged_tables(found: data.JudgedData) -> Iterator[TextTable]:
    """What players wrote and said about their claims, and how well a judge told bluffs from true ones by that."""
    rows = [("(all)", found["all"]), *found["players"].items()]
    yield _own_table("Bluffs and true claims: reasons that admit a bluff, talk that affirms the claim", _SAID, rows)
    failed = f"; {found['failed']} of {found['verdicts']} answers could not be read" if found["failed"] else ""
    title = f"AUROC of bluff by {found['judge']}, with 95 % intervals over deals; claims judged{failed}"
    headers = ("Agent", *(word for source in ("Reasons", "Talk", "Both") for word in (source, "claims")))
    cells = ((name, *(cell for one in own["auroc"].values() for cell in _auroc(one))) for name, own in rows)
    yield TextTable(title, headers, tuple(cells))


def answers_table(agents: Sequence[data.AgentData]) -> TextTable:
    """Invalid answers, penalties and failures of each agent."""
    rows = []
    for agent in agents:
        named = [agent["rates"].get(kind, 0.0) for kind in _MISTAKE_KINDS]
        other = max(0.0, round(agent["mistake_rate"] - sum(named), 9))
        rates = map(rate_text, (*named, other, agent["mistake_rate"]))
        rows.append((agent["agent"], f"{agent['answers']:,}", *rates, str(agent["penalties"]), str(agent["failures"])))
    headers = ("Agent", "Answers", "Unreadable", "Illegal", "Truncated", "Other", "Invalid", "Penalties", "Failures")
    return TextTable("Answers", headers, tuple(rows))


def measures_table(agents: Sequence[data.AgentData]) -> TextTable:
    """The game's own measures of each agent."""
    names = dict.fromkeys(name for agent in agents for name in agent["measures"])
    found = [(agent["agent"], agent["measures"]) for agent in agents]
    rows = tuple((name, *(_measure(own[one]) if one in own else "-" for one in names)) for name, own in found)
    return TextTable("How they play", ("Agent", *names), rows)


def _ranks(game: data.GameData) -> TextTable:
    headers = ("Agent", *map(str, range(1, len(game["agents"]) + 1)))
    rows = tuple((a["agent"], *(map(_rank, a["ranks"]) if a["ranks"] else "-" * len(game["agents"]))) for a in game["agents"])
    return TextTable("Probability of each rank", headers, rows)


def _kinds(game: data.GameData, kinds: Sequence[str]) -> TextTable:
    found = [(agent["agent"], agent["by_kind"]) for agent in game["agents"]]
    rows = tuple((name, *(f"{own[kind]:.0f}" if kind in own else "-" for kind in kinds)) for name, own in found)
    return TextTable("Ratings by kind of match, shrunk towards the agent's mean", ("Agent", *kinds), rows)


def _pairing_effects(game: data.GameData) -> TextTable:
    found = game["company"]["own"]
    rows = [(one["agent"], one["kind"], *_pairing_share(one["alone"]), *_pairing_share(one["with_own"])) for one in found]
    headers = ("Agent", "Matches of", "Alone", "expected", "played", "With own kind", "expected", "played")
    return TextTable("Company: win share of a seat in fair shares (1.00 = one of all players)", headers, tuple(rows), 2)


def _pairing_share(found: data.PairingShareData | None) -> tuple[str, str, str]:
    if found is None:
        return "-", "-", "0"
    low, high = found["low"], found["high"]
    bounds = "" if low is None or high is None else f" ({low:.2f}-{high:.2f})"
    return f"{found['value']:.2f}{bounds}", f"{found['expected']:.2f}", str(found["matches"])
