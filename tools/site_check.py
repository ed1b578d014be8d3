"""A check of the built site: `python -m tools.site_check FOLDER` names every address that a page loads from elsewhere.

Links that a reader follows may lead elsewhere. Scripts, styles, pictures, fonts and frames may not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

_LOADS = (
    re.compile(
        r"<(?:script|img|iframe|source|audio|video|embed|object)\b[^>]*\s(?:src|data|srcset)=[\"']?(?:https?:)?//[^\s\"'>]+",
        re.I,
    ),
    re.compile(r"<link\b(?![^>]*\brel=[\"']?(?:canonical|next|prev)\b)[^>]*\shref=[\"']?(?:https?:)?//[^\s\"'>]+", re.I),
    re.compile(r"(?:url\(\s*[\"']?|@import\s+[\"'])(?:https?:)?//[^\s\"')]+", re.I),
    re.compile(r"class=[\"']?mermaid\b", re.I),
)
"""What a browser loads by itself. The theme loads Mermaid from elsewhere where a page has such a diagram."""


def foreign_loads(folder: Path) -> Iterator[str]:
    """Every load from elsewhere, as `file: text`."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".html", ".css", ".svg"):
            text = path.read_text(encoding="utf-8")
            yield from (f"{path.relative_to(folder)}: {found[0][:200]}" for load in _LOADS for found in load.finditer(text))


def main() -> str | None:
    """The loads from elsewhere, as the message to leave with."""
    return "\n".join(foreign_loads(Path(sys.argv[1]))) or None


if __name__ == "__main__":
    sys.exit(main())
