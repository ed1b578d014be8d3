"""Each log: a result for every log of a folder, from worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from runner.record.reader import Log, read_log
from runner.record.unusable import UNUSABLE, Unusable
from runner.worker_processes import in_order

Item = TypeVar("Item")


class Follow(Protocol):
    """Passes on what is found, and tells somebody how many there are of all."""

    def __call__(self, found: Iterable[Item], total: int, /) -> Iterable[Item]:
        """What is found, unchanged."""


def unfollowed(found: Iterable[Item], total: int) -> Iterable[Item]:
    """Tell nobody."""
    return found


def of_each_log(
    work: Callable[[Log], Item], paths: Sequence[Path], follow: Follow
) -> tuple[dict[Path, Item], dict[Path, Unusable]]:
    """The results of some logs, and the logs that have none. Both are in the order of `paths`."""
    with closing(in_order(partial(_outcome, work), paths)) as working:
        outcomes = dict(follow(working, len(paths)))
    found, unusable = dict[Path, Item](), dict[Path, Unusable]()
    for path in paths:
        outcome = outcomes[path]
        if isinstance(outcome, Unusable):
            unusable[path] = outcome
        else:
            found[path] = outcome
    return found, unusable


def _outcome(work: Callable[[Log], Item], path: Path) -> tuple[Path, Item | Unusable]:
    try:
        return path, work(read_log(path))
    except UNUSABLE as error:
        return path, Unusable.of(path.name, error)
