"""Standings as tables of words, which terminal, Markdown and HTML show alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from games.core import counted
from runner.standings.number_format import (
    established_text,
    measure_text,
    rank_text,
    rate_text,
    rating_text,
    score_text,
    share_text,
    span_text,
)

_NAMED_KINDS = ("unreadable", "illegal", "truncated")


class Words(NamedTuple):
    """A table: its title, the heads of its columns, its rows. The first `left` columns are words, the others figures."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1


def game_title(game: dict[str, Any]) -> str:
    """What a game's standings rest on."""
    struck = game["matches_with_penalties"]
    penalties = f", {struck} of them with penalties" if struck else ""
    matches = counted(game["matches"], "match")
    return f"{game['game']}: {matches} on {counted(game['deals'], 'deal')}{penalties}"


def tables(game: dict[str, Any]) -> Iterator[Words]:
    """All tables of a game's standings."""
    yield _ratings(game)
    yield _ranks(game)
    yield _meetings(game)
    yield _seats(game)
    if game["matches_with_penalties"]:
        yield _without_penalties(game)
    if any(agent["answers"] for agent in game["agents"]):
        yield _answers(game)
    if any(agent["cost"] or agent["prompt_tokens"] for agent in game["agents"]):
        yield _costs(game)
    if any(agent["measures"] for agent in game["agents"]):
        yield _measures(game)


def _ratings(game: dict[str, Any]) -> Words:
    heads = ("Agent", "Rating", "95 %", "Wins", "Score", "Played")
    return Words("Ratings, with 95 % intervals over deals", heads, tuple(map(_rating, game["agents"])))


def _rating(agent: dict[str, Any]) -> tuple[str, ...]:
    rating, wins, score = agent["rating"], agent["win_share"], agent["mean_score"]
    return agent["agent"], rating_text(rating), span_text(rating), share_text(wins), score_text(score), str(agent["matches"])


def _ranks(game: dict[str, Any]) -> Words:
    ranks = range(1, len(game["agents"]) + 1)
    rows = tuple((a["agent"], *(map(rank_text, a["ranks"]) if a["ranks"] else ("-" for _ in ranks))) for a in game["agents"])
    return Words("How probable each rank is", ("Agent", *map(str, ranks)), rows)


def _meetings(game: dict[str, Any]) -> Words:
    heads = ("Better", "Than", "Ahead", "Level", "Behind", "Points", "95 %", "Difference")
    return Words("Pair by pair: places at the same table", heads, tuple(map(_meeting, game["meetings"])), 2)


def _meeting(meeting: dict[str, Any]) -> tuple[str, ...]:
    outcomes = (f"{meeting[name]:.0f}" for name in ("wins", "ties", "losses"))
    points = f"{meeting['difference']['value']:+.0f}"
    return *meeting["agents"], *outcomes, points, span_text(meeting["difference"]), established_text(meeting)


def _seats(game: dict[str, Any]) -> Words:
    rows = tuple(
        (seat["kind"], f"P-{seat['seat']}", share_text(seat["win_share"]), score_text(seat["mean_score"]))
        for seat in game["seats"]
    )
    return Words("What a seat is worth", ("Matches of", "Seat", "Wins", "Score"), rows, 2)


def _without_penalties(game: dict[str, Any]) -> Words:
    calm = [(agent["agent"], agent["rating"], agent["without_penalties"]) for agent in game["agents"]]
    rows = tuple(
        (name, rating_text(full), rating_text(other["rating"]), span_text(other["rating"]), str(other["matches"]))
        if other
        else (name, rating_text(full), "-", "-", "0")
        for name, full, other in calm
    )
    heads = ("Agent", "All", "Without", "95 %", "Matches")
    return Words("Ratings without the matches in which somebody was struck out", heads, rows)


def _answers(game: dict[str, Any]) -> Words:
    rows = []
    for agent in game["agents"]:
        named = [agent["rates"].get(kind, 0.0) for kind in _NAMED_KINDS]
        other = agent["mistake_rate"] - sum(named)
        figures = (*map(rate_text, named), rate_text(max(0.0, round(other, 9))), rate_text(agent["mistake_rate"]))
        rows.append((agent["agent"], f"{agent['answers']:,}", *figures, str(agent["penalties"]), str(agent["failures"])))
    heads = ("Agent", "Answers", "Unreadable", "Illegal", "Truncated", "Other", "Invalid", "Penalties", "Failures")
    return Words("Answers", heads, tuple(rows))


def _costs(game: dict[str, Any]) -> Words:
    heads = ("Agent", "Tokens in", "Tokens out", "Cost", "a match", "Latency", "longest")
    return Words("Tokens, cost, latency", heads, tuple(map(_cost, game["agents"])))


def _cost(agent: dict[str, Any]) -> tuple[str, ...]:
    tokens = (f"{agent[name]:,}" for name in ("prompt_tokens", "completion_tokens"))
    usd = (f"${agent['cost']:.4f}", f"${agent['cost_per_match']:.5f}")
    return agent["agent"], *tokens, *usd, f"{agent['latency']:.2f} s", f"{agent['longest_latency']:.1f} s"


def _measures(game: dict[str, Any]) -> Words:
    names = tuple(dict.fromkeys(name for agent in game["agents"] for name in agent["measures"]))
    rows = tuple(
        (a["agent"], *(measure_text(a["measures"][name]) if name in a["measures"] else "-" for name in names))
        for a in game["agents"]
    )
    return Words("How they play", ("Agent", *names), rows)
