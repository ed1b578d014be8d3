"""Pack check: before anything is paid for, whether packs have faults, and whether two of them put the same to a model."""

from collections.abc import Callable, Collection

from games.core import Game
from games.search.cases import corpus
from runner.errors import UsageError
from runner.prompting.pack import PromptPack
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import PromptError
from runner.workshop.case_prompts import PackRenderer, context_of
from runner.workshop.lint.case_checks import check_pack

_MATCHES = 8
"""Matches between bots whose decisions are rendered: about 160 prompts, in seconds."""

_SHOWN = 3


def check_faults(pack: PromptPack, game: Game, on_progress: Callable[[str], object] = lambda what: None) -> None:
    """UsageError with file and line for a fault in what a pack changes of a game's prompts."""
    try:
        roles = roles_apart(pack, PromptPack(), game)
    except PromptError:
        roles = {*game.roles}  # a template cannot be read: lint says which and why
    if not roles:
        return
    report = check_pack(pack, [game], _MATCHES, on_progress=on_progress, roles=roles)
    if count := report.faults:  # they come first
        more = f" ({count - _SHOWN} more: `tabletop prompts lint {pack.folder}`.)" if count > _SHOWN else ""
        shown = " ".join(map(str, report.findings[: min(count, _SHOWN)]))
        raise UsageError(f"The pack {pack.name} has a fault, and nothing was played. {shown}{more}")


def roles_apart(one: PromptPack, other: PromptPack, game: Game) -> Collection[str]:
    """The roles whose templates differ between two packs; all, if a template does that no role names."""
    digests = one.digests(game.name), other.digests(game.name)
    changed = {name for name in {*digests[0], *digests[1]} if digests[0].get(name) != digests[1].get(name)}
    if not changed:
        return set()
    parts = [templates_in_use(pack, game) for pack in (one, other)]
    found = {role for used in parts for role, names in used.items() if changed.intersection(names)}
    known = {name for used in parts for names in used.values() for name in names}
    return found if changed <= known else {*game.roles}


def are_alike(one: PromptPack, other: PromptPack, game: Game) -> bool:
    """Whether a model reads the same with both packs, by the prompts of some matches."""
    mistakes = [pack.manifest and pack.manifest.offline for pack in (one, other)]
    if mistakes[0] != mistakes[1]:
        return False
    roles = roles_apart(one, other, game)
    first, second = (PackRenderer(pack, {}) for pack in (one, other))
    if roles and one.digests(game.name).get("shared/reask.j2") != other.digests(game.name).get("shared/reask.j2"):
        return False
    cases = (case for case in corpus(game, _MATCHES) if case.question.role in roles)
    return all(first.render(case, context_of(case)) == second.render(case, context_of(case)) for case in cases)
