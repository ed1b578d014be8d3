"""Output of results on standard output."""

from __future__ import annotations

import sys


def say(text: object = "", end: str = "\n") -> None:
    """Print text."""
    sys.stdout.write(f"{text}{end}")
    sys.stdout.flush()


def say_json(data: object) -> None:
    """Print data as one JSON document, with characters escaped that a terminal would interpret."""
    from runner.screen.safe_text import json_text

    say(json_text(data, sys.stdout.encoding or "utf-8"))
