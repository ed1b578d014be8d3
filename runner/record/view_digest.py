"""View digest: what a log has in place of a view that the rules give again."""

from __future__ import annotations

from collections.abc import Mapping

DIGEST = "digest"


def has_view_digest(view: Mapping[str, object]) -> bool:
    """Whether a logged view is a digest alone. A view of a game has its seat and phase too."""
    return view.keys() == {DIGEST}
