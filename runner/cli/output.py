"""Results on standard output."""

from __future__ import annotations

import sys
from typing import Any


def say(text: object = "", end: str = "\n") -> None:
    """Print text."""
    sys.stdout.write(f"{text}{end}")
    sys.stdout.flush()


def say_json(data: Any) -> None:
    """Print data as one JSON document, which is the same data on any terminal and harmless on it."""
    from runner.screen.safe_text import json_text

    say(json_text(data, sys.stdout.encoding or "utf-8"))
