"""Shadowed packages: whether `runner` and `games` are those of tabletop, or of another distribution or folder."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

DISTRIBUTION = "tabletop-runner"
PACKAGES = ("runner", "games")
_ROOT = Path(__file__).resolve().parents[2]


def foreign_packages() -> list[str]:
    """A sentence for each package that Python imports from elsewhere than this one."""
    found = ((name, _folder(name)) for name in PACKAGES)
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
    installed = _installed_root()
    if installed not in (None, _ROOT):
        sentences.append(f"This is the tabletop of {_ROOT}, not the one installed in {installed}.")
    return sentences


def _folder(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).resolve().parent if spec and spec.origin else None


def _installed_root() -> Path | None:
    """The folder with the installed packages; None when tabletop is not installed, or installed as a checkout."""
    try:
        installed = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return None
    root = Path(str(installed.locate_file(""))).resolve()
    return root if (root / PACKAGES[0] / "__init__.py").is_file() else None
