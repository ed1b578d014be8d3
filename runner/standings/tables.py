"""Standings tables: the standings as tables of text, for terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import counted
from runner.standings.company_table import company_table
from runner.standings.document_types import AgentData, ForfeitData, GameData, HonestyData, MeetingData
from runner.standings.given_up_table import given_up_table
from runner.standings.luck_table import adjusted_table
from runner.standings.number_format import (
    bounds_text,
    chance_text,
    established_text,
    interval_text,
    measure_text,
    part_text,
    rank_text,
    rate_text,
    rating_text,
    score_text,
    share_text,
    signed_points_text,
)
from runner.standings.text_table import TextTable

_MISTAKE_KINDS = ("unreadable", "illegal", "truncated")


def game_title(game: GameData) -> str:
    """A game's name, with the numbers of players, matches and deals."""
    struck = game["matches_with_penalties"]
    penalties = f", {struck} of them with penalties" if struck else ""
    matches = counted(game["matches"], "match")
    players = f" with {game['players']} players" if game["players"] else ""
    return f"{game['game']}{players}: {matches} on {counted(game['deals'], 'deal')}{penalties}"


def tables(game: GameData) -> Iterator[TextTable]:
    """All tables of a game's standings."""
    yield _ratings(game)
    if any(agent["ranks"] for agent in game["agents"]):
        yield _ranks(game)
    if game["kinds"]:
        yield _kinds(game)
    yield _meetings(game)
    yield _seats(game)
    if game["company"]["own"]:
        yield company_table(game)
    if any(agent.get("given_up") for agent in game["agents"]):
        yield given_up_table(game)
    if any(agent.get("adjusted") for agent in game["agents"]):
        yield adjusted_table(game)
    if game["matches_with_penalties"]:
        yield _without_penalties(game)
        yield _forfeits(game)
    if any(agent["answers"] for agent in game["agents"]):
        yield answers_table(game)
    if any(agent["cost"] or agent["prompt_tokens"] for agent in game["agents"]):
        yield costs_table(game)
    if any(agent["measures"] for agent in game["agents"]):
        yield measures_table(game)
    if any(agent.get("honesty") for agent in game["agents"]):
        yield honesty_table(game)


def _ratings(game: GameData) -> TextTable:
    headers = ("Agent", "Rating", "95 %", "Wins", "Score", "Played")
    return TextTable("Ratings, with 95 % intervals over deals", headers, tuple(map(_rating, game["agents"])))


def _rating(agent: AgentData) -> tuple[str, ...]:
    rating, wins, score = agent["rating"], agent["win_share"], agent["mean_score"]
    return (
        agent["agent"],
        rating_text(rating),
        interval_text(rating),
        share_text(wins),
        score_text(score),
        str(agent["matches"]),
    )


def _ranks(game: GameData) -> TextTable:
    ranks = range(1, len(game["agents"]) + 1)
    rows = tuple((a["agent"], *(map(rank_text, a["ranks"]) if a["ranks"] else ("-" for _ in ranks))) for a in game["agents"])
    return TextTable("Probability of each rank", ("Agent", *map(str, ranks)), rows)


def _meetings(game: GameData) -> TextTable:
    headers = ("Better", "Than", "Ahead", "Level", "Behind", "Points", "95 %", "Difference")
    return TextTable(
        "Pairs: places at the same table, with 95 % intervals that hold together",
        headers,
        tuple(map(_meeting, game["meetings"])),
        2,
    )


def _meeting(meeting: MeetingData) -> tuple[str, ...]:
    outcomes = (f"{meeting['wins']:.0f}", f"{meeting['ties']:.0f}", f"{meeting['losses']:.0f}")
    points = f"{meeting['difference']['value']:+.0f}"
    return *meeting["agents"], *outcomes, points, interval_text(meeting["difference"]), established_text(meeting)


def _seats(game: GameData) -> TextTable:
    rows = tuple(
        (seat["kind"], f"P-{seat['seat']}", share_text(seat["win_share"]), score_text(seat["mean_score"]))
        for seat in game["seats"]
    )
    return TextTable("Seats", ("Matches of", "Seat", "Wins", "Score"), rows, 2)


