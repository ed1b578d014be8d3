"""`python -m tests.terminal --write [positions]`: take every capture anew, with other positions too when asked."""

from __future__ import annotations

import sys

from tests.terminal import positions
from tests.terminal.captures import SIZES, VOICES, file_of, goldens, voices


def main() -> int:
    """Write the goldens. Exit status 2 for other words."""
    if sys.argv[1:2] != ["--write"]:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    if sys.argv[2:] == ["positions"] or not positions.FILE.exists():
        positions.write()
    for width in SIZES:
        for game, text in goldens(width).items():
            file_of(game, width).write_text(text, encoding="utf-8")
    for width in VOICES:
        file_of("voices", width).write_text(voices(width), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
