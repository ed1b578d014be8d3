"""Each log: a result for every log of a folder, from worker processes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from runner.record.log_folder import UNUSABLE, Unusable
from runner.record.reader import Log, read_log
from runner.worker_processes import in_order

Found = TypeVar("Found")


class FollowWork(Protocol):
    """Passes on what is found, and tells somebody how many there are of all."""

    def __call__(self, found: Iterable[Found], total: int, /) -> Iterable[Found]:
        """What is found, unchanged."""


def unfollowed(found: Iterable[Found], total: int) -> Iterable[Found]:
    return found


def of_each_log(
    work: Callable[[Log], Found], paths: Sequence[Path], follow: FollowWork
) -> tuple[dict[Path, Found], dict[Path, Unusable]]:
    """The results of some logs, and the logs that have none. Both are in the order of `paths`."""
    if not paths:
        return {}, {}
    with closing(in_order(partial(_outcome, work), paths)) as working:
        outcomes = list(zip(paths, follow(working, len(paths)), strict=True))
    found = {path: outcome for path, outcome in outcomes if not isinstance(outcome, Unusable)}
    return found, {path: outcome for path, outcome in outcomes if isinstance(outcome, Unusable)}


def _outcome(work: Callable[[Log], Found], path: Path) -> Found | Unusable:
    try:
        return work(read_log(path))
    except UNUSABLE as error:
        return Unusable.of(path.name, error)


class PerLog(NamedTuple, Generic[Found]):
    """What was found in logs, by their digests, and the logs in which nothing was: they do not follow from the rules of this
    version, or their game lacks something."""

    found: Mapping[str, Found]
    unusable: Sequence[Unusable] = ()


def per_log(work: Callable[[Log], Found], paths: Sequence[Path], follow: FollowWork) -> PerLog[Found]:
    found, unusable = of_each_log(partial(_with_digest, work), paths, follow)
    return PerLog(dict(found.values()), [*unusable.values()])


def _with_digest(work: Callable[[Log], Found], log: Log) -> tuple[str, Found]:
    return log.last, work(log)