def _without_penalties(game: GameData) -> TextTable:
    ratings = [(agent["agent"], agent["rating"], agent["without_penalties"]) for agent in game["agents"]]
    rows = tuple(
        (name, rating_text(full), rating_text(other["rating"]), interval_text(other["rating"]), str(other["matches"]))
        if other
        else (name, rating_text(full), "-", "-", "0")
        for name, full, other in ratings
    )
    headers = ("Agent", "All", "Without", "95 %", "Matches")
    return TextTable("Ratings given that no seat was struck out", headers, rows)


def _forfeits(game: GameData) -> TextTable:
    found = [(agent["agent"], agent["forfeits"]) for agent in game["agents"]]
    headers = ("Agent", "Matches", "Wins there", "Earned", "95 %")
    title = "Forfeits: wins with another agent struck out, and the win share earned by that"
    return TextTable(title, headers, tuple(_forfeit(name, one) for name, one in found if one))


def _forfeit(name: str, found: ForfeitData) -> tuple[str, ...]:
    earned = found["earned"]
    figures = (signed_points_text(earned), bounds_text(earned)) if earned else ("-", "-")
    return name, str(found["matches"]), f"{found['wins']:.1f}", *figures


def _kinds(game: GameData) -> TextTable:
    kinds = game["kinds"]["kinds"] if game["kinds"] else []
    rows = tuple(
        (agent["agent"], *(f"{agent['by_kind'][kind]:.0f}" if kind in agent["by_kind"] else "-" for kind in kinds))
        for agent in game["agents"]
    )
    return TextTable("Ratings by kind of match, shrunk towards the agent's mean", ("Agent", *kinds), rows)


def answers_table(game: GameData) -> TextTable:
    """Invalid answers, penalties and failures of each agent."""
    rows = []
    for agent in game["agents"]:
        named = [agent["rates"].get(kind, 0.0) for kind in _MISTAKE_KINDS]
        other = agent["mistake_rate"] - sum(named)
        figures = (*map(rate_text, named), rate_text(max(0.0, round(other, 9))), rate_text(agent["mistake_rate"]))
        rows.append((agent["agent"], f"{agent['answers']:,}", *figures, str(agent["penalties"]), str(agent["failures"])))
    headers = ("Agent", "Answers", "Unreadable", "Illegal", "Truncated", "Other", "Invalid", "Penalties", "Failures")
    return TextTable("Answers", headers, tuple(rows))


def costs_table(game: GameData) -> TextTable:
    """Tokens, cost and seconds of each agent."""
    headers = ("Agent", "Tokens in", "Tokens out", "Cost", "a match", "Latency", "longest")
    return TextTable("Tokens, cost, latency", headers, tuple(map(_cost, game["agents"])))


def _cost(agent: AgentData) -> tuple[str, ...]:
    tokens = (f"{agent['prompt_tokens']:,}", f"{agent['completion_tokens']:,}")
    usd = (f"${agent['cost']:.4f}", f"${agent['cost_per_match']:.5f}")
    return agent["agent"], *tokens, *usd, f"{agent['latency']:.2f} s", f"{agent['longest_latency']:.1f} s"


def measures_table(game: GameData) -> TextTable:
    """The game's own measures of each agent."""
    names = tuple(dict.fromkeys(name for agent in game["agents"] for name in agent["measures"]))
    rows = tuple(
        (a["agent"], *(measure_text(a["measures"][name]) if name in a["measures"] else "-" for name in names))
        for a in game["agents"]
    )
    return TextTable("How they play", ("Agent", *names), rows)


def honesty_table(game: GameData) -> TextTable:
    """Claims and challenges of each agent."""
    found = [(agent["agent"], agent.get("honesty")) for agent in game["agents"]]
    rows = tuple(_honesty_row(agent, own) if own else (agent, *["-"] * 8) for agent, own in found)
    headers = ("Agent", "Claims", "True", "Denied", "Challenged", "Right", "Chance", "Passed", "Loss")
    title = (
        "Honesty: claims, reasons that deny them, challenges, and the mean chance that challenged and passed claims were false"
    )
    return TextTable(title, headers, rows)


def _honesty_row(agent: str, own: HonestyData) -> tuple[str, ...]:
    claims = str(own["claims"]), part_text(own["true"], own["claims"]), part_text(own["denied"], own["reasons"])
    challenges = part_text(own["challenged"], own["windows"]), part_text(own["right"], own["challenged"])
    chances = (chance_text(own[name]) for name in ("chance_challenged", "chance_passed"))
    return agent, *claims, *challenges, *chances, "-" if own["loss"] is None else f"{own['loss']:.2f}"
