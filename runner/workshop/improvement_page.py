"""Improvement page: what an improvement has found, as a page of tables for the terminal and for a browser."""

from collections.abc import Iterator
from typing import Any

import games
from games.core import counted
from runner.export.table_pages import PageSection, TablePage
from runner.screen.safe_text import clean
from runner.standings.tables import TextTable
from runner.workshop.improvement import UNCHANGED, ImproveDocument

_LONGEST = 120


def improvement_page(found: ImproveDocument) -> TablePage:
    """The lineage of versions, and the final test."""
    title = f"Prompts of {games.load(found['game']).title}: {clean(found['pack'])} improved for {clean(found['seat'], 80)}"
    versions = found["versions"][1:]
    table = TextTable("Versions", ("Version", "From", "Part", "Why", "Result", "Cost"), tuple(map(_row, versions)), left=5)
    sections = [
        PageSection(f"v{one['version']}", f"Version {one['version']}", clean(one["why"], 500), [], [_texts(one)], [])
        for one in versions
        if one["difference"]
    ]
    return TablePage(title, verdict(found), [table], sections, [*_notes(found)])


def verdict(found: ImproveDocument) -> str:
    """What the final test shows, in one sentence."""
    if found["needed"]:
        return f"Nothing was tried: the budget was spent before. One version takes at least about `{found['needed']}`."
    if found["per_match"] is None:
        why = "no version gave up less than the unchanged pack" if found["chosen"] is None else "there was no final test"
        return f"No improvement shown: {why}{'; the budget was spent' if found['cut_short'] else ''}."
    difference, low, high = (100 * one for one in found["per_match"])
    what = f"{difference:.1f} points of the win a match ({low:.1f} to {high:.1f})"
    seen = counted(found["decisions"], "unseen decision")
    if found["better"]:
        who = f"version {found['chosen']} gives up less than the unchanged pack: {what}, {seen}"
        return f"Better: {who}. It is in {clean(found['folder'], 300)}."
    return f"No improvement shown: version {found['chosen']} against the unchanged pack, {what}, {seen}."


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    source = f"version {one['parent']}" if one["parent"] else UNCHANGED
    said = clean(one["part"], 80), clean(one["why"], _LONGEST), clean(one["verdict"], 2 * _LONGEST)
    return str(one["version"]), source, *said, f"${one['cost']:.4f}"


def _texts(one: dict[str, Any]) -> TextTable:
    lines = tuple((clean(line, 400),) for line in one["difference"].splitlines())
    return TextTable("What it changes", ("Line",), lines, left=1)


def _notes(found: ImproveDocument) -> Iterator[str]:
    yield (
        f"Changes are sought, chosen and tested on decisions of different matches (seed {found['seed']}). The interval of the"
        " final test holds at any time of looking."
    )
    if found["cut_short"]:
        yield f"The budget ended: {', '.join(found['cut_short'])}."
    yield f"Coach: {clean(found['coach'], 100)}. Cost of everything: ${found['cost']:.4f}, {found['tokens']:,} tokens."
