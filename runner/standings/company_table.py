"""Company table: self-play against cross-play, as data, as a table of text, and as sentences."""

from __future__ import annotations

from runner.standings.company import Company, CompanyShare, Dependence, OwnCompany
from runner.standings.document_types import CompanyData, CompanyShareData, DependenceData, GameData, OwnCompanyData
from runner.standings.text_table import TextTable

_MOST_NAMED = 8


def company_data(found: Company) -> CompanyData:
    """The table and the warnings as data."""
    return {"own": [_own(one) for one in found.own], "warnings": [_warning(one) for one in found.warnings]}


def _own(one: OwnCompany) -> OwnCompanyData:
    return {"agent": one.agent, "kind": one.kind, "alone": _share(one.alone), "with_own": _share(one.with_own)}


def _warning(one: Dependence) -> DependenceData:
    return {
        "agent": one.agent,
        "company": one.company,
        "kind": one.kind,
        "win_share": one.share,
        "expected": one.expected,
        "chance": one.chance,
    }


def _share(found: CompanyShare | None) -> CompanyShareData | None:
    if found is None:
        return None
    return {
        "value": found.share,
        "low": found.low,
        "high": found.high,
        "matches": found.matches,
        "expected": found.expected,
    }


def company_table(game: GameData) -> TextTable:
    """The win share of a seat with and without another copy of the agent at the table."""
    rows = tuple((one["agent"], one["kind"], *_cells(one["alone"]), *_cells(one["with_own"])) for one in game["company"]["own"])
    headers = ("Agent", "Matches of", "Alone", "expected", "played", "With own kind", "expected", "played")
    return TextTable("Company: win share of a seat in fair shares (1.00 = one of all players)", headers, rows, 2)


def _cells(found: CompanyShareData | None) -> tuple[str, str, str]:
    if found is None:
        return "-", "-", "0"
    low, high = found["low"], found["high"]
    bounds = "" if low is None or high is None else f" ({low:.2f}-{high:.2f})"
    return f"{found['value']:.2f}{bounds}", f"{found['expected']:.2f}", str(found["matches"])


def company_notes(found: Company) -> list[str]:
    """A warning for every company that matters."""
    return [_sentence(one) for one in found.warnings[:_MOST_NAMED]]


def _sentence(one: Dependence) -> str:
    whom = "another copy of itself" if one.agent == one.company else one.company
    return (
        f"Warning: {one.agent} wins {one.share:.0%} of {one.kind} with {whom} at the table, where its strength explains"
        f" {one.expected:.0%} (probability by chance {one.chance:.3f}). Its rating depends on who else plays."
    )
