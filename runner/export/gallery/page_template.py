"""Page templates: HTML pages that load nothing, with a policy that allows their own script and style alone."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from games.core import counted
from runner.screen.safe_text import clean
from runner.screen.seat_labels import grouped
from runner.standings.tables import interval_text, rating_text, share_text

_PACKAGE = "runner.export.gallery"


def render(template: str, **facts: object) -> str:
    """A page. Every text among the facts is escaped, unless it is Markup."""
    return _environment().get_template(template).render(**facts)


def json_block(data: object) -> Markup:
    """Data as JSON for a script element, which no text in it can end."""
    return Markup(json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style, script = _part("gallery.css"), _part("gallery.js")
    environment.globals["style"], environment.globals["script"] = Markup(style), Markup(script)
    environment.globals["policy"] = (
        f"default-src 'none'; img-src 'self' file:; style-src {_hash(style)}; script-src {_hash(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    environment.filters |= {
        "usd": lambda amount: f"${amount:,.4f}" if amount else "–",
        "percent": lambda share: f"{share * 100:.1f} %",
        "day": lambda created: created[:10],
        "counted": counted,
        "clean": clean,
        "grouped": grouped,
    }
    environment.globals |= {"rating_text": rating_text, "interval_text": interval_text, "share_text": share_text}
    return environment


def _part(name: str) -> str:
    return files(_PACKAGE).joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
