"""Source checks, without rendering: unused files, templates of no role, names that do not exist."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from pathlib import Path

from jinja2 import nodes

import games
from games.core import Game, listed
from games.openspiel import PREFIX
from games.search.fields import RoleReach
from runner.files import read_toml
from runner.prompting.pack import FILE, REASK, SHARED, PromptPack, prompts_folder, template_name
from runner.prompting.renderer import built_in_folder, built_in_path, files_in
from runner.prompting.template_deps import references, templates_in_use, uses, with_dependencies
from runner.prompting.template_errors import SUFFIX, PromptError, prompt_error
from runner.prompting.vocabulary import FILE as SKINS
from runner.review.judge import JUDGE, ROLE
from runner.workshop.caster import CASTER
from runner.workshop.coach import COACH
from runner.workshop.lint.issues import NOTE, Issue, place_of

OPTIONS_FILE = "options.toml"
_DATA = (OPTIONS_FILE, SKINS)
VARIABLES: dict[str, str] = read_toml(files("runner.prompting").joinpath("variables.toml").read_text("utf-8"))
"""The variables of a template, each with a description."""

IN_REACH = {*VARIABLES, "message"}
IN_REACH_OF_REASK = {*IN_REACH, "mistake", "count", "strikes", "left", "limit"}
_METHODS = {"items", "keys", "values", "get"}
_MOST = 500


def files_of(pack: PromptPack) -> list[str]:
    return files_in(pack.folder or built_in_folder())


def own_templates(pack: PromptPack) -> Iterator[str]:
    """The names of the templates in a pack's own folder that can be read; none for the built-in pack."""
    for name in files_of(pack) if pack.folder else ():
        with suppress(PromptError):
            if name.endswith(SUFFIX) and pack.source(name):
                yield name


def check_files(pack: PromptPack) -> Iterator[Issue]:
    """Files of the pack without effect, and games in its manifest that do not exist."""

    @cache
    def used_by(game: str) -> frozenset[str]:
        return frozenset(chain.from_iterable(templates_in_use(pack, games.load(game)).values()))

    for name in files_of(pack):
        yield from _check_file(pack, name, used_by)
    for game in pack.manifest.games if pack.manifest else ():
        if game not in games.names():
            yield _at(pack, FILE, f"the pack is for a game {game!r} that there is not: there is {listed(games.names())}")


def _check_file(pack: PromptPack, name: str, used_by: Callable[[str], frozenset[str]]) -> Iterator[Issue]:
    root, _, rest = name.partition("/")
    if not rest or Path(name).suffix != SUFFIX:
        if Path(name).suffix == SUFFIX:
            yield _at(pack, name, f"no game uses it: templates are in folders, such as {SHARED}/ or {games.names()[0]}/")
        elif pack.folder and name != FILE and Path(name).suffix not in (".md", ".txt") and Path(name).name not in _DATA:
            yield _at(pack, name, "it is no template, so that nothing uses it", NOTE)
        return
    if root == prompts_folder(PREFIX):
        return  # any of OpenSpiel's games may draw on it
    if root == JUDGE:
        if name not in with_dependencies(pack, template_name(JUDGE, ROLE)):
            yield _at(pack, name, "the judge of claims does not draw on it, so that it changes nothing")
        return
    if root in (COACH, CASTER):
        return
    if root not in (SHARED, *games.names()):
        yield _at(pack, name, f"there is no game {root!r}: there is {listed(games.names())}")
        return
    owners = [root] if root != SHARED else [game.name for game in games.registered().games]
    if not any(name in used_by(owner) for owner in owners):
        why = "no template of this pack draws on it, so that it changes nothing"
        if root != SHARED and not built_in_path(name).is_file():
            roles = listed(list(games.load(root).roles))
            why = f"there is no role {Path(rest).stem!r} in {root}, and no template draws on it; the roles are {roles}"
        yield _at(pack, name, why)
    elif pack.folder and built_in_path(name).is_file() and pack.source(name) == PromptPack().source(name):
        yield _at(pack, name, "it is the same as the built-in one and can be left out", NOTE)


def check_templates(pack: PromptPack, game: Game, reaches: dict[str, RoleReach]) -> Iterator[Issue]:
    """Names that do not exist for the role, also in branches that no decision rendered."""
    for role, parts in templates_in_use(pack, game).items():
        for name in parts or [template_name(game.name, role) if role in game.roles else REASK]:
            try:
                yield from _check_references(pack, name)
                yield from _check_names(pack, name, parts, None if role not in game.roles else reaches[role])
            except Exception as error:  # whatever a user's template does wrong while it is taken apart
                fault = prompt_error(name, error)
                yield Issue(*place_of(pack, fault.template, fault.line), "template", f"{fault.why}.")


def _check_references(pack: PromptPack, name: str) -> Iterator[Issue]:
    for reference in references(pack, name):
        if reference.target is None:
            continue
        try:
            pack.source(reference.target)
        except PromptError:
            place = place_of(pack, name, reference.line)
            yield Issue(*place, "missing", f"there is no template {reference.target!r} within the pack or the built-in ones.")


def _check_names(pack: PromptPack, name: str, parts: Iterable[str], reach: RoleReach | None) -> Iterator[Issue]:
    tree, file = pack.tree(name), str(pack.path(name))
    given = {use.chain[0] for part in parts for use in uses(pack, part) if use.is_set}
    known = IN_REACH if reach is not None else IN_REACH_OF_REASK
    declared = known | given | set(pack.environment.globals) | _declared(tree)
    for use in uses(pack, name):
        place = file, use.line
        if any(part.startswith("_") for part in use.chain):
            yield Issue(*place, "sandbox", f"{'.'.join(use.chain)} reaches outside of the sandbox.")
        elif use.chain[0] not in declared:
            yield Issue(*place, "undefined", f"{use.chain[0]!r} is not defined: there is {', '.join(sorted(known))}.")
        elif reach is not None and reach.cases and use.chain[0] in VARIABLES and use.chain[0] not in given:
            yield from _check_reach(use.chain, place, reach, _asked(tree))


@lru_cache(_MOST)
def _declared(tree: nodes.Template) -> set[str]:
    """What a template names without assigning it. Jinja's own search evaluates constants, which may be a stranger's bomb."""
    names = {"self", *(("loop",) if tree.find(nodes.For) else ()), *(("super",) if tree.find(nodes.Block) else ())}
    for node in tree.find_all((nodes.Macro, nodes.CallBlock)):
        names |= {"caller", "varargs", "kwargs", getattr(node, "name", "caller")}
    for imported in tree.find_all(nodes.Import):
        names.add(imported.target)
    for imports in tree.find_all(nodes.FromImport):
        names.update(name if isinstance(name, str) else name[1] for name in imports.names)
    return names


@lru_cache(_MOST)
def _asked(tree: nodes.Template) -> set[str]:
    return {test.node.attr for test in tree.find_all(nodes.Test) if isinstance(test.node, nodes.Getattr)}


def _check_reach(names: tuple[str, ...], place: tuple[str, int], reach: RoleReach, asked: set[str]) -> Iterator[Issue]:
    while names[-1] in _METHODS:
        names = names[:-1]
    if not reach.knows(names) and names[-1] not in asked:
        yield Issue(*place, "undefined", f"{'.'.join(names)} is not in reach of this role in any decision looked at.")


def _at(pack: PromptPack, name: str, sentence: str, level: str = "fault") -> Issue:
    return Issue(str((pack.folder or built_in_folder()) / name), 0, "unused", f"{sentence}.", level)
