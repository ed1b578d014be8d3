"""Which matches may be counted together, and what is different about those that may not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from games.core import counted
from runner.errors import UsageError
from runner.standings.match_facts import Summary

KINDS = ("prompts", "rules", "options", "schema", "agents", "games")
"""What may be told to be pooled; `games` puts all games into one table."""

_ALL = "all"
_ABOUT = {"schema": "schema", "rules version": "rules", "rules": "rules", "ask": "options", "ask_forced": "options"}
_SHOWN = 3


def pooled(words: Sequence[str]) -> frozenset[str]:
    """What is to be pooled. UsageError for a word that stands for nothing."""
    found = {word.strip() for part in words for word in part.split(",")}
    if unknown := sorted(found - {*KINDS, _ALL}):
        raise UsageError(f"--pool {unknown[0]}: there is {', '.join(KINDS)} and {_ALL}.")
    return frozenset(set(KINDS) - {"games"} | found - {_ALL} if _ALL in found else found)


def check_pool(game: str, matches: Sequence[Summary], may_pool: Collection[str]) -> list[str]:
    """What is pooled although it differs, in sentences. UsageError when something differs that may not be pooled."""
    found = list(_differences(game, matches))
    refused = [(kind, text) for kind, text in found if kind not in may_pool]
    if refused:
        kinds = ",".join(sorted({kind for kind, _ in refused}))
        shown = " ".join(text for _, text in refused[:_SHOWN])
        more = f" ({len(refused) - _SHOWN} more differences.)" if len(refused) > _SHOWN else ""
        raise UsageError(f"{shown}{more} Name a folder with matches of one sort, or count them together with --pool {kinds}.")
    return [f"Pooled: {text}" for _, text in found]


def _differences(game: str, matches: Sequence[Summary]) -> Iterator[tuple[str, str]]:
    """The kind of each difference, and a sentence about it."""
    for name, kind in _ABOUT.items():
        yield from _one(kind, f"{game} was played with different {name}", [match["about"][name] for match in matches])
    for name in sorted({name for match in matches for name in match["options"]}):
        values = [match["options"].get(name, "none") for match in matches]
        yield from _one("options", f"{game} was played with different values of the option {name}", values)
    with_models = [match for match in matches if match["prompts"]]
    values = [f"{match['pack']} {match['prompts'][-10:]}" for match in with_models]
    yield from _one("prompts", f"{game} was played with different prompts", values)
    manners: dict[tuple[str, str], list[object]] = {}
    for match in matches:
        for agent, manner in zip(match["agents"], match["manners"], strict=True):
            for name, value in manner.items():
                manners.setdefault((agent, name), []).append(value)
    for (agent, name), found in sorted(manners.items()):
        yield from _one("agents", f"The agent {agent} did not always play with the same {name}", found)
    sorts: dict[str, list[str]] = {}
    for match in matches:
        for agent, spec, facts in zip(match["agents"], match["specs"], match["is"], strict=True):
            sorts.setdefault(agent, []).append(f"{spec} {facts}")
    for agent, facts in sorted(sorts.items()):
        yield from _one("agents", f"The agent {agent} is not always the same", facts)


def _one(kind: str, sentence: str, values: Sequence[object]) -> Iterator[tuple[str, str]]:
    if len(different := sorted({str(value) for value in values})) > 1:
        counts = ", ".join(
            f"{value} in {counted(sum(str(v) == value for v in values), 'match')}" for value in different[:_SHOWN]
        )
        more = ", …" if len(different) > _SHOWN else ""
        yield kind, f"{sentence}: {counts}{more}."
