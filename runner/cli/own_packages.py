"""Shadowed packages: whether `runner` and `games` are those of tabletop, or of another distribution or folder."""

from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

DISTRIBUTION = "tabletop-runner"
PACKAGES = ("runner", "games")
_ROOT = Path(__file__).resolve().parents[2]


def foreign_packages() -> list[str]:
    """A sentence for each package that Python imports from elsewhere than this one."""
    specs = ((name, find_spec(name)) for name in PACKAGES)
    found = ((name, Path(spec.origin).resolve().parent if spec and spec.origin else None) for name, spec in specs)
    return [
        f"The package {name} is imported from {folder}, but tabletop's is in {_ROOT / name}: rename or remove the other one, "
        "or install tabletop in an environment of its own."
        for name, folder in found
        if folder != _ROOT / name
    ]


def shared_packages() -> list[str]:
    """A sentence for each package name that another installed distribution uses too, or that is installed twice."""
    owners = packages_distributions()
    others = {name: sorted(set(owners.get(name, ())) - {DISTRIBUTION}) for name in PACKAGES}
    sentences = [
        f"The package {name} is also part of {' and '.join(found)}, and one overwrites the other: install tabletop in an "
        "environment of its own."
        for name, found in others.items()
        if found
    ]
    try:
        root = Path(str(distribution(DISTRIBUTION).locate_file(""))).resolve()
    except PackageNotFoundError:
        return sentences
    if root != _ROOT and (root / PACKAGES[0] / "__init__.py").is_file():  # a checkout has none there
        sentences.append(f"This is the tabletop of {_ROOT}, not the one installed in {root}.")
    return sentences
